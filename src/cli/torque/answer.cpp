#include "cli/torque/answer.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/each.hpp"
#include "math/statistics.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr const char* to_set_out = "breakaway |τ|";
constexpr double rounding = 1e-9;  // share of the torque, below which a residual is none

/// Powers and energies of torques near the largest number may be beyond it.
Value if_finite(double value) {
  return std::isfinite(value) ? Value::number(value) : Value{};
}

Value correlation(const Correlation& found) {
  const std::optional<double> value = found.value();
  return value ? Value{*value, fmt::format("{:.3f}", *value)} : Value{};
}

Value fit_value(const std::optional<FrictionFit::Result>& fit) {
  if (!fit) return {};
  Json data{{"rms_left", fit->rms_left},
            {"qd_noise", fit->speed_noise},
            {"attenuation", fit->attenuation}};
  for (std::size_t k = 0; k < FrictionFit::terms; ++k) {
    data[FrictionFit::names[k]] = fit->values[k];
    data[std::string(FrictionFit::names[k]) + "_error"] = fit->errors[k];
  }
  return Value::data(data);
}

/// Explains terms of a fit that are no larger than their errors.
std::string doubts(const FrictionFit::Result& fit) {
  constexpr std::array<const char*, FrictionFit::terms> called{"the offset", "dry friction",
                                                               "viscous friction"};
  constexpr double hardly_apart = 0.9;  // correlation of two estimates
  std::string text;
  std::optional<std::size_t> named;  // with another that comes later
  for (std::size_t k = 0; k < FrictionFit::terms; ++k) {
    if (fit.errors[k] < std::abs(fit.values[k]) || named == k) continue;
    std::size_t other = k == 0 ? 1 : 0;
    for (std::size_t m = 0; m < FrictionFit::terms; ++m) {
      const bool is_closer =
          std::abs(fit.correlations[k][m]) > std::abs(fit.correlations[k][other]);
      if (m != k && is_closer) other = m;
    }
    if (std::abs(fit.correlations[k][other]) > hardly_apart) {
      text += fmt::format("; {} and {} cannot be separated by this motion",
                          called[std::min(k, other)], called[std::max(k, other)]);
      named = other;
    } else {
      text += fmt::format("; {} does not differ significantly from 0", called[k]);
    }
  }
  return text;
}

/// States the bias by noise in qd, where it exceeds the uncertainty of the fit.
std::string effect_of_noise(const FrictionFit::Result& fit, const Joint& joint) {
  constexpr double much = 0.5, little = 0.01;
  if (fit.attenuation > much) {
    return "; qd changes from row to row nearly as much as over all rows: if that is noise, the "
           "viscous friction is uncertain";
  }
  const double hidden = fit.attenuation * std::abs(fit.values[2]);
  if (fit.attenuation < little || hidden < fit.errors[2] / 2.0) return {};
  return fmt::format("; noise in qd, about {}, makes the viscous friction about {:.0f} % too small",
                     with_unit(fit.speed_noise, speed_unit(joint), 2), 100.0 * fit.attenuation);
}

/// An offset that is nothing but the rounding of the torque is 0.
std::optional<FrictionFit::Result> solved(const FrictionFit& friction, double torque_rms) {
  std::optional<FrictionFit::Result> fit = friction.solve();
  if (fit && std::abs(fit->values[0]) <= rounding * torque_rms) fit->values[0] = 0.0;
  return fit;
}

}  // namespace

void TorqueResidual::add(const TorqueColumns& block, const Joint& joint,
                         std::span<const FrictionContact> contacts, std::size_t number,
                         const std::vector<bool>& at_rest, const MotionTally& tally) {
  const auto qd = block.qd[number], tau = block.tau[number], measured = block.measured[number];
  const TimeWeights& weights = tally.weights();
  fit_.add(last_velocity_, tally_.last, weights.of_last);
  TwoSided held = widest_breakaway(contacts, number);
  const bool ripples = joint.friction.ripple.amplitude > 0.0;
  std::vector<double> residuals;
  residuals.reserve(block.rows);
  for (std::size_t row = 0; row < block.rows; ++row) {
    double residual = measured[row] - tau[row];
    if (at_rest[row] && ripples) held = breakaway_torque(contacts, number, block.q[number][row]);
    if (at_rest[row]) residual = beyond_static_friction(residual, held);
    if (!std::isfinite(residual)) {
      throw NotFinite(
          fmt::format("measured minus computed torque of {} is not a finite number: the "
                      "torques, {:.6g} and {:.6g}, are too large",
                      joint.name, measured[row], tau[row]),
          row);
    }
    residuals.push_back(residual);
    correlation_.add(measured[row], at_rest[row] ? measured[row] - residual : tau[row]);
    fit_.add(qd[row], residual, tally.has_time() ? weights.of_rows[row] : 1.0);
  }
  tally.add(tally_, residuals);
  last_velocity_ = qd.back();
}

