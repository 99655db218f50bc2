#pragma once

#include <armdyn/arm.hpp>

#include <string>
#include <variant>
#include <vector>

#include "dynamics/arm_state.hpp"
#include "dynamics/examination.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

/// An arm as its file says it: a table, or frames and axes.
using Description = std::variant<Arm, SerialChain>;

/// How far an output may be from its input: 1e-9, and what snapping explains.
struct Allowed {
  double hand = 0.0, turn = 0.0, jacobian = 0.0;  ///< as in Deviation
  double gravity = 0.0, torque = 0.0;             ///< N·m or N
};

/// That input and output are one arm: what they say of random states.
struct Proof {
  std::size_t states = 0;
  Deviation found;
  Allowed allowed;
  bool agrees = false;
};

[[nodiscard]] Proof prove(const Description& input, const Description& output,
                          const std::vector<Joint>& joints, double size,
                          const std::vector<Snapped>& snapped);

}  // namespace armdyn
