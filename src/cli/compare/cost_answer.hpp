#pragma once

// What the formulations cost: counted, as the papers have it, and in time.

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>
#include "dynamics/counts.hpp"

#include <string>
#include <vector>

#include "report/document.hpp"

namespace armdyn {

/// What one state costs by one method.
struct MethodCost {
  Method method = Method::newton_euler;
  MethodCount count;
  double seconds = 0.0;
};

/// Of each method, in seconds and beside the first one.
[[nodiscard]] std::vector<Fields> times(const std::vector<MethodCost>& costs);

/// For people: the counts, the papers' formulas beside them, their tables term by term, and strobing.
[[nodiscard]] Sections cost_sections(const std::vector<MethodCost>& costs, const Robot& robot,
                                     const Arm& arm);
/// For programs: the same of each method.
[[nodiscard]] Json costs(const std::vector<MethodCost>& all, const Arm& arm);

}  // namespace armdyn
