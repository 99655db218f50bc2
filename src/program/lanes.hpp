// The machine of machine.hpp on the lanes of one instruction set. It is not compiled by itself: a
// translation unit per instruction set includes it inside its own unnamed namespace, where it finds
//
//   lane_count   doubles in a register
//
// and uses `run_chains`. Vector types are what gcc and clang share.

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
constexpr std::size_t unrolled = 4;  // vectors; fewer or more take longer
constexpr std::size_t grain = unrolled * lanes;
constexpr std::size_t block_size = 256;  // the choice of a chain weighs more in 128, memory in 512

inline Number load(const double* at) {
  return *reinterpret_cast<const Stored*>(at);
}
inline void store(double* at, Number value) {
  *reinterpret_cast<Stored*>(at) = value;
}
inline Number broadcast(double value) {
  return value - Number{};  // exact, and no operation in the end
}

/// Computes the bits of sin_cos() of each number.
inline void sin_cos_block(const double* angles, double* sines, double* cosines,
                          std::size_t samples) {
  Bits large = {};
  for (std::size_t at = 0; at < samples; at += 2 * lanes) {  // two hide each other's latencies
    Bits signs[2];
    ReducedAngle reduced[2];
    for (std::size_t v = 0; v < 2; ++v) {
      const Bits bits = bits_of(load(angles + at + v * lanes));
      signs[v] = bits & sign_bit;
      const Number angle = number_of(bits ^ signs[v]);
      large |= ~reinterpret_cast<Bits>(angle < cody_waite_limit);
      reduced[v] = reduce_moderate(angle);
    }
    for (std::size_t v = 0; v < 2; ++v) {
      const SineAndCosine found = evaluate(reduced[v], signs[v]);
      store(sines + at + v * lanes, found.sin);
      store(cosines + at + v * lanes, found.cos);
    }
  }
  bool any = false;
  for (std::size_t i = 0; i < lanes; ++i) any = any || large[i] != 0;
  if (!any) return;
  for (std::size_t i = 0; i < samples; ++i) {
    if (!(__builtin_fabs(angles[i]) < cody_waite_limit))
      sin_cos_of(angles[i], &sines[i], &cosines[i]);
  }
}

/// Tests whether the sum of these numbers is finite, and so each of them.
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

/// found[j] = Σ term(j, k) for k < count and j < many, each in eight sums side by side, whatever the
/// width of registers. term(j, k, lanes) is that of as many k as `lanes` has.
template <std::size_t many, class Term>
void sums_of_eight(std::size_t count, double* found, Term term) {
  constexpr std::size_t sums = 8, vectors = sums / lanes;
  Number in_lanes[many][vectors] = {};
  std::size_t k = 0;
  for (; k + sums <= count; k += sums) {
    for (std::size_t v = 0; v < vectors; ++v) {
      for (std::size_t j = 0; j < many; ++j) in_lanes[j][v] += term(j, k + v * lanes, Number{});
    }
  }
  for (std::size_t j = 0; j < many; ++j) {
    double s[sums];
    for (std::size_t i = 0; i < sums; ++i) s[i] = in_lanes[j][i / lanes][i % lanes];
    for (std::size_t i = 0; k + i < count; ++i) s[i] += term(j, k + i, 0.0);
    found[j] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }
}
inline Number at(const double* values, Number /*lanes*/) {
  return load(values);
}
inline double at(const double* value, double /*lane*/) {
  return *value;
}

template <std::size_t many>
void project_some(const double* const* p, const double* y, double first, std::size_t rows,
                  double* sums) {
  sums_of_eight<many>(rows, sums, [=](std::size_t j, std::size_t k, auto lane) {
    return at(p[j] + k, lane) * (at(y + k, lane) - first);
  });
}

// Three at a time: one alone waits for its addition before.
void project(const double* const* p, std::size_t count, const double* y, double first,
             std::size_t rows, double* sums) {
  std::size_t j = 0;
  for (; j + 3 <= count; j += 3) project_some<3>(p + j, y, first, rows, sums + j);
  if (count - j == 2) project_some<2>(p + j, y, first, rows, sums + j);
  if (count - j == 1) project_some<1>(p + j, y, first, rows, sums + j);
}

double misfit(const double* const* p, const double* c, std::size_t count, const double* y,
              std::size_t rows) {
  double sum = 0.0;
  sums_of_eight<1>(rows, &sum, [=, first = *y](std::size_t /*only*/, std::size_t k, auto lane) {
    auto rest = at(y + k, lane) - first;
    for (std::size_t j = 0; j < count; ++j) rest -= c[j] * at(p[j] + k, lane);
    return rest * rest;
  });
  return sum;
}

