// armdyn torque: what torques does this motion need?

#include <armdyn/trajectory.hpp>

#include <numeric>

#include "cli/options/adjustable_rows.hpp"
#include "cli/options/part_file.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/torque/answer.hpp"
#include "log/row_writer.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct TorqueOptions : VerbOptions {
  std::string motion = "-";
  Method method = Method::newton_euler;
  bool bounds = false;
  InputAccuracy input_error = InputAccuracy::file;
  bool terms = false;
  bool reactions = false;
  bool keep_motion = false;
  LogOptions log{.finds_rest = true};
  bool strict = false;
  bool slow_down = false;
  PlotOptions plot;
};

void declare(OptionList& list, TorqueOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion, "CSV or .npy file with q1..,qd1..,qdd1..");
  list.option("--method", "NAME", options.method, method_choices(),
              "formulation: " + method_choices().text());
  list.flag("--bounds", options.bounds,
            "add guaranteed error bounds tau_error1.., from 50-digit arithmetic");
  declare_input_error(list, options.input_error).echoed_if([&options] { return options.bounds; });
  list.flag("--terms", options.terms,
            "add the terms of tau: inertia, velocity, gravity, friction, rotor, wrench");
  list.flag("--reactions", options.reactions,
            "add the joint reaction wrenches f1x,f1y,f1z,n1x,n1y,n1z,f2x..");
  list.flag("--keep-motion", options.keep_motion,
            "copy t, q, qd, qdd and the wrench to the output");
  declare_log(list, options.log);
  list.flag("--derive-errors", options.log.derive_errors,
            "add the uncertainties qd_uncertainty1.., qdd_uncertainty1.. of --derive")
      .special();
  list.option("--dead-zone", "SPEED", options.log.dead_zone, parse_tolerance,
              "slower joints are at rest, rad/s, m/s (default: 0, or by --derive)");
  declare_as_given(list, options.log);
  list.flag("--strict", options.strict, "exit 1 if a limit of the robot is exceeded");
  list.flag("--slow-down", options.slow_down, "time scaling that keeps all limits of the robot")
      .echoed_if([&options] { return options.slow_down; });
  list.check([&list, &options] {
    refuse_if(list.is_given("--input-error") && !options.bounds,
              "torque: --input-error needs --bounds; give both");
    refuse_if(options.log.derive_errors && !options.log.derive,
              "--derive-errors needs --derive; give both");
    refuse_if(options.slow_down && !options.output.divider.empty(),
              "torque: --slow-down needs the whole motion; leave out {}", options.output.divider);
  });
  declare_plot(list, options.plot, "the torques");
  declare_output(list, options.output);
  declare_part(list, options.output);
}

namespace {

/// Parts into which --terms splits τ, in the order of the columns.
constexpr std::array torque_parts{Quantity::inertia_part, Quantity::velocity_part,
                                  Quantity::gravity_part, Quantity::friction_part,
                                  Quantity::rotor_part,   Quantity::wrench_part};
constexpr std::size_t part_count = torque_parts.size();

// Rows of a motion on their way to the picture and to its slowing.

JointPanel torque_panel(const TorqueOptions& options, const ColumnPlan& plan) {
  JointPanel panel{"τ", Measure::torque, {""}};
  if (plan.has(Quantity::torque)) {
    panel.curves = {"computed", "measured"};
  } else if (options.terms) {
    panel.curves = {"τ"};
  }
  panel.sure = panel.curves.size();
  for (std::size_t k = 0; options.terms && k < part_count; ++k) {
    constexpr std::string_view of_torque("tau_");
    panel.curves.emplace_back(joint_prefix(torque_parts[k])->substr(of_torque.size()));
  }
  return panel;
}

/// τ of each joint over time; beside it what was measured, or the parts of τ that are not zero.
class TorquePicture {
 public:
  TorquePicture(const Robot& robot, const TorqueOptions& options, const ColumnPlan& plan)
      : dof_(robot.dof()),
        first_part_(plan.has(Quantity::torque) ? 2 : 1),
        picture_(robot, options.plot, {torque_panel(options, plan)}) {
    if (!plan.has(Quantity::time)) picture_.count_rows();
  }

  /// `parts`: dof columns for each, or none.
  void add(const TorqueColumns& block, const Columns& parts) {
    for_each_stretch(
        block.breaks, block.rows,
        [&](std::size_t from, std::size_t end) { add(block, parts, from, end); },
        [&] { picture_.break_off(); });
    rows_ += block.rows;
  }
  [[nodiscard]] Views views(const Figure& titled) const { return picture_.views(titled); }

