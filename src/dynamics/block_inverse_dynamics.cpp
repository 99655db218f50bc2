#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dynamics/block_row.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/program_runner.hpp"
#include "math/coordinates.hpp"
#include "math/finite.hpp"

namespace armdyn {

namespace {

/// One sample at a time, for what the programs leave.
struct SingleCalls {
  SingleCalls(const Arm& arm, Method method) : dynamics(arm, method), row(arm.dof()) {}

  InverseDynamics dynamics;
  BlockRow row;
};

void call_for_all(std::size_t rows, const std::function<void(std::size_t row)>& single) {
  for (std::size_t row = 0; row < rows; ++row) call_for(row, single);
}

/// Leaves samples of which a program has found something that is not finite to the single call,
/// which decides.
void call_where_not_finite(std::size_t rows, std::span<const ResultColumn> results,
                           const std::function<void(std::size_t row)>& single) {
  for (;;) {
    std::size_t first = rows;
    for (const ResultColumn column : results) {
      const std::span<const double> found(column, first);
      if (!all_finite(found)) first = first_not_finite(found);
    }
    if (first == rows) return;
    call_for(first, single);
  }
}

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

  static bool run(ProgramRunner& program, const MotionBlock& motion,
                  std::span<const ResultColumn> results) {
    return program.run(motion.rows, {motion.q, motion.qd, motion.qdd}, motion.hand, results);
  }

  SingleCalls& made(std::optional<SingleCalls>& calls) const {
    if (!calls) calls.emplace(*arm, method);
    return *calls;
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
    : workspace_(std::make_unique<Workspace>(arm, method)) {}
BlockInverseDynamics::BlockInverseDynamics(const BlockInverseDynamics& other)
    : workspace_(std::make_unique<Workspace>(*other.workspace_)) {}
BlockInverseDynamics& BlockInverseDynamics::operator=(const BlockInverseDynamics& other) {
  *workspace_ = *other.workspace_;
  return *this;
}
BlockInverseDynamics::BlockInverseDynamics(BlockInverseDynamics&&) noexcept = default;
BlockInverseDynamics& BlockInverseDynamics::operator=(BlockInverseDynamics&&) noexcept = default;
BlockInverseDynamics::~BlockInverseDynamics() = default;

void BlockInverseDynamics::torque(const MotionBlock& motion, std::span<const ResultColumn> tau) {
  Workspace& w = *workspace_;
  w.check(motion, tau.size(), w.dof());
  std::optional<SingleCalls> calls;
  std::vector<double> values(w.dof());
  const auto single = [&](std::size_t k) {
    auto& [dynamics, row] = w.made(calls);
    row.read(motion, k);
    dynamics.torque(row.state(), row.hand(), values);
    for (std::size_t i = 0; i < w.dof(); ++i) tau[i][k] = values[i];
  };
  if (!w.run(w.torques, motion, tau)) {
    call_for_all(motion.rows, single);
    return;
  }
  for (std::size_t i = 0; i < w.dof(); ++i) {
    add_drive_torques(w.arm->drives[i], Workspace::columns_of(motion, i), {tau[i], motion.rows});
  }
  for (std::size_t row = 0; !w.arm->coupled_motors.empty() && row < motion.rows; ++row) {
    coupled_motor_torques<double>(w.arm->coupled_motors, InRow{motion.qd, row},
                                  InRow{motion.qdd, row}, by_speed, adding_to_row(tau, row));
  }
  call_where_not_finite(motion.rows, tau, single);
}

void BlockInverseDynamics::terms(const MotionBlock& motion, std::span<const ResultColumn> parts) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check(motion, parts.size(), 6 * n);
  std::optional<SingleCalls> calls;
  std::vector<double> all(6 * n);
  const auto values = [&](std::size_t k) { return std::span(all).subspan(k * n, n); };
  const auto single = [&](std::size_t k) {
    auto& [dynamics, row] = w.made(calls);
    row.read(motion, k);
    dynamics.terms(row.state(), row.hand(),
                   {values(0), values(1), values(2), values(3), values(4), values(5)});
    for (std::size_t i = 0; i < all.size(); ++i) parts[i][k] = all[i];
  };

  const auto part = [&](std::size_t k) { return parts.subspan(k * n, n); };
  std::vector<ResultColumn> of_links;
  for (const std::size_t k : {0U, 1U, 2U, 5U}) {
    of_links.insert(of_links.end(), part(k).begin(), part(k).end());
  }
  if (!w.run(w.terms, motion, of_links)) {
    call_for_all(motion.rows, single);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const DriveColumns x = Workspace::columns_of(motion, i);
    const Drive& drive = w.arm->drives[i];
    for (std::size_t row = 0; row < motion.rows; ++row) {
      part(3)[i][row] = loss_torque(drive, x.q[row], x.qd[row], direction_of(x.qd[row]));
      part(4)[i][row] = rotor_torque(drive.motor, x.qdd[row]);
    }
  }
  for (std::size_t row = 0; !w.arm->coupled_motors.empty() && row < motion.rows; ++row) {
    coupled_motor_torques<double>(w.arm->coupled_motors, InRow{motion.qd, row}, AtRest{}, by_speed,
                                  adding_to_row(part(3), row));
    coupled_motor_torques<double>(w.arm->coupled_motors, AtRest{}, InRow{motion.qdd, row}, by_speed,
                                  adding_to_row(part(4), row));
  }
  call_where_not_finite(motion.rows, parts, single);
}

void BlockInverseDynamics::reactions(const MotionBlock& motion,
                                     std::span<const ResultColumn> wrenches) {
  Workspace& w = *workspace_;
  w.check(motion, wrenches.size(), 6 * w.dof());
  std::optional<SingleCalls> calls;
  std::vector<Wrench> values(w.dof());
  const auto single = [&](std::size_t k) {
    auto& [dynamics, row] = w.made(calls);
    row.read(motion, k);
    dynamics.reactions(row.state(), row.hand(), values);
    auto column = wrenches.begin();
    for (const Wrench& wrench : values) {
      for (const double value : stacked(wrench)) (*column++)[k] = value;
    }
  };
  if (w.run(w.reactions, motion, wrenches)) {
    call_where_not_finite(motion.rows, wrenches, single);
  } else {
    call_for_all(motion.rows, single);
  }
}

}  // namespace armdyn
