// armdyn identify: the parameters of an arm from its logs.

#include <fmt/format.h>
#include <armdyn/robot_file.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/identify/answer.hpp"
#include "cli/identify/options.hpp"
#include "cli/options/log_answer.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/robot/robot_bytes.hpp"
#include "io/robot/robot_text.hpp"
#include "io/table/block_pipeline.hpp"
#include "log/log_reader.hpp"
#include "log/side_by_side.hpp"
#include "report/json_text.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

IdentificationModel model_of(const Robot& robot, const IdentifyTask& task) {
  try {
    return {robot, task};
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

/// Columns of a table as the mechanics take them.
std::vector<Column> columns_from(const Table& table, std::size_t first, std::size_t count) {
  std::vector<Column> columns;
  columns.reserve(count);
  for (std::size_t i = 0; i < count; ++i) columns.push_back(table.columns[first + i].data());
  return columns;
}
std::vector<std::span<const double>> spans_from(const Table& table, std::size_t first,
                                                std::size_t count) {
  std::vector<std::span<const double>> columns;
  columns.reserve(count);
  for (std::size_t i = 0; i < count; ++i) columns.push_back(table.column(first + i));
  return columns;
}

/// Reads a log into equations. What is to be said of its rows goes to `warnings`.
LogEquations read_log(const std::string& name, const Robot& robot, const IdentificationModel& model,
                      const IdentifyOptions& options, std::string& said,
                      std::vector<std::string>& warnings) {
  InputFile input = open_log(find_motion(name), robot);
  refuse_to_overwrite_log(name, input, {options.output.output});
  LogReader log(options.log, input, robot, {Quantity::torque}, {});
  const ColumnPlan& plan = log.plan();
  print_recognised(input.name(), plan, options.output);
  if (!plan.has(Quantity::torque)) {
    throw InputError(input.name() +
                     ": has no measured torques; identify needs tau1.. beside t and q1..");
  }
  const std::size_t n = robot.dof();
  const std::size_t q = *plan.first(Quantity::position), qd = *plan.first(Quantity::velocity),
                    qdd = *plan.first(Quantity::acceleration), tau = *plan.first(Quantity::torque);
  LogEquations equations(name, model);
  const BlockInverseDynamics as_it_was(normalise(robot));
  ProgressLine progress(input.size(), options.output.quiet);

  BlockJob<LogEquations::Block> job;
  job.threads = static_cast<unsigned>(options.output.threads);
  job.make_worker = [&] {
    return [worker = std::make_shared<EquationWorker>(model, as_it_was), n, q, qd, qdd](
               const Table& in, LogEquations::Block& block) {
      const std::vector<Column> positions = columns_from(in, q, n),
                                velocities = columns_from(in, qd, n),
                                accelerations = columns_from(in, qdd, n);
      (*worker)({in.rows, positions, velocities, accelerations, {}}, block);
    };
  };
  job.in_order = [&](const Table& in, const LogEquations::Block& block) {
    if (in.rows == 0) return;
    const std::size_t beside = log.beside_smoothed();
    equations.add(block, {in.rows, spans_from(in, qd, n), spans_from(in, qdd, n),
                          spans_from(in, tau, n), spans_from(in, beside, n),
                          spans_from(in, beside + n, n), in.column(beside + 2 * n).front()});
  };
  job.progress = [&](const Progress& done) { progress.show(done.bytes, done.rows); };
  log.run(job);
  progress.clear();
  equations.finish();
  if (equations.row_count() == 0) {
    throw InputError(input.name() + ": has no rows in the middle of a window; it is too short");
  }
  const LogReport report = log.report();
  said += name + ": " + log_text(report, robot);
  for (const std::string& warning : log_warnings(report)) {
    warnings.push_back(fmt::format("{}: {}", name, warning));
  }
  const std::vector<std::string> against = contradictions(equations, robot);
  if (!against.empty()) {
    std::string text;
    for (const std::string& sentence : against) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", name, sentence);
    }
    throw InputError(text);
  }
  return equations;
}

}  // namespace

Ending run(const IdentifyOptions& options) {
  const RobotFile file = robot_beside_outputs(options.robot, options.output);
  const Robot& robot = file.robot;
  const IdentificationModel model = model_of(robot, options.task);
  std::string said;
  std::vector<std::string> warnings;
  std::size_t rows = 0, held_out_rows = 0;
  const auto read = [&](const std::vector<std::string>& names, std::size_t& count) {
    std::vector<LogEquations> logs;
    logs.reserve(names.size());
    for (const std::string& name : names) {
      logs.push_back(read_log(name, robot, model, options, said, warnings));
      count += logs.back().row_count();
    }
    return logs;
  };
  const std::vector<LogEquations> logs = read(options.logs, rows);
  const std::vector<LogEquations> held_out = read(options.held_out, held_out_rows);
  const Identification found = identify(robot, model, logs, held_out);

  const IdentifyAnswer answer{found, robot, rows, held_out_rows, options.output.output};
  warnings = joined({warnings, answer.warnings()});
  if (found.is_better && !options.output.output.empty()) {
    const std::string text =
        robot_yaml(found.robot, answer.comment(options.robot.robot, options.logs));
    (void)parse_robot_file(text, options.output.output);  // throws for what does not read back
    OutputFile output(options.output.output);
    output.write(text);
    output.commit();
  }
  if (options.output.json) {
    nlohmann::json json = json_frame(file, options.robot, options.output);
    json.update(answer.json());
    json["warnings"] = warnings;
    OutputFile output("-");
    output.write(json_text(json));
    output.commit();
  } else {
    OutputFile output("-");
    output.write(options.output.quiet ? "" : said + answer.text());
    output.commit();
    print_warnings(warnings);
  }
  return found.is_better ? Ending::done : Ending::no;
}

}  // namespace armdyn