 private:
  void add(const TorqueColumns& block, const Columns& parts, std::size_t from, std::size_t end) {
    std::vector<double> numbers;
    if (block.t.empty()) {
      numbers.resize(block.rows);
      std::iota(numbers.begin(), numbers.end(), static_cast<double>(rows_ + 1));
    }
    const auto stretch = [&](std::span<const double> column) {
      return column.subspan(from, end - from);
    };
    const std::span<const double> t = stretch(block.t.empty() ? numbers : block.t);
    for (std::size_t i = 0; i < dof_; ++i) {
      picture_.add(0, 0, i, t, stretch(block.tau[i]));
      picture_.add_positions(i, t, stretch(block.q[i]));
      if (!block.measured.empty()) picture_.add(0, 1, i, t, stretch(block.measured[i]));
      for (std::size_t k = 0; k * dof_ < parts.size(); ++k) {
        picture_.add(0, first_part_ + k, i, t, stretch(parts[k * dof_ + i]));
      }
    }
  }

  std::size_t dof_;
  std::size_t first_part_;  // the number of its curve
  std::size_t rows_ = 0;
  JointPicture picture_;
};

/// A whole motion, for the fastest time scaling that keeps the limits.
class MotionToSlowDown {
 public:
  /// Throws UsageError where the motion has no times, or the robot no limit.
  MotionToSlowDown(const Robot& robot, const ColumnPlan& plan) : robot_(robot), plan_(plan) {
    refuse_if(!plan.has(Quantity::time),
              "torque: --slow-down needs the times t of the rows; --log-rate gives them");
    refuse_if(path_limits(robot).empty(),
              "torque: --slow-down needs limits, and {} has none of torque, velocity or "
              "acceleration; write them into its file",
              robot.name);
  }

  /// Throws InputError at a gap.
  void add(const Table& rows) {
    const std::size_t t = *plan_.first(Quantity::time), n = robot_.dof();
    if (!rows.breaks.empty()) {
      throw InputError(fmt::format(
          "--slow-down slows one motion, and there is a gap before {}; give --gaps bridge, or "
          "--from-time and --to-time",
          time_text(rows.columns[t][rows.breaks.front()])));
    }
    const auto append = [&](std::vector<double>& values, std::size_t first, std::size_t count,
                            std::size_t row) {
      for (std::size_t i = 0; i < count; ++i) values.push_back(rows.columns[first + i][row]);
    };
    const MotionColumns at = motion_columns(plan_);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      append(rows_.t, t, 1, row);
      append(rows_.q, at.q, n, row);
      append(rows_.qd, *at.qd, n, row);
      append(rows_.qdd, *at.qdd, n, row);
      if (at.wrench) append(wrench_, *at.wrench, 6, row);
    }
  }

  /// Adds it to the answer; returns why no speed keeps the limits, where none does. Throws InputError for
  /// fewer than two rows.
  std::optional<std::string> finish(Document& answer) {
    if (rows_.t.size() < 2) throw InputError("--slow-down needs a motion of two rows or more");
    const WrenchOverTime wrench =
        wrench_.empty() ? WrenchOverTime{} : wrench_between(rows_.t, wrench_);
    const Trajectory motion = recorded(std::move(rows_));
    PathDemands demands(robot_, path_limits(robot_));
    const SlowDown found = slow_down(demands, motion, wrench);
    answer.add("slow_down",
               slow_down_fields(robot_, demands, found, motion.end() - motion.begin()));
    std::optional<std::string> obstacle = slow_down_obstacle(robot_, demands, found);
    if (obstacle) answer.warnings->push_back(*obstacle);
    return obstacle;
  }

 private:
  const Robot& robot_;
  const ColumnPlan& plan_;
  RecordedRows rows_;
  std::vector<double> wrench_;  ///< six per row, or none
};

// Torques of a block of a motion.

/// Columns that are computed from a block; all but `tau` where they are asked for.
struct TorqueBlock {
  Columns tau;        ///< n
  Columns errors;     ///< n
  Columns parts;      ///< n for each of `torque_parts`
  Columns reactions;  ///< six per joint
};

std::vector<ResultColumn> resized(Columns& columns, std::size_t count, std::size_t rows) {
  resize(columns, count, rows);
  return places(columns);
}

