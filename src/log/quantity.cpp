#include "log/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <sstream>
#include <utility>
#include <vector>

namespace armdyn {

namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr double turn_per_minute = std::numbers::pi / 30.0;

struct NamedUnit {
  Dimension dimension;
  std::string_view text;
  Unit unit;
};

// Units in the spelling of `plain`; the first is SI.
constexpr std::array known_units{
    NamedUnit{Dimension::time, "s", {}},
    NamedUnit{Dimension::time, "ms", {1.0, 1e3}},
    NamedUnit{Dimension::time, "us", {1.0, 1e6}},
    NamedUnit{Dimension::time, "ns", {1.0, 1e9}},
    NamedUnit{Dimension::angle, "rad", {}},
    NamedUnit{Dimension::angle, "deg", {degree, 1.0}},
    NamedUnit{Dimension::length, "m", {}},
    NamedUnit{Dimension::length, "mm", {1.0, 1e3}},
    NamedUnit{Dimension::angular_velocity, "rad/s", {}},
    NamedUnit{Dimension::angular_velocity, "deg/s", {degree, 1.0}},
    NamedUnit{Dimension::angular_velocity, "rpm", {turn_per_minute, 1.0}},
    NamedUnit{Dimension::linear_velocity, "m/s", {}},
    NamedUnit{Dimension::linear_velocity, "mm/s", {1.0, 1e3}},
    NamedUnit{Dimension::angular_acceleration, "rad/s^2", {}},
    NamedUnit{Dimension::angular_acceleration, "deg/s^2", {degree, 1.0}},
    NamedUnit{Dimension::linear_acceleration, "m/s^2", {}},
    NamedUnit{Dimension::linear_acceleration, "mm/s^2", {1.0, 1e3}},
    NamedUnit{Dimension::moment, "N.m", {}},
    NamedUnit{Dimension::moment, "mN.m", {1.0, 1e3}},
    NamedUnit{Dimension::moment, "kN.m", {1e3, 1.0}},
    NamedUnit{Dimension::force, "N", {}},
    NamedUnit{Dimension::force, "mN", {1.0, 1e3}},
    NamedUnit{Dimension::force, "kN", {1e3, 1.0}},
    NamedUnit{Dimension::current, "A", {}},
    NamedUnit{Dimension::current, "mA", {1.0, 1e3}},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// Gives one spelling to N·m, N*m, N m and Nm, for s², s2 and s^2, for ° and deg, for µs and us.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> spellings{{
      {"·", "."},
      {"⋅", "."},
      {"*", "."},
      {" ", "."},
      {"Nm", "N.m"},
      {"²", "^2"},
      {"s2", "s^2"},
      {"°", "deg"},
      {"µ", "u"},  // the micro sign
      {"μ", "u"},  // the Greek letter
  }};
  std::string result(text);
  for (const auto& [from, to] : spellings) replace_all(result, from, to);
  return result;
}

}  // namespace

std::optional<Unit> find_unit(Dimension dimension, std::string_view text) {
  const std::string wanted = plain(text);
  for (const NamedUnit& known : known_units) {
    if (known.dimension == dimension && known.text == wanted) return known.unit;
  }
  return std::nullopt;
}

std::optional<std::string_view> unit_name(Dimension dimension, const Unit& unit) {
  for (const auto& [of, text, known] : known_units) {
    if (of == dimension && known == unit) return text;
  }
  return std::nullopt;
}

bool is_unit(std::string_view text) {
  return std::ranges::find(known_units, plain(text), &NamedUnit::text) != known_units.end();
}

