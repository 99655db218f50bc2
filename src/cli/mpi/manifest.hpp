#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.hpp"

namespace armdyn {

/// Rows that are done, and what a summary needs to know of them.
struct FinishedChunk {
  std::uintmax_t first = 0, rows = 0;
  Json summary;
  std::string digest;  ///< of all that and the rows' bytes, as `digest_of` has it
};

[[nodiscard]] std::string digest_of(const FinishedChunk& chunk, std::string_view bytes);

/// OUT.manifest: which rows of OUT.part are on the disk. A line of JSON says what the job is, then
/// one for each chunk. All functions throw FileError.
class Manifest {
 public:
  /// A new one, and a new OUT.part that begins with `head`; or, to resume, what is there, if
  /// anything is, but for chunks whose rows are not in OUT.part as they were recorded. Throws
  /// InputError where that is of another job.
  Manifest(const std::string& output, const Json& job, const std::string& head,
           std::size_t row_bytes, bool resume);
  ~Manifest();
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  /// By their first rows; none has a row of another.
  using Chunks = std::map<std::uintmax_t, FinishedChunk>;
  [[nodiscard]] const Chunks& finished() const { return finished_; }
  /// Chunks that were recorded and are to be computed again.
  [[nodiscard]] std::size_t damaged() const { return damaged_; }
  /// Of rows that are on the disk: from here on they count as done.
  void record(FinishedChunk chunk);
  /// All rows are there: puts OUT.part into its place and removes the manifest.
  void complete();

 private:
  void start(const Json& job, const std::string& head);
  void resume(const Json& job, const std::string& head, std::size_t row_bytes);
  void take(const std::vector<FinishedChunk>& recorded, const Json& job, const std::string& head,
            std::size_t row_bytes);
  [[nodiscard]] bool has_row_of(const FinishedChunk& chunk) const;
  void append(const Json& line) const;
  [[noreturn]] static void fail(const std::string& what, const std::string& path);

  std::string output_, part_, path_;
  int descriptor_ = -1;
  Chunks finished_;
  std::size_t damaged_ = 0;
};

}  // namespace armdyn