/// Computes the rows of one block, column by column in and out.
class TorqueWorker {
 public:
  /// Copies `dynamics`, whose programs all workers share.
  TorqueWorker(const BlockInverseDynamics& dynamics, const ColumnPlan& plan,
               const TorqueOptions& options, const Robot& robot)
      : dynamics_(dynamics),
        columns_(motion_columns(plan)),
        options_(options),
        dof_(robot.dof()),
        row_(columns_, dof_) {
    if (options.bounds) {
      certified_ = std::make_shared<CertifiedTorque>(robot, options.input_error);
    }
  }

  void operator()(const Table& input, TorqueBlock& result) {
    const std::vector<Column> inputs = places(input.columns);
    const MotionBlock motion = motion_block(inputs, columns_, dof_, input.rows);
    dynamics_.torque(motion, resized(result.tau, dof_, input.rows));
    if (options_.bounds) bound(input, result);
    if (options_.terms) {
      dynamics_.terms(motion, resized(result.parts, part_count * dof_, input.rows));
      close_sums(result);
    }
    if (options_.reactions) {
      dynamics_.reactions(motion, resized(result.reactions, 6 * dof_, input.rows));
    }
  }

 private:
  void bound(const Table& input, TorqueBlock& result) {
    resize(result.errors, dof_, input.rows);
    std::vector<double> tau(dof_), errors(dof_);
    for (std::size_t row = 0; row < input.rows; ++row) {
      row_.read(input, row);
      for (std::size_t i = 0; i < dof_; ++i) tau[i] = result.tau[i][row];
      certified_->set(row_.state(), row_.wrench());
      certified_->errors(tau, errors);
      for (std::size_t i = 0; i < dof_; ++i) result.errors[i][row] = errors[i];
    }
  }

  void close_sums(TorqueBlock& result) const {
    std::array<double, part_count> parts{};
    for (std::size_t i = 0; i < dof_; ++i) {
      for (std::size_t row = 0; row < result.tau[i].size(); ++row) {
        const auto part = [&](std::size_t k) -> double& { return result.parts[k * dof_ + i][row]; };
        for (std::size_t k = 0; k < part_count; ++k) parts[k] = part(k);
        close_sum(result.tau[i][row], parts);
        for (std::size_t k = 0; k < part_count; ++k) part(k) = parts[k];
      }
    }
  }

  BlockInverseDynamics dynamics_;
  MotionColumns columns_;
  const TorqueOptions& options_;
  std::size_t dof_;
  MotionRow row_;
  std::shared_ptr<CertifiedTorque> certified_;  // of this worker alone
};

BlockWriter<TorqueBlock> output_columns(const TorqueOptions& options, const ColumnPlan& plan,
                                        const Robot& robot, ByteSink& output) {
  BlockWriter<TorqueBlock> writer(output, &robot);
  const std::size_t dof = robot.dof();
  const auto keep = [&](Quantity quantity) {
    if (plan.has(quantity)) writer.add(quantity, dof, *plan.first(quantity));
  };
  keep(Quantity::time);
  if (options.keep_motion) {
    keep(Quantity::position);
    keep(Quantity::velocity);
    keep(Quantity::acceleration);
    keep(Quantity::contact_wrench);
  }
  const auto add = [&](std::initializer_list<Quantity> groups, Columns TorqueBlock::*columns) {
    writer.add_groups(dof, groups, columns);
  };
  add({Quantity::torque}, &TorqueBlock::tau);
  if (options.bounds) add({Quantity::torque_error}, &TorqueBlock::errors);
  if (options.terms) writer.add_groups(dof, torque_parts, &TorqueBlock::parts);
  if (options.reactions) add({Quantity::reaction}, &TorqueBlock::reactions);
  keep(Quantity::velocity_uncertainty);
  keep(Quantity::acceleration_uncertainty);
  return writer;
}

/// Results from the rows of a motion as they go by.
class TorqueFindings {
 public:
  TorqueFindings(const TorqueOptions& options, Run& run, const LogReader& log,
                 const BlockInverseDynamics& dynamics)
      : options_(options),
        run_(run),
        log_(log),
        robot_(run.robot().robot),
        plan_(log.plan()),
        summary_(robot_) {
    if (run.wants_curves()) picture_.emplace(robot_, options, plan_);
    if (run.wants_arm()) adjustable_.emplace(robot_);
    if (options.slow_down) to_slow_down_.emplace(robot_, plan_);
    if (plan_.has(Quantity::torque) && !options.log.as_given) {
      hypotheses_.emplace(robot_, dynamics);
    }
  }

