#pragma once

// Rows of a simulation on their way to the picture.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <string>
#include <vector>

#include "io/plot/thinned_series.hpp"

namespace armdyn {

/// Position and velocity of each joint over time.
class SimulationPicture {
 public:
  explicit SimulationPicture(const Robot& robot)
      : robot_(robot), q_(robot.dof()), qd_(robot.dof()) {}

  void add(const SimulationRow& row);
  void draw(const std::string& path) const;

 private:
  const Robot& robot_;
  std::vector<ThinnedSeries> q_, qd_;
};

}  // namespace armdyn
