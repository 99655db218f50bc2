#include "dynamics/arm_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "dynamics/counts.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/regressor_columns.hpp"
#include "math/ltdl.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

using S = Expression;

/// Expressions for the input columns: the first `groups` of q, qd and qdd, and the wrench; and
/// the graph that formulas of them make.
struct Inputs {
  Inputs(const Arm& arm, std::size_t groups, WrenchInput input, std::size_t most = most_formulas)
      : graph(most), has_wrench(input == WrenchInput::present) {
    std::vector<S>* const all[] = {&q, &qd, &qdd};
    for (std::vector<S>* values : std::span(all).first(groups)) {
      for (std::size_t i = 0; i < arm.dof(); ++i) values->push_back(graph.input(count++));
    }
    if (!has_wrench) return;
    for (Vec<S>* v : {&wrench_inputs.force, &wrench_inputs.moment}) {
      for (S* component : {&v->x, &v->y, &v->z}) *component = graph.input(count++);
    }
  }

  [[nodiscard]] const ForceAndMoment<S>* wrench() const {
    return has_wrench ? &wrench_inputs : nullptr;
  }
  [[nodiscard]] Program program(std::span<const S> outputs) const {
    return assemble(graph, count, outputs);
  }

  Graph graph;
  std::size_t count = 0;
  std::vector<S> q, qd, qdd;
  bool has_wrench;
  ForceAndMoment<S> wrench_inputs;
};

std::vector<S> torque(const Arm& arm, Method method, const MotionOf<S>& motion,
                      const ForceAndMoment<S>* wrench) {
  std::vector<S> tau(arm.dof());
  read_formulation(row_of<S>(method), arm)(arm, motion, wrench, tau);
  return tau;
}

}  // namespace

Program torque_program(const Arm& arm, Method method, WrenchInput wrench) {
  Inputs in(arm, 3, wrench);
  return in.program(torque(arm, method, {in.q, in.qd, in.qdd}, in.wrench()));
}

std::vector<Task> folded_operations(const Arm& arm, Method method) {
  Inputs in(arm, 3, WrenchInput::absent, std::numeric_limits<std::uint32_t>::max());
  return operations(in.graph,
                    torque(with_polynomial_springs(arm), method, {in.q, in.qd, in.qdd}, nullptr));
}

Program terms_program(const Arm& arm, Method method, WrenchInput wrench) {
  Inputs in(arm, 3, wrench);
  const std::vector<S> zero(arm.dof());
  const Arm without_gravity = gravity_removed(arm);
  std::vector<S> terms;
  append(terms, torque(without_gravity, method, {in.q, zero, in.qdd}, nullptr));
  append(terms, torque(without_gravity, method, {in.q, in.qd, zero}, nullptr));
  append(terms, torque(arm, method, {in.q, zero, zero}, nullptr));
  append(terms,
         in.has_wrench ? torque(without_gravity, method, {in.q, zero, zero}, in.wrench()) : zero);
  return in.program(terms);
}

Program reactions_program(const Arm& arm, WrenchInput wrench) {
  require_reactions(arm);
  Inputs in(arm, 3, wrench);
  std::vector<S> reactions;
  for (const auto& reaction : joint_reactions<S>(arm, {in.q, in.qd, in.qdd}, in.wrench())) {
    append(reactions, stacked(reaction));
  }
  return in.program(reactions);
}

Program mass_matrix_program(const Arm& arm) {
  Inputs in(arm, 1, WrenchInput::absent);
  const std::size_t n = arm.dof();
  std::vector<S> M(n * n), lower;
  lower_mass_matrix<S>(arm, in.q, rotor_inertias(arm), M);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) lower.push_back(M[i * n + j]);
  }
  return in.program(lower);
}

Program bias_program(const Arm& arm, WrenchInput wrench) {
  Inputs in(arm, 2, wrench);
  const std::vector<S> zero(arm.dof());
  return in.program(torque(arm, Method::newton_euler, {in.q, in.qd, zero}, in.wrench()));
}

