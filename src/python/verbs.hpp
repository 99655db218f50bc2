#pragma once

#include "python/robot.hpp"

namespace armdyn::python {

/// Adds what the command line's verbs do to the class, and read_log to the module.
void define_verbs(py::module_& module, RobotClass& robot);

}  // namespace armdyn::python
