#include <armdyn/eigen.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/inspect/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/mechanism.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

using Labels = std::vector<std::string>;

// Parts beyond a first screen; Cartesian ones where --task-rows is not given.
constexpr auto further = {"frames", "T_world", "J", "Jdot", "M_links", "C", "craig_B", "craig_C"};
constexpr auto of_the_tcp = {"Mx", "Vx", "Gx", "craig_Bx", "craig_Cx"};

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool any_prismatic(const Robot& robot) {
  return !std::ranges::all_of(robot.joints, turns);
}

Labels numbers(std::size_t count) {
  return each(in_order(count), [](std::size_t i) { return std::to_string(i + 1); });
}

Labels row_names(const std::vector<TaskRow>& rows) {
  return each(rows, [](TaskRow row) { return std::string(name(row)); });
}

/// "1·2", "1·3" …: the velocity products of craig_B.
Labels pair_names(std::size_t dof) {
  Labels labels;
  for (std::size_t j = 1; j <= dof; ++j) {
    for (std::size_t k = j + 1; k <= dof; ++k) labels.push_back(fmt::format("{}·{}", j, k));
  }
  return labels;
}

/// Sections with a heading each and a blank line between them: all, unless `only` names some by
/// their keys.
class Selection {
 public:
  Selection(Document document, const InspectOptions& options)
      : document_(std::move(document)), options_(options) {}

  /// Test whether the answer has a key, whether people see it, and whether --what names it.
  [[nodiscard]] bool has(const std::string& key) const {
    return options_.what.empty() || names(key);
  }
  [[nodiscard]] bool shows(const std::string& key) const {
    const auto is_among = [&key](auto keys) { return std::ranges::count(keys, key) > 0; };
    const bool is_further = is_among(further) || (options_.rows.empty() && is_among(of_the_tcp));
    return has(key) && (options_.output.all || !options_.what.empty() || !is_further);
  }
  [[nodiscard]] bool names(const std::string& key) const {
    return std::ranges::find(options_.what, key) != options_.what.end();
  }

  /// Adds a value whatever --what names.
  void always(const std::string& key, const Json& value) { document_.add(key, value); }
  void people(const std::string& heading, Content content) {
    document_.sections.push_back({"", std::move(content), heading, true, Audience::people});
  }
  void line(const std::string& text, Audience audience = Audience::all) {
    document_.sections.push_back({"", text, "", false, audience});
  }
  void programs(const std::string& key, const Json& value) {
    if (has(key)) document_.add(key, value);
  }
  void matrix(const std::string& key, const std::string& heading, const Labels& rows,
              const Labels& columns, const Matrix& values, bool is_wide = false) {
    if (!has(key)) return;
    document_.sections.push_back({key, LabeledMatrix{rows, columns, values, is_wide}, heading, true,
                                  shows(key) ? Audience::all : Audience::programs});
  }
  /// Adds a matrix for each joint or link, which people see where --what names the key.
  void matrices(const std::string& key, const std::string& heading, const Labels& rows,
                const Labels& columns, const std::vector<Matrix>& values,
                const char* of = "joint") {
    Sections shown;
    for (const Matrix& A : values) {
      const auto end = columns.begin() + static_cast<std::ptrdiff_t>(A.columns());
      shown.push_back({"", fmt::format("  of {} {}", of, shown.size() / 2 + 1)});
      shown.push_back({"", LabeledMatrix{rows, Labels(columns.begin(), end), A}});
    }
    programs(key, each(values, list_of_rows));
    if (names(key)) people(heading, shown);
  }
  void frame(const std::string& key, const std::string& heading, const Transform& T) {
    const Labels blank(4, "");
    matrix(key, heading, blank, blank, armdyn::matrix(eigen(T)));
  }
  /// Adds those columns whose keys are shown, below their heading.
  void columns(const std::string& heading, const Labels& rows,
               const std::vector<std::pair<const char*, LabeledColumn>>& candidates) {
    LabeledColumns shown{rows, {}};
    for (const auto& [key, column] : candidates) {
      if (shows(key)) shown.columns.push_back(column);
    }
    if (!shown.columns.empty()) people(heading, shown);
  }
  /// Adds those numbers whose keys are shown, on one line.
  void numbers(const std::vector<std::pair<const char*, std::string>>& candidates) {
    Labels shown;
    for (const auto& [key, text] : candidates) {
      if (shows(key)) shown.push_back(text);
    }
    if (!shown.empty()) line(fmt::format("  {}", fmt::join(shown, ", ")));
  }

