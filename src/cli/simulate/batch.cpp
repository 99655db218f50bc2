// armdyn simulate --batch: what motions do these torques make, from many states at once?

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <set>

#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/simulate/options.hpp"
#include "log/row_writer.hpp"
#include "math/rigid.hpp"
#include "math/statistics.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

// Meaning of a batch file's columns.

/// The column of a batch file that names a torque file in each row.
constexpr const char* torque_file_column = "torques";

/// Plan of a batch file's columns. Throws InputError for columns that exclude one another or are
/// missing.
ColumnPlan plan_batch(const Header& header, const Robot& robot, bool has_torques,
                      ColumnOptions columns) {
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
  columns.text_column = torque_file_column;
  // The groups of an array without names follow from those that it must have.
  const Need state = over_time && header.is_written ? Need::optional : Need::required;
  ColumnPlan plan = plan_columns(header, robot,
                                 {{Quantity::run, Need::optional},
                                  {Quantity::time, Need::optional},
                                  {Quantity::position, state},
                                  {Quantity::velocity, Need::optional},
                                  {Quantity::acceleration, Need::optional},
                                  {Quantity::torque, Need::optional},
                                  {Quantity::contact_wrench, Need::optional}},
                                 columns);
  for (const Quantity constant : {Quantity::torque, Quantity::contact_wrench}) {
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

/// Files with torques by their names, each in memory once, as long as it is used. For any thread.
class TorqueFiles {
 public:
  TorqueFiles(const SimulateOptions& options, Run& run)
      : options_(options), run_(run), robot_(run.robot().robot) {}

  /// Throws as Run::open and TorqueRows.
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

  /// Line for the user about the kind of log that the first file by name was recognized as, with
  /// the number of others; or nothing.
  [[nodiscard]] std::string recognized() {
    const std::lock_guard lock(mutex_);
    if (recognized_.empty()) return "";
    const auto& [file, text] = *recognized_.begin();
    const std::size_t others = recognized_.size() - 1;
    const std::string like_it =
        others == 0 ? "" : "; likewise " + counted(others, "more torque file");
    return recognized_line(file, text + like_it);
  }

 private:
  [[nodiscard]] std::shared_ptr<const TorqueFile> read(const std::string& path) {
    const auto file = std::make_shared<TorqueFile>();
    TorqueRows rows(run_.open(path, options_.topics), robot_,
                    {.ignore_extra = options_.columns.ignore_extra});
    if (!rows.plan().recognized.empty()) recognized_[rows.input().name()] = rows.plan().recognized;
    for (TorqueSample sample; rows.next(sample);) file->samples.push_back(sample);
    throw_if_interrupted();  // which ends the rows as well
    file->has_wrench = rows.has_wrench();
    file->first_q = rows.first_q();
    file->first_qd = rows.first_qd();
    return file;
  }

  const SimulateOptions& options_;
  Run& run_;
  const Robot& robot_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const TorqueFile>> files_;
  std::map<std::string, std::string> recognized_;  ///< kind of log, by the file's name
};

// Results of a batch.

/// Groups of a run's row: the run; its end by exit, joint and time; its last state.
std::vector<Quantity> batch_groups(bool has_wrench) {
  std::vector<Quantity> groups{Quantity::run,      Quantity::run_end,  Quantity::time,
                               Quantity::position, Quantity::velocity, Quantity::acceleration,
                               Quantity::torque};
  if (has_wrench) groups.push_back(Quantity::contact_wrench);
  groups.push_back(Quantity::energy_audit);
  return groups;
}

constexpr std::size_t most_failures_told = 5;
constexpr const char* starts_at_zero_remark =
    "where no q is given, runs start at q = 0; columns q1.. of the batch or of its torques give "
    "another start";

/// Facts about some runs that their rows lack, as the answer has them.
struct BatchNotes {
  std::uintmax_t held = 0;  ///< runs whose last torque was held
  std::uintmax_t steps = 0;
  std::uintmax_t coarse = 0;     ///< runs with a step that is coarse for the arm
  bool starts_at_zero = false;   ///< a run whose start nothing gives
  std::vector<Json> failures{};  ///< the first ones
  Json coarsest{};               ///< of the steps; null: none is

  void add(const BatchNotes& more) {
    held += more.held;
    steps += more.steps;
    coarse += more.coarse;
    starts_at_zero = starts_at_zero || more.starts_at_zero;
    for (const Json& failure : more.failures) {
      if (failures.size() < most_failures_told) failures.push_back(failure);
    }
    const auto advised = [](const Json& step) { return step["advised"].as<double>(); };
    if (more.coarsest.is_null()) return;
    if (coarsest.is_null() || advised(more.coarsest) < advised(coarsest)) coarsest = more.coarsest;
  }

  /// The notes of a part, which are in the answer as well.
  [[nodiscard]] Json data() const {
    Json data{{"held", held}, {"steps", steps}, {"failures", failures}};
    if (!coarsest.is_null()) {
      data["coarse_step"] = coarsest;
      data["coarse_step"]["runs"] = coarse;
    }
    if (starts_at_zero) data["remarks"] = Json::list(starts_at_zero_remark);
    return data;
  }
};

/// The facts that the notes of a part have.
BatchNotes notes_of(const Json& noted) {
  const Json& coarsest = noted["coarse_step"];
  return {noted["held"].as<std::uintmax_t>(),    noted["steps"].as<std::uintmax_t>(),
          coarsest["runs"].as<std::uintmax_t>(), !noted["remarks"].is_null(),
          noted["failures"].entries(),           coarsest};
}

/// Rows of runs.
struct BatchRows {
  Columns columns;
  BatchNotes notes;
};

class BatchSummary {
 public:
  /// `file`: the batch file, for messages with lines.
  BatchSummary(const Robot& robot, std::string file)
      : robot_(robot),
        file_(std::move(file)),
        joints_(robot.dof()),
        followers_at_limit_(robot.followers.size()) {}

  /// Adds rows of runs, in their order.
  void add(const BatchRows& more) {
    for (std::size_t row = 0; row < more.columns.front().size(); ++row) add_row(more.columns, row);
    notes_.add(more.notes);
  }
  /// Adds what the rows of a part lack.
  void add(const BatchNotes& notes) { notes_.add(notes); }

  void use(const SimulationOptions& used) { used_ = used; }

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// `failed` where the numerics of a run did, else `no` where one ended at a limit.
  [[nodiscard]] Ending ending() const {
    if (failed_ > 0) return Ending::failed;
    return at_limit_ > 0 ? Ending::no : Ending::done;
  }

  [[nodiscard]] Sections sections() const {
    Fields line = head();
    append(line, ends());
    for (Field& field : line) field.key.clear();
    const bool ended = runs_ > failed_;
    Sections found{
        {"", head(), "", false, Audience::programs},
        {"ends", ends(), "", false, Audience::programs},
        {"", line},
        {"", notes()},
        {"joints", FieldTable{joints()}, "", false, ended ? Audience::all : Audience::programs}};
    if (ended) found.push_back({"imbalance", imbalance()});
    return found;
  }
  [[nodiscard]] Json notes() const { return notes_.data(); }

  [[nodiscard]] bool is_empty() const { return runs_ == 0; }
  /// Remarks on runs that failed, steps too long for the arm, and torques that were held.
  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> remarks;
    for (const Json& failure : notes_.failures) {
      const Json& of_file = failure["line"];
      const std::string line =
          of_file.is_null() ? "" : fmt::format(" ({}:{})", file_, of_file.as<std::size_t>());
      remarks.push_back(fmt::format("run {}{}: {}", failure["run"].as<double>(), line,
                                    failure["message"].as_text()));
    }
    if (const std::size_t told = notes_.failures.size(); failed_ > told) {
      remarks.push_back(fmt::format("{} more failed; they have exit {} in the output",
                                    failed_ - told, exit_code(Ending::failed)));
    }
    for (std::size_t k = 0; k < followers_at_limit_.size(); ++k) {
      if (followers_at_limit_[k] == 0) continue;
      remarks.push_back(fmt::format("{} ended at a limit of {}, which follows other joints",
                                    counted(followers_at_limit_[k], "run"),
                                    robot_.followers[k].name));
    }
    if (!notes_.coarsest.is_null()) {
      remarks.push_back(fmt::format("in {}, at the worst {}", counted(notes_.coarse, "run"),
                                    notes_.coarsest["message"].as_text()));
    }
    if (notes_.held > 0) {
      remarks.push_back(
          fmt::format("in {} the last torque is held to the end", counted(notes_.held, "run")));
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
      const auto joint = static_cast<std::size_t>(number(2)) - 1;
      ++(joint < n ? joints_[joint].at_limit : followers_at_limit_.at(joint - n));
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
              {"q_last_range", for_programs, both(q)},
              {for_people, "q last from", Value::number(q.least, position_unit(joint))},
              {for_people, "to", Value::number(q.greatest, position_unit(joint))},
              {"unit", "", Value::unit_of(position_unit(joint))},
              {"qd_last_range", for_programs, both(qd)},
              {for_people, "qd last from", Value::number(qd.least, speed_unit(joint))},
              {for_people, "to", Value::number(qd.greatest, speed_unit(joint))},
              {for_people, "", Value::unit_of(speed_unit(joint))},
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
  std::vector<std::size_t> followers_at_limit_;
  std::size_t runs_ = 0, at_limit_ = 0, failed_ = 0;
  BatchNotes notes_;
  Imbalance largest_;
};

/// Bytes that a thread takes at a time: enough rows for all lanes, if that leaves two blocks per
/// thread; few where runs are computed one by one. Results do not depend on it.
BlockLimits block_limits(const TableInput& input, std::size_t lanes, unsigned threads) {
  constexpr std::uintmax_t fewest = 1024, most = 64 * 1024, of_a_pipe = 16 * 1024;
  BlockLimits limits{.block_size = fewest};
  if (lanes == 1) return limits;
  const std::uintmax_t blocks = std::uintmax_t{2} * or_all_cores(threads);
  const std::uintmax_t share = input.size() ? *input.size() / blocks + 1 : of_a_pipe;
  limits.block_size = static_cast<std::size_t>(std::clamp(share, fewest, most));
  return limits;
}

std::string folder_of(const TableInput& input, const std::string& path) {
  if (!input.size()) return {};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "" : folder.string() + "/";
}

void refuse_what_is_no_batch(const SimulateOptions& options, const Run& run) {
  const auto refuse = [](bool given, const char* option, const char* instead) {
    refuse_if(given, "simulate: {} cannot be used with --batch{}", option, instead);
  };
  refuse(!options.q0.empty(), "--q0", "; FILE has q in columns q1..");
  refuse(!options.qd0.empty(), "--qd0", "; FILE has qd in columns qd1..");
  refuse(options.simulation.every != 1, "--every", ", which writes the end of each run");
  refuse(options.simulation.estimate_error, "--estimate-error",
         "; simulate one run by itself for that");
  refuse(options.plot.is_wanted(), "--plot", "; simulate one run by itself for that");
  refuse_if(options.batch == "-" && options.torques == "-",
            "simulate: TORQUES and --batch cannot both be standard input");
  refuse_if(run.is_absent(options.batch),
            "simulate: --batch - reads standard input; pipe a CSV file in");
}

/// A batch file, and remarks on its runs.
class Batch {
 public:
  Batch(const SimulateOptions& options, Run& run)
      : options_((refuse_what_is_no_batch(options, run), options)),
        run_(run),
        file_(run.robot()),
        input_(run.open(options.batch, {})),
        torque_files_(options, run),
        torques_(options.torques.empty() ? nullptr : torque_files_.get(options.torques)),
        used_(simulation_options(options, file_.robot)),
        simulation_(normalize(file_.robot), used_),
        table_(input_.open(block_limits(input_, simulation_.lanes(), options.output.threads),
                           HeaderLine::written, "q1,qd1,tau1")),
        plan_(plan_batch(table_->header(), file_.robot, !options.torques.empty(), options.columns)),
        folder_(folder_of(input_, options.batch)),
        summary_(file_.robot, input_.name()) {
    run.recognized(input_.name(), plan_);
    if (torques_) run_.remark(torque_files_.recognized());
    refuse_if(!options.simulation.duration && !torques_ && !plan_.text_cell,
              "simulate: without torques over time, --batch needs --duration, e.g. --duration 2");
    summary_.use(used_);
  }

  Answer answer() {
    try {
      simulate_runs();
    } catch (const Interrupted&) {
      return interrupted();
    }
    for (const Json& part : run_.notes_of_parts()) summary_.add(notes_of(part));
    return {.document = document({{"interrupted", false}}, true),
            .ending = summary_.ending(),
            .notes = summary_.notes()};
  }

 private:
  using File = std::shared_ptr<const TorqueFile>;

  /// Writes a row for each run.
  void simulate_runs() {
    BlockJob<BatchRows> job;
    BlockWriter<BatchRows> writer(run_.rows("-o", AtSignal::kept), &file_.robot);
    writer.add_groups(file_.robot.dof(), batch_groups(has_wrench()), &BatchRows::columns);
    writer.allow_unknown();  // of a run that failed
    writer.print(job);
    job.make_worker = [this] {
      return [this, simulation = simulation_](const Table& group, BatchRows& rows) mutable {
        simulate(simulation, group, rows);
      };
    };
    job.in_order = [this](const Table&, const BatchRows& rows) { summary_.add(rows); };
    run_.blocks(*table_, plan_, std::move(job), input_.size(), [this] { return digests(); });
  }

  /// The digests of all files that are read.
  [[nodiscard]] Json digests() const {
    Json input{{"batch", run_.digest(options_.batch)}};
    if (torques_) input["torques"] = run_.digest(options_.torques);
    if (plan_.text_cell) input["torques"] = digest_of_torque_files();
    return input;
  }

  /// The answer after a signal, with the runs so far.
  [[nodiscard]] Answer interrupted() {
    run_.end_progress();
    const std::string message = "interrupted; " + summary_.kept_runs();
    Answer answer{document({{"interrupted", true}, {"message", message}}, false)};
    if (summary_.runs() == 0) answer.document.warnings->clear();
    answer.ending = Ending::interrupted;
    answer.message = message;
    return answer;
  }

  [[nodiscard]] bool has_wrench() const {
    return torques_ ? torques_->has_wrench
                    : plan_.has(Quantity::contact_wrench) || plan_.text_cell.has_value();
  }

  /// Computes a row for each run. Throws Interrupted, and InputError and FileError of a torque
  /// file.
  void simulate(BatchSimulation& simulation, const Table& group, BatchRows& rows) const {
    std::vector<File> files;
    std::vector<BatchRun> runs;
    for (std::size_t row = 0; row < group.rows; ++row) {
      files.push_back(file_of(group, row));
      runs.push_back(run_of(group, row, files.back()));
    }
    const std::vector<BatchResult> found = simulation(runs);
    const std::optional<std::size_t> number = plan_.first(Quantity::run);
    rows = {};
    for (std::size_t row = 0; row < group.rows; ++row) {
      const BatchResult& result = found[row];
      if (result.end == SimulationEnd::stopped) throw Interrupted();
      const double run =
          number ? group.columns[*number][row] : static_cast<double>(group.first_row + row + 1);
      put(run, result, row, group.rows, rows.columns);
      rows.notes.add(notes(run, result, group.lines[row], files[row]));
    }
  }

  /// Notes on one run.
  [[nodiscard]] BatchNotes notes(double run, const BatchResult& result, std::size_t line,
                                 const File& file) const {
    BatchNotes notes{.held = file && result.t > file->samples.back().t,
                     .steps = result.steps,
                     .coarse = result.coarse_step.has_value(),
                     .starts_at_zero = starts_at_zero(file)};
    if (!result.failure.empty()) {
      Json& failure = notes.failures.emplace_back(Json{{"run", run}, {"message", result.failure}});
      if (table_->header().line > 0) failure["line"] = line;
    }
    if (const auto& coarse = result.coarse_step) {
      notes.coarsest = coarse_step_data(*coarse, file_.robot);
      notes.coarsest["message"] = coarse_step_text(*coarse, file_.robot, coarse->step);
    }
    return notes;
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
    for (const double value : stacked(result.wrench)) {
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

  /// Tests whether neither the batch nor the torques of a run give its start.
  [[nodiscard]] bool starts_at_zero(const File& file) const {
    return file && !file->first_q && !plan_.has(Quantity::position);
  }

  [[nodiscard]] BatchRun run_of(const Table& group, std::size_t row, const File& file) const {
    const std::vector<double> zero(file_.robot.dof());
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
      run.input = [file, interpolation = options_.interpolation] {
        return torques_of(file, interpolation);
      };
      return run;
    }
    run.tau = values(group, row, Quantity::torque).value_or(zero);
    if (const auto w = values(group, row, Quantity::contact_wrench)) run.wrench = wrench_of(*w);
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
            if (known.insert(path).second) digest.add(run_.digest(path));
          });
        }
      }
    }
    return digest.text();
  }

  /// `more` goes into the JSON. Where it is not of all runs, it is for programs alone.
  [[nodiscard]] Document document(const Json& more, bool is_whole) {
    if (plan_.text_cell) run_.remark(torque_files_.recognized());
    Document document = run_.document();
    document.data("options")["method"] = name(*used_.method);
    document.add(is_whole ? summary_.sections()
                          : only_for(Audience::programs, summary_.sections()));
    if (!summary_.notes()["remarks"].is_null()) document.add(std::string(starts_at_zero_remark));
    document.add(more);
    document.warnings = summary_.remarks();
    if (summary_.is_empty())
      document.warnings->insert(document.warnings->begin(), run_.has_no_rows("batch"));
    return document;
  }

  const SimulateOptions& options_;
  Run& run_;
  const RobotFile& file_;
  TableInput input_;
  mutable TorqueFiles torque_files_;
  File torques_;  ///< of all runs; may be null
  SimulationOptions used_;
  BatchSimulation simulation_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  std::string folder_;  ///< in which torque files are looked for
  BatchSummary summary_;
};

}  // namespace

Answer run_batch(const SimulateOptions& options, Run& run) {
  return Batch(options, run).answer();
}

}  // namespace armdyn
