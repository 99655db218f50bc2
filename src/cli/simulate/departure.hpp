#pragma once

// How far simulated motions come from those that their torques were computed for.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/column_figures.hpp"
#include "report/document.hpp"

namespace armdyn {

/// |q − q of TORQUES| at the times of its rows, rad or m.
class Departure {
 public:
  explicit Departure(const Robot& robot) : robot_(robot), joints_(robot.dof()) {}

  /// A row of TORQUES, before the simulation comes to its time.
  void expect(double t, std::span<const double> q);
  /// A step of the simulation.
  void meet(const SimulationRow& row);

  /// Joint by joint, and a line for people, where there was anything to compare.
  [[nodiscard]] Sections sections() const;
  /// What helps where the motion has come far.
  [[nodiscard]] std::optional<std::string> remark() const;

 private:
  struct Record {
    double last = 0.0;
    Extreme most;
  };
  struct Expected {
    double t;
    std::vector<double> q;
  };

  const Robot& robot_;
  std::vector<Expected> ahead_;  // torques are read one row ahead at most
  std::vector<Record> joints_;
  bool compared_ = false;
};

}  // namespace armdyn
