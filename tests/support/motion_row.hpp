#pragma once

#include <armdyn/trajectory.hpp>

#include <vector>

namespace armdyn::testing {

/// What all joints do at one time.
struct MotionRow {
  std::vector<double> q, qd, qdd;
};

inline MotionRow row_at(const Trajectory& trajectory, double t) {
  const std::size_t n = trajectory.dof();
  MotionRow row{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  trajectory.at(t, row.q, row.qd, row.qdd);
  return row;
}

}  // namespace armdyn::testing
