#include "cli/trajectory/motion_plan.hpp"

#include <fmt/format.h>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "cli/options/shared_answers.hpp"
#include "cli/options/value_text.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/trajectory/options.hpp"
#include "identification/excitation_search.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "io/text/number_text.hpp"
#include "log/log_reader.hpp"
#include "log/side_by_side.hpp"
#include "model/limits_of_input.hpp"
#include "model/motors.hpp"
#include "model/proximal_form.hpp"
#include "motion/joint_path.hpp"
#include "motion/trajectory_law.hpp"
#include "motion/waypoint_motion.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

constexpr double excitation_share = 0.8;  // of the robot file's limits, by default
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The robot file's limits of velocity and acceleration, times `share`.
std::vector<RateLimit> own_limits(const Robot& robot, double share) {
  std::vector<RateLimit> limits(robot.dof());
  const std::vector<double> by_motors = velocities_by_motors(robot);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Limits& own = robot.joints[i].limits;
    limits[i].velocity = share * std::min(by_motors[i], own.velocity.value_or(unlimited));
    limits[i].acceleration = share * own.acceleration.value_or(unlimited);
  }
  return limits;
}

std::vector<Range> position_ranges(const Robot& robot) {
  std::vector<Range> ranges;
  ranges.reserve(robot.dof());
  for (const Joint& joint : robot.joints) {
    ranges.push_back(joint.limits.position.value_or(Range{-unlimited, unlimited}));
  }
  return ranges;
}

/// "x,y,z" or "x,y,z,roll,pitch,yaw", with or without " deg".
HandGoal parse_hand_goal(const std::string& option, const std::string& text) {
  const auto [placement, has_angles] = parse_placement(option, text);
  return {placed(placement), !has_angles};
}

/// "a", "v,a" or "v1,..;a1,..", with or without " deg"; and the robot file's own limits.
std::vector<RateLimit> parse_limits(const std::string& written, const Robot& robot) {
  std::vector<RateLimit> limits = own_limits(robot, 1.0);
  const std::string unit = written.ends_with(" deg") ? " deg" : "";
  const std::string text = written.substr(0, written.size() - unit.size());
  const std::vector<std::string> parts = split_list(text);
  const std::size_t semicolon = text.find(';');
  std::string velocity, acceleration = text;
  if (semicolon != text.npos) {
    velocity = text.substr(0, semicolon);
    acceleration = text.substr(semicolon + 1);
  } else if (parts.size() == 2) {
    velocity = parts[0];
    acceleration = parts[1];
  } else if (parts.size() > 2) {
    throw UsageError(fmt::format(
        "--limits: found \"{}\", expected V,A for all joints, or \"v1,..;a1,..\"", written));
  }
  if (!velocity.empty()) {
    const std::vector<double> values = parse_positive_each("--limits", velocity + unit, robot);
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      limits[i].velocity = std::min(limits[i].velocity, values[i]);
    }
  }
  const std::vector<double> values = parse_positive_each("--limits", acceleration + unit, robot);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    limits[i].acceleration = std::min(limits[i].acceleration, values[i]);
  }
  return limits;
}

Timing timing(const TrajectoryOptions& options, const Robot& robot) {
  Timing timing{options.duration, {}};
  if (!options.limits.empty()) timing.limits = parse_limits(options.limits, robot);
  return timing;
}

/// The largest share of its velocity limit that a motor of a coupling reaches, and by its joint
/// which; 0: there is none.
std::pair<double, std::size_t> motor_share(const Trajectory& motion, const Robot& robot) {
  std::pair<double, std::size_t> most;
  for (const auto& [limit, peak] : motor_speeds(motion, robot)) {
    most = std::max(most, std::pair{peak.value / limit.most, limit.motor});
  }
  return most;
}

