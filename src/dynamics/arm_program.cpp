#include "dynamics/arm_program.hpp"

#include <stdexcept>
#include <vector>

#include "dynamics/articulated_body.hpp"
#include "dynamics/composite_body.hpp"
#include "dynamics/joint_reaction.hpp"
#include "dynamics/lagrange.hpp"
#include "dynamics/losses.hpp"
#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/ltdl.hpp"

namespace armdyn {

namespace {

using S = Expression;

/// Formulas that a program may have. Beyond it, building one takes longer than most files are
/// worth, and its slots outgrow the caches.
constexpr std::size_t most_formulas = 60'000;

/// Expressions for the input columns: the first `groups` of q, qd and qdd, and the hand wrench.
struct Inputs {
  Inputs(Graph& graph, const Arm& arm, std::size_t groups, HandInput hand)
      : has_hand(hand == HandInput::present) {
    std::vector<S>* const all[] = {&q, &qd, &qdd};
    for (std::vector<S>* values : std::span(all).first(groups)) {
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

Arm weightless(const Arm& arm) {
  Arm result = arm;
  result.v_dot_0 = {};
  return result;
}

std::vector<JointFrame<S>> frames(const Arm& arm, std::span<const S> q) {
  std::vector<JointFrame<S>> result;
  for (std::size_t i = 0; i < arm.dof(); ++i) result.push_back(joint_frame(arm.links[i], q[i]));
  return result;
}

/// By rows; of its links the lower triangle is set.
std::vector<S> mass_matrix(const Arm& arm, std::span<const JointFrame<S>> placed) {
  const std::size_t n = arm.dof();
  std::vector<S> M(n * n);
  composite_body<S>(arm, placed, M);
  const std::vector<double> rotors = rotor_inertias(arm);
  for (std::size_t i = 0; i < n; ++i) M[i * n + i] = M[i * n + i] + rotors[i];
  return M;
}

}  // namespace

Program torque_program(const Arm& arm, Method method, HandInput hand) {
  Graph graph(most_formulas);
  const Inputs in(graph, arm, 3, hand);
  return assemble(graph, in.count, torque(arm, method, in.q, in.qd, in.qdd, in.hand()));
}

Program terms_program(const Arm& arm, Method method, HandInput hand) {
  Graph graph(most_formulas);
  const Inputs in(graph, arm, 3, hand);
  const std::vector<S> zero(arm.dof());
  const Arm without = weightless(arm);
  std::vector<S> terms;
  const auto append = [&](const std::vector<S>& part) {
    terms.insert(terms.end(), part.begin(), part.end());
  };
  append(torque(without, method, in.q, zero, in.qdd, nullptr));
  append(torque(without, method, in.q, in.qd, zero, nullptr));
  append(torque(arm, method, in.q, zero, zero, nullptr));
  append(in.has_hand ? torque(without, method, in.q, zero, zero, in.hand()) : zero);
  return assemble(graph, in.count, terms);
}

Program reactions_program(const Arm& arm, HandInput hand) {
  Graph graph(most_formulas);
  const Inputs in(graph, arm, 3, hand);
  std::vector<LinkState<S>> links(arm.dof());
  std::vector<S> tau(arm.dof()), reactions;
  newton_euler<S>(arm, in.q, in.qd, in.qdd, in.hand(), links, tau);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto [f, m] = joint_reaction(arm, i, in.q[i], links[i]);
    for (const S& value : {f.x, f.y, f.z, m.x, m.y, m.z}) reactions.push_back(value);
  }
  return assemble(graph, in.count, reactions);
}

Program mass_matrix_program(const Arm& arm) {
  Graph graph(most_formulas);
  const Inputs in(graph, arm, 1, HandInput::absent);
  const std::vector<S> M = mass_matrix(arm, frames(arm, in.q));
  std::vector<S> lower;
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) lower.push_back(M[i * arm.dof() + j]);
  }
  return assemble(graph, in.count, lower);
}

Program bias_program(const Arm& arm, HandInput hand) {
  Graph graph(most_formulas);
  const Inputs in(graph, arm, 2, hand);
  const std::vector<S> zero(arm.dof());
  return assemble(graph, in.count, torque(arm, Method::newton_euler, in.q, in.qd, zero, in.hand()));
}

Program forward_program(const Arm& arm, ForwardMethod method, HandInput hand) {
  const std::size_t n = arm.dof();
  Graph graph(most_formulas);
  const Inputs in(graph, arm, 3, hand);
  const std::vector<S> zero(n);
  const std::vector<S> bias = torque(arm, Method::newton_euler, in.q, in.qd, zero, in.hand());
  const std::vector<JointFrame<S>> placed = frames(arm, in.q);

  std::vector<S> x(n), pivots(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = in.qdd[i] - bias[i];
  if (method == ForwardMethod::articulated) {
    std::vector<ArticulatedJoint<S>> joints(n);
    articulate<S>(arm, placed, rotor_inertias(arm), joints);
    solve_articulated<S>(arm, placed, joints, x, x);
    for (std::size_t i = 0; i < n; ++i) pivots[i] = joints[i].pivot;
  } else {
    std::vector<S> M = mass_matrix(arm, placed);
    factor_ltdl<S>(n, M);
    solve_ltdl<S>(n, M, x);
    for (std::size_t i = 0; i < n; ++i) pivots[i] = M[i * n + i];
  }
  x.insert(x.end(), bias.begin(), bias.end());
  x.insert(x.end(), pivots.begin(), pivots.end());
  return assemble(graph, in.count, x);
}

}  // namespace armdyn
