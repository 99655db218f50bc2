#pragma once

// The room where blocks of lines become tables of numbers.

#include <optional>
#include <string>
#include <string_view>

#include "io/cells.hpp"
#include "io/columns.hpp"
#include "io/line_blocks.hpp"
#include "io/table.hpp"

namespace armdyn {

class InputFile;

enum class HeaderLine { written, absent };

/// Reads a table with a header line: `next` in one thread, `parse` in any number of them.
class TableReader {
 public:
  /// Reads as far as the header. Throws InputError if there is none.
  explicit TableReader(InputFile& input, BlockLimits limits = {},
                       HeaderLine header = HeaderLine::written);
  TableReader(ByteSource source, std::string file, BlockLimits limits = {},
              HeaderLine header = HeaderLine::written);

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] const TableFormat& format() const { return format_; }

  /// The next lines below the header; false at the end. Throws as LineBlocks::next.
  bool next(TextBlock& block);

  /// The numbers of a block in SI units. A block of blank lines and comments has no row. Throws
  /// InputError naming file, line, column and text for the first thing wrong in the block.
  void parse(const TextBlock& block, const ColumnPlan& plan, Table& table) const;

 private:
  void read_header(HeaderLine written);
  void look_at_first_row(TextBlock& block);
  std::optional<std::string_view> find_line(TextBlock& block);
  static void pass_line(TextBlock& block);

  LineBlocks blocks_;
  TableFormat format_;
  Header header_;
  TextBlock rest_;  // read, but not yet handed out
};

}  // namespace armdyn
