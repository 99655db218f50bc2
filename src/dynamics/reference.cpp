#include "dynamics/reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/digits50.hpp"
#include "math/ltdl.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

using S = Digits50;

std::vector<S> exact(std::span<const double> values) {
  return {values.begin(), values.end()};
}

TwoDoubles two_doubles(const S& value) {
  const double head = value.number().convert_to<double>();
  return {head, (value - S(head)).number().convert_to<double>()};
}

}  // namespace

void reference_torque(const Arm& arm, const MotionState& state, const Wrench& hand,
                      std::span<TwoDoubles> tau) {
  const std::vector<S> q = exact(state.q), qd = exact(state.qd), qdd = exact(state.qdd);
  const ForceAndMoment<S> outer = constant<S>(hand);
  std::vector<LinkState<S>> links(arm.dof());
  std::vector<S> torque(arm.dof());
  newton_euler<S>(arm, q, qd, qdd, &outer, links, torque);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = two_doubles(torque[i]);
}

namespace {

double largest_entry(const SymMat3& I) {
  return std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz), std::abs(I.xy), std::abs(I.yz),
                   std::abs(I.xz)});
}

}  // namespace

std::vector<double> gross_loads(const Arm& arm, std::span<const LinkState<double>> links,
                                const Wrench& hand) {
  std::vector<double> loads(arm.dof());
  double force = length(hand.force);
  double moment = length(hand.moment);
  double arm_of_force = length(arm.tool.p);
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const LinkState<double>& x = links[i];
    const auto& [mass, com, inertia] = arm.links[i].body;
    const double turning = length(x.omega_dot) + length(x.omega) * length(x.omega);
    moment += arm_of_force * force + length(com) * length(x.F) + largest_entry(inertia) * turning;
    force += length(x.F);
    arm_of_force = length(x.frame.p);
    loads[i] = arm.links[i].joint == JointType::revolute ? moment : force;
  }
  return loads;
}

namespace {

using S = Digits50;
using Numbers = std::vector<S>;

class WideMatrix {
 public:
  WideMatrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), entries_(rows * columns) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  S& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
  const S& operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  [[nodiscard]] std::span<S> entries() { return entries_; }

 private:
  std::size_t rows_, columns_;
  Numbers entries_;
};

WideMatrix operator*(const WideMatrix& A, const WideMatrix& B) {
  WideMatrix C(A.rows(), B.columns());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < B.columns(); ++j) {
      for (std::size_t k = 0; k < A.columns(); ++k) C(i, j) = C(i, j) + A(i, k) * B(k, j);
    }
  }
  return C;
}

WideMatrix transposed(const WideMatrix& A) {
  WideMatrix B(A.columns(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) B(j, i) = A(i, j);
  }
  return B;
}

/// Of a symmetric, positive definite matrix.
WideMatrix inverse(WideMatrix A) {
  const std::size_t n = A.rows();
  factor_ltdl<S>(n, A.entries());
  WideMatrix result(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    Numbers column(n);
    column[j] = S(1.0);
    solve_ltdl<S>(n, A.entries(), column);
    for (std::size_t i = 0; i < n; ++i) result(i, j) = column[i];
  }
  return result;
}

WideMatrix column(const Numbers& values) {
  WideMatrix result(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) result(i, 0) = values[i];
  return result;
}

WideMatrix select(std::span<const Twist<S>> twists, std::span<const TaskRow> rows) {
  WideMatrix J(rows.size(), twists.size());
  for (std::size_t j = 0; j < twists.size(); ++j) {
    const auto& [v, omega] = twists[j];
    const std::array six = stacked(v, omega);
    for (std::size_t i = 0; i < rows.size(); ++i) J(i, j) = six[static_cast<std::size_t>(rows[i])];
  }
  return J;
}

double nearest(const S& value) {
  return value.number().convert_to<double>();
}

Matrix nearest(const WideMatrix& A) {
  Matrix result(A.rows(), A.columns());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) result(i, j) = nearest(A(i, j));
  }
  return result;
}

