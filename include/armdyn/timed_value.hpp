#pragma once

namespace armdyn {

/// A value, and when it came.
struct TimedValue {
  double value = 0.0;
  double t = 0.0;  ///< s
};

}  // namespace armdyn
