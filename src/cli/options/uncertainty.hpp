#pragma once

// How far the numbers of an arm may be from those of its file: --uncertainty.

#include <armdyn/robot_file.hpp>

#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "dynamics/sampled_robot.hpp"

namespace armdyn {

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

/// With the parameters of this file. Throws UsageError where it has none of a name, and for what the
/// robot does not have.
[[nodiscard]] Uncertainty uncertainty_of(const UncertaintyOptions& options, const RobotFile& file);

/// The arm of drawn parameters, beside which those of --set stay, and changed by the same options. It
/// throws InputError with the values of an arm that cannot be; `file` and `options` must outlive it.
[[nodiscard]] RobotOfParameters arm_of_parameters(const RobotFile& file,
                                                  const RobotOptions& options);

}  // namespace armdyn
