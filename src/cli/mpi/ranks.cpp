#include "cli/mpi/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "cli/failure.hpp"
#include "cli/mpi/manifest.hpp"
#include "io/file/interrupt.hpp"
#include "io/text/number_text.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

constexpr int tag_of_report = 1, tag_of_range = 2;
constexpr int first_rank = 0;  // hands out the rows, and works on some

int count_of_ranks() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/// The failure of the first rank that has one becomes that of all.
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

/// What `work` throws, on the ranks that do it.
Failure failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (...) {
    return current_failure();
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// --- ranges as they travel

using RangeNumbers = std::array<std::uint64_t, 6>;

RangeNumbers numbers(const RowRange& range) {
  return {range.first, range.rows, range.begin, range.end, range.first_line, range.end_line};
}

RowRange range_of(const RangeNumbers& n) {
  return {n[0], n[1], n[2], n[3], static_cast<std::size_t>(n[4]), static_cast<std::size_t>(n[5])};
}

// --- who hands out

/// Divides the rows into grains, hands out some of them at a time, and keeps account of what is
/// done. On one rank alone; `serve` runs beside that rank's own work.
class Distribution {
 public:
  Distribution(const RowJob& job, const OutputOptions& output, bool resume)
      : total_(rows_of(job)),
        grain_(std::clamp<std::uintmax_t>(total_ / 512, 1, most_rows_of_a_grain)),
        grains_(job.split(grain_)),
        is_taken_(grains_.size()),
        manifest_(output.output, {{"rows", total_}, {"grain", grain_}, {"job", job.identity()}},
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
      for (std::uintmax_t row = first; row < first + chunk.rows; row += grain_) {
        is_taken_.at(static_cast<std::size_t>(row / grain_)) = true;
      }
    }
    done_ = resumed_;
  }

  /// Answers reports with ranges until no rank works any more.
  void serve() {
    auto working = ranks_.size();
    while (working > 0) {
      int is_there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, tag_of_report, MPI_COMM_WORLD, &is_there, &status);
      if (is_there == 0) {
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
      const RangeNumbers range = numbers(next_range(rank));
      if (range[1] == 0) --working;
      MPI_Send(range.data(), static_cast<int>(range.size()), MPI_UINT64_T, status.MPI_SOURCE,
               tag_of_range, MPI_COMM_WORLD);
      progress_.show(done_, done_);
    }
    progress_.clear();
  }

  [[nodiscard]] const Failure& failure() const { return failure_; }

  /// What all chunks say, in the order of their rows.
  [[nodiscard]] std::vector<Json> summaries() const {
    std::vector<Json> summaries;
    for (const auto& [first, chunk] : manifest_.finished()) summaries.push_back(chunk.summary);
    return summaries;
  }

  /// For the JSON of a summary.
  [[nodiscard]] Json account() const {
    Json ranks = Json::list();
    for (const Rank& rank : ranks_) {
      ranks.push_back(
          Json{{"rows", rank.rows}, {"chunks", rank.chunks}, {"seconds", rank.seconds}});
    }
    return {{"ranks", ranks}, {"resumed_rows", resumed_}, {"damaged_chunks", manifest_.damaged()}};
  }

  void complete() { manifest_.complete(); }

 private:
  struct Rank {
    std::uintmax_t rows = 0, chunks = 0;
    double seconds = 0.0;
    double rate = 0.0;  ///< rows per second of the last chunk
  };

  static std::uintmax_t rows_of(const RowJob& job) {
    std::uintmax_t rows = 0;
    for (const RowRange& all : job.split(std::numeric_limits<std::uintmax_t>::max() / 2)) {
      rows += all.rows;
    }
    return rows;
  }

  /// Of the rank that reports, or in keeping account of what it did.
  Failure failure_in(const Json& report, Rank& rank) {
    if (report.contains("message")) {
      return {report["exit"].as<Ending>(), report["message"].as_text()};
    }
    if (!report.contains("rows")) return {};  // the first report of a rank
    return failure_of([&] { account_for(report, rank); });
  }

  void account_for(const Json& report, Rank& rank) {
    const auto rows = report["rows"].as<std::uintmax_t>();
    const auto seconds = report["seconds"].as<double>();
    manifest_.record({report["first"].as<std::uintmax_t>(), rows, report["summary"],
                      report["digest"].as_text()});
    done_ += rows;
    rank.rows += rows;
    ++rank.chunks;
    rank.seconds += seconds;
    rank.rate = static_cast<double>(rows) / std::max(seconds, 1e-6);
  }

  /// The next grains that nobody has: as many as take this rank about a second, and no more
  /// than leaves the others something to do. Without rows at the end and after a failure.
  RowRange next_range(const Rank& rank) {
    constexpr double seconds_of_a_chunk = 1.0;
    while (next_ < grains_.size() && is_taken_[next_]) ++next_;
    if (next_ == grains_.size() || failure_.ending != Ending::done) return {};
    const auto left = static_cast<double>(grains_.size() - next_);
    const double wanted = std::min(rank.rate * seconds_of_a_chunk / static_cast<double>(grain_),
                                   left / (2.0 * static_cast<double>(ranks_.size())));
    RowRange range = grains_[next_];
    is_taken_[next_] = true;
    std::size_t count = 1;
    for (++next_;
         next_ < grains_.size() && !is_taken_[next_] && static_cast<double>(count + 1) <= wanted;
         ++next_, ++count) {
      const RowRange& more = grains_[next_];
      range.rows += more.rows;
      range.end = more.end;
      range.end_line = more.end_line;
      is_taken_[next_] = true;
    }
    return range;
  }

  static constexpr std::uintmax_t most_rows_of_a_grain = 256;
  /// More often, looking for reports takes time from the work; less often, ranks wait for an answer.
  static constexpr std::chrono::milliseconds between_looks{4};

  std::uintmax_t total_, grain_;
  std::vector<RowRange> grains_;
  std::vector<bool> is_taken_;
  Manifest manifest_;
  ProgressLine progress_;
  std::vector<Rank> ranks_;
  std::size_t next_ = 0;
  std::uintmax_t done_ = 0, resumed_ = 0;
  Failure failure_;
};

