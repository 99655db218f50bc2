// Corrections of CLI11: layout of help, names near to unknown verbs and options, negative numbers.

#include "cli/command_line.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>

#include "cli/options/file_run.hpp"
#include "math/characters.hpp"

namespace armdyn {

namespace {

using Arguments = std::vector<std::string>;

/// The command that shows the help of the program or of a verb.
std::string help_of(const CLI::App& of) {
  const CLI::App* const program = of.get_parent();
  return (program != nullptr ? program->get_name() + " " : "") + of.get_name() + " --help";
}

/// A line that ends within a width: at its default, a comma or a semicolon, else at a word.
std::string shortened(const std::string& line, std::size_t width) {
  const auto bytes = std::ranges::count_if(line, continues_character);
  if (line.size() - static_cast<std::size_t>(bytes) <= width) return line;
  const std::string shown = line.substr(0, width);
  std::size_t end = 0;
  for (const char* const mark : {" (", "; "}) {
    const std::size_t at = shown.rfind(mark);
    if (at != shown.npos) end = std::max(end, at);
  }
  std::string kept =
      end > width / 2 ? line.substr(0, end) : line.substr(0, line.rfind(' ', width - 3)) + " ..";
  const std::size_t bracket = kept.rfind(" (");
  if (bracket != kept.npos && kept.find(')', bracket) == kept.npos) kept.resize(bracket);
  return kept;
}

/// Help with examples first, then the verb's purpose, then its options. CLI11's footer holds the
/// examples.
class HelpText : public CLI::Formatter {
 public:
  HelpText() { column_width(30); }

  std::string make_description(const CLI::App* app) const override {
    return "Examples:\n" + app->get_footer() + "\n" + app->get_description() + "\n\n";
  }
  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    const CLI::App* const program = app->get_parent();
    if (program == nullptr) return "Usage: " + app->get_name() + " VERB ROBOT [INPUT] [options]\n";
    std::string usage = "Usage: " + program->get_name() + " " + app->get_name();
    for (const CLI::Option* option : app->get_options()) {
      if (!option->get_positional()) continue;
      const std::string& name = option->get_single_name();
      usage += option->get_required() ? " " + name : " [" + name + "]";
    }
    return usage + " [options]\n";
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_option_text();
  }
  std::string make_footer(const CLI::App* /*app*/) const override { return ""; }
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = make_description(app) + make_usage(app, name) + make_positionals(app);
    for (const char* const group : help_group::all) {
      const auto options = options_of(*app, group);
      if (!options.empty()) text += make_group(group, false, options);
    }
    return text + make_subcommands(app, mode);
  }

