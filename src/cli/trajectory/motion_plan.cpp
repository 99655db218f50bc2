#include "cli/trajectory/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "dynamics/friction.hpp"
#include "identification/excitation_search.hpp"
#include "identification/torque_fit.hpp"
#include "log/rate_check.hpp"
#include "math/characters.hpp"
#include "math/rigid.hpp"
#include "model/motors.hpp"
#include "model/proximal_form.hpp"
#include "motion/path_timing.hpp"
#include "motion/tcp_line.hpp"
#include "motion/time_optimal.hpp"
#include "motion/trajectory_law.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr double excitation_share = 0.8;  // of the robot file's limits, by default
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Limits of the rates of the robot file, times `share`.
std::vector<RateLimit> own_limits(const Robot& robot, double share) {
  std::vector<RateLimit> limits(robot.dof());
  const std::vector<double> by_motors = velocities_by_motors(robot);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Limits& own = robot.joints[i].limits;
    limits[i].velocity = share * std::min(by_motors[i], own.velocity.value_or(unlimited));
    limits[i].acceleration = share * own.acceleration.value_or(unlimited);
    limits[i].jerk = share * own.jerk.value_or(unlimited);
  }
  return limits;
}

std::vector<Range> position_ranges(const Robot& robot) {
  return each(robot.joints, [](const Joint& joint) {
    return joint.limits.position.value_or(Range{-unlimited, unlimited});
  });
}

/// Parts of --limits: "a", "v,a" or "v,a,j" for all joints, or lists with ; between them.
std::vector<std::string> limit_lists(const std::string& text) {
  return split_at(text, text.find(';') == text.npos ? ',' : ';');
}

/// Limits as written, with or without " deg", where the robot file's are not lower.
std::vector<RateLimit> parse_limits(const std::string& written, const Robot& robot) {
  std::vector<RateLimit> limits = own_limits(robot, 1.0);
  const std::string unit = written.ends_with(" deg") ? " deg" : "";
  std::vector<std::string> lists = limit_lists(written.substr(0, written.size() - unit.size()));
  require(lists.size() <= 3, "--limits", written,
          "[V,]A[,J] for all joints, or \"v1,..;a1,..;j1,..\"");
  const auto take = [&](const std::string& list, double RateLimit::*rate) {
    const std::vector<double> values = parse_positive_each("--limits", list + unit, robot);
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      limits[i].*rate = std::min(limits[i].*rate, values[i]);
    }
  };
  if (lists.size() == 1) lists.insert(lists.begin(), "");
  if (!lists[0].empty()) take(lists[0], &RateLimit::velocity);
  take(lists[1], &RateLimit::acceleration);
  if (lists.size() == 3) take(lists[2], &RateLimit::jerk);
  return limits;
}

/// Slows a motion down to the limits of velocity and acceleration on rows, where limits count. Throws
/// InputError where its duration is fixed and too short; the part `resting` of it does not scale.
Trajectory slowed_for_rows(const Trajectory& motion, const Robot& robot, const Timing& timing,
                           bool has_times, double resting = 0.0) {
  const bool may_be_slowed = !timing.duration && !has_times;
  if (!may_be_slowed && timing.limits.empty()) return motion;
  double factor = 1.0, share = 1.0;
  RowLimit slowest;
  for (const auto& [limit, peak] : row_reaches(motion, row_limits(robot))) {
    if (limit.kind == RowLimit::Kind::position) continue;
    const double here = peak.value / limit.most;
    const double of_it = limit.kind == RowLimit::Kind::acceleration ? std::sqrt(here) : here;
    if (of_it <= factor) continue;
    factor = of_it;
    share = here;
    slowest = limit;
  }
  if (factor == 1.0) return motion;
  if (may_be_slowed) return slowed(motion, factor);
  const double duration = motion.end() - motion.begin();
  throw InputError(fmt::format(
      "in {:.6g} s {}{} would reach {:.4g} % of its {} limit; {:.6g} s are enough", duration,
      slowest.is_of_motor ? "the " : "", limited_name(robot, slowest), 100.0 * share,
      slowest.kind == RowLimit::Kind::acceleration ? "acceleration" : "velocity",
      resting + factor * (duration - resting)));
}

