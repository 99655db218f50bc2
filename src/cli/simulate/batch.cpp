// armdyn simulate --batch: what motions do these torques make, from many states at once?

#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/part_file.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/simulate/options.hpp"
#include "cli/simulate/torque_files.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/npy_table.hpp"
#include "io/table/table.hpp"
#include "io/table/threads.hpp"
#include "io/text/number_text.hpp"
#include "log/columns.hpp"
#include "log/row_writer.hpp"
#include "math/rigid.hpp"
#include "report/column_figures.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

namespace {

// From rows of a batch file to simulations, and from their results to rows.

/// The column of a batch file that names a torque file in each row.
constexpr const char* torque_file_column = "torques";

bool has_column(const Header& header, const std::string& name) {
  return std::find(header.cells.begin(), header.cells.end(), name) != header.cells.end();
}

std::string place(const std::string& file, const Table& group, std::size_t row) {
  return fmt::format("{}:{}", file, group.lines[row]);
}

/// What the columns of a batch file are. Throws InputError for what does not go together, and where
/// something is missing.
ColumnPlan plan_batch(const Header& header, const Robot& robot, bool has_torques,
                      ExtraColumns extra) {
  const bool has_files = has_column(header, torque_file_column);
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format("{}: {}", place_text(header), what));
  };
  if (has_files && header.line == 0) {
    refuse(fmt::format("column \"{}\" names files, which an array cannot; write the batch as CSV",
                       torque_file_column));
  }
  if (has_files && has_torques) {
    refuse(fmt::format("column \"{}\" and TORQUES exclude each other", torque_file_column));
  }
  const bool over_time = has_files || has_torques;
  // An array without names is known by the groups that it must have.
  const Need state = over_time && header.is_written ? Need::optional : Need::required;
  ColumnPlan plan = plan_columns(header, robot,
                                 {{Quantity::run, Need::optional},
                                  {Quantity::time, Need::optional},
                                  {Quantity::position, state},
                                  {Quantity::velocity, Need::optional},
                                  {Quantity::acceleration, Need::optional},
                                  {Quantity::torque, Need::optional},
                                  {Quantity::hand_wrench, Need::optional}},
                                 {.extra = extra, .text_column = torque_file_column});
  for (const Quantity constant : {Quantity::torque, Quantity::hand_wrench}) {
    if (!over_time || !plan.has(constant)) continue;
    refuse(fmt::format("columns {} and {} exclude each other",
                       range_text(column_names(constant, robot.dof())),
                       has_files ? fmt::format("\"{}\"", torque_file_column) : "TORQUES"));
  }
  return plan;
}

/// What has become of one run.
struct BatchOutcome {
  double run = 0.0;  ///< its number
  BatchResult result;
  bool is_held = false;  ///< it went on beyond its last torque
};

/// Of the rows of a block, in their order.
using BatchOutcomes = std::vector<BatchOutcome>;

/// Prints a row for each run.
class BatchWriter {
 public:
  BatchWriter(GroupWriter writer, std::size_t dof, bool has_wrench)
      : writer_(std::move(writer)), has_wrench_(has_wrench) {
    for (const Quantity quantity :
         {Quantity::run, Quantity::run_end, Quantity::time, Quantity::position, Quantity::velocity,
          Quantity::acceleration, Quantity::torque}) {
      writer_.add(quantity, dof);
    }
    if (has_wrench) writer_.add(Quantity::hand_wrench, dof);
    writer_.add(Quantity::energy_audit, dof);
    writer_.allow_unknown();  // of a run that failed
  }