/// Within the limits of coupled motors, where any limits count. Throws InputError where the motion
/// has no time for that.
Trajectory slowed_for_motors(const Trajectory& motion, const Robot& robot, const Timing& timing,
                             bool has_times) {
  const bool may_be_slowed = !timing.duration && !has_times;
  if (!may_be_slowed && timing.limits.empty()) return motion;
  const auto [share, motor] = motor_share(motion, robot);
  if (share <= 1.0) return motion;
  if (may_be_slowed) return slowed(motion, share);
  const double duration = motion.end() - motion.begin();
  throw InputError(fmt::format(
      "in {:.6g} s the motor of {} would reach {:.4g} % of its velocity limit; {:.6g} s "
      "are enough",
      duration, robot.joints[motor].name, 100.0 * share, share * duration));
}

/// With limits of joints that keep coupled motors within theirs while all joints move in step.
std::vector<RateLimit> with_motors(std::vector<RateLimit> limits, const Robot& robot,
                                   const std::vector<double>& from, const std::vector<double>& to) {
  if (limits.empty()) return limits;
  std::vector<double> way;
  for (std::size_t i = 0; i < limits.size(); ++i) way.push_back(to[i] - from[i]);
  for (const MotorLimit& motor : motor_limits(robot, MotorLimit::Kind::velocity)) {
    const double whole = std::abs(motor.of_motor(way));
    for (std::size_t i = 0; whole > 0.0 && i < limits.size(); ++i) {
      if (motor.of_joints[i] == 0.0 || way[i] == 0.0) continue;
      limits[i].velocity = std::min(limits[i].velocity, motor.most * std::abs(way[i]) / whole);
    }
  }
  return limits;
}

/// Whether the motion is one whose jerk is known before it is planned.
bool has_known_jerk(const TrajectoryOptions& options) {
  return !options.line && !options.excite &&
         (options.via.empty()
              ? options.profile == Profile::quintic || options.profile == Profile::septic
              : options.profile == Profile::monotone);
}

/// Of a motion between two ends: where nothing is asked for, within the robot file's limits.
Timing timing_between_ends(const TrajectoryOptions& options, const Robot& robot) {
  Timing wanted = timing(options, robot);
  if (!wanted.duration && wanted.limits.empty()) {
    const bool is_limited = std::ranges::all_of(
        robot.joints, [](const Joint& joint) { return joint.limits.acceleration.has_value(); });
    if (!is_limited) {
      throw UsageError(
          "trajectory needs --duration or --limits, to know how long the motion takes");
    }
    wanted.limits = own_limits(robot, 1.0);
  }
  for (std::size_t i = 0; has_known_jerk(options) && i < wanted.limits.size(); ++i) {
    wanted.limits[i].jerk = robot.joints[i].limits.jerk.value_or(unlimited);
  }
  return wanted;
}

/// What `make` makes when files have been read: what is wrong then is what was asked for.
template <class Make>
auto made(const char* of, const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw UsageError(of + std::string(error.what()));
  }
}

/// Rows of a file of waypoints or of a motion.
struct OpenRows {
  OpenRows(const std::string& name, const TrajectoryOptions& options, const Robot& robot,
           const std::vector<WantedGroup>& groups)
      : input(open_log(find_motion(name), robot, options.topics)),
        reader(input, robot, groups,
               {.extra = options.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse,
                .choices = options.columns,
                .text_column = options.via.empty() ? "" : move_column,
                .may_have_no_header = !options.via.empty(),
                .may_be_empty = !options.via.empty()},
               options.no_header ? HeaderLine::absent : HeaderLine::written) {
    print_recognised(input.name(), reader.plan(), options.output);
  }

  InputFile input;
  RowReader reader;
};

/// Of a motion through waypoints: the robot file's limits count where nothing else says how long it
/// takes, and always for a motion that is as fast as they allow.
Timing timing_through(const TrajectoryOptions& options, const Robot& robot,
                      const Waypoints& waypoints, const std::string& file) {
  Timing wanted = timing(options, robot);
  const bool is_fastest = options.profile == Profile::monotone;
  const bool has_time = !waypoints.t.empty() || wanted.duration;
  if (wanted.limits.empty() && (is_fastest || !has_time)) wanted.limits = own_limits(robot, 1.0);
  if (!has_time && std::ranges::all_of(wanted.limits, [](const RateLimit& limit) {
        return std::isinf(limit.velocity) && std::isinf(limit.acceleration);
      })) {
    throw UsageError(
        fmt::format("the waypoints in {} have no times t, and {} has no velocity limits; give "
                    "--duration or --limits",
                    file, robot.name));
  }
  for (std::size_t i = 0; is_fastest && i < wanted.limits.size(); ++i) {
    wanted.limits[i].jerk = robot.joints[i].limits.jerk.value_or(unlimited);
  }
  return wanted;
}

