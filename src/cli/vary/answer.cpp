#include "cli/vary/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/text/number_text.hpp"
#include "math/statistics.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

constexpr std::array quantiles{0.5, 0.95, 0.99};

Value percent(double share) {
  return {share, fmt::format("{:.3g} %", 100.0 * share)};
}

/// With 95 % confidence; one end may be unknown.
Value confidence(const std::optional<double>& lower, const std::optional<double>& upper) {
  const Value from = Value::number(lower), to = Value::number(upper);
  return {Json::list(from.exact, to.exact), from.brief + " to " + to.brief};
}

}  // namespace

VarySummary::VarySummary(const Robot& robot, const HeldMotion& motion)
    : robot_(robot),
      motion_(motion),
      nominal_(torque_need(robot, motion)),
      scales_(peak_scales(robot, nominal_)),
      limits_torque_(has_any_torque_limit(robot)),
      broken_joints_(robot.dof()),
      broken_motors_(nominal_.motors.size()),
      peaks_(robot.dof()),
      rms_(robot.dof()) {}

void VarySummary::add(std::span<const std::vector<double>> rows) {
  const std::size_t n = robot_.dof(), count = rows.front().size();
  const auto peak = rows.subspan(3, n), rms = rows.subspan(3 + n, n);
  for (std::size_t i = 0; i < n; ++i) {
    peaks_[i].insert(peaks_[i].end(), peak[i].begin(), peak[i].end());
    rms_[i].insert(rms_[i].end(), rms[i].begin(), rms[i].end());
  }
  for (std::size_t row = 0; row < count; ++row) {
    const double share = rows[2][row];
    if (share > worst_share_) {
      worst_share_ = share;
      worst_ = static_cast<std::uint64_t>(rows[0][row]);
    }
    if (rows[1][row] > 0.0) ++moved_;
    if (limits_torque_ && share > 1.0) ++broken_;
    for (std::size_t i = 0; i < n; ++i) {
      const std::optional<double>& limit = robot_.joints[i].limits.torque;
      if (limit && peak[i][row] > *limit) ++broken_joints_[i];
    }
    for (std::size_t m = 0; m < broken_motors_.size(); ++m) {
      MotorReach motor = nominal_.motors[m];
      motor.peak.value = rows[3 + 2 * n + motor.limit.motor][row];
      if (motor.exceeds_limit()) ++broken_motors_[m];
    }
  }
  samples_ += count;
}

Fields VarySummary::head() const {
  const Value moments =
      motion_.t.empty() ? Value{} : Value::moments(motion_.t.front(), motion_.t.back());
  return {words(robot_.name + ": "),
          {"samples", "{}", Value::count(samples_, "arm")},
          {"rows", ", each on {}", Value::count(motion_.rows, "row")},
          {"t", ", t = {} s", moments},
          {"moved",
           label_if(moved_ > 0,
                    "; in {} a drawn inertia was impossible for a rigid body and was corrected"),
           Value::count(moved_)},
          {"rms_over", for_programs, Value::word(motion_.is_over_time() ? "time" : "rows")}};
}

std::vector<Fields> VarySummary::joints(std::vector<std::vector<double>>& values,
                                        const std::vector<double>& nominal, bool are_peaks) {
  const bool limits = are_peaks && has_torque_limit(robot_);
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<double>& sorted = values[i];
    std::ranges::sort(sorted);
    const auto at = [&](std::optional<std::uint64_t> rank) {
      return rank && !sorted.empty() ? std::optional(sorted[*rank - 1]) : std::nullopt;
    };
    const Joint& joint = robot_.joints[i];
    Fields& row = rows.emplace_back(
        Fields{{"name", are_peaks ? "peak |τ| of" : "RMS of τ of", Value::word(joint.name)},
               {"nominal", "nominal", Value::number(nominal[i])}});
    for (const double p : quantiles) {
      const QuantileRanks ranks = quantile_ranks(sorted.size(), p);
      const std::string share = fmt::format("{:.0f}", 100 * p);
      row.push_back({"q" + share, share + " %", Value::number(at(ranks.estimate))});
      row.push_back({"q" + share + "_confidence", "confidence",
                     confidence(at(ranks.lower), at(ranks.upper))});
    }
    row.push_back({"largest", "largest", Value::number(at(sorted.size()))});
    row.push_back({"unit", "", Value::word(torque_unit(joint))});
    if (!are_peaks) continue;
    row.push_back({"limit", label_if(limits, "limit"), Value::number(joint.limits.torque)});
    row.push_back({"broken", label_if(limits, "arms beyond"), Value::count(broken_joints_[i])});
  }
  return rows;
}

