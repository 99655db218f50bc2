#pragma once

// Texts of robot files. Every number reads back as the same double.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <string_view>

#include "model/serial_chain.hpp"

namespace armdyn {

/// Robot file (docs/robot-file.md) that reads back as the same robot, behind a comment.
[[nodiscard]] std::string robot_yaml(const Robot& robot, const std::string& comment);

/// URDF with link frames at the joints, inertials about the center of mass in axes of the link, the
/// tool frame and the payload as fixed links, gear and rotor as transmissions.
[[nodiscard]] std::string urdf_text(const SerialChain& chain, const std::string& comment);

/// Tests whether a spring has a place in MJCF: one stiffness, and no length at rest below 0.
[[nodiscard]] bool is_mjcf_spring(const Spring& spring);
/// MJCF, for MuJoCo, with the reflected rotor inertias of the joints, kg·m² or kg. A helical joint is a
/// hinge and a prismatic joint that follows it, a spring a tendon. Throws InputError for a link whose
/// mass or inertia MuJoCo refuses.
[[nodiscard]] std::string mjcf_text(const SerialChain& chain, const std::vector<double>& armatures,
                                    const std::string& comment);

// Steps of reading a robot file.

/// Reads all bytes, or more than a robot file may have, if there are so many. Throws FileError.
[[nodiscard]] std::string read_robot_bytes(const std::string& path);

/// "fnv1a64:" and 16 hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view bytes);

/// Do as examine_robot_file and read_robot_file; the path is for messages. `blanks` gets the number
/// of errors that are values still to be filled in.
[[nodiscard]] RobotFileReport examine_robot_bytes(const std::string& bytes, const std::string& path,
                                                  const RobotFileOptions& reading = {},
                                                  std::size_t* blanks = nullptr);
[[nodiscard]] RobotFile parse_robot_file(const std::string& bytes, const std::string& path,
                                         const RobotFileOptions& reading = {});

}  // namespace armdyn
