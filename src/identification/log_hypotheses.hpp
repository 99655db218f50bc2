#pragma once

// Other possible meanings of a log's columns (docs/derivation.md, section 36).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "math/columns.hpp"

namespace armdyn {

/// Assumption on the conversion of a log's columns to positions and torques of joints.
struct LogHypothesis {
  enum class Measured {
    torques,        ///< of the joints, as given
    opposite,       ///< torques of the joints with the other sign
    weightless,     ///< torques without those of gravity
    motor_torques,  ///< N·m of the motors
    motor_side,     ///< motion and torques of the motors
    currents,       ///< torques but for one scale per joint
  };
  /// Place of a joint's columns, and their conversion.
  struct Source {
    std::size_t column = 0;         ///< joint whose columns they seemed to be
    std::size_t torque_column = 0;  ///< likewise of the torque
    bool is_turned = false;         ///< motion and torque have the other sign
    bool is_torque_turned = false;  ///< the torque alone has the other sign
    int quarter_turns = 0;          ///< added to q

    bool operator==(const Source&) const = default;
  };
  Measured measured = Measured::torques;
  std::vector<Source> joints;
};

/// A hypothesis that fits much better than all others.
struct LogFinding {
  LogHypothesis hypothesis;
  double left = 0.0, left_as_given = 0.0;  ///< residual over torque, root mean square over joints
  std::vector<double> scales;              ///< of currents: measured over predicted; 0: not seen
  bool is_alphabetical = false;            ///< the order of the columns is that of the names
  /// Joints of which torques cannot tell the zero, or the sign; and those that turned around together
  /// are a mirror image.
  std::vector<std::size_t> unseen_zeros, unseen_signs, mirrored;
};

/// Comparison of hypotheses on some rows of a log, in bounded memory.
class LogHypotheses {
 public:
  LogHypotheses(const Robot& robot, const BlockInverseDynamics& dynamics)
      : robot_(robot), dynamics_(dynamics), columns_(4 * robot.dof()) {}

  /// Adds the rows of a block, in their order, with the measured torques.
  void add(const MotionBlock& motion, std::span<const std::span<const double>> tau);

  /// Finds a hypothesis that is much better than all others. Each is fitted with Coulomb and viscous
  /// friction per joint, of currents a scale too, on one half of the rows in which the joint moves,
  /// and judged on the other, both ways.
  [[nodiscard]] std::optional<LogFinding> find() const;

 private:
  const Robot& robot_;
  BlockInverseDynamics dynamics_;
  std::size_t rows_ = 0, stride_ = 1;
  Columns columns_;  ///< q, qd, qdd, tau of all joints, the hand wrench
};

}  // namespace armdyn
