// An arm in Orocos KDL: recursive Newton-Euler, and forward dynamics by its ChainFdSolver_RNE.

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <stdexcept>

#include "bench/peer.hpp"

namespace armdyn::bench {

namespace {

KDL::Vector vector(const Vec3& v) {
  return {v.x, v.y, v.z};
}

/// Rx(α) Tx(a): from {i−1} to where joint i begins.
KDL::Frame to_joint(const Link& link) {
  const double c = link.cos_alpha, s = link.sin_alpha;
  return {KDL::Rotation(1, 0, 0, 0, c, -s, 0, s, c), KDL::Vector(link.a, 0, 0)};
}

/// Rz(θ) Tz(d) without the joint's motion.
KDL::Frame offset(const Link& link) {
  const double c = link.cos_theta, s = link.sin_theta;
  return {KDL::Rotation(c, -s, 0, s, c, 0, 0, 0, 1), KDL::Vector(0, 0, link.d)};
}

KDL::RigidBodyInertia inertia(const MassProperties& body) {
  const auto& [m, c, I] = body;
  return KDL::RigidBodyInertia(m, vector(c),
                               KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
}

/// A segment of KDL is a joint and what is fixed behind it: its frame is where the next joint
/// begins.
KDL::Chain chain(const Arm& arm) {
  KDL::Chain result;
  result.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), to_joint(arm.links.front())));
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const Link& link = arm.links[i];
    const KDL::Frame next = i + 1 < arm.dof() ? to_joint(arm.links[i + 1]) : KDL::Frame::Identity();
    const auto axis = link.joint == JointType::revolute ? KDL::Joint::RotZ : KDL::Joint::TransZ;
    result.addSegment(
        KDL::Segment(KDL::Joint(axis), offset(link) * next, next.Inverse() * inertia(link.body)));
  }
  return result;
}

class KdlPeer : public Peer {
 public:
  explicit KdlPeer(const Arm& arm)
      : chain_(chain(arm)),
        gravity_(-vector(arm.v_dot_0)),
        inverse_(chain_, gravity_),
        forward_(chain_, gravity_),
        parameters_(chain_, gravity_),
        q_(size(arm)),
        qd_(size(arm)),
        x_(size(arm)),
        y_(size(arm)),
        M_(static_cast<int>(arm.dof())),
        wrenches_(arm.dof() + 1, KDL::Wrench::Zero()) {}

  [[nodiscard]] std::string name() const override { return "KDL"; }

  void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
               std::span<double> tau) override {
    set(q_, q);
    set(qd_, qd);
    set(x_, qdd);
    require(inverse_.CartToJnt(q_, qd_, x_, wrenches_, y_));
    get(y_, tau);
  }

  void mass_matrix(std::span<const double> q, std::span<double> M) override {
    set(q_, q);
    require(parameters_.JntToMass(q_, M_));
    const auto n = static_cast<unsigned>(q.size());
    for (unsigned i = 0; i < n; ++i) {
      for (unsigned j = 0; j < n; ++j) M[i * n + j] = M_(i, j);
    }
  }

  void forward(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
               std::span<double> qdd) override {
    set(q_, q);
    set(qd_, qd);
    set(x_, tau);
    require(forward_.CartToJnt(q_, qd_, x_, wrenches_, y_));
    get(y_, qdd);
  }

 private:
  static unsigned size(const Arm& arm) { return static_cast<unsigned>(arm.dof()); }
  static void set(KDL::JntArray& array, std::span<const double> values) {
    for (unsigned i = 0; i < values.size(); ++i) array(i) = values[i];
  }
  static void get(const KDL::JntArray& array, std::span<double> values) {
    for (unsigned i = 0; i < values.size(); ++i) values[i] = array(i);
  }
  static void require(int status) {
    if (status < 0) throw std::runtime_error("KDL refuses, code " + std::to_string(status));
  }

  KDL::Chain chain_;
  KDL::Vector gravity_;
  KDL::ChainIdSolver_RNE inverse_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::ChainDynParam parameters_;
  KDL::JntArray q_, qd_, x_, y_;
  KDL::JntSpaceInertiaMatrix M_;
  KDL::Wrenches wrenches_;
};

}  // namespace

std::unique_ptr<Peer> kdl_peer(const Arm& arm) {
  return std::make_unique<KdlPeer>(arm);
}

}  // namespace armdyn::bench
