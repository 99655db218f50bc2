#include "motion/joint_path.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/each.hpp"
#include "math/hypotenuse.hpp"
#include "math/require.hpp"

namespace armdyn {

namespace {

PathSample sample(const Polynomial& c, double x) {
  const JointSample<double> here = evaluate(c, x);
  return {here.q, here.qd, here.qdd, 6 * c[3] + x * (24 * c[4] + x * 60 * c[5])};
}

}  // namespace

JointPath::JointPath(std::size_t dof, std::vector<double> knots, std::vector<bool> stops,
                     const PathKnot& at)
    : dof_(dof), knots_(std::move(knots)), stops_(std::move(stops)) {
  for (std::size_t k = 0; k + 1 < knots_.size(); ++k) {
    const double h = knots_[k + 1] - knots_[k];
    for (std::size_t i = 0; i < dof_; ++i) {
      const std::array<double, 3> left = at(k, i, k), right = at(k + 1, i, k);
      polynomials_.push_back({hermite(h, left, right), hermite_about_end(h, left, right)});
    }
  }
}

void JointPath::append(const JointPath& next) {
  const double end = knots_.back() - next.knots_.front();
  for (std::size_t k = 1; k < next.knots_.size(); ++k) knots_.push_back(end + next.knots_[k]);
  stops_.insert(stops_.end(), next.stops_.begin() + 1, next.stops_.end());
  polynomials_.insert(polynomials_.end(), next.polynomials_.begin(), next.polynomials_.end());
}

std::size_t JointPath::piece_at(double s) const {
  return last_up_to(std::span(knots_).first(pieces()), s);
}

PathSample JointPath::at(std::size_t piece, std::size_t joint, double s) const {
  const PathPolynomial& polynomial = polynomials_[piece * dof_ + joint];
  const double since = s - knots_[piece], until = s - knots_[piece + 1];
  return since < -until ? sample(polynomial.about_begin, since)
                        : sample(polynomial.about_end, until);
}

std::vector<double> JointPath::positions(double s) const {
  return each(in_order(dof_), [&](std::size_t i) { return at(piece_at(s), i, s).q; });
}

std::array<double, 5> JointPath::slopes(std::size_t piece, std::size_t joint, double from,
                                        double to) const {
  const PathSample begin = at(piece, joint, from), end = at(piece, joint, to);
  const double middle = at(piece, joint, std::midpoint(from, to)).d1;
  const double quarter = (to - from) / 4;
  std::array<double, 5> d{begin.d1, begin.d1 + quarter * begin.d2, 0.0, end.d1 - quarter * end.d2,
                          end.d1};
  d[2] = (16 * middle - d[0] - 4 * d[1] - 4 * d[3] - d[4]) / 6;
  return d;
}

std::array<double, 5> JointPath::slopes(std::size_t piece, std::span<const double> weights,
                                        double from, double to) const {
  std::array<double, 5> sum{};
  for (std::size_t i = 0; i < dof_; ++i) {
    if (weights[i] == 0.0) continue;
    const std::array<double, 5> joint = slopes(piece, i, from, to);
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += weights[i] * joint[r];
  }
  return sum;
}

double JointPath::rounding(std::size_t piece, std::span<const double> weights, double from,
                           double to) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < dof_; ++i) {
    if (weights[i] == 0.0) continue;
    const auto [least, most] = std::ranges::minmax(slopes(piece, i, from, to));
    sum += std::abs(weights[i]) * std::max(-least, most);
  }
  return 1e-12 * sum;
}

namespace {

/// A stretch of a path with the direction of a combination of joints: 1, −1, or 0 at rest.
struct Run {
  double begin, end;
  int way;
};

/// Adds the runs of a function of s, given its hulls over parts of a piece.
template <class Hull>
void add_runs(std::vector<Run>& runs, double from, double to, const Hull& hull, double nothing,
              int halvings = 50) {
  const std::array<double, 5> d = hull(from, to);
  const bool rises = std::ranges::any_of(d, [&](double x) { return x > nothing; });
  const bool falls = std::ranges::any_of(d, [&](double x) { return x < -nothing; });
  const double middle = std::midpoint(from, to);
  if (rises && falls && halvings > 0) {
    add_runs(runs, from, middle, hull, nothing, halvings - 1);
    add_runs(runs, middle, to, hull, nothing, halvings - 1);
  } else {
    runs.push_back({from, to, rises == falls ? 0 : rises ? 1 : -1});
  }
}

}  // namespace

