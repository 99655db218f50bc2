#pragma once

#include <armdyn/simulation.hpp>

#include <optional>
#include <span>
#include <vector>

#include "simulation/plant.hpp"

namespace armdyn {

/// Holds a fixed step against the fastest processes of an arm (docs/derivation.md, section 8.4).
class StepCheck {
 public:
  /// Of an integrator with a fixed step.
  StepCheck(Plant& plant, Integrator integrator);

  /// The process that suffers most where the step is too long for one, at this state.
  [[nodiscard]] std::optional<CoarseStep> operator()(std::span<const double> q,
                                                     std::span<const double> qd, double step);

  /// Likewise the static friction that fell off, or came up, while a step took joints from one
  /// speed to the other.
  [[nodiscard]] std::optional<CoarseStep> passage(std::span<const double> qd_before,
                                                  std::span<const double> qd, double step) const;

 private:
  [[nodiscard]] double stiffness(std::size_t i, std::span<const double> q);

  Plant& plant_;
  double longest_, longest_through_stribeck_;  ///< rate times step
  std::vector<double> M_, column_, stiffest_, q_, zero_, above_, below_;
};

}  // namespace armdyn
