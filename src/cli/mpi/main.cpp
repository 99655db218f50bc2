// armdyn-mpi: verbs whose rows --part divides, on the ranks of an MPI job, which make the parts.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "cli/command_line.hpp"
#include "cli/mpi/parts_folder.hpp"
#include "cli/options/file_run.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr int root = 0;  // the rank that distributes the parts, and computes some
constexpr int tag_of_report = 1, tag_of_order = 2;

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

std::size_t count_of_ranks() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return static_cast<std::size_t>(count);
}

void send(const Json& data, int rank, int tag) {
  const std::string text = compact_json(data);
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

struct Message {
  int rank = 0;
  Json data;
};

Message receive(int rank, int tag) {
  MPI_Status status;
  MPI_Probe(rank, tag, MPI_COMM_WORLD, &status);
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return {status.MPI_SOURCE, parse_json(text)};
}

/// The failure that `work` throws.
Failure failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (...) {
    return current_failure();
  }
}

/// The run of one part, silent until the part is complete: the options are quiet, and name it
/// as --part does.
class RangeRun final : public FileRun {
 public:
  /// `order`: its rows, and what the bytes of the whole follow from. All must outlive the run.
  RangeRun(const VerbCall& call, const Json& order) : FileRun(call), order_(order) {}

  [[nodiscard]] bool wants_answer() const override { return false; }

  /// Puts the part into its place; returns the number of its rows. Throws Interrupted where not all
  /// of them are there.
  std::uintmax_t end(const Answer& answer) {
    if (answer.ending == Ending::interrupted) throw Interrupted();
    rows_->commit(part_trailer(*output_.part, identity_, of_part_, answer.notes));
    return of_part_.count;
  }

 private:
  std::optional<RowRange> part_of(const TableSource& /*table*/,
                                  const std::function<Json()>& /*identity*/,
                                  BlockJobFrame& job) override {
    const auto number = [this](const char* key) { return order_[key].as<std::uintmax_t>(); };
    identity_ = order_["job"];
    job.written = &of_part_;
    return RowRange{number("first"), number("rows"),       number("begin"),
                    number("end"),   number("first_line"), number("end_line")};
  }

  const Json& order_;
};

/// Computes the part of an order; returns the number of its rows.
std::uintmax_t make_part(const VerbCall& call, const Json& order) {
  OutputOptions output = call.output;
  output.quiet = output.json = true;  // prints nothing meanwhile
  output.part = {order["part"].as<std::uintmax_t>(), order["of"].as<std::uintmax_t>()};
  output.output = text(PartName{order["whole"].as_text(), *output.part});
  const VerbCall part{call.verb, call.robot, output, {{"-o", &output.output, nullptr}}, call.work};
  RangeRun run(part, order);
  return run.end(call.work(run));
}

/// Makes parts and reports them until there are no more.
void make_parts(const VerbCall& call) {
  end_by_oneself_when_interrupted();
  Json report = Json::object();
  for (;;) {
    send(report, root, tag_of_report);
    const Json order = receive(root, tag_of_order).data;
    if (order["part"].is_null()) return;
    const auto start = std::chrono::steady_clock::now();
    std::uintmax_t rows = 0;
    const Failure failure = failure_of([&] { rows = make_part(call, order); });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    report = {{"rows", rows}, {"seconds", taken.count()}};
    if (failure.ending != Ending::done) {
      report = {{"exit", exit_code(failure.ending)}, {"message", failure.message}};
    }
  }
}

/// Distributes parts until no rank works any more.
class Distribution {
 public:
  /// `next`: the order of a part that is missing, or an empty one. `done`: the parts that are there.
  Distribution(std::function<Json()> next, std::optional<std::uintmax_t> parts, bool quiet,
               std::uintmax_t done = 0)
      : next_(std::move(next)),
        progress_(parts, quiet, "parts"),
        ranks_(count_of_ranks()),
        done_(done) {}

