#pragma once

#include <stdexcept>

namespace armdyn {

/// Throws std::invalid_argument unless the caller keeps to what is asked of it.
inline void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

}  // namespace armdyn
