#include "io/table/csv_table.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/table/npy_table.hpp"
#include "io/table/unit.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/limits_of_input.hpp"
#include "model/shown_text.hpp"
#include "text/decimal.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// Message for what no text file contains.
constexpr const char* binary_message = "found a NUL byte; this is a binary file, not CSV text";

/// Description of what `stamp_nanoseconds` reads.
constexpr const char* readable_stamp = "expected a stamp within 292 years of 1970";

/// A cell of a line, without surrounding blanks and quotes.
struct Cell {
  std::string_view text;
  const char* end;  ///< the separator, the newline or the end; null: a quote is not closed
};

const char* find_newline(const char* at, const char* end) {
  const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

const char* skip_blanks(const char* at, const char* end, const NumberStyle& format) {
  while (at != end && format.is_blank(*at)) ++at;
  return at;
}

/// Passes an outer bar and the blanks before it.
const char* skip_outer_bar(const char* at, const char* end, const NumberStyle& format) {
  if (!format.outer_bars) return at;
  const char* const bar = skip_blanks(at, end, format);
  return bar != end && *bar == '|' ? bar + 1 : at;
}

std::string_view trimmed(const char* begin, const char* end, const NumberStyle& format) {
  begin = skip_blanks(begin, end, format);
  while (end != begin && format.is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// The last of several blanks separates; those before the end of the line belong to no cell, nor
// does an outer bar.
const char* separator_after(const char* at, const char* end, const NumberStyle& format) {
  if (format.separator != ' ' && !format.outer_bars) return at;
  const char* const next = skip_blanks(skip_outer_bar(at, end, format), end, format);
  if (next == end || *next == '\n') return next;
  return format.outer_bars ? at : next - 1;
}

Cell quoted_cell(const char* open, const char* end, const NumberStyle& format) {
  const char* at = open + 1;
  while (at != end && *at != '\n') {
    if (*at++ != '"') continue;
    if (at != end && *at == '"') {  // a doubled quote is part of the text
      ++at;
      continue;
    }
    const std::string_view text(open + 1, static_cast<std::size_t>(at - open - 2));
    if (format.separator != ' ') at = skip_blanks(at, end, format);
    if (at != end && !format.ends_cell(*at)) return {text, nullptr};
    return {trimmed(text.data(), text.data() + text.size(), format),
            separator_after(at, end, format)};
  }
  return {trimmed(open, at, format), nullptr};
}

Cell cell_at(const char* at, const char* end, const NumberStyle& format) {
  const char* const begin = skip_blanks(at, end, format);
  if (begin != end && *begin == '"') return quoted_cell(begin, end, format);
  const char* stop = begin;
  while (stop != end && !format.ends_cell(*stop)) ++stop;
  return {trimmed(begin, stop, format), separator_after(stop, end, format)};
}

std::string without_quoted(std::string_view line) {
  std::string kept;
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted) kept += c;
  }
  return kept;
}

/// Behind # or, as MATLAB has it, %, but %time is a column of ROS.
bool is_comment(std::string_view line) {
  return line.starts_with('#') || (line.starts_with('%') && !line.starts_with("%time"));
}

// "1,5 2,5": cut at its commas, a cell of numbers would have a blank within.
bool has_numbers_apart(std::string_view line) {
  const auto is_inside = [&](std::size_t at) {
    return at > 0 && at + 1 < line.size() && is_digit(line[at - 1]) && line[at] == ' ' &&
           (is_digit(line[at + 1]) || line[at + 1] == '-');
  };
  return std::ranges::any_of(in_order(line.size()), is_inside);
}

}  // namespace

bool has_no_row(std::string_view text) {
  if (text.empty() || text.front() == '\n' || is_comment(text)) return true;
  const std::size_t end = std::min(text.find_first_not_of("-|+:= \t\r"), text.size());
  const std::string_view rule = text.substr(0, end);
  return (end == text.size() || text[end] == '\n') && rule.find("--") != std::string_view::npos &&
         rule.find_first_of("|+") != std::string_view::npos;
}

