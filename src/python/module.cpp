#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "io/file/interrupt.hpp"
#include "io/robot/robot_text.hpp"
#include "python/robot.hpp"

namespace armdyn::python {

namespace {

PyObject* error = nullptr;  // of the module, which lives as long as the process
PyObject* usage_error = nullptr;
PyObject* input_error = nullptr;
PyObject* file_error = nullptr;
PyObject* numerics_error = nullptr;

PyObject* define(py::module_& module, const char* name, const char* doc,
                 std::initializer_list<PyObject*> bases) {
  py::tuple all(bases.size());
  std::size_t k = 0;
  for (PyObject* const base : bases) all[k++] = py::reinterpret_borrow<py::object>(base);
  const std::string whole = "armdyn." + std::string(name);
  PyObject* const type = PyErr_NewExceptionWithDoc(whole.c_str(), doc, all.ptr(), nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.attr(name) = py::reinterpret_borrow<py::object>(type);
  return type;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const InputError& e) {
    PyErr_SetString(input_error, e.what());
  } catch (const FileError& e) {
    PyErr_SetString(file_error, e.what());
  } catch (const NumericsError& e) {
    PyErr_SetString(numerics_error, e.what());
  } catch (const Error& e) {
    PyErr_SetString(usage_error, e.what());
  }
}

[[noreturn]] void raise_with(PyObject* type, const std::string& message, const char* attribute,
                             const py::object& value) {
  const py::object instance = py::reinterpret_borrow<py::object>(type)(message);
  instance.attr(attribute) = value;
  PyErr_SetObject(type, instance.ptr());
  throw py::error_already_set();
}

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

void define_errors(py::module_& module) {
  error = define(module, "Error", "What armdyn says is wrong.", {PyExc_Exception});
  usage_error = define(module, "UsageError", "An argument is wrong.", {error, PyExc_ValueError});
  input_error =
      define(module, "InputError",
             "The content of a file is wrong; `findings` says where, if it is a robot file.",
             {error, PyExc_ValueError});
  file_error = define(module, "FileError", "A file cannot be read.", {error, PyExc_OSError});
  numerics_error = define(module, "NumericsError",
                          "The numerics failed: singular mass matrix, divergence, a result that is "
                          "not finite.",
                          {error, PyExc_ArithmeticError});
  py::register_exception_translator(translate);
}

void raise_findings(const std::vector<Finding>& findings, const std::string& file) {
  raise_with(input_error, error_lines(findings, file), "findings", py::cast(findings));
}

void raise_numerics(const std::string& message, const char* attribute, const py::object& value) {
  raise_with(numerics_error, message, attribute, value);
}

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
