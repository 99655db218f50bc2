#include "python/errors.hpp"

#include <pybind11/stl.h>

#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <utility>

#include "io/file/interrupt.hpp"

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
