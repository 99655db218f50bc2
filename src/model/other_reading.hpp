#pragma once

// Rule that names what a log's columns seem to be (docs/derivation.md, section 36), of rates as
// of torques. Residuals are over the root mean square of what a reading explains.

namespace armdyn {

constexpr double explained = 0.4;  // largest residual of a reading that is named
constexpr double clearly = 0.5;    // of the residuals of others

/// Tests whether a reading is named before another, or before the columns as they stand.
constexpr bool is_named(double left, double left_of_other) {
  return left < explained && left < clearly * left_of_other;
}

}  // namespace armdyn
