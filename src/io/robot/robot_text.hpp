#pragma once

// Robots as files. Every number reads back as the same double.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>
#include <optional>

#include <string>
#include <string_view>
#include <vector>

#include "model/serial_chain.hpp"

namespace armdyn {

/// A robot file (docs/robot-file.md), which reads back as the same robot. The comment goes before
/// it.
[[nodiscard]] std::string robot_yaml(const Robot& robot, const std::string& comment);

/// A text as YAML 1.1 and 1.2 read it back: quoted, unless it is a word that they take for nothing
/// else, as they do null, no and y.
[[nodiscard]] std::string yaml_text(std::string_view text);

/// URDF: link frames at the joints, inertials about the centre of mass in axes of the link, the
/// tool frame and the payload as fixed links, gear and rotor as transmissions.
[[nodiscard]] std::string urdf_text(const SerialChain& chain, const std::string& comment);

/// MJCF, for MuJoCo, with the reflected rotor inertias of the joints, kg·m² or kg. Throws
/// InputError for a link whose mass or inertia MuJoCo refuses.
[[nodiscard]] std::string mjcf_text(const SerialChain& chain, const std::vector<double>& armatures,
                                    const std::string& comment);

/// The arm of an MJCF of the kind that mjcf_text writes, by its own frames. Throws InputError for
/// any other.
[[nodiscard]] SerialChain chain_of_mjcf(const std::string& text);

// A robot file in steps: its bytes, and what they say.

/// All bytes, or more than a robot file may have, if there are so many. Throws FileError.
[[nodiscard]] std::string read_robot_bytes(const std::string& path);

/// "fnv1a64:" and 16 hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view bytes);

/// Do what examine_robot_file and read_robot_file do; the path is for messages.
[[nodiscard]] RobotFileReport examine_robot_bytes(const std::string& bytes, const std::string& path,
                                                  const RobotReading& reading = {});
[[nodiscard]] RobotFile parse_robot_file(const std::string& bytes, const std::string& path,
                                         const RobotReading& reading = {});

// Robots and motions that come with the program.

struct ShippedFile {
  std::string name;  ///< bare, as in `armdyn torque NAME`
  std::string path;
};

/// PREFIX/share/armdyn for PREFIX/bin/armdyn, or what was set.
[[nodiscard]] std::string shared_folder();
/// Sets it for other programs than PREFIX/bin/armdyn; before shared_folder is used.
void set_shared_folder(std::string folder);

// Sorted by name.
[[nodiscard]] std::vector<ShippedFile> shipped_robots();
[[nodiscard]] std::vector<ShippedFile> shipped_motions();

[[nodiscard]] std::vector<std::string> names(const std::vector<ShippedFile>& files);
[[nodiscard]] std::optional<ShippedFile> find(const std::vector<ShippedFile>& files,
                                              const std::string& name);

}  // namespace armdyn
