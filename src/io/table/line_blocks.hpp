#pragma once

// Cuts an input of any length into blocks of whole lines.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// Some whole lines of the input, or rows of an array. Made to be used again for the next block.
struct RawBlock {
  std::vector<char> buffer;
  std::size_t begin = 0;  ///< the text in the buffer, or the numbers
  std::size_t end = 0;
  std::size_t first_line = 1;  ///< in the file; or row
  std::size_t line_count = 0;

  [[nodiscard]] std::string_view text() const { return {buffer.data() + begin, end - begin}; }
};

/// Reads at most so many bytes to there; 0 only at the end.
using ByteSource = std::function<std::size_t(char* data, std::size_t size)>;

/// Message for what no text file contains.
inline constexpr const char* binary_message =
    "found a NUL byte; this is a binary file, not CSV text";

struct BlockLimits {
  std::size_t block_size = std::size_t{256} * 1024;     ///< bytes, roughly
  std::size_t longest_line = std::size_t{1024} * 1024;  ///< bytes
  bool live = false;  ///< hands out the lines that have come, rather than wait for a whole block
};

/// Cuts an input into blocks of whole lines. Where it cuts depends on the content alone, never on
/// how the bytes arrive, unless it is live.
class LineBlocks {
 public:
  LineBlocks(ByteSource source, std::string file, BlockLimits limits = {},
             std::size_t first_line = 1);

  /// False at the end. Throws InputError for a line that is too long, and what the source throws.
  bool next(RawBlock& block);

  [[nodiscard]] bool is_live() const { return limits_.live; }
  /// Waits for a whole block from now on.
  void fill_blocks() { limits_.live = false; }

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const BlockLimits& limits() const { return limits_; }

 private:
  void start_with_carry(RawBlock& block) const;
  std::size_t find_cut(RawBlock& block);
  void fill(RawBlock& block, std::size_t size);

  ByteSource source_;
  std::string file_;
  BlockLimits limits_;
  std::vector<char> carry_;  // the beginning of a line whose end is in the next block
  std::size_t next_line_;
  bool at_end_ = false;
};

}  // namespace armdyn
