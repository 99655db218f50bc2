// Walks the list of a robot's fields (model/robot_fields.hpp): a change of any number of an arm that
// has everything is answered by its file, by `check --against`, by `check`, by its torque or limits,
// and by what scales or fits it.

#include "model/robot_fields.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/check/check.hpp"
#include "dynamics/friction.hpp"
#include "io/robot/robot_text.hpp"
#include "model/row_limits.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

/// No number is 0, 1 or another's.
Robot robot_with_everything() {
  Robot robot;
  robot.name = "everything";
  robot.convention = Convention::modified;
  robot.gravity = {0.7, -0.4, -9.7};
  robot.base = {{0.11, 0.12, 0.13}, {0.21, 0.22, 0.23}};
  robot.tool = {{0.14, 0.15, 0.16}, {0.24, 0.25, 0.26}};
  robot.payload = {2.1, {0.031, 0.032, 0.033}, {0.041, 0.042, 0.043, 0.004, 0.005, 0.006}};
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = 0.01 * static_cast<double>(i + 1);
    Joint joint;
    joint.name = "j" + std::to_string(i + 1);
    joint.type = i == 1 ? JointType::prismatic : JointType::revolute;
    joint.dh = {0.41 + x, 0.51 + x, 0.31 + x, 0.61 + x};
    joint.body = {5.1 + x,
                  {0.11 + x, 0.12 + x, 0.13 + x},
                  {0.21 + x, 0.22 + x, 0.23 + x, 0.021 + x, 0.022 + x, 0.023 + x}};
    joint.friction = {.viscous = 1.1 + x, .coulomb = {}, .sigmoid = {1.5 + x, 5.0 + x, 0.2 + x}};
    joint.motor = {.rotor_inertia = 0.3 + x,
                   .viscous = 0.04 + x,
                   .coulomb = {0.5 + x, 0.6 + x},
                   .efficiency = {0.7 + x, 0.6 + x},
                   .ratings = {.peak_torque = 3.3 + x,
                               .continuous_torque = 1.3 + x,
                               .max_speed = 410.0 + x,
                               .torque_speed = {{0.1 + x, 3.2 + x}, {300.0 + x, 2.2 + x}},
                               .torque_constant = 0.09 + x,
                               .resistance = 0.8 + x,
                               .dc = true,
                               .thermal = {1.9 + x, 2.9 + x, 30.0 + x, 900.0 + x, 20.0 + x,
                                           120.0 + x, 0.004 + x, 24.0 + x}}};
    joint.gear = {170.0 + x, 220.0 + x,  120.0 + x, 110.0 + x,
                  210.0 + x, 7000.0 + x, 650.0 + x, Bearing::roller};
    joint.limits = {Range{-2.1 - x, 2.2 + x}, 3.1 + x, 40.0 + x, 5.1 + x, 60.1 + x};
    robot.joints.push_back(joint);
  }
  robot.joints[0].motor.gear_ratio = 7.5;
  robot.joints[0].friction.coulomb = {1.6, 1.7};
  robot.joints[0].friction.breakaway = {2.6, 2.7};
  robot.joints[0].friction.stribeck_velocity = 0.3;
  robot.joints[0].friction.ripple = {0.35, 2.5, 0.45};
  robot.couplings = {{{1, 2}, {3.5, 0.6, 0.7, 4.5}, {0.1, 0.2}, {11.0, 12.0}, {13.0, 14.0}}};
  robot.supply = {1500.0, 700.0, 60.0, 80.0};
  robot.poses = {{"ready", {0.1, 0.2, 0.3}}};
  return robot;
}

struct Number {
  std::string path;
  RobotField field;
  double value = 0.0;
};

template <class P>
std::vector<Number> numbers_of(const P& part) {
  std::vector<Number> numbers;
  for_each_number(
      [&](const std::string& path, const RobotField& field, double value) {
        numbers.push_back({path, field, value});
      },
      part);
  return numbers;
}

std::vector<double> values(const Robot& robot) {
  std::vector<double> values;
  for (const Number& number : numbers_of(robot)) values.push_back(number.value);
  return values;
}

Robot with(Robot robot, std::size_t k, double value) {
  std::size_t at = 0;
  for_each_number(
      [&](const std::string& /*path*/, const RobotField& /*field*/, double& number) {
        if (at++ == k) number = value;
      },
      robot);
  return robot;
}

/// Calls `look(number, robot with another value of it)` for each.
void for_each_change(const std::function<void(const Number&, const Robot&)>& look) {
  const Robot robot = robot_with_everything();
  ASSERT_FALSE(has_error(check(robot)));
  const std::vector<Number> numbers = numbers_of(robot);
  ASSERT_GT(numbers.size(), 190U);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    SCOPED_TRACE(numbers[k].path);
    look(numbers[k], with(robot, k, numbers[k].value * 1.03 + 0.001));
  }
}

bool has_path(const Number& number, const std::string& part) {
  return number.path.find(part) != std::string::npos;
}

