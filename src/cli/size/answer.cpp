#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/value_text.hpp"
#include "cli/size/options.hpp"
#include "math/each.hpp"
#include "model/robot_fields.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

Fields load(const Joint& joint, const DriveNeed& need) {
  return {{"name", "joint", Value::word(joint.name)},
          {"peak", "peak |τ|", Value::number(need.torque.value)},
          {"unit", "", Value::word(torque_unit(joint))},
          {"peak_time", "at t [s]", Value::moment(need.torque.t)},
          {"rms", "RMS τ", Value::number(need.rms)}};
}

Fields motor(const Joint& joint, const DriveNeed& need) {
  return {
      {"name", "motor of", Value::word(joint.name)},
      {"motor_peak", "peak |τ| [N·m]", Value::number(need.motor_torque.value)},
      {"motor_peak_time", "at t [s]", Value::moment(need.motor_torque.t)},
      {"motor_rms", "RMS [N·m]", Value::number(need.motor_rms)},
      {"motor_speed", "peak speed [" + shown_unit("rad/s") + "]",
       Value::number(need.motor_speed.value, "rad/s")},
      {"peak_power", "peak power [W]", Value::number(need.power.value)},
      {"mean_power", "mean |power| [W]", Value::number(need.mean_power)},
      {"breakaway", "breakaway torque [N·m]",
       need.breakaway ? Value::number(need.breakaway->value) : Value{}},
      {"breakaway_time", for_programs, need.breakaway ? Value::moment(need.breakaway->t) : Value{}},
      {"inertia_ratio", "inertia load/rotor",
       need.inertia_ratio ? Value::range(need.inertia_ratio->lower, need.inertia_ratio->upper)
                          : Value{}}};
}

Fields gear(const Joint& joint, const DriveNeed& need) {
  const auto if_single = [&](double value, const char* unit = "") {
    return need.is_single ? Value::number(value, unit) : Value{};
  };
  return {
      {"name", "gear of", Value::word(joint.name)},
      {"gear_peak", "peak |T|", if_single(need.gear_torque.value)},
      {for_people, "", Value::word(torque_unit(joint))},
      {"gear_peak_time", "at t [s]", need.is_single ? Value::moment(need.gear_torque.t) : Value{}},
      {"gear_mean_torque", "mean |T|", if_single(need.mean_torque)},
      {"gear_mean_speed", "mean input speed [" + shown_unit("rad/s") + "]",
       if_single(need.mean_speed, "rad/s")},
      {"gear_life", "life L10 [h]", Value::number(need.life)}};
}

Fields current(const Joint& joint, const DriveNeed& need) {
  const double per_torque = 1.0 / *joint.motor.ratings.torque_constant;
  return {{"name", "motor of", Value::word(joint.name)},
          {"peak", "peak current [A RMS]", Value::number(per_torque * need.motor_torque.value)},
          {"rms", "RMS current [A]", Value::number(per_torque * need.motor_rms)},
          {"copper", "copper loss per cycle [J]", Value::number(need.copper_energy)}};
}

Fields warmth(const Joint& joint, const ThermalNeed& need) {
  const auto of = [&](const auto& value) {
    return need.steady ? Value::number(value(*need.steady)) : Value{nullptr, "runaway"};
  };
  using Found = const SteadyTemperatures&;
  return {{"name", "motor of", Value::word(joint.name)},
          {"winding", "hottest winding [°C]", of([](Found at) { return at.hottest.value; })},
          {"winding_time", "at t [s]", of([](Found at) { return at.hottest.t; })},
          {"winding_ripple", "its ripple [K]",
           of([](Found at) { return at.hottest.value - at.coolest; })},
          {"winding_mean", "its mean [°C]", of([](Found at) { return at.mean; })},
          {"housing", "housing [°C]", of([](Found at) { return at.housing; })},
          {"time_to_limit", "to limit [s]", Value::number(need.time_to_limit)}};
}

