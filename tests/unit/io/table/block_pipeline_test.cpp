#include "io/table/block_pipeline.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <signal.h>
#include <armdyn/error.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "io/file/interrupt.hpp"
#include "io/table/csv_table.hpp"
#include "io/table/table_format.hpp"
#include "log/columns.hpp"
#include "log/row_writer.hpp"
#include "support/csv_test_tools.hpp"
#include "text/number_text.hpp"

namespace armdyn {
namespace {

constexpr BlockLimits small_blocks{256, 1024};

/// The calling thread may use one core alone.
TEST(UsableCores, AreThoseOfTheThread) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  std::size_t core = 0;
  while (!CPU_ISSET(core, &before)) ++core;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(), 1U);
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(usable_cores(), static_cast<unsigned>(CPU_COUNT(&before)));
}

std::string motion(std::size_t rows) {
  std::string text = "t,q1,q2\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += std::to_string(i) + "," + number_text(std::sin(static_cast<double>(i))) + ",0.5\n";
    if (i % 7 == 0) text += "# now and then a comment\n\n";
  }
  return text;
}

std::string with_line(std::string text, std::size_t row, const std::string& line) {
  const std::size_t begin = text.find("\n" + std::to_string(row) + ",") + 1;
  return text.replace(begin, text.find('\n', begin) - begin, line);
}

using Sums = std::vector<double>;
using SumJob = BlockJob<Sums>;

SumJob::Work sum_of_positions() {
  return [](const Table& input, Sums& result) {
    result.resize(input.rows);
    for (std::size_t row = 0; row < input.rows; ++row) {
      result[row] = input.columns[1][row] + input.columns[2][row];
    }
  };
}

// Some blocks take much longer than others, so that they overtake each other.
SumJob::Work uneven_sum() {
  return [sum = sum_of_positions()](const Table& input, Sums& result) {
    const auto first = static_cast<int>(input.columns[0][0]);
    std::this_thread::sleep_for(std::chrono::microseconds(first % 3 == 0 ? 2000 : 10));
    sum(input, result);
  };
}

struct SumRun {
  explicit SumRun(std::string text) : input(std::move(text)) { job.make_worker = uneven_sum; }

  Progress into(const std::string& path) {
    CsvTable reader(source ? source : source_of(input), "motion.csv", small_blocks);
    const ColumnPlan plan =
        plan_columns(reader.header(), revolute_robot(2), {{Quantity::time}, {Quantity::position}});
    TableWriter writer(csv_format);
    writer.add(Quantity::time, 1);
    writer.add(Quantity::torque, 1);
    OutputFile output(path);
    job.output = &output;
    job.print_header = [&](std::string& bytes) { writer.append_header(bytes); };
    job.print = [&](std::string& bytes, const Table& rows, const Sums& sums) {
      writer.append_rows(bytes, {rows.columns[0].data(), sums.data()}, rows.rows);
    };
    const Progress done = run_blocks(reader, plan, job);
    output.commit();
    return done;
  }

  std::string output() {
    const Folder folder;
    into(folder.path("out.csv"));
    return content_of(folder.path("out.csv"));
  }

  std::string input;
  ByteSource source;
  SumJob job;
};

class BlockPipeline : public ::testing::TestWithParam<unsigned> {
 protected:
  SumRun run_of(const std::string& text) const {
    SumRun run(text);
    run.job.threads = GetParam();
    return run;
  }
};

INSTANTIATE_TEST_SUITE_P(Threads, BlockPipeline, ::testing::Values(1U, 2U, 4U, 0U));

TEST_P(BlockPipeline, BytesAreThoseOfOneThread) {
  const std::string text = motion(3000);
  SumRun alone(text);
  alone.job.make_worker = sum_of_positions;
  alone.job.threads = 1;
  const std::string expected = alone.output();
  EXPECT_TRUE(expected.starts_with("t,tau1\n0,0.5\n1,"));
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 3001);
  EXPECT_EQ(run_of(text).output(), expected);
}

TEST_P(BlockPipeline, SummariesSeeEveryRowInItsOrder) {
  SumRun run = run_of(motion(2000));
  double next = 0.0;
  run.job.in_order = [&](const Table& input, const Sums& result) {
    EXPECT_EQ(result.size(), input.rows);
    EXPECT_EQ(static_cast<double>(input.first_row), next);
    for (const double t : input.column(0)) EXPECT_EQ(t, next++);
  };
  std::uintmax_t rows = 0;
  run.job.progress = [&](const Progress& done) {
    EXPECT_GE(done.rows, rows);
    rows = done.rows;
  };
  const Folder folder;
  const Progress done = run.into(folder.path("out.csv"));
  EXPECT_EQ(next, 2000.0);
  EXPECT_EQ(rows, 2000U);
  EXPECT_EQ(done.rows, 2000U);
  EXPECT_EQ(done.bytes, run.input.size() - std::string("t,q1,q2\n").size());
}

