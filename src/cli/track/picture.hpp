#pragma once

// Rows of a closed loop on their way to the picture, and what belongs to them.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>

#include <span>
#include <string>
#include <vector>

#include "cli/options/picture.hpp"
#include "io/plot/plot.hpp"

namespace armdyn {

/// e = desired minus actual position.
class TrackingError {
 public:
  explicit TrackingError(const Trajectory& desired);
  std::span<const double> at(double t, std::span<const double> q);

  /// What is desired at the time of the last error.
  [[nodiscard]] std::span<const double> q() const { return q_; }
  [[nodiscard]] std::span<const double> qd() const { return qd_; }
  [[nodiscard]] std::span<const double> qdd() const { return qdd_; }

 private:
  Trajectory desired_;
  std::vector<double> q_, qd_, qdd_, e_;
};

/// Desired and actual position, error and torque of each joint over time.
class TrackPicture {
 public:
  TrackPicture(const Robot& robot, const PlotOptions& options);

  void add(const SimulationRow& row, std::span<const double> e);
  void draw(const PictureTitle& title, OutputFile& file) const;

 private:
  std::vector<double> desired_;
  JointPicture picture_;
};

}  // namespace armdyn
