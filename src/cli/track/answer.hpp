#pragma once

// What `track` says about a closed loop: how far the arm was from the motion, and what it took.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/extreme.hpp"

namespace armdyn {

class TrackSummary {
 public:
  explicit TrackSummary(const Robot& robot);

  /// A state of the simulation with its error e = desired minus actual.
  void add(const SimulationRow& row, std::span<const double> e);

  /// How often each joint's torque was cut to its limit.
  void set_cut(const std::vector<std::uint64_t>& cut) { cut_ = cut; }

  /// Times of the first and the last state, s.
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }

  /// A table for reading, with one line per joint.
  [[nodiscard]] std::string text() const;
  /// joints; under the keys of docs/commands.md, what track adds to those of simulate.
  [[nodiscard]] nlohmann::json json() const;
  /// Torques beyond the limits of the robot, one sentence each.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  struct JointRecord {
    Extreme error, torque;
    double last_error = 0.0;
    double squares = 0.0;  ///< integral of e² over time
  };

  [[nodiscard]] double rms(const JointRecord& record) const;

  const Robot& robot_;
  std::vector<JointRecord> records_;
  std::vector<std::uint64_t> cut_;
  std::size_t rows_ = 0;
  double begin_ = 0.0, end_ = 0.0;
};

}  // namespace armdyn
