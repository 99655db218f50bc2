#pragma once

// What `trajectory` says about the motion that it made.

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/extreme.hpp"

namespace armdyn {

/// What a motion is to the hand.
enum class HandPath {
  unasked,   ///< of no interest
  free,      ///< from one end to the other as the joints have it
  straight,  ///< on a line
};

class TrajectorySummary {
 public:
  TrajectorySummary(const Robot& robot, const Trajectory& motion, HandPath path);

  void add(double t, std::span<const double> q, std::span<const double> qd,
           std::span<const double> qdd);

  /// A table for reading, with one line per joint.
  [[nodiscard]] std::string text() const;
  /// rows, t, joints, hand; under the keys of docs/commands.md.
  [[nodiscard]] nlohmann::json json() const;
  /// Limits of the robot that are exceeded, one sentence each.
  [[nodiscard]] std::vector<std::string> broken_limits() const;

 private:
  struct JointRecord {
    double first = 0.0, last = 0.0;
    Extreme velocity, acceleration;
    Extreme below, above;  // how far the position leaves its limits
  };
  struct Hand {
    Transform first, last;
    Extreme off_line;   // distance from the straight line between the ends, m
    Extreme turn;       // angle from the first orientation, rad
    Extreme condition;  // of the Jacobian
  };

  [[nodiscard]] Transform hand_at(const Trajectory& motion, double t) const;
  void add_hand(double t, std::span<const double> q);
  [[nodiscard]] std::string hand_text() const;
  [[nodiscard]] nlohmann::json hand_json() const;

  const Robot& robot_;
  Arm arm_;
  std::vector<JointRecord> records_;
  HandPath path_;
  Hand hand_;
  std::size_t rows_ = 0;
  double begin_ = 0.0, end_ = 0.0;
};

}  // namespace armdyn