/// Adds limits of joints that keep rows within theirs while all joints move in step.
std::vector<RateLimit> with_rows(std::vector<RateLimit> limits, const Robot& robot,
                                 const std::vector<double>& from, const std::vector<double>& to) {
  if (limits.empty()) return limits;
  std::vector<double> way;
  for (std::size_t i = 0; i < limits.size(); ++i) way.push_back(to[i] - from[i]);
  const auto add = [&](RowLimit::Kind kind, double RateLimit::*of_joint) {
    for (const RowLimit& row : row_limits(robot, kind)) {
      const double whole = std::abs(row.of_row(way));
      for (std::size_t i = 0; whole > 0.0 && i < limits.size(); ++i) {
        if (row.of_joints[i] == 0.0 || way[i] == 0.0) continue;
        limits[i].*of_joint = std::min(limits[i].*of_joint, row.most * std::abs(way[i]) / whole);
      }
    }
  };
  add(RowLimit::Kind::velocity, &RateLimit::velocity);
  add(RowLimit::Kind::acceleration, &RateLimit::acceleration);
  return limits;
}

/// Tests whether the motion can be planned within limits of jerk.
bool may_keep_jerk(const TrajectoryOptions& options, bool has_times = false) {
  const bool is_smooth = options.profile == Profile::quintic || options.profile == Profile::septic;
  return !options.straight && !options.excite && !options.time_optimal && options.along.empty() &&
         !has_times && (options.profile == Profile::monotone || (is_smooth && options.via.empty()));
}

constexpr const char* jerk_counts =
    "to --profile monotone without times t, and to --from and --to with quintic or septic, where "
    "the limits set the duration";

/// Throws UsageError where --limits has a jerk and the motion cannot keep it.
void refuse_jerk(const TrajectoryOptions& options, bool has_times = false) {
  refuse_if(limit_lists(options.limits).size() == 3 && !may_keep_jerk(options, has_times),
            "--limits has limits of jerk, which apply only {}; leave them out", jerk_counts);
}

/// Returns the duration or limits asked for. The robot file's limits count where neither is given,
/// and always for a motion through waypoints that is as fast as limits allow.
Timing timing_of(const TrajectoryOptions& options, const Robot& robot, bool has_times = false) {
  const bool is_via = !options.via.empty(), has_time = has_times || options.duration;
  Timing wanted{options.duration, {}};
  if (!options.limits.empty()) {
    wanted.limits = parse_limits(options.limits, robot);
  } else if (!has_time || (is_via && options.profile == Profile::monotone)) {
    wanted.limits = own_limits(robot, 1.0);
  }
  std::vector<std::string> unlimited_joints;
  for (std::size_t i = 0; i < wanted.limits.size(); ++i) {
    const RateLimit& limit = wanted.limits[i];
    if (std::isfinite(limit.acceleration) || (is_via && std::isfinite(limit.velocity))) continue;
    unlimited_joints.push_back(robot.joints[i].name);
  }
  const bool lacks_all = unlimited_joints.size() == robot.dof();
  refuse_if(!has_time && (is_via ? lacks_all : !unlimited_joints.empty()),
            "the duration is missing, and {}; give --duration or --limits",
            lacks_all ? fmt::format("{} has no limits of {} to compute it from", robot.name,
                                    is_via ? "velocity or acceleration" : "acceleration")
                      : "there is no limit of acceleration at " + listed(unlimited_joints));
  if (!may_keep_jerk(options, has_times)) {
    for (RateLimit& limit : wanted.limits) limit.jerk = unlimited;
  }
  return wanted;
}

/// Returns `make()`. Turns its InputErrors into UsageErrors: all files have been read, so that an
/// option is at fault.
template <class Make>
auto made(const char* of, const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw UsageError(of + std::string(error.what()));
  }
}

/// Rows of a file of waypoints or of a motion.
RowReader& open_rows(const std::string& name, const TrajectoryOptions& options, Run& run,
                     const std::vector<WantedGroup>& groups) {
  const bool is_via = !options.via.empty();
  return run.reader(name, options.topics, groups,
                    {.ignore_extra = options.ignore_extra,
                     .choices = options.columns,
                     .text_column = is_via ? move_column : "",
                     .may_have_no_header = is_via,
                     .may_be_empty = is_via},
                    options.no_header ? HeaderLine::absent : HeaderLine::written);
}

