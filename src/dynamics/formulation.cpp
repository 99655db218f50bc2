#include "dynamics/formulation.hpp"

#include <stdexcept>
#include <vector>

#include "dynamics/lagrange.hpp"
#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/newton_euler.hpp"

namespace armdyn {

namespace {

/// A hand wrench as the texts take it; null where there is none, and nothing to carry inward.
class Hand {
 public:
  explicit Hand(const Wrench& w)
      : wrench_{constant<double>(w.force), constant<double>(w.moment)},
        present_(w.force != Vec3{} || w.moment != Vec3{}) {}
  [[nodiscard]] const HandWrench<double>* get() const { return present_ ? &wrench_ : nullptr; }

 private:
  HandWrench<double> wrench_;
  bool present_;
};

}  // namespace

std::string_view name(Method method) {
  switch (method) {
    case Method::newton_euler:
      return "newton-euler";
    case Method::modified_newton_euler:
      return "modified-newton-euler";
    case Method::lagrange:
      return "lagrange";
  }
  throw std::invalid_argument("no such formulation");
}

Formulation formulation(const Arm& arm, Method method) {
  switch (method) {
    case Method::newton_euler:
      return [links = std::vector<LinkState<double>>(arm.dof())](const Arm& a, const MotionState& x,
                                                                 const Wrench& hand,
                                                                 std::span<double> tau) mutable {
        newton_euler<double>(a, x.q, x.qd, x.qdd, Hand(hand).get(), links, tau);
      };
    case Method::modified_newton_euler:
      return [K = mass_spreads(arm), links = std::vector<ModifiedLinkState<double>>(arm.dof())](
                 const Arm& a, const MotionState& x, const Wrench& hand,
                 std::span<double> tau) mutable {
        modified_newton_euler<double>(a, K, x.q, x.qd, x.qdd, Hand(hand).get(), links, tau);
      };
    case Method::lagrange:
      return [matrices = LagrangeMatrices<double>(arm)](const Arm& a, const MotionState& x,
                                                        const Wrench& hand,
                                                        std::span<double> tau) mutable {
        lagrange<double>(a, matrices, x.q, x.qd, x.qdd, Hand(hand).get(), tau);
      };
  }
  throw std::invalid_argument("no such formulation");
}

}  // namespace armdyn
