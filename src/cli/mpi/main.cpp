// armdyn-mpi: vary and simulate --batch on the ranks of an MPI job.

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/file.h>
#include <unistd.h>
#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/file_run.hpp"
#include "cli/options/part_file.hpp"
#include "cli/simulate/options.hpp"
#include "cli/vary/options.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "io/table/npy_table.hpp"
#include "io/text/number_text.hpp"
#include "math/each.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

/// The rank in MPI_COMM_WORLD.
int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw FileError(fmt::format("{} {}: {}", what, path, std::system_category().message(errno)));
}

/// A file whose writes return when the bytes are on the disk. The constructor, write and cut throw
/// FileError.
class DiskFile : boost::noncopyable {
 public:
  DiskFile(std::string path, int flags)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), flags | O_DSYNC | O_NOFOLLOW | O_CLOEXEC, 0666)) {
    require(descriptor_ >= 0);
  }
  ~DiskFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void write(std::string_view bytes, std::uintmax_t place = 0) const {
    require(write_at(descriptor_, bytes, place));
  }
  void cut(std::size_t size) const {
    require(::ftruncate(descriptor_, static_cast<off_t>(size)) == 0);
  }
  /// False where somebody else has locked it, or another file has its name.
  [[nodiscard]] bool lock() const {
    const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    return is_locked && is_file_named(descriptor_, path_);
  }

 private:
  void require(bool is_good) const {
    if (!is_good) fail("cannot write", path_);
  }

  std::string path_;
  int descriptor_;
};

/// Puts a rename or a new file onto the disk.
void sync_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Rows that are done, and notes on them for the summary.
struct FinishedChunk {
  std::uintmax_t first = 0, rows = 0;
  Json notes;
  std::string digest;  ///< of the members above and the rows' bytes

  FinishedChunk(const RowRange& range, Json of_rows, std::string_view bytes)
      : first(range.first),
        rows(range.rows),
        notes(std::move(of_rows)),
        digest(digest_with(bytes)) {}
  explicit FinishedChunk(const Json& line)
      : first(line["first"].as<std::uintmax_t>()),
        rows(line["rows"].as<std::uintmax_t>()),
        notes(line["notes"]),
        digest(line["digest"].as_text()) {}

  [[nodiscard]] Json line() const {
    return {{"first", first}, {"rows", rows}, {"notes", notes}, {"digest", digest}};
  }
  /// The digest with these bytes.
  [[nodiscard]] std::string digest_with(std::string_view bytes) const {
    Digest found;
    found.add(compact_json({{"first", first}, {"rows", rows}, {"notes", notes}}));
    found.add(bytes);
    return found.text();
  }
};

/// OUT.manifest, the list of rows of OUT.part that are on the disk: a line of JSON with the job,
/// then one for each chunk. All functions throw FileError.
class Manifest {
 public:
  /// Makes a new manifest, and a new OUT.part that begins with `head`; or, to resume, takes those
  /// that are there, if any, without chunks whose rows are not in OUT.part as they were recorded.
  /// Throws InputError where they are of another job.
  Manifest(const std::string& output, const Json& job, const std::string& head,
           std::size_t row_bytes, bool resume)
      : output_(output),
        part_(output + ".part"),
        path_(output + ".manifest"),
        has_manifest_(refuse_what_is_there(resume)),
        file_(path_, O_RDWR | O_CREAT | O_APPEND) {
    if (!file_.lock()) {
      throw FileError(fmt::format("cannot write {}: another job is writing it", output));
    }
    std::error_code none;
    if (has_manifest_ && fs::is_regular_file(fs::symlink_status(part_, none)) &&
        !fs::is_empty(path_, none)) {
      this->resume(job, head, row_bytes);
    } else {
      start(job, head);
    }
  }

  /// Chunks by their first rows; none has a row of another.
  using Chunks = std::map<std::uintmax_t, FinishedChunk>;
  [[nodiscard]] const Chunks& finished() const { return finished_; }
  /// Chunks that were recorded and are to be computed again.
  [[nodiscard]] std::size_t damaged() const { return damaged_; }

  /// Records rows that are on the disk: from here on they count as done.
  void record(const FinishedChunk& chunk) {
    append(chunk.line());
    finished_.emplace(chunk.first, chunk);
  }

