#include "cli/options/robot_formats.hpp"

#include "dynamics/friction.hpp"
#include "io/robot/robot_text.hpp"
#include "math/characters.hpp"

namespace armdyn {

std::string robot_text(const Robot& robot, const std::string& comment) {
  return robot_yaml(robot, comment);
}

std::string chain_text(RobotFileKind kind, const SerialChain& chain, const std::string& comment) {
  if (kind == RobotFileKind::urdf) return urdf_text(chain, comment);
  const auto armature = [](const ChainJoint& of) { return rotor_torque(of.joint.motor, 1.0); };
  return mjcf_text(chain, each(chain.joints, armature), comment);
}

bool can_hold(RobotFileKind kind, const Spring& spring) {
  return kind == RobotFileKind::yaml || (kind == RobotFileKind::mjcf && is_mjcf_spring(spring));
}

DescribedArm described_arm(const std::string& text, const std::string& path,
                           const RobotFileOptions& reading) {
  DescribedArm arm;
  if (is_urdf(path, text)) {
    UrdfReport urdf = examine_urdf(text, reading, path);
    if (!urdf.chain) throw InputError(error_lines(urdf.findings, path));
    arm.chain = std::move(urdf.chain);
    arm.warnings = std::move(urdf.findings);
    arm.digest = digest_of(text);
  } else {
    arm.file = parse_robot_file(text, path, reading);
    arm.warnings = arm.file->warnings;
    arm.digest = arm.file->digest;
    arm.has_comments = text.find('#') != text.npos;
  }
  return arm;
}

DescribedArm read_described_arm(const std::string& path, const RobotFileOptions& reading) {
  return described_arm(read_robot_bytes(path), path, reading);
}

RobotFileReport examined_file(const std::string& path, const RobotFileOptions& reading,
                              std::size_t& blanks) {
  return examine_robot_bytes(read_robot_bytes(path), path, reading, &blanks);
}

Joint driven_joint(const std::string& motor, const std::string& gear) {
  const RobotFileReport report = examine_robot_bytes(
      fmt::format("armdyn: 1\nname: drive\nconvention: modified\njoints:\n  - {{type: revolute, "
                  "dh: {{}}, mass: 0, motor: {{{}}}, gear: {{{}}}}}\n",
                  motor, gear),
      "");
  for (const auto& [severity, path, message, line, column] : report.findings) {
    if (severity != Severity::error) continue;
    std::string found = path.empty() ? message : fmt::format("{}: {}", path, message);
    replace_all(found, "joints[0].", "");
    throw InputError(found);
  }
  return report.robot->joints[0];
}

}  // namespace armdyn
