#include <armdyn/kinematics.hpp>

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/joint_kind.hpp"

// Damped least squares (docs/derivation.md, eq. 10.23) from the start and from postures all over
// the arm's ranges, since an arm has several postures for most TCP poses.

namespace armdyn {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int starts = 100;
constexpr int most_iterations = 200;
constexpr double there = 1e-10;  // m and rad
constexpr double whole_turn = 2 * std::numbers::pi;

/// Deviation from the goal: place, m, and rotation vector, rad, where it counts.
VectorXd missing(const Arm& arm, const TcpGoal& goal, const VectorXd& q) {
  const Transform found = pose(arm, span(q)).tcp;
  const Vec3 way = goal.tcp.p - found.p;
  const Vec3 turn = rotation_vector(goal.tcp.R * transposed(found.R));
  return eigen(stacked(way, turn)).head(goal.any_orientation ? 3 : 6);
}

/// Searches from q on, and returns the last posture, at the goal or not.
VectorXd search(const Arm& arm, const TcpGoal& goal, VectorXd q) {
  VectorXd e = missing(arm, goal, q);
  double damping = 1.0;  // times |e|
  for (int i = 0; i < most_iterations && e.norm() > 1e-15 && damping < 1e8; ++i) {
    const MatrixXd J = eigen(jacobian(arm, span(q))).topRows(e.size());
    const VectorXd next = q + damped_least_squares(J, e, damping * e.norm());
    const VectorXd left = missing(arm, goal, next);
    const bool is_better = left.norm() < e.norm();
    if (!is_better && e.norm() < there) break;
    damping *= is_better ? 0.3 : 4.0;
    if (is_better) {
      q = next;
      e = left;
    }
  }
  return q;
}

bool is_within(const Range& range, double q) {
  return q >= range.lower && q <= range.upper;
}

/// Turns joints by whole turns: near the start, and within the ranges where that can be.
VectorXd nearest_turns(const Arm& arm, VectorXd q, std::span<const double> start,
                       std::span<const Range> ranges) {
  if (!arm.is_serial()) return q;  // a turn of a joint that others follow is another posture
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!is_turning(arm.links[i].joint)) continue;
    double& qi = q(index(i));
    qi += whole_turn * std::round((start[i] - qi) / whole_turn);
    for (const double other : {qi - whole_turn, qi + whole_turn}) {
      if (!is_within(ranges[i], qi) && is_within(ranges[i], other)) qi = other;
    }
  }
  return q;
}

/// Posture of a sequence spread evenly over the ranges, a turn or 1 m about the start where those
/// have no end.
VectorXd spread_posture(const Arm& arm, std::span<const double> start,
                        std::span<const Range> ranges, int number) {
  VectorXd q(eigen(start).size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double reach = unlimited_range(arm.links[i].joint).upper;
    const bool is_bounded = std::isfinite(ranges[i].upper - ranges[i].lower);
    const Range range = is_bounded ? ranges[i] : Range{start[i] - reach, start[i] + reach};
    const double x = number * std::sqrt(static_cast<double>(2 * i + 2) + 0.3);  // irrational
    q(index(i)) = range.lower + (x - std::floor(x)) * (range.upper - range.lower);
  }
  return q;
}

bool is_within(std::span<const Range> ranges, const VectorXd& q) {
  return std::equal(ranges.begin(), ranges.end(), q.begin(),
                    [](const Range& range, double qi) { return is_within(range, qi); });
}

/// Moves toward the start along self-motions, which leave the TCP pose, until Nᵀ (start − q) = 0.
VectorXd drawn_to(std::span<const double> start, const Arm& arm, const TcpGoal& goal, VectorXd q,
                  std::span<const Range> ranges) {
  const bool stays_within = is_within(ranges, q);
  for (int i = 0; i < most_iterations; ++i) {
    const VectorXd away = eigen(start) - q;
    const MatrixXd J = eigen(jacobian(arm, span(q))).topRows(goal.any_orientation ? 3 : 6);
    if (J.cols() <= J.rows()) break;
    const MatrixXd N = right_singular_vectors(J).rightCols(J.cols() - J.rows());
    const VectorXd step = N * (N.transpose() * away);
    const double share = std::min(1.0, 0.2 / step.lpNorm<Eigen::Infinity>());
    const VectorXd next = search(arm, goal, q + share * step);
    const bool is_nearer = (eigen(start) - next).norm() < away.norm();
    if (!is_nearer || missing(arm, goal, next).norm() > there) break;
    if (stays_within && !is_within(ranges, next)) break;
    q = next;
  }
  return q;
}

std::string out_of_reach(const Arm& arm, const TcpGoal& goal, const VectorXd& nearest) {
  const Vec3& p = goal.tcp.p;
  const VectorXd e = missing(arm, goal, nearest);
  std::string message = fmt::format(
      "no configuration found with the TCP at ({:.4g}, {:.4g}, {:.4g}) m{}: the nearest is off by "
      "{:.3g} "
      "m",
      p.x, p.y, p.z, goal.any_orientation ? "" : " with this orientation", e.head(3).norm());
  if (!goal.any_orientation) {
    message += fmt::format(" and {:.3g} deg", degrees(e.tail(3).norm()));
  }
  constexpr double far = 50.0;  // m; of an arm's own size in mm
  if (e.head(3).norm() > far) message += "; for mm write x[mm],y[mm],z[mm] in the header";
  return message;
}

}  // namespace

std::vector<double> inverse_kinematics(const Arm& arm, std::span<const double> start,
                                       const TcpGoal& goal, std::span<const Range> ranges) {
  require(start.size() == arm.dof() && ranges.size() == arm.dof(),
          "a posture and its ranges need one entry per joint");
  VectorXd best;
  std::pair<bool, double> least{true, std::numeric_limits<double>::infinity()};
  VectorXd nearest = eigen(start);
  for (int number = 0; number <= starts; ++number) {
    const VectorXd from =
        number == 0 ? VectorXd(eigen(start)) : spread_posture(arm, start, ranges, number);
    const VectorXd found = search(arm, goal, from);
    const double left = missing(arm, goal, found).norm();
    if (left < missing(arm, goal, nearest).norm()) nearest = found;
    if (!(left <= there)) continue;
    const VectorXd q = nearest_turns(arm, found, start, ranges);
    // Those within the ranges come first, then the nearest, rad or m.
    const std::pair order{!is_within(ranges, q), (q - eigen(start)).lpNorm<Eigen::Infinity>()};
    if (!(order < least)) continue;
    least = order;
    best = q;
  }
  if (best.size() == 0) throw NumericsError(out_of_reach(arm, goal, nearest));
  return plain_vector(drawn_to(start, arm, goal, best, ranges));
}

}  // namespace armdyn
