#include "motion/spline.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "motion/path_timing.hpp"

namespace armdyn {

const PolynomialPiece& PolynomialPieces::at(double t) const {
  const auto after = std::ranges::upper_bound(pieces, t, {}, &PolynomialPiece::begin);
  return after == pieces.begin() ? pieces.front() : *std::prev(after);
}

void PolynomialPieces::operator()(double t, const InstantRoom& room) const {
  const PolynomialPiece& piece = at(t);
  for (std::size_t i = 0; i < piece.joints.size(); ++i) {
    room.set(i, evaluate(piece.joints[i], t - piece.anchor));
  }
}

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// k (k−1) … (k−r+1), the r-th derivative of x^k at x = 1.
double falling(Index k, Index r) {
  double product = 1.0;
  for (Index i = 0; i < r; ++i) product *= static_cast<double>(k - i);
  return product;
}

/// Inverse of the matrix k!/(k−r)! with k = m…2m−1, r = 0…m−1 (eq. 10.5); m is 2, 3 or 4.
using UpperCoefficients = std::array<std::array<double, 4>, 4>;
const UpperCoefficients& upper_coefficients(std::size_t m) {
  static constexpr UpperCoefficients of_sizes[] = {
      {{{3, -1}, {-2, 1}}},
      {{{10, -4, 1.0 / 2}, {-15, 7, -1}, {6, -3, 1.0 / 2}}},
      {{{35, -15, 5.0 / 2, -1.0 / 6},
        {-84, 39, -7, 1.0 / 2},
        {70, -34, 13.0 / 2, -1.0 / 2},
        {-20, 10, -2, 1.0 / 6}}}};
  return of_sizes[m - 2];
}

/// Constant matrices of a stretch of unit length (eq. 10.6).
struct UnitStretch {
  explicit UnitStretch(Index m) {
    using Rows = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
    const auto& rows = upper_coefficients(static_cast<std::size_t>(m));
    const MatrixXd W = Eigen::Map<const Rows>(rows.front().data()).topLeftCorner(m, m);
    MatrixXd taylor = MatrixXd::Zero(m, m);  // derivatives at 1 of the lower powers
    for (Index r = 0; r < m; ++r) {
      for (Index k = r; k < m; ++k) taylor(r, k) = falling(k, r) / falling(k, k);
    }
    MatrixXd at_end(m - 1, m), at_begin = MatrixXd::Zero(m - 1, m);
    for (Index r = m; r < 2 * m - 1; ++r) {
      for (Index k = m; k < 2 * m; ++k) at_end(r - m, k - m) = k < r ? 0.0 : falling(k, r);
      at_begin(r - m, r - m) = falling(r, r);
    }
    begin_from_left = -at_begin * W * taylor;
    begin_from_right = at_begin * W;
    end_from_left = -at_end * W * taylor;
    end_from_right = at_end * W;
  }

  // Derivatives m…2m−2 at the begin or end, from derivatives 0…m−1 at the left or right.
  MatrixXd begin_from_left, begin_from_right, end_from_left, end_from_right;
};

/// diag(1, h, h², …)
MatrixXd powers(double h, Index count) {
  MatrixXd H = MatrixXd::Zero(count, count);
  double power = 1.0;
  for (Index k = 0; k < count; ++k, power *= h) H(k, k) = power;
  return H;
}

/// Row of a block-tridiagonal system: before·y_{k−1} + here·y_k + after·y_{k+1} = right.
struct BlockRow {
  MatrixXd before, here, after, right;
};

/// Solves by elimination downwards, then back; y_{−1} and y_{size} are zero.
std::vector<MatrixXd> solve_tridiagonal(std::vector<BlockRow> rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k > 0) {
      rows[k].here -= rows[k].before * rows[k - 1].after;
      rows[k].right -= rows[k].before * rows[k - 1].right;
    }
    rows[k].after = solve(rows[k].here, rows[k].after);
    rows[k].right = solve(rows[k].here, rows[k].right);
  }
  std::vector<MatrixXd> y(rows.size());
  for (std::size_t k = rows.size(); k-- > 0;) {
    y[k] = rows[k].right;
    if (k + 1 < rows.size()) y[k] -= rows[k].after * y[k + 1];
  }
  return y;
}

