#pragma once

namespace armdyn {

/// How a joint stands to its dry friction.
enum class JointMode {
  smooth,    ///< has none
  sticking,  ///< at rest, held by it
  forward,   ///< slides in the positive direction, or is about to
  backward,  ///< slides in the negative direction, or is about to
};

[[nodiscard]] constexpr int direction(JointMode mode) {
  return mode == JointMode::forward ? 1 : mode == JointMode::backward ? -1 : 0;
}

}  // namespace armdyn
