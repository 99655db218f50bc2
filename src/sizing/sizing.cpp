#include "sizing/sizing.hpp"

#include <fmt/format.h>
#include <Eigen/Core>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>

#include <algorithm>
#include <array>
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

/// Integral over time of a value that comes row by row.
struct Integral {
  double sum = 0.0, before = 0.0;

  void add(double step, double here) {
    sum += trapezoid(step, before, here);
    before = here;
  }
};

/// Columns of a joint in a block of rows, and of its motor.
struct DriveRows {
  Series tau, passed;  ///< at the joint, and through the gear: T of (35.1)
  Series speed, torque;
  Series lost{};  ///< of the torque, in the gear
};

/// Row before the present one.
struct RowBefore {
  Series q, qd, qdd, tau, passed;
  double t = 0.0;

  void set(const Cycle& block, const std::vector<DriveRows>& of, std::size_t row) {
    const auto take = [row](Series& to, const auto& from, const auto& column) {
      to.resize(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = column(from[i])[row];
    };
    const auto itself = [](const Series& column) -> const Series& { return column; };
    take(q, block.q, itself);
    take(qd, block.qd, itself);
    take(qdd, block.qdd, itself);
    take(tau, of, [](const DriveRows& drive) -> const Series& { return drive.tau; });
    take(passed, of, [](const DriveRows& drive) -> const Series& { return drive.passed; });
    t = block.t[row];
  }
};

/// Losses in a motor's windings at their resistance's temperature, W (35.5).
double winding_losses(const MotorRatings& ratings, double torque) {
  return (ratings.dc ? 1.0 : 3.0) * *ratings.resistance * square(torque / *ratings.torque_constant);
}

/// Loads of a joint and its drive, over rows that come block by block.
class DriveSum {
 public:
  /// `friction` is that of the joint with its followers'.
  DriveSum(const Joint& joint, const Friction& friction, bool is_single)
      : joint_(joint), friction_(friction) {
    need_.is_single = is_single;
  }

  void add(MotionTally& rows, const Cycle& block, const Series& qd, const DriveRows& of) {
    if (rows.rows() == block.t.size()) begin(block.t[0]);
    rows.add(at_joint_, of.tau, qd);
    rows.add(at_motor_, of.torque, of.speed);
    const MotorRatings& ratings = joint_.motor.ratings;
    for (std::size_t row = 0; row < block.t.size(); ++row) {
      const double t = block.t[row], step = block.steps[row], T = std::abs(of.passed[row]);
      const double n = std::abs(of.speed[row]), torque = std::abs(of.torque[row]);
      speed_.add(step, n);
      if (need_.is_single) {
        need_.gear_torque.raise(T, t);
        worn_.add(step, n * wear(T));
      }
      if (need_.curve_share && torque != 0.0) {
        need_.curve_share->raise(torque / curve_torque(ratings.torque_speed, n), t);
      }
      if (!has_losses()) continue;
      losses_.push_back(winding_losses(ratings, torque));
      lost_.add(step, losses_.back());
    }
  }

  /// Raises what a motor, its gear and its curve have to give to what it takes to set out (35.4a);
  /// `together` is the torque of a motor that turns with several joints.
  void set_out(const SettingOut::Start& start, std::size_t i, const RowBefore& at,
               double together) {
    const int way = start.directions[i];
    if (way == 0) return;
    double torque = together;
    if (need_.is_single) {
      const Drive at_joint{friction_, {}};
      const auto at_motor = [this, way](double T, double qdd) {  // as the joint feels it
        return through_gear(joint_.motor.efficiency, T, way, 0.0) +
               motor_torque<double>(joint_.motor, 0.0, qdd, way);
      };
      const double held = start.load[i] + signed_level(breakaway_torque(at_joint, at.q[i]), way);
      const double slid = at.passed[i] + loss_torque(at_joint, at.q[i], 0.0, way);
      const double still = at_motor(held, 0.0), moving = at_motor(slid, at.qdd[i]);
      const bool sticks = way * still > way * moving;
      need_.gear_torque.raise(std::abs(sticks ? held : slid), at.t);
      torque = (sticks ? still : moving) / joint_.motor.gear_ratio;
    }
    if (!need_.breakaway) need_.breakaway = Extreme{{0.0, at.t}};
    need_.breakaway->raise(std::abs(torque), at.t);
  }