/// The waypoints of --via; rows are numbered from 1 on.
struct Via {
  Waypoints waypoints;             ///< without those that lines pass at a blend
  std::vector<std::size_t> rows;   ///< of the waypoints
  std::vector<std::size_t> lines;  ///< rows that the TCP reaches on a line
  Doubts doubts{};                 ///< of rows beyond a limit, and of positions in degrees
};

/// Fields on stops, lines and default limits of a motion through waypoints.
Fields waypoint_fields(const TrajectoryOptions& options, const Robot& robot, const Via& via,
                       const Timing& timing, const WaypointMotion& planned) {
  const auto& [waypoints, rows, lines, doubts] = via;
  const auto stops = each(planned.stops, [&rows = rows](std::size_t stop) { return rows[stop]; });
  Fields fields{{"stops",
                 "waypoints: {}",
                 {stops, stops.empty() ? "no stop between the ends"
                                       : fmt::format("stops at {}", fmt::join(stops, ", "))}}};
  if (!lines.empty()) {
    fields.push_back({"lines",
                      "; on a straight line to {}",
                      {lines, fmt::format("{}", fmt::join(lines, ", "))}});
  }
  const bool is_fastest = options.profile == Profile::monotone || options.profile == Profile::lspb;
  if (!is_fastest || !waypoints.t.empty() || timing.duration) return fields;
  std::vector<double> defaults;
  std::string text;
  bool has_jerk = false;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const RateLimit& limit = timing.limits[i];
    has_jerk = has_jerk || std::isfinite(limit.jerk);
    if (std::isfinite(limit.acceleration)) continue;
    defaults.push_back(default_acceleration(limit));
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", robot.joints[i].name,
                        with_unit(defaults.back(), acceleration_unit(robot.joints[i])));
  }
  if (!defaults.empty()) {
    fields.push_back({"default_accelerations",
                      "; no limit of acceleration; assumed is the velocity limit in 0.5 s: {}",
                      {defaults, text}});
  }
  if (has_jerk) {
    fields.push_back({"time_by_jerk",
                      "; {} times as long as without limits of jerk; a shorter duration may exist",
                      Value::number(planned.by_jerk)});
  }
  return fields;
}

/// The middle of the position limits; zero without them.
std::vector<double> middle(const Robot& robot) {
  return each(robot.joints, [](const Joint& joint) {
    const Range range = joint.limits.position.value_or(Range{});
    return range.lower + (range.upper - range.lower) / 2;
  });
}

/// Adds q of a row of --via, and the path to it. Of a TCP pose, q is the posture at the end
/// of the line, or nearest to the row before (of the first row, to the middle of the position
/// limits).
void add_waypoint(const TrajectoryOptions& options, const Robot& robot, const Arm& arm,
                  const WantedWaypoint& wanted, Waypoints& waypoints) {
  // Errors left by the search for q, and by rounding at the end of a line; rad or m.
  constexpr double same_tcp = 1e-9, same_q = 1e-12;
  const bool is_first = waypoints.q.empty();
  const std::vector<double> before = is_first ? middle(robot) : waypoints.q.back();
  std::optional<Trajectory> way;
  const auto straight_to = [&](const auto& goal) {
    return straight_line(arm, before, goal, Profile::quintic, {1.0, {}}, options.orientation);
  };
  std::vector<double> q;
  if (wanted.on_line && !is_first) {
    way = wanted.q ? straight_to(*wanted.q) : straight_to(*wanted.tcp);
    q = instant(*way, way->end()).q;
  } else {
    q = wanted.q ? *wanted.q : inverse_kinematics(arm, before, *wanted.tcp, position_ranges(robot));
  }
  double moved = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) moved = std::max(moved, std::abs(q[i] - before[i]));
  const bool repeats = !is_first && moved < (wanted.q ? same_q : same_tcp);
  if (repeats) way.reset();
  waypoints.q.push_back(repeats ? before : q);
  waypoints.paths.push_back(std::move(way));
}

