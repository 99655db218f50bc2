// armdyn compare: do the formulations agree, and what do they cost?

#include <fmt/format.h>
#include <armdyn/certified.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/compare/answer.hpp"
#include "cli/compare/options.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/compare.hpp"
#include "dynamics/states.hpp"
#include "io/file/input_file.hpp"
#include "io/plot/plot.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table.hpp"
#include "io/table/table_format.hpp"
#include "log/log_reader.hpp"
#include "log/motion_row.hpp"
#include "log/row_writer.hpp"
#include "log/side_by_side.hpp"
#include "math/statistics.hpp"
#include "model/joint_kind.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

constexpr std::size_t states_to_time = 200;

std::vector<std::string> names_of(const std::vector<ComparedMethod>& methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const ComparedMethod& method : methods) names.push_back(method.name);
  return names;
}

JointPanel difference_panel(const std::vector<ComparedMethod>& methods) {
  JointPanel panel{"Δτ", Measure::torque_difference, {}};
  for (std::size_t m = 1; m < methods.size(); ++m) panel.curves.push_back(methods[m].name);
  panel.sure = panel.curves.size();
  return panel;
}

// Comparing block by block: columns of a motion in, columns of what the methods say out, and those
// gathered again in their order.

/// What the methods say about the rows of a block.
struct ComparedBlock {
  std::vector<ComparedState> states;  ///< at least as many as rows
  /// Of each row and method, bounds of the torques' errors, dof entries; empty where the state has
  /// no error.
  std::vector<std::vector<std::vector<double>>> bounds;
  /// Per method but the first, dof columns: τ less that of the first. Empty unless all are asked
  /// for.
  std::vector<Columns> differences;
};

/// Runs the methods on the rows of a block. One object per thread.
class CompareWorker {
 public:
  CompareWorker(const Robot& robot, const std::vector<ComparedMethod>& methods,
                const MotionColumns& columns, InputAccuracy input, bool differences)
      : dof_(robot.dof()),
        methods_(methods.size()),
        differences_(differences),
        comparer_(normalise(robot), methods),
        certified_(robot, input, CertifiedTorque::Of::links),
        motion_(columns, robot.dof()) {}

  void operator()(const Table& input, ComparedBlock& result) {
    if (result.states.size() < input.rows) result.states.resize(input.rows);
    if (result.bounds.size() < input.rows) result.bounds.resize(input.rows);
    if (differences_) result.differences.resize(methods_ - 1);
    for (Columns& columns : result.differences) resize(columns, dof_, input.rows);
    for (std::size_t row = 0; row < input.rows; ++row) {
      ComparedState& state = result.states[row];
      motion_.read(input, row);
      call_for(row, [&](std::size_t) {
        comparer_.compare(motion_.state(), motion_.hand(), state, input.first_row + row);
        bound(state, result.bounds[row]);
      });
      for (std::size_t m = 1; m <= result.differences.size(); ++m) {
        for (std::size_t i = 0; i < dof_; ++i) {
          result.differences[m - 1][i][row] = state.tau[m][i] - state.tau[0][i];
        }
      }
    }
  }

 private:
  void bound(const ComparedState& state, std::vector<std::vector<double>>& bounds) {
    bounds.assign(methods_, {});
    bool is_set = false;
    for (std::size_t m = 0; m < methods_; ++m) {
      if (state.error[m].empty()) continue;
      if (!is_set) certified_.set(motion_.state(), motion_.hand());
      is_set = true;
      bounds[m].resize(dof_);
      certified_.errors(state.tau[m], bounds[m]);
    }
  }

  std::size_t dof_;
  std::size_t methods_;
  bool differences_;
  StateComparer comparer_;
  CertifiedTorque certified_;
  MotionRow motion_;
};

/// Takes the workers' blocks in their order.
class CompareGathering {
 public:
  struct Wanted {
    std::optional<std::size_t> time;  ///< the input's column of it, if any
    double tolerance = 0.0;
    PlotOptions plot;
    bool shows = false;
  };
  CompareGathering(const Robot& robot, std::vector<ComparedMethod> methods,
                   const MotionColumns& columns, const Wanted& wanted)
      : robot_(robot),
        methods_(std::move(methods)),
        wanted_(wanted),
        motion_(columns, robot.dof()),
        comparison_(names_of(methods_), robot.dof(), wanted.tolerance),
        digits_(methods_.size(), robot.dof()),
        picture_(joint_picture(robot, wanted.plot, {difference_panel(methods_)})) {
    if (!wanted.time) picture_.count_rows();
  }

  void add(const Table& input, const ComparedBlock& result) {
    for (std::size_t row = 0; row < input.rows; ++row) {
      if (std::ranges::binary_search(input.breaks, row)) picture_.break_off();
      const ComparedState& state = result.states[row];
      std::optional<double> t;
      if (wanted_.time) t = input.columns[*wanted_.time][row];
      comparison_.add(state, t);
      digits_.add(state, result.bounds[row]);
      if (wanted_.shows) draw(state, t.value_or(static_cast<double>(comparison_.rows())));
      if (first_states_.size() < states_to_time) keep(input, row);
    }
  }