PassedWaypoints passed_waypoints(const WaypointMotion& planned, const Waypoints& waypoints,
                                 Profile profile, const Timing& timing, const Robot& robot) {
  PassedWaypoints passed{planned.stops, {}, {}, {}, {}};
  for (std::size_t& stop : passed.stops) ++stop;
  for (std::size_t k = 0; k < waypoints.ways.size(); ++k) {
    if (waypoints.ways[k]) passed.lines.push_back(k + 1);
  }
  if (!waypoints.t.empty() || timing.duration) return passed;
  if (profile != Profile::monotone && profile != Profile::lspb) return passed;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const RateLimit& limit = timing.limits[i];
    if (std::isfinite(limit.jerk)) passed.by_jerk = planned.by_jerk;
    if (std::isfinite(limit.acceleration)) continue;
    passed.default_accelerations.push_back(default_acceleration(limit));
    passed.defaults += fmt::format(
        "{}{} {} {}", passed.defaults.empty() ? "" : ", ", robot.joints[i].name,
        short_number(passed.default_accelerations.back()), acceleration_unit(robot.joints[i]));
  }
  return passed;
}

/// The middle of the position limits; zero without them.
std::vector<double> middle(const Robot& robot) {
  std::vector<double> centre;
  for (const Joint& joint : robot.joints) {
    const Range range = joint.limits.position.value_or(Range{});
    centre.push_back(range.lower + (range.upper - range.lower) / 2);
  }
  return centre;
}

/// Adds q of a row of --via and the way to it: a place of the hand in the posture that the line
/// leads to, or nearest to the one before (to the middle of the position limits, of the first row).
void add_waypoint(const TrajectoryOptions& options, const Robot& robot, const Arm& arm,
                  const WantedWaypoint& wanted, Waypoints& waypoints) {
  constexpr double same = 1e-9;  // rad or m
  const bool is_first = waypoints.q.empty();
  const std::vector<double> before = is_first ? middle(robot) : waypoints.q.back();
  std::optional<Trajectory> way;
  std::vector<double> q, rates(robot.dof());
  if (wanted.on_line && !is_first) {
    const Timing unit_time{1.0, {}};
    way = wanted.q ? straight_line(arm, before, *wanted.q, Profile::quintic, unit_time,
                                   options.orientation)
                   : straight_line(arm, before, *wanted.hand, Profile::quintic, unit_time,
                                   options.orientation);
    q.resize(robot.dof());
    way->at(way->end(), q, rates, rates);
  } else {
    q = wanted.q ? *wanted.q
                 : inverse_kinematics(arm, before, *wanted.hand, position_ranges(robot));
  }
  double moved = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) moved = std::max(moved, std::abs(q[i] - before[i]));
  const bool repeats = !is_first && !wanted.q && moved < same;
  if (repeats || moved == 0.0) way.reset();
  waypoints.q.push_back(repeats ? before : q);
  waypoints.ways.push_back(std::move(way));
}

/// The waypoints of --via.
Waypoints read_via(const TrajectoryOptions& options, const Robot& robot) {
  OpenRows rows(options.via, options, robot, waypoint_groups());
  const Arm arm = normalise(robot);
  Waypoints waypoints =
      read_waypoints(rows.reader, robot, [&](Waypoints& so_far, const WantedWaypoint& wanted) {
        add_waypoint(options, robot, arm, wanted, so_far);
      });
  if (std::ranges::none_of(waypoints.ways, &std::optional<Trajectory>::has_value)) {
    waypoints.ways.clear();
  }
  waypoints.stops = options.stop;
  for (const Joint& joint : robot.joints) waypoints.names.push_back(joint.name);
  return waypoints;
}