TEST_P(BlockPipeline, TheFirstErrorOfTheInputWins) {
  // Row 300 is in a slow block, so that with several threads the later errors are found earlier.
  std::string text = with_line(motion(1000), 300, "300,abc,0");
  for (const std::size_t row : {310U, 340U, 400U, 600U}) {
    text = with_line(text, row, std::to_string(row) + ",later,0");
  }
  text += std::string(5000, 'x');
  for (int repeat = 0; repeat < 5; ++repeat) {
    SumRun run = run_of(text);
    const Folder folder;
    const std::string message = message_of<InputError>([&] { run.into(folder.path("out.csv")); });
    EXPECT_EQ(message, "motion.csv:388: column \"q1\": found \"abc\", expected a number");
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST_P(BlockPipeline, AnErrorOfTheComputationComesInItsTurn) {
  SumRun run = run_of(with_line(motion(1000), 700, "700,abc,0"));
  run.job.make_worker = [] {
    return [sum = uneven_sum()](const Table& input, Sums& result) {
      sum(input, result);
      for (const double t : input.column(0)) {
        if (t >= 200.0) throw NumericsError("singular at t = " + number_text(t));
      }
    };
  };
  EXPECT_EQ(message_of<NumericsError>([&] { run.output(); }), "singular at t = 200");
}

TEST_P(BlockPipeline, ErrorsOfSourceWorkerFactorySummaryAndOutputGetThrough) {
  const std::string text = motion(500);
  SumRun unreadable = run_of(text);
  unreadable.source = [inner = source_of(text), left = 20](char* data, std::size_t size) mutable {
    if (left-- == 0) throw FileError("cannot read motion.csv: Input/output error");
    return inner(data, std::min<std::size_t>(size, 100));
  };
  EXPECT_EQ(message_of<FileError>([&] { unreadable.output(); }),
            "cannot read motion.csv: Input/output error");

  SumRun without_workers = run_of(text);
  without_workers.job.make_worker = []() -> SumJob::Work { throw NumericsError("no worker"); };
  EXPECT_EQ(message_of<NumericsError>([&] { without_workers.output(); }), "no worker");

  SumRun unordered = run_of(text);
  unordered.job.in_order = [](const Table& input, const Sums&) {
    if (input.columns[0][0] > 100.0) throw InputError("t does not increase");
  };
  EXPECT_EQ(message_of<InputError>([&] { unordered.output(); }), "t does not increase");

  SumRun full = run_of(text);
  EXPECT_EQ(message_of<FileError>([&] { full.into("/dev/full"); }),
            "cannot write /dev/full: No space left on device");
}

TEST_P(BlockPipeline, AClosedPipeStopsTheWork) {
  ::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  SumRun run = run_of("");
  std::size_t read = 0;
  run.source = [&, inner = source_of(motion(1)), started = false](char* data,
                                                                  std::size_t size) mutable {
    if (!std::exchange(started, true)) return inner(data, size);
    read += size;
    std::fill(data, data + size, '\n');
    return size;
  };
  ::close(ends[0]);
  EXPECT_THROW(run.into("/dev/fd/" + std::to_string(ends[1])), ClosedPipe);
  EXPECT_LT(read, 100000U);
  ::close(ends[1]);
}

TEST_P(BlockPipeline, MemoryIsBoundedHoweverLongTheInput) {
  constexpr std::size_t length = 8 + 6 * 300'000;
  const std::string line = "1,2,3\n";
  SumRun run = run_of("");
  run.job.make_worker = sum_of_positions;
  std::atomic<std::size_t> given{0};
  std::atomic<std::size_t> done{0};
  std::atomic<std::size_t> most{0};
  run.source = [&](char* data, std::size_t size) -> std::size_t {
    if (given == 0) {
      given = 8;
      std::memcpy(data, "t,q1,q2\n", 8);
      return 8;
    }
    size = std::min<std::size_t>(size, length - given);
    for (std::size_t i = 0; i < size; ++i) data[i] = line[(given - 8 + i) % line.size()];
    given += size;
    most = std::max<std::size_t>(most, given - done);
    return size;
  };
  run.job.progress = [&](const Progress& progress) { done = progress.bytes; };
  run.into("/dev/null");
  const unsigned threads = GetParam() == 0 ? std::thread::hardware_concurrency() : GetParam();
  EXPECT_LE(most, std::size_t{2 * threads + 2} * small_blocks.block_size);
}

TEST_P(BlockPipeline, NoWorkerIsSharedByTwoThreads) {
  SumRun run = run_of(motion(2000));
  std::atomic<unsigned> workers{0};
  std::atomic<bool> shared{false};
  run.job.make_worker = [&]() -> SumJob::Work {
    ++workers;
    return [&, busy = std::make_shared<std::atomic<bool>>(false), sum = uneven_sum()](
               const Table& input, Sums& result) {
      if (busy->exchange(true)) shared = true;
      sum(input, result);
      *busy = false;
    };
  };
  run.output();
  EXPECT_FALSE(shared);
  const unsigned threads = GetParam() == 0 ? std::thread::hardware_concurrency() : GetParam();
  EXPECT_LE(workers, 2 * threads);
}

TEST_P(BlockPipeline, NoRowsGiveTheHeaderAlone) {
  SumRun run = run_of("t,q1,q2\n# nothing\n");
  EXPECT_EQ(run.output(), "t,tau1\n");
}

TEST_P(BlockPipeline, ABadFirstBlockLeavesTheOutputEmpty) {
  SumRun run = run_of("t,q1,q2\nx,0,0\n");
  const Folder folder;
  put(folder.path("pipe"), "");
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  EXPECT_THROW(run.into("/dev/fd/" + std::to_string(ends[1])), InputError);
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);
  ::close(ends[0]);
}

/// A row on its way, as the work and the summary see it.
struct SeenRow {
  std::size_t number = 0, line = 0;
  double t = 0.0, q = 0.0;
  std::string text;
  bool is_after_gap = false;
  bool operator==(const SeenRow&) const = default;
};

/// Rows of a job whose filter puts a gap before every fifth row, by the lines that are asked for.
std::vector<SeenRow> seen_rows(const std::string& text, unsigned threads,
                               const std::optional<BlockJobFrame::Lines>& lines,
                               std::size_t first_row = 0) {
  SumRun run(text);
  run.job.threads = threads;
  run.job.lines = lines;
  run.job.make_worker = sum_of_positions;
  run.job.first_row = first_row;
  run.job.filter = [](Table& parsed, bool, Table& input) {
    std::swap(parsed, input);
    input.breaks.clear();
    input.texts.clear();
    for (std::size_t row = 0; row < input.rows; ++row) {
      const auto t = static_cast<std::size_t>(input.columns[0][row]);
      if (t % 5 == 0) input.breaks.push_back(row);
      input.texts.push_back("row " + std::to_string(t));
    }
    return false;
  };
  std::vector<SeenRow> seen;
  run.job.in_order = [&](const Table& input, const Sums& sums) {
    ASSERT_EQ(input.lines.size(), input.rows);
    ASSERT_EQ(input.texts.size(), input.rows);
    ASSERT_EQ(sums.size(), input.rows);
    for (std::size_t row = 0; row < input.rows; ++row) {
      seen.push_back({input.first_row + row, input.lines[row], input.columns[0][row],
                      input.columns[1][row], input.texts[row],
                      std::ranges::count(input.breaks, row) == 1});
      EXPECT_EQ(sums[row], input.columns[1][row] + input.columns[2][row]);
    }
    for (const std::size_t row : input.breaks) EXPECT_LT(row, input.rows);
  };
  run.output();
  return seen;
}

// Cuts within blocks, between them, at and beside gaps, at comments, before and behind all rows.
TEST_P(BlockPipeline, TheRowsOfSomeLinesAreThoseOfAllLines) {
  const std::string text = motion(200);
  const std::vector<SeenRow> all = seen_rows(text, 1, {}, 30);
  ASSERT_EQ(all.size(), 200U);
  EXPECT_EQ(all[7], (SeenRow{37, 11, 7.0, std::sin(7.0), "row 7", false}));
  EXPECT_TRUE(all[0].is_after_gap && all[5].is_after_gap && all[195].is_after_gap);
  const std::size_t end = all.back().line + 1;
  for (std::size_t first = 0; first < end + 3; first += 1 + first / 8) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 40U, 90U, 1000U}) {
      std::vector<SeenRow> expected;
      for (const SeenRow& row : all) {
        if (row.line >= first && row.line < first + count) expected.push_back(row);
      }
      EXPECT_EQ(seen_rows(text, GetParam(), BlockJobFrame::Lines{first, first + count}, 30),
                expected)
          << first << " " << count;
    }
  }
}

