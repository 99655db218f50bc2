#pragma once

// Parts of an output, each made by a run of its own: their rows, their names, and the trailers that
// say what they are parts of.

#include <armdyn/robot_file.hpp>
#include <boost/noncopyable.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "cli/options/run.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table.hpp"
#include "io/table/table_format.hpp"
#include "log/row_writer.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

class InputFile;

/// Declares --part K/N, by which the output becomes OUT.part-K-of-N.
void declare_part(OptionList& list, OutputOptions& output);

/// The facts that the bytes of an output follow from: version, robot, options, input.
[[nodiscard]] Json job_identity(const RobotFile& file, const RobotOptions& robot,
                                const OutputOptions& output, const Json& input);

/// The digest of a file's bytes, or of the first so many. Throws FileError where that is no regular
/// file.
[[nodiscard]] std::string digest_of(const InputFile& input, std::uintmax_t most = UINTMAX_MAX);

/// A comment line that ends a part, and says what it is a part of and which rows it has.
[[nodiscard]] std::string part_trailer(const Part& part, const Json& identity,
                                       const WrittenRows& written);

/// The content of a trailer, and where it begins in the file.
struct PartTrailer {
  Json identity;
  std::uintmax_t rows = 0;
  std::string digest;
  std::uintmax_t begin = 0;
};
/// Reads the trailer of a part. Throws InputError for a file that has none, or that of another
/// part.
[[nodiscard]] PartTrailer read_part_trailer(const InputFile& file, const Part& part);

/// The member, by its path, in which one identity differs from the other: "options.step: 1
/// and 2"; empty if they are the same.
[[nodiscard]] std::string identity_difference(const Json& one, const Json& other);

/// Rows of a block, and what a summary needs to know that is not in them.
struct JobRows {
  Columns columns;
  Json notes;
};

/// Adds columns for these groups, which a member of each block's result has one behind the other.
template <class Result, class Get>
void add_groups(BlockWriter<Result>& writer, std::size_t dof, std::span<const Quantity> groups,
                Get columns) {
  std::size_t first = 0;
  for (const Quantity group : groups) {
    const std::size_t count = column_names(group, dof).size();
    writer.add(group, dof, [columns, first, count](const Result& result) {
      return std::span(std::invoke(columns, result)).subspan(first, count);
    });
    first += count;
  }
}

/// Work with a row for each row of its input, in any order and anywhere: by this process, all of it
/// or a part, or chunk by chunk, which are put together to the same array.
class RowJob : boost::noncopyable {
 public:
  virtual ~RowJob() = default;

  /// The facts that the bytes of the rows follow from, as `job_identity` has them; before some rows
  /// are kept.
  [[nodiscard]] virtual Json identity() const = 0;
  [[nodiscard]] virtual TableSource& input() const = 0;

  /// The answer when all rows are there; `more` goes into the JSON.
  [[nodiscard]] virtual Answer answer(const Json& more) = 0;

  /// Computes all rows, or those of a part, into those under -o where they are wanted; false after a
  /// signal, where rows are kept. Throws Interrupted where they are not.
  [[nodiscard]] bool run_in(Run& run, AtSignal at_signal);

  /// The head of the array of all rows, and the bytes of each row behind that.
  [[nodiscard]] std::string head(std::uintmax_t rows) const { return array().columns().head(rows); }
  [[nodiscard]] std::size_t row_bytes() const { return array().columns().row_bytes(); }
  struct Chunk {
    std::string bytes;
    Json notes = Json::list();
  };
  [[nodiscard]] Chunk run_chunk(const RowRange& range);
  /// The answer from the notes of all chunks, and their rows, which are in a file behind its head.
  [[nodiscard]] Answer finish(const std::vector<Json>& notes, const std::string& file,
                              const Json& more);

 protected:
  /// The job with its threads and workers.
  [[nodiscard]] virtual BlockJob<JobRows> block_job() const = 0;
  [[nodiscard]] virtual const TablePlan& plan() const;
  virtual void add_columns(BlockWriter<JobRows>& writer) const = 0;
  /// Takes rows for the answer.
  virtual void add(const JobRows& rows) = 0;
  /// The amount to read, where it is known: bytes of text, or rows of an array.
  [[nodiscard]] virtual std::optional<std::uintmax_t> size() const = 0;

 private:
  [[nodiscard]] BlockWriter<JobRows> array() const;
};

}  // namespace armdyn