/// A coupled motor has its ratios from the coupling's matrix, and its joint no dry friction: joint 1
/// has these. The point of an axis counts with an axis alone (mechanism_file_test.cpp).
bool counts_elsewhere(const Number& number) {
  if (has_path(number, ".axis_point")) return true;
  if (has_path(number, "joints[0]")) return false;
  return has_path(number, ".gear_ratio") || has_path(number, ".friction.coulomb") ||
         has_path(number, ".stribeck_velocity") || has_path(number, ".ripple");
}

TEST(RobotFields, AreFoundByTheirPaths) {
  for (const Number& number : numbers_of(robot_with_everything())) {
    const std::optional<RobotField> found = field_at(number.path);
    ASSERT_TRUE(found) << number.path;
    EXPECT_EQ(found->key, number.field.key) << number.path;
    EXPECT_EQ(found->roles, number.field.roles) << number.path;
    const bool is_of_drive = has_path(number, ".friction.") || has_path(number, ".motor.") ||
                             has_path(number, ".matrix[");
    EXPECT_EQ(has_role(number.path, role::drive), is_of_drive) << number.path;
  }
  EXPECT_TRUE(field_at("joints[1].motor.efficiency"));
  for (const char* const path :
       {"", "joint", "joints[0].shape.size[1]", "joints[0].inertia_frame.xyz[0]",
        "payload.shape.radius", "limits.torque", "base.x"}) {
    EXPECT_FALSE(field_at(path)) << path;
  }
}

TEST(RobotFields, AreReadBackFromAFile) {
  const std::string before = robot_yaml(robot_with_everything(), "");
  for_each_change([&](const Number& number, const Robot& changed) {
    if (counts_elsewhere(number)) return;
    const std::string text = robot_yaml(changed, "");
    EXPECT_NE(text, before);
    EXPECT_EQ(values(parse_robot_file(text, "robot.yaml").robot), values(changed));
  });
}

TEST(RobotFields, AreToldAgainstAnotherDescription) {
  const Robot robot = robot_with_everything();
  ASSERT_TRUE(difference(robot, robot).numbers.empty());
  for_each_change([&](const Number& number, const Robot& changed) {
    if (counts_elsewhere(number)) return;
    const ArmDifference found = difference(robot, changed);
    const Deviation& states = found.states;
    EXPECT_TRUE(!found.numbers.empty() || states.tcp > 1e-6 || states.turn > 1e-6 ||
                states.gravity > 1e-6 * states.gravity_scale ||
                states.torque > 1e-6 * states.torque_scale);
    const bool is_of_drive =
        number.field.has(role::joint_friction | role::motor | role::limit | role::rating);
    EXPECT_FALSE(is_of_drive && found.numbers.empty());
  });
}

/// A value that the rule of a number forbids.
double bad_value(const Number& number) {
  switch (number.field.rule) {
    case Rule::not_negative:
      return -0.5;
    case Rule::positive:
    case Rule::positive_share:
    case Rule::not_zero:
      return 0.0;
    case Rule::share:
      return 1.5;
    case Rule::at_least_before:
      return 0.1;
    case Rule::increasing:
      return number.path.ends_with("[0]") ? 9.0 : -9.0;
    case Rule::any:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

TEST(RobotFields, AreCheckedByTheirRules) {
  const Robot robot = robot_with_everything();
  const std::vector<Number> numbers = numbers_of(robot);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    SCOPED_TRACE(numbers[k].path);
    for (const double bad : {bad_value(numbers[k]), std::nan("")}) {
      const std::vector<Finding> findings = check(with(robot, k, bad));
      ASSERT_TRUE(has_error(findings)) << bad;
      EXPECT_TRUE(numbers[k].path.starts_with(findings.front().path)) << findings.front().path;
    }
  }
}

TEST(RobotFields, ChangeTheTorqueOrALimit) {
  const Robot robot = robot_with_everything();
  RandomArm random(3);
  struct State {
    std::vector<double> q, qd, qdd;
  };
  std::vector<State> states;
  for (int k = 0; k < 12; ++k) {
    states.push_back({random.numbers(3, 2.0), random.numbers(3, 0.5), random.numbers(3, 5.0)});
  }
  const auto torques = [&](const Robot& of) {
    std::vector<double> all;
    for (const auto& [q, qd, qdd] : states) {
      for (const double tau : torque(normalize(of), {q, qd, qdd})) all.push_back(tau);
    }
    return all;
  };
  const auto limits = [](const Robot& of) {
    std::vector<double> all;
    for (const Limits& limit : joint_limits(of)) {
      for (const double x : {limit.position->lower, limit.position->upper, *limit.velocity,
                             *limit.acceleration, *limit.jerk, *limit.torque}) {
        all.push_back(x);
      }
    }
    for (const RowLimit& limit : row_limits(of)) all.push_back(limit.most);
    return all;
  };
  const std::vector<double> torques_before = torques(robot), limits_before = limits(robot);
  for_each_change([&](const Number& number, const Robot& changed) {
    if (counts_elsewhere(number)) return;
    if (number.field.has(role::limit)) {
      EXPECT_NE(limits(changed), limits_before);
      return;
    }
    // Where the base stands, where motors count from, what is for sizing alone, and poses.
    const bool counts = !number.path.starts_with("base.xyz") && !number.path.starts_with("poses") &&
                        !has_path(number, ".offsets") && !number.field.has(role::rating);
    // The first link turns about an axis that stands still: where, and most of its body, is nothing
    // to the torque. Those of the other links are.
    const bool is_of_first_link = has_path(number, "joints[0].dh") ||
                                  has_path(number, "joints[0].com") ||
                                  has_path(number, "joints[0].inertia");
    if (is_of_first_link) return;
    EXPECT_EQ(torques(changed) != torques_before, counts);
  });
}

TEST(RobotFields, AreScaledWithFrictionByTheirRole) {
  for (const Joint& joint : robot_with_everything().joints) {
    Joint scaled = joint, removed = joint;
    scale_friction(scaled, 2.0);
    remove_friction(removed);
    remove_rotor(removed);
    EXPECT_FALSE(has_friction({removed.friction, removed.motor}));
    const std::vector<Number> before = numbers_of(joint), after = numbers_of(scaled);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t k = 0; k < before.size(); ++k) {
      const double factor = before[k].field.has(role::friction) ? 2.0 : 1.0;
      EXPECT_EQ(after[k].value, factor * before[k].value) << before[k].path;
    }
    for (const Number& number : numbers_of(removed)) {
      const bool is_removed = number.field.has(role::friction | role::rotor);
      EXPECT_FALSE(is_removed && number.value != 0.0) << number.path;
    }
  }
}

