// armdyn simulate: what motion do these torques make?

#include <armdyn/equations.hpp>

#include <algorithm>
#include <cmath>

#include "cli/options/part_file.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/simulate/options.hpp"
#include "log/row_writer.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "report/joint_words.hpp"
#include "simulation/step.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// Picture of each joint's position, velocity and torque over time, and of the arm's energy.
class SimulationPicture {
 public:
  SimulationPicture(const Robot& robot, const PlotOptions& options)
      : arm_(normalize(robot)),
        picture_(robot, options,
                 {{"q", Measure::position, {""}},
                  {"qd", Measure::velocity, {""}},
                  {"τ", Measure::torque, {""}}}) {}

  void add(const SimulationRow& row) {
    picture_.add(0, 0, row.t, row.q);
    picture_.add(1, 0, row.t, row.qd);
    picture_.add(2, 0, row.t, row.tau);
    const Eigen::VectorXd qd = eigen(row.qd);
    const double kinetic = 0.5 * qd.dot(eigen(mass_matrix(arm_, row.q)) * qd);  // (9.6)
    const double potential = potential_energy(arm_, row.q);
    kinetic_.append(row.t, kinetic);
    potential_.append(row.t, potential);
    total_.append(row.t, kinetic + potential);
  }

  [[nodiscard]] Views views(const Figure& titled) {
    picture_.add_panel({"energy of the arm",
                        "E",
                        "J",
                        {curve_of("total", total_), curve_of("kinetic", kinetic_),
                         curve_of("potential", potential_)}});
    return picture_.views(titled);
  }

 private:
  Arm arm_;
  JointPicture picture_;
  ThinnedSeries kinetic_, potential_, total_;
};

/// Distance |q − q of TORQUES| of the simulated motion from the one that the torques were computed
/// for, at the times of its rows, rad or m.
class Departure {
 public:
  explicit Departure(const Robot& robot) : robot_(robot), joints_(robot.dof()) {}

  /// Takes a row of TORQUES, before the simulation comes to its time.
  void expect(double t, std::span<const double> q) { ahead_.push_back({t, {q.begin(), q.end()}}); }

  /// Takes a step of the simulation.
  void meet(const SimulationRow& row) {
    while (!ahead_.empty() && ahead_.front().t <= row.t) {
      const Expected& expected = ahead_.front();
      for (std::size_t i = 0; expected.t == row.t && i < joints_.size(); ++i) {
        joints_[i].last = std::abs(row.q[i] - expected.q[i]);
        joints_[i].most.raise(joints_[i].last, row.t);
        compared_ = true;
      }
      ahead_.erase(ahead_.begin());
    }
  }

  /// Departure of each joint, and a line for people; empty where TORQUES has no q.
  [[nodiscard]] Sections sections() const {
    if (!compared_) return {};
    const auto words = [this](const Record& joint, double value) {
      const auto i = static_cast<std::size_t>(&joint - joints_.data());
      return fmt::format("{} ({})", with_unit(value, position_unit(robot_.joints[i])),
                         robot_.joints[i].name);
    };
    const auto last = std::ranges::max_element(joints_, {}, &Record::last);
    const auto most =
        std::ranges::max_element(joints_, {}, [](const Record& joint) { return joint.most.value; });
    const FieldTable joints{each(joints_, [](const Record& of) -> Fields {
      return {{"departure_last", for_programs, Value::data(of.last)},
              {"departure", for_programs, Value::data(of.most.value)},
              {"departure_time", for_programs, Value::data(of.most.t)}};
    })};
    return {{"joints", joints, "", false, Audience::programs},
            {"", fmt::format("off the q of TORQUES: {} at the end, at most {}, at {}",
                             words(*last, last->last), words(*most, most->most.value),
                             time_text(most->most.t))}};
  }

  /// Advice where the motion has come far from that of TORQUES.
  [[nodiscard]] std::optional<std::string> remark() const {
    constexpr double far = 0.01;  // rad, m
    if (std::ranges::none_of(joints_, [](const Record& of) { return of.most.value > far; }))
      return {};
    return "the motion leaves the q of TORQUES: torques alone keep no arm on its trajectory, and "
           "small errors grow; armdyn track follows a motion with a controller";
  }

