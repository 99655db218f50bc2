#pragma once

#include <numbers>

namespace armdyn {

// In this order of operations right angles come out exact: 90 deg is the double nearest π/2.
constexpr double radians(double degrees) {
  return degrees / 180.0 * std::numbers::pi;
}
constexpr double degrees(double radians) {
  return radians / std::numbers::pi * 180.0;
}

}  // namespace armdyn
