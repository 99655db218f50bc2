#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "model/check.hpp"
#include "model/limits_of_input.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// First joint from which the next ones lead in a circle; their number where all lead to `none`.
std::size_t begins_a_circle(const std::vector<std::size_t>& next, std::size_t none) {
  std::vector<std::size_t> seen_from(next.size(), none);
  for (std::size_t begin = 0; begin < next.size(); ++begin) {
    std::size_t k = begin;
    while (k != none && seen_from[k] == none) {
      seen_from[k] = begin;
      k = next[k];
    }
    if (k != none && seen_from[k] == begin) return begin;
  }
  return next.size();
}

bool names_a_joint(const std::string& path, const std::string& name, const Robot& robot,
                   Report& report) {
  if (joint_of_name(robot, name) < number_of_joints(robot)) return true;
  report.error(path, "found {}; expected the name of a joint", shown_text(name));
  return false;
}

bool parents_are_sound(const Robot& robot, Report& report) {
  const std::size_t count = number_of_joints(robot);
  bool sound = true;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& parent = joint_at(robot, k).parent;
    if (parent.empty() || parent == base_name) continue;
    sound = names_a_joint(joint_path(k) + ".parent", parent, robot, report) && sound;
  }
  if (!sound) return false;
  const JointNumbers numbers = numbers_of_joints(robot);
  std::vector<std::size_t> parents(count, count);  // count: the base
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& parent = joint_at(robot, k).parent;
    if (parent.empty() && k > 0) parents[k] = k - 1;
    if (!parent.empty() && parent != base_name) parents[k] = numbers.at(parent);
  }
  const std::size_t k = begins_a_circle(parents, count);
  if (k == count) return true;
  report.error(joint_path(k) + ".parent",
               "found {}, which {} carries itself; expected parents that lead to the base",
               shown_text(joint_at(robot, k).parent), shown_text(joint_at(robot, k).name));
  return false;
}

/// Requires rows that lead to joints with a position of their own, over few followers.
void rows_end(const Robot& robot, const auto& require) {
  constexpr std::size_t most_levels = 32, most_terms = 10'000;
  const std::size_t count = number_of_joints(robot);
  const JointNumbers numbers = numbers_of_joints(robot);
  struct Row {
    std::size_t levels = 0, terms = 0;  // of followers below it; of its sum, 0: not known yet
  };
  std::vector<Row> rows(count);
  for (std::size_t k = 0; k < robot.dof(); ++k) rows[k].terms = 1;
  bool goes_on = true, is_deep = false;
  while (goes_on) {  // no more often than there are levels
    goes_on = false;
    for (std::size_t k = robot.dof(); k < count; ++k) {
      if (rows[k].terms > 0) continue;
      Row row;
      bool is_known = true;
      for (const Followed& of : joint_at(robot, k).follows->row) {
        const Row& other = rows[numbers.at(of.joint)];
        is_known = is_known && other.terms > 0;
        row = {std::max(row.levels, other.levels + 1), row.terms + other.terms};
      }
      const bool is_much = row.levels > most_levels || row.terms > most_terms;
      is_deep = is_deep || (is_known && is_much);
      if (!is_known || is_much) continue;
      rows[k] = row;
      goes_on = true;
    }
  }
  const auto open = std::ranges::find(rows, std::size_t{0}, &Row::terms);
  if (open == rows.end()) return;
  const auto k = static_cast<std::size_t>(open - rows.begin());
  require(false, joint_path(k) + ".follows",
          is_deep ? "found more than 32 followers one after the other, or a sum of more than 10000 "
                    "terms; expected fewer"
                  : "found joints that follow each other; expected rows that lead to joints with a "
                    "position of their own");
}

bool rows_are_sound(const Robot& robot, Report& report) {
  bool sound = true;
  const auto require = [&](bool is_so, const std::string& path, const char* text) {
    if (!is_so) report.error(path, "{}", text);
    sound = sound && is_so;
  };
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const Joint& joint = joint_at(robot, k);
    const std::string path = joint_path(k) + ".follows";
    const bool has_row = joint.follows && !joint.follows->row.empty();
    require(has_row, path, "found no joint; expected joints and factors");
    if (!has_row) continue;
    for (const auto& [name, factor] : joint.follows->row) {
      const std::string at = fmt::format("{}.row.{}", path, name);
      if (names_a_joint(at, name, robot, report)) {
        require(std::abs(factor) >= limits_of_input::least, at, "found 0; expected another factor");
      } else {
        sound = false;
      }
    }
  }
  if (sound) rows_end(robot, require);
  return sound;
}

/// Reports a list of a spring whose positions do not increase.
bool positions_increase(const std::string& path, const std::vector<SpringPoint>& points,
                        Report& report) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].at - points[i - 1].at >= limits_of_input::least) continue;
    report.error(fmt::format("{}[{}][0]", path, i), "found {} after {}; expected a higher number",
                 points[i].at, points[i - 1].at);
    return false;
  }
  return true;
}

