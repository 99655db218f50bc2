#include "io/table_reader.hpp"

#include <armdyn/error.hpp>

#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

#include "io/input_file.hpp"
#include "io/number_text.hpp"
#include "io/utf8.hpp"
#include "model/shown_text.hpp"

namespace armdyn {
namespace {

constexpr char separator = ',';

[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& message) {
  throw InputError(file + ":" + std::to_string(line) + ": " + message);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool ends_cell(char c) {
  return c == separator || c == '\n';
}

const char* find_newline(const char* at, const char* end) {
  const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}

// One cell of a line, without surrounding blanks and quotes.
struct Cell {
  std::string_view text;
  const char* end = nullptr;  // the separator, the newline or the end; null: a quote is not closed
};

Cell quoted_cell(const char* open, const char* end) {
  const char* at = open + 1;
  while (at != end && *at != '\n') {
    if (*at++ != '"') continue;
    if (at != end && *at == '"') {  // a doubled quote is part of the text
      ++at;
      continue;
    }
    const std::string_view text(open + 1, static_cast<std::size_t>(at - open - 2));
    at = skip_blanks(at, end);
    return at == end || ends_cell(*at) ? Cell{text, at} : Cell{text, nullptr};
  }
  return {std::string_view(open, static_cast<std::size_t>(at - open)), nullptr};
}

std::string_view trimmed(const char* begin, const char* end) {
  begin = skip_blanks(begin, end);
  while (end != begin && is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

Cell cell_at(const char* at, const char* end) {
  const char* const begin = skip_blanks(at, end);
  if (begin != end && *begin == '"') {
    Cell cell = quoted_cell(begin, end);
    cell.text = trimmed(cell.text.data(), cell.text.data() + cell.text.size());
    return cell;
  }
  const char* stop = begin;
  while (stop != end && !ends_cell(*stop)) ++stop;
  return {trimmed(begin, stop), stop};
}

std::vector<std::string> cells_of(std::string_view line, const std::string& file,
                                  std::size_t number) {
  std::vector<std::string> cells;
  const char* const end = line.data() + line.size();
  for (const char* at = line.data();; ++at) {
    const Cell cell = cell_at(at, end);
    if (cell.end == nullptr) {
      fail_at(file, number, "expected a closing quote after " + shown_text(cell.text));
    }
    cells.emplace_back(cell.text);
    at = cell.end;
    if (at == end) return cells;
  }
}

// Reads the lines of one block from left to right and from top to bottom.
class BlockParser {
 public:
  BlockParser(std::string_view text, std::size_t line, const std::string& file,
              const ColumnPlan& plan, Table& table)
      : at_(text.data()), end_(text.data() + text.size()), line_(line), file_(file), plan_(plan) {
    targets_.resize(plan.header.size());
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      Target& target = targets_[plan.columns[i].cell];
      target.column = table.columns[i].data();
      target.unit = plan.columns[i].unit;
      target.is_si = target.unit.is_si();
    }
  }

  // Moves to the next row and past the blank lines and comments before it; false at the end.
  bool find_row() {
    for (; at_ != end_; ++line_) {
      at_ = skip_blanks(at_, end_);
      if (at_ == end_) return false;
      if (*at_ == '#')
        at_ = find_newline(at_, end_);
      else if (*at_ != '\n')
        return true;
      if (at_ != end_) ++at_;
    }
    return false;
  }

  void read_row(std::size_t row) {
    const char* const begin = at_;
    for (std::size_t cell = 0; cell < targets_.size(); ++cell) {
      if (cell > 0 && !pass_separator()) fail_count(begin);
      if (targets_[cell].column == nullptr)
        skip_cell(cell);
      else
        targets_[cell].column[row] = read_number(cell);
    }
    if (at_ == end_) return;
    if (*at_ == separator) fail_count(begin);
    ++at_;
    ++line_;
  }

  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  struct Target {
    double* column = nullptr;  // null: not wanted
    Unit unit;
    bool is_si = true;
  };

  bool pass_separator() {
    if (at_ == end_ || *at_ != separator) return false;
    ++at_;
    return true;
  }

  void skip_cell(std::size_t cell) {
    const Cell skipped = cell_at(at_, end_);
    if (skipped.end == nullptr) fail_cell(cell, skipped.text, "expected a closing quote after it");
    at_ = skipped.end;
  }

  double read_number(std::size_t cell) {
    double number = 0.0;
    const auto [stop, error] = std::from_chars(at_, end_, number);
    const bool is_whole = error == std::errc() && (stop == end_ || ends_cell(*stop));
    if (is_whole && std::isfinite(number)) {
      at_ = stop;
    } else {
      number = read_unusual_number(cell);
    }
    return targets_[cell].is_si ? number : converted(number, cell);
  }

  // With blanks, quotes or a plus sign around it; or no number at all.
  double read_unusual_number(std::size_t cell) {
    const Cell found = cell_at(at_, end_);
    if (found.end == nullptr) fail_cell(cell, found.text, "expected a closing quote after it");
    const auto number = parse_number(found.text);
    if (!number) fail_number(cell, found.text);
    at_ = found.end;
    return *number;
  }

  double converted(double number, std::size_t cell) const {
    const double result = targets_[cell].unit.to_si(number);
    if (!std::isfinite(result)) {
      fail_at(file_, line_,
              "column " + shown_text(plan_.header[cell]) + ": " + number_text(number) +
                  " is too large in SI units");
    }
    return result;
  }

  [[noreturn]] void fail_cell(std::size_t cell, std::string_view text,
                              const std::string& expected) const {
    const std::string found = text.empty() ? "an empty cell" : shown_text(text);
    fail_at(file_, line_,
            "column " + shown_text(plan_.header[cell]) + ": found " + found + ", " + expected);
  }

  [[noreturn]] void fail_number(std::size_t cell, std::string_view text) const {
    double ignored = 0.0;
    const char* const end = text.data() + text.size();
    // nan, inf and 1e999 are spelt as numbers.
    const bool is_spelt_well =
        !text.empty() && std::from_chars(text.data(), end, ignored).ptr == end;
    fail_cell(cell, text, is_spelt_well ? "expected a finite number" : "expected a number");
  }

  [[noreturn]] void fail_count(const char* begin) const {
    std::size_t found = 0;
    for (const char* at = begin;; ++at) {
      ++found;
      at = cell_at(at, end_).end;
      if (at == nullptr || at == end_ || *at == '\n') break;
    }
    fail_at(file_, line_,
            "found " + std::to_string(found) + (found == 1 ? " cell" : " cells") + ", expected " +
                std::to_string(targets_.size()) + " as in the header");
  }

  const char* at_;
  const char* end_;
  std::size_t line_;
  const std::string& file_;
  const ColumnPlan& plan_;
  std::vector<Target> targets_;  // one per cell of a line
};

void refuse_utf16(std::string_view text, const std::string& file) {
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return;
  throw InputError(file + ": the text is encoded as UTF-16; save it as UTF-8");
}

void refuse_what_is_no_text(std::string_view line, const Header& header) {
  if (line.find('\0') != std::string_view::npos) fail_at(header.file, header.line, binary_message);
  if (line.find('\r') != std::string_view::npos) {
    fail_at(header.file, header.line,
            "found a CR within the line; lines must end with LF or CR LF");
  }
  if (const auto at = first_not_utf8(line)) {
    fail_at(header.file, header.line,
            "the header is not UTF-8 text, from byte " + std::to_string(*at + 1) + " on");
  }
}

}  // namespace

TableReader::TableReader(InputFile& input, BlockLimits limits)
    : TableReader([&input](char* data, std::size_t size) { return input.read(data, size); },
                  input.name(), limits) {}

TableReader::TableReader(ByteSource source, std::string file, BlockLimits limits)
    : blocks_(std::move(source), std::move(file), limits) {
  read_header();
}

void TableReader::read_header() {
  const std::string expected = "expected a header line such as t,q1,qd1,qdd1";
  header_.file = blocks_.file();
  TextBlock& block = after_header_;
  if (!blocks_.next(block)) throw InputError(header_.file + ": the input is empty; " + expected);
  refuse_utf16(block.text(), header_.file);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (block.text().starts_with(byte_order_mark)) block.begin += byte_order_mark.size();
  do {
    if (find_header_in(block)) return;
  } while (blocks_.next(block));
  throw InputError(header_.file + ": found only blank lines and comments; " + expected);
}

bool TableReader::find_header_in(TextBlock& block) {
  while (block.begin != block.end) {
    const char* const begin = block.text().data();
    const char* const newline = find_newline(begin, begin + block.text().size());
    const std::string_view line = trimmed(begin, newline);
    header_.line = block.first_line++;
    block.begin += static_cast<std::size_t>(newline - begin);
    if (block.begin != block.end) ++block.begin;
    --block.line_count;
    if (line.empty() || line.starts_with('#')) continue;
    refuse_what_is_no_text(line, header_);
    header_.cells = cells_of(line, header_.file, header_.line);
    return true;
  }
  return false;
}

bool TableReader::next(TextBlock& block) {
  if (after_header_.begin == after_header_.end) return blocks_.next(block);
  std::swap(block, after_header_);
  after_header_.begin = after_header_.end = 0;
  return true;
}

void TableReader::parse(const TextBlock& block, const ColumnPlan& plan, Table& table) const {
  std::string_view text = block.text();
  const std::size_t nul = text.find('\0');
  const bool is_binary = nul != std::string_view::npos;
  if (is_binary) text = text.substr(0, text.rfind('\n', nul) + 1);

  table.resize(plan.columns.size(), block.line_count);
  table.lines.resize(block.line_count);
  BlockParser parser(text, block.first_line, header_.file, plan, table);
  std::size_t rows = 0;
  while (parser.find_row()) {
    table.lines[rows] = parser.line();
    parser.read_row(rows++);
  }
  if (is_binary) fail_at(header_.file, parser.line(), binary_message);
  table.resize(plan.columns.size(), rows);
  table.lines.resize(rows);
}

}  // namespace armdyn
