// armdyn compare: do the formulations agree, and what do they cost?

#include <algorithm>
#include <limits>
#include <random>

#include "cli/compare/options.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/states.hpp"
#include "log/row_writer.hpp"
#include "math/statistics.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"

namespace armdyn {

namespace {

constexpr std::size_t states_to_time = 200;

// Comparison block by block: columns of a motion in, torques of the methods out, gathered in the
// order of the rows.

/// Torques of the methods in the rows of a block.
struct ComparedBlock {
  std::vector<ComparedState> states;  ///< at least as many as rows
  /// Of each method but the first, a column per joint: τ less that of the first. Empty unless all
  /// are asked for.
  Columns differences;
};

/// Runs the methods on the rows of a block. One object per thread.
class CompareWorker {
 public:
  CompareWorker(const Robot& robot, const std::vector<ComparedMethod>& methods,
                const MotionColumns& columns, InputAccuracy input, bool differences)
      : dof_(robot.dof()),
        methods_(methods.size()),
        differences_(differences),
        comparer_(normalize(robot), methods),
        certified_(robot, input, CertifiedTorque::Of::links),
        motion_(columns, robot.dof()) {}

  void operator()(const Table& input, ComparedBlock& result) {
    if (result.states.size() < input.rows) result.states.resize(input.rows);
    if (differences_) resize(result.differences, (methods_ - 1) * dof_, input.rows);
    for (std::size_t row = 0; row < input.rows; ++row) {
      ComparedState& state = result.states[row];
      motion_.read(input, row);
      call_for(row, [&](std::size_t) {
        comparer_.compare(motion_.state(), motion_.wrench(), state, input.first_row + row);
        bound(state);
      });
      for (std::size_t k = 0; k < result.differences.size(); ++k) {
        const std::size_t m = 1 + k / dof_, i = k % dof_;
        result.differences[k][row] = state.tau[m][i] - state.tau[0][i];
      }
    }
  }

 private:
  void bound(ComparedState& state) {
    state.bound.assign(methods_, {});
    bool is_set = false;
    for (std::size_t m = 0; m < methods_; ++m) {
      if (state.error[m].empty()) continue;
      if (!is_set) certified_.set(motion_.state(), motion_.wrench());
      is_set = true;
      state.bound[m].resize(dof_);
      certified_.errors(state.tau[m], state.bound[m]);
    }
  }

  std::size_t dof_;
  std::size_t methods_;
  bool differences_;
  StateComparer comparer_;
  CertifiedTorque certified_;
  MotionRow motion_;
};

// Random states, block by block: q within the position limits (±π rad, ±1 m without limits), qd and
// qdd within ±1. A seed gives the same states everywhere.

constexpr std::size_t rows_of_a_block = 50;  // some milliseconds of work

MotionColumns random_columns(std::size_t dof) {
  return {0, dof, 2 * dof, {}};
}

/// Fills a block with that many random states.
void draw_states(const Robot& robot, std::mt19937_64& random, std::size_t rows, Table& block) {
  const std::size_t n = robot.dof();
  block.resize(3 * n, rows);
  for (std::size_t row = 0; row < block.rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto [lower, upper] = position_range(robot.joints[i]);
      block.columns[i][row] = uniform(random, lower, upper);
      block.columns[n + i][row] = uniform(random, -1.0, 1.0);
      block.columns[2 * n + i][row] = uniform(random, -1.0, 1.0);
    }
  }
}

/// "newton_euler_difference" and so on.
Quantity difference_of(Method method) {
  std::string prefix = fmt::format("{}_difference", name(method));
  std::ranges::replace(prefix, '-', '_');
  const std::vector<Quantity> all = all_quantities();
  return *std::ranges::find(all, prefix,
                            [](Quantity quantity) { return joint_prefix(quantity).value_or(""); });
}

std::vector<ComparedMethod> compared_methods(const Arm& arm, const CompareOptions& options) {
  return each(options.methods, [&](Method method) {
    ComparedMethod found = thinned_method(arm, method);
    // A file of differences has every row.
    if (!options.differences.empty()) found.dense_rows = std::numeric_limits<std::size_t>::max();
    return found;
  });
}

/// Curves of each method but the first.
JointPanel difference_panel(const std::vector<ComparedMethod>& methods) {
  std::vector<std::string> names = each(methods, &ComparedMethod::name);
  names.erase(names.begin());
  const std::size_t count = names.size();
  return {"Δτ", Measure::torque_difference, std::move(names), count};
}

/// Comparison of one arm, on random states or those of a motion.
class CompareVerb {
 public:
  CompareVerb(const CompareOptions& options, Run& run)
      : options_(options),
        run_(run),
        file_(run.robot()),
        arm_(normalize(file_.robot)),
        methods_(compared_methods(arm_, options)),
        comparison_(each(methods_, &ComparedMethod::name), arm_.dof(), options.tolerance),
        picture_(file_.robot, options.plot, {difference_panel(methods_)}) {
    if (options.costs) require_serial(arm_, "--costs");
    if (options.processors) {
      require_serial(arm_, "--processors");
      refuse_many_joints("compare --processors", file_.robot, 24);
    }
  }

  void random_states() {
    std::mt19937_64 random(options_.seed);
    CountedRows counted(static_cast<std::uintmax_t>(options_.samples), rows_of_a_block);
    BlockJob<ComparedBlock> job = job_of(random_columns(arm_.dof()), {});
    job.filter = [&](const Table& rows, bool /*is_end*/, Table& drawn) {
      draw_states(file_.robot, random, rows.rows, drawn);
      return false;
    };
    run_.blocks(counted, {}, job);
  }

