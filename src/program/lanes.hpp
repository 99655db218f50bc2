// The machine of machine.hpp on the lanes of one instruction set. It is not compiled by itself: a
// translation unit per instruction set includes it inside its own unnamed namespace, where it finds
//
//   lane_count   doubles in a register
//
// and uses `run_block`. Vector types and labels as values are what gcc and clang share.

// NOLINTBEGIN(bugprone-macro-parentheses): labels and their addresses have none
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // labels as values: gcc and clang have them

typedef double Number __attribute__((vector_size(lane_count * sizeof(double))));
typedef std::uint64_t Bits __attribute__((vector_size(lane_count * sizeof(double))));
/// Lanes in memory, at any address.
typedef double Stored
    __attribute__((vector_size(lane_count * sizeof(double)), aligned(sizeof(double)), may_alias));

inline Bits bits_of(Number number) {
  return reinterpret_cast<Bits>(number);
}
inline Number number_of(Bits bits) {
  return reinterpret_cast<Number>(bits);
}

#include "math/sin_cos_formula.hpp"

constexpr std::size_t lanes = lane_count;
constexpr std::size_t vectors = 16;  // per block, each with an accumulator: measured the best
constexpr std::size_t block_size = vectors * lanes;

inline Number load(const double* at) {
  return *reinterpret_cast<const Stored*>(at);
}
inline void store(double* at, Number value) {
  *reinterpret_cast<Stored*>(at) = value;
}
inline Number broadcast(double value) {
  return value - Number{};  // exact, and no operation in the end
}

/// Computes the bits of sin_cos() of each number. Out of line, to leave run_block's registers to
/// the accumulators.
[[gnu::noinline]] inline void sin_cos_block(const double* angles, double* sines, double* cosines) {
  Bits large = {};
  for (std::size_t at = 0; at < block_size; at += lanes) {
    const Bits bits = bits_of(load(angles + at));
    const Bits sign = bits & sign_bit;
    const Number angle = number_of(bits ^ sign);
    large |= ~reinterpret_cast<Bits>(angle < cody_waite_limit);
    const SineAndCosine found = evaluate(reduce_moderate(angle), sign);
    store(sines + at, found.sin);
    store(cosines + at, found.cos);
  }
  bool any = false;
  for (std::size_t i = 0; i < lanes; ++i) any = any || large[i] != 0;
  if (!any) return;
  for (std::size_t i = 0; i < block_size; ++i) {
    if (!(__builtin_fabs(angles[i]) < cody_waite_limit))
      sin_cos_of(angles[i], &sines[i], &cosines[i]);
  }
}

/// Tells whether the sum of these numbers is finite, and so each of them.
inline bool sum_is_finite(const double* values, std::size_t count) {
  Number sums[4] = {};  // side by side, since one would wait for the addition before
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += load(values + i + k * lanes);
  }
  double sum = 0.0;
  for (; i < count; ++i) sum += values[i];
  const Number four = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (std::size_t k = 0; k < lanes; ++k) sum += four[k];
  return __builtin_isfinite(sum);
}

/// The loop over a block's vectors, unrolled, so that the accumulators are registers; clang does
/// that unasked.
#if defined(__clang__)
#define ARMDYN_EACH_VECTOR for (std::size_t v = 0; v < vectors; ++v)
#else
#define ARMDYN_EACH_VECTOR _Pragma("GCC unroll 16") for (std::size_t v = 0; v < vectors; ++v)
#endif
#define ARMDYN_DO_STEP goto* code[static_cast<std::size_t>(step->kind)]
#define ARMDYN_NEXT_STEP \
  ++step;                \
  ARMDYN_DO_STEP

/// One kind of step, and the same with its store.
#define ARMDYN_STEP(kind, value)                                    \
  kind : {                                                          \
    [[maybe_unused]] const double* const x = places[step->a];       \
    [[maybe_unused]] const double* const y = places[step->b];       \
    [[maybe_unused]] const Number k = broadcast(step->k);           \
    ARMDYN_EACH_VECTOR acc[v] = (value);                            \
    ARMDYN_NEXT_STEP;                                               \
  }                                                                 \
  kind##_and_store : {                                              \
    [[maybe_unused]] const double* const x = places[step->a];       \
    [[maybe_unused]] const double* const y = places[step->b];       \
    [[maybe_unused]] const Number k = broadcast(step->k);           \
    double* const result = places[step->c];                         \
    ARMDYN_EACH_VECTOR store(result + v * lanes, acc[v] = (value)); \
    ARMDYN_NEXT_STEP;                                               \
  }

void run_block(const Step* steps, double* const* places) {
#define ARMDYN_ADDRESS(kind) &&kind,
#define ARMDYN_ADDRESSES(kind) &&kind, &&kind##_and_store,
  static const void* const code[] = {ARMDYN_SUM_KINDS(ARMDYN_ADDRESSES)
                                         ARMDYN_OTHER_KINDS(ARMDYN_ADDRESS)};
#undef ARMDYN_ADDRESSES
#undef ARMDYN_ADDRESS
  Number acc[vectors] = {};
  const Step* step = steps;
  ARMDYN_DO_STEP;
  ARMDYN_STEP(load_place, load(x + v * lanes))
  ARMDYN_STEP(load_product, load(x + v * lanes) * load(y + v * lanes))
  ARMDYN_STEP(load_scaled, k * load(x + v * lanes))
  ARMDYN_STEP(load_scaled_product, k * load(x + v * lanes) * load(y + v * lanes))
  ARMDYN_STEP(load_constant, k)
  ARMDYN_STEP(add_place, acc[v] + load(x + v * lanes))
  ARMDYN_STEP(add_product, acc[v] + load(x + v * lanes) * load(y + v * lanes))
  ARMDYN_STEP(add_scaled, acc[v] + k * load(x + v * lanes))
  ARMDYN_STEP(add_scaled_product, acc[v] + k * load(x + v * lanes) * load(y + v * lanes))
  ARMDYN_STEP(add_constant, acc[v] + k)
  ARMDYN_STEP(subtract_place, acc[v] - load(x + v * lanes))
  ARMDYN_STEP(subtract_product, acc[v] - load(x + v * lanes) * load(y + v * lanes))
  ARMDYN_STEP(from_place, load(x + v * lanes) - acc[v])
  ARMDYN_STEP(from_product, load(x + v * lanes) * load(y + v * lanes) - acc[v])
  ARMDYN_STEP(from_scaled, k * load(x + v * lanes) - acc[v])
  ARMDYN_STEP(from_scaled_product, k * load(x + v * lanes) * load(y + v * lanes) - acc[v])
  ARMDYN_STEP(from_constant, k - acc[v])
  ARMDYN_STEP(times_place, acc[v] * load(x + v * lanes))
  ARMDYN_STEP(times_constant, acc[v] * k)
  ARMDYN_STEP(divide_by_place, acc[v] / load(x + v * lanes))
  ARMDYN_STEP(divide_by_constant, acc[v] / k)
  ARMDYN_STEP(divide_place, load(x + v * lanes) / acc[v])
  ARMDYN_STEP(divide_constant, k / acc[v])
  ARMDYN_STEP(negate, -acc[v])
sin_cos:
  sin_cos_block(places[step->a], places[step->b], places[step->c]);
  ARMDYN_NEXT_STEP;
end:
  return;
}

#undef ARMDYN_STEP
#undef ARMDYN_NEXT_STEP
#undef ARMDYN_DO_STEP
#undef ARMDYN_EACH_VECTOR

#pragma GCC diagnostic pop
// NOLINTEND(bugprone-macro-parentheses)
