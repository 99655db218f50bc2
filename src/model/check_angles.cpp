#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "math/rotation.hpp"
#include "model/rules.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using std::numbers::pi;
constexpr double whole_turn = 2.0 * pi * 1.01;  // a whole turn, however it was rounded

// Published tables round π/2 to 1.57, 1.571 or 1.5708.
constexpr double rounded_right_angle = 1e-3;

/// The multiple of 90° other than 0 that a number of quarter turns was rounded from, or 0.
double nearly_right(double quarters) {
  const double nearest = std::nearbyint(quarters);
  return std::abs(quarters - nearest) <= rounded_right_angle * std::abs(nearest) ? nearest : 0.0;
}

bool is_right_angle(double radians) {
  const auto [sin, cos] = constant_angle(radians);
  return sin == 0.0 || cos == 0.0;
}

class AngleCheck {
 public:
  AngleCheck(AngleUnit unit, Report& report) : unit_(unit), report_(report) {}

  /// Any angle; suspicious beyond `most`.
  bool unit_is_plausible(const std::string& path, double angle, double most = whole_turn) {
    const double in_degrees = degrees(angle);
    if (unit_ == AngleUnit::rad && std::abs(angle) > most) {
      report_.warning(path, fmt::format("found {} rad, which looks like degrees; for degrees write "
                                        "angle_unit: deg, or a text such as pi/2",
                                        angle));
      return false;
    }
    const double quarters = nearly_right(in_degrees / (pi / 2));
    if (unit_ == AngleUnit::deg && std::abs(in_degrees) < whole_turn && quarters != 0.0) {
      report_.warning(path,
                      fmt::format("found {:.6g} deg, which looks like radians; if so, write {}",
                                  in_degrees, quarter_turns_text(quarters)));
      return false;
    }
    return true;
  }

  /// An angle that is constant in the arm, where right angles are exact.
  void constant(const std::string& path, double angle) {
    if (!unit_is_plausible(path, angle)) return;
    const double quarters = nearly_right(angle / (pi / 2));
    if (quarters == 0.0 || is_right_angle(angle)) return;
    const bool in_degrees = unit_ == AngleUnit::deg;
    report_.warning(path, fmt::format("found {}, which is not taken as a right angle; if one is "
                                      "meant, write {}",
                                      shown_angle(angle, unit_),
                                      in_degrees ? fmt::format("{}", 90.0 * quarters)
                                                 : quarter_turns_text(quarters)));
  }

  void rpy(const std::string& path, const Vec3& rpy) {
    constant(path + "[0]", rpy.x);
    constant(path + "[1]", rpy.y);
    constant(path + "[2]", rpy.z);
  }

  /// Joints that turn twice around exist, so limits are given more room.
  void limits(const std::string& path, const Range& range) {
    const double widest = std::max(std::abs(range.lower), std::abs(range.upper));
    if (unit_ == AngleUnit::deg && degrees(widest) < whole_turn) {
      report_.warning(
          path, fmt::format("found {:.6g} to {:.6g} deg, hardly any way, which looks like radians",
                            degrees(range.lower), degrees(range.upper)));
      return;
    }
    if (unit_is_plausible(path, range.lower, 2.0 * whole_turn)) {
      unit_is_plausible(path, range.upper, 2.0 * whole_turn);
    }
  }

 private:
  AngleUnit unit_;
  Report& report_;
};

void check_pose(const Robot& robot, const NamedPose& pose, AngleCheck& check) {
  for (std::size_t k = 0; k < std::min(pose.q.size(), robot.dof()); ++k) {
    if (robot.joints[k].type != JointType::revolute) continue;
    check.unit_is_plausible(fmt::format("{}[{}]", pose_path(pose), k), pose.q[k]);
  }
}

}  // namespace

void check_angles(const Robot& robot, AngleUnit written_in, Report& report) {
  AngleCheck check(written_in, report);
  check.rpy("base.rpy", robot.base.rpy);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const Joint& joint = robot.joints[i];
    check.constant(joint_path(i) + ".dh.alpha", joint.dh.alpha);
    check.constant(joint_path(i) + ".dh.theta", joint.dh.theta);
    if (joint.type == JointType::revolute && joint.limits.position) {
      check.limits(joint_path(i) + ".limits.position", *joint.limits.position);
    }
  }
  check.rpy("tool.rpy", robot.tool.rpy);
  for (const NamedPose& pose : robot.poses) check_pose(robot, pose, check);
}

}  // namespace armdyn
