#include "dynamics/arm_program.hpp"

#include <fmt/format.h>
#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/adjustable_torque.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/regressor_columns.hpp"
#include "math/each.hpp"
#include "math/ltdl.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"
#include "model/robot_numbers.hpp"

namespace armdyn {

// Operations of formulas in robot files (formula.hpp), as code.

static bool is_zero(const Expression& x) {
  return x.is_known() && x.known() == 0.0;
}
static Expression root(const Expression& x) {
  if (!x.is_known()) throw FormulaError("code has no form for its root");
  return root(x.known());
}
static Expression power(const Expression& base, const Expression& exponent) {
  if (base.is_known() && exponent.is_known()) return power(base.known(), exponent.known());
  const double times = exponent.is_known() ? exponent.known() : 0.5;
  if (times != std::nearbyint(times) || std::abs(times) > 16.0) {
    throw FormulaError("code has no form for its power, which is no whole number of at most 16");
  }
  Expression product = 1.0;
  for (double k = std::abs(times); k > 0.0; --k) product = product * base;
  return times < 0.0 ? Expression(1.0) / product : product;
}
static SinCosOf<Expression> sine_and_cosine(const Expression& angle) {
  return angle.is_known() ? constant_angle(angle.known(), angle) : sin_cos(angle);
}

namespace {

using S = Expression;

/// The most formulas that are of use to anybody as code.
constexpr std::size_t most_written_formulas = 200'000;

/// [R p; 0 1], row after row.
template <class T>
std::vector<T> pose_entries(const Frame<T>& frame) {
  const auto& [x, y, z] = frame.R;
  const Vec<T>& p = frame.p;
  return {x.x, x.y, x.z, p.x, y.x, y.y, y.z, p.y, z.x, z.y, z.z, p.z, 0.0, 0.0, 0.0, 1.0};
}

/// Fills in the formulas of a function whose inputs are declared. A is Arm, or ArmOf<S> where
/// numbers of the arm are inputs, too; of drives they are not.
template <class A, class T>
class Filling {
 public:
  Filling(WrittenFunction& function, const Robot& robot, const Arm& drives, A arm,
          InertialArm<T> bodies, Recursion recursion)
      : function_(function),
        robot_(robot),
        drives_(drives),
        arm_(std::move(arm)),
        bodies_(std::move(bodies)),
        recursion_(recursion) {
    std::size_t input = 0;
    for (const InputGroup& group : function.inputs) {
      for (std::size_t i = 0; i < group.count; ++i) {
        inputs_[group.name].push_back(function.graph->input(input++));
      }
    }
  }

  void fill(Equation what) {
    const std::size_t n = arm_.dof();
    const std::vector<S> zero(n);
    name_angles();
    switch (what) {
      case Equation::torque: {
        function_.values = links_torque(in("qd"), in("qdd"));
        drive_torques<S>(drives_, in("q"), in("qd"), in("qdd"), by_sign,
                         adding_to(function_.values));
        return;
      }
      case Equation::mass_matrix: {
        std::vector<S> M = lower_mass_matrix();
        mirror_lower<S>(n, M);
        function_.values = M;
        return;
      }
      case Equation::velocity:
        bodies_.v_dot_0 = {};
        arm_ = gravity_removed(std::move(arm_));
        function_.values = links_torque(in("qd"), zero);
        return;
      case Equation::gravity:
        function_.values = links_torque(zero, zero);
        return;
      case Equation::forward: {
        std::vector<S> x = links_torque(in("qd"), zero);
        drive_torques<S>(drives_, in("q"), in("qd"), AtRest{}, by_sign, adding_to(x));
        for (std::size_t i = 0; i < n; ++i) x[i] = in("tau")[i] - x[i];
        if (drives_.row_drives.empty() && drives_.is_serial()) {
          std::vector<ArticulatedJoint<S>> joints(n);
          articulate<S>(bodies_, frames(), rotor_inertias(drives_).diagonal, joints);
          solve_articulated<S>(bodies_, frames(), joints, x, x);
        } else {
          std::vector<S> M = lower_mass_matrix();
          factor_ltdl<S>(n, M);
          solve_ltdl<S>(n, M, x);
        }
        function_.values = x;
        return;
      }
      case Equation::forward_kinematics:
        function_.values = pose_entries<S>(tool_frame_at<S>(arm_, std::span<const S>(in("q"))));
        return;
      case Equation::jacobian: {
        const MatrixOf<S> J = tool_jacobian<S>(arm_, in("q"));
        function_.values.assign(J.entries().begin(), J.entries().end());
        return;
      }
      case Equation::regressor: {
        const RegressorColumns columns =
            regressor_columns(robot_, drives_, Regressor::Payload::as_the_robot);
        std::vector<ModifiedLinkState<S>> links(n);
        const MotionOf<S> motion{in("q"), in("qd"), in("qdd")};
        function_.values = regressor<S, T>(columns, arm_, motion, links, by_sign);
        for (std::size_t i = 0; drives_.is_serial() && i < n; ++i) name_motion(i, links[i]);
        return;
      }
    }
  }

