#include "cli/simulate/batch_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_failures_told = 5;

}  // namespace

BatchSummary::BatchSummary(const Robot& robot, std::string file)
    : robot_(robot), file_(std::move(file)), joints_(robot.dof()) {}

void BatchSummary::add(const Table& group, const BatchOutcomes& runs) {
  for (std::size_t row = 0; row < runs.size(); ++row) {
    const auto& [run, result, is_held] = runs[row];
    ++runs_;
    steps_ += result.steps;
    if (is_held) ++held_;
    if (result.coarse_step) {
      ++coarse_;
      if (result.coarse_step->is_worse_than(coarsest_)) coarsest_ = result.coarse_step;
    }
    if (!result.failure.empty()) {
      ++failed_;
      if (failures_.size() < most_failures_told) {
        failures_.push_back({run, group.lines[row], result.failure});
      }
      continue;
    }
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      joints_[i].q.widen(result.q[i]);
      joints_[i].qd.widen(result.qd[i]);
    }
    if (result.limit) {
      ++joints_[result.limit->joint].at_limit;
      ++at_limit_;
    }
    const double imbalance = result.energy.imbalance();
    const bool is_first = runs_ - failed_ == 1;
    if (is_first || std::abs(imbalance) > std::abs(largest_.value)) largest_ = {run, imbalance};
  }
}

Json BatchSummary::state() const {
  Json joints = Json::list(), failures = Json::list();
  for (const auto& [q, qd, at_limit] : joints_) {
    joints.push_back(runs_ > failed_
                         ? Json::list(q.least, q.greatest, qd.least, qd.greatest, at_limit)
                         : Json());
  }
  for (const Failure& failure : failures_) {
    failures.push_back(Json::list(failure.run, failure.line, failure.message));
  }
  Json state{{"runs", runs_},         {"steps", steps_},
             {"at_limit", at_limit_}, {"failed", failed_},
             {"held", held_},         {"joints", joints},
             {"failures", failures},  {"imbalance", Json::list(largest_.run, largest_.value)}};
  if (coarsest_) {
    state["coarse"] = Json::list(coarse_, coarsest_->t, coarsest_->joint, coarsest_->process,
                                 coarsest_->rate, coarsest_->step, coarsest_->advised);
  }
  return state;
}

void BatchSummary::append(const Json& state) {
  const auto count = [&](const char* key) { return state[key].as<std::size_t>(); };
  const std::size_t runs = count("runs"), failed = count("failed");
  const Imbalance imbalance{state["imbalance"][0].as<double>(), state["imbalance"][1].as<double>()};
  const bool is_first = runs_ == failed_;
  if (runs > failed && (is_first || std::abs(imbalance.value) > std::abs(largest_.value))) {
    largest_ = imbalance;
  }
  for (std::size_t i = 0; runs > failed && i < joints_.size(); ++i) {
    const Json& joint = state["joints"][i];
    for (const std::size_t k : {0U, 1U}) joints_[i].q.widen(joint[k].as<double>());
    for (const std::size_t k : {2U, 3U}) joints_[i].qd.widen(joint[k].as<double>());
    joints_[i].at_limit += joint[4].as<std::size_t>();
  }
  for (const Json& failure : state["failures"].entries()) {
    if (failures_.size() == most_failures_told) break;
    failures_.push_back(
        {failure[0].as<double>(), failure[1].as<std::size_t>(), failure[2].as_text()});
  }
  if (const Json& c = state["coarse"]; !c.is_null()) {
    const CoarseStep coarse{
        c[1].as<double>(), c[2].as<std::size_t>(), c[3].as<CoarseStep::Process>(),
        c[4].as<double>(), c[5].as<double>(),      c[6].as<double>()};
    coarse_ += c[0].as<std::size_t>();
    if (coarse.is_worse_than(coarsest_)) coarsest_ = coarse;
  }
  runs_ += runs;
  failed_ += failed;
  steps_ += state["steps"].as<std::uintmax_t>();
  at_limit_ += count("at_limit");
  held_ += count("held");
}

Ending BatchSummary::ending() const {
  if (failed_ > 0) return Ending::failed;
  return at_limit_ > 0 ? Ending::no : Ending::done;
}

Fields BatchSummary::head() const {
  return {words(robot_.name + ": "),
          {"runs", "{}", Value::count(runs_, "run")},
          steps_field(used_, steps_)};
}

Fields BatchSummary::ends() const {
  return {{"complete", for_programs, Value::count(runs_ - at_limit_ - failed_)},
          {"limit", label_if(at_limit_ > 0, "; {} ended at a limit"), Value::count(at_limit_)},
          {"failed", label_if(failed_ > 0, "; {} failed"), Value::count(failed_)}};
}

std::vector<Fields> BatchSummary::joints() const {
  const bool ended = runs_ > failed_;
  const auto both = [&](const Bounds& bounds) {
    return ended ? Value::range(bounds.least, bounds.greatest) : Value{};
  };
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto& [q, qd, at_limit] = joints_[i];
    const Joint& joint = robot_.joints[i];
    rows.push_back({{"name", "joint", Value::word(joint.name)},
                    {"q_last", for_programs, both(q)},
                    {for_people, "q last from", Value::number(q.least)},
                    {for_people, "to", Value::number(q.greatest)},
                    {"unit", "", Value::word(position_unit(joint))},
                    {"qd_last", for_programs, both(qd)},
                    {for_people, "qd last from", Value::number(qd.least)},
                    {for_people, "to", Value::number(qd.greatest)},
                    {for_people, "", Value::word(speed_unit(joint))},
                    {"at_limit", label_if(at_limit_ > 0, "at its limit"), Value::count(at_limit)}});
  }
  return rows;
}

Fields BatchSummary::imbalance() const {
  return {{"value", "energy: the largest imbalance is {} J", Value::magnitude(largest_.value)},
          {"run", ", in run {}", {largest_.run, fmt::format("{}", largest_.run)}}};
}

Sections BatchSummary::sections() const {
  Json failures = Json::list();
  for (const Failure& failure : failures_) {
    Json entry{{"run", failure.run}, {"message", failure.message}};
    if (!file_.empty()) entry["line"] = failure.line;
    failures.push_back(entry);
  }
  Fields line = head();
  std::ranges::copy(ends(), std::back_inserter(line));
  for (Field& field : line) field.key.clear();
  const bool ended = runs_ > failed_;
  Sections found{
      {"", head(), "", false, Audience::programs},
      {"ends", ends(), "", false, Audience::programs},
      {"", line},
      {"failures", failures},
      {"held", Json(held_)},
      {"joints", FieldTable{joints()}, "", false, ended ? Audience::all : Audience::programs}};
  if (ended) found.push_back({"imbalance", imbalance()});
  if (coarsest_) {
    Json coarse = coarse_step_data(*coarsest_, robot_);
    coarse["runs"] = coarse_;
    found.push_back({"coarse_step", coarse});
  }
  return found;
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
                                  failed_ - failures_.size(), exit_code(Ending::failed)));
  }
  if (coarsest_) {
    remarks.push_back(fmt::format("in {}, at the worst {}", counted(coarse_, "run"),
                                  coarse_step_text(*coarsest_, robot_, coarsest_->step)));
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

}  // namespace armdyn
