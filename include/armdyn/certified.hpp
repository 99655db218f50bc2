#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <span>

// Proven bounds of the error of torques (docs/derivation.md, section 15).

namespace armdyn {

/// Accuracy of the robot's numbers. A motion's numbers and 0 are always exact doubles. So are
/// numbers that no file has: those of robots built in code, defaults, and those changed after
/// reading (Robot::file_accuracy).
enum class InputAccuracy {
  none,     ///< the doubles are exact
  file,     ///< the decimals of the file are exact
  decimal,  ///< the decimals of the file are known to half a unit of the last one
};

/// Bounds of the error of torques, by RNEA in 50 digits with a bound of its own rounding, the
/// set-up of the arm included. Takes some 0.3 ms for six joints.
class CertifiedTorque {
 public:
  /// Torques with those of the drives, friction and rotors, or of the links alone.
  enum class Of { arm, links };
  CertifiedTorque(const Robot& robot, InputAccuracy input, Of of = Of::arm);

  /// Sets the state of the torques; `wrench` as in InverseDynamics. Throws std::invalid_argument
  /// where a size is wrong.
  void set(const MotionState& state, const Wrench& wrench);
  /// Upper bounds of |τ − true τ|, N·m or N, of torques of that state by any formulation. Infinite
  /// where there is none, as before any state is set. Both have dof entries; throws
  /// std::invalid_argument where a size is wrong.
  void errors(std::span<const double> tau, std::span<double> errors) const;

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

}  // namespace armdyn
