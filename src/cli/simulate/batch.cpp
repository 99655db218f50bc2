// armdyn simulate --batch: what motions do these torques make, from many states at once?

#include "cli/simulate/batch.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <set>
#include <thread>

#include "cli/options/part_file.hpp"
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
#include "io/table/npy_table.hpp"
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

void refuse_what_is_no_batch(const SimulateOptions& options) {
  refuse_options_of_a_single_run(options);
  if (options.batch == "-" && options.torques == "-") {
    throw UsageError("simulate: TORQUES and --batch cannot both be standard input");
  }
  if (options.batch == "-" && isatty(STDIN_FILENO) != 0) {
    throw UsageError("simulate: --batch - reads standard input; pipe a CSV file in");
  }
}

/// The runs of a file, whoever does them.
class ManyRuns {
 public:
  explicit ManyRuns(const SimulateOptions& options)
      : options_((refuse_what_is_no_batch(options), options)),
        file_(open_robot(options.robot, options.output)),
        arm_(normalise(file_.robot)),
        input_(options.batch),
        extra_(options.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse),
        torque_files_(file_.robot, extra_),
        torques_(options.torques.empty() ? nullptr : torque_files_.get(options.torques)),
        used_(simulation_options(options, file_.robot.dof())),
        simulation_(arm_, joint_limits(file_.robot), used_),
        table_(open_table(input_, block_limits(input_, simulation_.lanes(), options.output.threads),
                          HeaderLine::written, "q1,qd1,tau1")),
        plan_(plan_batch(table_->header(), file_.robot, !options.torques.empty(), extra_)),
        source_{plan_,    input_.name(), folder_of(input_, options.batch),
                torques_, torque_files_, options.interpolation} {
    print_recognised(input_.name(), plan_, options.output);
    if (torques_) say_of_torques();
    if (!options.simulation.duration && !torques_ && !plan_.text_cell) {
      throw UsageError(
          "simulate: without torques over time, --batch needs --duration, "
          "e.g. --duration 2");
    }
  }

  [[nodiscard]] bool says_json() const { return options_.output.json; }
  [[nodiscard]] TableSource& table() { return *table_; }
  [[nodiscard]] const ColumnPlan& plan() const { return plan_; }
  [[nodiscard]] const InputFile& input() const { return input_; }

  [[nodiscard]] BatchWriter writer(const GroupWriter& rows) const {
    const bool has_wrench = torques_
                                ? torques_->has_wrench
                                : plan_.has(Quantity::hand_wrench) || plan_.text_cell.has_value();
    return {rows, file_.robot.dof(), has_wrench};
  }

  [[nodiscard]] BlockJob<BatchOutcomes> job() const {
    BlockJob<BatchOutcomes> job;
    job.threads = static_cast<unsigned>(options_.output.threads);
    job.make_worker = [this] { return BatchWorker(simulation_, source_, file_.robot.dof()); };
    return job;
  }

  [[nodiscard]] BatchSummary summary() const {
    BatchSummary summary(file_.robot, table_->header().line == 0 ? "" : input_.name());
    summary.use(used_);
    return summary;
  }

  /// With the digests of all files that are read. Which rows the table keeps is set after it.
  [[nodiscard]] Json identity() const {
    Json input{{"batch", digest_of(input_)}};
    if (torques_) input["torques"] = digest_of(InputFile(find_motion(options_.torques)));
    if (plan_.text_cell) input["torques"] = digest_of_torque_files();
    return job_identity(file_, options_.robot, options_.output, input);
  }

  /// The summary, as JSON with `more` in it.
  [[nodiscard]] std::string said(const BatchSummary& summary, const Json& more, bool is_whole,
                                 const std::vector<std::string>& remarks) {
    if (plan_.text_cell) say_of_torques();
    Document answer = answer_frame(file_, options_.robot, options_.output);
    answer.data("options")["forward"] = name(*used_.forward);
    answer.add(is_whole ? summary.sections() : only_for(Audience::programs, summary.sections()));
    answer.add(more);
    answer.warnings = remarks;
    return summary_of(answer, options_.output);
  }

 private:
  /// The files that all rows name, each once.
  [[nodiscard]] std::string digest_of_torque_files() const {
    Digest digest;
    std::set<std::string> known;
    RawBlock block;
    Table rows;
    for (const RowRange& all : table_->split(std::numeric_limits<std::uintmax_t>::max() / 2)) {
      table_->keep(all);
      while (table_->next(block)) {
        table_->parse(block, plan_, rows);
        for (std::size_t row = 0; row < rows.rows; ++row) {
          source_.with_torque_file(rows, row, [&](const std::string& path) {
            if (known.insert(path).second) digest.add(digest_of(InputFile(find_motion(path))));
          });
        }
      }
    }
    return digest.text();
  }

