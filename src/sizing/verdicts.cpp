#include <limits>

#include "model/joint_kind.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

namespace {

class Judge {
 public:
  explicit Judge(double safety) : safety_(safety) {}

  void at(std::string where) { where_ = std::move(where); }
  void operator()(const char* rating, const char* unit, const TimedValue& needed,
                  const std::optional<double>& rated) {
    if (rated) add({where_, rating, unit, needed.value, *rated, needed.t}, needed.value / *rated);
  }
  void operator()(const char* rating, const char* unit, double needed,
                  const std::optional<double>& rated) {
    if (rated) add({where_, rating, unit, needed, *rated, {}}, needed / *rated);
  }
  /// The factor of safety is that of the degrees above the ambient.
  void operator()(const MotorThermal& rated, const ThermalNeed& need) {
    if (!rated.max_winding) return;
    Verdict verdict{where_,
                    "motor.thermal.max_winding",
                    "°C",
                    std::numeric_limits<double>::infinity(),
                    *rated.max_winding,
                    {}};
    if (need.steady) {
      verdict.needed = need.steady->hottest.value;
      verdict.t = need.steady->hottest.t;
    }
    add(verdict, (verdict.needed - rated.ambient) / (*rated.max_winding - rated.ambient));
  }
  [[nodiscard]] std::vector<Verdict> found() const { return found_; }

 private:
  void add(Verdict verdict, double share) {
    verdict.share = safety_ * share;
    found_.push_back(std::move(verdict));
  }

  double safety_;
  std::string where_;
  std::vector<Verdict> found_;
};

}  // namespace

std::vector<Verdict> verdicts(const Robot& robot, const Sizing& sizing, double safety) {
  Judge judge(safety);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const MotorRatings& motor = joint.motor.ratings;
    const Gear& gear = joint.gear;
    const DriveNeed& need = sizing.drives[i];
    const char* const effort = unit_text(RobotUnit::effort, joint.type);
    judge.at(joint.name);
    judge("motor.peak_torque", "N·m", need.motor_torque, motor.peak_torque);
    judge("motor.continuous_torque", "N·m", need.motor_rms, motor.continuous_torque);
    judge("motor.max_speed", "rad/s", need.motor_speed, motor.max_speed);
    if (need.curve_share) judge("motor.torque_speed", "1", *need.curve_share, 1.0);
    if (need.thermal) judge(motor.thermal, *need.thermal);
    if (!need.is_single) continue;
    judge("motor.peak_torque at breakaway", "N·m", need.breakaway, motor.peak_torque);
    judge("gear.repeated_peak_torque", effort, need.gear_torque, gear.repeated_peak_torque);
    judge("gear.momentary_peak_torque", effort, need.gear_torque, gear.momentary_peak_torque);
    judge("gear.average_torque", effort, need.mean_torque, gear.average_torque);
    judge("gear.max_input_speed", "rad/s", need.motor_speed, gear.max_input_speed);
  }
  judge.at("supply");
  const SupplyNeed& supply = sizing.supply;
  judge("supply.peak_power", "W", supply.power, robot.supply.peak_power);
  judge("supply.continuous_power", "W", supply.mean_power, robot.supply.continuous_power);
  judge("supply.brake_resistor", "W", supply.mean_brake_power, robot.supply.brake_resistor);
  return judge.found();
}

}  // namespace armdyn
