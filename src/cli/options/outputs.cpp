#include "cli/options/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/options/common_options.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/table/table_format.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> endings_of_robots{".yaml", ".yml", ".urdf", ".xml",
                                                            ".mjcf"};
constexpr std::array<std::string_view, 9> endings_of_code{".c",   ".h",  ".cc", ".cpp", ".cxx",
                                                          ".hpp", ".py", ".m",  ".tex"};
constexpr std::string_view own_line_begins = "by armdyn ";

/// Of the file that a path leads to through links, in small letters.
std::string ending_of(const std::string& path) {
  std::error_code error;
  const fs::path led_to = fs::weakly_canonical(path, error);
  std::string ending = (error ? fs::path(path) : led_to).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

/// Whether there is a file that a person may have written.
bool is_a_persons(const std::string& path, bool is_code) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  if (!is_code) return true;
  constexpr std::size_t first_lines = 1024;
  std::string begin(first_lines, '\0');
  begin.resize(InputFile(path).read(begin.data(), begin.size()));
  const std::size_t at = begin.find(own_line_begins), number = at + own_line_begins.size();
  return at == begin.npos || number >= begin.size() || begin[number] < '0' || begin[number] > '9';
}

void refuse_a_persons(const NamedOutput& output) {
  const auto part = parse_part_name(*output.path);
  const std::string path = part ? part->whole : *output.path;
  const std::string ending = ending_of(path);
  const bool is_code = std::ranges::count(endings_of_code, ending) > 0;
  if (!is_code && std::ranges::count(endings_of_robots, ending) == 0) return;
  if (output.force == nullptr) {
    throw UsageError(fmt::format(
        "{}: found \"{}\", the name of {}, which is not written here; expected another ending, "
        "e.g. .csv",
        output.option, in_one_line(path), is_code ? "a file with code" : "a robot file"));
  }
  if (*output.force || !is_a_persons(path, is_code)) return;
  throw UsageError(
      fmt::format("there is a file '{}' already; name another one, or replace it with --force",
                  in_one_line(path)));
}

}  // namespace

void claim(const std::vector<NamedOutput>& outputs) {
  std::vector<std::string> paths;
  for (const NamedOutput& output : outputs) {
    if (output.path->empty()) continue;
    for (const NamedOutput& other : outputs) {
      if (&other == &output) break;
      if (other.path->empty() || !are_one_file(*other.path, *output.path)) continue;
      throw UsageError(fmt::format("{} and {} both name '{}'; give one of them another file",
                                   output.option, other.option, in_one_line(*other.path)));
    }
    refuse_a_persons(output);
    paths.push_back(*output.path);
  }
  refuse_to_read(paths);
}

std::string own_line(const std::string& digest) {
  return fmt::format("{}{} from {}", own_line_begins, ARMDYN_VERSION, digest);
}

}  // namespace armdyn
