#include "cli/options/option_list.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "program/program.hpp"

namespace armdyn {

std::vector<std::string> lines_of(const std::string& /*option*/, const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

UsedOption::Value list_echo(const std::vector<ColumnChoice>& columns) {
  std::map<std::string, std::string> echoed;
  for (const ColumnChoice& choice : columns) echoed[choice.name] = choice.columns;
  return echoed;
}

OptionList::Entry& OptionList::Entry::unechoed() {
  return echoed_if([] { return false; });
}

OptionList::Entry& OptionList::Entry::echoed_if(std::function<bool()> condition) {
  is_echoed = std::move(condition);
  return *this;
}

OptionList::Entry& OptionList::Entry::required() {
  option->required();
  return *this;
}

OptionList::Entry& OptionList::Entry::several() {
  option->expected(1, -1)->allow_extra_args()->join();
  return *this;
}

/// "--output" of "-o,--output".
std::string OptionList::shown_name(const std::string& names) {
  return names.substr(names.find(',') + 1);
}

OptionList::Entry& OptionList::add(const std::string& names, const std::string& placeholder,
                                   const std::string& help) {
  Entry& entry = entries_.emplace_back();
  entry.option = verb_.add_option(names, entry.text, help)->option_text(placeholder);
  for (const char c : shown_name(names)) {
    if (c == '-' && entry.key.empty()) continue;
    entry.key += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return entry;
}

OptionList::Entry& OptionList::flag(const std::string& name, bool& target,
                                    const std::string& help) {
  Entry& entry = entries_.emplace_back();
  entry.option = verb_.add_flag(name, target, help);
  entry.key = name.substr(2);
  std::ranges::replace(entry.key, '-', '_');
  entry.echo = [&target] { return UsedOption::Value(target); };
  return entry;
}

void OptionList::finish() {
  static_cast<void>(chosen_instruction_set());  // refuses what ARMDYN_SIMD names in vain
  for (const Entry& entry : entries_) {
    if (entry.set && entry.option->count() > 0) entry.set();
  }
  for (const auto& check : checks_) check();
}

bool OptionList::is_given(const std::string& name) const {
  return verb_.count(name) > 0;
}

std::vector<UsedOption> OptionList::used() const {
  std::vector<UsedOption> used;
  for (const Entry& entry : entries_) {
    if (!entry.is_echoed()) continue;
    UsedOption::Value value = entry.echo();
    if (value.index() == 0 && !echoes_absent_) continue;
    used.push_back({entry.key, std::move(value)});
  }
  return used;
}

}  // namespace armdyn