  [[nodiscard]] Document& document() { return document_; }

 private:
  Document document_;
  const InspectOptions& options_;
};

/// Weight of the links and the payload, N.
double weight(const Robot& robot) {
  const double mass = mass_of_links(robot) + robot.payload.mass;
  return mass * std::sqrt(dot(robot.gravity, robot.gravity));
}

Labels joint_labels(const Robot& robot) {
  return each(in_order(robot.dof()),
              [&](std::size_t i) { return fmt::format("{} {}", i + 1, robot.joints[i].name); });
}
/// Likewise, with the followers.
Labels link_labels(const Robot& robot) {
  return each(in_order(number_of_joints(robot)),
              [&](std::size_t k) { return fmt::format("{} {}", k + 1, joint_at(robot, k).name); });
}

void add_state(Selection& parts, const Inspection& found, const Robot& robot) {
  parts.programs("q", found.q);
  parts.programs("qd", found.qd);
  parts.programs("qdd", found.qdd);
  const auto in_degrees = each(in_order(robot.dof()), [&](std::size_t i) {
    return turns(robot.joints[i]) ? degrees(found.q[i]) : no_value;
  });
  const Equations& e = found.equations;
  std::vector<std::pair<const char*, LabeledColumn>> columns{
      {"q", {any_prismatic(robot) ? "q rad, m" : "q rad", found.q}}, {"q", {"deg", in_degrees}}};
  const bool moves = largest_magnitude(found.qd) > 0.0;
  const auto shown = [&robot](const std::vector<double>& values, auto unit_of) {
    return each(in_order(robot.dof()),
                [&](std::size_t i) { return shown_value(values[i], unit_of(robot.joints[i])); });
  };
  if (moves || parts.names("qd")) columns.push_back({"qd", {"qd", shown(found.qd, speed_unit)}});
  if (largest_magnitude(found.qdd) > 0.0 || parts.names("qdd"))
    columns.push_back({"qdd", {"qdd", shown(found.qdd, acceleration_unit)}});
  if (moves || parts.names("momentum")) columns.push_back({"momentum", {"M qd", e.momentum}});
  if (moves || parts.names("V")) columns.push_back({"V", {"V", e.V}});
  columns.push_back({"G", {"G", e.G, {}, weight(robot)}});
  columns.push_back({"tau", {"tau", found.tau, {}, weight(robot)}});
  const std::string at_rest = moves ? "" : " (at rest: V = 0)";
  parts.columns(robot.name + at_rest, joint_labels(robot), columns);
  const bool both = parts.shows("kinetic") && parts.shows("potential");
  parts.numbers({{"kinetic", fmt::format("kinetic energy {:.5g} J", e.kinetic)},
                 {"potential", fmt::format("potential {}{:.5g} J (zero at the origin of {{0}})",
                                           both ? "" : "energy ", e.potential)}});
  if (!parts.shows("tau")) return;
  parts.line(fmt::format("  qd {}, qdd {}, M qd kg·m²/s, V, G and tau N·m{}", shown_unit("rad/s"),
                         shown_unit("rad/s²"),
                         any_prismatic(robot) ? "; if sliding m/s, m/s², kg·m/s, N" : ""));
  parts.line("  tau: what the drives deliver, losses included; positive G holds the arm up");
}

