#include "cli/convert/proof.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>

#include "dynamics/examination.hpp"

namespace armdyn {

namespace {

constexpr std::size_t state_count = 200;
constexpr double rounding = 1e-9;

}  // namespace

Proof prove(const Description& input, const Description& output, const std::vector<Joint>& joints,
            double size, const std::vector<Snapped>& snapped) {
  Proof proof{.states = state_count, .found = {}, .allowed = {}};
  proof.found = std::visit(
      [&](const auto& first, const auto& second) {
        return deviation(first, second, joints, size, state_count);
      },
      input, output);
  const Deviation& found = proof.found;
  if (!std::isfinite(size + found.gravity_scale + found.torque_scale + found.effort)) {
    throw NumericsError(
        "the torques of the input are no finite numbers: a length, mass or inertia is too large");
  }

  double angles = 0.0, lengths = 0.0;
  for (const Snapped& one : snapped) {
    angles += one.angle;
    lengths += one.length;
  }
  // Each turns an axis and shifts it by that times a lever within the arm's size, and a turn about a
  // wrong axis is wrong by up to twice as much.
  const double share = angles + (size > 0.0 ? lengths / size : 0.0);
  proof.allowed = {.hand = rounding + 4.0 * share,
                   .turn = rounding + 2.0 * angles,
                   .jacobian = rounding + 4.0 * share * std::max(1.0, size),
                   .gravity = rounding * found.gravity_scale + 4.0 * share * found.effort,
                   .torque = rounding * found.torque_scale + 4.0 * share * found.effort};
  proof.agrees = found.hand <= proof.allowed.hand && found.turn <= proof.allowed.turn &&
                 found.jacobian <= proof.allowed.jacobian &&
                 found.gravity <= proof.allowed.gravity && found.torque <= proof.allowed.torque;
  return proof;
}

}  // namespace armdyn