  [[nodiscard]] const TableWriter& columns() const { return writer_; }
  void append_header(std::string& bytes) const { writer_.append_header(bytes); }
  void append_rows(std::string& bytes, const BatchOutcomes& runs) const {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    Columns columns;
    for (std::size_t row = 0; row < runs.size(); ++row) {
      std::size_t column = 0;
      const auto add = [&](double value) {
        if (row == 0) columns.emplace_back(runs.size());
        columns[column++][row] = value;
      };
      const BatchResult& found = runs[row].result;
      add(runs[row].run);
      add(exit_code(ending(found.end)));
      add(found.limit ? static_cast<double>(found.limit->joint + 1) : 0.0);
      add(found.t);
      for (const std::vector<double>* group : {&found.q, &found.qd, &found.qdd, &found.tau}) {
        for (const double value : *group) add(value);
      }
      if (has_wrench_) {
        for (const double value : stacked(found.hand)) add(value);
      }
      for (const double energy :
           {found.energy.work, found.energy.losses, found.energy.imbalance()}) {
        add(std::isfinite(energy) ? energy : unknown);
      }
    }
    writer_.append_rows(bytes, places(std::as_const(columns)), runs.size());
  }

 private:
  GroupWriter writer_;
  bool has_wrench_;
};

/// What all workers share.
struct BatchSource {
  const ColumnPlan& plan;
  std::string file;                           ///< for messages
  std::string folder;                         ///< in which torque files are looked for
  std::shared_ptr<const TorqueFile> torques;  ///< of all runs; may be null
  TorqueFiles& files;
  Interpolation interpolation;

  /// Calls `use` with the path of the file that a row names, and says where that is in its
  /// FileError. Throws InputError where the cell names none.
  void with_torque_file(const Table& group, std::size_t row,
                        const std::function<void(const std::string& path)>& use) const {
    const std::string& name = group.texts[row];
    const auto where = [&] {
      return fmt::format("{}: column \"{}\": ", place(file, group, row), torque_file_column);
    };
    if (name.empty() || name == "-") {
      throw InputError(where() + (name.empty() ? "found an empty cell" : "found \"-\"") +
                       ", expected the name of a file with torques");
    }
    const bool is_absolute = name.front() == '/';
    try {
      use(is_absolute ? name : folder + name);
    } catch (const FileError& error) {
      throw FileError(where() + error.what());
    }
  }
};

/// Simulates groups of rows; one per thread.
class BatchWorker {
 public:
  BatchWorker(const BatchSimulation& simulation, const BatchSource& source, std::size_t dof)
      : simulation_(simulation), source_(source), dof_(dof) {}

  /// Throws Interrupted, and InputError and FileError of a torque file.
  void operator()(const Table& group, BatchOutcomes& outcomes) {
    std::vector<File> files;
    std::vector<BatchRun> runs;
    for (std::size_t row = 0; row < group.rows; ++row) {
      files.push_back(file_of(group, row));
      runs.push_back(run_of(group, row, files.back()));
    }
    std::vector<BatchResult> found = simulation_(runs);
    const std::optional<std::size_t> number = source_.plan.first(Quantity::run);
    outcomes.clear();
    for (std::size_t row = 0; row < group.rows; ++row) {
      BatchResult& result = found[row];
      if (result.end == SimulationEnd::stopped) throw Interrupted();
      const bool is_held = files[row] && result.t > files[row]->samples.back().t;
      outcomes.push_back(
          {number ? group.columns[*number][row] : static_cast<double>(group.first_row + row + 1),
           std::move(result), is_held});
    }
  }

 private:
  using File = std::shared_ptr<const TorqueFile>;

  /// The torques over time of one run, if it has such.
  [[nodiscard]] File file_of(const Table& group, std::size_t row) const {
    if (!source_.plan.text_cell) return source_.torques;
    File file;
    source_.with_torque_file(group, row,
                             [&](const std::string& path) { file = source_.files.get(path); });
    return file;
  }

