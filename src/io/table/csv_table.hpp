#pragma once

// Reads tables of numbers from text.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/table/table.hpp"
#include "io/table/table_format.hpp"

namespace armdyn {

// Cuts a line of a table into cells.

/// Notation of the numbers of a table.
struct NumberStyle {
  /// Comma, semicolon, tab, bar, or a blank that stands for any run of blanks.
  char separator = ',';
  bool decimal_comma = false;  ///< 1,5 instead of 1.5; never with a comma as separator
  bool outer_bars = false;     ///< | 1 | 2 |; a row may do without
  bool has_comments = false;   ///< behind the cells of some rows

  [[nodiscard]] bool is_blank(char c) const {
    return c == ' ' || c == '\r' || (c == '\t' && separator != '\t');
  }
  [[nodiscard]] bool ends_cell(char c) const {
    return c == '\n' || (separator == ' ' ? is_blank(c) : c == separator);
  }
};

/// Tests whether the line that begins there, behind its blanks, is blank, a comment, or a rule such
/// as |---|---|.
[[nodiscard]] bool has_no_row(std::string_view text);

/// The cells of a line; nothing if a quote is not closed, which `unclosed` then begins with.
[[nodiscard]] std::optional<std::vector<std::string>> cells_of(std::string_view line,
                                                               const NumberStyle& format,
                                                               std::string_view& unclosed);

/// The number in a cell, as parse_number, with the decimal mark of the format.
[[nodiscard]] std::optional<double> parse_cell(std::string_view text, const NumberStyle& format);

/// Guesses from a line of names (or of numbers, whose commas may be decimal): a semicolon, else a
/// tab, else a bar where no comma separates, else a comma, else blanks.
[[nodiscard]] NumberStyle guess_style(std::string_view line);

/// Tests whether numbers have decimal commas, as many as have points at least, outside comments; dates
/// and lists, with several, are none.
[[nodiscard]] bool has_decimal_comma(std::string_view lines);

/// End of messages about numbers that have one, in columns that commas part.
inline constexpr std::string_view decimal_comma_advice =
    "; decimal commas are read where ; or tabs part the columns";

/// Cuts an input into blocks of whole lines. Where it cuts depends on the content alone, never on
/// how the bytes arrive, unless it is live.
class LineBlocks {
 public:
  LineBlocks(ByteSource source, std::string file, BlockLimits limits = {},
             std::size_t first_line = 1);

  /// False at the end. Throws InputError for a line that is too long or text that is not
  /// UTF-8 but UTF-16 or UTF-32, and what the source throws.
  bool next(RawBlock& block);

  [[nodiscard]] bool is_live() const { return limits_.live; }
  /// Waits for a whole block from now on.
  void fill_blocks() { limits_.live = false; }

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const BlockLimits& limits() const { return limits_; }

 private:
  std::size_t find_cut(RawBlock& block);
  void fill(RawBlock& block, std::size_t size);

  ByteSource source_;
  std::string file_;
  BlockLimits limits_;
  std::vector<char> carry_;  // the beginning of a line whose end is in the next block
  std::size_t next_line_;
  bool at_end_ = false;
};

class InputFile;

/// A table of text with a header line.
class CsvTable final : public TableSource {
 public:
  /// Reads up to the header. Throws InputError if there is none, and shows the example of one.
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
  void read_units(RawBlock& block);
  void read_first_row(std::string_view line);
  std::optional<std::string_view> find_line(RawBlock& block);
  static void pass_line(RawBlock& block);

  const InputFile* input_ = nullptr;  // null: another source
  LineBlocks blocks_;
  NumberStyle format_;
  bool has_lists_ = false;  // cells such as [0.1, 0.2]
  Header header_;
  std::string comment_;  // the last one above the rows
  std::size_t comment_line_ = 0;
  std::size_t rows_begin_ = 1;  // line
  RawBlock rest_;               // read, but not yet handed out
};

/// Text: numbers between commas below a line of names.
extern const TableFormat csv_format;

}  // namespace armdyn
