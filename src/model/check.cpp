#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/linear_algebra.hpp"
#include "math/rotation.hpp"
#include "model/limits_of_input.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr const char* short_name = "a name of at most 200 bytes";

bool is_name(std::string_view text) {
  const auto belongs = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, belongs);
}

bool is_one_line(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; });
}

void name_is_a_word(const std::string& path, const std::string& name, Report& report) {
  if (is_name(name) && name.size() <= limits_of_input::name) return;
  report.error(path, "found {}; expected {}", shown_text(name),
               is_name(name) ? short_name : "a letter, then letters, digits, \"_\" or \"-\"");
}

void robot_has_a_name(const Robot& robot, Report& report) {
  const bool is_short = robot.name.size() <= limits_of_input::name;
  if (!robot.name.empty() && is_one_line(robot.name) && is_short) return;
  report.error("name", "found {}; expected {}", shown_text(robot.name),
               is_short ? "a name in one line" : short_name);
}

void joint_names_are_unique_words(const Robot& robot, Report& report) {
  std::map<std::string, std::size_t> first_with;
  for (std::size_t i = 0; i < number_of_joints(robot); ++i) {
    const std::string& name = joint_at(robot, i).name;
    const std::string path = joint_path(i) + ".name";
    name_is_a_word(path, name, report);
    const auto [first, is_new] = first_with.emplace(name, i);
    if (is_new) continue;
    report.error(path, "found {}, the name of {} too; expected a name of its own", shown_text(name),
                 joint_path(first->second));
  }
}

std::string shown(const TwoSided& level) {
  if (level.positive == level.negative) return fmt::format("{}", level.positive);
  return fmt::format("[{}, {}]", level.positive, level.negative);
}

std::string shown(const Range& range, JointType type, AngleUnit unit) {
  if (!is_turning(type)) return fmt::format("{} to {} m", range.lower, range.upper);
  const std::string lower = shown_angle(range.lower, unit);
  return fmt::format("{} to {}", lower.substr(0, lower.find(' ')), shown_angle(range.upper, unit));
}

bool has_magnitudes(const TwoSided& level) {
  return level.positive >= 0.0 && level.negative >= 0.0;
}

/// "more than 0"; of a value that is, "at least 1e-12".
std::string positive(double value) {
  return value > 0.0 && value < limits_of_input::least
             ? fmt::format("at least {:g}", limits_of_input::least)
             : "more than 0";
}

/// Reports an error unless the value is more than 0.
void is_positive(const std::string& path, double value, std::string_view unit, Report& report) {
  if (value >= limits_of_input::least) return;
  report.error(path, "found {}; expected {}, in {}", value, positive(value), unit);
}

/// Check of the numbers of a joint or a body by the rules of the list of fields.
class RuleCheck {
 public:
  RuleCheck(std::string path, JointType type, AngleUnit unit, Report& report)
      : path_(std::move(path)), type_(type), unit_(unit), report_(report) {}

  void operator()(const RobotField& field, const double& value) {
    const auto found = [&](const std::string& expected) {
      report_.error(path_of(field), "found {}; expected {}", value, expected);
    };
    switch (field.rule) {
      case Rule::not_negative:
        if (value < 0.0) found("0 or more, in " + unit_text(field.unit));
        break;
      case Rule::positive:
        is_positive(path_of(field), value, unit_text(field.unit, type_), report_);
        break;
      case Rule::share:
        if (value < 0.0 || value > 1.0) found(std::string(field.expected));
        break;
      case Rule::positive_share:
        if (value < limits_of_input::least || value > 1.0)
          found(positive(value) + " and at most 1");
        break;
      case Rule::not_zero:
        if (std::abs(value) < limits_of_input::least) found(std::string(field.expected));
        break;
      case Rule::any:
      case Rule::at_least_before:
      case Rule::increasing:
        break;
    }
  }
  void operator()(const RobotField& field, const TwoSided& level) {
    if (!has_magnitudes(level)) {
      const TwoSided magnitudes{std::abs(level.positive), std::abs(level.negative)};
      report_.error(path_of(field),
                    "found {}; expected magnitudes, 0 or more, for both directions; published "
                    "tables carry the sign of the torque: write {}",
                    shown(level), shown(magnitudes));
    }
    if (field.rule == Rule::at_least_before && has_magnitudes(before_) &&
        (level.positive < before_.positive || level.negative < before_.negative)) {
      report_.error(path_of(field), "found {}; expected at least the {}, which is {}", shown(level),
                    name_before_, shown(before_));
    }
    before_ = level;
    name_before_ = field.name;
  }
  void operator()(const RobotField& field, const Range& range) {
    if (range.lower < range.upper) return;
    report_.error(path_of(field), "found {}; expected a lower limit and then a higher one",
                  shown(range, type_, unit_));
  }
  template <class T>
  void operator()(const RobotField& field, const std::optional<T>& value) {
    if (value) (*this)(field, *value);
  }
  void operator()(const RobotField& field, const Efficiency& both) {
    if (both.driving == both.back_driving) {
      (*this)(field, both.driving);
    } else {
      fields(RuleCheck(path_of(field), type_, unit_, report_), both);
    }
  }
  void operator()(const RobotField& field, const std::vector<SpeedTorque>& curve) {
    for (std::size_t k = 0; k < curve.size(); ++k) {
      const std::string place = fmt::format("{}[{}]", path_of(field), k);
      const auto& [speed, torque] = curve[k];
      if (speed < 0.0 || torque < 0.0) {
        report_.error(place, "found [{}, {}]; expected 0 or more, in rad/s and N·m", speed, torque);
      } else if (k > 0 && speed <= curve[k - 1].speed) {
        report_.error(place,
                      "found the speed {} behind {}[{}] with {}; expected speeds that increase",
                      speed, path_of(field), k - 1, curve[k - 1].speed);
      }
    }
  }
  template <RobotPart P>
  void operator()(const RobotField& field, const P& part) {
    fields(RuleCheck(path_of(field), type_, unit_, report_), part);
  }
  /// Words and vectors have rules of their own.
  void operator()(const RobotField& /*field*/, const auto& /*value*/) {}

