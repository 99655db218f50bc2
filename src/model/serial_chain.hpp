#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/vector.hpp>

#include <string>
#include <vector>

// An arm by frames and axes that are placed anyhow, as URDF and MJCF have it, and how it becomes a
// Denavit-Hartenberg table (docs/derivation.md, 1.1).

namespace armdyn {

/// A joint and the link that it moves.
struct ChainJoint {
  Joint joint;               ///< its body in the link's frame; `dh` means nothing
  std::string link = {};     ///< name of the link
  Transform origin = {};     ///< the link's frame at q = 0, in that of the link before
  Vec3 axis{0.0, 0.0, 1.0};  ///< unit vector through the origin of the link's frame, in its axes
};

struct SerialChain {
  std::string name;
  std::string description;
  std::string source;
  Vec3 gravity{0.0, 0.0, -9.81};  ///< in the world, m/s²
  std::string base_link = "base_link";
  Transform base;                  ///< the base link in the world
  std::vector<ChainJoint> joints;  ///< base to hand
  std::string tip_link = "tool";
  Transform tip;           ///< the tool frame in the frame of the last link
  MassProperties payload;  ///< in the tool frame
};

/// Joint frames of a robot: those of the proximal form (eq. 1.2), each about its z.
[[nodiscard]] SerialChain chain_of(const Robot& robot);

/// The placement with that rotation and origin. Angles within 1e-14 of a right angle become one.
[[nodiscard]] Placement placement_of(const Transform& T, double right_angle_within = 1e-14);

/// A position that was taken as special without being it to the last digits.
struct Snapped {
  std::string what;     ///< "axes of j2 and j3 parallel"
  double angle = 0.0;   ///< what it was off, rad
  double length = 0.0;  ///< m
};

struct ChainTable {
  Robot robot;
  std::vector<Snapped> snapped;  ///< of each axis, the base and the tool no more than asked in all
  /// Bound of the hand's motion by it, proven (eq. 1.23): m, rad.
  double hand_place = 0.0, hand_turn = 0.0;
};

/// A modified table of the same arm, in which q means the same: axes keep their signs, and q = 0 is
/// where the chain's links stand as placed (eq. 1.16-1.19). Base and tool take what is left.
[[nodiscard]] ChainTable table_of(const SerialChain& chain, const Snap& snap);

/// The same arm with a table of that convention (eq. 1.5-1.7, 1.20).
[[nodiscard]] Robot in_convention(const Robot& robot, Convention convention);

/// Positions that tell arms apart, rad or m: within the limits, and around 0 where these are so
/// wide that they stand for none.
[[nodiscard]] Range telling_range(const Joint& joint);

/// Sum of the distances between joints, from the base to the tool frame, m; slides fully out.
[[nodiscard]] double size_of(const SerialChain& chain);

}  // namespace armdyn
