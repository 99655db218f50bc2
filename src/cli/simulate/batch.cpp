// armdyn simulate --batch: what motions do these torques make, from many states at once?

#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "cli/options/shared_answers.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/simulate/options.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table.hpp"
#include "io/text/number_text.hpp"
#include "log/columns.hpp"
#include "log/log_reader.hpp"
#include "log/row_writer.hpp"
#include "log/side_by_side.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"
#include "math/statistics.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

// Meaning of a batch file's columns.

/// The column of a batch file that names a torque file in each row.
constexpr const char* torque_file_column = "torques";

/// Plan of a batch file's columns. Throws InputError for columns that exclude one another or are
/// missing.
ColumnPlan plan_batch(const Header& header, const Robot& robot, bool has_torques,
                      bool ignore_extra) {
  const bool has_files = std::ranges::count(header.cells, torque_file_column) > 0;
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
  // The groups of an array without names follow from those that it must have.
  const Need state = over_time && header.is_written ? Need::optional : Need::required;
  ColumnPlan plan = plan_columns(header, robot,
                                 {{Quantity::run, Need::optional},
                                  {Quantity::time, Need::optional},
                                  {Quantity::position, state},
                                  {Quantity::velocity, Need::optional},
                                  {Quantity::acceleration, Need::optional},
                                  {Quantity::torque, Need::optional},
                                  {Quantity::hand_wrench, Need::optional}},
                                 {.ignore_extra = ignore_extra, .text_column = torque_file_column});
  for (const Quantity constant : {Quantity::torque, Quantity::hand_wrench}) {
    if (!over_time || !plan.has(constant)) continue;
    refuse(fmt::format("columns {} and {} exclude each other",
                       range_text(column_names(constant, robot.dof())),
                       has_files ? fmt::format("\"{}\"", torque_file_column) : "TORQUES"));
  }
  return plan;
}

// Torques over time that several simulations share.

/// All rows of a file with torques.
struct TorqueFile {
  std::vector<TorqueSample> samples;  ///< at least one
  bool has_wrench = false;
  std::optional<std::vector<double>> first_q, first_qd;  ///< where there are such columns
};

/// Torques of a file, from its first row on.
std::unique_ptr<TorqueInput> torques_of(std::shared_ptr<const TorqueFile> file,
                                        Interpolation interpolation) {
  const auto next = [file = std::move(file), row = std::size_t{0}](TorqueSample& sample) mutable {
    if (row == file->samples.size()) return false;
    sample = file->samples[row++];
    return true;
  };
  return std::make_unique<SampledTorque>(next, interpolation);
}

/// Files with torques by their paths, each in memory once, as long as it is used. For any thread.
class TorqueFiles {
 public:
  /// Reads these topics of bags.
  TorqueFiles(const Robot& robot, bool ignore_extra, std::vector<std::string> topics)
      : robot_(robot), ignore_extra_(ignore_extra), topics_(std::move(topics)) {}

  /// Throws as TorqueRows.
  [[nodiscard]] std::shared_ptr<const TorqueFile> get(const std::string& path) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const TorqueFile>& known = files_[path];
    std::shared_ptr<const TorqueFile> file = known.lock();
    if (file) return file;
    std::erase_if(files_,
                  [&](const auto& entry) { return entry.second.expired() && entry.first != path; });
    file = read(path);
    files_[path] = file;
    return file;
  }

  /// Line for the user about the kind of log that the first file by name was recognised as, with
  /// the number of others; or nothing.
  [[nodiscard]] std::string recognised() {
    const std::lock_guard lock(mutex_);
    if (recognised_.empty()) return "";
    const auto& [file, text] = *recognised_.begin();
    const std::size_t others = recognised_.size() - 1;
    const std::string like_it =
        others == 0 ? "" : "; likewise " + counted(others, "more torque file");
    return recognised_line(file, text + like_it);
  }

 private:
  [[nodiscard]] std::shared_ptr<const TorqueFile> read(const std::string& path) {
    const auto file = std::make_shared<TorqueFile>();
    InputFile input = open_log(find_motion(path), robot_, topics_);
    TorqueRows rows(input, robot_, ignore_extra_);
    if (!rows.plan().recognised.empty()) recognised_[input.name()] = rows.plan().recognised;
    for (TorqueSample sample; rows.next(sample);) file->samples.push_back(sample);
    throw_if_interrupted();  // which ends the rows as well
    file->has_wrench = rows.has_wrench();
    file->first_q = rows.first_q();
    file->first_qd = rows.first_qd();
    return file;
  }

  const Robot& robot_;
  bool ignore_extra_;
  std::vector<std::string> topics_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const TorqueFile>> files_;
  std::map<std::string, std::string> recognised_;  ///< kind of log, by the file's name
};