Fields TorqueResidual::fields(double torque_rms, const MotionTally& tally) const {
  return {{"residual_rms", "residual RMS", Value::number(tally.rms(tally_))},
          {"residual_peak", "peak", Value::number(tally_.peak.value)},
          {"correlation", "correlation", correlation(correlation_)},
          {"residual_fit", for_programs, fit_value(solved(fit_, torque_rms))}};
}

/// Fit of dry and viscous friction to a joint's residual, where both are at least 0 together with
/// the robot's own: one that is negative within its error is left out; where one is plainly so, the
/// residual is no friction.
std::optional<FrictionFit::Result> TorqueResidual::friction(const Joint& joint, double most_speed,
                                                            double torque_rms) const {
  constexpr double chance = 2.0;  // standard errors
  const Drive drive{joint.friction, joint.motor};
  const auto own = [&](double v) {
    return 0.5 * (loss_torque(drive, 0.0, v, 1) - loss_torque(drive, 0.0, -v, -1));
  };
  const std::array<double, FrictionFit::terms> least{
      0.0, -own(0.0), most_speed > 0.0 ? (own(0.0) - own(most_speed)) / most_speed : 0.0};
  FrictionFit friction = fit_;
  auto fit = solved(friction, torque_rms);
  for (std::size_t term = 1; fit && term < FrictionFit::terms; ++term) {
    if (fit->values[term] >= least[term]) continue;
    if (fit->values[term] < least[term] - chance * fit->errors[term]) return std::nullopt;
    friction = friction.without(term);
    fit = solved(friction, torque_rms);
  }
  if (!fit || fit->values[1] < least[1] || (fit->values[1] == 0.0 && fit->values[2] == 0.0)) {
    return std::nullopt;
  }
  return fit;
}

std::optional<std::string> TorqueResidual::hint(const Joint& joint, const DriveTally& drive,
                                                const MotionTally& tally) const {
  constexpr double good_part = 0.8;  // of the RMS may be left
  const double torque_rms = tally.rms(drive.torque);
  if (tally.rms(tally_) <= rounding * torque_rms) return std::nullopt;
  const auto fit = friction(joint, drive.speed.value, torque_rms);
  if (!fit || fit->rms_left > good_part * fit->rms) return std::nullopt;
  std::string terms = short_number(fit->values[0]), errors = fmt::format("{:.2g}", fit->errors[0]);
  for (const auto& [term, factor] :
       {std::pair<std::size_t, const char*>{1, "sign(qd)"}, {2, "qd"}}) {
    if (fit->values[term] == 0.0) continue;
    terms += fmt::format(" {:+.3g} {}", fit->values[term], factor);
    errors += fmt::format("{}{:.2g}", term == 1 && fit->values[2] != 0.0 ? ", " : " and ",
                          fit->errors[term]);
  }
  return fmt::format(
      "hint: {}: measured − computed is about {}, with standard errors {}; residual RMS {} {}{}{}",
      joint.name, terms, errors, short_number(fit->rms_left), torque_unit(joint), doubts(*fit),
      effect_of_noise(*fit, joint));
}

TorqueSummary::TorqueSummary(const Robot& robot)
    : robot_(robot),
      contacts_(friction_contacts(normalize(robot))),
      is_dry_(has_dry_friction(normalize(robot))),
      records_(robot.dof()),
      rows_(reaches_of(row_limits(robot))),
      starting_rows_(rows_) {
  if (is_dry_ && has_any_torque_limit(robot)) setting_out_.emplace(robot);
}

void TorqueSummary::add(const TorqueColumns& block) {
  if (block.rows == 0) return;
  tally_.next(block.rows, block.t, block.breaks);
  has_measured_ = !block.measured.empty();
  for (std::size_t joint = 0; joint < records_.size(); ++joint) add(block, joint);
  for (RowReach& reach : rows_) add(block, reach);
  if (setting_out_ && tally_.has_time()) add_starts(block);
}

