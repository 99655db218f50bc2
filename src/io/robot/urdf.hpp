#pragma once

// The mechanics of a URDF: its links and joints as they stand, before a chain is chosen.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/xml_tree.hpp"
#include "model/check.hpp"
#include "model/serial_chain.hpp"

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

  /// Its place, for findings.
  [[nodiscard]] Report::At at() const { return {"joint " + name, line}; }
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

/// An arm chosen from a tree, everything else folded into its links at the zero pose.
struct UrdfChain {
  SerialChain chain;
  AsPlaced placed;                       ///< the same by the numbers of the file
  std::vector<const UrdfJoint*> joints;  ///< of the chain, in the tree
  std::vector<std::string> notes;        ///< what was chosen, and taken from extensions
};

/// Adds to `report` what keeps it from being a tree, and a chain from being found, and as warnings
/// joints that are taken as fixed. Throws Error where there is no such link.
[[nodiscard]] std::optional<UrdfChain> choose_chain(const Urdf& urdf, const RobotReading& reading,
                                                    Report& report);

/// All findings of a URDF, errors first, each part in the order of the file; a chain only if none
/// is an error.
struct UrdfReport {
  std::optional<UrdfChain> chain;
  std::vector<Finding> findings;
  std::shared_ptr<const Urdf> tree;  ///< that the chain was chosen from
};

[[nodiscard]] UrdfReport examine_urdf(std::string_view bytes, const RobotReading& reading,
                                      const std::string& file);

/// Tells whether this is to be read as URDF, by its name or since it begins as XML does.
[[nodiscard]] bool is_urdf(const std::string& file, std::string_view bytes);

/// Lines on how far the hand moves by what was snapped, and then all of that.
[[nodiscard]] std::vector<std::string> snapped_lines(const ChainTable& table);
/// Tells in one line what was snapped, and by how much the hand moves at most.
[[nodiscard]] std::string snapped_text(const ChainTable& table);

/// Gives a finding about a chain's robot, with a path such as joints[2].inertia, element and line.
void locate_in(const UrdfChain& chain, const Urdf& tree, Finding& finding);

}  // namespace armdyn