std::optional<std::vector<std::string>> cells_of(std::string_view line, const NumberStyle& format,
                                                 std::string_view& unclosed) {
  std::vector<std::string> cells;
  const char* const end = line.data() + line.size();
  for (const char* at = skip_outer_bar(line.data(), end, format);; ++at) {
    const Cell cell = cell_at(at, end, format);
    if (cell.end == nullptr) {
      unclosed = cell.text;
      return std::nullopt;
    }
    cells.emplace_back(cell.text);
    at = cell.end;
    if (at == end) return cells;
  }
}

std::optional<double> parse_cell(std::string_view text, const NumberStyle& format) {
  if (!format.decimal_comma) return parse_number(text);
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  return parse_number(with_point);
}

NumberStyle guess_style(std::string_view line) {
  const std::string names = without_quoted(line);
  const auto has = [&](char c) { return names.find(c) != std::string::npos; };
  if (has(';')) return {.separator = ';'};
  if (has('\t')) return {.separator = '\t'};
  if (has('|') && (!has(',') || has_decimal_comma(names))) {
    const std::size_t first = names.find_first_not_of(' '), last = names.find_last_not_of(' ');
    const bool is_enclosed = first != last && names[first] == '|' && names[last] == '|';
    return {.separator = '|', .outer_bars = is_enclosed};
  }
  const std::size_t blank = names.find(' ');
  const bool is_unit = blank == names.rfind(' ') && names.find_first_of("[(", blank) == blank + 1;
  const bool has_blanks = has(' ') && !is_unit && (!has(',') || has_numbers_apart(names));
  return {.separator = has_blanks ? ' ' : ','};
}

bool has_decimal_comma(std::string_view lines) {
  std::size_t commas = 0, points = 0;
  for (const std::string& line : split_at(lines, '\n')) {
    if (is_comment(trimmed(line, " \t"))) continue;
    const auto is_part = [&](std::size_t at) {
      return is_digit(line[at]) || line[at] == ',' || line[at] == '.';
    };
    for (std::size_t at = 0, end = 0; at < line.size(); at = end + 1) {
      for (end = at; end < line.size() && is_part(end);) ++end;
      const std::string_view run = std::string_view(line).substr(at, end - at);
      const std::size_t mark = run.find_first_of(",.");  // the only one, and between digits
      if (mark == run.npos || mark == 0 || mark != run.find_last_of(",.") || mark + 1 >= run.size())
        continue;
      ++(run[mark] == ',' ? commas : points);
    }
  }
  return commas > 0 && commas >= points;
}

LineBlocks::LineBlocks(ByteSource source, std::string file, BlockLimits limits,
                       std::size_t first_line)
    : source_(std::move(source)), file_(std::move(file)), limits_(limits), next_line_(first_line) {
  limits_.longest_line = std::max(limits_.longest_line, limits_.block_size);
}

bool LineBlocks::next(RawBlock& block) {
  if (block.buffer.size() < carry_.size()) block.buffer.resize(carry_.size());
  std::ranges::copy(carry_, block.buffer.begin());
  block.begin = 0;
  block.end = carry_.size();
  block.first_line = next_line_;
  const std::size_t cut = find_cut(block);
  const auto text_end = block.buffer.begin() + static_cast<std::ptrdiff_t>(cut);
  carry_.assign(text_end, block.buffer.begin() + static_cast<std::ptrdiff_t>(block.end));
  block.end = cut;

  const std::string_view text = block.text();
  std::size_t newlines = 0;  // by memchr within find, which is faster than count
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ++newlines;
  block.line_count = newlines + (text.empty() || text.back() == '\n' ? 0 : 1);
  next_line_ += block.line_count;
  return !text.empty();
}

// Always looks at the same number of bytes before it decides, however many arrive at a time.
std::size_t LineBlocks::find_cut(RawBlock& block) {
  for (std::size_t size = 0; size <= limits_.longest_line;) {
    size = std::min(size + limits_.block_size, limits_.longest_line + 1);
    fill(block, size);
    if (next_line_ == 1) refuse_wide_text(block.text(), file_);
    if (at_end_) return block.end;
    const std::size_t newline = block.text().rfind('\n');
    if (newline != std::string_view::npos) return newline + 1;
  }
  const bool is_binary = block.text().find('\0') != std::string_view::npos;
  throw InputError(file_ + ":" + std::to_string(next_line_) + ": " +
                   (is_binary ? binary_message
                              : "the line is longer than " + std::to_string(limits_.longest_line) +
                                    " bytes; is this a CSV file?"));
}

