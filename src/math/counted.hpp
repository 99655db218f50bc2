#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "math/sin_cos.hpp"

// A number that counts what is done with it.
//
// An algorithm like newton_euler.hpp computes torques; run on Counteds in place of
// doubles, the same algorithm counts its cost. There are no values, only operations. Take the
// second component of ω_2 = Rᵀ ω_1 + q̇ z for a joint whose axis stands square on the one before (α
// = 90°):
//
//     const Counted s = sin_cos(q).sin, c = sin_cos(q).cos;    // nothing is known of q: any number
//     const Counted row_x = -s, row_y(0.0), row_z = c;         // the column of R; one entry is 0
//     const Counted w1_x(0.0), w1_y(0.0), w1_z;                // ω_1: about z alone, at any rate
//     row_x * w1_x + row_y * w1_y + row_z * w1_z;
//
// The algorithm as written has 3 multiplications and 2 additions, and a program that follows it
// executes them. A program for this one arm needs fewer: −s·0 and 0·0 are 0, 0 + 0 is 0, and
// 0 + x is x. It needs 1 multiplication and no addition. So each Counted records whether it is one
// known number, and two sums are kept:
//
//     as_written    every multiplication and addition (a subtraction is one; a change of sign is
//                   free)
//     needed        without products by 0, 1, −1, sums with 0, and what two known numbers make,
//                   since that is done once for the arm
//
// A third stands between them. Papers write "principal axes" and leave out the products with a
// tensor's zeros, but nothing else. In an algorithm a tensor's entries are plain doubles
// (`inertia.xy * v.y`), while the entries of R and p have been turned into scalars:
//
//     principal     without products by a plain double that is 0, and sums with such a product
//
// Which term of an algorithm an operation belongs to, follows afterwards: each Counted records
// the operation that made it, and that one its operands (Counted::Operation). A term is what its
// value needs and the terms before it have not (dynamics/counts.cpp).

namespace armdyn {

/// Counts of each operation; a subtraction is an addition, a change of sign is free.
struct Operations {
  std::int64_t multiplications = 0, additions = 0, divisions = 0;
  std::int64_t sines = 0;  ///< a sine and the cosine of the same angle

  bool operator==(const Operations&) const = default;
  friend Operations operator+(const Operations& a, const Operations& b) {
    return {a.multiplications + b.multiplications, a.additions + b.additions,
            a.divisions + b.divisions, a.sines + b.sines};
  }
  friend Operations operator*(std::int64_t k, const Operations& a) {
    return {k * a.multiplications, k * a.additions, k * a.divisions, k * a.sines};
  }
};

class Counted {
 public:
  /// Operations counted in the three ways.
  struct Tally {
    Operations as_written, principal, needed;

    friend Tally operator+(const Tally& a, const Tally& b) {
      return {a.as_written + b.as_written, a.principal + b.principal, a.needed + b.needed};
    }
    friend Tally operator*(std::int64_t k, const Tally& a) {
      return {k * a.as_written, k * a.principal, k * a.needed};
    }
  };

  static constexpr std::size_t not_recorded = static_cast<std::size_t>(-1);

  /// One multiplication, addition, division, or sine with its cosine.
  struct Operation {
    std::int64_t Operations::*kind;
    bool principal, needed;               ///< in which tallies it counts, beside as_written
    std::array<std::size_t, 2> operands;  ///< the operations that made them, or not_recorded

    void add_to(Tally& t) const {
      t.as_written.*kind += 1;
      t.principal.*kind += principal ? 1 : 0;
      t.needed.*kind += needed ? 1 : 0;
    }
  };

  Counted() = default;  ///< some number
  explicit Counted(double constant) : known_(constant) {}

  /// Counts what this thread's Counteds have done since the tally was last set.
  static Tally& tally() {
    thread_local Tally tally;
    return tally;
  }

  /// Record of what this thread's Counteds do, in order; null: none is kept.
  static std::vector<Operation>*& record() {
    thread_local std::vector<Operation>* record = nullptr;
    return record;
  }
  /// The index in the record of the operation that made this number.
  [[nodiscard]] std::size_t made_by() const { return made_by_; }

  friend Counted operator-(Counted a) {
    if (a.known_) a.known_ = -*a.known_;
    return a;
  }

  friend Counted operator*(const Counted& a, const Counted& b) {
    Counted product;
    if (a.known_ && b.known_) product.known_ = *a.known_ * *b.known_;
    if (a.is(0.0) || b.is(0.0)) product.known_ = 0.0;
    product.left_out_ = a.left_out_ || b.left_out_;

    const bool by_one = a.is(1.0) || a.is(-1.0) || b.is(1.0) || b.is(-1.0);
    product.count(&Operations::multiplications, a, b, !product.left_out_,
                  !product.known_ && !by_one);
    return product;
  }
  friend Counted operator*(double constant, const Counted& b) {
    Counted a(constant);
    a.left_out_ = constant == 0.0;
    return a * b;
  }
  friend Counted operator*(const Counted& a, double constant) { return constant * a; }

  friend Counted operator+(const Counted& a, const Counted& b) {
    Counted sum;
    if (a.known_ && b.known_) sum.known_ = *a.known_ + *b.known_;
    sum.left_out_ = a.left_out_ && b.left_out_;
    sum.count(&Operations::additions, a, b, !a.left_out_ && !b.left_out_,
              !sum.known_ && !a.is(0.0) && !b.is(0.0));
    return sum;
  }
  friend Counted operator+(double constant, const Counted& b) { return Counted(constant) + b; }
  friend Counted operator+(const Counted& a, double constant) { return a + Counted(constant); }
  friend Counted operator-(const Counted& a, const Counted& b) { return a + -b; }

  friend Counted operator/(const Counted& a, const Counted& b) {
    Counted quotient;
    if (a.is(0.0)) quotient.known_ = 0.0;
    quotient.left_out_ = a.left_out_;
    quotient.count(&Operations::divisions, a, b, !a.left_out_,
                   !quotient.known_ && !b.is(1.0) && !b.is(-1.0));
    return quotient;
  }

  friend SinCosOf<Counted> sin_cos(const Counted& angle);

 private:
  [[nodiscard]] bool is(double number) const { return known_ && *known_ == number; }

  /// The operation that makes this number from a and b.
  void count(std::int64_t Operations::*kind, const Counted& a, const Counted& b, bool principal,
             bool needed) {
    const Operation operation{kind, principal, needed, {a.made_by_, b.made_by_}};
    operation.add_to(tally());
    if (record() == nullptr) return;
    made_by_ = record()->size();
    record()->push_back(operation);
  }

  std::optional<double> known_;  ///< the number, if it is the same at every state of the arm
  bool left_out_ = false;        ///< zero because a plain double was
  std::size_t made_by_ = not_recorded;
};

inline SinCosOf<Counted> sin_cos(const Counted& angle) {
  SinCosOf<Counted> result;
  if (angle.known_) {
    const SinCos known = sin_cos(*angle.known_);
    result = {Counted(known.sin), Counted(known.cos)};
  }
  result.sin.count(&Operations::sines, angle, angle, true, !angle.known_);
  result.cos.made_by_ = result.sin.made_by_;
  return result;
}

}  // namespace armdyn
