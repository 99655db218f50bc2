#include "report/limit_words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

bool looks_like_degrees(const Joint& joint, double q) {
  return turns(joint) && std::abs(q) > 4.0 * std::numbers::pi;
}

std::vector<std::string> columns_in_degrees(const Robot& robot, std::span<const double> reach) {
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (!looks_like_degrees(robot.joints[i], reach[i])) continue;
    remarks.push_back(fmt::format(
        "{0}: q reaches {1} rad, which is {2} turns; if the column is in degrees, name it "
        "q{3}[deg], and qd{3}[deg/s] and qdd{3}[deg/s^2] where they are in degrees too",
        robot.joints[i].name, short_number(reach[i]),
        short_number(reach[i] / (2 * std::numbers::pi)), i + 1));
  }
  return remarks;
}

std::string exceeds_limit(const std::string& name, const std::string& what, double value,
                          double limit, const std::string& unit, const std::string& place) {
  const bool differ = short_number(value) != short_number(limit);
  const auto text = [differ](double x) { return differ ? short_number(x) : number_text(x); };
  return fmt::format("{}: {} reaches {} {} at {}, its limit is {} {}", name, what, text(value),
                     unit, place, text(limit), unit);
}

bool has_any_torque_limit(const Robot& robot) {
  return has_torque_limit(robot) || !motor_limits(robot, MotorLimit::Kind::torque).empty();
}

const char* motor_unit(MotorLimit::Kind kind) {
  return kind == MotorLimit::Kind::torque ? "N·m" : "rad/s";
}

std::vector<Fields> motor_rows(const Robot& robot, const std::vector<MotorReach>& motors,
                               bool has_time) {
  std::vector<Fields> rows;
  for (const auto& [limit, peak] : motors) {
    const bool is_torque = limit.kind == MotorLimit::Kind::torque;
    rows.push_back({{"name", "motor of", Value::word(robot.joints[limit.motor].name)},
                    {"quantity", "", Value::word(is_torque ? "torque" : "velocity")},
                    {"peak", "peak", Value::number(peak.value)},
                    {"unit", "", Value::word(motor_unit(limit.kind))},
                    {has_time ? "peak_time" : "peak_row", has_time ? "at t [s]" : "at row",
                     Value::moment(peak.t)},
                    {"limit", "limit", Value::number(limit.most)},
                    {"share", "share", Value::share(peak.value, limit.most)}});
  }
  return rows;
}

std::string exceeds_limit(const Robot& robot, const MotorReach& reach, const std::string& place) {
  const auto& [limit, peak] = reach;
  return exceeds_limit("motor of " + robot.joints[limit.motor].name,
                       limit.kind == MotorLimit::Kind::torque ? "|τ|" : "speed", peak.value,
                       limit.most, motor_unit(limit.kind), place);
}

std::string leaves_range(const Joint& joint, double outside, const Range& range,
                         const std::string& place) {
  const char* unit = position_unit(joint);
  return fmt::format("{}: q is {} {} outside its limits {} to {} {} at {}", joint.name,
                     short_number(outside), unit, short_number(range.lower),
                     short_number(range.upper), unit, place);
}

}  // namespace armdyn