  void motion() {
    log_ = &run_.log(options_.motion, options_.log, {Quantity::contact_wrench});
    const ColumnPlan& plan = log_->plan();
    run_.blocks(*log_, job_of(motion_columns(plan), plan.first(Quantity::time)));
  }

  [[nodiscard]] Answer answer() {
    const ComparisonReport found = report();
    Answer answer{armdyn::answer(found, run_.document())};
    Views& views = answer.document.views;
    if (options_.processors && run_.wants_curves()) {
      Figure& figure = views.figures.emplace_back(
          titled_figure("operations at once", "", file_.robot, options_.robot));
      figure.panels = schedule_panels(found.schedule);
      figure.x_label = "step";
      figure.x_unit = "";
      figure.columns = 1;
    } else if (shows_differences()) {
      const std::string what = fmt::format("differences from {}", name(options_.methods.front()));
      views = picture_.views(titled_figure(what, options_.motion, file_.robot, options_.robot));
    }
    if (!comparison_.agree()) {
      answer.ending = Ending::no;
      answer.message = verdict(found).front();
    }
    return answer;
  }

 private:
  [[nodiscard]] ComparisonReport report() const {
    ComparisonReport report{file_, arm_, options_, comparison_, {}, {}, {}};
    if (log_) report.log = log_->report();
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      const Method method = options_.methods[m];
      report.costs.push_back(
          {method, count(arm_, method), seconds_per_state(methods_[m], first_states_)});
    }
    if (options_.processors) {
      report.schedule = schedule(arm_, options_.methods, *options_.processors);
    }
    return report;
  }

  [[nodiscard]] bool shows_differences() const {
    return !options_.processors && options_.methods.size() > 1 && run_.wants_curves();
  }

  /// `time` is the input's column of it, if any.
  BlockJob<ComparedBlock> job_of(const MotionColumns& columns, std::optional<std::size_t> time) {
    BlockJob<ComparedBlock> job;
    const bool writes = run_.wants("--differences");
    if (writes) write_differences(time, job);
    if (!time) picture_.count_rows();
    job.make_worker = [this, columns, writes] {
      return [worker = std::make_shared<CompareWorker>(
                  file_.robot, compared_methods(arm_, options_), columns, options_.input_error,
                  writes)](const Table& in, ComparedBlock& result) { (*worker)(in, result); };
    };
    job.in_order = [this, time, motion = MotionRow(columns, arm_.dof())](
                       const Table& in, const ComparedBlock& result) mutable {
      for (std::size_t row = 0; row < in.rows; ++row) {
        if (std::ranges::binary_search(in.breaks, row)) picture_.break_off();
        std::optional<double> t;
        if (time) t = in.columns[*time][row];
        comparison_.add(result.states[row], t);
        if (shows_differences()) {
          draw(result.states[row], t.value_or(static_cast<double>(comparison_.rows())));
        }
        const bool moves = !options_.motion.empty() && run_.wants_arm();
        if (!moves && first_states_.size() == states_to_time) continue;
        motion.read(in, row);
        const auto [q, qd, qdd] = motion.state();
        const double x = t.value_or(static_cast<double>(comparison_.rows()));
        for (std::size_t i = 0; moves && i < arm_.dof(); ++i) {
          picture_.add_positions(i, {&x, 1}, {&q[i], 1});
        }
        if (first_states_.size() == states_to_time) continue;
        first_states_.push_back({{q.begin(), q.end()},
                                 {qd.begin(), qd.end()},
                                 {qdd.begin(), qdd.end()},
                                 motion.wrench()});
      }
    };
    return job;
  }

  void write_differences(std::optional<std::size_t> time, BlockJob<ComparedBlock>& job) {
    const std::size_t dof = arm_.dof();
    BlockWriter<ComparedBlock>& writer = writer_.emplace(run_.rows("--differences"), &file_.robot);
    if (time) writer.add(Quantity::time, dof, *time);
    if (options_.motion.empty()) {
      const MotionColumns columns = random_columns(dof);
      writer.add(Quantity::position, dof, columns.q);
      writer.add(Quantity::velocity, dof, *columns.qd);
      writer.add(Quantity::acceleration, dof, *columns.qdd);
    }
    std::vector<Quantity> differences = each(options_.methods, difference_of);
    differences.erase(differences.begin());
    writer.add_groups(dof, differences, &ComparedBlock::differences);
    writer.print(job);
  }

  /// Adds the differences from the first method to the picture, one panel per joint.
  void draw(const ComparedState& state, double x) {
    for (std::size_t m = 1; m < methods_.size(); ++m) {
      if (state.tau[0].empty() || state.tau[m].empty()) continue;
      for (std::size_t i = 0; i < arm_.dof(); ++i) {
        const double difference = state.tau[m][i] - state.tau[0][i];
        picture_.add(0, m - 1, i, {&x, 1}, {&difference, 1});
      }
    }
  }

  const CompareOptions& options_;
  Run& run_;
  const RobotFile& file_;
  Arm arm_;
  std::vector<ComparedMethod> methods_;
  Comparison comparison_;
  JointPicture picture_;
  std::vector<TimedState> first_states_;
  LogReader* log_ = nullptr;
  std::optional<BlockWriter<ComparedBlock>> writer_;
};

}  // namespace

Answer compare_methods(const CompareOptions& options, Run& run) {
  const Robot& robot = run.robot().robot;
  refuse_many_joints("compare", robot, 60);
  CompareVerb verb(options, run);
  options.motion.empty() ? verb.random_states() : verb.motion();
  return verb.answer();
}

}  // namespace armdyn