void add_equilibrium(Selection& parts, const Equilibrium& found) {
  parts.programs("equilibrium", Json{{"residual", found.residual},
                                     {"iterations", found.iterations},
                                     {"falling_directions", found.falling_directions},
                                     {"neutral_directions", found.neutral_directions}});
  if (!parts.shows("equilibrium")) return;
  const auto directions = [](int count) {
    return counted(static_cast<std::uint64_t>(count), "direction");
  };
  std::string kind = "stable";
  if (found.neutral_directions > 0) kind = "neutral in " + directions(found.neutral_directions);
  if (found.falling_directions > 0) kind = "unstable in " + directions(found.falling_directions);
  parts.line(fmt::format("  equilibrium without drives: {}; found in {}, residual |G| {:.1e}", kind,
                         counted(static_cast<std::uint64_t>(found.iterations), "step"),
                         found.residual));
}

/// "{0}", or what else axes are of; of one link, "{i}".
std::string axes_text(TaskAxes axes, const std::string& link) {
  return text_of_value(axes, {"{0}", link.c_str(), "the tool"});
}

void add_frames(Selection& parts, const Inspection& found) {
  const auto matrix_of = [](const Transform& T) { return matrix(eigen(T)); };
  const std::vector<Matrix> frames = each(found.pose.frames, matrix_of);
  parts.programs("frames", each(frames, list_of_rows));
  if (parts.shows("frames")) {
    LabeledColumns table{numbers(frames.size()), {}};
    const char* const axes = "xyz";
    for (const auto& [letter, column] : {std::pair('p', 3U), {'x', 0U}, {'z', 2U}}) {
      for (std::size_t row = 0; row < 3; ++row) {
        LabeledColumn& shown = table.columns.emplace_back();
        shown.label = {letter, axes[row]};
        for (const Matrix& T : frames) shown.values.push_back(T(row, column));
        if (letter != 'p') shown.decimals = 4;
      }
    }
    parts.people("Link frames in {0}: origin (m), directions of x and z", table);
  }
  parts.matrices("joint_frames", "joint_frames: {i} in {i-1}, m", Labels(4), Labels(4),
                 each(found.pose.joints, matrix_of));
  parts.frame("T", "T: the tool in {0}, m", found.pose.tcp);
  if (found.has_base || parts.names("T_world")) {
    parts.frame("T_world", "T_world: the tool in the world, m", found.pose.tcp_in_world);
  }
}

void add_kinematics(Selection& parts, const Inspection& found, const InspectOptions& options) {
  add_frames(parts, found);
  const Labels rows = row_names(all_task_rows());
  const Labels joints = numbers(found.J.columns());
  const TaskAxes axes = jacobian_axes(options);
  parts.matrix("J",
               fmt::format("J: Jacobian of the tool point, axes of {}; m/s and rad/s for each unit "
                           "of qd",
                           axes_text(axes, fmt::format("{{{}}}", joints.size()))),
               rows, joints, found.J);
  if (parts.names("link_jacobians")) {
    parts.matrices("link_jacobians",
                   fmt::format("link_jacobians: of the links' {}, axes of {}",
                               text_of_value(options.point, {"centers of mass", "origins"}),
                               axes_text(axes, "{i}")),
                   rows, joints, found.link_jacobians, "link");
  }
  const Cartesian& task = found.cartesian;
  const bool some_rows = task.rows.size() % 6 != 0;
  const std::string of_rows =
      some_rows ? fmt::format("rows {}: ", fmt::join(row_names(task.rows), ", ")) : "";
  parts.numbers({{"manipulability",
                  fmt::format("{}manipulability {:.5g}", of_rows, task.dexterity.manipulability)},
                 {"condition", fmt::format("{}condition number {:.4g}",
                                           parts.shows("manipulability") ? "" : of_rows,
                                           task.dexterity.condition)}});
  parts.matrix("Jdot", "Jdot: time derivative of J", rows, joints, found.Jdot);
  parts.programs("manipulability", task.dexterity.manipulability);
  parts.programs("condition", task.dexterity.condition);  // infinite: null
}

