
#include <algorithm>
#include <cmath>

#include "cli/options/shared_answers.hpp"
#include "cli/trajectory/options.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "motion/trajectory_law.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

double turned(const Transform& from, const Transform& to) {
  return length(rotation_vector(to.R * transposed(from.R)));
}

/// Returns the distance from the line through a and b, or from the one point that they are.
double distance_from_line(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a, to_p = p - a;
  const double way = length(along);
  return way > 0.0 ? length(cross(along, to_p)) / way : length(to_p);
}

Value turn(double angle) {
  return {angle, short_number(degrees(angle)) + " deg"};
}

/// A point, with 0 for coordinates that are but rounding of the others.
Value point(const Vec3& p) {
  const auto text = [rounding = 1e-15 * length(p)](double x) {
    return short_number(std::abs(x) <= rounding ? 0.0 : x);
  };
  return {coordinates(p), fmt::format("({}, {}, {})", text(p.x), text(p.y), text(p.z))};
}

/// Returns the range of each joint at the knots.
std::vector<Range> reach_at_knots(const Trajectory& motion) {
  std::vector<Range> reach;
  for (const double q : instant(motion, motion.begin()).q) reach.push_back({q, q});
  for (const double t : motion.knots()) {
    const std::vector<double> q = instant(motion, t).q;
    for (std::size_t i = 0; i < q.size(); ++i) {
      reach[i] = {std::min(reach[i].lower, q[i]), std::max(reach[i].upper, q[i])};
    }
  }
  return reach;
}

Fields torque_fields(const Joint& joint, double torque, bool has_limits) {
  const auto& limit = joint.limits.torque;
  return {{"peak_torque", "torque |τ|: peak", Value::number(torque)},
          {"torque_unit", "", Value::word(torque_unit(joint))},
          {"torque_limit", label_if(has_limits, "torque |τ|: limit"), Value::number(limit)},
          {for_people, label_if(has_limits, "torque |τ|: of limit"), Value::share(torque, limit)}};
}

FieldTable joint_table(const Robot& robot, const PlannedMotion& plan,
                       const std::vector<JointExtremes>& reached, bool shows_range) {
  const bool limits = has_limit(robot, &Limits::velocity),
             faster = has_limit(robot, &Limits::acceleration),
             strong = has_limit(robot, &Limits::torque);
  const Instant first = instant(plan.motion, plan.motion.begin());
  const Instant last = instant(plan.motion, plan.motion.end());
  FieldTable table;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const TimedValue& velocity = reached[i].velocity;
    const TimedValue& acceleration = reached[i].acceleration;
    const Joint& joint = robot.joints[i];
    const std::optional<double>& limit = joint.limits.velocity;
    const std::optional<double>& most = joint.limits.acceleration;
    const char *const q = position_unit(joint), *const qd = speed_unit(joint),
                      *const qdd = acceleration_unit(joint);
    table.rows.push_back(
        {{"name", "joint", Value::word(joint.name)},
         {"from", "q: from", Value::number(first.q[i], q)},
         {"to", "q: to", Value::number(last.q[i], q)},
         {"lowest", label_if(shows_range, "q: lowest"), Value::number(reached[i].lowest.value, q)},
         {"highest", label_if(shows_range, "q: highest"),
          Value::number(reached[i].highest.value, q)},
         {"unit", "", Value::unit_of(q)},
         {"peak_velocity", "speed |qd|: peak", Value::number(velocity.value, qd)},
         {"peak_velocity_time", "speed |qd|: at t [s]", Value::moment(velocity.t)},
         {"velocity_limit", label_if(limits, "speed |qd|: limit"), Value::number(limit, qd)},
         {for_people, label_if(limits, "speed |qd|: of limit"),
          Value::share(velocity.value, limit)},
         {"peak_acceleration", "acceleration |qdd|: peak", Value::number(acceleration.value, qdd)},
         {"peak_acceleration_time", "acceleration |qdd|: at t [s]", Value::moment(acceleration.t)},
         {"acceleration_limit", label_if(faster, "acceleration |qdd|: limit"),
          Value::number(most, qdd)},
         {for_people, label_if(faster, "acceleration |qdd|: of limit"),
          Value::share(acceleration.value, most)}});
    if (!plan.peak_torque.empty()) {
      append(table.rows.back(), torque_fields(joint, plan.peak_torque[i], strong));
    }
  }
  return table;
}

