#pragma once

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <initializer_list>

#include "program/program.hpp"
#include "program/written_function.hpp"

// The bridge from algorithms to straight-line programs for one arm: an algorithm runs on
// Expressions, once, and the rest of it after folding this arm's constants becomes a program.
// It computes the same bits as the algorithm in doubles, zeros' signs excepted.

namespace armdyn {

/// Formulas that a program may have. Beyond it, building one takes longer than most files are
/// worth, and its slots outgrow the caches.
inline constexpr std::size_t most_formulas = 60'000;

/// States whether a program has the contact wrench among its inputs, or takes it as zero.
enum class WrenchInput { absent, present };

// The input columns are q, qd, qdd, dof each, and, where present, fx, fy, fz, nx, ny, nz. Friction
// takes no part, nor do rotors, unless stated. Throws std::length_error where a program would be too
// long to be of use: Lagrange's equation of many joints.

/// τ of the links, dof columns.
[[nodiscard]] Program torque_program(const Arm& arm, Method method, WrenchInput wrench);

/// The links' parts of τ, dof columns each: inertia, velocity, gravity, wrench.
[[nodiscard]] Program terms_program(const Arm& arm, Method method, WrenchInput wrench);

/// Reactions as of InverseDynamics::reactions: fx, fy, fz, nx, ny, nz of one joint after the other.
[[nodiscard]] Program reactions_program(const Arm& arm, WrenchInput wrench);

/// M with rotors, by composite bodies: the lower triangle, row after row. The input columns
/// are q alone.
[[nodiscard]] Program mass_matrix_program(const Arm& arm);

/// V + G + Jᵀ·wrench, dof columns. There is no qdd among the inputs.
[[nodiscard]] Program bias_program(const Arm& arm, WrenchInput wrench);

/// Accelerations as of ForwardDynamics::lossless_acceleration by composite or articulated bodies,
/// without its tests: dof columns each of q̈, of the bias V + G + Jᵀ·wrench, and of the pivots (eq.
/// 7.8). The third group of inputs is the force in place of qdd.
[[nodiscard]] Program forward_program(const Arm& arm, ForwardMethod method, WrenchInput wrench);

/// The regressor as of link_columns: of each body ten times dof columns.
[[nodiscard]] Program link_regressor_program(const Arm& arm, bool with_payload);

/// A program for one arm, in a variant with and one without a contact wrench, each made when it is
/// first needed. Copies share the programs and may be used in different threads.
class ProgramRunner {
 public:
  using Make = std::function<Program(WrenchInput)>;

  explicit ProgramRunner(const Make& make);

  /// Runs the program on these groups of input columns and those of the contact wrench, or none.
  /// False, and nothing done, where the program would be too long.
  bool run(std::size_t rows, std::initializer_list<std::span<const Column>> groups,
           std::span<const Column> wrench, std::span<const ResultColumn> results);

  /// The rows with a result that is not finite, in their order. Asked after a run with that wrench
  /// wrench.
  [[nodiscard]] std::vector<std::size_t> rows_not_finite(
      std::size_t rows, std::span<const Column> wrench,
      std::span<const ResultColumn> results) const;

 private:
  class Shared;
  struct Variant {
    Variant(const Make& make, WrenchInput wrench);
    Variant(const Variant& other) : program(other.program) {}  // with an evaluator of its own

    std::shared_ptr<Shared> program;
    std::unique_ptr<Evaluator> evaluator;
  };

  Variant without_wrench_, with_wrench_;
  std::vector<Column> inputs_;
};

/// The torques τ of many arms on the same motion, in N·m or N, whose numbers are not quite those of
/// one arm, with the same kinds of joints: by a program whose inputs are the numbers that differ
/// too, with what follows from the motion alone, such as sines, computed once for all arms. An arm
/// that has a zero where others have none, such as a length or the cosine of an angle, gets its own
/// program. Results are those of BlockInverseDynamics for each arm, zeros' signs excepted; what is
/// not finite is not looked at. One object per thread.
class ArmsOnMotion {
 public:
  ArmsOnMotion(const Arm& one, WrenchInput wrench);
  ~ArmsOnMotion();
  ArmsOnMotion(ArmsOnMotion&&) noexcept;
  ArmsOnMotion& operator=(ArmsOnMotion&&) noexcept;

  [[nodiscard]] std::size_t dof() const { return one_.dof(); }

  /// The arms of the next calls.
  void set_arms(std::vector<Arm> arms);

  /// Takes τ of an arm, by the place of the arm, on some rows of the motion, from `first` on; the
  /// columns are dof. The rows of an arm come in their order, and their number is a multiple of 8
  /// but for the motion's last. Arms of so many joints that the program would be too long have none,
  /// and those with springs whose load is no formula of sums and products.
  using Take = std::function<void(std::size_t arm, std::size_t first, std::size_t rows,
                                  std::span<const Column> tau)>;
  void torque(const MotionBlock& motion, const Take& take);

 private:
  class Family;

  Family& family_of(const Arm& arm, const std::vector<double>& numbers);

  Arm one_;
  WrenchInput wrench_;
  bool is_too_long_ = false;  ///< an arm's program
  std::vector<Arm> arms_;
  std::vector<std::unique_ptr<Family>> families_;
};

// The equations of an arm as functions to be written down (docs/derivation.md, section 22).

/// Equations that can be written down.
enum class Equation {
  torque,              ///< τ of the drives, friction and rotors included, from q, qd, qdd
  mass_matrix,         ///< M with rotors, from q
  velocity,            ///< V, from q and qd
  gravity,             ///< G, from q
  forward,             ///< q̈ under τ, losses included, from q, qd, tau
  forward_kinematics,  ///< T of the tool frame in {0}, 4×4, from q
  jacobian,            ///< of the tool frame in {0}, 6×dof, from q
  regressor            ///< Y with τ = Y π, π as Regressor::parameters() has it, from q, qd, qdd
};

/// The numbers of the links' bodies, "m1", "cx1", …, "Ixx1", …, with the values of this robot, in the
/// frames of its own table.
[[nodiscard]] std::vector<FunctionParameter> link_parameters(const Robot& robot);

/// Numbers that may be inputs: the parameters of the robot's file, and other numbers by names that
/// those do not have: of bodies, "a1", "d1", "g", of tool and payload.
[[nodiscard]] std::vector<FunctionParameter> function_parameters(const Robot& robot,
                                                                 const Parametrization& written);

/// Recursions that torques are written with.
enum class Recursion {
  as_computed,       ///< Newton-Euler as the program computes with it (2.1)-(2.14)
  fewest_operations  ///< (22.4)-(22.6), the bodies as they are or regrouped
};

/// The equation of this robot, with these parameters as inputs and with what follows from them by
/// the formulas of its file; where there are some, by (22.4)-(22.6) on the bodies as they are. Throws
/// Error where what follows from a parameter has no form as code, std::length_error where the arm
/// has too many joints for an equation that is written out.
[[nodiscard]] WrittenFunction written_equation(const Robot& robot, const Parametrization& written,
                                               Equation what, Recursion recursion,
                                               std::span<const FunctionParameter> parameters);

/// The library's results for the inputs of that function, one after the other.
[[nodiscard]] std::vector<double> computed(const Robot& robot, Equation what,
                                           std::span<const double> inputs);

}  // namespace armdyn
