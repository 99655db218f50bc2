#include "python/robot.hpp"

#include <pybind11/stl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <system_error>
#include <tuple>

#include "cli/options/named_files.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/robot/robot_text.hpp"
#include "math/characters.hpp"
#include "math/rigid.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/robot_fields.hpp"

namespace armdyn::python {

/// A file in memory with a robot's text, which lives as long as this.
class TextFile : boost::noncopyable {
 public:
  /// Throws FileError where there is no descriptor or no memory left.
  explicit TextFile(const std::string& text) : TextFile() {  // closed where this throws
    if (!write_at(descriptor_, text)) fail();
  }
  ~TextFile() { ::close(descriptor_); }

  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  TextFile() : descriptor_(::memfd_create("robot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail();
  }
  [[noreturn]] static void fail() {
    throw FileError("no file in memory for the text of a robot: " +
                    std::generic_category().message(errno));
  }

  int descriptor_;
};

/// A text, or the path of a pathlib.Path.
static std::string text_or_path(const py::object& value) {
  return py::cast<std::string>(py::module_::import("os").attr("fspath")(value));
}

std::vector<Keyword> keywords(const py::dict& options) {
  const py::object texts = py::module_::import("armdyn._table").attr("texts")(options);
  return each(texts.cast<std::vector<std::pair<std::string, std::string>>>(),
              [](const auto& named) -> Keyword {
                return {named.first, named.second};
              });
}

// --- Dynamics

namespace {

/// The argument `name` of a call whose first one may be a table: as given, else as the rows of that
/// table have it. Throws ValueError where it is needed and they do not.
py::object argument(const py::object& rows, const py::object& first, const char* name,
                    const py::object& given, bool is_needed) {
  if (rows.is_none() || !(given.is_none() || given.is(first))) return given;
  py::object found = py::getattr(rows, name, py::none());
  if (!is_needed || !found.is_none()) return found;
  const bool is_derived = name == std::string_view("qd") || name == std::string_view("qdd");
  throw py::value_error(fmt::format(
      "the table has no {}{}", name,
      is_derived ? "; read_log(table, robot, derive=True) computes qd and qdd from q" : ""));
}

/// The rows of a frame, read as a log, or of a result; None for an array.
py::object rows_of(const Robot& robot, const py::object& first) {
  if (py::isinstance<py::array>(first) || PyList_Check(first.ptr()) || first.is_none()) {
    return py::none();
  }
  return py::module_::import("armdyn._verbs")
      .attr("rows")(first, py::cast(robot, py::return_value_policy::reference));
}

/// q, q̇, a third quantity and the contact wrench of some rows.
class Arguments {
 public:
  /// Needs the first `required` of the values; None stands for zeros.
  Arguments(const Robot& robot, std::size_t required, std::initializer_list<py::object> values,
            const char* third = "qdd")
      : dof_(robot.dof()) {
    const std::array names{"q", "qd", third, "wrench"};
    const py::object &first = *values.begin(), table = rows_of(robot, first);
    for (const py::object& given : values) {
      const std::size_t k = rows_.size();
      const py::object value = argument(table, first, names.at(k), given, k < required);
      const bool is_there = k < required || !value.is_none();
      rows_.push_back(is_there ? std::optional(Rows(value, width(k), names.at(k))) : std::nullopt);
      if (is_there) require_same_size({&*rows_.front(), &*rows_.back()});
    }
    rows_.resize(names.size());
  }

  [[nodiscard]] std::size_t dof() const { return dof_; }
  [[nodiscard]] bool is_one() const { return rows_.front()->is_one(); }
  [[nodiscard]] std::size_t size() const { return rows_.front()->size(); }

