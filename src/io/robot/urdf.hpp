#pragma once

// What a URDF says of mechanics: its links and joints as they stand, before a chain is chosen.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/xml_tree.hpp"
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

/// An arm chosen from a tree, everything else folded into its links at the zero pose.
struct UrdfChain {
  SerialChain chain;
  AsPlaced placed;                       ///< the same by the numbers of the file
  std::vector<const UrdfJoint*> joints;  ///< of the chain, in the tree
  std::vector<std::string> notes;        ///< what was chosen, and taken from extensions
};

/// What keeps it from being a tree, and a chain from being found, is added to `findings`; so are, as
/// warnings, joints that are taken as fixed. Throws Error where there is no such link.
[[nodiscard]] std::optional<UrdfChain> choose_chain(const Urdf& urdf, const RobotReading& reading,
                                                    std::vector<Finding>& findings);

/// All findings of a URDF, errors first, each part in the order of the file; a chain only if none is
/// an error.
struct UrdfReport {
  std::optional<UrdfChain> chain;
  std::vector<Finding> findings;
  std::shared_ptr<const Urdf> tree;  ///< that the chain was chosen from
};

[[nodiscard]] UrdfReport examine_urdf(std::string_view bytes, const RobotReading& reading,
                                      const std::string& file);

/// Whether this is to be read as URDF, by its name or since it begins as XML does.
[[nodiscard]] bool is_urdf(const std::string& file, std::string_view bytes);

/// How far the hand moves by what was snapped, and then all of that, where there is any.
[[nodiscard]] std::vector<std::string> snapped_lines(const ChainTable& table);
/// In one line what was snapped, and by how much the hand moves at most.
[[nodiscard]] std::string snapped_text(const ChainTable& table);

/// Gives a finding about a chain's robot, with a path such as joints[2].inertia, element and line.
void locate_in(const UrdfChain& chain, const Urdf& tree, Finding& finding);

}  // namespace armdyn
