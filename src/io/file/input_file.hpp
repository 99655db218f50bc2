#pragma once

// Input of bytes from a file, a pipe or standard input.

#include <boost/noncopyable.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armdyn {

/// An input open for reading. All functions throw FileError, and Interrupted while waiting.
class InputFile : boost::noncopyable {
 public:
  /// Opens a file; "-" is standard input. Throws Error for an output of this run (refuse_to_read),
  /// and for standard input that has been read before.
  explicit InputFile(const std::string& path);
  /// Makes an input of these bytes, as of a regular file. Throws FileError without memory for them.
  InputFile(std::string name, std::string_view bytes);
  ~InputFile();

  /// Leaves out what lies behind so many bytes of a regular file.
  void end_at(std::uintmax_t size) { size_ = end_ = size; }

  /// Reads at most `size` bytes, fewer where no more are there yet; 0 only at the end. Throws
  /// FileError for a regular file that has become shorter.
  std::size_t read(char* data, std::size_t size);

  /// Reads so many bytes, fewer only at the end.
  [[nodiscard]] std::string read(std::size_t most = std::string::npos);

  /// Reads `size` existing bytes of a regular file from `offset` on.
  void read_at(std::uintmax_t offset, char* data, std::size_t size) const;
  [[nodiscard]] std::string read_at(std::uintmax_t offset, std::size_t size) const;
  /// Calls `take` for the bytes from `begin` to `end`, 1 MiB at a time.
  void read_range(std::uintmax_t begin, std::uintmax_t end,
                  const std::function<void(const std::string&)>& take) const;

  /// Name for messages: the path as given, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Size in bytes of a regular file.
  [[nodiscard]] std::optional<std::uintmax_t> size() const;
  [[nodiscard]] bool is_regular() const { return is_regular_; }

 private:
  void refuse_if_shorter() const;

  std::string name_;
  std::uintmax_t place_ = 0;  // of a regular file: where the next byte is read
  int descriptor_ = -1;
  bool is_regular_ = false;
  std::uintmax_t size_ = 0;
  std::uintmax_t end_ = UINTMAX_MAX;
};

/// "UTF-16" or "UTF-32" for a text in one of them, by its byte order mark or by the zeros of its first
/// Latin letters; else empty.
[[nodiscard]] std::string_view wide_encoding(std::string_view bytes);
/// Throws InputError for such a text.
void refuse_wide_text(std::string_view bytes, const std::string& name);

/// Reads a text; returns the name of its input, and the text. Throws as InputFile and
/// refuse_wide_text do, and InputError where it has more bytes than a `what`, "sheet of formulas".
[[nodiscard]] std::pair<std::string, std::string> read_text(const std::string& path,
                                                            std::size_t most, const char* what);

/// The digest of the bytes, or of the first so many. Throws FileError where that is no regular file.
[[nodiscard]] std::string digest_of(const InputFile& input, std::uintmax_t most = UINTMAX_MAX);

/// Names of what is in a folder, in no order. Throws std::system_error where it cannot be read. libstdc++'s
/// directory_iterator would end the program where memory runs out.
[[nodiscard]] std::vector<std::string> names_in(const std::string& folder);

/// PREFIX/share/armdyn for PREFIX/bin/armdyn, or the folder that was set: what comes with the program.
[[nodiscard]] std::string shared_folder();
/// Sets the folder for other programs than PREFIX/bin/armdyn; before shared_folder is used.
void set_shared_folder(std::string folder);

/// Bytes that wait on standard input, at most so many, without taking them. Never waits; empty where
/// standard input is neither a pipe nor a regular file.
[[nodiscard]] std::string peek_standard_input(std::size_t most);

}  // namespace armdyn