/// Joins lines with blends between them into one way; `file` is the name for messages.
void blend_lines(const std::string& file, TcpOrientation orientation, const Arm& arm, Via& via) {
  auto& [t, q, dwell, blend, stops, paths, names] = via.waypoints;
  for (std::size_t last = q.size(); last-- > 1;) {
    std::size_t first = last;
    while (!blend.empty() && blend[first - 1] > 0.0 && paths[first] && paths[first - 1]) --first;
    if (first == last) continue;
    std::vector<TcpStop> corners;
    for (std::size_t k = first; k <= last; ++k) {
      corners.push_back({q[k], pose(arm, q[k]).tcp, blend[k]});
    }
    try {
      paths[last] = tcp_lines(arm, q[first - 1], corners, orientation);
    } catch (const NumericsError& error) {
      throw NumericsError(
          fmt::format("{}: waypoints {} to {}: {}", file, first, last + 1, error.what()));
    }
    const auto leave_out = [&](auto& list) {
      if (list.empty()) return;
      const auto at = [&](std::size_t k) { return list.begin() + static_cast<std::ptrdiff_t>(k); };
      list.erase(at(first), at(last));
    };
    leave_out(q);
    leave_out(dwell);
    leave_out(blend);
    leave_out(paths);
    leave_out(via.rows);
    last = first;
  }
}

/// Warnings of waypoints beyond a limit, and of positions in degrees.
Doubts doubts_of(const Waypoints& waypoints, RateCheck rates, const Robot& robot) {
  const std::vector<Range> ranges = position_ranges(robot);
  const std::vector<RowLimit> of_rows = row_limits(robot, RowLimit::Kind::position);
  std::vector<std::string> outlying;
  for (std::size_t k = 0; k < waypoints.q.size(); ++k) {
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      const double q = waypoints.q[k][i];
      rates.reach(i, {&q, 1});
      const double outside = std::max(ranges[i].lower - q, q - ranges[i].upper);
      if (outside <= 0.0) continue;
      outlying.push_back(
          leaves_range(robot.joints[i], outside, ranges[i], fmt::format("waypoint {}", k + 1)));
    }
    const auto here = each(of_rows, [&](const RowLimit& limit) {
      return RowReach{limit, {{std::abs(limit.of_row(waypoints.q[k])), 0.0}}};
    });
    const auto waypoint = [k](double /*at*/) { return fmt::format("waypoint {}", k + 1); };
    add_if_exceeded(robot, here, waypoint, outlying);
  }
  Doubts doubts = rates.doubts();
  append(doubts.sentences, consequences(doubts.are_misread, outlying));
  return doubts;
}

Via read_via(const TrajectoryOptions& options, Run& run, const Robot& robot) {
  RowReader& rows = open_rows(options.via, options, run, waypoint_groups());
  const Arm arm = normalize(robot);
  Via via{read_waypoints(rows, robot,
                         [&](Waypoints& so_far, const WantedWaypoint& wanted) {
                           add_waypoint(options, robot, arm, wanted, so_far);
                         }),
          {},
          {}};
  Waypoints& waypoints = via.waypoints;
  refuse_if((options.profile != Profile::monotone || options.stop) && !waypoints.blend.empty(),
            "a blend needs --profile monotone without --stop; leave out the column blend, or "
            "change these options");
  for (std::size_t k = 0; k < waypoints.q.size(); ++k) {
    via.rows.push_back(k + 1);
    if (waypoints.paths[k]) via.lines.push_back(k + 1);
  }
  via.doubts = doubts_of(waypoints, RateCheck(rows.plan(), robot, options.columns), robot);
  if (via.lines.empty()) {
    waypoints.paths.clear();
    if (options.orientation != TcpOrientation::interpolated) {
      via.doubts.sentences.push_back(
          "--orientation needs a straight line, and no waypoint has move = line");
    }
  } else {
    blend_lines(rows.input().name(), options.orientation, arm, via);
  }
  waypoints.stops = options.stop;
  waypoints.names = each(robot.joints, &Joint::name);
  return via;
}

PlannedMotion plan_via(const TrajectoryOptions& options, Run& run, const Robot& robot) {
  const Via via = read_via(options, run, robot);
  const Waypoints& waypoints = via.waypoints;
  refuse_if(!waypoints.t.empty() && options.duration,
            "the waypoints have times t, which set its duration; leave out --duration");
  refuse_if(options.profile != Profile::monotone && !waypoints.paths.empty(),
            "a waypoint with move = line needs --profile monotone; leave out the profile");
  const bool is_timed = !waypoints.t.empty();
  refuse_jerk(options, is_timed);
  const Timing wanted = timing_of(options, robot, is_timed);
  return made("", [&]() -> PlannedMotion {
    const WaypointMotion planned = plan_through(waypoints, options.profile, wanted);
    return {.motion = slowed_for_rows(planned.motion, robot, wanted, is_timed, planned.resting),
            .found = {{"waypoints", waypoint_fields(options, robot, via, wanted, planned)}},
            .doubts = via.doubts,
            .keeps_jerk = may_keep_jerk(options, is_timed)};
  });
}