std::string name_of_via(const TrajectoryOptions& options) {
  return options.via == "-" ? "standard input" : options.via;
}

PlannedMotion plan_via(const TrajectoryOptions& options, const Robot& robot) {
  const Waypoints waypoints = read_via(options, robot);
  if (!waypoints.t.empty() && options.duration) {
    throw UsageError(fmt::format(
        "the waypoints in {} have times t, which say how long it takes; leave out --duration",
        name_of_via(options)));
  }
  if ((options.profile != Profile::monotone || options.stop) && !waypoints.blend.empty()) {
    throw UsageError(
        fmt::format("a blend is that of --profile monotone without --stop; leave out the column or "
                    "{}",
                    options.stop ? "--stop" : "the profile"));
  }
  if (options.profile != Profile::monotone && !waypoints.ways.empty()) {
    throw UsageError("a line is a way of --profile monotone; leave out the profile");
  }
  const Timing wanted = timing_through(options, robot, waypoints, name_of_via(options));
  return made("", [&]() -> PlannedMotion {
    const WaypointMotion planned = plan_through(waypoints, options.profile, wanted);
    return {slowed_for_motors(planned.motion, robot, wanted, !waypoints.t.empty()),
            {},
            passed_waypoints(planned, waypoints, options.profile, wanted, robot)};
  });
}

Trajectory plan_line(const TrajectoryOptions& options, const Robot& robot,
                     const std::vector<double>& from, const std::vector<double>& to) {
  const Timing timing = timing_between_ends(options, robot);
  try {
    return slowed_for_motors(
        straight_line(normalise(robot), from, to, options.profile, timing, options.orientation),
        robot, timing, false);
  } catch (const NumericsError& error) {
    const char* freedom =
        options.orientation == HandOrientation::free ? "" : ", --orientation free";
    throw NumericsError(
        fmt::format("{}; try other ends{}, or a motion without --line", error.what(), freedom));
  }
}

std::vector<double> start_position(const TrajectoryOptions& options, const Robot& robot) {
  if (options.excite && options.from.empty()) return middle(robot);
  return parse_position("--from", options.from, robot);
}

std::vector<double> end_position(const TrajectoryOptions& options, const Robot& robot,
                                 const std::vector<double>& from) {
  if (options.to_hand.empty()) return parse_position("--to", options.to, robot);
  const HandGoal goal = parse_hand_goal("--to-hand", options.to_hand);
  try {
    return inverse_kinematics(normalise(robot), from, goal, position_ranges(robot));
  } catch (const NumericsError& error) {
    const char* advice = goal.any_orientation ? "" : ", or x,y,z alone for any orientation";
    throw NumericsError(
        fmt::format("--to-hand: {}; give a place within reach{}", error.what(), advice));
  }
}

double excitation_period(const TrajectoryOptions& options) {
  return options.duration.value_or(Excitation{}.period);
}

/// Of the robot's limits that an excitation takes.
double limit_share(const TrajectoryOptions& options) {
  return options.limits.empty() ? excitation_share : 1.0;
}

Excitation wanted_excitation(const TrajectoryOptions& options, const Robot& robot) {
  Excitation wanted;
  wanted.centre = start_position(options, robot);
  wanted.position = position_ranges(robot);
  for (const Joint& joint : robot.joints) {
    wanted.names.push_back(joint.name);
    wanted.units.emplace_back(position_unit(joint));
  }
  wanted.limits = options.limits.empty() ? own_limits(robot, excitation_share)
                                         : parse_limits(options.limits, robot);
  wanted.period = excitation_period(options);
  wanted.harmonics = options.harmonics;
  wanted.seed = options.seed;
  return wanted;
}

