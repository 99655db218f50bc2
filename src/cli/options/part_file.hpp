#pragma once

// Parts of an output, made by themselves: which rows, under which name, and what says in each that
// they belong together.

#include <armdyn/robot_file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table.hpp"
#include "io/table/table_format.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

class InputFile;

/// --part K/N: the output is then OUT.part-K-of-N.
void declare_part(OptionList& list, std::optional<Part>& part, OutputOptions& output);

/// What the bytes of an output follow from: version, robot, options, input.
[[nodiscard]] Json job_identity(const RobotFile& file, const RobotOptions& robot,
                                const OutputOptions& output, const Json& input);

/// The digest of a file's bytes, or of the first so many. Throws FileError where that is no regular
/// file.
[[nodiscard]] std::string digest_of(const InputFile& input, std::uintmax_t most = UINTMAX_MAX);

/// A comment line that ends a part, and says what it is a part of and which rows it has.
[[nodiscard]] std::string part_trailer(const Part& part, const Json& identity,
                                       const WrittenRows& written);

/// What a trailer says, and where it begins in the file.
struct PartTrailer {
  Json identity;
  std::uintmax_t rows = 0;
  std::string digest;
  std::uintmax_t begin = 0;
};
/// Throws InputError for a file that has none, or that of another part.
[[nodiscard]] PartTrailer read_part_trailer(const InputFile& file, const Part& part);

/// In which of its members, by their paths, one identity differs from the other: "options.step: 1
/// and 2"; empty if they are the same.
[[nodiscard]] std::string identity_difference(const Json& one, const Json& other);

// Work whose rows can be computed in any order and anywhere, for an array with a row for each.

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