  void add(const Table& in, const TorqueBlock& result) {
    const auto from = [&](Quantity quantity) {
      return in.group(*plan_.first(quantity), robot_.dof());
    };
    TorqueColumns block;
    block.rows = in.rows;
    if (plan_.has(Quantity::time)) block.t = in.column(*plan_.first(Quantity::time));
    block.breaks = in.breaks;
    block.q = from(Quantity::position);
    block.qd = from(Quantity::velocity);
    block.qdd = from(Quantity::acceleration);
    block.tau.assign(result.tau.begin(), result.tau.end());
    if (plan_.has(Quantity::torque)) block.measured = from(Quantity::torque);
    summary_.add(block);
    if (hypotheses_) {
      const std::vector<Column> inputs = places(in.columns);
      hypotheses_->add(motion_block(inputs, motion_columns(plan_), robot_.dof(), in.rows), block.t,
                       block.measured);
    }
    if (to_slow_down_) to_slow_down_->add(in);
    if (picture_) picture_->add(block, result.parts);
    if (adjustable_) add_adjustable(block);
  }

  [[nodiscard]] Answer answer() {
    const LogReport rows = log_.report();
    const std::vector<std::string> exceeded = summary_.exceeded_limits();
    Answer answer{run_.document()};
    Document& document = answer.document;
    if (picture_) {
      document.views =
          picture_->views(titled_figure("joint torques", options_.motion, robot_, options_.robot));
    }
    if (adjustable_) {
      document.views.adjustable =
          adjustable_->finish(plan_.has(Quantity::contact_wrench), summary_.rms());
    }
    document.add(log_sections(rows, robot_));
    document.add(summary_.sections());
    const auto found = hypotheses_ ? hypotheses_->find() : std::nullopt;
    document.warnings =
        joined({log_warnings(rows, found),
                consequences(!is_of_motors(found) && log_.doubts().are_misread, exceeded)});
    if (!summary_.has_rows()) {
      document.warnings->push_back(run_.has_no_rows("motion"));
    }
    if (found) {
      document.warnings->push_back(hypothesis_remark(*found, robot_, plan_, options_.log));
    }
    const bool is_obstructed = to_slow_down_ && to_slow_down_->finish(document);
    if (is_obstructed || (options_.strict && !exceeded.empty())) answer.ending = Ending::no;
    return answer;
  }

 private:
  void add_adjustable(const TorqueColumns& block) {
    std::vector<double> values;
    for (std::size_t row = 0; row < block.rows; ++row) {
      values = {block.t.empty() ? static_cast<double>(++rows_without_t_) : block.t[row]};
      for (const auto& group : {block.q, block.qd, block.qdd, block.tau}) {
        for (const std::span<const double> column : group) values.push_back(column[row]);
      }
      adjustable_->add(values);
    }
  }

  const TorqueOptions& options_;
  Run& run_;
  const LogReader& log_;
  const Robot& robot_;
  const ColumnPlan& plan_;
  TorqueSummary summary_;
  std::optional<TorquePicture> picture_;
  std::optional<AdjustableRows> adjustable_;
  std::size_t rows_without_t_ = 0;
  std::optional<MotionToSlowDown> to_slow_down_;
  std::optional<LogHypotheses> hypotheses_;
};

Answer torque(const TorqueOptions& options, Run& run) {
  run.require_motion(options.motion);
  LogReader& log =
      run.log(options.motion, options.log, {Quantity::contact_wrench, Quantity::torque});
  const Robot& robot = run.robot().robot;
  const BlockInverseDynamics dynamics(normalize(robot), options.method);
  BlockJob<TorqueBlock> job;
  const BlockWriter<TorqueBlock> writer = output_columns(options, log.plan(), robot, run.rows());
  writer.print(job);
  TorqueFindings findings(options, run, log, dynamics);
  job.make_worker = [&] { return TorqueWorker(dynamics, log.plan(), options, robot); };
  job.in_order = [&](const Table& in, const TorqueBlock& result) { findings.add(in, result); };
  run.blocks(log, job);
  return findings.answer();
}

}  // namespace

Verb torque_verb() {
  return verb<TorqueOptions>(
      "torque", "Inverse dynamics: joint torques for a trajectory",
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --terms --payload 2.5,0,0,0.05 | head\n"
      "  armdyn torque puma560 puma560-welding-weave --keep-motion | armdyn torque puma560 "
      "--strict\n",
      declare, torque);
}

}  // namespace armdyn
