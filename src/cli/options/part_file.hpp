#pragma once

// Parts of an output, each made by a run of its own: their names, the trailers that state what they
// are parts of, and the whole that they make.

#include "cli/options/option_list.hpp"
#include "io/table/block_pipeline.hpp"

namespace armdyn {

/// Declares --part K/N, which makes the output OUT.part-K-of-N.
void declare_part(OptionList& list, OutputOptions& output);

/// A comment line that ends a part: what it is a part of, which rows it has, and Answer::notes.
[[nodiscard]] std::string part_trailer(const Part& part, const Json& identity,
                                       const WrittenRows& written, const Json& notes);

/// The member, by its path, in which one identity differs from the other: "options.step: 1
/// and 2"; empty if they are the same.
[[nodiscard]] std::string identity_difference(const Json& one, const Json& other);

/// A part that is there, with head and trailer as values; its rows are between them. The file
/// is closed, since there may be more parts than files that a program may have open.
struct PartFile {
  PartName name;
  std::string head;
  std::uintmax_t end = 0;  ///< of its rows, bytes
  std::uintmax_t rows = 0;
  std::string digest;  ///< of head, rows and notes
  Json job;            ///< its identity
  Json notes;
};

/// Throws InputError for a file that has no trailer, or that of another part.
[[nodiscard]] PartFile read_part(const PartName& name);

/// The rows of a part, with its head.
[[nodiscard]] TableInput input_of(const PartFile& part);
/// Reads the bytes of a part's rows. Throws InputError where they are not those that were written.
void read_rows(const PartFile& part, const std::function<void(const std::string& bytes)>& take);

/// The number of parts that an output was divided into, by the names of those that are there. Throws
/// FileError where they are of several divisions.
[[nodiscard]] std::optional<std::uintmax_t> count_of_parts(const std::string& whole);

/// All parts of a whole; the job is that of the first. Throws FileError where one is missing,
/// InputError where they are not of one job.
[[nodiscard]] std::vector<PartFile> parts_of(const std::string& whole);

/// Removes the parts of a whole, and those that are not finished; what cannot be removed stays.
void remove_parts(const std::string& whole);

/// Writes the whole, to the bytes of one run. Throws as `read_rows`.
void join_parts(const std::vector<PartFile>& parts, ByteSink& whole);

}  // namespace armdyn
