#pragma once

// Looks at a regular file without copying it.

#include <cstddef>
#include <string_view>

namespace armdyn {

class InputFile;

/// The bytes of a regular file, mapped into memory while this exists. Who shortens the file
/// meanwhile ends the program (SIGBUS), as with every mapped file.
class MappedFile {
 public:
  /// Throws InputError if the input is no regular file, FileError if it cannot be mapped.
  explicit MappedFile(const InputFile& input);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

  /// These bytes have been looked at, and their memory may be used for others.
  void release(std::size_t begin, std::size_t size) const;

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace armdyn