  /// The options of a group.
  static std::vector<const CLI::Option*> options_of(const CLI::App& app, const char* group) {
    return app.get_options([group](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
  }

  /// Text of -h, on one screen: the arguments of a verb and its own options, a line each.
  std::string make_short(const CLI::App& verb) const {
    std::vector<const CLI::Option*> options =
        verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
    append(options, options_of(verb, help_group::own));
    const auto shown_name = [this](const CLI::Option* option) {
      const bool is_argument = option->get_positional();
      return option->get_name(is_argument) + (is_argument ? "" : make_option_opts(option));
    };
    std::size_t width = 0;
    for (const auto* option : options) width = std::max(width, shown_name(option).size());
    std::string text = make_usage(&verb, "") + verb.get_description() + "\n\n";
    for (const auto* option : options) {
      const std::string line =
          fmt::format("  {:{}}  {}", shown_name(option), width, option->get_description());
      text += shortened(line, screen_width) + "\n";
    }
    return text + help_of(verb) + ": examples and all options\n";
  }

  std::string make_subcommand(const CLI::App* verb) const override {
    return fmt::format("  {:<11} {}\n", verb->get_name(), verb->get_description());
  }
  /// The verbs by groups, a line each.
  std::string make_verbs(const CLI::App& program) const {
    return make_subcommands(&program, CLI::AppFormatMode::Normal);
  }

 private:
  static constexpr std::size_t screen_width = 80;
};

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_flag(const CLI::App& verb, const std::string& name) {
  const CLI::Option* const option = verb.get_option_no_throw(name);
  return option != nullptr && option->get_items_expected_max() == 0;
}

bool is_unknown_letter(const CLI::App& verb, const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-' || argument.starts_with("-pi")) return false;
  if (!is_letter(argument[1])) return false;
  const std::string letter = argument.substr(1, 1);
  return std::ranges::none_of(verb.get_options(), [&](const CLI::Option* option) {
    return std::ranges::count(option->get_snames(), letter) > 0;
  });
}

/// Throws UsageError where an option that takes a value has another option of the verb behind it.
void refuse_option_as_value(const CLI::App& verb, const std::string& name,
                            const std::string& value) {
  if (!name.starts_with('-') || !value.starts_with('-')) return;
  const CLI::Option* const option = verb.get_option_no_throw(name);
  refuse_if(option != nullptr && option->get_items_expected_min() > 0 &&
                verb.get_option_no_throw(value) != nullptr,
            "{0}: {1} needs a value; found {2}, which is an option itself (a file of that name is "
            "./{2})",
            verb.get_name(), name, value);
}

/// Throws UsageError for an option that the verb lacks, and for a flag that is given a value.
void refuse_unknown_option(const CLI::App& verb, const std::string& argument,
                           const std::vector<Verb>& verbs) {
  const std::string name = argument.substr(0, argument.find('='));
  const std::vector<std::string> known = option_names(verb);
  if (std::ranges::count(known, name) > 0) {
    refuse_if(name != argument && is_flag(verb, name), "{}: {} takes no value{}", verb.get_name(),
              name, name == "--json" ? "; > FILE keeps what it prints" : "");
    return;
  }
  std::vector<std::string> others;
  for (const Verb& other : verbs) {
    if (name.starts_with("--") && has_option(other, name)) others.push_back(other.name);
  }
  throw UsageError("{} has no option {}{} ({} lists them)", verb.get_name(), name,
                   option_hint(name, known, others), help_of(verb));
}

bool is_negative_number(const std::string& argument) {
  if (argument.starts_with("-pi")) return true;
  return argument.size() > 1 && argument[0] == '-' && (argument[1] == '.' || is_digit(argument[1]));
}

/// Joins values such as "-9.81,0,0", which CLI11 takes for options, to the options before them.
Arguments with_negative_values_joined(const Arguments& arguments) {
  Arguments joined;
  for (const std::string& argument : arguments) {
    if (is_negative_number(argument) && !joined.empty() && joined.back().starts_with("--")) {
      joined.back() += "=" + argument;
    } else {
      joined.push_back(argument);
    }
  }
  return joined;
}

/// `help`, `help VERB`, `version` and -V as the options that they stand for.
Arguments as_options(Arguments arguments) {
  if (arguments.empty()) return arguments;
  if (arguments.front() == "version" || arguments.front() == "-V") arguments.front() = "--version";
  if (arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  return arguments;
}

/// Verbs, and other names that they have in the field, between blanks.
constexpr std::array<std::pair<const char*, std::string_view>, 12> field_names{
    {{"torque", " dynamics inverse inverse-dynamics id rnea newton-euler "},
     {"simulate", " forward fd forward-dynamics aba sim "},
     {"inspect", " fk forward-kinematics kinematics jacobian mass-matrix crba gravity "},
     {"trajectory", " ik plan optimize excite "},
     {"track", " control controller pid "},
     {"identify", " calibrate estimate fit "},
     {"observe", " contact collision "},
     {"check", " validate info "},
     {"vary", " monte-carlo "},
     {"join", " merge "},
     {"robots", " list show copy "},
     {"convert", " urdf mjcf "}}};

const CLI::App& find_verb(const CLI::App& app, const Arguments& arguments) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  refuse_if(arguments.empty(), "a verb is missing; {} shows examples\n{}", help_of(app),
            HelpText().make_verbs(app));
  const std::string& name = arguments.front();
  if (std::ranges::count(verbs, name) > 0) return *app.get_subcommand(name);
  const auto later = std::ranges::find_first_of(arguments, verbs);
  refuse_if(later != arguments.end(), "the verb comes first: {} {}, and then '{}'", app.get_name(),
            *later, name);
  const auto known = std::ranges::find_if(field_names, [&](const auto& verb) {
    return verb.second.find(" " + name + " ") != verb.second.npos;
  });
  const bool is_known = known != field_names.end() && std::ranges::count(verbs, known->first) > 0;
  throw UsageError("there is no {} '{}'{} ({} shows examples)",
                   name.starts_with('-') ? "option" : "verb", name,
                   did_you_mean(is_known ? known->first : name, verbs), help_of(app));
}

/// Declares what every verb and the program answer.
void set_flags(CLI::App& app, const std::string& version) {
  app.set_help_flag("-h,--help", "-h: the verb's own options; --help: all, with examples")
      ->group(help_group::output);
  app.set_version_flag("-V,--version", version, "print the version")->group(help_group::output);
}

/// Rejects options that the verb lacks, and those that stand where a value is missing.
void refuse_wrong_options(const CLI::App& verb, const Arguments& arguments,
                          const std::vector<Verb>& verbs) {
  std::string before;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--") || is_unknown_letter(verb, argument)) {
      refuse_unknown_option(verb, argument, verbs);
    }
    refuse_option_as_value(verb, before, argument);
    before = argument;
  }
}