/// The arm at one state.
class WideArm {
 public:
  WideArm(const Arm& arm, std::span<const double> q, std::span<const double> qd)
      : arm_(arm),
        weightless_(weightless(arm)),
        q_(q.begin(), q.end()),
        qd_(qd.begin(), qd.end()),
        zero_(arm.dof()),
        frames_(arm.dof()) {
    link_frames<S>(arm, q_, frames_);
    tip_ = tool_frame<S>(arm, frames_).p;
  }

  [[nodiscard]] const Numbers& qd() const { return qd_; }
  [[nodiscard]] Numbers velocity_torque() const { return torque(weightless_, qd_, zero_); }
  [[nodiscard]] Numbers gravity_torque() const { return torque(arm_, zero_, zero_); }

  [[nodiscard]] WideMatrix mass_matrix() const {  // (9.20), (9.5)
    const std::size_t n = arm_.dof();
    const RotorInertias rotors = rotor_inertias(arm_);
    WideMatrix M(n, n);
    for (std::size_t j = 0; j < n; ++j) {
      Numbers unit(n);
      unit[j] = S(1.0);
      const Numbers inertias = torque(weightless_, zero_, unit);
      for (std::size_t i = 0; i < n; ++i) M(i, j) = inertias[i];
      M(j, j) = rotors.diagonal[j] + M(j, j);
    }
    for (const auto& [i, j, value] : rotors.coupled) {
      M(i, j) = value + M(i, j);
      M(j, i) = value + M(j, i);
    }
    return M;
  }

  [[nodiscard]] WideMatrix jacobian(std::span<const TaskRow> rows) const {
    std::vector<Twist<S>> columns(arm_.dof());
    armdyn::jacobian<S>(arm_, frames_, tip_, columns);
    return select(columns, rows);
  }

  [[nodiscard]] WideMatrix jacobian_rate(std::span<const TaskRow> rows) const {
    std::vector<Twist<S>> links(arm_.dof()), columns(arm_.dof());
    link_velocities<S>(arm_, frames_, qd_, links);
    armdyn::jacobian_rate<S>(arm_, frames_, links, tip_, columns);
    return select(columns, rows);
  }

 private:
  [[nodiscard]] Numbers torque(const Arm& arm, const Numbers& qd, const Numbers& qdd) const {
    std::vector<LinkState<S>> links(arm.dof());
    Numbers tau(arm.dof());
    newton_euler<S>(arm, q_, qd, qdd, nullptr, links, tau);
    return tau;
  }

  const Arm& arm_;
  Arm weightless_;
  Numbers q_, qd_, zero_;
  std::vector<Frame<S>> frames_;
  Vec<S> tip_;
};

}  // namespace

CartesianReference reference_cartesian(const Arm& arm, std::span<const double> q,
                                       std::span<const double> qd, std::span<const TaskRow> rows) {
  const WideArm wide(arm, q, qd);
  const WideMatrix J = wide.jacobian(rows), Jt = transposed(J), M = wide.mass_matrix();
  WideMatrix Mx(J.rows(), J.rows()), to_task(J.rows(), J.columns());
  if (J.rows() == J.columns()) {
    to_task = J * inverse(Jt * J);  // J⁻ᵀ
    Mx = to_task * M * transposed(to_task);
  } else {
    const WideMatrix accelerations = inverse(M) * Jt;  // M⁻¹ Jᵀ
    Mx = inverse(J * accelerations);
    to_task = Mx * transposed(accelerations);
  }
  const WideMatrix V = to_task * column(wide.velocity_torque());
  const WideMatrix drift = Mx * (wide.jacobian_rate(rows) * column(wide.qd()));
  const WideMatrix G = to_task * column(wide.gravity_torque());

  CartesianReference result{nearest(Mx), {}, {}};
  result.Vx.reserve(rows.size());
  result.Gx.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.Vx.push_back(nearest(V(i, 0) - drift(i, 0)));
    result.Gx.push_back(nearest(G(i, 0)));
  }
  return result;
}

}  // namespace armdyn
