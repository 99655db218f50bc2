#include "model/mechanism.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/each.hpp"

namespace armdyn {

std::size_t joint_of_name(const Robot& robot, const std::string& name) {
  std::size_t k = 0;
  while (k < number_of_joints(robot) && joint_at(robot, k).name != name) ++k;
  return k;
}

std::optional<std::size_t> parent_of(const Robot& robot, std::size_t k) {
  const std::string& parent = joint_at(robot, k).parent;
  if (parent.empty()) return k == 0 ? std::nullopt : std::optional(k - 1);
  if (parent == base_name) return std::nullopt;
  return joint_of_name(robot, parent);
}

std::size_t tool_joint(const Robot& robot) {
  return robot.tool_link.empty() ? robot.dof() - 1 : joint_of_name(robot, robot.tool_link);
}

bool is_mechanism(const Robot& robot) {
  const std::size_t n = robot.dof();
  if (!robot.followers.empty() || !robot.springs.empty() || tool_joint(robot) + 1 != n) return true;
  return !std::ranges::all_of(in_order(n), [&robot](std::size_t k) {
    constexpr auto base = std::numeric_limits<std::size_t>::max();
    const std::size_t before = k == 0 ? base : k - 1;
    return !robot.joints[k].origin && !robot.joints[k].pitch &&
           parent_of(robot, k).value_or(base) == before;
  });
}

void require_serial(const Arm& arm, const std::string& what) {
  if (arm.is_serial()) return;
  throw Error(
      what +
      " cannot take a mechanism: an arm with branches, springs, or joints that follow others, are "
      "helical or have an origin");
}
void require_serial(const Robot& robot, const std::string& what) {
  if (is_mechanism(robot)) require_serial(normalize(robot), what);
}

double mass_of_links(const Robot& robot) {
  double mass = 0.0;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) mass += joint_at(robot, k).body.mass;
  return mass;
}

void limit_by_followers(Robot& robot) {
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const auto [joints, factors, offset] = joint_row(robot, robot, k);
    if (joints.size() != 1) continue;
    const double factor = factors[0];
    const Limits& own = joint_at(robot, k).limits;
    Limits& limits = robot.joints[joints[0]].limits;
    if (own.position) {
      const double a = (own.position->lower - offset) / factor,
                   b = (own.position->upper - offset) / factor;
      Range range{std::min(a, b), std::max(a, b)};
      if (limits.position) {
        range = {std::max(range.lower, limits.position->lower),
                 std::min(range.upper, limits.position->upper)};
      }
      limits.position = range;
    }
    const auto tighten = [factor](const std::optional<double>& of_follower,
                                  std::optional<double>& most) {
      if (!of_follower) return;
      const double here = *of_follower / std::abs(factor);
      most = most ? std::min(*most, here) : here;
    };
    tighten(own.velocity, limits.velocity);
    tighten(own.acceleration, limits.acceleration);
    tighten(own.jerk, limits.jerk);
  }
}

std::vector<JointChain> joint_chains(const Robot& robot) {
  const std::size_t count = number_of_joints(robot);
  std::vector<bool> is_end(count, true), is_taken(count, false);
  for (std::size_t k = 0; k < count; ++k) {
    if (const auto parent = parent_of(robot, k)) is_end[*parent] = false;
  }
  std::vector<JointChain> chains;
  const auto add = [&](std::size_t end, bool has_tool) {
    JointChain& chain = chains.emplace_back(JointChain{{end}, {}, has_tool});
    while (const auto parent = parent_of(robot, chain.joints.back())) {
      chain.joints.push_back(*parent);
    }
    std::ranges::reverse(chain.joints);
    for (const std::size_t k : chain.joints) {
      chain.has_body.push_back(!is_taken[k]);
      is_taken[k] = true;
    }
  };
  add(tool_joint(robot), true);
  for (std::size_t k = 0; k < count; ++k) {
    if (is_end[k] && !is_taken[k]) add(k, false);
  }
  return chains;
}

}  // namespace armdyn
