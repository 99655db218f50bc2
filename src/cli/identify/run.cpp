// armdyn identify: the parameters of an arm from its logs.

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "cli/identify/answer.hpp"
#include "cli/identify/load_changes.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/robot_formats.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "math/finite.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "motion/derive.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct IdentifyOptions : VerbOptions {
  IdentifyOptions() { output.output.clear(); }  // no new file

  std::vector<std::string> logs, held_out;
  LogOptions log{.derive = true, .smooth = true};
  IdentificationOptions task;
  PlotOptions plot;
};

namespace {

std::vector<std::string> parse_names(const std::string& /*option*/, const std::string& text) {
  return split_list(text);
}

/// Parameters to fit, and the way to fit them.
void declare_task(OptionList& list, IdentificationOptions& task) {
  const Choices<FrictionLaw> laws{{"viscous", FrictionLaw::viscous},
                                  {"coulomb", FrictionLaw::coulomb},
                                  {"sigmoid", FrictionLaw::sigmoid},
                                  {"file", FrictionLaw::as_the_robot}};
  list.option("--friction", "LAW", task.friction, laws,
              "friction law: viscous | coulomb | sigmoid | file (default: file, else coulomb)");
  list.option("--free", "LIST", task.free, parse_names,
              "fit payload, rotors, friction, offsets, delay or links (default: all but payload)");
  list.option("--fix", "LIST", task.fix, parse_names,
              "keep these at the values of the robot file: names as of --free");
  list.option("--prior", "WEIGHT", task.prior, parse_positive_number,
              "regularization weight of the robot file (default: 1)");
  list.option("--min-speed", "SPEED", task.min_speed, parse_tolerance,
              "ignore slower rows for dry friction, rad/s, m/s (default: 0.01)");
}

}  // namespace

void declare(OptionList& list, IdentifyOptions& options) {
  declare_robot(list, options.robot);
  list.argument("LOG", options.logs, lines_of,
                "CSV or .npy files with t, q1.. and measured torques tau1..")
      .several()
      .required();
  list.option("--held-out", "LOG", options.held_out, lines_of,
              "validation logs (default: the last fifth of each LOG)")
      .several();
  declare_task(list, options.task);
  declare_log(list, options.log);
  declare_as_given(list, options.log);
  const auto group = list.under(help_group::output);
  list.text("-o,--output", "FILE", options.output.output,
            "output file: the identified robot file (default: none)")
      .for_command_line();
  declare_plot(list, options.plot, "measured and predicted torques of the held-out data");
  list.writes("-o", options.output.output, &options.output.force);
  list.flag("--force", options.output.force,
            "overwrite a robot file; write one even if no parameters fit")
      .unechoed();
  list.option("--threads", "N", options.output.threads, parse_threads,
              "number of threads (default: all cores)")
      .unechoed();
  declare_report(list, options.output);
  declare_format(list, options.output);
  declare_all(list, options.output.all);
  declare_degrees(list, options.output);
  declare_quiet(list, options.output);
  list.check([&options] {
    refuse_if(std::ranges::count(joined({options.logs, options.held_out}), "-") > 0,
              "identify: logs are files; found -, standard input");
    refuse_other_than_yaml("-o", options.output.output);
  });
}

Answer identify_arm(const IdentifyOptions& options, Run& run);

Verb identify_verb() {
  return verb<IdentifyOptions>(
      "identify", "System identification: inertial and friction parameters from logs",
      "  armdyn trajectory ur10e --excite --limits 1.5,3 --duration 20 --rate 100 -o excite.csv\n"
      "  armdyn torque ur10e excite.csv --payload 2,0,0,0.1 --keep-motion -o log.csv\n"
      "  armdyn identify ur10e log.csv --free payload -o loaded.yaml\n"
      "  armdyn identify ur10e log.csv --friction sigmoid --window 0.24 -o mine.yaml\n",
      declare, identify_arm);
}

