#include "sizing/sizing.hpp"

#include <fmt/format.h>
#include <Eigen/LU>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/setting_out.hpp"
#include "math/columns.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/hypotenuse.hpp"
#include "model/joint_kind.hpp"
#include "model/motors.hpp"

namespace armdyn {

namespace {

using Series = std::vector<double>;

/// Peak torque of a curve at that speed; 0 beyond it.
double curve_torque(const std::vector<SpeedTorque>& curve, double speed) {
  const auto after = std::ranges::lower_bound(curve, speed, {}, &SpeedTorque::speed);
  if (after == curve.end()) return 0.0;
  if (after == curve.begin()) return after->torque;
  const SpeedTorque& before = *(after - 1);
  const double share = (speed - before.speed) / (after->speed - before.speed);
  return before.torque + share * (after->torque - before.torque);
}

class Sizer {
 public:
  Sizer(const Robot& robot, const Cycle& cycle)
      : robot_(robot),
        arm_(normalise(robot)),
        cycle_(cycle),
        rows_(cycle.tally()),
        n_(robot.dof()),
        tau_(n_, Series(cycle.t.size())),
        parts_(6 * n_, Series(cycle.t.size())),
        passed_(tau_),
        gear_loss_(tau_),
        bus_(cycle.t.size()) {
    BlockInverseDynamics dynamics(arm_);
    const std::vector<Column> q = places(cycle.q), qd = places(cycle.qd);
    const std::vector<Column> qdd = places(cycle.qdd), hand = places(cycle.hand);
    const MotionBlock motion{cycle.t.size(), q, qd, qdd, hand};
    dynamics.torque(motion, places(tau_));
    dynamics.terms(motion, places(parts_));
    for (const Coupling& coupling : robot.couplings) {
      for (const std::size_t joint : coupling.joints) require_plain(robot.joints[joint]);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t row = 0; row < cycle.t.size(); ++row) {
        passed_[i][row] = tau_[i][row] - own_torque(i, row);  // (35.1)
      }
      pass_through_gear(i);
    }
    find_starts();
  }

  [[nodiscard]] Sizing result() {
    Sizing found;
    found.duration = rows_.duration();
    for (std::size_t i = 0; i < n_; ++i) {
      found.drives.push_back(drive(i));
      found.supply.copper += found.drives.back().copper_energy;
    }
    add_inertia_ratios(found.drives);
    fill(found.supply, found.duration);
    found.bus = bus_;
    return found;
  }

  /// Sizes joint i with another motor and gear.
  [[nodiscard]] DriveNeed with(std::size_t i, const Motor& motor, const Gear& gear) {
    robot_.joints[i].motor = arm_.drives[i].motor = motor;
    robot_.joints[i].gear = gear;
    side_ = MotorSide(robot_);
    for (std::size_t row = 0; row < cycle_.t.size(); ++row) {
      tau_[i][row] = passed_[i][row] + own_torque(i, row);
    }
    pass_through_gear(i);
    return drive(i);
  }

 private:
  static void require_plain(const Joint& joint) {
    Gear unrated;
    unrated.bearing = joint.gear.bearing;
    if (joint.motor.efficiency == Efficiency{} && joint.gear == unrated) return;
    throw InputError(fmt::format(
        "size: the motor of {} turns with several joints, and which torque its gear passes is not "
        "defined; leave out its efficiency and the ratings of its gear",
        joint.name));
  }

  [[nodiscard]] double qd(std::size_t i, std::size_t row) const { return cycle_.qd[i][row]; }
  [[nodiscard]] double qdd(std::size_t i, std::size_t row) const { return cycle_.qdd[i][row]; }

  /// Torque of the motor's rotor and friction, at the joint.
  [[nodiscard]] double own_torque(std::size_t i, std::size_t row) const {
    return motor_torque(arm_.drives[i].motor, qd(i, row), qdd(i, row));
  }
  void pass_through_gear(std::size_t i) {
    for (std::size_t row = 0; row < cycle_.t.size(); ++row) {
      const double T = passed_[i][row];
      gear_loss_[i][row] =
          through_gear(robot_.joints[i].motor.efficiency, T, qd(i, row), qdd(i, row)) - T;
    }
  }