/// The place of --to-tcp; nothing without the option.
std::optional<TcpGoal> tcp_goal(const TrajectoryOptions& options) {
  if (options.to_tcp.empty()) return {};
  const auto [placement, has_angles] = parse_placement("--to-tcp", options.to_tcp);
  return TcpGoal{placed(placement), !has_angles};
}

Trajectory plan_line(const TrajectoryOptions& options, const Robot& robot,
                     const std::vector<double>& from, const std::vector<double>& to) {
  const Timing timing = timing_of(options, robot);
  const Arm arm = normalize(robot);
  const auto straight_to = [&](const auto& goal) {
    return slowed_for_rows(
        straight_line(arm, from, goal, options.profile, timing, options.orientation), robot, timing,
        false);
  };
  const std::optional<TcpGoal> tcp = tcp_goal(options);
  try {
    try {
      return straight_to(to);
    } catch (const NumericsError&) {
      if (!tcp || tcp->any_orientation) throw;
      return straight_to(*tcp);  // in whatever posture the line ends
    }
  } catch (const NumericsError& error) {
    const char* freedom = options.orientation == TcpOrientation::free ? "" : ", --orientation free";
    throw NumericsError(
        fmt::format("{}; try other ends{}, or a motion without --straight", error.what(), freedom));
  }
}

std::vector<double> start_position(const TrajectoryOptions& options, const Robot& robot) {
  if (options.excite && options.from.empty()) return middle(robot);
  return parse_position("--from", options.from, robot);
}

std::vector<double> end_position(const TrajectoryOptions& options, const Robot& robot,
                                 const std::vector<double>& from) {
  const std::optional<TcpGoal> tcp = tcp_goal(options);
  if (!tcp) return parse_position("--to", options.to, robot);
  try {
    return inverse_kinematics(normalize(robot), from, *tcp, position_ranges(robot));
  } catch (const NumericsError& error) {
    const char* advice = tcp->any_orientation ? "" : ", or x,y,z alone for any orientation";
    throw NumericsError(
        fmt::format("--to-tcp: {}; give a TCP position within reach{}", error.what(), advice));
  }
}

Excitation wanted_excitation(const TrajectoryOptions& options, const Robot& robot) {
  Excitation wanted;
  wanted.center = start_position(options, robot);
  wanted.position = position_ranges(robot);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const double center = wanted.center[i];
    auto& [lower, upper] = wanted.position[i];
    if (!(lower < center && center < upper)) continue;
    lower = center - excitation_reach * (center - lower);
    upper = center + excitation_reach * (upper - center);
  }
  for (const RowLimit& limit : row_limits(robot, RowLimit::Kind::position)) {
    refuse_if(
        !(std::abs(limit.of_row(wanted.center)) < limit.most),
        "at the center, {} is not within its limits of position; give another one with --from",
        limited_name(robot, limit));
  }
  wanted.names = each(robot.joints, &Joint::name);
  for (const Joint& joint : robot.joints) wanted.units.emplace_back(position_unit(joint));
  wanted.limits = options.limits.empty() ? own_limits(robot, excitation_share)
                                         : parse_limits(options.limits, robot);
  wanted.period = options.duration.value_or(wanted.period);
  wanted.harmonics = options.harmonics;
  wanted.seed = options.seed;
  return wanted;
}

/// Fourier motion within the limits, also those on rows, for which their joints move less.
Trajectory excite_within(const TrajectoryOptions& options, const Robot& robot) {
  Excitation wanted = wanted_excitation(options, robot);
  Trajectory motion = excite(wanted);
  const std::vector<RowLimit> limits =
      excitation_limits(robot, wanted.center, options.limits.empty() ? excitation_share : 1.0);
  double share = 0.0;
  for (const auto& [limit, peak] : row_reaches(motion, limits)) {
    share = std::max(share, share_of_limit(limit, peak.value, wanted.center));
  }
  if (share <= 1.0) return motion;
  const std::vector<RateLimit> peaks = peak_rates(motion);
  for (const RowLimit& limit : limits) {
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      if (limit.of_joints[i] != 0.0) wanted.limits[i].velocity = peaks[i].velocity / share;
    }
  }
  return excite(wanted);
}

