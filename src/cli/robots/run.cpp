// armdyn robots: the arms and motions that come with the program.

#include <algorithm>
#include <filesystem>

#include "cli/options/named_files.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// Options of `robots`.
struct RobotsOptions {
  enum class Action { list, show, copy };
  OutputOptions output;
  Action action = Action::list;
  std::string name;
  std::string target;  ///< of a copy; empty: the same name here
};

namespace {

using Action = RobotsOptions::Action;

namespace fs = std::filesystem;

/// "MF-T": parts of a model that some joint has, in the order of the legend.
std::string parts(const Robot& robot) {
  const auto letter = [&](char name, auto has) {
    return std::ranges::any_of(robot.joints, has) ? name : '-';
  };
  return {letter('M', [](const Joint& joint) { return joint.motor.rotor_inertia > 0.0; }),
          letter('F',
                 [](const Joint& joint) {
                   return has_friction({joint.friction, joint.motor});
                 }),
          letter('L', [](const Joint& joint) { return joint.limits.position.has_value(); }),
          letter('T', [](const Joint& joint) { return joint.limits.torque.has_value(); })};
}

/// The description of a motion: its first line, behind "# name: ".
std::string motion_description(const ShippedFile& file) {
  const std::string text = content_of(file);
  const std::string line = text.substr(0, text.find('\n'));
  const std::string first = "# " + file.name + ": ";
  return line.starts_with(first) ? line.substr(first.size()) : "";
}

Fields robot_fields(const ShippedFile& file) {
  const RobotFile read = read_robot_file(file.path);
  // A shipped description is what the robot is, a semicolon, and their source and confidence.
  const std::string& description = read.robot.description;
  const std::size_t end = std::min(description.find("; "), description.size());
  return {{"name", "robot", Value::word(file.name)},
          {"types", "joints", Value::word(joint_types(read.robot))},
          {"has", "has", Value::word(parts(read.robot))},
          {"description", "what it is", Value::word(description.substr(0, end))},
          {"confidence", "source and confidence",
           Value::word(description.substr(std::min(end + 2, description.size())))},
          {"file", for_programs, Value::word(file.path)},
          {"digest", for_programs, Value::word(read.digest)},
          {"convention", for_programs, Value::word(name(read.robot.convention))},
          {"source", for_programs, Value::word(read.robot.source)},
          {"warning_count", for_programs, Value::count(read.warnings.size())}};
}

Fields motion_fields(const ShippedFile& file) {
  return {{"name", for_programs, Value::word(file.name)},
          {"description", for_programs, Value::word(motion_description(file))},
          {"file", for_programs, Value::word(file.path)}};
}

constexpr const char* legend =
    "M rotor inertias, F friction, L limits of position, T limits of torque. Measured: on the arm. "
    "Identified: fitted to torques; parameters of single links may be off. Maker's: published by "
    "the manufacturer. \"armdyn robots show NAME\" prints a file, with its sources and doubts; "
    "\"armdyn check NAME\" shows the model.";

Document list_of_all() {
  Document answer;
  answer.add("robots", FieldTable{each(shipped_robots(), robot_fields), true});
  answer.sections.push_back({"", Paragraphs{"", {legend}}, "", true});
  answer.add("motions", FieldTable{each(shipped_motions(), motion_fields), true});
  bool is_first = true;
  for (const ShippedFile& file : shipped_motions()) {
    answer.sections.push_back({"",
                               Paragraphs{"motion " + file.name + ": ", {motion_description(file)}},
                               "", std::exchange(is_first, false)});
  }
  answer.add("version", Json(ARMDYN_VERSION));
  return answer;
}

/// A shipped file that the user named, and its entry of the list.
struct Found {
  ShippedFile file;
  bool is_robot;
  [[nodiscard]] Json json() const {
    Json found = object(is_robot ? robot_fields(file) : motion_fields(file));
    found["version"] = ARMDYN_VERSION;
    return found;
  }
};

Found find_any(const std::string& name) {
  std::vector<ShippedFile> all = shipped_robots();
  const std::vector<ShippedFile> motions = shipped_motions();
  if (const auto file = find(all, name)) return {*file, true};
  if (const auto file = find(motions, name)) return {*file, false};
  append(all, motions);
  throw FileError(
      fmt::format("no shipped robot or motion is named '{}'{}; armdyn robots lists them", name,
                  did_you_mean(name, names(all))));
}

/// The path of a copy: a file of the same name, if FILE is a folder or absent.
std::string place_of_copy(const RobotsOptions& options) {
  std::string name = fs::path(find_any(options.name).file.path).filename();
  if (options.target.empty()) return name;
  std::error_code error;
  return fs::is_directory(options.target, error) ? (fs::path(options.target) / name).string()
                                                 : options.target;
}

/// Sets the place of a copy. Throws UsageError for options that contradict one another.
void resolve(RobotsOptions& options) {
  const bool lists = options.action == Action::list;
  const bool copies = options.action == Action::copy;
  refuse_if(!lists && options.name.empty(),
            "robots: NAME is missing; armdyn robots lists the names; then: armdyn robots {0} NAME",
            copies ? "copy" : "show");
  refuse_if(lists && !options.name.empty(),
            "robots: list takes no name; armdyn robots show {0} prints the file, armdyn check {0} "
            "describes the model",
            options.name);
  refuse_if(!lists && !options.output.report.empty(),
            "robots: --report is for list; armdyn check {} --report {} describes it", options.name,
            options.output.report);
  refuse_if(!copies && !options.target.empty(), "robots: FILE is for copy; give -o FILE instead");
  const std::string& file = copies ? options.target : options.output.output;
  if (!lists && robot_file_kind(file)) refuse_other_than_yaml(copies ? "FILE" : "-o", file);
  refuse_if(copies && options.output.output != "-",
            "robots: -o is for list and show; give FILE behind NAME instead");
  if (!copies) return;
  options.target = place_of_copy(options);
  options.output.output.clear();  // two names of standard output are one place
}

void declare(OptionList& list, RobotsOptions& options) {
  const Choices<Action> actions{
      {"list", Action::list}, {"show", Action::show}, {"copy", Action::copy}};
  list.argument(
      "ACTION", options.action,
      [actions](const std::string& /*name*/, const std::string& text) {
        refuse_if(find(shipped_robots(), text) || find(shipped_motions(), text),
                  "robots: found the name \"{0}\", expected an action before it; "
                  "armdyn robots show {0} prints the file",
                  text);
        return actions("robots", text);
      },
      "list (default), show: print a file, copy: copy it out for changes");
  list.argument("NAME", options.name, as_written, "robot or motion to show or copy");
  list.argument("FILE", options.target, as_written,
                "where the copy goes: a file or folder (default: the same name here)");
  list.always_writes("FILE", options.target, &kept_when_opened);
  list.flag("--force", options.output.force, "overwrite a file that exists");
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "output file of list and show (default: -, standard output)")
      .for_command_line();
  list.writes("-o", options.output.output, &options.output.force);
  declare_format(list, options.output);
  declare_quiet(list, options.output);
  declare_report(list, options.output);
  list.check([&options] { resolve(options); });
}

