#pragma once

#include <armdyn/arm.hpp>

namespace armdyn {

/// The same arm without gravity.
[[nodiscard]] inline Arm weightless(Arm arm) {
  arm.v_dot_0 = {};
  return arm;
}

}  // namespace armdyn
