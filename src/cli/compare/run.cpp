// armdyn compare: do the formulations agree, and what do they cost?

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "cli/compare/answer.hpp"
#include "cli/compare/compare_blocks.hpp"
#include "cli/compare/options.hpp"
#include "cli/compare/random_states.hpp"
#include "cli/options/log_answer.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/compare.hpp"
#include "io/file/input_file.hpp"
#include "io/plot/plot.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table_format.hpp"
#include "log/log_reader.hpp"
#include "log/row_writer.hpp"
#include "log/side_by_side.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

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
    if (plot_ && options_.processors) {
      const auto [title, remarks] =
          picture_title("operations at once", "", file_.robot, options_.robot);
      write_figure({file_.robot.name + ": " + title, remarks, schedule_panels(report.schedule),
                    "step", "", 1},
                   *plot_);
    } else if (plot_) {
      const std::string what = fmt::format("differences from {}", name(options_.methods.front()));
      gathering_->write_picture(picture_title(what, options_.motion, file_.robot, options_.robot),
                                *plot_);
    }
    const Document found = answer(report);
    output_.write(options_.output.json ? json_of(found) : in_lines(text_of(found)));
    std::string said;
    if (speaks() && report.log) said += text_of(Document{log_sections(*report.log, file_.robot)});
    if (!options_.output.json) said += warnings_text(*found.warnings);
    const bool agree = report.comparison.agree();
    if (!agree) said += "armdyn: " + verdict(report) + "\n";
    OutputFile::commit({differences_.get(), plot_.get(), &output_});
    say_summary(said, options_.output.json);
    return agree ? Ending::done : Ending::no;
  }

 private:
  [[nodiscard]] std::vector<ComparedMethod> methods() const {
    return compared_methods(arm_, options_);
  }

  void begin(const MotionColumns& columns, std::optional<std::size_t> time) {
    gathering_.emplace(file_.robot, methods(), columns,
                       CompareGathering::Wanted{time, options_.tolerance, options_.plot});
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