  [[nodiscard]] BatchRun run_of(const Table& group, std::size_t row, const File& file) const {
    const std::vector<double> zero(dof_);
    const auto state = [&](Quantity quantity, const auto& of_file) {
      const auto given = values(group, row, quantity);
      return given ? *given : file ? of_file(*file).value_or(zero) : zero;
    };
    BatchRun run;
    run.q0 = state(Quantity::position, [](const TorqueFile& f) { return f.first_q; });
    run.qd0 = state(Quantity::velocity, [](const TorqueFile& f) { return f.first_qd; });
    const auto start = values(group, row, Quantity::time);
    run.start = start ? start->front() : file ? file->samples.front().t : 0.0;
    if (file) {
      run.input = [file, interpolation = source_.interpolation] {
        return torques_of(file, interpolation);
      };
      return run;
    }
    run.tau = values(group, row, Quantity::torque).value_or(zero);
    if (const auto w = values(group, row, Quantity::hand_wrench)) run.hand = wrench_of(*w);
    return run;
  }

  [[nodiscard]] std::optional<std::vector<double>> values(const Table& group, std::size_t row,
                                                          Quantity quantity) const {
    const std::optional<std::size_t> first = source_.plan.first(quantity);
    if (!first) return {};
    std::vector<double> result;
    for (std::size_t i = 0; i < column_names(quantity, dof_).size(); ++i) {
      result.push_back(group.columns[*first + i][row]);
    }
    return result;
  }

  BatchSimulation simulation_;
  const BatchSource& source_;
  std::size_t dof_;
};

// What the many simulations of a batch have come to.

class BatchSummary {
  static constexpr std::size_t most_failures_told = 5;

 public:
  /// `file`: of the runs, where their lines can be named; else empty.
  BatchSummary(const Robot& robot, std::string file)
      : robot_(robot), file_(std::move(file)), joints_(robot.dof()) {}

  /// Groups in their order.
  void add(const Table& group, const BatchOutcomes& runs) {
    for (std::size_t row = 0; row < runs.size(); ++row) {
      const auto& [run, result, is_held] = runs[row];
      ++runs_;
      steps_ += result.steps;
      if (is_held) ++held_;
      if (result.coarse_step) {
        ++coarse_;
        if (result.coarse_step->is_worse_than(coarsest_)) coarsest_ = result.coarse_step;
      }
      if (!result.failure.empty()) {
        ++failed_;
        if (failures_.size() < most_failures_told) {
          failures_.push_back({run, group.lines[row], result.failure});
        }
        continue;
      }
      for (std::size_t i = 0; i < joints_.size(); ++i) {
        joints_[i].q.widen(result.q[i]);
        joints_[i].qd.widen(result.qd[i]);
      }
      if (result.limit) {
        ++joints_[result.limit->joint].at_limit;
        ++at_limit_;
      }
      const double imbalance = result.energy.imbalance();
      const bool is_first = runs_ - failed_ == 1;
      if (is_first || std::abs(imbalance) > std::abs(largest_.value)) largest_ = {run, imbalance};
    }
  }

  void use(const SimulationOptions& used) { used_ = used; }

  /// All of it for another summary of the same robot; and the runs behind those of this one, from
  /// there. Numbers keep their bits.
  [[nodiscard]] Json state() const {
    Json joints = Json::list(), failures = Json::list();
    for (const auto& [q, qd, at_limit] : joints_) {
      joints.push_back(runs_ > failed_
                           ? Json::list(q.least, q.greatest, qd.least, qd.greatest, at_limit)
                           : Json());
    }
    for (const Failure& failure : failures_) {
      failures.push_back(Json::list(failure.run, failure.line, failure.message));
    }
    Json state{{"runs", runs_},         {"steps", steps_},
               {"at_limit", at_limit_}, {"failed", failed_},
               {"held", held_},         {"joints", joints},
               {"failures", failures},  {"imbalance", Json::list(largest_.run, largest_.value)}};
    if (coarsest_) {
      state["coarse"] = Json::list(coarse_, coarsest_->t, coarsest_->joint, coarsest_->process,
                                   coarsest_->rate, coarsest_->step, coarsest_->advised);
    }
    return state;
  }

