#pragma once

#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <random>

#include "io/table/table.hpp"
#include "log/motion_row.hpp"

namespace armdyn {

/// Motion states of a robot, block by block: q within the position limits (±π rad, ±1 m where there
/// are none), qd and qdd within ±1. The same seed gives the same states everywhere.
class RandomStates {
 public:
  RandomStates(const Robot& robot, std::uint64_t seed) : robot_(robot), random_(seed) {}

  static constexpr std::size_t rows_of_a_block = 50;  ///< some milliseconds of work

  [[nodiscard]] static MotionColumns columns(std::size_t dof) { return {0, dof, 2 * dof, {}}; }

  /// So many rows more, in place of what is in the block.
  void draw(std::size_t rows, Table& block);

 private:
  const Robot& robot_;
  std::mt19937_64 random_;
};

}  // namespace armdyn
