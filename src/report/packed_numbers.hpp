#pragma once

// Columns of numbers as text for the script of a page: a tenth of doubles where they are smooth.

#include <armdyn/json.hpp>

#include <span>

namespace armdyn {

/// Numbers as [order, divisor, text]. The divisor makes them integers: a power of ten where all are
/// decimals, which keep their value, else of two, which keeps 48 bits of the largest. The text has
/// the differences of this order, each from the numbers before it; the first have a lower order. Its
/// base64 digits have 5 bits each and a sixth where more follow, lowest first, beginning with the
/// sign, as in source maps. "B", minus zero, is NaN.
[[nodiscard]] Json packed(std::span<const double> values);

}  // namespace armdyn
