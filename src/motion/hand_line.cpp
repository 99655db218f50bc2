#include "motion/hand_line.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/coordinates.hpp"
#include "math/decompositions.hpp"
#include "math/eigen.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "motion/golden_section.hpp"

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

VectorXd vector(std::span<const double> values) {
  return eigen(values);
}

VectorXd vector(const Vec3& linear, const Vec3& angular) {
  return vector(stacked(linear, angular));
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

/// A few postures with nothing special about them, to see what rank J has in general.
std::vector<VectorXd> ordinary_postures(Index dof) {
  std::vector<VectorXd> postures;
  for (int k = 1; k <= 3; ++k) {
    VectorXd q(dof);
    for (Index i = 0; i < dof; ++i) {
      const double x = 0.6180339887498949 * static_cast<double>(k * (i + 1));
      q(i) = 2.0 * (x - std::floor(x)) - 1.0;
    }
    postures.push_back(q);
  }
  return postures;
}

/// The rows of J that are followed.
Index followed_rows(HandOrientation orientation) {
  return orientation == HandOrientation::free ? 3 : 6;
}

MatrixXd top_rows(const Arm& arm, std::span<const double> q, Index rows) {
  return eigen(jacobian(arm, q)).topRows(rows);
}

/// What these rows of J can be at most.
Index general_rank(const Arm& arm, Index rows) {
  Index most = 0;
  for (const VectorXd& q : ordinary_postures(static_cast<Index>(arm.dof()))) {
    most = std::max(most, rank(top_rows(arm, span(q), rows)));
  }
  return most;
}

}  // namespace

PostureValue line_condition(const Arm& arm, HandOrientation orientation) {
  const Index rows = followed_rows(orientation), full = general_rank(arm, rows);
  return [arm, rows, full](std::span<const double> q) {
    const VectorXd values = singular_values(top_rows(arm, q, rows));
    const double least = full > 0 ? values(full - 1) : 0.0;
    return least > 0.0 ? values(0) / least : std::numeric_limits<double>::infinity();
  };
}

HandLine::HandLine(const Arm& arm, std::span<const double> from, std::span<const double> to,
                   HandOrientation orientation)
    : arm_(arm), from_(vector(from)), to_(vector(to)) {
  start_ = pose(arm, from).hand;
  const Transform goal = pose(arm, to).hand;
  way_ = goal.p - start_.p;
  if (orientation == HandOrientation::interpolated) {
    turn_ = rotation_vector(goal.R * transposed(start_.R));
  }
  task_ = followed_rows(orientation);

  const MatrixXd J = task_jacobian(from_);
  const Index full = std::max(rank(J), general_rank(arm, task_));
  free_ = right_singular_vectors(J).rightCols(J.cols() - full).transpose();
  follow();
}

Transform HandLine::hand_at(double s) const {
  return {rotation_about(s * turn_) * start_.R, start_.p + s * way_};
}

MatrixXd HandLine::task_jacobian(const VectorXd& q) const {
  return top_rows(arm_, span(q), task_);
}

/// J with the rows of (10.9) below it.
MatrixXd HandLine::rates_matrix(const VectorXd& q) const {
  MatrixXd A(task_ + free_.rows(), q.size());
  A << task_jacobian(q), free_;
  return A;
}

/// What is missing to the line: place, orientation, free share.
VectorXd HandLine::rest(double s, const VectorXd& q) const {
  const Transform wanted = hand_at(s);
  const Transform found = pose(arm_, span(q)).hand;
  VectorXd e(task_ + free_.rows());
  e << vector(wanted.p - found.p, axis_times_sine(wanted.R * transposed(found.R))).head(task_),
      free_ * (from_ + s * (to_ - from_) - q);
  return e;
}

HandLine::Posture HandLine::with_derivatives(const VectorXd& q) const {
  const MatrixXd A = rates_matrix(q);
  VectorXd twist(task_ + free_.rows());
  twist << vector(way_, turn_).head(task_), free_ * (to_ - from_);
  Posture posture{q, least_squares(A, twist), {}};

  const Matrix J_rate = jacobian_rate(arm_, span(q), span(posture.dq));
  VectorXd acceleration = VectorXd::Zero(twist.size());
  acceleration.head(task_) = -(eigen(J_rate) * posture.dq).head(task_);
  posture.ddq = least_squares(A, acceleration);
  return posture;
}

