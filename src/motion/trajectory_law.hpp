#pragma once

#include <armdyn/trajectory.hpp>

#include <algorithm>

namespace armdyn {

/// A joint at a time.
template <class S>
struct JointSample {
  S q, qd, qdd;
};

/// Places of q, q̇, q̈, dof entries each.
struct InstantRoom {
  std::span<double> q, qd, qdd;

  void set(std::size_t i, const JointSample<double>& joint) const {
    q[i] = joint.q;
    qd[i] = joint.qd;
    qdd[i] = joint.qdd;
  }
};

/// Function of time behind a Trajectory.
class TrajectoryLaw {
 public:
  std::vector<double> knots;
  std::size_t dof = 0;
  std::function<void(double t, const InstantRoom& room)> at;  ///< begin ≤ t ≤ end
  std::size_t probes = 64;      ///< per stretch between knots, enough to see every peak of a rate
  std::vector<double> jumps{};  ///< other times than knots at which accelerations jump, ascending
  std::vector<double> steps{};  ///< times, closer where joints are faster, to probe too, ascending
  std::vector<RateLimit> limits{};  ///< of `kept_within`, per joint or none
  std::vector<Range> positions{};

  [[nodiscard]] static Trajectory motion(TrajectoryLaw law) {
    return Trajectory(std::make_shared<const TrajectoryLaw>(std::move(law)));
  }
  [[nodiscard]] static const TrajectoryLaw& of(const Trajectory& trajectory) {
    return *trajectory.law_;
  }
};

/// All joints at a time.
struct Instant {
  std::vector<double> q, qd, qdd;

  [[nodiscard]] JointSample<double> joint(std::size_t i) const { return {q[i], qd[i], qdd[i]}; }
};
[[nodiscard]] Instant instant(const Trajectory& motion, double t);

/// Index of the last of ascending numbers that is not above x; 0 where all are.
[[nodiscard]] inline std::size_t last_up_to(std::span<const double> ascending, double x) {
  const auto later = ascending.subspan(1);
  return static_cast<std::size_t>(std::ranges::upper_bound(later, x) - later.begin());
}

/// Σ weights_i · joint i of a motion as the motion of one joint: that of a coupled motor.
[[nodiscard]] Trajectory combined(const Trajectory& motion, std::vector<double> weights);

/// Times from a knot to just before the next: `even` ones and the law's steps, ascending.
[[nodiscard]] std::vector<double> probe_times(const Trajectory& motion, double knot, double next,
                                              std::size_t even);

/// Times before, at and after each of a motion's jumps between two times.
[[nodiscard]] std::vector<double> beside_jumps(const Trajectory& motion, double from, double to);

/// Jumps of the accelerations of a motion, those from rest at its begin and to rest at its end among
/// them.
struct AccelerationJumps {
  std::size_t count = 0;  ///< times at which an acceleration jumps
  TimedValue largest{};
  std::size_t joint = 0;  ///< whose jump is the largest
};
/// Finds them, from both sides of every time at which the motion's law may have one. Steps of up to
/// a hundredth of a joint's largest acceleration, among `reached`, do not count; those at both ends
/// of a cell of a path, in the same direction, are one jump.
[[nodiscard]] AccelerationJumps acceleration_jumps(const Trajectory& motion,
                                                   const std::vector<JointExtremes>& reached);

/// Motions one behind the other, from `begin` on; the last ends at `end` but for rounding.
[[nodiscard]] Trajectory joined(std::vector<Trajectory> parts, double begin, double end);

/// Motion without the rounding beyond its limits: rates and positions beyond a limit by no more than
/// 10⁻⁹ of it, or 10⁻⁹ rad or m, are at the limit. Others stay as they are. `limits` and `positions`
/// have an entry per joint, or none.
[[nodiscard]] Trajectory kept_within(const Trajectory& motion, const std::vector<RateLimit>& limits,
                                     const std::vector<Range>& positions = {});

}  // namespace armdyn