// Results of a batch.

/// Groups of a run's row: the run; its end by exit, joint and time; its last state.
std::vector<Quantity> batch_groups(bool has_wrench) {
  std::vector<Quantity> groups{Quantity::run,      Quantity::run_end,  Quantity::time,
                               Quantity::position, Quantity::velocity, Quantity::acceleration,
                               Quantity::torque};
  if (has_wrench) groups.push_back(Quantity::hand_wrench);
  groups.push_back(Quantity::energy_audit);
  return groups;
}

constexpr std::size_t most_failures_told = 5;

/// Facts about some runs that their rows lack and the summary needs: failures, steps, torques that
/// were held.
struct BatchNotes {
  std::size_t held = 0, coarse = 0;
  std::uintmax_t steps = 0;
  Json failures = Json::list();  ///< the first ones: run, line, message
  std::optional<CoarseStep> coarsest{};

  void add(const BatchNotes& more) {
    held += more.held;
    coarse += more.coarse;
    steps += more.steps;
    for (const Json& failure : more.failures.entries()) {
      if (failures.entries().size() < most_failures_told) failures.push_back(failure);
    }
    if (more.coarsest && more.coarsest->is_worse_than(coarsest)) coarsest = more.coarsest;
  }

  [[nodiscard]] Json data() const {
    Json notes{{"failures", failures}, {"held", held}, {"steps", steps}};
    if (const auto& c = coarsest) {
      notes["coarse"] =
          Json::list(coarse, c->t, c->joint, c->process, c->rate, c->step, c->advised);
    }
    return notes;
  }
  static BatchNotes of(const Json& data) {
    BatchNotes notes{.held = data["held"].as<std::size_t>(),
                     .steps = data["steps"].as<std::uintmax_t>(),
                     .failures = data["failures"]};
    if (const Json& c = data["coarse"]; !c.is_null()) {
      notes.coarse = c[0].as<std::size_t>();
      notes.coarsest = {c[1].as<double>(), c[2].as<std::size_t>(), c[3].as<CoarseStep::Process>(),
                        c[4].as<double>(), c[5].as<double>(),      c[6].as<double>()};
    }
    return notes;
  }
};

class BatchSummary {
 public:
  /// `file`: the batch file, where messages can name its lines; else empty.
  BatchSummary(const Robot& robot, std::string file)
      : robot_(robot), file_(std::move(file)), joints_(robot.dof()) {}

  /// Adds rows of runs, and notes on some, both in their order; either may be absent.
  void add(const JobRows& more) {
    for (std::size_t row = 0; !more.columns.empty() && row < more.columns[0].size(); ++row) {
      add_row(more.columns, row);
    }
    if (!more.notes.is_null()) notes_.add(BatchNotes::of(more.notes));
  }

  void use(const SimulationOptions& used) { used_ = used; }

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// `failed` where the numerics of a run did, else `no` where one ended at a limit.
  [[nodiscard]] Ending ending() const {
    if (failed_ > 0) return Ending::failed;
    return at_limit_ > 0 ? Ending::no : Ending::done;
  }

