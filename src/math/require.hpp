#pragma once

#include <stdexcept>

namespace armdyn {

/// Throws std::invalid_argument unless a caller's condition holds.
inline void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

}  // namespace armdyn
