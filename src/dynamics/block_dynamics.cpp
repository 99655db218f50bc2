#include <armdyn/inverse_dynamics.hpp>

#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>

#include <algorithm>
#include <cmath>

#include "dynamics/arm_program.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/states.hpp"
#include "math/columns.hpp"
#include "math/each.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

void require_block(std::size_t dof, std::initializer_list<std::span<const Column>> groups,
                   std::span<const Column> wrench, std::size_t results, std::size_t expected) {
  require_columns(dof, groups, wrench);
  require(results == expected, "a block needs one column per result");
}

}  // namespace

struct BlockInverseDynamics::Workspace {
  Workspace(const Arm& given, Method chosen)
      : arm(std::make_shared<const Arm>(given)),
        method(chosen),
        torques(
            [a = arm, chosen](WrenchInput wrench) { return torque_program(*a, chosen, wrench); }),
        terms([a = arm, chosen](WrenchInput wrench) { return terms_program(*a, chosen, wrench); }),
        reactions([a = arm](WrenchInput wrench) { return reactions_program(*a, wrench); }) {}

  [[nodiscard]] std::size_t dof() const { return arm->dof(); }

  void check(const MotionBlock& motion, std::size_t results, std::size_t expected) const {
    require_block(dof(), {motion.q, motion.qd, motion.qdd}, motion.wrench, results, expected);
  }

  /// Runs the program and what is to be added to its results; leaves samples where something is
  /// not finite, or all where there is no program, to `single(dynamics, state, wrench, values)`, which
  /// decides.
  template <class Add, class Single>
  void run(ProgramRunner& program, const MotionBlock& motion,
           std::span<const ResultColumn> of_program, std::span<const ResultColumn> results,
           const Add& add, const Single& single) const {
    std::vector<std::size_t> left;
    if (program.run(motion.rows, {motion.q, motion.qd, motion.qdd}, motion.wrench, of_program)) {
      add();
      left = program.rows_not_finite(motion.rows, motion.wrench, results);
    } else {
      left = in_order(motion.rows);
    }
    if (left.empty()) return;
    InverseDynamics dynamics(*arm, method);
    compute_rows({motion.q, motion.qd, motion.qdd}, motion.wrench, left, results,
                 [&](const MotionState& state, const Wrench& wrench, std::span<double> values) {
                   single(dynamics, state, wrench, values);
                 });
  }

  std::shared_ptr<const Arm> arm;
  Method method;
  ProgramRunner torques, terms, reactions;
};

BlockInverseDynamics::BlockInverseDynamics(const Arm& arm, Method method)
    : workspace_(std::in_place, arm, method) {}

void BlockInverseDynamics::torque(const MotionBlock& motion, std::span<const ResultColumn> tau) {
  Workspace& w = *workspace_;
  w.check(motion, tau.size(), w.dof());
  w.run(
      w.torques, motion, tau, tau, [&] { add_drive_torques(*w.arm, motion, tau); },
      [](InverseDynamics& dynamics, const MotionState& state, const Wrench& wrench,
         std::span<double> values) { dynamics.torque(state, wrench, values); });
}

void BlockInverseDynamics::terms(const MotionBlock& motion, std::span<const ResultColumn> parts) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check(motion, parts.size(), 6 * n);
  const auto part = [&](std::size_t k) { return parts.subspan(k * n, n); };
  std::vector<ResultColumn> of_links;
  for (const std::size_t k : {0U, 1U, 2U, 5U}) {
    of_links.insert(of_links.end(), part(k).begin(), part(k).end());
  }
  const auto add_drives = [&] {
    for (std::size_t row = 0; row < motion.rows; ++row) {
      const auto in_row = [row](std::span<const ResultColumn> columns) {
        return [columns, row](std::size_t i) -> double& { return columns[i][row]; };
      };
      drive_terms(*w.arm, InRow{motion.q, row}, InRow{motion.qd, row}, InRow{motion.qdd, row},
                  in_row(part(3)), in_row(part(4)));
    }
  };
  w.run(w.terms, motion, of_links, parts, add_drives,
        [n](InverseDynamics& dynamics, const MotionState& state, const Wrench& wrench,
            std::span<double> values) {
          const auto of = [&](std::size_t p) { return values.subspan(p * n, n); };
          dynamics.terms(state, wrench, {of(0), of(1), of(2), of(3), of(4), of(5)});
        });
}

