#pragma once

// What `inspect` knows about one state, and what it says.

#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot_file.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/inspect/options.hpp"
#include "report/document.hpp"

namespace armdyn {

/// Derivatives of the torque at the state, and the linear models that follow.
struct Linearization {
  TorqueDerivatives torque;
  std::optional<LinearModel> continuous;  ///< absent where M is singular
  std::optional<LinearModel> sampled;     ///< only where a sample time was asked for
  double sample_time = 0.0;               ///< s
  std::string refusal;                    ///< why a model is absent
};

struct Inspection {
  std::vector<double> q, qd, qdd;
  ArmPose pose;
  bool has_base = false;  ///< {0} stands elsewhere than the world's origin
  Matrix J, Jdot;
  Equations equations;
  Cartesian cartesian;
  std::vector<LinkMotion> links;
  std::vector<double> tau;  ///< of all drives at q, qd, qdd
  std::optional<Linearization> linear;
  std::optional<Equilibrium> equilibrium;
  std::vector<ArticulatedInertia> articulated;  ///< only where they were asked for
  std::vector<std::string> warnings;
};

/// Throws NumericsError where an equilibrium is asked for and not found.
[[nodiscard]] Inspection inspect(const Robot& robot, const InspectOptions& options);

/// The velocity of the tool point over the hand's angular velocity, J q̇: m/s and rad/s.
[[nodiscard]] std::vector<double> hand_twist(const Matrix& J, std::span<const double> qd);

/// What `--only` offers for each row of MOTION.
[[nodiscard]] std::vector<std::string> motion_part_keys();
/// Writes the parts that `--only` names for each row of MOTION, and a summary.
[[nodiscard]] Ending inspect_motion(const RobotFile& file, const InspectOptions& options);

/// Under the keys of docs/commands.md; of its parts those that `--only` names.
[[nodiscard]] Document inspection_answer(const Inspection& found, const RobotFile& file,
                                         const InspectOptions& options);

}  // namespace armdyn