 private:
  struct Record {
    double last = 0.0;
    Extreme most;
  };
  struct Expected {
    double t;
    std::vector<double> q;
  };

  const Robot& robot_;
  std::vector<Expected> ahead_;  // torques are read one row ahead at most
  std::vector<Record> joints_;
  bool compared_ = false;
};

/// The options with the time between states as their step.
SimulationOptions state_to_state(SimulationOptions options) {
  options.step *= static_cast<double>(options.every);
  return options;
}

/// Torques of a controller in the loop: sends each state, and then waits for a row of torques,
/// which is held up to the next state. Does not open the input before the first state has been
/// sent; reads a row after the last state, too. Ends with its rows.
class StepwiseTorque final : public TorqueInput {
 public:
  using Sink = std::function<void(double t, std::span<const double> q, std::span<const double> qd)>;

  /// Needs both to outlive it.
  StepwiseTorque(const SimulateOptions& options, Run& run)
      : options_(options),
        run_(run),
        robot_(run.robot().robot),
        ends_(state_to_state(options.simulation)) {
    held_.tau.resize(robot_.dof());
  }
  /// Sets the sink, before the simulation begins.
  void set_sink(Sink send) { send_ = std::move(send); }

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override {
    send_(t, q, qd);
    return read(t) && t < ends_.end() ? ends_.next(t, forever) : forever;
  }
  void evaluate(double /*t*/, std::span<const double> /*q*/, std::span<const double> /*qd*/,
                std::span<double> tau, Wrench& wrench) override {
    std::ranges::copy(held_.tau, tau.begin());
    wrench = held_.wrench;
  }

 private:
  bool read(double t) {
    try {
      if (!rows_) {
        rows_.emplace(run_.open(options_.torques, options_.topics), robot_, options_.columns,
                      Need::optional);
        run_.recognized(rows_->input().name(), rows_->plan());
      }
      return rows_->next(held_, t);
    } catch (const Interrupted&) {
      return false;  // the simulation finds out
    }
  }

  const SimulateOptions& options_;
  Run& run_;
  const Robot& robot_;
  StepEnds ends_;
  Sink send_;
  std::optional<TorqueRows> rows_;
  TorqueSample held_;
};

/// Torques from a file or a controller, or none.
class Drives {
 public:
  /// Throws Interrupted where a signal comes before the first row.
  Drives(const SimulateOptions& options, Run& run) : departure_(run.robot().robot) {
    const Robot& robot = run.robot().robot;
    if (options.torques.empty()) {
      input_ = std::make_unique<ConstantTorque>(std::vector<double>(robot.dof()));
      return;
    }
    if (options.stepwise) {
      input_ = std::make_unique<StepwiseTorque>(options, run);
      return;
    }
    rows_.emplace(run.open(options.torques, options.topics), robot, options.columns);
    run.recognized(rows_->input().name(), rows_->plan());
    input_ = std::make_unique<SampledTorque>(
        [this](TorqueSample& sample) {
          if (before_waiting_ && rows_->may_wait()) before_waiting_();
          if (!rows_->next(sample)) return false;
          if (const auto q = rows_->q()) departure_.expect(sample.t, *q);
          return true;
        },
        options.interpolation);
  }

  /// Sets a function that is called before torques are waited for.
  void set_before_waiting(std::function<void()> action) { before_waiting_ = std::move(action); }

  [[nodiscard]] TorqueInput& input() { return *input_; }
  /// The rows that are read; null where there are none, or where they come step by step.
  [[nodiscard]] const TorqueRows* rows() const { return rows_ ? &*rows_ : nullptr; }
  [[nodiscard]] Departure& departure() { return departure_; }
  [[nodiscard]] double start() const {
    const auto* const sampled = dynamic_cast<const SampledTorque*>(input_.get());
    return sampled ? sampled->current().t : 0.0;
  }

