// armdyn track: does the arm follow this motion under a controller?

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>

#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/track/controller.hpp"
#include "dynamics/friction.hpp"
#include "log/row_writer.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "motion/trajectory_law.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

// Least error and time at rest of a joint that counts as stuck; joints that reverse under friction
// stay below them.
constexpr double far_off = 0.01;      // rad, m
constexpr double long_at_rest = 0.1;  // s

/// Torque that friction holds at a joint at rest which is to move in the direction `toward`.
double holds(std::span<const FrictionContact> contacts, std::size_t i, double q, double toward) {
  const TwoSided band = breakaway_torque(contacts, i, q);
  return toward > 0.0 ? band.positive : band.negative;
}

/// Errors of the arm from the motion, and torques of the drives.
class TrackSummary {
 public:
  explicit TrackSummary(const Robot& robot)
      : robot_(robot),
        contacts_(friction_contacts(normalize(robot))),
        dynamics_(normalize(robot)),
        records_(robot.dof()),
        saturated_(robot.dof()),
        motors_(reaches_of(row_limits(robot, RowLimit::Kind::torque))) {}

  /// Adds a state of the simulation with its error e = desired minus actual.
  void add(const SimulationRow& row, std::span<const double> e) {
    const bool is_first = tally_.rows() == 0;
    const double step = is_first ? 0.0 : time_step(tally_.end(), row.t);
    for (std::size_t i = 0; i < records_.size(); ++i) {
      JointRecord& record = records_[i];
      record.error.raise(std::abs(e[i]), row.t);
      record.torque.raise(std::abs(row.tau[i]), row.t);
      record.squares += square_integral(step, record.last_error, e[i]);
      record.last_error = e[i];
    }
    for (auto& [limit, peak] : motors_) peak.raise(std::abs(limit.of_row(row.tau)), row.t);
    look_for_sticking(row, e);
    tally_.next(1, {&row.t, 1});
  }

  /// Sets the number of times that each joint's torque was saturated.
  void set_saturated(const std::vector<std::uint64_t>& saturated) { saturated_ = saturated; }

  /// The states so far, and their times.
  [[nodiscard]] const MotionTally& states() const { return tally_; }

  /// Tables of joints, and of motors of several joints that have a limit of torque; keys of
  /// docs/commands/track.md.
  [[nodiscard]] Sections sections() const {
    Sections found{{"joints", FieldTable{joints()}}};
    append(found, row_tables(robot_, motors_, true));
    return found;
  }

  /// "largest |e| 0.01 rad at elbow, t = 0.5 s": for each unit of the joints.
  [[nodiscard]] std::string largest_errors() const {
    std::vector<std::string> largest;
    for (const bool is_turning : {true, false}) {
      const JointRecord* worst = nullptr;
      std::size_t at = 0;
      for (std::size_t i = 0; i < records_.size(); ++i) {
        if (turns(robot_.joints[i]) != is_turning) continue;
        if (worst != nullptr && records_[i].error.value <= worst->error.value) continue;
        worst = &records_[i];
        at = i;
      }
      if (worst == nullptr) continue;
      largest.push_back(fmt::format("{} at {}, {}",
                                    with_unit(worst->error.value, position_unit(robot_.joints[at])),
                                    robot_.joints[at].name, time_text(worst->error.t)));
    }
    return fmt::format("largest |e| {}", fmt::join(largest, "; "));
  }

