#pragma once

// Reads bytes of a file, a pipe or standard input.

#include <boost/noncopyable.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace armdyn {

class TableSource;
struct BlockLimits;
using TableMaker = std::function<std::unique_ptr<TableSource>(const BlockLimits& limits)>;

/// An input open for reading. All functions throw FileError, and Interrupted while waiting.
class InputFile : boost::noncopyable {
 public:
  /// "-" is standard input. Throws Error for an output of this run (refuse_to_read).
  explicit InputFile(const std::string& path);
  /// An input whose table is made elsewhere, and which has no bytes.
  InputFile(std::string name, TableMaker table);
  ~InputFile();

  /// Reads at most `size` bytes, fewer where fewer are there yet; 0 only at the end. A regular file
  /// that has become shorter meanwhile is a FileError.
  std::size_t read(char* data, std::size_t size);

  /// Reads so many bytes, fewer only at the end.
  [[nodiscard]] std::string read(std::size_t most = std::string::npos);

  /// Reads `size` bytes of a regular file from `offset` on, which must be there.
  void read_at(std::uintmax_t offset, char* data, std::size_t size) const;
  [[nodiscard]] std::string read_at(std::uintmax_t offset, std::size_t size) const;
  /// Calls `take` for the bytes from `begin` to `end`, 1 MiB at a time.
  void read_range(std::uintmax_t begin, std::uintmax_t end,
                  const std::function<void(const std::string&)>& take) const;

  /// Name for messages: the path as given, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Size in bytes; only a regular file knows it.
  [[nodiscard]] std::optional<std::uintmax_t> size() const;
  [[nodiscard]] bool is_regular() const { return is_regular_; }
  /// Empty for all others than those.
  [[nodiscard]] const TableMaker& table() const { return table_; }

 private:
  void refuse_if_shorter() const;

  std::string name_;
  TableMaker table_;
  std::uintmax_t place_ = 0;  // of a regular file: where the next byte is read
  int descriptor_ = -1;
  bool is_regular_ = false;
  std::uintmax_t size_ = 0;
};

/// Looks at what waits on standard input, at most so many bytes of it, without taking them: they
/// are still there for whoever reads. Never waits; empty where standard input is neither a pipe nor
/// a regular file.
[[nodiscard]] std::string peek_standard_input(std::size_t most);

}  // namespace armdyn