  [[nodiscard]] const Comparison& comparison() const { return comparison_; }
  [[nodiscard]] const CertainDigits& digits() const { return digits_; }

  /// What a method takes for one of the first states.
  [[nodiscard]] double seconds_per_state(std::size_t method) const {
    return armdyn::seconds_per_state(methods_[method], first_states_);
  }

  /// Differences from the first method, one panel per joint.
  [[nodiscard]] Views views(const PictureTitle& title) const { return picture_.views(title); }

 private:
  void draw(const ComparedState& state, double x) {
    for (std::size_t m = 1; m < methods_.size(); ++m) {
      if (state.tau[0].empty() || state.tau[m].empty()) continue;
      for (std::size_t i = 0; i < robot_.dof(); ++i) {
        const double difference = state.tau[m][i] - state.tau[0][i];
        picture_.add(0, m - 1, i, {&x, 1}, {&difference, 1});
      }
    }
  }

  void keep(const Table& input, std::size_t row) {
    motion_.read(input, row);
    const auto [q, qd, qdd] = motion_.state();
    first_states_.push_back(
        {{q.begin(), q.end()}, {qd.begin(), qd.end()}, {qdd.begin(), qdd.end()}, motion_.hand()});
  }

  const Robot& robot_;
  std::vector<ComparedMethod> methods_;
  Wanted wanted_;
  MotionRow motion_;
  Comparison comparison_;
  CertainDigits digits_;
  std::vector<TimedState> first_states_;
  JointPicture picture_;
};

/// Motion states of a robot, block by block: q within the position limits (±π rad, ±1 m where there
/// are none), qd and qdd within ±1. The same seed gives the same states everywhere.
class RandomStates {
 public:
  RandomStates(const Robot& robot, std::uint64_t seed) : robot_(robot), random_(seed) {}

  static constexpr std::size_t rows_of_a_block = 50;  ///< some milliseconds of work

  [[nodiscard]] static MotionColumns columns(std::size_t dof) { return {0, dof, 2 * dof, {}}; }

  /// So many rows more, in place of what is in the block.
  void draw(std::size_t rows, Table& block) {
    const std::size_t n = robot_.dof();
    block.resize(3 * n, rows);
    for (std::size_t row = 0; row < block.rows; ++row) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto [lower, upper] = position_range(robot_.joints[i]);
        block.columns[i][row] = uniform(random_, lower, upper);
        block.columns[n + i][row] = uniform(random_, -1.0, 1.0);
        block.columns[2 * n + i][row] = uniform(random_, -1.0, 1.0);
      }
    }
  }

 private:
  const Robot& robot_;
  std::mt19937_64 random_;
};

/// "newton_euler_difference" and so on.
Quantity difference_of(Method method) {
  std::string prefix = fmt::format("{}_difference", name(method));
  std::ranges::replace(prefix, '-', '_');
  const std::vector<Quantity> all = all_quantities();
  return *std::ranges::find(all, prefix,
                            [](Quantity quantity) { return joint_prefix(quantity).value_or(""); });
}

std::vector<ComparedMethod> compared_methods(const Arm& arm, const CompareOptions& options) {
  std::vector<ComparedMethod> methods;
  for (const Method method : options.methods) {
    methods.push_back(thinned_method(arm, method));
    // A file of differences has every row.
    if (!options.differences.empty()) {
      methods.back().dense_rows = std::numeric_limits<std::size_t>::max();
    }
  }
  return methods;
}

using DifferenceWriter = BlockWriter<ComparedBlock>;

DifferenceWriter difference_columns(const CompareOptions& options, std::size_t dof,
                                    std::optional<std::size_t> time, OutputFile& output) {
  DifferenceWriter writer(output);
  if (time) writer.add(Quantity::time, dof, *time);
  if (options.motion.empty()) {
    const MotionColumns columns = RandomStates::columns(dof);
    writer.add(Quantity::position, dof, columns.q);
    writer.add(Quantity::velocity, dof, *columns.qd);
    writer.add(Quantity::acceleration, dof, *columns.qdd);
  }
  for (std::size_t m = 1; m < options.methods.size(); ++m) {
    writer.add(difference_of(options.methods[m]), dof,
               [m](const ComparedBlock& block) { return std::span(block.differences[m - 1]); });
  }
  return writer;
}

/// The whole comparison of one arm, on states from wherever they come.
class CompareVerb {
 public:
  CompareVerb(const CompareOptions& options, const RobotFile& file)
      : options_(options),
        file_(file),
        arm_(normalise(file.robot)),
        output_(options.output.output),
        differences_(open_if_named(table_target(options.differences))),
        plot_(open_if_named(options.plot.file)) {
    if (options.processors) refuse_many_joints("compare --processors", file.robot, 24);
  }

  void random_states() {
    const MotionColumns columns = RandomStates::columns(arm_.dof());
    begin(columns, {});
    RandomStates states(file_.robot, options_.seed);
    CountedRows counted(static_cast<std::uintmax_t>(options_.random),
                        RandomStates::rows_of_a_block);
    ProgressLine progress({}, options_.output.quiet);
    BlockJob<ComparedBlock> job = job_of(columns, progress);
    job.filter = [&](const Table& rows, bool /*is_end*/, Table& drawn) {
      states.draw(rows.rows, drawn);
      return false;
    };
    run_blocks(counted, {}, job);
  }

