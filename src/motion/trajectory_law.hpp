#pragma once

#include <armdyn/trajectory.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace armdyn {

/// One joint at one time.
template <class S>
struct JointSample {
  S q, qd, qdd;
};

/// Room for q, q̇, q̈, dof entries each.
struct InstantRoom {
  std::span<double> q, qd, qdd;

  void set(std::size_t i, const JointSample<double>& joint) const {
    q[i] = joint.q;
    qd[i] = joint.qd;
    qdd[i] = joint.qdd;
  }
};

/// The function of time behind a Trajectory.
class TrajectoryLaw {
 public:
  std::vector<double> knots;
  std::size_t dof = 0;
  std::function<void(double t, const InstantRoom& room)> at;  ///< begin ≤ t ≤ end
  int probes = 64;  ///< per stretch between knots, enough to see every peak of a rate
  std::vector<RateLimit> limits{};  ///< of `kept_within`, per joint or none
  std::vector<Range> positions{};

  [[nodiscard]] static Trajectory motion(TrajectoryLaw law) {
    return Trajectory(std::make_shared<const TrajectoryLaw>(std::move(law)));
  }
  [[nodiscard]] static const TrajectoryLaw& of(const Trajectory& trajectory) {
    return *trajectory.law_;
  }
};

/// All joints at one time.
struct Instant {
  std::vector<double> q, qd, qdd;

  [[nodiscard]] JointSample<double> joint(std::size_t i) const { return {q[i], qd[i], qdd[i]}; }
};
[[nodiscard]] Instant instant(const Trajectory& motion, double t);

/// Σ weights_i · joint i of a motion, dof entries, as the motion of one joint: what a motor does
/// that turns with several.
[[nodiscard]] Trajectory combined(const Trajectory& motion, std::vector<double> weights);

/// Motions one behind the other, from a time on; what rounding leaves of their lengths at the end
/// is taken from the last.
[[nodiscard]] Trajectory joined(std::vector<Trajectory> parts, double begin, double end);

/// The motion less what rounding adds to it where it touches its limits: rates and positions that
/// are beyond a limit by no more than 10⁻⁹ of it, or 10⁻⁹ rad or m, are at the limit. What is
/// farther beyond stays so. `limits` and `positions` have an entry per joint, or none.
[[nodiscard]] Trajectory kept_within(const Trajectory& motion, const std::vector<RateLimit>& limits,
                                     const std::vector<Range>& positions = {});

}  // namespace armdyn