/// Damped least squares (10.10), until the rest no longer shrinks.
VectorXd HandLine::corrected(double s, VectorXd q) const {
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

HandLine::Place HandLine::place_at(double s, const VectorXd& q) const {
  return {s, q, ratio(rates_matrix(q))};
}

std::string HandLine::where(double s) const {
  const Vec3 p = hand_at(s).p;
  return fmt::format("at {:.4g} % of the way, where the hand is at ({:.4f}, {:.4f}, {:.4f}) m",
                     100.0 * s, p.x + 0.0, p.y + 0.0, p.z + 0.0);
}

/// Goes along the line from place to place.
void HandLine::follow() {
  places_.push_back(place_at(0.0, from_));
  while (places_.back().s < 1.0) {
    const Place& last = places_.back();
    if (last.dexterity < singular) {
      throw NumericsError("the straight line leads through a singular posture " + where(last.s));
    }
    const double fastest = with_derivatives(last.q).dq.lpNorm<Eigen::Infinity>();
    const double step = std::min(1.0 / 16, 0.9 * longest_step / std::max(fastest, 1e-300));
    approach(std::min(1.0, last.s + step));
  }
  refuse_singular_minimum();
  refuse_other_posture();
}

std::string HandLine::why_stuck(const Place& last) const {
  if (last.dexterity < nearly_singular) return "the straight line leads out of reach ";
  const std::string too_few = "the arm has too few joints to keep its hand on the straight line ";
  return task_ < 6 ? too_few : too_few + "with this orientation ";
}

/// Adds the place at s, or the farthest one before it that can be reached in one step.
void HandLine::approach(double s) {
  const Place last = places_.back();
  const Posture posture = with_derivatives(last.q);
  for (;; s = last.s + (s - last.s) / 2) {
    const double step = s - last.s;
    if (step < shortest_way) {
      throw NumericsError(why_stuck(last) + where(last.s));
    }
    const VectorXd predicted = last.q + step * posture.dq + step * step / 2 * posture.ddq;
    const VectorXd q = corrected(s, predicted);
    const bool same_branch = (q - predicted).lpNorm<Eigen::Infinity>() < longest_step / 5;
    const bool short_enough = (q - last.q).lpNorm<Eigen::Infinity>() < longest_step;
    if (same_branch && short_enough && rest(s, q).norm() < on_the_line) {
      places_.push_back(place_at(s, q));
      return;
    }
  }
}

/// Looks between the places where they come closest to a singular posture.
void HandLine::refuse_singular_minimum() const {
  for (std::size_t k = 1; k + 1 < places_.size(); ++k) {
    const double here = places_[k].dexterity;
    if (here > places_[k - 1].dexterity || here > places_[k + 1].dexterity) continue;
    const Maximum closest = largest_between(places_[k - 1].s, places_[k + 1].s, [&](double s) {
      return -ratio(rates_matrix(solved(s)));
    });
    if (-closest.value < singular) {
      throw NumericsError("the straight line leads through a singular posture " +
                          where(closest.at));
    }
  }
  if (places_.back().dexterity < singular) {
    throw NumericsError("the straight line leads to a singular posture " + where(1.0));
  }
}

/// Where `to` itself is on the line, the line has to end there and not in another posture.
void HandLine::refuse_other_posture() const {
  if (rest(1.0, to_).norm() > on_the_line) return;
  const VectorXd& end = places_.back().q;
  if ((end - to_).lpNorm<Eigen::Infinity>() < 1e-6) return;
  throw NumericsError(
      fmt::format("the straight line arrives at the hand's goal in another posture: q = {:.6g}",
                  fmt::join(end.data(), end.data() + end.size(), ", ")));
}

VectorXd HandLine::solved(double s) const {
  const auto after = std::find_if(places_.begin() + 1, places_.end() - 1,
                                  [&](const Place& place) { return place.s > s; });
  const Place& place = s - std::prev(after)->s < after->s - s ? *std::prev(after) : *after;
  const double step = s - place.s;
  if (step == 0.0) return place.q;
  const Posture posture = with_derivatives(place.q);
  return corrected(s, place.q + step * posture.dq + step * step / 2 * posture.ddq);
}

HandLine::Posture HandLine::at(double s) const {
  return with_derivatives(solved(s));
}

}  // namespace armdyn
