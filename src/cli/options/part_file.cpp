#include "cli/options/part_file.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view trailer_begins = "\n# armdyn part ";

Part parse_part(const std::string& option, const std::string& text) {
  const auto name =
      parse_part_name(".part-" + text.substr(0, text.find('/')) + "-of-" +
                      (text.find('/') == text.npos ? "" : text.substr(text.find('/') + 1)));
  require(name.has_value(), option, text, "K/N, the K-th of N parts, e.g. 1/4");
  return name->part;
}

/// Values by their paths: "options.step".
void flatten(const Json& data, const std::string& path,
             std::map<std::string, std::string>& values) {
  const std::string before = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : data.members()) flatten(value, before + key, values);
  for (std::size_t i = 0; i < data.entries().size(); ++i) {
    flatten(data.entries()[i], before + std::to_string(i), values);
  }
  if (data.members().empty() && data.entries().empty()) values[path] = compact_json(data);
}

}  // namespace

void declare_part(OptionList& list, OutputOptions& output) {
  const auto parse = [&output](const std::string& option, const std::string& text) {
    output.divider = option;
    return parse_part(option, text);
  };
  list.option("--part", "K/N", output.part, parse,
              "compute only part K of N of the rows (armdyn join merges them)")
      .special()
      .for_command_line()
      .unechoed();
  list.check([&output] {
    if (output.divider.empty()) return;
    refuse_if(output.output.empty() || is_stream(output.output),
              "{} needs -o OUT, the name of the whole, which is a file", output.divider);
    refuse_if(parse_part_name(output.output).has_value(),
              "-o: found \"{}\", the name of a part; {} needs that of the whole",
              in_one_line(output.output), output.divider);
    if (output.part) output.output = text(PartName{output.output, *output.part});
  });
}

std::string identity_difference(const Json& one, const Json& other) {
  std::map<std::string, std::string> left, right;
  flatten(one, "", left);
  flatten(other, "", right);
  std::map<std::string, std::string> either = left;
  either.insert(right.begin(), right.end());
  const auto value = [](const auto& flat, const std::string& key) {
    const auto found = flat.find(key);
    return found == flat.end() ? "none" : found->second;
  };
  for (const auto& [key, of_either] : either) {
    const std::string here = value(left, key), there = value(right, key);
    if (here != there) return fmt::format("{}: {} and {}", key, here, there);
  }
  return {};
}

namespace {

/// The head of a part that has rows of so many bytes.
std::string head_for(const PartFile& part, std::uintmax_t row_bytes) {
  return table_format(part.name.whole).head_for(part.head, part.end, text(part.name), row_bytes);
}

[[noreturn]] void refuse(const PartName& name, const std::string& found) {
  throw InputError(fmt::format("{}: {}; compute it again with --part {}/{}",
                               in_one_line(text(name)), found, name.part.number, name.part.of));
}

/// Reads the trailer, and where it begins.
void read_trailer(const InputFile& file, PartFile& part) {
  constexpr std::uintmax_t longest = std::uintmax_t{1} << 20U;
  const std::uintmax_t size = file.size().value_or(0), tail = std::min(size, longest);
  const std::string bytes = file.read_at(size - tail, static_cast<std::size_t>(tail));
  const std::size_t at = bytes.rfind(trailer_begins);
  const Json trailer =
      at == bytes.npos ? Json() : parse_json(bytes.substr(at + trailer_begins.size()));
  const auto& [number, of] = part.name.part;
  const auto require = [&](bool is_good, const std::string& what) {
    if (!is_good) refuse(part.name, "its end lacks " + what);
  };
  const auto is_count = [&](const char* key) {
    return std::holds_alternative<std::uint64_t>(trailer[key].held());
  };
  require(is_count("part") && trailer["part"].as<std::uintmax_t>() == number && is_count("of") &&
              trailer["of"].as<std::uintmax_t>() == of,
          fmt::format("that it is part {} of {}", number, of));
  require(trailer["job"].is_object(), "\"job\", the options and the input that it was made with");
  require(is_count("rows"), "\"rows\", how many it has");
  require(!trailer["digest"].as_text().empty(), "\"digest\", that of its rows");
  part.end = size - tail + at;
  part.rows = trailer["rows"].as<std::uintmax_t>();
  part.digest = trailer["digest"].as_text();
  part.job = trailer["job"];
  part.notes = trailer["notes"];
}

}  // namespace

