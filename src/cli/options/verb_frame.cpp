#include "cli/options/verb_frame.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/options/named_files.hpp"
#include "dynamics/friction.hpp"
#include "math/rigid.hpp"
#include "model/file_accuracy.hpp"
#include "model/mechanism.hpp"
#include "model/robot_fields.hpp"
#include "model/shown_text.hpp"
#include "report/say.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

namespace armdyn {

namespace {

/// The robot's argument on a command line: the bare name of a shipped one, else its path.
std::string argument_for(const RobotFile& file) {
  std::string name = std::filesystem::path(file.path).stem();
  const auto shipped = find(shipped_robots(), name);
  if (shipped && shipped->path == file.path) return name;
  return shell_word(file.path);
}

}  // namespace

void print_warnings(const RobotFile& file, const RobotOptions& options) {
  if (const auto unread = unread_file_warning(options.robot)) print_warnings({*unread});
  const std::string name = std::filesystem::path(file.path).filename();
  std::size_t count = 0;
  for (const Finding& finding : file.warnings) {
    if (finding.path.starts_with("--")) {
      print_warnings({finding.path + ": " + finding.message});
    } else if (!finding.path.empty()) {
      ++count;
    } else {  // about the arm as a whole
      say("{}\n", to_text(finding, name));
    }
  }
  if (count == 0) return;
  say("{}: {} about the model; armdyn check {} shows {}\n", name, counted(count, "warning"),
      argument_for(file), count == 1 ? "it" : "them");
}

Document answer_frame(const RobotFile& file, const RobotOptions& options,
                      const OutputOptions& output) {
  std::map<std::string, Json> used = output.used;
  const RobotFileOptions& reading = options.reading;
  for (const auto& [name, parameter] : reading.set) used["set"][name] = parameter.value;
  used["without"] = names(options.without);
  used["gravity"] = coordinates(file.robot.gravity);
  if (options.payload) {
    used["payload"] =
        Json{{"com", coordinates(options.payload->com)}, {"mass", options.payload->mass}};
  }
  Document answer;
  answer.add("version", Json(ARMDYN_VERSION));
  answer.add("robot",
             Json{{"digest", file.digest}, {"file", file.path}, {"name", file.robot.name}});
  answer.add("options", Json(used));
  if (!output.report.empty() && file.robot.dof() > 0) answer.views.robot = file.robot;
  std::vector<std::string>& warnings = answer.model_warnings.emplace();
  for (const Finding& finding : file.warnings) warnings.push_back(to_text(finding, file.path));
  if (const auto unread = unread_file_warning(options.robot)) warnings.push_back(*unread);
  return answer;
}

std::string shell_word(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t\n'\"$&;()<>|*?\\`!#~[]{}") == text.npos) return text;
  return quoted_word(text);
}

void refuse_many_joints(const std::string& verb, const Robot& robot, std::size_t most) {
  refuse_if(robot.dof() > most,
            "{}: {} has {} joints, and an answer would take more than a minute or 0.5 GB; "
            "expected at most {}; torque and simulate take any number",
            verb, robot.name, robot.dof(), most);
}

void edit(Robot& robot, const RobotOptions& options) {
  if (options.gravity) robot.gravity = *options.gravity;
  if (options.payload) robot.payload = *options.payload;
  // Decimals of the file do not stand for numbers of the options, even where they are equal.
  if (robot.file_accuracy && (options.gravity || options.payload)) {
    FileAccuracy accuracy = *robot.file_accuracy;
    std::erase_if(accuracy.numbers, [&](const auto& as) {
      const auto field = field_at(as.first);
      return field && ((options.gravity && field->unit == RobotUnit::gravity) ||
                       (options.payload && field->has(role::payload)));
    });
    robot.file_accuracy = std::make_shared<const FileAccuracy>(std::move(accuracy));
  }
  if (options.without.gravity) robot.gravity = {};
  if (options.without.payload) robot.payload = {};
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    Joint& joint = joint_at(robot, k);
    if (options.without.friction) remove_friction(joint);
    if (options.without.rotors) remove_rotor(joint);
  }
}

void require_use(const RobotFileOptions& reading, const Parametrization& written, bool is_urdf,
                 const std::string& path) {
  refuse_if(!is_urdf && (!reading.base.empty() || !reading.tip.empty() || reading.snap),
            "{} for URDF and MJCF files, and {} is none",
            reading.snap ? "--snap is" : "--base and --tip are", in_one_line(path));
  const std::vector<std::string> known = each(written.parameters, &Parameter::name);
  for (const auto& [name, value] : reading.set) {
    if (std::ranges::count(known, name) > 0) continue;
    throw UsageError(known.empty()
                         ? fmt::format("--set: {} has no parameters", in_one_line(path))
                         : fmt::format("--set: {} has no parameter {}{}; it has {}",
                                       in_one_line(path), in_one_line(name),
                                       did_you_mean(name, known), fmt::join(known, ", ")));
  }
}

RobotFile load_robot(const RobotOptions& options) {
  RobotFile file = read_robot_file(find_robot(options.robot), options.reading);
  require_use(options.reading, file, file.path);
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

}  // namespace armdyn
