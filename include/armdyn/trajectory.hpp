#pragma once

#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

/// A value, and its time.
struct TimedValue {
  double value = 0.0;
  double t = 0.0;  ///< s
};

// Trajectories (docs/derivation.md, 10): position, velocity and acceleration of every
// joint as functions of time, each the exact derivative of the one before. Positions in rad or m,
// times in s. A wrong size, a time that is not finite or not increasing throws
// std::invalid_argument.

/// Law of a motion between two points of rest.
enum class Profile {
  trapezoid,  ///< of velocity: thirds of the time at accelerations a, 0, −a (paper 004; eq. 10.3)
  cubic,      ///< at rest at the ends (eq. 10.5)
  quintic,    ///< and with no acceleration there
  septic,     ///< and with no jerk
  lspb,       ///< trapezoid of velocity whose parts are as long as the limits ask for (eq. 10.4)
  monotone,   ///< of waypoints: between two of them each joint goes one way, as fast as the limits
              ///< allow (eq. 10.24-10.32)
};

/// Limits of the magnitudes of one joint's rates; rad/s or m/s, rad/s² or m/s², rad/s³ or m/s³.
/// Jerk counts for `point_to_point`, which throws InputError where that of the profile is
/// unbounded. It counts for monotone waypoints without times, whose acceleration jumps otherwise.
struct RateLimit {
  double velocity = std::numeric_limits<double>::infinity();
  double acceleration = std::numeric_limits<double>::infinity();
  double jerk = std::numeric_limits<double>::infinity();
};

/// Timing of a motion: its duration, s; or limits, one for each joint, within which it is as short
/// as they allow. With both, InputError has the shortest duration where the limits do not allow
/// this one.
struct Timing {
  std::optional<double> duration;
  std::vector<RateLimit> limits;
};

/// A function of joint positions, dof entries.
using PostureValue = std::function<double(std::span<const double> q)>;

class TrajectoryLaw;

/// A motion of all joints from time `begin` to `end`. Cheap to copy; may be read by many threads.
class Trajectory {
 public:
  [[nodiscard]] std::size_t dof() const;
  [[nodiscard]] double begin() const;
  [[nodiscard]] double end() const;

  /// Times at which pieces meet, begin and end among them; there the acceleration or a higher
  /// derivative may jump.
  [[nodiscard]] const std::vector<double>& knots() const;