  /// "largest torque 31 % of its limit, at elbow"; empty without limits.
  [[nodiscard]] std::string largest_share() const {
    std::optional<double> largest;
    std::size_t at = 0;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const std::optional<double>& limit = robot_.joints[i].limits.torque;
      if (!limit || !(records_[i].torque.value / *limit > largest.value_or(-1.0))) continue;
      largest = records_[i].torque.value / *limit;
      at = i;
    }
    if (!largest) return "";
    return fmt::format("; largest torque {} of its limit, at {}", Value::share(*largest, 1.0).brief,
                       robot_.joints[at].name);
  }

  /// Errors beyond those allowed, rad or m, one sentence each; an empty list allows any.
  [[nodiscard]] std::vector<std::string> too_far(const std::vector<double>& allowed) const {
    std::vector<std::string> exceeded;
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      const auto& [value, t] = records_[i].error;
      if (value <= allowed[i]) continue;
      exceeded.push_back(
          fmt::format("{}: |e| reaches {} at {}, --max-error allows {}", robot_.joints[i].name,
                      with_unit(value, position_unit(robot_.joints[i])), time_text(t),
                      with_unit(allowed[i], position_unit(robot_.joints[i]))));
    }
    return exceeded;
  }

  /// Torques beyond the limits of the robot, and joints that stick far off the motion, one sentence
  /// each; `if_it_sticks` is the advice about the latter.
  [[nodiscard]] std::vector<std::string> remarks(const std::string& if_it_sticks) const {
    std::vector<std::string> remarks;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const JointRecord& record = records_[i];
      if (record.stuck.value == 0.0) continue;
      const char* const unit = torque_unit(robot_.joints[i]);
      remarks.push_back(fmt::format(
          "{} sticks {} off the motion at {}: friction holds up to {} {} at rest, and the drive "
          "lacks {} {} to move it",
          robot_.joints[i].name, with_unit(record.stuck.value, position_unit(robot_.joints[i])),
          time_text(record.stuck.t), short_number(record.held), unit, short_number(record.missing),
          unit));
    }
    if (!remarks.empty()) remarks.back() += if_it_sticks;
    std::vector<std::string> exceeded;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      add_if_exceeded(robot_.joints[i], &Limits::torque, records_[i].torque, time_text, exceeded);
    }
    add_if_exceeded(robot_, motors_, time_text, exceeded);
    for (const std::string& one : exceeded) remarks.push_back(one + "; --saturate clips it");
    return remarks;
  }

 private:
  struct JointRecord {
    Extreme error, torque;
    double moved = 0.0;                ///< time of its last motion
    Extreme stuck;                     ///< |e| while it sticks far off
    double held = 0.0, missing = 0.0;  ///< torque that friction holds then, and lacking torque
    double last_error = 0.0;
    double squares = 0.0;  ///< integral of e² over time
  };

  [[nodiscard]] std::vector<Fields> joints() const {
    const bool limits = has_limit(robot_, &Limits::torque);
    const bool saturates =
        std::ranges::any_of(saturated_, [](std::uint64_t times) { return times > 0; });
    return each(in_order(records_.size()), [&](std::size_t i) -> Fields {
      const JointRecord& record = records_[i];
      const Extreme &error = record.error, &torque = record.torque;
      const Joint& joint = robot_.joints[i];
      const std::optional<double>& limit = joint.limits.torque;
      return {
          {"name", "joint", Value::word(joint.name)},
          {"peak_error", "error e: peak", Value::number(error.value, position_unit(joint))},
          {for_people, "", Value::unit_of(position_unit(joint))},
          {"peak_error_time", "error e: at t [s]", Value::moment(error.t)},
          {"rms_error", "error e: RMS", Value::number(rms(record), position_unit(joint))},
          {"last_error", "error e: last", Value::number(record.last_error, position_unit(joint))},
          {"peak_torque", "torque τ: peak", Value::number(torque.value)},
          {"torque_unit", "", Value::word(torque_unit(joint))},
          {"peak_torque_time", "torque τ: at t [s]", Value::moment(torque.t)},
          {"torque_limit", label_if(limits, "torque τ: limit"), Value::number(limit)},
          {for_people, label_if(limits, "torque τ: of limit"), Value::share(torque.value, limit)},
          {"saturated", label_if(saturates, "torque τ: times saturated"),
           Value::count(saturated_[i])}};
    });
  }

  void look_for_sticking(const SimulationRow& row, std::span<const double> e) {
    std::vector<double> needed;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      JointRecord& record = records_[i];
      if (tally_.rows() == 0 || row.qd[i] != 0.0 || row.qdd[i] != 0.0) record.moved = row.t;
      if (row.t < record.moved + long_at_rest) continue;
      if (std::abs(e[i]) <= std::max(far_off, record.stuck.value)) continue;
      const double held = holds(contacts_, i, row.q[i], e[i]);
      if (held == 0.0) continue;
      if (needed.empty()) {
        needed.resize(records_.size());
        dynamics_.torque({row.q, row.qd, row.qdd}, {}, needed);  // without dry friction at rest
      }
      record.stuck.raise(std::abs(e[i]), row.t);
      record.held = held;
      record.missing = held - std::copysign(1.0, e[i]) * (row.tau[i] - needed[i]);
    }
  }

  [[nodiscard]] double rms(const JointRecord& record) const {
    const double duration = tally_.end() - tally_.begin();
    return duration > 0.0 ? std::sqrt(record.squares / duration) : std::abs(record.last_error);
  }

  const Robot& robot_;
  std::vector<FrictionContact> contacts_;
  InverseDynamics dynamics_;
  std::vector<JointRecord> records_;
  std::vector<std::uint64_t> saturated_;
  std::vector<RowReach> motors_;  ///< torques
  MotionTally tally_;
};

