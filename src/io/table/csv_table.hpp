#pragma once

// Reads tables of numbers from text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/table/csv_text.hpp"
#include "io/table/table_format.hpp"

namespace armdyn {

class InputFile;

/// A table of text with a header line.
class CsvTable final : public TableSource {
 public:
  /// Reads as far as the header. Throws InputError if there is none, and shows the example of one.
  explicit CsvTable(InputFile& input, BlockLimits limits = {},
                    HeaderLine header = HeaderLine::written,
                    const std::string& example = example_header);
  CsvTable(ByteSource source, std::string file, BlockLimits limits = {},
           HeaderLine header = HeaderLine::written, const std::string& example = example_header);

  [[nodiscard]] const Header& header() const override { return header_; }
  /// Throws as LineBlocks::next.
  bool next(RawBlock& block) override;
  void parse(const RawBlock& block, const TablePlan& plan, Table& table) const override;
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override;
  void keep(const RowRange& range) override;

 private:
  [[nodiscard]] LineBlocks lines_between(std::uintmax_t begin, std::uintmax_t end,
                                         std::size_t first_line) const;
  void read_header(HeaderLine written, const std::string& example);
  void look_at_first_row(RawBlock& block);
  void see_whole_block(RawBlock& block);
  std::optional<std::string_view> find_line(RawBlock& block);
  static void pass_line(RawBlock& block);

  const InputFile* input_ = nullptr;  // null: another source
  LineBlocks blocks_;
  NumberStyle format_;
  Header header_;
  RawBlock rest_;  // read, but not yet handed out
};

/// Text: numbers between commas below a line of names.
extern const TableFormat csv_format;

}  // namespace armdyn
