#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>
#include <armdyn/vector.hpp>

#include "dynamics/friction.hpp"
#include "model/row_limits.hpp"

// Limits of a robot, and the demands of a path on them by speed (docs/derivation.md, 10.12).

namespace armdyn {

class JointPath;

/// All limits of a robot but those of position and jerk; those of torque times `torque_share`. The
/// robot must have no error in `check`.
[[nodiscard]] std::vector<RowLimit> path_limits(const Robot& robot, double torque_share = 1.0);

/// A limit, and the largest share of it that a motion asks for, at t in s.
struct LimitShare {
  std::size_t limit = 0;  ///< among the limits
  double share = 0.0;
  double t = 0.0;
};

/// q and its first two derivatives by a path's parameter s, dof entries each.
struct PathState {
  std::span<const double> q, slope, curvature;
};

/// Demand on a limit, of_joints · x, at a point of a path (eq. 10.40): a s̈ + b ṡ² + c ṡ + load +
/// friction, and where static friction holds, anything from `below` less to `above` more.
struct PathDemand {
  double a = 0.0, b = 0.0, c = 0.0;
  double load = 0.0;      ///< gravity and contact wrench
  double friction = 0.0;  ///< dry
  double below = 0.0, above = 0.0;

  /// Value at s̈ = 0, less what other laws of friction add.
  [[nodiscard]] double at(double speed) const { return (b * speed + c) * speed + load + friction; }
};

/// Demands on limits, at one point of a path at a time. One object per thread.
class PathDemands {
 public:
  PathDemands(const Robot& robot, std::vector<RowLimit> limits);

  [[nodiscard]] const std::vector<RowLimit>& limits() const { return limits_; }
  [[nodiscard]] const Arm& arm() const { return arm_; }

  /// Tests whether all friction is dry or viscous, as a PathDemand has it.
  [[nodiscard]] bool is_plain() const { return is_plain_; }

  [[nodiscard]] const std::vector<FrictionContact>& contacts() const { return contacts_; }

  /// Where a point is on a stretch on which contacts slip one way: at its begin, with ṡ = 0 or not,
  /// those that stand still set out; after it they have come to rest.
  enum class On { start, begin, rest };

  /// Moves to a point of a stretch with contacts that slip in these directions (0: none); those
  /// no faster than their acceleration gains within `resolution`, s, stand still there. Throws
  /// NotFinite.
  void go_to(const PathState& point, const Wrench& wrench, std::span<const int> directions,
             double resolution = 0.0, On on = On::rest);

  /// Goes to a place of a path's piece, without a contact wrench.
  void go_to(const JointPath& path, std::size_t piece, double s, std::span<const int> directions,
             On on = On::rest);

  /// Demands, one for each limit.
  [[nodiscard]] const std::vector<PathDemand>& demands() const { return demands_; }

  /// Friction that is neither dry nor viscous in a limit's demand at a speed.
  [[nodiscard]] double other_friction(std::size_t limit, double speed) const;
  /// Whole demand on a limit at a speed and s̈ = 0.
  [[nodiscard]] double value(std::size_t limit, double speed) const {
    return demands_[limit].at(speed) + other_friction(limit, speed);
  }

  /// Largest share of a limit that ṡ and s̈ ask for; where all shares
  /// are 0, that of the first limit.
  [[nodiscard]] LimitShare largest_share(double speed, double acceleration) const;

 private:
  void add_rest(std::size_t contact, int direction);

  std::vector<RowLimit> limits_;
  Arm arm_, plain_;  ///< with dry and viscous friction alone
  std::vector<FrictionContact> contacts_;
  bool is_plain_;
  InverseDynamics moving_, resting_;  ///< without friction, the first without gravity
  std::vector<PathDemand> demands_;
  std::vector<double> q_, slope_;
  std::vector<int> directions_, no_directions_;
  std::vector<double> zero_, first_, second_, load_, dry_, viscous_;
};

/// Wrench of the tool on the environment by time of a motion; empty: none.
using WrenchOverTime = std::function<Wrench(double t)>;

/// Wrench of rows with these times, six numbers each, linear between them.
[[nodiscard]] WrenchOverTime wrench_between(std::vector<double> t, std::vector<double> wrench);

/// Least uniform slowing of a motion at which limits hold: at the factor σ of its speed, 0 < σ ≤ 1,
/// q̇ and q̈ are σ and σ² times its own (docs/derivation.md, 10.12).
struct SlowDown {
  /// A limit that leaves no factor, alone or together with the others.
  struct Obstacle {
    LimitShare place;
    PathDemand demand;
    std::vector<Range> allowed, others;  ///< factors
  };

  double factor = 0.0;                ///< the largest; 0: there is none
  bool has_wrench = false;            ///< with a contact wrench
  std::vector<Range> feasible;        ///< all factors at which limits hold, ascending
  std::optional<LimitShare> binding;  ///< limit that a factor below 1 touches
  std::optional<Obstacle> obstacle;   ///< without a factor
};

/// Finds the slowing at which limits hold at the rows and everywhere between them. Throws NotFinite
/// where a torque is not finite.
[[nodiscard]] SlowDown slow_down(PathDemands& demands, const Trajectory& motion,
                                 const WrenchOverTime& wrench = {});

/// Largest share of a limit that a motion asks for, between knots as well.
[[nodiscard]] LimitShare largest_share(PathDemands& demands, const Trajectory& motion,
                                       const WrenchOverTime& wrench = {});

}  // namespace armdyn
