#pragma once

// Other possible meanings of a log's columns (docs/derivation.md, section 36).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "math/columns.hpp"

namespace armdyn {

/// Assumption on the conversion of a log's columns to positions and torques of joints.
struct LogHypothesis {
  enum class Measured {
    torques,        ///< of the joints, as given
    opposite,       ///< torques of the joints with the other sign
    motor_torques,  ///< N·m of the motors
    motor_side,     ///< motion and torques of the motors
  };
  /// Something in a joint's torque that no model of the robot has.
  enum class Effect { none, offset, scale, spring, counterweight };
  /// Point mass in the tool frame, in place of the robot's payload.
  struct Payload {
    double mass = 0.0;
    Vec3 com{};
    bool operator==(const Payload&) const = default;
  };
  /// Place of a joint's columns, and their conversion.
  struct Source {
    std::size_t column = 0;         ///< joint whose columns they seemed to be
    std::size_t torque_column = 0;  ///< likewise of the torque
    bool is_turned = false;         ///< motion and torque have the other sign
    bool is_torque_turned = false;  ///< the torque alone has the other sign
    double zero = 0.0;              ///< added to q, degrees
    int beside = 0;                 ///< times the motion of the joint before, which is added
    Effect effect = Effect::none;

    /// Tests whether it changes the motion, or the joint or sign of a torque.
    [[nodiscard]] bool is_moved(std::size_t joint) const {
      return *this != Source{.column = joint, .torque_column = joint, .effect = effect};
    }
    bool operator==(const Source&) const = default;
  };
  Measured measured = Measured::torques;
  std::vector<Source> joints;
  double later = 0.0;             ///< s: the torques of a motion come so much later
  std::optional<Vec3> gravity{};  ///< other than the robot's, m/s²
  std::optional<Payload> payload{};

  [[nodiscard]] bool moves_joints() const;
  [[nodiscard]] bool has_effects() const;
  bool operator==(const LogHypothesis&) const = default;
};

/// A hypothesis that fits much better than all others, or than all but one.
struct LogFinding {
  LogHypothesis hypothesis;
  double left = 0.0, left_as_given = 0.0;  ///< residual over torque, root mean square over joints
  std::vector<double> sizes{};             ///< of each joint's effect: N·m or N; measured over
                                           ///< predicted torque; N·m/rad or N/m; N·m
  std::string_view unit = {};  ///< in which the torques seem to be: "mN", of moments "mN.m"
  double unit_size = 1.0;
  bool are_currents = false;  ///< scales are of currents, which the robot file converts to torques
  bool is_alphabetical = false;  ///< the order of the columns is that of the names
  /// Joints whose zero, sign, or scale beside those of others, torques cannot determine;
  /// and those that turned around together are a mirror image.
  std::vector<std::size_t> unseen_zeros{}, unseen_signs{}, unseen_scales{}, mirrored{};
  std::vector<LogFinding> others{};  ///< that explain about as well, and assume no more

  /// Tests whether all that explain do so.
  [[nodiscard]] bool moves_joints() const;
};

/// Rows kept evenly among all, at most so many.
struct EvenRows {
  std::size_t most = 1000;
  std::size_t seen = 0, stride = 1;
  Columns columns{};

  void add(std::span<const Column> from, std::size_t row);
};

/// Comparison of hypotheses on some rows of a log, in bounded memory.
class LogHypotheses {
 public:
  LogHypotheses(const Robot& robot, const BlockInverseDynamics& dynamics)
      : robot_(robot), dynamics_(dynamics) {}

  /// Adds the rows of a block, in their order, with the measured torques; `t` may be empty.
  void add(const MotionBlock& motion, std::span<const double> t,
           std::span<const std::span<const double>> tau);

  /// Finds a hypothesis that is much better than all others but one. Each is fitted with Coulomb and viscous
  /// friction per joint, and its scales, on one half of the rows in which the joint moves, and
  /// judged on the other, both ways.
  [[nodiscard]] std::optional<LogFinding> find() const;

 private:
  const Robot& robot_;
  BlockInverseDynamics dynamics_;
  EvenRows rows_;                    ///< q, qd, qdd, tau of all joints, t, the contact wrench
  EvenRows torques_{.most = 20000};  ///< t, tau; t is row numbers where there is none
  bool has_time_ = true;
};

}  // namespace armdyn
