#include "cli/compare/random_states.hpp"

#include "math/statistics.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

void RandomStates::draw(std::size_t rows, Table& block) {
  const std::size_t n = robot_.dof();
  block.resize(3 * n, rows);
  for (std::size_t row = 0; row < block.rows; ++row) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto [lower, upper] = position_range(robot_.joints[i]);
      block.columns[i][row] = uniform(random_, lower, upper);
      block.columns[n + i][row] = uniform(random_, -1.0, 1.0);
      block.columns[2 * n + i][row] = uniform(random_, -1.0, 1.0);
    }
  }
}

}  // namespace armdyn