// A filter that makes many blocks of one, of the last, or of none: it is called with no rows until
// all are handed on, but for what threads have read by then.
TEST_P(BlockPipeline, AFilterHandsOnBlocksBeforeMoreIsRead) {
  const std::size_t threads = GetParam() == 0 ? usable_cores() : GetParam();
  const std::size_t blocks_on_the_way = threads == 1 ? 1 : 2 * threads;
  for (const double often : {3.0, 50.0, 200.0, 1e9}) {
    SumRun run = run_of(motion(300));
    std::vector<double> held;
    std::size_t read_before_all_were_handed_on = 0, ends = 0;
    bool has_more = false;
    run.job.filter = [&](Table& parsed, bool is_end, Table& input) {
      ends += is_end ? 1 : 0;
      read_before_all_were_handed_on =
          has_more && parsed.rows > 0 ? read_before_all_were_handed_on + 1 : 0;
      EXPECT_LT(read_before_all_were_handed_on, blocks_on_the_way);
      held.insert(held.end(), parsed.columns[0].begin(), parsed.columns[0].end());
      input.resize(3, 0);
      input.lines.clear();
      const bool is_due = has_more || is_end || (!held.empty() && held.back() >= often);
      for (int k = 0; is_due && k < 3 && !held.empty(); ++k) {
        for (auto& column : input.columns) column.push_back(held.front());
        input.lines.push_back(1);
        held.erase(held.begin());
        ++input.rows;
      }
      has_more = is_due && !held.empty();
      return has_more;
    };
    double next = 0.0;
    run.job.in_order = [&](const Table& input, const Sums&) {
      EXPECT_EQ(static_cast<double>(input.first_row), next);
      for (const double t : input.column(0)) EXPECT_EQ(t, next++);
    };
    const Folder folder;
    EXPECT_EQ(run.into(folder.path("out.csv")).rows, 300U) << often;
    EXPECT_EQ(next, 300.0) << often;
    EXPECT_EQ(ends, 1U) << often;
  }
}