  void motion(InputFile& input) {
    LogReader& log =
        log_.emplace(options_.log, input, file_.robot, std::vector{Quantity::hand_wrench});
    print_recognised(input.name(), log.plan(), options_.output);
    const MotionColumns columns = motion_columns(log.plan());
    begin(columns, log.plan().first(Quantity::time));
    ProgressLine progress(input.size(), options_.output.quiet);
    log.run(job_of(columns, progress));
  }

  [[nodiscard]] ComparisonReport report() const {
    ComparisonReport report{file_, arm_, options_, gathering_->comparison(), gathering_->digits(),
                            {},    {},   {}};
    if (log_) report.log = log_->report();
    for (std::size_t m = 0; m < options_.methods.size(); ++m) {
      const Method method = options_.methods[m];
      report.costs.push_back({method, count(arm_, method), gathering_->seconds_per_state(m)});
    }
    if (options_.processors) {
      report.schedule = schedule(arm_, options_.methods, *options_.processors);
    }
    return report;
  }

  Ending finish() {
    const ComparisonReport report = this->report();
    Document found = answer(report);
    if (options_.processors && shows_curves(options_.plot, options_.output)) {
      const auto [title, remarks] =
          picture_title("operations at once", "", file_.robot, options_.robot);
      found.views.figures.push_back({file_.robot.name + ": " + title, remarks,
                                     schedule_panels(report.schedule), "step", "", 1});
    } else if (shows_differences()) {
      const std::string what = fmt::format("differences from {}", name(options_.methods.front()));
      found.views =
          gathering_->views(picture_title(what, options_.motion, file_.robot, options_.robot));
    }
    if (plot_) write_figure(found.views.figures.front(), *plot_);
    output_.write(options_.output.json ? json_of(found) : in_lines(text_of(found)));
    std::string said;
    if (speaks() && report.log) said += text_of(Document{log_sections(*report.log, file_.robot)});
    if (!options_.output.json) said += warnings_text(*found.warnings);
    const bool agree = report.comparison.agree();
    if (!agree) said += "armdyn: " + verdict(report) + "\n";
    const auto page = report_of(found, options_.output);
    OutputFile::commit({differences_.get(), plot_.get(), page.get(), &output_});
    say_summary(said, options_.output.json);
    return agree ? Ending::done : Ending::no;
  }

 private:
  [[nodiscard]] bool shows_differences() const {
    return !options_.processors && options_.methods.size() > 1 &&
           shows_curves(options_.plot, options_.output);
  }
  [[nodiscard]] std::vector<ComparedMethod> methods() const {
    return compared_methods(arm_, options_);
  }

  void begin(const MotionColumns& columns, std::optional<std::size_t> time) {
    gathering_.emplace(
        file_.robot, methods(), columns,
        CompareGathering::Wanted{time, options_.tolerance, options_.plot, shows_differences()});
    if (differences_) {
      writer_.emplace(difference_columns(options_, arm_.dof(), time, *differences_));
    }
  }

  [[nodiscard]] BlockJob<ComparedBlock> job_of(const MotionColumns& columns,
                                               ProgressLine& progress) {
    BlockJob<ComparedBlock> job;
    job.threads = static_cast<unsigned>(options_.output.threads);
    if (writer_) writer_->print(job);
    job.make_worker = [this, columns] {
      return [worker = std::make_shared<CompareWorker>(
                  file_.robot, methods(), columns, options_.input_error, differences_ != nullptr)](
                 const Table& in, ComparedBlock& result) { (*worker)(in, result); };
    };
    job.in_order = [this](const Table& in, const ComparedBlock& result) {
      gathering_->add(in, result);
    };
    job.progress = [&progress](const Progress& done) { progress.show(done.bytes, done.rows); };
    return job;
  }

  [[nodiscard]] bool speaks() const { return !options_.output.quiet && !options_.output.json; }

  const CompareOptions& options_;
  const RobotFile& file_;
  Arm arm_;
  OutputFile output_;
  std::unique_ptr<OutputFile> differences_, plot_;
  std::optional<LogReader> log_;
  std::optional<DifferenceWriter> writer_;
  std::optional<CompareGathering> gathering_;
};

}  // namespace

Document compare_random_states(const CompareOptions& options, const RobotFile& file) {
  CompareVerb verb(options, file);
  verb.random_states();
  return answer(verb.report());
}

Ending run(const CompareOptions& options) {
  const RobotFile file = open_robot(options.robot, options.output);
  refuse_many_joints("compare", file.robot, 200);
  if (options.costs) refuse_many_joints("compare --costs", file.robot, 60);

  if (options.motion.empty()) {
    CompareVerb verb(options, file);
    verb.random_states();
    return verb.finish();
  }
  InputFile input = open_log(find_motion(options.motion), file.robot, options.log.topics);
  CompareVerb verb(options, file);
  verb.motion(input);
  return verb.finish();
}

}  // namespace armdyn
