// armdyn track: does the arm follow this motion under a controller?

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/options/joint_list.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/track/answer.hpp"
#include "cli/track/controller.hpp"
#include "cli/track/options.hpp"
#include "cli/track/picture.hpp"
#include "io/file/interrupt.hpp"
#include "io/plot/plot.hpp"
#include "io/text/number_text.hpp"
#include "log/log_reader.hpp"
#include "log/row_writer.hpp"
#include "log/side_by_side.hpp"
#include "model/limits_of_input.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

namespace {

/// Joints that do not rest where the motion is to be held.
std::vector<std::string> jumps_at_end(const Trajectory& motion, const Robot& robot) {
  std::vector<double> q(robot.dof()), qd(robot.dof()), qdd(robot.dof());
  motion.at(motion.end(), q, qd, qdd);
  std::vector<std::string> jumps;
  for (std::size_t i = 0; i < qd.size(); ++i) {
    if (std::abs(qd[i]) < 1e-6) continue;
    jumps.push_back(
        fmt::format("{}: the motion ends at {} {} and not at rest; --hold stops it there "
                    "at once",
                    robot.joints[i].name, short_number(qd[i]), speed_unit(robot.joints[i])));
  }
  return jumps;
}

Trajectory desired_motion(const TrackOptions& options, const Robot& robot,
                          std::vector<std::string>& warnings) {
  refuse_terminal("track", options.motion);
  InputFile input = open_log(find_motion(options.motion), robot, options.topics);
  const ExtraColumns extra = options.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse;
  RowReader reader(input, robot, motion_groups(), extra);
  print_recognised(input.name(), reader.plan(), options.output);
  Trajectory motion = recorded(read_motion(reader, robot, warnings));
  if (!options.hold) return motion;
  for (std::string& jump : jumps_at_end(motion, robot)) warnings.push_back(std::move(jump));
  return held(motion, *options.hold);
}

/// The arm as the controller knows it: from a file of its own, or the arm that is simulated; less
/// what it does not know.
RobotFile load_model(const RobotOptions& options, const RobotFile& plant) {
  if (options.robot.empty()) {
    RobotFile known = plant;
    edit(known.robot, options);
    return known;
  }
  RobotFile file = load_robot(options);
  const std::string found = joint_types(file.robot), expected = joint_types(plant.robot);
  if (found != expected) {
    throw UsageError(fmt::format("--model: {} has joints {}, but {} has {}", file.robot.name, found,
                                 plant.robot.name, expected));
  }
  return file;
}

SimulationOptions simulation_options(const TrackOptions& options, const Trajectory& desired) {
  SimulationOptions used = options.simulation;
  used.start = desired.begin();
  used.duration = desired.end() - desired.begin();
  used.stop = interrupted;
  return used;
}

/// Where the simulation begins: as asked for, or on the motion.
struct Start {
  Start(const TrackOptions& options, const Robot& robot, const Trajectory& desired)
      : q(robot.dof()), qd(robot.dof()) {
    std::vector<double> qdd(robot.dof());
    desired.at(desired.begin(), q, qd, qdd);
    if (!options.q0.empty()) q = parse_position("--q0", options.q0, robot);
    if (!options.qd0.empty()) qd = parse_joint_list("--qd0", options.qd0, robot);
  }

