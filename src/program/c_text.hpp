#pragma once

#include <string>
#include <vector>

#include "program/written_function.hpp"

namespace armdyn {

/// Inputs of a function, those of its groups, and what it returns for them.
struct FunctionSample {
  std::vector<double> inputs, result;
};

/// The function in C99: straight-line, without heap and static data, in double or float.
[[nodiscard]] std::string c_text(const WrittenFunction& function, bool as_float);

/// A program that calls it for these samples and ends with 0 where no entry is off by more than
/// `tolerance` of the largest entry of its sample.
[[nodiscard]] std::string c_check_text(const WrittenFunction& function, bool as_float,
                                       const std::vector<FunctionSample>& samples,
                                       double tolerance);

}  // namespace armdyn
