#pragma once

#include <armdyn/robot.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "model/serial_chain.hpp"

// Robots as files. Every number reads back as the same double.

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

/// MJCF, for MuJoCo, with the reflected rotor inertias of the joints, kg·m² or kg. Throws InputError
/// for a link whose mass or inertia MuJoCo refuses.
[[nodiscard]] std::string mjcf_text(const SerialChain& chain, const std::vector<double>& armatures,
                                    const std::string& comment);

/// What MJCF of the kind that mjcf_text writes says, from its own frames. Throws InputError for any
/// other.
[[nodiscard]] SerialChain chain_of_mjcf(const std::string& text);

}  // namespace armdyn