 private:
  Departure departure_;
  std::optional<TorqueRows> rows_;
  std::unique_ptr<TorqueInput> input_;
  std::function<void()> before_waiting_;
};

/// Warning of torques that are piped in where TORQUES is absent, which stands for no torque.
std::optional<std::string> unread_torques(const SimulateOptions& options, const Run& run) {
  if (!options.torques.empty()) return {};
  const std::string waiting = run.unread_input();
  if (waiting.substr(0, waiting.find('\n')).find("tau") == waiting.npos) return {};
  return "the torques on standard input are not read, and the drives are without torque; to use "
         "them, name - as TORQUES";
}

Answer report_nothing(const SimulateOptions& options, Run& run) {
  const std::string message = "interrupted before the first torque came; nothing is written";
  Answer answer{run.document()};
  Document& document = answer.document;
  document.data("options")["method"] = name(*simulation_options(options, run.robot().robot).method);
  document.add(Json{{"rows", 0}, {"steps", 0}, {"end", "interrupted"}, {"message", message}});
  answer.ending = Ending::interrupted;
  answer.message = message;
  return answer;
}

/// One simulation, from its torques to its answer.
class OneSimulation {
 public:
  OneSimulation(Drives& drives, const SimulateOptions& options, Run& run)
      : drives_(drives),
        options_(options),
        run_(run),
        robot_(run.robot().robot),
        rows_(drives.rows()),
        has_wrench_(rows_ != nullptr && rows_->has_wrench()),
        used_(simulation_options(options, robot_)),
        summary_(robot_, start_has_unit()),
        done_(drives.start(), drives.start() + options.simulation.duration.value_or(1.0)) {
    const std::vector<double> zero(robot_.dof());
    q0_ = rows_ ? rows_->first_q().value_or(zero) : zero;
    qd0_ = rows_ ? rows_->first_qd().value_or(zero) : zero;
    if (!options.q0.empty()) q0_ = parse_position("--q0", options.q0, robot_);
    if (!options.qd0.empty()) qd0_ = parse_joint_list("--qd0", options.qd0, robot_);
    used_.start = drives.start();
    used_.each_step = [this](const SimulationRow& row) { drives_.departure().meet(row); };
    writer_.emplace(run.rows("-o", AtSignal::kept), robot_, groups());
    if (run.wants_curves()) picture_.emplace(robot_, options.plot);
    if (auto* const stepwise = dynamic_cast<StepwiseTorque*>(&drives.input())) {
      stepwise->set_sink([this](double t, std::span<const double> q, std::span<const double> qd) {
        send(t, q, qd);
      });
      used_.duration.reset();
    }
    drives.set_before_waiting([this] { writer_->flush(); });
  }

  Answer run() {
    summary_.run(normalize(robot_), q0_, qd0_, drives_.input(), used_,
                 [this](const SimulationRow& row) { add(row); });
    const bool failed = !summary_.failure.empty();
    const std::optional<std::string> departed = drives_.departure().remark();
    if (failed && departed) summary_.failure += "; " + *departed;
    Views views;
    if (!failed && picture_) {
      views = picture_->views(
          titled_figure("simulated motion", options_.torques, robot_, options_.robot));
    }
    if (!failed && !run_.draw(views)) summary_.result.end = SimulationEnd::stopped;
    run_.end_progress();
    if (summary_.rows() > 0) writer_->flush();
    Answer answer = summary_.ended(document(failed, departed));
    answer.document.views = std::move(views);
    return answer;
  }

 private:
  [[nodiscard]] bool start_has_unit() const {
    if (!options_.q0.empty()) return !is_without_unit(options_.q0, robot_);
    return rows_ != nullptr && !rows_->plan().is_si(Quantity::position);
  }

  [[nodiscard]] std::vector<Quantity> groups() const {
    std::vector<Quantity> groups{Quantity::time, Quantity::position, Quantity::velocity};
    if (!options_.stepwise) {
      groups.insert(groups.end(), {Quantity::acceleration, Quantity::torque});
    }
    if (has_wrench_) groups.push_back(Quantity::contact_wrench);
    return groups;
  }