void LineBlocks::fill(RawBlock& block, std::size_t size) {
  if (block.buffer.size() < size) block.buffer.resize(size);
  while (!at_end_ && block.end < size) {
    const std::size_t count = source_(block.buffer.data() + block.end, size - block.end);
    at_end_ = count == 0;
    const std::string_view arrived(block.buffer.data() + block.end, count);
    block.end += count;
    if (limits_.live && arrived.find('\n') != std::string_view::npos) return;
  }
}

namespace {

[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& message) {
  throw InputError(file + ":" + std::to_string(line) + ": " + message);
}

std::string_view trimmed(std::string_view line) {
  return armdyn::trimmed(line, " \t\r");
}

// Reads the lines of one block from left to right and from top to bottom.
class BlockParser {
 public:
  BlockParser(std::string_view text, std::size_t line, const std::string& file,
              const NumberStyle& format, const TablePlan& plan, Table& table)
      : at_(text.data()),
        end_(text.data() + text.size()),
        line_(line),
        file_(file),
        format_(format),
        plan_(plan),
        numbers_are_plain_(!format.decimal_comma && format.separator != ' ' && !format.outer_bars) {
    targets_.resize(plan.header.size());
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const TablePlan::Column& of = plan.columns[i];
      targets_[of.cell] = {
          .numbers = table.columns[i].data(), .of = &of, .is_si = of.unit.is_si(), .most = of.most};
    }
    for (const ConstantText& constant : plan.constant_texts) {
      targets_[constant.cell].expected = &constant.text;
    }
    if (plan.text_cell) targets_[*plan.text_cell].texts = table.texts.data();
    if (!plan.stamp) return;
    stamps_ = table.columns[plan.stamp->column].data();
    for (const StampPlan::Cell& stamp : plan.stamp->cells) {
      targets_[stamp.cell] = {};
      targets_[stamp.cell].stamp_decimals = stamp.decimals;
    }
  }

  // Moves to the next row and past the blank lines and comments before it; false at the end.
  bool find_row() {
    for (; at_ != end_; ++line_) {
      at_ = skip_blanks(at_, end_, format_);
      if (at_ == end_) return false;
      if (!has_no_row({at_, static_cast<std::size_t>(end_ - at_)})) {
        at_ = skip_outer_bar(at_, end_, format_);
        return true;
      }
      at_ = find_newline(at_, end_);
      if (at_ != end_) ++at_;
    }
    return false;
  }

  void read_row(std::size_t row) {
    row_ = at_;
    if (plan_.stamp) stamp_ = StampSum(plan_.stamp->origin);
    for (std::size_t cell = 0; (cell = read_plain_numbers(cell, row)) < targets_.size(); ++cell) {
      if (cell > 0 && !pass_separator()) fail_count();
      read_cell(cell, row);
    }
    if (plan_.stamp) stamps_[row] = stamp_.seconds();
    if (format_.has_comments) at_ = find_newline(at_, end_);
    if (at_ == end_) return;
    if (*at_ != '\n') fail_count();
    ++at_;
    ++line_;
  }

  // Gives the rest of the row up.
  void pass_line() {
    at_ = find_newline(at_, end_);
    if (at_ == end_) return;
    ++at_;
    ++line_;
  }

  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  struct Target {
    double* numbers = nullptr;  // null: not wanted as a number
    const TablePlan::Column* of = nullptr;
    bool is_si = true;
    double most = 0.0;
    const std::string* expected = nullptr;  // the required content of the cell
    std::optional<int> stamp_decimals{};
    std::string* texts = nullptr;
  };

