#pragma once

// A verb's arguments, options and flags, each declared once: its name, what stands behind it, the
// value that it sets, how a text becomes that value, and its help. Parsing, help, completion and
// the JSON of a summary follow from that.

#include <boost/noncopyable.hpp>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"
#include "log/header_meaning.hpp"
#include "report/say.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace armdyn {

struct Answer;
class Run;

/// A text as it stands.
inline std::string as_written(const std::string& /*option*/, const std::string& text) {
  return text;
}

/// The same; throws UsageError for an empty text, as of a variable of the shell that is not set.
[[nodiscard]] std::string not_empty(const std::string& option, const std::string& text);

/// The lines of a text.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& option, const std::string& text);

inline Json list_echo(const std::string& text) {
  return text;
}
[[nodiscard]] Json list_echo(const std::vector<ColumnChoice>& columns);
inline Json list_echo(const std::vector<std::string>& names) {
  return names;
}
template <class Value>
Json list_echo(const std::vector<Value>& values) {
  Json names = Json::list();
  for ([[maybe_unused]] const Value value : values) {
    if constexpr (requires { name(value); }) names.push_back(name(value));
  }
  return names;
}

/// A value that `parse` made of a text, as a summary repeats it.
template <class Value, class Parse>
Json echo_of(const Value& value, const Parse& parse) {
  if constexpr (requires { parse.name_of(value); }) {
    return parse.name_of(value);
  } else if constexpr (requires { value.has_value(); }) {
    return value ? echo_of(*value, parse) : Json();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty() ? Json() : list_echo(value);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return value;
  } else {
    return {};
  }
}

/// "Literal['linear', 'hold']", of names.
[[nodiscard]] std::string type_of_choice(const std::vector<std::string>& names);

/// The type that Python has for a value that `parse` makes of a text; Words: any text.
template <class Value, class Parse>
std::string python_type(const Parse& parse) {
  if constexpr (requires { parse.names(); }) {
    return type_of_choice(parse.names());
  } else if constexpr (requires(Value value) { value.has_value(); }) {
    return python_type<typename Value::value_type>(parse);
  } else {
    return std::is_floating_point_v<Value> ? "float" : std::is_integral_v<Value> ? "int" : "Words";
  }
}

/// A condition that holds.
inline bool always() {
  return true;
}

/// Kinds of robot files.
enum class RobotFileKind { yaml, urdf, mjcf };

/// The kind of a robot file of that name, by its ending; nothing where that is another.
[[nodiscard]] std::optional<RobotFileKind> robot_file_kind(const std::string& name);

// Files that a verb writes: none of them is read, named by two options, or written by a person.

/// An option that names a file to be written; empty: none.
struct NamedOutput {
  std::string option;
  const std::string* path;
  /// Value of --force, without which robot files and code written by a person stay; null for rows,
  /// summaries and pictures, which take no name of such files.
  const bool* force;
  bool is_optional = path->empty();  ///< without it nothing is written, not even standard output
};

/// Value of --force for files that are kept when they are opened, not when they are claimed.
inline constexpr bool kept_when_opened = true;

/// Throws UsageError where a robot file that is written as YAML would have a name of another kind.
void refuse_other_than_yaml(const std::string& option, const std::string& path);

/// Claims the outputs once all names are there, before anything is read. Throws UsageError where
/// two outputs are one file, or where one may be written by a person or has the ending of what is
/// not written there, and FileError for a page or picture that cannot be made; from here on no input
/// is one of them.
void claim(const std::vector<NamedOutput>& outputs);
/// Throws as `claim`, and claims nothing.
void check_names(const std::vector<NamedOutput>& outputs);
/// Tests whether a path is that of one of the outputs.
[[nodiscard]] bool is_written(const std::vector<NamedOutput>& outputs, const std::string& path);

/// The mark of code written by armdyn, within its first lines: "by armdyn 1.0 from DIGEST".
[[nodiscard]] std::string own_line(const std::string& digest);

/// Groups of options, in the order of the help.
namespace help_group {
inline constexpr const char *own = "Options", *integration = "Integration",
                            *robot = "Robot and model", *log = "Reading logs", *output = "Output",
                            *special = "Special cases and papers";
inline constexpr std::array all{own, integration, robot, log, output, special};
}  // namespace help_group

