#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "motion/path_limits.hpp"

namespace armdyn {

/// What the tool exerts on the environment at a time of a motion; absent: nothing.
using HandWrench = std::function<Wrench(double t)>;

/// Of rows with these times, six numbers each; between two of them it changes evenly.
[[nodiscard]] HandWrench hand_between(std::vector<double> t, std::vector<double> hand);

/// The fastest uniform slowing of a motion at which limits hold: at the factor σ of its speed,
/// 0 < σ ≤ 1, q̇ and q̈ are σ and σ² times its own (docs/derivation.md, 10.12).
struct SlowDown {
  /// A limit at a time of the motion as it is given.
  struct Place {
    std::size_t limit = 0;  ///< among the limits
    double t = 0.0;
  };
  /// A limit that leaves no factor, alone or together with what the others allow.
  struct Obstacle {
    Place place;
    PathDemand demand;
    std::vector<Range> allowed, others;  ///< factors
  };

  double factor = 0.0;               ///< the largest; 0: there is none
  bool has_hand = false;             ///< whether there is a hand wrench
  std::vector<Range> feasible;       ///< all factors that do, as far as was looked at; ascending
  std::optional<Place> binding;      ///< which limit the factor touches, below 1
  std::optional<Obstacle> obstacle;  ///< where there is no factor
};

/// At the rows and everywhere between them. Throws NotFinite where a torque is not finite.
[[nodiscard]] SlowDown slow_down(PathDemands& demands, const Trajectory& motion,
                                 const HandWrench& hand = {});

/// The largest share of a limit that a motion asks for at a time, between knots as well.
struct LimitShare {
  SlowDown::Place place;
  double share = 0.0;
};
[[nodiscard]] LimitShare largest_share(PathDemands& demands, const Trajectory& motion,
                                       const HandWrench& hand = {});

}  // namespace armdyn