/// Derivatives 0…m−1 (rows) of all joints (columns) at each waypoint (eq. 10.6).
std::vector<MatrixXd> knot_derivatives(std::span<const double> t,
                                       const std::vector<std::vector<double>>& q, Index m) {
  const auto joints = static_cast<Index>(q.front().size());
  std::vector<MatrixXd> knots(q.size(), MatrixXd::Zero(m, joints));
  for (std::size_t k = 0; k < q.size(); ++k) knots[k].row(0) = eigen(q[k]).transpose();
  const UnitStretch unit(m);
  std::vector<BlockRow> rows;
  for (std::size_t k = 1; k + 1 < t.size(); ++k) {
    const double left = t[k] - t[k - 1], right = t[k + 1] - t[k];
    const double shorter = std::min(left, right);  // keeps the rows of a system alike in size
    const MatrixXd scale_left = powers(shorter / left, 2 * m - 1).bottomRightCorner(m - 1, m - 1);
    const MatrixXd scale_right = powers(shorter / right, 2 * m - 1).bottomRightCorner(m - 1, m - 1);
    const MatrixXd of_before = scale_left * unit.end_from_left * powers(left, m);
    const MatrixXd of_here = scale_left * unit.end_from_right * powers(left, m) -
                             scale_right * unit.begin_from_left * powers(right, m);
    const MatrixXd of_after = -scale_right * unit.begin_from_right * powers(right, m);
    // Column 0 belongs to the positions, known numbers; only their differences count.
    const MatrixXd known = of_before.col(0) * (knots[k - 1].row(0) - knots[k].row(0)) +
                           of_after.col(0) * (knots[k + 1].row(0) - knots[k].row(0));
    rows.push_back(
        {of_before.rightCols(m - 1), of_here.rightCols(m - 1), of_after.rightCols(m - 1), -known});
  }
  const std::vector<MatrixXd> y = solve_tridiagonal(std::move(rows));
  for (std::size_t k = 0; k < y.size(); ++k) knots[k + 1].bottomRows(m - 1) = y[k];
  return knots;
}

}  // namespace

std::optional<std::size_t> end_conditions(Profile profile) {
  if (profile == Profile::cubic) return 2;
  if (profile == Profile::quintic) return 3;
  if (profile == Profile::septic) return 4;
  return {};
}

Polynomial hermite(double h, std::span<const double> left, std::span<const double> right) {
  const std::size_t m = left.size();
  const UpperCoefficients& W = upper_coefficients(m);
  Polynomial c{};
  std::array<double, 4>
      missing{};  // difference of the lower powers at the right end, in units of h
  double power = 1.0, factorial = 1.0;
  for (std::size_t r = 0; r < m; ++r, power *= h) {
    if (r > 0) factorial *= static_cast<double>(r);
    c[r] = left[r] / factorial;
    missing[r] = (right[r] - left[r]) * power;
    double reach = power;
    for (std::size_t k = r + 1; k < m; ++k) {
      reach *= h / static_cast<double>(k - r);
      missing[r] -= left[k] * reach;
    }
  }
  for (std::size_t k = 0; k < m; ++k, power *= h) {
    double upper = 0.0;
    for (std::size_t r = 0; r < m; ++r) upper += W[k][r] * missing[r];
    c[m + k] = upper / power;
  }
  return c;
}

// Odd derivatives and odd powers change their signs in reversed time.
Polynomial hermite_about_end(double h, std::span<const double> left,
                             std::span<const double> right) {
  const auto reversed = [](auto values) {
    for (std::size_t k = 1; k < values.size(); k += 2) values[k] = -values[k];
    return values;
  };
  using Derivatives = std::vector<double>;
  return reversed(hermite(h, reversed(Derivatives(right.begin(), right.end())),
                          reversed(Derivatives(left.begin(), left.end()))));
}

Trajectory spline_through(std::span<const double> t, const std::vector<std::vector<double>>& q,
                          std::size_t m) {
  const std::vector<MatrixXd> knots = knot_derivatives(t, q, static_cast<Index>(m));
  const std::size_t last = t.size() - 1;
  std::vector<PolynomialPiece> pieces;
  const auto add = [&](std::size_t k, double begin, double anchor, const auto& polynomial) {
    pieces.push_back({begin, anchor, {}});
    for (Index i = 0; i < knots[k].cols(); ++i) {
      pieces.back().joints.push_back(polynomial(t[k + 1] - t[k], plain_vector(knots[k].col(i)),
                                                plain_vector(knots[k + 1].col(i))));
    }
  };
  for (std::size_t k = 0; k < last; ++k) add(k, t[k], t[k], hermite);
  // Second half of the last stretch, written about its end, which is met exactly.
  add(last - 1, t[last - 1] + (t[last] - t[last - 1]) / 2, t[last], hermite_about_end);
  return TrajectoryLaw::motion(
      {{t.begin(), t.end()}, q.front().size(), PolynomialPieces{std::move(pieces)}});
}