/// Places of the three largest values, largest first.
std::vector<std::size_t> largest_three(const std::vector<double>& values) {
  std::vector<std::size_t> order = in_order(values.size());
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return values[k]; });
  order.resize(std::min<std::size_t>(3, order.size()));
  return order;
}

PlannedMotion optimize(const TrajectoryOptions& options, Run& run, const Robot& robot) {
  ExcitationSearch search(robot, wanted_excitation(options, robot),
                          options.limits.empty() ? excitation_share : 1.0);
  run.count_progress_in("motions");
  const Trajectory motion = search.best([&](std::size_t tried) {
    run.throw_if_interrupted();
    run.show_progress(search.tries(), tried, tried);
  });
  run.end_progress();

  const ExcitationQuality quality = search.quality(motion);
  const std::vector<BaseParameter>& base = search.model().base().combinations;
  const auto seen_least = each(largest_three(quality.inflation), [&](std::size_t b) {
    return name(search.model().regressor().parameters()[base[b].first]);
  });
  const std::string least = fmt::format("{}", fmt::join(seen_least, ", "));
  const double by_chance = search.quality(search.by_chance()).condition;
  const Fields fields{
      {"base_parameter_count", "excitation: {}", Value::count(base.size(), "base parameter")},
      {"condition", ", condition {}", Value::number(quality.condition)},
      {"condition_random", " (random {})", Value::number(by_chance)},
      {"least_excited", "; least excited: {}", {seen_least, least}}};
  PlannedMotion plan{.motion = motion,
                     .found = {{"excitation", fields}},
                     .peak_torque = search.peak_torque(motion)};
  for (const RowLimit& limit : row_limits(robot, RowLimit::Kind::torque)) {
    plan.motor_torques.push_back({limit, {search.peak_torque(motion, limit)}});
  }
  if (quality.condition > poor_condition) {
    plan.doubts.sentences.push_back(fmt::format(
        "poor excitation: condition number {:.3g} (good: below {:.0f}); least determined: "
        "{}; give those joints more range or speed, or the trajectory another "
        "--duration or more --harmonics",
        quality.condition, poor_condition, least));
  }
  return plan;
}

Trajectory read_along(const TrajectoryOptions& options, Run& run, const Robot& robot,
                      Doubts& doubts) {
  RowReader& rows = open_rows(options.along, options, run, motion_groups());
  return recorded(read_motion(rows, robot, doubts));
}

