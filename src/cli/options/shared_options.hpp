#pragma once

// The options that several verbs have.

#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/sampled_robot.hpp>
#include <armdyn/simulation.hpp>

#include <functional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/plot/plot.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

/// The robot file or code that an option names; --force replaces what a person wrote.
void declare_model(OptionList& list, const char* option, const std::string& path, bool& force);

/// Declares how a robot file is read: values for its parameters, the chain of a URDF.
void declare_reading(OptionList& list, RobotReading& reading);

/// ROBOT and how it is to be edited.
void declare_robot(OptionList& list, RobotOptions& options);

/// An option with a list of the robot's parts, like --without.
OptionList::Entry& declare_without(OptionList& list, const std::string& name, RobotOptions& options,
                                   const std::string& help);

/// Output, summary, threads.
void declare_output(OptionList& list, OutputOptions& options,
                    const std::string& json = "summary as JSON");

/// As what the answer is written: JSON, or in the format of a text.
void declare_format(OptionList& list, OutputOptions& options, const std::string& json);

/// A page of the answer.
void declare_report(OptionList& list, OutputOptions& options);

/// MOTION: a file, "CSV or .npy file with q1.." and so on, a shipped motion, or standard input.
void declare_motion(OptionList& list, std::string& motion, const std::string& file);

/// A picture of "the torques".
void declare_plot(OptionList& list, PlotOptions& options, const std::string& what);

/// Declares what the columns of a table are.
void declare_columns(OptionList& list, std::vector<ColumnChoice>& columns, bool& no_header,
                     const std::string& without_header);

/// Declares how a log is read; in the summary where there is one.
void declare_log(OptionList& list, LogOptions& options,
                 const std::function<bool()>& reads_log = always);

/// Declares --as-given: columns are what the log says, whatever torques say.
void declare_as_given(OptionList& list, LogOptions& options);

/// Whether some of its options were given.
OptionList::Entry& declare_topic(OptionList& list, std::vector<std::string>& topics);
[[nodiscard]] bool asks_for_a_log(const LogOptions& log);
/// Throws UsageError where they ask for a log and there is no MOTION.
void refuse_options_of_no_log(const char* verb, const LogOptions& log);

/// The limit of rows and steps that few words ask for; the same for all verbs.
void declare_max_rows(OptionList& list, double& most);

/// Step and rows of a simulation; which rows, in the summary only where that holds.
void declare_steps(OptionList& list, SimulationOptions& options,
                   const std::function<bool()>& writes_steps = always);
/// Integrator and tolerance.
void declare_integration(OptionList& list, SimulationOptions& options);
/// Declares what happens at position limits.
void declare_limits(OptionList& list, SimulationOptions& options);

/// Declares what a bound of errors takes for exact.
OptionList::Entry& declare_input_error(OptionList& list, InputAccuracy& input);

/// The formulations by their names.
[[nodiscard]] const Choices<Method>& method_choices();

// The uncertainty of an arm's numbers, how far they may be from those of its file: --uncertainty.

struct UncertaintyOptions {
  /// "l1=2mm": a bound of what may be a parameter of the robot file.
  struct NamedBound {
    std::string name, text;
  };

  std::string text;                ///< as given; empty: no uncertainty
  Uncertainty bounds;              ///< without parameters
  std::vector<NamedBound> others;  ///< of parameters of the file, which is not read yet
};

OptionList::Entry& declare_uncertainty(OptionList& list, UncertaintyOptions& options);

/// The uncertainty with the parameters of this file. Throws UsageError where it has none of a name,
/// and for what the robot does not have.
[[nodiscard]] Uncertainty uncertainty_of(const UncertaintyOptions& options, const RobotFile& file);

/// The arm of drawn parameters, beside which those of --set stay, and changed by the same options.
/// It throws InputError with the values of an arm that cannot be; `file` and `options` must outlive
/// it.
[[nodiscard]] RobotOfParameters arm_of_parameters(const RobotFile& file,
                                                  const RobotOptions& options);

}  // namespace armdyn