Fields supply(const SupplyNeed& need) {
  return {
      {"peak_power", "supply: peak power {} W", Value::number(need.power.value)},
      {"peak_power_time", " at t = {} s", Value::moment(need.power.t)},
      {"mean_power", ", mean power {} W", Value::number(need.mean_power)},
      {"returned_peak", "\nreturned: peak power {} W", Value::number(need.returned_power.value)},
      {"returned", ", energy {} J per cycle", Value::number(need.returned)},
      {"supplied", "\nper cycle {} J supplied =\n", Value::number(need.supplied)},
      {"friction", "  friction {}", Value::number(need.friction)},
      {"gear", " + gears {}", Value::number(need.gear)},
      {"copper", " + copper {}", Value::number(need.copper)},
      {"brake_resistor", " + brake resistor {}", Value::number(need.brake)},
      {"contact_work", "\n  + work of the TCP {}", Value::number(need.contact_work)},
      {"mechanical", " + energy of the arm {}", Value::number(need.mechanical)},
      {"unaccounted", " + by the steps {}", Value::magnitude(need.unaccounted())}};
}

Fields judged(const Verdict& verdict) {
  const bool is_share = verdict.rating == "motor.torque_speed";
  const std::string unit = is_share ? "of the curve" : verdict.unit;
  return {{"where", "where", Value::word(verdict.where)},
          {"rating", "rating", Value::word(verdict.rating)},
          {"needed", "needed", Value::number(verdict.needed, unit)},
          {"rated", "rated", Value::number(verdict.rated, unit)},
          {"unit", "", Value::unit_of(unit)},
          {"share", "share of rated", Value::share(verdict.share, 1.0)},
          {"time", "at t [s]", verdict.t ? Value::moment(*verdict.t) : Value{}},
          {"verdict", "", Value::word(verdict.word())}};
}

/// Adds ratings of a part that are not given.
template <class P>
void add_missing(const std::string& before, const P& part, std::vector<std::string>& missing) {
  fields(
      [&](const RobotField& field, const auto& member) {
        bool is_there = true;
        if constexpr (requires { member.has_value(); }) is_there = member.has_value();
        if constexpr (requires { member.empty(); }) is_there = !member.empty();
        if (!is_there) missing.push_back(before + std::string(field.key));
      },
      part);
}

/// Columns of a torque over all arms; keys begin with `before`.
Fields bounds(const std::string& before, const std::string& what, const std::string& unit,
              const Joint& joint, const GuaranteedTorque& found) {
  return {
      {"name", what, Value::word(joint.name)},
      {before + "peak", "peak |τ| of all arms", Value::bounds(found.peak.lower, found.peak.upper)},
      {before.empty() ? "unit" : for_people, "", Value::word(unit)},
      {before + "found_peak", "found peak", Value::number(found.found_peak.value)},
      {before + "found_peak_time", "at t [s]", Value::moment(found.found_peak.t)},
      {before + "rms", "RMS at most", Value::number(found.rms, Bound::upper)},
      {before + "found_rms", "found RMS", Value::number(found.found_rms)}};
}

/// Numbers of an arm that differ from the file's; for people those that add most.
Field arm_found(const char* key, const RobotSampler& draws, const RobotSampler::Extreme& arm) {
  constexpr std::size_t shown = 4;
  std::vector<std::pair<double, std::string>> names;
  Json places = Json::object();
  for (const auto& [place, name] : draws.sampled_numbers()) {
    const double at = place < arm.places.size() ? arm.places[place] : 0.0;
    if (at == 0.0) continue;
    places[name] = at;
    names.emplace_back(-arm.parts[place], name + (at > 0.0 ? " +" : " −"));
  }
  std::ranges::sort(names);
  names.resize(std::min(shown, names.size()));
  const auto texts = each(names, [](const auto& name) { return name.second; });
  return {key,
          for_programs,
          {places, texts.empty() ? "as in the file" : fmt::format("{}", fmt::join(texts, ", "))}};
}