/// Looks at each row and the one before, where something may stand still.
void TorqueSummary::add_starts(const TorqueColumns& block) {
  const auto at = [](const std::vector<std::span<const double>>& columns, std::size_t row) {
    return each(columns, [row](std::span<const double> column) { return column[row]; });
  };
  const auto row_at = [&](std::size_t row) {
    return Row{at(block.q, row), at(block.qd, row), at(block.qdd, row), at(block.tau, row),
               block.t[row]};
  };
  const auto may_stand = [&](std::size_t row) {
    return !std::ranges::all_of(contacts_, &FrictionContact::is_joint) ||
           std::ranges::any_of(block.qd, [row](const auto& column) { return column[row] == 0.0; });
  };
  for (std::size_t row = 0; row < block.rows; ++row) {
    if (std::ranges::binary_search(block.breaks, row)) continue;
    if (row == 0 && last_row_) add_start(*last_row_, at(block.qd, row));
    if (row > 0 && may_stand(row - 1)) add_start(row_at(row - 1), at(block.qd, row));
  }
  last_row_ = row_at(block.rows - 1);
}

void TorqueSummary::add_start(const Row& row, std::span<const double> next_qd) {
  const auto start = setting_out_->find({row.q, row.qd, row.qdd}, row.tau, next_qd);
  if (!start) return;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (start->has_part[i]) records_[i].set_out.raise(std::abs(start->torque[i]), row.t);
  }
  for (RowReach& motor : starting_rows_) {
    const bool is_torque = motor.limit.kind == RowLimit::Kind::torque;
    if (!is_torque || start->directions[motor.limit.joint] == 0) continue;
    motor.peak.raise(std::abs(motor.limit.of_row(start->torque)), row.t);
  }
}

void TorqueSummary::add(const TorqueColumns& block, RowReach& reach) const {
  const std::array all{&block.q, &block.qd, &block.qdd, &block.tau};
  const auto columns = places(*all[static_cast<std::size_t>(reach.limit.kind)]);
  for (std::size_t row = 0; row < block.rows; ++row) {
    reach.peak.raise(std::abs(reach.limit.of_row(InRow{columns, row})), tally_.place(row));
  }
}

void TorqueSummary::add(const TorqueColumns& block, std::size_t joint) {
  JointRecord& record = records_[joint];
  const Limits& limits = robot_.joints[joint].limits;
  const auto q = block.q[joint];
  tally_.add(record.drive, block.tau[joint], block.qd[joint]);
  if (limits.acceleration) record.acceleration.raise(block.qdd[joint], tally_.places());
  record.rows_at_rest += find_rest(block, joint);
  if (const std::optional<Range>& range = limits.position) {
    const auto [least, greatest] = bounds_of(q);
    record.below.raise(
        block.rows, range->lower - least, [&](std::size_t row) { return range->lower - q[row]; },
        tally_.places());
    record.above.raise(
        block.rows, greatest - range->upper, [&](std::size_t row) { return q[row] - range->upper; },
        tally_.places());
  }
  if (has_measured_) {
    record.residual.add(block, robot_.joints[joint], contacts_, joint, at_rest_, tally_);
  }
}

/// Counts rows at rest; notes which they are where there is something measured.
std::size_t TorqueSummary::find_rest(const TorqueColumns& block, std::size_t joint) {
  if (!has_measured_ && contacts_[joint].is_joint) {
    return static_cast<std::size_t>(std::ranges::count(block.qd[joint], 0.0));
  }
  const std::vector<const double*> qd = places(block.qd);
  at_rest_.resize(block.rows);
  for (std::size_t row = 0; row < block.rows; ++row) {
    at_rest_[row] = contacts_[joint].rate(InRow{qd, row}) == 0.0;
  }
  return static_cast<std::size_t>(std::ranges::count(at_rest_, true));
}

std::string TorqueSummary::place(double at) const {
  return tally_.has_time() ? time_text(at) : fmt::format("row {}", at);
}

Fields TorqueSummary::head() const {
  Fields head = rows_head(robot_, tally_.rows(), moments(tally_));
  head.push_back({"rms_over", for_programs, Value::word(tally_.is_over_time() ? "time" : "rows")});
  return head;
}

