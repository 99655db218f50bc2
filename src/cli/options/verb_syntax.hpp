#pragma once

// What a verb looks like on the command line, as plain data: command_line.cpp alone knows the
// library that reads it.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/options/common_options.hpp"
#include "report/ending.hpp"

namespace armdyn {

/// What the user asked for, ready to be done.
using Command = std::function<Ending()>;

/// A verb's arguments, options and flags, each with the place that its text goes to.
class VerbSyntax {
 public:
  struct Item {
    std::string name;         ///< "ROBOT" of an argument, "--step" of an option or flag
    std::string placeholder;  ///< what follows an option; empty for arguments and flags
    std::string help;
    std::variant<std::string*, bool*> value;
    bool required = false;
  };

  VerbSyntax(std::string_view name, std::string_view purpose, std::string_view examples)
      : name_(name), purpose_(purpose), examples_(examples) {}

  void required_argument(std::string_view name, std::string& value, std::string_view help);
  void argument(std::string_view name, std::string& value, std::string_view help);
  void option(std::string_view name, std::string_view placeholder, std::string& value,
              std::string_view help);
  void flag(std::string_view name, bool& value, std::string_view help);
  void on_parsed(std::function<Command()> finish) { finish_ = std::move(finish); }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& purpose() const { return purpose_; }
  [[nodiscard]] const std::string& examples() const { return examples_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  /// Turns the texts, once they are there, into the command. Throws UsageError.
  [[nodiscard]] Command command() const { return finish_(); }

 private:
  std::string name_, purpose_, examples_;
  std::vector<Item> items_;
  std::function<Command()> finish_;
};

/// The syntax of a verb whose `add` names the options and whose `finish` turns those texts into
/// values that are not stored as they stand.
template <class Options, class Texts>
VerbSyntax verb_syntax(std::string_view name, std::string_view purpose, std::string_view examples,
                       void (*add)(VerbSyntax&, Options&, Texts&),
                       void (*finish)(Options&, const Texts&)) {
  VerbSyntax verb(name, purpose, examples);
  const auto options = std::make_shared<Options>();
  const auto texts = std::make_shared<Texts>();
  add(verb, *options, *texts);
  verb.on_parsed([options, texts, finish]() -> Command {
    finish(*options, *texts);
    return [options] { return run(*options); };
  });
  return verb;
}

}  // namespace armdyn