/// Returns bounds of the needs of all arms within the tolerances.
Sections tolerances(const RobotFile& file, const Cycle& cycle, const SizeOptions& options) {
  const RobotSampler draws(file.robot, uncertainty_of(options.uncertainty, file), 1,
                           arm_of_parameters(file, options.robot));
  FieldTable joints, motors;
  Paragraphs arms{"most by ", {}};
  const std::vector<GuaranteedNeed> needs = guaranteed_needs(draws, file.robot, cycle);
  auto found = needs.begin();
  for (const Joint& joint : file.robot.joints) {
    joints.rows.push_back(bounds("", "joint", torque_unit(joint), joint, found->joint));
    joints.rows.back().push_back(arm_found("arm", draws, found->joint.arm));
    motors.rows.push_back(bounds("motor_", "motor of", "N·m", joint, found->motor));
    motors.rows.back().push_back(arm_found("motor_arm", draws, found->motor.arm));
    arms.texts.push_back(joint.name + ": " + joints.rows.back().back().value.brief);
    ++found;
  }
  return {{"tolerances", joints, "With --uncertainty, proven to hold for all arms:", true},
          {"tolerances", motors, "", true},
          {"", arms, "", true, Audience::people}};
}

/// Lists the ratings that are not given or have nothing to judge, with their joints.
Paragraphs not_judged(const Robot& robot, const Sizing& sizing) {
  std::map<std::string, std::vector<std::string>> joints;
  for (const std::size_t i : in_order(robot.dof())) {
    const Joint& joint = robot.joints[i];
    std::vector<std::string> missing;
    const MotorRatings& motor = joint.motor.ratings;
    if (motor.peak_torque && !sizing.drives[i].breakaway) {
      missing.emplace_back("motor.peak_torque at breakaway (the motor never starts from rest)");
    }
    add_missing("motor.", motor, missing);
    if (!is_complete(motor.thermal)) {
      missing.emplace_back("motor.thermal");
    } else if (!motor.thermal.max_winding || !motor.torque_constant || !motor.resistance) {
      missing.emplace_back("motor.thermal.max_winding");
    }
    add_missing("gear.", joint.gear, missing);
    std::erase_if(missing, [](const std::string& key) {  // of the life, which is no rating
      return key == "gear.rated_torque" || key == "gear.rated_speed" || key == "gear.life";
    });
    joints[fmt::format("{}", fmt::join(missing, ", "))].push_back(joint.name);
  }
  std::vector<std::string> missing;
  add_missing("", robot.supply, missing);
  joints[fmt::format("{}", fmt::join(missing, ", "))].emplace_back("supply");
  Paragraphs found{"not judged here: ", {}};
  for (const auto& [keys, of] : joints) {
    if (!keys.empty()) found.texts.push_back(fmt::format("{}: {}", fmt::join(of, ", "), keys));
  }
  found.texts.emplace_back(
      "limits of position, velocity, acceleration and torque of joints: armdyn torque checks them");
  return found;
}

/// The answer in a line: how many ratings there are, and which do not hold.
std::string verdict_line(const std::vector<Verdict>& verdicts) {
  if (verdicts.empty()) return "no ratings: nothing was judged";
  std::vector<std::string> failed;
  for (const Verdict& verdict : verdicts) {
    const std::string of = verdict.where == "supply" ? "" : " of " + verdict.where;
    if (!verdict.passes()) failed.push_back(verdict.rating + of);
  }
  if (failed.empty()) return fmt::format("PASS: {} judged", counted(verdicts.size(), "rating"));
  return fmt::format("FAIL: {} of {}: {}", failed.size(), counted(verdicts.size(), "rating"),
                     fmt::join(failed, ", "));
}

bool has_motor(const Joint& joint) {
  return joint.motor != Motor{};
}

