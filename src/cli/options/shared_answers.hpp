#pragma once

// Parts of answers that several verbs have: about a log, a motion slowed down to its limits, and a
// simulation.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include "cli/options/common_options.hpp"
#include "cli/options/run.hpp"
#include "identification/log_hypotheses.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"
#include "motion/path_limits.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

// Remarks of torque and compare about the rows of a log.

/// Sections on what was derived and, `with_noise`, how certain it is, and on the steps between rows;
/// for programs `input` of docs/commands.md.
[[nodiscard]] Sections log_sections(const LogReport& report, const Robot& robot,
                                    bool with_noise = true);
/// Tests whether motion and torques were found to be those of the motors.
[[nodiscard]] inline bool is_of_motors(const std::optional<LogFinding>& found) {
  return found && found->hypothesis.measured == LogHypothesis::Measured::motor_side;
}
/// Warnings of rows that are missing or left out, and of qd and qdd that are not the derivatives of
/// q; one sentence each. A motion `found` to be that of the motors has no units of joints.
[[nodiscard]] std::vector<std::string> log_warnings(const LogReport& report,
                                                    const std::optional<LogFinding>& found = {});
/// Warnings on results; their number alone, where they follow from columns that are misread.
[[nodiscard]] std::vector<std::string> consequences(bool are_misread,
                                                    const std::vector<std::string>& warnings);

/// Tests whether --columns reads the log as was found.
[[nodiscard]] bool is_read_by_columns(const LogFinding& found, const Robot& robot,
                                      const ColumnPlan& plan);
/// Sentence on a log whose columns seem to be others than it claims: which, how much better that
/// fits, the option that reads them so, and what torques cannot determine.
[[nodiscard]] std::string hypothesis_remark(const LogFinding& found, const Robot& robot,
                                            const ColumnPlan& plan, const LogOptions& options);

// Uniform slowing of a motion until its limits hold.

/// "|τ| of elbow", "speed of motor of elbow".
[[nodiscard]] std::string limit_name(const Robot& robot, const RowLimit& limit);

/// Fields factor, duration, binding, feasible and numeric of a motion that takes `duration`, s;
/// or obstacle, where no speed keeps the limits.
[[nodiscard]] Fields slow_down_fields(const Robot& robot, const PathDemands& demands,
                                      const SlowDown& found, double duration);

/// The reason why no speed keeps the limits, where none does.
[[nodiscard]] std::optional<std::string> slow_down_obstacle(const Robot& robot,
                                                            const PathDemands& demands,
                                                            const SlowDown& found);

// Summaries of simulations: the paths of the joints, and the balance of energy.

/// Names of the options' values, as they are typed.
[[nodiscard]] const char* name(Integrator integrator);
[[nodiscard]] const char* name(ForwardMethod method);
/// "complete", "limit", …, as summaries have it.
[[nodiscard]] const char* name(SimulationEnd end);

/// Exit code of the program for that end of a simulation.
[[nodiscard]] Ending ending(SimulationEnd end);

/// "12 steps of rk4 at 0.001 s".
[[nodiscard]] Field steps_field(const SimulationOptions& used, std::uint64_t steps);

/// Warning of a step that is too long for the arm, with the reason; `asked` is that of the options.
[[nodiscard]] std::string coarse_step_text(const CoarseStep& coarse, const Robot& robot,
                                           double asked);
[[nodiscard]] Json coarse_step_data(const CoarseStep& coarse, const Robot& robot);

class SimulationSummary {
 public:
  /// `start_has_unit`: the positions there came with a unit, so that degrees are not meant.
  explicit SimulationSummary(const Robot& robot, bool start_has_unit = false)
      : robot_(robot), start_has_unit_(start_has_unit) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Simulates, and counts each row once the sink has taken it.
  void run(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
           TorqueInput& input, const SimulationOptions& options, const RowSink& sink);

  /// Sections on rows and steps, joints, energy, and the reason of an early end.
  [[nodiscard]] Sections sections() const;
  /// "the 12 rows so far are kept"; also during `run`.
  [[nodiscard]] std::string kept_rows() const;
  /// The reason why the motion ended early; empty if it did not.
  [[nodiscard]] std::string early_end() const;
  /// A warning if the step is too long for the arm; else none.
  [[nodiscard]] std::vector<std::string> remarks() const;

  /// The answer with its ending, and with the reason of an early one.
  [[nodiscard]] Answer ended(Document document) const;

  SimulationResult result;  ///< set by `run`; a signal while the picture is drawn changes its end
  std::string failure;      ///< reason why the simulation could not go on, if it could not

 private:
  void add(const SimulationRow& row);
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] Fields energy() const;

  const Robot& robot_;
  bool start_has_unit_;
  std::vector<double> first_q_, last_q_, last_qd_;
  double first_t_ = 0.0;
  double last_t_ = 0.0;
  std::size_t rows_ = 0;
  SimulationOptions used_;
};

/// A warning where the last torque of samples is held although time goes on.
[[nodiscard]] std::optional<std::string> held_to(const TorqueInput& input, double end);

/// The start as options: q0 (rad or m) and qd0 (per s).
[[nodiscard]] Json start_data(const std::vector<double>& q0, const std::vector<double>& qd0);

}  // namespace armdyn
