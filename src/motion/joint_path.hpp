#pragma once

// Geometry of a motion through waypoints, without time (docs/derivation.md, 10.10): joint positions
// as functions of a path parameter s.
//
// A path is a chain of pieces; piece k lies between knots()[k] and knots()[k+1]. On a piece each
// joint is a polynomial of degree five. At a knot q, q' and q'' are the same from both sides,
// except at a stop: there a motion has to be at rest (ṡ = 0), and q' and q'' may jump. The first
// and the last knot are stops. On the paths through points no joint leaves the range of a piece's
// two ends, corners with a blend left out, where it stays within the range of that corner's three
// points.

#include <armdyn/trajectory.hpp>

#include "motion/spline.hpp"

namespace armdyn {

/// A joint at a place of a path; d1 to d3 are its derivatives by s.
struct PathSample {
  double q = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0;
};

/// Polynomial of a joint on a piece, about both ends; it meets each of them exactly.
struct PathPolynomial {
  Polynomial about_begin, about_end;
};

/// q, q', q'' of a joint at a knot, seen from a piece that begins or ends there.
using PathKnot =
    std::function<std::array<double, 3>(std::size_t knot, std::size_t joint, std::size_t piece)>;

/// A path of all joints. Cheap enough to copy; may be read by many threads.
class JointPath {
 public:
  /// Piece k lies between knots[k] and knots[k+1], which increase; `stops[k]` belongs to knots[k].
  JointPath(std::size_t dof, std::vector<double> knots, std::vector<bool> stops,
            const PathKnot& at);

  /// Appends a path of as many joints that begins at this one's end, a stop.
  void append(const JointPath& next);

  [[nodiscard]] std::size_t dof() const { return dof_; }
  [[nodiscard]] std::size_t pieces() const { return knots_.size() - 1; }
  [[nodiscard]] const std::vector<double>& knots() const { return knots_; }
  [[nodiscard]] bool is_stop(std::size_t knot) const { return stops_[knot]; }

  /// Piece that holds s; at a knot the one that begins, at the end the last.
  [[nodiscard]] std::size_t piece_at(double s) const;
  /// Sample of a joint at knots()[piece] ≤ s ≤ knots()[piece + 1], by that piece: at a stop, the two
  /// pieces that meet there may differ.
  [[nodiscard]] PathSample at(std::size_t piece, std::size_t joint, double s) const;

  /// Positions of all joints at s.
  [[nodiscard]] std::vector<double> positions(double s) const;

  /// q' over a part from ≤ s ≤ to of a piece, in Bernstein's form of degree four: it lies between
  /// the least and the largest of the five, and the first and the last are its ends
  /// (eq. 10.25).
  [[nodiscard]] std::array<double, 5> slopes(std::size_t piece, std::size_t joint, double from,
                                             double to) const;
  /// Likewise of a combination of the joints.
  [[nodiscard]] std::array<double, 5> slopes(std::size_t piece, std::span<const double> weights,
                                             double from, double to) const;
  /// A bound below which such a combination is nothing but the rounding of its joints' parts.
  [[nodiscard]] double rounding(std::size_t piece, std::span<const double> weights, double from,
                                double to) const;

  /// Finds in order the places where a combination of the joints (one joint: weight 1 for it, else 0)
  /// turns back: its derivative by s changes its sign, at a knot or within a piece. Where it stands
  /// still meanwhile, both ends of that.
  [[nodiscard]] std::vector<double> turning_points(std::span<const double> weights) const;

 private:
  std::size_t dof_;
  std::vector<double> knots_;
  std::vector<PathPolynomial> polynomials_;  // piece after piece, joint after joint
  std::vector<bool> stops_;
};

/// Finds the indices of a path's stops among increasing places on it.
[[nodiscard]] std::vector<std::size_t> stops_among(const std::vector<double>& nodes,
                                                   const JointPath& path);

/// A point to pass through.
struct PathPoint {
  std::vector<double> q;
  bool stops = false;  ///< a motion is to rest there
  double blend = 0.0;  ///< distance from it, for any joint, at which the path may pass; 0: none
};

/// A path, and the knot of each point: of a blended corner its begin; of points that repeat, the
/// same.
struct PathThroughPoints {
  JointPath path;
  std::vector<std::size_t> knot_of_point;
};

/// Path through points, s being the distance in joint space from knot to knot (root of the sum of
/// squares, rad and m alike). It depends on the points alone, not on limits. It stops at points that
/// stop or repeat, and where each joint turns or stands still on one side. Throws InputError where
/// all points are the same; std::invalid_argument for fewer than two.
[[nodiscard]] PathThroughPoints path_through(std::span<const PathPoint> points);

/// Path with s = t, the time at which each point is passed: at stops q' = q'' = 0, so that it is a
/// motion by itself. Blends do not count; t increases.
[[nodiscard]] PathThroughPoints timed_path_through(std::span<const PathPoint> points,
                                                   std::span<const double> t);

/// Path of a motion: through its rows, or at least two places between any two knots, with the
/// motion's direction and curvature at each. It stops wherever the motion rests; places beside that
/// where it nearly rests are left out. Throws InputError where nothing moves.
[[nodiscard]] JointPath recorded_path(const Trajectory& motion);

}  // namespace armdyn
