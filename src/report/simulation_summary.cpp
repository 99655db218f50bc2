#include "report/simulation_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

std::string process_text(const CoarseStep& coarse, const Robot& robot) {
  const std::string& joint = robot.joints[coarse.joint].name;
  const char* const words = text_of_value(
      coarse.process,
      {"friction slows {} at a rate of {:.3g}/s", "gravity swings {} at {:.3g} rad/s",
       "{} goes through {:.3g} rad/s", "{} goes through the ripple of its friction at {:.3g} rad/s",
       "the speed of {} changes by {:.2g} times its stribeck_velocity"});
  const bool is_stribeck = coarse.process == CoarseStep::Process::stribeck;
  return fmt::format(fmt::runtime(words), joint,
                     is_stribeck ? coarse.rate * coarse.step : coarse.rate);
}

}  // namespace

const char* name(Integrator integrator) {
  return text_of_value(integrator, {"rk4", "euler", "dopri5", "rkf78"});
}

const char* name(ForwardMethod method) {
  return text_of_value(method, {"composite", "articulated", "strobe"});
}

const char* name(SimulationEnd end) {
  return text_of_value(end, {"complete", "limit", "interrupted", "diverged", "singular", "failed"});
}

const char* name(Interpolation interpolation) {
  return text_of_value(interpolation, {"linear", "hold"});
}

std::string coarse_step_text(const CoarseStep& coarse, const Robot& robot, double asked) {
  return fmt::format(
      "the step of {:.3g} s{} is coarse for this arm: at {} {}; take steps below {:.2g} s, or "
      "--integrator dopri5",
      asked, coarse.step == asked ? "" : fmt::format(", here shortened to {:.3g} s,", coarse.step),
      time_text(coarse.t), process_text(coarse, robot), coarse.advised);
}

Json coarse_step_data(const CoarseStep& coarse, const Robot& robot) {
  return {{"joint", robot.joints[coarse.joint].name},
          {"t", coarse.t},
          {"rate", coarse.rate},
          {"step", coarse.step},
          {"advised", coarse.advised}};
}

Ending ending(SimulationEnd end) {
  return end == SimulationEnd::complete  ? Ending::done
         : end == SimulationEnd::limit   ? Ending::no
         : end == SimulationEnd::stopped ? Ending::interrupted
                                         : Ending::failed;
}

Field steps_field(const SimulationOptions& used, std::uint64_t steps) {
  const std::string how = has_fixed_step(used.integrator)
                              ? fmt::format("at {:.6g} s", used.step)
                              : fmt::format("with tolerance {:g}", used.tolerance);
  return {"steps", fmt::format(", {{}} of {} {}", name(used.integrator), how),
          Value::count(steps, "step")};
}

SimulationSummary::SimulationSummary(const Robot& robot) : robot_(robot) {}

void SimulationSummary::add(const SimulationRow& row) {
  if (rows_++ == 0) {
    first_t_ = row.t;
    first_q_.assign(row.q.begin(), row.q.end());
  }
  last_t_ = row.t;
  last_q_.assign(row.q.begin(), row.q.end());
  last_qd_.assign(row.qd.begin(), row.qd.end());
}

void SimulationSummary::finish(const SimulationResult& result, const SimulationOptions& used,
                               const std::string& failure) {
  failure_ = failure;
  result_ = result;
  used_ = used;
}

