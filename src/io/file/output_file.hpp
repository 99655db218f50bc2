#pragma once

// Outputs, whose files appear wholly or not at all.

#include <fmt/format.h>
#include <sys/stat.h>
#include <armdyn/error.hpp>

#include "io/file/byte_sink.hpp"
#include "io/file/interrupt.hpp"

namespace armdyn {

/// FNV-1a, 64 bits, of bytes part by part.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ ^= static_cast<unsigned char>(byte);
      hash_ *= 0x100000001b3U;
    }
  }
  /// "fnv1a64:" and 16 hexadecimal digits.
  [[nodiscard]] std::string text() const { return fmt::format("fnv1a64:{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

/// End of the reader of our output: the program ends quietly with exit code 0.
class ClosedPipe : public Error {
 public:
  ClosedPipe() : Error("the output pipe was closed") {}
};

/// Fate of a regular file that has the name of an output.
enum class Existing { replaced, kept };

/// An output open for writing. A regular file is written as a temporary beside its place and put
/// there by `commit`; without it an existing file stays. The temporary of a killed run is removed by
/// the next run to the same place. Streams are written directly. All functions throw FileError,
/// ClosedPipe, Interrupted.
class OutputFile final : public ByteSink {
 public:
  /// Opens an output; "-" is standard output. Throws FileError for an existing file that is to be
  /// kept, here or in `commit`.
  explicit OutputFile(const std::string& path, Existing existing = Existing::replaced);
  ~OutputFile() override;

  void write(std::string_view bytes) override;

  /// Makes `commit` replace the beginning. Throws FileError unless this is a regular file with a
  /// name.
  void replace_beginning(std::function<std::string(std::uintmax_t written)> make) override;

  /// Lets `write` finish after a first signal, unless nobody reads for 0.2 s: for callers that look at
  /// `interrupted()` themselves and end on a whole line. A second signal ends the program.
  void finish_lines_when_interrupted();

  /// Writes an end behind the content, puts the file on the disk and then in its place. Nothing may
  /// be written after it.
  void commit(std::string_view after_content = {}) { commit({this}, after_content); }

  /// Commits all outputs that are not null: none takes its place before all are on the disk.
  /// `after_last` is written behind the last.
  static void commit(const std::vector<OutputFile*>& outputs, std::string_view after_last = {});

  /// Name for messages: the path as given, or "standard output".
  [[nodiscard]] const std::string& name() const override { return name_; }
  /// Tests whether nothing has been written yet.
  [[nodiscard]] bool is_empty() const { return written_ == 0; }

 private:
  void open_directly(const std::string& path);
  void open_beside(const std::string& path);
  bool make_temporary(const std::string& name);
  void put_on_disk(std::string_view after_content);
  void take_place(const std::string& done);
  [[noreturn]] void fail_without_folder(const std::string& folder) const;
  [[noreturn]] void fail(int error, const std::string& done = {}) const;

  std::string name_;
  Existing existing_;
  std::string target_;     // place of a regular file, links followed
  std::string temporary_;  // its place until then; empty if written directly
  std::optional<Unfinished> unfinished_;
  int descriptor_ = -1;
  int lock_ = -1;  // keeps the lock of a temporary that is closed
  bool may_block_ = false;
  bool patient_ = false;  // goes on writing after a signal
  std::uintmax_t written_ = 0;
  std::function<std::string(std::uintmax_t)> make_beginning_;
};

/// Writes an output of that content.
void write_file(const std::string& path, std::string_view content,
                Existing existing = Existing::replaced);

/// Tests if an output is written directly, not put in a file's place: standard output, pipes,
/// devices, and open descriptors, /dev/stderr or /dev/fd/N.
[[nodiscard]] bool is_stream(const std::string& path);

/// Tests whether an output is standard output: "-", or an open descriptor of the same file.
[[nodiscard]] bool is_standard_output(const std::string& path);

/// Tests whether one of two outputs would replace the other: the same file, there or yet to be
/// made.
[[nodiscard]] bool are_one_file(const std::string& a, const std::string& b);

/// Sets the files that this run writes: from here on an InputFile that is one of them is an Error.
/// Must not be called while other threads read.
void refuse_to_read(const std::vector<std::string>& outputs);

/// Output of this run with that status, if any.
[[nodiscard]] std::optional<std::string> output_that_is(const struct stat& input);

/// Writes all bytes to a place of a file, or to its end where it is open to append (pwrite(2), BUGS);
/// false with the reason in errno.
[[nodiscard]] bool write_at(int descriptor, std::string_view bytes, std::uintmax_t place = 0);

/// Tests whether a descriptor is of the file of this name.
[[nodiscard]] bool is_file_named(int descriptor, const std::string& path);

}  // namespace armdyn
