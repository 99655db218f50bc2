#pragma once

// What samples say about the distribution that they come from, whatever it is.

#include <cstdint>
#include <optional>
#include <utility>

namespace armdyn {

/// Ranks, from 1, among n sorted samples: of the p-quantile, and between which samples it lies with
/// 95 % confidence; without a rank where n are too few for that (eq. 24.4).
struct QuantileRanks {
  std::uint64_t estimate = 1;
  std::optional<std::uint64_t> lower, upper;
};
[[nodiscard]] QuantileRanks quantile_ranks(std::uint64_t n, double p);

/// Between which shares the true one lies with 95 % confidence, where `count` of n samples have
/// something: Clopper and Pearson's interval (eq. 24.5).
[[nodiscard]] std::pair<double, double> share_interval(std::uint64_t count, std::uint64_t n);

}  // namespace armdyn
