#pragma once

// Rows of a simulation on their way out: to the table, and to the picture.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "io/table.hpp"
#include "io/table_writer.hpp"
#include "io/thinned_series.hpp"

namespace armdyn {

/// Prints t, q, qd, qdd, tau and, if there is one, the hand wrench, a block of rows at a time.
class MotionWriter {
 public:
  MotionWriter(OutputFile& output, std::size_t dof, bool with_wrench);

  void add(const SimulationRow& row);
  /// What has been added so far is written.
  void flush();

 private:
  OutputFile& output_;
  bool with_wrench_;
  TableWriter writer_;
  Table block_;
  std::string text_;
};

/// Position and velocity of each joint over time.
class MotionPicture {
 public:
  explicit MotionPicture(const Robot& robot) : robot_(robot), q_(robot.dof()), qd_(robot.dof()) {}

  void add(const SimulationRow& row);
  void draw(const std::string& path) const;

 private:
  const Robot& robot_;
  std::vector<ThinnedSeries> q_, qd_;
};

}  // namespace armdyn
