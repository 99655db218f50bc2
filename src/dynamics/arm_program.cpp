#include "dynamics/arm_program.hpp"

#include <stdexcept>
#include <vector>

#include "dynamics/lagrange.hpp"
#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/newton_euler.hpp"

namespace armdyn {

namespace {

using S = Expression;

/// Formulas that a program may have; its steps are about as many. Beyond it building takes longer
/// than most files are worth, and the slots outgrow the caches.
constexpr std::size_t most_formulas = 60'000;

/// Expressions for the input columns.
struct Inputs {
  Inputs(Graph& graph, const Arm& arm, HandInput hand) : has_hand(hand == HandInput::present) {
    for (std::vector<S>* values : {&q, &qd, &qdd}) {
      for (std::size_t i = 0; i < arm.dof(); ++i) values->push_back(graph.input(count++));
    }
    if (!has_hand) return;
    for (Vec<S>* v : {&wrench.force, &wrench.moment}) {
      for (S* component : {&v->x, &v->y, &v->z}) *component = graph.input(count++);
    }
  }

  [[nodiscard]] const HandWrench<S>* hand() const { return has_hand ? &wrench : nullptr; }

  std::size_t count = 0;
  std::vector<S> q, qd, qdd;
  bool has_hand;
  HandWrench<S> wrench;
};

std::vector<S> torque(const Arm& arm, Method method, std::span<const S> q, std::span<const S> qd,
                      std::span<const S> qdd, const HandWrench<S>* hand) {
  const std::size_t n = arm.dof();
  std::vector<S> tau(n);
  switch (method) {
    case Method::newton_euler: {
      std::vector<LinkState<S>> links(n);
      newton_euler<S>(arm, q, qd, qdd, hand, links, tau);
      return tau;
    }
    case Method::modified_newton_euler: {
      const std::vector<SymMat3> K = mass_spreads(arm);
      std::vector<ModifiedLinkState<S>> links(n);
      modified_newton_euler<S>(arm, K, q, qd, qdd, hand, links, tau);
      return tau;
    }
    case Method::lagrange: {
      LagrangeMatrices<S> matrices(arm);
      lagrange<S>(arm, matrices, q, qd, qdd, hand, tau);
      return tau;
    }
  }
  throw std::invalid_argument("no such formulation");
}

}  // namespace

Program torque_program(const Arm& arm, Method method, HandInput hand) {
  Graph graph;
  const Inputs in(graph, arm, hand);
  return assemble(graph, in.count, torque(arm, method, in.q, in.qd, in.qdd, in.hand()));
}

}  // namespace armdyn