  [[nodiscard]] Sections sections() const {
    const auto failure = [this](const Json& of) {
      Json entry{{"run", of[0]}, {"message", of[2]}};
      if (!file_.empty()) entry["line"] = of[1];
      return entry;
    };
    Fields line = head();
    append(line, ends());
    for (Field& field : line) field.key.clear();
    const bool ended = runs_ > failed_;
    Sections found{
        {"", head(), "", false, Audience::programs},
        {"ends", ends(), "", false, Audience::programs},
        {"", line},
        {"failures", Json(each(notes_.failures.entries(), failure))},
        {"held", Json(notes_.held)},
        {"joints", FieldTable{joints()}, "", false, ended ? Audience::all : Audience::programs}};
    if (ended) found.push_back({"imbalance", imbalance()});
    if (notes_.coarsest) {
      Json coarse = coarse_step_data(*notes_.coarsest, robot_);
      coarse["runs"] = notes_.coarse;
      found.push_back({"coarse_step", coarse});
    }
    return found;
  }

  /// Remarks on runs that failed, steps too long for the arm, and torques that were held.
  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> remarks;
    if (runs_ == 0) remarks.emplace_back("the batch has a header but no rows");
    const auto& [held, coarse, steps, failures, coarsest] = notes_;
    for (const Json& failure : failures.entries()) {
      const auto run = failure[0].as<double>();
      const std::string line =
          file_.empty() ? "" : fmt::format(" ({}:{})", file_, failure[1].as<std::size_t>());
      remarks.push_back(fmt::format("run {}{}: {}", run, line, failure[2].as_text()));
    }
    if (const std::size_t told = failures.entries().size(); failed_ > told) {
      remarks.push_back(fmt::format("{} more failed; they have exit {} in the output",
                                    failed_ - told, exit_code(Ending::failed)));
    }
    if (coarsest) {
      remarks.push_back(fmt::format("in {}, at the worst {}", counted(coarse, "run"),
                                    coarse_step_text(*coarsest, robot_, coarsest->step)));
    }
    if (held > 0) {
      remarks.push_back(
          fmt::format("in {} the last torque is held to the end", counted(held, "run")));
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
  struct Imbalance {
    double run = 0.0, value = 0.0;
  };

  /// Adds a run, and where it did not fail its last state.
  void add_row(const Columns& columns, std::size_t row) {
    const auto number = [&](std::size_t column) { return columns[column][row]; };
    ++runs_;
    if (number(1) == exit_code(Ending::failed)) {
      ++failed_;
      return;
    }
    const std::size_t n = joints_.size(), first = 4;
    for (std::size_t i = 0; i < n; ++i) {
      joints_[i].q.widen(number(first + i));
      joints_[i].qd.widen(number(first + n + i));
    }
    if (number(2) > 0.0) {
      ++joints_.at(static_cast<std::size_t>(number(2)) - 1).at_limit;
      ++at_limit_;
    }
    const double imbalance = columns.back()[row];
    const bool is_first = runs_ - failed_ == 1;
    if (is_first || std::abs(imbalance) > std::abs(largest_.value)) {
      largest_ = {number(0), imbalance};
    }
  }

  [[nodiscard]] Fields head() const {
    return {words(robot_.name + ": "),
            {"runs", "{}", Value::count(runs_, "run")},
            steps_field(used_, notes_.steps)};
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
    return each(in_order(joints_.size()), [&](std::size_t i) -> Fields {
      const auto& [q, qd, at_limit] = joints_[i];
      const Joint& joint = robot_.joints[i];
      return {{"name", "joint", Value::word(joint.name)},
              {"q_last", for_programs, both(q)},
              {for_people, "q last from", Value::number(q.least)},
              {for_people, "to", Value::number(q.greatest)},
              {"unit", "", Value::word(position_unit(joint))},
              {"qd_last", for_programs, both(qd)},
              {for_people, "qd last from", Value::number(qd.least)},
              {for_people, "to", Value::number(qd.greatest)},
              {for_people, "", Value::word(speed_unit(joint))},
              {"at_limit", label_if(at_limit_ > 0, "at its limit"), Value::count(at_limit)}};
    });
  }

  [[nodiscard]] Fields imbalance() const {
    return {{"value", "energy: the largest imbalance is {} J", Value::magnitude(largest_.value)},
            {"run", ", in run {}", {largest_.run, fmt::format("{}", largest_.run)}}};
  }

  const Robot& robot_;
  std::string file_;
  SimulationOptions used_;
  std::vector<JointRecord> joints_;
  std::size_t runs_ = 0, at_limit_ = 0, failed_ = 0;
  BatchNotes notes_;
  Imbalance largest_;
};

/// Bytes that a thread takes at a time: enough rows for all lanes, if that leaves two blocks per
/// thread; few where runs are computed one by one. Results do not depend on it.
BlockLimits block_limits(const InputFile& input, std::size_t lanes, unsigned threads) {
  constexpr std::uintmax_t fewest = 1024, most = 64 * 1024, of_a_pipe = 16 * 1024;
  BlockLimits limits{.block_size = fewest};
  if (lanes == 1) return limits;
  const std::uintmax_t blocks = std::uintmax_t{2} * or_all_cores(threads);
  const std::uintmax_t share = input.size() ? *input.size() / blocks + 1 : of_a_pipe;
  limits.block_size = static_cast<std::size_t>(std::clamp(share, fewest, most));
  return limits;
}

std::string folder_of(const InputFile& input, const std::string& path) {
  if (!input.is_regular()) return {};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "" : folder.string() + "/";
}

void refuse_what_is_no_batch(const SimulateOptions& options) {
  const auto refuse = [](bool given, const char* option, const char* instead) {
    refuse_if(given, "simulate: {} does not go with --batch{}", option, instead);
  };
  refuse(!options.q0.empty(), "--q0", "; FILE has q in columns q1..");
  refuse(!options.qd0.empty(), "--qd0", "; FILE has qd in columns qd1..");
  refuse(options.simulation.every != 1, "--every", ", which writes the end of each run");
  refuse(options.simulation.estimate_error, "--estimate-error",
         "; simulate one run by itself for that");
  refuse(options.plot.is_wanted(), "--plot", "; simulate one run by itself for that");
  refuse_if(options.batch == "-" && options.torques == "-",
            "simulate: TORQUES and --batch cannot both be standard input");
  refuse_if(options.batch == "-" && isatty(STDIN_FILENO) != 0,
            "simulate: --batch - reads standard input; pipe a CSV file in");
}

/// The job of a batch file.
class BatchJob final : public RowJob {
 public:
  BatchJob(const SimulateOptions& options, Run& run)
      : options_((refuse_what_is_no_batch(options), options)),
        run_(run),
        file_(run.robot()),
        input_(options.batch),
        torque_files_(file_.robot, options.ignore_extra, options.topics),
        torques_(options.torques.empty() ? nullptr : torque_files_.get(options.torques)),
        used_(simulation_options(options, file_.robot)),
        simulation_(normalise(file_.robot), used_),
        table_(open_table(input_, block_limits(input_, simulation_.lanes(), options.output.threads),
                          HeaderLine::written, "q1,qd1,tau1")),
        plan_(plan_batch(table_->header(), file_.robot, !options.torques.empty(),
                         options.ignore_extra)),
        folder_(folder_of(input_, options.batch)),
        summary_(file_.robot, table_->header().line == 0 ? "" : input_.name()) {
    run.recognised(input_.name(), plan_);
    if (torques_) run_.remark(torque_files_.recognised());
    refuse_if(!options.simulation.duration && !torques_ && !plan_.text_cell,
              "simulate: without torques over time, --batch needs --duration, e.g. --duration 2");
    summary_.use(used_);
  }

