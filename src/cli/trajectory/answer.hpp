#pragma once

// What `trajectory` says about the motion that it made.

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "motion/slow_down.hpp"
#include "motion/time_optimal.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// What a motion is to the hand.
enum class HandPath {
  unasked,   ///< of no interest
  free,      ///< from one end to the other as the joints have it
  straight,  ///< on a line
};

/// What looking for the best excitation brought (docs/derivation.md, section 33).
struct OptimisedExcitation {
  std::size_t base_parameters = 0;
  double condition = 0.0, condition_by_chance = 0.0;
  std::vector<std::string> least_seen;  ///< base parameters, by their first ones
  std::vector<double> peak_torque;      ///< per joint, N·m or N
  std::vector<MotorReach> motor_torques;

  /// All but the torques.
  [[nodiscard]] Fields fields() const;
};

/// What looking for the fastest motion on a path brought.
struct TimeOptimalAnswer {
  double least = 0.0;  ///< s, which no motion goes below
  std::vector<PathLimit> limits;
  std::vector<TimeOptimalMotion::Binding> binding;
  LimitShare between_rows;  ///< the largest of the polynomials between the rows that are written
  std::vector<std::string> warnings{};

  /// Of a motion of that duration, s.
  [[nodiscard]] Fields fields(const Robot& robot, double duration) const;
};

/// What became of waypoints.
struct PassedWaypoints {
  std::vector<std::size_t> stops;             ///< between the ends, from 1 on
  std::vector<std::size_t> lines;             ///< those that the hand reaches straight, from 1 on
  std::vector<double> default_accelerations;  ///< of joints without a limit, rad/s² or m/s²
  std::string defaults;                       ///< the same in words
  std::optional<double> by_jerk;              ///< how much longer limits of jerk make the motion

  [[nodiscard]] Fields fields() const;
};

/// What motors that turn with several joints reach of their limits of velocity.
[[nodiscard]] std::vector<MotorReach> motor_speeds(const Trajectory& motion, const Robot& robot);

class TrajectorySummary {
 public:
  /// `reached` are the extremes of the motion; `orientation` counts on a straight line. Throws
  /// NumericsError where the hand goes too far for a double.
  TrajectorySummary(const Robot& robot, const Trajectory& motion,
                    std::vector<JointExtremes> reached, std::size_t rows, HandPath path,
                    HandOrientation orientation, std::optional<OptimisedExcitation> optimised = {},
                    std::optional<PassedWaypoints> passed = {});

  /// rows, t, joints, hand, excitation; under the keys of docs/commands.md.
  [[nodiscard]] Sections sections() const;
  /// Limits of the robot that are exceeded, one sentence each. `has_no_unit`: positions were
  /// given as numbers without " deg", so that degrees may be meant. `on_overshoot`: what to say
  /// where the motion leaves a range between knots alone.
  [[nodiscard]] std::vector<std::string> broken_limits(bool has_no_unit,
                                                       const std::string& on_overshoot) const;

  /// Joints that leave the range of the waypoints by more than a hundredth of it.
  [[nodiscard]] std::vector<std::string> swings() const;

  /// That the logs of an excitation will not tell much, and of what.
  [[nodiscard]] std::vector<std::string> poor_excitation() const;

 private:
  struct Hand {
    Transform first, last;
    TimedValue off_line;   // distance from the straight line between the ends, m
    TimedValue turn;       // angle from the first orientation, rad
    TimedValue condition;  // of the rows of J that a straight line follows
  };

  [[nodiscard]] Hand hand_on(const Trajectory& motion, HandOrientation orientation) const;
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] Fields hand() const;

  const Robot& robot_;
  std::vector<JointExtremes> extremes_;
  std::vector<double> first_, last_;  // joint positions
  std::vector<Range> knots_;          // what each joint reaches at knots
  double begin_, end_;
  std::size_t rows_;
  HandPath path_;
  std::optional<OptimisedExcitation> optimised_;
  std::optional<PassedWaypoints> passed_;
  std::vector<MotorReach> motors_;
  Hand hand_;
};

}  // namespace armdyn