/// Declares options to CLI11, and keeps how each text that it finds becomes a value. Example:
///
///     list.option("--step", "H", options.step, parse_duration, "step of rk4, s (default: 0.001)");
///
/// `options` must outlive the list.
class OptionList : boost::noncopyable {
 public:
  /// An argument, option or flag, for further declarations.
  class Entry {
   public:
    /// Leaves the option out of the summary: always, or unless the condition holds.
    Entry& unechoed() {
      return echoed_if([] { return false; });
    }
    Entry& echoed_if(std::function<bool()> condition);
    Entry& required();
    /// Leaves the option out of the group that it is declared in: few users need it.
    Entry& special();
    /// Gives Python no keyword: the option names a file, or shapes what people see.
    Entry& for_command_line();
    /// Takes one text or more, which `parse` gets as lines (lines_of).
    Entry& several();

   private:
    friend class OptionList;
    CLI::Option* option = nullptr;
    std::string key;   // in the summary
    std::string text;  // as typed
    std::function<void()> set;
    std::function<Json()> echo;
    std::function<bool()> is_echoed;
  };

  explicit OptionList(CLI::App& verb) : verb_(verb) {}

  /// While it lives, options are declared in a group of the help.
  class Under : boost::noncopyable {
   public:
    Under(OptionList& list, const char* group)
        : list_(list), outer_(std::exchange(list.group_, group)) {}
    ~Under() { list_.group_ = outer_; }

   private:
    OptionList& list_;
    const char* outer_;
  };
  [[nodiscard]] Under under(const char* group) { return {*this, group}; }