/// Operand of a step: of the kinds from `first` on a place, a product, a multiple, a multiple of a
/// product and a constant.
template <StepKind kind, StepKind first>
inline Number operand(const double* x, const double* y, Number k) {
  constexpr int which = (static_cast<int>(kind) - static_cast<int>(first)) / 2;
  if constexpr (which == 0) return load(x);
  if constexpr (which == 1) return load(x) * load(y);
  if constexpr (which == 2) return k * load(x);
  if constexpr (which == 3) return k * load(x) * load(y);
  return k;
}

/// The accumulator after one step; `kind` is its kind that does not store.
template <StepKind kind>
inline Number after_step(Number acc, const double* x, const double* y, Number k) {
  using enum StepKind;
  if constexpr (kind < add_place) return operand<kind, load_place>(x, y, k);
  if constexpr (kind < subtract_place) return acc + operand<kind, add_place>(x, y, k);
  if constexpr (kind < from_place) return acc - operand<kind, subtract_place>(x, y, k);
  if constexpr (kind < times_place) return operand<kind, from_place>(x, y, k) - acc;
  if constexpr (kind == times_place) return acc * load(x);
  if constexpr (kind == times_constant) return acc * k;
  if constexpr (kind == divide_by_place) return acc / load(x);
  if constexpr (kind == divide_by_constant) return acc / k;
  if constexpr (kind == divide_place) return load(x) / acc;
  if constexpr (kind == divide_constant) return k / acc;
  return -acc;
}

/// The loop over the vectors of a grain, unrolled; clang does that unasked.
#if defined(__clang__)
#define ARMDYN_EACH_VECTOR for (std::size_t v = 0; v < grain; v += lanes)
#else
#define ARMDYN_EACH_VECTOR _Pragma("GCC unroll 4") for (std::size_t v = 0; v < grain; v += lanes)
#endif

/// Does one chain; returns the step behind it.
template <StepKind... kinds>
const Step* run_chain(const Step* step, double* const* places, std::size_t samples) {
  constexpr std::size_t length = sizeof...(kinds);
  const double *x[length], *y[length];
  Number k[length];
  for (std::size_t i = 0; i < length; ++i) {
    x[i] = places[step[i].a];
    y[i] = places[step[i].b];
    k[i] = broadcast(step[i].k);
  }
  double* const result = places[step[length - 1].c];
  for (std::size_t at = 0; at < samples; at += grain) {
    ARMDYN_EACH_VECTOR {
      Number acc = {};
      std::size_t i = 0;
      ((acc = after_step<kinds>(acc, x[i] + at + v, y[i] + at + v, k[i]), ++i), ...);
      store(result + at + v, acc);
    }
  }
  return step + length;
}
#undef ARMDYN_EACH_VECTOR

const Step* run_sin_cos(const Step* step, double* const* places, std::size_t samples) {
  sin_cos_block(places[step->a], places[step->b], places[step->c], samples);
  return step + 1;
}

typedef const Step* (*Code)(const Step*, double* const*, std::size_t);

template <int code>
constexpr Code code_at() {
  constexpr auto kind = [](int number) { return static_cast<StepKind>(2 * number); };
  if constexpr (code < pair_codes) {
    return run_chain<kind(code)>;
  } else if constexpr (code < three_codes) {
    constexpr int pair = code - pair_codes;
    return run_chain<kind(pair / other_kinds), kind(load_kinds + pair % other_kinds)>;
  } else if constexpr (code < sin_cos_code) {
    constexpr int three = code - three_codes;
    return run_chain<chain_firsts[three / third_kinds / second_kinds],
                     chain_seconds[three / third_kinds % second_kinds],
                     chain_thirds[three % third_kinds]>;
  } else {
    return run_sin_cos;
  }
}

template <class Numbers>
struct Codes;
template <int... code>
struct Codes<std::integer_sequence<int, code...>> {
  static constexpr Code all[] = {code_at<code>()...};
};

void run_chains(const std::uint16_t* codes, std::size_t count, const Step* steps,
                double* const* places, std::size_t samples) {
  for (std::size_t i = 0; i < count; ++i) {
    steps = Codes<std::make_integer_sequence<int, sin_cos_code + 1>>::all[codes[i]](steps, places,
                                                                                    samples);
  }
}
