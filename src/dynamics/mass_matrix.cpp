#include "dynamics/mass_matrix.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>

#include "math/finite.hpp"
#include "math/ltdl.hpp"
#include "model/joint_kind.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// q̇ with 1 at joint k and none further in that has no kinetic energy: the outer joints yield.
std::vector<double> idle_motion(const Arm& arm, std::span<const double> q,
                                const RotorInertias& rotors, std::size_t k) {
  const std::size_t n = arm.dof();
  std::vector<double> M(n * n);
  lower_mass_matrix<double>(arm, q, rotors, M);

  const std::size_t outer = n - k - 1;
  std::vector<double> block(outer * outer), motion(n), yields(outer);
  for (std::size_t i = 0; i < outer; ++i) {
    yields[i] = -M[(k + 1 + i) * n + k];
    for (std::size_t j = 0; j <= i; ++j) block[i * outer + j] = M[(k + 1 + i) * n + k + 1 + j];
  }
  factor_ltdl<double>(outer, block);
  solve_ltdl<double>(outer, block, yields);
  motion[k] = 1.0;
  for (std::size_t i = 0; i < outer; ++i) {
    if (std::abs(yields[i]) > 1e-9) motion[k + 1 + i] = yields[i];
  }
  return motion;
}

/// Links from the k-th on whose inertia is not physically consistent.
std::string impossible_links(const Arm& arm, std::size_t k) {
  std::string list;
  for (std::size_t i = k; i < arm.dof(); ++i) {
    const Vec3 moments = principal_moments(arm.links[i].body.inertia);
    if (moments.x < -1e-12 * std::abs(moments.z)) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", i + 1);
    }
  }
  return list;
}

/// The reason why joint k's pivot is zero: what in the model would have to have mass.
std::string joints_without_mass(const Arm& arm, std::span<const double> motion, std::size_t k) {
  const auto moving =
      arm.dof() - static_cast<std::size_t>(std::count(motion.begin(), motion.end(), 0.0));
  if (moving > 1) {
    return fmt::format(
        "the joints can move by qd = {} without moving any mass; give a link between them more "
        "inertia, or a motor its rotor_inertia",
        number_list(motion));
  }
  const std::size_t n = arm.dof();
  return fmt::format(
      "{} can move without moving any mass; give {} {}, or its motor a rotor_inertia",
      joint_name(arm, k),
      k + 1 == n ? fmt::format("link {}", n) : fmt::format("links {} to {}", k + 1, n),
      by_kind(arm.links[k].joint, "inertia about its axis", "mass"));
}

/// Tests whether the masses and M are finite.
bool is_finite(const Arm& arm, std::span<const double> q, const RotorInertias& rotors,
               std::span<const double> bounds) {
  std::vector<double> M(arm.dof() * arm.dof());
  lower_mass_matrix<double>(arm, q, rotors, M);
  return all_finite(M) && all_finite(bounds);
}

[[noreturn]] void refuse(const Arm& arm, std::span<const double> q, const RotorInertias& rotors,
                         std::span<const double> bounds, std::size_t k, bool negative) {
  const std::string at = "at q = " + number_list(q);
  if (!all_finite(q)) throw NumericsError("no mass matrix " + at);
  if (!is_finite(arm, q, rotors, bounds)) {
    refuse_not_finite("the inertia that " + joint_name(arm, k) + " moves");
  }
  const std::string impossible = impossible_links(arm, k);
  if (negative && !impossible.empty()) {
    throw SingularMassMatrix(fmt::format(
        "the mass matrix is not positive definite {}: {} feels a negative inertia, since the "
        "inertia tensor of link {} has a negative principal moment; correct it",
        at, joint_name(arm, k), impossible));
  }
  throw SingularMassMatrix(
      fmt::format("the mass matrix is singular {}: {}", at,
                  joints_without_mass(arm, idle_motion(arm, q, rotors, k), k)));
}

}  // namespace

void mechanism_torque(const Arm& arm, const MotionOf<double>& motion,
                      const ForceAndMoment<double>* wrench, std::span<double> tau) {
  std::ranges::copy(links_torque<double>(arm, motion.q, motion.qd, motion.qdd, wrench),
                    tau.begin());
}

void lower_mechanism_mass_matrix(const Arm& arm, std::span<const double> q, std::span<double> M) {
  lower_links_mass_matrix<double>(arm, q, M);
}

void bound_inertias_at(std::span<const double> q, const Arm& arm, std::span<const double> rotors,
                       std::span<double> bounds) {
  if (!arm.is_serial()) {  // (38.8)
    std::ranges::copy(rotors, bounds.begin());
    for (const auto& [chain, rows, joints] : arm.chains) {
      const std::vector<double> none(rows.size());
      std::vector<double> of_chain(rows.size()), roots(arm.dof());
      bound_inertias_at(joint_positions<double>(rows, q), chain, none, of_chain);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows[i].joints.size(); ++j) {
          roots[rows[i].joints[j]] += std::abs(rows[i].factors[j]) * std::sqrt(of_chain[i]);
        }
      }
      for (std::size_t j = 0; j < roots.size(); ++j) bounds[j] += roots[j] * roots[j];
    }
    return;
  }
  const auto length = [&](std::size_t i) {
    const Link& link = arm.links[i];
    const double d = d_at(link, q[i]);
    return std::abs(link.a) + std::abs(link.sin_alpha * d) + std::abs(link.cos_alpha * d);
  };
  bound_inertias(arm, rotors, length, bounds);
}

void require_positive(const Arm& arm, std::span<const double> q, const RotorInertias& rotors,
                      std::span<const double> pivots, std::span<const double> bounds) {
  const double rounding = pivot_rounding(arm.dof());
  for (std::size_t i = arm.dof(); i-- > 0;) {
    if (!(pivots[i] > rounding * bounds[i])) {
      refuse(arm, q, rotors, bounds, i, pivots[i] < -rounding * bounds[i]);
    }
  }
}

}  // namespace armdyn