  [[nodiscard]] TableSource& input() const override { return *table_; }

  /// Identity with the digests of all files that are read.
  [[nodiscard]] Json identity() const override {
    Json input{{"batch", digest_of(input_)}};
    if (torques_) input["torques"] = digest_of(InputFile(find_motion(options_.torques)));
    if (plan_.text_cell) input["torques"] = digest_of_torque_files();
    return job_identity(file_, options_.robot, options_.output, input);
  }

  [[nodiscard]] Answer answer(const Json& more) override {
    return {document(more, true), {}, summary_.ending()};
  }
  /// The answer after a signal, with the runs so far.
  [[nodiscard]] Answer interrupted() {
    const std::string message = "interrupted; " + summary_.kept_runs();
    Answer answer{document({{"interrupted", true}, {"message", message}}, false)};
    if (summary_.runs() == 0) answer.document.warnings->clear();
    answer.ending = Ending::interrupted;
    answer.message = message;
    return answer;
  }

 private:
  using File = std::shared_ptr<const TorqueFile>;

  [[nodiscard]] const TablePlan& plan() const override { return plan_; }
  [[nodiscard]] BlockJob<JobRows> block_job() const override {
    BlockJob<JobRows> job;
    job.threads = options_.output.threads;
    job.make_worker = [this] {
      return [this, simulation = simulation_](const Table& group, JobRows& rows) mutable {
        simulate(simulation, group, rows);
      };
    };
    return job;
  }
  void add_columns(BlockWriter<JobRows>& writer) const override {
    add_groups(writer, file_.robot.dof(), batch_groups(has_wrench()), &JobRows::columns);
    writer.allow_unknown();  // of a run that failed
  }
  void add(const JobRows& rows) override { summary_.add(rows); }
  [[nodiscard]] std::optional<std::uintmax_t> size() const override { return input_.size(); }

