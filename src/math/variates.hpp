#pragma once

// Random numbers by place: the same on every machine and in any order (docs/derivation.md, 24.1).

#include <cstdint>

namespace armdyn {

/// The number at a place of a sample's stream, uniform in (0, 1), 52 bits: Philox4x32-10 (Salmon et
/// al., SC 2011) with the seed as its key.
[[nodiscard]] double uniform_variate(std::uint64_t seed, std::uint64_t sample, std::uint32_t place);

/// ln x of a positive finite x, by additions, products and quotients alone.
[[nodiscard]] double natural_logarithm(double x);

/// The x with Φ(x) = p, for p from 1e-10 to 1 − 1e-10 (Wichura, AS 241, 1988), by additions,
/// products, quotients and square roots alone.
[[nodiscard]] double normal_quantile(double p);

/// From u in (0, 1) a number in (−1, 1) that is distributed normally with the standard deviation
/// 1/3, cut at the ends (eq. 24.2).
[[nodiscard]] double cut_normal(double u);

}  // namespace armdyn