  std::vector<double> q, qd;
};

/// One number for each joint, or the rows of a matrix that couples them.
Json gains_data(const Matrix& K) {
  Json diagonal = Json::list();
  bool couples = false;
  for (std::size_t i = 0; i < K.rows(); ++i) {
    diagonal.push_back(K(i, i));
    for (std::size_t j = 0; j < K.columns(); ++j) couples = couples || (i != j && K(i, j) != 0.0);
  }
  return couples ? list_of_rows(K) : diagonal;
}

/// Options as they turned out to be.
Json used_options(const TrackOptions& options, const RobotFile& model,
                  const ControlOptions& control, const Start& start) {
  Json used = start_data(start.q, start.qd);
  used["kp"] = gains_data(control.Kp);
  used["kv"] = gains_data(control.Kv);
  if (control.Ki.rows() > 0) used["ki"] = gains_data(control.Ki);
  used["model"] = {{"name", model.robot.name},
                   {"file", model.path},
                   {"digest", model.digest},
                   {"without", names(options.model.without)}};
  if (!control.resolution.empty()) used["encoder"] = control.resolution;
  return used;
}

/// Why a joint ran into its limit although the motion keeps within: what a controller lets happen
/// whose errors grow, or one that is too weak. Nothing where the motion itself goes there.
std::optional<std::string> off_the_motion(const SimulationResult& result, const Robot& robot,
                                          TrackingError& error) {
  if (!result.limit) return {};
  const auto& [joint, t, q, limit] = *result.limit;
  const std::vector<double> nowhere(robot.dof());
  const double desired = error.at(t, nowhere)[joint];
  const std::optional<Range>& range = robot.joints[joint].limits.position;
  if (desired < range->lower || desired > range->upper || q != limit) return {};
  return fmt::format(
      "{} runs into its limit {:.3g} {} away from the motion: if errors grow to and fro, the "
      "closed loop is unstable: shorten --sample-time or --delay, or lower the gains; if not, "
      "raise them",
      robot.joints[joint].name, std::abs(desired - q), position_unit(robot.joints[joint]));
}

/// What the simulation says of its steps, but not that they are too long for a speed to which the
/// controller has driven the arm.
std::vector<std::string> step_remarks(const SimulationSummary& simulation,
                                      const SimulationResult& result,
                                      const std::optional<std::string>& off_the_motion) {
  const bool is_controllers_fault =
      off_the_motion && result.coarse_step && result.coarse_step->is_of_speed();
  return is_controllers_fault ? std::vector<std::string>{} : simulation.remarks();
}

/// " (model light.yaml without friction)", or nothing where the controller knows the arm.
std::string model_text(const RobotOptions& model) {
  const std::vector<std::string> without = names(model.without);
  if (model.robot.empty() && without.empty()) return "";
  return fmt::format(" (model{}{}{}{})", model.robot.empty() ? "" : " ", model.robot,
                     without.empty() ? "" : " without ", fmt::join(without, ","));
}

std::string timing_text(const ControlOptions& control) {
  if (control.sample_time == 0.0) return "at all times";
  std::string text = fmt::format("held for {:.6g} s", control.sample_time);
  if (control.delay > 0) text += fmt::format(", {} late", counted(control.delay, "sample"));
  return text;
}

std::string head(const TrackOptions& options, const ControlOptions& control, const Robot& robot,
                 const TrackSummary& summary) {
  return fmt::format("{}: {}{}, torque {}, t = {} s", robot.name,
                     controller_choices().name_of(options.control.controller),
                     model_text(options.model), timing_text(control), summary.moments().brief);
}

}  // namespace