namespace {

/// Time in which the velocity rises, and falls: a third of the whole, or by the limits (eq. 10.4).
double blend_time(Profile profile, std::span<const double> ways, double duration,
                  const std::vector<RateLimit>& limits) {
  const RateLimit pace = common_pace(ways, limits);
  const double v = pace.velocity, a = pace.acceleration;
  if (profile == Profile::trapezoid || std::isinf(a)) return duration / 3;
  const double half = duration / 2;
  const double b = 1.0 / a / (half + std::sqrt(std::max(0.0, half * half - 1.0 / a)));
  // Where hardly any time is left between the blends, the root is rounding, and v more exact.
  return b > duration / 4 && v * duration > 1.0 ? std::min(b, duration - 1.0 / v) : b;
}

/// Motion whose velocity rises evenly for a time b, stays, and falls for a time b (eq. 10.3). Its
/// pieces are written about the begin, the middle and the end.
Trajectory trapezoid(std::span<const double> from, std::span<const double> to, double T, double b) {
  const double a = 1.0 / (b * (T - b));
  const double v = 1.0 / (T - b);
  PolynomialPiece rise{0.0, 0.0, {}}, cruise{b, T / 2, {}}, fall{T - b, T, {}};
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double way = to[i] - from[i];
    rise.joints.push_back({from[i], 0.0, way * a / 2});
    cruise.joints.push_back({from[i] + way / 2, way * v});
    fall.joints.push_back({to[i], 0.0, -way * a / 2});
  }
  const std::size_t dof = from.size();
  if (fall.begin <= cruise.begin) {
    return TrajectoryLaw::motion({{0.0, T / 2, T}, dof, PolynomialPieces{{rise, fall}}});
  }
  return TrajectoryLaw::motion(
      {{0.0, cruise.begin, fall.begin, T}, dof, PolynomialPieces{{rise, cruise, fall}}});
}

}  // namespace

Trajectory point_to_point(std::span<const double> from, std::span<const double> to, Profile profile,
                          const Timing& timing) {
  require(from.size() == to.size() && !from.empty(),
          "both ends of a motion need one entry per joint");
  require_sound(timing, from.size());
  if (profile == Profile::monotone) {
    return through({{}, {{from.begin(), from.end()}, {to.begin(), to.end()}}}, profile, timing);
  }
  std::vector<double> ways;
  for (std::size_t i = 0; i < from.size(); ++i) ways.push_back(to[i] - from[i]);

  const bool moves = std::any_of(ways.begin(), ways.end(), [](double way) { return way != 0.0; });
  const bool limited = !timing.limits.empty() && (moves || !timing.duration);
  const double shortest = limited ? shortest_duration(ways, profile, timing.limits) : 0.0;
  const double duration = chosen_duration(timing, shortest);

  const std::optional<std::size_t> m = end_conditions(profile);
  const Trajectory motion =
      m ? spline_through(std::vector{0.0, duration},
                         {{from.begin(), from.end()}, {to.begin(), to.end()}}, *m)
        : trapezoid(from, to, duration, blend_time(profile, ways, duration, timing.limits));
  return kept_within(motion, timing.limits);
}

namespace {

/// Times for which each stretch takes what its slowest joint needs at its velocity limit, or at one
/// unit per second.
std::vector<double> paced_times(const std::vector<std::vector<double>>& q,
                                const std::vector<RateLimit>& limits) {
  std::vector<double> t{0.0};
  for (std::size_t k = 0; k + 1 < q.size(); ++k) {
    double time = 0.0;
    for (std::size_t i = 0; i < q[k].size(); ++i) {
      const bool limited = !limits.empty() && std::isfinite(limits[i].velocity);
      const double pace = limited ? limits[i].velocity : 1.0;
      time = std::max(time, std::abs(q[k + 1][i] - q[k][i]) / pace);
    }
    t.push_back(t.back() + time);
  }
  return t;
}

}  // namespace

Trajectory spline_motion(const Waypoints& waypoints, Profile profile, const Timing& timing) {
  const auto& q = waypoints.q;
  const std::optional<std::size_t> m = end_conditions(profile);
  require(m.has_value(), "a spline is cubic, quintic or septic");
  if (!waypoints.t.empty()) return spline_through(waypoints.t, q, *m);
  std::vector<double> t = paced_times(q, timing.limits);
  const double paced = t.back();
  t.back() = timing.duration
                 ? *timing.duration
                 : paced * slowing_factor(timing.limits, peak_rates(spline_through(t, q, *m)));
  for (std::size_t k = 0; k + 1 < t.size(); ++k) t[k] *= t.back() / paced;
  return spline_through(t, q, *m);
}

}  // namespace armdyn