  /// All numbers of a row.
  struct Row {
    Row(const Arguments& from, std::size_t row) : all(3 * from.dof_ + wrench_width), n(from.dof_) {
      auto rest = std::span(all);
      for (std::size_t k = 0; k < from.rows_.size(); ++k) {
        const std::size_t width = from.width(k);
        if (from.rows_[k]) from.rows_[k]->read(row, rest.first(width));
        rest = rest.subspan(width);
      }
    }
    [[nodiscard]] std::span<const double> group(std::size_t k) const {
      return std::span(all).subspan(k * n, n);
    }
    [[nodiscard]] MotionState state() const { return {group(0), group(1), group(2)}; }
    [[nodiscard]] Wrench wrench() const { return wrench_of(std::span(all).last(wrench_width)); }

    std::vector<double> all;
    std::size_t n;
  };

  /// Columns of some rows, filled again for each block; of the contact wrench only where given.
  struct Block {
    explicit Block(const Arguments& arguments) : from(&arguments), n(arguments.dof_) {}
    void read(std::size_t begin, std::size_t count) {
      rows = count;
      zeros.resize(count);
      all.clear();
      for (std::size_t k = 0; k < from->rows_.size(); ++k) {
        if (from->rows_[k]) {
          from->rows_[k]->columns(begin, count, copies[k], all);
        } else if (k < 3) {
          all.insert(all.end(), n, zeros.data());
        }
      }
    }
    [[nodiscard]] std::span<const Column> group(std::size_t k) const {
      return std::span(all).subspan(k * n, n);
    }
    [[nodiscard]] std::span<const Column> wrench() const { return std::span(all).subspan(3 * n); }
    /// A MotionBlock or a ForwardBlock.
    template <class Columns>
    operator Columns() const {
      return {rows, group(0), group(1), group(2), wrench()};
    }

    const Arguments* from;
    std::size_t n, rows = 0;
    std::vector<double> zeros;
    std::array<std::vector<double>, 4> copies;  // of each group
    std::vector<Column> all;
  };

 private:
  static constexpr std::size_t wrench_width = 6;
  [[nodiscard]] std::size_t width(std::size_t group) const {
    return group == 3 ? wrench_width : dof_;
  }

  std::size_t dof_;
  std::vector<std::optional<Rows>> rows_;
};

/// Arrays of that many results of one number per joint: (n,) of the only row, by `single(row,
/// values)`, or (N, n), by `block` of each thread's own copy of `dynamics`.
template <class Single, class Dynamics, class Columns>
std::vector<py::array> computed(const Arguments& arguments, std::size_t results, int threads,
                                const Single& single, const Dynamics& dynamics,
                                void (Dynamics::*block)(const Columns&,
                                                        std::span<const ResultColumn>)) {
  require_threads(threads);
  const std::size_t n = arguments.dof();
  if (arguments.is_one()) {
    std::vector<double> values(results * n);
    single(Arguments::Row(arguments, 0), std::span(values));
    return each(in_order(results), [&](std::size_t k) -> py::array {
      return py::array_t<double>(static_cast<py::ssize_t>(n), values.data() + k * n);
    });
  }
  ColumnsOut out(arguments.size(), results * n);
  in_blocks(arguments.size(), threads, [&]() -> RowsWork {
    return [&, own = dynamics, of = Arguments::Block(arguments),
            columns = std::vector<ResultColumn>(results * n)](std::size_t begin,
                                                              std::size_t count) mutable {
      of.read(begin, count);
      for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = out.column(k) + begin;
      (own.*block)(of, columns);
    };
  });
  return ColumnsOut::split(std::move(out), n);
}

/// A matrix of each row: an array (rows, columns), or (N, rows, columns).
template <class Value>
py::array matrices(const Arguments& arguments, std::size_t rows, std::size_t columns,
                   const Value& value) {
  std::vector<double> values(arguments.size() * rows * columns);
  in_blocks(arguments.size(), 0, [&]() -> RowsWork {
    return [&](std::size_t begin, std::size_t count) {
      for (std::size_t row = begin; row < begin + count; ++row) {
        value(Arguments::Row(arguments, row), values.data() + row * rows * columns);
      }
    };
  });
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)};
  if (!arguments.is_one()) shape.insert(shape.begin(), static_cast<py::ssize_t>(arguments.size()));
  return owned(std::move(values), std::move(shape));
}

struct EditedRobot : VerbOptions {};

void declare(OptionList& list, EditedRobot& options) {
  declare_robot(list, options.robot);
}

/// Adds an edit, which replaces an earlier one of that name; values of without add up, and so do
/// those of set, but for parameters that are set anew.
void add(std::vector<Keyword>& edits, const Keyword& edit) {
  const auto known = std::ranges::find(edits, edit.name, &Keyword::name);
  if (known == edits.end()) {
    edits.push_back(edit);
    return;
  }
  std::string kept;
  if (edit.name == "without" || edit.name == "set") {
    const auto name = [](std::string_view part) {
      return trimmed(part.substr(0, part.find('=')), " ");
    };
    const std::vector<std::string> now = split_list(edit.value);
    for (const std::string& part : split_list(known->value)) {
      if (std::ranges::count(now, name(part), name) == 0) kept += part + ",";
    }
  }
  known->value = kept + edit.value;
}

std::size_t method_named(const std::string& name) {
  const auto found = std::ranges::find_if(
      all_methods, [&](Method method) { return armdyn::name(method) == name; });
  return static_cast<std::size_t>(
      found != std::end(all_methods) ? *found : method_choices()("method", name));
}

constexpr std::size_t part_count = 6, velocity_part = 1;  // of TorqueTerms

}  // namespace

