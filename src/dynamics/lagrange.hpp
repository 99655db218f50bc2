#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <algorithm>

#include "math/sin_cos.hpp"
#include "model/joint_kind.hpp"

// It shares nothing with the Newton-Euler recursions: two formulations that agree should have had
// every chance to differ.

namespace armdyn {

// 4×4 matrices of any scalar S: homogeneous transforms, their derivatives, and what they multiply.
// Rows are x, y, z, w; the sums are written out, without assumptions on the last row of a
// transform.

template <class S>
struct Row4 {
  S x, y, z, w;
};

template <class S>
struct Matrix4 {
  Row4<S> x, y, z, w;
};

template <class S>
Row4<S> operator+(const Row4<S>& a, const Row4<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

template <class S>
Matrix4<S> operator+(const Matrix4<S>& A, const Matrix4<S>& B) {
  return {A.x + B.x, A.y + B.y, A.z + B.z, A.w + B.w};
}

template <class S>
Row4<S> operator*(const S& k, const Row4<S>& a) {
  return {k * a.x, k * a.y, k * a.z, k * a.w};
}

template <class S>
Matrix4<S> operator*(const S& k, const Matrix4<S>& A) {
  return {k * A.x, k * A.y, k * A.z, k * A.w};
}

/// A row times a matrix of the same scalar or of constants.
template <class S, class C>
Row4<S> operator*(const Row4<S>& a, const Matrix4<C>& B) {
  return {a.x * B.x.x + a.y * B.y.x + a.z * B.z.x + a.w * B.w.x,
          a.x * B.x.y + a.y * B.y.y + a.z * B.z.y + a.w * B.w.y,
          a.x * B.x.z + a.y * B.y.z + a.z * B.z.z + a.w * B.w.z,
          a.x * B.x.w + a.y * B.y.w + a.z * B.z.w + a.w * B.w.w};
}

template <class S, class C>
Matrix4<S> operator*(const Matrix4<S>& A, const Matrix4<C>& B) {
  return {A.x * B, A.y * B, A.z * B, A.w * B};
}

template <class S>
Matrix4<S> transposed(const Matrix4<S>& A) {
  return {{A.x.x, A.y.x, A.z.x, A.w.x},
          {A.x.y, A.y.y, A.z.y, A.w.y},
          {A.x.z, A.y.z, A.z.z, A.w.z},
          {A.x.w, A.y.w, A.z.w, A.w.w}};
}

template <class S>
S dot(const Row4<S>& a, const Row4<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// Tr{A Bᵗ}.
template <class S>
S trace_of_product(const Matrix4<S>& A, const Matrix4<S>& B) {
  return dot(A.x, B.x) + dot(A.y, B.y) + dot(A.z, B.z) + dot(A.w, B.w);
}

/// T as a homogeneous matrix.
template <class S, class C>
Matrix4<S> homogeneous(const Frame<C>& T) {
  const auto& [R, p] = T;
  return {{S(R.row_x.x), S(R.row_x.y), S(R.row_x.z), S(p.x)},
          {S(R.row_y.x), S(R.row_y.y), S(R.row_y.z), S(p.y)},
          {S(R.row_z.x), S(R.row_z.y), S(R.row_z.z), S(p.z)},
          {S(0.0), S(0.0), S(0.0), S(1.0)}};
}

// The formulation.

/// T_{i−1}^i = Rx(α) Tx(a) Rz(θ) Tz(d) at joint position q (eq. 6.1). The link is a Link, or its
/// constants as another scalar.
template <class S, class L>
Matrix4<S> joint_transform(const L& link, const S& q) {
  const auto &cos_alpha = link.cos_alpha, &sin_alpha = link.sin_alpha;
  const auto T = [&](const auto& s, const auto& c, const auto& d) {
    return Matrix4<S>{{S(c), S(-s), S(0.0), S(link.a)},
                      {S(cos_alpha * s), S(cos_alpha * c), S(-sin_alpha), S(-sin_alpha * d)},
                      {S(sin_alpha * s), S(sin_alpha * c), S(cos_alpha), S(cos_alpha * d)},
                      {S(0.0), S(0.0), S(0.0), S(1.0)}};
  };
  if (!is_turning(link.joint)) return T(link.sin_theta, link.cos_theta, link.d + q);
  const auto [s, c] = sin_cos(q);
  return T(link.sin_theta * c + link.cos_theta * s, link.cos_theta * c - link.sin_theta * s,
           link.d);
}

/// T Q with Q = ∂/∂q of Rz(q) or Tz(q) at 0, in 4×4: columns change places, and a sign (eq. 6.2).
template <class S>
Matrix4<S> times_Q(const Matrix4<S>& T, JointType joint) {
  const S zero(0.0);
  const auto row = [&](const Row4<S>& t) {
    return is_turning(joint) ? Row4<S>{t.y, -t.x, zero, zero} : Row4<S>{zero, zero, zero, t.z};
  };
  return {row(T.x), row(T.y), row(T.z), row(T.w)};
}

/// J = ∫ r rᵗ dm with r = (x, y, z, 1) from the origin of the link's frame: kg·m², kg·m, kg
/// (eq. 6.3).
template <class B>
Matrix4<decltype(B::mass)> pseudo_inertia(const B& body) {
  using C = decltype(B::mass);
  const auto& [m, c, I] = body;
  const C xx = 0.5 * (I.yy + I.zz - I.xx) + m * c.x * c.x;
  const C yy = 0.5 * (I.xx + I.zz - I.yy) + m * c.y * c.y;
  const C zz = 0.5 * (I.xx + I.yy - I.zz) + m * c.z * c.z;
  const C xy = m * c.x * c.y - I.xy;
  const C yz = m * c.y * c.z - I.yz;
  const C xz = m * c.x * c.z - I.xz;
  return {{xx, xy, xz, m * c.x},
          {xy, yy, yz, m * c.y},
          {xz, yz, zz, m * c.z},
          {m * c.x, m * c.y, m * c.z, m}};
}

/// N: the wrench as the matrix whose product with a twist of the tool is its power (eq. 6.9).
template <class S>
Matrix4<S> wrench_matrix(const ForceAndMoment<S>& wrench) {
  const S zero(0.0);
  const auto& f = wrench.force;
  const S x = 0.5 * wrench.moment.x, y = 0.5 * wrench.moment.y, z = 0.5 * wrench.moment.z;
  return {{zero, -z, y, f.x}, {z, zero, -x, f.y}, {-y, x, zero, f.z}, {zero, zero, zero, zero}};
}

/// The workspace of Lagrange's equations beside the arm: the links' pseudo-inertias, and the
/// matrices. Links and joints count from 1, as in the paper; 0 is the base. C is the scalar of the
/// arm's constants.
template <class S, class C = double>
class LagrangeMatrices {
 public:
  template <class A>
  explicit LagrangeMatrices(const A& arm)
      : T_(arm.dof() * (arm.dof() + 1) / 2),
        dT_(T_.size()),
        d2T_(T_.size() * (arm.dof() + 2) / 3),
        P_(arm.dof()) {
    for (const auto& link : arm.links) J_.push_back(pseudo_inertia(link.body));
  }

  const Matrix4<C>& J(std::size_t s) const { return J_[s - 1]; }
  /// T_r^s, r < s.
  Matrix4<S>& T(std::size_t r, std::size_t s) { return T_[s * (s - 1) / 2 + r]; }
  /// ∂T_0^s/∂q_j, 1 ≤ j ≤ s.
  Matrix4<S>& dT(std::size_t s, std::size_t j) { return dT_[s * (s - 1) / 2 + j - 1]; }
  /// ∂²T_0^s/∂q_j∂q_k, 1 ≤ j ≤ k ≤ s.
  Matrix4<S>& d2T(std::size_t s, std::size_t k, std::size_t j) {
    return d2T_[s * (s * s - 1) / 6 + k * (k - 1) / 2 + j - 1];
  }
  /// (d²T_0^s/dt²) J_s, gravity and the TCP's wrench with it.
  Matrix4<S>& P(std::size_t s) { return P_[s - 1]; }

 private:
  std::vector<Matrix4<C>> J_;
  std::vector<Matrix4<S>> T_, dT_, d2T_, P_;
};

/// Inverse dynamics of the links by Lagrange's equation in trace form (docs/derivation.md
/// eq. 6.1-6.11; paper 001 §2, paper 003 §3.1), in the O(n³) arrangement of 001's appendix. q, qd,
/// qdd and tau have one entry per link; wrench is what the tool exerts on the environment, at the
/// origin and in the axes of the tool frame, or null. The arm is an Arm, or its constants as another
/// scalar (model/proximal_form.hpp).
template <class S, class A, class C>
void lagrange(const A& arm, LagrangeMatrices<S, C>& m, std::span<const S> q, std::span<const S> qd,
              std::span<const S> qdd, const ForceAndMoment<S>* wrench, std::span<S> tau) {
  const std::size_t n = arm.dof();
  const auto joint = [&](std::size_t i) { return arm.links[i - 1].joint; };
  const S zero(0.0);
  const Matrix4<S> Gamma{{zero, zero, zero, S(arm.v_dot_0.x)},
                         {zero, zero, zero, S(arm.v_dot_0.y)},
                         {zero, zero, zero, S(arm.v_dot_0.z)},
                         {zero, zero, zero, zero}};  // (6.6)

  for (std::size_t s = 1; s <= n; ++s) {
    tau[s - 1] = zero;
    m.T(s - 1, s) = joint_transform(arm.links[s - 1], q[s - 1]);
    for (std::size_t r = 0; r + 1 < s; ++r) m.T(r, s) = m.T(r, s - 1) * m.T(s - 1, s);

    m.dT(s, s) = times_Q(m.T(0, s), joint(s));
    for (std::size_t j = 1; j < s; ++j) m.dT(s, j) = m.dT(j, j) * m.T(j, s);  // (6.4)

    Matrix4<S> T_ddot = Gamma;  // (6.8), and gravity with it
    for (std::size_t j = 1; j <= s; ++j) T_ddot = T_ddot + qdd[j - 1] * m.dT(s, j);
    for (std::size_t k = 1; k <= s; ++k) {
      for (std::size_t j = 1; j <= k; ++j) {
        const Matrix4<S> to_k = times_Q(m.dT(k, j), joint(k));
        m.d2T(s, k, j) = k < s ? to_k * m.T(k, s) : to_k;  // (6.5)
        const S rates = qd[j - 1] * qd[k - 1];
        T_ddot = T_ddot + (j < k ? rates + rates : rates) * m.d2T(s, k, j);
      }
    }

    Matrix4<S>& P = m.P(s);
    P = T_ddot * m.J(s);
    if (s == n && wrench != nullptr) {
      const Matrix4<S> tool = homogeneous<S>(arm.tool);
      P = P + m.T(0, n) * (tool * wrench_matrix(*wrench) * transposed(tool));  // (6.10)
    }
    for (std::size_t i = 1; i <= s; ++i) {
      tau[i - 1] = tau[i - 1] + trace_of_product(P, m.dT(s, i));  // (6.11)
    }
  }
}

/// The torques of the links by paper 003's (3.6)-(3.10) as they are printed: every derivative and
/// every trace is formed by itself, which is what the paper counts (docs/derivation.md, section
/// 12). It serves to count, term after term in the order of the paper's Table 1; `lagrange`
/// computes. Links and joints count from 1.
template <class S>
class LagrangeAsPrinted {
 public:
  explicit LagrangeAsPrinted(const Arm& arm)
      : arm_(arm), n_(arm.dof()), T_(n_ * (n_ + 1) / 2), G_(n_), D_(n_ * n_), h_(n_ * n_ * n_) {
    for (const Link& link : arm.links) J_.push_back(pseudo_inertia(link.body));
  }

  void joint_transforms(std::span<const S> q) {
    for (std::size_t s = 1; s <= n_; ++s)
      T(s - 1, s) = joint_transform(arm_.links[s - 1], q[s - 1]);
  }
  void transforms() {
    for (std::size_t s = 1; s <= n_; ++s) {
      for (std::size_t r = 0; r + 1 < s; ++r) T(r, s) = T(r, s - 1) * T(s - 1, s);
    }
  }
  void gravity_torques() {  // (3.10), with the sign of (6.6)
    const Vec3& g = arm_.v_dot_0;
    for (std::size_t i = 1; i <= n_; ++i) {
      for (std::size_t s = i; s <= n_; ++s) {
        const Row4<double> m_r_c = J_[s - 1].w;
        const Matrix4<S> d = dT(s, i);
        const auto row = [&](const Row4<S>& t) {
          return m_r_c.x * t.x + m_r_c.y * t.y + m_r_c.z * t.z + m_r_c.w * t.w;
        };
        const S moment = g.x * row(d.x) + g.y * row(d.y) + g.z * row(d.z);
        G_[i - 1] = s == i ? moment : G_[i - 1] + moment;
      }
    }
  }
  void inertias() {  // (3.8)
    for (std::size_t i = 1; i <= n_; ++i) {
      for (std::size_t j = i; j <= n_; ++j) {
        S& sum = D_[(i - 1) * n_ + j - 1];
        for (std::size_t s = j; s <= n_; ++s) {
          const S trace = trace_of(dT(s, j) * J_[s - 1] * transposed(dT(s, i)));
          sum = s == j ? trace : sum + trace;
        }
        D_[(j - 1) * n_ + i - 1] = sum;
      }
    }
  }
  void velocity_coefficients() {  // (3.9)
    for (std::size_t i = 1; i <= n_; ++i) {
      for (std::size_t j = 1; j <= n_; ++j) {
        for (std::size_t k = j; k <= n_; ++k) {
          S& sum = h(i, j, k);
          const std::size_t first = std::max(i, k);
          for (std::size_t s = first; s <= n_; ++s) {
            const S trace = trace_of(d2T(s, k, j) * J_[s - 1] * transposed(dT(s, i)));
            sum = s == first ? trace : sum + trace;
          }
          h(i, k, j) = sum;
        }
      }
    }
  }
  void torques(std::span<const S> qd, std::span<const S> qdd, std::span<S> tau) {  // (3.7)
    for (std::size_t i = 1; i <= n_; ++i) {
      S sum = G_[i - 1];
      for (std::size_t j = 1; j <= n_; ++j) {
        sum = sum + D_[(i - 1) * n_ + j - 1] * qdd[j - 1];
        S of_j = h(i, j, 1) * qd[0];
        for (std::size_t k = 2; k <= n_; ++k) of_j = of_j + h(i, j, k) * qd[k - 1];
        sum = sum + of_j * qd[j - 1];
      }
      tau[i - 1] = sum;
    }
  }

 private:
  Matrix4<S>& T(std::size_t r, std::size_t s) { return T_[s * (s - 1) / 2 + r]; }
  S& h(std::size_t i, std::size_t j, std::size_t k) {
    return h_[((i - 1) * n_ + j - 1) * n_ + k - 1];
  }
  /// X Q T_j^s of joint j, where X = T_0^j or its derivative.
  Matrix4<S> derived(const Matrix4<S>& X, std::size_t j, std::size_t s) {
    const Matrix4<S> XQ = times_Q(X, arm_.links[j - 1].joint);
    return j < s ? XQ * T(j, s) : XQ;
  }
  Matrix4<S> dT(std::size_t s, std::size_t j) { return derived(T(0, j), j, s); }
  Matrix4<S> d2T(std::size_t s, std::size_t k, std::size_t j) { return derived(dT(k, j), k, s); }

  static S trace_of(const Matrix4<S>& A) { return A.x.x + A.y.y + A.z.z + A.w.w; }

  const Arm& arm_;
  std::size_t n_;
  std::vector<Matrix4<double>> J_;
  std::vector<Matrix4<S>> T_;
  std::vector<S> G_, D_, h_;
};

}  // namespace armdyn