std::vector<double> JointPath::turning_points(std::span<const double> weights) const {
  std::vector<Run> runs;
  for (std::size_t k = 0; k < pieces(); ++k) {
    const auto hull = [&](double from, double to) { return slopes(k, weights, from, to); };
    add_runs(runs, knots_[k], knots_[k + 1], hull, rounding(k, weights, knots_[k], knots_[k + 1]));
  }
  std::vector<double> turns;
  std::optional<Run> last;
  for (const Run& run : runs) {
    if (run.way == 0) continue;
    if (last && last->way != run.way) {
      turns.push_back(last->end);
      if (run.begin > last->end) turns.push_back(run.begin);
    }
    last = run;
  }
  return turns;
}

namespace {

constexpr double steepest = 5.0 / 4;  // slope of a knot over that of the flatter piece beside it
constexpr double flattest = 1.0 / 2;  // likewise at an end
constexpr double least_slope = 1e-6;  // of all joints, as a share of the path's; less is none

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = hypotenuse(sum, b[i] - a[i]);
  return sum;
}

/// Slope from a to b, over h.
std::vector<double> slope(const std::vector<double>& a, const std::vector<double>& b, double h) {
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = (b[i] - a[i]) / h;
  return d;
}

/// A point of a path; h is the length of the piece that begins there.
struct ChainPoint {
  std::vector<double> q;
  bool stops = false;
  std::optional<std::vector<double>> given{};  ///< q', with q'' = 0
  double h = 0.0;
};

/// q' of one joint at a point that the path passes, between pieces of lengths h and slopes d
/// (eq. 10.26).
double passing_slope(double h_left, double d_left, double h_right, double d_right) {
  if (!(d_left * d_right > 0.0)) return 0.0;
  const double m = (h_right * d_left + h_left * d_right) / (h_left + h_right);
  const double most = steepest * std::min(std::abs(d_left), std::abs(d_right));
  return std::copysign(std::min(std::abs(m), most), d_left);
}

/// q' of one joint at an end, beside a piece that a second one follows, or none (h_next 0).
double end_slope(double h, double d, double h_next, double d_next) {
  const double m = d + (d - d_next) * h / (h + h_next) * (h_next > 0.0 ? 1.0 : 0.0);
  return d * std::clamp(d != 0.0 ? m / d : 1.0, flattest, steepest);
}

/// Maker of a path through links, whose ends stop; at stops q' is 0, or that of the pieces beside.
class PathMaker {
 public:
  PathMaker(std::vector<ChainPoint> links, bool rests_at_stops)
      : links_(std::move(links)), rests_at_stops_(rests_at_stops) {
    for (std::size_t k = 0; k + 1 < links_.size(); ++k) {
      slopes_.push_back(slope(links_[k].q, links_[k + 1].q, links_[k].h));
    }
    for (std::size_t k = 1; k + 1 < links_.size(); ++k) {
      if (!links_[k].given && !moves_through(k)) links_[k].stops = true;
    }
  }

  [[nodiscard]] JointPath path(std::vector<double> knots) const {
    return {links_[0].q.size(), std::move(knots), each(links_, &ChainPoint::stops),
            [this](std::size_t k, std::size_t i, std::size_t piece) {
              return knot(k, i, piece == k ? Side::right : Side::left);
            }};
  }

 private:
  enum class Side { left, right };

  [[nodiscard]] bool moves_through(std::size_t k) const {
    double size = 0.0, whole = 0.0;
    for (std::size_t i = 0; i < links_[k].q.size(); ++i) {
      size = hypotenuse(size, first(k, i, Side::right));
      whole = hypotenuse(whole, slopes_[k][i]);
    }
    return size > least_slope * whole;
  }

  /// q' of a joint at a link, seen from a side.
  [[nodiscard]] double first(std::size_t k, std::size_t i, Side side) const {
    const ChainPoint& link = links_[k];
    if (link.given) return (*link.given)[i];
    if (!link.stops) {
      return passing_slope(links_[k - 1].h, slopes_[k - 1][i], link.h, slopes_[k][i]);
    }
    if (rests_at_stops_) return 0.0;
    const std::size_t piece = side == Side::right ? k : k - 1;
    const std::size_t far_end = side == Side::right ? k + 1 : k - 1;
    if (links_[far_end].stops) return slopes_[piece][i];
    const std::size_t next = side == Side::right ? k + 1 : k - 2;
    return end_slope(links_[piece].h, slopes_[piece][i], links_[next].h, slopes_[next][i]);
  }

