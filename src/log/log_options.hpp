#pragma once

#include <optional>
#include <vector>

#include "log/header_meaning.hpp"

namespace armdyn {

/// What to do where rows are missing, cannot be read, or come at a wrong time.
enum class Gaps {
  refuse,  ///< stop at the first
  skip,    ///< leave out, and connect nothing across a gap
  bridge,  ///< leave out, and connect across gaps
};

/// How a motion file is to be understood.
struct LogOptions {
  std::vector<ColumnChoice> columns;
  bool no_header = false;
  bool ignore_extra = false;
  bool motor_side = false;     ///< q, qd, qdd and tau are of the motors
  std::optional<double> rate;  ///< Hz: rows that have no t are so many per second, the first at 0

  std::optional<Gaps> gaps;  ///< absent: refuse where time matters
  bool derive = false;
  /// qd, qdd and tau are all taken from fits through the same windows, whatever rates the log has;
  /// rows that are not in the middle of their window are left out. With `derive`.
  bool smooth = false;
  bool derive_errors = false;       ///< columns with the standard uncertainty of what is derived
  std::optional<double> window;     ///< s; nothing: chosen from the data
  std::optional<double> from_time;  ///< s
  std::optional<double> to_time;    ///< s
  std::optional<double> resample;   ///< Hz
};

}  // namespace armdyn
