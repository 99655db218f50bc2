#include "cli/options/keywords.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/options/value_text.hpp"

namespace armdyn {

namespace {

/// Files and texts, of no use to who has values.
constexpr std::array unknown_to_python{"all",         "output",      "json",         "quiet",
                                       "plot",        "plot_joints", "plot_degrees", "batch",
                                       "differences", "force",       "help"};

bool is_unknown_to_python(const std::string& name) {
  return std::ranges::count(unknown_to_python, name) > 0;
}

std::string with(std::string name, char from, char to) {
  std::ranges::replace(name, from, to);
  return name;
}

/// Names of all options, as keywords.
std::vector<std::string> keyword_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::string keyword = with(name, '-', '_');
      if (!is_unknown_to_python(keyword)) names.push_back(keyword);
    }
  }
  return names;
}

}  // namespace

std::vector<UsedOption> parse_keywords(const std::vector<std::string>& arguments,
                                       const std::vector<Keyword>& keywords,
                                       const std::function<void(OptionList&)>& declare) {
  CLI::App app;
  OptionList list(app);
  declare(list);
  const std::vector<std::string> known = keyword_names(app);
  std::vector<std::string> words = arguments;
  for (const auto& [name, value] : keywords) {
    if (std::ranges::count(known, name) == 0) {
      throw UsageError(fmt::format("there is no option '{}'{}", name, did_you_mean(name, known)));
    }
    words.push_back("--" + with(name, '_', '-') + (value ? "=" + *value : ""));
  }
  std::ranges::reverse(words);
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  list.finish();
  return list.used();
}

std::string keywords_help(const std::function<void(OptionList&)>& declare) {
  CLI::App app;
  OptionList list(app);
  declare(list);
  std::string help;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty()) continue;
    const std::string name = with(option->get_lnames().front(), '-', '_');
    if (!is_unknown_to_python(name))
      help += fmt::format("    {}: {}\n", name, option->get_description());
  }
  return help;
}

}  // namespace armdyn
