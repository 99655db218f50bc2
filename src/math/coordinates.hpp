#pragma once

#include <armdyn/vector.hpp>

#include <array>
#include <span>

namespace armdyn {

template <class S>
[[nodiscard]] std::array<S, 3> coordinates(const Vec<S>& v) {
  return {v.x, v.y, v.z};
}

/// Of a twist or a wrench: linear, then angular.
template <class S>
[[nodiscard]] std::array<S, 6> stacked(const Vec<S>& linear, const Vec<S>& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}
template <class S>
[[nodiscard]] std::array<S, 6> stacked(const ForceAndMoment<S>& wrench) {
  return stacked(wrench.force, wrench.moment);
}

/// Of six numbers: force, then moment.
[[nodiscard]] inline Wrench wrench_of(std::span<const double> six) {
  return {{six[0], six[1], six[2]}, {six[3], six[4], six[5]}};
}

}  // namespace armdyn
