#include "python/robot.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "math/rigid.hpp"
#include "model/joint_kind.hpp"
#include "model/robot_fields.hpp"
#include "python/errors.hpp"
#include "python/work.hpp"

namespace armdyn::python {

namespace {

/// A file that holds a text as long as the process lives; its path.
std::string file_of_text(const std::string& text) {
  const int descriptor = ::memfd_create("robot", MFD_CLOEXEC);
  if (descriptor < 0 ||
      ::write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw FileError("no memory for the text of a robot file");
  }
  return fmt::format("/proc/self/fd/{}", descriptor);
}

RobotFile read(const std::string& robot, const RobotReading& reading) {
  const bool is_text = robot.find('\n') != robot.npos;
  const std::string path = is_text ? file_of_text(robot) : find_robot(robot);
  RobotFileReport report = examine_robot_file(path, reading);
  if (!report.robot) raise_findings(report.findings, is_text ? "robot text" : path);
  require_use(reading, report, is_text ? "robot text" : path);
  return {*std::move(report.robot), std::move(report.findings), path, std::move(report.digest),
          std::move(report.written)};
}

std::string number_text(const py::handle& value) {
  if (py::isinstance<py::int_>(value)) return py::str(value);
  return py::repr(py::float_(py::reinterpret_borrow<py::object>(value)));
}

bool is_number(const py::handle& value) {
  return PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()) || PyNumber_Check(value.ptr());
}

Keyword keyword(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::str>(value) || py::hasattr(value, "__fspath__")) {
    return {name, text_or_path(py::reinterpret_borrow<py::object>(value))};
  }
  if (py::isinstance<py::dict>(value)) {
    std::string list;
    for (const auto& [key, column] : py::reinterpret_borrow<py::dict>(value)) {
      list += fmt::format("{}{}={}", list.empty() ? "" : ",", std::string(py::str(key)),
                          std::string(py::str(column)));
    }
    return {name, list};
  }
  if (py::isinstance<py::sequence>(value) || py::isinstance<py::array>(value)) {
    return {name, list_text(value)};
  }
  if (is_number(value)) return {name, number_text(value)};
  throw py::type_error(fmt::format("{} is {}; expected a number, a text or a list", name,
                                   std::string(py::str(py::type::of(value)))));
}

}  // namespace

std::string text_or_path(const py::object& value) {
  return py::cast<std::string>(py::module_::import("os").attr("fspath")(value));
}

std::string list_text(const py::handle& values) {
  if (py::isinstance<py::str>(values)) return py::cast<std::string>(values);
  std::string list;
  for (const py::handle value : values) {
    if (!list.empty()) list += ',';
    list += py::isinstance<py::str>(value) ? py::cast<std::string>(value) : number_text(value);
  }
  return list;
}

std::vector<Keyword> keywords(const py::kwargs& options) {
  std::vector<Keyword> all;
  for (const auto& [key, value] : options) {
    const std::string name = py::cast<std::string>(key);
    if (value.is_none() || (PyBool_Check(value.ptr()) && value.ptr() == Py_False)) continue;
    if (PyBool_Check(value.ptr())) {
      all.push_back({name, std::nullopt});
    } else {
      all.push_back(keyword(name, value));
    }
  }
  return all;
}

// --- What computes

namespace {

/// A group of columns: of an argument, or zeros for none.
struct Group {
  const Rows* rows;
  std::size_t width;
};

/// Numbers of the groups' first rows, one after the other.
std::vector<double> first_row(std::initializer_list<Group> groups) {
  std::vector<double> numbers;
  for (const auto& [rows, width] : groups) {
    numbers.resize(numbers.size() + width);
    if (rows) rows->read(0, std::span(numbers).last(width));
  }
  return numbers;
}

py::array array_of(std::span<const double> numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

/// Columns of a block, in and out.
class BlockColumns {
 public:
  /// Of the groups, one after the other.
  std::span<const Column> gather(std::initializer_list<Group> groups, std::size_t begin,
                                 std::size_t count) {
    std::size_t width = 0;
    for (const Group& group : groups) width += group.width;
    copies_.resize(std::max(copies_.size(), width * count));
    zeros_.resize(std::max(zeros_.size(), count));
    columns_.clear();
    for (const Group& group : groups) {
      if (group.rows) {
        group.rows->columns(begin, count, copies_.data() + columns_.size() * count, columns_);
      } else {
        columns_.insert(columns_.end(), group.width, zeros_.data());
      }
    }
    return columns_;
  }
  /// Those of `out` from a row on.
  std::span<const ResultColumn> places(ColumnsOut& out, std::size_t width, std::size_t begin) {
    results_.clear();
    for (std::size_t k = 0; k < width; ++k) results_.push_back(out.column(k) + begin);
    return results_;
  }

 private:
  std::vector<double> copies_, zeros_;
  std::vector<Column> columns_;
  std::vector<ResultColumn> results_;
};

}  // namespace

struct Robot::Inverse {
  Inverse(const Arm& arm, Method method, const BlockInverseDynamics& of_many)
      : single(arm, method), block(of_many) {}