/// The joints of couplings slower where their motors' limits ask for it.
Trajectory excite_within(const TrajectoryOptions& options, const Robot& robot) {
  Excitation wanted = wanted_excitation(options, robot);
  Trajectory motion = excite(wanted);
  const double share = motor_share(motion, robot).first / limit_share(options);
  if (share <= 1.0) return motion;
  const std::vector<RateLimit> peaks = peak_rates(motion);
  for (const Coupling& coupling : robot.couplings) {
    for (const std::size_t i : coupling.joints) {
      wanted.limits[i].velocity = peaks[i].velocity / share;
    }
  }
  return excite(wanted);
}

PlannedMotion optimise(const TrajectoryOptions& options, const Robot& robot) {
  constexpr std::size_t named = 3;
  ExcitationSearch search(robot, wanted_excitation(options, robot), limit_share(options));
  ProgressLine progress(search.tries(), options.output.quiet, "motions");
  Trajectory motion = search.best([&](std::size_t tried) {
    throw_if_interrupted();
    progress.show(tried, tried);
  });
  progress.clear();

  const ExcitationQuality quality = search.quality(motion);
  const std::vector<BaseParameter>& base = search.model().base().combinations;
  std::vector<std::size_t> order(base.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t b) { return quality.inflation[b]; });
  order.resize(std::min(named, order.size()));
  OptimisedExcitation found{.base_parameters = base.size(),
                            .condition = quality.condition,
                            .condition_by_chance = search.quality(search.by_chance()).condition,
                            .least_seen = {},
                            .peak_torque = search.peak_torque(motion),
                            .motor_torques = {}};
  for (const MotorLimit& limit : motor_limits(robot, MotorLimit::Kind::torque)) {
    found.motor_torques.push_back({limit, {search.peak_torque(motion, limit)}});
  }
  for (const std::size_t b : order) {
    found.least_seen.push_back(name(search.model().regressor().parameters()[base[b].first]));
  }
  return {std::move(motion), std::move(found)};
}

Trajectory read_along(const TrajectoryOptions& options, const Robot& robot,
                      std::vector<std::string>& warnings) {
  OpenRows rows(options.along, options, robot, motion_groups());
  return recorded(read_motion(rows.reader, robot, warnings));
}

RecordedRows rows_of(const Trajectory& motion, const std::vector<double>& times) {
  RecordedRows rows{times, {}, {}, {}};
  std::vector<double> q(motion.dof()), qd(q), qdd(q);
  for (const double t : times) {
    motion.at(t, q, qd, qdd);
    rows.q.insert(rows.q.end(), q.begin(), q.end());
    rows.qd.insert(rows.qd.end(), qd.begin(), qd.end());
    rows.qdd.insert(rows.qdd.end(), qdd.begin(), qdd.end());
  }
  return rows;
}

JointPath path_of(const TrajectoryOptions& options, const Robot& robot,
                  std::vector<std::string>& warnings) {
  constexpr const char* of = "--time-optimal: ";
  if (!options.along.empty()) {
    const Trajectory motion = read_along(options, robot, warnings);
    return made(of, [&] { return recorded_path(motion); });
  }
  if (!options.via.empty()) {
    const Waypoints waypoints = read_via(options, robot);
    if (!waypoints.t.empty() || !waypoints.dwell.empty()) {
      throw UsageError(fmt::format(
          "the waypoints in {} have {}, and --time-optimal finds its own times; leave out one of "
          "them",
          name_of_via(options), waypoints.t.empty() ? "dwells" : "times t"));
    }
    return made(of, [&] { return path_through(waypoints).path; });
  }
  const std::vector<double> from = start_position(options, robot);
  const std::vector<PathPoint> ends{{from}, {end_position(options, robot, from)}};
  return made(of, [&] { return path_through(ends).path; });
}

/// The robot's limits with those of --limits.
Robot limited(const TrajectoryOptions& options, Robot robot) {
  if (options.limits.empty()) return robot;
  const std::vector<RateLimit> limits = parse_limits(options.limits, robot);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    Limits& own = robot.joints[i].limits;
    if (std::isfinite(limits[i].velocity)) own.velocity = limits[i].velocity;
    if (std::isfinite(limits[i].acceleration)) own.acceleration = limits[i].acceleration;
  }
  return robot;
}

