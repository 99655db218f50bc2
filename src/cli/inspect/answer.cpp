#include <fmt/format.h>
#include <armdyn/eigen.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/inspect/inspection.hpp"
#include "cli/inspect/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/text/number_text.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "report/joint_words.hpp"
#include "report/json_text.hpp"
#include "report/matrix_text.hpp"

namespace armdyn {

namespace {

using Json = nlohmann::ordered_json;
using Labels = std::vector<std::string>;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool all_zero(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

bool any_prismatic(const Robot& robot) {
  return !std::ranges::all_of(robot.joints, turns);
}

Labels numbers(std::size_t count) {
  Labels labels;
  for (std::size_t i = 1; i <= count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

Labels row_names(const std::vector<TaskRow>& rows) {
  Labels labels;
  for (const TaskRow row : rows) labels.emplace_back(name(row));
  return labels;
}

/// "1·2", "1·3" …: the velocity products of craig_B.
Labels pair_names(std::size_t dof) {
  Labels labels;
  for (std::size_t j = 1; j <= dof; ++j) {
    for (std::size_t k = j + 1; k <= dof; ++k) labels.push_back(fmt::format("{}·{}", j, k));
  }
  return labels;
}

Matrix transposed(const Matrix& A) {
  Matrix result(A.columns(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) result(j, i) = A(i, j);
  }
  return result;
}

Json list_of_rows(const Matrix& A) {
  Json result = Json::array();
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const std::span<const double> row = A.row(i);
    result.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return result;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// For people, sections with a heading each and a blank line between them; for programs, an object
/// with its keys in this order. Of both, what was asked for: everything, unless `only` names keys.
class Page {
 public:
  explicit Page(const Labels& only) : only_(only) {}

  /// Whether the key is to be shown; or was asked for by its name.
  [[nodiscard]] bool shows(const std::string& key) const { return only_.empty() || names(key); }
  [[nodiscard]] bool names(const std::string& key) const {
    return std::ranges::find(only_, key) != only_.end();
  }

  void section(const std::string& heading, const std::string& body) {
    text_ += (text_.empty() ? "" : "\n") + heading + "\n" + body;
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  void keep(const std::string& key, const Json& value) {
    if (shows(key)) json_[key] = value;
  }

  void matrix(const std::string& key, const std::string& heading, const Labels& rows,
              const Labels& columns, const Matrix& values) {
    keep(key, list_of_rows(values));
    if (shows(key)) show(heading, rows, columns, values);
  }
  /// For people transposed, since it is wide; `columns` are its own.
  void wide_matrix(const std::string& key, const std::string& heading, const Labels& rows,
                   const Labels& columns, const Matrix& values) {
    keep(key, list_of_rows(values));
    if (shows(key) && !columns.empty()) show(heading, columns, rows, transposed(values));
  }
  void frame(const std::string& key, const std::string& heading, const Transform& T) {
    const Labels blank(4, "");
    const Matrix homogeneous = armdyn::matrix(eigen(T));
    keep(key, list_of_rows(homogeneous));
    if (shows(key)) section(heading, matrix_text(blank, blank, homogeneous));
  }
  /// Those columns whose keys are shown, below their heading.
  void columns(const std::string& heading, const Labels& rows,
               const std::vector<std::pair<const char*, LabelledColumn>>& candidates) {
    std::vector<LabelledColumn> shown;
    for (const auto& [key, column] : candidates) {
      if (shows(key)) shown.push_back(column);
    }
    if (!shown.empty()) section(heading, columns_text(rows, shown));
  }
  /// Those numbers whose keys are shown, on one line.
  void numbers(const std::vector<std::pair<const char*, std::string>>& candidates) {
    Labels shown;
    for (const auto& [key, text] : candidates) {
      if (shows(key)) shown.push_back(text);
    }
    if (!shown.empty()) line(fmt::format("  {}", fmt::join(shown, ", ")));
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Json& json() { return json_; }

 private:
  void show(const std::string& heading, const Labels& rows, const Labels& columns,
            const Matrix& values) {
    if (all_zero(values.entries())) {
      section(heading + ", all zero", "");
    } else {
      section(heading, matrix_text(rows, columns, values));
    }
  }

  const Labels& only_;
  std::string text_;
  Json json_;
};

/// N.
double weight(const Robot& robot) {
  double mass = robot.payload.mass;
  for (const Joint& joint : robot.joints) mass += joint.body.mass;
  const Vec3& g = robot.gravity;
  return mass * std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
}

Labels joint_labels(const Robot& robot) {
  Labels labels;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    labels.push_back(fmt::format("{} {}", i + 1, robot.joints[i].name));
  }
  return labels;
}

void add_state(Page& page, const Inspection& found, const Robot& robot) {
  page.keep("q", found.q);
  page.keep("qd", found.qd);
  page.keep("qdd", found.qdd);
  std::vector<double> in_degrees;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    in_degrees.push_back(turns(robot.joints[i]) ? degrees(found.q[i]) : no_value);
  }
  const Equations& e = found.equations;
  std::vector<std::pair<const char*, LabelledColumn>> columns{
      {"q", {any_prismatic(robot) ? "q rad, m" : "q rad", found.q}}, {"q", {"deg", in_degrees}}};
  const bool moves = !all_zero(found.qd);
  if (moves || page.names("qd")) columns.push_back({"qd", {"qd", found.qd}});
  if (!all_zero(found.qdd) || page.names("qdd")) columns.push_back({"qdd", {"qdd", found.qdd}});
  if (moves || page.names("momentum")) columns.push_back({"momentum", {"M qd", e.momentum}});
  if (moves || page.names("V")) columns.push_back({"V", {"V", e.V}});
  columns.push_back({"G", {"G", e.G, {}, weight(robot)}});
  columns.push_back({"tau", {"tau", found.tau, {}, weight(robot)}});
  const std::string at_rest = moves ? "" : " (at rest: V = 0)";
  page.columns(robot.name + at_rest, joint_labels(robot), columns);
  const bool both = page.shows("kinetic") && page.shows("potential");
  page.numbers({{"kinetic", fmt::format("kinetic energy {:.5g} J", e.kinetic)},
                {"potential", fmt::format("potential {}{:.5g} J (zero at the origin of {{0}})",
                                          both ? "" : "energy ", e.potential)}});
  if (!page.shows("tau")) return;
  page.line(
      fmt::format("  tau: what the drives deliver, losses included; positive G holds the arm "
                  "up; N·m{}",
                  any_prismatic(robot) ? ", N if sliding" : ""));
}

void add_equilibrium(Page& page, const Equilibrium& found) {
  page.keep("equilibrium", {{"residual", found.residual},
                            {"iterations", found.iterations},
                            {"falling_directions", found.falling_directions},
                            {"neutral_directions", found.neutral_directions}});
  if (!page.shows("equilibrium")) return;
  const auto directions = [](int count) {
    return counted(static_cast<std::uint64_t>(count), "direction");
  };
  std::string kind = "stable";
  if (found.neutral_directions > 0) kind = "neutral in " + directions(found.neutral_directions);
  if (found.falling_directions > 0) kind = "unstable in " + directions(found.falling_directions);
  page.line(fmt::format("  equilibrium without drives: {}; found in {} steps, |G| left {:.1e}",
                        kind, found.iterations, found.residual));
}

void add_kinematics(Page& page, const Inspection& found) {
  const auto entries = [&found](auto entry) {
    std::vector<double> values;
    for (const Transform& frame : found.pose.frames) values.push_back(entry(frame));
    return values;
  };
  Json frames = Json::array();
  for (const Transform& frame : found.pose.frames) {
    frames.push_back(list_of_rows(matrix(eigen(frame))));
  }
  page.keep("frames", frames);
  if (page.shows("frames")) {
    page.section(
        "Link frames in {0}: origin (m), directions of x and z",
        columns_text(numbers(found.pose.frames.size()),
                     {{"px", entries([](const Transform& T) { return T.p.x; })},
                      {"py", entries([](const Transform& T) { return T.p.y; })},
                      {"pz", entries([](const Transform& T) { return T.p.z; })},
                      {"xx", entries([](const Transform& T) { return T.R.row_x.x; }), 4},
                      {"xy", entries([](const Transform& T) { return T.R.row_y.x; }), 4},
                      {"xz", entries([](const Transform& T) { return T.R.row_z.x; }), 4},
                      {"zx", entries([](const Transform& T) { return T.R.row_x.z; }), 4},
                      {"zy", entries([](const Transform& T) { return T.R.row_y.z; }), 4},
                      {"zz", entries([](const Transform& T) { return T.R.row_z.z; }), 4}}));
  }
  page.frame("T", "T: the tool in {0}", found.pose.hand);
  if (found.has_base || page.names("T_world")) {
    page.frame("T_world", "T_world: the tool in the world", found.pose.hand_in_world);
  }
  const Labels rows = row_names(all_task_rows());
  const Labels joints = numbers(found.J.columns());
  page.matrix("J", "J: Jacobian of the tool point, axes of {0}", rows, joints, found.J);
  const Cartesian& task = found.cartesian;
  const bool some_rows = task.rows.size() % 6 != 0;
  const std::string of_rows =
      some_rows ? fmt::format("rows {}: ", fmt::join(row_names(task.rows), ", ")) : "";
  page.numbers({{"manipulability",
                 fmt::format("{}manipulability {:.5g}", of_rows, task.dexterity.manipulability)},
                {"condition", fmt::format("{}condition number {:.4g}",
                                          page.shows("manipulability") ? "" : of_rows,
                                          task.dexterity.condition)}});
  page.matrix("Jdot", "Jdot: time derivative of J", rows, joints, found.Jdot);
  page.keep("manipulability", task.dexterity.manipulability);
  page.keep("condition", task.dexterity.condition);  // infinite: null
}

void add_joint_space(Page& page, const Inspection& found, const Robot& robot) {
  const std::string unit = any_prismatic(robot) ? "kg·m², kg·m, kg" : "kg·m²";
  const Equations& e = found.equations;
  const Labels joints = numbers(e.M.rows());
  page.matrix("M", "M: mass matrix with reflected rotors, " + unit, joints, joints, e.M);
  if (e.M == e.M_links) {
    page.keep("M_links", list_of_rows(e.M_links));
    if (page.names("M_links")) {
      page.matrix("M_links", "M_links: mass matrix, there are no rotors", joints, joints,
                  e.M_links);
    } else if (page.shows("M_links")) {
      page.section("M_links: the same, there are no rotors", "");
    }
  } else {
    page.matrix("M_links", "M_links: mass matrix without rotors", joints, joints, e.M_links);
  }
  page.keep("V", e.V);
  page.keep("G", e.G);
  page.matrix("C", "C: Christoffel matrix, V = C qd and dM/dt - 2C skew", joints, joints, e.C);
  Json velocity_matrices = Json::array();
  std::string velocity_texts;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Matrix C_i = e.gamma.of(i);
    velocity_matrices.push_back(list_of_rows(C_i));
    velocity_texts += fmt::format("  of joint {}\n{}", i + 1, matrix_text(joints, joints, C_i));
  }
  page.keep("Ci", velocity_matrices);
  if (page.names("Ci")) {
    page.section("Ci: symmetric, V_i = qdᵀ Ci qd (paper 001)", velocity_texts);
  }
  page.wide_matrix("craig_B",
                   "craig_B transposed: V = B(q)(qd_j qd_k) + C(q)(qd_j^2), one row per j·k",
                   joints, pair_names(joints.size()), e.craig.B);
  page.matrix("craig_C", "craig_C: the squares' coefficients", joints, joints, e.craig.C);
  page.keep("kinetic", e.kinetic);
  page.keep("potential", e.potential);
  page.keep("momentum", e.momentum);
  page.keep("tau", found.tau);
}

void add_cartesian(Page& page, const Cartesian& found, std::size_t dof) {
  const auto keys = {"Mx", "Vx", "Gx", "craig_Bx", "craig_Cx"};
  if (std::ranges::none_of(keys, [&](const char* key) { return page.shows(key); })) return;
  const Labels rows = row_names(found.rows);
  page.json()["rows"] = rows;
  if (!found.terms) {
    for (const char* key : keys) page.keep(key, nullptr);
    page.keep("cartesian_digits", nullptr);
    page.section("Mx, Vx, Gx, craig_Bx, craig_Cx: none", "  " + found.refusal + "\n");
  } else {
    const CartesianTerms& c = *found.terms;
    const Labels joints = numbers(dof);
    page.matrix("Mx", "Mx: Cartesian mass matrix, F = Mx a + Vx + Gx at the tool", rows, rows,
                c.Mx);
    page.keep("Vx", c.Vx);
    page.keep("Gx", c.Gx);
    page.columns("Vx and Gx", rows, {{"Vx", {"Vx", c.Vx}}, {"Gx", {"Gx", c.Gx}}});
    page.wide_matrix("craig_Bx",
                     "craig_Bx transposed: tau = Jᵀ(Mx a + Gx) + Bx(qd_j qd_k) + Cx(qd_j^2)",
                     joints, pair_names(dof), c.craig.B);
    page.matrix("craig_Cx", "craig_Cx", joints, joints, c.craig.C);
    const auto& [Mx, Vx, Gx] = found.digits;
    page.keep("cartesian_digits", Json{{"Mx", Mx}, {"Vx", Vx}, {"Gx", Gx}});
  }
  page.json()["cartesian_refusal"] = text_or_null(found.refusal);
}

struct NamedVector {
  const char* name;
  const char* unit;
  const Vec3& value;
};

std::string vectors_text(const std::vector<NamedVector>& vectors) {
  std::size_t width = 0;
  for (const NamedVector& vector : vectors) {
    width = std::max(width, std::string_view(vector.name).size());
  }
  Labels labels;
  labels.reserve(vectors.size());
  Matrix rows(vectors.size(), 3);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    labels.push_back(fmt::format("{:<{}}  {}", vectors[i].name, width, vectors[i].unit));
    rows(i, 0) = vectors[i].value.x;
    rows(i, 1) = vectors[i].value.y;
    rows(i, 2) = vectors[i].value.z;
  }
  return matrix_text(labels, {"x", "y", "z"}, rows);
}

/// A, K and J^a side by side.
std::string link_matrices_text(const LinkMotion& link) {
  std::vector<LabelledColumn> columns;
  const auto add = [&columns](const std::string& name, const Matrix& A) {
    double largest = 0.0;
    for (const double entry : A.entries()) largest = std::max(largest, std::abs(entry));
    for (std::size_t j = 0; j < A.columns(); ++j) {
      std::vector<double> values(4, no_value);
      for (std::size_t i = 0; i < A.rows(); ++i) values[i] = A(i, j);
      columns.push_back({j == 0 ? name : "", values, {}, largest});
    }
  };
  add("A", matrix(eigen(link.A)));
  add("K", matrix(eigen(link.K)));
  add("Ja", link.Ja);
  return columns_text({"x", "y", "z", ""}, columns);
}

/// As Craig's examples set them: outward link by link, then inward. The text only if `is_shown`.
void add_links(Page& page, const Inspection& found, const Robot& robot, bool is_shown) {
  const Labels joints = joint_labels(robot);
  Labels outward, inward, matrices;
  Json links = Json::array();
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    const LinkMotion& link = found.links[i];
    const std::vector<NamedVector> motion{{"omega", "rad/s", link.omega},
                                          {"omega_dot", "rad/s²", link.omega_dot},
                                          {"v", "m/s", link.v},
                                          {"v_dot", "m/s²", link.v_dot},
                                          {"v_c", "m/s", link.v_c},
                                          {"v_c_dot", "m/s²", link.v_c_dot},
                                          {"F", "N", link.F},
                                          {"N", "N·m", link.N},
                                          {"angular_momentum", "kg·m²/s", link.angular_momentum}};
    const std::vector<NamedVector> wrench{{"force", "N", link.joint.force},
                                          {"moment", "N·m", link.joint.moment}};
    Json& entry = links.emplace_back(Json{{"name", robot.joints[i].name}});
    for (const auto& vectors : {motion, wrench}) {
      for (const auto& [name, unit, value] : vectors) entry[name] = coordinates(value);
    }
    entry["kinetic"] = link.kinetic;
    entry["potential"] = link.potential;
    entry["A"] = list_of_rows(matrix(eigen(link.A)));
    entry["K"] = list_of_rows(matrix(eigen(link.K)));
    entry["Ja"] = list_of_rows(link.Ja);
    const std::string title = fmt::format("  link {}\n", joints[i]);
    outward.push_back(fmt::format("{}{}  kinetic energy {:.5g} J, potential {:.5g} J\n", title,
                                  vectors_text(motion), link.kinetic, link.potential));
    inward.push_back(title + vectors_text(wrench));
    matrices.push_back(title + link_matrices_text(link));
  }
  page.keep("links", links);
  if (!page.names("links") && !(is_shown && page.shows("links"))) return;
  std::reverse(inward.begin(), inward.end());
  page.section("Outward: each link in axes of its frame {i}; v_dot, v_c_dot and F contain -g",
               fmt::format("{}", fmt::join(outward, "\n")));
  page.section(fmt::format("Inward: what link i-1 exerts on link i, in axes of {{i}}, the moment "
                           "about the origin of {{{}}}",
                           robot.convention == Convention::standard ? "i-1" : "i"),
               fmt::format("{}", fmt::join(inward, "\n")));
  page.section(
      "Matrices of paper 001: A (1/s²) and K (kg·m²) of the modified form, Ja (kg·m², kg·m, kg)",
      fmt::format("{}", fmt::join(matrices, "\n")));
}

void add_linear_models(Page& page, const Linearization& found) {
  const Labels joints = numbers(found.torque.dq.rows());
  Labels states;
  for (const std::string& joint : joints) states.push_back("q" + joint);
  for (const std::string& joint : joints) states.push_back("qd" + joint);
  page.matrix("dtau_dq", "dtau/dq", joints, joints, found.torque.dq);
  page.matrix("dtau_dqd", "dtau/dqd, dry friction taken as constant", joints, joints,
              found.torque.dqd);
  if (page.names("dtau_dqdd")) {
    page.matrix("dtau_dqdd", "dtau/dqdd", joints, joints, found.torque.dqdd);
  }
  page.keep("dtau_dqdd", list_of_rows(found.torque.dqdd));
  const auto add = [&](const std::string& A, const std::string& about, const std::string& B,
                       const std::optional<LinearModel>& model, bool is_told) {
    if (model) {
      page.matrix(A, A + about, states, states, model->A);
      page.matrix(B, B, states, joints, model->B);
      return;
    }
    page.keep(A, nullptr);
    page.keep(B, nullptr);
    if (is_told && (page.shows(A) || page.shows(B)))
      page.section(fmt::format("{}, {}: none", A, B), "  " + found.refusal + "\n");
  };
  add("A", ": d/dt (q, qd) = A (q, qd) + B tau, as deviations from this state", "B",
      found.continuous, true);
  if (found.sample_time > 0.0) {
    page.json()["sample_time"] = found.sample_time;
    add("Ad", fmt::format(": the next sample, torques held for {:.4g} s", found.sample_time), "Bd",
        found.sampled, found.continuous.has_value());
  }
  page.json()["linear_refusal"] = text_or_null(found.refusal);
}

/// Y and π, and what torques can tell of π; where they are asked for by name.
void add_regressor(Page& page, const Inspection& found, const Robot& robot) {
  if (!page.names("regressor") && !page.names("base_parameters")) return;
  const Regressor regressor(robot);
  const std::vector<DynamicParameter>& parameters = regressor.parameters();
  Labels names;
  Json list = Json::array();
  std::vector<double> values;
  for (const DynamicParameter& parameter : parameters) {
    names.push_back(name(parameter));
    values.push_back(parameter.value);
    list.push_back(
        {{"name", names.back()}, {"unit", unit(parameter, robot)}, {"value", parameter.value}});
  }
  if (page.names("regressor")) {
    page.wide_matrix("regressor", "Regressor Y, transposed: tau = Y pi", joint_labels(robot), names,
                     regressor.matrix({found.q, found.qd, found.qdd}));
    page.json()["parameters"] = list;
  }
  if (!page.names("base_parameters")) return;
  const BaseParameters base = base_parameters(robot, regressor);
  const std::vector<double> base_values = base.values(values);
  std::string text;
  Json combinations = Json::array();
  for (std::size_t b = 0; b < base_values.size(); ++b) {
    const BaseParameter& one = base.combinations[b];
    const std::string combination = words(one, parameters);
    text += fmt::format("  {:>11}  {}\n", short_number(base_values[b]), combination);
    combinations.push_back({{"combination", combination},
                            {"unit", unit(parameters[one.first], robot)},
                            {"value", base_values[b]}});
  }
  page.keep("base_parameters", combinations);
  page.section(fmt::format("What torques can tell: {}, m kg, mx kg·m, I kg·m² about the origin",
                           counted(base_values.size(), "base parameter")),
               text);
}

}  // namespace

InspectionAnswer inspection_answer(const Inspection& found, const RobotFile& file,
                                   const InspectOptions& options) {
  const Robot& robot = file.robot;
  Json frame(json_frame(file, options.robot, options.output));
  Page page(options.only);
  for (const char* key : {"version", "robot", "options"}) page.json()[key] = frame[key];
  add_state(page, found, robot);
  if (found.equilibrium) add_equilibrium(page, *found.equilibrium);
  add_kinematics(page, found);
  add_joint_space(page, found, robot);
  add_cartesian(page, found.cartesian, robot.dof());
  add_links(page, found, robot, options.links);
  if (found.linear) add_linear_models(page, *found.linear);
  add_regressor(page, found, robot);
  page.json().update(frame);  // what else every verb says
  page.json()["warnings"] = found.warnings;
  return {page.text(), json_text(page.json())};
}

}  // namespace armdyn
