#include "cli/track/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/limit_words.hpp"
#include "report/text_table.hpp"

namespace armdyn {

TrackSummary::TrackSummary(const Robot& robot)
    : robot_(robot), records_(robot.dof()), cut_(robot.dof()) {}

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
  end_ = row.t;
  ++rows_;
}

double TrackSummary::rms(const JointRecord& record) const {
  return end_ > begin_ ? std::sqrt(record.squares / (end_ - begin_)) : std::abs(record.last_error);
}

std::string TrackSummary::text() const {
  const bool limits =
      std::any_of(robot_.joints.begin(), robot_.joints.end(),
                  [](const Joint& joint) { return joint.limits.torque.has_value(); });
  const bool cuts = std::any_of(cut_.begin(), cut_.end(), [](std::uint64_t n) { return n > 0; });
  std::vector<std::vector<std::string>> rows{
      {"joint", "peak |e|", "", "at t [s]", "RMS", "last", "peak |τ|", "", "at t [s]"}};
  if (limits) rows[0].insert(rows[0].end(), {"limit", "share"});
  if (cuts) rows[0].emplace_back("times cut");
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Joint& joint = robot_.joints[i];
    std::vector<std::string> row{joint.name,
                                 short_number(record.error.value),
                                 position_unit(joint),
                                 fmt::format("{:.6g}", record.error.t),
                                 short_number(rms(record)),
                                 short_number(record.last_error),
                                 short_number(record.torque.value),
                                 torque_unit(joint),
                                 fmt::format("{:.6g}", record.torque.t)};
    if (limits) {
      const std::optional<double>& limit = joint.limits.torque;
      row.push_back(limit ? short_number(*limit) : "-");
      row.push_back(limit ? fmt::format("{:.0f} %", 100.0 * record.torque.value / *limit) : "-");
    }
    if (cuts) row.push_back(fmt::format("{}", cut_[i]));
    rows.push_back(row);
  }
  return text_table(rows);
}

nlohmann::json TrackSummary::json() const {
  nlohmann::json joints = nlohmann::json::array();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Joint& joint = robot_.joints[i];
    nlohmann::json entry{{"peak_error", record.error.value},
                         {"peak_error_time", record.error.t},
                         {"rms_error", rms(record)},
                         {"last_error", record.last_error},
                         {"torque_unit", torque_unit(joint)},
                         {"peak_torque", record.torque.value},
                         {"peak_torque_time", record.torque.t},
                         {"cut", cut_[i]}};
    if (joint.limits.torque) entry["torque_limit"] = *joint.limits.torque;
    joints.push_back(entry);
  }
  return {{"joints", joints}};
}

std::vector<std::string> TrackSummary::remarks() const {
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Joint& joint = robot_.joints[i];
    const Extreme& torque = records_[i].torque;
    if (!joint.limits.torque || torque.value <= *joint.limits.torque) continue;
    remarks.push_back(exceeds_limit(joint, "|τ|", torque.value, *joint.limits.torque,
                                    torque_unit(joint), fmt::format("t = {:.6g} s", torque.t)) +
                      "; --saturate cuts it");
  }
  return remarks;
}

}  // namespace armdyn
