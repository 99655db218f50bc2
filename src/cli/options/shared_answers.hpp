#pragma once

// Answers that several verbs give in the same way: about a log, a motion that is to be slower,
// and a simulation.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "identification/log_hypotheses.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"
#include "motion/path_limits.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

// Remarks of torque and compare about the rows of a log.

/// Sections that say what was derived, how certain it is, and how the rows follow one another; for
/// programs `input` of docs/commands.md.
[[nodiscard]] Sections log_sections(const LogReport& report, const Robot& robot);
/// Rows that are missing or left out, and what in q, qd and qdd does not belong together; one
/// sentence for each reason.
[[nodiscard]] std::vector<std::string> log_warnings(const LogReport& report);

/// One sentence: what they are, how well that fits, what reads them so, what cannot be told.
[[nodiscard]] std::string hypothesis_remark(const LogFinding& found, const Robot& robot,
                                            const ColumnPlan& plan, const LogOptions& options);

// The fastest uniform slowing of a motion at which limits hold.

/// "|τ| of elbow", "speed of motor of elbow".
[[nodiscard]] std::string limit_name(const Robot& robot, const PathLimit& limit);

/// factor, duration, binding, feasible, is_numeric: of a motion that takes `duration`, s; or where
/// no speed helps, the obstacle.
[[nodiscard]] Fields slow_down_fields(const Robot& robot, const PathDemands& demands,
                                      const SlowDown& found, double duration);

/// The reason why no speed helps, where none does.
[[nodiscard]] std::optional<std::string> slow_down_obstacle(const Robot& robot,
                                                            const PathDemands& demands,
                                                            const SlowDown& found);

// The summary of verbs that simulate: where the joints went, and where the energy.

/// Names of the options' values, as they are typed.
[[nodiscard]] const char* name(Integrator integrator);
[[nodiscard]] const char* name(ForwardMethod method);
[[nodiscard]] const char* name(Interpolation interpolation);
/// "complete", "limit", …, as summaries say it.
[[nodiscard]] const char* name(SimulationEnd end);

/// The end of a program whose simulation ended so.
[[nodiscard]] Ending ending(SimulationEnd end);

/// "12 steps of rk4 at 0.001 s".
[[nodiscard]] Field steps_field(const SimulationOptions& used, std::uint64_t steps);

/// Says that a step is too long for the arm, and why; `asked` is that of the options.
[[nodiscard]] std::string coarse_step_text(const CoarseStep& coarse, const Robot& robot,
                                           double asked);
[[nodiscard]] Json coarse_step_data(const CoarseStep& coarse, const Robot& robot);

class SimulationSummary {
 public:
  explicit SimulationSummary(const Robot& robot);

  /// Notes that the positions at the start came with a unit, so that degrees are not meant.
  void start_has_unit() { start_has_unit_ = true; }
  void add(const SimulationRow& row);
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Takes what the simulation found, and its options. `failure`: why it could not go
  /// on, if it could not.
  void finish(const SimulationResult& result, const SimulationOptions& used,
              const std::string& failure = "");

  /// Rows and steps, each joint, the energy, and why the motion ended early.
  [[nodiscard]] Sections sections() const;
  /// "the 12 rows so far are kept"; also before `finish`.
  [[nodiscard]] std::string kept_rows() const;
  /// Says why the motion ended early; empty if it did not.
  [[nodiscard]] std::string early_end() const;
  /// The step that is too long for the arm, if it is.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] Fields energy() const;

  const Robot& robot_;
  std::vector<double> first_q_, last_q_, last_qd_;
  double first_t_ = 0.0;
  double last_t_ = 0.0;
  std::size_t rows_ = 0;
  SimulationResult result_;
  SimulationOptions used_;
  std::string failure_;
  bool start_has_unit_ = false;
};

/// Says why the motion ended early, if it did and the summary is not `json`.
[[nodiscard]] Ending report_end(const SimulationSummary& summary, SimulationEnd end, bool json);

/// The start as options: q0 (rad or m) and qd0 (per s).
[[nodiscard]] Json start_data(const std::vector<double>& q0, const std::vector<double>& qd0);

}  // namespace armdyn