TEST(BlockPipelineThreads, AsManyThreadsWorkAsAreAskedFor) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    SumRun run(motion(3000));
    run.job.threads = threads;
    std::mutex mutex;
    std::condition_variable more;
    std::set<std::thread::id> seen;
    run.job.make_worker = [&]() -> SumJob::Work {
      return [&, sum = sum_of_positions()](const Table& input, Sums& result) {
        std::unique_lock lock(mutex);
        seen.insert(std::this_thread::get_id());
        more.notify_all();
        // Holds the block until all threads have one.
        more.wait_for(lock, std::chrono::seconds(10), [&] { return seen.size() >= threads; });
        lock.unlock();
        sum(input, result);
      };
    };
    run.output();
    EXPECT_EQ(seen.size(), threads);
  }
}

TEST(BlockPipelineThreads, AJobWithoutOutputOnlySummarises) {
  CsvTable reader(source_of(motion(100)), "motion.csv", small_blocks);
  const ColumnPlan plan =
      plan_columns(reader.header(), revolute_robot(2), {{Quantity::time}, {Quantity::position}});
  SumJob job;
  job.make_worker = sum_of_positions;
  std::size_t rows = 0;
  job.in_order = [&](const Table& input, const Sums&) { rows += input.rows; };
  EXPECT_EQ(run_blocks(reader, plan, job).rows, 100U);
  EXPECT_EQ(rows, 100U);
}

TEST(BlockPipelineDeathTest, ASignalEndsARunAndRemovesTheTemporary) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const unsigned threads : {1U, 4U}) {
    const auto act = [threads] {
      const Folder folder;
      install_interrupt_handlers();
      SumRun run(motion(3000));
      run.job.threads = threads;
      run.job.in_order = [](const Table& input, const Sums&) {
        if (input.columns[0][0] > 100.0 && !interrupted()) ::raise(SIGTERM);
      };
      try {
        run.into(folder.path("out.csv"));
      } catch (const Interrupted&) {
        const bool is_clean = folder.names().empty();
        std::filesystem::remove_all(folder.path(""));
        ::_exit(is_clean ? 130 : 1);
      }
      ::_exit(2);
    };
    EXPECT_EXIT(act(), ::testing::ExitedWithCode(130), "");
  }
}

}  // namespace
}  // namespace armdyn