/// Tables of the drives: loads, motors, gears, and of those with such ratings currents and
/// temperatures. People see the motors and gears that the file has.
Sections drive_sections(const Robot& robot, const Sizing& sizing) {
  FieldTable loads, motors, gears, currents, temperatures;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const DriveNeed& need = sizing.drives[i];
    loads.rows.push_back(load(joint, need));
    motors.rows.push_back(motor(joint, need));
    gears.rows.push_back(gear(joint, need));
    if (joint.motor.ratings.torque_constant) currents.rows.push_back(current(joint, need));
    if (need.thermal) temperatures.rows.push_back(warmth(joint, *need.thermal));
  }
  Sections found{{"joints", loads, "", true}};
  const auto add = [&](const FieldTable& all, const char* what, bool (*is_there)(const Joint&)) {
    FieldTable seen;
    std::vector<std::string> without;
    for (const std::size_t i : in_order(robot.dof())) {
      const Joint& joint = robot.joints[i];
      const bool is_seen = is_there(joint) || !sizing.drives[i].is_single;
      if (is_seen) seen.rows.push_back(all.rows[i]);
      if (!is_seen) without.push_back(joint.name);
    }
    found.push_back({"joints", all, "", true, Audience::programs});
    if (seen.rows.empty()) return;
    found.push_back({"", seen, "", true, Audience::people});
    if (without.empty()) return;
    found.push_back({"", fmt::format("no {} in the file: {}", what, fmt::join(without, ", ")), "",
                     false, Audience::people});
  };
  add(motors, "motor", has_motor);
  add(gears, "gear",
      [](const Joint& joint) { return joint.gear != Gear{} || joint.motor.gear_ratio != 1.0; });
  if (!currents.rows.empty()) found.push_back({"currents", currents, "", true});
  if (temperatures.rows.empty()) return found;
  found.push_back(
      {"temperatures", temperatures,
       "Steady state of the repeated cycle; that warm magnets are weaker is neglected:", true});
  return found;
}

/// Warns of joints that are not where they began.
std::vector<std::string> warnings_of_cycle(const Robot& robot, const Cycle& cycle) {
  constexpr double closed = 1e-6;  // rad or m
  const std::vector<std::size_t> open = where(robot.dof(), [&cycle](std::size_t i) {
    return std::abs(cycle.q[i].back() - cycle.q[i].front()) > closed;
  });
  if (open.empty()) return {};
  return {fmt::format(
      "the motion does not end where it begins ({}): the cycle lacks the return to its start",
      fmt::join(joint_names(robot, open), ", "))};
}

}  // namespace

SizeAnswer size_answer(Run& run, ReadCycle read, const SizeOptions& options) {
  const RobotFile& file = run.robot();
  const Robot& robot = file.robot;
  Cycle& cycle = read.all;
  const std::size_t rows = read.rows;
  const Value times = Value::moments(read.ends.t[0], read.ends.t[1]);
  if (options.hold > 0.0) {
    read.ends.dwell(options.hold, robot);
    Cycle dwell;
    dwell.append(read.ends, 2);
    read.add(dwell);
  }
  SizeAnswer answer{{}, {}, true, read.sizer.result()};
  const Sizing& sizing = answer.sizing;
  Fields head = rows_head(robot, rows, times);
  head.push_back({"cycle", "; a cycle of {} s", Value::number(sizing.duration)});
  const std::vector<Verdict> judgment = verdicts(robot, sizing, options.safety);
  answer.passes = std::ranges::all_of(judgment, &Verdict::passes);
  answer.sections = {{"", head}, {"", verdict_line(judgment)}};
  if (!judgment.empty()) {
    answer.sections.push_back({"ratings", FieldTable{each(judgment, judged)}, "", true});
  }
  append(answer.sections, drive_sections(robot, sizing));
  const bool has_supply = robot.supply != Supply{};
  answer.sections.push_back(
      {"supply", supply(sizing.supply), "", true, has_supply ? Audience::all : Audience::programs});
  answer.sections.push_back({"not_judged", not_judged(robot, sizing), "", true});
  if (!options.uncertainty.text.empty()) append(answer.sections, tolerances(file, cycle, options));
  if (!options.catalog.empty()) {
    const Choice choice = choose_drives(run, cycle, options);
    append(answer.sections, choice.sections);
    answer.passes = answer.passes && choice.passes;
  }
  answer.warnings = warnings_of_cycle(robot, read.ends);
  answer.cycle = std::move(cycle);
  return answer;
}

namespace {

bool is_behind_gap(const Cycle& cycle, std::size_t row) {
  return row > 0 && cycle.steps[row] == 0.0 && cycle.t[row] > cycle.t[row - 1];
}

Panel over_time(const std::string& title, const std::string& symbol, const std::string& unit,
                const Cycle& cycle, const std::vector<double>& values) {
  ThinnedSeries series;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (is_behind_gap(cycle, row)) series.break_off();
    series.append(cycle.t[row], values[row]);
  }
  return {title, symbol, unit, {curve_of("", series)}, {}};
}