  // Reads cells from this one on that are numbers and nothing else; returns the first that is not.
  std::size_t read_plain_numbers(std::size_t cell, std::size_t row) {
    if (!numbers_are_plain_) return cell;
    const char *at = at_, *const end = end_;
    const char separator = format_.separator;
    if (cell > 0 && (at == end || *at++ != separator)) return cell;
    for (const std::size_t cells = targets_.size(); cell < cells; ++at) {
      const Target& target = targets_[cell];
      if (target.numbers == nullptr) break;
      double number = 0.0;
      const auto [stop, error] = read_decimal(at, end, number);
      if (error != std::errc() || stop == end) break;
      const char behind = *stop;
      if (behind != separator && behind != '\n') break;
      if (!target.is_si) number = target.of->unit.to_si(number);
      if (!(std::abs(number) <= target.most)) break;
      target.numbers[row] = number;
      at_ = at = stop;
      ++cell;
      if (behind != separator) break;
    }
    return cell;
  }

  bool pass_separator() {
    if (at_ == end_ || *at_ == '\n' || !format_.ends_cell(*at_)) return false;
    ++at_;
    return true;
  }

  void read_cell(std::size_t cell, std::size_t row) {
    const Target& target = targets_[cell];
    if (target.numbers != nullptr)
      target.numbers[row] = read_number(cell, target);
    else if (target.stamp_decimals)
      read_stamp(cell);
    else
      skip_cell(cell, row);
  }

  [[nodiscard]] Cell present_cell(std::size_t cell) const {
    const Cell found = cell_at(at_, end_, format_);
    if (found.end == nullptr) fail_cell(cell, found.text, "expected a closing quote after it");
    return found;
  }

  void read_stamp(std::size_t cell) {
    const Cell found = present_cell(cell);
    const auto stamp = stamp_nanoseconds(found.text, *targets_[cell].stamp_decimals);
    if (!stamp_.add(stamp)) {
      if (!parse_cell(found.text, format_)) fail_number(cell, found.text);
      fail_cell(cell, found.text, readable_stamp);
    }
    at_ = found.end;
  }

  void skip_cell(std::size_t cell, std::size_t row) {
    const Cell skipped = present_cell(cell);
    const std::string* const expected = targets_[cell].expected;
    if (expected != nullptr && skipped.text != *expected) {
      fail_cell(cell, skipped.text, "expected " + shown_text(*expected) + " as in the first row");
    }
    if (targets_[cell].texts != nullptr) targets_[cell].texts[row] = std::string(skipped.text);
    at_ = skipped.end;
  }