void BlockInverseDynamics::reactions(const MotionBlock& motion,
                                     std::span<const ResultColumn> wrenches) {
  Workspace& w = *workspace_;
  w.check(motion, wrenches.size(), 6 * w.dof());
  w.run(
      w.reactions, motion, wrenches, wrenches, [] {},
      [&](InverseDynamics& dynamics, const MotionState& state, const Wrench& wrench,
          std::span<double> values) {
        std::vector<Wrench> of_joints(w.dof());
        dynamics.reactions(state, wrench, of_joints);
        auto value = values.begin();
        for (const Wrench& reaction : of_joints) {
          value = std::ranges::copy(stacked(reaction), value).out;
        }
      });
}

namespace {

/// c = max(c, k |x|), sample by sample.
void raise(std::span<double> c, double k, const double* x) {
  for (std::size_t row = 0; row < c.size(); ++row) {
    const double value = k * std::abs(x[row]);
    c[row] = value > c[row] ? value : c[row];
  }
}

}  // namespace

struct BlockForwardDynamics::Workspace {
  Workspace(const Arm& given, ForwardMethod chosen)
      : arm(std::make_shared<const Arm>(given)),
        method(chosen),
        rotors(rotor_inertias(given)),
        forward(
            [a = arm, chosen](WrenchInput wrench) { return forward_program(*a, chosen, wrench); }),
        mass_matrix([a = arm](WrenchInput) { return mass_matrix_program(*a); }),
        bias([a = arm](WrenchInput wrench) { return bias_program(*a, wrench); }) {}

  [[nodiscard]] std::size_t dof() const { return arm->dof(); }

  [[nodiscard]] std::vector<double> chain_bounds(const ForwardBlock& block) const {
    std::vector<double> result(dof()), at_row(dof()), q(dof());
    for (std::size_t row = 0; row < block.rows; ++row) {
      for (std::size_t i = 0; i < dof(); ++i) q[i] = block.q[i][row];
      bound_inertias_at(q, *arm, rotors.diagonal, at_row);
      for (std::size_t i = 0; i < dof(); ++i) result[i] = std::max(result[i], at_row[i]);
    }
    return result;
  }

  /// Upper bounds of the diagonal of M over the block.
  [[nodiscard]] std::vector<double> bounds(const ForwardBlock& block) const {
    if (!arm->is_serial()) return chain_bounds(block);
    const auto length = [&](std::size_t i) {
      const Link& link = arm->links[i];
      double travel = 0.0;
      if (!is_turning(link.joint)) {
        for (std::size_t row = 0; row < block.rows; ++row) {
          travel = std::max(travel, std::abs(block.q[i][row]));
        }
      }
      return std::abs(link.a) +
             (std::abs(link.sin_alpha) + std::abs(link.cos_alpha)) * (std::abs(link.d) + travel);
    };
    std::vector<double> result(dof());
    bound_inertias(*arm, rotors.diagonal, length, result);
    return result;
  }

  /// Marks samples that need more than the program does: a pivot that may be rounding, a solution
  /// that may need refining, or what is not a number. Errs on the side of marking. States whether there
  /// are any.
  bool mark(const ForwardBlock& block, std::span<const ResultColumn> qdd,
            std::span<const ResultColumn> h, std::span<const ResultColumn> pivots) {
    const std::vector<double> bound = bounds(block);
    const double rounding = 2.0 * pivot_rounding(dof());
    bool any = false;
    is_marked.assign(block.rows, 0);
    const auto mark_where = [&](const auto& is_so) {  // looks first, in SIMD: mostly none is
      std::uint64_t found = 0;
      for (std::size_t row = 0; row < block.rows; ++row) {
        found |= static_cast<std::uint64_t>(is_so(row));
      }
      for (std::size_t row = 0; found != 0 && row < block.rows; ++row) is_marked[row] |= is_so(row);
      return found != 0;
    };
    inertial.assign(block.rows, 0.0);
    torque.assign(block.rows, 0.0);
    for (std::size_t i = 0; i < dof(); ++i) {
      const double smallest = rounding * bound[i];
      any |= mark_where(
          [pivot = pivots[i], smallest](std::size_t row) { return !(pivot[row] > smallest); });
      raise(inertial, bound[i], qdd[i]);
      raise(torque, 1.0, block.tau[i]);
      raise(torque, 1.0, h[i]);
    }
    for (const std::size_t row : forward.rows_not_finite(block.rows, block.wrench, qdd)) {
      is_marked[row] = 1;
      any = true;
    }
    any |= mark_where([x = inertial.data(), y = torque.data()](std::size_t row) {
      return rounding_shows(2.0 * x[row], y[row]);
    });
    return any;
  }

