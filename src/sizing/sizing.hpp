#pragma once

// Needs of a motion's cycle for drives and supply, and verdicts on their ratings
// (docs/derivation.md, section 35).

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "math/motion_tally.hpp"

namespace armdyn {

/// One cycle of a motion by columns, two rows or more.
struct Cycle {
  std::vector<std::vector<double>> q, qd, qdd;  ///< one per joint
  std::vector<std::vector<double>> wrench;      ///< fx, fy, fz, nx, ny, nz, or none
  std::vector<double> t;                        ///< s
  std::vector<double> steps;  ///< from the row before, s; 0 of the first row and after a gap

  /// Sets steps from t: its rises, 0 where it does not rise.
  void set_steps();
  /// Adds rows that hold the last position for this time, s, without a wrench. Throws InputError
  /// where the motion does not end at rest.
  void dwell(double seconds, const Robot& robot);

  /// Appends rows of another, from one of them on, up to another.
  void append(const Cycle& more, std::size_t from = 0, std::size_t end = SIZE_MAX);
  /// Adds its rows to the tally as the next block, which must not outlive them.
  void add_to(MotionTally& rows) const;
};

// Temperatures of a motor in repeated cycles (docs/derivation.md, eq. 35.5-35.8).

/// Steady temperatures of a motor in repeated cycles, °C.
struct SteadyTemperatures {
  TimedValue hottest;             ///< of the winding, with its time in the cycle
  double coolest = 0.0;           ///< of the winding
  double mean = 0.0;              ///< of the winding, over time
  double housing = 0.0;           ///< at its hottest
  std::vector<double> winding{};  ///< by row
};

struct ThermalNeed {
  std::optional<SteadyTemperatures> steady;  ///< nothing: thermal runaway
  /// Time from the ambient until the winding's limit, s; nothing: there is none, or it is not
  /// reached.
  std::optional<double> time_to_limit;
};

/// Tests whether both resistances and both capacities are given.
[[nodiscard]] bool is_complete(const MotorThermal& thermal);

/// Temperatures by the copper's losses at each row, at `resistance_temperature`, W, and times from
/// the rows before, s. Thermal must be complete.
[[nodiscard]] ThermalNeed thermal_need(const MotorThermal& thermal, std::span<const double> losses,
                                       std::span<const double> t, std::span<const double> steps);

/// Needs of one joint and its motor; peaks are magnitudes.
struct DriveNeed {
  TimedValue torque, speed;  ///< of the joint, N·m, rad/s or N, m/s
  double rms = 0.0;
  TimedValue motor_torque, motor_speed;  ///< N·m, rad/s; the gear's input turns with the motor
  double motor_rms = 0.0;
  double mean_speed = 0.0;  ///< of the motor's magnitudes, rad/s
  TimedValue power;         ///< of the motor, W
  double mean_power = 0.0;  ///< of its magnitude, W
  /// |τ_M| as a share of `torque_speed` at that speed; infinite beyond the curve.
  std::optional<Extreme> curve_share{};
  std::optional<ThermalNeed> thermal{};  ///< where torque constant, resistance and bodies are given
  double copper_energy = 0.0;            ///< lost per cycle, J
  /// Magnitude of its largest torque as it sets out from rest, N·m; nothing: it does not.
  std::optional<Extreme> breakaway{};
  std::vector<double> motor_speeds{}, motor_torques{};  ///< by row, rad/s, N·m; if kept

  // Of a motor that turns with its joint alone:
  bool is_single = true;
  Extreme gear_torque;                   ///< at the output, N·m or N
  double mean_torque = 0.0;              ///< at its output, N·m or N; 0 at rest
  std::optional<double> life{};          ///< h
  std::optional<Range> inertia_ratio{};  ///< links over rotor, over the motion
};

/// Needs of all motors together; energies of one cycle, J.
struct SupplyNeed {
  TimedValue power;               ///< its peak, W
  TimedValue returned_power;      ///< likewise, W
  double mean_power = 0.0;        ///< taken from the supply, W
  double mean_brake_power = 0.0;  ///< of the brake resistor, W
  double supplied = 0.0, returned = 0.0;
  double friction = 0.0, gear = 0.0, copper = 0.0, brake = 0.0;  ///< lost
  double contact_work = 0.0;                                     ///< work on the environment
  double mechanical = 0.0;                                       ///< change of the arm's energy