Fields jump_fields(const Robot& robot, const AccelerationJumps& jumps) {
  const bool has_any = jumps.count > 0;
  const Joint& joint = robot.joints[jumps.joint];
  Fields fields{{"count", label_if(has_any, "acceleration: {}"), Value::count(jumps.count, "jump")},
                {"largest", label_if(has_any, ", the largest by {}"),
                 Value::number(jumps.largest.value, acceleration_unit(joint))}};
  if (!has_any) return fields;
  append(fields, Fields{{"unit", " {}", Value::unit_of(acceleration_unit(joint))},
                        {"joint", " at {}", Value::word(joint.name)},
                        {"time", ", t = {} s", Value::moment(jumps.largest.t)}});
  return fields;
}

/// The path of the TCP from one end to the other.
Fields tcp_fields(const TrajectoryOptions& options, const Robot& robot, const Trajectory& motion) {
  const Arm arm = normalize(robot);
  const auto at = [&arm](std::span<const double> q) { return pose(arm, q).tcp; };
  const Transform first = at(instant(motion, motion.begin()).q);
  const Transform last = at(instant(motion, motion.end()).q);
  const TimedValue off_line = largest_on(motion, [&](std::span<const double> q) {
    return distance_from_line(at(q).p, first.p, last.p);
  });
  const TimedValue largest_turn =
      largest_on(motion, [&](std::span<const double> q) { return turned(first, at(q)); });
  const bool straight = options.straight;
  const double angle = turned(first, last), way = length(last.p - first.p);
  if (!std::isfinite(way + off_line.value + largest_turn.value)) {
    throw NumericsError(
        "the path of the TCP is not a finite number: a length or a distance is too large");
  }
  Fields fields{
      {"from", straight ? "TCP: straight from {}" : "TCP: from {}", point(first.p)},
      {"to", " to {} m", point(last.p)},
      {for_people, label_if(straight, ", {} m, "), Value::number(way)},
      {"rotation", label_if(straight, angle < 1e-9 ? "orientation kept" : "turning by {}"),
       turn(angle)},
      {"off_line", label_if(!straight, ", up to {} m off the straight line"),
       Value::number(off_line.value)},
      {"off_line_time", label_if(!straight, " at t = {} s"), Value::moment(off_line.t)},
      {"largest_rotation", label_if(!straight, ", turned by up to {}"), turn(largest_turn.value)},
      {"largest_rotation_time", label_if(!straight, " at t = {} s"),
       Value::moment(largest_turn.t)}};
  if (straight) {
    const TimedValue condition = largest_on(motion, line_condition(arm, options.orientation));
    fields.push_back(
        {"condition", "; condition number of J up to {}", Value::number(condition.value)});
    fields.push_back({"condition_time", " at t = {} s", Value::moment(condition.t)});
  }
  return fields;
}

void require_finite(const Robot& robot, const std::vector<JointExtremes>& extremes) {
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    const auto& [lowest, highest, velocity, acceleration] = extremes[i];
    for (const TimedValue& reached : {lowest, highest, velocity, acceleration}) {
      if (std::isfinite(reached.value)) continue;
      throw NumericsError(
          fmt::format("at {} the motion of {} is not a finite number: its path is too long, or its "
                      "duration too "
                      "short",
                      time_text(reached.t), robot.joints[i].name));
    }
  }
}

/// Tests whether joints may leave the range of their waypoints; blended corners are within it.
bool may_swing(const TrajectoryOptions& options) {
  return !options.via.empty() && options.profile != Profile::monotone;
}

/// Joints that leave the range of the waypoints by more than a hundredth of it.
std::vector<std::string> swings(const Robot& robot, const std::vector<JointExtremes>& extremes,
                                const std::vector<Range>& at_knots) {
  constexpr double noticed = 0.01, rounding = 1e-9;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    const auto& [lower, upper] = at_knots[i];
    const JointExtremes& reached = extremes[i];
    const double below = lower - reached.lowest.value, above = reached.highest.value - upper;
    if (std::max(below, above) <= std::max(rounding, noticed * (upper - lower))) continue;
    const TimedValue& farthest = below > above ? reached.lowest : reached.highest;
    const Joint& joint = robot.joints[i];
    found.push_back(fmt::format(
        "{}: overshoots to {} at {}, out of the range {} to {} of the waypoints; --profile "
        "monotone stays within it",
        joint.name, with_unit(farthest.value, position_unit(joint)), time_text(farthest.t),
        Value::number(lower, position_unit(joint)).brief, with_unit(upper, position_unit(joint))));
  }
  return found;
}