PlannedMotion plan_time_optimal(const TrajectoryOptions& options, const Robot& own) {
  const Robot robot = limited(options, own);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Coupling* const coupling = find_coupling(robot, i);
    const Limits& limits = robot.joints[i].limits;
    if (limits.torque || limits.acceleration || (coupling && !coupling->torque_limits.empty())) {
      continue;
    }
    throw UsageError(
        fmt::format("--time-optimal needs a limit of torque or acceleration for each "
                    "joint, and {} has none; give --limits",
                    robot.joints[i].name));
  }
  TimeOptimalAnswer found;
  const JointPath path = path_of(options, robot, found.warnings);
  PathDemands demands(robot, path_limits(robot, options.torque_limits.value_or(1.0)));
  TimeOptimalMotion fastest = time_optimal(path, demands);
  found.least = least_duration(path, demands, fastest.motion.end());
  found.limits = demands.limits();
  found.binding = std::move(fastest.binding);
  found.between_rows =
      largest_share(demands, recorded(rows_of(fastest.motion, row_times(fastest.motion, options))));
  return {std::move(fastest.motion), {}, {}, std::move(found)};
}

/// Until the share of the torque limits holds.
void slow_down(const TrajectoryOptions& options, const Robot& own, PlannedMotion& plan) {
  const Robot robot = limited(options, own);
  PathDemands demands(robot, path_limits(robot, *options.torque_limits));
  const SlowDown found = armdyn::slow_down(demands, plan.motion);
  if (const auto obstacle = slow_down_obstacle(robot, demands, found)) {
    throw NumericsError(fmt::format("--torque-limits: {}", *obstacle));
  }
  const double duration = plan.motion.end() - plan.motion.begin();
  plan.slow_down = slow_down_fields(robot, demands, found, duration);
  if (found.factor < 1.0) plan.motion = slowed(plan.motion, 1.0 / found.factor);
}

PlannedMotion planned(const TrajectoryOptions& options, const Robot& robot) {
  if (!options.along.empty()) {
    std::vector<std::string> warnings;
    PlannedMotion plan{read_along(options, robot, warnings), {}};
    plan.warnings = std::move(warnings);
    return plan;
  }
  if (!options.via.empty()) return plan_via(options, robot);
  return made("", [&]() -> PlannedMotion {
    if (options.optimise) return optimise(options, robot);
    if (options.excite) return {excite_within(options, robot), {}};
    const std::vector<double> from = start_position(options, robot);
    const std::vector<double> to = end_position(options, robot, from);
    if (options.line) return {plan_line(options, robot, from, to), {}};
    Timing timing = timing_between_ends(options, robot);
    timing.limits = with_motors(std::move(timing.limits), robot, from, to);
    return {point_to_point(from, to, options.profile, timing), {}};
  });
}

[[noreturn]] void refuse(const char* message) {
  throw UsageError(message);
}

}  // namespace