  void add_inertia(double of_links) {
    const Motor& motor = joint_.motor;
    if (!need_.is_single || motor.rotor_inertia == 0.0) return;
    const double ratio = of_links / (square(motor.gear_ratio) * motor.rotor_inertia);
    std::optional<Range>& range = need_.inertia_ratio;
    range = range ? Range{std::min(range->lower, ratio), std::max(range->upper, ratio)}
                  : Range{ratio, ratio};
  }

  /// Needs of the cycle with these times and steps, whose losses are added to the bus's power.
  [[nodiscard]] DriveNeed need(const MotionTally& rows, std::span<const double> t,
                               std::span<const double> steps, std::span<double> bus) {
    const double duration = rows.duration();
    need_.torque = at_joint_.torque.peak;
    need_.speed = at_joint_.speed;
    need_.rms = rows.rms(at_joint_.torque);
    need_.motor_torque = at_motor_.torque.peak;
    need_.motor_speed = at_motor_.speed;
    need_.motor_rms = rows.rms(at_motor_.torque);
    need_.mean_speed = speed_.sum / duration;
    need_.power = at_motor_.power.peak;
    need_.mean_power = (at_motor_.power.driven - at_motor_.power.braked) / duration;
    if (has_losses()) heat(t, steps, bus);
    if (need_.is_single) gear();
    if (need_.curve_share && need_.breakaway) {
      const double at_rest = curve_torque(joint_.motor.ratings.torque_speed, 0.0);
      need_.curve_share->raise(need_.breakaway->value / at_rest, need_.breakaway->t);
    }
    return std::move(need_);
  }

 private:
  void begin(double t) {
    at_joint_ = at_motor_ = DriveTally(t);
    need_.gear_torque.t = t;
    if (!joint_.motor.ratings.torque_speed.empty()) need_.curve_share = Extreme{{0.0, t}};
  }
  [[nodiscard]] bool has_losses() const {
    return joint_.motor.ratings.torque_constant && joint_.motor.ratings.resistance;
  }
  [[nodiscard]] double wear_exponent() const {
    return joint_.gear.bearing == Bearing::ball ? 3.0 : 10.0 / 3.0;
  }

  /// The torque to that exponent.
  [[nodiscard]] double wear(double torque) const {
    const double cube = torque * torque * torque;
    return joint_.gear.bearing == Bearing::ball ? cube : cube * std::cbrt(torque);
  }

  void heat(std::span<const double> t, std::span<const double> steps, std::span<double> bus) {
    const MotorThermal& thermal = joint_.motor.ratings.thermal;
    double growth = 1.0;
    if (is_complete(thermal)) {
      need_.thermal = thermal_need(thermal, losses_, t, steps);
      if (const auto& steady = need_.thermal->steady) {
        growth += thermal.temperature_coefficient * (steady->mean - thermal.resistance_temperature);
      }
    }
    need_.copper_energy = growth * lost_.sum;
    for (std::size_t row = 0; row < losses_.size(); ++row) bus[row] += growth * losses_[row];
  }

  void gear() {  // (35.4)
    const Gear& gear = joint_.gear;
    if (worn_.sum > 0.0) {
      need_.mean_torque = std::pow(worn_.sum / speed_.sum, 1.0 / wear_exponent());
    }
    if (gear.rated_torque && gear.rated_speed && gear.life) {
      need_.life = *gear.life * (*gear.rated_speed / need_.mean_speed) *
                   std::pow(*gear.rated_torque / need_.mean_torque, wear_exponent());
    }
  }

