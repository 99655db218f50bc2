#include "io/table/line_blocks.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <utility>

namespace armdyn {
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
