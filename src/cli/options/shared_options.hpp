#pragma once

// The options that several verbs have.

#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include "cli/options/option_list.hpp"
#include "dynamics/link_frames.hpp"
#include "log/columns.hpp"

namespace armdyn {

/// Declares --force for the robot file or code that an option names: it replaces a file that a
/// person wrote.
void declare_model(OptionList& list, const char* option, const std::string& path, bool& force);

/// Declares how a robot file is read: values for its parameters, the chain of a URDF.
void declare_reading(OptionList& list, RobotFileOptions& reading);

/// Declares ROBOT, how its file is read, and edits of the robot.
void declare_robot(OptionList& list, RobotOptions& options);

/// Declares an option with a list of parts of a robot, like --without.
OptionList::Entry& declare_without(OptionList& list, const std::string& name, RobotOptions& options,
                                   const std::string& help);

/// Declares output, format of the summary, threads and report.
void declare_output(OptionList& list, OutputOptions& options);

/// Declares --quiet.
void declare_quiet(OptionList& list, OutputOptions& options);

/// Declares the format of the answer: JSON, or that of a text.
void declare_format(OptionList& list, OutputOptions& options);

/// Declares --all, which shows people what only experts read.
OptionList::Entry& declare_all(OptionList& list, bool& all);

/// Declares --degrees: people see angles in degrees, and columns are in degrees.
void declare_degrees(OptionList& list, OutputOptions& options);

/// Declares a page of the answer.
void declare_report(OptionList& list, OutputOptions& options);

/// Declares MOTION: a file, "CSV or .npy file with q1.." and so on, a shipped motion, or standard
/// input.
void declare_motion(OptionList& list, std::string& motion, const std::string& file);

/// Declares a picture of "the torques".
void declare_plot(OptionList& list, PlotOptions& options, const std::string& what);

/// Declares the meaning of a table's columns.
void declare_columns(OptionList& list, std::vector<ColumnChoice>& columns, bool& no_header,
                     const std::string& without_header);

/// Declares how a log is read; in the summary where one is read.
void declare_log(OptionList& list, LogOptions& options,
                 const std::function<bool()>& reads_log = always);

/// Declares --as-given: columns keep the meaning that the log gives them, whatever torques suggest.
void declare_as_given(OptionList& list, LogOptions& options);

/// Declares how a table that is no log is read: --columns, and as declare_topics.
void declare_table(OptionList& list, std::vector<std::string>& topics, ColumnOptions& columns);

/// Declares the topics of a bag, and whether columns `of` a table that are not known are passed
/// over.
void declare_topics(OptionList& list, std::vector<std::string>& topics, bool& ignore_extra,
                    const std::string& of = "");

/// Throws UsageError for options of a log where there is no MOTION.
void refuse_options_of_no_log(const char* verb, const LogOptions& log);

/// Declares the limit of rows and steps that a few words may ask for; the same for all verbs.
void declare_max_rows(OptionList& list, double& most);

/// Declares step and rows of a simulation; in the summary the choice of rows only where
/// `writes_steps` holds.
void declare_steps(OptionList& list, SimulationOptions& options,
                   const std::function<bool()>& writes_steps = always);
/// Declares integrator and tolerance.
void declare_integration(OptionList& list, SimulationOptions& options);
/// Declares the behavior at position limits.
void declare_limits(OptionList& list, SimulationOptions& options);

/// Declares which numbers a bound of errors takes for exact.
OptionList::Entry& declare_input_error(OptionList& list, InputAccuracy& input);

/// The formulations by their names.
[[nodiscard]] const Choices<Method>& method_choices();

/// Axes of Jacobians and Cartesian terms, and points of links, by their names.
[[nodiscard]] Choices<TaskAxes> axes_choices();
[[nodiscard]] Choices<LinkPoint> point_choices();

// Uncertainty of an arm's numbers, the distance that they may have from those of its file:
// --uncertainty.

struct UncertaintyOptions {
  std::string text;    ///< as given; empty: no uncertainty
  Uncertainty bounds;  ///< without parameters
  /// Bounds by their names, l1 of "l1=2mm": parameters of the file, which is not read yet.
  std::vector<std::pair<std::string, std::string>> others;
};

OptionList::Entry& declare_uncertainty(OptionList& list, UncertaintyOptions& options);

/// The uncertainty with the parameters of this file. Throws UsageError for a name that is no
/// parameter, and for quantities that the robot does not have.
[[nodiscard]] Uncertainty uncertainty_of(const UncertaintyOptions& options, const RobotFile& file);

/// Function that makes an arm of drawn parameters; those of --set and the other edits of the
/// options stay. It throws InputError with the values of an arm that cannot be; `file` and
/// `options` must outlive it.
[[nodiscard]] RobotOfParameters arm_of_parameters(const RobotFile& file,
                                                  const RobotOptions& options);

}  // namespace armdyn
