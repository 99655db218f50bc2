#include "cli/trajectory/answer.hpp"

#include <fmt/format.h>
#include <armdyn/kinematics.hpp>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "report/limit_words.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

double length(const Vec3& v) {
  return std::sqrt(dot(v, v));
}

double turned(const Transform& from, const Transform& to) {
  return length(rotation_vector(to.R * transposed(from.R)));
}

/// From the line through a and b, or from the one point that they are.
double distance_from_line(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a, to_p = p - a;
  const double way = length(along);
  return way > 0.0 ? length(cross(along, to_p)) / way : length(to_p);
}

std::string degrees_text(double angle) {
  return short_number(angle * 180 / std::numbers::pi) + " deg";
}

/// A coordinate that is nothing but the rounding of the others is 0.
std::string point(const Vec3& p) {
  const auto text = [rounding = 1e-15 * length(p)](double x) {
    return short_number(std::abs(x) <= rounding ? 0.0 : x);
  };
  return fmt::format("({}, {}, {})", text(p.x), text(p.y), text(p.z));
}

bool has_velocity_limit(const Robot& robot) {
  for (const Joint& joint : robot.joints) {
    if (joint.limits.velocity) return true;
  }
  return false;
}

std::vector<double> position_at(const Trajectory& motion, double t) {
  std::vector<double> q(motion.dof()), qd(motion.dof()), qdd(motion.dof());
  motion.at(t, q, qd, qdd);
  return q;
}

constexpr const char* meant_in_degrees = "; for degrees add ' deg' after the list";

/// A limit that was aimed at is not exceeded by a rounding.
bool exceeds(double value, double limit) {
  return value > limit * (1.0 + 1e-9);
}

}  // namespace

TrajectorySummary::TrajectorySummary(const Robot& robot, const Trajectory& motion, std::size_t rows,
                                     HandPath path, HandOrientation orientation)
    : robot_(robot),
      extremes_(extremes(motion)),
      first_(position_at(motion, motion.begin())),
      last_(position_at(motion, motion.end())),
      begin_(motion.begin()),
      end_(motion.end()),
      rows_(rows),
      path_(path) {
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
  return hand;
}

std::string TrajectorySummary::text() const {
  const bool limits = has_velocity_limit(robot_);
  std::vector<std::vector<std::string>> rows{
      {"joint", "from", "to", "", "peak |qd|", "at t [s]", "peak |qdd|", "at t [s]"}};
  if (limits) rows[0].insert(rows[0].begin() + 6, {"limit", "share"});
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const JointExtremes& reached = extremes_[i];
    const Joint& joint = robot_.joints[i];
    std::vector<std::string> row{joint.name,
                                 short_number(first_[i]),
                                 short_number(last_[i]),
                                 position_unit(joint),
                                 short_number(reached.velocity.value),
                                 fmt::format("{:.6g}", reached.velocity.t),
                                 short_number(reached.acceleration.value),
                                 fmt::format("{:.6g}", reached.acceleration.t)};
    if (limits) {
      const std::optional<double>& limit = joint.limits.velocity;
      const std::vector<std::string> share{
          limit ? short_number(*limit) : "-",
          limit ? fmt::format("{:.0f} %", 100.0 * reached.velocity.value / *limit) : "-"};
      row.insert(row.begin() + 6, share.begin(), share.end());
    }
    rows.push_back(row);
  }
  std::string text =
      fmt::format("{}: {} rows, t = {:.6g} to {:.6g} s\n", robot_.name, rows_, begin_, end_) +
      text_table(rows);
  return path_ == HandPath::unasked ? text : text + hand_text();
}

std::string TrajectorySummary::hand_text() const {
  const std::string ends =
      fmt::format("from {} to {} m", point(hand_.first.p), point(hand_.last.p));
  if (path_ == HandPath::straight) {
    const double angle = turned(hand_.first, hand_.last);
    return fmt::format("hand: straight {}, {} m, {}; condition of J up to {} at t = {:.6g} s\n",
                       ends, short_number(length(hand_.last.p - hand_.first.p)),
                       angle < 1e-9 ? "orientation kept" : "turning by " + degrees_text(angle),
                       short_number(hand_.condition.value), hand_.condition.t);
  }
  return fmt::format(
      "hand: {}, up to {} m off the straight line at t = {:.6g} s, turned by up to {} at t = "
      "{:.6g} s\n",
      ends, short_number(hand_.off_line.value), hand_.off_line.t, degrees_text(hand_.turn.value),
      hand_.turn.t);
}

nlohmann::json TrajectorySummary::json() const {
  nlohmann::json joints = nlohmann::json::array();
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const JointExtremes& reached = extremes_[i];
    const Joint& joint = robot_.joints[i];
    nlohmann::json entry{{"name", joint.name},
                         {"unit", position_unit(joint)},
                         {"from", first_[i]},
                         {"to", last_[i]},
                         {"peak_velocity", reached.velocity.value},
                         {"peak_velocity_time", reached.velocity.t},
                         {"peak_acceleration", reached.acceleration.value},
                         {"peak_acceleration_time", reached.acceleration.t}};
    if (joint.limits.velocity) entry["velocity_limit"] = *joint.limits.velocity;
    joints.push_back(entry);
  }
  nlohmann::json summary{{"rows", rows_}, {"t", {begin_, end_}}, {"joints", joints}};
  if (path_ != HandPath::unasked) summary["hand"] = hand_json();
  return summary;
}

nlohmann::json TrajectorySummary::hand_json() const {
  const auto list = [](const Vec3& v) { return nlohmann::json{v.x, v.y, v.z}; };
  nlohmann::json hand{{"from", list(hand_.first.p)},
                      {"to", list(hand_.last.p)},
                      {"turn", turned(hand_.first, hand_.last)},
                      {"off_line", hand_.off_line.value},
                      {"off_line_time", hand_.off_line.t},
                      {"largest_turn", hand_.turn.value},
                      {"largest_turn_time", hand_.turn.t}};
  if (path_ == HandPath::straight) {
    hand["condition"] = hand_.condition.value;
    hand["condition_time"] = hand_.condition.t;
  }
  return hand;
}

std::vector<std::string> TrajectorySummary::broken_limits(bool has_no_unit) const {
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    const JointExtremes& reached = extremes_[i];
    const Joint& joint = robot_.joints[i];
    const auto place = [](const TimedValue& at) { return fmt::format("t = {:.6g} s", at.t); };
    if (const auto& limit = joint.limits.velocity;
        limit && exceeds(reached.velocity.value, *limit)) {
      broken.push_back(exceeds_limit(joint, "|qd|", reached.velocity.value, *limit,
                                     std::string(position_unit(joint)) + "/s",
                                     place(reached.velocity)));
    }
    if (const auto& range = joint.limits.position) {
      const auto refuse = [&](const TimedValue& reach, double outside) {
        if (outside <= 1e-12) return;
        broken.push_back(
            leaves_range(joint, outside, *range, place(reach)) +
            (has_no_unit && looks_like_degrees(joint, reach.value) ? meant_in_degrees : ""));
      };
      refuse(reached.lowest, range->lower - reached.lowest.value);
      refuse(reached.highest, reached.highest.value - range->upper);
    }
  }
  return broken;
}

}  // namespace armdyn