  void serve(std::size_t working) {
    while (working > 0) {
      int has_report = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, tag_of_report, MPI_COMM_WORLD, &has_report, MPI_STATUS_IGNORE);
      if (has_report == 0) {
        std::this_thread::sleep_for(between_looks);
        continue;
      }
      const Message message = receive(MPI_ANY_SOURCE, tag_of_report);
      take(message.data, ranks_[static_cast<std::size_t>(message.rank)]);
      const Json order = failure_.ending == Ending::done ? next_() : Json::object();
      if (order.members().empty()) --working;
      send(order, message.rank, tag_of_order);
    }
    progress_.clear();
  }

  [[nodiscard]] const Failure& failure() const { return failure_; }
  /// Work that each rank has done.
  [[nodiscard]] Json account() const {
    return each(ranks_, [](const Rank& rank) {
      return Json{{"rows", rank.rows}, {"parts", rank.parts}, {"seconds", rank.seconds}};
    });
  }

 private:
  struct Rank {
    std::uintmax_t rows = 0, parts = 0;
    double seconds = 0.0;
  };

  void take(const Json& report, Rank& rank) {
    if (!report["exit"].is_null() && failure_.ending == Ending::done) {
      failure_ = {report["exit"].as<Ending>(), report["message"].as_text()};
    }
    if (report["rows"].is_null()) return;  // the first report of a rank
    ++rank.parts;
    rank.rows += report["rows"].as<std::uintmax_t>();
    rank.seconds += report["seconds"].as<double>();
    ++done_;
    progress_.show(done_, done_);
  }

  /// More often, looking for reports takes time from the work; less often, ranks wait for an
  /// answer.
  static constexpr std::chrono::milliseconds between_looks{4};

  std::function<Json()> next_;
  ProgressLine progress_;
  std::vector<Rank> ranks_;
  std::uintmax_t done_;
  Failure failure_;
};

/// The failure of a rank, which is that of all.
struct FailedOnRanks {
  Failure failure;
};

void refuse_standard_input(const std::string& argument) {
  refuse_if(argument == "-",
            "armdyn-mpi cannot read standard input, since all ranks open the file; name a file "
            "instead of -");
}

/// The numbers of parts, one behind the other.
class RowsOfParts : boost::noncopyable {
 public:
  explicit RowsOfParts(std::vector<PartFile> parts) : parts_(std::move(parts)) {}

  /// Reads the next rows.
  void read(std::size_t rows, Columns& columns) {
    for (std::size_t have = 0; have < rows;) {
      while (row_ == block_.rows) read_block();
      if (have == 0) resize(columns, block_.columns.size(), rows);
      const std::size_t count = std::min(rows - have, block_.rows - row_);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        std::copy_n(&block_.columns[k][row_], count, &columns[k][have]);
      }
      row_ += count;
      have += count;
    }
  }

 private:
  void read_block() {
    while (!table_ || !table_->next(bytes_)) open_next();
    table_->parse(bytes_, plan_, block_);
    row_ = 0;
  }
  void open_next() {
    if (next_ == parts_.size()) throw Error("the parts have fewer rows than their whole");
    table_.reset();
    const PartFile& part = parts_[next_++];
    table_ = input_.emplace(input_of(part)).open();
    plan_ = {};
    plan_.header = table_->header().cells;
    for (const std::string& name : plan_.header) {
      TablePlan::Column& column = plan_.columns.emplace_back();
      column.name = name;
      column.cell = plan_.columns.size() - 1;
      column.may_be_empty = column.may_be_unknown = true;
    }
  }

  std::vector<PartFile> parts_;
  std::size_t next_ = 0;
  std::optional<TableInput> input_;
  std::unique_ptr<TableSource> table_;
  TablePlan plan_;
  RawBlock bytes_;
  Table block_;
  std::size_t row_ = 0;  // of the block, the next one
};