  const Joint& joint_;
  const Friction& friction_;
  DriveNeed need_;
  DriveTally at_joint_, at_motor_;
  Integral speed_, worn_, lost_;
  Series losses_;  // W, by row
};

/// Sizes drives and supply for a cycle that comes block by block.
class Sizer {
 public:
  Sizer(const Robot& robot, bool keeps_rows)
      : robot_(robot),
        arm_(normalize(robot)),
        n_(robot.dof()),
        keeps_rows_(keeps_rows),
        has_rotors_(std::ranges::any_of(
            robot.joints, [](const Joint& joint) { return joint.motor.rotor_inertia != 0.0; })),
        of_(n_),
        kept_(n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      const bool is_single = !motor_row(robot, i);
      if (!is_single) require_plain(robot.joints[i]);
      sums_.emplace_back(robot_.joints[i], arm_.drives[i].friction, is_single);
    }
  }

  void add(const Cycle& block) {
    block.add_to(rows_);
    set_rows(block);
    Series bus(block.t.size());
    for (std::size_t i = 0; i < n_; ++i) {
      sums_[i].add(rows_, block, block.qd[i], of_[i]);
      for (std::size_t row = 0; row < bus.size(); ++row) {
        bus[row] += of_[i].torque[row] * of_[i].speed[row];
      }
    }
    const std::array powers = lost_powers(block);
    for (std::size_t row = 0; row < block.t.size(); ++row) {
      const double step = block.steps[row];
      friction_.add(step, powers[0][row]);
      contact_work_.add(step, powers[1][row]);
      gear_.add(step, powers[2][row]);
      add_row(block, row);
    }
    append(t_, block.t);
    append(steps_, block.steps);
    append(bus_, bus);
    if (!keeps_rows_) return;
    for (std::size_t i = 0; i < n_; ++i) {
      append(kept_[i].passed, of_[i].passed);
      append(kept_[i].speed, of_[i].speed);
      append(kept_[i].torque, of_[i].torque);
    }
  }

  [[nodiscard]] Sizing result() {
    Sizing found;
    found.duration = rows_.duration();
    end_run();
    for (std::size_t i = 0; i < n_; ++i) {
      found.drives.push_back(sums_[i].need(rows_, t_, steps_, bus_));
      found.supply.copper += found.drives[i].copper_energy;
      found.drives[i].motor_speeds = kept_[i].speed;
      found.drives[i].motor_torques = kept_[i].torque;
    }
    fill(found.supply, found.duration);
    found.bus = bus_;
    return found;
  }