  void find_starts() {
    SettingOut setting_out(robot_);
    for (std::size_t row = 0; row + 1 < cycle_.t.size(); ++row) {
      if (cycle_.steps[row + 1] == 0.0) continue;
      const Series q = row_of(cycle_.q, row), qd = row_of(cycle_.qd, row);
      const Series qdd = row_of(cycle_.qdd, row), next = row_of(cycle_.qd, row + 1);
      auto start = setting_out.find({q, qd, qdd}, row_of(tau_, row), next);
      if (start) starts_.emplace_back(row, std::move(*start));
    }
  }

  [[nodiscard]] DriveNeed drive(std::size_t i) {
    const MotorRatings& ratings = robot_.joints[i].motor.ratings;
    const double duration = rows_.duration();
    DriveNeed need;
    Series &n = need.motor_speeds, &tau_m = need.motor_torques;
    n.resize(cycle_.t.size());
    tau_m.resize(n.size());
    for (std::size_t row = 0; row < n.size(); ++row) {
      for (std::size_t j = 0; j < n_; ++j) {  // (35.3)
        n[row] += side_.rate_factor(i, j) * qd(j, row);
        tau_m[row] += side_.torque_factor(i, j) * (tau_[j][row] + gear_loss_[j][row]);
      }
    }
    const auto magnitude = [](const Series& series) {
      return [&series](std::size_t row) { return std::abs(series[row]); };
    };
    DriveTally joint(cycle_.t[0]), motor = joint;
    rows_.add(joint, tau_[i], cycle_.qd[i]);
    rows_.add(motor, tau_m, n);
    need.torque = joint.torque.peak;
    need.speed = joint.speed;
    need.rms = rows_.rms(joint.torque);
    need.motor_torque = motor.torque.peak;
    need.motor_speed = motor.speed;
    need.motor_rms = rows_.rms(motor.torque);
    need.mean_speed = cycle_.integral(magnitude(n)) / duration;
    need.power = motor.power.peak;
    need.mean_power = (motor.power.driven - motor.power.braked) / duration;
    if (!ratings.torque_speed.empty()) {
      need.curve_share = cycle_.largest([&](std::size_t row) {
        const double torque = std::abs(tau_m[row]);
        return torque == 0.0 ? 0.0 : torque / curve_torque(ratings.torque_speed, std::abs(n[row]));
      });
    }
    for (std::size_t row = 0; row < n.size(); ++row) bus_[row] += tau_m[row] * n[row];
    if (ratings.torque_constant && ratings.resistance) heat(ratings, need);
    need.is_single = find_coupling(robot_, i) == nullptr;
    if (need.is_single) gear(i, duration, need);
    set_out(i, need);
    return need;
  }

  void heat(const MotorRatings& ratings, DriveNeed& need) {
    const MotorThermal& thermal = ratings.thermal;
    const Series losses = each(need.motor_torques, [&](double torque) {  // (35.5)
      return (ratings.dc ? 1.0 : 3.0) * *ratings.resistance *
             square(torque / *ratings.torque_constant);
    });
    double growth = 1.0;
    if (is_complete(thermal)) {
      need.thermal = thermal_need(thermal, losses, cycle_.t, cycle_.steps);
      if (const auto& steady = need.thermal->steady) {
        growth += thermal.temperature_coefficient * (steady->mean - thermal.resistance_temperature);
      }
    }
    need.copper_energy = growth * cycle_.integral([&](std::size_t row) { return losses[row]; });
    for (std::size_t row = 0; row < losses.size(); ++row) bus_[row] += growth * losses[row];
  }

  void gear(std::size_t i, double duration, DriveNeed& need) const {  // (35.4)
    const Joint& joint = robot_.joints[i];
    const Gear& gear = joint.gear;
    const double p = gear.bearing == Bearing::ball ? 3.0 : 10.0 / 3.0;
    const Series &T = passed_[i], &n = need.motor_speeds;
    need.gear_torque = cycle_.largest([&](std::size_t row) { return std::abs(T[row]); });
    const double peak = need.gear_torque.value;
    const double turned = need.mean_speed * duration;
    if (turned > 0.0 && peak > 0.0) {
      const double worn = cycle_.integral(
          [&](std::size_t row) { return std::abs(n[row]) * std::pow(std::abs(T[row]) / peak, p); });
      need.mean_torque = peak * std::pow(worn / turned, 1.0 / p);
    }
    if (gear.rated_torque && gear.rated_speed && gear.life) {
      need.life = *gear.life * (*gear.rated_speed / need.mean_speed) *
                  std::pow(*gear.rated_torque / need.mean_torque, p);
    }
  }