void add_joint_space(Selection& parts, const Inspection& found, const Robot& robot) {
  const std::string unit = any_prismatic(robot) ? "kg·m², kg·m, kg" : "kg·m²";
  const Equations& e = found.equations;
  const Labels joints = numbers(e.M.rows());
  parts.matrix("M", "M: mass matrix with reflected rotors, " + unit, joints, joints, e.M);
  const bool has_rotors = e.M != e.M_links;
  if (has_rotors || parts.names("M_links")) {
    const std::string what = has_rotors ? " without rotors" : ", there are no rotors";
    parts.matrix("M_links", "M_links: mass matrix" + what, joints, joints, e.M_links);
  } else {
    parts.programs("M_links", list_of_rows(e.M_links));
    if (parts.shows("M_links")) parts.people("M_links: the same, there are no rotors", Sections{});
  }
  parts.programs("V", e.V);
  parts.programs("G", e.G);
  parts.matrix("C", "C: Christoffel matrix, V = C qd and dM/dt - 2C skew", joints, joints, e.C);
  const auto C_i = [&e](std::size_t i) { return e.gamma.of(i); };
  parts.matrices("Ci", "Ci: symmetric, V_i = qdᵀ Ci qd (paper 001: Turney, Mudge, Lee 1980)",
                 joints, joints, each(in_order(joints.size()), C_i));
  if (parts.names("strobed_M")) {
    parts.matrix("strobed_M", "strobed_M: without rotors, from torques at unit accelerations",
                 joints, joints, found.strobed_M);
  }
  if (parts.names("strobed_Ci")) {
    parts.matrices(
        "strobed_Ci", "strobed_Ci: from torques at unit velocities", joints, joints,
        each(in_order(joints.size()), [&](std::size_t i) { return found.strobed_Ci.of(i); }));
  }
  parts.matrix("craig_B", "craig_B transposed: V = B(q)(qd_j qd_k) + C(q)(qd_j^2), one row per j·k",
               joints, pair_names(joints.size()), e.craig.B, true);
  parts.matrix("craig_C", "craig_C: the squares' coefficients", joints, joints, e.craig.C);
  parts.programs("kinetic", e.kinetic);
  parts.programs("potential", e.potential);
  if (parts.names("u_ref")) {
    parts.programs("u_ref", found.u_ref);
    parts.columns("u_ref: makes each link's least potential energy, found by a search, 0",
                  link_labels(robot), {{"u_ref", {"u_ref J", found.u_ref}}});
  }
  parts.programs("momentum", e.momentum);
  parts.programs("tau", found.tau);
}

void add_cartesian(Selection& parts, const Cartesian& found, std::size_t dof, TaskAxes axes) {
  if (std::ranges::none_of(of_the_tcp, [&](auto key) { return parts.has(key); })) return;
  const Labels rows = row_names(found.rows);
  parts.always("task_rows", Json(rows));
  if (!found.terms) {
    for (const char* key : of_the_tcp) parts.programs(key, nullptr);
    parts.programs("cartesian_digits", nullptr);
    if (std::ranges::any_of(of_the_tcp, [&](auto key) { return parts.shows(key); })) {
      parts.people("Mx, Vx, Gx, craig_Bx, craig_Cx: none", "  " + found.refusal);
    }
  } else {
    const CartesianTerms& c = *found.terms;
    const Labels joints = numbers(dof);
    const std::string turned =
        axes == TaskAxes::base ? "" : ", axes of " + axes_text(axes, fmt::format("{{{}}}", dof));
    parts.matrix(
        "Mx",
        "Mx: Cartesian mass matrix, kg, kg·m and kg·m²; F = Mx a + Vx + Gx at the tool" + turned,
        rows, rows, c.Mx);
    parts.programs("Vx", c.Vx);
    parts.programs("Gx", c.Gx);
    parts.columns("Vx and Gx, N and N·m", rows, {{"Vx", {"Vx", c.Vx}}, {"Gx", {"Gx", c.Gx}}});
    parts.matrix("craig_Bx",
                 "craig_Bx transposed: tau = Jᵀ(Mx a + Gx) + Bx(qd_j qd_k) + Cx(qd_j^2)", joints,
                 pair_names(dof), c.craig.B, true);
    parts.matrix("craig_Cx", "craig_Cx", joints, joints, c.craig.C);
    const auto& [Mx, Vx, Gx] = found.digits;
    parts.programs("cartesian_digits", Json{{"Mx", Mx}, {"Vx", Vx}, {"Gx", Gx}});
  }
  if (!found.refusal.empty()) parts.always("cartesian_refusal", Json(found.refusal));
}

