#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "math/rotation.hpp"
#include "model/check.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using std::numbers::pi;
constexpr double whole_turn = 2.0 * pi * 1.01;  // a whole turn, however it was rounded

// Published tables round π/2 to 1.57, 1.571 or 1.5708.
constexpr double rounded_right_angle = 1e-3;

/// The multiple of 90° other than 0 that a number of quarter turns was rounded from, or 0.
double rounded_from(double quarters) {
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
    const double quarters = rounded_from(in_degrees / (pi / 2));
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
    const double quarters = rounded_from(angle / (pi / 2));
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
    if (!is_turning(robot.joints[k].type)) continue;
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
    if (is_turning(joint.type) && joint.limits.position) {
      check.limits(joint_path(i) + ".limits.position", *joint.limits.position);
    }
  }
  check.rpy("tool.rpy", robot.tool.rpy);
  for (const NamedPose& pose : robot.poses) check_pose(robot, pose, check);
}

namespace {

constexpr double steel = 7850.0;  // kg/m³

// A box so many times denser than steel is suspicious. Identified links are seldom bodies: of 27
// published arms the iiwa's have boxes of up to 68 times.
constexpr double dense_box = 100.0;

// Faster joints than these exist nowhere; in deg/s and mm/s every arm has them.
constexpr double fastest_turn = 60.0;   // rad/s
constexpr double fastest_slide = 50.0;  // m/s

/// The longest of a link's row, of the row that follows, and of its box; m.
double longest_edge(const Robot& robot, std::size_t i, const Vec3& box) {
  const double beyond = i + 1 < robot.dof() ? row_length(robot.joints[i + 1].dh) : 0.0;
  return std::max({row_length(robot.joints[i].dh), beyond, box.x});
}

void link_is_not_denser_than_steel(const Robot& robot, std::size_t i, Report& report) {
  const MassProperties& body = robot.joints[i].body;
  if (!(body.mass > 0.0)) return;
  const Vec3 box = is_inertia_of_a_body(body.inertia) ? equivalent_box(body) : Vec3{};
  const double edge = longest_edge(robot, i, box), volume = box.x * box.y * box.z;
  const std::string path = joint_path(i) + ".mass";
  if (edge > 0.0 && body.mass > steel * edge * edge * edge) {
    report.warning(path,
                   fmt::format("found {} kg, more than a cube of steel of {:.3g} m, the longest "
                               "edge of the link, would have; is the unit kg?",
                               body.mass, edge));
  } else if (box.z > 1e-6 * box.x && body.mass > dense_box * steel * volume) {
    report.warning(path,
                   fmt::format("found {} kg, which with its inertia makes a box of {:.3g} x "
                               "{:.3g} x {:.3g} m, {:.2g} times as dense as steel; are the units "
                               "kg and kg·m²?",
                               body.mass, box.x, box.y, box.z, body.mass / volume / steel));
  }
}

void velocity_is_that_of_an_arm(const Joint& joint, std::size_t i, AngleUnit unit, Report& report) {
  const bool turns = is_turning(joint.type);
  if (!joint.limits.velocity) return;
  const double velocity = *joint.limits.velocity;
  if (velocity <= by_kind(joint.type, fastest_turn, fastest_slide)) return;
  const std::string path = joint_path(i) + ".limits.velocity";
  if (!turns) {
    report.warning(path,
                   fmt::format("found {} m/s, which looks like mm/s; slides are in m/s", velocity));
  } else if (unit == AngleUnit::rad) {
    report.warning(path, fmt::format("found {} rad/s, which looks like degrees; for degrees write "
                                     "angle_unit: deg",
                                     velocity));
  } else {
    report.warning(path,
                   fmt::format("found {:.6g} deg/s, {:.3g} turns per second; is the unit right?",
                               degrees(velocity), velocity / (2.0 * std::numbers::pi)));
  }
}

void gravity_points_down(const Robot& robot, Report& report) {
  const auto& [x, y, z] = robot.gravity;
  if (!(z > std::hypot(x, y))) return;
  report.warning("gravity",
                 fmt::format("found [{}, {}, {}], a field that pulls upward; z of the world "
                             "points up, so write {} for z, and base for an arm that hangs",
                             x, y, z, -z));
}

std::string shown_position(double q, JointType type, AngleUnit unit) {
  return is_turning(type) ? shown_angle(q, unit) : fmt::format("{} m", q);
}

/// A position a whole turn from there that is within, to follow a message.
std::string within_by_a_turn(double q, const Range& range, AngleUnit unit) {
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const double other : {q - turn, q + turn}) {
    if (other < range.lower || other > range.upper) continue;
    return fmt::format("; {} is the same posture within them", shown_angle(other, unit));
  }
  return "";
}

void pose_is_within_limits(const Robot& robot, const NamedPose& pose, AngleUnit unit,
                           Report& report) {
  for (std::size_t i = 0; i < std::min(pose.q.size(), robot.dof()); ++i) {
    const Joint& joint = robot.joints[i];
    if (!joint.limits.position) continue;
    const double q = pose.q[i];
    const auto& [lower, upper] = *joint.limits.position;
    const double room = 1e-9 * (1.0 + std::abs(q));
    if (q >= lower - room && q <= upper + room) continue;
    const bool turns = is_turning(joint.type);
    report.warning(fmt::format("{}[{}]", pose_path(pose), i),
                   fmt::format("found {}, outside the limits of {}, {} to {}{}",
                               shown_position(q, joint.type, unit), joint.name,
                               shown_position(lower, joint.type, unit),
                               shown_position(upper, joint.type, unit),
                               turns ? within_by_a_turn(q, *joint.limits.position, unit) : ""));
  }
}

}  // namespace

void check_plausible(const Robot& robot, AngleUnit written_in, Report& report) {
  gravity_points_down(robot, report);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    link_is_not_denser_than_steel(robot, i, report);
    velocity_is_that_of_an_arm(robot.joints[i], i, written_in, report);
  }
  for (const NamedPose& pose : robot.poses) pose_is_within_limits(robot, pose, written_in, report);
}

}  // namespace armdyn
