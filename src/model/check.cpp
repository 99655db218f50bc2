#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "math/degrees.hpp"
#include "model/rules.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

// Each function is a rule or a short list of them.

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < 0x20U || code == 0x7FU;
  });
}

void name_is_a_word(const std::string& path, const std::string& name, Report& report) {
  if (is_name(name)) return;
  report.error(path,
               fmt::format("found {}; expected a letter, then letters, digits, \"_\" or \"-\"",
                           shown_text(name)));
}

void robot_has_a_name(const Robot& robot, Report& report) {
  if (!robot.name.empty() && is_one_line(robot.name)) return;
  report.error("name",
               fmt::format("found {}; expected a name in one line", shown_text(robot.name)));
}

void robot_has_joints(const Robot& robot, Report& report) {
  if (robot.joints.empty()) report.error("joints", "found none; expected at least one joint");
}

void joint_names_are_unique_words(const Robot& robot, Report& report) {
  std::map<std::string, std::size_t> first_with;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const std::string& name = robot.joints[i].name;
    const std::string path = joint_path(i) + ".name";
    name_is_a_word(path, name, report);
    const auto [first, is_new] = first_with.emplace(name, i);
    if (is_new) continue;
    report.error(path, fmt::format("found {}, the name of {} too; expected a name of its own",
                                   shown_text(name), joint_path(first->second)));
  }
}

void is_not_negative(const std::string& path, double value, std::string_view unit, Report& report) {
  if (value >= 0.0) return;
  report.error(path, fmt::format("found {}; expected 0 or more, in {}", value, unit));
}

std::string shown(const TwoSided& level) {
  if (level.positive == level.negative) return fmt::format("{}", level.positive);
  return fmt::format("[{}, {}]", level.positive, level.negative);
}

bool has_magnitudes(const TwoSided& level) {
  return level.positive >= 0.0 && level.negative >= 0.0;
}

void are_magnitudes(const std::string& path, const TwoSided& level, Report& report) {
  if (has_magnitudes(level)) return;
  const TwoSided magnitudes{std::abs(level.positive), std::abs(level.negative)};
  report.error(path, fmt::format("found {}; expected magnitudes, 0 or more, for both directions; "
                                 "published tables carry the sign of the torque: write {}",
                                 shown(level), shown(magnitudes)));
}

void breakaway_is_not_below_coulomb(const std::string& path, const Friction& friction,
                                    Report& report) {
  const TwoSided& breakaway = *friction.breakaway;
  const TwoSided& coulomb = friction.coulomb;
  if (!has_magnitudes(coulomb)) return;  // which has its own error
  if (breakaway.positive >= coulomb.positive && breakaway.negative >= coulomb.negative) return;
  report.error(path, fmt::format("found {}; expected at least the Coulomb friction, which is {}",
                                 shown(breakaway), shown(coulomb)));
}

void check_friction(const std::string& path, const Friction& friction, Report& report) {
  is_not_negative(path + ".viscous", friction.viscous, "N·m·s/rad or N·s/m", report);
  are_magnitudes(path + ".coulomb", friction.coulomb, report);
  if (friction.breakaway) {
    are_magnitudes(path + ".static", *friction.breakaway, report);
    breakaway_is_not_below_coulomb(path + ".static", friction, report);
  }
  is_not_negative(path + ".stribeck_velocity", friction.stribeck_velocity, "rad/s or m/s", report);
  if (friction.ripple.amplitude < 0.0 || friction.ripple.amplitude > 1.0) {
    report.error(path + ".ripple.amplitude",
                 fmt::format("found {}; expected 0 to 1, a share of the dry friction",
                             friction.ripple.amplitude));
  }
  is_not_negative(path + ".sigmoid.amplitude", friction.sigmoid.amplitude, "N·m or N", report);
  is_not_negative(path + ".sigmoid.slope", friction.sigmoid.slope, "s/rad or s/m", report);
}

void check_gear(const std::string& path, double ratio, Report& report) {
  if (ratio == 0.0) {
    report.error(path, "found 0; expected rotor speed over joint speed, 1 without a gear");
  } else if (std::abs(ratio) < 1.0) {
    report.warning(path, fmt::format("found {}, a rotor slower than its joint; is it joint speed "
                                     "over rotor speed, and the ratio {:.6g}?",
                                     ratio, 1.0 / ratio));
  }
}

