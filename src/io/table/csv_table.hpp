#pragma once

// The room where blocks of lines become tables of numbers.

#include <optional>
#include <string>
#include <string_view>

#include "io/table/cells.hpp"
#include "io/table/table_source.hpp"

namespace armdyn {

class InputFile;

enum class HeaderLine { written, absent };

/// A table of text with a header line.
class CsvTable final : public TableSource {
 public:
  /// Reads as far as the header. Throws InputError if there is none, and shows the example of one.
  CsvTable(InputFile& input, BlockLimits limits, HeaderLine header, const std::string& example);
  CsvTable(ByteSource source, std::string file, BlockLimits limits, HeaderLine header,
           const std::string& example);

  [[nodiscard]] const Header& header() const override { return header_; }
  /// Throws as LineBlocks::next.
  bool next(TextBlock& block) override;
  void parse(const TextBlock& block, const TablePlan& plan, Table& table) const override;

 private:
  void read_header(HeaderLine written, const std::string& example);
  void look_at_first_row(TextBlock& block);
  void see_whole_block(TextBlock& block);
  std::optional<std::string_view> find_line(TextBlock& block);
  static void pass_line(TextBlock& block);

  LineBlocks blocks_;
  TableFormat format_;
  Header header_;
  TextBlock rest_;  // read, but not yet handed out
};

}  // namespace armdyn