  std::shared_ptr<const Arm> arm;
  ForwardMethod method;
  RotorInertias rotors;
  ProgramRunner forward, mass_matrix, bias;
  Columns force, results;
  std::vector<double> inertial, torque;
  std::vector<char> is_marked;
};

BlockForwardDynamics::BlockForwardDynamics(const Arm& arm)
    : BlockForwardDynamics(arm, fastest_method(arm.dof())) {}
BlockForwardDynamics::BlockForwardDynamics(const Arm& arm, ForwardMethod method)
    : workspace_(std::in_place, arm, method) {}

void BlockForwardDynamics::acceleration(const ForwardBlock& block,
                                        std::span<const ResultColumn> qdd) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  require_block(n, {block.q, block.qd, block.tau}, block.wrench, qdd.size(), n);

  resize(w.force, n, block.rows);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(block.tau[i], block.rows, w.force[i].begin());
  subtract_friction(*w.arm, {block.rows, block.q, block.qd, block.qd, {}}, places(w.force));
  const std::vector<Column> left = places(std::as_const(w.force));
  ForwardBlock lossless = block;
  lossless.tau = left;
  lossless_acceleration(lossless, qdd);
}

void BlockForwardDynamics::lossless_acceleration(const ForwardBlock& block,
                                                 std::span<const ResultColumn> qdd) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  require_block(n, {block.q, block.qd, block.tau}, block.wrench, qdd.size(), n);
  resize(w.results, 2 * n, block.rows);
  const std::vector<ResultColumn> h_and_pivots = places(w.results);
  const std::span rest(h_and_pivots);
  std::vector<ResultColumn> results(qdd.begin(), qdd.end());
  results.insert(results.end(), rest.begin(), rest.end());
  if (w.method != ForwardMethod::strobe &&
      w.forward.run(block.rows, {block.q, block.qd, block.tau}, block.wrench, results)) {
    if (!w.mark(block, qdd, rest.first(n), rest.last(n))) return;
  } else {
    w.is_marked.assign(block.rows, 1);
  }
  std::vector<std::size_t> marked;
  for (std::size_t row = 0; row < block.rows; ++row) {
    if (w.is_marked[row] != 0) marked.push_back(row);
  }
  if (marked.empty()) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  compute_rows({block.q, block.qd, block.tau}, block.wrench, marked, qdd,
               [&](const auto& x, const Wrench& wrench, std::span<double> values) {
                 const auto& [q, qd, torque] = x;
                 dynamics.lossless_acceleration(q, qd, torque, wrench, values);
               });
}

void BlockForwardDynamics::mass_matrix(const ForwardBlock& block,
                                       std::span<const ResultColumn> lower) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  require_block(n, {block.q}, {}, lower.size(), n * (n + 1) / 2);
  if (w.mass_matrix.run(block.rows, {block.q}, {}, lower)) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  std::vector<double> M(n * n);
  compute_rows({block.q, {}, {}}, {}, in_order(block.rows), lower,
               [&](const MotionState& x, const Wrench& /*wrench*/, std::span<double> values) {
                 dynamics.mass_matrix(x.q, M);
                 auto value = values.begin();
                 for (std::size_t i = 0; i < n; ++i) {
                   value =
                       std::copy_n(M.begin() + static_cast<std::ptrdiff_t>(i * n), i + 1, value);
                 }
               });
}

void BlockForwardDynamics::bias(const ForwardBlock& block, std::span<const ResultColumn> h) {
  Workspace& w = *workspace_;
  require_block(w.dof(), {block.q, block.qd}, block.wrench, h.size(), w.dof());
  if (w.bias.run(block.rows, {block.q, block.qd}, block.wrench, h)) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  compute_rows({block.q, block.qd, {}}, block.wrench, in_order(block.rows), h,
               [&](const MotionState& x, const Wrench& wrench, std::span<double> values) {
                 dynamics.bias(x.q, x.qd, wrench, values);
               });
}

}  // namespace armdyn