// What friction does not consist of is its shape: where it is, the torque without friction's sizes
// is that without friction.
TEST(RobotFields, OfFrictionMakeAllOfItsTorque) {
  Drive drive{robot_with_everything().joints[0].friction, {}};
  drive.friction.breakaway.reset();
  const double torque = friction_torque(drive.friction, 0.3, 0.4);
  Joint joint;
  joint.friction = drive.friction;
  scale_friction(joint, 3.0);
  EXPECT_NEAR(friction_torque(joint.friction, 0.3, 0.4), 3.0 * torque, 1e-12);
}

TEST(RobotFields, OfDrivesAreFittedByTheirParameter) {
  const Joint joint = robot_with_everything().joints[0];
  const Drive drive{joint.friction, joint.motor};
  std::map<ParameterKind, int> found;
  const auto look = [&](const std::string& path, const RobotField& field, double /*value*/) {
    if (!field.parameter) return;
    ++found[*field.parameter];
    Drive other = drive;
    set_drive_parameter(other.friction, other.motor, *field.parameter, 2.5);
    EXPECT_DOUBLE_EQ(drive_parameter(other, *field.parameter), 2.5) << path;
    EXPECT_NE(drive_parameter(drive, *field.parameter), 2.5) << path;
  };
  for_each_number(look, drive.friction);
  for_each_number(look, drive.motor);
  EXPECT_EQ(found.size(), 7U);
}

// The members of a struct are counted by how many values initialise it.
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Stands for a value of any type; an optional takes it by its constructor.
struct AnyValue {
  template <class T>
  requires(!is_optional<T>) operator T&() const {
    static std::remove_const_t<T> value{};
    return value;
  }
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...> /*values*/) {
  return requires {
    T{(static_cast<void>(I), std::declval<const AnyValue&>())...};
  };
}

template <class T, std::size_t n = 24>
constexpr std::size_t members() {
  if constexpr (takes<T>(std::make_index_sequence<n>{})) {
    return n;
  } else {
    return members<T, n - 1>();
  }
}

template <class T>
std::size_t listed() {
  std::size_t count = 0;
  T part;
  fields([&](const RobotField&, auto&) { ++count; }, part);
  return count;
}

TEST(RobotFields, AreAllInTheList) {
  EXPECT_EQ(listed<Friction>(), members<Friction>());
  EXPECT_EQ(listed<Ripple>(), members<Ripple>());
  EXPECT_EQ(listed<SigmoidFriction>(), members<SigmoidFriction>());
  EXPECT_EQ(listed<Motor>(), members<Motor>() - 1 + members<MotorRatings>());
  EXPECT_EQ(listed<MotorRatings>(), members<MotorRatings>());
  EXPECT_EQ(listed<MotorThermal>(), members<MotorThermal>());
  EXPECT_EQ(listed<Gear>(), members<Gear>());
  EXPECT_EQ(listed<Supply>(), members<Supply>());
  EXPECT_EQ(listed<Limits>(), members<Limits>());
  EXPECT_EQ(listed<MassProperties>(), members<MassProperties>());
  EXPECT_EQ(listed<Joint>(), members<Joint>() - 1 + members<MassProperties>());
  EXPECT_EQ(listed<Coupling>(), members<Coupling>());
}

}  // namespace
}  // namespace armdyn::testing
