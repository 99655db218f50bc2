#pragma once

#include <string>

#include "fmu/variables.hpp"

namespace armdyn {

/// The Functional Mock-up Unit of a robot: an archive of its description, the code that it runs, and
/// the robot file. `file` is the name of the robot file in messages, `generator` what the description
/// states as the maker. Throws FileError where this program was built or installed without FMUs.
[[nodiscard]] std::string fmu_of(const std::string& robot_yaml, const std::string& file,
                                 const FmuKind& kind, const std::string& generator);

}  // namespace armdyn