  [[nodiscard]] bool has_wrench() const {
    return torques_ ? torques_->has_wrench
                    : plan_.has(Quantity::hand_wrench) || plan_.text_cell.has_value();
  }

  /// Computes a row for each run. Throws Interrupted, and InputError and FileError of a torque
  /// file.
  void simulate(BatchSimulation& simulation, const Table& group, JobRows& rows) const {
    std::vector<File> files;
    std::vector<BatchRun> runs;
    for (std::size_t row = 0; row < group.rows; ++row) {
      files.push_back(file_of(group, row));
      runs.push_back(run_of(group, row, files.back()));
    }
    const std::vector<BatchResult> found = simulation(runs);
    const std::optional<std::size_t> number = plan_.first(Quantity::run);
    BatchNotes notes;
    rows.columns.clear();
    for (std::size_t row = 0; row < group.rows; ++row) {
      const BatchResult& result = found[row];
      if (result.end == SimulationEnd::stopped) throw Interrupted();
      const double run =
          number ? group.columns[*number][row] : static_cast<double>(group.first_row + row + 1);
      put(run, result, row, group.rows, rows.columns);
      const bool is_held = files[row] && result.t > files[row]->samples.back().t;
      const Json failure = result.failure.empty()
                               ? Json::list()
                               : Json::list(Json::list(run, group.lines[row], result.failure));
      notes.add(
          {is_held, result.coarse_step.has_value(), result.steps, failure, result.coarse_step});
    }
    rows.notes = notes.data();
  }

  void put(double run, const BatchResult& result, std::size_t row, std::size_t rows,
           Columns& columns) const {
    std::size_t column = 0;
    const auto add = [&](double value) {
      if (row == 0) columns.emplace_back(rows);
      columns[column++][row] = value;
    };
    add(run);
    add(exit_code(ending(result.end)));
    add(result.limit ? static_cast<double>(result.limit->joint + 1) : 0.0);
    add(result.t);
    for (const std::vector<double>* group : {&result.q, &result.qd, &result.qdd, &result.tau}) {
      for (const double value : *group) add(value);
    }
    for (const double value : stacked(result.hand)) {
      if (has_wrench()) add(value);
    }
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const EnergyAudit& energy = result.energy;
    for (const double value : {energy.work, energy.losses, energy.imbalance()}) {
      add(std::isfinite(value) ? value : unknown);
    }
  }

