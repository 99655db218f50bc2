#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace armdyn {

/// Formulation of the inverse dynamics: RNEA in two forms, Lagrange, and RNEA expressed in {0}
/// (docs/derivation.md 2, 5, 6, 2); all give the same torques.
enum class Method { newton_euler, modified_newton_euler, lagrange, newton_euler_in_base };
inline constexpr Method all_methods[] = {Method::newton_euler, Method::modified_newton_euler,
                                         Method::lagrange, Method::newton_euler_in_base};
/// "newton-euler", "modified-newton-euler", "lagrange", "newton-euler-in-base".
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
  std::span<double> wrench;    ///< Jᵀ times the contact wrench
};

namespace detail {

/// Owner of a T, copied with it. The T must be complete only where an Owned is made.
template <class T>
class Owned {
 public:
  template <class... Arguments>
  explicit Owned(std::in_place_t /*tag*/, Arguments&&... arguments)
      : object_(std::make_shared<T>(std::forward<Arguments>(arguments)...)),
        copy_([](const T& object) { return std::make_shared<T>(object); }) {}
  Owned(const Owned& other)
      : object_(other.object_ ? other.copy_(*other.object_) : nullptr), copy_(other.copy_) {}
  Owned(Owned&&) noexcept = default;
  Owned& operator=(Owned other) noexcept {
    object_.swap(other.object_);
    return *this;
  }
  ~Owned() = default;

  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }

 private:
  std::shared_ptr<T> object_;
  std::shared_ptr<T> (*copy_)(const T&);
};

}  // namespace detail

/// Computes torques of one arm, one state at a time, without allocating. One object per thread.
/// Results share no memory with the state. Throws std::invalid_argument where a size is wrong, and
/// NotFinite where a result is no finite number. Its constructor throws Error where ARMDYN_SIMD
/// names an instruction set that this machine does not have.
class InverseDynamics {
 public:
  explicit InverseDynamics(const Arm& arm, Method method = Method::newton_euler);

  /// `τ = M q̈ + V + G + friction + motor + Jᵀ·wrench`, the torques that the drives must deliver, dof
  /// entries, N·m or N (eq. 2.1-2.14, 4.1, 4.2). `wrench` is the wrench that the tool exerts on the
  /// environment, at the tool frame's origin and in its axes.
  void torque(const MotionState& state, const Wrench& wrench, std::span<double> tau);

  /// τ by the same formula, split into its parts.
  void terms(const MotionState& state, const Wrench& wrench, const TorqueTerms& out);

  /// The wrench that link i−1 exerts on link i, dof entries, in axes of the user's frame {i}. The
  /// moment is about the point where joint i acts: the origin of {i−1} for a standard table, of {i}
  /// for a modified one. Independent of friction and rotors.
  void reactions(const MotionState& state, const Wrench& wrench, std::span<Wrench> out);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

/// τ of one state, dof entries, N·m or N. Throws as InverseDynamics does.
[[nodiscard]] std::vector<double> torque(const Arm& arm, const MotionState& state,
                                         const Wrench& wrench = {});

/// A column of a block: one number per sample. Blocks of any number of samples are allowed; from
/// some hundred on they take least time per sample.
using Column = const double*;
using ResultColumn = double*;

/// Number of samples that SIMD registers hold at a time: blocks of a multiple of it leave no lane
/// idle. Throws as the classes below.
[[nodiscard]] std::size_t rows_at_a_time();

/// Many states of one arm, by columns, dof of each: rad or m, per s, per s².
struct MotionBlock {
  std::size_t rows = 0;
  std::span<const Column> q;
  std::span<const Column> qd;
  std::span<const Column> qdd;
  std::span<const Column> wrench;  ///< fx, fy, fz, nx, ny, nz as in InverseDynamics; or no columns
};

/// InverseDynamics of many samples at once, by a straight-line program for this arm on SIMD lanes.
/// Torques are the same to the last bit (zeros' signs excepted), for any instruction set and any
/// grouping of samples into blocks. One object per thread; copies share the program.
/// * Throws std::invalid_argument where the number of columns is wrong.
/// * Throws NotFinite with the first sample whose result is not finite.
/// * Throws Error where ARMDYN_SIMD names an instruction set that this machine does not have.
class BlockInverseDynamics {
 public:
  explicit BlockInverseDynamics(const Arm& arm, Method method = Method::newton_euler);

  /// τ, dof columns; N·m or N. Result columns share no memory with the motion.
  void torque(const MotionBlock& motion, std::span<const ResultColumn> tau);

  /// The parts of τ in the order of TorqueTerms, dof columns each: inertia, velocity, gravity,
  /// friction, rotor, wrench.
  void terms(const MotionBlock& motion, std::span<const ResultColumn> parts);

  /// Joint wrenches as InverseDynamics::reactions, 6·dof columns: fx, fy, fz, nx, ny, nz of one
  /// joint after the other; N, N·m.
  void reactions(const MotionBlock& motion, std::span<const ResultColumn> wrenches);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

/// Friction at the joint, N·m or N: sign(q̇)(1 + A cos(hq + φ))[c + (s − c) exp(−(q̇/v_s)²)] + b q̇
/// (eq. 4.1) + sigmoid (26.1). Zero at rest, where static friction up to `breakaway` holds it.
[[nodiscard]] double friction_torque(const Friction& friction, double q, double qd);

/// Motor and gear at the joint: G²J q̈ + G²B q̇ + |G|·T_c·sign(q̇), N·m or N (eq. 4.2).
[[nodiscard]] double motor_torque(const Motor& motor, double qd, double qdd);

/// Torque of friction and motor, without the rotor's inertia, at a joint that slips in `direction`,
/// N·m or N (1, −1; 0: no dry friction). Unlike the two above it is smooth at q̇ = 0.
[[nodiscard]] double loss_torque(const Drive& drive, double q, double qd, int direction);

/// Largest torque that friction and motor hold at rest in either direction, at position q; N·m, N.
[[nodiscard]] TwoSided breakaway_torque(const Drive& drive, double q);

}  // namespace armdyn