/// Reports a law that is none, or more than one, or not of this kind of spring.
bool law_is_sound(const std::string& path, const Spring& spring, Report& report) {
  bool sound = true;
  const auto require = [&](bool is_so, const std::string& at, const char* text) {
    if (!is_so) report.error(path + at, "{}", text);
    sound = sound && is_so;
  };
  const bool has_table = !spring.table.empty(), has_pieces = !spring.piecewise.empty();
  require(has_table || has_pieces || spring.stiffness != 0.0 || spring.preload != 0.0, "",
          "found no stiffness; expected stiffness, piecewise or a table");
  require(!has_pieces || spring.stiffness == 0.0, ".piecewise",
          "found beside stiffness; expected one of them");
  require(!has_table || (!has_pieces && spring.stiffness == 0.0 && spring.preload == 0.0 &&
                         spring.rest == 0.0 && spring.free_length == 0.0),
          ".table",
          "found beside stiffness, preload or a position of rest; expected the table alone");
  require(spring.table.size() != 1, ".table", "found one point; expected two or more");
  const bool is_on_row = !spring.row.empty();
  require(!is_on_row || spring.free_length == 0.0, ".free_length",
          "found at a spring on a row; expected rest");
  require(is_on_row || spring.rest == 0.0, ".rest",
          "found at a spring between two points; expected free_length");
  for (std::size_t i = 0; i < spring.piecewise.size(); ++i) {
    require(spring.piecewise[i].value >= 0.0, fmt::format(".piecewise[{}][1]", i),
            "found a stiffness below 0; expected 0 or more");
  }
  sound = positions_increase(path + ".piecewise", spring.piecewise, report) && sound;
  return positions_increase(path + ".table", spring.table, report) && sound;
}

bool springs_are_sound(const Robot& robot, Report& report) {
  bool sound = true;
  for (std::size_t s = 0; s < robot.springs.size(); ++s) {
    const Spring& spring = robot.springs[s];
    const std::string path = fmt::format("springs[{}]", s);
    sound = law_is_sound(path, spring, report) && sound;
    for (const Followed& of : spring.row) {
      const std::string at = fmt::format("{}.row.{}", path, of.joint);
      sound = names_a_joint(at, of.joint, robot, report) && sound;
    }
    if (!spring.row.empty()) continue;
    for (const auto& [key, link] :
         {std::pair(".from.link", &spring.from.link), std::pair(".to.link", &spring.to.link)}) {
      if (*link == base_name) continue;
      sound = names_a_joint(path + key, *link, robot, report) && sound;
    }
    if (spring.from.link == spring.to.link) {
      report.warning(path, "both ends are on one link; the spring does nothing");
    }
  }
  return sound;
}

/// What has no direction cannot be an axis.
bool axes_are_sound(const Robot& robot, Report& report) {
  bool sound = true;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    const Joint& joint = joint_at(robot, k);
    if (!joint.axis || length(*joint.axis) >= limits_of_input::least) continue;
    report.error(joint_path(k) + ".axis", "found no direction; expected one such as [0, 0, 1]");
    sound = false;
  }
  return sound;
}

/// What a follower cannot have: a motor, and friction that is not a joint's that it follows.
void check_follower(const Robot& robot, std::size_t k, Report& report) {
  const Joint& joint = joint_at(robot, k);
  const auto& [friction, motor, gear, limits] =
      std::tie(joint.friction, joint.motor, joint.gear, joint.limits);
  if (motor != Motor{} || gear != Gear{}) {
    report.error(
        joint_path(k) + (motor != Motor{} ? ".motor" : ".gear"),
        "found at a joint that follows others; expected the motor at the joint that moves it");
  }
  const std::vector<std::size_t> joints = joint_row(robot, robot, k).joints;
  const std::size_t followed = joints.size();
  Friction plain;
  plain.viscous = friction.viscous;
  if (followed == 1) plain.coulomb = friction.coulomb;
  if (friction != plain) {
    report.error(joint_path(k) + ".friction",
                 "found more than {} friction at a joint that follows {}; leave it out, or put it "
                 "at the joint that moves this one",
                 followed == 1 ? "viscous and Coulomb" : "viscous",
                 followed == 1 ? "one coordinate" : "several coordinates");
  } else if (friction.coulomb != TwoSided{} &&
             robot.joints[joints[0]].friction.ripple.amplitude != 0.0) {
    report.error(joint_path(k) + ".friction.coulomb",
                 "found at a joint that follows one with a ripple, which would be this friction's, "
                 "too; leave one of them out");
  }
  if (limits.torque) {
    report.warning(
        joint_path(k) + ".limits.torque",
        "of a joint that follows others, which has no motor: this limit is not observed");
  }
  if (limits.jerk && followed != 1) {
    report.warning(joint_path(k) + ".limits.jerk",
                   "of a joint that follows several: this limit is not observed");
  }
}

}  // namespace

bool check_mechanism(const Robot& robot, Report& report) {
  bool sound = parents_are_sound(robot, report);
  sound = rows_are_sound(robot, report) && sound;
  sound = springs_are_sound(robot, report) && sound;
  sound = axes_are_sound(robot, report) && sound;
  if (!robot.tool_link.empty()) {
    sound = names_a_joint("tool.link", robot.tool_link, robot, report) && sound;
  }
  if (!sound || !is_mechanism(robot)) return sound;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    if (joint_at(robot, k).name == base_name) {
      report.error(joint_path(k) + ".name",
                   "found base, the name of the robot's base for parents; expected another name");
    }
    if (k >= robot.dof()) check_follower(robot, k, report);
  }
  Robot limited = robot;
  limit_by_followers(limited);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const auto& range = limited.joints[i].limits.position;
    if (range && range->lower > range->upper) {
      report.error(joint_path(i) + ".limits.position",
                   "found no position that the limits of the joints that follow it allow");
    }
  }
  return sound;
}

}  // namespace armdyn