  // Reads a number, perhaps with blanks, quotes or a plus sign around it.
  double read_number(std::size_t cell, const Target& target) {
    const Cell found = present_cell(cell);
    const bool is_left_out = found.text.empty() && target.of->may_be_empty;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto number = is_left_out ? nan : parse_cell(found.text, format_);
    at_ = found.end;
    const double result = !number ? nan : target.is_si ? *number : target.of->unit.to_si(*number);
    const bool is_within = std::abs(result) <= target.most;
    if (target.of->may_be_unknown) return is_within ? result : nan;
    if (!number) fail_number(cell, found.text);
    if (!is_within && !is_left_out) {
      if (cells_in_row() != targets_.size()) fail_count();
      fail_cell(cell, number_text(*number), "expected " + limits_of_input::expected(target.most));
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
    const char* const stop = std::from_chars(text.data(), end, ignored).ptr;
    // nan, inf and 1e999 are spelt as numbers.
    const bool is_spelt_well = !text.empty() && stop == end;
    const std::string_view unit = trimmed({stop, static_cast<std::size_t>(end - stop)});
    std::string expected = is_spelt_well ? "expected a finite number" : "expected a number";
    if (format_.decimal_comma) {
      expected = "expected a finite number with a decimal comma";
    } else if (has_decimal_comma(text)) {
      expected += decimal_comma_advice;
    } else if (text.find(':') != text.npos) {
      expected += "; times of day are read as in 2024-05-31T13:05:00.25";
    } else if (stop != text.data() && unit.find_first_of("0123456789.,-+ ") == unit.npos &&
               !unit.empty()) {
      expected += "; units stand in the header, as in q1[deg] or t[ms]";
    }
    if (is_no_measurement(text)) expected += plan_.remedy;
    fail_cell(cell, text, expected);
  }

  [[nodiscard]] std::size_t cells_in_row() const {
    std::size_t found = 0;
    for (const char* at = row_;; ++at) {
      ++found;
      at = cell_at(at, end_, format_).end;
      if (at == nullptr || at == end_ || *at == '\n') return found;
    }
  }

  [[noreturn]] void fail_count() const {
    const std::size_t found = cells_in_row(), expected = targets_.size();
    const bool may_have_commas = format_.separator == ',' && found > expected + 1;
    fail_at(file_, line_,
            fmt::format("found {}, expected {} as in the header{}", counted(found, "cell"),
                        expected, may_have_commas ? decimal_comma_advice : ""));
  }

  const char* at_;
  const char* end_;
  const char* row_ = nullptr;  // where the present one begins
  std::size_t line_;
  const std::string& file_;
  const NumberStyle& format_;
  const TablePlan& plan_;
  bool numbers_are_plain_;  // a number ends where from_chars stops
  StampSum stamp_{0};       // of the row
  double* stamps_ = nullptr;
  std::vector<Target> targets_;  // one per cell of a line
};

/// A date and time begins with a digit, as no name does.
bool looks_like_names(const std::vector<std::string>& cells) {
  return std::ranges::any_of(cells, [](const std::string& cell) {
    return !cell.empty() && std::isalpha(static_cast<unsigned char>(cell.front())) != 0 &&
           cell != "nan" && cell != "NaN" && cell != "inf";
  });
}

/// The names in a comment, in which NumPy's savetxt writes them, if there are so many.
std::optional<std::vector<std::string>> names_in(std::string_view comment, std::size_t count) {
  comment.remove_prefix(std::min(comment.find_first_not_of("#% \t"), comment.size()));
  std::string_view unclosed;
  auto cells = cells_of(comment, guess_style(comment), unclosed);
  if (!cells || cells->size() != count || !looks_like_names(*cells)) return std::nullopt;
  return cells;
}

/// The names of the cells of a row of `ros2 topic echo --csv` of joint states, which has no header:
/// seconds, nanoseconds, frame, names, positions, velocities, efforts. Nothing for other rows.
std::optional<std::vector<std::string>> echoed_names(const std::vector<std::string>& row) {
  constexpr std::size_t before = 3;
  const auto is_number = [&](std::size_t cell) { return parse_number(row[cell]).has_value(); };
  std::size_t joints = 0;
  while (before + joints < row.size() && !row[before + joints].empty() &&
         !is_number(before + joints)) {
    ++joints;
  }
  if (joints == 0 || !is_number(0) || !is_number(1)) return {};
  std::vector<std::string> names{"header.stamp.sec", "header.stamp.nanosec", "header.frame_id"};
  const auto name = [&](const char* what, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("message.{}{}", what, i));
  };
  name("name", joints);
  for (const char* const what : {"position", "velocity", "effort"}) {
    const bool is_absent = names.size() < row.size() && row[names.size()].empty();
    is_absent ? name("", 1) : name(what, joints);
  }
  bool is_one = names.size() == row.size();
  for (std::size_t cell = before + joints; is_one && cell < row.size(); ++cell) {
    is_one = is_no_measurement(row[cell]) || is_number(cell);
  }
  return is_one ? std::optional(names) : std::nullopt;
}

/// Makes cells of lists of numbers, quoted or not, such as [0.1, 0.2] and array('d', [0.1, 0.2]).
std::string without_lists(std::string_view text, char separator) {
  std::string kept;
  for (std::size_t open = text.find('['); open != text.npos; open = text.find('[')) {
    const std::size_t close = text.find_first_of("]\n", open + 1);
    const std::string_view list = text.substr(open + 1, std::min(close, text.size()) - open - 1);
    const bool is_list = close != text.npos && text[close] == ']' &&
                         list.find_first_of("0123456789") != list.npos &&
                         list.find_first_not_of("0123456789.,+-eE \tnaif") == list.npos;
    kept += text.substr(0, is_list ? open : open + 1);
    text.remove_prefix(is_list ? close + 1 : open + 1);
    if (!is_list) continue;
    if (constexpr std::string_view call = "array('d', "; kept.ends_with(call)) {
      kept.resize(kept.size() - call.size());
      text.remove_prefix(text.starts_with(')') ? 1 : 0);
    }
    if (kept.ends_with('"') && text.starts_with('"')) {
      kept.pop_back();
      text.remove_prefix(1);
    }
    bool is_between = false;
    for (const char c : armdyn::trimmed(list, " \t,")) {
      const bool is_blank = c == ' ' || c == '\t' || c == ',';
      if (is_between && !is_blank) kept += separator;
      if (!is_blank) kept += c;
      is_between = is_blank;
    }
  }
  return kept.append(text);
}