  /// An option with a value, or an argument, whose name has no dashes and no placeholder.
  /// `parse(name, text)` gives the value and throws UsageError.
  template <class Target, class Parse>
  Entry& option(const std::string& names, const std::string& placeholder, Target& target,
                Parse parse, const std::string& help) {
    Entry& entry = add(names, placeholder, python_type<Target>(parse), help);
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

  /// An option that stays a text, since its value depends on the robot; not in the summary.
  Entry& text(const std::string& names, const std::string& placeholder, std::string& target,
              const std::string& help) {
    const auto parse = names.starts_with("--") ? not_empty : as_written;
    return option(names, placeholder, target, parse, help).unechoed();
  }
  /// An option that names a file to be written.
  Entry& file(const std::string& names, const std::string& placeholder, std::string& target,
              const std::string& help) {
    writes(names.substr(0, names.find(',')), target);
    return text(names, placeholder, target, help).for_command_line();
  }

  Entry& flag(const std::string& name, bool& target, const std::string& help);

  /// Changes the help of an option that is declared already: "--step".
  void explain(const std::string& name, const std::string& help);

  /// Notes that the file that an option names will be written: NamedOutput.
  void writes(const std::string& option, const std::string& path, const bool* force = nullptr) {
    outputs_.push_back({option, &path, force});
  }
  /// The same of a file that is always written, though its name has a default of its own.
  void always_writes(const std::string& option, const std::string& path, const bool* force) {
    outputs_.push_back({option, &path, force, false});
  }

  /// Leaves what is declared from here on out of the summary unless the condition holds.
  void echo_if(std::function<bool()> condition) { is_echoed_ = std::move(condition); }

  /// Adds a check of all values, which throws UsageError where they do not go together.
  void check(std::function<void()> check) { checks_.push_back(std::move(check)); }

  /// Tests whether the user gave an option: "--step".
  [[nodiscard]] bool is_given(const std::string& name) const;

  /// Turns the texts into values, and checks them. Throws UsageError.
  void finish();

  /// Files noted by `writes`.
  [[nodiscard]] const std::vector<NamedOutput>& outputs() const { return outputs_; }

  /// The options that count, their names with underscores; without those that were not given and
  /// have no default.
  [[nodiscard]] std::map<std::string, Json> used() const;

  /// The command line, as a shell takes it.
  [[nodiscard]] std::string command() const;
  /// Texts given after ROBOT, input files among them; none are outputs.
  [[nodiscard]] std::vector<std::string> inputs() const;

 private:
  Entry& add(const std::string& names);
  Entry& add(const std::string& names, const std::string& placeholder, const std::string& type,
             const std::string& help);
  /// "--output" of "-o,--output".
  static std::string shown_name(const std::string& names) {
    return names.substr(names.find(',') + 1);
  }

  CLI::App& verb_;
  std::deque<Entry> entries_;
  std::vector<std::function<void()>> checks_;
  std::vector<NamedOutput> outputs_;
  std::function<bool()> is_echoed_ = always;
  const char* group_ = help_group::own;
};

/// The work that the user asked for, ready to be done.
using Command = std::function<Ending()>;

/// An option as a keyword of Python, with underscores for dashes.
struct Keyword {
  std::string name;
  std::string value;  ///< as on a command line; "true" of a flag
};

/// Writes texts by the options that name their files.
void write_texts(const std::map<std::string, std::string>& texts,
                 const std::vector<Keyword>& keywords);

/// A name that Python has for an option: the type of its values there, and its help.
struct KeywordHelp {
  std::string name, type, help;
};

/// A verb with its options; a runner makes a run of them for `work`.
struct VerbCall {
  std::string verb;
  const RobotOptions* robot;  ///< null where the verb has none
  const OutputOptions& output;
  std::vector<NamedOutput> outputs;
  std::function<Answer(Run&)> work;
};
using Runner = std::function<Answer(const VerbCall&)>;

/// Runs a verb on files, and gives its answer (FileRun).
[[nodiscard]] Ending run_on_files(const VerbCall& call);

/// Additions of a program to its verbs, and the way it runs them.
struct Host {
  std::function<void(OptionList&, OutputOptions&)> declare = [](OptionList&, OutputOptions&) {};
  std::function<Ending(const VerbCall&)> run = run_on_files;
};

struct Verb {
  std::string name;
  std::string purpose;  ///< the field's term for it, in one line
  std::string examples;
  const char* group = "";  ///< of the help
  /// Declares the options to CLI11. Returns a function for when they have been parsed, which throws
  /// UsageError where their values are wrong.
  std::function<std::function<Command()>(CLI::App&, const Host&)> declare;
  /// The verb on values: with arguments and keywords, by that runner. Throws UsageError.
  std::function<Answer(const std::vector<std::string>& arguments,
                       const std::vector<Keyword>& keywords, const Runner& runner)>
      call = {};
};

/// Tests whether a verb has an option: "--part".
[[nodiscard]] bool has_option(const Verb& verb, const std::string& option);

/// "--q needs a value", or what else CLI11 means by the text of an ArgumentMismatch.
[[nodiscard]] std::string mismatch_text(std::string_view what);

/// "; its name is --samples" for an option or keyword that has another name elsewhere or had one
/// before, else the verbs that have it, else "; did you mean '--samples'?" or nothing.
[[nodiscard]] std::string option_hint(const std::string& unknown,
                                      const std::vector<std::string>& known,
                                      const std::vector<std::string>& verbs_with_it = {});

/// Sets what `declare` lists from arguments and keywords; returns the options that count. Throws
/// UsageError.
std::map<std::string, Json> parse_keywords(const std::vector<std::string>& arguments,
                                           const std::vector<Keyword>& keywords,
                                           const std::function<void(OptionList&)>& declare);

/// A text in which options stand as keywords, "--from-time" as "from_time", but for those behind
/// "armdyn" or "armdyn VERB".
[[nodiscard]] std::string with_keywords(std::string text);

/// The keywords of a verb.
[[nodiscard]] std::vector<KeywordHelp> keywords_of(const Verb& verb);

/// Options that `declare(list, options)` lists.
template <class Options>
Options parse_keywords(const std::vector<std::string>& arguments,
                       const std::vector<Keyword>& keywords) {
  Options options;
  options.output.used =
      parse_keywords(arguments, keywords, [&](OptionList& list) { declare(list, options); });
  return options;
}

/// A verb whose options `declare` lists, a function of these and of what a runner gives it (Run).
template <class Options>
Verb verb(const std::string& name, std::string purpose, std::string examples,
          void (*declare)(OptionList&, Options&), Answer (*run)(const Options&, Run&)) {
  const auto robot_of = [](const Options& options) -> const RobotOptions* {
    if constexpr (requires { options.robot.reading; }) return &options.robot;
    return nullptr;
  };
  Verb verb{
      .name = name, .purpose = std::move(purpose), .examples = std::move(examples), .declare = {}};
  verb.declare = [=](CLI::App& app, const Host& host) -> std::function<Command()> {
    const auto options = std::make_shared<Options>();
    const auto list = std::make_shared<OptionList>(app);
    declare(*list, *options);
    host.declare(*list, options->output);
    return [=]() -> Command {
      list->finish();
      claim(list->outputs());
      options->output.used = list->used();
      if (!options->output.report.empty()) {
        options->output.command = list->command();
        options->output.inputs = list->inputs();
      }
      return [=, outputs = list->outputs()] {
        return host.run({name, robot_of(*options), options->output, outputs,
                         [&](Run& given) { return run(*options, given); }});
      };
    };
  };
  verb.call = [=](const std::vector<std::string>& arguments, const std::vector<Keyword>& keywords,
                  const Runner& runner) {
    Options options;
    std::vector<NamedOutput> outputs;
    options.output.used = parse_keywords(arguments, keywords, [&](OptionList& list) {
      declare(list, options);
      outputs = list.outputs();
    });
    check_names(outputs);
    return runner({name, robot_of(options), options.output, outputs,
                   [&](Run& given) { return run(options, given); }});
  };
  return verb;
}

}  // namespace armdyn