  /// Sizes joint i in the cycle whose rows were kept, with another motor and gear.
  [[nodiscard]] DriveNeed with(const Cycle& cycle, std::size_t i, const Motor& motor,
                               const Gear& gear) const {
    Joint joint = robot_.joints[i];
    joint.motor = motor;
    joint.gear = gear;
    const Series& T = kept_[i].passed;
    DriveRows of{Series(T.size()), T, Series(T.size()), Series(T.size())};
    for (std::size_t row = 0; row < T.size(); ++row) {
      of.tau[row] = T[row] + motor_torque(motor, cycle.qd[i][row], cycle.qdd[i][row]);
      of.speed[row] = motor.gear_ratio * cycle.qd[i][row];
      const double before_gear =
          through_gear(motor.efficiency, T[row], cycle.qd[i][row], cycle.qdd[i][row]);
      of.torque[row] = (of.tau[row] + (before_gear - T[row])) / motor.gear_ratio;
    }
    MotionTally rows;
    cycle.add_to(rows);
    DriveSum sum(joint, arm_.drives[i].friction, true);
    sum.add(rows, cycle, cycle.qd[i], of);
    for (const auto& [start, before] : starts_) sum.set_out(start, i, before, 0.0);
    Series bus(T.size());
    return sum.need(rows, cycle.t, cycle.steps, bus);
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

  /// Sets the columns of all joints and motors.
  void set_rows(const Cycle& block) {
    const std::size_t rows = block.t.size();
    std::vector<Series> tau(n_, Series(rows));
    const std::vector<Column> q = places(block.q), qd = places(block.qd);
    const std::vector<Column> qdd = places(block.qdd), wrench = places(block.wrench);
    const MotionBlock motion{rows, q, qd, qdd, wrench};
    parts_.assign(6 * n_, Series(rows));
    dynamics_.torque(motion, places(tau));
    set_parts(motion);
    for (std::size_t i = 0; i < n_; ++i) {
      of_[i] = {std::move(tau[i]), Series(rows), Series(rows), Series(rows)};
      for (std::size_t row = 0; row < rows; ++row) {
        of_[i].passed[row] = of_[i].tau[row] - motor_torque(arm_.drives[i].motor, block.qd[i][row],
                                                            block.qdd[i][row]);  // (35.1)
      }
    }
    for (std::size_t j = 0; j < n_; ++j) {
      set_lost(block, j);
      for (std::size_t i = 0; i < n_; ++i) {  // (35.3)
        const double faster = side_.rate_factor(i, j), stronger = side_.torque_factor(i, j);
        if (faster == 0.0 && stronger == 0.0) continue;
        for (std::size_t row = 0; row < rows; ++row) {
          of_[i].speed[row] += faster * block.qd[j][row];
          of_[i].torque[row] += stronger * (of_[j].tau[row] + of_[j].lost[row]);
        }
      }
    }
  }

  /// Sets the parts of the torques that friction and the contact take; the others only beside a contact.
  void set_parts(const MotionBlock& motion) {
    if (!motion.wrench.empty()) return dynamics_.terms(motion, places(parts_));
    for (std::size_t row = 0; row < motion.rows; ++row) {
      const auto part = [&](std::size_t k) {
        return [this, k, row](std::size_t i) -> double& { return parts_[k * n_ + i][row]; };
      };
      drive_terms(arm_, InRow{motion.q, row}, InRow{motion.qd, row}, InRow{motion.qdd, row},
                  part(friction_part), part(rotor_part));
    }
  }

  /// Sets what the gear of a joint loses of the torque that it passes.
  void set_lost(const Cycle& block, std::size_t i) {
    DriveRows& of = of_[i];
    of.lost.assign(of.passed.size(), 0.0);
    const Efficiency& efficiency = robot_.joints[i].motor.efficiency;
    if (efficiency == Efficiency{}) return;
    for (std::size_t row = 0; row < of.lost.size(); ++row) {
      const double T = of.passed[row];
      of.lost[row] = through_gear(efficiency, T, block.qd[i][row], block.qdd[i][row]) - T;
    }
  }

  /// Powers by row that go to friction, to the contact and to the gears, W.
  [[nodiscard]] std::array<Series, 3> lost_powers(const Cycle& block) const {
    std::array<Series, 3> powers;
    for (Series& power : powers) power.resize(block.t.size());
    for (std::size_t i = 0; i < n_; ++i) {
      const std::array of{&parts_[friction_part * n_ + i], &parts_[wrench_part * n_ + i],
                          &of_[i].lost};
      for (std::size_t k = 0; k < of.size(); ++k) {
        for (std::size_t row = 0; row < block.t.size(); ++row) {
          powers[k][row] += (*of[k])[row] * block.qd[i][row];
        }
      }
    }
    return powers;
  }

  /// Adds what needs a row, and the one before it, of all joints.
  void add_row(const Cycle& block, std::size_t row) {
    here_.set(block, of_, row);
    if (block.steps[row] > 0.0) {
      look_for_start(here_.qd);
    } else {
      end_run();
      run_begin_ = here_;
    }
    add_inertias(here_.q);
    std::swap(before_, here_);
  }

  /// Looks whether joints set out in the row before.
  void look_for_start(const Series& next_qd) {
    if (arm_.row_drives.empty() && std::ranges::count(before_.qd, 0.0) == 0) return;
    const auto start =
        setting_out_.find({before_.q, before_.qd, before_.qdd}, before_.tau, next_qd);
    if (!start) return;
    for (std::size_t i = 0; i < n_; ++i) {
      double torque = 0.0;
      for (std::size_t j = 0; j < n_; ++j) torque += side_.torque_factor(i, j) * start->torque[j];
      sums_[i].set_out(*start, i, before_, torque);
    }
    if (keeps_rows_) starts_.emplace_back(*start, before_);
  }

  void add_inertias(const Series& q) {
    if (!has_rotors_) return;
    Series M(n_ * n_);
    inertia_.links_mass_matrix(q, M);
    for (std::size_t i = 0; i < n_; ++i) sums_[i].add_inertia(M[i * n_ + i]);
  }

  [[nodiscard]] double energy(const RowBefore& at) const {
    const Equations found = equations(arm_, at.q, at.qd);
    return found.kinetic + found.potential;
  }
  /// Adds the energy that the arm has gained since the last gap.
  void end_run() {
    if (before_.t > run_begin_.t) gained_ += energy(before_) - energy(run_begin_);
  }

  void fill(SupplyNeed& need, double duration) const {
    for (std::size_t row = 0; row < bus_.size(); ++row) {
      if (row == 0) need.power.t = need.returned_power.t = t_[0];
      if (bus_[row] > need.power.value) need.power = {bus_[row], t_[row]};
      if (-bus_[row] > need.returned_power.value) need.returned_power = {-bus_[row], t_[row]};
    }
    need.friction = friction_.sum;
    need.contact_work = contact_work_.sum;
    need.gear = gear_.sum;
    need.mechanical = gained_;
    exchange(need);
    need.mean_power = need.supplied / duration;
    need.mean_brake_power = need.brake / duration;
  }

  /// Sets the energies through capacitor, brake resistor and supply in repeated cycles.
  void exchange(SupplyNeed& need) const {
    constexpr int most_cycles = 10;  // since cycles that return more than they ask for begin full
    const double capacity = robot_.supply.capacitor.value_or(0.0);
    Integral asked_for;
    for (std::size_t row = 0; row < bus_.size(); ++row) asked_for.add(steps_[row], bus_[row]);
    double level = asked_for.sum < 0.0 ? capacity : 0.0;
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
        const double step = steps_[row], from = bus_[row - 1], to = bus_[row];
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

  static constexpr std::size_t friction_part = 3, rotor_part = 4,
                               wrench_part = 5;  // of TorqueTerms

  Robot robot_;
  Arm arm_;
  std::size_t n_;
  bool keeps_rows_, has_rotors_;
  MotorSide side_{robot_};
  BlockInverseDynamics dynamics_{arm_};
  ForwardDynamics inertia_{arm_, ForwardMethod::composite};
  SettingOut setting_out_{robot_};
  MotionTally rows_;
  std::vector<DriveSum> sums_;
  std::vector<DriveRows> of_, kept_;  // of the block, and of all rows
  std::vector<Series> parts_;         // of the block's torques
  std::vector<std::pair<SettingOut::Start, RowBefore>> starts_;
  RowBefore before_, here_, run_begin_;
  Integral friction_, contact_work_, gear_;
  double gained_ = 0.0;
  Series t_, steps_, bus_;  // W, of all motors
};

}  // namespace

double through_gear(const Efficiency& efficiency, double torque, double qd, double qdd) {
  const double sense = torque * (qd == 0.0 ? qdd : qd);
  if (sense > 0.0) return torque / efficiency.driving;
  return sense < 0.0 ? torque * efficiency.back_driving : torque;
}

void Cycle::append(const Cycle& more, std::size_t from, std::size_t end) {
  const auto add = [from, end](Series& to, const Series& rows) {
    const auto shown = std::span(rows).first(std::min(end, rows.size())).subspan(from);
    to.insert(to.end(), shown.begin(), shown.end());
  };
  for (const auto columns : {&Cycle::q, &Cycle::qd, &Cycle::qdd, &Cycle::wrench}) {
    (this->*columns).resize((more.*columns).size());
    for (std::size_t i = 0; i < (more.*columns).size(); ++i) {
      add((this->*columns)[i], (more.*columns)[i]);
    }
  }
  add(t, more.t);
  add(steps, more.steps);
}

void Cycle::add_to(MotionTally& rows) const {
  rows.next(t.size(), t, where(t.size(), [this](std::size_t row) { return steps[row] == 0.0; }));
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
    throw InputError(
        fmt::format("--hold: {} moves at the end, qd = {:.6g}; expected a motion that ends at rest",
                    robot.joints[i].name, qd[i].back()));
  }
  constexpr int rows = 128;  // closer at first, where temperatures fall fast
  const double end = t.back();
  for (int k = 0; k <= rows; ++k) {
    for (Series& column : q) column.push_back(column.back());
    for (auto* const columns : {&qd, &qdd, &wrench}) {
      for (Series& column : *columns) column.push_back(0.0);
    }
    t.push_back(end + seconds * square(static_cast<double>(k) / rows));
    steps.push_back(t.back() - *(t.end() - 2));
  }
}