Fields VarySummary::limits() const {
  const auto [lower, upper] = share_interval(broken_, samples_);
  return {{"count", "{} exceed a torque limit", Value::count(broken_, "arm")},
          {"share", ", {}", percent(static_cast<double>(broken_) / static_cast<double>(samples_))},
          {"confidence",
           " (95 % confidence: {})",
           {Json::list(lower, upper), percent(lower).brief + " to " + percent(upper).brief}}};
}

FieldTable VarySummary::motors() const {
  FieldTable table;
  for (std::size_t m = 0; m < broken_motors_.size(); ++m) {
    const auto& [limit, peak] = nominal_.motors[m];
    table.rows.push_back({{"name", "peak |τ|", Value::word(motor_name(robot_, limit.motor))},
                          {"nominal", "nominal", Value::number(peak.value)},
                          {"unit", "", Value::word(motor_unit(limit.kind))},
                          {"limit", "limit", Value::number(limit.most)},
                          {"broken", "arms beyond", Value::count(broken_motors_[m])}});
  }
  return table;
}

Fields VarySummary::worst(const WorstArm& arm) const {
  const std::size_t n = robot_.dof();
  const std::string where = arm.where < n
                                ? robot_.joints[arm.where].name
                                : motor_name(robot_, nominal_.motors[arm.where - n].limit.motor);
  return {{"sample", "the worst is sample {}", Value::count(worst_)},
          {"share", limits_torque_ ? ": {} of the torque limit" : ": {} of the nominal peak",
           percent(worst_share_)},
          {"where", " of {}", Value::word(where)}};
}

Sections VarySummary::sections(const WorstArm& arm) {
  Sections found{{"", head()}};
  if (samples_ == 0) return found;
  found.push_back({"peak", FieldTable{joints(peaks_, nominal_.peak, true)}});
  found.push_back({"rms", FieldTable{joints(rms_, nominal_.rms, false)}});
  if (!broken_motors_.empty()) found.push_back({"motors", motors()});
  if (limits_torque_) found.push_back({"broken", limits()});
  found.push_back({"worst", worst(arm)});
  constexpr std::size_t most = 8;
  FieldTable causes;
  for (const auto& [name, of_excess] : arm.causes) {
    if (causes.rows.size() == most || !(of_excess > 0.0)) break;
    causes.rows.push_back({{"name", "what makes it the worst", Value::word(name)},
                           {"of_excess", "of the excess, by itself", percent(of_excess)}});
  }
  if (!causes.rows.empty()) found.push_back({"causes", causes});
  return found;
}

std::vector<std::string> VarySummary::remarks() const {
  std::vector<std::string> remarks;
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    const std::optional<double>& limit = robot_.joints[i].limits.torque;
    if (!limit || !(nominal_.peak[i] > *limit)) continue;
    remarks.push_back(exceeds_limit(robot_.joints[i].name, "|τ|", nominal_.peak[i], *limit,
                                    torque_unit(robot_.joints[i]),
                                    "its worst row for the arm of the file"));
  }
  for (const MotorReach& motor : nominal_.motors) {
    if (!motor.exceeds_limit()) continue;
    remarks.push_back(
        exceeds_limit(robot_, motor, fmt::format("row {} for the arm of the file", motor.peak.t)));
  }
  return remarks;
}

}  // namespace armdyn
