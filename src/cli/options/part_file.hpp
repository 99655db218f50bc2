#pragma once

// Parts of an output, made by themselves: which rows, under which name, and what says in each that
// they belong together.

#include <armdyn/robot_file.hpp>

#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table_format.hpp"
#include "report/document.hpp"

namespace armdyn {

class InputFile;

/// --part K/N: the output is then OUT.part-K-of-N.
void declare_part(OptionList& list, std::optional<Part>& part, OutputOptions& output);

/// What the bytes of an output follow from: version, robot, options, input.
[[nodiscard]] Json job_identity(const RobotFile& file, const RobotOptions& robot,
                                const OutputOptions& output, const Json& input);

/// The digest of a file's bytes. Throws FileError where that is no regular file.
[[nodiscard]] std::string digest_of(const InputFile& input);

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

}  // namespace armdyn