  InverseDynamics single;
  BlockInverseDynamics block;
  BlockColumns columns;
};

struct Robot::Forward {
  Forward(const Arm& arm, const BlockForwardDynamics& of_many) : single(arm), block(of_many) {}

  ForwardDynamics single;
  BlockForwardDynamics block;
  BlockColumns columns;
};

namespace {

struct EditedRobot {
  RobotOptions robot;
  OutputOptions output;
};

void declare(OptionList& list, EditedRobot& options) {
  declare_robot(list, options.robot);
}

/// A later edit replaces an earlier one; what is left out stays so.
void add(std::vector<Keyword>& edits, const Keyword& edit) {
  const auto known = std::ranges::find(edits, edit.name, &Keyword::name);
  if (known == edits.end()) {
    edits.push_back(edit);
  } else if ((edit.name == "without" || edit.name == "set") && known->value && edit.value) {
    *known->value += "," + *edit.value;
  } else {
    *known = edit;
  }
}

Method method_named(const std::string& name) {
  const auto found = std::ranges::find_if(
      all_methods, [&](Method method) { return armdyn::name(method) == name; });
  return found != std::end(all_methods) ? *found : method_choices()("method", name);
}

constexpr std::array part_names{"inertia", "velocity", "gravity", "friction", "rotor", "wrench"};
constexpr std::size_t velocity_part = 1, gravity_part = 2;

}  // namespace

Robot::Robot(const std::string& robot, const py::kwargs& edits) : edits_(keywords(edits)) {
  const auto options = parse_keywords<EditedRobot>({"robot"}, edits_);
  file_ = read(robot, options.robot.reading);
  take(options.robot);
}

Robot::Robot(const Robot& other, const py::kwargs& edits) : Robot(other) {
  constexpr std::array of_reading{"set", "base", "tip", "snap"};
  bool reads_again = false;
  for (const Keyword& edit : keywords(edits)) {
    add(edits_, edit);
    reads_again = reads_again || std::ranges::find(of_reading, edit.name) != of_reading.end();
  }
  const auto options = parse_keywords<EditedRobot>({file_.path}, edits_);
  if (reads_again) file_ = read(file_.path, options.robot.reading);
  take(options.robot);
}

std::string Robot::text() const {
  InputFile file(file_.path);
  std::string bytes(*file.size(), '\0');
  file.read_at(0, bytes.data(), bytes.size());
  Digest digest;
  digest.add(bytes);
  if (digest.text() == file_.digest) return bytes;
  throw FileError(file_.path + " is another than when the robot was read from it");
}

void Robot::take(const RobotOptions& options) {
  edit(file_.robot, options);
  arm_ = normalise(file_.robot);
  prepare();
}

/// Objects of one method share their programs.
void Robot::prepare() {
  for (const Method method : all_methods) {
    inverse_[static_cast<std::size_t>(method)] = std::make_shared<Pool<Inverse>>(
        [arm = arm_, block = std::make_shared<BlockInverseDynamics>(arm_, method), method] {
          return std::make_unique<Inverse>(arm, method, *block);
        });
  }
  forward_ = std::make_shared<Pool<Forward>>(
      [arm = arm_, block = std::make_shared<BlockForwardDynamics>(arm_)] {
        return std::make_unique<Forward>(arm, *block);
      });
}

/// τ, or its parts: arrays (n,), or (N, n) of many rows.
std::vector<py::array> Robot::parts(Method method, const Rows& q, const Rows* qd, const Rows* qdd,
                                    const Rows* hand, bool terms, int threads) const {
  const std::size_t n = dof(), width = terms ? part_names.size() * n : n;
  Pool<Inverse>& pool = *inverse_[static_cast<std::size_t>(method)];
  if (q.is_one()) {
    const std::vector<double> row = first_row({{&q, n}, {qd, n}, {qdd, n}, {hand, 6}});
    const std::span<const double> all(row);
    const MotionState state{all.first(n), all.subspan(n, n), all.subspan(2 * n, n)};
    std::vector<double> values(width);
    const auto place = [&](std::size_t k) { return std::span(values).subspan(k * n, n); };
    without_lock([&] {
      const typename Pool<Inverse>::Lease w(pool);
      if (terms) {
        w->single.terms(state, wrench_of(all.last(6)),
                        {place(0), place(1), place(2), place(3), place(4), place(5)});
      } else {
        w->single.torque(state, wrench_of(all.last(6)), values);
      }
    });
    std::vector<py::array> found;
    for (std::size_t k = 0; k * n < width; ++k) found.push_back(array_of(place(k)));
    return found;
  }
  ColumnsOut out(q.size(), width);
  in_blocks(q.size(), threads, [&](std::size_t begin, std::size_t count) {
    const typename Pool<Inverse>::Lease w(pool);
    const std::span<const Column> columns =
        w->columns.gather({{&q, n}, {qd, n}, {qdd, n}, {hand, hand ? 6U : 0U}}, begin, count);
    const MotionBlock motion{count, columns.first(n), columns.subspan(n, n),
                             columns.subspan(2 * n, n), columns.subspan(3 * n)};
    const std::span<const ResultColumn> results = w->columns.places(out, width, begin);
    if (terms) {
      w->block.terms(motion, results);
    } else {
      w->block.torque(motion, results);
    }
  });
  return ColumnsOut::split(std::move(out), n);
}

py::object Robot::torque(const py::object& q, const py::object& qd, const py::object& qdd,
                         const py::object& hand, bool terms, const std::string& method,
                         int threads) const {
  const std::size_t n = dof();
  const Rows positions(q, n, "q"), velocities(qd, n, "qd"), accelerations(qdd, n, "qdd");
  require_same_size({&positions, &velocities, &accelerations});
  const std::optional<Rows> wrenches = optional_rows(hand, 6, "hand");
  if (wrenches) require_same_size({&positions, &*wrenches});
  const Method by = method_named(method);
  require_threads(threads);

  const std::vector<py::array> found = parts(by, positions, &velocities, &accelerations,
                                             wrenches ? &*wrenches : nullptr, terms, threads);
  if (!terms) return found.front();
  py::dict mapping;
  for (std::size_t k = 0; k < part_names.size(); ++k) mapping[part_names[k]] = found[k];
  return mapping;
}

py::array Robot::part(std::size_t index, const py::object& q, const py::object& qd,
                      int threads) const {
  require_threads(threads);
  const Rows positions(q, dof(), "q");
  const std::optional<Rows> velocities = optional_rows(qd, dof(), "qd");
  if (velocities) require_same_size({&positions, &*velocities});
  return parts(Method::newton_euler, positions, velocities ? &*velocities : nullptr, nullptr,
               nullptr, true, threads)[index];
}

py::array Robot::velocity_torque(const py::object& q, const py::object& qd, int threads) const {
  return part(velocity_part, q, qd, threads);
}

py::array Robot::gravity_torque(const py::object& q, int threads) const {
  require_threads(threads);
  const std::size_t n = dof();
  const Rows positions(q, n, "q");
  if (!positions.is_one()) return part(gravity_part, q, py::none(), threads);
  const std::vector<double> row = first_row({{&positions, n}, {nullptr, n}});
  const std::span<const double> all(row);
  std::vector<double> values(n);
  without_lock([&] {  // at rest, by one recursion
    const typename Pool<Forward>::Lease w(*forward_);
    w->single.bias(all.first(n), all.last(n), {}, values);
  });
  return array_of(values);
}

py::object Robot::acceleration(const py::object& q, const py::object& qd, const py::object& tau,
                               const py::object& hand, int threads) const {
  const std::size_t n = dof();
  const Rows positions(q, n, "q"), velocities(qd, n, "qd"), torques(tau, n, "torque");
  require_same_size({&positions, &velocities, &torques});
  const std::optional<Rows> wrenches = optional_rows(hand, 6, "hand");
  if (wrenches) require_same_size({&positions, &*wrenches});
  const Rows* const wrench = wrenches ? &*wrenches : nullptr;
  require_threads(threads);
  if (positions.is_one()) {
    const std::vector<double> row =
        first_row({{&positions, n}, {&velocities, n}, {&torques, n}, {wrench, 6}});
    const std::span<const double> all(row);
    std::vector<double> values(n);
    without_lock([&] {
      const typename Pool<Forward>::Lease w(*forward_);
      w->single.accelerations(all.first(n), all.subspan(n, n), all.subspan(2 * n, n),
                              wrench_of(all.last(6)), values);
    });
    return array_of(values);
  }
  ColumnsOut out(positions.size(), n);
  in_blocks(positions.size(), threads, [&](std::size_t begin, std::size_t count) {
    const typename Pool<Forward>::Lease w(*forward_);
    const std::span<const Column> columns = w->columns.gather(
        {{&positions, n}, {&velocities, n}, {&torques, n}, {wrench, wrench ? 6U : 0U}}, begin,
        count);
    w->block.accelerations({count, columns.first(n), columns.subspan(n, n),
                            columns.subspan(2 * n, n), columns.subspan(3 * n)},
                           w->columns.places(out, n, begin));
  });
  return ColumnsOut::split(std::move(out), n).front();
}

py::array Robot::regressor(const py::object& q, const py::object& qd, const py::object& qdd) const {
  const std::size_t n = dof();
  const Rows positions(q, n, "q"), velocities(qd, n, "qd"), accelerations(qdd, n, "qdd");
  require_same_size({&positions, &velocities, &accelerations});
  const Regressor Y(model());
  const std::size_t columns = Y.parameters().size();
  std::vector<double> values(positions.size() * n * columns);
  until_interrupted([&] {
    std::vector<double> at_q(n), at_qd(n), at_qdd(n);
    for (std::size_t row = 0; row < positions.size(); ++row) {
      throw_if_interrupted();
      positions.read(row, at_q);
      velocities.read(row, at_qd);
      accelerations.read(row, at_qdd);
      std::ranges::copy(Y.matrix({at_q, at_qd, at_qdd}).entries(),
                        values.begin() + static_cast<std::ptrdiff_t>(row * n * columns));
    }
  });
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(n), static_cast<py::ssize_t>(columns)};
  if (!positions.is_one()) shape.insert(shape.begin(), static_cast<py::ssize_t>(positions.size()));
  return owned(std::move(values), std::move(shape));
}