  void append(const Json& state) {
    const auto count = [&](const char* key) { return state[key].as<std::size_t>(); };
    const std::size_t runs = count("runs"), failed = count("failed");
    const Imbalance imbalance{state["imbalance"][0].as<double>(),
                              state["imbalance"][1].as<double>()};
    const bool is_first = runs_ == failed_;
    if (runs > failed && (is_first || std::abs(imbalance.value) > std::abs(largest_.value))) {
      largest_ = imbalance;
    }
    for (std::size_t i = 0; runs > failed && i < joints_.size(); ++i) {
      const Json& joint = state["joints"][i];
      for (const std::size_t k : {0U, 1U}) joints_[i].q.widen(joint[k].as<double>());
      for (const std::size_t k : {2U, 3U}) joints_[i].qd.widen(joint[k].as<double>());
      joints_[i].at_limit += joint[4].as<std::size_t>();
    }
    for (const Json& failure : state["failures"].entries()) {
      if (failures_.size() == most_failures_told) break;
      failures_.push_back(
          {failure[0].as<double>(), failure[1].as<std::size_t>(), failure[2].as_text()});
    }
    if (const Json& c = state["coarse"]; !c.is_null()) {
      const CoarseStep coarse{
          c[1].as<double>(), c[2].as<std::size_t>(), c[3].as<CoarseStep::Process>(),
          c[4].as<double>(), c[5].as<double>(),      c[6].as<double>()};
      coarse_ += c[0].as<std::size_t>();
      if (coarse.is_worse_than(coarsest_)) coarsest_ = coarse;
    }
    runs_ += runs;
    failed_ += failed;
    steps_ += state["steps"].as<std::uintmax_t>();
    at_limit_ += count("at_limit");
    held_ += count("held");
  }

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// `failed` where the numerics of a run did, else `no` where one ended at a limit.
  [[nodiscard]] Ending ending() const {
    if (failed_ > 0) return Ending::failed;
    return at_limit_ > 0 ? Ending::no : Ending::done;
  }

  [[nodiscard]] Sections sections() const {
    Json failures = Json::list();
    for (const Failure& failure : failures_) {
      Json entry{{"run", failure.run}, {"message", failure.message}};
      if (!file_.empty()) entry["line"] = failure.line;
      failures.push_back(entry);
    }
    Fields line = head();
    std::ranges::copy(ends(), std::back_inserter(line));
    for (Field& field : line) field.key.clear();
    const bool ended = runs_ > failed_;
    Sections found{
        {"", head(), "", false, Audience::programs},
        {"ends", ends(), "", false, Audience::programs},
        {"", line},
        {"failures", failures},
        {"held", Json(held_)},
        {"joints", FieldTable{joints()}, "", false, ended ? Audience::all : Audience::programs}};
    if (ended) found.push_back({"imbalance", imbalance()});
    if (coarsest_) {
      Json coarse = coarse_step_data(*coarsest_, robot_);
      coarse["runs"] = coarse_;
      found.push_back({"coarse_step", coarse});
    }
    return found;
  }