LabeledMatrix vectors_matrix(std::span<const NamedVector> vectors) {
  const auto size = [](const NamedVector& v) { return std::string_view(v.name).size(); };
  const std::size_t width = size(*std::ranges::max_element(vectors, {}, size));
  LabeledMatrix found{{}, {"x", "y", "z"}, Matrix(vectors.size(), 3)};
  for (const auto& [name, unit, value] : vectors) {
    const std::array entries = coordinates(value);
    for (std::size_t k = 0; k < 3; ++k)
      found.values(found.rows.size(), k) = shown_value(entries[k], unit);
    found.rows.push_back(fmt::format("{:<{}}  {}", name, width, shown_unit(unit)));
  }
  return found;
}

/// A, K and J^a side by side.
LabeledColumns link_matrices(const LinkMotion& link) {
  std::vector<LabeledColumn> columns;
  const auto add = [&columns](const std::string& name, const Matrix& A) {
    const double largest = largest_magnitude(A.entries());
    for (std::size_t j = 0; j < A.columns(); ++j) {
      std::vector<double> values(4, no_value);
      for (std::size_t i = 0; i < A.rows(); ++i) values[i] = A(i, j);
      columns.push_back({j == 0 ? name : "", values, {}, largest});
    }
  };
  add("A", matrix(eigen(link.A)));
  add("K", matrix(eigen(link.K)));
  add("Ja", link.Ja);
  return {{"x", "y", "z", ""}, columns};
}

Json link_data(const std::string& name, const LinkMotion& link, std::span<const NamedVector> known,
               std::span<const NamedVector> about_base) {
  Json entry{{"name", name}};
  for (const auto& [of, unit, value] : known) entry[of] = coordinates(value);
  for (const auto& [of, unit, value] : about_base) entry[of] = coordinates(value);
  entry["kinetic"] = link.kinetic;
  entry["potential"] = link.potential;
  entry["A"] = list_of_rows(matrix(eigen(link.A)));
  entry["K"] = list_of_rows(matrix(eigen(link.K)));
  entry["Ja"] = list_of_rows(link.Ja);
  return entry;
}

/// Title of the links' forces and moments.
std::string inward_title(const Inspection& found, const Robot& robot,
                         const InspectOptions& options) {
  if (!found.has_reactions) {
    return "Inward: no reactions, since the forces of what makes joints follow are not known";
  }
  return fmt::format(
      "Inward: force and moment of link i-1 on link i, in axes of {}, the moment about the origin "
      "of {{{}}}",
      axes_text(options.axes, "{i}"), robot.convention == Convention::standard ? "i-1" : "i");
}

