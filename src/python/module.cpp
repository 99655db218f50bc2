#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "io/robot/shipped.hpp"
#include "python/errors.hpp"
#include "python/robot.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace armdyn;
  module.doc() = "Dynamics of serial robot arms";
  python::define_errors(module);
  auto robot = python::define_robot(module);
  python::define_verbs(module, robot);
  module.def("set_shared_folder", &set_shared_folder, "Where robots/ is that comes with armdyn.");
  module.def(
      "shipped_robots", [] { return pybind11::cast(names(shipped_robots())); },
      "The names of the robots that come with armdyn.");
}
