#pragma once

// Options and answer of `compare`.

#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include "cli/options/option_list.hpp"
#include "dynamics/compare.hpp"
#include "dynamics/counts.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

struct CompareOptions : VerbOptions {
  std::string motion;  ///< empty: random states
  int samples = 1000;
  std::uint64_t seed = 1;
  std::vector<Method> methods{Method::newton_euler, Method::modified_newton_euler,
                              Method::lagrange};
  double tolerance = 1e-9;
  InputAccuracy input_error = InputAccuracy::file;
  bool costs = false;
  /// Processors of the schedule; none: no schedule; 0: the fewest found for the fewest steps.
  std::optional<std::size_t> processors;
  LogOptions log;
  std::string differences;  ///< empty: none
  PlotOptions plot;
};

void declare(OptionList& list, CompareOptions& options);
[[nodiscard]] Answer compare_methods(const CompareOptions& options, Run& run);

// Costs of the formulations: operations counted and as the papers have them, and time.

/// The cost of one state by one method.
struct MethodCost {
  Method method = Method::newton_euler;
  MethodCount count;
  double seconds = 0.0;
};

/// Time of each method, in seconds and beside the first one.
[[nodiscard]] std::vector<Fields> times(const std::vector<MethodCost>& costs);

/// Tables for people: the counts, the papers' formulas beside them, their tables term by term, and
/// strobing.
[[nodiscard]] Sections cost_sections(const std::vector<MethodCost>& costs, const Robot& robot,
                                     const Arm& arm);
/// The same of each method, for programs.
[[nodiscard]] Json costs(const std::vector<MethodCost>& all, const Arm& arm);

// The formulations on several processors (docs/derivation.md, section 23).

/// The operations of a formulation on several processors, one step each.
struct ScheduledOperations {
  const char* key;    ///< of programs
  const char* label;  ///< for people
  std::vector<Task> tasks;
  std::size_t levels = 0;      ///< the longest chain
  std::size_t processors = 0;  ///< asked for; of all, the fewest found for the fewest steps
  Timetable table;
};

struct ScheduledMethod {
  Method method = Method::newton_euler;
  std::vector<ScheduledOperations> readings;  ///< as written and folded, with sums balanced or not
};

/// Schedules each method on so many processors; 0: on the fewest found that reach the fewest steps.
[[nodiscard]] std::vector<ScheduledMethod> schedule(const Arm& arm, std::span<const Method> methods,
                                                    std::size_t processors);

/// Sections on the schedules; with `names_steps` programs see each operation's processor and step.
[[nodiscard]] Sections schedule_sections(std::span<const ScheduledMethod> methods, std::size_t dof,
                                         bool names_steps);
/// Panels of the number of processors at work, step by step, one per method.
[[nodiscard]] std::vector<Panel> schedule_panels(std::span<const ScheduledMethod> methods);

struct ComparisonReport {
  const RobotFile& file;
  const Arm& arm;
  const CompareOptions& options;
  const Comparison& comparison;
  std::optional<LogReport> log;           ///< of the motion's rows; none: random states
  std::vector<MethodCost> costs;          ///< one per method
  std::vector<ScheduledMethod> schedule;  ///< one per method, if it was asked for
};

/// Beginning and end of a sentence: whether the formulations agree, and where they differ most.
[[nodiscard]] std::array<std::string, 2> verdict(const ComparisonReport& report);

/// The document that begins with the frame of every answer.
[[nodiscard]] Document answer(const ComparisonReport& report, Document frame);

}  // namespace armdyn
