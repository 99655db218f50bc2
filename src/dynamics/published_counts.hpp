#pragma once

#include <armdyn/counts.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

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

/// Every total that the papers print, and after each the corrected one (docs/derivation.md 12).
[[nodiscard]] std::span<const PublishedCount> published_counts();

/// A row of a paper's table.
struct PublishedTerm {
  std::string_view term;
  PublishedOperations operations;
};

/// Rows of a paper's table that are, together, some terms of our text.
struct PublishedGroup {
  std::vector<PublishedTerm> rows;
  std::vector<std::string_view> counted;  ///< TermCount::term; none where our text has no such term

  [[nodiscard]] PublishedOperations sum() const;
};

/// A table that breaks a total down. Its terms are those of `count_terms`, or of
/// `count_printed_lagrange_terms`.
struct PublishedTable {
  Method method;
  std::string_view source, what;  ///< as PublishedCount
  bool counts_printed_lagrange = false;
  std::vector<PublishedGroup> groups;
};

/// Tables 2, 3 and 4 of paper 001, 1 and 2 of paper 003.
[[nodiscard]] const std::vector<PublishedTable>& published_tables();

/// Paper 001, table 5: steps of the modified recursion when operations go at once.
[[nodiscard]] PublishedOperations published_simultaneous_steps();

/// Paper 001 §6: what strobing costs for n joints, from the papers' cost per link.
[[nodiscard]] Operations published_strobing_of_mass_matrix(std::int64_t n);
[[nodiscard]] Operations published_strobing_of_velocity_matrices(std::int64_t n);

}  // namespace armdyn
