#pragma once

#include <string>
#include <vector>

#include "program/written_function.hpp"

namespace armdyn {

/// The function for MATLAB and Octave, of one state at a time.
[[nodiscard]] std::string matlab_text(const WrittenFunction& function, bool as_float);

/// A script that tests it, as c_check_text does.
[[nodiscard]] std::string matlab_check_text(const WrittenFunction& function,
                                            const FunctionTest& test);

}  // namespace armdyn
