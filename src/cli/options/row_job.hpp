#pragma once

// Work whose rows can be computed in any order and anywhere, for an array with a row for each.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/table/table.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

class RowJob {
 public:
  RowJob() = default;
  virtual ~RowJob() = default;
  RowJob(const RowJob&) = delete;
  RowJob& operator=(const RowJob&) = delete;

  /// What the bytes of the array follow from, as `job_identity` has it.
  [[nodiscard]] virtual Json identity() const = 0;
  /// As TableSource::split.
  [[nodiscard]] virtual std::vector<RowRange> split(std::uintmax_t rows_of_each) const = 0;
  /// What the array begins with, and the bytes of each row behind that.
  [[nodiscard]] virtual std::string head(std::uintmax_t rows) const = 0;
  [[nodiscard]] virtual std::size_t row_bytes() const = 0;

  /// Rows, and what a summary needs to know of them that is not in them.
  struct Done {
    std::string bytes;
    Json summary;
  };
  [[nodiscard]] virtual Done run(const RowRange& range) = 0;

  /// What is said when all rows are there: `summaries` in the order of the rows, which are in a file
  /// behind its head; `more` goes into the JSON.
  struct Said {
    std::string text;
    bool is_json = false;
    bool is_answer = false;  ///< for standard output
    Ending ending = Ending::done;
  };
  [[nodiscard]] virtual Said finish(const std::vector<Json>& summaries, const std::string& file,
                                    const Json& more) = 0;
};

/// On standard error, or what is an answer on standard output. Throws as OutputFile.
void print(const RowJob::Said& said);

}  // namespace armdyn
