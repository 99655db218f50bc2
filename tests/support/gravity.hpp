#pragma once

namespace armdyn::testing {

inline constexpr double g = 9.81;  // m/s²

}  // namespace armdyn::testing
