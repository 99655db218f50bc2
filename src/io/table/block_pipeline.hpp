#pragma once

// Reads blocks of rows, works on them in several threads, and writes them in their order.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/file/byte_sink.hpp"
#include "io/file/output_file.hpp"
#include "io/table/table.hpp"
#include "io/table/table_format.hpp"

namespace armdyn {

/// The cores that this process may run on.
[[nodiscard]] unsigned usable_cores();
/// So many threads, or where these are 0 one per core.
[[nodiscard]] inline unsigned or_all_cores(unsigned threads) {
  return threads == 0 ? usable_cores() : threads;
}

/// Does `work`, which throws nothing, in so many threads at once, this one among them; in fewer
/// where the system gives no more. Returns when all have ended.
void in_threads(unsigned threads, const std::function<void()>& work);

struct Progress {
  std::uintmax_t bytes = 0;  ///< of the input below its header
  std::uintmax_t rows = 0;
};

/// The rows of an output: how many, and the digest of all its bytes, with the head of an array as
/// it is for no row.
struct WrittenRows {
  std::uintmax_t count = 0;
  Digest digest;
};

/// Turns parsed blocks into the blocks that are computed; called block after block in their order,
/// never by two threads at once. It may hold rows back for a later block; `is_end` comes once,
/// after the last block, with no rows. True: it has more than a block to pass on, and is called
/// with no rows until it has not. What it leaves in `parsed` is of no use.
using BlockFilter = std::function<bool(Table& parsed, bool is_end, Table& input)>;

/// Parts that every job has, whatever it computes.
struct BlockJobFrame {
  BlockFilter filter;  ///< may be empty: blocks are computed as they are

  ByteSink* output = nullptr;  ///< of what is printed; null: nothing is. Not committed here.
  std::function<void(std::string& bytes)> print_header;
  WrittenRows* written = nullptr;  ///< of that output; may be null

  /// May be empty; called block after block in their order, never by two threads at once.
  std::function<void(const Progress& done)> progress;

  /// Name of the file of the rows: where there is one, a NotFinite becomes a NumericsError with
  /// file and line.
  std::string file;

  unsigned threads = 0;  ///< 0: one per core

  /// Gives the next rows, by column, of an output that was made in parts: they are taken, not
  /// computed and not written. Needs one thread. May be empty.
  std::function<void(std::size_t rows, Columns& columns)> made;

  std::uintmax_t first_row = 0;  ///< rows before the first that is read

  /// Lines whose rows are computed; others take part in the filter alone. Absent: all.
  struct Lines {
    std::size_t first = 0, end = 0;
  };
  std::optional<Lines> lines;
};

struct Nothing {};

/// Work on each block of at least one row. `Result`, of any type, is made by its default
/// constructor and used again for later blocks.
template <class Result = Nothing>
struct BlockJob : BlockJobFrame {
  /// Replaces what an earlier block left in the result.
  using Work = std::function<void(const Table& input, Result& result)>;

  /// Makes a function that owns whatever workspace it needs; never called by two threads at once.
  /// A function is never run by two threads at once, either. By default it does nothing.
  std::function<Work()> make_worker = [] { return [](const Table&, Result&) {}; };

  /// Prints where there is an output; called by several threads at once.
  std::function<void(std::string& bytes, const Table& input, const Result& result)> print;

  /// Makes of printed rows, which it may keep, the result that they were printed of.
  std::function<void(Columns& printed, Result& result)> take;

  /// May be empty; called block after block in their order, never by two threads at once.
  std::function<void(const Table& input, const Result& result)> in_order;

  /// A worker that takes rows which are there already.
  [[nodiscard]] Work taker() const {
    return [this, columns = Columns()](const Table& input, Result& result) mutable {
      made(input.rows, columns);
      take(columns, result);
    };
  }
};

/// A worker of a job and its result.
struct BlockWork {
  std::function<void(const Table& input, std::string& printed)> compute;
  std::function<void(const Table& input)> in_order;
};

/// Sends the whole input through the job; returns what was done. The output's bytes do not depend
/// on the number of threads. Memory is bounded by a few blocks per thread. Of several errors the
/// one that comes first in the input is thrown; blocks before it have been written. Throws
/// Interrupted after a signal.
Progress run_blocks(TableSource& reader, const TablePlan& plan, const BlockJobFrame& job,
                    const std::function<BlockWork()>& make_work);

template <class Result>
Progress run_blocks(TableSource& reader, const TablePlan& plan, const BlockJob<Result>& job) {
  return run_blocks(reader, plan, job, [&job] {
    const auto result = std::make_shared<Result>();
    BlockWork work;
    work.compute = [&job, compute = job.made ? job.taker() : job.make_worker(), result](
                       const Table& input, std::string& printed) {
      compute(input, *result);
      if (job.output) job.print(printed, input, *result);
    };
    work.in_order = [&job, result](const Table& input) {
      if (job.in_order) job.in_order(input, *result);
    };
    return work;
  });
}

}  // namespace armdyn