/// Parses the arguments; the answer of --help and --version where they ask for one.
std::optional<std::string> parse(CLI::App& app, const CLI::App& verb, const Arguments& arguments,
                                 const std::string& version) {
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
    return {};
  } catch (const CLI::CallForHelp&) {
    if (std::ranges::count(arguments, "-h") == 0) return verb.help();
    if (&verb != &app) return HelpText().make_short(verb);
    return HelpText().make_usage(&app, "") + HelpText().make_verbs(app) + "\n" + help_of(app) +
           ": examples; VERB -h: its options\n";
  } catch (const CLI::CallForVersion&) {
    return version + "\n";
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError("{}: {}", verb.get_name(), mismatch_text(error.what()));
  } catch (const CLI::ParseError& error) {
    const std::string what = error.what();
    const auto extra = std::ranges::find(arguments, what.substr(what.rfind(' ') + 1));
    const bool is_behind_flag =
        extra != arguments.begin() && extra != arguments.end() && is_flag(verb, *(extra - 1));
    throw UsageError("{}: {}{}; {} shows examples", verb.get_name(), what,
                     is_behind_flag ? fmt::format(" ({} takes no value)", *(extra - 1)) : "",
                     help_of(verb));
  }
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv, const ProgramDescription& program) {
  const Arguments arguments = as_options(with_negative_values_joined({argv + 1, argv + argc}));

  CLI::App app(program.purpose, program.name);
  app.footer(program.examples);
  app.formatter(std::make_shared<HelpText>());
  const std::string version = program.name + " " ARMDYN_VERSION;
  set_flags(app, version);
  app.require_subcommand(1);

  std::map<std::string, std::function<Command()>> finish;
  for (const Verb& verb : program.verbs) {
    CLI::App& declared = *app.add_subcommand(verb.name, verb.purpose);
    declared.footer(verb.examples);
    declared.group(verb.group);
    // Options take most of the start, and those of verbs that are not named are not needed.
    if (std::ranges::count(arguments, verb.name) == 0) continue;
    finish[verb.name] = verb.declare(declared, program.host);
    set_flags(declared, version);
  }

  const bool asks_app = !arguments.empty() && asks_about_program(arguments[0]);
  const CLI::App& verb = asks_app ? app : find_verb(app, arguments);
  refuse_wrong_options(verb, arguments, program.verbs);
  if (const auto text = parse(app, verb, arguments, version)) {
    return [text] {
      print_text(*text);
      return Ending::done;
    };
  }
  return finish.at(verb.get_name())();
}

Verb verb_named(const std::vector<Verb>& verbs, const std::string& name) {
  const auto found = std::ranges::find(verbs, name, &Verb::name);
  if (found != verbs.end()) return *found;
  throw UsageError("there is no verb '{}'{}", name, did_you_mean(name, each(verbs, &Verb::name)));
}

Failure current_failure() {
  try {
    throw;
  } catch (const ClosedPipe&) {
    return {};
  } catch (const Interrupted&) {
    return {Ending::interrupted, ""};
  } catch (const InputError& error) {
    return {Ending::wrong_input, error.what()};
  } catch (const FileError& error) {
    return {Ending::no_file, error.what()};
  } catch (const NumericsError& error) {
    return {Ending::failed, error.what()};
  } catch (const Error& error) {
    return {Ending::wrong_command, error.what()};
  } catch (const std::filesystem::filesystem_error& error) {
    return {Ending::no_file,
            fmt::format("cannot look at '{}': {}", error.path1().string(), error.code().message())};
  } catch (const std::bad_alloc&) {
    return {Ending::failed, "out of memory"};
  } catch (const std::exception& error) {
    return {Ending::failed, fmt::format("internal error: {}", error.what())};
  }
}

void begin_program() {
  // No file or pipe of the program's own takes these numbers; reading there and writing there fail.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int held =
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  install_interrupt_handlers();
}

Ending run_command_line(int argc, const char* const* argv) {
  try {
    return parse_command_line(argc, argv, {.verbs = all_verbs()})();
  } catch (...) {
    const Failure failure = current_failure();
    complain(failure, asks_for_json(argc, argv));
    return failure.ending;
  }
}

void complain(const Failure& failure, bool as_json) {
  const auto& [ending, message] = failure;
  if (message.empty()) return;
  if (as_json) {
    say("{}", json_of(Json{{"version", ARMDYN_VERSION},
                           {"error", {{"exit", exit_code(ending)}, {"message", message}}}}));
  } else {
    say("{}{}\n", ending == Ending::wrong_input ? "" : "armdyn: ", message);
  }
}

void on_terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    std::fputs("armdyn: out of memory\n", stderr);
    end_suddenly(exit_code(Ending::failed));
  } catch (...) {
  }
  std::abort();
}

bool asks_about_program(std::string_view argument) {
  constexpr std::array asking{"--help", "-h", "--version", "-V", "help", "version"};
  return std::ranges::find(asking, argument) != asking.end();
}

bool asks_for_json(int argc, const char* const* argv) {
  for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc))) {
    if (argument == "--") break;
    if (argument == "--json") return true;
  }
  return false;
}

}  // namespace armdyn
