#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_list.hpp"
#include "math/each.hpp"
#include "report/say.hpp"

namespace armdyn {

/// A program: its name, its purpose, its verbs.
struct ProgramDescription {
  std::string name = "armdyn";
  std::string purpose =
      "Dynamics of robot arms: inverse and forward dynamics, equations of\nmotion, system "
      "identification, and three independent formulations that cross-check each other.";
  std::string examples =
      "  armdyn torque puma560 puma560-pick-and-place -o torques.csv --plot torques.svg\n"
      "  armdyn simulate craig-rr --duration 2 -o fall.csv --plot fall.svg\n"
      "  armdyn track puma560 puma560-pick-and-place -o track.csv --plot track.svg\n"
      "  armdyn compare puma560 puma560-pick-and-place\n"
      "  armdyn inspect puma560 --q \"0,45,180,0,45,0 deg\"\n"
      "  armdyn check ur10e\n"
      "  armdyn robots\n"
      "  armdyn torque --help\n";
  std::vector<Verb> verbs{};  ///< in the order of the help
  Host host = {};
};

/// Turns the arguments into a command. Throws UsageError, which names the nearest verb or option.
[[nodiscard]] Command parse_command_line(int argc, const char* const* argv,
                                         const ProgramDescription& program);

/// Begins a program: holds the numbers of standard streams that are closed, and handles signals.
void begin_program();

/// Runs the verb that the arguments of `armdyn` name; prints errors on standard error.
[[nodiscard]] Ending run_command_line(int argc, const char* const* argv);

// Verbs, each in its folder.
[[nodiscard]] Verb torque_verb(), simulate_verb(), compare_verb(), inspect_verb(),
    trajectory_verb(), track_verb(), vary_verb(), size_verb(), join_verb(), check_verb(),
    convert_verb(), equations_verb(), identify_verb(), observe_verb(), datasheet_verb(),
    robots_verb(), new_verb();

/// All of them, in the order and the groups of the help.
[[nodiscard]] inline std::vector<Verb> all_verbs() {
  std::vector<Verb> verbs;
  const auto add = [&verbs](const char* group, std::vector<Verb> of_group) {
    for (Verb& verb : of_group) verb.group = group;
    append(verbs, std::move(of_group));
  };
  add("Use", {torque_verb(), simulate_verb(), trajectory_verb(), track_verb(), size_verb(),
              identify_verb(), observe_verb(), datasheet_verb()});
  add("Study", {inspect_verb(), equations_verb(), compare_verb(), vary_verb()});
  add("Models and files", {robots_verb(), new_verb(), check_verb(), convert_verb(), join_verb()});
  return verbs;
}

/// Throws UsageError where there is none of that name; it names the nearest.
[[nodiscard]] Verb verb_named(const std::vector<Verb>& verbs, const std::string& name);

/// The reason why a program ends; with an empty message there is nothing to print.
struct Failure {
  Ending ending = Ending::done;
  std::string message;
};

/// The failure that the exception being handled is.
[[nodiscard]] Failure current_failure();

/// Prints a failure on standard error; of wrong input the message begins with the place: FILE:LINE.
void complain(const Failure& failure, bool as_json);

/// Handler for std::set_terminate: gives the exit code of running out of memory where no error can
/// be thrown, in a destructor of a library or before main().
[[noreturn]] void on_terminate();

/// Tests whether a word asks for help or the version.
[[nodiscard]] bool asks_about_program(std::string_view argument);

/// Tests whether errors are requested as JSON.
[[nodiscard]] bool asks_for_json(int argc, const char* const* argv);

}  // namespace armdyn
