#include "report/simulation_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/limit_words.hpp"
#include "report/report.hpp"
#include "report/say.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

std::string speed_unit(const Joint& joint) {
  return std::string(position_unit(joint)) + "/s";
}

const char* end_name(SimulationEnd end) {
  switch (end) {
    case SimulationEnd::limit:
      return "limit";
    case SimulationEnd::stopped:
      return "interrupted";
    case SimulationEnd::diverged:
      return "diverged";
    case SimulationEnd::singular:
      return "singular";
    case SimulationEnd::failed:
      return "failed";
    case SimulationEnd::complete:
      break;
  }
  return "complete";
}

std::string process_text(const CoarseStep& coarse, const Robot& robot) {
  const std::string& joint = robot.joints[coarse.joint].name;
  switch (coarse.process) {
    case CoarseStep::Process::damping:
      return fmt::format("friction slows {} at a rate of {:.3g}/s", joint, coarse.rate);
    case CoarseStep::Process::swing:
      return fmt::format("gravity swings {} at {:.3g} rad/s", joint, coarse.rate);
    case CoarseStep::Process::ripple:
      return fmt::format("{} goes through the ripple of its friction at {:.3g} rad/s", joint,
                         coarse.rate);
    case CoarseStep::Process::stribeck:
      return fmt::format("the speed of {} changes by {:.2g} times its stribeck_velocity", joint,
                         coarse.rate * coarse.step);
    case CoarseStep::Process::turning:
      break;
  }
  return fmt::format("{} goes through {:.3g} rad/s", joint, coarse.rate);
}

}  // namespace

const char* name(Integrator integrator) {
  switch (integrator) {
    case Integrator::dopri5:
      return "dopri5";
    case Integrator::rkf78:
      return "rkf78";
    case Integrator::rk4:
      break;
  }
  return "rk4";
}

const char* name(ForwardMethod method) {
  switch (method) {
    case ForwardMethod::articulated:
      return "articulated";
    case ForwardMethod::strobe:
      return "strobe";
    case ForwardMethod::composite:
      break;
  }
  return "composite";
}

const char* name(Interpolation interpolation) {
  return interpolation == Interpolation::linear ? "linear" : "hold";
}

std::string coarse_step_text(const CoarseStep& coarse, const Robot& robot) {
  return fmt::format(
      "the step of {:.3g} s is coarse for this arm: at t = {:.6g} s {}; take steps below {:.2g} s, "
      "or --integrator dopri5",
      coarse.step, coarse.t, process_text(coarse, robot), coarse.advised);
}

nlohmann::json coarse_step_json(const CoarseStep& coarse, const Robot& robot) {
  return {{"joint", robot.joints[coarse.joint].name},
          {"t", coarse.t},
          {"rate", coarse.rate},
          {"step", coarse.step},
          {"advised", coarse.advised}};
}

SimulationSummary::SimulationSummary(const Robot& robot) : robot_(robot), records_(robot.dof()) {}

void SimulationSummary::add(const SimulationRow& row) {
  if (rows_++ == 0) {
    first_t_ = row.t;
    for (std::size_t i = 0; i < records_.size(); ++i) records_[i].first_q = row.q[i] + 0.0;
  }
  last_t_ = row.t;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    JointRecord& record = records_[i];
    record.last_q = row.q[i] + 0.0;  // no -0
    record.last_qd = row.qd[i] + 0.0;
  }
}

void SimulationSummary::finish(const SimulationResult& result, const SimulationOptions& used,
                               const std::string& failure) {
  failure_ = failure;
  result_ = result;
  used_ = used;
}

std::string SimulationSummary::head() const {
  std::string text =
      fmt::format("{}: {} row{}, t = {:.6g} to {:.6g} s, {} step{} of {}", robot_.name, rows_,
                  rows_ == 1 ? "" : "s", first_t_, last_t_, result_.steps,
                  result_.steps == 1 ? "" : "s", name(used_.integrator));
  if (used_.integrator == Integrator::rk4) return text + fmt::format(" at {:.6g} s\n", used_.step);
  return text + fmt::format(" between rows, tolerance {:g}\n", used_.tolerance);
}

std::string SimulationSummary::joints_text() const {
  const bool rests = std::any_of(result_.joints.begin(), result_.joints.end(),
                                 [](const JointHistory& j) { return j.stops > 0 || j.at_rest; });
  std::vector<std::vector<std::string>> rows{
      {"joint", "q first", "q last", "", "qd last", "peak |qd|", "", "at t [s]"}};
  if (rests) rows[0].insert(rows[0].end(), {"stops", "at rest since"});
  if (result_.error) rows[0].insert(rows[0].end(), {"error of q", "of qd"});
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const JointHistory& history = result_.joints[i];
    const Joint& joint = robot_.joints[i];
    std::vector<std::string> row{joint.name,
                                 short_number(record.first_q),
                                 short_number(record.last_q),
                                 position_unit(joint),
                                 short_number(record.last_qd),
                                 short_number(history.peak_speed.value),
                                 speed_unit(joint),
                                 fmt::format("{:.6g}", history.peak_speed.t)};
    if (rests) {
      row.push_back(fmt::format("{}", history.stops));
      row.push_back(history.at_rest ? fmt::format("{:.6g}", history.at_rest_since) : "-");
    }
    if (result_.error) {
      row.push_back(fmt::format("{:.1e}", result_.error->q[i]));
      row.push_back(fmt::format("{:.1e}", result_.error->qd[i]));
    }
    rows.push_back(row);
  }
  return text_table(rows);
}

