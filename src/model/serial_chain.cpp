#include "model/serial_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/rotation.hpp"
#include "model/joint_kind.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

namespace {

MassProperties mass_properties(const Body<double>& body) {
  return {body.mass, body.com, body.inertia};
}

}  // namespace

MassProperties joined(const MassProperties& first, const Transform& place,
                      const MassProperties& second) {
  const Body<double> other = moved(place, second);
  if (second.mass == 0.0) {
    return {first.mass, first.com, first.inertia + other.inertia};
  }
  if (first.mass == 0.0) {
    return {other.mass, other.com, first.inertia + other.inertia};
  }
  return mass_properties(joined(moved(Transform{}, first), other));
}

Placement placement_of(const Transform& T, double right_angle_within) {
  const auto angle = [right_angle_within](double sine, double cosine) {
    return nearly_right(angle_of_turn(sine, cosine), right_angle_within);
  };
  const auto& [R, p] = T;
  const double cos_pitch = std::hypot(R.row_x.x, R.row_y.x);
  Placement place{p, {}};
  place.rpy.y = angle(-R.row_z.x, cos_pitch);
  const bool points_up = constant_angle(place.rpy.y).cos == 0.0;
  if (!points_up) place.rpy.z = angle(R.row_y.x, R.row_x.x);
  // Rx(roll) is what is left, also where yaw and roll are nearly one turn.
  const Mat3 Rx = transposed(rotation_z<double>(place.rpy.z) * rotation_y<double>(place.rpy.y)) * R;
  place.rpy.x = angle(Rx.row_z.y, Rx.row_y.y);
  return place;
}

SerialChain chain_of(const Robot& robot) {
  const ArmConstants<double> arm = proximal_form<double>(robot);
  SerialChain chain;
  chain.name = robot.name;
  chain.description = robot.description;
  chain.source = robot.source;
  chain.gravity = robot.gravity;
  chain.base = arm.base;
  chain.joints.reserve(robot.dof());
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const LinkConstants<double>& link = arm.links[i];
    const auto& [ca, sa, ct, st] =
        std::array{link.cos_alpha, link.sin_alpha, link.cos_theta, link.sin_theta};
    ChainJoint joint{robot.joints[i], robot.joints[i].name + "_link"};
    joint.joint.dh = {};
    joint.joint.body = mass_properties(moved(link.user_frame, robot.joints[i].body));
    joint.origin = {{{ct, -st, 0.0}, {ca * st, ca * ct, -sa}, {sa * st, sa * ct, ca}},
                    {link.a, -sa * link.d, ca * link.d}};
    chain.joints.push_back(std::move(joint));
  }
  chain.tip = arm.tool;
  chain.payload = robot.payload;
  return chain;
}

Robot in_convention(const Robot& robot, Convention convention) {
  if (robot.convention == convention) return robot;
  Robot other = robot;
  other.convention = convention;
  const std::size_t last = robot.dof() - 1;
  if (convention == Convention::modified) {
    other.joints.front().dh.a = other.joints.front().dh.alpha = 0.0;
    for (std::size_t i = 0; i <= last; ++i) {
      const DhRow& dh = robot.joints[i].dh;
      other.joints[i].body = mass_properties(moved(distal_part<double>(dh), robot.joints[i].body));
      if (i < last) {
        other.joints[i + 1].dh.a = dh.a;
        other.joints[i + 1].dh.alpha = dh.alpha;
      }
    }
    other.tool =
        placement_of(distal_part<double>(robot.joints[last].dh) * placed<double>(robot.tool));
    return other;
  }
  other.base =
      placement_of(placed<double>(robot.base) * distal_part<double>(robot.joints.front().dh));
  for (std::size_t i = 0; i <= last; ++i) {
    const DhRow next = i < last ? robot.joints[i + 1].dh : DhRow{};
    other.joints[i].dh.a = next.a;
    other.joints[i].dh.alpha = next.alpha;
    other.joints[i].body =
        mass_properties(moved(inverse(distal_part<double>(next)), robot.joints[i].body));
  }
  return other;
}

Range telling_range(const Joint& joint) {
  const bool turns = joint.type == JointType::revolute;
  const double widest = turns ? 8.0 * std::numbers::pi : 100.0;
  const Range range = position_range(joint);
  return range.upper - range.lower <= widest ? range : unlimited_range(joint.type);
}

double size_of(const SerialChain& chain) {
  double size = length(chain.tip.p);
  for (const ChainJoint& joint : chain.joints) {
    size += length(joint.origin.p);
    if (joint.joint.type == JointType::revolute) continue;
    const auto [lower, upper] = telling_range(joint.joint);
    size += std::max(std::abs(lower), std::abs(upper));
  }
  return size;
}

}  // namespace armdyn
