#include "motion/tcp_line.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/shown_text.hpp"
#include "motion/extremes.hpp"
#include "motion/path_timing.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double singular = 1e-5;  // smallest over largest singular value (10.11)
constexpr double nearly_singular = 1e-2;
constexpr double longest_step = 0.1;   // of any joint between two places, rad or m
constexpr double shortest_way = 1e-9;  // share of the line; where a step must be shorter, it ends
constexpr double on_the_line = 1e-11;  // m and rad

VectorXd vector(const Vec3& linear, const Vec3& angular) {
  return eigen(stacked(linear, angular));
}

Index rank(const MatrixXd& A) {
  const VectorXd values = singular_values(A);
  return (values.array() > singular * values(0)).count();
}

/// Smallest over largest singular value of a matrix that should have full column rank.
double ratio(const MatrixXd& A) {
  const VectorXd values = singular_values(A);
  return values(0) > 0.0 ? values(A.cols() - 1) / values(0) : 0.0;
}

std::string tcp_text(const Vec3& p) {
  return fmt::format("({:.4f}, {:.4f}, {:.4f}) m", p.x + 0.0, p.y + 0.0, p.z + 0.0);
}

/// Number of rows of J that are followed.
Index followed_rows(TcpOrientation orientation) {
  return orientation == TcpOrientation::free ? 3 : 6;
}

MatrixXd top_rows(const Arm& arm, std::span<const double> q, Index rows) {
  return eigen(jacobian(arm, q)).topRows(rows);
}

/// Rank of these rows of J in general: the largest in a few postures with nothing special.
Index general_rank(const Arm& arm, Index rows) {
  Index most = 0;
  std::vector<double> q(arm.dof());
  for (std::size_t k = 1; k <= 3; ++k) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double x = 0.6180339887498949 * static_cast<double>(k * (i + 1));
      q[i] = 2.0 * (x - std::floor(x)) - 1.0;
    }
    most = std::max(most, rank(top_rows(arm, q, rows)));
  }
  return most;
}

}  // namespace

PostureValue line_condition(const Arm& arm, TcpOrientation orientation) {
  const Index rows = followed_rows(orientation), full = general_rank(arm, rows);
  return [arm, rows, full](std::span<const double> q) {
    const VectorXd values = singular_values(top_rows(arm, q, rows));
    const double least = full > 0 ? values(full - 1) : 0.0;
    return least > 0.0 ? values(0) / least : std::numeric_limits<double>::infinity();
  };
}

TcpLine::TcpLine(const Arm& arm, std::span<const double> from, const std::vector<TcpStop>& stops,
                 TcpOrientation orientation)
    : arm_(arm), from_(eigen(from)), to_(from_), task_(followed_rows(orientation)) {
  constexpr double nothing = 1e-6;  // m, and of a direction
  start_ = pose(arm, from).tcp;
  Transform tcp = start_;
  std::vector<PathPoint> shares{{std::vector<double>(stops.size())}};
  for (const TcpStop& stop : stops) {
    const VectorXd to = eigen(stop.q);
    Line line{stop.tcp.p - tcp.p, {}, to - to_};
    if (orientation == TcpOrientation::interpolated) {
      line.turn = rotation_vector(stop.tcp.R * transposed(tcp.R));
    }
    const double size = stops.size() > 1 ? length(line.way) : 1.0;
    const auto refuse_if = [&tcp](bool is_none) {
      if (!is_none) return;
      throw NumericsError(fmt::format(
          "the TCP has a blend at {}, but stands still or turns back there; leave it out",
          tcp_text(tcp.p)));
    };
    refuse_if(size < nothing);
    line = {1.0 / size * line.way, 1.0 / size * line.turn, line.joints / size};
    if (!lines_.empty()) {
      const Vec3& before = lines_.back().way;
      refuse_if(length(before + line.way) < nothing);
      shares.back().blend /= length(line.way - before);
    }
    lines_.push_back(line);
    shares.push_back({shares.back().q, false, stop.blend});
    shares.back().q[lines_.size() - 1] = size;
    tcp = stop.tcp;
    to_ = to;
  }
  shares_ = path_through(shares).path;

  const MatrixXd J = top_rows(arm_, from, task_);
  rank_ = std::max(rank(J), general_rank(arm, task_));
  std::exception_ptr first;
  for (const VectorXd& of_free : {from_, to_, VectorXd((from_ + to_) / 2)}) {
    try {
      follow(of_free);
      return;
    } catch (const NumericsError&) {
      if (!first) first = std::current_exception();
      if (rank_ == J.cols()) break;  // no motion is free
    }
  }
  std::rethrow_exception(first);
}

