#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <span>

// How far a torque can be from the truth: proven, not estimated (docs/derivation.md, section 15).

namespace armdyn {

/// How exactly the robot's numbers are known. A motion's numbers are always taken as they are, and
/// so are 0 and numbers that do not stand in a file: those of robots built in code, defaults, and
/// whatever was changed after reading (Robot::as_written).
enum class InputAccuracy {
  none,     ///< the doubles are the numbers
  file,     ///< the decimal fractions are, that were read into doubles
  decimal,  ///< each is only known to half a unit of its last decimal
};

/// Bounds of the error of torques, by the recursion of Newton and Euler in 50 digits and with a
/// bound of what is lost there, the set-up included. Takes some 0.3 ms for six joints.
class CertifiedTorque {
 public:
  /// With the drives, friction and rotors, or of the links alone.
  enum class Of { arm, links };
  CertifiedTorque(const Robot& robot, InputAccuracy input, Of of = Of::arm);

  /// The state whose torques come next; `hand` as in InverseDynamics. Throws
  /// std::invalid_argument where a size is wrong.
  void set(const MotionState& state, const Wrench& hand);
  /// Of torques of that state, which may come from any formulation, N·m or N, an upper bound of
  /// |τ − true τ|; infinite where there is none. dof entries each; throws std::invalid_argument
  /// where a size is wrong.
  void errors(std::span<const double> tau, std::span<double> errors) const;

 private:
  struct Workspace;
  Owned<Workspace> workspace_;
};

}  // namespace armdyn