/// Adds links as Craig's examples set them: outward link by link, then inward. People see them only
/// if the options ask for them.
void add_links(Selection& parts, const Inspection& found, const Robot& robot,
               const InspectOptions& options) {
  const Labels joints = link_labels(robot);
  Sections outward, inward, matrices;
  Json links = Json::list();
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    const LinkMotion& link = found.links[i];
    const std::array vectors = vectors_of(link);
    const auto motion = std::span(vectors).first(motion_vectors),
               wrench = std::span(vectors).subspan(motion_vectors);
    const std::array about_base{
        NamedVector{"angular_momentum_0", "kg·m²/s", link.angular_momentum_0},
        NamedVector{"moment_0", "N·m", link.moment_0}};
    links.push_back(link_data(joint_at(robot, i).name, link,
                              found.has_reactions ? std::span(vectors) : motion, about_base));
    const std::string title = fmt::format("  link {}", joints[i]);
    const std::string energy =
        fmt::format("  kinetic energy {:.5g} J, potential {:.5g} J", link.kinetic, link.potential);
    const auto of_link = [&](const Content& content) { return Section{"", content, "", true}; };
    outward.push_back(of_link(Sections{{"", title},
                                       {"", vectors_matrix(motion)},
                                       {"", std::string("  about the origin of {0}, in its axes")},
                                       {"", vectors_matrix(about_base)},
                                       {"", energy}}));
    inward.push_back(of_link(Sections{{"", title}, {"", vectors_matrix(wrench)}}));
    matrices.push_back(of_link(Sections{{"", title}, {"", link_matrices(link)}}));
  }
  parts.programs("links", links);
  if (!parts.names("links") && !(options.links && parts.shows("links"))) return;
  std::reverse(inward.begin(), inward.end());
  parts.people(fmt::format("Outward: each link in axes of {}; v_dot, v_c_dot and F contain -g",
                           axes_text(options.axes, "its frame {i}")),
               outward);
  parts.people(inward_title(found, robot, options), found.has_reactions ? inward : Sections{});
  parts.people(
      "Paper 001 (Turney, Mudge, Lee 1980): A (1/s²), K (kg·m²), modified form; Ja (kg·m², kg·m, "
      "kg)",
      matrices);
}

void add_articulated(Selection& parts, const Inspection& found, const Robot& robot) {
  if (!parts.names("articulated")) return;
  const Labels rows{"nx", "ny", "nz", "fx", "fy", "fz"};
  Json list = Json::list();
  Sections shown;
  for (std::size_t i = 0; i < found.articulated.size(); ++i) {
    const auto& [inertia, U, D] = found.articulated[i];
    list.push_back(Json{
        {"name", robot.joints[i].name}, {"inertia", list_of_rows(inertia)}, {"U", U}, {"D", D}});
    Matrix with_U(6, 7);
    for (std::size_t k = 0; k < 6; ++k) {
      std::ranges::copy(inertia.row(k), &with_U(k, 0));
      with_U(k, 6) = U[k];
    }
    const LabeledMatrix matrix{rows, {"wx", "wy", "wz", "vx", "vy", "vz", "U"}, with_U};
    shown.push_back(
        {"",
         Sections{{"", fmt::format("  link {} {}: D {:.6g}", i + 1, robot.joints[i].name, D)},
                  {"", matrix}},
         "", true});
  }
  parts.always("articulated", list);
  parts.people(
      "Articulated-body inertias in {i}: wrench per acceleration of link i while the joints beyond "
      "are free;\nU: wrench that accelerates joint i by 1; D: its part at the drive, rotor "
      "included",
      shown);
}

void add_linear_models(Selection& parts, const Linearization& found) {
  const Labels joints = numbers(found.torque.dq.rows());
  const Labels states =
      joined({each(joints, [](const std::string& joint) { return "q" + joint; }),
              each(joints, [](const std::string& joint) { return "qd" + joint; })});
  parts.matrix("dtau_dq", "dtau/dq", joints, joints, found.torque.dq);
  parts.matrix("dtau_dqd", "dtau/dqd, dry friction taken as constant", joints, joints,
               found.torque.dqd);
  if (parts.names("dtau_dqdd")) {
    parts.matrix("dtau_dqdd", "dtau/dqdd", joints, joints, found.torque.dqdd);
  }
  parts.programs("dtau_dqdd", list_of_rows(found.torque.dqdd));
  const auto add = [&](const std::string& A, const std::string& about, const std::string& B,
                       const std::optional<LinearModel>& model, bool is_told) {
    if (model) {
      parts.matrix(A, A + about, states, states, model->A);
      parts.matrix(B, B, states, joints, model->B);
      return;
    }
    parts.programs(A, nullptr);
    parts.programs(B, nullptr);
    if (is_told && (parts.shows(A) || parts.shows(B)))
      parts.people(fmt::format("{}, {}: none", A, B), "  " + found.refusal);
  };
  add("A", ": d/dt (q, qd) = A (q, qd) + B tau, as deviations from this state", "B",
      found.continuous, true);
  if (found.sample_time > 0.0) {
    parts.always("sample_time", found.sample_time);
    add("Ad", fmt::format(": the next sample, torques held for {:.4g} s", found.sample_time), "Bd",
        found.sampled, found.continuous.has_value());
  }
  if (!found.refusal.empty()) parts.always("linear_refusal", Json(found.refusal));
}

