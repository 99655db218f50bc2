#pragma once

// Reads blocks of rows, works on them in several threads, and writes them in their order.

#include <cstdint>
#include <functional>

#include "io/file/output_file.hpp"
#include "io/table/table.hpp"
#include "io/table/table_plan.hpp"
#include "io/table/table_reader.hpp"
#include "io/table/table_writer.hpp"

namespace armdyn {

struct Progress {
  std::uintmax_t bytes = 0;  ///< of the input below its header
  std::uintmax_t rows = 0;
};

/// Computes a result, resized to the rows of the input, from an input that has at least one row.
using BlockFunction = std::function<void(const Table& input, Table& result)>;

/// Turns parsed blocks into the blocks that are computed; called block after block in their order,
/// never by two threads at once. It may hold rows back for a later block; `is_end` comes once,
/// after the last block, with no rows. What it leaves in `parsed` is of no use.
using BlockFilter = std::function<void(Table& parsed, bool is_end, Table& input)>;

struct BlockJob {
  BlockFilter filter;  ///< may be empty: blocks are computed as they are

  /// Makes a function that owns whatever workspace it needs; never called by two threads at once.
  /// A function is never run by two threads at once, either.
  std::function<BlockFunction()> make_worker;

  // What is printed, and where to; no output at all if there is no writer. Not committed here.
  const TableWriter* writer = nullptr;
  OutputFile* output = nullptr;

  // Both may be empty; called block after block in their order, never by two threads at once.
  std::function<void(const Table& input, const Table& result)> in_order;
  std::function<void(const Progress& done)> progress;

  unsigned threads = 0;  ///< 0: one per core
};

/// Sends the whole input through the job; returns what was done. The output's bytes do not depend
/// on the number of threads. Memory is bounded by a few blocks per thread. Of several errors the
/// one that comes first in the input is thrown; blocks before it have been written. Throws
/// Interrupted after a signal.
Progress run_blocks(TableReader& reader, const TablePlan& plan, const BlockJob& job);

}  // namespace armdyn
