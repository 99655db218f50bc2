#pragma once

#include <armdyn/counts.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace armdyn {

/// A formula for a number of operations, as printed in a paper or as that paper's arrangement
/// really costs.
struct PublishedCount {
  Method method;
  std::string_view source;                      ///< "paper 001"
  std::string_view what;                        ///< "Table 1", or what else
  std::string_view multiplications, additions;  ///< the formulas in n, "108n − 12"
  Operations (*at)(std::int64_t n);             ///< their values
};

/// Every formula that the papers print, and after each the corrected one (docs/derivation.md 12).
[[nodiscard]] std::span<const PublishedCount> published_counts();

/// Paper 001 §6: what strobing costs for n joints, from the papers' cost per link.
[[nodiscard]] Operations published_strobing_of_mass_matrix(std::int64_t n);
[[nodiscard]] Operations published_strobing_of_velocity_matrices(std::int64_t n);

}  // namespace armdyn
