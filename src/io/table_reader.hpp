#pragma once

// The room where blocks of lines become tables of numbers.

#include <string>

#include "io/columns.hpp"
#include "io/line_blocks.hpp"
#include "io/table.hpp"

namespace armdyn {

class InputFile;

/// Reads a table with a header line: `next` in one thread, `parse` in any number of them.
class TableReader {
 public:
  /// Reads as far as the header. Throws InputError if there is none.
  explicit TableReader(InputFile& input, BlockLimits limits = {});
  TableReader(ByteSource source, std::string file, BlockLimits limits = {});

  [[nodiscard]] const Header& header() const { return header_; }

  /// The next lines below the header; false at the end. Throws as LineBlocks::next.
  bool next(TextBlock& block);

  /// The numbers of a block in SI units. A block of blank lines and comments has no row. Throws
  /// InputError naming file, line, column and text for the first thing wrong in the block.
  void parse(const TextBlock& block, const ColumnPlan& plan, Table& table) const;

 private:
  void read_header();
  bool find_header_in(TextBlock& block);

  LineBlocks blocks_;
  Header header_;
  TextBlock after_header_;  // the rest of the block in which the header was
};

}  // namespace armdyn