 private:
  const std::vector<S>& in(const std::string& group) { return inputs_[group]; }

  const std::vector<Frame<S>>& frames() {
    if (frames_.empty()) frames_ = joint_frames<S>(bodies_, in("q"));
    return frames_;
  }

  /// Lower triangle of M, with rotors.
  std::vector<S> lower_mass_matrix() {
    std::vector<S> M(arm_.dof() * arm_.dof());
    if (drives_.is_serial()) {
      composite_body<S>(bodies_, frames(), M);
    } else {
      lower_links_mass_matrix<S>(arm_, in("q"), M);
    }
    add_rotors<S>(rotor_inertias(drives_), M);
    return M;
  }

  std::vector<S> links_torque(const std::vector<S>& qd, const std::vector<S>& qdd) {
    if (!drives_.is_serial()) return armdyn::links_torque<S>(arm_, in("q"), qd, qdd);
    if (recursion_ == Recursion::as_computed) {
      const auto [links, tau] = worked_recursion<S>(arm_, in("q"), qd, qdd);
      for (std::size_t i = 0; i < links.size(); ++i) {
        const LinkState<S>& x = links[i];
        name_motion(i, x);
        name("v̇c", "vdc", i, x.v_dot_com);
        name("F", "F", i, x.F);
        name("N", "N", i, x.N);
        name_wrench(i, x);
      }
      return tau;
    }
    std::vector<S> tau(arm_.dof());
    std::vector<ModifiedLinkState<S>> links(arm_.dof());
    moment_newton_euler<S, T>(bodies_, in("q"), qd, qdd, links, tau);
    for (std::size_t i = 0; i < links.size(); ++i) {
      name_motion(i, links[i]);
      name_wrench(i, links[i]);
    }
    return tau;
  }

  template <class Link>
  void name_motion(std::size_t i, const Link& x) {
    name("ω", "w", i, x.omega);
    name("ω̇", "wd", i, x.omega_dot);
    name("v̇", "vd", i, x.v_dot);
  }
  template <class Link>
  void name_wrench(std::size_t i, const Link& x) {
    name("f", "f", i, x.force);
    name("n", "n", i, x.moment);
  }

  void name(const std::string& symbol, const std::string& identifier, std::size_t i,
            const Vec<S>& v) {
    const std::pair<const char*, const S*> axes[] = {{"x", &v.x}, {"y", &v.y}, {"z", &v.z}};
    for (const auto& [axis, value] : axes) {
      function_.quantities.push_back({fmt::format("{}{}{}", symbol, i + 1, axis),
                                      fmt::format("{}{}{}", identifier, i + 1, axis), *value});
    }
  }

  void name_angles() {
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      if (!is_turning(arm_.links[i].joint)) continue;
      const auto [s, c] = sin_cos(in("q")[i]);
      function_.quantities.push_back({fmt::format("s{}", i + 1), fmt::format("s{}", i + 1), s});
      function_.quantities.push_back({fmt::format("c{}", i + 1), fmt::format("c{}", i + 1), c});
    }
  }

