#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <utility>

namespace armdyn {

/// Evenly distributed from `lower` to below `upper`; the same in every standard library, unlike
/// std::uniform_real_distribution.
[[nodiscard]] inline double uniform(std::mt19937_64& random, double lower, double upper) {
  return lower + static_cast<double>(random() >> 11U) * 0x1p-53 * (upper - lower);
}

// Random numbers by place: the same on every machine and in any order (docs/derivation.md, 24.1).

/// The number at a place of a sample's stream, uniform in (0, 1), 52 bits: Philox4x32-10 (Salmon et
/// al., SC 2011) with the seed as its key.
[[nodiscard]] double uniform_variate(std::uint64_t seed, std::uint64_t sample, std::uint32_t place);

/// ln x of a positive finite x, by additions, products and quotients alone.
[[nodiscard]] double natural_logarithm(double x);

/// The x with Φ(x) = p, for p from 1e-10 to 1 − 1e-10 (Wichura, AS 241, 1988), by additions,
/// products, quotients and square roots alone.
[[nodiscard]] double normal_quantile(double p);

/// Makes of u in (0, 1) a number in (−1, 1) that is distributed normally with the standard deviation
/// 1/3, cut at the ends (eq. 24.2).
[[nodiscard]] double cut_normal(double u);

// Bounds from samples for the distribution that they come from, whatever it is.

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
