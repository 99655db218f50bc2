#include "model/mechanism.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "math/each.hpp"
#include "math/hypotenuse.hpp"
#include "math/rotation.hpp"
#include "model/joint_kind.hpp"
#include "model/proximal_form.hpp"
#include "model/spring_law.hpp"

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

namespace {

void add(const std::vector<std::size_t>& joints, std::set<std::size_t>& all) {
  all.insert(joints.begin(), joints.end());
}
void add_that_move(const Robot& robot, std::optional<std::size_t> k, std::set<std::size_t>& all) {
  for (; k; k = parent_of(robot, *k)) add(joint_row(robot, robot, *k).joints, all);
}

}  // namespace

std::vector<std::size_t> joints_that_move(const Robot& robot, std::size_t k) {
  std::set<std::size_t> joints;
  add_that_move(robot, k, joints);
  return {joints.begin(), joints.end()};
}

std::vector<std::size_t> joints_of_spring(const Robot& robot, const Spring& spring) {
  std::set<std::size_t> joints;
  add(row_of_names(robot, robot, spring.row, 0.0).joints, joints);
  for (const auto* const end : {&spring.from, &spring.to}) {
    if (end->link.empty() || end->link == base_name) continue;
    add_that_move(robot, joint_of_name(robot, end->link), joints);
  }
  return {joints.begin(), joints.end()};
}

std::size_t tool_joint(const Robot& robot) {
  return robot.tool_link.empty() ? robot.dof() - 1 : joint_of_name(robot, robot.tool_link);
}

bool has_table(const Robot& robot) {
  return !std::ranges::all_of(in_order(number_of_joints(robot)), [&robot](std::size_t k) {
    return joint_at(robot, k).axis.has_value();
  });
}

bool is_mechanism(const Robot& robot) {
  const std::size_t n = robot.dof();
  if (!robot.followers.empty() || !robot.springs.empty() || tool_joint(robot) + 1 != n) return true;
  return !std::ranges::all_of(in_order(n), [&robot](std::size_t k) {
    constexpr auto base = std::numeric_limits<std::size_t>::max();
    const std::size_t before = k == 0 ? base : k - 1;
    const Joint& joint = robot.joints[k];
    return !joint.origin && !joint.axis && !joint.pitch &&
           parent_of(robot, k).value_or(base) == before;
  });
}

void require_serial(const Arm& arm, const std::string& what) {
  if (arm.is_serial()) return;
  throw Error(
      what +
      " cannot take a mechanism: an arm with branches, springs, or joints that follow others, are "
      "helical or have an origin; where axes of a URDF are nearly parallel, armdyn convert --snap "
      "makes a table");
}
void require_serial(const Robot& robot, const std::string& what) {
  if (is_mechanism(robot)) require_serial(normalize(robot), what);
}

bool has_reactions(const Arm& arm) {
  const auto is_known = [&arm](const Chain& chain) {
    return std::ranges::all_of(chain.joints, [&arm](std::size_t k) { return k < arm.dof(); });
  };
  return std::ranges::all_of(arm.chains, is_known) &&
         std::ranges::all_of(arm.springs,
                             [](const auto& spring) { return spring.row.joints.size() == 1; });
}
void require_reactions(const Arm& arm) {
  if (has_reactions(arm)) return;
  throw Error(
      "reactions of joints cannot be computed where joints follow others or springs act between "
      "links: the forces in their bars, belts and gears are not in the robot file");
}

void require_polynomial_springs(const Robot& robot, const std::string& what) {
  for (const Spring& spring : robot.springs) {
    const auto pieces = spring_pieces(spring);
    if (pieces.size() == 1 && (!spring.row.empty() || is_in_proportion(pieces))) continue;
    throw Error(
        fmt::format("{} cannot have the spring {}: with a table, piecewise stiffness, or a force "
                    "between two points that is not in proportion to their distance it has no "
                    "formula of sums and products",
                    what, spring.name));
  }
}

double mass_of_links(const Robot& robot) {
  double mass = 0.0;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) mass += joint_at(robot, k).body.mass;
  return mass;
}

void limit_by_followers(Robot& robot) {
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const auto [joints, factors, offset] = joint_row(robot, robot, k);
    if (joints.size() != 1 || factors[0] == 0.0) continue;
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

AxisAngles axis_angles(const Vec3& axis) {
  return {angle_of_turn(axis.x, -axis.y), angle_of_turn(hypotenuse(axis.x, axis.y), axis.z)};
}

Transform link_frame_at(const Joint& joint, Convention convention, double x) {
  const double turn = by_kind(joint.type, x, 0.0);
  const double slide =
      by_kind(joint.type, joint.pitch.value_or(0.0) * 0.5 * std::numbers::inv_pi * x, x);
  const Transform moves{rotation_z(joint.dh.theta + turn), {0.0, 0.0, joint.dh.d + slide}};
  const Transform origin = joint.origin ? placed(*joint.origin) : Transform{};
  if (joint.axis) {
    const auto [yaw, tilt] = axis_angles(*joint.axis);
    const Transform at_axis{rotation_z(yaw) * rotation_x(tilt, tilt), joint.axis_point};
    return origin * at_axis * moves * inverse(at_axis);
  }
  const Transform stays = distal_part(joint.dh);
  return origin * (convention == Convention::standard ? moves * stays : stays * moves);
}

JointNumbers numbers_of_joints(const Robot& robot) {
  JointNumbers numbers;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    numbers.emplace(joint_at(robot, k).name, k);
  }
  return numbers;
}

std::vector<std::size_t> joints_from_base(const Robot& robot) {
  const std::size_t count = number_of_joints(robot);
  const auto numbers = numbers_of_joints(robot);
  std::vector<std::vector<std::size_t>> on(count + 1);  // joints on each link, the last the base
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& parent = joint_at(robot, k).parent;
    const auto found = numbers.find(parent);
    if (parent == base_name || (parent.empty() && k == 0)) {
      on[count].push_back(k);
    } else if (parent.empty()) {
      on[k - 1].push_back(k);
    } else if (found != numbers.end()) {
      on[found->second].push_back(k);
    }
  }
  std::vector<std::size_t> order = on[count];
  for (std::size_t i = 0; i < order.size(); ++i) append(order, on[order[i]]);
  return order;
}

std::vector<double> positions_at_zero(const Robot& robot) {
  constexpr std::size_t most_levels = 32;  // of followers of followers, as checked
  const auto numbers = numbers_of_joints(robot);
  std::vector<double> x(number_of_joints(robot));
  for (std::size_t round = 0; round < std::min(most_levels, robot.followers.size()); ++round) {
    for (std::size_t k = robot.dof(); k < x.size(); ++k) {
      const Follows follows = joint_at(robot, k).follows.value_or(Follows{});
      x[k] = follows.offset;
      for (const auto& [name, factor] : follows.row) {
        const auto other = numbers.find(name);
        if (other != numbers.end()) x[k] += factor * x[other->second];
      }
    }
  }
  return x;
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
