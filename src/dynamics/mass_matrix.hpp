#pragma once

#include <armdyn/arm.hpp>

#include <span>
#include <vector>

#include "dynamics/composite_body.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/joint_frame.hpp"

// M as a whole, n×n by rows, from the composite bodies' lower triangle.

namespace armdyn {

/// The joints' frames at q.
template <class S, class A>
std::vector<Frame<S>> joint_frames(const A& arm, std::span<const S> q) {
  std::vector<Frame<S>> frames;
  frames.reserve(arm.dof());
  for (std::size_t i = 0; i < arm.dof(); ++i) frames.push_back(joint_frame(arm.links[i], q[i]));
  return frames;
}

/// Adds the reflected rotors to the lower triangle (docs/derivation.md eq. 9.5, 31.3).
template <class S>
void add_rotors(const RotorInertias& rotors, std::span<S> M) {
  const std::size_t n = rotors.diagonal.size();
  for (std::size_t i = 0; i < n; ++i) M[i * n + i] = M[i * n + i] + rotors.diagonal[i];
  for (const auto& [i, j, value] : rotors.coupled) M[i * n + j] = M[i * n + j] + value;
}

/// The lower triangle of M with rotors.
template <class S, class A>
void lower_mass_matrix(const A& arm, std::span<const Frame<S>> frames, const RotorInertias& rotors,
                       std::span<S> M) {
  composite_body<S>(arm, frames, M);
  add_rotors<S>(rotors, M);
}

/// Fills the upper triangle from the lower one.
template <class S>
void mirror_lower(std::size_t n, std::span<S> M) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) M[j * n + i] = M[i * n + j];
  }
}

}  // namespace armdyn
