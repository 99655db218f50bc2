#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/vector.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace armdyn {

/// Formulation of the inverse dynamics (docs/derivation.md 2, 5, 6); all give the same torques.
enum class Method { newton_euler, modified_newton_euler, lagrange };
inline constexpr Method all_methods[] = {Method::newton_euler, Method::modified_newton_euler,
                                         Method::lagrange};
/// "newton-euler", "modified-newton-euler", "lagrange".
[[nodiscard]] std::string_view name(Method method);

/// Joint positions, velocities and accelerations, dof entries each: rad or m, per s, per s².
struct MotionState {
  std::span<const double> q;
  std::span<const double> qd;
  std::span<const double> qdd;
};

/// The parts whose sum is the torque τ, dof entries each, N·m or N.
struct TorqueTerms {
  std::span<double> inertia;   ///< M_links q̈
  std::span<double> velocity;  ///< V(q, q̇)
  std::span<double> gravity;   ///< G(q)
  std::span<double> friction;  ///< dry and viscous, at joint and motor, as the joint feels it
  std::span<double> rotor;     ///< reflected rotor inertia times q̈
  std::span<double> wrench;    ///< Jᵀ times the hand wrench
};

/// Computes torques of one arm, one state at a time, without allocating. One object per thread.
/// Throws std::invalid_argument where a size is wrong, NotFinite where a result is no finite number.
class InverseDynamics {
 public:
  explicit InverseDynamics(const Arm& arm, Method method = Method::newton_euler);
  ~InverseDynamics();
  InverseDynamics(InverseDynamics&&) noexcept;
  InverseDynamics& operator=(InverseDynamics&&) noexcept;

  /// τ = M q̈ + V + G + friction + motor + Jᵀ·hand, what the drives must deliver
  /// (eq. 2.1-2.14, 4.1, 4.2). `hand` is the wrench that the tool exerts on the environment, at the
  /// tool frame's origin and in its axes.
  void torque(const MotionState& state, const Wrench& hand, std::span<double> tau);

  /// τ by the same formula, split into its parts.
  void terms(const MotionState& state, const Wrench& hand, const TorqueTerms& out);

  /// The wrench that link i−1 exerts on link i, dof entries, in axes of the user's frame {i}; the
  /// moment about the point where joint i acts: origin of {i−1} for a standard table, of {i} for a
  /// modified one. Independent of friction and rotors.
  void reactions(const MotionState& state, const Wrench& hand, std::span<Wrench> out);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

/// One call for one state: τ with dof entries. Throws as InverseDynamics does.
[[nodiscard]] std::vector<double> torque(const Arm& arm, const MotionState& state,
                                         const Wrench& hand = {});

/// Friction at the joint, N·m or N: sign(q̇)(1 + A cos(hq + φ))[c + (s − c) exp(−(q̇/v_s)²)] + b q̇
/// (eq. 4.1). Zero at rest, where it is whatever holds the joint, up to `breakaway`.
[[nodiscard]] double friction_torque(const Friction& friction, double q, double qd);

/// Motor and gear at the joint: G²J q̈ + G²B q̇ + |G|·T_c·sign(q̇), N·m or N (eq. 4.2).
[[nodiscard]] double motor_torque(const Motor& motor, double qd, double qdd);

/// What friction and motor take from a joint that slides in `direction` (1, −1; 0: no dry
/// friction), the rotor's inertia excepted. Unlike the two above it goes smoothly through q̇ = 0,
/// N·m or N.
[[nodiscard]] double loss_torque(const Drive& drive, double q, double qd, int direction);

/// Largest torque that friction and motor hold at rest in either direction, at position q; N·m, N.
[[nodiscard]] TwoSided breakaway_torque(const Drive& drive, double q);

}  // namespace armdyn
