#pragma once

#include "math/vec.hpp"

namespace armdyn {

/// What the tool exerts on the environment, at the origin and in the axes of the tool frame.
template <class S>
struct HandWrench {
  Vec<S> force, moment;
};

}  // namespace armdyn
