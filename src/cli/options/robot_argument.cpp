#include "cli/options/robot_argument.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"
#include "dynamics/friction.hpp"
#include "io/robot/shipped.hpp"
#include "log/side_by_side.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

bool is_bare_name(const std::string& argument) {
  return argument.find_first_of("/.") == argument.npos;
}

[[noreturn]] void refuse_as_robot(const std::string& argument) {
  throw UsageError(fmt::format("ROBOT comes first, and '{}' is a motion or another table",
                               in_one_line(argument)));
}

/// An existing file of that name goes before a shipped one; `where_none` may say more of a name
/// that is neither.
std::string find_file(
    const std::string& argument, std::vector<ShippedFile> (*find_shipped)(),
    const std::string& kind, const std::string& ending,
    const std::function<void()>& where_none = [] {}) {
  std::error_code error;
  if (!is_bare_name(argument) || argument == "-" || fs::is_regular_file(argument, error) ||
      fs::is_fifo(argument, error)) {
    return argument;
  }
  const std::vector<ShippedFile> shipped = find_shipped();
  if (const auto file = find(shipped, argument)) return file->path;
  if (fs::is_directory(argument, error)) {
    throw FileError(fmt::format("{}: is a folder; expected a file", in_one_line(argument)));
  }
  where_none();
  const std::string here = argument + ending;
  throw FileError(fmt::format(
      "there is no file '{0}', and no shipped {1} of that name{2}", in_one_line(argument), kind,
      fs::is_regular_file(here, error)
          ? fmt::format("; there is a file '{0}' here: write {0}", in_one_line(here))
          : did_you_mean(argument, names(shipped))));
}

}  // namespace

std::string find_robot(const std::string& argument) {
  if (argument.ends_with(".csv") || argument.ends_with(".npy")) refuse_as_robot(argument);
  return find_file(argument, shipped_robots, "robot", ".yaml", [&argument] {
    if (find(shipped_motions(), argument)) refuse_as_robot(argument);
  });
}

std::optional<std::string> unread_file_warning(const std::string& argument) {
  const std::string taken = find_robot(argument), here = argument + ".yaml";
  std::error_code none;
  if (taken == argument && is_bare_name(argument)) {
    const auto shipped = find(shipped_robots(), argument);
    if (!shipped) return {};
    return fmt::format(
        "{0} is the file here, the shipped robot of that name is not read; write {1} to take it",
        argument, shipped->path);
  }
  if (taken == argument || !fs::is_regular_file(here, none) || fs::equivalent(here, taken, none)) {
    return {};
  }
  return fmt::format(
      "{0} is the shipped robot, the file {1} here is not read; write {1} to take it", argument,
      here);
}

std::string argument_for(const RobotFile& file) {
  std::string name = fs::path(file.path).stem();
  const auto shipped = find(shipped_robots(), name);
  if (shipped && shipped->path == file.path) return name;
  return shell_word(file.path);
}

std::string shell_word(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t\n'\"$&;()<>|*?\\`!#~[]{}") == text.npos) return text;
  if (text.find_first_of("\"$\\`!") == text.npos) return fmt::format("\"{}\"", text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

void refuse_many_joints(const std::string& verb, const Robot& robot, std::size_t most) {
  if (robot.dof() <= most) return;
  throw UsageError(fmt::format(
      "{}: {} has {} joints, of which an answer would take more than a minute; expected "
      "at most {}; torque and simulate take any number",
      verb, robot.name, robot.dof(), most));
}

void edit(Robot& robot, const RobotOptions& options) {
  if (options.gravity) robot.gravity = *options.gravity;
  if (options.payload) robot.payload = *options.payload;
  // These are not those of the file, even where they are equal.
  std::erase_if(robot.as_written, [&](const auto& as) {
    return (options.gravity && as.first.starts_with("gravity")) ||
           (options.payload && as.first.starts_with("payload"));
  });
  if (options.without.gravity) robot.gravity = {};
  if (options.without.payload) robot.payload = {};
  for (Joint& joint : robot.joints) {
    if (options.without.friction) remove_friction(joint);
    if (options.without.rotors) remove_rotor(joint);
  }
}

void require_parameters(const ParameterValues& set, const Parametrisation& written,
                        const std::string& path) {
  for (const auto& [name, value] : set) {
    if (std::ranges::find(written.parameters, name, &Parameter::name) != written.parameters.end()) {
      continue;
    }
    std::vector<std::string> known;
    known.reserve(written.parameters.size());
    for (const Parameter& parameter : written.parameters) known.push_back(parameter.name);
    throw UsageError(known.empty()
                         ? fmt::format("--set: {} has no parameters", in_one_line(path))
                         : fmt::format("--set: {} has no parameter {}{}; it has {}",
                                       in_one_line(path), in_one_line(name),
                                       did_you_mean(name, known), fmt::join(known, ", ")));
  }
}

RobotFile load_robot(const RobotOptions& options) {
  RobotFile file = read_robot_file(find_robot(options.robot), options.set);
  require_parameters(options.set, file.written, file.path);
  edit(file.robot, options, file.warnings);
  return file;
}

void edit(Robot& robot, const RobotOptions& options, std::vector<Finding>& findings) {
  const Vec3 of_file = robot.gravity;
  edit(robot, options);
  if (!options.gravity) return;
  std::erase_if(findings, [](const Finding& finding) { return finding.path == "gravity"; });
  for (const Finding& finding : check(robot)) {
    if (finding.path == "gravity") {
      findings.push_back({finding.severity, "--gravity", finding.message});
      return;
    }
  }
  constexpr double opposite = -0.999;  // cosine
  const Vec3& given = robot.gravity;
  if (dot(given, of_file) < opposite * std::sqrt(dot(given, given) * dot(of_file, of_file))) {
    findings.push_back({Severity::warning, "--gravity",
                        fmt::format("found [{}, {}, {}], the reverse of the file's [{}, {}, {}]; "
                                    "the field is given, which pulls downward",
                                    given.x, given.y, given.z, of_file.x, of_file.y, of_file.z)});
  }
}

std::string find_motion(const std::string& argument) {
  std::error_code none;
  const bool is_folder_of_bag = fs::exists(argument + "/metadata.yaml", none);
  if (is_folder_of_bag || !files_side_by_side(argument).empty()) return argument;
  return find_file(argument, shipped_motions, "motion", ".csv");
}

void refuse_terminal(const std::string& verb, const std::string& motion) {
  if (motion != "-" || isatty(STDIN_FILENO) == 0) return;
  throw UsageError(
      verb + ": MOTION is missing; name a CSV or .npy file or a shipped motion, or pipe one in");
}

}  // namespace armdyn