std::vector<Fields> TorqueSummary::joints() const {
  const bool limits = has_limit(robot_, &Limits::torque);
  const bool dry = is_dry_;
  const bool has_time = tally_.has_time(), is_over_time = tally_.is_over_time();
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const auto& [torque, speed, power] = record.drive;
    const Joint& joint = robot_.joints[i];
    const std::optional<double>& limit = joint.limits.torque;
    const TwoSided band = widest_breakaway(contacts_, i);
    Fields& row = rows.emplace_back(
        Fields{{"name", "joint", Value::word(joint.name)},
               {"peak", "peak |τ|", Value::number(torque.peak.value)},
               {"unit", "", Value::word(torque_unit(joint))},
               {has_time ? "peak_time" : "peak_row", has_time ? "at t [s]" : "at row",
                Value::moment(torque.peak.t)},
               {"rms", is_over_time ? "RMS over time" : "RMS over rows",
                Value::number(tally_.rms(torque))},
               {"limit", label_if(limits, "limit"), Value::number(limit)},
               {"share", label_if(limits, "of limit"), Value::share(torque.peak.value, limit)},
               {"held_at_rest", label_if(dry, "static friction"),
                Value::range(-band.negative, band.positive)}});
    row.push_back({"share_at_rest", for_programs, share_at_rest(record)});
    row.push_back({"peak_power", "peak power [W]", if_finite(power.peak.value)});
    row.push_back({has_time ? "peak_power_time" : "peak_power_row", for_programs,
                   Value::moment(power.peak.t)});
    if (is_over_time) {
      row.push_back({"energy_driven", for_programs, if_finite(power.driven)});
      row.push_back({"energy_braked", for_programs, if_finite(power.braked)});
    }
    if (has_measured_) append(row, record.residual.fields(tally_.rms(torque), tally_));
  }
  return rows;
}

std::vector<double> TorqueSummary::rms() const {
  return each(records_,
              [this](const JointRecord& record) { return tally_.rms(record.drive.torque); });
}

Sections TorqueSummary::sections() const {
  Sections tables{{"joints", FieldTable{joints()}}};
  append(tables, row_tables(robot_, rows_, tally_.has_time()));
  if (tally_.is_over_time()) tables.push_back({"energy", energy()});
  Document found;
  found.add(head());
  found.add(tally_.rows() == 0 ? only_for(Audience::programs, tables) : tables);
  if (tally_.rows() == 0) return found.sections;
  if (const std::string note = note_on_rest(); !note.empty()) found.add(note);
  for (std::size_t i = 0; i < records_.size() && has_measured_; ++i) {
    const JointRecord& record = records_[i];
    if (auto hint = record.residual.hint(robot_.joints[i], record.drive, tally_)) {
      found.add(*std::move(hint));
    }
  }
  return found.sections;
}

Fields TorqueSummary::energy() const {
  double driven = 0.0, braked = 0.0;
  for (const JointRecord& record : records_) {
    driven += record.drive.power.driven;
    braked += record.drive.power.braked;
  }
  return {{"net", "mechanical work: net {} J", if_finite(driven + braked)},
          {"driven", " (motoring {} J", if_finite(driven)},
          {"braked", ", braking {} J)", if_finite(braked)}};
}

Value TorqueSummary::share_at_rest(const JointRecord& record) const {
  const auto rows = static_cast<double>(tally_.rows());
  return Value::share(static_cast<double>(record.rows_at_rest),
                      rows > 0.0 ? std::optional(rows) : std::nullopt);
}

std::string TorqueSummary::note_on_rest() const {
  if (!is_dry_) return {};
  std::string joints;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (records_[i].rows_at_rest == 0) continue;
    joints += fmt::format("{}{}{} {}", joints.empty() ? "" : ", ",
                          contacts_[i].is_joint ? "" : "motor of ", robot_.joints[i].name,
                          share_at_rest(records_[i]).brief);
  }
  if (joints.empty()) return {};
  return fmt::format(
      "Where a joint stands still, τ is without static friction, which takes up any load within "
      "its range (share of rows: {}).",
      joints);
}

std::vector<std::string> TorqueSummary::exceeded_limits() const {
  const auto at_place = [this](double at) { return place(at); };
  std::vector<std::string> exceeded;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const Joint& joint = robot_.joints[i];
    add_if_exceeded(joint, &Limits::torque, record.drive.torque.peak, at_place, exceeded);
    if (record.drive.torque.peak.value <= joint.limits.torque.value_or(0.0)) {
      add_if_exceeded(joint, &Limits::torque, record.set_out, at_place, exceeded, to_set_out);
    }
    add_if_exceeded(joint, &Limits::velocity, record.drive.speed, at_place, exceeded);
    add_if_exceeded(joint, &Limits::acceleration, record.acceleration, at_place, exceeded);
    if (!joint.limits.position) continue;
    for (const Extreme& extreme : {record.below, record.above}) {
      if (extreme.value <= 0.0) continue;
      exceeded.push_back(
          leaves_range(joint, extreme.value, *joint.limits.position, place(extreme.t)));
    }
  }
  add_if_exceeded(robot_, rows_, at_place, exceeded);
  std::vector<RowReach> starting;  // of those that keep their limits otherwise
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (!rows_[k].exceeds_limit()) starting.push_back(starting_rows_[k]);
  }
  add_if_exceeded(robot_, starting, at_place, exceeded, to_set_out);
  return exceeded;
}

}  // namespace armdyn
