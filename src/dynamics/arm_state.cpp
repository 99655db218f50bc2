#include "dynamics/arm_state.hpp"

#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "math/statistics.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

namespace {

/// A joint's axis and the frame of the link that it moves, in the world.
struct PlacedJoint {
  bool turns = true;
  Vec3 axis, origin;
  Transform link;
};

std::vector<PlacedJoint> placed_joints(const SerialChain& chain, std::span<const double> q) {
  std::vector<PlacedJoint> placed;
  placed.reserve(q.size());
  Transform T = chain.base;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const ChainJoint& joint = chain.joints[i];
    const bool turns = joint.joint.type == JointType::revolute;
    T = T * joint.origin;
    T = T * (turns ? Transform{rotation_about(q[i] * joint.axis), {}}
                   : Transform{{}, q[i] * joint.axis});
    placed.push_back({turns, T.R * joint.axis, T.p, T});
  }
  return placed;
}

/// How a link moves: angular velocity and acceleration, acceleration of its frame's origin.
struct LinkState {
  Vec3 omega, omega_dot, a;
};

/// What a joint adds, its link's origin standing at r from that of the link before.
LinkState moved_on(const LinkState& before, const PlacedJoint& joint, const Vec3& r, double qd,
                   double qdd) {
  const auto& [omega, omega_dot, a] = before;
  const Vec3 carried = a + cross(omega_dot, r) + cross(omega, cross(omega, r));
  if (joint.turns) {
    return {omega + qd * joint.axis, omega_dot + qdd * joint.axis + cross(omega, qd * joint.axis),
            carried};
  }
  return {omega, omega_dot, carried + qdd * joint.axis + 2.0 * cross(omega, qd * joint.axis)};
}

/// Adds the torques that a force at a point of a link and a moment on it take (eq. 1.21).
void add_work(const std::vector<PlacedJoint>& joints, std::size_t link, const Vec3& point,
              const Vec3& force, const Vec3& moment, std::vector<double>& torque) {
  for (std::size_t j = 0; j <= link; ++j) {
    const auto& [turns, axis, origin, frame] = joints[j];
    torque[j] += turns ? dot(axis, cross(point - origin, force) + moment) : dot(axis, force);
  }
}

std::vector<MassProperties> bodies_of(const SerialChain& chain) {
  std::vector<MassProperties> bodies;
  bodies.reserve(chain.joints.size());
  for (const ChainJoint& joint : chain.joints) bodies.push_back(joint.joint.body);
  bodies.back() = joined(bodies.back(), chain.tip, chain.payload);
  return bodies;
}

double difference(std::span<const double> a, std::span<const double> b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

double share(double part, double whole) {
  return whole > 0.0 ? part / whole : part;
}

}  // namespace

ArmState state_of(const Arm& arm, const MotionState& motion) {
  ArmState state;
  state.hand = pose(arm, motion.q).hand_in_world;
  const std::size_t n = arm.dof();
  std::vector<Transform> frames(n);
  link_frames<double>(arm, motion.q, frames);
  std::vector<Twist<double>> columns(n);
  jacobian<double>(arm, frames, tool_frame<double>(arm, frames).p, columns);
  for (auto& [v, omega] : columns) {
    v = arm.base.R * v;
    omega = arm.base.R * omega;
  }
  state.jacobian = matrix_of(columns);

  InverseDynamics inverse(without_drives(arm));
  const std::vector<double> still(n);
  state.gravity.resize(n);
  state.torque.resize(n);
  inverse.torque({motion.q, still, still}, {}, state.gravity);
  inverse.torque(motion, {}, state.torque);
  return state;
}

ArmState state_of(const SerialChain& chain, const MotionState& motion) {
  const std::vector<PlacedJoint> joints = placed_joints(chain, motion.q);
  const std::vector<MassProperties> bodies = bodies_of(chain);
  const std::size_t n = joints.size();
  const double size = size_of(chain);
  ArmState state;
  state.hand = joints.back().link * chain.tip;
  state.gravity.resize(n);
  state.torque.resize(n);

  std::vector<Twist<double>> columns;
  columns.reserve(n);
  LinkState link;
  Vec3 origin = chain.base.p;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& [turns, axis, at, frame] = joints[i];
    columns.push_back(turns ? Twist<double>{cross(axis, state.hand.p - at), axis}
                            : Twist<double>{axis, {}});
    link = moved_on(link, joints[i], at - origin, motion.qd[i], motion.qdd[i]);
    origin = at;
    const auto& [mass, com, inertia] = bodies[i];
    const Vec3 r = frame.R * com;
    const SymMat3 I = rotated(frame.R, inertia);
    const auto& [omega, omega_dot, a] = link;
    const Vec3 a_com = a + cross(omega_dot, r) + cross(omega, cross(omega, r));
    const Vec3 weight = -mass * chain.gravity;
    const Vec3 force = mass * a_com + weight;
    const Vec3 moment = I * omega_dot + cross(omega, I * omega);
    add_work(joints, i, at + r, weight, {}, state.gravity);
    add_work(joints, i, at + r, force, moment, state.torque);
    state.effort += length(force) * size + length(moment);
  }
  state.jacobian = matrix_of(columns);
  return state;
}

Transform hand_of(const SerialChain& chain, std::span<const double> q) {
  return placed_joints(chain, q).back().link * chain.tip;
}

RandomMotion::RandomMotion(const std::vector<Joint>& joints) : joints_(joints) {}

std::vector<double> RandomMotion::numbers(double largest) {
  std::vector<double> values;
  values.reserve(joints_.size());
  while (values.size() < joints_.size()) values.push_back(uniform(random_, -largest, largest));
  return values;
}

std::vector<double> RandomMotion::position() {
  std::vector<double> q;
  q.reserve(joints_.size());
  for (const Joint& joint : joints_) {
    const auto [lower, upper] = telling_range(joint);
    q.push_back(uniform(random_, lower, upper));
  }
  return q;
}

void Deviation::add(const ArmState& a, const ArmState& b, double size) {
  hand = std::max(hand, share(length(a.hand.p - b.hand.p), size));
  turn = std::max(turn, length(rotation_vector(transposed(a.hand.R) * b.hand.R)));
  jacobian = std::max(jacobian, share(difference(a.jacobian.entries(), b.jacobian.entries()),
                                      largest_magnitude(a.jacobian.entries())));
  gravity = std::max(gravity, difference(a.gravity, b.gravity));
  torque = std::max(torque, difference(a.torque, b.torque));
  gravity_scale = std::max(gravity_scale, largest_magnitude(a.gravity));
  torque_scale = std::max(torque_scale, largest_magnitude(a.torque));
  effort = std::max({effort, a.effort, b.effort});
}

}  // namespace armdyn