  /// Writes a state for the controller, once.
  void send(double t, std::span<const double> q, std::span<const double> qd) {
    if (t <= sent_) return;
    sent_ = t;
    writer_->add({{&t, 1}, q, qd});
    writer_->flush();
  }

  void add(const SimulationRow& row) {
    if (options_.stepwise) {
      send(row.t, row.q, row.qd);
    } else {
      const std::array components = stacked(row.wrench);
      const std::span<const double> wrench(components);
      writer_->add({{&row.t, 1},
                    row.q,
                    row.qd,
                    row.qdd,
                    row.tau,
                    wrench.first(has_wrench_ ? wrench.size() : 0)});
    }
    if (picture_) picture_->add(row);
    const bool is_timed = options_.simulation.duration.has_value();
    const auto bytes = rows_ != nullptr ? rows_->input().size() : std::nullopt;
    run_.show_progress(is_timed ? TimeShare::whole : bytes,
                       is_timed           ? done_.at(row.t)
                       : rows_ != nullptr ? rows_->bytes_read()
                                          : 0,
                       summary_.rows());
  }

  [[nodiscard]] Document document(bool failed, const std::optional<std::string>& departed) const {
    Document document = run_.document();
    document.data("options")["method"] = name(*used_.method);
    document.data("options").update(start_data(q0_, qd0_));
    Sections found = summary_.sections();
    if (summary_.rows() > 0) append(found, drives_.departure().sections());
    if (options_.q0.empty() && rows_ != nullptr && !rows_->first_q()) {
      const std::string remark =
          "TORQUES has no q, so the start is q = 0; --q0 gives another, and armdyn torque "
          "--keep-motion writes the motion beside its torques";
      found.push_back({"", remark});
      found.push_back({"remarks", Json::list(remark)});
    }
    document.add(failed ? only_for(Audience::programs, found) : found);
    document.warnings = summary_.remarks();
    if (rows_) document.warnings = joined({*document.warnings, rows_->remarks()});
    for (const auto& warning :
         {departed, held_to(drives_.input(), summary_.result.t), unread_torques(options_, run_)}) {
      if (warning && !failed) document.warnings->push_back(*warning);
    }
    return document;
  }

  Drives& drives_;
  const SimulateOptions& options_;
  Run& run_;
  const Robot& robot_;
  const TorqueRows* rows_;  // null where there are none, or where they come step by step
  bool has_wrench_;
  SimulationOptions used_;
  std::vector<double> q0_, qd0_;
  std::optional<RowWriter> writer_;
  std::optional<SimulationPicture> picture_;
  SimulationSummary summary_;
  TimeShare done_;
  double sent_ = -1.0;  // time of the last state
};

constexpr std::array all_forward_methods{ForwardMethod::composite, ForwardMethod::articulated,
                                         ForwardMethod::strobe};

/// Completes the options of --stepwise. Throws UsageError for options that contradict it.
void hold_step_by_step(const OptionList& list, SimulateOptions& options) {
  refuse_if(!options.batch.empty(), "--stepwise is for one simulation; leave out --batch");
  refuse_if(!list.is_given("--step"),
            "--stepwise needs --step, the time from state to state, e.g. --step 0.01");
  refuse_if(list.is_given("--interpolation") && options.interpolation != Interpolation::hold,
            "--stepwise holds each row of torques; leave out --interpolation");
  refuse_if(!is_stream(options.output.output),
            "--stepwise writes states for a controller to read; leave out -o, or name a pipe");
  options.interpolation = Interpolation::hold;
  options.output.is_whole = true;
  if (options.torques.empty()) options.torques = "-";
}

