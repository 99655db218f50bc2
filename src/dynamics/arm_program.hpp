#pragma once

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include "program/program.hpp"

// The bridge from algorithms to straight-line programs for one arm: an algorithm runs on
// Expressions, once, and what is left of it after folding this arm's constants becomes a program.
// It computes the same bits as the algorithm in doubles, zeros' signs excepted.

namespace armdyn {

/// Formulas that a program may have. Beyond it, building one takes longer than most files are
/// worth, and its slots outgrow the caches.
inline constexpr std::size_t most_formulas = 60'000;

/// Says whether a program has the hand wrench among its inputs, or takes it as zero.
enum class HandInput { absent, present };

// The input columns are q, qd, qdd, dof each, and, where present, fx, fy, fz, nx, ny, nz. Friction
// takes no part, nor do rotors unless said. Throws std::length_error where a program would be too
// long to be of use: Lagrange's equation of many joints.

/// τ of the links, dof columns.
[[nodiscard]] Program torque_program(const Arm& arm, Method method, HandInput hand);

/// The links' parts of τ, dof columns each: inertia, velocity, gravity, wrench.
[[nodiscard]] Program terms_program(const Arm& arm, Method method, HandInput hand);

/// Reactions as of InverseDynamics::reactions: fx, fy, fz, nx, ny, nz of one joint after the other.
[[nodiscard]] Program reactions_program(const Arm& arm, HandInput hand);

/// M with rotors, by composite bodies: the lower triangle, row after row. The input columns
/// are q alone.
[[nodiscard]] Program mass_matrix_program(const Arm& arm);

/// V + G + Jᵀ·hand, dof columns. There is no qdd among the inputs.
[[nodiscard]] Program bias_program(const Arm& arm, HandInput hand);

/// Accelerations as of ForwardDynamics::lossless_accelerations by composite or articulated bodies,
/// without its tests: dof columns each of q̈, of the bias V + G + Jᵀ·hand, and of the pivots (eq.
/// 7.8). The third group of inputs is the force in place of qdd.
[[nodiscard]] Program forward_program(const Arm& arm, ForwardMethod method, HandInput hand);

/// The regressor as of link_columns: of each body ten times dof columns.
[[nodiscard]] Program link_regressor_program(const Arm& arm, bool with_payload);

/// A program for one arm, in a variant with and one without a hand wrench, each made when it is
/// first needed. Copies share the programs and may be used in different threads.
class ProgramRunner {
 public:
  using Make = std::function<Program(HandInput)>;

  explicit ProgramRunner(const Make& make);

  /// Runs the program on these groups of input columns and those of the hand wrench, or none.
  /// False, and nothing done, where the program would be too long.
  bool run(std::size_t rows, std::initializer_list<std::span<const Column>> groups,
           std::span<const Column> hand, std::span<const ResultColumn> results);

  /// The rows of which a result is not finite, in their order. Asked after a run with that hand
  /// wrench.
  [[nodiscard]] std::vector<std::size_t> rows_not_finite(
      std::size_t rows, std::span<const Column> hand, std::span<const ResultColumn> results) const;

 private:
  class Shared;
  struct Variant {
    Variant(const Make& make, HandInput hand);
    Variant(const Variant& other) : program(other.program) {}  // with an evaluator of its own

    std::shared_ptr<Shared> program;
    std::unique_ptr<Evaluator> evaluator;
  };

  Variant without_hand_, with_hand_;
  std::vector<Column> inputs_;
};

}  // namespace armdyn
