#pragma once

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

// The variables of a Functional Mock-up Unit (FMU) of an arm.

namespace armdyn {

enum class Causality { independent, parameter, input, output };

struct FmuVariable {
  std::string name, unit, description;
  Causality causality = Causality::output;
  double start = 0.0;           ///< of parameters and inputs
  bool follows_inputs = false;  ///< an output that an input changes at once
};

/// Versions 2.0 and 3.0 of the standard.
enum class FmiVersion { fmi2, fmi3 };

struct FmuKind {
  FmiVersion version = FmiVersion::fmi2;
  double step = 1e-3;          ///< the longest of the integrator, s
  bool is_controlled = false;  ///< by computed torque, within the unit
};

/// Tests whether an importer may integrate the arm itself: without dry friction and limits of position.
[[nodiscard]] bool has_smooth_law(const Robot& robot);

/// The list of them; a variable's reference is its place.
struct FmuVariables {
  FmuVariables(const Robot& robot, bool is_controlled);

  std::vector<FmuVariable> all;

  // The places of the first of each group.
  std::size_t time, q0, qd0, gravity, payload_mass, payload_com, friction_scale;  // to be set first
  std::size_t kp = 0, kv = 0;                                                     // of a controller
  std::size_t inputs, force, moment;  // inputs: τ, or a controller's qᵈ, q̇ᵈ and q̈ᵈ
  std::size_t q, qd, qdd, tcp_position, tcp_rotation, energy;  // outputs

  /// Tests whether a variable is the derivative of one of the states q and q̇.
  [[nodiscard]] bool is_rate(std::size_t k) const { return k >= qd && k < tcp_position; }

 private:
  std::size_t add(const std::string& name, Causality causality,
                  const std::vector<FmuVariable>& entries);
};

/// The file modelDescription.xml; the token is the unit's (ArmUnit).
[[nodiscard]] std::string model_description(const Robot& robot, const FmuKind& kind,
                                            const std::string& identifier, const std::string& token,
                                            const std::string& tool);

/// "DIGEST STEP" or "DIGEST STEP controlled": the robot file of a unit, and the longest step of its
/// integrator, s.
[[nodiscard]] std::string fmu_token(const std::string& digest, const FmuKind& kind);

}  // namespace armdyn
