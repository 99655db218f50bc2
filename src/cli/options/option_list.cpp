#include "cli/options/option_list.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "program/program.hpp"

namespace armdyn {

std::string not_empty(const std::string& option, const std::string& text) {
  refuse_if(text.empty(), "{} needs a value; found an empty one", option);
  return text;
}

std::vector<std::string> lines_of(const std::string& /*option*/, const std::string& text) {
  return split_at(text, '\n');
}

Json list_echo(const std::vector<ColumnChoice>& columns) {
  std::map<std::string, std::string> echoed;
  for (const ColumnChoice& choice : columns) echoed[choice.name] = choice.columns;
  return Json(echoed);
}

std::string type_of_choice(const std::vector<std::string>& names) {
  return fmt::format("Literal['{}']", fmt::join(names, "', '"));
}

OptionList::Entry& OptionList::Entry::echoed_if(std::function<bool()> condition) {
  is_echoed = std::move(condition);
  return *this;
}

OptionList::Entry& OptionList::Entry::required() {
  option->required();
  return *this;
}

OptionList::Entry& OptionList::Entry::special() {
  option->group(help_group::special);
  return *this;
}

OptionList::Entry& OptionList::Entry::several() {
  option->expected(1, -1)->allow_extra_args()->join();
  return *this;
}

OptionList::Entry& OptionList::add(const std::string& names) {
  Entry& entry = entries_.emplace_back();
  entry.is_echoed = is_echoed_;
  for (const char c : shown_name(names)) {
    if (c == '-' && entry.key.empty()) continue;
    entry.key += c == '-' ? '_' : small_letter(c);
  }
  return entry;
}

OptionList::Entry& OptionList::add(const std::string& names, const std::string& placeholder,
                                   const std::string& type, const std::string& help) {
  Entry& entry = add(names);
  entry.option = verb_.add_option(names, entry.text, help)->option_text(placeholder);
  entry.option->group(group_);
  entry.option->type_name(type);
  return entry;
}

OptionList::Entry& OptionList::flag(const std::string& name, bool& target,
                                    const std::string& help) {
  Entry& entry = add(name);
  entry.option = verb_.add_flag(name, target, help);
  entry.option->group(group_);
  entry.option->type_name("bool");
  entry.echo = [&target] { return Json(target); };
  return entry;
}

void OptionList::explain(const std::string& name, const std::string& help) {
  verb_.get_option(name)->description(help);
}

void OptionList::finish() {
  static_cast<void>(chosen_instruction_set());  // throws where ARMDYN_SIMD names none
  for (const Entry& entry : entries_) {
    if (entry.set && entry.option->count() > 0) entry.set();
  }
  for (const auto& check : checks_) check();
}

bool OptionList::is_given(const std::string& name) const {
  return verb_.count(name) > 0;
}

std::map<std::string, Json> OptionList::used() const {
  std::map<std::string, Json> used;
  for (const Entry& entry : entries_) {
    if (!entry.is_echoed()) continue;
    const Json value = entry.echo();
    if (echoes_absent_ || !value.is_null()) used[entry.key] = value;
  }
  return used;
}

std::string OptionList::command() const {
  std::string command = verb_.get_parent()->get_name() + " " + verb_.get_name();
  for (const Entry& entry : entries_) {
    if (entry.option->count() == 0) continue;
    if (!entry.option->get_positional()) command.append(" ").append(entry.option->get_name());
    if (!entry.set) continue;  // a flag
    for (const std::string& text : lines_of("", entry.text)) {
      command.append(" ").append(shell_word(text));
    }
  }
  return command;
}

std::vector<std::string> OptionList::inputs() const {
  std::vector<std::string> inputs;
  for (const Entry& entry : entries_) {
    const bool is_robot = entry.key == "robot" || entry.key == "input";  // the latter of convert
    if (entry.option->count() == 0 || !entry.set || is_robot) continue;
    for (const std::string& text : lines_of("", entry.text)) {
      const bool is_output = std::ranges::any_of(outputs_, [&](const NamedOutput& output) {
        return !output.path->empty() && are_one_file(*output.path, text);
      });
      if (!is_output) inputs.push_back(text);
    }
  }
  return inputs;
}

bool is_unknown_to_python(std::string_view name) {
  constexpr std::array names{
      "all",          "output", "json", "quiet",  "plot",    "plot_joints", "batch",    "part",
      "plot_degrees", "format", "help", "report", "version", "differences", "stepwise", "check"};
  return std::ranges::count(names, name) > 0;
}

namespace {

std::string with(std::string name, char from, char to) {
  std::ranges::replace(name, from, to);
  return name;
}

std::vector<KeywordHelp> keywords_of(const CLI::App& app) {
  std::vector<KeywordHelp> found;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::string keyword = with(name, '-', '_');
      if (is_unknown_to_python(keyword)) continue;
      found.push_back({keyword, option->get_type_name(), with_keywords(option->get_description())});
    }
  }
  return found;
}

