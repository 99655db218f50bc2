#pragma once

// Texts of robot files. Every number reads back as the same double.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <string_view>

#include "model/serial_chain.hpp"

namespace armdyn {

/// Robot file (docs/robot-file.md) that reads back as the same robot, behind a comment.
[[nodiscard]] std::string robot_yaml(const Robot& robot, const std::string& comment);

/// Text that YAML 1.1 and 1.2 read back: quoted, unless it is a plain word, which null, no and y are
/// not.
[[nodiscard]] std::string yaml_text(std::string_view text);

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

/// Do as examine_robot_file and read_robot_file; the path is for messages.
[[nodiscard]] RobotFileReport examine_robot_bytes(const std::string& bytes, const std::string& path,
                                                  const RobotReading& reading = {});
[[nodiscard]] RobotFile parse_robot_file(const std::string& bytes, const std::string& path,
                                         const RobotReading& reading = {});

// Robots and motions shipped with the program.

struct ShippedFile {
  std::string name;  ///< bare, as in `armdyn torque NAME`
  std::string path;
};

/// PREFIX/share/armdyn for PREFIX/bin/armdyn, or the folder that was set.
[[nodiscard]] std::string shared_folder();
/// Sets the folder for other programs than PREFIX/bin/armdyn; before shared_folder is used.
void set_shared_folder(std::string folder);

/// The bytes of a shipped file.
[[nodiscard]] std::string content_of(const ShippedFile& file);

// Sorted by name.
[[nodiscard]] std::vector<ShippedFile> shipped_robots();
[[nodiscard]] std::vector<ShippedFile> shipped_motions();
[[nodiscard]] std::vector<ShippedFile> shipped_catalogs();  ///< of motors and gears

[[nodiscard]] std::vector<std::string> names(const std::vector<ShippedFile>& files);
[[nodiscard]] std::optional<ShippedFile> find(const std::vector<ShippedFile>& files,
                                              const std::string& name);

}  // namespace armdyn
