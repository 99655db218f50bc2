#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace armdyn {

/// Kind of a parameter in which τ is linear. The first ten are of a body, in its own frame: {i} of
/// the robot's table, the tool frame of the payload.
enum class ParameterKind {
  mass,  ///< m, kg
  mx,
  my,
  mz,  ///< first moments m·com, kg·m
  Ixx,
  Iyy,
  Izz,
  Ixy,
  Iyz,
  Ixz,            ///< tensor about the frame's origin, kg·m²
  rotor_inertia,  ///< J at the rotor, kg·m²
  viscous,        ///< of the joint, N·m·s/rad or N·s/m
  coulomb,        ///< mean of the joint's two directions, N·m or N
  breakaway,      ///< static level, mean of the joint's two directions, N·m or N
  sigmoid,        ///< amplitude, N·m or N
  motor_viscous,  ///< at the rotor, N·m·s/rad
  motor_coulomb,  ///< at the rotor, mean of the two directions, N·m
  offset,         ///< of the measured torque; of no arm, N·m or N
  stiffness,      ///< of a spring, N·m/rad or N/m
  spring_load,    ///< of a spring with a preload, pieces or a table, over the robot's: 1
};

/// Number of parameters of a body.
inline constexpr std::size_t body_parameters = 10;

/// One entry of π.
struct DynamicParameter {
  ParameterKind kind = ParameterKind::mass;
  std::size_t joint = 0;    ///< counts from 0, followers behind; of the payload that of the tool
  bool of_payload = false;  ///< a body parameter of the payload
  double value = 0.0;       ///< the robot's
  std::size_t spring = 0;   ///< of a spring's parameter; counts from 0
};

/// Name of a parameter: "Ixx2", "m3", "rotor4", "payload_m".
[[nodiscard]] std::string name(const DynamicParameter& parameter);
/// Unit of a parameter: "kg·m²".
[[nodiscard]] std::string unit(const DynamicParameter& parameter, const Robot& robot);

/// Joints whose torques depend on a parameter. Of a body these are all that move it, of a motor those
/// that it turns with, of a spring those that it loads.
[[nodiscard]] std::vector<std::size_t> joints_of(const DynamicParameter& parameter,
                                                 const Robot& robot);

/// Parameters of a body in the order of ParameterKind, about the origin of its frame.
[[nodiscard]] std::vector<double> body_vector(const MassProperties& body);
/// The body of ten parameters. One without mass must have no first moments; its inertia is about
/// the origin. Throws std::invalid_argument for another number of parameters.
[[nodiscard]] MassProperties body_of(std::span<const double> parameters);

/// The matrix Y(q, q̇, q̈) with τ = Y π, without a contact wrench (docs/derivation.md, section 27;
/// Atkeson, An and Hollerbach 1986). One object per thread; copies share the program. The robot
/// must have no error in `check`.
/// * π has ten parameters per link, those of followers behind the others, then those of the drives
///   and one of each spring. Each joint has viscous and Coulomb friction; other friction
///   only where the robot has it. Ten of the payload follow, if any.
/// * Numbers in which friction is not linear stay the robot's: Stribeck and sigmoid curves, ripples
///   and gear ratios. So does the ratio of a dry friction's two directions (1 where it has none).
class Regressor {
 public:
  enum class Payload { as_the_robot, always };

  explicit Regressor(const Robot& robot, Payload payload = Payload::as_the_robot);

  /// π with the robot's values.
  [[nodiscard]] const std::vector<DynamicParameter>& parameters() const;
  [[nodiscard]] std::size_t dof() const;

  /// Y: dof × parameters. Throws std::invalid_argument for another number of joints.
  [[nodiscard]] Matrix matrix(const MotionState& state) const;
  /// The same in memory of the caller, row after row.
  void matrix(const MotionState& state, std::span<double> Y) const;

  /// Y of many states at once by a straight-line program: dof·parameters columns, row after row of
  /// Y, which share no memory with the motion. Throws std::invalid_argument for another number of
  /// columns or where there is a contact wrench.
  void block(const MotionBlock& motion, std::span<const ResultColumn> columns);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

/// A combination of parameters that can be identified from torques, unlike its parts: 1 times the
/// first parameter and the others times their factors.
struct BaseParameter {
  std::size_t first = 0;  ///< index into π
  std::vector<std::pair<std::size_t, double>> others;
};

/// The smallest set of combinations β with Y π = Y_first β (docs/derivation.md, section 28; Gautier
/// 1991).
struct BaseParameters {
  std::vector<BaseParameter> combinations;
  std::vector<std::size_t> without_effect;  ///< entries of π on which no torque depends

  /// β of a π with as many entries as the regressor has. Throws std::invalid_argument where one that
  /// counts is missing.
  [[nodiscard]] std::vector<double> values(std::span<const double> parameters) const;
};

/// Base parameters of the chosen entries of π, or of all, from the regressor at random states.
/// Their order does not depend on the states: first drives, I_zz, I_xx, I_xy, I_xz, I_yz, m x, m y.
/// Then follow m, m z and I_yy, from the base to the end effector.
/// * States are within the robot's ranges of position, to 3 rad/s, m/s and 10 rad/s², m/s².
/// * Throws std::invalid_argument for the regressor of another robot, and where chosen entries are
///   none of its.
[[nodiscard]] BaseParameters base_parameters(const Robot& robot, const Regressor& regressor,
                                             std::span<const std::size_t> chosen = {},
                                             std::uint64_t seed = 1);

/// Text of a combination: "Izz2 + 0.186624 m3 + mz3".
[[nodiscard]] std::string to_text(const BaseParameter& combination,
                                  std::span<const DynamicParameter> parameters);

}  // namespace armdyn
