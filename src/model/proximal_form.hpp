#pragma once

#include <armdyn/robot.hpp>

#include "math/require.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/robot_fields.hpp"
#include "model/spring_law.hpp"

// A robot's table, bodies, drives, gravity, tool and payload in the proximal form (modified
// Denavit-Hartenberg), of any scalar S: dynamics has no other convention. The robot has the right
// angles, and `numbers` is the robot with its numbers as S.

namespace armdyn {

template <class S>
Mat<S> rotation_x(double radians, const S& number) {
  const auto [s, c] = constant_angle(radians, number);
  return {{S(1.0), S(0.0), S(0.0)}, {S(0.0), c, -s}, {S(0.0), s, c}};
}

template <class S>
Mat<S> rotation_y(double radians, const S& number) {
  const auto [s, c] = constant_angle(radians, number);
  return {{c, S(0.0), s}, {S(0.0), S(1.0), S(0.0)}, {-s, S(0.0), c}};
}

template <class S>
Mat<S> rotation_z(double radians, const S& number) {
  const auto [s, c] = constant_angle(radians, number);
  return {{c, -s, S(0.0)}, {s, c, S(0.0)}, {S(0.0), S(0.0), S(1.0)}};
}

template <class S>
Frame<S> placed(const Placement& placement, const PlacementOf<S>& numbers) {
  const auto& [roll, pitch, yaw] = placement.rpy;
  const Vec<S>& rpy = numbers.rpy;
  return {rotation_z(yaw, rpy.z) * rotation_y(pitch, rpy.y) * rotation_x(roll, rpy.x), numbers.xyz};
}

/// Tx(a) Rx(α), the part of a standard row behind the joint (eq. 1.5).
template <class S>
Frame<S> distal_part(const DhRow& row, const DhRowOf<S>& numbers) {
  return {rotation_x(row.alpha, numbers.alpha), {numbers.a, S(0.0), S(0.0)}};
}

// Likewise of doubles.
[[nodiscard]] inline Mat3 rotation_y(double radians) {
  return rotation_y(radians, radians);
}
[[nodiscard]] inline Mat3 rotation_z(double radians) {
  return rotation_z(radians, radians);
}
[[nodiscard]] inline Transform distal_part(const DhRow& row) {
  return distal_part(row, row);
}
[[nodiscard]] inline Transform placed(const Placement& placement) {
  return placed(placement, placement);
}

/// Expresses a body in the frame in which its own frame is T.
template <class S>
MassPropertiesOf<S> moved(const Frame<S>& T, const MassPropertiesOf<S>& body) {
  const Mat<S> I = T.R * full(body.inertia) * transposed(T.R);
  return {
      body.mass, T * body.com, {I.row_x.x, I.row_y.y, I.row_z.z, I.row_x.y, I.row_y.z, I.row_x.z}};
}

/// Joins two bodies, not both without mass (eq. 1.9).
template <class S>
MassPropertiesOf<S> joined(const MassPropertiesOf<S>& first, const MassPropertiesOf<S>& second) {
  const S mass = first.mass + second.mass;
  const S share = second.mass / mass;
  const Vec<S> com = first.com + scaled(second.com - first.com, share);
  return {mass, com,
          first.inertia + point_inertia(first.mass, first.com - com) + second.inertia +
              point_inertia(second.mass, second.com - com)};
}

/// Joins two bodies, the second's frame being `place` in the first's.
template <class S>
MassPropertiesOf<S> joined(const MassPropertiesOf<S>& first, const Frame<S>& place,
                           const MassPropertiesOf<S>& second) {
  const MassPropertiesOf<S> other = moved(place, second);
  if (second.mass == 0.0) return {first.mass, first.com, first.inertia + other.inertia};
  if (first.mass == 0.0) return {other.mass, other.com, first.inertia + other.inertia};
  return joined(moved(constant<S>(Transform{}), first), other);
}

/// Sets up the links of a serial arm, tool and gravity.
template <class S>
ArmOf<S> serial_form(const Robot& robot, const RobotOf<S>& numbers) {
  const bool standard = robot.convention == Convention::standard;
  ArmOf<S> arm;
  arm.convention = robot.convention;
  arm.base = placed(robot.base, numbers.base);
  arm.v_dot_0 = -(transposed(arm.base.R) * numbers.gravity);

  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const JointOf<S>& of_joint = numbers.joints[i];
    // The row with the (a, α) that lie between {i−1} and the axis of joint i.
    const bool is_none = standard && i == 0;
    const std::size_t row = standard && i > 0 ? i - 1 : i;
    const DhRow before = is_none ? DhRow{} : robot.joints[row].dh;
    const DhRowOf<S> numbers_before = is_none ? DhRowOf<S>{} : numbers.joints[row].dh;
    const auto alpha = constant_angle(before.alpha, numbers_before.alpha);
    const auto theta = constant_angle(joint.dh.theta, of_joint.dh.theta);
    const Frame<S> to_user = standard ? distal_part(joint.dh, of_joint.dh) : Frame<S>{};
    arm.links.push_back({.joint = joint.type,
                         .a = numbers_before.a,
                         .cos_alpha = alpha.cos,
                         .sin_alpha = alpha.sin,
                         .d = of_joint.dh.d,
                         .cos_theta = theta.cos,
                         .sin_theta = theta.sin,
                         .body = moved(to_user, of_joint.body)});
    arm.user_frame.push_back(to_user);
    arm.joint_names.push_back(joint.name);
  }

