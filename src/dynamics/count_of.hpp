#pragma once

#include <armdyn/counts.hpp>

#include "math/counted.hpp"

namespace armdyn {

/// What the work does, on Counteds.
template <class Work>
Counted::Tally tallied(Work work) {
  Counted::tally() = {};
  work();
  return Counted::tally();
}

/// An arm of the same joints without a zero anywhere but in its tensors, which are along principal
/// axes.
inline Arm with_principal_axes(Arm arm) {
  for (Link& link : arm.links) {
    link = {link.joint, 1.0, 0.8, 0.6, 1.0, 0.8, 0.6, {1.0, {1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}}};
  }
  arm.v_dot_0 = {1.0, 1.0, 1.0};
  return arm;
}

inline Count count_of(const Counted::Tally& t) {
  const auto operations = [](const OperationTally& of) {
    return Operations{of.multiplications, of.additions};
  };
  return {operations(t.as_written), operations(t.principal), operations(t.needed)};
}

}  // namespace armdyn
