// armdyn join: puts the parts of an output together to the bytes of one run.

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "cli/options/part_file.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/table/table_format.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"
#include "report/say.hpp"

namespace armdyn {

struct JoinOptions {
  OutputOptions output;  ///< where the whole goes
};

void declare(OptionList& list, JoinOptions& options) {
  list.file("OUT", "", options.output.output,
            "the name of the whole, whose parts are OUT.part-1-of-N and so on")
      .required();
  declare_format(list, options.output, "summary as JSON");
  list.flag("--quiet", options.output.quiet, "no summary as text").unechoed();
  declare_report(list, options.output);
}

namespace {

namespace fs = std::filesystem;

/// Number of parts that the file was divided into, by the names of those that are there.
std::uintmax_t count_of_parts(const std::string& whole) {
  const fs::path path(whole), folder = path.has_parent_path() ? path.parent_path() : ".";
  std::set<std::uintmax_t> counts;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto name = parse_part_name(entry->path().filename().string());
    if (name && name->whole == path.filename()) counts.insert(name->part.of);
  }
  if (error) {
    throw FileError(
        fmt::format("cannot read folder {}: {}", in_one_line(folder.string()), error.message()));
  }
  if (counts.empty()) {
    throw FileError(fmt::format("there are no parts of {0}: no file {0}.part-1-of-N", whole));
  }
  if (counts.size() > 1) {
    throw FileError(fmt::format(
        "there are parts of {0} from several divisions, into {1} and {2}; remove those that do not "
        "count",
        whole, *counts.begin(), *counts.rbegin()));
  }
  return *counts.begin();
}

/// Head and trailer of a part, between which its rows are. The file is closed, since there may be
/// more parts than a program may have open files.
struct PartEnds {
  PartName name;
  PartTrailer trailer;
  std::string head;  ///< before its rows

  [[nodiscard]] std::uintmax_t begin() const { return head.size(); }
  [[nodiscard]] std::uintmax_t end() const { return trailer.begin; }
  [[nodiscard]] const TableFormat& format() const { return table_format(name.whole); }
  /// The head with another number of rows, of so many bytes together.
  [[nodiscard]] std::string head_for(std::uintmax_t row_bytes) const {
    return format().head_for(head, end(), text(name), row_bytes);
  }
};

PartEnds read_ends(const std::string& whole, const Part& part) {
  PartEnds ends{{whole, part}, {}, {}};
  const InputFile file(text(ends.name));
  ends.trailer = read_part_trailer(file, part);
  const std::string first = file.read_at(0, std::min(ends.end(), ends.format().largest_head));
  ends.head = ends.format().head_in(first, ends.end(), file.name());
  return ends;
}

/// Appends the rows of a part. Throws InputError where they are not those that were written.
void append_rows(const PartEnds& part, ByteSink& output) {
  const InputFile file(text(part.name));
  const auto refuse = [&](const std::string& found) {
    throw InputError(fmt::format("{}: {}; make it anew with --part {}/{}", file.name(), found,
                                 part.name.part.number, part.name.part.of));
  };
  WrittenRows found;
  found.digest.add(part.head_for(0));
  file.read_range(part.begin(), part.end(), [&](const std::string& bytes) {
    found.count += static_cast<std::uintmax_t>(std::ranges::count(bytes, '\n'));
    found.digest.add(bytes);
    output.write(bytes);
  });
  if (!part.format().counts_rows && found.count != part.trailer.rows) {
    refuse(
        fmt::format("found {}, its end says {}", counted(found.count, "row"), part.trailer.rows));
  }
  if (part.head_for(part.end() - part.begin()) != part.head ||
      found.digest.text() != part.trailer.digest) {
    refuse(
        fmt::format("its head or its rows are not as they were written: found {}, its end says "
                    "{}",
                    found.digest.text(), part.trailer.digest));
  }
}

/// All parts of a whole. Throws InputError where they are not of one job.
std::vector<PartEnds> parts_of(const std::string& whole) {
  const std::uintmax_t count = count_of_parts(whole);
  std::vector<PartEnds> parts;
  for (std::uintmax_t k = 1; k <= count; ++k) {
    const PartEnds& part = parts.emplace_back(read_ends(whole, {k, count}));
    const std::string other =
        identity_difference(parts.front().trailer.identity, part.trailer.identity);
    if (!other.empty()) {
      throw InputError(fmt::format("{} and {} do not belong together: {}",
                                   in_one_line(text(parts.front().name)),
                                   in_one_line(text(part.name)), other));
    }
  }
  return parts;
}

Answer join(const JoinOptions& options, Run& run) {
  const std::string& whole = table_target(options.output.output);
  const std::vector<PartEnds> parts = parts_of(whole);
  std::uintmax_t bytes = 0;
  for (const PartEnds& part : parts) bytes += part.end() - part.begin();
  ByteSink& output = run.rows("OUT");
  output.write(parts.front().head_for(bytes));
  for (const PartEnds& part : parts) append_rows(part, output);
  Answer answer{run.document()};
  answer.document.add(
      Json{{"output", whole}, {"parts", parts.size()}, {"job", parts.front().trailer.identity}});
  answer.document.add(fmt::format("{}: {} joined", whole, counted(parts.size(), "part")));
  answer.document.warnings.emplace();
  return answer;
}

}  // namespace

Verb join_verb() {
  return verb<JoinOptions>("join", "Puts the parts of an output together.",
                           "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5% "
                           "--samples 100000 --part 1/2 -o arms.npy\n"
                           "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5% "
                           "--samples 100000 --part 2/2 -o arms.npy\n"
                           "  armdyn join arms.npy\n",
                           declare, join);
}

}  // namespace armdyn
