#pragma once

#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/rigid.hpp"
#include "math/root.hpp"

// The law of a spring: its load over x, the sum of its row or its length, and the energy whose slope
// that is, in straight pieces (docs/derivation.md, eq. 38.11). Positive loads pull x to smaller values.

namespace armdyn {

/// Thrown where a scalar has sums, products and sines alone, but the law of a spring needs more.
class NoSpringLaw : public std::length_error {
 public:
  NoSpringLaw()
      : std::length_error(
            "a spring with a table, piecewise stiffness, or a force between two points that is not "
            "in proportion to their distance has no formula of sums and products") {}
};

// What else a law needs of a scalar, which stands beside the scalar: the value that a piece is chosen
// with, how far the number may be from it, a number that is 0 or up to that far from it, a number that
// is known to be no larger than another, and the square root (`root`).

inline double value_of(double x) {
  return x;
}
template <class S>
double uncertainty(const S& /*x*/) {
  return 0.0;
}
template <class S>
S within(double /*rest*/, const S& /*like*/) {
  return S(0.0);
}

template <class S>
S bounded(const S& x, const S& /*most*/) {
  return x;
}

/// Satisfied by scalars that have these.
template <class S>
concept HoldsSpringLaws = requires(const S& x) {
  value_of(x);
  root(x);
};

/// Load and energy at one position.
template <class S>
struct SpringLoad {
  S load{}, energy{};
};

/// Both at x, by the piece that holds there.
template <class S, class T>
SpringLoad<S> on_piece(const SpringPieceOf<T>& piece, const S& x) {
  const S by = x - S(piece.from);
  const S bend = S(piece.stiffness) * by;
  return {S(piece.load) + bend, S(piece.energy) + S(piece.load) * by + 0.5 * (bend * by)};
}

/// Number of the piece that holds at x.
template <class T>
std::size_t piece_at(const std::vector<SpringPieceOf<T>>& pieces, double x) {
  std::size_t i = pieces.size() - 1;
  while (i > 0 && x < value_of(pieces[i].from)) --i;
  return i;
}

/// Both at x. Where x may be on other pieces, too, the difference to theirs is in what is uncertain.
template <class S, class T>
SpringLoad<S> spring_load(const std::vector<SpringPieceOf<T>>& pieces, const S& x) {
  if (pieces.size() == 1) return on_piece(pieces.front(), x);
  if constexpr (HoldsSpringLaws<S>) {
    const double middle = value_of(x), reach = uncertainty(x);
    const std::size_t own = piece_at(pieces, middle);
    SpringLoad<S> result = on_piece(pieces[own], x);
    if (reach == 0.0) return result;
    double bend = 0.0;  // most that another piece's stiffness differs
    constexpr double up = 1.0 + 0x1p-40;
    const std::size_t last = piece_at(pieces, middle + reach * up);
    for (std::size_t i = piece_at(pieces, middle - reach * up); i <= last; ++i) {
      const auto apart = pieces[i].stiffness - pieces[own].stiffness;
      bend = std::max(bend, std::abs(value_of(apart)) + uncertainty(apart));
    }
    if (bend == 0.0) return result;
    result.load = result.load + within(bend * reach * up, x);
    result.energy = result.energy + within(0.5 * bend * reach * reach * up, x);
    return result;
  } else {
    throw NoSpringLaw();
  }
}

/// The pieces of a spring's law.
template <class S>
std::vector<SpringPieceOf<S>> spring_pieces(const SpringOf<S>& spring) {
  std::vector<SpringPieceOf<S>> pieces;
  const auto energy_to = [&pieces](const S& x) {  // of the last piece
    return on_piece(pieces.back(), x).energy;
  };
  const auto& table = spring.table;
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    const auto& [x, load] = table[i];
    const S stiffness = (table[i + 1].value - load) / (table[i + 1].at - x);
    const S energy = pieces.empty() ? S(0.0) : energy_to(x);
    pieces.push_back({x, load, stiffness, energy});
  }
  if (!pieces.empty()) return pieces;

  const S rest = spring.row.empty() ? spring.free_length : spring.rest;
  if (spring.piecewise.empty()) return {{rest, spring.preload, spring.stiffness, S(0.0)}};
  if constexpr (HoldsSpringLaws<S>) {
    for (const auto& [deflection, stiffness] : spring.piecewise) {
      const S x = rest + deflection;
      const SpringLoad<S> so_far = pieces.empty() ? SpringLoad<S>{} : on_piece(pieces.back(), x);
      pieces.push_back({x, so_far.load, stiffness, so_far.energy});
    }
    // So far from the first on; at rest the load is the preload, and there is no energy.
    const S more = spring.preload - spring_load<S>(pieces, rest).load;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      pieces[i].load = pieces[i].load + more;
      if (i > 0) pieces[i].energy = on_piece(pieces[i - 1], pieces[i].from).energy;
    }
    const S at_rest = spring_load<S>(pieces, rest).energy;
    for (SpringPieceOf<S>& piece : pieces) piece.energy = piece.energy - at_rest;
    return pieces;
  } else {
    throw NoSpringLaw();
  }
}

/// Tests whether a force between two points is in proportion to their distance: a vector without a
/// square root.
template <class T>
bool is_in_proportion(const std::vector<SpringPieceOf<T>>& pieces) {
  return pieces.size() == 1 && pieces[0].from == 0.0 && pieces[0].load == 0.0;
}

/// Tests whether the load of a spring is one straight line, by preload and stiffness.
template <class S>
bool is_straight(const SpringOf<S>& spring) {
  return spring.piecewise.empty() && spring.table.empty();
}
/// Tests whether it is its stiffness times a deflection.
template <class S>
bool is_linear_in_stiffness(const SpringOf<S>& spring) {
  return is_straight(spring) && spring.preload == S(0.0);
}

/// Tests whether the torque of a spring is a formula of sums and products of positions and sines.
template <class T>
bool is_polynomial(const ArmSpringOf<T>& spring) {
  return spring.pieces.size() == 1 &&
         (!spring.row.joints.empty() || is_in_proportion(spring.pieces));
}

/// Force on the first of two points toward the second, which is at r from it.
template <class S, class T>
Vec<S> spring_force(const std::vector<SpringPieceOf<T>>& pieces, const Vec<S>& r) {
  if (is_in_proportion(pieces)) return scaled(r, S(pieces[0].stiffness));
  if constexpr (HoldsSpringLaws<S>) {
    const S length = root(dot(r, r)), load = spring_load(pieces, length).load;
    const Vec<S> force = scaled(r, S(load / length));
    return {bounded(force.x, load), bounded(force.y, load), bounded(force.z, load)};
  } else {
    throw NoSpringLaw();
  }
}
/// Energy of a spring between them.
template <class S, class T>
S spring_energy(const std::vector<SpringPieceOf<T>>& pieces, const Vec<S>& r) {
  const S square = dot(r, r);
  if (is_in_proportion(pieces)) return 0.5 * (S(pieces[0].stiffness) * square);
  if constexpr (HoldsSpringLaws<S>) {
    return spring_load(pieces, root(square)).energy;
  } else {
    throw NoSpringLaw();
  }
}

}  // namespace armdyn
