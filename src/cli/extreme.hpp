#pragma once

namespace armdyn {

/// The largest value so far, from 0 up, and when it first came.
struct Extreme {
  double value = 0.0;
  double t = 0.0;

  void raise(double candidate, double time) {
    if (candidate > value) *this = {candidate, time};
  }
};

}  // namespace armdyn