/// Limits of the robot that are exceeded, one sentence each.
std::vector<std::string> exceeded_limits(const TrajectoryOptions& options, const Robot& robot,
                                         const std::vector<JointExtremes>& extremes,
                                         const std::vector<Range>& at_knots,
                                         const std::vector<RowReach>& rows) {
  const bool has_no_unit =
      is_without_unit(options.from, robot) || is_without_unit(options.to, robot);
  std::vector<std::string> exceeded;
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    const JointExtremes& reached = extremes[i];
    const Joint& joint = robot.joints[i];
    add_if_exceeded(joint, &Limits::velocity, reached.velocity, time_text, exceeded);
    add_if_exceeded(joint, &Limits::acceleration, reached.acceleration, time_text, exceeded);
    if (const auto& range = joint.limits.position) {
      const auto refuse = [&](const TimedValue& reach, double outside, bool is_overshoot) {
        if (outside <= 0.0) return;
        exceeded.push_back(
            leaves_range(joint, outside, *range, time_text(reach.t)) +
            (has_no_unit && looks_like_degrees(robot, i, reach.value)
                 ? "; for degrees add ' deg' after the list"
                 : "") +
            (is_overshoot && may_swing(options) ? "; --profile monotone stays between them" : ""));
      };
      refuse(reached.lowest, range->lower - reached.lowest.value,
             at_knots[i].lower >= range->lower);
      refuse(reached.highest, reached.highest.value - range->upper,
             at_knots[i].upper <= range->upper);
    }
  }
  add_if_exceeded(robot, rows, time_text, exceeded);
  return exceeded;
}

}  // namespace

std::vector<RowReach> row_reaches(const Trajectory& motion, const std::vector<RowLimit>& limits) {
  std::vector<RowReach> reaches;
  for (const RowLimit& limit : limits) {
    if (limit.kind == RowLimit::Kind::torque) continue;
    const JointExtremes of_row = extremes(combined(motion, limit.of_joints)).front();
    Extreme& peak = reaches.emplace_back(RowReach{limit}).peak;
    if (limit.kind == RowLimit::Kind::position) {
      for (const TimedValue& end : {of_row.lowest, of_row.highest}) {
        peak.raise(std::abs(end.value + limit.offset), end.t);
      }
    } else {
      peak = {limit.kind == RowLimit::Kind::velocity ? of_row.velocity : of_row.acceleration};
    }
  }
  return reaches;
}

TrajectoryAnswer trajectory_answer(const TrajectoryOptions& options, const Robot& robot,
                                   const PlannedMotion& plan, std::size_t rows) {
  const Trajectory& motion = plan.motion;
  const std::vector<JointExtremes> reached = extremes(motion);
  require_finite(robot, reached);
  const std::vector<Range> at_knots = reach_at_knots(motion);
  std::vector<RowReach> on_rows = row_reaches(motion, row_limits(robot));
  append(on_rows, plan.motor_torques);
  const bool is_via = !options.via.empty();
  const bool has_ends = !is_via && !options.excite && options.along.empty();
  TrajectoryAnswer answer{
      {{"", rows_head(robot, rows, Value::moments(motion.begin(), motion.end()))},
       {"joints", joint_table(robot, plan, reached, !has_ends)}},
      exceeded_limits(options, robot, reached, at_knots, on_rows),
      {}};
  Sections& sections = answer.sections;
  sections.push_back(
      {"acceleration_jumps", jump_fields(robot, acceleration_jumps(motion, reached))});
  append(sections, row_tables(robot, on_rows, true));
  if (has_ends) sections.push_back({"tcp", tcp_fields(options, robot, motion)});
  append(sections, plan.found);
  if (may_swing(options)) answer.remarks = swings(robot, reached, at_knots);
  return answer;
}

}  // namespace armdyn
