#include <armdyn/inverse_dynamics.hpp>

#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "dynamics/arm_program.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/states.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

/// One sample at a time, for what the programs leave.
struct SingleCalls {
  SingleCalls(const Arm& arm, Method method)
      : dynamics(arm, method), row(arm.dof()), parts(6 * arm.dof()), wrenches(arm.dof()) {}

  InverseDynamics dynamics;
  BlockRow row;
  std::vector<double> parts;  ///< of the torque, or the torque
  std::vector<Wrench> wrenches;
};

}  // namespace

struct BlockInverseDynamics::Workspace {
  Workspace(const Arm& given, Method chosen)
      : arm(std::make_shared<const Arm>(given)),
        method(chosen),
        torques([a = arm, chosen](HandInput hand) { return torque_program(*a, chosen, hand); }),
        terms([a = arm, chosen](HandInput hand) { return terms_program(*a, chosen, hand); }),
        reactions([a = arm](HandInput hand) { return reactions_program(*a, hand); }) {}

  [[nodiscard]] std::size_t dof() const { return arm->dof(); }

  void check(const MotionBlock& motion, std::size_t results, std::size_t expected) const {
    require_columns(dof(), {motion.q, motion.qd, motion.qdd}, motion.hand);
    if (results != expected) throw std::invalid_argument("a block needs one column per result");
  }

  /// Runs the program and what is to be added to its results; leaves samples of which something is
  /// not finite, or all where there is no program, to the single call, which decides.
  template <class Add, class Single>
  void run(ProgramRunner& program, const MotionBlock& motion,
           std::span<const ResultColumn> of_program, std::span<const ResultColumn> results,
           const Add& add, const Single& single) const {
    std::vector<std::size_t> left;
    if (program.run(motion.rows, {motion.q, motion.qd, motion.qdd}, motion.hand, of_program)) {
      add();
      left = program.rows_not_finite(motion.rows, motion.hand, results);
    } else {
      left.resize(motion.rows);
      std::iota(left.begin(), left.end(), std::size_t{0});
    }
    if (left.empty()) return;
    SingleCalls calls(*arm, method);
    for (const std::size_t row : left) {
      calls.row.read(motion, row);
      call_for(row, [&](std::size_t k) { single(calls, k); });
    }
  }

  [[nodiscard]] static DriveColumns columns_of(const MotionBlock& motion, std::size_t joint) {
    const auto column = [&](std::span<const Column> columns) {
      return std::span(columns[joint], motion.rows);
    };
    return {column(motion.q), column(motion.qd), column(motion.qdd)};
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
  const auto add_drives = [&] {
    for (std::size_t i = 0; i < w.dof(); ++i) {
      add_drive_torques(w.arm->drives[i], Workspace::columns_of(motion, i), {tau[i], motion.rows});
    }
    for (std::size_t row = 0; !w.arm->coupled_motors.empty() && row < motion.rows; ++row) {
      coupled_motor_torques<double>(w.arm->coupled_motors, InRow{motion.qd, row},
                                    InRow{motion.qdd, row}, by_speed, adding_to_row(tau, row));
    }
  };
  w.run(w.torques, motion, tau, tau, add_drives, [&](SingleCalls& calls, std::size_t k) {
    const std::span<double> values = std::span(calls.parts).first(w.dof());
    calls.dynamics.torque(calls.row.state(), calls.row.hand(), values);
    for (std::size_t i = 0; i < w.dof(); ++i) tau[i][k] = values[i];
  });
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
  w.run(w.terms, motion, of_links, parts, add_drives, [&](SingleCalls& calls, std::size_t k) {
    const auto values = [&](std::size_t p) { return std::span(calls.parts).subspan(p * n, n); };
    calls.dynamics.terms(calls.row.state(), calls.row.hand(),
                         {values(0), values(1), values(2), values(3), values(4), values(5)});
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i][k] = calls.parts[i];
  });
}

void BlockInverseDynamics::reactions(const MotionBlock& motion,
                                     std::span<const ResultColumn> wrenches) {
  Workspace& w = *workspace_;
  w.check(motion, wrenches.size(), 6 * w.dof());
  w.run(
      w.reactions, motion, wrenches, wrenches, [] {},
      [&](SingleCalls& calls, std::size_t k) {
        calls.dynamics.reactions(calls.row.state(), calls.row.hand(), calls.wrenches);
        auto column = wrenches.begin();
        for (const Wrench& wrench : calls.wrenches) {
          for (const double value : stacked(wrench)) (*column++)[k] = value;
        }
      });
}

namespace {

/// Columns of own memory.
class OwnColumns {
 public:
  std::span<const ResultColumn> resize(std::size_t columns, std::size_t rows) {
    values_.resize(columns * rows);
    columns_.clear();
    for (std::size_t i = 0; i < columns; ++i) columns_.push_back(values_.data() + i * rows);
    return columns_;
  }

 private:
  std::vector<double> values_;
  std::vector<ResultColumn> columns_;
};

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
        forward([a = arm, chosen](HandInput hand) { return forward_program(*a, chosen, hand); }),
        mass_matrix([a = arm](HandInput) { return mass_matrix_program(*a); }),
        bias([a = arm](HandInput hand) { return bias_program(*a, hand); }) {}

  [[nodiscard]] std::size_t dof() const { return arm->dof(); }

  void check(std::initializer_list<std::span<const Column>> groups, std::span<const Column> hand,
             std::size_t found, std::size_t expected) const {
    require_columns(dof(), groups, hand);
    if (found != expected) throw std::invalid_argument("a block needs one column per result");
  }

