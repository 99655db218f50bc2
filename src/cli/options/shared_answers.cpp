#include "cli/options/shared_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/options/verb_frame.hpp"
#include "math/each.hpp"
#include "math/rotation.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "motion/derive.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// Rows of a log at fault, or gaps between them.
struct Flaw {
  const char* key;
  std::size_t count;
  std::string warning;  ///< empty: no reason to warn
};

std::vector<Flaw> flaws(const LogReport& report) {
  const auto rows = [](const char* key, std::size_t count, const std::string& what) {
    return Flaw{key, count, counted(count, "row") + " " + what};
  };
  const bool leaves_out = report.leaves_rows_out;
  const std::string left_out = leaves_out ? "left out " : "";
  const std::string before = leaves_out ? "last row kept" : "row before";
  return {rows("unreadable", report.unreadable,
               "left out that could not be read, the first: " + report.first_unreadable),
          rows("repeated_stamps", report.repeated.count(),
               left_out + "with the t of the row before: " + report.repeated.places()),
          rows("falling_stamps", report.falling.count(),
               left_out + "with a t before that of the " + before + ": " + report.falling.places()),
          rows("strange_stamps", report.strange.count(),
               fmt::format("left out with a t far from those before and after, {:.6g} s: {}",
                           report.first_strange, report.strange.places())),
          rows("missing_rows", report.missing.count(),
               "missing, a few at a time: " + report.missing.places()),
          {"gaps", report.gaps.count(),
           fmt::format("{} of more than {} usual steps, {}: before {}",
                       counted(report.gaps.count(), "gap"), MotionRows::gap_from,
                       report.bridges_gaps ? "bridged" : "skipped", report.gaps.places())},
          rows("too_few", report.too_few,
               fmt::format("left out in stretches of fewer than {} rows", LocalFit::fewest_points)),
          {"outside", report.outside, ""}};
}

/// Uncertainties of q and of its derivatives; one row per joint.
std::vector<Fields> uncertainties(const LogReport::Derived& derived, const Robot& robot) {
  return each(in_order(derived.joints.size()), [&](std::size_t i) -> Fields {
    const auto& [q, qd, qdd, qd_at_ends, qdd_at_ends] = derived.joints[i];
    const Joint& joint = robot.joints[i];
    return {{for_people, "joint", Value::word(joint.name)},
            {"noise", "noise of q", Value::number(q, position_unit(joint))},
            {for_people, "", Value::unit_of(position_unit(joint))},
            {"qd_uncertainty", "in the middle: qd ± [/s]", Value::number(qd, speed_unit(joint))},
            {"qdd_uncertainty", "in the middle: qdd ± [/s²]",
             Value::number(qdd, acceleration_unit(joint))},
            {"qd_uncertainty_at_ends", "at the ends: qd ±",
             Value::number(qd_at_ends, speed_unit(joint))},
            {"qdd_uncertainty_at_ends", "at the ends: qdd ±",
             Value::number(qdd_at_ends, acceleration_unit(joint))}};
  });
}

Json input_data(const LogReport& report, const FieldTable& uncertainties) {
  Json input{{"rows_in", report.rows_in}};
  for (const Flaw& flaw : flaws(report)) input[flaw.key] = flaw.count;
  if (!report.recognized.empty()) input["recognized"] = report.recognized;
  if (const auto& steps = report.steps) {
    input["steps"] = Json::list(steps->usual, steps->shortest, steps->longest);
  }
  if (const auto& derived = report.derived) {
    input["derived"] = {{"window", derived->window},
                        {"qd", derived->qd},
                        {"qdd", derived->qdd},
                        {"joints", objects(uncertainties)}};
  }
  return input;
}

}  // namespace

