#include "cli/trajectory/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "cli/options/shared_answers.hpp"
#include "identification/torque_fit.hpp"
#include "io/text/number_text.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "motion/trajectory_law.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

double turned(const Transform& from, const Transform& to) {
  return length(rotation_vector(to.R * transposed(from.R)));
}

/// From the line through a and b, or from the one point that they are.
double distance_from_line(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a, to_p = p - a;
  const double way = length(along);
  return way > 0.0 ? length(cross(along, to_p)) / way : length(to_p);
}

Value turn(double angle) {
  return {angle, short_number(degrees(angle)) + " deg"};
}

/// A coordinate that is nothing but the rounding of the others is 0.
Value point(const Vec3& p) {
  const auto text = [rounding = 1e-15 * length(p)](double x) {
    return short_number(std::abs(x) <= rounding ? 0.0 : x);
  };
  return {coordinates(p), fmt::format("({}, {}, {})", text(p.x), text(p.y), text(p.z))};
}

std::vector<double> position_at(const Trajectory& motion, double t) {
  std::vector<double> q(motion.dof()), qd(motion.dof()), qdd(motion.dof());
  motion.at(t, q, qd, qdd);
  return q;
}

/// What each joint reaches at the knots.
std::vector<Range> reach_at_knots(const Trajectory& motion) {
  const std::vector<double> first = position_at(motion, motion.begin());
  std::vector<Range> reach;
  reach.reserve(first.size());
  for (const double q : first) reach.push_back({q, q});
  for (const double t : motion.knots()) {
    const std::vector<double> q = position_at(motion, t);
    for (std::size_t i = 0; i < q.size(); ++i) {
      reach[i] = {std::min(reach[i].lower, q[i]), std::max(reach[i].upper, q[i])};
    }
  }
  return reach;
}

constexpr const char* meant_in_degrees = "; for degrees add ' deg' after the list";

}  // namespace

std::vector<MotorReach> motor_speeds(const Trajectory& motion, const Robot& robot) {
  std::vector<MotorReach> reached;
  for (MotorLimit& limit : motor_limits(robot, MotorLimit::Kind::velocity)) {
    const TimedValue peak = extremes(combined(motion, limit.of_joints)).front().velocity;
    reached.push_back({std::move(limit), {peak}});
  }
  return reached;
}

TrajectorySummary::TrajectorySummary(const Robot& robot, const Trajectory& motion,
                                     std::vector<JointExtremes> reached, std::size_t rows,
                                     HandPath path, HandOrientation orientation,
                                     std::optional<OptimisedExcitation> optimised,
                                     std::optional<PassedWaypoints> passed)
    : robot_(robot),
      extremes_(std::move(reached)),
      first_(position_at(motion, motion.begin())),
      last_(position_at(motion, motion.end())),
      knots_(reach_at_knots(motion)),
      begin_(motion.begin()),
      end_(motion.end()),
      rows_(rows),
      path_(path),
      optimised_(std::move(optimised)),
      passed_(std::move(passed)),
      motors_(motor_speeds(motion, robot)) {
  if (optimised_) std::ranges::copy(optimised_->motor_torques, std::back_inserter(motors_));
  if (path != HandPath::unasked) hand_ = hand_on(motion, orientation);
}

TrajectorySummary::Hand TrajectorySummary::hand_on(const Trajectory& motion,
                                                   HandOrientation orientation) const {
  const Arm arm = normalise(robot_);
  const auto at = [&arm](std::span<const double> q) { return pose(arm, q).hand; };
  Hand hand{at(first_), at(last_), {}, {}, {}};
  hand.off_line = largest_on(motion, [&](std::span<const double> q) {
    return distance_from_line(at(q).p, hand.first.p, hand.last.p);
  });
  hand.turn =
      largest_on(motion, [&](std::span<const double> q) { return turned(hand.first, at(q)); });
  if (path_ == HandPath::straight) {
    hand.condition = largest_on(motion, line_condition(arm, orientation));
  }
  if (!std::isfinite(length(hand.last.p - hand.first.p) + hand.off_line.value + hand.turn.value)) {
    throw NumericsError(
        "the way of the hand is not a finite number: a length or a way is too large");
  }
  return hand;
}