/// Sums the parts gone of all lines.
TcpLine::Wanted TcpLine::wanted(double s, bool with_rates) const {
  Wanted now{start_, {}, {}, {}, {}};
  const std::size_t piece = shares_->piece_at(s);
  const bool is_alone = lines_.size() == 1;  // s is its share
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    const auto& [way, turn, joints] = lines_[k];
    const PathSample share = is_alone ? PathSample{s, 1.0} : shares_->at(piece, k, s);
    const Mat3 R = rotation_about(share.q * turn);
    now.tcp = {R * now.tcp.R, now.tcp.p + share.q * way};
    if (!with_rates) continue;
    now.v = now.v + share.d1 * way;
    now.v_rate = now.v_rate + share.d2 * way;
    const Vec3 carried = R * now.omega;
    now.omega = carried + share.d1 * turn;
    now.omega_rate = R * now.omega_rate + share.d2 * turn + cross(share.d1 * turn, carried);
  }
  return now;
}

/// Joint path along self-motions, which leave the TCP pose, or its derivatives by s.
VectorXd TcpLine::free_way(double s, double PathSample::*of) const {
  VectorXd way = VectorXd::Zero(from_.size());
  const std::size_t piece = shares_->piece_at(s);
  for (std::size_t k = 0; free_.rows() > 0 && k < lines_.size(); ++k) {
    way += shares_->at(piece, k, s).*of * lines_[k].joints;
  }
  return way;
}

/// J with the rows of (10.9) below it.
MatrixXd TcpLine::rates_matrix(const VectorXd& q) const {
  MatrixXd A(task_ + free_.rows(), q.size());
  A << top_rows(arm_, span(q), task_), free_;
  return A;
}

/// Deviation from the line: place, orientation, free motions.
VectorXd TcpLine::rest(double s, const VectorXd& q) const {
  const Wanted now = wanted(s, false);
  const Transform found = pose(arm_, span(q)).tcp;
  VectorXd e(task_ + free_.rows());
  e << vector(now.tcp.p - found.p, axis_times_sine(now.tcp.R * transposed(found.R))).head(task_),
      free_ * (from_ + free_way(s, &PathSample::q) - q);
  return e;
}

TcpLine::Posture TcpLine::with_derivatives(double s, const VectorXd& q) const {
  const MatrixXd A = rates_matrix(q);
  const Wanted now = wanted(s, true);
  VectorXd twist(task_ + free_.rows()), acceleration(twist.size());
  twist << vector(now.v, now.omega).head(task_), free_ * free_way(s, &PathSample::d1);
  Posture posture{q, least_squares(A, twist), {}};

  const Matrix J_rate = jacobian_rate(arm_, span(q), span(posture.dq));
  acceleration << (vector(now.v_rate, now.omega_rate) - eigen(J_rate) * posture.dq).head(task_),
      free_ * free_way(s, &PathSample::d2);
  posture.ddq = least_squares(A, acceleration);
  return posture;
}

/// Corrects by damped least squares (10.10), until the deviation no longer shrinks.
VectorXd TcpLine::corrected(double s, VectorXd q) const {
  VectorXd e = rest(s, q);
  for (int i = 0; i < 50; ++i) {
    const double size = e.norm();
    const VectorXd next = q + damped_least_squares(rates_matrix(q), e, size);
    const VectorXd left = rest(s, next);
    if (!(left.norm() < size)) break;
    q = next;
    e = left;
    if (e.norm() > 0.5 * size) break;
  }
  return q;
}

