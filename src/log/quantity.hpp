#pragma once

// Quantities of tables, and the names of their columns.

#include <armdyn/robot.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/table/unit.hpp"

namespace armdyn {

/// Quantity of a group of columns. Every column that a verb reads or writes is in a group.
enum class Quantity {
  time,                      ///< t, s
  position,                  ///< q1..qn, rad or m
  velocity,                  ///< qd1..qdn
  acceleration,              ///< qdd1..qddn
  torque,                    ///< tau1..taun, N·m or N
  current,                   ///< i1..in, A: of the motors
  torque_error,              ///< tau_error1..: bound of tau's error
  contact_wrench,            ///< fx,fy,fz,nx,ny,nz, N and N·m
  inertia_part,              ///< tau_inertia1.., like torque, as all parts
  velocity_part,             ///< tau_velocity1..
  gravity_part,              ///< tau_gravity1..
  friction_part,             ///< tau_friction1..
  rotor_part,                ///< tau_rotor1..
  wrench_part,               ///< tau_wrench1..
  reaction,                  ///< f1x,f1y,f1z,n1x,n1y,n1z,f2x.., N and N·m
  tracking_error,            ///< e1..en, like position
  desired_position,          ///< q_desired1..
  desired_velocity,          ///< qd_desired1..
  desired_acceleration,      ///< qdd_desired1..
  velocity_uncertainty,      ///< qd_uncertainty1..: one standard deviation of a derived qd
  acceleration_uncertainty,  ///< qdd_uncertainty1..
  run,                       ///< run: number of a simulation among many
  run_end,          ///< exit, joint: exit code of the run alone, and joint at whose limit it ended
  energy_audit,     ///< work, losses, imbalance, J
  sample,           ///< sample, clipped, share: of a sampled robot
  external_torque,  ///< tau_ext1..: torque beyond the model's, like torque
  external_torque_low,   ///< tau_ext_low1..: its band
  external_torque_high,  ///< tau_ext_high1..
  contact,               ///< contact: 1 in rows of an event, else 0
  peak_torque,           ///< peak1..: largest |tau| of a motion, like torque
  rms_torque,            ///< rms1..
  dwell,                 ///< dwell: time of rest at a waypoint, s
  blend,                 ///< blend: distance from a waypoint for any joint, rad or m, or the TCP
  tcp_angles,            ///< roll,pitch,yaw of the tool in {0}, rad
  tcp_quaternion,        ///< qx,qy,qz,qw: the same
  motor_peak_torque,     ///< motor_peak1..: of motors of several joints, N·m; 0: joints without

  // Terms of the equations of motion. Matrices row by row: "M1_1,M1_2..".
  tcp_position,         ///< x,y,z of the tool in {0}, m
  tcp_twist,            ///< vx,vy,vz,wx,wy,wz: J q̇, m/s and rad/s
  tcp_axes,             ///< R1_1..R3_3: the tool's axes in {0}
  jacobian,             ///< J1_1..J6_n
  jacobian_rate,        ///< Jdot1_1..
  mass_matrix,          ///< M1_1..Mn_n, with rotors
  links_mass_matrix,    ///< M_links1_1.., without
  coriolis_matrix,      ///< C1_1..
  velocity_torque,      ///< V1..Vn, like torque
  gravity_torque,       ///< G1..Gn
  momentum,             ///< momentum1..: M q̇
  kinetic_energy,       ///< kinetic, J
  potential_energy,     ///< potential, J
  manipulability,       ///< of J: product of its singular values
  condition,            ///< of J: largest over smallest singular value
  link_jacobians,       ///< Jlinks1_1..: of the links below one another, six rows each
  task_mass_matrix,     ///< Mx1_1..: of so many task rows in place of joints, as the next two
  task_velocity_force,  ///< Vx1..
  task_gravity_force,   ///< Gx1..

  // Difference of one method's torque to another's, like torque: newton_euler_difference1.. and so
  // on.
  newton_euler_difference,
  modified_newton_euler_difference,
  lagrange_difference,
  newton_euler_in_base_difference,
};

/// Names of a group's columns in their order, for a robot of `dof` joints.
[[nodiscard]] std::vector<std::string> column_names(Quantity quantity, std::size_t dof);

/// Tests whether the group is a matrix, which may have the square of `dof` columns.
[[nodiscard]] bool is_matrix(Quantity quantity);

/// Matrix with a column of this name, and the column's place; nothing for other names.
[[nodiscard]] std::optional<std::pair<Quantity, std::size_t>> matrix_column(std::string_view name,
                                                                            std::size_t dof);

/// Groups that users name in --columns and in names of files side by side.
inline constexpr std::array group_names{
    std::pair{std::string_view("t"), Quantity::time},
    std::pair{std::string_view("q"), Quantity::position},
    std::pair{std::string_view("qd"), Quantity::velocity},
    std::pair{std::string_view("qdd"), Quantity::acceleration},
    std::pair{std::string_view("tau"), Quantity::torque},
    std::pair{std::string_view("i"), Quantity::current},
    std::pair{std::string_view("wrench"), Quantity::contact_wrench},
};
/// Names of a whole group in one word: "q1..q6".
[[nodiscard]] std::string range_text(const std::vector<std::string>& names);

/// All quantities, in the order of their groups' table.
[[nodiscard]] std::vector<Quantity> all_quantities();

/// Prefix of the names of columns with numbers of joints: "q" of q1..; nothing for others.
[[nodiscard]] std::optional<std::string_view> joint_prefix(Quantity quantity);

/// Dimension of a column of the group on that robot; nothing for numbers without a unit.
[[nodiscard]] std::optional<std::string_view> dimension_of(Quantity quantity, std::size_t index,
                                                           const Robot& robot);

}  // namespace armdyn
