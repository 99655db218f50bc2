#include "cli/trajectory_summary.hpp"

#include <fmt/format.h>
#include <armdyn/kinematics.hpp>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "cli/limit_words.hpp"
#include "cli/text_table.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"

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

/// A limit that was aimed at is not exceeded by a rounding.
bool exceeds(double value, double limit) {
  return value > limit * (1.0 + 1e-9);
}

}  // namespace

TrajectorySummary::TrajectorySummary(const Robot& robot, const Trajectory& motion, HandPath path)
    : robot_(robot), arm_(normalise(robot)), records_(robot.dof()), path_(path) {
  if (path == HandPath::unasked) return;
  hand_.first = hand_at(motion, motion.begin());
  hand_.last = hand_at(motion, motion.end());
}

Transform TrajectorySummary::hand_at(const Trajectory& motion, double t) const {
  std::vector<double> q(robot_.dof()), qd(robot_.dof()), qdd(robot_.dof());
  motion.at(t, q, qd, qdd);
  return pose(arm_, q).hand;
}

void TrajectorySummary::add(double t, std::span<const double> q, std::span<const double> qd,
                            std::span<const double> qdd) {
  if (rows_ == 0) begin_ = t;
  end_ = t;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    JointRecord& record = records_[i];
    if (rows_ == 0) record.first = q[i];
    record.last = q[i];
    record.velocity.raise(std::abs(qd[i]), t);
    record.acceleration.raise(std::abs(qdd[i]), t);
    if (const std::optional<Range>& range = robot_.joints[i].limits.position) {
      record.below.raise(range->lower - q[i], t);
      record.above.raise(q[i] - range->upper, t);
    }
  }
  if (path_ != HandPath::unasked) add_hand(t, q);
  ++rows_;
}

void TrajectorySummary::add_hand(double t, std::span<const double> q) {
  const Transform hand = pose(arm_, q).hand;
  hand_.off_line.raise(distance_from_line(hand.p, hand_.first.p, hand_.last.p), t);
  hand_.turn.raise(turned(hand_.first, hand), t);
  if (path_ == HandPath::straight) {
    hand_.condition.raise(dexterity(jacobian(arm_, q)).condition, t);
  }
}

std::string TrajectorySummary::text() const {
  const bool limits = has_velocity_limit(robot_);
  std::vector<std::vector<std::string>> rows{
      {"joint", "from", "to", "", "peak |qd|", "at t [s]", "peak |qdd|", "at t [s]"}};
  if (limits) rows[0].insert(rows[0].begin() + 6, {"limit", "share"});
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Joint& joint = robot_.joints[i];
    std::vector<std::string> row{joint.name,
                                 short_number(record.first),
                                 short_number(record.last),
                                 position_unit(joint),
                                 short_number(record.velocity.value),
                                 fmt::format("{:.6g}", record.velocity.t),
                                 short_number(record.acceleration.value),
                                 fmt::format("{:.6g}", record.acceleration.t)};
    if (limits) {
      const std::optional<double>& limit = joint.limits.velocity;
      const std::vector<std::string> share{
          limit ? short_number(*limit) : "-",
          limit ? fmt::format("{:.0f} %", 100.0 * record.velocity.value / *limit) : "-"};
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
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Joint& joint = robot_.joints[i];
    nlohmann::json entry{{"name", joint.name},
                         {"unit", position_unit(joint)},
                         {"from", record.first},
                         {"to", record.last},
                         {"peak_velocity", record.velocity.value},
                         {"peak_velocity_time", record.velocity.t},
                         {"peak_acceleration", record.acceleration.value},
                         {"peak_acceleration_time", record.acceleration.t}};
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

std::vector<std::string> TrajectorySummary::broken_limits() const {
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Joint& joint = robot_.joints[i];
    const auto place = [](const Extreme& extreme) {
      return fmt::format("t = {:.6g} s", extreme.t);
    };
    if (const auto& limit = joint.limits.velocity;
        limit && exceeds(record.velocity.value, *limit)) {
      broken.push_back(exceeds_limit(joint, "|qd|", record.velocity.value, *limit,
                                     std::string(position_unit(joint)) + "/s",
                                     place(record.velocity)));
    }
    if (!joint.limits.position) continue;
    for (const Extreme& extreme : {record.below, record.above}) {
      if (extreme.value <= 1e-12) continue;
      broken.push_back(leaves_range(joint, extreme.value, *joint.limits.position, place(extreme)));
    }
  }
  return broken;
}

}  // namespace armdyn
