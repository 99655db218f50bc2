// armdyn observe: what touched the arm, and what it held.

#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>

#include "cli/observe/answer.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "identification/log_hypotheses.hpp"
#include "log/row_writer.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct ObserveOptions : VerbOptions {
  ObserveOptions() { output.output = ""; }  // no rows

  std::string motion = "-";
  std::string model, unloaded;         ///< empty: none
  std::string at;                      ///< empty: the tool center point
  double false_alarms = 1.0 / 3600.0;  ///< per second
  double min_speed = 0.03;             ///< rad/s, m/s
  std::optional<Residual> residual;    ///< direct where the log has qdd
  LogOptions log{.derive = true};
  PlotOptions plot;
};

namespace {

const Choices<Residual> residuals{{"direct", Residual::direct}, {"momentum", Residual::momentum}};

/// "1/h": a number of events in an hour, a day, a minute or a second.
double parse_event_rate(const std::string& option, const std::string& text) {
  const std::size_t bar = text.find('/');
  const std::string unit = bar == std::string::npos ? "" : text.substr(bar + 1);
  const double seconds = unit == "h"     ? 3600.0
                         : unit == "d"   ? 86400.0
                         : unit == "min" ? 60.0
                         : unit == "s"   ? 1.0
                                         : 0.0;
  require(seconds > 0.0, option, text, "a rate, as in 1/h or 0.1/d");
  return parse_positive_number(option, text.substr(0, bar)) / seconds;
}

void declare(OptionList& list, ObserveOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion,
                 "log with t,q1.. and measured torques tau1..; CSV or .npy file");
  list.option("--model", "ROBOT", options.model, not_empty,
              "robot file with the identified parameters (default: ROBOT)");
  list.option("--unloaded", "LOG", options.unloaded, not_empty,
              "log of the same arm without load and contact");
  list.option("--at", "LINK,X,Y,Z", options.at, not_empty,
              "point of contact: link and position in its frame, m (default: the TCP)");
  list.option("--false-alarms", "RATE", options.false_alarms, parse_event_rate,
              "accepted false contacts per hour, day or minute: 1/h, 1/d (default: 1/h)");
  list.option("--min-speed", "SPEED", options.min_speed, parse_tolerance,
              "ignore the sign of dry friction of slower joints, rad/s, m/s (default: 0.03)");
  list.option("--residual", "NAME", options.residual, residuals,
              "direct (needs qdd) | momentum (default: direct if the log has qdd)");
  declare_log(list, options.log);
  declare_as_given(list, options.log);
  declare_plot(list, options.plot, "the external torques with their bands");
  declare_output(list, options.output);
}

/// A log in memory, and what its reader reports.
struct ReadLog {
  ObservedLog rows;
  Columns current;
  Columns wrench;  ///< wrench of the tool on what it touches, in axes of the tool; empty: none
  ColumnPlan plan;
  LogReport report;
};