/// Declares torques, starts and how long they act.
void declare_inputs(OptionList& list, SimulateOptions& options) {
  list.argument("TORQUES", options.torques, as_written,
                "CSV or .npy file with t,tau1.., optionally a wrench and the first q, qd; - is "
                "standard input (default: no torque)");
  list.option("--batch", "FILE", options.batch, as_written,
              "one simulation per row of FILE: q1.., optionally qd1.., tau1.., a wrench")
      .for_command_line();
  list.text("--q0", "LIST", options.q0,
            "initial position: 0,-1.57,0 or \"0,-90,0 deg\" or a pose (default: 0)");
  list.text("--qd0", "LIST", options.qd0, "initial velocity, rad/s, m/s (default: 0)");
  list.option("--duration", "SECONDS", options.simulation.duration, parse_duration_or_zero,
              "duration, s (default: to the last row of torques)");
}

Answer simulate(const SimulateOptions& options, Run& run) {
  if (!options.batch.empty()) return run_batch(options, run);
  (void)run.robot({{"--q0", options.q0}});
  std::optional<Drives> drives;
  try {
    drives.emplace(options, run);
  } catch (const Interrupted&) {
    return report_nothing(options, run);
  }
  return OneSimulation(*drives, options, run).run();
}

}  // namespace

void declare(OptionList& list, SimulateOptions& options) {
  const auto single_run = [&options] { return options.batch.empty(); };
  const auto has_torques = [&options] {
    return !options.torques.empty() || !options.batch.empty();
  };
  const Choices<Interpolation> interpolations{{"linear", Interpolation::linear},
                                              {"hold", Interpolation::hold}};
  const Choices<ForwardMethod> forward_methods{std::span<const ForwardMethod>(all_forward_methods)};
  declare_robot(list, options.robot);
  declare_inputs(list, options);
  declare_steps(list, options.simulation, single_run);
  declare_integration(list, options.simulation);
  list.option("--interpolation", "NAME", options.interpolation, interpolations,
              "torques between rows: " + interpolations.text() + " (default: linear)")
      .echoed_if(has_torques);
  list.flag("--stepwise", options.stepwise,
            "controller in the loop: write each state, read the next torques")
      .echoed_if(single_run)
      .for_command_line();
  list.option(
      "--method", "NAME", options.simulation.method, forward_methods,
      "formulation of forward dynamics: " + forward_methods.text() + " (default: the fastest)");
  declare_limits(list, options.simulation);
  list.flag("--estimate-error", options.simulation.estimate_error,
            "estimate the integration error by a second run at half the step")
      .special()
      .echoed_if(single_run);
  declare_table(list, options.topics, options.columns);
  declare_plot(list, options.plot, "the motion");
  declare_output(list, options.output);
  declare_part(list, options.output);
  list.check([&list, &options] {
    if (options.stepwise) hold_step_by_step(list, options);
    if (!options.batch.empty()) return;
    refuse_if(!options.output.divider.empty(),
              "{} is for --batch: the rows of one simulation follow from one another",
              options.output.divider);
    refuse_if(options.torques.empty() && !options.simulation.duration,
              "simulate: without TORQUES it needs --duration, e.g. --duration 2; to read torques "
              "from a pipe, name - as TORQUES");
  });
}

Verb simulate_verb() {
  return verb<SimulateOptions>(
      "simulate", "Forward dynamics: simulate the motion under given torques",
      "  armdyn simulate craig-rr --duration 2 -o fall.csv --plot fall.svg\n"
      "  armdyn torque puma560 puma560-pick-and-place --keep-motion | armdyn simulate puma560 - "
      "-o motion.csv\n"
      "  armdyn simulate craig-rr --q0 \"-90,30 deg\" --duration 10 --integrator rkf78 --every 10 "
      "| head\n"
      "  armdyn trajectory craig-rr --from 0,0 --to 1,2 --duration 1 --rate 100 | armdyn simulate "
      "craig-rr --batch - --duration 2 -o ends.csv\n",
      declare, simulate);
}

SimulationOptions simulation_options(const SimulateOptions& options, const Robot& robot) {
  SimulationOptions used = options.simulation;
  used.limits = joint_limits(robot);
  if (!used.method) used.method = fastest_method(robot.dof());
  used.stop = interrupted;
  return used;
}

}  // namespace armdyn