  /// q, q' and q'' of a joint at a link, seen from a side (eq. 10.26, 10.27).
  [[nodiscard]] std::array<double, 3> knot(std::size_t k, std::size_t i, Side side) const {
    const ChainPoint& link = links_[k];
    const double m = first(k, i, side);
    const bool rests = link.stops && rests_at_stops_;
    if (link.given || rests || m == 0.0) return {link.q[i], m, 0.0};
    const bool has_left = side == Side::left || !link.stops;
    const bool has_right = side == Side::right || !link.stops;
    const double way = m < 0.0 ? -1.0 : 1.0;  // of the joint: c is in its direction
    double c = way * wanted_curvature(k, i, side);
    if (has_left) {
      const double h = links_[k - 1].h;
      c = std::clamp(c, -2 * slack(k - 1, i) / h, 4 * std::abs(m) / h);
    }
    if (has_right) c = std::clamp(c, -4 * std::abs(m) / link.h, 2 * slack(k, i) / link.h);
    return {link.q[i], m, way * c};
  }

  /// Curvature of the parabola through a point and its neighbors.
  [[nodiscard]] double wanted_curvature(std::size_t k, std::size_t i, Side side) const {
    if (!links_[k].stops) {
      return 2 * (slopes_[k][i] - slopes_[k - 1][i]) / (links_[k - 1].h + links_[k].h);
    }
    const std::size_t neighbor = side == Side::right ? k + 1 : k - 1;
    return links_[neighbor].stops ? 0.0 : wanted_curvature(neighbor, i, side);
  }

  /// Largest curvatures of a piece with the slopes at both its ends.
  [[nodiscard]] double slack(std::size_t piece, std::size_t i) const {
    return 5 * std::abs(slopes_[piece][i]) - 2 * std::abs(first(piece, i, Side::right)) -
           2 * std::abs(first(piece + 1, i, Side::left));
  }

  std::vector<ChainPoint> links_;
  bool rests_at_stops_;
  std::vector<std::vector<double>> slopes_;  // of the straight pieces
};

/// Links at a blended corner, between straight pieces along the unit vectors `in` and `out` of such
/// lengths (eq. 10.28); none where the path turns back on itself.
std::vector<ChainPoint> blended(const PathPoint& corner, const std::vector<double>& in,
                                double in_length, const std::vector<double>& out,
                                double out_length) {
  double turn = 0.0, onwards = 0.0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    turn = std::max(turn, std::abs(out[i] - in[i]));
    onwards = hypotenuse(onwards, out[i] + in[i]);
  }
  if (onwards < least_slope || turn == 0.0) return {};
  constexpr double share = 0.45;  // of a piece, so that two corners leave some of it
  const double d =
      std::min({corner.blend * (64.0 / 7) / turn, share * in_length, share * out_length});
  ChainPoint begin{corner.q, false, in, 5 * d / 2}, end{corner.q, false, out, out_length - d};
  for (std::size_t i = 0; i < in.size(); ++i) {
    begin.q[i] -= d * in[i];
    end.q[i] += d * out[i];
  }
  return {std::move(begin), std::move(end)};
}

void require_points(std::span<const PathPoint> points) {
  require(points.size() >= 2, "a path needs two points");
  for (const PathPoint& point : points) {
    require(!point.q.empty() && point.q.size() == points.front().q.size(),
            "each point needs one entry per joint");
  }
}

}  // namespace

PathThroughPoints path_through(std::span<const PathPoint> points) {
  require_points(points);
  std::vector<PathPoint> apart;  // points that repeat are one, which stops
  std::vector<std::size_t> index;
  for (const PathPoint& point : points) {
    if (apart.empty() || distance(apart.back().q, point.q) > 0.0) {
      apart.push_back(point);
    } else {
      apart.back().stops = true;
    }
    index.push_back(apart.size() - 1);
  }
  if (apart.size() < 2) throw InputError("all waypoints are the same, so no joint moves");
  apart.front().stops = apart.back().stops = true;

  std::vector<ChainPoint> links;
  std::vector<std::size_t> knot_of_apart;
  for (std::size_t k = 0; k < apart.size(); ++k) {
    const PathPoint& point = apart[k];
    knot_of_apart.push_back(links.size());
    const double ahead = k + 1 < apart.size() ? distance(point.q, apart[k + 1].q) : 0.0;
    std::vector<ChainPoint> corner;
    if (!point.stops && point.blend > 0.0) {
      const double behind = distance(apart[k - 1].q, point.q);
      corner = blended(point, slope(apart[k - 1].q, point.q, behind), behind,
                       slope(point.q, apart[k + 1].q, ahead), ahead);
    }
    if (corner.empty()) {
      links.push_back({point.q, point.stops, {}, ahead});
    } else {
      links.back().h -= distance(corner.front().q, point.q);
      append(links, std::move(corner));
    }
  }
  for (std::size_t& k : index) k = knot_of_apart[k];
  std::vector<double> knots{0.0};
  for (std::size_t k = 0; k + 1 < links.size(); ++k) knots.push_back(knots.back() + links[k].h);
  return {PathMaker(std::move(links), false).path(std::move(knots)), std::move(index)};
}

