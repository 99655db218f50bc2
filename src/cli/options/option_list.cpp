#include "cli/options/option_list.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/options/verb_frame.hpp"
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

OptionList::Entry& OptionList::Entry::for_command_line() {
  option->type_name("");
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
    if (!value.is_null()) used[entry.key] = value;
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
      if (!is_written(outputs_, text)) inputs.push_back(text);
    }
  }
  return inputs;
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
      if (option->get_type_name().empty()) continue;  // Entry::for_command_line
      found.push_back({keyword, option->get_type_name(), with_keywords(option->get_description())});
    }
  }
  return found;
}

/// What others call an option, and its name here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> renamed{
    {{"catalogue", "catalog"},
     {"dead-zone", "min-speed"},
     {"dt", "step"},
     {"dt", "rate"},
     {"dt", "sample-time"},
     {"dwell", "hold"},
     {"end", "to"},
     {"end", "to-time"},
     {"form", "format"},
     {"forward", "method"},
     {"free-log", "unloaded"},
     {"gap", "max-gap"},
     {"hand", "wrench"},
     {"kd", "kv"},
     {"limits", "at-limit"},
     {"line", "straight"},
     {"methods", "method"},
     {"only", "what"},
     {"optimise", "optimize"},
     {"part-of", "what"},
     {"random", "samples"},
     {"q", "q0"},
     {"q0", "from"},
     {"rate", "log-rate"},
     {"rate", "sample-time"},
     {"rate", "step"},
     {"rows", "task-rows"},
     {"slow-down", "torque-share"},
     {"start", "q0"},
     {"start", "from"},
     {"start", "from-time"},
     {"step", "rate"},
     {"time", "duration"},
     {"to-hand", "to-tcp"},
     {"tolerance", "max-error"},
     {"torque-limits", "torque-share"}}};

/// Tests whether a text ends with "armdyn ", and behind it at most a verb and options.
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
      const std::string_view word = std::string_view(text).substr(at, end - at);
      if (word == "as" || word == "from") text.insert(end++, "_");  // words of Python
    }
    at = end;
  }
  return text;
}

std::string mismatch_text(std::string_view what) {
  return fmt::format("{} {}", what.substr(0, what.find(':')),
                     what.ends_with("missing") ? "needs a value" : "is given more than once");
}

std::string option_hint(const std::string& unknown, const std::vector<std::string>& known,
                        const std::vector<std::string>& verbs_with_it) {
  const bool has_dashes = unknown.starts_with("--");
  const std::string plain = has_dashes ? unknown.substr(2) : with(unknown, '_', '-');
  for (const auto& [old, now] : renamed) {
    const std::string name =
        has_dashes ? "--" + std::string(now) : with(std::string(now), '-', '_');
    if (old == plain && std::ranges::count(known, name) > 0) return "; its name is " + name;
  }
  if (plain == "derive" && std::ranges::count(known, "--window") > 0) {
    return "; it always differentiates q";
  }
  if (!verbs_with_it.empty()) {
    return fmt::format("; {} {} it", fmt::join(verbs_with_it, ", "),
                       verbs_with_it.size() == 1 ? "has" : "have");
  }
  return did_you_mean(unknown, known);
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
      std::vector<std::string> names = known;
      names.emplace_back("wrench");  // of arrays in Python
      throw UsageError("there is no option '{}'{}", name, option_hint(name, names));
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

}  // namespace armdyn