// --- Matrices of postures

/// Of each row of q a matrix: an array (rows, columns), or (N, rows, columns).
py::array Robot::each_posture(
    const py::object& q, std::size_t rows, std::size_t columns,
    const std::function<void(std::span<const double>, double*)>& value) const {
  const Rows positions(q, dof(), "q");
  std::vector<double> values(positions.size() * rows * columns);
  in_blocks(positions.size(), 0, [&](std::size_t begin, std::size_t count) {
    std::vector<double> at(dof());
    for (std::size_t row = begin; row < begin + count; ++row) {
      positions.read(row, at);
      value(at, values.data() + row * rows * columns);
    }
  });
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)};
  if (!positions.is_one()) shape.insert(shape.begin(), static_cast<py::ssize_t>(positions.size()));
  return owned(std::move(values), std::move(shape));
}

py::array Robot::mass_matrix(const py::object& q) const {
  return each_posture(q, dof(), dof(), [this](std::span<const double> at, double* M) {
    std::ranges::copy(armdyn::mass_matrix(arm_, at).entries(), M);
  });
}

py::array Robot::jacobian(const py::object& q) const {
  return each_posture(q, 6, dof(), [this](std::span<const double> at, double* J) {
    std::ranges::copy(armdyn::jacobian(arm_, at).entries(), J);
  });
}