/// Errors e = desired minus actual position.
struct TrackingError {
  explicit TrackingError(const Trajectory& motion)
      : desired(motion), q(motion.dof()), qd(motion.dof()), qdd(motion.dof()), e(motion.dof()) {}

  std::span<const double> at(double t, std::span<const double> actual) {
    desired.at(t, q, qd, qdd);
    for (std::size_t i = 0; i < e.size(); ++i) e[i] = q[i] - actual[i];
    return e;
  }

  Trajectory desired;
  std::vector<double> q, qd, qdd;  ///< desired at the time of the last error
  std::vector<double> e;
};

/// Joints that are not at rest at the end of the motion, where it is to be held; one sentence each.
std::vector<std::string> jumps_at_end(const Trajectory& motion, const Robot& robot) {
  const std::vector<double> qd = instant(motion, motion.end()).qd;
  std::vector<std::string> jumps;
  for (std::size_t i = 0; i < qd.size(); ++i) {
    if (std::abs(qd[i]) < 1e-6) continue;
    jumps.push_back(
        fmt::format("{}: the motion ends at {} and not at rest; --hold stops it there at once",
                    robot.joints[i].name, with_unit(qd[i], speed_unit(robot.joints[i]))));
  }
  return jumps;
}

Trajectory desired_motion(const TrackOptions& options, Run& run, Doubts& doubts) {
  const Robot& robot = run.robot().robot;
  run.require_motion(options.motion);
  RowReader& rows = run.reader(options.motion, options.topics, motion_groups(), options.columns);
  Trajectory motion = recorded(read_motion(rows, robot, doubts));
  if (options.hold.value_or(0.0) == 0.0) return motion;
  doubts.sentences = joined({doubts.sentences, jumps_at_end(motion, robot)});
  return held(motion, *options.hold);
}

/// The controller's model of the arm: from a file of its own, or the arm that is simulated,
/// without the parts of --model-without.
RobotFile load_model(const RobotOptions& options, Run& run) {
  const RobotFile& plant = run.robot();
  if (options.robot.empty()) {
    RobotFile known = plant;
    edit(known.robot, options);
    return known;
  }
  RobotFile file = load_robot(options);
  const std::string found = joint_types(file.robot), expected = joint_types(plant.robot);
  refuse_if(found != expected, "--model: {} has joints {}, but {} has {}", file.robot.name, found,
            plant.robot.name, expected);
  run.report(file, options);
  return file;
}

SimulationOptions simulation_options(const TrackOptions& options, const Robot& robot,
                                     const Trajectory& desired) {
  SimulationOptions used = options.simulation;
  used.limits = joint_limits(robot);
  used.start = desired.begin();
  used.duration = desired.end() - desired.begin();
  used.stop = interrupted;
  return used;
}

/// One number for each joint, or the rows of a matrix that couples them.
Json gains_data(const Matrix& K) {
  Json diagonal = Json::list();
  for (std::size_t i = 0; i < K.rows(); ++i) {
    diagonal.push_back(K(i, i));
    for (std::size_t j = 0; j < K.columns(); ++j) {
      if (i != j && K(i, j) != 0.0) return list_of_rows(K);
    }
  }
  return diagonal;
}

