#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <span>
#include <string_view>
#include <vector>

// Forward kinematics, Jacobians and inverse kinematics (docs/derivation.md, 9.1). q and qd have dof
// entries, rad or m and per s; a wrong size throws std::invalid_argument.

namespace armdyn {

/// Frames of the links and of the tool.
struct ArmPose {
  /// {1}…{n} of the user's table, then those of followers, each in {0} (eq. 9.1).
  std::vector<Transform> frames;
  Transform tcp;           ///< the tool frame in {0}
  Transform tcp_in_world;  ///< the tool frame in the world
  std::vector<Transform>
      joints;  ///< {1}…{n} of the user's table, each in the one before (eq. 1.1, 1.2)
};

/// Forward kinematics.
[[nodiscard]] ArmPose pose(const Arm& arm, std::span<const double> q);

/// Pose and Jacobian of the tool frame, one position at a time, without allocating. One object per
/// thread. Throws std::invalid_argument where a size is wrong, and, when it is made, Error where
/// ARMDYN_SIMD names an instruction set that this machine does not have.
class ToolKinematics {
 public:
  explicit ToolKinematics(const Arm& arm);

  /// `ArmPose::tcp`.
  [[nodiscard]] Transform pose(std::span<const double> q);

  /// The Jacobian in axes of {0}, as below: 6·dof entries, row after row.
  void jacobian(std::span<const double> q, std::span<double> J);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

/// Axes of Jacobians and of Cartesian terms. In axes that turn, J̇ q̇ is what the derivative of J q̇
/// in these axes has beside J q̈ (eq. 20.6).
enum class TaskAxes {
  base,  ///< of {0}
  link,  ///< of the link's own frame {i}; of the tool, of the last link's
  tool   ///< of the tool frame
};

/// Geometric Jacobian of the tool frame's origin, 6×dof. J q̇ is its velocity (rows vx, vy, vz,
/// m/s) above the end effector's angular velocity (rows wx, wy, wz, rad/s) (eq. 9.2).
[[nodiscard]] Matrix jacobian(const Arm& arm, std::span<const double> q,
                              TaskAxes axes = TaskAxes::base);

/// Time derivative of the Jacobian, 6×dof: the end effector's acceleration is J q̈ + J̇ q̇ (eq.
/// 9.4).
[[nodiscard]] Matrix jacobian_rate(const Arm& arm, std::span<const double> q,
                                   std::span<const double> qd, TaskAxes axes = TaskAxes::base);

/// A row of the Jacobian: one of the end effector's six velocities.
enum class TaskRow { vx, vy, vz, wx, wy, wz };

[[nodiscard]] std::string_view name(TaskRow row);
[[nodiscard]] const std::vector<TaskRow>& all_task_rows();

/// The given rows of a matrix with six rows, in the given order.
[[nodiscard]] Matrix select_rows(const Matrix& six_rows, std::span<const TaskRow> rows);

/// Dexterity of the end effector in the rows of J. Rows in m/s and in rad/s are not scaled, so both
/// numbers depend on the unit of length.
struct Dexterity {
  double manipulability = 0.0;  ///< product of the singular values: √det(JJᵀ), or √det(JᵀJ) if tall
  /// Largest over smallest singular value; infinite where the smallest is 0 within rounding.
  double condition = 0.0;
};

/// Dexterity of a Jacobian or of some of its rows. Throws std::invalid_argument for a matrix
/// without entries.
[[nodiscard]] Dexterity dexterity(const Matrix& J);

/// The quantities of one link in the recursions, all in axes of the user's frame {i}, laid out as
/// in Craig's worked examples (docs/derivation.md, 9.6). A payload is part of the last link.
struct LinkMotion {
  Vec3 omega;      ///< angular velocity, rad/s
  Vec3 omega_dot;  ///< angular acceleration, rad/s²
  Vec3 v;          ///< velocity of the origin of {i}, m/s
  Vec3 v_dot;    ///< its acceleration, m/s², with −g added: the chain is lifted against gravity
  Vec3 v_c;      ///< velocity of the center of mass, m/s
  Vec3 v_c_dot;  ///< its acceleration, m/s², with the same −g
  Vec3 F;        ///< m v̇_c, N
  Vec3 N;        ///< moment about the center of mass, N·m
  Vec3 angular_momentum;  ///< I ω about the center of mass, kg·m²/s
  /// r_c × m v_c + I ω and r_c × F + N about the origin and in axes of {0} (paper 004 A.1-A.9).
  Vec3 angular_momentum_0, moment_0;
  double kinetic = 0.0;    ///< ½ m v_cᵀ v_c + ½ ωᵀ I ω, J, without rotors
  double potential = 0.0;  ///< −m gᵀ r_c, J: zero with its center of mass at the origin of {0}
  Mat3 A;     ///< 1/s²: the acceleration of a point b of the link is A b + v̇ (eq. 5.1)
  SymMat3 K;  ///< kg·m²: ½ tr(I) E − I about the center of mass (eq. 5.3)
  Matrix Ja;  ///< 4×4: ∫ r rᵗ dm with r = (x, y, z, 1) from the origin of {i}; kg·m², kg·m, kg
              ///< (eq. 6.3)
  /// As InverseDynamics::reactions: from link i−1 on link i, N and N·m. NaN where that throws.
  Wrench joint;
};

/// The recursion's quantities, one entry per link, those of followers behind the others. Throws
/// std::invalid_argument where a size is wrong.
[[nodiscard]] std::vector<LinkMotion> link_motions(const Arm& arm, const MotionState& state,
                                                   const Wrench& wrench = {});

// Inverse kinematics (docs/derivation.md, 10.9).

/// Goal of the tool frame in {0}.
struct TcpGoal {
  Transform tcp;
  bool any_orientation = false;  ///< the place alone counts
};

/// Inverse kinematics: a posture with the end effector at the goal. Of those found it is the
/// nearest to `start`, by the largest |Δq|, rad or m (eq. 10.23). One within `ranges`, an entry per
/// joint, is preferred to any other; revolute joints may turn by whole turns for it. Throws
/// NumericsError, with the distance that remains, where no posture is found. Throws
/// std::invalid_argument where a size is wrong.
[[nodiscard]] std::vector<double> inverse_kinematics(const Arm& arm, std::span<const double> start,
                                                     const TcpGoal& goal,
                                                     std::span<const Range> ranges);

}  // namespace armdyn