void check_motor(const std::string& path, const Motor& motor, Report& report) {
  is_not_negative(path + ".rotor_inertia", motor.rotor_inertia, "kg·m²", report);
  check_gear(path + ".gear_ratio", motor.gear_ratio, report);
  is_not_negative(path + ".viscous", motor.viscous, "N·m·s/rad", report);
  are_magnitudes(path + ".coulomb", motor.coulomb, report);
  if (motor.efficiency <= 0.0 || motor.efficiency > 1.0) {
    report.error(path + ".efficiency",
                 fmt::format("found {}; expected more than 0 and at most 1", motor.efficiency));
  } else if (motor.efficiency < 1.0) {
    report.warning(path + ".efficiency",
                   fmt::format("found {}; nothing uses it yet: no torque has the gear's losses in "
                               "it, but for those that friction, viscous and coulomb describe",
                               motor.efficiency));
  }
}

std::string shown(const Range& range, JointType type, AngleUnit unit) {
  if (type == JointType::prismatic) return fmt::format("{} to {} m", range.lower, range.upper);
  const std::string lower = shown_angle(range.lower, unit);
  return fmt::format("{} to {}", lower.substr(0, lower.find(' ')), shown_angle(range.upper, unit));
}

void check_limits(const std::string& path, const Joint& joint, AngleUnit unit, Report& report) {
  const Limits& limits = joint.limits;
  if (limits.position && limits.position->lower >= limits.position->upper) {
    report.error(path + ".position",
                 fmt::format("found {}; expected a lower limit and then a higher one",
                             shown(*limits.position, joint.type, unit)));
  }
  const bool revolute = joint.type == JointType::revolute;
  if (limits.velocity) {
    is_positive(path + ".velocity", *limits.velocity, revolute ? "rad/s" : "m/s", report);
  }
  if (limits.acceleration) {
    is_positive(path + ".acceleration", *limits.acceleration, revolute ? "rad/s²" : "m/s²", report);
  }
  if (limits.jerk) {
    is_positive(path + ".jerk", *limits.jerk, revolute ? "rad/s³" : "m/s³", report);
  }
  if (limits.torque) {
    is_positive(path + ".torque", *limits.torque, revolute ? "N·m" : "N", report);
  }
}

void check_joint(const std::string& path, const Joint& joint, AngleUnit unit, Report& report) {
  is_not_negative(path + ".mass", joint.body.mass, "kg", report);
  check_friction(path + ".friction", joint.friction, report);
  check_motor(path + ".motor", joint.motor, report);
  check_limits(path + ".limits", joint, unit, report);
}

void poses_fit_the_joints(const Robot& robot, Report& report) {
  for (const NamedPose& pose : robot.poses) {
    const std::string path = pose_path(pose);
    name_is_a_word(path, pose.name, report);
    if (pose.q.size() == robot.dof() || robot.dof() == 0) continue;
    report.error(path, fmt::format("found {} {}; expected {}, one per joint", pose.q.size(),
                                   pose.q.size() == 1 ? "number" : "numbers", robot.dof()));
  }
}

void check_values(const Robot& robot, const Notation& written, Report& report) {
  robot_has_a_name(robot, report);
  robot_has_joints(robot, report);
  joint_names_are_unique_words(robot, report);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    check_joint(joint_path(i), robot.joints[i], written.angles, report);
  }
  check_couplings(robot, report);
  is_not_negative("payload.mass", robot.payload.mass, "kg", report);
  poses_fit_the_joints(robot, report);

  Robot links = robot;
  links.couplings.clear();  // which may be wrong, and say nothing of links
  check_bodies(links, written, report);
  check_sizes(links, written, report);
  check_angles(links, written.angles, report);
  check_plausible(links, written.angles, report);
}

}  // namespace

std::string joint_path(std::size_t index) {
  return fmt::format("joints[{}]", index);
}

void is_positive(const std::string& path, double value, std::string_view unit, Report& report) {
  if (value > 0.0) return;
  report.error(path, fmt::format("found {}; expected more than 0, in {}", value, unit));
}

std::string coupling_path(std::size_t index) {
  return fmt::format("couplings[{}]", index);
}

std::string pose_path(const NamedPose& pose) {
  constexpr std::size_t longest = 60;  // every finding below a name repeats it
  const bool is_plain = is_name(pose.name) && pose.name.size() <= longest;
  return "poses." + (is_plain ? pose.name : shown_text(pose.name));
}

std::string shown_angle(double radians, AngleUnit unit) {
  if (unit == AngleUnit::rad) return fmt::format("{} rad", radians);
  return fmt::format("{:.6g} deg", degrees(radians));
}

std::vector<Finding> check(const Robot& robot, const Notation& written) {
  Report report;
  check_numbers_are_finite(robot, report);
  if (report.findings().empty()) check_values(robot, written, report);

  std::vector<Finding> findings = report.findings();
  std::stable_partition(findings.begin(), findings.end(),
                        [](const Finding& f) { return f.severity == Severity::error; });
  return findings;
}

std::vector<Finding> check(const Robot& robot) {
  return check(robot, Notation{});
}

bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.severity == Severity::error; });
}

}  // namespace armdyn