  /// q, q̇, q̈ at a time, dof entries each; rad or m, per s, per s². Where the acceleration jumps,
  /// that of the piece that begins; at the end, that of the last piece. A time before `begin` or
  /// after `end` counts as those.
  void at(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const;

 private:
  friend class TrajectoryLaw;
  explicit Trajectory(std::shared_ptr<const TrajectoryLaw> law) : law_(std::move(law)) {}

  std::shared_ptr<const TrajectoryLaw> law_;
};

/// Motion from rest to rest on a straight line in joint space: each joint covers the same share of
/// its path at the same time. The joint whose limits ask for the longest duration counts.
[[nodiscard]] Trajectory point_to_point(std::span<const double> from, std::span<const double> to,
                                        Profile profile, const Timing& timing);

/// Joint positions to pass through, a row each. `t`, `dwell` and `blend` have as many entries, or
/// none.
struct Waypoints {
  std::vector<double> t;
  std::vector<std::vector<double>> q;
  std::vector<double> dwell{};  ///< time of rest there, s; 0: it need not stop
  std::vector<double> blend{};  ///< distance at which any joint may pass, rad or m; monotone only
  bool stops = false;           ///< at every waypoint
  /// Motions from rest to rest, of any duration; their paths lead from the waypoint before to this
  /// one. Null, or none at all: the path is that of the profile. Monotone without t only.
  std::vector<std::optional<Trajectory>> paths{};
  std::vector<std::string> names{};  ///< per joint, for messages; empty: by their numbers
};

/// A motion through the waypoints, from rest to rest. Throws InputError where limits do not allow a
/// time, dwells do not fit in, or all waypoints are the same.
/// * It stops where a waypoint is repeated, has a dwell, or all do. trapezoid and lspb stop
///   everywhere, monotone also where each joint reverses or stands still.
/// * cubic, quintic, septic: splines of degree 3, 5, 7, smooth to derivative 2, 4, 6 (eq. 10.6).
/// * With times, a waypoint is reached at its time and left after its dwell, within the limits.
/// * Without, monotone is as fast as `timing` allows. Stretches of the others take the time that
///   their slowest joint needs; then the whole fits `timing`. Where a joint has no limit of
///   acceleration, monotone and lspb take the default_acceleration.
[[nodiscard]] Trajectory through(const Waypoints& waypoints, Profile profile, const Timing& timing);

/// Limit of acceleration for a joint without one, rad/s² or m/s². With it the joint reaches its
/// limit of velocity, or 1 rad/s or m/s, in 0.5 s.
[[nodiscard]] double default_acceleration(const RateLimit& limit);

/// Orientation of the end effector while it moves on a straight line.
enum class TcpOrientation {
  interpolated,  ///< turns evenly about one axis from that at `from` to that at `to`
  constant,      ///< keeps that at `from`
  free,          ///< does not count
};

/// Straight-line motion of the tool frame's origin between its positions at `from` and `to`, by
/// inverse kinematics (eq. 10.7-10.11). Redundant joints move in step. Throws NumericsError, with
/// the place, where the line leads through a singular posture, out of reach, or to another posture
/// than `to`.
[[nodiscard]] Trajectory straight_line(const Arm& arm, std::span<const double> from,
                                       std::span<const double> to, Profile profile,
                                       const Timing& timing, TcpOrientation orientation);
/// The same to a pose of the TCP, in the posture at the end of the line; redundant joints stand
/// still. A goal of any orientation keeps that at `from`, unless the orientation is free.
[[nodiscard]] Trajectory straight_line(const Arm& arm, std::span<const double> from,
                                       const TcpGoal& to, Profile profile, const Timing& timing,
                                       TcpOrientation orientation);

/// The condition number of the rows of J that a straight line with this orientation uses. It is the
/// largest singular value over the smallest, without those that are zero in every posture. Infinite
/// in a posture where the smallest is zero.
[[nodiscard]] PostureValue line_condition(const Arm& arm, TcpOrientation orientation);

/// Task of `excite`: a periodic motion for identification.
struct Excitation {
  std::vector<double> center;        ///< at begin and end, at rest and without acceleration
  std::vector<Range> position;       ///< per joint, stays within; infinite ends: no limit
  std::vector<RateLimit> limits;     ///< per joint, stays within
  double period = 10.0;              ///< s
  int harmonics = 5;                 ///< at least 3
  std::uint64_t seed = 1;            ///< of the coefficients
  std::vector<std::string> names{};  ///< per joint, for messages; empty: by their numbers
  std::vector<std::string> units{};  ///< per joint, of positions, for messages; empty: left out
};

/// A Fourier series for each joint with random coefficients, as large as its limits allow
/// (eq. 10.12). Throws InputError for a joint without any limit, or with its center out of range.
[[nodiscard]] Trajectory excite(const Excitation& wanted);

/// Rows of a motion in order of time: q, qd and qdd hold dof entries for each, row after row.
struct RecordedRows {
  std::vector<double> t, q, qd, qdd;
};

/// The motion between given rows: of degree five, with q, q̇ and q̈ of both neighbors (eq. 10.13).
/// Throws std::invalid_argument unless there are two rows and t increases.
[[nodiscard]] Trajectory recorded(RecordedRows rows);

/// A motion, and then rest at its end for so many seconds: from its end on, velocity and
/// acceleration are zero. Throws std::invalid_argument unless that is above 0.
[[nodiscard]] Trajectory held(const Trajectory& motion, double seconds);

/// The same way in `factor` times the time. Throws std::invalid_argument unless that is above 0.
[[nodiscard]] Trajectory slowed(const Trajectory& motion, double factor);

/// Extremes of a joint between begin and end of a motion, knots included; rad or m and per s, s².
/// Each has the first time where it occurs.
struct JointExtremes {
  TimedValue lowest, highest;         ///< position
  TimedValue velocity, acceleration;  ///< magnitudes
};

/// Extremes of each joint in continuous time: at zeros of the velocity and of the acceleration, and
/// at the crests of the acceleration (eq. 10.14).
[[nodiscard]] std::vector<JointExtremes> extremes(const Trajectory& trajectory);

/// The largest velocity and acceleration of each joint among its extremes.
[[nodiscard]] std::vector<RateLimit> peak_rates(const Trajectory& trajectory);

/// Largest value of a continuous function of the joint positions on a motion, and its first time.
[[nodiscard]] TimedValue largest_on(const Trajectory& trajectory, const PostureValue& value);

/// Multiples of 1/rate after `begin` that lie before `end`, and the knots; increasing.
[[nodiscard]] std::vector<double> sample_times(const Trajectory& trajectory, double rate);

}  // namespace armdyn
