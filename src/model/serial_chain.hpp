#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/vector.hpp>

// An arm by frames and axes in any place, as of URDF and MJCF, and its conversion to a
// Denavit-Hartenberg table (docs/derivation.md, 1.1). To be written, it may be a tree whose joints
// follow others.

namespace armdyn {

/// A joint and the link that it moves.
struct ChainJoint {
  Joint joint;               ///< with its body in the link's frame, and an unused `dh`
  std::string link = {};     ///< name of the link
  Transform origin = {};     ///< the link's frame at q = 0, in that of its parent
  Vec3 axis{0.0, 0.0, 1.0};  ///< unit vector through the origin of the link's frame, in its axes
  std::string parent = {};   ///< link, of a tree; empty: the one before
};

struct SerialChain {
  std::string name;
  std::string description;
  std::string source;
  Vec3 gravity{0.0, 0.0, -9.81};  ///< in the world, m/s²
  std::string base_link = "base_link";
  Transform base;                  ///< the base link in the world
  std::vector<ChainJoint> joints;  ///< base to TCP
  std::string tip_link = "tool";
  Transform tip;                     ///< the tool frame in the frame of the last link
  std::string tip_parent = {};       ///< link, of a tree; empty: the last one
  MassProperties payload;            ///< in the tool frame
  std::vector<Spring> springs = {};  ///< of a tree; ends in frames of links, by the names of these
};

/// Where joint k of an arm is at q = 0. A joint by an axis turns back behind it (docs/derivation.md, 38).
struct JointPlace {
  Transform axis;         ///< the frame whose z the joint acts along, in the end of the link before
  Transform link_end;     ///< the frame from which the next joints are placed, in that frame
  Transform table_frame;  ///< frame {k} of the table, likewise
};
[[nodiscard]] JointPlace joint_place(const Arm& arm, std::size_t k);

/// Chain of a robot: the frames of the proximal form (eq. 1.2), each joint about its z.
[[nodiscard]] SerialChain chain_of(const Robot& robot);
/// Likewise of a mechanism, as a tree with the followers behind the other joints; a helical joint is
/// one about its axis. Throws Error for what trees of other programs, `what`, cannot have: joints that
/// follow several.
[[nodiscard]] SerialChain tree_of(const Robot& robot, const std::string& what);

/// Placement with that rotation and origin; angles so near to a right angle become one.
[[nodiscard]] Placement placement_of(const Transform& T, double right_angle_within = 1e-14);

/// A nearly special position that was taken as special.
struct Snapped {
  std::string what;     ///< "axes of j2 and j3 parallel"
  double angle = 0.0;   ///< deviation, rad
  double length = 0.0;  ///< deviation, m
};

struct ChainTable {
  Robot robot;
  std::vector<Snapped> snapped;  ///< in all no more than asked for each axis, the base and the tool
  /// Proven bound of the TCP's motion by it (eq. 1.23), m and rad.
  double tcp_displacement = 0.0, tcp_rotation = 0.0;
};

/// Makes a modified table of the same arm with the same q: axes keep their signs, and q = 0 is the
/// chain's placement (eq. 1.16-1.19). Base and tool take the remaining rotations and lengths.
[[nodiscard]] ChainTable table_of(const SerialChain& chain, const Snap& snap);

/// The same arm with a table of that convention (eq. 1.5-1.7, 1.20).
[[nodiscard]] Robot in_convention(const Robot& robot, Convention convention);

/// Positions that distinguish arms, rad or m: within the limits, or around 0 where these are
/// so wide that they stand for none.
[[nodiscard]] Range telling_range(const Joint& joint);

/// Sum of the distances between joints, from the base to the tool frame, m; fully extended.
[[nodiscard]] double size_of(const SerialChain& chain);
/// That of a robot; of a mechanism, of its chain to the tool.
[[nodiscard]] double size_of(const Robot& robot);

}  // namespace armdyn
