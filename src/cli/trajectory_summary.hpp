#pragma once

// What `trajectory` says about the motion that it made.

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

class TrajectorySummary {
 public:
  /// With `follow_hand`, what the hand does is summed up as well.
  TrajectorySummary(const Robot& robot, bool follow_hand);

  void add(double t, std::span<const double> q, std::span<const double> qd,
           std::span<const double> qdd);

  /// A table for reading, with one line per joint.
  [[nodiscard]] std::string text() const;
  /// rows, t, joints, hand; under the keys of docs/commands.md.
  [[nodiscard]] nlohmann::json json() const;
  /// Limits of the robot that are exceeded, one sentence each.
  [[nodiscard]] std::vector<std::string> broken_limits() const;

 private:
  struct Extreme {
    double value = 0.0;
    double t = 0.0;
    void raise(double candidate, double time) {
      if (candidate > value) *this = {candidate, time};
    }
  };
  struct JointRecord {
    double first = 0.0, last = 0.0;
    Extreme velocity, acceleration;
    Extreme below, above;  // how far the position leaves its limits
  };
  struct Hand {
    Transform first, last;
    Extreme condition;  // of the Jacobian
  };

  const Robot& robot_;
  Arm arm_;
  std::vector<JointRecord> records_;
  bool follows_hand_;
  Hand hand_;
  std::size_t rows_ = 0;
  double begin_ = 0.0, end_ = 0.0;
};

}  // namespace armdyn