/// The run of the root: its rows are made in parts, by all ranks; then it joins them and takes them
/// for its answer.
class RootRun final : public FileRun {
 public:
  RootRun(const VerbCall& call, bool resumes) : FileRun(call), call_(call), resumes_(resumes) {}

  TableInput open(const std::string& argument, const std::vector<std::string>& topics) override {
    refuse_standard_input(argument);
    return FileRun::open(argument, topics);
  }
  [[nodiscard]] std::vector<Json> notes_of_parts() const override { return notes_; }

  /// Gives the answer, and removes the parts. Throws Interrupted where a signal came while
  /// they were joined: they have more than it.
  Ending finish(Answer answer) {
    if (folder_ && answer.ending == Ending::interrupted) throw Interrupted();
    answer.document.add(account_);
    const Ending ending = end(std::move(answer));
    if (folder_) folder_->remove();
    return ending;
  }
  /// Lets other ranks go, which wait for parts.
  void dismiss() const {
    if (!is_served_) Distribution(Json::object, {}, true).serve(count_of_ranks() - 1);
  }
  /// Adds to a failure, if it is one, which parts stay.
  void add_what_stays(Failure& failure) const {
    if (failure.ending == Ending::done || !folder_) return;
    if (failure.message.empty()) failure.message = "interrupted";
    failure.message += "; complete parts stay in " + folder_->path() + ", --resume continues";
  }

 private:
  std::optional<RowRange> part_of(const TableSource& table, const std::function<Json()>& input,
                                  BlockJobFrame& job) override {
    const RowRange all = rows_of_part(rows_of_parts(table, 1), 1);  // or refuses the table
    const Json whole = identity(input);
    folder_.emplace(output_.output, whole, resumes_);
    if (folder_->damaged() > 0 && !output_.json) {
      say("armdyn: {}: {} changed, computed again\n", folder_->path(),
          counted(folder_->damaged(), "part"));
    }
    make_all(table, whole);
    std::vector<PartFile> parts = parts_of(folder_->whole());
    join_parts(parts, *rows_);
    notes_ = each(parts, &PartFile::notes);
    made_.emplace(std::move(parts));
    job.output = nullptr;
    job.made = [this](std::size_t rows, Columns& columns) { made_->read(rows, columns); };
    return all;
  }

  /// Makes the parts that are missing, on all ranks.
  void make_all(const TableSource& table, const Json& whole) {
    constexpr std::uintmax_t parts_of_a_rank = 8;  // no rank waits long for another at the end
    const auto wanted = folder_->count().value_or(parts_of_a_rank * count_of_ranks());
    const std::vector<RowRange> rows = rows_of_parts(table, wanted);
    const auto count = folder_->count().value_or(std::max<std::size_t>(1, rows.size()));
    std::uintmax_t next = 1;
    const auto next_order = [&] {
      while (next <= count && folder_->has(next)) ++next;
      if (next > count) return Json::object();
      const RowRange range = rows_of_part(rows, next);
      return Json{{"whole", folder_->whole()},
                  {"part", next++},
                  {"of", count},
                  {"first", range.first},
                  {"rows", range.rows},
                  {"begin", range.begin},
                  {"end", range.end},
                  {"first_line", range.first_line},
                  {"end_line", range.end_line},
                  {"job", whole}};
    };
    Distribution distribution(next_order, count, output_.quiet, folder_->found());
    {
      const std::jthread server([&] { distribution.serve(count_of_ranks()); });
      is_served_ = true;
      make_parts(call_);
    }
    account_ = {{"ranks", distribution.account()},
                {"resumed_rows", folder_->resumed_rows()},
                {"damaged_parts", folder_->damaged()}};
    if (distribution.failure().ending != Ending::done) throw FailedOnRanks{distribution.failure()};
  }

  const VerbCall& call_;
  bool resumes_;
  bool is_served_ = false;
  std::optional<PartsFolder> folder_;
  std::optional<RowsOfParts> made_;
  std::vector<Json> notes_;
  Json account_ = Json::object();
};

