#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/document.hpp"

namespace armdyn {

/// Rows that are done, and what a summary needs to know of them.
struct FinishedChunk {
  std::uintmax_t first = 0, rows = 0;
  Json summary;
};

/// OUT.manifest: which rows of OUT.part are on the disk. A line of JSON says what the job is, then
/// one for each chunk. All functions throw FileError.
class Manifest {
 public:
  /// A new one, and a new OUT.part that begins with `head`; or, to resume, what is there, if
  /// anything is. Throws InputError where that is of another job.
  Manifest(const std::string& output, const Json& job, const std::string& head, bool resume);
  ~Manifest();
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  /// In the order in which they were recorded.
  [[nodiscard]] const std::vector<FinishedChunk>& finished() const { return finished_; }
  /// Of rows that are on the disk: from here on they count as done.
  void record(FinishedChunk chunk);
  /// All rows are there: puts OUT.part into its place and removes the manifest.
  void complete();

 private:
  void start(const Json& job, const std::string& head);
  void resume(const Json& job);
  void append(const Json& line) const;
  [[noreturn]] static void fail(const std::string& what, const std::string& path);

  std::string output_, part_, path_;
  int descriptor_ = -1;
  std::vector<FinishedChunk> finished_;
};

}  // namespace armdyn