/// "position[0][rad]" of the first number of a list below "position[rad]".
std::string name_in_list(const std::string& name, std::size_t k) {
  const std::size_t end =
      name.ends_with(']') ? std::min(name.rfind('['), name.size()) : name.size();
  return fmt::format("{}[{}]{}", armdyn::trimmed(name.substr(0, end), " "), k, name.substr(end));
}

void refuse_other_content(std::string_view text, const std::string& file) {
  if (text.starts_with(npy_magic)) {
    throw InputError(file +
                     ": this is an array in NumPy's format, which is read from a file whose name "
                     "ends in .npy");
  }
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

CsvTable::CsvTable(InputFile& input, BlockLimits limits, HeaderLine header,
                   const std::string& example)
    : CsvTable([&input](char* data, std::size_t size) { return input.read(data, size); },
               input.name(), limits, header, example) {
  input_ = &input;
}

CsvTable::CsvTable(ByteSource source, std::string file, BlockLimits limits, HeaderLine header,
                   const std::string& example)
    : blocks_(std::move(source), std::move(file), limits) {
  read_header(header, example);
}

void CsvTable::read_header(HeaderLine written, const std::string& example) {
  const std::string expected = "expected a header line such as " + example;
  header_.file = blocks_.file();
  header_.is_written = written == HeaderLine::written;
  RawBlock& block = rest_;
  if (!blocks_.next(block)) throw InputError(header_.file + ": the input is empty; " + expected);
  refuse_other_content(block.text(), header_.file);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (block.text().starts_with(byte_order_mark)) block.begin += byte_order_mark.size();
  auto line = find_line(block);
  if (line && line->starts_with("sep=") && line->size() <= 5) {  // for Excel
    pass_line(block);
    line = find_line(block);
  }
  const bool is_labview = line && line->starts_with("LabVIEW Measurement");
  for (int heads = 0; is_labview && line && heads < 2; line = find_line(block)) {
    if (line->starts_with("***End_of_Header***")) ++heads;  // of the file, then of its rows
    pass_line(block);
  }
  if (!line) {
    throw InputError(header_.file + ": found only blank lines and comments; " + expected);
  }
  header_.line = block.first_line;
  refuse_what_is_no_text(*line, header_);
  format_ = guess_style(*line);
  std::string_view unclosed;
  const auto cells = cells_of(*line, format_, unclosed);
  if (!cells) {
    fail_at(header_.file, header_.line, "expected a closing quote after " + shown_text(unclosed));
  }
  header_.cells = *cells;
  format_.has_comments = is_labview && header_.cells.back() == "Comment";
  if (format_.has_comments) header_.cells.pop_back();
  if (written == HeaderLine::perhaps) header_.is_written = looks_like_names(header_.cells);
  if (header_.is_written) {
    auto names = echoed_names(header_.cells);  // of a row, which stays
    if (!names && !looks_like_names(header_.cells)) {
      names = names_in(comment_, header_.cells.size());
      if (names) header_.line = comment_line_;
    }
    if (names) {
      header_.cells = *names;
    } else {
      pass_line(block);
      read_units(block);
    }
  }
  rows_begin_ = block.first_line;
  // The mark of decimals shows in many rows rather than in those that happen to have come.
  if (blocks_.is_live() && format_.separator != ',') {
    blocks_.fill_blocks();
    if (RawBlock more; blocks_.next(more)) {
      block.buffer.resize(block.end);
      block.buffer.insert(block.buffer.end(), more.buffer.begin(),
                          more.buffer.begin() + static_cast<std::ptrdiff_t>(more.end));
      block.end = block.buffer.size();
      block.line_count += more.line_count;
    }
  }
  if (const auto first = find_line(block)) {
    read_first_row(*first);
    std::string_view text = block.text();
    std::string without;
    if (has_lists_) text = without = without_lists(text, format_.separator);
    format_.decimal_comma = format_.separator != ',' && has_decimal_comma(text);
  }
  if (header_.is_written) return;
  for (std::size_t i = 0; i < header_.cells.size(); ++i) header_.cells[i] = std::to_string(i + 1);
}

/// Adds the units to the names where the line below these holds nothing else.
void CsvTable::read_units(RawBlock& block) {
  const auto line = find_line(block);
  std::string_view unclosed;
  auto cells = line ? cells_of(*line, format_, unclosed) : std::nullopt;
  if (!cells || cells->size() != header_.cells.size()) return;
  bool has_unit = false;
  for (std::string& cell : *cells) {
    cell = armdyn::trimmed(cell, "[]() -");
    if (!cell.empty() && (is_digit(cell.front()) || is_no_measurement(cell))) return;
    has_unit = has_unit || is_unit(cell);
  }
  if (!has_unit) return;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    std::string& name = header_.cells[i];
    if (!(*cells)[i].empty() && !name.ends_with(']')) name += "[" + (*cells)[i] + "]";
  }
  pass_line(block);
}