/// Runs a verb on all ranks of MPI_COMM_WORLD, which all call this. An error on any rank ends all
/// ranks with one message and one exit code.
Ending run_on_ranks(const VerbCall& call, bool resumes) {
  int code = 0;
  if (rank_of_this() == root) {
    RootRun run(call, resumes);
    Failure failure;
    try {
      failure = failure_of([&] {
        if (call.robot != nullptr) refuse_standard_input(call.robot->robot);
        code = exit_code(run.finish(call.work(run)));
      });
    } catch (const FailedOnRanks& other) {
      failure = other.failure;
    }
    run.dismiss();
    run.add_what_stays(failure);
    complain(failure, call.output.json);
    if (failure.ending != Ending::done) code = exit_code(failure.ending);
  } else {
    make_parts(call);
  }
  MPI_Bcast(&code, 1, MPI_INT, root, MPI_COMM_WORLD);
  return static_cast<Ending>(code);
}

/// Options of all verbs: --resume, and one thread for each rank by default.
Host host() {
  const auto resumes = std::make_shared<bool>(false);
  const auto declare = [resumes](OptionList& list, OutputOptions& output) {
    output.divider = "armdyn-mpi";
    list.explain("--threads", "threads of each rank (default: 1)");
    list.flag("--resume", *resumes, "continue an interrupted job with the same output").unechoed();
    list.check([&output] {
      refuse_if(output.part.has_value(),
                "--part is for armdyn by itself; armdyn-mpi divides the rows");
      if (output.threads == 0) output.threads = 1;
    });
  };
  return {declare, [resumes](const VerbCall& call) { return run_on_ranks(call, *resumes); }};
}

ProgramDescription program() {
  constexpr std::string_view command = "  mpirun armdyn-mpi ";
  const std::vector<std::string> examples{
      "vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm --samples 1000000 -o "
      "arms.npy\n",
      "simulate puma560 --batch starts.npy --duration 2 -o ends.npy\n",
      "simulate puma560 --batch starts.npy --duration 2 -o ends.npy --resume\n",
      "torque puma560 puma560-pick-and-place --bounds -o torques.csv\n"};
  ProgramDescription program{.name = "armdyn-mpi",
                             .purpose =
                                 "Many arms, many simulations and long motions on the ranks "
                                 "of an MPI job: the same bytes as armdyn for any number of "
                                 "ranks.",
                             .examples = {},
                             .host = host()};
  for (const std::string& example : examples) program.examples += std::string(command) + example;
  for (Verb& verb : all_verbs()) {
    if (!has_option(verb, "--part")) continue;
    std::string of_verb;
    for (const std::string& example : examples) {
      if (example.starts_with(verb.name + " ")) of_verb += std::string(command) + example;
    }
    if (!of_verb.empty()) verb.examples = of_verb;
    program.verbs.push_back(std::move(verb));
  }
  return program;
}

/// Runs before the static objects of libraries, which ask for memory.
[[gnu::constructor(101)]] void before_static_objects() {
  std::set_terminate(on_terminate);
}

/// Runs the command line. Its errors, and help, are the same on all ranks; the
/// first one prints them.
Ending run_program(int argc, const char* const* argv) {
  const bool is_first = rank_of_this() == root;
  for (int i = 1; i < argc && !is_first; ++i) {
    if (asks_about_program(argv[i]) && (i == 1 || argv[i][0] == '-')) return Ending::done;
  }
  try {
    return parse_command_line(argc, argv, program())();
  } catch (...) {
    const Failure failure = current_failure();
    if (is_first) complain(failure, asks_for_json(argc, argv));
    return failure.ending;
  }
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) {
    std::fputs("armdyn-mpi: this MPI library does not support several threads\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
  armdyn::install_interrupt_handlers();
  const int code = armdyn::exit_code(armdyn::run_program(argc, argv));
  MPI_Finalize();
  return code;
}