CycleSizer cycle_sizer(const Robot& robot, bool keeps_rows) {
  const auto sizer = std::make_shared<Sizer>(robot, keeps_rows);
  return {[sizer](const Cycle& block) { sizer->add(block); }, [sizer] { return sizer->result(); }};
}

DriveTrial drive_trial(const Robot& robot, const Cycle& cycle) {
  const auto sizer = std::make_shared<Sizer>(robot, true);
  sizer->add(cycle);
  return [sizer, &cycle](std::size_t joint, const Motor& motor, const Gear& gear) {
    return sizer->with(cycle, joint, motor, gear);
  };
}

Sizing size(const Robot& robot, const Cycle& cycle) {
  const CycleSizer sizer = cycle_sizer(robot, false);
  sizer.add(cycle);
  return sizer.result();
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
  } else if (need.thermal) {  // thermal runaway fails at any rating
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
      whole_ = joined(whole_, step(row, lengths[row]));
      duration_ += lengths[row];
    }
  }

  [[nodiscard]] std::optional<SteadyTemperatures> steady() const {
    const double determinant = whole_(0, 0) * whole_(1, 1) - whole_(1, 0) * whole_(0, 1);
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
  [[nodiscard]] double time_to(double limit) {
    constexpr std::size_t most = 60;  // doublings
    for (std::size_t row = 1; row < t_.size(); ++row) steps_.push_back(step(row, lengths_[row]));
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
      x += (steps_.empty() ? step(row, lengths_[row]) : steps_[row - 1]) * before;
      look(row, before, x);
    }
  }
  [[nodiscard]] double peak(const Warmth& from) const {
    double peak = from[0];
    go(from, [&](std::size_t, const Warmth&, const Warmth& x) {
      if (!(x[0] <= peak)) peak = x[0];  // no number in a thermal runaway
    });
    return peak;
  }

  const MotorThermal& thermal_;
  double duration_ = 0.0;
  std::span<const double> losses_, t_, lengths_;
  std::vector<Warming> steps_;  // if they are needed often
  Warming whole_ = Warming::Zero();
};

}  // namespace

bool is_complete(const MotorThermal& thermal) {
  return thermal.winding_to_housing && thermal.housing_to_ambient && thermal.winding_capacity &&
         thermal.housing_capacity;
}

ThermalNeed thermal_need(const MotorThermal& thermal, std::span<const double> losses,
                         std::span<const double> t, std::span<const double> steps) {
  ThermalCycle cycle(thermal, losses, t, steps);
  ThermalNeed need{cycle.steady(), {}};
  if (!thermal.max_winding) return need;
  if (!need.steady || need.steady->hottest.value > *thermal.max_winding) {
    need.time_to_limit = cycle.time_to(*thermal.max_winding - thermal.ambient);
  }
  return need;
}

}  // namespace armdyn