  /// Puts OUT.part, which has all rows, into its place and removes the manifest.
  void complete() {
    if (::rename(part_.c_str(), output_.c_str()) != 0) fail("cannot write", output_);
    if (::unlink(path_.c_str()) != 0) fail("cannot remove", path_);
    sync_folder(output_);
  }

 private:
  /// Tells whether there is a manifest to resume. Throws FileError for one that is not to be
  /// resumed.
  [[nodiscard]] bool refuse_what_is_there(bool resume) const {
    std::error_code none;
    if (fs::is_directory(output_, none)) {
      throw FileError(
          fmt::format("cannot write {}: it is a folder; add the name of a file", output_));
    }
    const bool has_manifest = fs::exists(path_, none);
    if (has_manifest && !resume) {
      throw FileError(fmt::format(
          "{0} is there: a job for {1} has not ended; go on with --resume, or remove it and {2}",
          path_, output_, part_));
    }
    return has_manifest;
  }

  void start(const Json& job, const std::string& head) {
    ::unlink(part_.c_str());
    DiskFile(part_, O_WRONLY | O_CREAT | O_EXCL).write(head);
    file_.cut(0);
    sync_folder(part_);
    append(job);
  }

  void resume(const Json& job, const std::string& head, std::size_t row_bytes) {
    const InputFile manifest(path_);
    const std::string lines =
        manifest.read_at(0, static_cast<std::size_t>(manifest.size().value_or(0)));
    std::vector<FinishedChunk> recorded;
    std::size_t complete = 0;  // bytes of lines that were written to their ends
    for (std::size_t end = 0; (end = lines.find('\n', complete)) != std::string::npos;
         complete = end + 1) {
      const Json line = parse_json(lines.substr(complete, end - complete));
      if (complete == 0) {
        const std::string other = line.is_object() ? identity_difference(line, job) : "no JSON";
        if (!other.empty()) {
          throw InputError(fmt::format(
              "{}: it is of another job, and cannot be resumed with this one: {}", path_, other));
        }
      } else {
        recorded.emplace_back(line);
      }
    }
    file_.cut(complete);
    if (complete == 0) append(job);
    take(recorded, job, head, row_bytes);
  }

  /// Takes chunks whose rows lie in OUT.part as they were written, each row once, since chunks that
  /// were computed again are recorded twice. Begins anew where OUT.part is no such array.
  void take(const std::vector<FinishedChunk>& recorded, const Json& job, const std::string& head,
            std::size_t row_bytes) {
    const InputFile part(part_);
    const std::uintmax_t size = part.size().value_or(0), all = job["rows"].as<std::uintmax_t>();
    const bool is_array = size >= head.size() && size - head.size() <= all * row_bytes &&
                          part.read_at(0, head.size()) == head;
    const std::uintmax_t rows = is_array ? (size - head.size()) / row_bytes : 0;
    for (const FinishedChunk& chunk : recorded) {
      if (chunk.rows == 0 || chunk.first > rows || chunk.rows > rows - chunk.first ||
          chunk.digest_with(part.read_at(head.size() + chunk.first * row_bytes,
                                         chunk.rows * row_bytes)) != chunk.digest) {
        ++damaged_;
      } else if (!has_row_of(chunk)) {
        finished_.emplace(chunk.first, chunk);
      }
    }
    if (!is_array) start(job, head);
  }

  [[nodiscard]] bool has_row_of(const FinishedChunk& chunk) const {
    const auto next = finished_.upper_bound(chunk.first);
    if (next != finished_.end() && next->first - chunk.first < chunk.rows) return true;
    if (next == finished_.begin()) return false;
    const FinishedChunk& before = std::prev(next)->second;
    return chunk.first - before.first < before.rows;
  }

  void append(const Json& line) const { file_.write(compact_json(line) + "\n"); }

  std::string output_, part_, path_;
  bool has_manifest_;
  DiskFile file_;
  Chunks finished_;
  std::size_t damaged_ = 0;
};

constexpr int tag_of_report = 1, tag_of_range = 2;
constexpr int root = 0;  // the rank that hands out the rows, and works on some