std::string SimulationSummary::energy_text() const {
  const EnergyAudit& energy = result_.energy;
  std::string text = fmt::format(
      "energy: {} J at the start, {} J at the end; work of the drives {} J",
      short_number(energy.at_start), short_number(energy.at_end), short_number(energy.work));
  if (energy.hand_work != 0.0) {
    text += fmt::format(", of the hand on the environment {} J", short_number(energy.hand_work));
  }
  return text + fmt::format(", losses {} J; imbalance {:.1e} J\n", short_number(energy.losses),
                            energy.imbalance());
}

std::string SimulationSummary::text() const {
  return head() + joints_text() + energy_text();
}

std::string SimulationSummary::kept_rows() const {
  return rows_ == 1 ? "the row so far is kept" : fmt::format("the {} rows so far are kept", rows_);
}

std::string SimulationSummary::early_end() const {
  if (result_.end == SimulationEnd::stopped) {
    return fmt::format("interrupted at t = {:.6g} s; {}", last_t_, kept_rows());
  }
  if (!failure_.empty()) return fmt::format("{}; {}", failure_, kept_rows());
  if (result_.end != SimulationEnd::limit) return "";
  const LimitReached& reached = *result_.limit;
  const Joint& joint = robot_.joints[reached.joint];
  const std::string limit = fmt::format("{} {}", short_number(reached.limit), position_unit(joint));
  if (reached.q != reached.limit) {
    return fmt::format("{} starts at {} {}, beyond its limit {}; {}", joint.name,
                       short_number(reached.q), position_unit(joint), limit,
                       !start_has_unit_ && looks_like_degrees(joint, reached.q)
                           ? "for degrees add ' deg' after the list, or name the column q1[deg]"
                           : "--limits ignore goes on regardless");
  }
  if (reached.t == first_t_) {
    return fmt::format(
        "{} starts at its limit {} and moves out of it; {}; --limits ignore goes on regardless",
        joint.name, limit, kept_rows());
  }
  return fmt::format("{} reaches its limit {} at t = {:.6g} s; {}", joint.name, limit, reached.t,
                     kept_rows());
}

std::vector<std::string> SimulationSummary::remarks() const {
  std::vector<std::string> remarks;
  if (result_.coarse_step) {
    remarks.push_back(coarse_step_text(*result_.coarse_step, robot_));
  }
  return remarks;
}

nlohmann::json SimulationSummary::json() const {
  if (rows_ == 0) {
    return {{"rows", 0}, {"steps", 0}, {"end", end_name(result_.end)}, {"message", early_end()}};
  }
  nlohmann::json joints = nlohmann::json::array();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const JointRecord& record = records_[i];
    const JointHistory& history = result_.joints[i];
    const Joint& joint = robot_.joints[i];
    nlohmann::json entry{{"name", joint.name},
                         {"unit", position_unit(joint)},
                         {"q_first", record.first_q},
                         {"q_last", record.last_q},
                         {"qd_last", record.last_qd},
                         {"peak_speed", history.peak_speed.value},
                         {"peak_time", history.peak_speed.t},
                         {"stops", history.stops},
                         {"at_rest", history.at_rest}};
    if (history.at_rest) entry["at_rest_since"] = history.at_rest_since;
    if (result_.error) {
      entry["error_q"] = result_.error->q[i];
      entry["error_qd"] = result_.error->qd[i];
    }
    joints.push_back(entry);
  }
  const EnergyAudit& energy = result_.energy;
  nlohmann::json summary{{"rows", rows_},
                         {"steps", result_.steps},
                         {"t", {first_t_, last_t_}},
                         {"end", end_name(result_.end)},
                         {"joints", joints},
                         {"energy",
                          {{"start", energy.at_start},
                           {"end", energy.at_end},
                           {"work", energy.work},
                           {"hand_work", energy.hand_work},
                           {"losses", energy.losses},
                           {"imbalance", energy.imbalance()}}}};
  if (result_.end != SimulationEnd::complete) summary["message"] = early_end();
  if (result_.limit) {
    summary["limit"] = {{"joint", robot_.joints[result_.limit->joint].name},
                        {"t", result_.limit->t},
                        {"q", result_.limit->q},
                        {"limit", result_.limit->limit}};
  }
  if (result_.coarse_step) {
    summary["coarse_step"] = coarse_step_json(*result_.coarse_step, robot_);
  }
  return summary;
}

int report_end(const SimulationSummary& summary, SimulationEnd end, bool json) {
  if (end != SimulationEnd::complete && !json) {
    say("armdyn: {}\n", summary.early_end());
  }
  return exit_code(end);
}

int exit_code(SimulationEnd end) {
  switch (end) {
    case SimulationEnd::complete:
      return 0;
    case SimulationEnd::limit:
      return 1;
    case SimulationEnd::stopped:
      return 130;
    default:
      return 5;
  }
}

nlohmann::json start_json(std::span<const double> q0, std::span<const double> qd0) {
  return {{"q0", joint_values(q0)}, {"qd0", joint_values(qd0)}};
}

}  // namespace armdyn
