// An arm in RBDL: recursive Newton-Euler, composite and articulated bodies.

#include <armdyn/robot.hpp>

#include <rbdl/rbdl.h>

#include <algorithm>

#include "bench/peer.hpp"

namespace armdyn::bench {

namespace {

namespace rbd = RigidBodyDynamics;
using rbd::Math::Matrix3d, rbd::Math::Vector3d, rbd::Math::VectorNd;

/// {i} at q = 0 in {i−1}, the rotation from there to {i}: that of Rx(α) Tx(a) Rz(θ) Tz(d), turned around.
rbd::Math::SpatialTransform to_joint(const Link& link) {
  const double ca = link.cos_alpha, sa = link.sin_alpha, c = link.cos_theta, s = link.sin_theta;
  Matrix3d R;
  R << c, -s, 0, ca * s, ca * c, -sa, sa * s, sa * c, ca;
  return {R.transpose(), Vector3d(link.a, -sa * link.d, ca * link.d)};
}

rbd::Body body(const MassProperties& of) {
  const auto& [m, c, I] = of;
  Matrix3d tensor;
  tensor << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return {m, Vector3d(c.x, c.y, c.z), tensor};
}

class RbdlPeer : public Peer {
 public:
  explicit RbdlPeer(const Arm& arm)
      : q_(size(arm)), qd_(size(arm)), x_(size(arm)), y_(size(arm)), M_(size(arm), size(arm)) {
    model_.gravity = -Vector3d(arm.v_dot_0.x, arm.v_dot_0.y, arm.v_dot_0.z);
    unsigned last = 0;
    for (const Link& link : arm.links) {
      const bool turns = link.joint == JointType::revolute;
      const rbd::Math::SpatialVector axis(0, 0, turns ? 1 : 0, 0, 0, turns ? 0 : 1);
      last = model_.AddBody(last, to_joint(link), rbd::Joint(axis), body(link.body));
    }
  }

  [[nodiscard]] std::string name() const override { return "RBDL"; }
  [[nodiscard]] std::string compiled() const override {
    const int version = rbdl_get_api_version();  // a byte for each part
    return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 255) + "." +
           std::to_string(version & 255) + ", " __VERSION__ ", `" ARMDYN_PEER_FLAGS "`";
  }

  void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
               std::span<double> tau) override {
    set(q, qd, qdd);
    rbd::InverseDynamics(model_, q_, qd_, x_, y_);
    std::copy_n(y_.data(), tau.size(), tau.begin());
  }

  void mass_matrix(std::span<const double> q, std::span<double> M) override {
    std::copy(q.begin(), q.end(), q_.data());
    M_.setZero();  // which CompositeRigidBodyAlgorithm asks for
    rbd::CompositeRigidBodyAlgorithm(model_, q_, M_);
    std::copy_n(M_.data(), M.size(), M.begin());
  }

  void forward(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
               std::span<double> qdd) override {
    set(q, qd, tau);
    rbd::ForwardDynamics(model_, q_, qd_, x_, y_);
    std::copy_n(y_.data(), qdd.size(), qdd.begin());
  }

 private:
  static Eigen::Index size(const Arm& arm) { return static_cast<Eigen::Index>(arm.dof()); }
  void set(std::span<const double> q, std::span<const double> qd, std::span<const double> x) {
    std::copy(q.begin(), q.end(), q_.data());
    std::copy(qd.begin(), qd.end(), qd_.data());
    std::copy(x.begin(), x.end(), x_.data());
  }

  rbd::Model model_;
  VectorNd q_, qd_, x_, y_;
  rbd::Math::MatrixNd M_;
};

}  // namespace

std::unique_ptr<Peer> rbdl_peer(const Arm& arm) {
  return std::make_unique<RbdlPeer>(arm);
}

}  // namespace armdyn::bench
