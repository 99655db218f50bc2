#pragma once

// The summary of verbs that simulate: where the joints went, and where the energy.

#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

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
