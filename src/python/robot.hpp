#pragma once

// A robot as Python has it: its model, and what computes its dynamics.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <armdyn/arm.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/options/option_list.hpp"
#include "python/arrays.hpp"

namespace armdyn::python {

/// Objects of which each may be used by one thread at a time, made as they are needed.
template <class Object>
class Pool {
 public:
  explicit Pool(std::function<std::unique_ptr<Object>()> make) : make_(std::move(make)) {}

  /// Until it goes out of scope.
  class Lease {
   public:
    explicit Lease(Pool& pool) : pool_(pool), object_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(object_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Object* operator->() const { return object_.get(); }
    Object& operator*() const { return *object_; }

   private:
    Pool& pool_;
    std::unique_ptr<Object> object_;
  };

 private:
  std::unique_ptr<Object> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return make_();
    std::unique_ptr<Object> object = std::move(free_.back());
    free_.pop_back();
    return object;
  }
  void give_back(std::unique_ptr<Object> object) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(object));
  }

  std::function<std::unique_ptr<Object>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Object>> free_;
};

/// Keywords as Python gives them, as on a command line.
[[nodiscard]] std::vector<Keyword> keywords(const py::kwargs& options);
/// A text, or the path that a pathlib.Path is.
[[nodiscard]] std::string text_or_path(const py::object& value);
/// "0.1,0.2": numbers that read back as they are.
[[nodiscard]] std::string list_text(const py::handle& values);

class Robot {
 public:
  /// The name of a shipped robot, the path of a file, or the text of one (with a line break).
  Robot(const std::string& robot, const py::kwargs& edits);
  /// Edited by the options of a command line.
  Robot(const Robot& other, const py::kwargs& edits);

  [[nodiscard]] const std::vector<Keyword>& edits() const { return edits_; }
  /// The bytes of its file. Throws FileError where they are no longer those that were read.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] const RobotFile& file() const { return file_; }
  [[nodiscard]] const armdyn::Robot& model() const { return file_.robot; }
  [[nodiscard]] const Arm& arm() const { return arm_; }
  [[nodiscard]] std::size_t dof() const { return arm_.dof(); }

  /// A verb's options for this robot, from its other arguments and keywords.
  template <class Options>
  [[nodiscard]] Options options(const py::kwargs& more,
                                std::vector<std::string> arguments = {}) const {
    std::vector<Keyword> all = edits_;
    for (Keyword& keyword : keywords(more)) all.push_back(std::move(keyword));
    arguments.insert(arguments.begin(), file_.path);
    return parse_keywords<Options>(arguments, all);
  }

  [[nodiscard]] py::object torque(const py::object& q, const py::object& qd, const py::object& qdd,
                                  const py::object& hand, bool terms, const std::string& method,
                                  int threads) const;
  [[nodiscard]] py::object acceleration(const py::object& q, const py::object& qd,
                                        const py::object& tau, const py::object& hand,
                                        int threads) const;
  [[nodiscard]] py::array velocity_torque(const py::object& q, const py::object& qd,
                                          int threads) const;
  [[nodiscard]] py::array gravity_torque(const py::object& q, int threads) const;
  [[nodiscard]] py::array regressor(const py::object& q, const py::object& qd,
                                    const py::object& qdd) const;
  [[nodiscard]] py::array mass_matrix(const py::object& q) const;
  [[nodiscard]] py::array jacobian(const py::object& q) const;
  [[nodiscard]] py::array hand_pose(const py::object& q) const;

 private:
  struct Inverse;
  struct Forward;

  [[nodiscard]] py::array part(std::size_t index, const py::object& q, const py::object& qd,
                               int threads) const;
  std::vector<py::array> parts(Method method, const Rows& q, const Rows* qd, const Rows* qdd,
                               const Rows* hand, bool terms, int threads) const;
  py::array each_posture(const py::object& q, std::size_t rows, std::size_t columns,
                         const std::function<void(std::span<const double>, double*)>& value) const;

  RobotFile file_;
  std::vector<Keyword> edits_;
  Arm arm_;
  void take(const RobotOptions& options);
  void prepare();

  std::array<std::shared_ptr<Pool<Inverse>>, std::size(all_methods)> inverse_;
  std::shared_ptr<Pool<Forward>> forward_;
};

using RobotClass = py::class_<Robot, std::shared_ptr<Robot>>;

/// Adds the class, its model and its dynamics to the module.
[[nodiscard]] RobotClass define_robot(py::module_& module);

/// Adds what the command line's verbs do to the class, and read_log to the module.
void define_verbs(py::module_& module, RobotClass& robot);

}  // namespace armdyn::python
