#include "cli/compare/random_states.hpp"

#include <algorithm>

#include "math/statistics.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

RandomStates::RandomStates(const Robot& robot, int count, std::uint64_t seed)
    : robot_(robot), left_(static_cast<std::size_t>(count)), random_(seed) {}

bool RandomStates::next(Table& block) {
  constexpr std::size_t block_rows = 1000;
  const std::size_t n = robot_.dof();
  block.resize(3 * n, std::min(left_, block_rows));
  block.first_row = done_;
  for (std::size_t row = 0; row < block.rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto [lower, upper] = position_range(robot_.joints[i]);
      block.columns[i][row] = uniform(random_, lower, upper);
      block.columns[n + i][row] = uniform(random_, -1.0, 1.0);
      block.columns[2 * n + i][row] = uniform(random_, -1.0, 1.0);
    }
  }
  done_ += block.rows;
  left_ -= block.rows;
  return block.rows > 0;
}

}  // namespace armdyn
