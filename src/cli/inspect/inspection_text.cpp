#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/inspect/inspection.hpp"
#include "cli/inspect/options.hpp"
#include "io/text/degrees.hpp"
#include "report/matrix_text.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

using Labels = std::vector<std::string>;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool all_zero(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

bool any_prismatic(const Robot& robot) {
  return std::any_of(robot.joints.begin(), robot.joints.end(),
                     [](const Joint& joint) { return joint.type == JointType::prismatic; });
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

Matrix homogeneous(const Transform& T) {
  Matrix A(4, 4);
  const Vec3* const rows[] = {&T.R.row_x, &T.R.row_y, &T.R.row_z};
  const double p[] = {T.p.x, T.p.y, T.p.z};
  for (std::size_t i = 0; i < 3; ++i) {
    A(i, 0) = rows[i]->x;
    A(i, 1) = rows[i]->y;
    A(i, 2) = rows[i]->z;
    A(i, 3) = p[i];
  }
  A(3, 3) = 1.0;
  return A;
}

/// Sections with a heading each, a blank line between them.
class Page {
 public:
  void section(const std::string& heading, const std::string& body) {
    text_ += (text_.empty() ? "" : "\n") + heading + "\n" + body;
  }
  void matrix(const std::string& heading, const Labels& rows, const Labels& columns,
              const Matrix& values) {
    if (all_zero(values.entries())) {
      section(heading + ", all zero", "");
    } else {
      section(heading, matrix_text(rows, columns, values));
    }
  }
  void line(const std::string& text) { text_ += text + "\n"; }

  [[nodiscard]] std::string text() const { return text_; }

 private:
  std::string text_;
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
  std::vector<double> in_degrees;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const bool revolute = robot.joints[i].type == JointType::revolute;
    in_degrees.push_back(revolute ? degrees(found.q[i]) : no_value);
  }
  const Equations& e = found.equations;
  std::vector<LabelledColumn> columns{{any_prismatic(robot) ? "q rad, m" : "q rad", found.q},
                                      {"deg", in_degrees}};
  if (!all_zero(found.qd)) columns.push_back({"qd", found.qd});
  if (!all_zero(found.qdd)) columns.push_back({"qdd", found.qdd});
  if (!all_zero(found.qd)) {
    columns.push_back({"M qd", e.momentum});
    columns.push_back({"V", e.V});
  }
  columns.push_back({"G", e.G, {}, weight(robot)});
  columns.push_back({"tau", found.tau, {}, weight(robot)});
  const std::string at_rest = all_zero(found.qd) ? " (at rest: V = 0)" : "";
  page.section(robot.name + at_rest, columns_text(joint_labels(robot), columns));
  page.line(
      fmt::format("  kinetic energy {:.5g} J, potential {:.5g} J (zero at the origin of {{0}})",
                  e.kinetic, e.potential));
  page.line(
      fmt::format("  tau: what the drives deliver, losses included; positive G holds the arm "
                  "up; N·m{}",
                  any_prismatic(robot) ? ", N if sliding" : ""));
}

void add_equilibrium(Page& page, const Equilibrium& found) {
  std::string kind = "stable";
  if (found.neutral_directions > 0) {
    kind = fmt::format("neutral in {} direction{}", found.neutral_directions,
                       found.neutral_directions == 1 ? "" : "s");
  }
  if (found.falling_directions > 0) {
    kind = fmt::format("unstable in {} direction{}", found.falling_directions,
                       found.falling_directions == 1 ? "" : "s");
  }
  page.line(fmt::format("  equilibrium without drives: {}; found in {} steps, |G| left {:.1e}",
                        kind, found.iterations, found.residual));
}

void add_kinematics(Page& page, const Inspection& found) {
  const auto entries = [&found](auto entry) {
    std::vector<double> values;
    for (const Transform& frame : found.pose.frames) values.push_back(entry(frame));
    return values;
  };
  page.section("Link frames in {0}: origin (m), directions of x and z",
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
  const Labels blank(4, "");
  page.section("T: the tool in {0}", matrix_text(blank, blank, homogeneous(found.pose.hand)));
  if (found.has_base) {
    page.section("T_world: the tool in the world",
                 matrix_text(blank, blank, homogeneous(found.pose.hand_in_world)));
  }
  const Labels rows = row_names(all_task_rows());
  const Labels joints = numbers(found.J.columns());
  page.matrix("J: Jacobian of the tool point, axes of {0}", rows, joints, found.J);
  const Cartesian& task = found.cartesian;
  const bool some_rows = task.rows.size() % 6 != 0;
  page.line(
      fmt::format("  {}manipulability {:.5g}, condition number {:.4g}",
                  some_rows ? fmt::format("rows {}: ", fmt::join(row_names(task.rows), ", ")) : "",
                  task.dexterity.manipulability, task.dexterity.condition));
  page.matrix("Jdot: time derivative of J", rows, joints, found.Jdot);
}

void add_joint_space(Page& page, const Inspection& found, const Robot& robot) {
  const std::string unit = any_prismatic(robot) ? "kg·m², kg·m, kg" : "kg·m²";
  const Equations& e = found.equations;
  const Labels joints = numbers(e.M.rows());
  page.matrix("M: mass matrix with reflected rotors, " + unit, joints, joints, e.M);
  if (e.M == e.M_links) {
    page.section("M_links: the same, there are no rotors", "");
  } else {
    page.matrix("M_links: mass matrix without rotors", joints, joints, e.M_links);
  }
  page.matrix("C: Christoffel matrix, V = C qd and dM/dt - 2C skew", joints, joints, e.C);
  if (e.craig.B.columns() > 0) {
    page.matrix("craig_B transposed: V = B(q)(qd_j qd_k) + C(q)(qd_j^2), one row per j·k",
                pair_names(joints.size()), joints, transposed(e.craig.B));
  }
  page.matrix("craig_C: the squares' coefficients", joints, joints, e.craig.C);
}

void add_cartesian(Page& page, const Cartesian& found, std::size_t dof) {
  if (!found.terms) {
    page.section("Mx, Vx, Gx, craig_Bx, craig_Cx: none", "  " + found.refusal + "\n");
    return;
  }
  const CartesianTerms& c = *found.terms;
  const Labels rows = row_names(found.rows);
  page.matrix("Mx: Cartesian mass matrix, F = Mx a + Vx + Gx at the tool", rows, rows, c.Mx);
  page.section("Vx and Gx", columns_text(rows, {{"Vx", c.Vx}, {"Gx", c.Gx}}));
  const Labels joints = numbers(dof);
  if (c.craig.B.columns() > 0) {
    page.matrix("craig_Bx transposed: tau = Jᵀ(Mx a + Gx) + Bx(qd_j qd_k) + Cx(qd_j^2)",
                pair_names(dof), joints, transposed(c.craig.B));
  }
  page.matrix("craig_Cx", joints, joints, c.craig.C);
}

std::string vectors_text(const Labels& names, const std::vector<Vec3>& vectors) {
  Matrix rows(vectors.size(), 3);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    rows(i, 0) = vectors[i].x;
    rows(i, 1) = vectors[i].y;
    rows(i, 2) = vectors[i].z;
  }
  return matrix_text(names, {"x", "y", "z"}, rows);
}

/// As Craig's examples set them: outward link by link, then inward.
void add_links(Page& page, const Inspection& found, const Robot& robot) {
  const Labels joints = joint_labels(robot);
  Labels outward, inward;
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    const LinkMotion& link = found.links[i];
    const std::string title = fmt::format("  link {}\n", joints[i]);
    outward.push_back(
        title + vectors_text({"omega      rad/s", "omega_dot  rad/s²", "v          m/s",
                              "v_dot      m/s²", "F          N", "N          N·m"},
                             {link.omega, link.omega_dot, link.v, link.v_dot, link.F, link.N}));
    inward.push_back(title + vectors_text({"force      N", "moment     N·m"},
                                          {link.joint.force, link.joint.moment}));
  }
  std::reverse(inward.begin(), inward.end());
  page.section("Outward: each link in axes of its frame {i}; v_dot and F contain -g",
               fmt::format("{}", fmt::join(outward, "\n")));
  page.section(fmt::format("Inward: what link i-1 exerts on link i, in axes of {{i}}, the moment "
                           "about the origin of {{{}}}",
                           robot.convention == Convention::standard ? "i-1" : "i"),
               fmt::format("{}", fmt::join(inward, "\n")));
}

