#pragma once

// Stops of one joint, and contacts with persons: found among random positions, not proven
// (docs/derivation.md, 39.13 to 39.16).

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "datasheet/datasheet.hpp"

namespace armdyn {

/// The way of a joint until it stands, rad or m.
struct StoppingWay {
  double time = 0.0;   ///< s
  double angle = 0.0;  ///< infinite where it does not stop
};

/// A brake of constant torque stops a joint alone, after a delay at the same speed; gravity acts,
/// friction is neglected (39.13). Its sign is the direction of the speed, rad/s or m/s.
[[nodiscard]] StoppingWay braked(const LimitedArm& arm, std::span<const double> q,
                                 std::size_t joint, double speed, double brake, double delay);

/// The largest constant deceleration of a joint alone that keeps the torques of all joints within their
/// limits until it stands (39.14); 0 where there is none.
[[nodiscard]] double path_deceleration(const LimitedArm& arm, std::span<const double> q,
                                       std::size_t joint, double speed);

/// The longest stop found of a joint, of category 0 or 1 (IEC 60204-1), as ISO 10218-1 asks for it.
struct Stop {
  std::size_t joint = 0;
  int category = 0;
  double speed = 1.0, extension = 1.0, load = 1.0;  ///< shares of the largest
  StoppingWay way{};
  StoppingWay strongest{};  ///< the same with the strongest brake
};

/// Stops of the first three joints at thirds of speed, extension (the distance of the TCP from the
/// joint's axis) and load, the robot's payload. `weakest` and `strongest` are the torques of all joints'
/// brakes.
[[nodiscard]] std::vector<Stop> longest_stops(const Robot& robot, std::span<const double> weakest,
                                              std::span<const double> strongest, double delay);

/// A stop of all joints from an instant of a motion. Time and path are infinite, and there are no angles,
/// where the arm still moves after 20 s of braking, or no deceleration keeps the limits.
struct MotionStop {
  int category = 0;
  double at = 0.0;                                  ///< instant, s
  double time = 0.0;                                ///< until all joints stand, s
  double path = 0.0;                                ///< of the TCP, m
  std::vector<double> angles{};                     ///< from that instant until then, rad or m
  double MotionStop::*longest = &MotionStop::time;  ///< the measure in which it is the longest
};

/// The stops that last longest and lead the TCP furthest, of 200 instants of a motion: of category 0 by
/// all brakes, which act after a delay on the arm that the motors have left, and of category 1 by the
/// largest constant deceleration of the motion's time (39.17). Friction is neglected.
[[nodiscard]] std::vector<MotionStop> longest_stops_along(
    const Robot& robot, const Trajectory& motion, std::span<const double> brakes, double delay,
    const std::function<void()>& at_each_instant);

/// Mass that a contact at the TCP feels, in the direction u of {0}: 1/(uᵀ J M⁻¹ Jᵀ u), rotors
/// included, kg (39.15).
[[nodiscard]] double effective_mass(const LimitedArm& arm, std::span<const double> q,
                                    const Vec3& direction);

/// The largest effective mass found in the direction of motion, while one joint moves the TCP at
/// 0.25 m/s or more; 0 if none does.
[[nodiscard]] AtPosition largest_effective_mass(const LimitedArm& arm);

/// A region of the body: what it bears in a contact.
struct BodyRegion {
  std::string name;
  double force = 0.0;      ///< N
  double stiffness = 0.0;  ///< N/m
  double mass = 0.0;       ///< kg
};

/// Regions by ISO/TS 15066, tables A.2 and A.3: forces of transient contacts, twice those of clamping;
/// of head and face those of clamping, since the table has no others. Forces were written from memory.
[[nodiscard]] std::vector<BodyRegion> body_regions();

/// Speed at which a robot of that mass gives a region its force, m/s (39.16).
[[nodiscard]] double permitted_speed(const BodyRegion& region, double robot_mass);

}  // namespace armdyn
