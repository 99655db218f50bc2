#include "report/limit_words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/text/brief_text.hpp"
#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

bool looks_like_degrees(const Joint& joint, double q) {
  return turns(joint) && std::abs(q) > 4.0 * std::numbers::pi;
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
