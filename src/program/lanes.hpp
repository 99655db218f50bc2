// The machine of machine.hpp on the lanes of one instruction set. It is not compiled by itself: a
// translation unit per instruction set includes it inside its own unnamed namespace, where it finds
//
//   lane_count   doubles in a register
//
// and uses `run_block`. Vector types, memcpy-free, are those that gcc and clang share.

// NOLINTBEGIN(misc-definitions-in-headers)

typedef double Number __attribute__((vector_size(lane_count * sizeof(double))));
typedef std::uint64_t Bits __attribute__((vector_size(lane_count * sizeof(double))));
/// The same in memory, at any address.
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
constexpr std::size_t vectors = 8;  // per block: as many accumulators
constexpr std::size_t block_size = vectors * lanes;

inline Number load(const double* at) {
  return *reinterpret_cast<const Stored*>(at);
}
inline void store(double* at, Number value) {
  *reinterpret_cast<Stored*>(at) = value;
}
inline Number broadcast(double value) {
  return Number{} + value;
}

/// sqrt of each lane; correctly rounded on every machine.
inline Number square_root(Number x) {
  for (std::size_t i = 0; i < lanes; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
}

/// The same bits as sin_cos() of each number.
inline void sin_cos_block(const double* angles, double* sines, double* cosines) {
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

/// Expands to the loop over a block's vectors, unrolled, so that the accumulators are registers.
#if defined(__clang__)
#define ARMDYN_EACH_VECTOR _Pragma("unroll") for (std::size_t v = 0; v < vectors; ++v)
#else
#define ARMDYN_EACH_VECTOR _Pragma("GCC unroll 8") for (std::size_t v = 0; v < vectors; ++v)
#endif
#define ARMDYN_STEP(kind, value)         \
  case StepKind::kind:                   \
    ARMDYN_EACH_VECTOR acc[v] = (value); \
    break

void run_block(const Step* steps, std::size_t count, double* const* places) {
  Number acc[vectors] = {};
  for (const Step* step = steps; step != steps + count; ++step) {
    const double* const x = places[step->a];
    const double* const y = places[step->b];
    const Number k = broadcast(step->k);
    const auto a = [x](std::size_t v) { return load(x + v * lanes); };
    const auto b = [y](std::size_t v) { return load(y + v * lanes); };
    switch (step->kind) {
      ARMDYN_STEP(load_place, a(v));
      ARMDYN_STEP(load_product, a(v) * b(v));
      ARMDYN_STEP(load_scaled, k * a(v));
      ARMDYN_STEP(load_constant, k);
      ARMDYN_STEP(add_place, acc[v] + a(v));
      ARMDYN_STEP(add_product, acc[v] + a(v) * b(v));
      ARMDYN_STEP(add_scaled, acc[v] + k * a(v));
      ARMDYN_STEP(add_constant, acc[v] + k);
      ARMDYN_STEP(subtract_place, acc[v] - a(v));
      ARMDYN_STEP(subtract_product, acc[v] - a(v) * b(v));
      ARMDYN_STEP(subtract_scaled, acc[v] - k * a(v));
      ARMDYN_STEP(from_place, a(v) - acc[v]);
      ARMDYN_STEP(from_product, a(v) * b(v) - acc[v]);
      ARMDYN_STEP(from_scaled, k * a(v) - acc[v]);
      ARMDYN_STEP(from_constant, k - acc[v]);
      ARMDYN_STEP(times_place, acc[v] * a(v));
      ARMDYN_STEP(times_constant, acc[v] * k);
      ARMDYN_STEP(divide_by_place, acc[v] / a(v));
      ARMDYN_STEP(divide_by_constant, acc[v] / k);
      ARMDYN_STEP(divide_place, a(v) / acc[v]);
      ARMDYN_STEP(divide_constant, k / acc[v]);
      ARMDYN_STEP(negate, -acc[v]);
      ARMDYN_STEP(square_root, square_root(acc[v]));
      case StepKind::store:
        ARMDYN_EACH_VECTOR store(places[step->a] + v * lanes, acc[v]);
        break;
      case StepKind::sin_cos:
        sin_cos_block(x, places[step->b], places[step->c]);
        break;
    }
  }
}

#undef ARMDYN_STEP
#undef ARMDYN_EACH_VECTOR

// NOLINTEND(misc-definitions-in-headers)