void TcpLine::add_place(double s, const VectorXd& q) {
  places_.push_back({s, q, ratio(rates_matrix(q))});
  if (places_.back().dexterity < singular) refuse_singular(s, q);
}

void TcpLine::refuse_singular(double s, const VectorXd& q) const {
  const VectorXd values = singular_values(top_rows(arm_, span(q), task_));
  if (rank_ > 0 && values(rank_ - 1) > 100 * singular * values(0)) {
    throw NumericsError(
        fmt::format("the joints' motion at the ends of the straight line is singular, "
                    "though J is regular, {}; lead the line through a waypoint before there",
                    where(s)));
  }
  throw NumericsError("the straight line leads through a singular posture " + where(s));
}

std::string TcpLine::where(double s) const {
  const auto gone = [this](double at) {  // along the lines, since s is not quite the way
    double way = 0.0;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      way += shares_->at(shares_->piece_at(at), k, at).q;
    }
    return way;
  };
  return fmt::format("at {:.4g} % of the path, where the TCP is at {}",
                     100.0 * gone(s) / gone(knots().back()), tcp_text(wanted(s, false).tcp.p));
}

/// Follows the line from place to place, with the free motions of J at a posture (10.9).
void TcpLine::follow(const VectorXd& of_free) {
  const MatrixXd J = top_rows(arm_, span(of_free), task_);
  free_ = right_singular_vectors(J).rightCols(J.cols() - rank_).transpose();
  places_.clear();
  add_place(0.0, from_);
  const double end = knots().back();
  while (places_.back().s < end) {
    const Place& last = places_.back();
    const double fastest = with_derivatives(last.s, last.q).dq.lpNorm<Eigen::Infinity>();
    const double step = std::min(end / 16, 0.9 * longest_step / std::max(fastest, 1e-300));
    approach(std::min(*std::ranges::upper_bound(knots(), last.s), last.s + step));
  }
  refuse_singular_minimum();
  refuse_other_posture();
}

/// Predicts q by a posture and its first two derivatives.
VectorXd TcpLine::predicted(const Place& from, double s) const {
  const Posture posture = with_derivatives(from.s, from.q);
  const double step = s - from.s;
  return from.q + step * posture.dq + step * step / 2 * posture.ddq;
}

/// Adds the place at s, or one before it that can be reached in one step.
void TcpLine::approach(double s) {
  const Place last = places_.back();
  for (;; s = last.s + (s - last.s) / 2) {
    if (s - last.s < shortest_way * knots().back()) {
      throw NumericsError(fmt::format(
          "{} {}",
          last.dexterity < nearly_singular
              ? "the straight line leads out of reach"
              : fmt::format("the arm has too few joints to keep its TCP on the straight line{}",
                            task_ < 6 ? "" : " with this orientation"),
          where(last.s)));
    }
    const VectorXd near = predicted(last, s), q = corrected(s, near);
    const bool same_branch = (q - near).lpNorm<Eigen::Infinity>() < longest_step / 5;
    const bool short_enough = (q - last.q).lpNorm<Eigen::Infinity>() < longest_step;
    if (same_branch && short_enough && rest(s, q).norm() < on_the_line) {
      add_place(s, q);
      return;
    }
  }
}

/// Refuses singular postures between places, looked for where these come closest to one.
void TcpLine::refuse_singular_minimum() const {
  for (std::size_t k = 1; k + 1 < places_.size(); ++k) {
    const double here = places_[k].dexterity;
    if (here > places_[k - 1].dexterity || here > places_[k + 1].dexterity) continue;
    const Maximum closest = largest_between(places_[k - 1].s, places_[k + 1].s, [&](double s) {
      return -ratio(rates_matrix(solved(s)));
    });
    if (-closest.value < singular) refuse_singular(closest.at, solved(closest.at));
  }
}