  /// Torques over time of one run; null where it has none.
  [[nodiscard]] File file_of(const Table& group, std::size_t row) const {
    if (!plan_.text_cell) return torques_;
    File file;
    with_torque_file(group, row, [&](const std::string& path) { file = torque_files_.get(path); });
    return file;
  }

  [[nodiscard]] BatchRun run_of(const Table& group, std::size_t row, const File& file) const {
    const std::vector<double> zero(file_.robot.dof());
    const auto state = [&](Quantity quantity, const auto& of_file) {
      const auto given = values(group, row, quantity);
      return given ? *given : file ? of_file(*file).value_or(zero) : zero;
    };
    if (file && !file->first_q && !plan_.has(Quantity::position)) starts_at_zero_ = true;
    BatchRun run;
    run.q0 = state(Quantity::position, [](const TorqueFile& f) { return f.first_q; });
    run.qd0 = state(Quantity::velocity, [](const TorqueFile& f) { return f.first_qd; });
    const auto start = values(group, row, Quantity::time);
    run.start = start ? start->front() : file ? file->samples.front().t : 0.0;
    if (file) {
      run.input = [file, interpolation = options_.interpolation] {
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
    const std::optional<std::size_t> first = plan_.first(quantity);
    if (!first) return {};
    return each(in_order(column_names(quantity, file_.robot.dof()).size()),
                [&](std::size_t i) { return group.columns[*first + i][row]; });
  }

  /// Calls `use` with the path of the file that a row names; its FileErrors get the place of the
  /// cell. Throws InputError where the cell names none.
  void with_torque_file(const Table& group, std::size_t row,
                        const std::function<void(const std::string& path)>& use) const {
    const std::string& name = group.texts[row];
    const std::string where =
        fmt::format("{}:{}: column \"{}\": ", input_.name(), group.lines[row], torque_file_column);
    if (name.empty() || name == "-") {
      throw InputError(where + (name.empty() ? "found an empty cell" : "found \"-\"") +
                       ", expected the name of a file with torques");
    }
    try {
      use(name.front() == '/' ? name : folder_ + name);
    } catch (const FileError& error) {
      throw FileError(where + error.what());
    }
  }

  /// Digest of the files that all rows name, each once.
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
          with_torque_file(rows, row, [&](const std::string& path) {
            if (known.insert(path).second) digest.add(digest_of(InputFile(find_motion(path))));
          });
        }
      }
    }
    return digest.text();
  }

  /// `more` goes into the JSON. Where it is not of all runs, it is for programs alone.
  [[nodiscard]] Document document(const Json& more, bool is_whole) {
    if (plan_.text_cell) run_.remark(torque_files_.recognised());
    Document document = run_.document();
    document.data("options")["forward"] = name(*used_.forward);
    document.add(is_whole ? summary_.sections()
                          : only_for(Audience::programs, summary_.sections()));
    if (starts_at_zero_) {
      const std::string remark =
          "where no q is given, runs start at q = 0; columns q1.. of the batch or of its torques "
          "give another start";
      document.add(Sections{{"", remark}, {"remarks", Json::list(remark)}});
    }
    document.add(more);
    document.warnings = summary_.remarks();
    return document;
  }

  const SimulateOptions& options_;
  Run& run_;
  const RobotFile& file_;
  InputFile input_;
  mutable TorqueFiles torque_files_;
  mutable std::atomic<bool> starts_at_zero_ = false;  ///< a run whose start nothing gives
  std::shared_ptr<const TorqueFile> torques_;         ///< of all runs; may be null
  SimulationOptions used_;
  BatchSimulation simulation_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  std::string folder_;  ///< in which torque files are looked for
  BatchSummary summary_;
};

}  // namespace

Answer run_batch(const SimulateOptions& options, Run& run) {
  BatchJob job(options, run);
  if (!job.run_in(run, AtSignal::kept)) return job.interrupted();
  return job.answer({{"interrupted", false}});
}

std::unique_ptr<RowJob> row_job(const SimulateOptions& options, Run& run) {
  return std::make_unique<BatchJob>(options, run);
}

}  // namespace armdyn
