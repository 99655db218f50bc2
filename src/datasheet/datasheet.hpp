#pragma once

// What an arm carries, how it may accelerate, what its base feels: numbers that hold at every position,
// and how near a search came to them (docs/derivation.md, section 39).

#include <armdyn/robot.hpp>

#include <optional>
#include <span>
#include <vector>

#include "datasheet/motion_terms.hpp"
#include "datasheet/proven_limit.hpp"
#include "dynamics/friction.hpp"

namespace armdyn {

/// Of all that a joint moves, at any position.
struct Moved {
  double least = 0.0;    ///< inertia about the joint's own axis, kg·m² or kg, at least
  double mass = 0.0;     ///< kg
  double inertia = 0.0;  ///< about any axis through {0}, kg·m², at most
};

/// An arm with the limits of its file.
struct LimitedArm {
  /// The robot must have no error in `check`. Throws Error for drives on rows.
  explicit LimitedArm(const Robot& robot);

  MovingArm arm;
  MovingLinks tcp;              ///< those to a unit mass at the TCP, all there is
  std::vector<double> rotors;   ///< reflected to the joints, kg·m² or kg
  std::vector<Moved> moved;     ///< by each joint; empty where published inertias contradict it
  std::vector<Range> ranges;    ///< positions; of a joint that changes no result, its middle
  std::vector<double> torques;  ///< magnitudes, N·m or N; infinite where the file has none
  std::vector<double> speeds;   ///< magnitudes, rad/s or m/s; 0 where the file has none
  std::vector<double> losses;   ///< most of friction at any speed up to these, N·m or N

  [[nodiscard]] std::size_t dof() const { return arm.dof(); }
  /// Distance of the TCP from the axis of the first joint that moves it, or from {0} if that is
  /// prismatic.
  [[nodiscard]] double reach(std::span<const double> q) const;
};

/// The inertia about a joint's own axis, rotor included; kg·m², or kg.
[[nodiscard]] double inertia_about(const LimitedArm& arm, std::size_t joint,
                                   std::span<const double> q);

/// Positions within the ranges, the same ones at each call.
[[nodiscard]] std::vector<std::vector<double>> random_positions(const std::vector<Range>& ranges,
                                                                std::size_t count);

/// A load whose center is at a point of the tool frame.
struct LoadCase {
  std::optional<double> reach{};  ///< most distance of the TCP (LimitedArm::reach), m; none: any
  Vec3 center{};                  ///< of the load, in the tool frame, m
  std::vector<double> accelerations{};  ///< of the joints, magnitudes; none: at rest
};

/// The largest point mass, kg, that the torque limits carry in all positions, at rest or at slow speed
/// with these accelerations and full friction (39.9). `arm` is without payload.
[[nodiscard]] ProvenLimit largest_payload(const LimitedArm& arm, const LoadCase& load,
                                          const SearchEffort& effort);

/// What the robot's payload puts on a joint of the wrist: the largest found at random positions.
struct WristLoad {
  std::size_t joint = 0;
  double moment = 0.0;   ///< of its weight at rest about the axis, or along it; N·m or N
  double inertia = 0.0;  ///< about the axis, kg·m², or its mass, kg
};
/// Loads of joints 4 and on.
[[nodiscard]] std::vector<WristLoad> wrist_loads(const Robot& robot);

/// The largest factor a such that the torque limits allow accelerations up to a · ratio, each of any
/// sign, in all positions, at all speeds up to that share of their limits (39.10).
[[nodiscard]] ProvenLimit largest_accelerations(const LimitedArm& arm,
                                                std::span<const double> ratio, double speed_share,
                                                const SearchEffort& effort);

/// A load of the base: forces in N, moments about the origin of {0} in N·m. Vertical is the direction
/// of gravity, in which forces are taken and about which the turning moment turns.
enum class BaseLoad { vertical, horizontal, tilting, turning };

struct BaseLoadBound {
  double guaranteed = 0.0;  ///< upper bound of the magnitude
  double found = 0.0;
  std::vector<double> q{};
};

/// Cause of accelerations: motion with accelerations up to `most`, of any sign, or a stop, at which
/// each joint's brake acts on the inertia about its own axis with a torque up to `most`.
enum class During { motion, stop };

/// The largest load at all positions and speeds (39.11, 39.12).
[[nodiscard]] BaseLoadBound largest_base_load(const LimitedArm& arm, BaseLoad load, During during,
                                              std::span<const double> most,
                                              const SearchEffort& effort);

}  // namespace armdyn