  WrittenFunction& function_;
  const Robot& robot_;
  const Arm& drives_;
  A arm_;
  InertialArm<T> bodies_;
  Recursion recursion_;
  std::map<std::string, std::vector<S>> inputs_;
  std::vector<Frame<S>> frames_;
};

/// The function without its formulas.
WrittenFunction declared(const Robot& robot, Equation what) {
  const std::size_t n = robot.dof();
  const InputGroup q{"q", n, "joint positions, rad or m"};
  const InputGroup qd{"qd", n, "joint velocities, rad/s or m/s"};
  const InputGroup qdd{"qdd", n, "joint accelerations, rad/s^2 or m/s^2"};
  const std::string drives = "of the drives, N m or N; friction and rotors included";
  WrittenFunction function;
  function.graph = std::make_unique<Graph>(most_written_formulas);
  const auto declare = [&](const char* title, std::vector<InputGroup> inputs, const char* result,
                           const std::string& meaning, std::size_t rows,
                           std::optional<std::size_t> columns = {}) {
    function.description = {fmt::format("{} of {}", title, robot.name)};
    function.inputs = std::move(inputs);
    function.result = result;
    function.result_meaning = meaning;
    function.rows = rows;
    function.columns = columns.value_or(1);
    function.is_matrix = columns.has_value();
  };
  switch (what) {
    case Equation::torque:
      declare("Torques", {q, qd, qdd}, "tau", "torques or forces " + drives, n);
      break;
    case Equation::mass_matrix:
      declare("Mass matrix", {q}, "M", "row after row, rotors included; kg m^2, kg m or kg", n, n);
      break;
    case Equation::velocity:
      declare("Coriolis and centrifugal torques", {q, qd}, "V", "N m or N", n);
      break;
    case Equation::gravity:
      declare("Gravity torques", {q}, "G", "what holds the arm up, N m or N", n);
      break;
    case Equation::forward:
      declare("Accelerations", {q, qd, {"tau", n, "torques or forces " + drives}}, "qdd",
              "joint accelerations, rad/s^2 or m/s^2; no dry friction at rest", n);
      break;
    case Equation::forward_kinematics:
      declare("Tool frame", {q}, "T", "its pose in {0}, row after row: rotation and origin, m", 4,
              4);
      break;
    case Equation::jacobian:
      declare("Jacobian", {q}, "J",
              "rows vx, vy, vz (m/s), wx, wy, wz (rad/s) of the tool frame's origin and axes, "
              "expressed in {0}, per joint velocity",
              6, n);
      break;
    case Equation::regressor:
      declare(
          "Regressor", {q, qd, qdd}, "Y",
          "row after row; Y times the parameters of its columns is the torques or forces " + drives,
          n, Regressor(robot).parameters().size());
      break;
  }
  return function;
}

/// An angle of the file, of whatever unit, by its formula.
S angle_by(const S& formula, const NumberPlace& place, double formula_value) {
  if (right_angle(place.value)) {
    throw Error(fmt::format(
        "--symbols: {} is a right angle now, and the code would take it for one; set it to another "
        "value with --set, or leave its parameters numbers",
        place.path));
  }
  return formula_value == place.value ? formula : formula * S(std::numbers::pi / 180.0);
}

/// Takes the parameters of the function as numbers of the robot, and into formulas of its file.
void read_inputs(const Robot& robot, const Parametrization& written,
                 const WrittenFunction& function, bool has_tensors, RobotNumbers<S>& numbers) {
  std::map<std::string, S, std::less<>> inputs;
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    const FunctionParameter& parameter = function.parameters[k];
    const S input = function.graph->input(function.input_count() + k);
    if (parameter.is_of_file) {
      numbers.set_parameter(parameter.name, input);
    } else {
      inputs.emplace(parameter.name, input);
    }
  }
  numbers.follow_parameters();
  for (const WrittenNumber& number : written.numbers) {
    const bool is_of_shape =
        is_of_fixed_body(number.path) || (has_tensors && moves_fixed_tensor(number.path, written));
    if ((is_of_shape || has_role(number.path, role::drive)) && numbers.formula(number.text)) {
      const std::string origin = numbers.origin(number.text);
      throw Error(fmt::format(
          "--symbols: {} is {}{}, and code takes {} as numbers only; leave its parameters numbers",
          number.path, number.text, origin.empty() ? "" : ", which follows from " + origin,
          is_of_shape ? "shapes and inertia frames, and of payloads inertia about the origin,"
                      : "drives"));
    }
  }
  for (const NumberPlace& place : number_places(robot)) {
    const double value = place.value;
    if (const auto input = inputs.find(place.name); input != inputs.end()) {
      if (place.names_magnitude() && value == 0.0) continue;
      numbers.set_named(place.path,
                        place.names_magnitude() && value < 0.0 ? -input->second : input->second);
    } else if (auto formula = numbers.formula_at(place)) {
      numbers.set(place.path, place.kind == NumberPlace::Kind::angle
                                  ? angle_by(*formula, place, numbers.value_at(place))
                                  : *formula);
    }
  }
  numbers.read_inertias_about_origin();
}