/// |τ| of a motor over its speed, row by row, of a long cycle some rows with all extremes.
Curve torque_over_speed(const Cycle& cycle, const DriveNeed& need) {
  constexpr std::size_t most = 2000;
  const std::vector<double>&speeds = need.motor_speeds, &torques = need.motor_torques;
  Curve curve{"cycle", {}, {}, true};
  auto kept = in_order(speeds.size());
  if (kept.size() > most) kept = rows_with_extremes({speeds, torques}, most);
  std::size_t next = 0;
  for (const std::size_t row : kept) {
    bool has_gap = false;
    for (; next <= row; ++next) has_gap = has_gap || is_behind_gap(cycle, next);
    if (has_gap) {
      curve.x.push_back(std::abs(speeds[row]));
      curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    curve.x.push_back(std::abs(speeds[row]));
    curve.y.push_back(std::abs(torques[row]));
  }
  return curve;
}

/// Panel of |τ| by |speed| of a motor, with its peak and continuous torques.
Panel by_speed_of_motor(const Joint& joint, const Cycle& cycle, const DriveNeed& need) {
  const MotorRatings& ratings = joint.motor.ratings;
  Panel panel{joint.name, "motor |τ|", "N·m", {torque_over_speed(cycle, need)}};
  panel.x_label = "motor speed";
  panel.x_unit = "rad/s";
  const double top = ratings.max_speed.value_or(need.motor_speed.value);
  const auto level = [&](const char* label, double torque) {
    panel.curves.push_back({label, {0.0, top, top}, {torque, torque, 0.0}});
  };
  if (!ratings.torque_speed.empty()) {
    panel.curves.push_back({"peak", each(ratings.torque_speed, &SpeedTorque::speed),
                            each(ratings.torque_speed, &SpeedTorque::torque)});
  } else if (ratings.peak_torque) {
    level("peak", *ratings.peak_torque);
  }
  if (ratings.continuous_torque) level("continuous", *ratings.continuous_torque);
  panel.curves.push_back({"RMS", {need.mean_speed}, {need.motor_rms}});
  return panel;
}

}  // namespace

Figure size_figure(const Robot& robot, const SizeAnswer& answer, const SizeOptions& options) {
  const Cycle& cycle = answer.cycle;
  Figure figure = titled_figure("drives", options.motion, robot, options.robot);
  const auto is_warm = [](const DriveNeed& need) { return need.thermal && need.thermal->steady; };
  figure.columns = std::ranges::any_of(answer.sizing.drives, is_warm) ? 3 : 2;
  std::vector<std::size_t> joints = parse_joints("--plot-joints", options.plot.joints, robot);
  if (joints.empty()) {
    joints = where(robot.dof(), [&](std::size_t i) {
      return has_motor(robot.joints[i]) || !answer.sizing.drives[i].is_single;
    });
  }
  if (joints.empty()) joints = in_order(robot.dof());
  for (const std::size_t i : joints) {
    const Joint& joint = robot.joints[i];
    const DriveNeed& need = answer.sizing.drives[i];
    figure.panels.push_back(by_speed_of_motor(joint, cycle, need));
    figure.panels.push_back(over_time(joint.name, "motor τ", "N·m", cycle, need.motor_torques));
    if (const auto& peak = joint.motor.ratings.peak_torque) {
      figure.panels.back().limits = {-*peak, *peak};
    }
    if (figure.columns == 2) continue;
    const std::vector<double> winding =
        is_warm(need) ? need.thermal->steady->winding : std::vector<double>{};
    figure.panels.push_back(over_time(joint.name, "winding", "°C", cycle, winding));
    if (const auto& most = joint.motor.ratings.thermal.max_winding) {
      figure.panels.back().limits = {*most};
    }
  }
  figure.panels.push_back(over_time("bus", "P", "W", cycle, answer.sizing.bus));
  if (robot.supply.peak_power) figure.panels.back().limits = {*robot.supply.peak_power};
  return figure;
}

}  // namespace armdyn
