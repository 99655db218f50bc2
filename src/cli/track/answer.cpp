#include "cli/track/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "io/text/number_text.hpp"
#include "model/motors.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

// What joints that turn back under friction do not do.
constexpr double far_off = 0.01;      // rad, m
constexpr double long_at_rest = 0.1;  // s

/// The torque that friction holds of a joint at rest which is to move as `toward` says.
double holds(const Robot& robot, std::size_t i, double q, double toward) {
  const Joint& joint = robot.joints[i];
  const TwoSided band = find_coupling(robot, i) != nullptr
                            ? widest_breakaway(robot, i)
                            : breakaway_torque({joint.friction, joint.motor}, q);
  return toward > 0.0 ? band.positive : band.negative;
}

}  // namespace

TrackSummary::TrackSummary(const Robot& robot)
    : robot_(robot), dynamics_(normalise(robot)), records_(robot.dof()), cut_(robot.dof()) {
  for (MotorLimit& limit : motor_limits(robot, MotorLimit::Kind::torque)) {
    motors_.push_back({std::move(limit)});
  }
}

void TrackSummary::add(const SimulationRow& row, std::span<const double> e) {
  if (rows_ == 0) begin_ = row.t;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    JointRecord& record = records_[i];
    record.error.raise(std::abs(e[i]), row.t);
    record.torque.raise(std::abs(row.tau[i]), row.t);
    if (rows_ > 0) {
      const double before = record.last_error;
      record.squares += (row.t - end_) * (before * before + before * e[i] + e[i] * e[i]) / 3.0;
    }
    record.last_error = e[i];
  }
  for (auto& [limit, peak] : motors_) peak.raise(std::abs(limit.of_motor(row.tau)), row.t);
  look_for_sticking(row, e);
  end_ = row.t;
  ++rows_;
}

void TrackSummary::look_for_sticking(const SimulationRow& row, std::span<const double> e) {
  std::vector<double> needed;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    JointRecord& record = records_[i];
    if (rows_ == 0 || row.qd[i] != 0.0 || row.qdd[i] != 0.0) record.moved = row.t;
    if (row.t < record.moved + long_at_rest ||
        std::abs(e[i]) <= std::max(far_off, record.stuck.value))
      continue;
    const double held = holds(robot_, i, row.q[i], e[i]);
    if (held == 0.0) continue;
    if (needed.empty()) {
      needed.resize(records_.size());
      dynamics_.torque({row.q, row.qd, row.qdd}, {}, needed);  // without dry friction at rest
    }
    record.stuck.raise(std::abs(e[i]), row.t);
    record.held = held;
    record.missing = held - std::copysign(1.0, e[i]) * (row.tau[i] - needed[i]);
  }
}

double TrackSummary::rms(const JointRecord& record) const {
  return end_ > begin_ ? std::sqrt(record.squares / (end_ - begin_)) : std::abs(record.last_error);
}

std::vector<Fields> TrackSummary::joints() const {
  const bool limits = has_torque_limit(robot_);
  const bool cuts = std::ranges::any_of(cut_, [](std::uint64_t times) { return times > 0; });
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Extreme &error = record.error, &torque = record.torque;
    const Joint& joint = robot_.joints[i];
    const std::optional<double>& limit = joint.limits.torque;
    rows.push_back({{"name", "joint", Value::word(joint.name)},
                    {"peak_error", "peak |e|", Value::number(error.value)},
                    {for_people, "", Value::word(position_unit(joint))},
                    {"peak_error_time", "at t [s]", Value::moment(error.t)},
                    {"rms_error", "RMS", Value::number(rms(record))},
                    {"last_error", "last", Value::number(record.last_error)},
                    {"peak_torque", "peak |τ|", Value::number(torque.value)},
                    {"torque_unit", "", Value::word(torque_unit(joint))},
                    {"peak_torque_time", "at t [s]", Value::moment(torque.t)},
                    {"torque_limit", label_if(limits, "limit"), Value::number(limit)},
                    {for_people, label_if(limits, "share"), Value::share(torque.value, limit)},
                    {"cut", label_if(cuts, "times cut"), Value::count(cut_[i])}});
  }
  return rows;
}

Sections TrackSummary::sections() const {
  Sections found{{"joints", FieldTable{joints()}}};
  if (!motors_.empty()) found.push_back({"motors", motor_table(robot_, motors_, true)});
  return found;
}

std::vector<std::string> TrackSummary::too_far(const std::vector<double>& allowed) const {
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    const auto& [value, t] = records_[i].error;
    if (value <= allowed[i]) continue;
    broken.push_back(fmt::format("{}: |e| reaches {:.4g} {} at {}, --max-error allows {:.4g} {}",
                                 robot_.joints[i].name, value, position_unit(robot_.joints[i]),
                                 time_text(t), allowed[i], position_unit(robot_.joints[i])));
  }
  return broken;
}

std::vector<std::string> TrackSummary::remarks(const std::string& if_it_sticks) const {
  constexpr const char* saturate = "; --saturate cuts it";
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    if (record.stuck.value == 0.0) continue;
    const char* const unit = torque_unit(robot_.joints[i]);
    remarks.push_back(fmt::format(
        "{} sticks {} {} off the motion at {}: of the {} {} that friction holds at rest, {} {} are "
        "missing",
        robot_.joints[i].name, short_number(record.stuck.value), position_unit(robot_.joints[i]),
        time_text(record.stuck.t), short_number(record.held), unit, short_number(record.missing),
        unit));
  }
  if (!remarks.empty()) remarks.back() += if_it_sticks;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Joint& joint = robot_.joints[i];
    const Extreme& torque = records_[i].torque;
    if (!joint.limits.torque || torque.value <= *joint.limits.torque) continue;
    remarks.push_back(exceeds_limit(joint.name, "|τ|", torque.value, *joint.limits.torque,
                                    torque_unit(joint), time_text(torque.t)) +
                      saturate);
  }
  for (const MotorReach& motor : motors_) {
    if (!motor.exceeds_limit()) continue;
    remarks.push_back(exceeds_limit(robot_, motor, time_text(motor.peak.t)) + saturate);
  }
  return remarks;
}

}  // namespace armdyn