/// Adds Y and π, and the base parameters; where --what names them.
void add_regressor(Selection& parts, const Inspection& found, const Robot& robot) {
  if (!parts.names("regressor") && !parts.names("base_parameters")) return;
  const Regressor regressor(robot);
  const std::vector<DynamicParameter>& parameters = regressor.parameters();
  const auto name_of = [](const DynamicParameter& parameter) { return name(parameter); };
  const auto data = [&](const DynamicParameter& one) {
    return Json{{"name", name(one)}, {"unit", unit(one, robot)}, {"value", one.value}};
  };
  if (parts.names("regressor")) {
    parts.matrix("regressor", "Regressor Y, transposed: tau = Y pi", joint_labels(robot),
                 each(parameters, name_of), regressor.matrix({found.q, found.qd, found.qdd}), true);
    parts.always("parameters", each(parameters, data));
  }
  if (!parts.names("base_parameters")) return;
  const BaseParameters base = base_parameters(robot, regressor);
  const std::vector<double> base_values = base.values(each(parameters, &DynamicParameter::value));
  Labels lines;
  Json combinations = Json::list();
  for (std::size_t b = 0; b < base_values.size(); ++b) {
    const BaseParameter& one = base.combinations[b];
    const std::string combination = to_text(one, parameters);
    lines.push_back(fmt::format("  {:>11}  {}", short_number(base_values[b]), combination));
    combinations.push_back(Json{{"combination", combination},
                                {"unit", unit(parameters[one.first], robot)},
                                {"value", base_values[b]}});
  }
  parts.programs("base_parameters", combinations);
  parts.people(
      fmt::format(
          "{}, the combinations that torques determine; m kg, mx kg·m, I kg·m² about the origin",
          counted(base_values.size(), "base parameter")),
      fmt::format("{}", fmt::join(lines, "\n")));
  if (const std::string followers = numbered_followers(robot); !followers.empty()) {
    parts.people("", followers);
  }
}

}  // namespace

std::array<NamedVector, 11> vectors_of(const LinkMotion& link) {
  return {{{"omega", "rad/s", link.omega},
           {"omega_dot", "rad/s²", link.omega_dot},
           {"v", "m/s", link.v},
           {"v_dot", "m/s²", link.v_dot},
           {"v_c", "m/s", link.v_c},
           {"v_c_dot", "m/s²", link.v_c_dot},
           {"F", "N", link.F},
           {"N", "N·m", link.N},
           {"angular_momentum", "kg·m²/s", link.angular_momentum},
           {"force", "N", link.joint.force},
           {"moment", "N·m", link.joint.moment}}};
}

Document inspection_answer(const Inspection& found, const RobotFile& file,
                           const InspectOptions& options) {
  const Robot& robot = file.robot;
  Selection parts(answer_frame(file, options), options);
  parts.document().keeps_order = true;
  parts.document().warnings = found.warnings;
  add_state(parts, found, robot);
  if (found.equilibrium) add_equilibrium(parts, *found.equilibrium);
  add_kinematics(parts, found, options);
  add_joint_space(parts, found, robot);
  add_cartesian(parts, found.cartesian, robot.dof(), jacobian_axes(options));
  add_links(parts, found, robot, options);
  if (found.linear) add_linear_models(parts, *found.linear);
  add_regressor(parts, found, robot);
  add_articulated(parts, found, robot);
  if (options.what.empty() && !options.output.all) {
    parts.line(
        "\n  --all shows frames, J, Jdot, C, craig_B, craig_C, Mx too; --what LIST any of them",
        Audience::terminal);
  }
  return parts.document();
}

}  // namespace armdyn