  arm.tool = arm.user_frame.back() * placed(robot.tool, numbers.tool);
  MassPropertiesOf<S>& last = arm.links.back().body;
  const MassPropertiesOf<S> payload = moved(arm.tool, numbers.payload);
  if (robot.joints.back().body.mass + robot.payload.mass == 0.0) {
    last.inertia = last.inertia + payload.inertia;
  } else {
    last = joined(last, payload);
  }
  return arm;
}

/// The point of a link where its chain has its body.
template <class S>
ChainPointOf<S> chain_point(const Robot& robot, const ArmOf<S>& arm, const LinkPointOf<S>& point) {
  if (point.link == base_name) return {0, std::nullopt, point.at};
  const auto [c, i] = chain_link(arm, joint_of_name(robot, point.link));
  return {c, i, arm.chains[c].arm.user_frame[i] * point.at};
}

/// Sets up the chains of a mechanism (docs/derivation.md, section 38).
template <class S>
ArmOf<S> mechanism_form(const Robot& robot, const RobotOf<S>& numbers) {
  ArmOf<S> arm;
  arm.links.resize(robot.dof());
  arm.user_frame.resize(robot.dof());
  for (const JointChain& chain : joint_chains(robot)) {
    SerialPart<S> part = serial_part(robot, numbers, chain);
    ArmOf<S> serial = serial_form(serial_part(robot, robot, chain).robot, part.robot);
    serial.drives.resize(serial.dof());
    arm.chains.push_back({std::move(serial), std::move(part.rows), std::move(part.joints)});
  }
  for (const SpringOf<S>& spring : numbers.springs) {
    ArmSpringOf<S>& of_arm = arm.springs.emplace_back();
    of_arm.pieces = spring_pieces(spring);
    if (!spring.row.empty()) {
      of_arm.row = row_of_names<S>(robot, numbers, spring.row, S(0.0));
    } else {
      of_arm.from = chain_point(robot, arm, spring.from);
      of_arm.to = chain_point(robot, arm, spring.to);
    }
  }
  const ArmOf<S>& to_tool = arm.chains.front().arm;
  arm.convention = robot.convention;
  arm.base = to_tool.base;
  arm.v_dot_0 = to_tool.v_dot_0;
  arm.tool = to_tool.tool;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    arm.links[i].joint = robot.joints[i].type;
    arm.joint_names.push_back(robot.joints[i].name);
  }
  return arm;
}

/// Adds the friction of followers: of one joint to its own, of several on their row (38.7).
template <class S>
void add_friction_of_followers(const Robot& robot, const RobotOf<S>& numbers, ArmOf<S>& arm) {
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const Friction& known = joint_at(robot, k).friction;
    if (known == Friction{}) continue;
    const JointRowOf<S> row = joint_row(robot, numbers, k);
    const FrictionOf<S>& own = joint_at(numbers, k).friction;
    if (row.joints.size() != 1) {
      arm.row_drives.push_back({row, {own, {}}, {}});
      continue;
    }
    const bool turns_back = joint_row(robot, robot, k).factors[0] < 0.0;
    const S &factor = row.factors[0], size = turns_back ? -factor : factor;
    const TwoSidedOf<S>& coulomb = own.coulomb;
    FrictionOf<S>& friction = arm.drives[row.joints[0]].friction;
    friction.viscous = friction.viscous + factor * factor * own.viscous;
    const auto add_to = [&](TwoSidedOf<S>& level) {
      level.positive = level.positive + size * (turns_back ? coulomb.negative : coulomb.positive);
      level.negative = level.negative + size * (turns_back ? coulomb.positive : coulomb.negative);
    };
    add_to(friction.coulomb);
    if (friction.breakaway) add_to(*friction.breakaway);
  }
}

/// Sets up the arm of a robot (docs/derivation.md, eq. 1.5-1.9). Throws std::invalid_argument where
/// it has no joint.
template <class S>
ArmOf<S> proximal_form(const Robot& robot, const RobotOf<S>& numbers) {
  require(!robot.joints.empty(), "a robot needs at least one joint");
  ArmOf<S> arm = is_mechanism(robot) ? mechanism_form(robot, numbers) : serial_form(robot, numbers);
  for (const JointOf<S>& joint : numbers.joints) {
    arm.drives.push_back({joint.friction, joint.motor});
    arm.drives.back().motor.ratings = {};
  }
  add_friction_of_followers(robot, numbers, arm);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    std::optional<JointRowOf<S>> row = motor_row(numbers, i);
    if (!row) continue;
    MotorOf<S> motor = std::exchange(arm.drives[i].motor, {});
    arm.row_drives.push_back({std::move(*row), {{}, std::move(motor)}, i});
  }
  return arm;
}

/// The proximal form with the robot's doubles as S.
template <class S>
ArmOf<S> proximal_form(const Robot& robot) {
  return proximal_form(robot, converted<S>(robot));
}

}  // namespace armdyn
