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
//     z = x·y + 3·x − y          load_product x y, add_scaled 3 x, subtract_place y, store z
//
// A product within a sum is rounded before it is added, on every instruction set.

namespace armdyn {

enum class StepKind : std::uint16_t {
  // accumulator = …
  load_place,     ///< place a
  load_product,   ///< place a · place b
  load_scaled,    ///< k · place a
  load_constant,  ///< k
  // accumulator = accumulator + …
  add_place,
  add_product,
  add_scaled,
  add_constant,
  // accumulator = accumulator − …
  subtract_place,
  subtract_product,
  subtract_scaled,
  // accumulator = … − accumulator
  from_place,
  from_product,
  from_scaled,
  from_constant,
  // accumulator = accumulator · …
  times_place,
  times_constant,

  divide_by_place,     ///< accumulator / place a
  divide_by_constant,  ///< accumulator / k
  divide_place,        ///< place a / accumulator
  divide_constant,     ///< k / accumulator
  negate,
  square_root,

  store,    ///< place a = accumulator
  sin_cos,  ///< place b = sin(place a), place c = cos(place a); the accumulator is lost
};

struct Step {
  StepKind kind;
  std::uint16_t a, b, c;  ///< places
  double k;               ///< a constant
};

/// Samples per block on each instruction set. No result depends on it.
inline constexpr std::size_t sse2_block = 16;
inline constexpr std::size_t avx2_block = 32;
inline constexpr std::size_t avx512_block = 64;

// Each does the steps for one block. `places` holds for each place where its values are; they need
// not be aligned. One function per instruction set, each the only one compiled for it.
namespace sse2 {
void run(const Step* steps, std::size_t count, double* const* places);
}
namespace avx2 {
void run(const Step* steps, std::size_t count, double* const* places);
}
namespace avx512 {
void run(const Step* steps, std::size_t count, double* const* places);
}

/// sin_cos of one number, for the angles that the blocks leave to it.
void sin_cos_of(double angle, double* sin, double* cos);

}  // namespace armdyn