Sections log_sections(const LogReport& report, const Robot& robot, bool with_noise) {
  Document found;
  FieldTable joints;
  if (const auto& derived = report.derived) {
    joints.rows = uncertainties(*derived, robot);
    if (report.rows_out > 0) {
      found.add(fmt::format(
          "{} by numerical differentiation of q: polynomials of degree {} over {} s, {}{}",
          derived->qd && derived->qdd ? "qd and qdd"
          : derived->qd               ? "qd"
                                      : "qdd",
          LocalFit::degree, short_number(derived->window),
          derived->is_window_given ? "as given" : "chosen from the data",
          derived->finds_rest ? "; slower than three standard uncertainties counts as at rest"
                              : ""));
      if (with_noise) found.add(joints);
    }
  }
  if (!report.unwrapped.empty()) {
    found.add(fmt::format(
        "q of {} jumped by a turn from row to row, or began a turn beyond its limits, as if angles "
        "were kept within one turn: unwrapped",
        fmt::join(joint_names(robot, {report.unwrapped.begin(), report.unwrapped.end()}), ", ")));
  }
  if (report.outside > 0) {
    found.add(counted(report.outside, "row") + " outside the time asked for");
  }
  if (report.steps && report.steps->longest > 1.02 * report.steps->shortest) {
    found.add(fmt::format("steps of t: usually {} s, {} to {} s", short_number(report.steps->usual),
                          short_number(report.steps->shortest),
                          short_number(report.steps->longest)));
  }
  found.add("input", input_data(report, joints));
  return found.sections;
}

std::vector<std::string> log_warnings(const LogReport& report,
                                      const std::optional<LogFinding>& found) {
  std::vector<std::string> warnings = report.remarks;
  for (const auto& [key, count, warning] : flaws(report)) {
    if (count > 0 && !warning.empty()) warnings.push_back(warning);
  }
  if (report.derived && report.derived->is_narrow()) {
    warnings.push_back(fmt::format(
        "--window {} s is narrower than the {} s chosen from the data: noise of qdd and dτ/dt is "
        "larger, and standard errors are not reported, since they would be too small",
        short_number(report.derived->window), short_number(report.derived->best_window)));
  }
  if (report.derived && report.derived->is_sparse) {
    warnings.emplace_back(
        "rows are too far apart for the smoothing window to follow the motion: its residuals grow "
        "if every second row is left out, which noise does not explain; standard errors are not "
        "reported, since they would be too small; record more rows per second, or move "
        "more slowly");
  }
  if (is_of_motors(found)) return warnings;
  return joined({warnings, report.disagreements});
}

std::vector<std::string> consequences(bool are_misread, const std::vector<std::string>& warnings) {
  if (!are_misread || warnings.size() < 2) return warnings;
  return {fmt::format("{} more warnings follow from this", warnings.size())};
}

namespace {

using Measured = LogHypothesis::Measured;
using Source = LogHypothesis::Source;

std::string listed(const Robot& robot, const std::vector<std::size_t>& joints) {
  return fmt::format("{}", fmt::join(joint_names(robot, joints), ", "));
}

/// "the columns seem to be of elbow, shoulder; elbow needs +90° in q".
std::string joints_text(const LogFinding& found, const Robot& robot) {
  std::vector<std::size_t> order(robot.dof()), order_of_motion = order;
  std::vector<std::string> moved;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Source& of = found.hypothesis.joints[i];
    order[of.torque_column] = i;
    order_of_motion[of.column] = i;
    std::vector<std::string> of_joint;
    if (of.is_turned && of.is_torque_turned) of_joint.emplace_back("a motion of the other sign");
    if (of.is_turned && !of.is_torque_turned) of_joint.emplace_back("the other sign");
    if (!of.is_turned && of.is_torque_turned) of_joint.emplace_back("a torque of the other sign");
    if (of.beside != 0) {
      of_joint.push_back(fmt::format("the motion of {} {}", robot.joints[i - 1].name,
                                     of.beside > 0 ? "added" : "taken off"));
    }
    if (of.zero != 0.0) of_joint.push_back(fmt::format("{:+.4g}° in q", of.zero));
    if (of_joint.empty()) continue;
    moved.push_back(fmt::format("{} needs {}", robot.joints[i].name, fmt::join(of_joint, " and ")));
  }
  const std::vector<std::size_t> given = in_order(robot.dof());
  const bool has_torques = order == given, has_motion = order_of_motion == given;
  std::string text;
  if (!has_torques || !has_motion) {
    text = fmt::format("the {} seem to be of {}{}",
                       has_motion    ? "torques"
                       : has_torques ? "positions and rates"
                                     : "columns",
                       listed(robot, has_torques ? order_of_motion : order),
                       found.is_alphabetical ? ", as ROS sorts joints, by their names" : "");
  }
  if (moved.empty()) return text;
  return text + (text.empty() ? "" : "; ") + fmt::format("{}", fmt::join(moved, ", "));
}