JointPath path_of(const TrajectoryOptions& options, Run& run, const Robot& robot, Doubts& doubts) {
  constexpr const char* of = "--time-optimal: ";
  if (!options.along.empty()) {
    const Trajectory motion = read_along(options, run, robot, doubts);
    return made(of, [&] { return recorded_path(motion); });
  }
  if (!options.via.empty()) {
    const Via via = read_via(options, run, robot);
    const Waypoints& waypoints = via.waypoints;
    doubts = via.doubts;
    refuse_if(!waypoints.t.empty() || !waypoints.dwell.empty(),
              "the waypoints have times t or dwells, and --time-optimal finds its own times; leave "
              "out one of them");
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

/// Fields on the limits that the fastest motion on a path touches, and on the proven lower bound of
/// its time.
Fields time_optimal_fields(const Robot& robot, const std::vector<RowLimit>& limits,
                           const TimeOptimalMotion& fastest, double least, double between_rows) {
  const double duration = fastest.motion.end();
  Json list = Json::list();
  std::vector<double> times(limits.size());
  for (std::size_t k = 0; k < fastest.binding.size(); ++k) {
    const auto& [limit, share, t] = fastest.binding[k];
    times[limit] += (k + 1 < fastest.binding.size() ? fastest.binding[k + 1].t : duration) - t;
    list.push_back(
        Json{{"time", t}, {"limit", limit_name(robot, limits[limit])}, {"share", share}});
  }
  std::string text;
  for (const std::size_t k : largest_three(times)) {
    if (times[k] == 0.0) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", limit_name(robot, limits[k]),
                        100.0 * times[k] / duration);
  }
  const double gap = 1.0 - least / duration;
  return {{"duration", "time-optimal: {} s", Value::moment(duration)},
          {"lower_bound", ", and no motion on this path takes less than {} s",
           Value::moment(least, Bound::lower)},
          {"gap", " ({}); ", {gap, fmt::format("{:.2g} %", 100.0 * gap)}},
          {"binding", "share of the time nearest to its limit: {}", {std::move(list), text}},
          {"between_rows",
           "; between its rows, the polynomials that track follows reach up to {} of a limit",
           {between_rows, fmt::format("{:.4g} %", 100.0 * between_rows)}}};
}

/// Panels of the fastest motion along a path: path of the TCP, phase plane, and torques as shares
/// of their limits.
std::vector<Panel> time_optimal_panels(const Robot& robot, const JointPath& path,
                                       PathDemands& demands, const TimeOptimalMotion& fastest) {
  constexpr double shown = 2.0;  // times the largest ṡ
  Panel way{"path", "TCP", "m", {{"x", {}, {}}, {"y", {}, {}}, {"z", {}, {}}}};
  Panel plane{"phase plane", "ds/dt", "1/s", {{"motion", {}, {}}, {"fastest possible", {}, {}}}};
  way.x_label = plane.x_label = "s";
  double largest = 0.0;
  for (const auto& point : fastest.phase_plane) largest = std::max(largest, point.speed);
  for (const auto& [s, speed, most] : fastest.phase_plane) {
    const std::vector<double> q = path.positions(s);
    const std::array<double, 3> place = coordinates(pose(demands.arm(), q).tcp.p);
    for (std::size_t k = 0; k < place.size(); ++k) {
      way.curves[k].x.push_back(s);
      way.curves[k].y.push_back(place[k]);
    }
    const bool is_near = most > 0.0 && most < shown * largest;
    for (Curve& curve : plane.curves) curve.x.push_back(s);
    plane.curves[0].y.push_back(speed);
    plane.curves[1].y.push_back(is_near ? most : std::numeric_limits<double>::quiet_NaN());
  }
  Panel shares{"torques", "share of the limit", "", {}, {-1.0, 1.0}};
  const std::vector<RowLimit>& limits = demands.limits();
  const std::vector<std::size_t> torques =
      where(limits.size(), [&](std::size_t k) { return limits[k].kind == RowLimit::Kind::torque; });
  for (const std::size_t k : torques) {
    shares.curves.push_back({limit_name(robot, limits[k]), {}, {}});
  }
  const Trajectory& motion = fastest.motion;
  for (const double t : sample_times(motion, 1000.0 / motion.end())) {
    const Instant now = instant(motion, t);
    demands.go_to({now.q, now.qd, now.qdd}, {}, directions(demands.arm(), now.qd));
    for (std::size_t n = 0; n < torques.size(); ++n) {
      shares.curves[n].x.push_back(t);
      shares.curves[n].y.push_back(demands.value(torques[n], 1.0) / limits[torques[n]].most);
    }
  }
  return {std::move(way), std::move(plane), std::move(shares)};
}

PlannedMotion plan_time_optimal(const TrajectoryOptions& options, Run& run) {
  const Robot robot = limited(options, run.robot().robot);
  const std::vector<RowLimit> of_motors = row_limits(robot, RowLimit::Kind::torque);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Limits& limits = robot.joints[i].limits;
    const bool by_motor = std::ranges::count(of_motors, i, &RowLimit::joint) > 0;
    refuse_if(!limits.torque && !limits.acceleration && !by_motor,
              "--time-optimal needs a limit of torque or acceleration for each joint, and {} has "
              "none; give --limits",
              robot.joints[i].name);
  }
  Doubts doubts;
  const JointPath path = path_of(options, run, robot, doubts);
  PathDemands demands(robot, path_limits(robot, options.torque_share.value_or(1.0)));
  const TimeOptimalMotion fastest = time_optimal(path, demands);
  const Trajectory& motion = fastest.motion;
  const double least = least_duration(path, demands, motion.end());
  const Trajectory as_read = recorded(motion_rows(motion, row_times(motion, options), run));
  const double between_rows = largest_share(demands, as_read).share;
  const Fields fields = time_optimal_fields(robot, demands.limits(), fastest, least, between_rows);
  PlannedMotion plan{
      .motion = motion, .found = {{"time_optimal", fields}}, .doubts = std::move(doubts)};
  if (run.wants_curves()) {
    plan.panels = time_optimal_panels(robot, path, demands, fastest);
  }
  return plan;
}

