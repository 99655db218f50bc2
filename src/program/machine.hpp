#pragma once

#include <cstddef>
#include <cstdint>

// The machine that a straight-line program runs on. Plain types only: this header is also compiled
// for AVX-512, where a weak inline function could be the one that the linker keeps for everybody.
//
// The machine holds a block of samples at a time, and does each step for the whole block. It has
// places, which hold one value per sample, and one accumulator. So a sum of products goes through
// memory once:
//
//     z = x·y + 3·x − y          load_product x y, add_scaled 3 x, subtract_place_and_store y z
//
// Up to three steps from a load on are a chain, which is done in one go: of a longer sum, what the
// accumulator holds after them goes through a spare place.
//
// A product within a sum is rounded before it is added, on every instruction set.

namespace armdyn {

// clang-format off
/// Steps that give the accumulator a new value. Of each there is a second kind, …_and_store, which
/// stores that value in place c as well.
#define ARMDYN_SUM_KINDS(KIND)                                             \
  KIND(load_place)           /* = place a */                               \
  KIND(load_product)         /* = place a · place b */                     \
  KIND(load_scaled)          /* = k · place a */                           \
  KIND(load_scaled_product)  /* = (k · place a) · place b */               \
  KIND(load_constant)        /* = k */                                     \
  KIND(add_place)            /* = accumulator + … */                       \
  KIND(add_product)                                                        \
  KIND(add_scaled)                                                         \
  KIND(add_scaled_product)                                                 \
  KIND(add_constant)                                                       \
  KIND(subtract_place)       /* = accumulator − …; −k · x is added */      \
  KIND(subtract_product)                                                   \
  KIND(from_place)           /* = … − accumulator */                       \
  KIND(from_product)                                                       \
  KIND(from_scaled)                                                        \
  KIND(from_scaled_product)                                                \
  KIND(from_constant)                                                      \
  KIND(times_place)          /* = accumulator · … */                       \
  KIND(times_constant)                                                     \
  KIND(divide_by_place)      /* = accumulator / … */                       \
  KIND(divide_by_constant)                                                 \
  KIND(divide_place)         /* = … / accumulator */                       \
  KIND(divide_constant)                                                    \
  KIND(negate)               /* = −accumulator */

#define ARMDYN_NAMES(kind) kind, kind##_and_store,
enum class StepKind : std::uint16_t {
  ARMDYN_SUM_KINDS(ARMDYN_NAMES)
  sin_cos  ///< place b = sin(place a), place c = cos(place a); the accumulator is lost
};
#undef ARMDYN_NAMES
// clang-format on

struct Step {
  StepKind kind;
  std::uint16_t a, b, c;  ///< places
  double k;               ///< a constant
};

/// The chains that there are, each with a store at its end: every load (the kinds before add_place)
/// alone and with every other kind behind it, and these threes. Their codes count them in this
/// order; the last code is that of sin_cos.
constexpr StepKind chain_firsts[] = {StepKind::load_place, StepKind::load_product,
                                     StepKind::load_scaled, StepKind::load_scaled_product};
constexpr StepKind chain_seconds[] = {StepKind::add_place,      StepKind::add_product,
                                      StepKind::add_scaled,     StepKind::add_scaled_product,
                                      StepKind::subtract_place, StepKind::subtract_product};
constexpr StepKind chain_thirds[] = {StepKind::add_place,        StepKind::add_product,
                                     StepKind::add_scaled,       StepKind::subtract_place,
                                     StepKind::subtract_product, StepKind::add_scaled_product,
                                     StepKind::times_place,      StepKind::times_constant,
                                     StepKind::from_place,       StepKind::from_scaled};
constexpr int first_kinds = sizeof chain_firsts / sizeof(StepKind),
              second_kinds = sizeof chain_seconds / sizeof(StepKind),
              third_kinds = sizeof chain_thirds / sizeof(StepKind);
constexpr int load_kinds = static_cast<int>(StepKind::add_place) / 2;
constexpr int other_kinds = static_cast<int>(StepKind::sin_cos) / 2 - load_kinds;
constexpr int pair_codes = load_kinds, three_codes = pair_codes + load_kinds * other_kinds,
              sin_cos_code = three_codes + first_kinds * second_kinds * third_kinds;

/// The machine on one instruction set; its functions are the only ones compiled for that.
struct Machine {
  std::size_t block_size;  ///< the most samples at a time; no result depends on it
  std::size_t grain;       ///< what their number must be a multiple of
  /// Does `count` chains, whose steps follow one another, for some samples. `places` holds for each
  /// place where its values are; they need not be aligned.
  void (*run)(const std::uint16_t* codes, std::size_t count, const Step* steps,
              double* const* places, std::size_t samples);
  /// Tests whether the sum of these numbers is finite, and so each of them.
  bool (*is_finite_sum)(const double* values, std::size_t count);
  /// sums[j] = Σ_k p[j][k] (y[k] − first) over `rows` samples, with `count` columns p: the same bits
  /// on every machine, as below.
  void (*project)(const double* const* p, std::size_t count, const double* y, double first,
                  std::size_t rows, double* sums);
  /// Σ_k (y[k] − y[0] − Σ_j c[j] p[j][k])², with `count` columns p.
  double (*misfit)(const double* const* p, const double* c, std::size_t count, const double* y,
                   std::size_t rows);
};
extern const Machine baseline_machine, avx2_machine, avx512_machine;

/// sin_cos of one number, for the angles that the blocks leave to it.
void sin_cos_of(double angle, double* sin, double* cos);

}  // namespace armdyn
