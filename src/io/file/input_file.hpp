#pragma once

// Reads bytes of a file, a pipe or standard input.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace armdyn {

/// An input open for reading. All functions throw FileError, and Interrupted while waiting.
class InputFile {
 public:
  /// "-" is standard input.
  explicit InputFile(const std::string& path);
  /// What `source` gives, which reads at most so many bytes to there, 0 only at the end.
  InputFile(std::string name, std::function<std::size_t(char* data, std::size_t size)> source);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads at most `size` bytes, fewer where fewer are there yet; 0 only at the end.
  std::size_t read(char* data, std::size_t size);

  /// For messages: the path as given, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// In bytes; only a regular file knows it.
  [[nodiscard]] std::optional<std::uintmax_t> size() const;
  [[nodiscard]] bool is_regular() const { return is_regular_; }
  /// Of the operating system; stays open as long as this exists. -1 if a source is read.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] dev_t device() const { return device_; }
  [[nodiscard]] ino_t inode() const { return inode_; }

 private:
  std::string name_;
  std::function<std::size_t(char*, std::size_t)> source_;  // in place of a descriptor
  int descriptor_ = -1;
  bool is_regular_ = false;
  std::uintmax_t size_ = 0;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace armdyn