using Effect = LogHypothesis::Effect;

/// Joints with an effect.
std::vector<std::size_t> joints_with(const LogFinding& found, Effect effect) {
  std::vector<std::size_t> joints = in_order(found.hypothesis.joints.size());
  std::erase_if(joints, [&](std::size_t i) { return found.hypothesis.joints[i].effect != effect; });
  return joints;
}

/// "the torques seem to have what a spring at the joint adds: elbow 25 N·m/rad".
std::string effects_text(const LogFinding& found, const Robot& robot) {
  const auto sizes = [&](Effect effect) {
    const auto texts = each(joints_with(found, effect), [&](std::size_t i) {
      const auto& [name, size] = std::pair{robot.joints[i].name, found.sizes[i]};
      if (effect == Effect::scale) return fmt::format("{} {:.3g}", name, size);
      const RobotUnit unit = effect == Effect::spring ? RobotUnit::stiffness : RobotUnit::effort;
      return fmt::format("{} {:.3g} {}", name, size, unit_text(unit, robot.joints[i].type));
    });
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  std::vector<std::string> parts;
  if (!found.unit.empty()) {
    parts.push_back(fmt::format("the torques seem to be in {}·m", found.unit));
  } else if (const std::string scales = sizes(Effect::scale); !scales.empty()) {
    parts.push_back(
        "the torques seem to be currents, percent, in another unit or of other masses; factors "
        "relative to the robot file: " +
        scales);
  }
  if (const std::string offsets = sizes(Effect::offset); !offsets.empty()) {
    parts.push_back("the torques seem to have an offset: " + offsets);
  }
  if (const std::string springs = sizes(Effect::spring); !springs.empty()) {
    parts.push_back("the torques seem to include a spring, which a robot file has in springs: " +
                    springs);
  }
  if (const std::string weights = sizes(Effect::counterweight); !weights.empty()) {
    parts.push_back(
        "the torques seem to include a counterweight or another mass of the link, in sine and "
        "cosine of q: " +
        weights);
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string words(const LogFinding& found, const Robot& robot) {
  const LogHypothesis& hypothesis = found.hypothesis;
  if (hypothesis.measured != Measured::torques) {
    return text_of_value(hypothesis.measured,
                         {"", "the torques seem to have the other sign",
                          "the torques seem to be those of the motors",
                          "motion and torques seem to be those of the motors"});
  }
  if (const auto& g = hypothesis.gravity) {
    if (*g == Vec3{}) return "the torques seem to have gravity removed";
    return fmt::format("the torques seem to be for the gravity {:.3g}, {:.3g}, {:.3g} m/s²", g->x,
                       g->y, g->z);
  }
  if (const auto& payload = hypothesis.payload) {
    return fmt::format("the torques seem to be for a payload of {:.3g} kg, or other masses",
                       payload->mass);
  }
  if (hypothesis.later != 0.0) {
    return fmt::format("the torques seem to come {:.3g} ms {} the motion",
                       1e3 * std::abs(hypothesis.later),
                       hypothesis.later > 0.0 ? "after" : "before");
  }
  return hypothesis.has_effects() ? effects_text(found, robot) : joints_text(found, robot);
}

/// The column in --columns that reads a joint's quantity as was found: "-q3+q2+90deg"; empty where
/// there is no such column.
std::string reading(const LogFinding& found, const Robot& robot, const ColumnPlan& plan,
                    Quantity quantity, std::size_t joint) {
  const LogHypothesis& hypothesis = found.hypothesis;
  const Source& source = hypothesis.joints[joint];
  const bool is_torque = quantity == Quantity::torque;
  ColumnReading reading =
      column_reading(plan, robot, quantity, is_torque ? source.torque_column : source.column);
  const bool is_opposite =
      is_torque && (source.is_torque_turned || hypothesis.measured == Measured::opposite);
  if (source.is_turned != is_opposite) reading.scale(-1.0);
  if (is_torque) {
    if (hypothesis.measured == Measured::motor_torques)
      reading.scale(robot.joints[joint].motor.gear_ratio);
    if (source.effect == Effect::scale && !found.unit.empty()) {
      const char* const length = is_turning(robot.joints[joint].type) ? ".m" : "";
      reading.read_in(std::string(found.unit) + length, 1.0 / found.unit_size);
    } else if (source.effect == Effect::scale && !found.are_currents) {
      reading.scale(rounded(1.0 / found.sizes[joint]));
    }
    if (source.effect == Effect::offset) reading.offset -= rounded(found.sizes[joint]);
    reading.later += hypothesis.later;
  } else if (source.beside != 0) {
    const Source& before = hypothesis.joints[joint - 1];
    const ColumnReading other = column_reading(plan, robot, quantity, before.column);
    if (other.text() != other.cell || before.beside != 0 || before.zero != 0.0) return {};
    reading.added = ((source.beside > 0) != before.is_turned ? "+" : "-") + other.cell;
  }
  if (quantity == Quantity::position) reading.offset += radians(source.zero);
  return reading.text();
}

/// The --columns that read a log as was found; none where no columns can.
std::vector<ColumnChoice> choices(const LogFinding& found, const Robot& robot,
                                  const ColumnPlan& plan) {
  constexpr std::array read{Quantity::position, Quantity::velocity, Quantity::acceleration,
                            Quantity::torque};
  std::vector<ColumnChoice> choices;
  const LogHypothesis& of = found.hypothesis;
  const bool is_of_coupled = of.measured == Measured::motor_torques && !robot.couplings.empty();
  if (of.gravity || of.payload || of.measured == Measured::motor_side || is_of_coupled) return {};
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    for (const Quantity quantity : read) {
      const std::optional<std::size_t> first = plan.first(quantity);
      if (!first || *first >= plan.columns.size()) continue;
      const std::string text = reading(found, robot, plan, quantity, i);
      if (text.empty()) return {};
      const bool is_current = found.are_currents && quantity == Quantity::torque;
      if (text == column_reading(plan, robot, quantity, i).text() && !is_current) continue;
      choices.push_back(
          {fmt::format("{}{}", is_current ? "i" : *joint_prefix(quantity), i + 1), text});
    }
  }
  return choices;
}

std::string cure(const LogFinding& found, const Robot& robot, const ColumnPlan& plan,
                 const LogOptions& options) {
  if (const auto& g = found.hypothesis.gravity) {
    if (*g == Vec3{}) return "; --without gravity reads them so";
    return fmt::format("; --gravity {:.4g},{:.4g},{:.4g} reads them so", g->x, g->y, g->z);
  }
  if (const auto& payload = found.hypothesis.payload) {
    const auto& [x, y, z] = payload->com;
    const auto mm = [](double length) { return std::round(1e3 * length) / 1e3 + 0.0; };
    return fmt::format("; --payload {:.3g},{:.3g},{:.3g},{:.3g} reads them so", payload->mass,
                       mm(x), mm(y), mm(z));
  }
  if (found.hypothesis.measured == Measured::motor_side) return "; --motor-side reads them so";
  const std::vector<ColumnChoice> line = choices(found, robot, plan);
  if (line.empty()) return "";
  return fmt::format("; --columns {} {}", choices_text(options.columns, line, robot.dof()),
                     found.are_currents ? "takes them for currents" : "reads them so");
}

}  // namespace

bool is_read_by_columns(const LogFinding& found, const Robot& robot, const ColumnPlan& plan) {
  return !choices(found, robot, plan).empty();
}

std::string hypothesis_remark(const LogFinding& found, const Robot& robot, const ColumnPlan& plan,
                              const LogOptions& options) {
  const auto percent = [](double share) {
    const double value = 100.0 * share;
    return value < 99.5 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
  };
  std::string text = fmt::format(
      "{}: the residual is then {} % of the torque, with the log as it is {} % (friction "
      "and a rotor{} of each joint fitted to one half of its moving rows and validated on the "
      "other, both ways){}",
      words(found, robot), percent(found.left), percent(found.left_as_given),
      found.hypothesis.has_effects() ? ", and this effect," : "",
      cure(found, robot, plan, options));
  for (const auto& [what, joints] : {std::pair{"factor", &found.unseen_scales},
                                     {"zero", &found.unseen_zeros},
                                     {"sign", &found.unseen_signs}}) {
    if (joints->empty()) continue;
    text += fmt::format("; torques do not determine the {} of {}", what, listed(robot, *joints));
  }
  if (!found.mirrored.empty()) {
    text +=
        fmt::format("; with the signs of {} all reversed, the mirror image has the same torques",
                    listed(robot, found.mirrored));
  }
  for (const LogFinding& other : found.others) {
    text += fmt::format("; or else {}: the residual is then {} %{}", words(other, robot),
                        percent(other.left), cure(other, robot, plan, options));
  }
  return text;
}

namespace {

/// "0 to 0.3 and 0.5 to 1"
std::string ranges_text(const std::vector<Range>& ranges) {
  std::string text;
  for (const auto& [lower, upper] : ranges) {
    text += text.empty() ? "" : " and ";
    text += lower == upper ? short_number(lower)
                           : fmt::format("{} to {}", short_number(lower), short_number(upper));
  }
  return text.empty() ? "none" : text;
}

const char* quantity(const RowLimit& limit) {
  return text_of_value(limit.kind, {"position", "velocity", "acceleration", "torque"});
}

}  // namespace

std::string limit_name(const Robot& robot, const RowLimit& limit) {
  return fmt::format("{} of {}", quantity(limit), limited_name(robot, limit));
}

Fields slow_down_fields(const Robot& robot, const PathDemands& demands, const SlowDown& found,
                        double duration) {
  if (const auto obstacle = slow_down_obstacle(robot, demands, found)) {
    return {{"obstacle", for_programs, Value::word(*obstacle)}};
  }
  const auto ends = [](const Range& range) { return Json::list(range.lower, range.upper); };
  const bool has_gap = found.feasible.size() > 1 || found.feasible.front().lower > 0.0;
  Fields fields{{"factor",
                 found.binding ? "slow down: {} of the speed keeps all limits"
                               : "slow down: the motion keeps all limits at its own speed",
                 Value::number(found.factor, Bound::lower)},
                {"duration", label_if(found.binding.has_value(), ", in {} s"),
                 Value::moment(duration / found.factor, Bound::upper)}};
  if (found.binding) {
    const RowLimit& limit = demands.limits()[found.binding->limit];
    fields.push_back({"binding",
                      "; the {} limits it",
                      {Json{{"name", joint_at(robot, limit.joint).name},
                            {"quantity", quantity(limit)},
                            {"of_motor", limit.is_of_motor},
                            {"time", found.binding->t}},
                       limit_name(robot, limit)}});
    fields.push_back({for_people, " at t = {} s", Value::moment(found.binding->t)});
  }
  fields.push_back(
      {"feasible",
       label_if(has_gap,
                "; some lower speeds exceed a limit; within the limits are {} of the speed"),
       {each(found.feasible, ends), ranges_text(found.feasible)}});
  fields.push_back(
      {"numeric",
       label_if(!demands.is_plain(), "{}"),
       {!demands.is_plain(), "; friction that is neither dry nor viscous: solved numerically"}});
  return fields;
}

std::optional<std::string> slow_down_obstacle(const Robot& robot, const PathDemands& demands,
                                              const SlowDown& found) {
  if (!found.obstacle) return {};
  const auto& [place, demand, allowed, others] = *found.obstacle;
  const RowLimit& limit = demands.limits()[place.limit];
  if (!allowed.empty()) {
    return fmt::format(
        "no speed keeps the limits: at {} the {} allows {} of the speed, other limits {}",
        time_text(place.t), limit_name(robot, limit), ranges_text(allowed), ranges_text(others));
  }
  const double holds = demand.load > 0.0 ? demand.below : demand.above;
  std::string friction;
  if (holds > 0.0) {
    friction = fmt::format(" minus {} of static friction", short_number(holds));
  } else if (demand.friction != 0.0) {
    friction =
        fmt::format(" and friction {}",
                    short_number(std::copysign(demand.friction, demand.load * demand.friction)));
  }
  return fmt::format("no speed keeps the limits: gravity {} {}{} of the {} {} of {} at {}",
                     found.has_wrench ? "and contact wrench take" : "takes",
                     short_number(std::abs(demand.load)), friction, short_number(limit.most),
                     limit_unit(robot, limit), limited_name(robot, limit), time_text(place.t));
}

// Simulations.

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

std::string coarse_step_text(const CoarseStep& coarse, const Robot& robot, double asked) {
  return fmt::format(
      "the step of {:.3g} s{} is coarse for this arm: at {} {}; take steps below {:.2g} s, or "
      "--integrator dopri5",
      asked, coarse.step == asked ? "" : fmt::format(", here shortened to {:.3g} s,", coarse.step),
      time_text(coarse.t), process_text(coarse, robot), outward(coarse.advised, Bound::lower, 2));
}

Json coarse_step_data(const CoarseStep& coarse, const Robot& robot) {
  return {{"joint", robot.joints[coarse.joint].name},
          {"time", coarse.t},
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

void SimulationSummary::add(const SimulationRow& row) {
  if (rows_++ == 0) {
    first_t_ = row.t;
    first_q_.assign(row.q.begin(), row.q.end());
  }
  last_t_ = row.t;
  last_q_.assign(row.q.begin(), row.q.end());
  last_qd_.assign(row.qd.begin(), row.qd.end());
}

void SimulationSummary::run(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
                            TorqueInput& input, const SimulationOptions& options,
                            const RowSink& sink) {
  used_ = options;
  try {
    result = simulate(arm, q0, qd0, input, options, [&](const SimulationRow& row) {
      sink(row);
      add(row);
    });
  } catch (const SimulationFailure& problem) {
    result = problem.result();
    failure = problem.what();
  }
}

std::vector<Fields> SimulationSummary::joints() const {
  const bool rests = std::ranges::any_of(
      result.joints, [](const JointHistory& j) { return j.stops > 0 || j.at_rest; });
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    const JointHistory& history = result.joints[i];
    const Joint& joint = robot_.joints[i];
    Fields& row = rows.emplace_back(Fields{
        {"name", "joint", Value::word(joint.name)},
        {"q_first", "q first", Value::number(first_q_[i], position_unit(joint))},
        {"q_last", "q last", Value::number(last_q_[i], position_unit(joint))},
        {"unit", "", Value::unit_of(position_unit(joint))},
        {"qd_last", "qd last", Value::number(last_qd_[i], speed_unit(joint))},
        {"peak_velocity", "peak |qd|", Value::number(history.peak_speed.value, speed_unit(joint))},
        {for_people, "", Value::unit_of(speed_unit(joint))},
        {"peak_velocity_time", "at t [s]", Value::moment(history.peak_speed.t)},
        {"stops", label_if(rests, "stops"), Value::count(history.stops)},
        {"at_rest", for_programs, Value::data(history.at_rest)},
        {"at_rest_since", label_if(rests, "at rest since"),
         history.at_rest ? Value::moment(history.at_rest_since) : Value{}}});
    if (!result.error) continue;
    row.push_back({"error_q", "error of q", Value::magnitude(result.error->q[i])});
    row.push_back({"error_qd", "of qd", Value::magnitude(result.error->qd[i])});
  }
  return rows;
}

Fields SimulationSummary::energy() const {
  const EnergyAudit& energy = result.energy;
  return {
      {"start", "energy: {} J at the start", Value::number(energy.at_start)},
      {"end", ", {} J at the end", Value::number(energy.at_end)},
      {"work", "; work of the drives {} J", Value::number(energy.work)},
      {"contact_work", label_if(energy.contact_work != 0.0, ", of the TCP on the environment {} J"),
       Value::number(energy.contact_work)},
      {"losses", ", losses {} J", Value::number(energy.losses)},
      {"imbalance", "; imbalance {} J", Value::magnitude(energy.imbalance())}};
}

std::string SimulationSummary::kept_rows() const {
  if (rows_ == 0) return "nothing is written";
  return rows_ == 1 ? "the row so far is kept" : fmt::format("the {} rows so far are kept", rows_);
}

std::string SimulationSummary::early_end() const {
  if (result.end == SimulationEnd::stopped) {
    return fmt::format("interrupted at {}; {}", time_text(last_t_), kept_rows());
  }
  if (!failure.empty()) return fmt::format("{}; {}", failure, kept_rows());
  if (result.end != SimulationEnd::limit) return "";
  const LimitReached& reached = *result.limit;
  const Joint& joint = joint_at(robot_, reached.joint);
  const std::string limit = with_unit(reached.limit, position_unit(joint));
  if (reached.q != reached.limit) {
    return fmt::format("{} starts at {}, beyond its limit {}; {}", joint.name,
                       with_unit(reached.q, position_unit(joint)), limit,
                       !start_has_unit_ && looks_like_degrees(robot_, reached.joint, reached.q)
                           ? "for degrees add ' deg' after the list, or name the column q1[deg]"
                           : "--at-limit ignore continues regardless");
  }
  if (reached.t == first_t_) {
    return fmt::format(
        "{} starts at its limit {} and moves out of it; {}; --at-limit ignore continues regardless",
        joint.name, limit, kept_rows());
  }
  return fmt::format("{} reaches its limit {} at {}; {}", joint.name, limit, time_text(reached.t),
                     kept_rows());
}

std::vector<std::string> SimulationSummary::remarks() const {
  if (!result.coarse_step) return {};
  return {coarse_step_text(*result.coarse_step, robot_, used_.step)};
}

Sections SimulationSummary::sections() const {
  Document found;
  if (rows_ == 0) found.add(Json{{"rows", 0}, {"steps", 0}});
  if (!result.joints.empty()) {
    Fields head = rows_head(robot_, rows_, Value::moments(first_t_, last_t_));
    head.push_back(steps_field(used_, result.steps));
    const Sections seen{{"", head}, {"joints", FieldTable{joints()}}, {"energy", energy()}};
    found.add(rows_ == 0 ? only_for(Audience::people, seen) : seen);
  }
  found.add("end", Json(name(result.end)));
  if (rows_ == 0 || result.end != SimulationEnd::complete) {
    found.add("message", Json(early_end()));
  }
  if (rows_ > 0 && result.limit) {
    found.add("limit", Json{{"joint", joint_at(robot_, result.limit->joint).name},
                            {"time", result.limit->t},
                            {"q", result.limit->q},
                            {"limit", result.limit->limit}});
  }
  if (rows_ > 0 && result.coarse_step) {
    found.add("coarse_step", coarse_step_data(*result.coarse_step, robot_));
  }
  return found.sections;
}

Answer SimulationSummary::ended(Document document) const {
  Answer answer{std::move(document)};
  answer.ending = ending(result.end);
  if (result.end != SimulationEnd::complete) answer.message = early_end();
  return answer;
}

std::optional<std::string> held_to(const TorqueInput& input, double end) {
  const auto* const samples = dynamic_cast<const SampledTorque*>(&input);
  if (!samples || !samples->is_past_end() || end <= samples->current().t) return {};
  return fmt::format("the last torque, of {}, is held to {}", time_text(samples->current().t),
                     time_text(end));
}

Json start_data(const std::vector<double>& q0, const std::vector<double>& qd0) {
  return {{"q0", joint_values(q0)}, {"qd0", joint_values(qd0)}};
}

}  // namespace armdyn
