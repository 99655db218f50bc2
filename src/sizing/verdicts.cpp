#include <limits>
#include <utility>

#include "model/joint_kind.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

namespace {

class Judge {
 public:
  Judge(std::string where, double safety) : where_(std::move(where)), safety_(safety) {}

  void operator()(const char* rating, const char* unit, const TimedValue& needed,
                  const std::optional<double>& rated) {
    if (rated) add({where_, rating, unit, needed.value, *rated, needed.t}, needed.value / *rated);
  }
  void operator()(const char* rating, const char* unit, double needed,
                  const std::optional<double>& rated) {
    if (rated) add({where_, rating, unit, needed, *rated, {}}, needed / *rated);
  }
  /// The factor of safety is that of the degrees above the ambient. A winding without a steady state
  /// fails whatever it may have.
  void operator()(const MotorThermal& rated, const ThermalNeed& need) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (!need.steady) {
      add({where_, "motor.thermal", "°C", infinite, rated.max_winding.value_or(infinite), {}},
          infinite);
    } else if (rated.max_winding) {
      const auto& [value, t] = need.steady->hottest;
      add({where_, "motor.thermal.max_winding", "°C", value, *rated.max_winding, t},
          (value - rated.ambient) / (*rated.max_winding - rated.ambient));
    }
  }
  [[nodiscard]] std::vector<Verdict> found() const { return found_; }

 private:
  void add(Verdict verdict, double share) {
    verdict.share = safety_ * share;
    found_.push_back(std::move(verdict));
  }

  std::string where_;
  double safety_;
  std::vector<Verdict> found_;
};

}  // namespace

std::vector<Verdict> verdicts(const Joint& joint, const DriveNeed& need, double safety) {
  Judge judge(joint.name, safety);
  const MotorRatings& motor = joint.motor.ratings;
  const Gear& gear = joint.gear;
  const char* const effort = unit_text(RobotUnit::effort, joint.type);
  judge("motor.peak_torque", "N·m", need.motor_torque, motor.peak_torque);
  judge("motor.continuous_torque", "N·m", need.motor_rms, motor.continuous_torque);
  judge("motor.max_speed", "rad/s", need.motor_speed, motor.max_speed);
  if (need.curve_share) judge("motor.torque_speed", "1", *need.curve_share, 1.0);
  if (need.thermal) judge(motor.thermal, *need.thermal);
  if (!need.is_single) return judge.found();
  judge("motor.peak_torque at breakaway", "N·m", need.breakaway, motor.peak_torque);
  judge("gear.repeated_peak_torque", effort, need.gear_torque, gear.repeated_peak_torque);
  judge("gear.momentary_peak_torque", effort, need.gear_torque, gear.momentary_peak_torque);
  judge("gear.average_torque", effort, need.mean_torque, gear.average_torque);
  judge("gear.max_input_speed", "rad/s", need.motor_speed, gear.max_input_speed);
  return judge.found();
}

std::vector<Verdict> verdicts(const Robot& robot, const Sizing& sizing, double safety) {
  std::vector<Verdict> all;
  const auto add = [&all](const std::vector<Verdict>& found) {
    all.insert(all.end(), found.begin(), found.end());
  };
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    add(verdicts(robot.joints[i], sizing.drives[i], safety));
  }
  Judge judge("supply", safety);
  const SupplyNeed& supply = sizing.supply;
  judge("supply.peak_power", "W", supply.power, robot.supply.peak_power);
  judge("supply.continuous_power", "W", supply.mean_power, robot.supply.continuous_power);
  judge("supply.brake_resistor", "W", supply.mean_brake_power, robot.supply.brake_resistor);
  add(judge.found());
  return all;
}

}  // namespace armdyn
