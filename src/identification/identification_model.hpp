#pragma once

// What is asked of an arm's logs (docs/derivation.md, section 28).

#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "identification/torque_fit.hpp"

namespace armdyn {

enum class FrictionLaw { as_the_robot, viscous, coulomb, sigmoid };

struct IdentifyTask {
  FrictionLaw law = FrictionLaw::as_the_robot;
  std::vector<std::string>
      free;  ///< payload, rotors, friction, offsets, delay, names of joints; none: all
             ///< but the payload
  std::vector<std::string> fixed{};
  double prior_weight = 1.0;
  double dead_zone = 0.01;  ///< rad/s, m/s: slower rows say nothing where dry friction jumps
};

/// Which parameters of a robot are asked for, and how rows of its motion become equations.
class IdentificationModel {
 public:
  /// Throws std::invalid_argument with words for the user for a name that is no part of the robot.
  IdentificationModel(const Robot& robot, IdentifyTask task);

  [[nodiscard]] const Robot& robot() const { return robot_; }
  [[nodiscard]] const IdentifyTask& task() const { return task_; }
  [[nodiscard]] const Regressor& regressor() const { return regressor_; }
  [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
  [[nodiscard]] bool is_free(std::size_t parameter) const { return is_free_[parameter]; }
  [[nodiscard]] const BaseParameters& base() const { return base_; }
  /// Whether the delay of the torques is looked for. It comes last, after the base parameters.
  [[nodiscard]] bool finds_delay() const { return finds_delay_; }
  /// Base parameters alone.
  [[nodiscard]] const TorqueFitRows::UsedColumns& used() const { return used_; }
  /// Whether dry friction that a joint's torque has in it jumps near these speeds: within the dead
  /// zone of the joint's, or of those of coupled motors over the sum of their ratios; or within a
  /// window of such a width, s, for these accelerations.
  [[nodiscard]] bool is_slow(std::size_t joint, std::span<const double> qd,
                             std::span<const double> qdd = {}, double window = 0.0) const;

 private:
  IdentifyTask task_;
  Robot robot_;  ///< with the laws of friction that are fitted
  Regressor regressor_;
  std::vector<std::size_t> free_;
  std::vector<bool> is_free_;
  BaseParameters base_;
  bool finds_delay_;
  TorqueFitRows::UsedColumns used_;
  std::vector<bool> jumps_;  ///< dry friction of a joint, or of its coupled motor
};

}  // namespace armdyn