  /// Raises what a motor, its gear and its curve have to give to what it takes to set out (35.4a).
  void set_out(std::size_t i, DriveNeed& need) const {
    const Joint& joint = robot_.joints[i];
    const Drive at_joint{joint.friction, {}};
    for (const auto& [row, start] : starts_) {
      const int way = start.directions[i];
      if (way == 0) continue;
      const double t = cycle_.t[row], q = cycle_.q[i][row];
      double torque = 0.0;
      for (std::size_t j = 0; j < n_; ++j) torque += side_.torque_factor(i, j) * start.torque[j];
      if (need.is_single) {
        const auto at_motor = [&joint, way](double T, double qdd) {  // as the joint feels it
          return through_gear(joint.motor.efficiency, T, way, 0.0) +
                 motor_torque<double>(joint.motor, 0.0, qdd, way);
        };
        const double held = start.load[i] + signed_level(breakaway_torque(at_joint, q), way);
        const double slid = passed_[i][row] + loss_torque(at_joint, q, 0.0, way);
        const double still = at_motor(held, 0.0), moving = at_motor(slid, qdd(i, row));
        const bool sticks = way * still > way * moving;
        need.gear_torque.raise(std::abs(sticks ? held : slid), t);
        torque = (sticks ? still : moving) / joint.motor.gear_ratio;
      }
      if (!need.breakaway) need.breakaway = Extreme{{0.0, t}};
      need.breakaway->raise(std::abs(torque), t);
    }
    if (!need.curve_share || !need.breakaway) return;
    const double at_rest = curve_torque(joint.motor.ratings.torque_speed, 0.0);
    need.curve_share->raise(need.breakaway->value / at_rest, need.breakaway->t);
  }

  void add_inertia_ratios(std::vector<DriveNeed>& drives) const {
    ForwardDynamics dynamics(arm_, ForwardMethod::composite);
    Series M(n_ * n_);
    for (std::size_t row = 0; row < cycle_.t.size(); ++row) {
      dynamics.links_mass_matrix(row_of(cycle_.q, row), M);
      for (std::size_t i = 0; i < n_; ++i) {
        const Motor& motor = robot_.joints[i].motor;
        if (!drives[i].is_single || motor.rotor_inertia == 0.0) continue;
        const double ratio = M[i * n_ + i] / (square(motor.gear_ratio) * motor.rotor_inertia);
        std::optional<Range>& range = drives[i].inertia_ratio;
        range = range ? Range{std::min(range->lower, ratio), std::max(range->upper, ratio)}
                      : Range{ratio, ratio};
      }
    }
  }

  [[nodiscard]] double energy(std::size_t row) const {
    const Equations found = equations(arm_, row_of(cycle_.q, row), row_of(cycle_.qd, row));
    return found.kinetic + found.potential;
  }

  /// Work of a series of torques per joint, from column `first` on.
  [[nodiscard]] double work(const std::vector<Series>& torques, std::size_t first) const {
    return cycle_.integral([&](std::size_t row) {
      double power = 0.0;
      for (std::size_t i = 0; i < n_; ++i) power += torques[first + i][row] * qd(i, row);
      return power;
    });
  }

  void fill(SupplyNeed& need, double duration) const {
    constexpr std::size_t friction_part = 3, wrench_part = 5;  // of TorqueTerms
    need.power = cycle_.largest([&](std::size_t row) { return bus_[row]; });
    need.returned_power = cycle_.largest([&](std::size_t row) { return -bus_[row]; });
    need.friction = work(parts_, friction_part * n_);
    need.hand = work(parts_, wrench_part * n_);
    need.gear = work(gear_loss_, 0);
    std::size_t begin = 0;
    for (std::size_t row = 1; row <= cycle_.t.size(); ++row) {
      if (row < cycle_.t.size() && cycle_.steps[row] > 0.0) continue;
      if (row - 1 > begin) need.mechanical += energy(row - 1) - energy(begin);
      begin = row;
    }
    exchange(need);
    need.mean_power = need.supplied / duration;
    need.mean_brake_power = need.brake / duration;
  }

