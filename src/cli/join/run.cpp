// armdyn join: the parts of an output, put together to the bytes of one run.

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <vector>

#include "cli/join/options.hpp"
#include "cli/options/part_file.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/table/table_format.hpp"
#include "io/text/number_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

/// Into how many parts the file was divided, as the names of those that are there have it.
std::uintmax_t count_of_parts(const std::string& whole) {
  const fs::path path(whole), folder = path.has_parent_path() ? path.parent_path() : ".";
  std::set<std::uintmax_t> counts;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const auto name = parse_part_name(entry.path().filename().string());
    if (name && name->whole == path.filename()) counts.insert(name->part.of);
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

/// A part, and where its rows are in its file.
struct Rows {
  explicit Rows(const std::string& name) : file(std::make_unique<InputFile>(name)) {}

  std::unique_ptr<InputFile> file;
  PartTrailer trailer;
  std::uintmax_t begin = 0;
  std::string head;  ///< before its rows
};

std::string bytes_of(const InputFile& file, std::uintmax_t begin, std::uintmax_t end) {
  std::string bytes(static_cast<std::size_t>(end - begin), '\0');
  file.read_at(begin, bytes.data(), bytes.size());
  return bytes;
}

Rows open_part(const std::string& whole, const Part& part) {
  Rows rows(text(PartName{whole, part}));
  rows.trailer = read_part_trailer(*rows.file, part);
  const std::uintmax_t end = rows.trailer.begin;
  const std::string first =
      bytes_of(*rows.file, 0, std::min(end, table_format(whole).largest_head));
  rows.head = table_format(whole).head_in(first, end, rows.file->name());
  rows.begin = rows.head.size();
  return rows;
}

}  // namespace

Ending run(const JoinOptions& options) {
  const std::string& whole = table_target(options.output.output);
  const std::uintmax_t count = count_of_parts(whole);
  std::vector<Rows> parts;
  std::uintmax_t bytes = 0;
  for (std::uintmax_t k = 1; k <= count; ++k) {
    const Rows& part = parts.emplace_back(open_part(whole, {k, count}));
    const std::string other =
        identity_difference(parts.front().trailer.identity, part.trailer.identity);
    if (!other.empty()) {
      throw InputError(fmt::format("{} and {} do not belong together: {}",
                                   parts.front().file->name(), part.file->name(), other));
    }
    bytes += part.trailer.begin - part.begin;
  }
  OutputFile output(whole);
  const Rows& first = parts.front();
  output.write(
      table_format(whole).head_for(first.head, first.trailer.begin, first.file->name(), bytes));
  for (const Rows& part : parts) {
    constexpr std::uintmax_t at_a_time = std::uintmax_t{1} << 20U;
    for (std::uintmax_t at = part.begin; at < part.trailer.begin; at += at_a_time) {
      output.write(bytes_of(*part.file, at, std::min(at + at_a_time, part.trailer.begin)));
    }
  }
  Document answer;
  answer.add(Json{{"version", ARMDYN_VERSION},
                  {"output", whole},
                  {"parts", count},
                  {"job", parts.front().trailer.identity}});
  answer.add(fmt::format("{}: {} joined", whole, counted(count, "part")));
  answer.warnings.emplace();
  const std::string said = summary_of(answer, options.output);
  output.commit();
  say_summary(said, options.output.json);
  return Ending::done;
}

}  // namespace armdyn
