#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <functional>
#include <string>
#include <vector>

// What to say of a result that is not a finite number: numbers so large that a double does not hold
// what follows from them.

namespace armdyn {

/// All that a result follows from.
struct Inputs {
  Arm arm;
  std::vector<double> q{}, qd{}, qdd{}, tau{};  ///< dof entries, or none
  Wrench hand{};
};
[[nodiscard]] Inputs inputs_of(const Arm& arm, const MotionState& state, const Wrench& hand = {});

/// Whether a result that follows from these is finite.
using IsFinite = std::function<bool(const Inputs&)>;

/// Which of the inputs are too large, those without which the result would be finite: "qd of elbow,
/// 1e+160 rad/s, is too large".
[[nodiscard]] std::string too_large(const Inputs& inputs, const IsFinite& is_finite);

/// Throws NotFinite for what is found: "the torque of elbow is not a finite number: qd of elbow,
/// 1e+160 rad/s, is too large".
[[noreturn]] void refuse_not_finite(const std::string& found, const Inputs& inputs,
                                    const IsFinite& is_finite);

}  // namespace armdyn