std::vector<Fields> TrajectorySummary::joints() const {
  const bool limits = has_limit(robot_, &Limits::velocity),
             faster = has_limit(robot_, &Limits::acceleration);
  const bool shows_range = path_ == HandPath::unasked;
  const bool strong = has_limit(robot_, &Limits::torque);
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const TimedValue& velocity = extremes_[i].velocity;
    const TimedValue& acceleration = extremes_[i].acceleration;
    const Joint& joint = robot_.joints[i];
    const std::optional<double>& limit = joint.limits.velocity;
    const std::optional<double>& most = joint.limits.acceleration;
    rows.push_back(
        {{"name", "joint", Value::word(joint.name)},
         {"from", "from", Value::number(first_[i])},
         {"to", "to", Value::number(last_[i])},
         {"lowest", label_if(shows_range, "lowest"), Value::number(extremes_[i].lowest.value)},
         {"highest", label_if(shows_range, "highest"), Value::number(extremes_[i].highest.value)},
         {"unit", "", Value::word(position_unit(joint))},
         {"peak_velocity", "peak |qd|", Value::number(velocity.value)},
         {"peak_velocity_time", "at t [s]", Value::moment(velocity.t)},
         {"velocity_limit", label_if(limits, "limit"), Value::number(limit)},
         {for_people, label_if(limits, "share"), Value::share(velocity.value, limit)},
         {"peak_acceleration", "peak |qdd|", Value::number(acceleration.value)},
         {"peak_acceleration_time", "at t [s]", Value::moment(acceleration.t)},
         {"acceleration_limit", label_if(faster, "limit"), Value::number(most)},
         {for_people, label_if(faster, "share"), Value::share(acceleration.value, most)}});
    if (!optimised_) continue;
    const double torque = optimised_->peak_torque[i];
    rows.back().insert(
        rows.back().end(),
        {{"peak_torque", "peak |τ|", Value::number(torque)},
         {"torque_unit", "", Value::word(torque_unit(joint))},
         {"torque_limit", label_if(strong, "limit"), Value::number(joint.limits.torque)},
         {for_people, label_if(strong, "share"), Value::share(torque, joint.limits.torque)}});
  }
  return rows;
}

Fields TrajectorySummary::hand() const {
  const bool straight = path_ == HandPath::straight;
  const double angle = turned(hand_.first, hand_.last);
  const double way = length(hand_.last.p - hand_.first.p);
  Fields fields{
      {"from", straight ? "hand: straight from {}" : "hand: from {}", point(hand_.first.p)},
      {"to", " to {} m", point(hand_.last.p)},
      {for_people, label_if(straight, ", {} m, "), Value::number(way)},
      {"turn", label_if(straight, angle < 1e-9 ? "orientation kept" : "turning by {}"),
       turn(angle)},
      {"off_line", label_if(!straight, ", up to {} m off the straight line"),
       Value::number(hand_.off_line.value)},
      {"off_line_time", label_if(!straight, " at t = {} s"), Value::moment(hand_.off_line.t)},
      {"largest_turn", label_if(!straight, ", turned by up to {}"), turn(hand_.turn.value)},
      {"largest_turn_time", label_if(!straight, " at t = {} s"), Value::moment(hand_.turn.t)}};
  if (straight) {
    fields.push_back(
        {"condition", "; condition of J up to {}", Value::number(hand_.condition.value)});
    fields.push_back({"condition_time", " at t = {} s", Value::moment(hand_.condition.t)});
  }
  return fields;
}

Fields OptimisedExcitation::fields() const {
  return {{"base_parameters", "excitation: {}", Value::count(base_parameters, "base parameter")},
          {"condition", ", condition {}", Value::number(condition)},
          {"condition_by_chance", " (by chance {})", Value::number(condition_by_chance)},
          {"least_seen",
           "; least seen: {}",
           {least_seen, fmt::format("{}", fmt::join(least_seen, ", "))}}};
}

Fields TimeOptimalAnswer::fields(const Robot& robot, double duration) const {
  Json list = Json::list();
  std::vector<double> times(limits.size());
  for (std::size_t k = 0; k < binding.size(); ++k) {
    const auto& [t, limit, share] = binding[k];
    times[limit] += (k + 1 < binding.size() ? binding[k + 1].t : duration) - t;
    list.push_back(
        Json{{"time", t}, {"limit", limit_name(robot, limits[limit])}, {"share", share}});
  }
  std::vector<std::size_t> order(limits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return times[k]; });
  constexpr std::size_t named = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(named, order.size()) && times[order[n]] > 0.0; ++n) {
    text += fmt::format("{}{} {:.0f} %", n == 0 ? "" : ", ", limit_name(robot, limits[order[n]]),
                        100.0 * times[order[n]] / duration);
  }
  const double gap = 1.0 - least / duration;
  return {
      {"duration", "time-optimal: {} s", Value::moment(duration)},
      {"lower_bound", ", and no motion on this path takes less than {} s", Value::moment(least)},
      {"gap", " ({}); ", {gap, fmt::format("{:.2g} %", 100.0 * gap)}},
      {"binding", "nearest to its limit, of the time: {}", {std::move(list), text}},
      {"between_rows",
       "; the polynomials between its rows, as track reads them, ask for up to {} of a limit",
       {between_rows.share, fmt::format("{:.4g} %", 100.0 * between_rows.share)}}};
}

