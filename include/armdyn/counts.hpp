#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/dynamics.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace armdyn {

/// Arithmetic operations; a subtraction is an addition, a change of sign is free.
struct Operations {
  std::int64_t multiplications = 0;
  std::int64_t additions = 0;

  bool operator==(const Operations&) const = default;
  friend Operations operator+(const Operations& a, const Operations& b) {
    return {a.multiplications + b.multiplications, a.additions + b.additions};
  }
  friend Operations operator-(const Operations& a, const Operations& b) {
    return {a.multiplications - b.multiplications, a.additions - b.additions};
  }
  friend Operations operator*(std::int64_t k, const Operations& a) {
    return {k * a.multiplications, k * a.additions};
  }
};

/// What one evaluation costs, in three readings (docs/derivation.md 12).
struct Count {
  Operations as_written;  ///< every operation of the text: what a program that follows it executes
  Operations principal;   ///< of an arm whose tensors have principal axes along the links' frames,
                          ///< without the products by their zeros
  Operations
      needed;  ///< without zeros and ones known for this arm, and without constants' products

  friend Count operator+(const Count& a, const Count& b) {
    return {a.as_written + b.as_written, a.principal + b.principal, a.needed + b.needed};
  }
};

/// What the torque of the links costs at one state, without hand wrench and losses.
struct MethodCount {
  Count recursion;  ///< torques from the joints' frames; what the papers count
  Count frames;     ///< the joints' frames from their sines and cosines; set-up in the papers
  std::int64_t sines = 0;  ///< sines, each with its cosine
};

/// Counts by running the method's own text on a scalar that counts.
[[nodiscard]] MethodCount count(const Arm& arm, Method method);

/// What one term of a text costs.
struct TermCount {
  std::string_view term;  ///< as the papers' tables call it
  Count count;
};

/// `count(arm, method).recursion` by the terms of the text, in its order.
[[nodiscard]] std::vector<TermCount> count_terms(const Arm& arm, Method method);

/// The terms of paper 003's Lagrange-Euler equations as they are printed, where every trace is
/// formed by itself: of the order n⁴. The joints' frames are set-up.
[[nodiscard]] std::vector<TermCount> count_printed_lagrange_terms(const Arm& arm);

/// What strobing (paper 001 §3, §6) costs: the terms of τ = M q̈ + (q̇ᵗ C¹ q̇, …) + G by repeated
/// inverse dynamics with unit inputs; recursions alone.
struct StrobingCount {
  Count mass_matrix;        ///< n runs, one joint accelerating in each
  Count velocity_matrices;  ///< n(n+1)/2 runs, one or two joints moving in each
};
[[nodiscard]] StrobingCount count_strobing(const Arm& arm, Method method);

}  // namespace armdyn
