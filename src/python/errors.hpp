#pragma once

#include <pybind11/pybind11.h>

#include <armdyn/error.hpp>

#include <string>
#include <vector>

namespace armdyn::python {

namespace py = pybind11;

/// Adds the exceptions, and what turns armdyn's own into them, to the module.
void define_errors(py::module_& module);

/// Raises InputError with the errors among the findings as its text, and all of them as its
/// attribute `findings`.
[[noreturn]] void raise_findings(const std::vector<Finding>& findings, const std::string& file);

/// Raises NumericsError with an attribute.
[[noreturn]] void raise_numerics(const std::string& message, const char* attribute,
                                 const py::object& value);

}  // namespace armdyn::python