/// Options with the values that defaults and the model gave them.
Json used_options(const TrackOptions& options, const RobotFile& model,
                  const ControlOptions& control, Json used) {
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

/// Reason why a joint ran into its limit although the motion keeps within it: a controller whose
/// errors grow, or that is too weak. Nothing where the motion itself goes there.
std::optional<std::string> off_the_motion(const SimulationResult& result, const Robot& robot,
                                          TrackingError& error) {
  if (!result.limit) return {};
  const auto& [k, t, q, limit] = *result.limit;
  const Joint& joint = joint_at(robot, k);
  const JointRow row = joint_row(robot, robot, k);
  const std::vector<double> nowhere(robot.dof());
  const double desired = row.offset + row_rate<double>(row, error.at(t, nowhere));
  const std::optional<Range>& range = joint.limits.position;
  if (desired < range->lower || desired > range->upper || q != limit) return {};
  return fmt::format(
      "{} runs into its limit {} away from the motion: if errors oscillate and grow, the closed "
      "loop is unstable: shorten --sample-time or --delay, or lower the gains; otherwise raise "
      "the gains",
      joint.name, with_unit(std::abs(desired - q), position_unit(joint), 3));
}

/// " (model light.yaml without friction)", or nothing where the controller's model is exact.
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

/// A simulation of the arm under its controller, from the motion to the answer.
class Tracking {
 public:
  Tracking(const TrackOptions& options, Run& run)
      : options_(options),
        run_(run),
        shows_curves_(run.wants_curves()),
        robot_(run.robot({{"--q0", options.q0}}).robot),
        model_(load_model(options.model, run)),
        desired_(desired_motion(options, run, doubts_)),
        control_(checked_control()),
        loop_(known_loop(control_)),
        warned_of_(control_remarks(control_, loop_)),
        allowed_(allowed_errors()),
        start_(start()),
        controller_(normalize(model_.robot), desired_, desired_.begin(), control_),
        picture_(robot_, options.plot,
                 {{"q", Measure::position, {"actual", "desired"}, 2},
                  {"e", Measure::position_error, {""}},
                  {"τ", Measure::torque, {""}}}),
        summary_(robot_),
        simulation_(robot_, !options.q0.empty() && !is_without_unit(options.q0, robot_)),
        error_(desired_) {}

  Answer track() {
    SimulationOptions used = simulation_options(options_, robot_, desired_);
    used.if_it_diverges = if_errors_grow(control_, loop_);
    used.each_step = [this](const SimulationRow& row) { see(row); };
    RowWriter writer(run_.rows("-o", AtSignal::kept), robot_, groups());
    const TimeShare done(desired_.begin(), desired_.end());
    simulation_.run(normalize(robot_), start_.q, start_.qd, controller_, used,
                    [&](const SimulationRow& row) {
                      write(row, writer);
                      run_.show_progress(TimeShare::whole, done.at(row.t), simulation_.rows());
                    });
    const bool failed = !simulation_.failure.empty();
    Views views;
    if (!failed && shows_curves_) {
      views = picture_.views(titled_figure(
          "position, error (desired − actual) and torque" + model_text(options_.model),
          options_.motion, robot_, options_.robot));
    }
    if (!failed && !run_.draw(views)) simulation_.result.end = SimulationEnd::stopped;
    run_.end_progress();
    if (simulation_.rows() > 0) writer.flush();
    if (failed) run_.warn(doubts_.sentences);  // they may explain it
    return answer(std::move(views));
  }

 private:
  [[nodiscard]] ControlOptions checked_control() const {
    if (options_.control.sample_time > 0.0) {
      limits_of_input::require_countable(
          desired_.end() - desired_.begin(), options_.control.sample_time,
          options_.simulation.max_steps, "samples", "lengthen --sample-time");
    }
    return control_options(options_, robot_);
  }
  [[nodiscard]] std::vector<double> allowed_errors() const {
    if (options_.max_error.empty()) return {};
    return parse_positive_each("--max-error", options_.max_error, robot_);
  }
  [[nodiscard]] Instant start() const {
    run_.warn(warned_of_);  // before what may fail
    Instant start = instant(desired_, desired_.begin());
    if (!options_.q0.empty()) start.q = parse_position("--q0", options_.q0, robot_);
    if (!options_.qd0.empty()) start.qd = parse_joint_list("--qd0", options_.qd0, robot_);
    return start;
  }

  [[nodiscard]] std::vector<Quantity> groups() const {
    std::vector<Quantity> groups{Quantity::time, Quantity::position, Quantity::velocity,
                                 Quantity::torque, Quantity::tracking_error};
    const std::array desired{Quantity::desired_position, Quantity::desired_velocity,
                             Quantity::desired_acceleration};
    if (options_.desired) append(groups, desired);
    return groups;
  }

  void see(const SimulationRow& row) {
    e_ = error_.at(row.t, row.q);
    summary_.add(row, e_);
    if (!shows_curves_) return;
    picture_.add(0, 0, row.t, row.q);
    picture_.add(0, 1, row.t, error_.q);
    picture_.add(1, 0, row.t, e_);
    picture_.add(2, 0, row.t, row.tau);
  }

  void write(const SimulationRow& row, RowWriter& writer) const {
    const std::size_t shown = options_.desired ? robot_.dof() : 0;
    writer.add({{&row.t, 1},
                row.q,
                row.qd,
                row.tau,
                e_,
                std::span(error_.q).first(shown),
                std::span(error_.qd).first(shown),
                std::span(error_.qdd).first(shown)});
  }

  /// "three: FAIL: largest |e| 0.01 rad at elbow, t = 0.5 s": judged by --max-error.
  [[nodiscard]] std::string verdict(const std::vector<std::string>& too_far) const {
    const bool is_whole = simulation_.result.end == SimulationEnd::complete;
    const char* const judged = !is_whole          ? "ended early: "
                               : allowed_.empty() ? ""
                               : too_far.empty()  ? "PASS: "
                                                  : "FAIL: ";
    return fmt::format("{}: {}{}", robot_.name, judged, summary_.largest_errors());
  }

  [[nodiscard]] Answer answer(Views views) {
    summary_.set_saturated(controller_.saturated());
    const std::vector<std::string> too_far = summary_.too_far(allowed_);
    const SimulationResult& result = simulation_.result;
    const std::optional<std::string> off = off_the_motion(result, robot_, error_);
    Document document = run_.document();
    document.views = std::move(views);
    document.data("options").update(
        used_options(options_, model_, control_, start_data(start_.q, start_.qd)));
    document.add(only_for(Audience::programs, simulation_.sections()));
    document.add(verdict(too_far));
    document.add(fmt::format("{}{}, torque {}, t = {} s{}",
                             controller_choices().name_of(control_.controller),
                             model_text(options_.model), timing_text(control_),
                             moments(summary_.states()).brief, summary_.largest_share()));
    document.add(simulation_.rows() > 0 ? summary_.sections()
                                        : only_for(Audience::people, summary_.sections()));
    document.add(loop_sections(control_, loop_, options_.output.all));
    // Steps are not too long for a speed to which the controller has driven the arm.
    const bool is_controllers_fault =
        off && result.coarse_step && result.coarse_step->is_of_speed();
    document.warnings =
        joined({doubts_.sentences, warned_of_,
                consequences(doubts_.are_misread, summary_.remarks(if_joints_stick(control_))),
                too_far, off && warned_of_.empty() ? std::vector{*off} : std::vector<std::string>{},
                is_controllers_fault ? std::vector<std::string>{} : simulation_.remarks()});
    Answer answer = simulation_.ended(std::move(document));
    if (answer.ending == Ending::done && !too_far.empty()) answer.ending = Ending::no;
    return answer;
  }

  const TrackOptions& options_;
  Run& run_;
  bool shows_curves_;
  const Robot& robot_;
  RobotFile model_;  // the controller's model of the arm
  Doubts doubts_;
  Trajectory desired_;
  ControlOptions control_;
  std::optional<ClosedLoop> loop_;
  std::vector<std::string> warned_of_;
  std::vector<double> allowed_;
  Instant start_;
  ControlledTorque controller_;
  JointPicture picture_;
  TrackSummary summary_;
  SimulationSummary simulation_;
  TrackingError error_;
  std::span<const double> e_;
};

}  // namespace

Answer track(const TrackOptions& options, Run& run) {
  return Tracking(options, run).track();
}

}  // namespace armdyn
