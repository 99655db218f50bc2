#pragma once

#include <armdyn/arm.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "dynamics/lagrange.hpp"

namespace armdyn {

/// The torques of the links by paper 003's (3.6)-(3.10) as they are printed: every derivative and
/// every trace is formed by itself, which is what the paper counts (docs/derivation.md, section
/// 12). It serves to count, term after term in the order of the paper's Table 1; `lagrange` is the
/// text that computes. Links and joints count from 1.
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