/// The text of a file, or what is known of it as JSON.
Answer show(const RobotsOptions& options) {
  const Found found = find_any(options.name);
  if (options.output.json) return {Document{{{"", found.json()}}}};
  return {.artifacts = {{"-o", content_of(found.file)}}};
}

Answer copy(const RobotsOptions& options) {
  const Found found = find_any(options.name);
  Answer answer;
  answer.document.add(found.json());
  answer.document.add(Json{{"copy", options.target}});
  if (options.target != "-") {
    answer.document.add(
        fmt::format("{}: a copy of the shipped {}", options.target, found.file.name));
  }
  answer.artifacts = {{"FILE", content_of(found.file), options.output.force}};
  return answer;
}

Answer robots(const RobotsOptions& options, Run& /*run*/) {
  if (shipped_robots().empty()) throw FileError(none_shipped("robot"));
  if (options.action == Action::show) return show(options);
  if (options.action == Action::copy) return copy(options);
  return {list_of_all()};
}

}  // namespace

Verb robots_verb() {
  return verb<RobotsOptions>("robots", "List, show and copy shipped robots and motions",
                             "  armdyn robots\n"
                             "  armdyn robots show puma560 | head -n 40\n"
                             "  armdyn robots copy ur5e my-ur5e.yaml\n",
                             declare, robots);
}

}  // namespace armdyn
