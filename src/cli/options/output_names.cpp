// Files that a verb writes, by the names that options give them.

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/options/option_list.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/plot/plot.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> code_endings{
    ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".py", ".m", ".tex", ".js", ".mjs", ".ts", ".mts"};
constexpr std::string_view mark_begins = "by armdyn ";

/// The ending of the file that a path leads to through links, in small letters.
std::string ending_of(const std::string& path) {
  std::error_code error;
  const fs::path led_to = fs::weakly_canonical(path, error);
  return in_small_letters((error ? fs::path(path) : led_to).extension().string());
}

/// Tests whether there is a file that a person may have written: any robot file, and code without
/// the mark of armdyn.
bool may_be_hand_written(const std::string& path, bool is_code) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  if (!is_code) return true;
  constexpr std::size_t first_lines = 1024;
  const std::string begin = InputFile(path).read(first_lines);
  const std::size_t at = begin.find(mark_begins), number = at + mark_begins.size();
  return at == begin.npos || number >= begin.size() || !is_digit(begin[number]);
}

/// Content that such an ending promises, other than robot files, code, rows and summaries;
/// null for none. `draws`: the verb has --plot.
const char* other_kind(std::string_view ending, bool draws) {
  if (ending == ".svg" || ending == ".png" || ending == ".pdf") {
    return draws ? "a picture (--plot)" : "a picture";
  }
  if (ending == ".html") return "a page (--report)";
  if (ending == ".db3" || ending == ".mcap") return "a bag";
  for (const std::string_view other : {".xlsx", ".xls", ".ods", ".mat", ".parquet", ".h5"}) {
    if (ending == other) return "another kind of table";
  }
  return nullptr;
}

void refuse_misleading_name(const NamedOutput& output, bool draws) {
  if (output.force == &kept_when_opened) return;
  const auto part = parse_part_name(*output.path);
  const std::string path = part ? part->whole : *output.path;
  const std::string ending = ending_of(path);
  const bool is_code = std::ranges::count(code_endings, ending) > 0;
  const bool is_source = is_code || robot_file_kind(ending);
  const bool is_drawn = output.option == "--plot" || output.option == "--report";
  const char* const kind = is_code     ? "a file with code"
                           : is_source ? "a robot file"
                           : is_drawn  ? nullptr
                                       : other_kind(ending, draws);
  if (kind == nullptr) return;
  if (output.force == nullptr || !is_source) {
    throw UsageError(
        "{}: found \"{}\", the name of {}, which is not written here; expected another ending{}",
        output.option, in_one_line(path), kind, output.force == nullptr ? ", e.g. .csv" : "");
  }
  if (*output.force || !may_be_hand_written(path, is_code)) return;
  throw UsageError("there is a file '{}' already; name another one, or replace it with --force",
                   in_one_line(path));
}

}  // namespace

std::optional<RobotFileKind> robot_file_kind(const std::string& name) {
  using enum RobotFileKind;
  const std::string small = in_small_letters(name);
  for (const auto& [ending, kind] : {std::pair{".yaml", yaml},
                                     {".yml", yaml},
                                     {".urdf", urdf},
                                     {".xml", mjcf},
                                     {".mjcf", mjcf}}) {
    if (small.ends_with(ending)) return kind;
  }
  return {};
}

void refuse_other_than_yaml(const std::string& option, const std::string& path) {
  refuse_if(robot_file_kind(path).value_or(RobotFileKind::yaml) != RobotFileKind::yaml,
            "{}: found \"{}\", a name of URDF or MJCF; give one that ends in .yaml, and armdyn "
            "convert makes URDF and MJCF of the file",
            option, in_one_line(path));
  const std::string ending = ending_of(path);
  refuse_if(ending == ".csv" || ending == ".npy" || ending == ".json",
            "{}: found \"{}\", which does not name a robot file; give one that ends in .yaml",
            option, in_one_line(path));
}

void check_names(const std::vector<NamedOutput>& outputs) {
  for (const NamedOutput& output : outputs) {
    if (output.path->empty()) continue;
    if (output.option == "--plot") check_plot_target(*output.path);
    if (output.option == "--report") const OutputFile can_be_written(*output.path);
    for (const NamedOutput& other : outputs) {
      if (&other == &output) break;
      if (other.path->empty() || !are_one_file(*other.path, *output.path)) continue;
      throw UsageError("{} and {} both name '{}'; give one of them another file", output.option,
                       other.option, in_one_line(*other.path));
    }
  }
  const bool draws = std::ranges::count(outputs, "--plot", &NamedOutput::option) > 0;
  for (const NamedOutput& output : outputs) {
    if (!output.path->empty()) refuse_misleading_name(output, draws);
  }
}

void claim(const std::vector<NamedOutput>& outputs) {
  check_names(outputs);
  std::vector<std::string> paths;
  for (const NamedOutput& output : outputs) {
    if (!output.path->empty()) paths.push_back(*output.path);
  }
  refuse_to_read(paths);
}

std::string own_line(const std::string& digest) {
  return fmt::format("{}{} from {}", mark_begins, ARMDYN_VERSION, digest);
}

bool is_written(const std::vector<NamedOutput>& outputs, const std::string& path) {
  return std::ranges::any_of(outputs, [&](const NamedOutput& output) {
    return !output.path->empty() && are_one_file(*output.path, path);
  });
}

void write_texts(const std::map<std::string, std::string>& texts,
                 const std::vector<Keyword>& keywords) {
  for (const auto& [option, path] : keywords) {
    if (const auto text = texts.find(option); text != texts.end() && !path.empty()) {
      write_file(path, text->second);
    }
  }
}

}  // namespace armdyn
