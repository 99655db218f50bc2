#include "report/joint_words.hpp"

#include <algorithm>
#include <cmath>

#include "math/each.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/shown_unit.hpp"
#include "text/number_text.hpp"

namespace armdyn {

bool has_limit(const Robot& robot, std::optional<double> Limits::*limit) {
  return std::ranges::any_of(
      robot.joints, [limit](const Joint& joint) { return (joint.limits.*limit).has_value(); });
}

std::vector<std::string> joint_names(const Robot& robot, const std::vector<std::size_t>& joints) {
  return each(joints, [&](std::size_t joint) { return robot.joints[joint].name; });
}

std::string numbered_followers(const Robot& robot) {
  std::string text;
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    text += fmt::format("{} {} {}", text.empty() ? "joints that follow others:" : ",", k + 1,
                        joint_at(robot, k).name);
  }
  return text;
}

std::string joint_types(const Robot& robot) {
  std::string types;
  for (const Joint& joint : robot.joints) types += letter(joint);
  return types;
}

std::string motor_position(const Robot& robot, std::size_t i) {
  std::string text;
  const auto add = [&text](double value, const std::string& name) {
    if (value == 0.0) return;
    text += text.empty() ? (value < 0.0 ? "-" : "") : (value < 0.0 ? " - " : " + ");
    const bool is_plain = std::abs(value) == 1.0 && !name.empty();
    text += (is_plain ? "" : short_number(std::abs(value)) + (name.empty() ? "" : " ")) + name;
  };
  const auto [joints, factors, offset] =
      motor_row(robot, i).value_or(JointRow{{i}, {robot.joints[i].motor.gear_ratio}});
  for (std::size_t j = 0; j < joints.size(); ++j)
    add(factors[j], fmt::format("q{}", joints[j] + 1));
  add(offset, "");
  return text;
}

bool has_any_torque_limit(const Robot& robot) {
  return has_limit(robot, &Limits::torque) || !row_limits(robot, RowLimit::Kind::torque).empty();
}

std::string limited_name(const Robot& robot, const RowLimit& limit) {
  return (limit.is_of_motor ? "motor of " : "") + joint_at(robot, limit.joint).name;
}

const char* limit_unit(const Robot& robot, const RowLimit& limit) {
  if (limit.is_of_motor) return limit.kind == RowLimit::Kind::torque ? "N·m" : "rad/s";
  constexpr std::array units{RobotUnit::position, RobotUnit::speed, RobotUnit::acceleration,
                             RobotUnit::effort};
  return unit_text(units[static_cast<std::size_t>(limit.kind)], joint_at(robot, limit.joint).type);
}

std::vector<RowReach> reaches_of(const std::vector<RowLimit>& limits) {
  return each(limits, [](const RowLimit& limit) { return RowReach{limit}; });
}

Sections row_tables(const Robot& robot, const std::vector<RowReach>& reaches, bool has_time) {
  FieldTable motors, followers;
  for (const auto& [limit, peak] : reaches) {
    if (limit.kind == RowLimit::Kind::position) continue;
    const char* const unit = limit_unit(robot, limit);
    const char* const quantity =
        text_of_value(limit.kind, {"position", "velocity", "acceleration", "torque"});
    (limit.is_of_motor ? motors : followers)
        .rows.push_back({{"name", limit.is_of_motor ? "motor of" : "follower",
                          Value::word(joint_at(robot, limit.joint).name)},
                         {"quantity", "", Value::word(quantity)},
                         {"peak", "peak", Value::number(peak.value, unit)},
                         {"unit", "", Value::unit_of(unit)},
                         {has_time ? "peak_time" : "peak_row", has_time ? "at t [s]" : "at row",
                          Value::moment(peak.t)},
                         {"limit", "limit", Value::number(limit.most, unit)},
                         {"share", "of limit", Value::share(peak.value, limit.most)}});
  }
  Sections tables;
  if (!motors.rows.empty()) tables.push_back({"motors", motors});
  if (!followers.rows.empty()) tables.push_back({"followers", followers});
  return tables;
}

namespace {

std::string exceeds_limit(const std::string& name, const char* what, double value, double limit,
                          const char* unit, const std::string& place) {
  const bool differ = with_unit(value, unit) != with_unit(limit, unit);
  const auto text = [&](double x) {
    return differ ? with_unit(x, unit) : number_text(shown_value(x, unit)) + " " + shown_unit(unit);
  };
  return fmt::format("{}: {} reaches {} at {}, its limit is {}", name, what, text(value), place,
                     text(limit));
}

}  // namespace

void add_if_exceeded(const Joint& joint, std::optional<double> Limits::*limit,
                     const TimedValue& peak, const PlaceWords& place,
                     std::vector<std::string>& sentences, const char* torque) {
  const std::optional<double>& most = joint.limits.*limit;
  if (!most || !(peak.value > *most)) return;
  const auto [what, unit] = limit == &Limits::torque ? std::pair(torque, torque_unit(joint))
                            : limit == &Limits::velocity
                                ? std::pair("|qd|", speed_unit(joint))
                                : std::pair("|qdd|", acceleration_unit(joint));
  sentences.push_back(exceeds_limit(joint.name, what, peak.value, *most, unit, place(peak.t)));
}

void add_if_exceeded(const Robot& robot, const std::vector<RowReach>& reaches,
                     const PlaceWords& place, std::vector<std::string>& sentences,
                     const char* torque) {
  for (const RowReach& reach : reaches) {
    if (!reach.exceeds_limit()) continue;
    const auto& [limit, peak] = reach;
    const Joint& joint = joint_at(robot, limit.joint);
    if (limit.kind == RowLimit::Kind::position) {
      sentences.push_back(
          leaves_range(joint, peak.value - limit.most, *joint.limits.position, place(peak.t)));
      continue;
    }
    const char* const what = limit.kind == RowLimit::Kind::torque         ? torque
                             : limit.is_of_motor                          ? "speed"
                             : limit.kind == RowLimit::Kind::acceleration ? "|qdd|"
                                                                          : "|qd|";
    sentences.push_back(exceeds_limit(limited_name(robot, limit), what, peak.value, limit.most,
                                      limit_unit(robot, limit), place(peak.t)));
  }
}

std::string leaves_range(const Joint& joint, double outside, const Range& range,
                         const std::string& place) {
  const char* unit = position_unit(joint);
  return fmt::format("{}: q is {} outside its limits {} to {} at {}", joint.name,
                     with_unit(outside, unit), Value::number(range.lower, unit).brief,
                     with_unit(range.upper, unit), place);
}

Value moments(const MotionTally& rows) {
  return rows.has_time() ? Value::moments(rows.begin(), rows.end()) : Value{};
}

Fields rows_head(const Robot& robot, std::size_t rows, const Value& moments) {
  return {words(robot.name + ": "),
          {"rows", "{}", Value::count(rows, "row")},
          {"t", ", t = {} s", moments}};
}

}  // namespace armdyn