/// Tells whether a text ends with "armdyn ", and behind it at most a verb and options.
bool ends_with_command(std::string_view text) {
  const std::string_view program = "armdyn ";
  const std::size_t at = text.rfind(program);
  if (at == text.npos) return false;
  std::string_view words = text.substr(at + program.size());
  for (bool is_verb = true; !words.empty(); is_verb = false) {
    if (!is_verb && !words.starts_with("--")) return false;
    const std::size_t blank = words.find(' ');
    if (blank == words.npos) return false;
    words.remove_prefix(blank + 1);
  }
  return true;
}

}  // namespace

std::string with_keywords(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != text.npos;) {
    std::size_t end = at + 2;
    while (end < text.size() && (text[end] == '-' || is_letter_or_digit(text[end]))) ++end;
    const std::string_view before(" \n(',");
    const bool is_word = at == 0 || before.find(text[at - 1]) != before.npos;
    const bool is_file = end + 1 < text.size() && (text[end] == '.' || text[end] == '_') &&
                         is_letter_or_digit(text[end + 1]);
    const bool is_of_program = ends_with_command(std::string_view(text).substr(0, at));
    if (is_word && !is_file && !is_of_program && end > at + 2 && is_letter(text[at + 2])) {
      std::replace(text.begin() + static_cast<std::ptrdiff_t>(at),
                   text.begin() + static_cast<std::ptrdiff_t>(end), '-', '_');
      text.erase(at, 2);
      end -= 2;
    }
    at = end;
  }
  return text;
}

std::string mismatch_text(std::string_view what) {
  return fmt::format("{} {}", what.substr(0, what.find(':')),
                     what.ends_with("missing") ? "needs a value" : "is given more than once");
}

std::map<std::string, Json> parse_keywords(const std::vector<std::string>& arguments,
                                           const std::vector<Keyword>& keywords,
                                           const std::function<void(OptionList&)>& declare) {
  CLI::App app;
  OptionList list(app);
  declare(list);
  const std::vector<std::string> known = each(keywords_of(app), &KeywordHelp::name);
  std::vector<std::string> words = arguments;
  for (const auto& [name, value] : keywords) {
    if (std::ranges::count(known, name) == 0) {
      throw UsageError("there is no option '{}'{}", name, did_you_mean(name, known));
    }
    words.push_back("--" + with(name, '_', '-') + "=" + value);
  }
  std::ranges::reverse(words);  // CLI11 takes the last as the first
  try {
    app.parse(words);
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(mismatch_text(error.what()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  list.finish();
  return list.used();
}

bool has_option(const Verb& verb, const std::string& option) {
  CLI::App app;
  (void)verb.declare(app, {});
  return app.get_option_no_throw(option) != nullptr;
}

std::vector<KeywordHelp> keywords_of(const Verb& verb) {
  CLI::App app;
  const auto kept = verb.declare(app, {});
  return keywords_of(app);
}

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> code_endings{".c",   ".h",  ".cc", ".cpp", ".cxx",
                                                       ".hpp", ".py", ".m",  ".tex"};
constexpr std::string_view mark_begins = "by armdyn ";

/// The ending of the file that a path leads to through links, in small letters.
std::string ending_of(const std::string& path) {
  std::error_code error;
  const fs::path led_to = fs::weakly_canonical(path, error);
  return in_small_letters((error ? fs::path(path) : led_to).extension().string());
}

/// Tells whether there is a file that a person may have written: any robot file, and code without
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

/// What such an ending promises beside robot files and code, where rows and summaries are neither;
/// null for none. `draws`: the verb has --plot.
const char* other_kind(std::string_view ending, bool draws) {
  if (ending == ".svg" || ending == ".png" || ending == ".pdf") {
    return draws ? "a picture (--plot)" : "a picture";
  }
  if (ending == ".html") return "a page (--report)";
  if (ending == ".db3" || ending == ".mcap") return "a bag";
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

}  // namespace armdyn