 private:
  [[nodiscard]] std::string path_of(const RobotField& field) const {
    return fmt::format("{}.{}", path_, field.key);
  }

  std::string path_;
  JointType type_;
  AngleUnit unit_;
  Report& report_;
  TwoSided before_{};
  std::string_view name_before_;
};

void check_gear(const std::string& path, const Motor& motor, Report& report) {
  const double ratio = motor.gear_ratio;
  if (ratio != 0.0 && std::abs(ratio) < 1.0) {
    report.warning(path + ".gear_ratio",
                   "found {}, a rotor slower than its joint; is it joint speed over rotor speed, "
                   "and the ratio {:.6g}?",
                   ratio, 1.0 / ratio);
  }
  if (const auto& [driving, back_driving] = motor.efficiency;
      std::min(driving, back_driving) > 0.0 && std::min(driving, back_driving) < 1.0) {
    report.warning(path + ".efficiency",
                   "found {}; it is for sizing alone; the torques have the losses of friction, "
                   "viscous and coulomb",
                   driving == back_driving ? fmt::format("{}", driving)
                                           : fmt::format("{} and {}", driving, back_driving));
  }
}

/// A rating with its path, if it is given.
struct Rated {
  std::string path;
  std::optional<double> value;
};

/// Reports an error at both where the first is more than the second, which no drive has.
void is_at_most(const Rated& less, const Rated& more, Report& report) {
  if (!less.value || !more.value || *less.value <= *more.value) return;
  report.error(less.path, "found {}; expected at most {}, which is {}", *less.value, more.path,
               *more.value);
  report.error(more.path, "found {}; expected at least {}, which is {}", *more.value, less.path,
               *less.value);
}

/// Reports ratings that contradict one another.
void check_ratings(const std::string& path, const Joint& joint, Report& report) {
  const std::string motor = path + ".motor.", gear = path + ".gear.";
  const MotorRatings& ratings = joint.motor.ratings;
  const Rated peak{motor + "peak_torque", ratings.peak_torque};
  is_at_most({motor + "continuous_torque", ratings.continuous_torque}, peak, report);
  const auto highest = std::ranges::max_element(ratings.torque_speed, {}, &SpeedTorque::torque);
  if (highest != ratings.torque_speed.end()) {
    const Rated curve{
        fmt::format("{}torque_speed[{}][1]", motor, highest - ratings.torque_speed.begin()),
        highest->torque};
    is_at_most(curve, peak, report);
    is_at_most({motor + "continuous_torque", ratings.continuous_torque}, curve, report);
  }
  is_at_most({motor + "thermal.ambient", ratings.thermal.ambient},
             {motor + "thermal.max_winding", ratings.thermal.max_winding}, report);
  const Rated repeated{gear + "repeated_peak_torque", joint.gear.repeated_peak_torque};
  const Rated momentary{gear + "momentary_peak_torque", joint.gear.momentary_peak_torque};
  is_at_most(repeated, momentary, report);
  for (const Rated& lasting : {Rated{gear + "rated_torque", joint.gear.rated_torque},
                               Rated{gear + "average_torque", joint.gear.average_torque}}) {
    is_at_most(lasting, repeated.value ? repeated : momentary, report);
  }
  is_at_most({gear + "rated_speed", joint.gear.rated_speed},
             {gear + "max_input_speed", joint.gear.max_input_speed}, report);
}

