#pragma once

// Outputs, whose files are there wholly or not at all.

#include <fmt/format.h>
#include <sys/stat.h>
#include <armdyn/error.hpp>
#include <boost/noncopyable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/interrupt.hpp"

namespace armdyn {

/// FNV-1a, 64 bits, of bytes that come one part after the other.
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

/// Whoever read our output has stopped reading: the program ends quietly with exit code 0.
class ClosedPipe : public Error {
 public:
  ClosedPipe() : Error("the output pipe was closed") {}
};

/// Fate of a regular file that has the name of an output.
enum class Existing { replaced, kept };

/// An output open for writing. A regular file is written beside its place and put there by
/// `commit`; until then, and for ever if that never comes, what was there stays. Whoever was ended
/// without a chance to tidy up leaves that other file, and the next run to the same place removes
/// it. Streams are written directly. All functions throw FileError, ClosedPipe, Interrupted.
class OutputFile : boost::noncopyable {
 public:
  /// "-" is standard output. Where a file is to be kept, being there is a FileError, now or when it
  /// is committed.
  explicit OutputFile(const std::string& path, Existing existing = Existing::replaced);
  ~OutputFile();

  void write(std::string_view bytes);

  /// Replaces the beginning by what `make` returns of the number of bytes written, before `commit`
  /// puts the file in its place. Throws FileError if this is no regular
  /// file with a name.
  void replace_beginning(std::function<std::string(std::uintmax_t written)> make);

  /// Lets `write` finish what it was given after a first signal, unless nobody reads it for 0.2 s:
  /// for those who ask for `interrupted()` themselves and end on a whole
  /// line. A second one ends the program.
  void finish_lines_when_interrupted();

  /// Writes what follows the content, puts the file on the disk and then in its place. Nothing may
  /// be written after it.
  void commit(std::string_view after_content = {}) { commit({this}, after_content); }

  /// The same of all that are not null: the first takes its place when all are on the disk. What
  /// follows the content is that of the last.
  static void commit(const std::vector<OutputFile*>& outputs, std::string_view after_last = {});

  /// Name for messages: the path as given, or "standard output".
  [[nodiscard]] const std::string& name() const { return name_; }

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
  std::string target_;     // where a regular file belongs, links followed
  std::string temporary_;  // where it is until then; empty if written directly
  std::optional<Unfinished> unfinished_;
  int descriptor_ = -1;
  int lock_ = -1;  // keeps the lock of a temporary that is closed
  bool may_block_ = false;
  bool patient_ = false;  // a signal is no reason to stop writing
  std::uintmax_t written_ = 0;
  std::function<std::string(std::uintmax_t)> make_beginning_;
};

/// Null where the path is empty.
[[nodiscard]] std::unique_ptr<OutputFile> open_if_named(const std::string& path);

/// An output of no more than that.
void write_file(const std::string& path, std::string_view content,
                Existing existing = Existing::replaced);

/// Tells if what is written there is taken as it comes, not put in a file's place: standard output,
/// pipes, devices, and what is open already, whatever it is: /dev/stderr, /dev/fd/N.
[[nodiscard]] bool is_stream(const std::string& path);

/// Tells whether one of two outputs would replace the other: the same file, there or yet to be
/// made.
[[nodiscard]] bool are_one_file(const std::string& a, const std::string& b);

/// The files that this run writes: from here on an InputFile that is one of them is an Error. Not
/// to be called while others read.
void refuse_to_read(const std::vector<std::string>& outputs);

/// The one of them that has that status, if one has.
[[nodiscard]] std::optional<std::string> output_that_is(const struct stat& input);

/// Tells whether a descriptor is of the file that has this name.
[[nodiscard]] bool is_file_named(int descriptor, const std::string& path);

}  // namespace armdyn
