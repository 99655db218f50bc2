#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "math/rotation.hpp"
#include "model/rules.hpp"

namespace armdyn {

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
  const bool turns = joint.type == JointType::revolute;
  if (!joint.limits.velocity) return;
  const double velocity = *joint.limits.velocity;
  if (velocity <= (turns ? fastest_turn : fastest_slide)) return;
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
  return type == JointType::revolute ? shown_angle(q, unit) : fmt::format("{} m", q);
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
    const bool turns = joint.type == JointType::revolute;
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