/// Largest magnitude of a number of a robot. Limits may be larger: a motion has limits of its own.
double largest(const RobotField& field) {
  using enum RobotUnit;
  if (field.has(role::limit)) return std::numeric_limits<double>::max();
  if (field.unit == inertia) return limits_of_input::inertia;
  constexpr RobotUnit sizes[] = {none, mass, length, angle, radians, position, per_position};
  return std::ranges::count(sizes, field.unit) > 0 ? limits_of_input::size : limits_of_input::rate;
}

/// Reports numbers that are not finite or too large; returns whether all are finite.
bool check_magnitudes(const Robot& robot, Report& report) {
  bool are_finite = true;
  for_each_number(
      [&](const std::string& path, const RobotField& field, double number) {
        are_finite = are_finite && std::isfinite(number);
        if (std::abs(number) <= largest(field)) return;
        report.error(
            path, "found {}; expected {}", number,
            std::isfinite(number) ? limits_of_input::expected(largest(field)) : "a finite number");
      },
      robot);
  return are_finite;
}

void poses_fit_the_joints(const Robot& robot, Report& report) {
  for (const NamedPose& pose : robot.poses) {
    const std::string path = pose_path(pose);
    name_is_a_word(path, pose.name, report);
    if (pose.q.size() == robot.dof() || robot.dof() == 0) continue;
    report.error(path, "found {} {}; expected {}, one per joint", pose.q.size(),
                 pose.q.size() == 1 ? "number" : "numbers", robot.dof());
  }
}

/// Tests whether each motor is that of a joint, and of no other coupling.
bool motors_are_sound(const std::string& path, const Coupling& coupling, const Robot& robot,
                      std::set<std::size_t>& coupled, Report& report) {
  if (coupling.joints.empty()) {
    report.error(path, "found none; expected the numbers of joints");
    return false;
  }
  bool sound = true;
  for (const std::size_t joint : coupling.joints) {
    if (joint >= robot.dof()) {
      report.error(path, "found {}; expected numbers of joints, 1 to {}", joint + 1, robot.dof());
    } else if (!coupled.insert(joint).second) {
      report.error(path, "found {} twice; a joint's motor is coupled once", joint + 1);
    } else {
      continue;
    }
    sound = false;
  }
  return sound;
}

void check_matrix(const std::string& path, const Coupling& coupling, Report& report) {
  const std::size_t size = coupling.joints.size();
  if (coupling.matrix.size() != size * size || coupling.offsets.size() != size) {
    report.error(path, "expected {} rows and columns, and as many offsets", size);
    return;
  }
  if (!is_invertible(eigen(coupling.matrix, size))) {
    report.error(path,
                 "found a singular matrix; its rows are the motors' positions by the joints', and "
                 "must determine the joints' positions");
  }
}

void check_limits(const std::string& path, const std::vector<double>& limits, std::size_t motors,
                  const char* unit, Report& report) {
  if (!limits.empty() && limits.size() != motors) {
    report.error(path, "found {} of {} motors; expected one per motor, or none", limits.size(),
                 motors);
  }
  for (std::size_t m = 0; m < limits.size(); ++m) {
    is_positive(fmt::format("{}[{}]", path, m), limits[m], unit, report);
  }
}

void check_coupled_joint(std::size_t index, const Joint& joint, Report& report) {
  const std::string path = joint_path(index);
  if (joint.motor.gear_ratio != 1.0) {
    report.error(path + ".motor.gear_ratio",
                 "found {} beside a coupling of this motor, whose matrix has the ratios; expected "
                 "one of them",
                 joint.motor.gear_ratio);
  }
  const Friction& friction = joint.friction;
  if (!friction.coulomb.is_none() || friction.breakaway) {
    report.error(path + ".friction",
                 "found dry friction of a joint whose motor is coupled: it sticks where its motors "
                 "do; expected coulomb of the motor, or a sigmoid of the joint");
  }
}

/// Reports couplings without motors or with a singular matrix, and their joints that have gears or
/// dry friction of their own.
void check_couplings(const Robot& robot, Report& report) {
  std::set<std::size_t> coupled;
  for (std::size_t c = 0; c < robot.couplings.size(); ++c) {
    const Coupling& coupling = robot.couplings[c];
    const std::string path = fmt::format("couplings[{}]", c);
    if (!motors_are_sound(path + ".motors", coupling, robot, coupled, report)) continue;
    check_matrix(path + ".matrix", coupling, report);
    const std::size_t motors = coupling.joints.size();
    check_limits(path + ".limits.velocity", coupling.velocity_limits, motors, "rad/s", report);
    check_limits(path + ".limits.torque", coupling.torque_limits, motors, "N·m", report);
  }
  for (const std::size_t joint : coupled) check_coupled_joint(joint, robot.joints[joint], report);
}