  /// Upper bounds of the diagonal of M over the block.
  [[nodiscard]] std::vector<double> bounds(const ForwardBlock& block) const {
    const auto length = [&](std::size_t i) {
      const Link& link = arm->links[i];
      double travel = 0.0;
      if (link.joint == JointType::prismatic) {
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
  /// that may need refining, or what is not a number. Errs on the side of marking.
  void mark(const ForwardBlock& block, std::span<const ResultColumn> qdd,
            std::span<const ResultColumn> h, std::span<const ResultColumn> pivots) {
    const std::vector<double> bound = bounds(block);
    const double rounding = 2.0 * pivot_rounding(dof());
    is_marked.assign(block.rows, 0);
    inertial.assign(block.rows, 0.0);
    torque.assign(block.rows, 0.0);
    for (std::size_t i = 0; i < dof(); ++i) {
      const double smallest = rounding * bound[i];
      for (std::size_t row = 0; row < block.rows; ++row) {
        is_marked[row] |= !(pivots[i][row] > smallest);
      }
      raise(inertial, bound[i], qdd[i]);
      raise(torque, 1.0, block.torque[i]);
      raise(torque, 1.0, h[i]);
    }
    for (const std::size_t row : forward.rows_not_finite(block.rows, block.hand, qdd)) {
      is_marked[row] = 1;
    }
    for (std::size_t row = 0; row < block.rows; ++row) {
      is_marked[row] |= rounding_shows(2.0 * inertial[row], torque[row]);
    }
  }

  std::shared_ptr<const Arm> arm;
  ForwardMethod method;
  RotorInertias rotors;
  ProgramRunner forward, mass_matrix, bias;
  OwnColumns force_columns, results;
  std::vector<double> inertial, torque;
  std::vector<char> is_marked;
};

BlockForwardDynamics::BlockForwardDynamics(const Arm& arm)
    : BlockForwardDynamics(arm, fastest_method(arm.dof())) {}
BlockForwardDynamics::BlockForwardDynamics(const Arm& arm, ForwardMethod method)
    : workspace_(std::in_place, arm, method) {}

void BlockForwardDynamics::accelerations(const ForwardBlock& block,
                                         std::span<const ResultColumn> qdd) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check({block.q, block.qd, block.torque}, block.hand, qdd.size(), n);

  const std::span<const ResultColumn> force = w.force_columns.resize(n, block.rows);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(block.torque[i], block.rows, force[i]);
    subtract_friction(w.arm->drives[i], {{block.q[i], block.rows}, {block.qd[i], block.rows}, {}},
                      {force[i], block.rows});
  }
  for (std::size_t row = 0; !w.arm->coupled_motors.empty() && row < block.rows; ++row) {
    coupled_motor_torques<double>(
        w.arm->coupled_motors, InRow{block.qd, row}, AtRest{}, by_speed,
        [&](std::size_t joint, double torque) { force[joint][row] -= torque; });
  }
  const std::vector<Column> left(force.begin(), force.end());
  ForwardBlock lossless = block;
  lossless.torque = left;
  lossless_accelerations(lossless, qdd);
}

void BlockForwardDynamics::lossless_accelerations(const ForwardBlock& block,
                                                  std::span<const ResultColumn> qdd) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check({block.q, block.qd, block.torque}, block.hand, qdd.size(), n);
  const std::span<const ResultColumn> rest = w.results.resize(2 * n, block.rows);
  std::vector<ResultColumn> results(qdd.begin(), qdd.end());
  results.insert(results.end(), rest.begin(), rest.end());
  if (w.method != ForwardMethod::strobe &&
      w.forward.run(block.rows, {block.q, block.qd, block.torque}, block.hand, results)) {
    w.mark(block, qdd, rest.first(n), rest.last(n));
  } else {
    w.is_marked.assign(block.rows, 1);
  }
  if (std::find(w.is_marked.begin(), w.is_marked.end(), 1) == w.is_marked.end()) return;

  ForwardDynamics dynamics(*w.arm, w.method);
  BlockRow row(n);
  std::vector<double> values(n);
  for (std::size_t k = 0; k < block.rows; ++k) {
    if (w.is_marked[k] == 0) continue;
    row.read(block, k);
    call_for(k, [&](std::size_t) {
      dynamics.lossless_accelerations(row.q(), row.qd(), row.torque(), row.hand(), values);
    });
    for (std::size_t i = 0; i < n; ++i) qdd[i][k] = values[i];
  }
}

void BlockForwardDynamics::mass_matrix(const ForwardBlock& block,
                                       std::span<const ResultColumn> lower) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check({block.q}, {}, lower.size(), n * (n + 1) / 2);
  if (w.mass_matrix.run(block.rows, {block.q}, {}, lower)) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  BlockRow row(n);
  std::vector<double> M(n * n);
  for (std::size_t k = 0; k < block.rows; ++k) {
    row.read(ForwardBlock{block.rows, block.q, {}, {}, {}}, k);
    dynamics.mass_matrix(row.q(), M);
    auto column = lower.begin();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) (*column++)[k] = M[i * n + j];
    }
  }
}

void BlockForwardDynamics::bias(const ForwardBlock& block, std::span<const ResultColumn> h) {
  Workspace& w = *workspace_;
  w.check({block.q, block.qd}, block.hand, h.size(), w.dof());
  if (w.bias.run(block.rows, {block.q, block.qd}, block.hand, h)) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  BlockRow row(w.dof());
  std::vector<double> values(w.dof());
  for (std::size_t k = 0; k < block.rows; ++k) {
    row.read(ForwardBlock{block.rows, block.q, block.qd, {}, block.hand}, k);
    dynamics.bias(row.q(), row.qd(), row.hand(), values);
    for (std::size_t i = 0; i < w.dof(); ++i) h[i][k] = values[i];
  }
}

}  // namespace armdyn