PathThroughPoints timed_path_through(std::span<const PathPoint> points, std::span<const double> t) {
  require_points(points);
  std::vector<ChainPoint> links;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool is_end = k == 0 || k + 1 == points.size();
    const double h = k + 1 < points.size() ? t[k + 1] - t[k] : 0.0;
    links.push_back({points[k].q, is_end || points[k].stops, {}, h});
  }
  return {PathMaker(std::move(links), true).path({t.begin(), t.end()}), in_order(points.size())};
}

namespace {

struct RecordedPlace {
  Instant at;
  double speed = 0.0;  ///< |q̇|
  bool rests = false;
};

}  // namespace

JointPath recorded_path(const Trajectory& motion) {
  constexpr double at_rest = 1e-9, nearly = 1e-3;  // of the largest speed
  const std::vector<double>& knots = motion.knots();
  const std::size_t parts = std::max<std::size_t>(2, 512 / knots.size());
  std::vector<RecordedPlace> places;
  const auto place_at = [&](double t) {
    Instant at = instant(motion, t);
    const double speed = distance(std::vector<double>(at.qd.size()), at.qd);
    return RecordedPlace{std::move(at), speed};
  };
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    for (std::size_t n = 0; n < parts; ++n) {
      places.push_back(place_at(
          std::lerp(knots[k], knots[k + 1], static_cast<double>(n) / static_cast<double>(parts))));
    }
  }
  places.push_back(place_at(motion.end()));
  double fastest = 0.0;
  for (const RecordedPlace& place : places) fastest = std::max(fastest, place.speed);
  std::vector<RecordedPlace> kept;
  for (std::size_t k = 0; k < places.size(); ++k) {
    RecordedPlace& place = places[k];
    const bool is_end = k == 0 || k + 1 == places.size();
    place.rests = is_end || place.speed <= at_rest * fastest;
    if (place.rests && !kept.empty() && kept.back().rests && kept.back().at.q == place.at.q)
      continue;
    if (place.rests || place.speed > nearly * fastest) kept.push_back(place);
  }
  if (kept.size() < 2) throw InputError("no joint moves");

  std::vector<double> s{0.0};
  std::vector<bool> stops{true};
  for (std::size_t k = 1; k < kept.size(); ++k) {
    const double chord = distance(kept[k - 1].at.q, kept[k].at.q);
    if (!(chord > 0.0)) throw InputError("it moves and comes back between two rows");
    s.push_back(s.back() + chord);
    stops.push_back(kept[k].rests);
  }
  const auto knot = [&](std::size_t k, std::size_t i, std::size_t piece) -> std::array<double, 3> {
    const auto& [here, v, rests] = kept[k];
    if (!rests || v > nearly * fastest) {
      const double slope = here.qd[i] / v;
      const double along =
          std::inner_product(here.qd.begin(), here.qd.end(), here.qdd.begin(), 0.0);
      return {here.q[i], slope, (here.qdd[i] - slope * along / v) / v / v};
    }
    // Slope of the parabola toward the neighbor with the direction there.
    const std::size_t other = piece == k ? k + 1 : k - 1;
    const auto& [next, next_speed, next_rests] = kept[other];
    const double chord = (next.q[i] - here.q[i]) / (s[other] - s[k]);
    return {here.q[i], 2.0 * chord - (next_rests ? chord : next.qd[i] / next_speed), 0.0};
  };
  return {motion.dof(), s, std::move(stops), knot};
}

std::vector<std::size_t> stops_among(const std::vector<double>& nodes, const JointPath& path) {
  std::vector<std::size_t> stops;
  for (std::size_t k = 0; k <= path.pieces(); ++k) {
    if (!path.is_stop(k)) continue;
    const auto at = std::ranges::lower_bound(nodes, path.knots()[k]);
    stops.push_back(static_cast<std::size_t>(at - nodes.begin()));
  }
  return stops;
}

}  // namespace armdyn