/// Refuses an end in another posture than `to`, where `to` itself is on the line.
void TcpLine::refuse_other_posture() const {
  if (rest(knots().back(), to_).norm() > on_the_line) return;
  const VectorXd& end = places_.back().q;
  if ((end - to_).lpNorm<Eigen::Infinity>() < 1e-6) return;
  throw NumericsError(
      fmt::format("the straight line arrives at the TCP's goal in another posture: q = {}",
                  number_list(span(end))));
}

VectorXd TcpLine::solved(double s) const {
  const auto after = std::find_if(places_.begin() + 1, places_.end() - 1,
                                  [&](const Place& place) { return place.s > s; });
  const Place& place = s - std::prev(after)->s < after->s - s ? *std::prev(after) : *after;
  return s == place.s ? place.q : corrected(s, predicted(place, s));
}

namespace {

/// Motion along a line by a law of time (eq. 10.8).
Trajectory timed(const std::shared_ptr<const TcpLine>& line, const Trajectory& law) {
  const auto at = [line, law](double t, const InstantRoom& room) {
    const auto [s, s_dot, s_ddot] = instant(law, t).joint(0);
    const TcpLine::Posture posture = line->at(s);
    for (std::size_t i = 0; i < room.q.size(); ++i) {
      const auto joint = index(i);
      room.set(i, {posture.q(joint), posture.dq(joint) * s_dot,
                   posture.ddq(joint) * s_dot * s_dot + posture.dq(joint) * s_ddot});
    }
  };
  const std::vector<double> between = each(line->between_steps(), [&](double s) {
    return zero_between(law.begin(), law.end(), [&](double t) { return instant(law, t).q[0] - s; });
  });
  const std::size_t probes = 64 + 4 * (between.size() + 1);
  return TrajectoryLaw::motion({law.knots(), line->dof(), at, probes, {}, between});
}

Trajectory timed_line(const Arm& arm, std::span<const double> from, std::span<const double> to,
                      const Transform& goal, Profile profile, const Timing& timing,
                      TcpOrientation orientation) {
  require(from.size() == arm.dof(), "both ends of a motion need one entry per joint");
  require_sound(timing, arm.dof());
  const std::vector<TcpStop> end{{{to.begin(), to.end()}, goal}};
  const auto line = std::make_shared<const TcpLine>(arm, from, end, orientation);
  const auto in = [&](double duration) {
    return timed(line, point_to_point(std::vector{0.0}, std::vector{1.0}, profile, {duration, {}}));
  };
  double shortest = 0.0;
  if (!timing.limits.empty()) {
    shortest = slowing_factor(timing.limits, peak_rates(in(1.0)));
    if (shortest == 0.0 && !timing.duration) {
      throw InputError("no limit sets the duration; give one");
    }
  }
  return kept_within(in(chosen_duration(timing, shortest)), timing.limits);
}

}  // namespace

Trajectory straight_line(const Arm& arm, std::span<const double> from, std::span<const double> to,
                         Profile profile, const Timing& timing, TcpOrientation orientation) {
  require(to.size() == arm.dof(), "both ends of a motion need one entry per joint");
  return timed_line(arm, from, to, pose(arm, to).tcp, profile, timing, orientation);
}

Trajectory straight_line(const Arm& arm, std::span<const double> from, const TcpGoal& to,
                         Profile profile, const Timing& timing, TcpOrientation orientation) {
  const bool keeps = to.any_orientation && orientation == TcpOrientation::interpolated;
  return timed_line(arm, from, from, to.tcp, profile, timing,
                    keeps ? TcpOrientation::constant : orientation);
}

Trajectory tcp_lines(const Arm& arm, std::span<const double> from,
                     const std::vector<TcpStop>& stops, TcpOrientation orientation) {
  const auto line = std::make_shared<const TcpLine>(arm, from, stops, orientation);
  const auto evenly = [](double t, const InstantRoom& room) { room.set(0, {t, 1.0, 0.0}); };
  return timed(line, TrajectoryLaw::motion({line->knots(), 1, evenly}));
}

}  // namespace armdyn
