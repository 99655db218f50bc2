#include "cli/track/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

TrackSummary::TrackSummary(const Robot& robot)
    : robot_(robot), records_(robot.dof()), cut_(robot.dof()) {
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
  end_ = row.t;
  ++rows_;
}

double TrackSummary::rms(const JointRecord& record) const {
  return end_ > begin_ ? std::sqrt(record.squares / (end_ - begin_)) : std::abs(record.last_error);
}

std::vector<Fields> TrackSummary::joints() const {
  const bool limits = has_torque_limit(robot_);
  const bool cuts = std::ranges::any_of(cut_, [](std::uint64_t times) { return times > 0; });
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const auto& [error, torque, last_error, squares] = records_[i];
    const Joint& joint = robot_.joints[i];
    const std::optional<double>& limit = joint.limits.torque;
    rows.push_back({{"name", "joint", Value::word(joint.name)},
                    {"peak_error", "peak |e|", Value::number(error.value)},
                    {for_people, "", Value::word(position_unit(joint))},
                    {"peak_error_time", "at t [s]", Value::moment(error.t)},
                    {"rms_error", "RMS", Value::number(rms(records_[i]))},
                    {"last_error", "last", Value::number(last_error)},
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

std::vector<std::string> TrackSummary::remarks() const {
  constexpr const char* saturate = "; --saturate cuts it";
  std::vector<std::string> remarks;
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