// --- who works

/// OUT.part, open for this rank alone. Throws FileError.
class PartFile {
 public:
  explicit PartFile(const std::string& path) : path_(path) {
    require(MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_));
  }
  ~PartFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Onto the disk.
  void write(std::uintmax_t place, const std::string& bytes) {
    constexpr std::size_t most = std::size_t{1} << 30U;  // what an int counts
    for (std::size_t done = 0; done < bytes.size();) {
      const auto count = static_cast<int>(std::min(most, bytes.size() - done));
      MPI_Status status;
      errno = 0;
      require(MPI_File_write_at(file_, static_cast<MPI_Offset>(place + done), bytes.data() + done,
                                count, MPI_BYTE, &status));
      int written = 0;
      MPI_Get_count(&status, MPI_BYTE, &written);
      if (written <= 0) fail("the disk takes no more");
      done += static_cast<std::size_t>(written);
    }
    require(MPI_File_sync(file_));
  }

 private:
  void require(int error) const {
    if (error == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(error, text.data(), &length);
    fail(std::string(text.data(), static_cast<std::size_t>(length)));
  }

  /// MPI's own words are "input/output error", mostly.
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError("cannot write " + path_ + ": " +
                    (errno != 0 ? std::system_category().message(errno) : what));
  }

  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

/// Computes ranges and reports them until there are no more.
void work(RowJob& job, const std::string& part) {
  const std::uintmax_t head = job.head(0).size();
  std::optional<PartFile> file;
  Json report = Json::object();
  for (;;) {
    const std::string text = compact_json(report);
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, first_rank, tag_of_report,
             MPI_COMM_WORLD);
    RangeNumbers received{};
    MPI_Recv(received.data(), static_cast<int>(received.size()), MPI_UINT64_T, first_rank,
             tag_of_range, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const RowRange range = range_of(received);
    if (range.rows == 0) return;
    const auto start = std::chrono::steady_clock::now();
    const Failure failure = failure_of([&] {
      if (!file) file.emplace(part);
      RowJob::Done done = job.run(range);
      file->write(head + range.first * job.row_bytes(), done.bytes);
      const FinishedChunk chunk{range.first, range.rows, std::move(done.summary), {}};
      report = {{"first", chunk.first},
                {"rows", chunk.rows},
                {"seconds", seconds_since(start)},
                {"summary", chunk.summary},
                {"digest", digest_of(chunk, done.bytes)}};
    });
    if (failure.ending != Ending::done) {
      report = {{"exit", exit_code(failure.ending)}, {"message", failure.message}};
    }
  }
}

}  // namespace

int rank_of_this() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

Ending run_on_ranks(const std::function<std::unique_ptr<RowJob>()>& make,
                    const OutputOptions& output, bool resume) {
  const bool is_first = rank_of_this() == first_rank;
  const std::string part = output.output + ".part";
  std::unique_ptr<RowJob> job;
  std::optional<Distribution> distribution;
  const auto fails = [&](Failure mine, Failure& failure) {
    failure = failure_of_all(std::move(mine));
    if (is_first) complain(failure, output.json);
    return failure.ending != Ending::done;
  };
  Failure failure;
  if (fails(failure_of([&] { job = make(); }), failure)) return failure.ending;
  if (fails(failure_of([&] {
              if (is_first) distribution.emplace(*job, output, resume);
            }),
            failure)) {
    return failure.ending;
  }
  end_by_oneself_when_interrupted();
  {
    std::jthread server;
    if (is_first) server = std::jthread([&] { distribution->serve(); });
    work(*job, part);
  }
  if (is_first && distribution->failure().ending != Ending::done) {
    failure = distribution->failure();
    if (failure.message.empty()) failure.message = "interrupted";
    failure.message += "; the rows that are finished stay in " + part + ", --resume goes on";
  }
  if (fails(failure, failure)) return failure.ending;
  int ending = 0;
  const Failure at_end = failure_of([&] {
    if (!is_first) return;
    const RowJob::Said said = job->finish(distribution->summaries(), part, distribution->account());
    distribution->complete();
    print(said);
    ending = exit_code(said.ending);
  });
  if (fails(at_end, failure)) return failure.ending;
  MPI_Bcast(&ending, 1, MPI_INT, first_rank, MPI_COMM_WORLD);
  return static_cast<Ending>(ending);
}

}  // namespace armdyn
