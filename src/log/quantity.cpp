#include "log/quantity.hpp"

#include <algorithm>
#include <charconv>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

/// Dimension of a group's columns; of a joint, by its type.
struct ColumnMeasure {
  std::string_view revolute;
  std::string_view prismatic = revolute;
};

/// Rows and columns of a matrix; 0: one for each joint.
struct MatrixSize {
  std::size_t rows, columns;
  bool is_of_each_joint = false;  ///< so many rows for each joint
};

/// Names of a group's columns: a prefix before the number of each joint, or before row and column of
/// a matrix, or names. Names of reactions have the number within: "f1x".
struct ColumnGroup {
  Quantity quantity;
  std::string_view prefix;
  std::string_view names;                 ///< with blanks between
  std::optional<ColumnMeasure> measure;   ///< nothing: no unit
  std::optional<MatrixSize> matrix = {};  ///< nothing: none
};

namespace column_groups {
using enum Quantity;
constexpr std::string_view wrench_axes = "fx fy fz nx ny nz";
constexpr ColumnMeasure seconds{"s"}, lengths{"m"}, angles{"rad"}, currents{"A"}, moments{"N.m"},
    positions{"rad", "m"}, velocities{"rad/s", "m/s"}, accelerations{"rad/s^2", "m/s^2"},
    torques{"N.m", "N"};
constexpr MatrixSize rotation_size{3, 3}, jacobian_size{6, 0}, joints_by_joints{0, 0},
    jacobians_size{6, 0, true};

/// All quantities, each with its columns.
constexpr auto all = std::to_array<ColumnGroup>({
    {time, {}, "t", seconds},
    {contact_wrench, {}, wrench_axes, torques},
    {run, {}, "run", {}},
    {run_end, {}, "exit joint", {}},
    {energy_audit, {}, "work losses imbalance", {}},
    {sample, {}, "sample clipped share", {}},
    {peak_torque, "peak", {}, torques},
    {rms_torque, "rms", {}, torques},
    {dwell, {}, "dwell", seconds},
    {blend, {}, "blend", {}},
    {tcp_angles, {}, "roll pitch yaw", angles},
    {tcp_quaternion, {}, "qx qy qz qw", {}},
    {motor_peak_torque, "motor_peak", {}, moments},
    {position, "q", {}, positions},
    {velocity, "qd", {}, velocities},
    {acceleration, "qdd", {}, accelerations},
    {torque, "tau", {}, torques},
    {current, "i", {}, currents},
    {torque_error, "tau_error", {}, torques},
    {external_torque, "tau_ext", {}, torques},
    {external_torque_low, "tau_ext_low", {}, torques},
    {external_torque_high, "tau_ext_high", {}, torques},
    {contact, {}, "contact", {}},
    {inertia_part, "tau_inertia", {}, torques},
    {velocity_part, "tau_velocity", {}, torques},
    {gravity_part, "tau_gravity", {}, torques},
    {friction_part, "tau_friction", {}, torques},
    {rotor_part, "tau_rotor", {}, torques},
    {wrench_part, "tau_wrench", {}, torques},
    {tracking_error, "e", {}, positions},
    {desired_position, "q_desired", {}, positions},
    {desired_velocity, "qd_desired", {}, velocities},
    {desired_acceleration, "qdd_desired", {}, accelerations},
    {velocity_uncertainty, "qd_uncertainty", {}, velocities},
    {acceleration_uncertainty, "qdd_uncertainty", {}, accelerations},
    {newton_euler_difference, "newton_euler_difference", {}, torques},
    {modified_newton_euler_difference, "modified_newton_euler_difference", {}, torques},
    {lagrange_difference, "lagrange_difference", {}, torques},
    {newton_euler_in_base_difference, "newton_euler_in_base_difference", {}, torques},
    {reaction, {}, wrench_axes, torques},
    {tcp_position, {}, "x y z", lengths},
    {tcp_twist, {}, "vx vy vz wx wy wz", {}},
    {tcp_axes, "R", {}, {}, rotation_size},
    {jacobian, "J", {}, {}, jacobian_size},
    {jacobian_rate, "Jdot", {}, {}, jacobian_size},
    {mass_matrix, "M", {}, {}, joints_by_joints},
    {links_mass_matrix, "M_links", {}, {}, joints_by_joints},
    {coriolis_matrix, "C", {}, {}, joints_by_joints},
    {velocity_torque, "V", {}, torques},
    {gravity_torque, "G", {}, torques},
    {momentum, "momentum", {}, {}},
    {kinetic_energy, {}, "kinetic", {}},
    {potential_energy, {}, "potential", {}},
    {manipulability, {}, "manipulability", {}},
    {condition, {}, "condition", {}},
    {link_jacobians, "Jlinks", {}, {}, jacobians_size},
    {task_mass_matrix, "Mx", {}, {}, joints_by_joints},
    {task_velocity_force, "Vx", {}, {}},
    {task_gravity_force, "Gx", {}, {}},
});
}  // namespace column_groups

const ColumnGroup& group_of(Quantity quantity) {
  return *std::ranges::find(column_groups::all, quantity, &ColumnGroup::quantity);
}

MatrixSize size_of(const ColumnGroup& group, std::size_t dof) {
  const auto [rows, columns, is_of_each] = *group.matrix;
  return {rows == 0 ? dof : is_of_each ? rows * dof : rows, columns == 0 ? dof : columns};
}

std::string entry_name(const ColumnGroup& group, std::size_t k, std::size_t columns) {
  return std::string(group.prefix) + std::to_string(k / columns + 1) + "_" +
         std::to_string(k % columns + 1);
}

}  // namespace

std::vector<Quantity> all_quantities() {
  return each(column_groups::all, &ColumnGroup::quantity);
}

std::optional<std::string_view> joint_prefix(Quantity quantity) {
  const ColumnGroup& group = group_of(quantity);
  if (group.prefix.empty() || group.matrix) return std::nullopt;
  return group.prefix;
}

std::optional<std::string_view> dimension_of(Quantity quantity, std::size_t index,
                                             const Robot& robot) {
  const ColumnGroup& group = group_of(quantity);
  if (!group.measure) return std::nullopt;
  const bool is_wrench = quantity == Quantity::contact_wrench || quantity == Quantity::reaction;
  const bool is_second =
      is_wrench ? index % 6 < 3 : !group.prefix.empty() && !is_turning(robot.joints[index].type);
  return is_second ? group.measure->prismatic : group.measure->revolute;
}

std::vector<std::string> column_names(Quantity quantity, std::size_t dof) {
  const ColumnGroup& group = group_of(quantity);
  std::vector<std::string> listed = split_at(group.names, ' ');
  if (group.prefix.empty() && quantity != Quantity::reaction) return listed;
  std::vector<std::string> names;
  if (group.matrix) {
    const auto [rows, columns, is_of_each] = size_of(group, dof);
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
  for (const ColumnGroup& group : column_groups::all) {
    if (!group.matrix || !name.starts_with(group.prefix)) continue;
    const char* const end = name.data() + name.size();
    std::size_t row = 0, column = 0;
    const char* const bar = std::from_chars(name.data() + group.prefix.size(), end, row).ptr;
    if (bar == end) continue;
    std::from_chars(bar + 1, end, column);
    const auto [rows, columns, is_of_each] = size_of(group, dof);
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