  /// Runs that failed, steps that are too long for the arm, torques that were held.
  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> remarks;
    if (runs_ == 0) remarks.emplace_back("the batch has a header but no rows");
    for (const Failure& failure : failures_) {
      remarks.push_back(fmt::format("{}: {}", name_of(failure), failure.message));
    }
    if (failed_ > failures_.size()) {
      remarks.push_back(fmt::format("{} more failed; they have exit {} in the output",
                                    failed_ - failures_.size(), exit_code(Ending::failed)));
    }
    if (coarsest_) {
      remarks.push_back(fmt::format("in {}, at the worst {}", counted(coarse_, "run"),
                                    coarse_step_text(*coarsest_, robot_, coarsest_->step)));
    }
    if (held_ > 0) {
      remarks.push_back(
          fmt::format("in {} the last torque is held to the end", counted(held_, "run")));
    }
    return remarks;
  }

  /// "the 12 runs that had ended are kept".
  [[nodiscard]] std::string kept_runs() const {
    if (runs_ == 0) return "no run had ended, nothing is written";
    return runs_ == 1 ? "the run that had ended is kept"
                      : fmt::format("the {} runs that had ended are kept", runs_);
  }

 private:
  struct JointRecord {
    Bounds q, qd;  ///< at the end, of runs that did not fail
    std::size_t at_limit = 0;
  };
  struct Failure {
    double run = 0.0;
    std::size_t line = 0;
    std::string message;
  };
  struct Imbalance {
    double run = 0.0, value = 0.0;
  };

  [[nodiscard]] Fields head() const {
    return {words(robot_.name + ": "),
            {"runs", "{}", Value::count(runs_, "run")},
            steps_field(used_, steps_)};
  }

  [[nodiscard]] Fields ends() const {
    return {{"complete", for_programs, Value::count(runs_ - at_limit_ - failed_)},
            {"limit", label_if(at_limit_ > 0, "; {} ended at a limit"), Value::count(at_limit_)},
            {"failed", label_if(failed_ > 0, "; {} failed"), Value::count(failed_)}};
  }

  [[nodiscard]] std::vector<Fields> joints() const {
    const bool ended = runs_ > failed_;
    const auto both = [&](const Bounds& bounds) {
      return ended ? Value::range(bounds.least, bounds.greatest) : Value{};
    };
    std::vector<Fields> rows;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const auto& [q, qd, at_limit] = joints_[i];
      const Joint& joint = robot_.joints[i];
      rows.push_back(
          {{"name", "joint", Value::word(joint.name)},
           {"q_last", for_programs, both(q)},
           {for_people, "q last from", Value::number(q.least)},
           {for_people, "to", Value::number(q.greatest)},
           {"unit", "", Value::word(position_unit(joint))},
           {"qd_last", for_programs, both(qd)},
           {for_people, "qd last from", Value::number(qd.least)},
           {for_people, "to", Value::number(qd.greatest)},
           {for_people, "", Value::word(speed_unit(joint))},
           {"at_limit", label_if(at_limit_ > 0, "at its limit"), Value::count(at_limit)}});
    }
    return rows;
  }

  [[nodiscard]] Fields imbalance() const {
    return {{"value", "energy: the largest imbalance is {} J", Value::magnitude(largest_.value)},
            {"run", ", in run {}", {largest_.run, fmt::format("{}", largest_.run)}}};
  }
  [[nodiscard]] std::string name_of(const Failure& failure) const {
    if (file_.empty()) return fmt::format("run {}", failure.run);
    return fmt::format("run {} ({}:{})", failure.run, file_, failure.line);
  }

  const Robot& robot_;
  std::string file_;
  SimulationOptions used_;
  std::vector<JointRecord> joints_;
  std::size_t runs_ = 0, at_limit_ = 0, failed_ = 0, coarse_ = 0, held_ = 0;
  std::uintmax_t steps_ = 0;
  std::optional<CoarseStep> coarsest_;
  std::vector<Failure> failures_;  ///< the first ones
  Imbalance largest_;
};

/// Bytes that a thread takes at a time: enough rows for all lanes, if that leaves two blocks for
/// each thread, and few where each run is taken by itself. No result depends on it.
BlockLimits block_limits(const InputFile& input, std::size_t lanes, int threads) {
  constexpr std::uintmax_t fewest = 1024, most = 64 * 1024, of_a_pipe = 16 * 1024;
  BlockLimits limits{.block_size = fewest};
  if (lanes == 1) return limits;
  const std::uintmax_t all = threads == 0 ? usable_cores() : static_cast<std::uintmax_t>(threads);
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
    throw UsageError("simulate: {} does not go with --batch{}", option, instead);
  };
  refuse(!options.q0.empty(), "--q0", "; FILE has q in columns q1..");
  refuse(!options.qd0.empty(), "--qd0", "; FILE has qd in columns qd1..");
  refuse(options.simulation.every != 1, "--every", ", which writes the end of each run");
  refuse(options.simulation.estimate_error, "--estimate-error",
         "; simulate one run by itself for that");
  refuse(options.plot.is_wanted(), "--plot", "; simulate one run by itself for that");
  refuse(!options.output.report.empty(), "--report", "; simulate one run by itself for that");
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
        torque_files_(file_.robot, extra_, options.topics),
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
