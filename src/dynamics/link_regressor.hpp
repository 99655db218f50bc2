#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/regressor.hpp>

#include <span>
#include <vector>

#include "dynamics/formulation.hpp"
#include "dynamics/newton_euler.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

/// A body of which the ten parameters are asked for: held by a link, in a frame of its own.
struct HeldBody {
  std::size_t link = 0;
  Transform frame;  ///< of the body, in the link's
};

/// The arm with no other body than one of these parameters, which is 1; of a first moment, with a
/// mass of 1 beside it.
[[nodiscard]] Arm with_unit_body(const Arm& bare, const HeldBody& held, std::size_t parameter);

/// The columns of Y of each body, ten each, of each its dof entries: the recursion's text on an arm
/// of which this is the only body (eq. 27.2).
template <class S>
std::vector<S> link_columns(const Arm& bare, std::span<const HeldBody> bodies,
                            const MotionOf<S>& motion) {
  const std::size_t n = bare.dof();
  std::vector<S> columns;
  columns.reserve(bodies.size() * body_parameters * n);
  std::vector<LinkState<S>> links(n);
  std::vector<S> tau(n), of_mass(n);
  for (const HeldBody& held : bodies) {
    for (std::size_t k = 0; k < body_parameters; ++k) {
      const Arm arm = with_unit_body(bare, held, k);
      newton_euler<S>(arm, motion.q, motion.qd, motion.qdd, nullptr, links, tau);
      if (k == 0) of_mass = tau;
      const bool is_first_moment = k >= 1 && k <= 3;
      for (std::size_t i = 0; i < n; ++i) {
        columns.push_back(is_first_moment ? tau[i] - of_mass[i] : tau[i]);
      }
    }
  }
  return columns;
}

}  // namespace armdyn
