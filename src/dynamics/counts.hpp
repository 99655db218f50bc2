#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include "math/counted.hpp"
#include "program/schedule.hpp"

namespace armdyn {

/// Costs of one evaluation, counted in three ways (docs/derivation.md 12); `principal` is of an arm
/// whose tensors have principal axes along the links' frames.
using Count = Counted::Tally;

/// Costs of the torque of the links at one state, without contact wrench and losses.
struct MethodCount {
  Count recursion;  ///< torques from the joints' frames; what the papers count
  Count frames;     ///< the joints' frames from their sines and cosines; set-up in the papers
  std::int64_t sines = 0;  ///< sines, each with its cosine
};

/// Counts by running the method's own algorithm on a scalar that counts.
[[nodiscard]] MethodCount count(const Arm& arm, Method method);

/// Costs of one term of an algorithm.
struct TermCount {
  std::string_view term;  ///< as the papers' tables call it
  Count count;
};

/// `count(arm, method).recursion` by the terms of the algorithm, in its order.
[[nodiscard]] std::vector<TermCount> count_terms(const Arm& arm, Method method);

/// The terms of paper 003's Lagrange-Euler equations as they are printed, where every trace is
/// formed by itself: of the order n⁴. The joints' frames are set-up.
[[nodiscard]] std::vector<TermCount> count_printed_lagrange_terms(const Arm& arm);

/// Costs of strobing (paper 001 §3, §6): the terms of τ = M q̈ + (q̇ᵗ C¹ q̇, …) + G by repeated
/// inverse dynamics with unit inputs; recursions alone.
struct StrobingCount {
  Count mass_matrix;        ///< n runs, one joint accelerating in each
  Count velocity_matrices;  ///< n(n+1)/2 runs, one or two joints moving in each
  /// A step of simulation (paper 001 §7): at each of four points C + G, M, and M q̈ = τ − C − G
  /// solved; then their weighted sum.
  Count step;
};
[[nodiscard]] StrobingCount count_strobing(const Arm& arm, Method method);

// The torque of the links as tasks for several processors (docs/derivation.md, section 23; paper
// 001, table 5).

/// Operations of a formulation as it is written, one step each. The joints' frames are there, as in
/// the papers.
[[nodiscard]] std::vector<Task> written_operations(const Arm& arm, Method method);

/// Operations of the arm's program (section 14). The joints' sines are there.
[[nodiscard]] std::vector<Task> folded_operations(const Arm& arm, Method method);

/// The terms of the modified recursion for n revolute joints, each as long as in table 4 of paper 001
/// its multiplications or its additions take, one after the other (eq. 23.3).
enum class TermDuration { multiplications, additions };
[[nodiscard]] std::vector<Task> terms_of_table_4(std::size_t n, TermDuration duration);

/// A polynomial in n with rational coefficients, as the papers print them.
struct Polynomial {
  std::array<std::int64_t, 5> coefficients{};  ///< of 1, n, n², n³, n⁴, times the denominator
  std::int64_t denominator = 1;

  [[nodiscard]] std::int64_t at(std::int64_t n) const;
  [[nodiscard]] std::string text() const;  ///< "27/2 n³ + 165/2 n² + 5n"

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
};

/// A number of operations for n revolute joints.
struct PublishedOperations {
  Polynomial multiplications, additions;

  [[nodiscard]] Operations at(std::int64_t n) const {
    return {multiplications.at(n), additions.at(n)};
  }
  friend PublishedOperations operator+(const PublishedOperations& a, const PublishedOperations& b) {
    return {a.multiplications + b.multiplications, a.additions + b.additions};
  }
};

/// A formula for a number of operations, as printed in a paper or as that paper's arrangement
/// really costs.
struct PublishedCount {
  Method method;
  std::string_view source;  ///< "paper 001"
  std::string_view what;    ///< "Table 1", or what else
  PublishedOperations operations;
};

/// Totals that the papers print, and after each the corrected one (docs/derivation.md 12).
[[nodiscard]] std::span<const PublishedCount> published_counts();

/// A row of a paper's table.
struct PublishedTerm {
  std::string_view term;
  PublishedOperations operations;
};

/// Rows of a paper's table that are, together, some terms of our algorithm.
struct PublishedGroup {
  std::vector<PublishedTerm> rows;
  std::vector<std::string_view> counted;  ///< TermCount::term; none where ours has no such term

  [[nodiscard]] PublishedOperations sum() const;
};

/// A table that breaks a total down. Its terms are those of `count_terms`, or of
/// `count_printed_lagrange_terms`.
struct PublishedTable {
  Method method;
  std::string_view source, what;  ///< as PublishedCount
  std::vector<PublishedGroup> groups;
  bool counts_printed_lagrange = false;
};

/// Tables 2, 3 and 4 of paper 001, 1 and 2 of paper 003.
[[nodiscard]] const std::vector<PublishedTable>& published_tables();

/// Paper 001, table 5: steps of the modified recursion when operations go at once.
[[nodiscard]] const PublishedGroup& published_simultaneous_steps();

/// Paper 001 §6: what strobing costs for n joints, from the papers' cost per link.
[[nodiscard]] Operations published_strobing_of_mass_matrix(std::int64_t n);
[[nodiscard]] Operations published_strobing_of_velocity_matrices(std::int64_t n);

}  // namespace armdyn
