#include "cli/options/slow_down_answer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

/// "0 to 0.3 and 0.5 to 1"
std::string ranges_text(const std::vector<Range>& ranges) {
  std::string text;
  for (const auto& [lower, upper] : ranges) {
    text += text.empty() ? "" : " and ";
    text += lower == upper ? short_number(lower)
                           : fmt::format("{} to {}", short_number(lower), short_number(upper));
  }
  return text.empty() ? "none" : text;
}

const char* quantity(const PathLimit& limit) {
  switch (limit.of) {
    case PathLimit::Of::torque:
      return "torque";
    case PathLimit::Of::velocity:
      return "velocity";
    case PathLimit::Of::acceleration:
      break;
  }
  return "acceleration";
}

}  // namespace

std::string limit_name(const Robot& robot, const PathLimit& limit) {
  const std::string name =
      limit.is_of_motor ? motor_name(robot, limit.joint) : robot.joints[limit.joint].name;
  return fmt::format("{} of {}", quantity(limit), name);
}

Fields slow_down_fields(const Robot& robot, const PathDemands& demands, const SlowDown& found,
                        double duration) {
  if (const auto obstacle = slow_down_obstacle(robot, demands, found)) {
    return {{"obstacle", for_programs, Value::word(*obstacle)}};
  }
  Json feasible = Json::list();
  for (const auto& [lower, upper] : found.feasible) feasible.push_back(Json::list(lower, upper));
  const bool has_gap = found.feasible.size() > 1 || found.feasible.front().lower > 0.0;
  Fields fields{{"factor",
                 found.binding ? "slow down: {} of the speed keeps all limits"
                               : "slow down: the motion keeps all limits at its own speed",
                 Value::number(found.factor)},
                {"duration", label_if(found.binding.has_value(), ", in {} s"),
                 Value::number(duration / found.factor)}};
  if (found.binding) {
    const PathLimit& limit = demands.limits()[found.binding->limit];
    fields.push_back({"binding",
                      "; the {} limits it",
                      {Json{{"name", robot.joints[limit.joint].name},
                            {"quantity", quantity(limit)},
                            {"is_of_motor", limit.is_of_motor},
                            {"time", found.binding->t}},
                       limit_name(robot, limit)}});
    fields.push_back({for_people, " at t = {} s", Value::moment(found.binding->t)});
  }
  fields.push_back(
      {"feasible",
       label_if(has_gap, "; slower is not always within the limits: {} of the speed are"),
       {std::move(feasible), ranges_text(found.feasible)}});
  fields.push_back(
      {"is_numeric",
       label_if(!demands.is_plain(), "{}"),
       {!demands.is_plain(), "; friction that is neither dry nor viscous: solved numerically"}});
  return fields;
}

std::optional<std::string> slow_down_obstacle(const Robot& robot, const PathDemands& demands,
                                              const SlowDown& found) {
  if (!found.obstacle) return {};
  const auto& [place, demand, allowed, others] = *found.obstacle;
  const PathLimit& limit = demands.limits()[place.limit];
  const Joint& joint = robot.joints[limit.joint];
  if (!allowed.empty()) {
    return fmt::format(
        "no speed helps: at t = {:.6g} s the {} allows {} of the speed, other limits {}", place.t,
        limit_name(robot, limit), ranges_text(allowed), ranges_text(others));
  }
  const std::string name = limit.is_of_motor ? motor_name(robot, limit.joint) : joint.name;
  const double holds = demand.load > 0.0 ? demand.below : demand.above;
  std::string friction;
  if (holds > 0.0) {
    friction = fmt::format(" less {} of static friction", short_number(holds));
  } else if (demand.friction != 0.0) {
    friction =
        fmt::format(" and friction {}",
                    short_number(std::copysign(demand.friction, demand.load * demand.friction)));
  }
  return fmt::format("no speed helps: {}: gravity{} {}{} of {} {} at t = {:.6g} s", name,
                     found.has_hand ? " and hand wrench" : "", short_number(std::abs(demand.load)),
                     friction, short_number(limit.most),
                     limit.is_of_motor ? "N·m" : torque_unit(joint), place.t);
}

}  // namespace armdyn
