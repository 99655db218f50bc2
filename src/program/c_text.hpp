#pragma once

#include <string>
#include <vector>

#include "program/written_function.hpp"

namespace armdyn {

/// The function in C99: straight-line, without heap and static data, in double or float.
[[nodiscard]] std::string c_text(const WrittenFunction& function, bool as_float);

/// A program that calls it as the test says, says how far it was off, and ends with 0 where that is
/// allowed, else with 1.
[[nodiscard]] std::string c_check_text(const WrittenFunction& function, bool as_float,
                                       const FunctionTest& test);

}  // namespace armdyn