/// A cell with a list of numbers becomes cells, and its name that of each.
void CsvTable::read_first_row(std::string_view line) {
  constexpr char mark = '\x1F';
  const std::string marked = without_lists(line, mark);
  std::string_view unclosed;
  auto cells = cells_of(marked, format_, unclosed).value_or(std::vector<std::string>{});
  has_lists_ = marked != line && cells.size() == header_.cells.size();
  if (!has_lists_) {
    if (marked != line) cells = cells_of(line, format_, unclosed).value_or(std::move(cells));
    header_.first_row = std::move(cells);
    if (format_.has_comments) header_.first_row.resize(header_.cells.size());
    return;
  }
  const std::vector<std::string> names = std::exchange(header_.cells, {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string> numbers = split_at(cells[i], mark);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      header_.cells.push_back(numbers.size() == 1 ? names[i] : name_in_list(names[i], k));
      header_.first_row.push_back(numbers[k]);
    }
  }
}

void CsvTable::pass_line(RawBlock& block) {
  const std::string_view text = block.text();
  const std::size_t newline = std::min(text.find('\n'), text.size() - 1);
  block.begin += newline + 1;
  --block.line_count;
  ++block.first_line;
}

// The next line that is neither blank nor a comment, which `block` then begins with.
std::optional<std::string_view> CsvTable::find_line(RawBlock& block) {
  do {
    while (block.begin != block.end) {
      const std::string_view text = block.text();
      const std::string_view line = trimmed(text.substr(0, text.find('\n')));
      if (!has_no_row(line)) return line;
      if (is_comment(line)) {
        comment_ = line;
        comment_line_ = block.first_line;
      }
      pass_line(block);
    }
  } while (blocks_.next(block));
  return std::nullopt;
}

bool CsvTable::next(RawBlock& block) {
  if (rest_.begin == rest_.end) return blocks_.next(block);
  std::swap(block, rest_);
  rest_.begin = rest_.end = 0;
  return true;
}

void CsvTable::parse(const RawBlock& block, const TablePlan& plan, Table& table) const {
  std::string_view text = block.text();
  std::string without;
  if (has_lists_) text = without = without_lists(text, format_.separator);
  const std::size_t nul = text.find('\0');
  const bool is_binary = nul != std::string_view::npos;
  if (is_binary) text = text.substr(0, text.rfind('\n', nul) + 1);

  table.resize(plan.columns.size(), block.line_count);
  table.lines.resize(block.line_count);
  table.left_out.clear();
  if (plan.text_cell) table.texts.resize(block.line_count);
  BlockParser parser(text, block.first_line, header_.file, format_, plan, table);
  std::size_t rows = 0;
  while (parser.find_row()) {
    table.lines[rows] = parser.line();
    try {
      parser.read_row(rows);
      ++rows;
    } catch (const InputError& error) {
      if (plan.bad_rows == BadRows::refuse) throw;
      parser.pass_line();
      if (plan.bad_rows == BadRows::leave_out) {
        table.left_out.push_back({rows, error.what()});
        continue;
      }
      for (std::vector<double>& column : table.columns) {
        column[rows] = std::numeric_limits<double>::quiet_NaN();
      }
      ++rows;
    }
  }
  if (is_binary) fail_at(header_.file, parser.line(), binary_message);
  table.resize(plan.columns.size(), rows);
  table.lines.resize(rows);
  if (plan.text_cell) table.texts.resize(rows);
}

