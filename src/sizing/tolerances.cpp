#include <algorithm>
#include <cstddef>
#include <utility>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/columns.hpp"
#include "math/enclosed.hpp"
#include "math/rigid.hpp"
#include "model/motors.hpp"
#include "model/proximal_form.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

namespace {

/// Bounds of a torque, and arms that nearly have them.
struct Ends {
  double low, high;
  RobotSampler::Extreme lowest, highest;
};

/// Arm with the payload as a link of its own at rest, so that torques stay linear in its mass.
ArmOf<Enclosed> arm_with_payload_apart(Robot robot, RobotOf<Enclosed> numbers) {
  numbers.joints.emplace_back().body = moved(placed(robot.tool, numbers.tool), numbers.payload);
  numbers.payload = {};
  robot.joints.emplace_back();
  robot.payload = {};
  return proximal_form(robot, numbers);
}

class Guarantee {
 public:
  Guarantee(const RobotSampler& draws, const Robot& robot, const Cycle& cycle)
      : draws_(draws),
        robot_(robot),
        cycle_(cycle),
        n_(robot.dof()),
        arm_(arm_with_payload_apart(robot, enclosed(draws))),
        links_(n_ + 1),
        passed_(n_ + 1),
        own_(n_),
        found_(n_),
        most_(2 * n_, std::vector<double>(cycle.t.size())),
        towards_rms_(n_) {
    cycle.add_to(rows_);
  }

  [[nodiscard]] std::vector<GuaranteedNeed> result() {
    for (std::size_t row = 0; row < cycle_.t.size(); ++row) look_at(row);
    std::vector<RobotSampler::Extreme> arms{{}};  // the file's first
    for (std::size_t i = 0; i < n_; ++i) {
      found_[i].joint.rms = up(rms(most_[i]));
      found_[i].motor.rms = up(rms(most_[n_ + i]));
      arms.push_back(std::exchange(found_[i].joint.arm, {}));
      arms.push_back(std::exchange(found_[i].motor.arm, {}));
      arms.push_back(draws_.largest(towards_rms_[i]));
    }
    for (const RobotSampler::Extreme& arm : arms) try_arm(arm);
    return found_;
  }

 private:
  [[nodiscard]] double rms(const std::vector<double>& torques) const {
    ColumnTally of;
    rows_.add(of, torques);
    return rows_.rms(of);
  }
  /// Raises a bound by its rounding.
  [[nodiscard]] double up(double bound) const {
    return bound * (1.0 + 0x1p-50 * static_cast<double>(4 + cycle_.t.size()));
  }

  [[nodiscard]] Ends ends(const Enclosed& x) const {
    const RobotSampler::Extreme up = draws_.largest(x.slopes());
    const RobotSampler::Extreme down = draws_.largest((-x).slopes());
    return {x.near() - down.value - x.rest(), x.near() + up.value + x.rest(), down, up};
  }

  void set(std::size_t row) {
    std::vector<Enclosed> q(n_ + 1), qd(n_ + 1), qdd(n_ + 1);
    for (std::size_t i = 0; i < n_; ++i) {
      q[i] = Enclosed(cycle_.q[i][row]);
      qd[i] = Enclosed(cycle_.qd[i][row]);
      qdd[i] = Enclosed(cycle_.qdd[i][row]);
    }
    Wrench wrench;
    if (!cycle_.wrench.empty()) wrench = wrench_of(row_of(cycle_.wrench, row));
    const ForceAndMoment<Enclosed> outer = constant<Enclosed>(wrench);
    newton_euler<Enclosed>(arm_, q, qd, qdd, &outer, links_, passed_);
    for (std::size_t i = 0; i < n_; ++i) {
      const auto& [friction, motor] = arm_.drives[i];
      const int direction = direction_of(cycle_.qd[i][row]);
      passed_[i] = passed_[i] + friction_torque(friction, q[i], qd[i], direction);
      own_[i] = motor_torque(motor, qd[i], qdd[i], direction);
    }
    row_drive_torques<Enclosed>(arm_.row_drives, qd, qdd, by_sign, adding_to(own_));
  }