/// The bodies about the origins of the links' own frames, where their numbers are.
InertialArm<S> inertial_arm_as_written(const RobotOf<S>& robot, const ArmOf<S>& arm) {
  auto result = without_bodies<S>(arm);
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    result.links[i].body = carried(arm.user_frame[i], composite<S>(robot.joints[i].body));
  }
  CompositeBody<S, S>& last = result.links.back().body;
  last = last + carried(arm.tool, composite<S>(robot.payload));
  return result;
}

WrittenFunction filled(const Robot& robot, const Arm& arm, Equation what,
                       const InertialArm<double>& bodies, Recursion recursion) {
  WrittenFunction function = declared(robot, what);
  Filling<Arm, double>(function, robot, arm, arm, bodies, recursion).fill(what);
  return function;
}

std::size_t operations(const WrittenFunction& function) {
  const FormulaCount found = count(*function.graph, function.values);
  return found.multiplications + found.additions;
}

}  // namespace

static FunctionParameter parameter_at(const NumberPlace& place) {
  static constexpr const char* units[] = {// by kinds
                                          ", kg",         " about the center of mass, kg m^2",
                                          ", m",          ", N m s or N s/m",
                                          ", N m or N/m", ", m/s^2",
                                          ", rad"};
  const bool is_g = place.names_magnitude();
  return {
      place.name, is_g ? std::abs(place.value) : place.value,
      (is_g ? "magnitude of gravity" : place.path) + units[static_cast<std::size_t>(place.kind)]};
}

std::vector<FunctionParameter> link_parameters(const Robot& robot) {
  std::vector<FunctionParameter> parameters;
  const std::vector<NumberPlace> places = number_places(robot);
  for (std::size_t i = 0; i < number_of_joints(robot); ++i) {
    const std::string link = fmt::format("joints[{}].", i);
    for (const NumberPlace& place : places) {
      if (!place.path.starts_with(link) || !has_role(place.path, role::body)) continue;
      parameters.push_back(parameter_at(place));
    }
  }
  return parameters;
}

std::vector<FunctionParameter> function_parameters(const Robot& robot,
                                                   const Parametrization& written) {
  auto parameters = each(written.parameters, [](const Parameter& parameter) -> FunctionParameter {
    return {parameter.name, parameter.value, "parameter of the robot file", true};
  });
  for (const NumberPlace& place : number_places(robot)) {
    const bool has_name =
        std::ranges::find(parameters, place.name, &FunctionParameter::name) != parameters.end();
    const bool is_no_field = place.names_magnitude() && place.value == 0.0;
    if (has_name || is_no_field || has_role(place.path, role::drive) ||
        place.kind == NumberPlace::Kind::angle) {
      continue;
    }
    parameters.push_back(parameter_at(place));
  }
  return parameters;
}

WrittenFunction written_equation(const Robot& robot, const Parametrization& written, Equation what,
                                 Recursion recursion,
                                 std::span<const FunctionParameter> parameters) {
  require_polynomial_springs(robot, "generated code");
  const Arm arm = normalize(robot);
  if (!parameters.empty()) {
    WrittenFunction function = declared(robot, what);
    function.parameters.assign(parameters.begin(), parameters.end());
    RobotNumbers<S> numbers(robot, written, [](const std::string& text, const std::string& why) {
      throw Error(fmt::format("--symbols: {}: {}", text, why));
    });
    const bool has_tensors = what != Equation::gravity && what != Equation::forward_kinematics &&
                             what != Equation::jacobian;
    read_inputs(robot, written, function, has_tensors, numbers);
    const ArmOf<S> constants = proximal_form(robot, numbers.robot());
    Filling<ArmOf<S>, S>(function, robot, arm, constants,
                         arm.is_serial() ? inertial_arm_as_written(numbers.robot(), constants)
                                         : without_bodies<S>(constants),
                         Recursion::fewest_operations)
        .fill(what);
    return function;
  }
  const InertialArm<double> bodies = inertial_arm(arm);
  const bool is_as_computed = recursion == Recursion::as_computed || !arm.is_serial();
  if (is_as_computed) return filled(robot, arm, what, bodies, recursion);
  WrittenFunction as_they_are = filled(robot, arm, what, bodies, recursion);
  WrittenFunction fewer = filled(robot, arm, what, regrouped(bodies), recursion);
  return operations(fewer) < operations(as_they_are) ? std::move(fewer) : std::move(as_they_are);
}

