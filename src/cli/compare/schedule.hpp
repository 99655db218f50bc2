#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "report/document.hpp"

// What several processors make of the formulations (docs/derivation.md, section 23).

namespace armdyn {

/// The operations of a formulation on several processors, one step each.
struct ScheduledOperations {
  std::size_t operations = 0;
  std::size_t levels = 0;            ///< the longest chain
  std::size_t processors = 0;        ///< asked for; of all, those that are at work at once at most
  std::vector<std::size_t> at_work;  ///< processors, in each step

  [[nodiscard]] std::size_t steps() const { return at_work.size(); }
};

struct ScheduledMethod {
  Method method = Method::newton_euler;
  ScheduledOperations as_written, folded;
};

/// On so many processors; 0: as many as are of use.
[[nodiscard]] std::vector<ScheduledMethod> schedule(const Arm& arm, std::span<const Method> methods,
                                                    std::size_t processors);

[[nodiscard]] Sections schedule_sections(std::span<const ScheduledMethod> methods, std::size_t dof);
/// How many processors are at work, step by step, a panel per method.
[[nodiscard]] std::vector<Panel> schedule_panels(std::span<const ScheduledMethod> methods);

}  // namespace armdyn