LineBlocks CsvTable::lines_between(std::uintmax_t begin, std::uintmax_t end,
                                   std::size_t first_line) const {
  return {[input = input_, begin, end](char* data, std::size_t size) mutable {
            const auto count =
                static_cast<std::size_t>(std::min<std::uintmax_t>(size, end - begin));
            input->read_at(begin, data, count);
            begin += count;
            return count;
          },
          header_.file, blocks_.limits(), first_line};
}

std::vector<RowRange> CsvTable::split(std::uintmax_t rows_of_each) const {
  if (input_ == nullptr || !input_->is_regular()) {
    throw FileError(
        header_.file +
        ": is a pipe or several files, which cannot be read in parts; write it into one "
        "file first");
  }
  std::vector<RowRange> ranges;
  LineBlocks blocks = lines_between(0, *input_->size(), 1);
  std::uintmax_t place = 0, rows = 0;
  std::size_t line = 1;
  const auto end_last = [&] {
    if (ranges.empty()) return;
    ranges.back().end = place;
    ranges.back().end_line = line;
  };
  for (RawBlock block; blocks.next(block);) {
    for (std::string_view text = block.text(); !text.empty(); ++line) {
      const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
      const bool is_row =
          line >= rows_begin_ && !has_no_row(trimmed(text.substr(0, text.find('\n'))));
      if (is_row && rows++ % rows_of_each == 0) {
        end_last();
        ranges.push_back({rows - 1, 0, place, place, line, line});
      }
      if (is_row) ++ranges.back().rows;
      text.remove_prefix(length);
      place += length;
    }
  }
  end_last();
  return ranges;
}

void CsvTable::keep(const RowRange& range) {
  blocks_ = lines_between(range.begin, range.end, range.first_line);
  rest_.begin = rest_.end = 0;
}

const TableFormat csv_format{
    .open = [](InputFile& input, BlockLimits limits, HeaderLine header,
               const std::string& example) -> std::unique_ptr<TableSource> {
      return std::make_unique<CsvTable>(input, limits, header, example);
    },
    .head = [](const std::vector<std::string>& names, bool /*is_named*/,
               std::uintmax_t /*rows*/) { return fmt::format("{}\n", fmt::join(names, ",")); },
    .append_rows =
        [](std::string& text, const Places& columns, std::size_t rows) {
          const std::size_t lines_at_once = std::min<std::size_t>(rows, 64);
          std::vector<char> lines(lines_at_once * (columns.size() * (room_for_decimal + 1) + 1));
          char* to = lines.data();
          for (std::size_t row = 0; row < rows; ++row) {
            for (const double* const column : columns) {
              const double number = column[row];
              if (!std::isnan(number)) to = print_decimal(to, written(number));
              *to++ = ',';
            }
            if (!columns.empty()) --to;
            *to++ = '\n';
            if ((row + 1) % lines_at_once != 0 && row + 1 != rows) continue;
            text.append(lines.data(), to);
            to = lines.data();
          }
        },
    .head_in =
        [](std::string_view bytes, std::uintmax_t /*end*/, const std::string& /*file*/) {
          return std::string(bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1));
        },
    .head_for = [](const std::string& head, std::uintmax_t /*end*/, const std::string& /*file*/,
                   std::uintmax_t /*row_bytes*/) { return head; },
    .largest_head = std::uintmax_t{2} << 20U,
    .counts_rows = false};

}  // namespace armdyn
