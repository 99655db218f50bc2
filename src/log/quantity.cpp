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

#include "math/each.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr double turn_per_minute = std::numbers::pi / 30.0;

struct NamedUnit {
  std::string_view dimension, text;
  Unit unit;
};

// Units beside those of SI, in the spelling of `plain`.
constexpr std::array known_units{
    NamedUnit{"s", "ms", {1.0, 1e3}},
    NamedUnit{"s", "us", {1.0, 1e6}},
    NamedUnit{"s", "ns", {1.0, 1e9}},
    NamedUnit{"rad", "deg", {degree, 1.0}},
    NamedUnit{"m", "mm", {1.0, 1e3}},
    NamedUnit{"rad/s", "deg/s", {degree, 1.0}},
    NamedUnit{"rad/s", "rpm", {turn_per_minute, 1.0}},
    NamedUnit{"m/s", "mm/s", {1.0, 1e3}},
    NamedUnit{"rad/s^2", "deg/s^2", {degree, 1.0}},
    NamedUnit{"m/s^2", "mm/s^2", {1.0, 1e3}},
    NamedUnit{"N.m", "mN.m", {1.0, 1e3}},
    NamedUnit{"N.m", "kN.m", {1e3, 1.0}},
    NamedUnit{"N", "mN", {1.0, 1e3}},
    NamedUnit{"N", "kN", {1e3, 1.0}},
    NamedUnit{"A", "mA", {1.0, 1e3}},
};

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
  for (const auto& [from, to] : spellings) {
    for (std::size_t at = 0; (at = result.find(from, at)) != result.npos; at += to.size()) {
      result.replace(at, from.size(), to);
    }
  }
  return result;
}

}  // namespace

std::optional<Unit> find_unit(std::string_view dimension, std::string_view text) {
  const std::string wanted = plain(text);
  if (wanted == dimension) return Unit{};
  for (const auto& [of, name, unit] : known_units) {
    if (of == dimension && name == wanted) return unit;
  }
  return std::nullopt;
}

std::optional<std::string_view> unit_name(std::string_view dimension, const Unit& unit) {
  if (unit.is_si()) return dimension;
  for (const auto& [of, name, known] : known_units) {
    if (of == dimension && known == unit) return name;
  }
  return std::nullopt;
}

bool is_unit(std::string_view text) {
  return std::ranges::any_of(known_units, [wanted = plain(text)](const NamedUnit& known) {
    return known.text == wanted || known.dimension == wanted;
  });
}

std::string units_that_fit(std::string_view dimension) {
  std::string text, last(dimension);
  for (const auto& [of, name, unit] : known_units) {
    if (of != dimension) continue;
    text += (text.empty() ? "" : ", ") + std::exchange(last, name);
  }
  return text + " or " + last;
}

namespace {

constexpr std::string_view wrench_axes = "fx fy fz nx ny nz";

/// Dimension of a group's columns; of a joint, by its type.
struct Measure {
  std::string_view revolute;
  std::string_view prismatic = revolute;
};
constexpr Measure seconds{"s"}, lengths{"m"}, angles{"rad"}, currents{"A"}, moments{"N.m"};
constexpr Measure positions{"rad", "m"}, velocities{"rad/s", "m/s"};
constexpr Measure accelerations{"rad/s^2", "m/s^2"}, torques{"N.m", "N"};

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
    Group{
        Quantity::newton_euler_in_base_difference, "newton_euler_in_base_difference", {}, torques},
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

}  // namespace

std::vector<Quantity> all_quantities() {
  return each(all_groups, &Group::quantity);
}

std::optional<std::string_view> joint_prefix(Quantity quantity) {
  const Group& group = group_of(quantity);
  if (group.prefix.empty() || group.matrix) return std::nullopt;
  return group.prefix;
}

std::optional<std::string_view> dimension_of(Quantity quantity, std::size_t index,
                                             const Robot& robot) {
  const Group& group = group_of(quantity);
  if (!group.measure) return std::nullopt;
  const bool is_wrench = quantity == Quantity::hand_wrench || quantity == Quantity::reaction;
  const bool is_second =
      is_wrench ? index % 6 < 3
                : !group.prefix.empty() && robot.joints[index].type == JointType::prismatic;
  return is_second ? group.measure->prismatic : group.measure->revolute;
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

std::string range_text(const std::vector<std::string>& names) {
  return names.size() == 1 ? names.front() : names.front() + ".." + names.back();
}

}  // namespace armdyn