  void say_of_torques() {
    if (options_.output.quiet || options_.output.json) return;
    say("{}", torque_files_.recognised());
  }

  const SimulateOptions& options_;
  RobotFile file_;
  Arm arm_;
  InputFile input_;
  ExtraColumns extra_;
  TorqueFiles torque_files_;
  std::shared_ptr<const TorqueFile> torques_;
  SimulationOptions used_;
  BatchSimulation simulation_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  BatchSource source_;
};

class BatchRowJob final : public RowJob {
 public:
  explicit BatchRowJob(const SimulateOptions& options)
      : runs_(options), writer_(runs_.writer(GroupWriter(npy_format))) {}

  [[nodiscard]] Json identity() const override { return runs_.identity(); }
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override {
    return runs_.table().split(rows_of_each);
  }
  [[nodiscard]] std::string head(std::uintmax_t rows) const override {
    return writer_.columns().head(rows);
  }
  [[nodiscard]] std::size_t row_bytes() const override { return writer_.columns().row_bytes(); }

  [[nodiscard]] Done run(const RowRange& range) override {
    Done done;
    BatchSummary summary = runs_.summary();
    runs_.table().keep(range);
    BlockJob<BatchOutcomes> job = runs_.job();
    job.first_row = range.first;
    job.in_order = [&](const Table& group, const BatchOutcomes& outcomes) {
      writer_.append_rows(done.bytes, outcomes);
      summary.add(group, outcomes);
    };
    run_blocks(runs_.table(), runs_.plan(), job);
    done.summary = summary.state();
    return done;
  }

  [[nodiscard]] Said finish(const std::vector<Json>& summaries, const std::string& /*file*/,
                            const Json& more) override {
    BatchSummary summary = runs_.summary();
    for (const Json& state : summaries) summary.append(state);
    return {runs_.said(summary, more, true, summary.remarks()), runs_.says_json(), false,
            summary.ending()};
  }

 private:
  mutable ManyRuns runs_;
  BatchWriter writer_;
};

}  // namespace

Ending run_batch(const SimulateOptions& options) {
  ManyRuns runs(options);
  OutputFile output(table_target(options.output.output));
  output.finish_lines_when_interrupted();
  const BatchWriter writer = runs.writer(GroupWriter(output));
  BatchSummary summary = runs.summary();
  BlockJob<BatchOutcomes> job = runs.job();
  std::optional<std::uintmax_t> bytes = runs.input().size();
  Json identity;
  WrittenRows written;
  if (options.part) {
    const RowRange range = rows_of_part(runs.table(), *options.part);
    identity = runs.identity();
    runs.table().keep(range);
    job.first_row = range.first;
    if (range.end > 0) bytes = range.end - range.begin;
    job.written = &written;
  }
  ProgressLine progress(bytes, options.output.quiet);
  job.output = &output;
  job.print_header = [&](std::string& text) { writer.append_header(text); };
  job.print = [&](std::string& text, const Table&, const BatchOutcomes& outcomes) {
    writer.append_rows(text, outcomes);
  };
  job.in_order = [&](const Table& group, const BatchOutcomes& outcomes) {
    summary.add(group, outcomes);
  };
  job.progress = [&](const Progress& done) { progress.show(done.bytes, done.rows); };
  bool is_interrupted = false;
  try {
    run_blocks(runs.table(), runs.plan(), job);
  } catch (const Interrupted&) {
    is_interrupted = true;
  }
  progress.clear();
  const bool is_written = !is_interrupted || summary.runs() > 0;

  Json more{{"interrupted", is_interrupted}};
  const std::string message = "interrupted; " + summary.kept_runs();
  if (is_interrupted) more["message"] = message;
  const std::string said = runs.said(summary, more, !is_interrupted,
                                     is_written ? summary.remarks() : std::vector<std::string>{});
  // A part without its end is one that join refuses.
  const bool is_part = options.part && !is_interrupted;
  if (is_written) output.commit(is_part ? part_trailer(*options.part, identity, written) : "");
  say_summary(said, options.output.json);
  if (is_interrupted && !options.output.json) say("armdyn: {}\n", message);
  return is_interrupted ? Ending::interrupted : summary.ending();
}

std::unique_ptr<RowJob> row_job(const SimulateOptions& options) {
  return std::make_unique<BatchRowJob>(options);
}

}  // namespace armdyn
