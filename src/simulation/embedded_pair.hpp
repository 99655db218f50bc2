#pragma once

#include <armdyn/simulation.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace armdyn {

using OdeState = std::vector<double>;
/// dydt = f(y, t).
using OdeSystem = std::function<void(const OdeState& y, OdeState& dydt, double t)>;

/// A step of an ordinary differential equation with an estimate of its error (docs/derivation.md,
/// section 8.1).
class EmbeddedPair {
 public:
  virtual ~EmbeddedPair() = default;

  /// From (t, y), where the derivative is dydt, by h to y_next. Returns the error over the
  /// tolerance: a step above 1 is to be repeated with a shorter one.
  virtual double step(const OdeSystem& f, double t, const OdeState& y, const OdeState& dydt,
                      double h, OdeState& y_next) = 0;

  /// Length to try next, after a step of length h with that error over the tolerance.
  [[nodiscard]] virtual double next_step(double h, double error) const = 0;

  /// The longest step over a joint's time scale at which the error estimate is to be trusted.
  [[nodiscard]] virtual double longest_step() const { return 1.0; }
};

/// That of an adaptive integrator, or null. For states of that size, of which the first `judged`
/// entries count for the error.
[[nodiscard]] std::unique_ptr<EmbeddedPair> make_embedded_pair(Integrator integrator,
                                                               std::size_t size, std::size_t judged,
                                                               double tolerance);

}  // namespace armdyn