namespace {

IdentificationModel model_of(const Robot& robot, const IdentificationOptions& task) {
  try {
    return {robot, task};
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

/// Tests whether parameters of the payload are fitted.
bool fits_a_load(const IdentificationModel& model) {
  const auto& parameters = model.regressor().parameters();
  return std::ranges::any_of(model.free(), [&](std::size_t k) { return parameters[k].of_payload; });
}

/// Names of the base parameters, each that of its first term.
std::vector<std::string> base_names(const IdentificationModel& model) {
  return each(model.base().combinations, [&model](const BaseParameter& of) {
    return name(model.regressor().parameters()[of.first]);
  });
}

/// Tests whether columns and torques are those of their joints, but for sign and zero.
bool keeps_order(const LogHypothesis& hypothesis) {
  const auto& joints = hypothesis.joints;
  return std::ranges::all_of(in_order(joints.size()), [&](std::size_t i) {
    return joints[i].column == i && joints[i].torque_column == i;
  });
}

/// A log that is being read.
struct OpenLog {
  OpenLog(const std::string& name, const IdentifyOptions& options, Run& run)
      : reader(options.log, run.open(name, options.log.topics), run.robot().robot,
               {Quantity::torque, Quantity::contact_wrench}, {}),
        dof(run.robot().robot.dof()) {}

  [[nodiscard]] std::vector<std::span<const double>> spans(const Table& table,
                                                           Quantity quantity) const {
    return table.group(*reader.plan().first(quantity), dof);
  }
  /// Calls for the columns of a block as the mechanics take them.
  template <class Call>
  void with_motion(const Table& table, Call call) const {
    const std::vector<Column> columns = places(table.columns);
    call(motion_block(columns, motion_columns(reader.plan()), dof, table.rows));
  }

  LogReader reader;
  std::size_t dof;
};

/// Reads logs into equations, and collects remarks on them.
class LogsToFit {
 public:
  LogsToFit(const IdentificationModel& model, const IdentifyOptions& options, Run& run)
      : model_(model),
        options_(options),
        run_(run),
        robot_(run.robot().robot),
        as_it_was_(normalize(robot_)) {}

  /// Equations of each log. Adds their rows to `rows`.
  std::vector<LogEquations> read(const std::vector<std::string>& names, std::size_t& rows) {
    std::vector<LogEquations> logs;
    logs.reserve(names.size());
    for (const std::string& name : names) {
      logs.push_back(read(name));
      rows += logs.back().row_count();
    }
    return logs;
  }

  /// Warnings of loads that change within a log that was fitted.
  [[nodiscard]] std::vector<std::string> load_changes(const Identification& found,
                                                      std::size_t fitted) const {
    std::vector<std::string> changes;
    for (std::size_t l = 0; l < fitted; ++l) {
      if (auto change = rows_[l].load_change(found)) changes.push_back(*std::move(change));
    }
    return changes;
  }

  Sections said;  ///< on the rows of each log, for people
  std::vector<std::string> warnings;
  bool errors_cover = true;
  bool is_misread = false;   ///< a log, as a warning explains
  bool are_misread = false;  ///< columns, from which warnings follow
  double windows = 0.0;      ///< all logs, in windows of their fits

 private:
  LogEquations read(const std::string& name) {
    OpenLog log(name, options_, run_);
    const ColumnPlan& plan = log.reader.plan();
    run_.recognized(log.reader.input().name(), plan);
    if (!plan.has(Quantity::torque)) {
      throw InputError(log.reader.input().name() +
                       ": has no measured torques; identify needs tau1.. beside t and q1.., or "
                       "currents and motor.torque_constant in the robot file (armdyn robots copy "
                       "makes a file of a shipped robot)");
    }
    LogEquations equations(name, model_);
    LogHypotheses hypotheses(robot_, as_it_was_);
    const double duration = read_rows(log, equations, hypotheses);
    equations.finish();
    const LogReport report = log.reader.report();
    require_motion(equations, robot_, log.reader.input().name(), report.disagreements);
    const auto found = options_.log.as_given ? std::nullopt : hypotheses.find();
    are_misread = are_misread || (found && is_read_by_columns(*found, robot_, plan)) ||
                  (!is_of_motors(found) && log.reader.doubts().are_misread);
    errors_cover = errors_cover && report.derived->errors_cover();
    if (auto wide = wide_window(*report.derived, equations)) {
      warnings.push_back(fmt::format("{}: {}", name, *wide));
    }
    windows += duration / report.derived->window;
    judge(name, report, found, plan);
    return equations;
  }

  /// Adds the rows of a log to its equations and hypotheses; gives the log's duration, s.
  double read_rows(OpenLog& log, LogEquations& equations, LogHypotheses& hypotheses) {
    const ColumnPlan& plan = log.reader.plan();
    RowsOfLog& rows = rows_.emplace_back(equations.name());
    std::optional<double> begin;
    double end = 0.0;
    BlockJob<LogEquations::Block> job;
    job.make_worker = [&] {
      return [worker = std::make_shared<EquationWorker>(model_, as_it_was_), &log](
                 const Table& in, LogEquations::Block& block) {
        log.with_motion(in, [&](const MotionBlock& motion) { (*worker)(motion, block); });
      };
    };
    job.in_order = [&](const Table& in, const LogEquations::Block& block) {
      if (const std::vector<double>& t = in.columns[*plan.first(Quantity::time)]; !t.empty()) {
        begin = begin.value_or(t.front());
        end = t.back();
      }
      log.with_motion(in, [&](const MotionBlock& motion) {
        hypotheses.add(motion, in.columns[*plan.first(Quantity::time)],
                       log.spans(in, Quantity::torque));
      });
      const auto spans = [&](Quantity quantity) { return log.spans(in, quantity); };
      rows.add(in.columns[*plan.first(Quantity::time)], in.breaks, spans(Quantity::position),
               spans(Quantity::velocity), spans(Quantity::acceleration), spans(Quantity::torque));
      add(in, block, log, equations);
    };
    run_.blocks(log.reader, job);
    return end - begin.value_or(end);
  }

  static void add(const Table& in, const LogEquations::Block& block, const OpenLog& log,
                  LogEquations& equations) {
    const std::size_t n = log.dof, beside = log.reader.beside_smoothed();
    equations.add(block, {in.rows, in.columns[*log.reader.plan().first(Quantity::time)],
                          log.spans(in, Quantity::velocity), log.spans(in, Quantity::acceleration),
                          log.spans(in, Quantity::torque), in.group(beside, n),
                          in.group(beside + n, n), in.group(beside + 2 * n, n),
                          in.column(beside + 3 * n).front(), in.column(beside + 3 * n + 1)});
  }

  /// Warning of a window in which fits do not follow the motion.
  static std::optional<std::string> wide_window(const LogReport::Derived& derived,
                                                const LogEquations& equations) {
    constexpr double followed = 0.01;  // of the accelerations
    constexpr double wide = 1.25;      // times the best window, in which noise matters as much
    double squares = 0.0;
    for (const auto& joint : derived.joints) squares += square(joint.qdd.value_or(0.0));
    const double missed = std::sqrt(squares / equations.squared_acceleration());
    if (derived.window <= wide * derived.best_window || !(missed > followed)) return {};
    return fmt::format(
        "--window {} s is wider than the {} s chosen from the data: its fits miss {:.3g} % of the "
        "accelerations, and the residuals contain that",
        short_number(derived.window), short_number(derived.best_window), 100.0 * missed);
  }

  /// Throws InputError for torques that seem to be others than their columns claim.
  void judge(const std::string& name, const LogReport& report,
             const std::optional<LogFinding>& found, const ColumnPlan& plan) {
    Sections sections = log_sections(report, robot_, options_.output.all);
    // A sentence on what was derived comes first.
    std::get<std::string>(sections.front().content).insert(0, name + ": ");
    append(said, only_for(Audience::people, sections));
    for (const std::string& warning : log_warnings(report, found)) {
      warnings.push_back(fmt::format("{}: {}", name, warning));
    }
    if (!found || (found->hypothesis.payload && fits_a_load(model_))) return;
    is_misread = true;
    const std::string remark = name + ": " + hypothesis_remark(*found, robot_, plan, options_.log);
    const bool may_be_a_load = fits_a_load(model_) && keeps_order(found->hypothesis);
    if (found->moves_joints() && !may_be_a_load) {
      throw InputError(remark + "; --as-given accepts them as they are");
    }
    warnings.push_back(remark + (may_be_a_load && found->moves_joints()
                                     ? "; an unknown payload can have the same effect"
                                     : ""));
  }

  const IdentificationModel& model_;
  const IdentifyOptions& options_;
  Run& run_;
  const Robot& robot_;
  BlockInverseDynamics as_it_was_;
  std::vector<RowsOfLog> rows_;  // of each log
};

Columns torques(BlockInverseDynamics& dynamics, const MotionBlock& motion) {
  Columns tau(motion.q.size(), std::vector<double>(motion.rows));
  dynamics.torque(motion, places(tau));
  return tau;
}

/// Torques that the robots ask for in a block of rows.
struct Predicted {
  Columns after, before;
};

/// A block of rows that were held out.
struct HeldOutBlock {
  const OpenLog& log;
  std::size_t number;  ///< of the log
  const Table& rows;
  std::size_t first;  ///< row that counts
  const Predicted& predicted;

  [[nodiscard]] const std::vector<double>& t() const {
    return rows.columns[*log.reader.plan().first(Quantity::time)];
  }
  /// Torques without smoothing, by joint.
  [[nodiscard]] auto measured() const { return rows.group(log.reader.beside_smoothed(), log.dof); }
  [[nodiscard]] double window() const {
    return rows.columns[log.reader.beside_smoothed() + 3 * log.dof].front();
  }
};

/// Rows of a log before its last fifth.
std::size_t rows_before_tail(const LogEquations& log) {
  return static_cast<std::size_t>(std::ceil(fitted_share * static_cast<double>(log.row_count())));
}

/// Reads the held-out rows again, with joints at rest as in `torque`, and calls for each block with
/// the torques of the new robot and of the one before.
template <class Call>
void for_held_out(const Identification& found, const std::vector<LogEquations>& logs,
                  IdentifyOptions options, Run& run, Call call) {
  options.log.finds_rest = true;
  BlockInverseDynamics after(normalize(found.robot)), before(normalize(run.robot().robot));
  for (std::size_t l = 0; l < logs.size(); ++l) {
    OpenLog log(logs[l].name(), options, run);
    const std::size_t first_held_out = found.held_out_is_tail ? rows_before_tail(logs[l]) : 0;
    std::size_t rows = 0;
    BlockJob<Predicted> job;
    job.threads = options.output.threads;
    job.make_worker = [&] {
      return [&log, after, before](const Table& in, Predicted& predicted) mutable {
        log.with_motion(in, [&](const MotionBlock& motion) {
          predicted = {torques(after, motion), torques(before, motion)};
        });
      };
    };
    job.in_order = [&](const Table& in, const Predicted& predicted) {
      call(HeldOutBlock{log, l, in, std::max(first_held_out, rows) - rows, predicted});
      rows += in.rows;
    };
    log.reader.run(job);
  }
}

/// Misfits of both robots in all rows that were held out, and in those where joints move (29.8).
/// Friction jumps where the motion, which fits have smoothed, does not: it goes through the fits of
/// the torques.
class HeldOutMisfits {
 public:
  HeldOutMisfits(const Robot& robot, const Robot& as_it_was)
      : robots_{RobotAndArm{robot}, {as_it_was}}, all_(robot.dof()), moving_(robot.dof()) {}

  void add(const HeldOutBlock& block) {
    for (std::size_t row = 0; row < block.rows.rows; ++row) {
      const bool begins_log = !fits_ || block.number != log_;
      if (begins_log || std::ranges::binary_search(block.rows.breaks, row)) end_stretch();
      if (begins_log) {
        log_ = block.number;
        window_ = block.window();
        fits_.emplace(window_, FitQuality(0), 2 * all_.size(), Deriver::Slopes::left);
        has_begun_ = false;
      }
      append(block, row);
      filter();
    }
  }

  void tell(Identification& found) {
    end_stretch();
    for (std::size_t j = 0; j < all_.size(); ++j) {
      found.held_out_all.push_back(all_[j].misfit());
      found.held_out_moving.push_back(moving_[j].misfit());
    }
  }

 private:
  struct Sums {
    Misfit squares;
    double first = 0.0, sum = 0.0;  // of the torques, about the first
    void add(double torque, double left, double left_before) {
      if (squares.rows++ == 0.0) first = torque;
      sum += torque - first;
      squares.torque_rms += square(torque - first);
      squares.rms += square(left);
      squares.before += square(left_before);
    }
    [[nodiscard]] Misfit misfit() const {
      const double rows = std::max(squares.rows, 1.0);
      const double spread = squares.torque_rms / rows - square(sum / rows);
      return {squares.rows, std::sqrt(squares.rms / rows), std::sqrt(squares.before / rows),
              std::sqrt(std::max(0.0, spread))};
    }
  };

  struct RobotAndArm {
    const Robot& robot;
    Arm arm = normalize(robot);
    std::vector<FrictionContact> contacts = friction_contacts(arm);
  };
  struct Row {
    std::vector<double> sample;        ///< t; torques as measured, less friction by either robot
    std::vector<double> frictionless;  ///< torques by either robot
    std::vector<double> torque;        ///< smoothed
    std::vector<bool> moves;           ///< joints
    bool counts = false;               ///< it was held out
  };

  /// Appends a row to those that wait. Where a joint rests static friction is what it can be.
  void append(const HeldOutBlock& block, std::size_t row) {
    const auto at = [&](const auto& columns) {
      return each(columns, [row](const auto& column) { return column[row]; });
    };
    const auto of = [&](Quantity quantity) { return at(block.log.spans(block.rows, quantity)); };
    const std::vector<double> q = of(Quantity::position), qd = of(Quantity::velocity);
    const std::vector<double> measured = at(block.measured());
    Row& now = waiting_.emplace_back();
    now.counts = row >= block.first;
    now.torque = of(Quantity::torque);
    now.sample = {block.t()[row]};
    for (std::size_t j = 0; j < q.size(); ++j) {
      now.moves.push_back(robots_[1].contacts[j].rate(qd) != 0.0);
    }
    std::vector<double> friction(q.size());
    for (const auto& [robot, arm, contacts] : robots_) {
      const bool is_new = &robot == &robots_[0].robot;
      const std::vector<double> computed =
          at(is_new ? block.predicted.after : block.predicted.before);
      loss_torques(arm, q, qd, directions(arm, qd), friction);
      for (std::size_t j = 0; j < q.size(); ++j) {
        now.frictionless.push_back(computed[j] - friction[j]);
        if (!now.moves[j]) {
          const double left = measured[j] - computed[j];
          friction[j] += left - beyond_static_friction(left, breakaway_torque(contacts, j, q[j]));
        }
        now.sample.push_back(measured[j] - friction[j]);
      }
    }
  }

  /// Passes on the last row, and earlier ones within a window of the first that counts.
  void filter() {
    has_begun_ = has_begun_ || waiting_.back().counts;
    while (!has_begun_ && waiting_.front().sample[0] < waiting_.back().sample[0] - window_) {
      waiting_.pop_front();
    }
    if (!has_begun_) return;
    for (; filtered_ < waiting_.size(); ++filtered_) fits_->append(waiting_[filtered_].sample);
    drain();
  }

  void end_stretch() {
    if (!fits_) return;
    fits_->end_stretch();
    drain();
    waiting_.clear();
  }

  void drain() {
    const std::size_t n = all_.size();
    for (auto outcome = fits_->take({}, {}); outcome != Deriver::Outcome::not_yet;
         outcome = fits_->take({}, {})) {
      const Row row = std::move(waiting_.front());
      waiting_.pop_front();
      --filtered_;
      if (!row.counts || outcome == Deriver::Outcome::too_few) continue;
      const auto left = [&](std::size_t k) { return fits_->smoothed()[k] - row.frictionless[k]; };
      for (std::size_t j = 0; j < n; ++j) {
        all_[j].add(row.torque[j], left(j), left(n + j));
        if (row.moves[j]) moving_[j].add(row.torque[j], left(j), left(n + j));
      }
    }
  }

  std::array<RobotAndArm, 2> robots_;  // the new one, and as it was
  std::vector<Sums> all_, moving_;
  std::optional<Deriver> fits_;  // of the log
  std::size_t log_ = 0;
  double window_ = 0.0;
  bool has_begun_ = false;    // to hold rows of the log out
  std::deque<Row> waiting_;   // not yet taken from the fits
  std::size_t filtered_ = 0;  // of these, handed to them
};

/// Picture of measured and predicted torques of the held-out rows, log after log.
class HeldOutPicture {
 public:
  HeldOutPicture(const Robot& robot, const PlotOptions& options)
      : picture_(robot, options,
                 {{"τ", Measure::torque, {"new file", "measured", "file before"}, 3}}) {}

  void add(const HeldOutBlock& block) {
    const std::vector<double>& t = block.t();
    const auto measured = block.measured(), q = block.log.spans(block.rows, Quantity::position);
    for (std::size_t row = block.first; row < block.rows.rows; ++row) {
      if (!shift_ || block.number != shifted_) {
        shift_ = block.number == 0 ? 0.0 : last_ - t[row];
        shifted_ = block.number;
        picture_.break_off();
      }
      if (std::ranges::binary_search(block.rows.breaks, row)) picture_.break_off();
      last_ = t[row] + *shift_;
      for (std::size_t j = 0; j < measured.size(); ++j) {
        picture_.add_positions(j, {&last_, 1}, q[j].subspan(row, 1));
        picture_.add(0, 0, j, {&last_, 1}, {&block.predicted.after[j][row], 1});
        picture_.add(0, 1, j, {&last_, 1}, measured[j].subspan(row, 1));
        picture_.add(0, 2, j, {&last_, 1}, {&block.predicted.before[j][row], 1});
      }
    }
  }

  [[nodiscard]] Views views(const Figure& titled) const { return picture_.views(titled); }

 private:
  JointPicture picture_;
  double last_ = 0.0;            // s, where the picture ends
  std::optional<double> shift_;  // s
  std::size_t shifted_ = 0;      // the log
};

Figure titled(const Identification& found, const Robot& as_it_was, const IdentifyOptions& options) {
  const std::string names =
      found.held_out_is_tail ? "last fifth of " + listed(options.logs) : listed(options.held_out);
  Figure figure = titled_figure("torques held out", "", as_it_was, options.robot);
  figure.subtitle = names + (figure.subtitle.empty() ? "" : "; " + figure.subtitle);
  return figure;
}

/// Warnings of logs that are given twice, to be fitted or held out.
std::vector<std::string> given_twice(const std::vector<std::string>& logs) {
  std::vector<std::string> warnings;
  for (auto log = logs.begin(); log != logs.end(); ++log) {
    if (std::any_of(logs.begin(), log,
                    [&](const auto& other) { return are_one_file(other, *log); })) {
      warnings.push_back(*log + ": is given twice; the same rows are no second measurement");
    }
  }
  return warnings;
}

/// Warning of logs that are too short for the errors of parameters.
std::vector<std::string> few_windows(const Identification& found, double windows) {
  constexpr double fewest = 20.0;
  if (!found.errors_cover || windows >= fewest) return {};
  return {fmt::format(
      "the fitted rows are {:.2g} times as long as the smoothing window; below {:.0f} times, the "
      "reported errors of parameters are too small; record longer logs",
      windows, fewest)};
}

/// The new robot file. Throws where it does not read back.
std::string written_robot(const Identification& found, const IdentifyAnswer& answer,
                          const IdentifyOptions& options) {
  Robot robot = found.robot;
  if (!found.errors_cover || !found.fits_whole_arm) robot.file_accuracy.reset();
  std::string text = robot_text(robot, answer.comment(options.robot.robot));
  (void)described_arm(text, options.output.output);
  return text;
}

/// Compares the fit with rows that were held out; returns the picture of these, if one is wanted.
std::optional<HeldOutPicture> judge(Identification& found, const std::vector<LogEquations>& logs,
                                    const Robot& robot, const IdentifyOptions& options, Run& run) {
  HeldOutMisfits misfits(found.robot, robot);
  std::optional<HeldOutPicture> picture;
  if (run.wants_curves()) picture.emplace(robot, options.plot);
  for_held_out(found, logs, options, run, [&](const HeldOutBlock& block) {
    misfits.add(block);
    if (picture) picture->add(block);
  });
  misfits.tell(found);
  return picture;
}

}  // namespace

Answer identify_arm(const IdentifyOptions& options, Run& run) {
  const Robot& robot = run.robot().robot;
  refuse_many_joints("identify", robot, 50);
  const IdentificationModel model = model_of(robot, options.task);
  std::size_t rows = 0, held_out_rows = 0;
  LogsToFit reading(model, options, run);
  const std::vector<LogEquations> logs = reading.read(options.logs, rows);
  const double windows = reading.windows * (options.held_out.empty() ? fitted_share : 1.0);
  const std::vector<LogEquations> held_out = reading.read(options.held_out, held_out_rows);
  Identification found = identify(robot, model, logs, held_out);
  found.errors_cover = found.errors_cover && reading.errors_cover;
  if (found.held_out_is_tail) {
    held_out_rows = std::exchange(rows, 0);
    for (const LogEquations& log : logs) rows += rows_before_tail(log);
    held_out_rows -= rows;
  }
  const auto picture = judge(found, held_out.empty() ? logs : held_out, robot, options, run);

  const bool is_written =
      run.wants("-o") && (found.is_answer() || (found.is_better && options.output.force));
  const IdentifyAnswer words{found,
                             robot,
                             base_names(model),
                             rows,
                             held_out_rows,
                             options.logs,
                             options.output.output,
                             is_written,
                             reading.is_misread,
                             options.output.all};
  Answer answer{run.document()};
  if (picture) answer.document.views = picture->views(titled(found, robot, options));
  answer.document.add(words.sections());
  answer.document.add(reading.said);
  answer.document.warnings =
      joined({given_twice(joined({options.logs, options.held_out})), reading.warnings,
              consequences(reading.are_misread, words.warnings()),
              reading.load_changes(found, options.logs.size()), few_windows(found, windows)});
  if (run.wants("-o")) {
    answer.artifacts = {
        {"-o", is_written ? std::optional(written_robot(found, words, options)) : std::nullopt}};
  }
  if (!found.is_answer()) answer.ending = Ending::no;
  return answer;
}

}  // namespace armdyn