void add_linear_models(Page& page, const Linearization& found) {
  const std::size_t n = found.torque.dq.rows();
  const Labels joints = numbers(n);
  page.matrix("dtau/dq", joints, joints, found.torque.dq);
  page.matrix("dtau/dqd, dry friction taken as constant", joints, joints, found.torque.dqd);
  if (!found.continuous) {
    page.section("A, B: none", "  " + found.refusal + "\n");
    return;
  }
  Labels states;
  for (const std::string& joint : joints) states.push_back("q" + joint);
  for (const std::string& joint : joints) states.push_back("qd" + joint);
  page.matrix("A: d/dt (q, qd) = A (q, qd) + B tau, as deviations from this state", states, states,
              found.continuous->A);
  page.matrix("B", states, joints, found.continuous->B);
  if (found.sampled) {
    const std::string held = fmt::format("torques held for {:.4g} s", found.sample_time);
    page.matrix("Ad: the next sample, " + held, states, states, found.sampled->A);
    page.matrix("Bd", states, joints, found.sampled->B);
  } else if (found.sample_time > 0.0) {
    page.section("Ad, Bd: none", "  " + found.refusal + "\n");
  }
}

}  // namespace

std::string inspection_text(const Inspection& found, const Robot& robot,
                            const InspectOptions& options) {
  Page page;
  add_state(page, found, robot);
  if (found.equilibrium) add_equilibrium(page, *found.equilibrium);
  add_kinematics(page, found);
  add_joint_space(page, found, robot);
  add_cartesian(page, found.cartesian, robot.dof());
  if (options.links) add_links(page, found, robot);
  if (found.linear) add_linear_models(page, *found.linear);
  return page.text();
}

}  // namespace armdyn