void refuse_contradictions(const TrajectoryOptions& options, const GivenOptions& given) {
  const bool has_end = !options.to.empty() || !options.to_hand.empty();
  const bool has_ends = !options.from.empty() || has_end;
  if (options.time_optimal && (options.line || options.excite || options.duration)) {
    refuse(
        "--time-optimal finds the time of a path of joints; leave out --line, --excite and "
        "--duration");
  }
  if (given.profile && options.time_optimal) {
    refuse("--time-optimal has no --profile; leave it out");
  }
  if (options.excite && options.torque_limits) {
    refuse("--excite keeps limits of torque with --optimise; leave out --torque-limits");
  }
  if (!options.along.empty()) {
    if (has_ends || options.excite || options.line || !options.via.empty() || given.profile ||
        options.duration) {
      refuse(
          "--along takes path and ends from its file; leave out --from, --to, --via, --line, "
          "--excite, --profile and --duration");
    }
    if (!options.time_optimal && !options.torque_limits) {
      refuse("--along needs --time-optimal or --torque-limits, to know how fast");
    }
  } else if (options.excite) {
    if (options.line || !options.via.empty())
      refuse("--excite makes a motion of its own; leave out --line and --via");
    if (has_end) refuse("--excite ends where it begins; leave out --to and --to-hand");
  } else if (!options.via.empty()) {
    if (has_ends) refuse("--via gives the ends as well; leave out --from and --to");
    if (options.line) refuse("--line goes from --from to --to; leave out --via");
  } else {
    if (!options.to.empty() && !options.to_hand.empty()) {
      refuse("--to and --to-hand both say where the motion ends; give one of them");
    }
    if (options.from.empty() || !has_end) {
      refuse(
          "trajectory needs --from and --to, or --via, or --excite; armdyn trajectory --help shows "
          "examples");
    }
  }
  if (options.line && options.profile == Profile::monotone) {
    refuse("--line takes --profile trapezoid, cubic, quintic, septic or lspb");
  }
  if (options.via.empty() && (options.stop || options.no_header || given.columns)) {
    refuse("--stop, --columns and --no-header are for --via");
  }
  if (given.profile && options.excite) refuse("--excite has no --profile; leave it out");
  if (given.orientation && !options.line && options.via.empty())
    refuse("--orientation is for --line and --via");
  if (options.optimise && !options.excite) refuse("--optimise is for --excite");
  if (given.harmonics && !options.excite) refuse("--harmonics is for --excite");
  if (given.seed && !options.excite) refuse("--seed is for --excite");
}

Json motion_data(const TrajectoryOptions& options, const Robot& robot, const Trajectory& motion) {
  if (!options.via.empty()) return Json{{"motion", "via"}};
  if (!options.along.empty()) return Json{{"motion", "along"}};
  Json json{{"from", joint_values(start_position(options, robot))}};
  json["motion"] = options.excite ? "excite" : options.line ? "line" : "point-to-point";
  if (!options.to.empty()) json["to"] = joint_values(parse_position("--to", options.to, robot));
  if (!options.to_hand.empty()) {
    std::vector<double> q(robot.dof()), qd(robot.dof()), qdd(robot.dof());
    motion.at(motion.end(), q, qd, qdd);
    json["to"] = joint_values(q);
  }
  if (options.excite) json["duration"] = excitation_period(options);
  return json;
}

std::vector<std::string> unseen_jerk_limits(const TrajectoryOptions& options, const Robot& robot) {
  const bool is_planned_for_limits = !options.duration || !options.limits.empty();
  if (has_known_jerk(options) && is_planned_for_limits) return {};
  const bool has_limit = std::ranges::any_of(
      robot.joints, [](const Joint& joint) { return joint.limits.jerk.has_value(); });
  if (!has_limit) return {};
  return {
      "the robot file's limits of jerk are not looked at: they count for --via with --profile "
      "monotone and for --from and --to with quintic or septic, where the limits say how long the "
      "motion takes"};
}

std::string advice_on_overshoot(const TrajectoryOptions& options) {
  return options.via.empty() ? "" : "; --profile monotone stays between them";
}

PlannedMotion plan_motion(const TrajectoryOptions& options, const Robot& robot) {
  PlannedMotion plan =
      options.time_optimal ? plan_time_optimal(options, robot) : planned(options, robot);
  if (options.torque_limits && !options.time_optimal) slow_down(options, robot, plan);
  plan.motion = kept_within(plan.motion, own_limits(robot, 1.0), position_ranges(robot));
  return plan;
}

std::vector<double> row_times(const Trajectory& motion, const TrajectoryOptions& options) {
  const double seconds = motion.end() - motion.begin(), rows = seconds * options.rate;
  if (rows <= options.max_rows) return sample_times(motion, options.rate);
  throw UsageError(
      fmt::format("{:.6g} s at {:.6g} Hz are {}", seconds, options.rate,
                  limits_of_input::too_many(rows, options.max_rows, "rows", "lower --rate")));
}

}  // namespace armdyn
