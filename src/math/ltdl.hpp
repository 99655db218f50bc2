#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace armdyn {

/// M = Lᵀ D L with L unit lower triangular, from the last row to the first (docs/derivation.md eq.
/// 7.8, 7.9). M is n×n by rows and symmetric; of it the lower triangle is read, and overwritten:
/// the diagonal by D, what lies below by L. The entries of D, the pivots, are not tested here.
template <class S>
void factor_ltdl(std::size_t n, std::span<S> M) {
  for (std::size_t k = n; k-- > 0;) {
    const S inverse_pivot = S(1.0) / M[k * n + k];
    for (std::size_t i = k; i-- > 0;) {
      const S l = M[k * n + i] * inverse_pivot;
      for (std::size_t j = 0; j <= i; ++j) M[i * n + j] = M[i * n + j] - l * M[k * n + j];
      M[k * n + i] = l;
    }
  }
}

/// Solves Lᵀ D L x = b for the factors above (eq. 7.10); x holds b at first. Its entries may be several
/// columns side by side.
template <class S, class F = S>
void solve_ltdl(std::size_t n, std::span<const std::type_identity_t<F>> factors, std::span<S> x) {
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = 0; i < k; ++i) x[i] = x[i] - factors[k * n + i] * x[k];
  }
  for (std::size_t k = 0; k < n; ++k) {
    S sum = x[k] / factors[k * n + k];
    for (std::size_t i = 0; i < k; ++i) sum = sum - factors[k * n + i] * x[i];
    x[k] = sum;
  }
}

}  // namespace armdyn
