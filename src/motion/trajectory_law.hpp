#pragma once

#include <armdyn/trajectory.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace armdyn {

/// What is behind a Trajectory. `at` is called with begin ≤ t ≤ end and dof entries.
class TrajectoryLaw {
 public:
  explicit TrajectoryLaw(std::vector<double> times) : knots(std::move(times)) {}
  TrajectoryLaw(const TrajectoryLaw&) = delete;
  TrajectoryLaw& operator=(const TrajectoryLaw&) = delete;
  virtual ~TrajectoryLaw() = default;

  /// A trajectory by a new law of that kind.
  template <class Law, class... Arguments>
  [[nodiscard]] static Trajectory make(Arguments&&... arguments) {
    return Trajectory(std::make_shared<const Law>(std::forward<Arguments>(arguments)...));
  }
  [[nodiscard]] static const TrajectoryLaw& of(const Trajectory& trajectory) {
    return *trajectory.law_;
  }

  [[nodiscard]] virtual std::size_t dof() const = 0;
  virtual void at(double t, std::span<double> q, std::span<double> qd,
                  std::span<double> qdd) const = 0;

  /// The law as it was before `kept_within`.
  [[nodiscard]] virtual const TrajectoryLaw& unlimited() const { return *this; }

  std::vector<double> knots;
  int probes = 64;  ///< per stretch between knots, enough to see every peak of a rate
};

/// One joint at one time.
template <class S>
struct JointSample {
  S q, qd, qdd;
};

/// Σ weights_i · joint i of a motion, dof entries, as the motion of one joint: what a motor does
/// that turns with several.
[[nodiscard]] Trajectory combined(const Trajectory& motion, std::vector<double> weights);

/// The motion less what rounding adds to it where it touches its limits: rates and positions that
/// are beyond a limit by no more than 10⁻⁹ of it, or 10⁻⁹ rad or m, are at the limit. What is
/// farther beyond stays so. `limits` and `positions` have an entry per joint, or none.
[[nodiscard]] Trajectory kept_within(const Trajectory& motion, std::vector<RateLimit> limits,
                                     std::vector<Range> positions = {});

}  // namespace armdyn