Columns group_of(const Table& table, const ColumnPlan& plan, Quantity quantity, std::size_t count) {
  const auto first = plan.first(quantity);
  if (!first) return {};
  const auto from = table.columns.begin() + static_cast<std::ptrdiff_t>(*first);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

ReadLog read_log(const std::string& name, const ObserveOptions& options, Run& run) {
  LogReader& reader =
      run.log(name, options.log, {Quantity::torque, Quantity::current, Quantity::contact_wrench});
  const ColumnPlan& plan = reader.plan();
  const std::size_t n = run.robot().robot.dof();
  if (!(plan.has(Quantity::torque) || plan.has(Quantity::current)) || !plan.has(Quantity::time)) {
    throw InputError(reader.input().name() +
                     ": observe needs t and measured torques tau1.. beside q1..");
  }
  const Table table = run.read_all(reader);
  const auto group = [&](Quantity quantity, std::size_t count) {
    return group_of(table, plan, quantity, count);
  };
  ReadLog log{
      {table.columns[*plan.first(Quantity::time)], table.breaks, group(Quantity::position, n),
       group(Quantity::velocity, n), group(Quantity::acceleration, n), group(Quantity::torque, n)},
      group(Quantity::current, n),
      group(Quantity::contact_wrench, 6),
      plan,
      reader.report()};
  if (const auto& derived = log.report.derived) {
    log.rows.derives_qd = derived->qd;
    log.rows.derives_qdd = derived->qdd;
  }
  remove_spikes(log.rows);
  constexpr std::size_t fewest = 20;
  if (log.rows.rows() < fewest) {
    throw InputError(fmt::format("{}: has {}; observe needs {}", reader.input().name(),
                                 counted(log.rows.rows(), "row"), fewest));
  }
  return log;
}

/// The robot to the link of --at, with its tool frame there; without --at the whole.
Robot robot_to_contact(Robot robot, const std::string& at) {
  if (at.empty()) return robot;
  const std::size_t comma = at.find(',');
  const std::vector<std::size_t> links = parse_joints("--at", at.substr(0, comma), robot);
  require(links.size() == 1 && comma != std::string::npos, "--at", at, "LINK,x,y,z, m");
  const Placement place = parse_placement("--at", at.substr(comma + 1)).placement;
  if (is_mechanism(robot)) {
    robot.tool_link = robot.joints[links[0]].name;
  } else {
    robot.joints.resize(links[0] + 1);
    robot.couplings.clear();
  }
  robot.tool = place;
  return robot;
}

/// Throws InputError where a log has currents alone.
void require_torques(const ReadLog& log, const std::string& name) {
  if (!log.rows.tau.empty()) return;
  throw InputError(name +
                   ": has currents, no torques; observe needs tau1.., or motor.torque_constant in "
                   "the robot file; with --payload and --unloaded it computes drive gains");
}

Robot model_of(const ObserveOptions& options, Run& run) {
  if (options.model.empty()) return with_friction_of_followers(run.robot().robot);
  RobotOptions of_model = options.robot;
  of_model.robot = options.model;
  Robot found = load_robot(of_model).robot;
  refuse_if(found.dof() != run.robot().robot.dof(), "--model: {} has {}, ROBOT has {}",
            options.model, counted(found.dof(), "joint"), run.robot().robot.dof());
  return with_friction_of_followers(std::move(found));
}

/// Drive gains from currents with the robot's payload, and without it.
Answer gains_of_load(const ReadLog& log, const ObserveOptions& options, Run& run) {
  const Robot robot = model_of(options, run);
  if (options.unloaded.empty() || robot.payload.mass == 0.0) require_torques(log, options.motion);
  refuse_if(run.wants("-o") || run.wants_curves(), "a log of currents has no external torques");
  const ReadLog free = read_log(options.unloaded, options, run);
  if (free.current.empty()) {
    throw InputError(options.unloaded + ": has no currents i1.., but " + options.motion + " has");
  }
  const std::array logs{LogOfCurrents{log.rows, log.current, true},
                        LogOfCurrents{free.rows, free.current, false}};
  Answer answer{run.document()};
  answer.document.add(
      drive_gain_sections(robot, drive_gains_of_load(robot, options.min_speed, logs)));
  answer.document.add(log_sections(log.report, robot));
  answer.document.warnings = joined({log_warnings(log.report), log_warnings(free.report)});
  return answer;
}

/// Findings in a log.
class Observation {
 public:
  Observation(const ObserveOptions& options, Run& run, ReadLog log)
      : options_(options),
        run_(run),
        robot_(model_of(options, run)),
        log_(std::move(log)),
        left_(direct_residual(robot_, log_.rows)),
        regressor_(robot_, options.min_speed) {
    loads_ = loads();
    const bool has_qdd = !log_.report.derived || !log_.report.derived->qdd;
    residual_ = options.residual.value_or(has_qdd ? Residual::direct : Residual::momentum);
    torques_ = external_torques(robot_, regressor_, log_.rows, left_, residual_, loads_);
    const auto& derived = log_.report.derived;
    contacts_ = find_contacts(log_.rows, torques_, loads_, options.false_alarms,
                              derived ? derived->window : 0.0);
  }

  Answer answer() {
    const Robot to_contact = robot_to_contact(robot_, options_.at);
    ObserveAnswer words{robot_,
                        log_.rows,
                        loads_,
                        torques_,
                        contacts_,
                        touches(to_contact),
                        drive_gains(log_.rows, left_, log_.current),
                        residual_ == Residual::momentum};
    if (run_.wants("-o")) write_rows();
    Answer answer{run_.document()};
    if (run_.wants_curves()) answer.document.views = views();
    if (run_.wants_arm()) {
      const Arm arm = normalize(to_contact);
      const Arm& chain = arm.is_serial() ? arm : arm.chains.front().arm;
      answer.document.views.arrows = words.arrows(tool_joint(to_contact), chain.tool.p, arm.base.R);
    }
    answer.document.add(words.sections());
    answer.document.add(log_sections(log_.report, robot_));
    answer.document.warnings = joined({log_warnings(log_.report), warnings_});
    if (!has_sound_parameters_) answer.ending = Ending::no;
    return answer;
  }

 private:
  LoadHistory loads() {
    ArmErrors known;
    if (!options_.unloaded.empty()) {
      const ReadLog free = read_log(options_.unloaded, options_, run_);
      require_torques(free, options_.unloaded);
      look_at_columns(free, options_.unloaded);
      const LoadHistory arm = find_loads(regressor_, free.rows, direct_residual(robot_, free.rows),
                                         {ArmErrors::Known::not_at_all, {}, {}}, false);
      known = {ArmErrors::Known::by_prior, arm.arm, arm.arm_information};
      return find_loads(regressor_, log_.rows, left_, known);
    }
    LoadHistory exact =
        find_loads(regressor_, log_.rows, left_, errors_of_file(robot_, regressor_));
    known.known = ArmErrors::Known::not_at_all;
    LoadHistory fitted = find_loads(regressor_, log_.rows, left_, known);
    constexpr double nothing = 1e-3;  // of the largest torque
    const auto rows = static_cast<double>(log_.rows.rows());
    const double spent = std::min(static_cast<double>(regressor_.arm()), 0.5 * rows);
    const double same = 1.1 * std::sqrt(rows / (rows - spent));
    for (std::size_t j = 0; j < exact.noise.size(); ++j) {
      const Bounds tau = bounds_of(log_.rows.tau[j]);
      const double least = nothing * std::max(std::abs(tau.least), std::abs(tau.greatest));
      if (exact.noise[j] <= std::max(least, same * fitted.noise[j])) continue;
      warnings_.push_back(fmt::format(
          "the parameters of {} leave a residual of {:.3g} {} at {}, parameters fitted to this log "
          "{:.3g}; the fitted ones are used, so a load or contact that lasts the whole log is not "
          "found; give --unloaded, or --model with a file of armdyn identify",
          robot_.name, exact.noise[j], torque_unit(robot_.joints[j]), robot_.joints[j].name,
          fitted.noise[j]));
      look_at_columns(log_, options_.motion);
      look_at_energy(fitted);
      return fitted;
    }
    return exact;
  }

  /// Adds a warning where a log's columns seem to be others. Throws InputError where they would make
  /// another arm.
  void look_at_columns(const ReadLog& log, const std::string& name) {
    if (options_.log.as_given) return;
    const BlockInverseDynamics dynamics(normalize(robot_));
    LogHypotheses hypotheses(robot_, dynamics);
    const auto q = places(log.rows.q), qd = places(log.rows.qd), qdd = places(log.rows.qdd);
    const std::vector<std::span<const double>> tau(log.rows.tau.begin(), log.rows.tau.end());
    hypotheses.add({log.rows.rows(), q, qd, qdd, {}}, log.rows.t, tau);
    const std::optional<LogFinding> found = hypotheses.find();
    if (!found || found->hypothesis.payload) return;
    const std::string remark =
        name + ": " + hypothesis_remark(*found, robot_, log.plan, options_.log);
    const LogHypothesis& is = found->hypothesis;
    if (found->moves_joints() || is.measured != LogHypothesis::Measured::torques ||
        !found->unit.empty()) {
      throw InputError(remark + "; --as-given accepts them as they are");
    }
    warnings_.push_back(remark);
  }

  /// Adds a warning where fitted parameters make kinetic energies that are negative.
  void look_at_energy(const LoadHistory& fitted) {
    constexpr double plainly = 0.1;  // of the largest
    const Columns momentum = inertial_torques(robot_, regressor_, log_.rows, fitted, log_.rows.qd);
    std::vector<double> energy(log_.rows.rows());
    for (std::size_t j = 0; j < momentum.size(); ++j) {
      for (std::size_t row = 0; row < energy.size(); ++row) {
        energy[row] += 0.5 * momentum[j][row] * log_.rows.qd[j][row];
      }
    }
    const Bounds bounds = bounds_of(energy);
    has_sound_parameters_ = bounds.least >= -plainly * std::abs(bounds.greatest);
    if (has_sound_parameters_) return;
    warnings_.push_back(
        fmt::format("the fitted parameters are not physically consistent: the kinetic energy falls "
                    "to {:.3g} J; contacts and loads are not reliable",
                    bounds.least));
  }

  /// What exerted each contact; `to_contact` is the robot to the point of contact.
  [[nodiscard]] std::vector<Touch> touches(const Robot& to_contact) const {
    const auto exerted = [&](std::size_t row, ContactPart part) {
      return contact_wrench(to_contact, row_of(log_.rows.q, row), row_of(torques_.beyond_load, row),
                            torques_.deviations(row), part);
    };
    const Columns sensed = sensed_by_log();
    std::vector<Touch> found;
    for (const Contact& event : contacts_.events) {
      Touch touch{exerted(event.worst, ContactPart::force), {}, {}, {}};
      if (joints_that_move(to_contact, tool_joint(to_contact)).size() >= 6)
        touch.wrench = exerted(event.worst, ContactPart::wrench);
      const std::vector<double>& t = log_.rows.t;
      const double flank = 4.0 * filter_width(log_.rows);  // what the filter has moved aside
      for (std::size_t row = 0; row + 1 < t.size(); ++row) {
        if (t[row] < t[event.from] - flank || t[row + 1] > t[event.to - 1] + flank) continue;
        touch.impulse =
            touch.impulse + (t[row + 1] - t[row]) * exerted(row, ContactPart::force).force.value;
      }
      if (!sensed.empty()) touch.sensor = in_base(sensed, event.worst);
      found.push_back(std::move(touch));
    }
    return found;
  }

  /// The log's wrench through the filter of the torques.
  [[nodiscard]] Columns sensed_by_log() const {
    const auto between = [](const std::vector<double>& column) {
      std::vector<double> means(column.size() - 1);
      for (std::size_t k = 0; k < means.size(); ++k) means[k] = 0.5 * (column[k] + column[k + 1]);
      return means;
    };
    return filtered(log_.rows, each(log_.wrench, between), filter_width(log_.rows));
  }

  /// A wrench in axes of the tool, in axes of {0}.
  [[nodiscard]] std::array<double, 6> in_base(const Columns& wrench, std::size_t row) const {
    const Mat3 R = pose(normalize(robot_), row_of(log_.rows.q, row)).tcp.R;
    const std::vector<double> w = row_of(wrench, row);
    const auto force = coordinates(R * Vec3{w[0], w[1], w[2]}),
               moment = coordinates(R * Vec3{w[3], w[4], w[5]});
    return {force[0], force[1], force[2], moment[0], moment[1], moment[2]};
  }

  /// 1 in rows of a contact, else 0.
  [[nodiscard]] std::vector<double> labels() const {
    std::vector<double> touched(log_.rows.rows());
    for (const Contact& event : contacts_.events) {
      std::fill(touched.begin() + index(event.from), touched.begin() + index(event.to), 1.0);
    }
    return touched;
  }

  [[nodiscard]] Views views() const {
    const ObservedLog& log = log_.rows;
    JointPicture picture(
        robot_, options_.plot,
        {{"τ ext", Measure::torque_difference, {"external torque", "95 %", "95 %"}, 3}});
    const std::vector<double> touched = labels();
    picture.add_panel({"contacts", "contact", "", {{"contact", log.t, touched}}});
    // Both sides of a band at the same rows, few enough that none is thinned by itself.
    const std::vector<std::vector<std::size_t>> rows = each(in_order(robot_.dof()), [&](auto i) {
      return rows_with_extremes({torques_.low[i], torques_.high[i]},
                                2 * ThinnedSeries::default_buckets);
    });
    log.for_each_stretch([&](std::size_t from, std::size_t end) {
      if (from > 0) picture.break_off();
      const auto part = [&](std::span<const double> column) {
        return column.subspan(from, end - from);
      };
      for (std::size_t i = 0; i < robot_.dof(); ++i) {
        picture.add_positions(i, part(log.t), part(log.q[i]));
        picture.add(0, 0, i, part(log.t), part(torques_.value[i]));
        const auto last = std::ranges::lower_bound(rows[i], end);
        for (auto row = std::ranges::lower_bound(rows[i], from); row != last; ++row) {
          picture.add(0, 1, i, {&log.t[*row], 1}, {&torques_.low[i][*row], 1});
          picture.add(0, 2, i, {&log.t[*row], 1}, {&torques_.high[i][*row], 1});
        }
      }
    });
    return picture.views(
        titled_figure("external torques", options_.motion, robot_, options_.robot));
  }

  void write_rows() {
    RowWriter writer(run_.rows(), robot_,
                     {Quantity::time, Quantity::external_torque, Quantity::external_torque_low,
                      Quantity::external_torque_high, Quantity::contact});
    const std::vector<double> touched = labels();
    for (std::size_t row = 0; row < touched.size(); ++row) {
      const auto value = row_of(torques_.value, row), low = row_of(torques_.low, row),
                 high = row_of(torques_.high, row);
      writer.add({{&log_.rows.t[row], 1}, value, low, high, {&touched[row], 1}});
    }
    writer.flush();
  }

  const ObserveOptions& options_;
  Run& run_;
  Robot robot_;
  ReadLog log_;
  Columns left_;
  ErrorRegressor regressor_;
  std::vector<std::string> warnings_;
  bool has_sound_parameters_ = true;
  LoadHistory loads_;
  Residual residual_ = Residual::direct;
  ExternalTorques torques_;
  ContactEvents contacts_;
};

Answer observe(const ObserveOptions& options, Run& run) {
  run.require_motion(options.motion);
  refuse_many_joints("observe", run.robot({{"--at", options.at}}).robot, 20);
  ReadLog log = read_log(options.motion, options, run);
  if (log.rows.tau.empty()) return gains_of_load(log, options, run);
  return Observation(options, run, std::move(log)).answer();
}

}  // namespace

Verb observe_verb() {
  return verb<ObserveOptions>(
      "observe", "External torques, contacts and payloads from a log",
      "  armdyn trajectory ur10e --excite --limits 1.5,3 --duration 20 --rate 100 -o excite.csv\n"
      "  armdyn torque ur10e excite.csv --keep-motion -o unloaded.csv\n"
      "  armdyn torque ur10e excite.csv --payload 2,0,0,0.1 --keep-motion -o log.csv\n"
      "  armdyn observe ur10e log.csv --unloaded unloaded.csv\n"
      "  armdyn observe ur10e log.csv --false-alarms 0.1/h -o external.csv --json\n",
      declare, observe);
}

}  // namespace armdyn
