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

std::string point(const Vec3& p) {
  return fmt::format("({}, {}, {})", short_number(p.x), short_number(p.y), short_number(p.z));
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

TrajectorySummary::TrajectorySummary(const Robot& robot, bool follow_hand)
    : robot_(robot), arm_(normalise(robot)), records_(robot.dof()), follows_hand_(follow_hand) {}

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
  if (follows_hand_) {
    const Transform hand = pose(arm_, q).hand;
    if (rows_ == 0) hand_.first = hand;
    hand_.last = hand;
    hand_.condition.raise(dexterity(jacobian(arm_, q)).condition, t);
  }
  ++rows_;
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
  if (follows_hand_) {
    const double angle = turned(hand_.first, hand_.last);
    text += fmt::format(
        "hand: straight from {} to {} m, {} m, {}; condition of J up to {} at t = {:.6g} s\n",
        point(hand_.first.p), point(hand_.last.p),
        short_number(length(hand_.last.p - hand_.first.p)),
        angle < 1e-9 ? "orientation kept"
                     : "turning by " + short_number(angle * 180 / std::numbers::pi) + " deg",
        short_number(hand_.condition.value), hand_.condition.t);
  }
  return text;
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
  if (follows_hand_) {
    const auto list = [](const Vec3& v) { return nlohmann::json{v.x, v.y, v.z}; };
    summary["hand"] = {{"from", list(hand_.first.p)},
                       {"to", list(hand_.last.p)},
                       {"turn", turned(hand_.first, hand_.last)},
                       {"condition", hand_.condition.value},
                       {"condition_time", hand_.condition.t}};
  }
  return summary;
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