std::vector<Fields> SimulationSummary::joints() const {
  const bool rests = std::ranges::any_of(
      result_.joints, [](const JointHistory& j) { return j.stops > 0 || j.at_rest; });
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    const JointHistory& history = result_.joints[i];
    const Joint& joint = robot_.joints[i];
    Fields& row = rows.emplace_back(
        Fields{{"name", "joint", Value::word(joint.name)},
               {"q_first", "q first", Value::number(first_q_[i])},
               {"q_last", "q last", Value::number(last_q_[i])},
               {"unit", "", Value::word(position_unit(joint))},
               {"qd_last", "qd last", Value::number(last_qd_[i])},
               {"peak_speed", "peak |qd|", Value::number(history.peak_speed.value)},
               {for_people, "", Value::word(speed_unit(joint))},
               {"peak_time", "at t [s]", Value::moment(history.peak_speed.t)},
               {"stops", label_if(rests, "stops"), Value::count(history.stops)},
               {"at_rest", for_programs, Value::data(history.at_rest)},
               {"at_rest_since", label_if(rests, "at rest since"),
                history.at_rest ? Value::moment(history.at_rest_since) : Value{}}});
    if (!result_.error) continue;
    row.push_back({"error_q", "error of q", Value::magnitude(result_.error->q[i])});
    row.push_back({"error_qd", "of qd", Value::magnitude(result_.error->qd[i])});
  }
  return rows;
}

Fields SimulationSummary::energy() const {
  const EnergyAudit& energy = result_.energy;
  return {{"start", "energy: {} J at the start", Value::number(energy.at_start)},
          {"end", ", {} J at the end", Value::number(energy.at_end)},
          {"work", "; work of the drives {} J", Value::number(energy.work)},
          {"hand_work", label_if(energy.hand_work != 0.0, ", of the hand on the environment {} J"),
           Value::number(energy.hand_work)},
          {"losses", ", losses {} J", Value::number(energy.losses)},
          {"imbalance", "; imbalance {} J", Value::magnitude(energy.imbalance())}};
}

std::string SimulationSummary::kept_rows() const {
  if (rows_ == 0) return "nothing is written";
  return rows_ == 1 ? "the row so far is kept" : fmt::format("the {} rows so far are kept", rows_);
}

std::string SimulationSummary::early_end() const {
  if (result_.end == SimulationEnd::stopped) {
    return fmt::format("interrupted at {}; {}", time_text(last_t_), kept_rows());
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
  return fmt::format("{} reaches its limit {} at {}; {}", joint.name, limit, time_text(reached.t),
                     kept_rows());
}

std::vector<std::string> SimulationSummary::remarks() const {
  std::vector<std::string> remarks;
  if (result_.coarse_step) {
    remarks.push_back(coarse_step_text(*result_.coarse_step, robot_, used_.step));
  }
  return remarks;
}

Sections SimulationSummary::sections() const {
  Document found;
  if (rows_ == 0) found.add(Json{{"rows", 0}, {"steps", 0}});
  if (!result_.joints.empty()) {
    Fields head = rows_head(robot_, rows_, Value::moments(first_t_, last_t_));
    head.push_back(steps_field(used_, result_.steps));
    const Sections seen{{"", head}, {"joints", FieldTable{joints()}}, {"energy", energy()}};
    found.add(rows_ == 0 ? only_for(Audience::people, seen) : seen);
  }
  found.add("end", Json(name(result_.end)));
  if (rows_ == 0 || result_.end != SimulationEnd::complete) {
    found.add("message", Json(early_end()));
  }
  if (rows_ > 0 && result_.limit) {
    found.add("limit", Json{{"joint", robot_.joints[result_.limit->joint].name},
                            {"t", result_.limit->t},
                            {"q", result_.limit->q},
                            {"limit", result_.limit->limit}});
  }
  if (rows_ > 0 && result_.coarse_step) {
    found.add("coarse_step", coarse_step_data(*result_.coarse_step, robot_));
  }
  return found.sections;
}

Ending report_end(const SimulationSummary& summary, SimulationEnd end, bool json) {
  if (end != SimulationEnd::complete && !json) say("armdyn: {}\n", summary.early_end());
  return ending(end);
}

Json start_data(const std::vector<double>& q0, const std::vector<double>& qd0) {
  return {{"q0", joint_values(q0)}, {"qd0", joint_values(qd0)}};
}

}  // namespace armdyn
