// armdyn simulate --batch: what motions do these torques make, from many states at once?

#include "cli/simulate/batch.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/batch_simulation.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/simulate/batch_answer.hpp"
#include "cli/simulate/batch_runs.hpp"
#include "cli/simulate/options.hpp"
#include "cli/simulate/settings.hpp"
#include "cli/simulate/torque_files.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/block_pipeline.hpp"
#include "report/progress.hpp"
#include "report/say.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

namespace {

/// Bytes that a thread takes at a time: enough rows for all lanes, if that leaves two blocks for
/// each thread, and few where each run is taken by itself. No result depends on it.
BlockLimits block_limits(const InputFile& input, std::size_t lanes, int threads) {
  constexpr std::uintmax_t fewest = 1024, most = 64 * 1024, of_a_pipe = 16 * 1024;
  BlockLimits limits{.block_size = fewest};
  if (lanes == 1) return limits;
  const std::uintmax_t all =
      threads == 0 ? std::thread::hardware_concurrency() : static_cast<std::uintmax_t>(threads);
  const std::uintmax_t share =
      input.size() ? *input.size() / (2 * std::max<std::uintmax_t>(all, 1)) + 1 : of_a_pipe;
  limits.block_size = static_cast<std::size_t>(std::clamp(share, fewest, most));
  return limits;
}

std::string folder_of(const InputFile& input, const std::string& path) {
  if (!input.is_regular()) return {};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "" : folder.string() + "/";
}

void refuse_options_of_a_single_run(const SimulateOptions& options) {
  const auto refuse = [](bool given, const char* option, const char* instead) {
    if (!given) return;
    throw UsageError(fmt::format("simulate: {} does not go with --batch{}", option, instead));
  };
  refuse(!options.q0.empty(), "--q0", "; FILE has q in columns q1..");
  refuse(!options.qd0.empty(), "--qd0", "; FILE has qd in columns qd1..");
  refuse(options.simulation.every != 1, "--every", ", which writes the end of each run");
  refuse(options.simulation.estimate_error, "--estimate-error",
         "; simulate one run by itself for that");
  refuse(options.plot.is_wanted(), "--plot", "; simulate one run by itself for that");
}

}  // namespace

Ending run_batch(const SimulateOptions& options) {
  refuse_options_of_a_single_run(options);
  if (options.batch == "-" && options.torques == "-") {
    throw UsageError("simulate: TORQUES and --batch cannot both be standard input");
  }
  if (options.batch == "-" && isatty(STDIN_FILENO) != 0) {
    throw UsageError("simulate: --batch - reads standard input; pipe a CSV file in");
  }
  const RobotFile file = robot_beside_outputs(options.robot, options.output);
  const Robot& robot = file.robot;
  const Arm arm = normalise(robot);

  InputFile input(options.batch);
  refuse_to_overwrite(input, {options.output.output});
  const ExtraColumns extra = options.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse;
  TorqueFiles torque_files(robot, extra, options.output.output);
  std::shared_ptr<const TorqueFile> torques;
  if (!options.torques.empty()) torques = torque_files.get(options.torques);
  const auto say_of_torques = [&] {
    if (options.output.quiet || options.output.json) return;
    say("{}", torque_files.recognised());
  };
  const SimulationOptions used = simulation_options(options, robot.dof());
  const BatchSimulation simulation(arm, joint_limits(robot), used);
  TableReader reader(input, block_limits(input, simulation.lanes(), options.output.threads),
                     HeaderLine::written, "q1,qd1,tau1");
  const ColumnPlan plan = plan_batch(reader.header(), robot, !options.torques.empty(), extra);
  print_recognised(input.name(), plan, options.output);
  if (torques) say_of_torques();
  if (!options.simulation.duration && !torques && !plan.text_cell) {
    throw UsageError(
        "simulate: without torques over time, --batch needs --duration, "
        "e.g. --duration 2");
  }

  const bool has_wrench =
      torques ? torques->has_wrench : plan.has(Quantity::hand_wrench) || plan.text_cell.has_value();
  const BatchSource source{plan,    input.name(), folder_of(input, options.batch),
                           torques, torque_files, options.interpolation};
  OutputFile output(table_target(options.output.output));
  output.finish_lines_when_interrupted();
  const BatchWriter writer(output, robot.dof(), has_wrench);
  BatchSummary summary(robot, reader.header().line == 0 ? "" : input.name());
  summary.use(used);
  ProgressLine progress(input.size(), options.output.quiet);

  BlockJob<BatchOutcomes> job;
  job.threads = static_cast<unsigned>(options.output.threads);
  job.output = &output;
  job.print_header = [&](std::string& bytes) { writer.append_header(bytes); };
  job.print = [&](std::string& bytes, const Table&, const BatchOutcomes& runs) {
    writer.append_rows(bytes, runs);
  };
  job.make_worker = [&] { return BatchWorker(simulation, source, robot.dof()); };
  job.in_order = [&](const Table& group, const BatchOutcomes& runs) { summary.add(group, runs); };
  job.progress = [&](const Progress& done) { progress.show(done.bytes, done.rows); };
  bool is_interrupted = false;
  try {
    run_blocks(reader, plan, job);
  } catch (const Interrupted&) {
    is_interrupted = true;
  }
  progress.clear();
  if (plan.text_cell) say_of_torques();
  const bool is_written = !is_interrupted || summary.runs() > 0;

  nlohmann::json json = json_frame(file, options.robot, options.output);
  json["options"]["forward"] = name(*used.forward);
  json.update(summary.json());
  json["interrupted"] = is_interrupted;
  const std::string message = "interrupted; " + summary.kept_runs();
  if (is_interrupted) json["message"] = message;
  const std::string said =
      summary_text(options.output, is_interrupted ? "" : summary.text(), json,
                   is_written ? summary.remarks() : std::vector<std::string>{});
  if (is_written) output.commit();
  say("{}", said);
  if (is_interrupted && !options.output.json) say("armdyn: {}\n", message);
  return is_interrupted ? Ending::interrupted : summary.ending();
}

}  // namespace armdyn
