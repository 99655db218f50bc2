#pragma once

// What `track` says about a closed loop: how far the arm was from the motion, and what it took.

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/column_figures.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

class TrackSummary {
 public:
  explicit TrackSummary(const Robot& robot);

  /// A state of the simulation with its error e = desired minus actual.
  void add(const SimulationRow& row, std::span<const double> e);

  /// How often each joint's torque was cut to its limit.
  void set_cut(const std::vector<std::uint64_t>& cut) { cut_ = cut; }

  /// Of the first and the last state.
  [[nodiscard]] Value moments() const { return Value::moments(begin_, end_); }

  /// What track adds to the joints of simulate, and motors of a coupling that have a limit of torque;
  /// under the keys of docs/commands.md.
  [[nodiscard]] Sections sections() const;
  /// Errors beyond those allowed, rad or m (none: any), one sentence each.
  [[nodiscard]] std::vector<std::string> too_far(const std::vector<double>& allowed) const;
  /// Torques beyond the limits of the robot, and joints that stick far off the motion, one sentence
  /// each; of those `if_it_sticks` says what to do.
  [[nodiscard]] std::vector<std::string> remarks(const std::string& if_it_sticks) const;

 private:
  struct JointRecord {
    Extreme error, torque;
    double moved = 0.0;                ///< when it last did
    Extreme stuck;                     ///< |e| while it sticks far off
    double held = 0.0, missing = 0.0;  ///< torque that friction holds then, and what lacks to it
    double last_error = 0.0;
    double squares = 0.0;  ///< integral of e² over time
  };

  [[nodiscard]] std::vector<Fields> joints() const;
  void look_for_sticking(const SimulationRow& row, std::span<const double> e);
  [[nodiscard]] double rms(const JointRecord& record) const;

  const Robot& robot_;
  InverseDynamics dynamics_;
  std::vector<JointRecord> records_;
  std::vector<std::uint64_t> cut_;
  std::vector<MotorReach> motors_;  ///< torques
  std::size_t rows_ = 0;
  double begin_ = 0.0, end_ = 0.0;
};

}  // namespace armdyn