/// What these values need of the graph.
static FormulaList listed(const Graph& graph, std::span<const S> values) {
  const std::vector<std::size_t> uses = uses_of(graph, values);
  std::vector<std::uint32_t> step(uses.size());
  FormulaList list;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == 0) continue;
    const Formula& f = graph.formulas()[i];
    step[i] = static_cast<std::uint32_t>(list.steps.size());
    list.steps.push_back({static_cast<int>(f.operation), is_leaf(f) ? f.left : step[f.left],
                          is_binary(f) ? step[f.right] : f.right, f.value});
  }
  for (const S& value : values) {
    if (value.is_known()) {
      list.results.push_back({static_cast<std::uint32_t>(list.steps.size()), 1.0});
      list.steps.push_back({static_cast<int>(Operation::constant), 0, 0, value.known()});
    } else {
      list.results.push_back({step[value.index()], value.is_negative() ? -1.0 : 1.0});
    }
  }
  return list;
}

FormulaList adjustable_torque(const Robot& robot) {
  require_polynomial_springs(robot, "torques with other numbers of the robot");
  const Arm drives = normalize(robot);
  const std::size_t n = robot.dof();
  Graph graph(most_formulas);
  std::size_t next = 0;
  const auto input = [&] { return graph.input(next++); };
  const auto inputs = [&] {
    std::vector<S> group(n);
    std::ranges::generate(group, input);
    return group;
  };
  const std::vector<S> q = inputs(), qd = inputs(), qdd = inputs(), zero(n);
  RobotOf<S> adjusted = converted<S>(robot);
  for (Vec<S>* v : {&adjusted.gravity, &adjusted.payload.com}) {
    if (v == &adjusted.payload.com) adjusted.payload.mass = input();
    *v = {input(), input(), input()};
  }
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    joint_at(adjusted, k).body.mass = input();
  }

  const ArmOf<S> arm = proximal_form(robot, adjusted);
  std::vector<S> values(3 * n);
  const std::span<S> links = std::span(values).first(n), friction = std::span(values).subspan(n, n),
                     rotors = std::span(values).last(n);
  if (drives.is_serial()) {
    std::vector<ModifiedLinkState<S>> states(n);
    moment_newton_euler<S, S>(inertial_arm_as_written(adjusted, arm), q, qd, qdd, states, links);
  } else {
    std::ranges::copy(links_torque<S>(arm, q, qd, qdd), links.begin());
  }
  for (std::size_t i = 0; i < n; ++i) {
    friction[i] = drive_torque<S>(drives.drives[i], q[i], qd[i], S(0.0), sign(qd[i]));
    rotors[i] = drive_torque<S>(drives.drives[i], q[i], S(0.0), qdd[i], S(0.0));
  }
  row_drive_torques<S>(drives.row_drives, qd, zero, by_sign, adding_to(friction));
  row_drive_torques<S>(drives.row_drives, zero, qdd, by_sign, adding_to(rotors));
  return listed(graph, values);
}

std::vector<double> computed(const Robot& robot, Equation what, std::span<const double> inputs) {
  const Arm arm = normalize(robot);
  const std::size_t n = arm.dof();
  const auto group = [&](std::size_t k) { return inputs.subspan(k * n, n); };
  const auto entries = [](const Matrix& A) {
    return std::vector<double>(A.entries().begin(), A.entries().end());
  };
  std::vector<double> result(n);
  switch (what) {
    case Equation::torque:
      return torque(arm, {group(0), group(1), group(2)});
    case Equation::mass_matrix:
      return entries(mass_matrix(arm, group(0)));
    case Equation::velocity:
      return equations(arm, group(0), group(1)).V;
    case Equation::gravity:
      return equations(arm, group(0), result).G;
    case Equation::forward:
      ForwardDynamics(arm).acceleration(group(0), group(1), group(2), {}, result);
      return result;
    case Equation::forward_kinematics:
      return pose_entries<double>(pose(arm, group(0)).tcp);
    case Equation::jacobian:
      return entries(jacobian(arm, group(0)));
    case Equation::regressor:
      return entries(Regressor(robot).matrix({group(0), group(1), group(2)}));
  }
  return result;
}

}  // namespace armdyn