  /// Sets the energies through capacitor, brake resistor and supply in repeated cycles.
  void exchange(SupplyNeed& need) const {
    constexpr int most_cycles = 10;  // since cycles that return more than they ask for begin full
    const double capacity = robot_.supply.capacitor.value_or(0.0);
    double level =
        cycle_.integral([&](std::size_t row) { return bus_[row]; }) < 0.0 ? capacity : 0.0;
    for (int k = 0; k < most_cycles; ++k) {
      const double before = level;
      need.supplied = need.returned = need.brake = 0.0;
      const auto pass = [&](double asked) {
        const double into = std::clamp(-asked, -level, capacity - level);
        level += into;
        need.supplied += std::max(0.0, asked + into);
        need.brake += std::max(0.0, -asked - into);
        need.returned += std::max(0.0, -asked);
      };
      for (std::size_t row = 1; row < bus_.size(); ++row) {
        const double step = cycle_.steps[row], from = bus_[row - 1], to = bus_[row];
        if (from * to <
            0.0) {  // each direction by itself, up to where the power is 0 and from there
          const double share = from / (from - to);
          pass(trapezoid(share * step, from, 0.0));
          pass(trapezoid((1.0 - share) * step, 0.0, to));
        } else {
          pass(trapezoid(step, from, to));
        }
      }
      if (level == before) return;
    }
  }

  Robot robot_;
  Arm arm_;
  const Cycle& cycle_;
  MotionTally rows_;
  std::size_t n_;
  MotorSide side_{robot_};
  std::vector<Series> tau_, parts_, passed_, gear_loss_;
  std::vector<std::pair<std::size_t, SettingOut::Start>> starts_;  // with their rows
  Series bus_;                                                     // W, of all motors
};

}  // namespace

double through_gear(const Efficiency& efficiency, double torque, double qd, double qdd) {
  const double sense = torque * (qd == 0.0 ? qdd : qd);
  if (sense > 0.0) return torque / efficiency.driving;
  return sense < 0.0 ? torque * efficiency.back_driving : torque;
}

MotionTally Cycle::tally() const {
  MotionTally rows;
  rows.next(t.size(), t, where(t.size(), [this](std::size_t row) { return steps[row] == 0.0; }));
  return rows;
}

void Cycle::set_steps() {
  steps.assign(t.size(), 0.0);
  for (std::size_t row = 1; row < t.size(); ++row) {
    steps[row] = time_step(t[row - 1], t[row]);
  }
}

void Cycle::dwell(double seconds, const Robot& robot) {
  constexpr double at_rest = 1e-3;  // of the largest speed
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double last = std::abs(qd[i].back());
    const auto is_faster = [&](double speed) { return at_rest * std::abs(speed) >= last; };
    if (last == 0.0 || std::ranges::any_of(qd[i], is_faster)) continue;
    throw InputError(fmt::format(
        "--dwell: {} moves at the end, qd = {:.6g}; expected a motion that ends at rest",
        robot.joints[i].name, qd[i].back()));
  }
  constexpr int rows = 128;  // closer at first, where temperatures fall fast
  const double end = t.back();
  for (int k = 0; k <= rows; ++k) {
    for (Series& column : q) column.push_back(column.back());
    for (auto* const columns : {&qd, &qdd, &hand}) {
      for (Series& column : *columns) column.push_back(0.0);
    }
    t.push_back(end + seconds * square(static_cast<double>(k) / rows));
    steps.push_back(t.back() - *(t.end() - 2));
  }
}

Sizing size(const Robot& robot, const Cycle& cycle) {
  return Sizer(robot, cycle).result();
}

DriveTrial drive_trial(const Robot& robot, const Cycle& cycle) {
  return [sizer = Sizer(robot, cycle)](std::size_t joint, const Motor& motor,
                                       const Gear& gear) mutable {
    return sizer.with(joint, motor, gear);
  };
}

namespace {

/// Judge of needs by the ratings of a joint or the supply.
struct Judge {
  std::string where;
  double safety = 1.0;
  std::vector<Verdict> found{};

  /// Judges a need if it is rated; the factor of safety is of its part above `from`.
  void operator()(const char* rating, const char* unit, double needed,
                  const std::optional<double>& rated, const std::optional<double>& t = {},
                  double from = 0.0) {
    if (!rated) return;
    const double share = needed == from ? 0.0 : safety * ((needed - from) / (*rated - from));
    found.push_back({where, rating, unit, needed, *rated, t, share});
  }
  void operator()(const char* rating, const char* unit, const TimedValue& needed,
                  const std::optional<double>& rated, double from = 0.0) {
    (*this)(rating, unit, needed.value, rated, needed.t, from);
  }
};

}  // namespace

