// An arm in Pinocchio: recursive Newton-Euler, composite and articulated bodies, derivatives,
// regressor, pose and Jacobian.

#include <armdyn/robot.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include <algorithm>
#include <map>
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
  const auto& [u, v, w] = arm.tool.R;
  Matrix3d R;
  R << u.x, u.y, u.z, v.x, v.y, v.z, w.x, w.y, w.z;
  const auto& [x, y, z] = arm.tool.p;
  model.addFrame({"tool", last, pinocchio::SE3(R, Vector3d(x, y, z)), pinocchio::OP_FRAME});
  return model;
}

class PinocchioPeer : public Peer {
 public:
  explicit PinocchioPeer(const Arm& arm)
      : model_(model_of(arm)), data_(model_), J_(6, static_cast<Eigen::Index>(arm.dof())) {}

  [[nodiscard]] std::string name() const override { return "Pinocchio"; }
  [[nodiscard]] std::string compiled() const override {
    return PINOCCHIO_VERSION ", " __VERSION__ ", `" ARMDYN_PEER_FLAGS "`";
  }

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

  bool derivatives(const MotionState& x, std::span<double> out) override {
    pinocchio::computeRNEADerivatives(model_, data_, vector(x.q), vector(x.qd), vector(x.qdd));
    const std::size_t n = x.q.size();
    rows(out.first(n * n), n) = data_.dtau_dq;
    rows(out.subspan(n * n, n * n), n) = data_.dtau_dv;
    rows(out.last(n * n), n) = data_.M.selfadjointView<Eigen::Upper>();
    return true;
  }

  bool linearize(const MotionState& x, std::span<double> out) override {
    VectorXd& tau = torques_[x.q.data()];  // once for each state, since users know it
    if (tau.size() == 0)
      tau = pinocchio::rnea(model_, data_, vector(x.q), vector(x.qd), vector(x.qdd));
    pinocchio::computeABADerivatives(model_, data_, vector(x.q), vector(x.qd), tau);
    const std::size_t n = x.q.size();
    rows(out.first(n * n), n) = data_.ddq_dq;
    rows(out.subspan(n * n, n * n), n) = data_.ddq_dv;
    rows(out.last(n * n), n) = data_.Minv.selfadjointView<Eigen::Upper>();
    return true;
  }

  bool regressor(const MotionState& x, std::span<double> out) override {
    rows(out, x.q.size()) = pinocchio::computeJointTorqueRegressor(model_, data_, vector(x.q),
                                                                   vector(x.qd), vector(x.qdd));
    return true;
  }
  [[nodiscard]] std::vector<double> parameters() const override {
    std::vector<double> pi;
    for (std::size_t i = 1; i < model_.inertias.size(); ++i) {
      const auto of_body = model_.inertias[i].toDynamicParameters();
      pi.insert(pi.end(), of_body.data(), of_body.data() + of_body.size());
    }
    return pi;
  }

  bool pose(std::span<const double> q, std::span<double> out) override {
    pinocchio::forwardKinematics(model_, data_, vector(q));
    const pinocchio::SE3& T = pinocchio::updateFramePlacement(model_, data_, tool());
    rows(out.first(9), 3) = T.rotation();
    std::copy_n(T.translation().data(), 3, out.begin() + 9);
    return true;
  }

  bool jacobian(std::span<const double> q, std::span<double> out) override {
    J_.setZero();
    pinocchio::computeFrameJacobian(model_, data_, vector(q), tool(),
                                    pinocchio::LOCAL_WORLD_ALIGNED, J_);
    rows(out, 6) = J_;
    return true;
  }

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static Eigen::Map<Rows> rows(std::span<double> values, std::size_t count) {
    return {values.data(), static_cast<Eigen::Index>(count),
            static_cast<Eigen::Index>(values.size() / count)};
  }
  [[nodiscard]] pinocchio::FrameIndex tool() const { return model_.frames.size() - 1; }

  static Eigen::Map<const VectorXd> vector(std::span<const double> values) {
    return {values.data(), static_cast<Eigen::Index>(values.size())};
  }

  pinocchio::Model model_;
  pinocchio::Data data_;
  Eigen::Matrix<double, 6, Eigen::Dynamic> J_;
  std::map<const double*, VectorXd> torques_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio_peer(const Arm& arm) {
  return std::make_unique<PinocchioPeer>(arm);
}

}  // namespace armdyn::bench
