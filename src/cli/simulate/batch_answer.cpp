#include "cli/simulate/batch_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/limit_words.hpp"
#include "report/simulation_summary.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_failures_told = 5;

}  // namespace

BatchSummary::BatchSummary(const Robot& robot, const BatchLayout& layout, std::string file)
    : robot_(robot), layout_(layout), file_(std::move(file)), joints_(robot.dof()) {}

void BatchSummary::add(const Table& group, const Table& result, const GroupNotes& notes) {
  for (std::size_t row = 0; row < group.rows; ++row) {
    const double run = result.columns[BatchLayout::run][row];
    if (result.columns[BatchLayout::exit][row] == armdyn::exit_code(SimulationEnd::failed)) {
      ++failed_;
      continue;
    }
    const bool is_first = runs_ + row == failed_;  // of those that did not fail
    const auto note = [&](Span& span, double value) {
      span.lowest = is_first ? value : std::min(span.lowest, value);
      span.highest = is_first ? value : std::max(span.highest, value);
    };
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      note(joints_[i].q, result.columns[layout_.q() + i][row]);
      note(joints_[i].qd, result.columns[layout_.qd() + i][row]);
    }
    if (const double joint = result.columns[BatchLayout::joint][row]; joint > 0.0) {
      ++joints_[static_cast<std::size_t>(joint) - 1].at_limit;
      ++at_limit_;
    }
    const double imbalance = result.columns[layout_.imbalance()][row];
    if (is_first || std::abs(imbalance) > std::abs(largest_.value)) largest_ = {run, imbalance};
  }
  for (const GroupNotes::Failure& failure : notes.failures) {
    if (failures_.size() == most_failures_told) break;
    failures_.push_back(
        {result.columns[BatchLayout::run][failure.row], group.lines[failure.row], failure.message});
  }
  if (notes.coarsest && notes.coarsest->is_worse_than(coarsest_)) {
    coarsest_ = notes.coarsest;
  }
  runs_ += group.rows;
  coarse_ += notes.coarse_runs;
  held_ += notes.held_runs;
  steps_ += notes.steps;
}

int BatchSummary::exit_code() const {
  if (failed_ > 0) return armdyn::exit_code(SimulationEnd::failed);
  return at_limit_ > 0 ? armdyn::exit_code(SimulationEnd::limit) : 0;
}

std::string BatchSummary::text() const {
  std::string text = fmt::format("{}: {}, {} of {}", robot_.name, counted(runs_, "run"),
                                 counted(steps_, "step"), name(used_.integrator));
  if (used_.integrator == Integrator::rk4) {
    text += fmt::format(" at {:.6g} s", used_.step);
  } else {
    text += fmt::format(" between rows, tolerance {:g}", used_.tolerance);
  }
  if (at_limit_ > 0) text += fmt::format("; {} ended at a limit", at_limit_);
  if (failed_ > 0) text += fmt::format("; {} failed", failed_);
  text += "\n";
  if (runs_ == failed_) return text;
  return text + joints_text() +
         fmt::format("energy: the largest imbalance is {:.1e} J, in run {}\n", largest_.value,
                     largest_.run);
}

std::string BatchSummary::joints_text() const {
  std::vector<std::vector<std::string>> rows{
      {"joint", "q last from", "to", "", "qd last from", "to", ""}};
  if (at_limit_ > 0) rows[0].emplace_back("at its limit");
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto& [q, qd, at_limit] = joints_[i];
    const Joint& joint = robot_.joints[i];
    rows.push_back({joint.name, short_number(q.lowest), short_number(q.highest),
                    position_unit(joint), short_number(qd.lowest), short_number(qd.highest),
                    fmt::format("{}/s", position_unit(joint))});
    if (at_limit_ > 0) rows.back().push_back(fmt::format("{}", at_limit));
  }
  return text_table(rows);
}

std::string BatchSummary::name_of(const Failure& failure) const {
  if (file_.empty()) return fmt::format("run {}", failure.run);
  return fmt::format("run {} ({}:{})", failure.run, file_, failure.line);
}

std::vector<std::string> BatchSummary::remarks() const {
  std::vector<std::string> remarks;
  if (runs_ == 0) remarks.emplace_back("the batch has a header but no rows");
  for (const Failure& failure : failures_) {
    remarks.push_back(fmt::format("{}: {}", name_of(failure), failure.message));
  }
  if (failed_ > failures_.size()) {
    remarks.push_back(fmt::format("{} more failed; they have exit {} in the output",
                                  failed_ - failures_.size(),
                                  armdyn::exit_code(SimulationEnd::failed)));
  }
  if (coarsest_) {
    remarks.push_back(fmt::format("in {}, at the worst {}", counted(coarse_, "run"),
                                  coarse_step_text(*coarsest_, robot_)));
  }
  if (held_ > 0) {
    remarks.push_back(
        fmt::format("in {} the last torque is held to the end", counted(held_, "run")));
  }
  return remarks;
}

std::string BatchSummary::kept_runs() const {
  if (runs_ == 0) return "no run had ended, nothing is written";
  return runs_ == 1 ? "the run that had ended is kept"
                    : fmt::format("the {} runs that had ended are kept", runs_);
}

nlohmann::json BatchSummary::json() const {
  nlohmann::json joints = nlohmann::json::array();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto& [q, qd, at_limit] = joints_[i];
    nlohmann::json entry{{"name", robot_.joints[i].name},
                         {"unit", position_unit(robot_.joints[i])},
                         {"at_limit", at_limit}};
    if (runs_ > failed_) {
      entry["q_last"] = {q.lowest, q.highest};
      entry["qd_last"] = {qd.lowest, qd.highest};
    }
    joints.push_back(entry);
  }
  nlohmann::json failures = nlohmann::json::array();
  for (const Failure& failure : failures_) {
    nlohmann::json entry{{"run", failure.run}, {"message", failure.message}};
    if (!file_.empty()) entry["line"] = failure.line;
    failures.push_back(entry);
  }
  nlohmann::json summary{
      {"runs", runs_},
      {"steps", steps_},
      {"ends",
       {{"complete", runs_ - at_limit_ - failed_}, {"limit", at_limit_}, {"failed", failed_}}},
      {"failures", failures},
      {"held", held_},
      {"joints", joints}};
  if (runs_ > failed_) summary["imbalance"] = {{"run", largest_.run}, {"value", largest_.value}};
  if (coarsest_) {
    summary["coarse_step"] = coarse_step_json(*coarsest_, robot_);
    summary["coarse_step"]["runs"] = coarse_;
  }
  return summary;
}

}  // namespace armdyn
