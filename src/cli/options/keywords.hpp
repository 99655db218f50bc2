#pragma once

// A verb's options from another program: as keywords, with underscores for dashes.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_list.hpp"

namespace armdyn {

struct Keyword {
  std::string name;
  std::optional<std::string> value;  ///< as on a command line; none: a flag
};

/// Sets what `declare` lists from arguments and keywords; returns the options that count. Throws
/// UsageError.
std::vector<UsedOption> parse_keywords(const std::vector<std::string>& arguments,
                                       const std::vector<Keyword>& keywords,
                                       const std::function<void(OptionList&)>& declare);

/// What `declare` lists, a line each: "duration: how long it takes, s".
[[nodiscard]] std::string keywords_help(const std::function<void(OptionList&)>& declare);

/// The options of the verb that has them, whose `declare` lists them.
template <class Options>
Options parse_keywords(const std::vector<std::string>& arguments,
                       const std::vector<Keyword>& keywords) {
  Options options;
  options.output.used =
      parse_keywords(arguments, keywords, [&](OptionList& list) { declare(list, options); });
  return options;
}
template <class Options>
std::string keywords_help() {
  Options options;
  return keywords_help([&](OptionList& list) { declare(list, options); });
}

}  // namespace armdyn
