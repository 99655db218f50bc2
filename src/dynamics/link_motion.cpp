#include <armdyn/link_motion.hpp>

#include "dynamics/kinematics.hpp"
#include "dynamics/lagrange.hpp"
#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/sizes.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

Matrix matrix_of_rows(const Matrix4<double>& A) {
  Matrix result(4, 4);
  const Row4<double>* const rows[] = {&A.x, &A.y, &A.z, &A.w};
  for (std::size_t i = 0; i < 4; ++i) {
    result(i, 0) = rows[i]->x;
    result(i, 1) = rows[i]->y;
    result(i, 2) = rows[i]->z;
    result(i, 3) = rows[i]->w;
  }
  return result;
}

}  // namespace

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

  std::vector<LinkMotion> motions(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Transform& user = arm.user_frame[i];
    const Mat3 to_user = transposed(user.R);
    const LinkState<double>& x = links[i];
    const Vec3 v = transposed_times(frames[i].R, velocities[i].v);
    const auto velocity = [&](const Vec3& point) {  // (9.23)
      return to_user * (v + cross(x.omega, point));
    };

    LinkMotion& shown = motions[i];
    shown.omega = to_user * x.omega;
    shown.omega_dot = to_user * x.omega_dot;
    shown.v = velocity(user.p);
    shown.v_dot = to_user * (x.v_dot + cross(x.omega_dot, user.p) +
                             cross(x.omega, cross(x.omega, user.p)));  // (9.24)
    shown.F = to_user * x.F;
    shown.N = to_user * x.N;
    shown.joint = joints[i];

    const MassProperties& own = arm.links[i].body;
    const MassProperties body{own.mass, to_user * (own.com - user.p),
                              rotated(to_user, own.inertia)};
    shown.v_c = velocity(own.com);
    shown.v_c_dot = to_user * x.v_dot_com;
    shown.angular_momentum = body.inertia * shown.omega;
    shown.kinetic = 0.5 * body.mass * dot(shown.v_c, shown.v_c) +
                    0.5 * dot(shown.omega, shown.angular_momentum);  // (9.31)
    shown.potential = potential_energy<double>(arm, i, frames);
    shown.A = acceleration_matrix(shown.omega, shown.omega_dot);
    shown.K = mass_spread(body.inertia);
    shown.Ja = matrix_of_rows(pseudo_inertia(body));
  }
  return motions;
}

}  // namespace armdyn
