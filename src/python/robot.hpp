#pragma once

// The class Robot of Python: its model, and the workspaces of its dynamics.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "cli/options/option_list.hpp"
#include "python/arrays.hpp"

namespace armdyn::python {

/// Adds the exceptions, and their translation from armdyn's own, to the module.
void define_errors(py::module_& module);

/// Keywords of Python as texts of a command line.
[[nodiscard]] std::vector<Keyword> keywords(const py::dict& options);
class TextFile;

class Robot {
 public:
  /// The name of a shipped robot, the path of a file, or the text of one: what has a line break, or
  /// begins as a mapping of YAML or as XML does.
  Robot(const std::string& robot, const py::dict& edits);
  /// Another robot, edited by the options of a command line.
  Robot(const Robot& other, const py::dict& edits);

  /// The robot with the edits among keywords of a verb, which it takes out of them.
  [[nodiscard]] Robot edited(const py::dict& keywords) const;

  [[nodiscard]] const std::vector<Keyword>& edits() const { return edits_; }
  /// The bytes of its file. Throws FileError where they have changed since they were read.
  [[nodiscard]] std::string text() const;
  /// Throws FileError unless the digest is that of the file when the robot was read.
  void require_unchanged(const std::string& digest) const;

  [[nodiscard]] const RobotFile& file() const { return file_; }
  [[nodiscard]] const armdyn::Robot& model() const { return file_.robot; }
  [[nodiscard]] const Arm& arm() const { return arm_; }
  [[nodiscard]] std::size_t dof() const { return arm_.dof(); }

  /// The workspaces that compute its torques and accelerations.
  struct Dynamics;
  [[nodiscard]] Dynamics& dynamics() const { return *dynamics_; }

 private:
  [[nodiscard]] RobotFile read(const std::string& path, const RobotFileOptions& reading) const;
  void take(const RobotOptions& options);

  std::shared_ptr<const TextFile> text_;  // with the path file_.path; none: a file on disk
  RobotFile file_;
  std::vector<Keyword> edits_;
  Arm arm_;
  std::shared_ptr<Dynamics> dynamics_;
};

using RobotClass = py::class_<Robot, std::shared_ptr<Robot>>;

/// Adds the class, its model and its dynamics to the module.
[[nodiscard]] RobotClass define_robot(py::module_& module);

/// Adds the command line's verbs to the module, and many simulations to the class.
void define_verbs(py::module_& module, RobotClass& robot);

}  // namespace armdyn::python