Ending run(const TrackOptions& options) {
  const RobotFile file = open_robot(options.robot, options.output, {{"--q0", options.q0}});
  const Robot& robot = file.robot;
  const RobotFile model = load_model(options.model, file);
  if (!options.output.json && !options.model.robot.empty()) {
    print_warnings(model, options.model, options.output.quiet);
  }
  const Arm arm = normalise(robot);
  std::vector<std::string> warnings;
  const Trajectory desired = desired_motion(options, robot, warnings);
  if (options.control.sample_time > 0.0) {
    limits_of_input::require_countable(desired.end() - desired.begin(), options.control.sample_time,
                                       options.simulation.max_steps, "samples",
                                       "lengthen --sample-time");
  }
  const ControlOptions control = control_options(options, robot);
  std::vector<double> allowed;
  if (!options.max_error.empty()) {
    allowed = parse_positive_each("--max-error", options.max_error, robot);
  }
  const std::optional<ClosedLoop> loop = known_loop(control);
  const std::vector<std::string> warned_of = control_remarks(control, loop);
  if (!options.output.json) print_warnings(warned_of);  // before what may fail
  const Start start(options, robot, desired);
  ControlledTorque controller(normalise(model.robot), desired, desired.begin(), control);
  SimulationOptions used = simulation_options(options, desired);
  used.if_it_diverges = if_errors_grow(control, loop);

  OutputFile output(table_target(options.output.output));
  const auto plot = open_if_named(options.plot.file);
  output.finish_lines_when_interrupted();
  std::vector<Quantity> groups{Quantity::time, Quantity::position, Quantity::velocity,
                               Quantity::torque, Quantity::tracking_error};
  const std::array desired_groups{Quantity::desired_position, Quantity::desired_velocity,
                                  Quantity::desired_acceleration};
  if (options.desired) groups.insert(groups.end(), desired_groups.begin(), desired_groups.end());
  RowWriter writer(output, robot.dof(), groups);
  TrackPicture picture(robot, options.plot);
  TrackSummary summary(robot);
  SimulationSummary simulation(robot);
  if (!options.q0.empty() && !is_without_unit(options.q0, robot)) simulation.start_has_unit();
  ProgressLine progress(TimeShare::whole, options.output.quiet);
  const TimeShare done(desired.begin(), desired.end());
  TrackingError error(desired);
  std::span<const double> e;
  used.each_step = [&](const SimulationRow& row) {
    e = error.at(row.t, row.q);
    summary.add(row, e);
    if (options.plot.is_wanted()) picture.add(row, e);
  };
  const RowSink sink = [&](const SimulationRow& row) {
    const std::size_t shown = options.desired ? robot.dof() : 0;
    writer.add({{&row.t, 1},
                row.q,
                row.qd,
                row.tau,
                e,
                error.q().first(shown),
                error.qd().first(shown),
                error.qdd().first(shown)});
    simulation.add(row);
    progress.show(done.at(row.t), simulation.rows());
  };
  SimulationResult result;
  std::string failure;
  try {
    result = simulate(arm, joint_limits(robot), start.q, start.qd, controller, used, sink);
  } catch (const SimulationFailure& problem) {
    result = problem.result();
    failure = problem.what();
  }
  const bool draws = plot && failure.empty() && draw_unless_interrupted(result, [&] {
                       picture.draw(picture_title("position, error (desired − actual) and torque" +
                                                      model_text(options.model),
                                                  options.motion, robot, options.robot),
                                    *plot);
                     });
  progress.clear();
  if (simulation.rows() > 0) writer.flush();
  if (!failure.empty() && !options.output.json) print_warnings(warnings);  // they may say why
  simulation.finish(result, used, failure);
  summary.set_cut(controller.cut());
  const std::vector<std::string> too_far = summary.too_far(allowed);
  const std::optional<std::string> off = off_the_motion(result, robot, error);

  std::string said;
  if (options.output.json || failure.empty()) {
    Document answer = answer_frame(file, options.robot, options.output);
    answer.data("options").update(used_options(options, model, control, start));
    answer.add(only_for(Audience::programs, simulation.sections()));
    answer.add(head(options, control, robot, summary));
    answer.add(simulation.rows() > 0 ? summary.sections()
                                     : only_for(Audience::people, summary.sections()));
    answer.add(loop_sections(control, loop));
    answer.warnings =
        joined({warnings, options.output.json ? warned_of : std::vector<std::string>{},
                summary.remarks(if_joints_stick(control)), too_far,
                off && warned_of.empty() ? std::vector{*off} : std::vector<std::string>{},
                step_remarks(simulation, result, off)});
    said = summary_of(answer, options.output);
  }
  if (simulation.rows() > 0) OutputFile::commit({draws ? plot.get() : nullptr, &output});
  say_summary(said, options.output.json);
  if (draws) print_picture(options.plot.file, options.output);
  const Ending ending = report_end(simulation, result.end, options.output.json);
  return ending == Ending::done && !too_far.empty() ? Ending::no : ending;
}

}  // namespace armdyn
