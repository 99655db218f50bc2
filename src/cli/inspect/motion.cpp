// armdyn inspect over a motion: terms of the equations of motion, row by row.

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/inspect/inspection.hpp"
#include "cli/inspect/motion_terms.hpp"
#include "cli/options/log_answer.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/table/block_pipeline.hpp"
#include "log/log_reader.hpp"
#include "log/row_writer.hpp"
#include "log/side_by_side.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

using Parts = std::vector<const MotionPart*>;

Parts chosen_parts(const std::vector<std::string>& keys) {
  Parts parts;
  parts.reserve(keys.size());
  for (const std::string& key : keys) {
    parts.push_back(&*std::ranges::find(motion_parts(), key, &MotionPart::key));
  }
  return parts;
}

LogReader::Rates needed_rates(const Parts& parts) {
  return {std::ranges::any_of(parts, &MotionPart::needs_qd),
          std::ranges::any_of(parts, &MotionPart::needs_qdd)};
}

BlockWriter<TermBlock> output_columns(const Parts& parts, const ColumnPlan& plan, std::size_t dof,
                                      OutputFile& output) {
  BlockWriter<TermBlock> writer(output);
  if (plan.has(Quantity::time)) writer.add(Quantity::time, dof, *plan.first(Quantity::time));
  std::size_t first = 0;
  for (const MotionPart* const part : parts) {
    for (const Quantity quantity : part_columns(*part, plan)) {
      if (quantity == Quantity::condition) writer.allow_unknown();  // where J is singular
      const std::size_t count = column_names(quantity, dof).size();
      writer.add(quantity, dof, [first, count](const TermBlock& block) {
        return std::span(block.columns).subspan(first, count);
      });
      first += count;
    }
  }
  return writer;
}

/// How many rows, from when to when.
class RowCount {
 public:
  void add(const Table& block, std::optional<std::size_t> time) {
    rows_ += block.rows;
    if (!time) return;
    if (!first_) first_ = block.column(*time).front();
    last_ = block.column(*time).back();
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] Fields head(const Robot& robot) const {
    return rows_head(robot, rows_, first_ ? Value::moments(*first_, last_) : Value{});
  }

 private:
  std::size_t rows_ = 0;
  std::optional<double> first_;
  double last_ = 0.0;
};

}  // namespace

Ending inspect_motion(const RobotFile& file, const InspectOptions& options) {
  const Robot& robot = file.robot;
  const Arm arm = normalise(robot);
  const Parts parts = chosen_parts(options.only);
  InputFile input = open_log(find_motion(options.motion), robot, options.log.topics);
  LogReader log(options.log, input, robot, {Quantity::hand_wrench}, needed_rates(parts));
  const ColumnPlan& plan = log.plan();
  print_recognised(input.name(), plan, options.output);
  OutputFile output(table_target(options.output.output));
  const BlockWriter<TermBlock> writer = output_columns(parts, plan, arm.dof(), output);
  RowCount count;
  ProgressLine progress(input.size(), options.output.quiet);

  BlockJob<TermBlock> job;
  job.threads = static_cast<unsigned>(options.output.threads);
  writer.print(job);
  job.make_worker = [&] {
    return [worker = std::make_shared<TermWorker>(arm, plan, parts, options.rows)](
               const Table& in, TermBlock& result) { (*worker)(in, result); };
  };
  job.in_order = [&](const Table& in, const TermBlock&) {
    count.add(in, plan.first(Quantity::time));
  };
  job.progress = [&](const Progress& done) { progress.show(done.bytes, done.rows); };
  log.run(job);
  progress.clear();

  const LogReport rows = log.report();
  Document answer = answer_frame(file, options.robot, options.output);
  answer.add(log_sections(rows, robot));
  answer.add(count.head(robot));
  answer.warnings = log_warnings(rows);
  if (count.rows() == 0) answer.warnings->emplace_back("the motion has a header but no rows");
  const std::string summary = summary_of(answer, options.output);
  output.commit();
  say_summary(summary, options.output.json);
  return Ending::done;
}

}  // namespace armdyn