/// Workspaces for single rows under the interpreter's lock, and for blocks, which use copies.
struct Robot::Dynamics {
  explicit Dynamics(const Arm& arm) : forward(arm), forward_of_many(arm) {
    for (const Method method : all_methods) {
      inverse.emplace_back(arm, method);
      inverse_of_many.emplace_back(arm, method);
    }
  }

  std::vector<InverseDynamics> inverse;  // by their methods
  std::vector<BlockInverseDynamics> inverse_of_many;
  ForwardDynamics forward;
  BlockForwardDynamics forward_of_many;
};

Robot::Robot(const std::string& robot, const py::dict& edits) : edits_(keywords(edits)) {
  const auto options = parse_keywords<EditedRobot>({"robot"}, edits_);
  const bool is_text = robot.find('\n') != robot.npos || robot.find_first_of("{<") == 0;
  if (is_text) text_ = std::make_shared<const TextFile>(robot);
  file_ = read(text_ ? text_->path() : find_robot(robot), options.robot.reading);
  take(options.robot);
}

Robot Robot::edited(const py::dict& keywords) const {
  py::dict edits;
  for (const char* const name : {"set", "base", "tip", "gravity", "payload", "without"}) {
    if (keywords.contains(name)) edits[name] = keywords.attr("pop")(name);
  }
  return edits.empty() ? *this : Robot(*this, edits);
}

Robot::Robot(const Robot& other, const py::dict& edits) : Robot(other) {
  constexpr std::array of_reading{"set", "base", "tip"};
  bool reads_again = false;
  for (const Keyword& edit : keywords(edits)) {
    add(edits_, edit);
    reads_again = reads_again || std::ranges::find(of_reading, edit.name) != of_reading.end();
  }
  const auto options = parse_keywords<EditedRobot>({file_.path}, edits_);
  if (reads_again) {
    RobotFile again = read(file_.path, options.robot.reading);
    require_unchanged(again.digest);
    file_ = std::move(again);
  }
  take(options.robot);
}

RobotFile Robot::read(const std::string& path, const RobotFileOptions& reading) const {
  const std::string name = text_ ? "robot text" : path;
  RobotFileReport report = examine_robot_file(path, reading);
  if (!report.robot) {
    const py::object error =
        py::module_::import("armdyn._core")
            .attr("InputError")(with_keywords(error_lines(report.findings, name)));
    error.attr("findings") = py::cast(report.findings);
    PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
    throw py::error_already_set();
  }
  require_use(reading, report, name);
  return {*std::move(report.robot), std::move(report.findings), path,
          std::move(report.digest), std::move(report.written),  std::move(report.of_parameters)};
}

