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

/// The list of them; a variable's reference is its place.
struct FmuVariables {
  explicit FmuVariables(const Robot& robot);

  std::vector<FmuVariable> all;

  // The places of the first of each group.
  std::size_t time, q0, qd0, gravity, payload_mass, payload_com, friction_scale;  // to be set first
  std::size_t tau, force, moment;                                                 // inputs
  std::size_t q, qd, qdd, tcp_position, tcp_rotation, energy;                     // outputs

 private:
  std::size_t add(const std::string& name, Causality causality,
                  const std::vector<FmuVariable>& entries);
};

/// Co-simulation by the versions 2.0 and 3.0 of the standard.
enum class FmiVersion { fmi2, fmi3 };

/// The file modelDescription.xml; the token is the unit's (ArmUnit).
[[nodiscard]] std::string model_description(const Robot& robot, FmiVersion version,
                                            const std::string& identifier, const std::string& token,
                                            double step, const std::string& tool);

/// "DIGEST STEP": the robot file of a unit, and the longest step of its integrator, s.
[[nodiscard]] std::string fmu_token(const std::string& digest, double step);

}  // namespace armdyn
