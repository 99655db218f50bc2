#pragma once

// Rows of a closed loop on their way to the picture, and what belongs to them.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>

#include <span>
#include <string>
#include <vector>

#include "io/plot/thinned_series.hpp"

namespace armdyn {

/// e = desired minus actual position.
class TrackingError {
 public:
  explicit TrackingError(const Trajectory& desired);
  std::span<const double> at(double t, std::span<const double> q);

 private:
  Trajectory desired_;
  std::vector<double> e_, qd_, qdd_;
};

/// Error and torque of each joint over time.
class TrackPicture {
 public:
  explicit TrackPicture(const Robot& robot) : robot_(robot), e_(robot.dof()), tau_(robot.dof()) {}

  void add(const SimulationRow& row, std::span<const double> e);
  void draw(const std::string& path) const;

 private:
  const Robot& robot_;
  std::vector<ThinnedSeries> e_, tau_;
};

}  // namespace armdyn