std::string Robot::text() const {
  std::string bytes = read_robot_bytes(file_.path);
  require_unchanged(digest_of(bytes));
  return bytes;
}

void Robot::require_unchanged(const std::string& digest) const {
  if (digest == file_.digest) return;
  throw FileError(file_.path + " has changed since the robot was read from it");
}

void Robot::take(const RobotOptions& options) {
  edit(file_.robot, options);
  arm_ = normalize(file_.robot);
  dynamics_ = std::make_shared<Dynamics>(arm_);
}

namespace {

/// Arrays of all terms.
std::vector<py::array> terms(const Robot& robot, const Arguments& arguments, std::size_t method,
                             int threads) {
  return computed(
      arguments, part_count, threads,
      [&](const Arguments::Row& row, std::span<double> values) {
        const auto at = [&](std::size_t k) { return values.subspan(k * robot.dof(), robot.dof()); };
        robot.dynamics().inverse[method].terms(row.state(), row.wrench(),
                                               {at(0), at(1), at(2), at(3), at(4), at(5)});
      },
      robot.dynamics().inverse_of_many[method], &BlockInverseDynamics::terms);
}

py::object torque(const Robot& robot, const py::object& q, const py::object& qd,
                  const py::object& qdd, const py::object& wrench, bool in_terms,
                  const std::string& name, int threads, const py::kwargs& more) {
  if (in_terms || !more.empty()) {
    using namespace py::literals;
    const py::object self = py::cast(robot, py::return_value_policy::reference);
    return py::module_::import("armdyn._verbs")
        .attr("torque")(self, q, qd, qdd, "wrench"_a = wrench, "terms"_a = in_terms,
                        "method"_a = name, "threads"_a = threads, **more);
  }
  const Arguments arguments(robot, 3, {q, qd, qdd, wrench});
  const std::size_t method = method_named(name);
  return computed(
      arguments, 1, threads,
      [&](const Arguments::Row& row, std::span<double> tau) {
        robot.dynamics().inverse[method].torque(row.state(), row.wrench(), tau);
      },
      robot.dynamics().inverse_of_many[method], &BlockInverseDynamics::torque)[0];
}

py::array velocity_torque(const Robot& robot, const py::object& q, const py::object& qd,
                          int threads) {
  return terms(robot, Arguments(robot, 2, {q, qd}), 0, threads)[velocity_part];
}

py::array gravity_torque(const Robot& robot, const py::object& q, int threads) {
  return computed(
      Arguments(robot, 1, {q}), 1, threads,
      [&](const Arguments::Row& row, std::span<double> G) {  // at rest, by one recursion
        robot.dynamics().forward.bias(row.group(0), row.group(1), {}, G);
      },
      robot.dynamics().forward_of_many, &BlockForwardDynamics::bias)[0];
}

py::object acceleration(const Robot& robot, const py::object& q, const py::object& qd,
                        const py::object& tau, const py::object& wrench, int threads) {
  return computed(
      Arguments(robot, 3, {q, qd, tau, wrench}, "tau"), 1, threads,
      [&](const Arguments::Row& row, std::span<double> qdd) {
        robot.dynamics().forward.acceleration(row.group(0), row.group(1), row.group(2),
                                              row.wrench(), qdd);
      },
      robot.dynamics().forward_of_many, &BlockForwardDynamics::acceleration)[0];
}

py::array regressor(const Robot& robot, const py::object& q, const py::object& qd,
                    const py::object& qdd) {
  const Regressor Y(robot.model());
  return matrices(Arguments(robot, 3, {q, qd, qdd}), robot.dof(), Y.parameters().size(),
                  [&](const Arguments::Row& row, double* out) {
                    std::ranges::copy(Y.matrix(row.state()).entries(), out);
                  });
}

py::array mass_matrix(const Robot& robot, const py::object& q) {
  return matrices(Arguments(robot, 1, {q}), robot.dof(), robot.dof(),
                  [&robot](const Arguments::Row& row, double* M) {
                    std::ranges::copy(armdyn::mass_matrix(robot.arm(), row.group(0)).entries(), M);
                  });
}

py::array jacobian(const Robot& robot, const py::object& q) {
  return matrices(Arguments(robot, 1, {q}), 6, robot.dof(),
                  [&robot](const Arguments::Row& row, double* J) {
                    std::ranges::copy(armdyn::jacobian(robot.arm(), row.group(0)).entries(), J);
                  });
}

py::array tcp_pose(const Robot& robot, const py::object& q) {
  return matrices(Arguments(robot, 1, {q}), 4, 4, [&robot](const Arguments::Row& row, double* T) {
    const Transform tcp = pose(robot.arm(), row.group(0)).tcp;
    for (const auto& [axis, p] : {std::pair(tcp.R.row_x, tcp.p.x),
                                  {tcp.R.row_y, tcp.p.y},
                                  {tcp.R.row_z, tcp.p.z},
                                  {Vec3{}, 1.0}}) {
      for (const double entry : {axis.x, axis.y, axis.z, p}) *T++ = entry;
    }
  });
}

// --- The class

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

/// π, in the order of the regressor's columns.
py::dict parameters(const Robot& robot) {
  py::dict found;
  const Regressor regressor(robot.model());
  for (const DynamicParameter& parameter : regressor.parameters()) {
    found[py::str(name(parameter))] = parameter.value;
  }
  return found;
}

/// Numbers of a part, by their keys in a robot file: "coulomb[0]".
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

template <double DhRow::*number>
double dh(const Joint& joint) {
  return joint.dh.*number;
}

void define_model(py::module_& module) {
  py::class_<Finding>(module, "Finding", "Something wrong or suspicious in a robot file.")
      .def_property_readonly(
          "severity",
          [](const Finding& f) { return f.severity == Severity::error ? "error" : "warning"; })
      .def_readonly("path", &Finding::path, "of the value: joints[2].dh.alpha")
      .def_property_readonly("message", [](const Finding& f) { return with_keywords(f.message); })
      .def_readonly("line", &Finding::line, "from 1; 0: not known")
      .def_readonly("column", &Finding::column, "from 1; 0: not known")
      .def("__repr__", [](const Finding& f) { return to_text(f, "robot file"); })
      .def(py::pickle(
          [](const Finding& f) {
            return std::tuple(f.severity == Severity::error, f.path, f.message, f.line, f.column);
          },
          [](const std::tuple<bool, std::string, std::string, int, int>& parts) {
            const auto& [is_error, path, message, line, column] = parts;
            return Finding{is_error ? Severity::error : Severity::warning, path, message, line,
                           column};
          }));
  py::class_<Joint>(module, "Joint", "A joint and the link that it moves.")
      .def_readonly("name", &Joint::name)
      .def_property_readonly("type", [](const Joint& j) { return name(j); })
      .def_property_readonly("a", dh<&DhRow::a>, "m")
      .def_property_readonly("alpha", dh<&DhRow::alpha>, "rad")
      .def_property_readonly("d", dh<&DhRow::d>, "m")
      .def_property_readonly("theta", dh<&DhRow::theta>, "rad")
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

/// What a robot is made from, and what it has.
void define_properties(RobotClass& robot) {
  using namespace py::literals;
  robot
      .def(py::init([](const py::object& given, const py::kwargs& edits) {
             return Robot(text_or_path(given), edits);
           }),
           "robot"_a)
      .def("_source",
           [](const Robot& r) {
             py::dict edits;
             for (const auto& [name, value] : r.edits()) edits[py::str(name)] = value;
             return py::make_tuple(py::bytes(r.text()), edits);
           })
      .def("_edited", [](const Robot& r, const py::dict& keywords) { return r.edited(keywords); })
      .def_property_readonly(
          "dynamic_parameters", parameters,
          "parameters in which torques are linear, by name: key of the robot file and joint")
      .def_property_readonly("name", [](const Robot& r) { return r.model().name; })
      .def_property_readonly("description", [](const Robot& r) { return r.model().description; })
      .def_property_readonly("dof", &Robot::dof, "number of joints")
      .def_property_readonly("joints", [](const Robot& r) { return r.model().joints; })
      .def_property_readonly(
          "followers", [](const Robot& r) { return r.model().followers; },
          "joints of a mechanism whose positions follow from q")
      .def_property_readonly("_is_mechanism",
                             [](const Robot& r) { return is_mechanism(r.model()); })
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
          "rotors, payload, gravity. Of a URDF: base= and tip=, the links where the chain begins "
          "and\nends.");
}

/// What a robot computes.
void define_dynamics(RobotClass& robot) {
  using namespace py::literals;
  robot
      .def(
          "torque", &torque, "q"_a, "qd"_a = py::none(), "qdd"_a = py::none(), py::kw_only(),
          "wrench"_a = py::none(), "terms"_a = false,
          "method"_a = std::string(name(Method::newton_euler)), "threads"_a = 0,
          "Inverse dynamics: joint torques (N, n) or (n,), N·m or N. `wrench`: (N, 6) or (6,), the "
          "wrench fx,\nfy, fz, nx, ny, nz that the tool exerts on the environment, in its axes. "
          "method: newton-euler,\nmodified-newton-euler, lagrange, newton-euler-in-base. "
          "threads: 0 for all cores. Other options are those of armdyn torque. Those that\nadd "
          "something make a Torques of the array: tau, with terms=True tau_inertia, tau_velocity, "
          "tau_gravity, tau_friction, tau_rotor, tau_wrench,\nwith bounds=True tau_error, with "
          "reactions=True reactions (N, n, 6), and the keys of the JSON.")
      .def("acceleration", &acceleration, "q"_a, "qd"_a = py::none(), "tau"_a = py::none(),
           py::kw_only(), "wrench"_a = py::none(), "threads"_a = 0,
           "Joint accelerations (N, n) or (n,) under the drives' torques, friction and rotors "
           "included.")
      .def("regressor", &regressor, "q"_a, "qd"_a = py::none(), "qdd"_a = py::none(),
           "Regressor Y, (N, n, p) or (n, p): torques are Y @ list(dynamic_parameters.values()) "
           "where friction is linear.")
      .def("mass_matrix", &mass_matrix, "q"_a,
           "M, (N, n, n) or (n, n), rotors on its diagonal, of coupled motors beside it too; "
           "kg·m², kg, kg·m.")
      .def("velocity_torque", &velocity_torque, "q"_a, "qd"_a = py::none(), py::kw_only(),
           "threads"_a = 0, "V(q, qd), Coriolis and centrifugal, (N, n) or (n,); N·m or N.")
      .def("gravity_torque", &gravity_torque, "q"_a, py::kw_only(), "threads"_a = 0,
           "G(q), (N, n) or (n,); N·m or N.")
      .def("jacobian", &jacobian, "q"_a,
           "J, (N, 6, n) or (6, n): rows vx, vy, vz, wx, wy, wz of the tool, in axes of {0}.")
      .def("tcp_pose", &tcp_pose, "q"_a, "The tool frame in {0}, (N, 4, 4) or (4, 4): R and p, m.");
}

}  // namespace

RobotClass define_robot(py::module_& module) {
  define_model(module);
  RobotClass robot(
      module, "Robot",
      "A serial robot arm.\n\nRobot(robot, **edits): the name of a shipped robot, the path of a "
      "robot file, or the text of one; edits as with_ takes them.\n\nArrays of rows have shape (N, "
      "n), or (n,) for one row, n the number of joints; SI units:\nrad or m, per s, per s², N·m or "
      "N. They are read where they lie, with any strides. Instead of arrays, the first argument "
      "may be a table:\na frame with columns by name, as logs have them, or a result; what is not "
      "given is taken from it.");
  define_properties(robot);
  define_dynamics(robot);
  return robot;
}

}  // namespace armdyn::python