Fields PassedWaypoints::fields() const {
  Fields fields{{"stops",
                 "waypoints: {}",
                 {stops, stops.empty() ? "no stop between the ends"
                                       : fmt::format("stops at {}", fmt::join(stops, ", "))}}};
  if (!lines.empty()) {
    fields.push_back({"lines",
                      "; on a straight line to {}",
                      {lines, fmt::format("{}", fmt::join(lines, ", "))}});
  }
  if (!defaults.empty()) {
    fields.push_back(
        {"default_accelerations",
         "; no limit of acceleration, so that of reaching the velocity limit in 0.5 s: {}",
         {default_accelerations, defaults}});
  }
  if (by_jerk) {
    fields.push_back({"time_by_jerk",
                      "; {} times as long as without limits of jerk, which need not be "
                      "the least",
                      Value::number(*by_jerk)});
  }
  return fields;
}

Sections TrajectorySummary::sections() const {
  Sections found{{"", rows_head(robot_, rows_, Value::moments(begin_, end_))},
                 {"joints", FieldTable{joints()}}};
  if (!motors_.empty()) found.push_back({"motors", motor_table(robot_, motors_, true)});
  if (optimised_) found.push_back({"excitation", optimised_->fields()});
  if (passed_) found.push_back({"waypoints", passed_->fields()});
  if (path_ != HandPath::unasked) found.push_back({"hand", hand()});
  return found;
}

std::vector<std::string> TrajectorySummary::poor_excitation() const {
  if (!optimised_ || optimised_->condition <= poor_condition) return {};
  return {fmt::format(
      "poor excitation: condition {:.3g}, below {:.0f} is good; least seen are {}: give those "
      "joints more room or speed, or the motion another --duration or more --harmonics",
      optimised_->condition, poor_condition, fmt::join(optimised_->least_seen, ", "))};
}

std::vector<std::string> TrajectorySummary::swings() const {
  constexpr double noticed = 0.01, rounding = 1e-9;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < extremes_.size() && passed_; ++i) {
    const auto& [lower, upper] = knots_[i];
    const JointExtremes& reached = extremes_[i];
    const double below = lower - reached.lowest.value, above = reached.highest.value - upper;
    if (std::max(below, above) <= std::max(rounding, noticed * (upper - lower))) continue;
    const TimedValue& farthest = below > above ? reached.lowest : reached.highest;
    const Joint& joint = robot_.joints[i];
    found.push_back(
        fmt::format("{}: swings to {:.4g} {} at {}, out of the range {:.4g} to {:.4g} {} of the "
                    "waypoints; --profile monotone stays within it",
                    joint.name, farthest.value, position_unit(joint), time_text(farthest.t), lower,
                    upper, position_unit(joint)));
  }
  return found;
}

std::vector<std::string> TrajectorySummary::broken_limits(bool has_no_unit,
                                                          const std::string& on_overshoot) const {
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const JointExtremes& reached = extremes_[i];
    const Joint& joint = robot_.joints[i];
    if (const auto& limit = joint.limits.velocity; limit && reached.velocity.value > *limit) {
      broken.push_back(exceeds_limit(joint.name, "|qd|", reached.velocity.value, *limit,
                                     speed_unit(joint), time_text(reached.velocity.t)));
    }
    if (const auto& limit = joint.limits.acceleration;
        limit && reached.acceleration.value > *limit) {
      broken.push_back(exceeds_limit(joint.name, "|qdd|", reached.acceleration.value, *limit,
                                     acceleration_unit(joint), time_text(reached.acceleration.t)));
    }
    if (const auto& range = joint.limits.position) {
      const auto refuse = [&](const TimedValue& reach, double outside, bool is_overshoot) {
        if (outside <= 0.0) return;
        broken.push_back(
            leaves_range(joint, outside, *range, time_text(reach.t)) +
            (has_no_unit && looks_like_degrees(joint, reach.value) ? meant_in_degrees : "") +
            (is_overshoot ? on_overshoot : ""));
      };
      refuse(reached.lowest, range->lower - reached.lowest.value, knots_[i].lower >= range->lower);
      refuse(reached.highest, reached.highest.value - range->upper,
             knots_[i].upper <= range->upper);
    }
  }
  for (const MotorReach& motor : motors_) {
    if (!motor.exceeds_limit()) continue;
    broken.push_back(exceeds_limit(robot_, motor, time_text(motor.peak.t)));
  }
  return broken;
}

}  // namespace armdyn