std::vector<Verdict> verdicts(const Joint& joint, const DriveNeed& need, double safety) {
  Judge judge{joint.name, safety};
  const MotorRatings& motor = joint.motor.ratings;
  const Gear& gear = joint.gear;
  const char* const effort = unit_text(RobotUnit::effort, joint.type);
  judge("motor.peak_torque", "N·m", need.motor_torque, motor.peak_torque);
  judge("motor.continuous_torque", "N·m", need.motor_rms, motor.continuous_torque);
  judge("motor.max_speed", "rad/s", need.motor_speed, motor.max_speed);
  if (need.curve_share) judge("motor.torque_speed", "1", *need.curve_share, 1.0);
  if (need.thermal && need.thermal->steady) {
    judge("motor.thermal.max_winding", "°C", need.thermal->steady->hottest,
          motor.thermal.max_winding, motor.thermal.ambient);
  } else if (need.thermal) {  // it runs away, and fails at any rating
    constexpr double infinite = std::numeric_limits<double>::infinity();
    judge.found.push_back({joint.name,
                           "motor.thermal",
                           "°C",
                           infinite,
                           motor.thermal.max_winding.value_or(infinite),
                           {},
                           infinite});
  }
  if (need.breakaway) {
    judge("motor.peak_torque at breakaway", "N·m", *need.breakaway, motor.peak_torque);
  }
  if (!need.is_single) return judge.found;
  judge("gear.repeated_peak_torque", effort, need.gear_torque, gear.repeated_peak_torque);
  judge("gear.momentary_peak_torque", effort, need.gear_torque, gear.momentary_peak_torque);
  judge("gear.average_torque", effort, need.mean_torque, gear.average_torque);
  judge("gear.max_input_speed", "rad/s", need.motor_speed, gear.max_input_speed);
  return judge.found;
}

std::vector<Verdict> verdicts(const Robot& robot, const Sizing& sizing, double safety) {
  std::vector<Verdict> all;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    append(all, verdicts(robot.joints[i], sizing.drives[i], safety));
  }
  Judge judge{"supply", safety, std::move(all)};
  const SupplyNeed& supply = sizing.supply;
  judge("supply.peak_power", "W", supply.power, robot.supply.peak_power);
  judge("supply.continuous_power", "W", supply.mean_power, robot.supply.continuous_power);
  judge("supply.brake_resistor", "W", supply.mean_brake_power, robot.supply.brake_resistor);
  return judge.found;
}

namespace {

/// State: degrees of winding and housing above the ambient, and 1.
using Warmth = Eigen::Vector3d;
/// Matrix Δ of a step x′ = x + Δx.
using Warming = Eigen::Matrix3d;

const Warmth at_ambient = Warmth::UnitZ();

/// Joins two steps.
Warming joined(const Warming& first, const Warming& next) {
  return next + first + next * first;
}

/// Step of that length under constant losses.
Warming step_of(const MotorThermal& thermal, double losses, double length) {
  const double cw = *thermal.winding_capacity, ch = *thermal.housing_capacity;
  const double across = 1.0 / *thermal.winding_to_housing;
  const double out = 1.0 / *thermal.housing_to_ambient, rise = thermal.temperature_coefficient;
  Warming B = Warming::Zero();  // (35.6)
  B << (rise * losses - across) / cw, across / cw,
      losses * (1.0 + rise * (thermal.ambient - thermal.resistance_temperature)) / cw,  //
      across / ch, -(across + out) / ch, 0.0,                                           //
      0.0, 0.0, 0.0;
  const Eigen::Matrix2d bodies = B.topLeftCorner<2, 2>();
  const double mean = bodies.trace() / 2.0;
  const double apart = hypotenuse((B(0, 0) - B(1, 1)) / 2.0, across / std::sqrt(cw * ch));
  const auto f = [length](double rate) {
    return rate == 0.0 ? length : std::expm1(rate * length) / rate;
  };
  const double slow = f(mean + apart), fast = f(mean - apart);
  const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
  const Eigen::Matrix2d phi =
      fast * one + (slow - fast) / (2.0 * apart) * (bodies - (mean - apart) * one);  // (35.7)
  B.topRows<2>() = phi * B.topRows<2>();                                             // (35.8)
  return B;
}

/// Temperatures of a motor over one cycle.
class ThermalCycle {
 public:
  ThermalCycle(const MotorThermal& thermal, std::span<const double> losses,
               std::span<const double> t, std::span<const double> lengths)
      : thermal_(thermal), losses_(losses), t_(t), lengths_(lengths) {
    for (std::size_t row = 1; row < t.size(); ++row) {
      steps_.push_back(step(row, lengths[row]));
      whole_ = joined(whole_, steps_.back());
      duration_ += lengths[row];
    }
  }

