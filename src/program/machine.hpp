#pragma once

#include <cstddef>
#include <cstdint>

// The machine that a straight-line program runs on. Plain types only: this header is also compiled
// for AVX-512, where a weak inline function could be the one that the linker keeps for everybody.
//
// The machine holds a block of samples at a time, and does each step for the whole block: reading a
// step costs next to nothing beside that. It has places, which hold one value per sample, and one
// accumulator, which stays in registers. So a sum of products goes through memory once:
//
//     z = x·y + 3·x − y          load_product x y, add_scaled 3 x, subtract_place_and_store y z
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

/// The others.
#define ARMDYN_OTHER_KINDS(KIND) \
  KIND(sin_cos)            /* place b = sin(place a), place c = cos(place a); accumulator lost */ \
  KIND(end)                /* the last step of every program */
// clang-format on

#define ARMDYN_NAME(kind) kind,
#define ARMDYN_NAMES(kind) kind, kind##_and_store,
enum class StepKind : std::uint16_t {
  ARMDYN_SUM_KINDS(ARMDYN_NAMES) ARMDYN_OTHER_KINDS(ARMDYN_NAME)
};
#undef ARMDYN_NAMES
#undef ARMDYN_NAME

struct Step {
  StepKind kind;
  std::uint16_t a, b, c;  ///< places
  double k;               ///< a constant
};

/// The machine on one instruction set; its functions are the only ones compiled for that.
struct Machine {
  std::size_t block_size;  ///< samples per block; no result depends on it
  /// Does the steps for one block, up to `end`. `places` holds for each place where its values are;
  /// they need not be aligned.
  void (*run)(const Step* steps, double* const* places);
  /// Tells whether the sum of these numbers is finite, and so each of them.
  bool (*is_finite_sum)(const double* values, std::size_t count);
};
extern const Machine baseline_machine, avx2_machine, avx512_machine;

/// sin_cos of one number, for the angles that the blocks leave to it.
void sin_cos_of(double angle, double* sin, double* cos);

}  // namespace armdyn
