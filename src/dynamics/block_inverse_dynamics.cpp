#include <armdyn/inverse_dynamics.hpp>

#include <optional>
#include <stdexcept>
#include <vector>

#include "dynamics/arm_program.hpp"
#include "dynamics/friction.hpp"
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
    std::optional<SingleCalls> calls;
    const auto call = [&](std::size_t row) {
      call_for(row, [&](std::size_t k) {
        if (!calls) calls.emplace(*arm, method);
        calls->row.read(motion, k);
        single(*calls, k);
      });
    };
    if (!program.run(motion.rows, {motion.q, motion.qd, motion.qdd}, motion.hand, of_program)) {
      for (std::size_t row = 0; row < motion.rows; ++row) call(row);
      return;
    }
    add();
    for (;;) {
      const std::size_t first = program.first_not_finite(motion.rows, motion.hand, results);
      if (first == motion.rows) return;
      call(first);
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
    for (std::size_t i = 0; i < n; ++i) {
      const DriveColumns x = Workspace::columns_of(motion, i);
      const Drive& drive = w.arm->drives[i];
      for (std::size_t row = 0; row < motion.rows; ++row) {
        part(3)[i][row] = loss_torque(drive, x.q[row], x.qd[row], direction_of(x.qd[row]));
        part(4)[i][row] = rotor_torque(drive.motor, x.qdd[row]);
      }
    }
    for (std::size_t row = 0; !w.arm->coupled_motors.empty() && row < motion.rows; ++row) {
      coupled_motor_torques<double>(w.arm->coupled_motors, InRow{motion.qd, row}, AtRest{},
                                    by_speed, adding_to_row(part(3), row));
      coupled_motor_torques<double>(w.arm->coupled_motors, AtRest{}, InRow{motion.qdd, row},
                                    by_speed, adding_to_row(part(4), row));
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

}  // namespace armdyn
