#pragma once

#include <string>

#include "program/written_function.hpp"

namespace armdyn {

/// Words of MATLAB, which no function or field can be called.
[[nodiscard]] bool is_word_of_matlab(const std::string& name);

/// Languages that do not allow every name for a parameter.
enum class Language { listing, c, matlab };

/// Adds "_" to names of parameters that the language has for something else (`int`, of C's headers
/// `M_PI`, in a listing `q1`), and says so where they are explained.
void rename_parameters(WrittenFunction& function, Language language);

/// The function step by step for people, as paper 004 §3 lists it: a line for each quantity, with
/// the equations' names where they have one, and at the end what it takes.
[[nodiscard]] std::string listing_text(const WrittenFunction& function);

/// The function in C99: straight-line, without heap and static data, in double or float.
[[nodiscard]] std::string c_text(const WrittenFunction& function, bool as_float);

/// A program that calls it as the test says, says how far it was off, and ends with 0 where that is
/// allowed, else with 1.
[[nodiscard]] std::string c_check_text(const WrittenFunction& function, bool as_float,
                                       const FunctionTest& test);

/// The function in Python with NumPy, for any number of states at once: arrays of the shape (..., n).
[[nodiscard]] std::string python_text(const WrittenFunction& function, bool as_float);

/// A program that tests the code in `file`, which lies beside it, as c_check_text does.
[[nodiscard]] std::string python_check_text(const WrittenFunction& function,
                                            const FunctionTest& test, const std::string& file);

/// The function for MATLAB and Octave, of one state at a time.
[[nodiscard]] std::string matlab_text(const WrittenFunction& function, bool as_float);

/// A script that tests it, as c_check_text does.
[[nodiscard]] std::string matlab_check_text(const WrittenFunction& function,
                                            const FunctionTest& test);

}  // namespace armdyn