  void look_at(std::size_t row) {
    set(row);
    const double weight = rows_.weights().of_rows[row];
    for (std::size_t i = 0; i < n_; ++i) {
      const Enclosed tau = passed_[i] + own_[i];
      const Ends joint = ends(tau);
      note(found_[i].joint, most_[i][row], joint);
      note(found_[i].motor, most_[n_ + i][row], at_motor(i, row, joint));
      std::vector<double>& towards = towards_rms_[i];
      towards.resize(std::max(towards.size(), tau.slopes().size()));
      for (std::size_t k = 0; k < tau.slopes().size(); ++k) {
        towards[k] += weight * tau.near() * tau.slopes()[k];
      }
    }
  }

  /// Bounds of the motor's torque, which grows with the torque through its gear.
  [[nodiscard]] Ends at_motor(std::size_t i, std::size_t row, const Ends& joint) const {
    if (motor_row(robot_, i)) {
      Enclosed sum;
      for (std::size_t j = 0; j < n_; ++j) {
        sum = sum + side_.torque_factor(i, j) * (passed_[j] + own_[j]);
      }
      return ends(sum);
    }
    const Motor& motor = robot_.joints[i].motor;
    const auto before_gear = [&](double torque) {
      return through_gear(motor.efficiency, torque, cycle_.qd[i][row], cycle_.qdd[i][row]);
    };
    const Ends passed = ends(passed_[i]), own = ends(own_[i]);
    const double G = motor.gear_ratio;
    const double low = (before_gear(passed.low) + own.low) / G;
    const double high = (before_gear(passed.high) + own.high) / G;
    if (G < 0.0) return {high, low, joint.highest, joint.lowest};
    return {low, high, joint.lowest, joint.highest};
  }

  void note(GuaranteedTorque& found, double& most, const Ends& ends) const {
    most = up(std::max(ends.high, -ends.low));
    const double least = std::max({0.0, ends.low, -ends.high});
    found.peak.lower = std::max(found.peak.lower, least / up(1.0));
    if (most <= found.peak.upper) return;
    found.peak.upper = most;
    found.arm = ends.high >= -ends.low ? ends.highest : ends.lowest;
  }

  /// Counts the numbers of an arm that differ from the file's.
  [[nodiscard]] static std::ptrdiff_t moved(const RobotSampler::Extreme& arm) {
    return std::ranges::count_if(arm.places, [](double at) { return at != 0.0; });
  }

  /// Keeps what is largest of an arm; of arms with the same peak the one nearest to the file's.
  void try_arm(const RobotSampler::Extreme& arm) {
    const Sizing sizing = size(draws_.at(arm.places).robot, cycle_);
    const auto take = [&](GuaranteedTorque& found, const TimedValue& peak, double rms) {
      found.found_rms = std::max(found.found_rms, rms);
      const bool is_same = peak.value == found.found_peak.value;
      if (peak.value < found.found_peak.value || (is_same && moved(arm) >= moved(found.arm)))
        return;
      found.found_peak = peak;
      found.arm = arm;
    };
    for (std::size_t i = 0; i < n_; ++i) {
      const DriveNeed& need = sizing.drives[i];
      take(found_[i].joint, need.torque, need.rms);
      take(found_[i].motor, need.motor_torque, need.motor_rms);
    }
  }

  const RobotSampler& draws_;
  const Robot& robot_;
  const Cycle& cycle_;
  MotionTally rows_;
  std::size_t n_;
  MotorSide side_{robot_};
  ArmOf<Enclosed> arm_;
  std::vector<LinkState<Enclosed>> links_;
  std::vector<Enclosed> passed_, own_;  // torques through gears, and of motors themselves
  std::vector<GuaranteedNeed> found_;
  std::vector<std::vector<double>> most_;  // |τ| of joints by row, then of motors
  std::vector<std::vector<double>> towards_rms_;
};

}  // namespace

std::vector<GuaranteedNeed> guaranteed_needs(const RobotSampler& draws, const Robot& robot,
                                             const Cycle& cycle) {
  return Guarantee(draws, robot, cycle).result();
}

}  // namespace armdyn