void check_values(const Robot& robot, const Notation& written, Report& report) {
  robot_has_a_name(robot, report);
  if (robot.joints.empty()) report.error("joints", "found none; expected at least one joint");
  joint_names_are_unique_words(robot, report);
  for (std::size_t i = 0; i < number_of_joints(robot); ++i) {
    const Joint& joint = joint_at(robot, i);
    fields(RuleCheck(joint_path(i), joint.type, written.angles, report), joint);
    check_gear(joint_path(i) + ".motor", joint.motor, report);
    check_ratings(joint_path(i), joint, report);
  }
  check_couplings(robot, report);
  for (std::size_t s = 0; s < robot.springs.size(); ++s) {
    fields(RuleCheck(fmt::format("springs[{}]", s), JointType::revolute, written.angles, report),
           robot.springs[s]);
  }
  fields(RuleCheck("payload", JointType::revolute, written.angles, report), robot.payload);
  fields(RuleCheck("supply", JointType::revolute, written.angles, report), robot.supply);
  is_at_most({"supply.continuous_power", robot.supply.continuous_power},
             {"supply.peak_power", robot.supply.peak_power}, report);
  poses_fit_the_joints(robot, report);

  Robot links = robot;
  links.couplings.clear();  // which may be faulty, and do not concern links
  if (!check_mechanism(robot, report)) return;
  if (is_mechanism(robot)) {
    links = {};
    links.joints = robot.joints;
    append(links.joints, robot.followers);
    return check_bodies(links, written, report);
  }
  check_bodies(links, written, report);
  check_sizes(links, written, report);
  check_angles(links, written.angles, report);
  check_plausible(links, written.angles, report);
  report.count_slips();
}

}  // namespace

std::string joint_path(std::size_t index) {
  return fmt::format("joints[{}]", index);
}

namespace {

/// Satisfied by lists of parts and parts that may be absent.
template <class T>
concept PartsWithin = requires {
  typename T::value_type;
}
&&RobotPart<typename T::value_type>;

/// Looks for the field at a path among those of a part with these roles.
struct FieldAt {
  std::string_view path;
  unsigned roles = 0;
  std::optional<RobotField> found{};

  template <class T>
  void operator()(RobotField field, const T& part) {
    std::string_view rest = path.substr(std::min(path.size(), field.key.size()));
    const bool is_key = rest.empty() || rest[0] == '.' || rest[0] == '[';
    if (found || !is_key || !path.starts_with(field.key)) return;
    while (rest.starts_with('[')) rest.remove_prefix(std::min(rest.find(']'), rest.size() - 1) + 1);
    field.roles |= roles;
    const auto look_in = [&](const auto& inner_part) {
      FieldAt inner{rest.substr(1), field.roles & role::of_parts};
      fields(inner, inner_part);
      found = inner.found;
    };
    if constexpr (RobotPart<T>) {
      if (!rest.empty()) return look_in(part);
    } else if constexpr (PartsWithin<T>) {
      const typename T::value_type entry{};
      if (!rest.empty()) return look_in(entry);
    }
    found = field;
  }
};

}  // namespace

std::optional<RobotField> field_at(std::string_view path) {
  FieldAt search{path};
  const Robot robot{};
  fields(search, robot);
  return search.found;
}

bool has_role(std::string_view path, unsigned roles) {
  const std::optional<RobotField> field = field_at(path);
  return field && field->has(roles);
}

std::string pose_path(const NamedPose& pose) {
  constexpr std::size_t longest = 60;  // every finding of a pose repeats its name
  const bool is_plain = is_name(pose.name) && pose.name.size() <= longest;
  return "poses." + (is_plain ? pose.name : shown_text(pose.name));
}

std::string shown_angle(double radians, AngleUnit unit) {
  if (unit == AngleUnit::rad) return fmt::format("{} rad", radians);
  return fmt::format("{:.6g} deg", degrees(radians));
}

std::vector<Finding> check(const Robot& robot, const Notation& written) {
  Report report;
  if (check_magnitudes(robot, report)) check_values(robot, written, report);

  std::ranges::stable_sort(report.findings, std::ranges::greater{}, &Finding::severity);
  return std::move(report.findings);
}

std::vector<Finding> check(const Robot& robot) {
  return check(robot, Notation{});
}

bool has_error(const std::vector<Finding>& findings) {
  return std::ranges::find(findings, Severity::error, &Finding::severity) != findings.end();
}

}  // namespace armdyn