int count_of_ranks() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/// The failure of the first rank that has one, on all ranks.
Failure failure_of_all(Failure mine) {
  const int rank = rank_of_this();
  const int candidate = mine.ending == Ending::done ? INT_MAX : rank;
  int failed = INT_MAX;
  MPI_Allreduce(&candidate, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (failed == INT_MAX) return {};
  std::array<int, 2> head{exit_code(mine.ending), static_cast<int>(mine.message.size())};
  MPI_Bcast(head.data(), 2, MPI_INT, failed, MPI_COMM_WORLD);
  mine.message.resize(static_cast<std::size_t>(head[1]));
  MPI_Bcast(mine.message.data(), head[1], MPI_CHAR, failed, MPI_COMM_WORLD);
  return {static_cast<Ending>(head[0]), mine.message};
}

/// The failure that `work` throws, on the ranks that do it.
Failure failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (...) {
    return current_failure();
  }
}

/// Size of a range in a message between ranks, bytes.
constexpr int size_of_range = static_cast<int>(sizeof(RowRange));

// --- the rank that hands out

/// Divides the rows into units of work, hands out some of them at a time, and keeps account of
/// those that are done. On one rank alone; `serve` runs beside that rank's own work.
class Distribution {
 public:
  Distribution(const RowJob& job, const OutputOptions& output, bool resume)
      : total_(count_rows(job.input())),
        unit_(std::clamp<std::uintmax_t>(total_ / 512, 1, max_unit_rows)),
        units_(job.input().split(unit_)),
        is_taken_(units_.size()),
        manifest_(output.output, {{"rows", total_}, {"grain", unit_}, {"job", job.identity()}},
                  job.head(total_), job.row_bytes(), resume),
        progress_(total_, output.quiet),
        ranks_(static_cast<std::size_t>(count_of_ranks())) {
    if (manifest_.damaged() > 0 && !output.json) {
      say("armdyn: {0}.part has not the rows of {1} that {0}.manifest records; they are computed "
          "again\n",
          output.output, counted(manifest_.damaged(), "chunk"));
    }
    for (const auto& [first, chunk] : manifest_.finished()) {
      resumed_ += chunk.rows;
      for (std::uintmax_t row = first; row < first + chunk.rows; row += unit_) {
        is_taken_.at(static_cast<std::size_t>(row / unit_)) = true;
      }
    }
    done_ = resumed_;
  }

  /// Answers reports with ranges until no rank works any more.
  void serve() {
    auto working = ranks_.size();
    while (working > 0) {
      int has_report = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, tag_of_report, MPI_COMM_WORLD, &has_report, &status);
      if (has_report == 0) {
        std::this_thread::sleep_for(between_looks);
        continue;
      }
      int size = 0;
      MPI_Get_count(&status, MPI_CHAR, &size);
      std::string report(static_cast<std::size_t>(size), '\0');
      MPI_Recv(report.data(), size, MPI_CHAR, status.MPI_SOURCE, tag_of_report, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      Rank& rank = ranks_[static_cast<std::size_t>(status.MPI_SOURCE)];
      Failure failure = failure_in(parse_json(report), rank);
      if (failure_.ending == Ending::done) failure_ = std::move(failure);
      const RowRange range = next_range(rank);
      if (range.rows == 0) --working;
      MPI_Send(&range, size_of_range, MPI_BYTE, status.MPI_SOURCE, tag_of_range, MPI_COMM_WORLD);
      progress_.show(done_, done_);
    }
    progress_.clear();
  }

  [[nodiscard]] const Failure& failure() const { return failure_; }

  /// Notes of all chunks, in the order of their rows.
  [[nodiscard]] std::vector<Json> notes() const {
    return each(manifest_.finished(), [](const auto& chunk) { return chunk.second.notes; });
  }

  /// Fields of a summary's JSON.
  [[nodiscard]] Json account() const {
    const auto data = [](const Rank& rank) {
      return Json{{"rows", rank.rows}, {"chunks", rank.chunks}, {"seconds", rank.seconds}};
    };
    return {{"ranks", each(ranks_, data)},
            {"resumed_rows", resumed_},
            {"damaged_chunks", manifest_.damaged()}};
  }

  void complete() { manifest_.complete(); }

 private:
  struct Rank {
    std::uintmax_t rows = 0, chunks = 0;
    double seconds = 0.0;
    double rate = 0.0;  ///< rows per second of the last chunk
  };

