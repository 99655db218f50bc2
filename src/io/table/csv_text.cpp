#include "io/table/csv_text.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/text/number_text.hpp"
#include "math/characters.hpp"

namespace armdyn {

namespace {

std::string_view trimmed(const char* begin, const char* end, const NumberStyle& format) {
  begin = skip_blanks(begin, end, format);
  while (end != begin && format.is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Of several blanks the last separates; those before the end of the line belong to no cell, nor
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

std::string without_quoted(std::string_view line) {
  std::string kept;
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted) kept += c;
  }
  return kept;
}

// "1,5 2,5": cut at its commas, a cell of numbers would have a blank within.
bool has_numbers_apart(std::string_view line) {
  const auto is_inside = [&](std::size_t at) {
    return at > 0 && at + 1 < line.size() && is_digit(line[at - 1]) && line[at] == ' ' &&
           (is_digit(line[at + 1]) || line[at + 1] == '-');
  };
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_inside(at)) return true;
  }
  return false;
}

}  // namespace

const char* find_newline(const char* at, const char* end) {
  const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return found == nullptr ? end : static_cast<const char*>(found);
}

const char* skip_blanks(const char* at, const char* end, const NumberStyle& format) {
  while (at != end && format.is_blank(*at)) ++at;
  return at;
}

bool has_no_row(std::string_view text) {
  if (text.empty() || text.front() == '\n' || text.front() == '#') return true;
  const std::size_t end = std::min(text.find_first_not_of("-|+:= \t\r"), text.size());
  const std::string_view rule = text.substr(0, end);
  return (end == text.size() || text[end] == '\n') && rule.find("--") != std::string_view::npos &&
         rule.find_first_of("|+") != std::string_view::npos;
}

const char* skip_outer_bar(const char* at, const char* end, const NumberStyle& format) {
  if (!format.outer_bars) return at;
  const char* const bar = skip_blanks(at, end, format);
  return bar != end && *bar == '|' ? bar + 1 : at;
}

Cell cell_at(const char* at, const char* end, const NumberStyle& format) {
  const char* const begin = skip_blanks(at, end, format);
  if (begin != end && *begin == '"') return quoted_cell(begin, end, format);
  const char* stop = begin;
  while (stop != end && !format.ends_cell(*stop)) ++stop;
  return {trimmed(begin, stop, format), separator_after(stop, end, format)};
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
  const bool has_blanks = has(' ') && (!has(',') || has_numbers_apart(names));
  return {.separator = has_blanks ? ' ' : ','};
}

bool has_decimal_comma(std::string_view lines) {
  bool is_comment = false;
  bool is_line_start = true;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    if (lines[at] == '\n') {
      is_comment = false;
      is_line_start = true;
      continue;
    }
    is_comment = is_comment || (is_line_start && lines[at] == '#');
    is_line_start = is_line_start && (lines[at] == ' ' || lines[at] == '\t');
    if (is_comment || lines[at] != ',' || at == 0 || at + 1 == lines.size()) continue;
    if (is_digit(lines[at - 1]) && is_digit(lines[at + 1])) return true;
  }
  return false;
}

namespace {

std::size_t count_newlines(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

LineBlocks::LineBlocks(ByteSource source, std::string file, BlockLimits limits,
                       std::size_t first_line)
    : source_(std::move(source)), file_(std::move(file)), limits_(limits), next_line_(first_line) {
  limits_.longest_line = std::max(limits_.longest_line, limits_.block_size);
}

bool LineBlocks::next(RawBlock& block) {
  start_with_carry(block);
  const std::size_t cut = find_cut(block);
  const auto text_end = block.buffer.begin() + static_cast<std::ptrdiff_t>(cut);
  carry_.assign(text_end, block.buffer.begin() + static_cast<std::ptrdiff_t>(block.end));
  block.end = cut;

  const std::string_view text = block.text();
  const std::size_t newlines = count_newlines(text);
  block.line_count = newlines + (text.empty() || text.back() == '\n' ? 0 : 1);
  next_line_ += block.line_count;
  return !text.empty();
}

void LineBlocks::start_with_carry(RawBlock& block) const {
  if (block.buffer.size() < carry_.size()) block.buffer.resize(carry_.size());
  std::copy(carry_.begin(), carry_.end(), block.buffer.begin());
  block.begin = 0;
  block.end = carry_.size();
  block.first_line = next_line_;
}

// Always looks at the same number of bytes before it decides, however many arrive at a time.
std::size_t LineBlocks::find_cut(RawBlock& block) {
  for (std::size_t size = 0; size <= limits_.longest_line;) {
    size = std::min(size + limits_.block_size, limits_.longest_line + 1);
    fill(block, size);
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

}  // namespace armdyn
