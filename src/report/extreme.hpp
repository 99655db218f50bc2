#pragma once

#include <armdyn/trajectory.hpp>

namespace armdyn {

/// The largest value so far, from 0 up, and when it first came.
struct Extreme : TimedValue {
  void raise(double candidate, double time) {
    if (candidate > value) *this = {{candidate, time}};
  }
};

}  // namespace armdyn
