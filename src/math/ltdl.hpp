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

/// Solves Lᵀ D L x = b for the factors above (eq. 7.10), or for their first `size` rows and columns; x
/// holds b at first. Its entries may be several columns side by side.
template <class S, class F = S>
void solve_ltdl(std::size_t n, std::span<const std::type_identity_t<F>> factors, std::span<S> x,
                std::size_t size) {
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t i = 0; i < k; ++i) x[i] = x[i] - factors[k * n + i] * x[k];
  }
  for (std::size_t k = 0; k < size; ++k) {
    S sum = x[k] / factors[k * n + k];
    for (std::size_t i = 0; i < k; ++i) sum = sum - factors[k * n + i] * x[i];
    x[k] = sum;
  }
}
template <class S, class F = S>
void solve_ltdl(std::size_t n, std::span<const std::type_identity_t<F>> factors, std::span<S> x) {
  solve_ltdl<S, F>(n, factors, x, n);
}

/// Fills the lower triangle from the upper one.
template <class S>
void mirror_upper(std::size_t n, std::span<S> M) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) M[i * n + j] = M[j * n + i];
  }
}

/// M⁻¹ by rows for the factors above. Entries down to the diagonal of a column depend on the rows up to
/// there alone; the others are theirs.
template <class S>
void invert_ltdl(std::size_t n, std::span<const std::type_identity_t<S>> factors,
                 std::span<S> inverse, std::span<S> column) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) column[i] = S(0.0);
    column[j] = S(1.0);
    solve_ltdl<S>(n, factors, column, j + 1);
    for (std::size_t i = 0; i <= j; ++i) inverse[i * n + j] = column[i];
  }
  mirror_upper<S>(n, inverse);
}

}  // namespace armdyn
