#include "cli/robot_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/value_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

/// Robots stand beside the program: PREFIX/bin/armdyn, PREFIX/share/armdyn/robots.
fs::path shipped_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share" / "armdyn" / "robots";
}

std::vector<std::string> names_in(const fs::path& folder, const std::string& ending) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ending) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_bare_name(const std::string& argument) {
  return argument.find_first_of("/.") == argument.npos;
}

/// An existing file of that name goes before a shipped one.
std::string find_shipped(const std::string& argument, const fs::path& folder,
                         const std::string& ending, const std::string& kind) {
  std::error_code error;
  if (!is_bare_name(argument) || argument == "-" || fs::is_regular_file(argument, error) ||
      fs::is_fifo(argument, error)) {
    return argument;
  }
  const fs::path shipped = folder / (argument + ending);
  if (fs::is_regular_file(shipped, error)) return shipped.string();
  throw FileError(fmt::format("there is no file '{0}', and no shipped {1} of that name{2}",
                              argument, kind, did_you_mean(argument, names_in(folder, ending))));
}

}  // namespace

std::string find_robot(const std::string& argument) {
  return find_shipped(argument, shipped_folder(), ".yaml", "robot");
}

std::string argument_for(const RobotFile& file) {
  const fs::path path = file.path;
  if (path.parent_path() == shipped_folder()) return path.stem().string();
  if (file.path.find_first_of(" '\"$&;()<>|*?\\") == file.path.npos) return file.path;
  return fmt::format("\"{}\"", file.path);
}

void edit(Robot& robot, const RobotOptions& options) {
  if (options.gravity) robot.gravity = *options.gravity;
  if (options.payload) robot.payload = *options.payload;
  if (options.without_gravity) robot.gravity = {};
  if (options.without_payload) robot.payload = {};
  for (Joint& joint : robot.joints) {
    if (options.without_friction) joint.friction = {};
    if (options.without_motor) joint.motor = {};
  }
}

RobotFile load_robot(const RobotOptions& options) {
  RobotFile file = read_robot_file(find_robot(options.robot));
  edit(file.robot, options);
  return file;
}

std::string find_motion(const std::string& argument) {
  return find_shipped(argument, shipped_folder() / "motions", ".csv", "motion");
}

}  // namespace armdyn
