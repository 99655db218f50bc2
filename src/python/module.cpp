#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "cli/command_line.hpp"
#include "cli/options/named_files.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "python/robot.hpp"

namespace armdyn::python {

namespace {

/// Base of all exceptions in Python, which nothing throws.
class AnyError : public Error {};

/// Raises a Python exception where a C++ one is thrown, with keywords in place of options.
template <class Thrown>
void translate(PyObject* python_type) {
  static PyObject* type;
  type = python_type;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const Thrown& error) {
      PyErr_SetString(type, with_keywords(error.what()).c_str());
    }
  });
}

/// Defines a Python exception, and the translation of armdyn's own to it.
template <class Thrown>
void define(py::module_& module, const char* name, const char* doc, const py::handle& bases) {
  py::exception<Thrown> type(module, name, bases);
  type.attr("__module__") = "armdyn";
  type.attr("__doc__") = doc;
  translate<Thrown>(type.release().ptr());
}

/// Runs the program with arguments, its name not among them. Returns its exit code.
int run_program(const std::vector<std::string>& arguments) {
  std::vector<const char*> words{"armdyn"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const py::gil_scoped_release released;
  install_interrupt_handlers();
  return exit_code(run_command_line(static_cast<int>(words.size()), words.data()));
}

}  // namespace

void define_errors(py::module_& module) {
  translate<std::invalid_argument>(PyExc_ValueError);
  define<AnyError>(module, "Error", "An error that armdyn reports.", PyExc_Exception);
  const auto bases = [error = module.attr("Error")](PyObject* like) {
    return py::make_tuple(error, py::handle(like));
  };
  define<Error>(module, "UsageError", "An argument is wrong.", bases(PyExc_ValueError));
  define<InputError>(
      module, "InputError",
      "The content of a file is wrong; `findings` lists where, if it is a robot file.",
      bases(PyExc_ValueError));
  define<FileError>(module, "FileError", "A file cannot be read.", bases(PyExc_OSError));
  define<NumericsError>(module, "NumericsError",
                        "The numerics failed: singular mass matrix, divergence, a result that is "
                        "not finite.",
                        bases(PyExc_ArithmeticError));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace armdyn::python

PYBIND11_MODULE(_core, module) {
  using namespace armdyn;
  module.doc() = "Dynamics of robot arms";
  module.attr("__version__") = ARMDYN_VERSION;
  module.def("main", &python::run_program, "The program, in this process.");
  module.def("with_keywords", &with_keywords, "A message with keywords in place of options.");
  python::define_errors(module);
  auto robot = python::define_robot(module);
  python::define_verbs(module, robot);
  module.def("set_shared_folder", &set_shared_folder,
             "Folder of the robots and motions that come with armdyn.");
  module.def(
      "shipped_robots", [] { return pybind11::cast(names(shipped_robots())); },
      "The names of the robots that come with armdyn.");
}