py::array Robot::hand_pose(const py::object& q) const {
  return each_posture(q, 4, 4, [this](std::span<const double> at, double* T) {
    const Transform hand = pose(arm_, at).hand;
    for (const auto& [axis, p] : {std::pair(hand.R.row_x, hand.p.x),
                                  {hand.R.row_y, hand.p.y},
                                  {hand.R.row_z, hand.p.z},
                                  {Vec3{}, 1.0}}) {
      for (const double entry : {axis.x, axis.y, axis.z, p}) *T++ = entry;
    }
  });
}

// --- The class

namespace {

py::tuple triple(const Vec3& v) {
  return py::make_tuple(v.x, v.y, v.z);
}

py::dict poses(const Robot& robot) {
  py::dict found;
  for (const NamedPose& pose : robot.model().poses) {
    found[py::str(pose.name)] = owned(pose.q, {static_cast<py::ssize_t>(pose.q.size())});
  }
  return found;
}

/// π, as the columns of the regressor have it.
py::dict parameters(const Robot& robot) {
  py::dict found;
  const Regressor regressor(robot.model());
  for (const DynamicParameter& parameter : regressor.parameters()) {
    found[py::str(name(parameter))] = parameter.value;
  }
  return found;
}

/// The numbers of a part that are there, by their keys in a robot file: "coulomb[0]".
py::dict numbers(const auto& part) {
  py::dict found;
  const auto add = [&found](const std::string& path, const RobotField&, double number) {
    found[py::str(path)] = number;
  };
  fields(NumberVisitor(add), part);
  return found;
}

py::array inertia(const Joint& joint) {
  const SymMat3& I = joint.body.inertia;
  return owned({I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, {3, 3});
}

void define_model(py::module_& module) {
  py::class_<Finding>(module, "Finding", "Something wrong or suspicious in a robot file.")
      .def_property_readonly(
          "severity",
          [](const Finding& f) { return f.severity == Severity::error ? "error" : "warning"; })
      .def_readonly("path", &Finding::path, "of the value: joints[2].dh.alpha")
      .def_readonly("message", &Finding::message)
      .def_readonly("line", &Finding::line, "from 1; 0: not known")
      .def_readonly("column", &Finding::column, "from 1; 0: not known")
      .def("__repr__", [](const Finding& f) { return to_text(f, "robot file"); });
  py::class_<Joint>(module, "Joint", "A joint and the link that it moves.")
      .def_readonly("name", &Joint::name)
      .def_property_readonly("type", [](const Joint& j) { return name(j.type); })
      .def_property_readonly(
          "a", [](const Joint& j) { return j.dh.a; }, "m")
      .def_property_readonly(
          "alpha", [](const Joint& j) { return j.dh.alpha; }, "rad")
      .def_property_readonly(
          "d", [](const Joint& j) { return j.dh.d; }, "m")
      .def_property_readonly(
          "theta", [](const Joint& j) { return j.dh.theta; }, "rad")
      .def_property_readonly(
          "mass", [](const Joint& j) { return j.body.mass; }, "kg")
      .def_property_readonly(
          "com", [](const Joint& j) { return triple(j.body.com); }, "m")
      .def_property_readonly("inertia", inertia, "about com, (3, 3), kg·m²")
      .def_property_readonly(
          "friction", [](const Joint& j) { return numbers(j.friction); },
          "numbers by their keys in a robot file, as of motor, gear, limits")
      .def_property_readonly("motor", [](const Joint& j) { return numbers(j.motor); })
      .def_property_readonly("gear", [](const Joint& j) { return numbers(j.gear); })
      .def_property_readonly("limits", [](const Joint& j) { return numbers(j.limits); })
      .def("__repr__", [](const Joint& j) { return "<armdyn.Joint " + j.name + ">"; });
}

}  // namespace

RobotClass define_robot(py::module_& module) {
  using namespace py::literals;
  define_model(module);
  RobotClass robot(
      module, "Robot",
      "A serial robot arm.\n\nRobot(robot, **edits): the name of a shipped robot, the path "
      "of a robot file, or the text of one; edits as with_ takes them.\n\nArrays of rows have "
      "shape (N, n), or (n,) "
      "for one row, n the number of joints; SI units:\nrad or m, per s, per s², N·m or "
      "N. They are read where they lie, with any strides.");
  robot
      .def(py::init([](const py::object& given, const py::kwargs& edits) {
             return Robot(text_or_path(given), edits);
           }),
           "robot"_a)
      .def("_source",
           [](const Robot& r) {
             py::dict edits;
             for (const auto& [name, value] : r.edits()) {
               edits[py::str(name)] = value ? py::object(py::str(*value)) : py::bool_(true);
             }
             return py::make_tuple(py::bytes(r.text()), edits);
           })
      .def_property_readonly("parameters", parameters,
                             "what torques are linear in, by name: robot file's keys and joint")
      .def_property_readonly("name", [](const Robot& r) { return r.model().name; })
      .def_property_readonly("description", [](const Robot& r) { return r.model().description; })
      .def_property_readonly("dof", &Robot::dof, "number of joints")
      .def_property_readonly("joints", [](const Robot& r) { return r.model().joints; })
      .def_property_readonly("poses", poses, "named joint positions, rad or m")
      .def_property_readonly(
          "gravity", [](const Robot& r) { return triple(r.model().gravity); }, "in the world, m/s²")
      .def_property_readonly(
          "convention",
          [](const Robot& r) {
            return r.model().convention == Convention::standard ? "standard" : "modified";
          },
          "of the Denavit-Hartenberg table")
      .def_property_readonly(
          "warnings", [](const Robot& r) { return r.file().warnings; }, "findings of the file")
      .def(
          "with_", [](const Robot& r, const py::kwargs& edits) { return Robot(r, edits); },
          "The robot edited: gravity=(x, y, z) in m/s², payload=MASS or (MASS, x, y, z) in kg and "
          "m,\nset= a mapping of the file's parameters to values, without= a list of friction, "
          "rotors, payload, gravity. Of a URDF: base= and tip=, the "
          "links where the chain begins and\nends, snap=(ANGLE, LENGTH) in rad and m.")
      .def("torque", &Robot::torque, "q"_a, "qd"_a, "qdd"_a, py::kw_only(), "hand"_a = py::none(),
           "terms"_a = false, "method"_a = std::string(name(Method::newton_euler)), "threads"_a = 0,
           "Joint torques (N, n) or (n,) that a motion needs, N·m or N. hand: (N, 6) or (6,), the "
           "wrench fx,\nfy, fz, nx, ny, nz that the tool exerts on the environment, in its axes. "
           "terms: a mapping of\nthe parts inertia, velocity, gravity, friction, rotor, wrench "
           "instead. method: newton-euler,\nmodified-newton-euler, lagrange. threads: 0 for all "
           "cores.")
      .def("acceleration", &Robot::acceleration, "q"_a, "qd"_a, "torque"_a, py::kw_only(),
           "hand"_a = py::none(), "threads"_a = 0,
           "Joint accelerations (N, n) or (n,) under the drives' torques, friction and rotors "
           "included.")
      .def("regressor", &Robot::regressor, "q"_a, "qd"_a, "qdd"_a,
           "Y, (N, n, p) or (n, p): torques are Y @ list(parameters.values()) where friction is "
           "linear.")
      .def("mass_matrix", &Robot::mass_matrix, "q"_a,
           "M, (N, n, n) or (n, n), rotors on its diagonal; kg·m², kg, kg·m.")
      .def("velocity_torque", &Robot::velocity_torque, "q"_a, "qd"_a, py::kw_only(),
           "threads"_a = 0, "V(q, qd), Coriolis and centrifugal, (N, n) or (n,); N·m or N.")
      .def("gravity_torque", &Robot::gravity_torque, "q"_a, py::kw_only(), "threads"_a = 0,
           "G(q), (N, n) or (n,); N·m or N.")
      .def("jacobian", &Robot::jacobian, "q"_a,
           "J, (N, 6, n) or (6, n): rows vx, vy, vz, wx, wy, wz of the tool, in axes of {0}.")
      .def("hand_pose", &Robot::hand_pose, "q"_a,
           "The tool frame in {0}, (N, 4, 4) or (4, 4): R and p, m.");
  return robot;
}

}  // namespace armdyn::python