  [[nodiscard]] std::optional<SteadyTemperatures> steady() const {
    const double determinant = whole_.topLeftCorner<2, 2>().determinant();
    if (!(whole_(0, 0) < 0.0 && whole_(1, 1) < 0.0 && determinant > 0.0)) return std::nullopt;
    const Warmth from((whole_(0, 1) * whole_(1, 2) - whole_(1, 1) * whole_(0, 2)) / determinant,
                      (whole_(1, 0) * whole_(0, 2) - whole_(0, 0) * whole_(1, 2)) / determinant,
                      1.0);
    const double ambient = thermal_.ambient, first = from[0] + ambient;
    SteadyTemperatures found{{first, t_[0]}, first, ambient, ambient, {first}};
    go(from, [&](std::size_t row, const Warmth& before, const Warmth& x) {
      const double winding = found.winding.emplace_back(ambient + x[0]);
      if (winding > found.hottest.value) found.hottest = {winding, t_[row]};
      found.coolest = std::min(found.coolest, winding);
      found.housing = std::max(found.housing, ambient + x[1]);
      found.mean += trapezoid(lengths_[row] / duration_, before[0], x[0]);
    });
    return found;
  }

  /// Time from the ambient until the winding is so many degrees above it, a limit that it reaches.
  [[nodiscard]] double time_to(double limit) const {
    constexpr std::size_t most = 60;  // doublings
    std::vector<Warming> doubled{whole_};
    while (doubled.size() < most && peak(at_ambient + doubled.back() * at_ambient) < limit) {
      doubled.push_back(joined(doubled.back(), doubled.back()));
    }
    Warmth from = at_ambient;
    double time = 0.0;
    // Goes to the last cycle that does not reach it, and to the next.
    for (std::size_t k = doubled.size(); k-- > 0;) {
      const Warmth later = from + doubled[k] * from;
      if (!(peak(later) < limit)) continue;
      from = later;
      time += std::ldexp(duration_, static_cast<int>(k));
    }
    if (peak(from) < limit) {
      from += whole_ * from;
      time += duration_;
    }
    bool is_reached = from[0] >= limit;
    go(from, [&](std::size_t row, const Warmth& before, const Warmth& x) {
      if (is_reached) return;
      is_reached = !(x[0] < limit);
      time += is_reached ? length_to(limit, row, before) : lengths_[row];
    });
    return time;
  }

 private:
  [[nodiscard]] Warming step(std::size_t row, double length) const {
    return step_of(thermal_, (losses_[row - 1] + losses_[row]) / 2.0, length);
  }
  /// Length of a part of a step, by bisection, after which the winding is at its limit.
  [[nodiscard]] double length_to(double limit, std::size_t row, const Warmth& before) const {
    double low = 0.0, high = lengths_[row];
    for (double middle = high / 2.0; low < middle && middle < high; middle = (low + high) / 2.0) {
      const Warmth x = before + step(row, middle) * before;
      (x[0] < limit ? low : high) = middle;
    }
    return high;
  }
  /// Calls look(row, before, after) for each step, from that state on.
  void go(Warmth x, const auto& look) const {
    for (std::size_t row = 1; row < t_.size(); ++row) {
      const Warmth before = x;
      x += steps_[row - 1] * before;
      look(row, before, x);
    }
  }
  [[nodiscard]] double peak(const Warmth& from) const {
    double peak = from[0];
    go(from, [&](std::size_t, const Warmth&, const Warmth& x) {
      if (!(x[0] <= peak)) peak = x[0];  // no number where it runs away beyond all
    });
    return peak;
  }

  const MotorThermal& thermal_;
  double duration_ = 0.0;
  std::span<const double> losses_, t_, lengths_;
  std::vector<Warming> steps_;
  Warming whole_ = Warming::Zero();
};

}  // namespace

bool is_complete(const MotorThermal& thermal) {
  return thermal.winding_to_housing && thermal.housing_to_ambient && thermal.winding_capacity &&
         thermal.housing_capacity;
}

ThermalNeed thermal_need(const MotorThermal& thermal, std::span<const double> losses,
                         std::span<const double> t, std::span<const double> steps) {
  const ThermalCycle cycle(thermal, losses, t, steps);
  ThermalNeed need{cycle.steady(), {}};
  if (!thermal.max_winding) return need;
  if (!need.steady || need.steady->hottest.value > *thermal.max_winding) {
    need.time_to_limit = cycle.time_to(*thermal.max_winding - thermal.ambient);
  }
  return need;
}

}  // namespace armdyn