Program forward_program(const Arm& arm, ForwardMethod method, WrenchInput wrench) {
  const std::size_t n = arm.dof();
  Inputs in(arm, 3, wrench);
  const std::vector<S> zero(n);
  const std::vector<S> bias = torque(arm, Method::newton_euler, {in.q, in.qd, zero}, in.wrench());
  const RotorInertias rotors = rotor_inertias(arm);

  std::vector<S> x(n), pivots(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = in.qdd[i] - bias[i];
  if (serving_method(arm, method) == ForwardMethod::articulated) {
    const std::vector<Frame<S>> frames = joint_frames<S>(arm, in.q);
    std::vector<ArticulatedJoint<S>> joints(n);
    articulate<S>(arm, frames, rotors.diagonal, joints);
    solve_articulated<S>(arm, frames, joints, x, x);
    for (std::size_t i = 0; i < n; ++i) pivots[i] = joints[i].pivot;
  } else {
    std::vector<S> M(n * n);
    lower_mass_matrix<S>(arm, in.q, rotors, M);
    factor_ltdl<S>(n, M);
    solve_ltdl<S>(n, M, x);
    for (std::size_t i = 0; i < n; ++i) pivots[i] = M[i * n + i];
  }
  append(x, bias);
  append(x, pivots);
  return in.program(x);
}

Program link_regressor_program(const Arm& arm, bool with_payload) {
  Inputs in(arm, 3, WrenchInput::absent);
  std::vector<ModifiedLinkState<S>> links(arm.dof());
  const MotionOf<S> motion{in.q, in.qd, in.qdd};
  return in.program(link_columns<S, double>(arm, with_payload, motion, links));
}

std::size_t rows_at_a_time() {
  return 4 * machine_of(chosen_instruction_set()).grain;  // few: small batches fill several threads
}

class ProgramRunner::Shared {
 public:
  Shared(Make make, WrenchInput wrench) : make_(std::move(make)), wrench_(wrench) {}

  /// The program; null where it would be too long.
  std::shared_ptr<const Program> get() {
    std::call_once(is_made_, [this] {
      try {
        program_ = std::make_shared<const Program>(make_(wrench_));
      } catch (const std::length_error&) {
        program_ = nullptr;
      }
    });
    return program_;
  }

 private:
  Make make_;
  WrenchInput wrench_;
  std::once_flag is_made_;
  std::shared_ptr<const Program> program_;
};

ProgramRunner::Variant::Variant(const Make& make, WrenchInput wrench)
    : program(std::make_shared<Shared>(make, wrench)) {}

ProgramRunner::ProgramRunner(const Make& make)
    : without_wrench_(make, WrenchInput::absent), with_wrench_(make, WrenchInput::present) {}

bool ProgramRunner::run(std::size_t rows, std::initializer_list<std::span<const Column>> groups,
                        std::span<const Column> wrench, std::span<const ResultColumn> results) {
  Variant& variant = wrench.empty() ? without_wrench_ : with_wrench_;
  if (!variant.evaluator) {
    std::shared_ptr<const Program> program = variant.program->get();
    if (!program) return false;
    variant.evaluator = std::make_unique<Evaluator>(std::move(program));
  }
  inputs_.clear();
  for (const std::span<const Column>& columns : groups) append(inputs_, columns);
  append(inputs_, wrench);
  (*variant.evaluator)(inputs_, results, rows);
  return true;
}

std::vector<std::size_t> ProgramRunner::rows_not_finite(
    std::size_t rows, std::span<const Column> wrench, std::span<const ResultColumn> results) const {
  const Evaluator& evaluator = *(wrench.empty() ? without_wrench_ : with_wrench_).evaluator;
  const auto is_finite = [&](ResultColumn column) { return evaluator.are_finite({column, rows}); };
  if (std::ranges::all_of(results, is_finite)) return {};
  return where(rows, [results](std::size_t row) {
    return !std::ranges::all_of(results,
                                [row](ResultColumn column) { return std::isfinite(column[row]); });
  });
}

}  // namespace armdyn