  /// Energy supplied less all other energies: an error of the quadrature.
  [[nodiscard]] double unaccounted() const {
    return supplied - friction - gear - copper - brake - contact_work - mechanical;
  }
};

struct Sizing {
  double duration = 0.0;  ///< of the cycle, s
  std::vector<DriveNeed> drives;
  SupplyNeed supply;
  std::vector<double> bus{};  ///< power asked of the supply, by row, W
};

/// Sizes all drives and the supply. Throws InputError for coupled motors whose gears have an
/// efficiency or ratings, NotFinite where a torque is no finite number.
[[nodiscard]] Sizing size(const Robot& robot, const Cycle& cycle);

/// Sizes for a cycle that comes block by block, whose steps go on from one to the next. Throws as size.
struct CycleSizer {
  std::function<void(const Cycle& block)> add;
  std::function<Sizing()> result;
};
/// Makes a sizer; keeps the motors' speeds and torques by row where they are wanted.
[[nodiscard]] CycleSizer cycle_sizer(const Robot& robot, bool keeps_rows);

/// Sizes a joint in the same cycle with another motor and gear, which turn with it alone; without
/// the ratio of inertias.
using DriveTrial =
    std::function<DriveNeed(std::size_t joint, const Motor& motor, const Gear& gear)>;
/// Makes a trial, which `cycle` must outlive. Throws as size.
[[nodiscard]] DriveTrial drive_trial(const Robot& robot, const Cycle& cycle);

/// Torque at the rotor side of a gear that passes `torque` to a joint (eq. 35.2).
[[nodiscard]] double through_gear(const Efficiency& efficiency, double torque, double qd,
                                  double qdd);

/// Verdict on a rating, by the need times the factor of safety.
struct Verdict {
  std::string where;   ///< the joint, or "supply"
  std::string rating;  ///< "motor.peak_torque"
  std::string unit;
  double needed = 0.0;  ///< infinite: no steady state, or beyond a curve
  double rated = 0.0;
  std::optional<double> t;  ///< of the worst row, s
  double share = 0.0;       ///< of the rating, with the factor of safety
  [[nodiscard]] bool passes() const { return share <= 1.0; }
  [[nodiscard]] const char* word() const { return passes() ? "PASS" : "FAIL"; }
};

/// Judges the ratings of a joint's motor and gear that are given.
[[nodiscard]] std::vector<Verdict> verdicts(const Joint& joint, const DriveNeed& need,
                                            double safety);
/// Judges all ratings that are given, joint by joint, the supply's last.
[[nodiscard]] std::vector<Verdict> verdicts(const Robot& robot, const Sizing& sizing,
                                            double safety);

// Largest needs of a cycle over all arms within tolerances (docs/derivation.md, 35.10).

/// Proven bounds of one torque over the cycle, N·m or N, and the largest ones found of an arm.
struct GuaranteedTorque {
  Range peak;                   ///< bounds of its largest magnitude
  TimedValue found_peak;        ///< the largest found
  RobotSampler::Extreme arm{};  ///< arm with that peak
  double rms = 0.0;             ///< upper bound
  double found_rms = 0.0;       ///< the largest found, of any arm
};

struct GuaranteedNeed {
  GuaranteedTorque joint, motor;
};

/// Bounds of each joint over the arms of `draws`, around the robot. Throws Error as the enclosure of
/// RobotSampler (armdyn/sampled_robot.hpp), and as size.
[[nodiscard]] std::vector<GuaranteedNeed> guaranteed_needs(const RobotSampler& draws,
                                                           const Robot& robot, const Cycle& cycle);

}  // namespace armdyn
