#pragma once

#include <string>
#include <vector>

#include "program/written_function.hpp"

namespace armdyn {

/// The function in Python with NumPy, for any number of states at once: arrays of the shape (..., n).
[[nodiscard]] std::string python_text(const WrittenFunction& function, bool as_float);

/// A program that tests the code in `file`, which lies beside it, as c_check_text does.
[[nodiscard]] std::string python_check_text(const WrittenFunction& function,
                                            const FunctionTest& test, const std::string& file);

}  // namespace armdyn