  /// The failure of the rank that reports, or in keeping account of what it did.
  Failure failure_in(const Json& report, Rank& rank) {
    if (!report["message"].is_null()) {
      return {report["exit"].as<Ending>(), report["message"].as_text()};
    }
    if (report["rows"].is_null()) return {};  // the first report of a rank
    return failure_of([&] {
      const FinishedChunk chunk(report);
      manifest_.record(chunk);
      done_ += chunk.rows;
      rank.rows += chunk.rows;
      ++rank.chunks;
      const auto seconds = report["seconds"].as<double>();
      rank.seconds += seconds;
      rank.rate = static_cast<double>(chunk.rows) / std::max(seconds, 1e-6);
    });
  }

  /// The next units that no rank has: as many as take this rank about a second, and not so many
  /// that the others have nothing to do. Without rows at the end and after a failure.
  RowRange next_range(const Rank& rank) {
    constexpr double seconds_of_a_chunk = 1.0;
    while (next_ < units_.size() && is_taken_[next_]) ++next_;
    if (next_ == units_.size() || failure_.ending != Ending::done) return {};
    const auto left = static_cast<double>(units_.size() - next_);
    const double wanted = std::min(rank.rate * seconds_of_a_chunk / static_cast<double>(unit_),
                                   left / (2.0 * static_cast<double>(ranks_.size())));
    RowRange range = units_[next_];
    is_taken_[next_] = true;
    std::size_t count = 1;
    for (++next_;
         next_ < units_.size() && !is_taken_[next_] && static_cast<double>(count + 1) <= wanted;
         ++next_, ++count) {
      const RowRange& more = units_[next_];
      range.rows += more.rows;
      range.end = more.end;
      range.end_line = more.end_line;
      is_taken_[next_] = true;
    }
    return range;
  }

  static constexpr std::uintmax_t max_unit_rows = 256;
  /// More often, looking for reports takes time from the work; less often, ranks wait for an
  /// answer.
  static constexpr std::chrono::milliseconds between_looks{4};

  std::uintmax_t total_, unit_;
  std::vector<RowRange> units_;
  std::vector<bool> is_taken_;
  Manifest manifest_;
  ProgressLine progress_;
  std::vector<Rank> ranks_;
  std::size_t next_ = 0;
  std::uintmax_t done_ = 0, resumed_ = 0;
  Failure failure_;
};

// --- all ranks

/// Computes ranges and reports them until there are no more.
void work(RowJob& job, const std::string& part) {
  const std::uintmax_t head = job.head(0).size();
  std::optional<DiskFile> file;
  Json report = Json::object();
  for (;;) {
    const std::string text = compact_json(report);
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, root, tag_of_report,
             MPI_COMM_WORLD);
    RowRange range;
    MPI_Recv(&range, size_of_range, MPI_BYTE, root, tag_of_range, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (range.rows == 0) return;
    const auto start = std::chrono::steady_clock::now();
    const Failure failure = failure_of([&] {
      if (!file) file.emplace(part, O_WRONLY);
      const RowJob::Chunk chunk = job.run_chunk(range);
      file->write(chunk.bytes, head + range.first * job.row_bytes());
      report = FinishedChunk(range, chunk.notes, chunk.bytes).line();
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      report["seconds"] = taken.count();
    });
    if (failure.ending != Ending::done) {
      report = {{"exit", exit_code(failure.ending)}, {"message", failure.message}};
    }
  }
}

/// Does a job on all ranks of MPI_COMM_WORLD, which all call this: each makes the job by itself and
/// gets chunks of rows until there are no more. The array has the same bytes for any number of
/// ranks. An error on any rank ends all ranks with one message and one exit code; rows that are
/// finished stay for `resume`.
Ending run_on_ranks(const std::function<std::unique_ptr<RowJob>()>& make, FileRun& run,
                    const OutputOptions& output, bool resume) {
  const bool is_first = rank_of_this() == root;
  const std::string part = output.output + ".part";
  std::unique_ptr<RowJob> job;
  std::optional<Distribution> distribution;
  const auto ending_of_all = [&](Failure mine) {
    const Failure failure = failure_of_all(std::move(mine));
    if (is_first) complain(failure, output.json);
    return failure.ending;
  };
  Ending ending = ending_of_all(failure_of([&] { job = make(); }));
  if (ending != Ending::done) return ending;
  ending = ending_of_all(failure_of([&] {
    if (is_first) distribution.emplace(*job, output, resume);
  }));
  if (ending != Ending::done) return ending;
  end_by_oneself_when_interrupted();
  {
    std::jthread server;
    if (is_first) server = std::jthread([&] { distribution->serve(); });
    work(*job, part);
  }
  Failure failure;
  if (is_first && distribution->failure().ending != Ending::done) {
    failure = distribution->failure();
    if (failure.message.empty()) failure.message = "interrupted";
    failure.message += "; the rows that are finished stay in " + part + ", --resume goes on";
  }
  ending = ending_of_all(std::move(failure));
  if (ending != Ending::done) return ending;
  int code = 0;
  ending = ending_of_all(failure_of([&] {
    if (!is_first) return;
    Answer answer = job->finish(distribution->notes(), part, distribution->account());
    run.leave_rows();
    code = exit_code(run.end(std::move(answer), [&] { distribution->complete(); }));
  }));
  if (ending != Ending::done) return ending;
  MPI_Bcast(&code, 1, MPI_INT, root, MPI_COMM_WORLD);
  return static_cast<Ending>(code);
}