std::string part_trailer(const Part& part, const Json& identity, const WrittenRows& written,
                         const Json& notes) {
  Digest digest = written.digest;
  digest.add(compact_json(notes));
  return std::string(trailer_begins) +
         compact_json({{"part", part.number},
                       {"of", part.of},
                       {"rows", written.count},
                       {"digest", digest.text()},
                       {"job", identity},
                       {"notes", notes}}) +
         "\n";
}

PartFile read_part(const PartName& name) {
  PartFile part;
  part.name = name;
  const InputFile file(text(name));
  read_trailer(file, part);
  const TableFormat& format = table_format(name.whole);
  const std::string first = file.read_at(0, std::min(part.end, format.largest_head));
  part.head = format.head_in(first, part.end, file.name());
  return part;
}

TableInput input_of(const PartFile& part) {
  const auto file = std::make_shared<InputFile>(text(part.name));
  file->end_at(part.end);
  return TableInput(file);
}

void read_rows(const PartFile& part, const std::function<void(const std::string& bytes)>& take) {
  const InputFile file(text(part.name));
  WrittenRows found;
  found.digest.add(head_for(part, 0));
  file.read_range(part.head.size(), part.end, [&](const std::string& bytes) {
    found.count += static_cast<std::uintmax_t>(std::ranges::count(bytes, '\n'));
    found.digest.add(bytes);
    take(bytes);
  });
  found.digest.add(compact_json(part.notes));
  if (!table_format(part.name.whole).counts_rows && found.count != part.rows) {
    refuse(part.name,
           fmt::format("found {}, its end gives {}", counted(found.count, "row"), part.rows));
  }
  if (head_for(part, part.end - part.head.size()) != part.head ||
      found.digest.text() != part.digest) {
    refuse(part.name, fmt::format("its head, rows or notes are not as they were written: found {}, "
                                  "its end gives {}",
                                  found.digest.text(), part.digest));
  }
}

namespace {

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

std::optional<std::uintmax_t> count_of_parts(const std::string& whole) {
  const fs::path path(whole), folder = folder_of(path);
  std::set<std::uintmax_t> counts;
  try {
    for (const std::string& entry : names_in(folder.string())) {
      const auto name = parse_part_name(entry);
      if (name && name->whole == path.filename()) counts.insert(name->part.of);
    }
  } catch (const std::system_error& error) {
    throw FileError(fmt::format("cannot read folder {}: {}", in_one_line(folder.string()),
                                error.code().message()));
  }
  if (counts.size() > 1) {
    throw FileError(
        fmt::format("there are parts of {0} from several divisions, into {1} and {2}; remove those "
                    "of one division",
                    whole, *counts.begin(), *counts.rbegin()));
  }
  return counts.empty() ? std::nullopt : std::optional(*counts.begin());
}

std::vector<PartFile> parts_of(const std::string& whole) {
  const std::optional<std::uintmax_t> count = count_of_parts(whole);
  if (!count) {
    throw FileError(fmt::format("there are no parts of {0}: no file {0}.part-1-of-N", whole));
  }
  std::vector<PartFile> parts;
  for (std::uintmax_t k = 1; k <= *count; ++k) {
    PartFile& part = parts.emplace_back(read_part({whole, {k, *count}}));
    const std::string other = identity_difference(parts.front().job, part.job);
    if (!other.empty()) {
      throw InputError(fmt::format("{} and {} do not belong together: {}",
                                   in_one_line(text(parts.front().name)),
                                   in_one_line(text(part.name)), other));
    }
    if (k > 1) part.job = {};  // there may be many
  }
  return parts;
}

void remove_parts(const std::string& whole) {
  const fs::path path(whole), folder = folder_of(path);
  const std::string part = path.filename().string() + ".part-";
  try {
    for (const std::string& name : names_in(folder.string())) {
      if (!name.starts_with(part) && !name.starts_with("." + part)) continue;
      std::error_code stays;
      fs::remove(folder / name, stays);
    }
  } catch (const std::system_error&) {  // what cannot be listed stays, too
  }
}

void join_parts(const std::vector<PartFile>& parts, ByteSink& whole) {
  std::uintmax_t bytes = 0;
  for (const PartFile& part : parts) bytes += part.end - part.head.size();
  whole.write(head_for(parts.front(), bytes));
  for (const PartFile& part : parts) {
    read_rows(part, [&](const std::string& rows) { whole.write(rows); });
  }
}

}  // namespace armdyn
