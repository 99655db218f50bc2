#include <armdyn/link_motion.hpp>

#include "dynamics/kinematics.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/sizes.hpp"
#include "math/rigid.hpp"

namespace armdyn {

std::vector<LinkMotion> link_motions(const Arm& arm, const MotionState& state, const Wrench& hand) {
  require_one_per_joint(arm, state);
  const std::size_t n = arm.dof();

  std::vector<Transform> frames(n);
  std::vector<Twist<double>> velocities(n);
  link_frames<double>(arm, state.q, frames);
  link_velocities<double>(arm, frames, state.qd, velocities);

  std::vector<LinkState<double>> links(n);
  std::vector<double> tau(n);
  newton_euler<double>(arm, state.q, state.qd, state.qdd, nullptr, links, tau);

  std::vector<Wrench> joints(n);
  InverseDynamics(arm).reactions(state, hand, joints);

  std::vector<LinkMotion> motions;
  for (std::size_t i = 0; i < n; ++i) {
    const Transform& user = arm.user_frame[i];
    const Mat3 to_user = transposed(user.R);
    const LinkState<double>& x = links[i];
    const Vec3 v = transposed_times(frames[i].R, velocities[i].v);
    motions.push_back({.omega = to_user * x.omega,
                       .omega_dot = to_user * x.omega_dot,
                       .v = to_user * (v + cross(x.omega, user.p)),  // (9.23)
                       .v_dot = to_user * (x.v_dot + cross(x.omega_dot, user.p) +
                                           cross(x.omega, cross(x.omega, user.p))),  // (9.24)
                       .F = to_user * x.F,
                       .N = to_user * x.N,
                       .joint = joints[i]});
  }
  return motions;
}

}  // namespace armdyn
