#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "io/file/interrupt.hpp"
#include "io/robot/robot_text.hpp"
#include "python/errors.hpp"
#include "python/robot.hpp"

namespace armdyn::python {

namespace {

/// The program, for arguments without its name; its exit code.
int run_program(const std::vector<std::string>& arguments) {
  std::vector<const char*> words{"armdyn"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const py::gil_scoped_release released;
  install_interrupt_handlers();
  return exit_code(run_command_line(static_cast<int>(words.size()), words.data()));
}

/// Keywords as words of a command line.
std::vector<std::string> words(const py::kwargs& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : keywords(options)) {
    std::string& word = words.emplace_back("--" + name);
    std::ranges::replace(word, '_', '-');
    if (value) word += "=" + *value;
  }
  return words;
}

}  // namespace

}  // namespace armdyn::python

PYBIND11_MODULE(_core, module) {
  using namespace armdyn;
  module.doc() = "Dynamics of serial robot arms";
  module.attr("__version__") = ARMDYN_VERSION;
  module.def("main", &python::run_program, "The program, in this process.");
  module.def("words", &python::words, "Keywords as words of a command line.");
  python::define_errors(module);
  auto robot = python::define_robot(module);
  python::define_verbs(module, robot);
  module.def("set_shared_folder", &set_shared_folder, "Where robots/ is that comes with armdyn.");
  module.def(
      "shipped_robots", [] { return pybind11::cast(names(shipped_robots())); },
      "The names of the robots that come with armdyn.");
}
