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
  RandomStates(const Robot& robot, int count, std::uint64_t seed);

  [[nodiscard]] static MotionColumns columns(std::size_t dof) { return {0, dof, 2 * dof, {}}; }

  /// False at the end. Lines count the states from 1.
  bool next(Table& block);

 private:
  const Robot& robot_;
  std::size_t left_;
  std::size_t done_ = 0;
  std::mt19937_64 random_;
};

}  // namespace armdyn
