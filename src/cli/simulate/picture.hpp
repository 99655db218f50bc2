#pragma once

// Rows of a simulation on their way to the picture.

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <string>

#include "cli/options/picture.hpp"
#include "io/plot/plot.hpp"

namespace armdyn {

/// Position, velocity and torque of each joint over time, and the energy of the arm.
class SimulationPicture {
 public:
  SimulationPicture(const Robot& robot, const PlotOptions& options);

  void add(const SimulationRow& row);
  void draw(const PictureTitle& title, OutputFile& file);

 private:
  Arm arm_;
  JointPicture picture_;
  ThinnedSeries kinetic_, potential_, total_;
};

}  // namespace armdyn
