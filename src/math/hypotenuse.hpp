#pragma once

namespace armdyn {

/// √(x² + y²), with the same bits on every machine; within 1 ulp. Those of std::hypot depend on
/// whether the processor fuses products and sums.
[[nodiscard]] double hypotenuse(double x, double y) noexcept;

}  // namespace armdyn