std::string units_that_fit(Dimension dimension) {
  std::vector<std::string_view> names;
  for (const NamedUnit& known : known_units) {
    if (known.dimension == dimension) names.push_back(known.text);
  }
  std::string text(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

namespace {

constexpr std::string_view wrench_axes = "fx fy fz nx ny nz";

/// Dimension of a group's columns; of a joint, by its type.
struct Measure {
  Dimension revolute;
  Dimension prismatic;
};
constexpr Measure seconds{Dimension::time, Dimension::time};
constexpr Measure lengths{Dimension::length, Dimension::length};
constexpr Measure angles{Dimension::angle, Dimension::angle};
constexpr Measure positions{Dimension::angle, Dimension::length};
constexpr Measure velocities{Dimension::angular_velocity, Dimension::linear_velocity};
constexpr Measure accelerations{Dimension::angular_acceleration, Dimension::linear_acceleration};
constexpr Measure torques{Dimension::moment, Dimension::force};
constexpr Measure currents{Dimension::current, Dimension::current};
constexpr Measure moments{Dimension::moment, Dimension::moment};

/// Rows and columns of a matrix; 0: one for each joint.
struct MatrixSize {
  std::size_t rows, columns;
};
constexpr MatrixSize hand_by_hand{3, 3};
constexpr MatrixSize hand_by_joints{6, 0};
constexpr MatrixSize joints_by_joints{0, 0};

/// Names of a group's columns: a prefix before the number of each joint, or before row
/// and column of a matrix, or names. Those of reactions have the number within: "f1x".
struct Group {
  Quantity quantity;
  std::string_view prefix;
  std::string_view names;                 // with blanks between
  std::optional<Measure> measure;         // nothing: no unit
  std::optional<MatrixSize> matrix = {};  // nothing: none
};

constexpr std::array all_groups{
    Group{Quantity::time, {}, "t", seconds},
    Group{Quantity::hand_wrench, {}, wrench_axes, torques},
    Group{Quantity::run, {}, "run", {}},
    Group{Quantity::run_end, {}, "exit joint", {}},
    Group{Quantity::energy_audit, {}, "work losses imbalance", {}},
    Group{Quantity::sample, {}, "sample moved share", {}},
    Group{Quantity::peak_torque, "peak", {}, torques},
    Group{Quantity::rms_torque, "rms", {}, torques},
    Group{Quantity::dwell, {}, "dwell", seconds},
    Group{Quantity::blend, {}, "blend", {}},
    Group{Quantity::hand_angles, {}, "roll pitch yaw", angles},
    Group{Quantity::hand_quaternion, {}, "qx qy qz qw", {}},
    Group{Quantity::motor_peak_torque, "motor_peak", {}, moments},
    Group{Quantity::position, "q", {}, positions},
    Group{Quantity::velocity, "qd", {}, velocities},
    Group{Quantity::acceleration, "qdd", {}, accelerations},
    Group{Quantity::torque, "tau", {}, torques},
    Group{Quantity::current, "i", {}, currents},
    Group{Quantity::torque_error, "tau_error", {}, torques},
    Group{Quantity::inertia_part, "inertia", {}, torques},
    Group{Quantity::velocity_part, "velocity", {}, torques},
    Group{Quantity::gravity_part, "gravity", {}, torques},
    Group{Quantity::friction_part, "friction", {}, torques},
    Group{Quantity::rotor_part, "rotor", {}, torques},
    Group{Quantity::motor_part, "motor", {}, torques},
    Group{Quantity::wrench_part, "wrench", {}, torques},
    Group{Quantity::tracking_error, "e", {}, positions},
    Group{Quantity::desired_position, "q_desired", {}, positions},
    Group{Quantity::desired_velocity, "qd_desired", {}, velocities},
    Group{Quantity::desired_acceleration, "qdd_desired", {}, accelerations},
    Group{Quantity::velocity_uncertainty, "qd_uncertainty", {}, velocities},
    Group{Quantity::acceleration_uncertainty, "qdd_uncertainty", {}, accelerations},
    Group{Quantity::newton_euler_difference, "newton_euler_difference", {}, torques},
    Group{Quantity::modified_newton_euler_difference,
          "modified_newton_euler_difference",
          {},
          torques},
    Group{Quantity::lagrange_difference, "lagrange_difference", {}, torques},
    Group{Quantity::reaction, {}, wrench_axes, torques},
    Group{Quantity::hand_place, {}, "x y z", lengths},
    Group{Quantity::hand_twist, {}, "vx vy vz wx wy wz", {}},
    Group{Quantity::hand_axes, "R", {}, {}, hand_by_hand},
    Group{Quantity::jacobian, "J", {}, {}, hand_by_joints},
    Group{Quantity::jacobian_rate, "Jdot", {}, {}, hand_by_joints},
    Group{Quantity::mass_matrix, "M", {}, {}, joints_by_joints},
    Group{Quantity::links_mass_matrix, "M_links", {}, {}, joints_by_joints},
    Group{Quantity::coriolis_matrix, "C", {}, {}, joints_by_joints},
    Group{Quantity::velocity_torque, "V", {}, torques},
    Group{Quantity::gravity_torque, "G", {}, torques},
    Group{Quantity::momentum, "momentum", {}, {}},
    Group{Quantity::kinetic_energy, {}, "kinetic", {}},
    Group{Quantity::potential_energy, {}, "potential", {}},
    Group{Quantity::manipulability, {}, "manipulability", {}},
    Group{Quantity::condition, {}, "condition", {}},
};

const Group& group_of(Quantity quantity) {
  return *std::ranges::find(all_groups, quantity, &Group::quantity);
}

MatrixSize size_of(const Group& group, std::size_t dof) {
  const auto [rows, columns] = *group.matrix;
  return {rows == 0 ? dof : rows, columns == 0 ? dof : columns};
}

std::string entry_name(const Group& group, std::size_t k, std::size_t columns) {
  return std::string(group.prefix) + std::to_string(k / columns + 1) + "_" +
         std::to_string(k % columns + 1);
}

bool is_wrench(Quantity quantity) {
  return quantity == Quantity::hand_wrench || quantity == Quantity::reaction;
}

}  // namespace

std::vector<Quantity> all_quantities() {
  std::vector<Quantity> all;
  all.reserve(all_groups.size());
  for (const Group& group : all_groups) all.push_back(group.quantity);
  return all;
}

std::optional<std::string_view> joint_prefix(Quantity quantity) {
  const Group& group = group_of(quantity);
  if (group.prefix.empty() || group.matrix) return std::nullopt;
  return group.prefix;
}

std::optional<Dimension> dimension_of(Quantity quantity, std::size_t index, const Robot& robot) {
  const Group& group = group_of(quantity);
  if (!group.measure) return std::nullopt;
  if (is_wrench(quantity)) {
    return index % 6 < 3 ? Dimension::force : Dimension::moment;
  }
  const bool is_prismatic =
      !group.prefix.empty() && robot.joints[index].type == JointType::prismatic;
  return is_prismatic ? group.measure->prismatic : group.measure->revolute;
}

std::vector<std::string> column_names(Quantity quantity, std::size_t dof) {
  const Group& group = group_of(quantity);
  std::istringstream words{std::string(group.names)};
  std::vector<std::string> listed(std::istream_iterator<std::string>(words), {});
  if (group.prefix.empty() && quantity != Quantity::reaction) return listed;
  std::vector<std::string> names;
  if (group.matrix) {
    const auto [rows, columns] = size_of(group, dof);
    names.reserve(rows * columns);
    for (std::size_t k = 0; k < rows * columns; ++k) names.push_back(entry_name(group, k, columns));
    return names;
  }
  for (std::size_t joint = 1; joint <= dof; ++joint) {
    const std::string number = std::to_string(joint);
    if (quantity == Quantity::reaction) {
      for (const std::string& axis : listed) names.push_back(axis[0] + number + axis[1]);
    } else {
      names.push_back(std::string(group.prefix) + number);
    }
  }
  return names;
}

bool is_matrix(Quantity quantity) {
  return group_of(quantity).matrix.has_value();
}

std::optional<std::pair<Quantity, std::size_t>> matrix_column(std::string_view name,
                                                              std::size_t dof) {
  for (const Group& group : all_groups) {
    if (!group.matrix || !name.starts_with(group.prefix)) continue;
    const char* const end = name.data() + name.size();
    std::size_t row = 0, column = 0;
    const char* const bar = std::from_chars(name.data() + group.prefix.size(), end, row).ptr;
    if (bar == end) continue;
    std::from_chars(bar + 1, end, column);
    const auto [rows, columns] = size_of(group, dof);
    if (row - 1 >= rows || column - 1 >= columns) continue;  // 0 is too much, too
    const std::size_t k = (row - 1) * columns + column - 1;
    if (name == entry_name(group, k, columns)) return std::pair(group.quantity, k);
  }
  return std::nullopt;
}

std::optional<Quantity> chosen_group(std::string_view name) {
  for (const auto& [group, quantity] : group_names) {
    if (name == group) return quantity;
  }
  return std::nullopt;
}

std::string range_text(const std::vector<std::string>& names) {
  return names.size() == 1 ? names.front() : names.front() + ".." + names.back();
}

}  // namespace armdyn