/// Slows the plan down until the share of the torque limits holds.
void slow_down(const TrajectoryOptions& options, const Robot& own, PlannedMotion& plan) {
  const Robot robot = limited(options, own);
  PathDemands demands(robot, path_limits(robot, *options.torque_share));
  const SlowDown found = armdyn::slow_down(demands, plan.motion);
  if (const auto obstacle = slow_down_obstacle(robot, demands, found)) {
    throw NumericsError(fmt::format("--torque-share: {}", *obstacle));
  }
  const double duration = plan.motion.end() - plan.motion.begin();
  plan.found.push_back({"slow_down", slow_down_fields(robot, demands, found, duration)});
  if (found.factor < 1.0) plan.motion = slowed(plan.motion, 1.0 / found.factor);
}

PlannedMotion planned(const TrajectoryOptions& options, Run& run) {
  const Robot& robot = run.robot().robot;
  if (!options.along.empty()) {
    Doubts doubts;
    const Trajectory motion = read_along(options, run, robot, doubts);
    return {.motion = motion, .doubts = std::move(doubts)};
  }
  if (!options.via.empty()) return plan_via(options, run, robot);
  return made("", [&]() -> PlannedMotion {
    if (options.optimize) return optimize(options, run, robot);
    if (options.excite) return {excite_within(options, robot)};
    const std::vector<double> from = start_position(options, robot);
    const std::vector<double> to = end_position(options, robot, from);
    if (options.straight) return {plan_line(options, robot, from, to)};
    Timing timing = timing_of(options, robot);
    timing.limits = with_rows(std::move(timing.limits), robot, from, to);
    return {.motion = point_to_point(from, to, options.profile, timing),
            .keeps_jerk = may_keep_jerk(options) && !timing.limits.empty()};
  });
}

}  // namespace

Json motion_data(const TrajectoryOptions& options, const Robot& robot, const Trajectory& motion) {
  if (!options.via.empty()) return Json{{"motion", "via"}};
  if (!options.along.empty()) return Json{{"motion", "along"}};
  Json json{{"from", joint_values(start_position(options, robot))}};
  json["motion"] = options.excite ? "excite" : options.straight ? "line" : "point-to-point";
  if (!options.to.empty()) json["to"] = joint_values(parse_position("--to", options.to, robot));
  if (!options.to_tcp.empty()) json["to"] = joint_values(instant(motion, motion.end()).q);
  if (options.excite) json["duration"] = motion.end();
  return json;
}

PlannedMotion plan_motion(const TrajectoryOptions& options, Run& run) {
  const Robot& robot = run.robot().robot;
  refuse_if(options.torque_share && !has_limit(robot, &Limits::torque) &&
                row_limits(robot, RowLimit::Kind::torque).empty(),
            "--torque-share needs limits of torque, and {} has none; write them into its file",
            robot.name);
  refuse_jerk(options);
  PlannedMotion plan =
      options.time_optimal ? plan_time_optimal(options, run) : planned(options, run);
  if (options.torque_share && !options.time_optimal) slow_down(options, robot, plan);
  if (!plan.keeps_jerk && has_limit(robot, &Limits::jerk)) {
    plan.doubts.sentences.push_back(fmt::format(
        "the robot file's limits of jerk are ignored: they apply only {}", jerk_counts));
  }
  plan.motion = kept_within(plan.motion, own_limits(robot, 1.0), position_ranges(robot));
  return plan;
}

std::vector<double> row_times(const Trajectory& motion, const TrajectoryOptions& options) {
  const double seconds = motion.end() - motion.begin(), rows = seconds * options.rate;
  refuse_if(!(rows <= options.max_rows), "{:.6g} s at {:.6g} Hz are {}", seconds, options.rate,
            limits_of_input::too_many(rows, options.max_rows, "rows", "lower --rate"));
  return sample_times(motion, options.rate);
}

RecordedRows motion_rows(const Trajectory& motion, std::vector<double> times, const Run& run) {
  const std::size_t n = motion.dof();
  std::vector<double> q(times.size() * n), qd(q.size()), qdd(q.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    run.throw_if_interrupted();
    const auto row = [&](std::vector<double>& all) { return std::span(all).subspan(k * n, n); };
    motion.at(times[k], row(q), row(qd), row(qdd));
  }
  return {std::move(times), std::move(q), std::move(qd), std::move(qdd)};
}

}  // namespace armdyn
