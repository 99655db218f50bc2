#include "cli/compare/random_states.hpp"

#include <algorithm>
#include <numbers>

namespace armdyn {

namespace {

constexpr std::size_t block_rows = 1000;

Range position_range(const Joint& joint) {
  using std::numbers::pi;
  if (joint.limits.position) return *joint.limits.position;
  return joint.type == JointType::revolute ? Range{-pi, pi} : Range{-1.0, 1.0};
}

}  // namespace

RandomStates::RandomStates(const Robot& robot, int count, std::uint64_t seed)
    : robot_(robot), left_(static_cast<std::size_t>(count)), random_(seed) {}

bool RandomStates::next(Table& block) {
  const std::size_t n = robot_.dof();
  block.resize(3 * n, std::min(left_, block_rows));
  block.first_row = done_;
  for (std::size_t row = 0; row < block.rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto [lower, upper] = position_range(robot_.joints[i]);
      block.columns[i][row] = between(lower, upper);
      block.columns[n + i][row] = between(-1.0, 1.0);
      block.columns[2 * n + i][row] = between(-1.0, 1.0);
    }
  }
  done_ += block.rows;
  left_ -= block.rows;
  return block.rows > 0;
}

// The distributions of <random> differ from library to library.
double RandomStates::between(double lower, double upper) {
  return lower + (upper - lower) * (static_cast<double>(random_() >> 11) * 0x1p-53);
}

}  // namespace armdyn
