#pragma once

// A verb's arguments, options and flags, each declared once: its name, what stands behind it, the
// value that it sets, how a text becomes that value, and its help. Parsing, help, completion and
// the JSON of a summary follow from that.

#include <deque>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/options/choices.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/outputs.hpp"
#include "log/header_meaning.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace armdyn {

/// A text as it stands.
inline std::string as_written(const std::string& /*option*/, const std::string& text) {
  return text;
}

inline UsedOption::Value list_echo(const std::string& text) {
  return text;
}
/// The lines of a text.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& option, const std::string& text);

[[nodiscard]] UsedOption::Value list_echo(const std::vector<ColumnChoice>& columns);
inline UsedOption::Value list_echo(const std::vector<std::string>& names) {
  return names;
}
template <class Value>
UsedOption::Value list_echo(const std::vector<Value>& values) {
  std::vector<std::string> names;
  for ([[maybe_unused]] const Value value : values) {
    if constexpr (requires { name(value); }) names.emplace_back(name(value));
  }
  return names;
}

/// How a summary repeats a value that `parse` made of a text.
template <class Value, class Parse>
UsedOption::Value echo_of(const Value& value, const Parse& parse) {
  if constexpr (requires { parse.name_of(value); }) {
    return parse.name_of(value);
  } else if constexpr (requires { value.has_value(); }) {
    return value ? echo_of(*value, parse) : UsedOption::Value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty() ? UsedOption::Value() : list_echo(value);
  } else if constexpr (std::is_same_v<Value, bool> || std::is_floating_point_v<Value>) {
    return value;
  } else if constexpr (std::is_unsigned_v<Value>) {
    return std::uint64_t{value};
  } else if constexpr (std::is_integral_v<Value>) {
    return std::int64_t{value};
  } else {
    return {};
  }
}

/// Declares to CLI11, and remembers what becomes of the texts that it finds. Example:
///
///     list.option("--step", "H", options.step, parse_duration, "step of rk4, s (default: 0.001)");
///
/// `options` must outlive the list.
class OptionList {
 public:
  /// An argument, option or flag, to say more of it.
  class Entry {
   public:
    /// Not in the summary; or only where that holds.
    Entry& unechoed();
    Entry& echoed_if(std::function<bool()> condition);
    Entry& required();
    /// Takes one text or more, which `parse` gets as lines (lines_of).
    Entry& several();

   private:
    friend class OptionList;
    CLI::Option* option = nullptr;
    std::string key;   // in the summary
    std::string text;  // as typed
    std::function<void()> set;
    std::function<UsedOption::Value()> echo;
    std::function<bool()> is_echoed = [] { return true; };
  };

  explicit OptionList(CLI::App& verb) : verb_(verb) {}
  OptionList(const OptionList&) = delete;
  OptionList& operator=(const OptionList&) = delete;

  /// An option with a value, or an argument, whose name has no dashes and no placeholder.
  /// `parse(name, text)` gives the value and throws UsageError.
  template <class Target, class Parse>
  Entry& option(const std::string& names, const std::string& placeholder, Target& target,
                Parse parse, const std::string& help) {
    Entry& entry = add(names, placeholder, help);
    const std::string name = shown_name(names);
    entry.set = [&entry, &target, parse, name] {
      target = static_cast<Target>(parse(name, entry.text));
    };
    entry.echo = [&target, parse] { return echo_of(target, parse); };
    return entry;
  }

  template <class Target, class Parse>
  Entry& argument(const std::string& name, Target& target, Parse parse, const std::string& help) {
    return option(name, "", target, parse, help);
  }

  Entry& flag(const std::string& name, bool& target, const std::string& help);

  /// The file that an option names will be written: NamedOutput.
  void writes(const char* option, const std::string& path, const bool* force = nullptr) {
    outputs_.push_back({option, &path, force});
  }

  /// To be called once all values are there; throws UsageError where they do not go together.
  void check(std::function<void()> check) { checks_.push_back(std::move(check)); }

  /// Whether the user gave it: "--step".
  [[nodiscard]] bool is_given(const std::string& name) const;

  /// Turns the texts into values, and checks them. Throws UsageError.
  void finish();

  /// The files that `writes` has told of.
  [[nodiscard]] const std::vector<NamedOutput>& outputs() const { return outputs_; }

  /// The options that count, their names with underscores. Those that were not given and have
  /// no default are absent.
  [[nodiscard]] std::vector<UsedOption> used() const;

  /// They have no value instead.
  void echo_absent_as_null() { echoes_absent_ = true; }

 private:
  Entry& add(const std::string& names, const std::string& placeholder, const std::string& help);
  static std::string shown_name(const std::string& names);

  CLI::App& verb_;
  std::deque<Entry> entries_;
  std::vector<std::function<void()>> checks_;
  std::vector<NamedOutput> outputs_;
  bool echoes_absent_ = false;
};

}  // namespace armdyn
