// An arm in Pinocchio: recursive Newton-Euler, composite and articulated bodies.

#include <armdyn/robot.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include <algorithm>
#include <string>

#include "bench/peer.hpp"

namespace armdyn::bench {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d, Eigen::VectorXd;

/// Rx(α) Tx(a) Rz(θ) Tz(d): {i} at q = 0 in {i−1}.
pinocchio::SE3 placement(const Link& link) {
  const double ca = link.cos_alpha, sa = link.sin_alpha, c = link.cos_theta, s = link.sin_theta;
  Matrix3d R;
  R << c, -s, 0, ca * s, ca * c, -sa, sa * s, sa * c, ca;
  return {R, Vector3d(link.a, -sa * link.d, ca * link.d)};
}

pinocchio::Inertia inertia(const MassProperties& body) {
  const auto& [m, c, I] = body;
  Matrix3d tensor;
  tensor << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return {m, Vector3d(c.x, c.y, c.z), tensor};
}

pinocchio::Model model_of(const Arm& arm) {
  pinocchio::Model model;
  model.gravity.linear() = -Vector3d(arm.v_dot_0.x, arm.v_dot_0.y, arm.v_dot_0.z);
  pinocchio::JointIndex last = 0;
  for (const Link& link : arm.links) {
    pinocchio::JointModel joint = pinocchio::JointModelPZ();
    if (link.joint == JointType::revolute) joint = pinocchio::JointModelRZ();
    last = model.addJoint(last, joint, placement(link), "joint" + std::to_string(last));
    model.appendBodyToJoint(last, inertia(link.body), pinocchio::SE3::Identity());
  }
  return model;
}

class PinocchioPeer : public Peer {
 public:
  explicit PinocchioPeer(const Arm& arm) : model_(model_of(arm)), data_(model_) {}

  [[nodiscard]] std::string name() const override { return "Pinocchio"; }

  void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
               std::span<double> tau) override {
    pinocchio::rnea(model_, data_, vector(q), vector(qd), vector(qdd));
    std::copy_n(data_.tau.data(), tau.size(), tau.begin());
  }

  void mass_matrix(std::span<const double> q, std::span<double> M) override {
    pinocchio::crba(model_, data_, vector(q));
    for (std::size_t i = 0, n = q.size(); i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) {  // of M it gives one half
        M[i * n + j] = M[j * n + i] =
            data_.M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    }
  }

  void forward(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
               std::span<double> qdd) override {
    pinocchio::aba(model_, data_, vector(q), vector(qd), vector(tau));
    std::copy_n(data_.ddq.data(), qdd.size(), qdd.begin());
  }

 private:
  static Eigen::Map<const VectorXd> vector(std::span<const double> values) {
    return {values.data(), static_cast<Eigen::Index>(values.size())};
  }

  pinocchio::Model model_;
  pinocchio::Data data_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio_peer(const Arm& arm) {
  return std::make_unique<PinocchioPeer>(arm);
}

}  // namespace armdyn::bench