void require_files(const OutputOptions& output, bool reads_standard_input, bool is_part) {
  refuse_if(&table_format(output.output) != &npy_format,
            "armdyn-mpi writes arrays of NumPy's format: give -o FILE.npy");
  refuse_if(reads_standard_input,
            "armdyn-mpi reads files, which all ranks can open; name one instead of -");
  refuse_if(is_part, "--part is for armdyn by itself; armdyn-mpi divides the rows");
}
void require_files(const VaryOptions& options) {
  require_files(options.output, options.motion == "-", options.output.part.has_value());
}
void require_files(const SimulateOptions& options) {
  if (options.batch.empty()) throw UsageError("armdyn-mpi simulate needs --batch FILE");
  require_files(options.output, options.batch == "-" || options.torques == "-",
                options.output.part.has_value());
}

/// The verb with its options, and --resume, on all ranks, with one thread each unless told
/// otherwise. The first rank speaks for all.
template <class Options>
Verb on_ranks(const Verb& verb, std::string examples) {
  const auto resume = std::make_shared<bool>(false);
  const auto declare_all = [resume](OptionList& list, Options& options) {
    declare(list, options);
    list.explain("--threads", "threads of each rank (default: 1)");
    list.explain("--output", "output file, an array: FILE.npy");
    list.flag("--resume", *resume, "go on where an earlier job with the same output was ended")
        .unechoed();
  };
  const auto run_all = [resume, name = verb.name](Options options,
                                                  const std::vector<NamedOutput>& outputs) {
    OutputOptions& output = options.output;
    if (output.threads == 0) output.threads = 1;
    if (rank_of_this() != root) output.json = output.quiet = true;
    FileRun run(name, &options.robot, output, outputs);
    const auto make = [&] {
      require_files(options);
      return row_job(options, run);
    };
    return run_on_ranks(make, run, output, *resume);
  };
  return verb_of<Options>(verb.name, verb.purpose, std::move(examples), declare_all, run_all);
}

constexpr char vary_example[] =
    "  mpirun armdyn-mpi vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm "
    "--samples 1000000 -o arms.npy\n";
constexpr char simulate_example[] =
    "  mpirun armdyn-mpi simulate puma560 --batch starts.npy --duration 2 -o ends.npy\n";

ProgramDescription program() {
  return {.name = "armdyn-mpi",
          .purpose =
              "Many arms and many simulations on the ranks of an MPI job: the same bytes as "
              "armdyn for any number of ranks.",
          .examples = std::string(vary_example) + simulate_example,
          .verbs = {on_ranks<VaryOptions>(vary_verb(), vary_example),
                    on_ranks<SimulateOptions>(
                        simulate_verb(),
                        std::string(simulate_example) +
                            "  mpirun armdyn-mpi simulate puma560 --batch starts.npy --duration 2 "
                            "-o ends.npy --resume\n")}};
}

/// Runs before the static objects of libraries, which ask for memory.
[[gnu::constructor(101)]] void before_static_objects() {
  std::set_terminate(on_terminate);
}

/// Does what the command line asks for. Its errors, and help, are the same on all ranks, of which
/// the first says them.
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
    std::fputs("armdyn-mpi: this MPI does not let several threads use it\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
  armdyn::install_interrupt_handlers();
  const int code = armdyn::exit_code(armdyn::run_program(argc, argv));
  MPI_Finalize();
  return code;
}
