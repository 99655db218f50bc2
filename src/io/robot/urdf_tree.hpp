#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <optional>
#include <string>
#include <vector>

#include "io/robot/xml_tree.hpp"

// What a URDF says of mechanics: its links and joints as they stand, before a chain is chosen.

namespace armdyn {

struct UrdfLink {
  std::string name;
  int line = 0;
  int inertial_line = 0;  ///< 0: it has no <inertial>
  Placement inertial{};   ///< the inertial frame in the link's
  SymMat3 written{};      ///< as in the file, in axes of the inertial frame
  MassProperties body{};  ///< in the link's frame
};

struct UrdfJoint {
  enum class Kind { revolute, continuous, prismatic, fixed, floating, planar };
  std::string name;
  int line = 0;
  int limit_line = 0;
  Kind kind = Kind::fixed;
  std::string parent{}, child{};
  Placement origin{};
  Vec3 axis{1.0, 0.0, 0.0};  ///< unit vector
  Friction friction{};
  Motor motor{};
  Limits limits{};
  std::string mimics = {};  ///< the joint that it follows

  /// Turns or slides along its axis.
  [[nodiscard]] bool moves() const {
    return kind == Kind::revolute || kind == Kind::continuous || kind == Kind::prismatic;
  }
};

struct Urdf {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<std::string> notes;  ///< what was taken from extensions
};

/// What is wrong is added to `findings`, as is once each element of dynamics that is not known.
/// Nothing if this is no URDF at all.
[[nodiscard]] std::optional<Urdf> read_urdf(const XmlElement& root, std::vector<Finding>& findings);

/// Warnings: bodies, limits and lengths as they come from the frequent faults of URDF files.
void find_faults(const Urdf& urdf, std::vector<Finding>& findings);

}  // namespace armdyn
