#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "cli/check/answer.hpp"
#include "io/text/number_text.hpp"
#include "math/rotation.hpp"
#include "model/motors.hpp"
#include "model/shown_text.hpp"
#include "report/answer.hpp"
#include "report/joint_words.hpp"
#include "report/limit_words.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

using std::numbers::pi;

std::string number(double value) {
  return fmt::format("{:.5g}", value + 0.0);
}

/// "-pi/2" for quarter turns, else five digits.
std::string in_radians(double angle) {
  const double quarters = angle / (pi / 2);
  if (quarters != std::nearbyint(quarters) || angle == 0.0) return number(angle);
  return quarter_turns_text(quarters);
}

std::string in_degrees(double angle) {
  return fmt::format("{:.6g}", degrees(angle) + 0.0);
}

/// "q2 - 90": the joint variable and its offset.
std::string variable(std::size_t joint, const std::string& offset) {
  std::string q = fmt::format("q{}", joint + 1);
  if (offset == "0") return q;
  if (offset.starts_with('-')) return q + " - " + offset.substr(1);
  return q + " + " + offset;
}

Row dh_row(const Joint& joint, std::size_t i) {
  const auto& [a, alpha, d, theta] = joint.dh;
  const auto maybe_variable = [&](bool is_variable, const std::string& text) {
    return is_variable ? variable(i, text) : text;
  };
  return {joint.name,
          name(joint.type),
          number(a),
          in_degrees(alpha),
          in_radians(alpha),
          maybe_variable(!turns(joint), number(d)),
          maybe_variable(turns(joint), in_degrees(theta)),
          maybe_variable(turns(joint), in_radians(theta))};
}

std::string dh_table(const Robot& robot) {
  Rows rows{{"joint", "type", "a [m]", "α [deg]", "α [rad]", "d [m]", "θ [deg]", "θ [rad]"}};
  for (std::size_t i = 0; i < robot.dof(); ++i) rows.push_back(dh_row(robot.joints[i], i));
  const bool standard = robot.convention == Convention::standard;
  return fmt::format("Denavit-Hartenberg table, {}: {}\n", name(robot.convention),
                     standard ? "T = Rz(θ) Tz(d) Tx(a) Rx(α), joint i acts along z of {i-1}"
                              : "T = Rx(α) Tx(a) Rz(θ) Tz(d), joint i acts along z of {i}") +
         text_table(rows);
}

/// "y" or "y 12°": the frame's axis that a direction is nearest to, and the angle between them.
std::string nearest_axis(const Vec3& direction) {
  const std::array<double, 3> size{std::abs(direction.x), std::abs(direction.y),
                                   std::abs(direction.z)};
  const auto largest = std::max_element(size.begin(), size.end());
  const std::string axis(1, "xyz"[largest - size.begin()]);
  const double angle = degrees(std::acos(std::min(1.0, *largest)));
  return angle < 0.05 ? axis : fmt::format("{} {:.2g}°", axis, angle);
}

std::string shape(const MassProperties& body) {
  if (!is_possible(body)) return body.mass == 0.0 ? "inertia without mass" : "no body has it";
  if (body.mass == 0.0) return "no mass";
  const Vec3 box = equivalent_box(body);
  const auto length = [](double edge) { return fmt::format("{:.3g}", edge); };
  const double thin = 1e-6 * box.x;
  if (box.x == 0.0) return "point";
  if (box.y <= thin) return "rod " + length(box.x);
  if (box.z <= thin) return "plate " + length(box.x) + " x " + length(box.y);
  return length(box.x) + " x " + length(box.y) + " x " + length(box.z);
}

std::string short_text(double value) {
  return Value::number(value).brief;
}

/// A table with a row per link, and one for the payload if there is one.
template <class MakeRow>
std::string link_table(const Robot& robot, const std::string& title, Row header, MakeRow make_row) {
  Rows rows{std::move(header)};
  const auto add = [&](const std::string& name, const MassProperties& body) {
    rows.push_back(make_row(body));
    rows.back().insert(rows.back().begin(), name);
  };
  for (const Joint& joint : robot.joints) add(joint.name, joint.body);
  if (robot.payload.mass > 0.0) add("payload", robot.payload);
  return title + "\n" + text_table(rows);
}

std::string mass_table(const Robot& robot) {
  return link_table(
      robot, "Mass, centre of mass in {i}, and the box that has such a mass and inertia",
      {"link", "mass [kg]", "x [m]", "y [m]", "z [m]", "box [m]"}, [](const MassProperties& body) {
        const auto& [x, y, z] = body.com;
        return Row{number(body.mass), short_text(x), short_text(y), short_text(z), shape(body)};
      });
}

Row tensor_row(const SymMat3& I) {
  Row row;
  for (const double entry : {I.xx, I.yy, I.zz, I.xy, I.yz, I.xz}) row.push_back(short_text(entry));
  return row;
}

std::string inertia_table(const Robot& robot) {
  return link_table(robot, "Inertia tensor about the centre of mass in axes of {i} [kg·m²]",
                    {"link", "xx", "yy", "zz", "xy", "yz", "xz"},
                    [](const MassProperties& body) { return tensor_row(body.inertia); });
}

std::string frame_table(const Robot& robot, const Transform& frame) {
  return link_table(
      robot,
      "Inertia tensor about the origin and in the axes of --frame, which stands in {i} [kg·m²]",
      {"link", "xx", "yy", "zz", "xy", "yz", "xz"},
      [&frame](const MassProperties& body) { return tensor_row(inertia_in(frame, body)); });
}

std::string line_table(const Robot& robot, const Line& line) {
  return link_table(robot, "Moment of inertia about --line, given in {i} [kg·m²]",
                    {"link", "moment"}, [&line](const MassProperties& body) {
                      return Row{short_text(moment_about(line.point, line.direction, body))};
                    });
}

std::string principal_table(const Robot& robot) {
  return link_table(
      robot,
      "Principal moments [kg·m²], each with the axis of {i} nearest to its own and how far off",
      {"link", "smallest", "axis", "middle", "axis", "largest", "axis"},
      [](const MassProperties& body) {
        const auto& [moments, axes] = principal_inertia(body.inertia);
        return Row{short_text(moments.x),    nearest_axis(axes.row_x), short_text(moments.y),
                   nearest_axis(axes.row_y), short_text(moments.z),    nearest_axis(axes.row_z)};
      });
}

std::string load_table(const CheckReport& report) {
  const Robot& robot = *report.robot;
  const Examination& found = report.examination;
  double largest = found.total_mass * found.reach.value;
  for (const JointLoad& load : found.loads) largest = std::max(largest, load.largest_gravity.value);
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    rows.push_back({{for_people, "joint", Value::word(robot.joints[i].name)}});
    for (const Field& field : load_fields(robot.joints[i], found.loads[i], 1e-13 * largest)) {
      rows.back().push_back(field);
    }
  }
  return "What the joints feel over their range, each by itself: the extremes that a search "
         "found\n" +
         table(rows);
}

std::string reach_text(const CheckReport& report) {
  const Examination& found = report.examination;
  std::string text = fmt::format("the tool gets {} m away from the origin of {{0}}",
                                 short_number(found.reach.value));
  if (!found.axis_reach.q.empty()) {
    text += ", " + short_number(found.axis_reach.value) + " m from the axis of joint 1";
  }
  return wrapped("reach        ", text + ", as far as a search found");
}

std::string mass_matrix_text(const CheckReport& report) {
  using Kind = MassMatrixVerdict::Kind;
  const auto& [kind, smallest, joints] = report.examination.mass_matrix;
  switch (kind) {
    case Kind::singular_somewhere:
      return "mass matrix  can become singular\n";
    case Kind::singular_everywhere:
      return "mass matrix  singular everywhere\n";
    case Kind::indefinite:
      return "mass matrix  not positive definite\n";
    case Kind::regular:
      break;
  }
  const std::string words = fmt::format(
      "regular wherever the search came; smallest ratio of its eigenvalues (scaled) {:.2g}, at q = "
      "{}, for motions of {}",
      smallest.value, position_text(*report.robot, smallest.q, 1),
      fmt::join(joint_names(*report.robot, joints), ", "));
  return wrapped("mass matrix  ", words);
}

std::string difference_text(const ArmDifference& found) {
  std::vector<Fields> rows;
  rows.reserve(found.numbers.size());
  for (const Difference& one : found.numbers) rows.push_back(difference_fields(one));
  return "What differs, in lengths, angles and moments that no choice of frames changes\n" +
         (rows.empty() ? "none of them\n" : list(rows)) +
         wrapped("", fmt::format(
                         "At the same q, the tool frame differs by up to {} m and {} deg, "
                         "gravity by up to {} of {} and the torque of the links by up to {} of "
                         "{} (N·m or N, at 200 random states).",
                         short_number(found.tool_distance), short_number(degrees(found.tool_angle)),
                         short_number(found.gravity), short_number(found.largest_gravity),
                         short_number(found.torque), short_number(found.largest_torque)));
}

std::string couplings_text(const Robot& robot) {
  std::string text;
  for (const Coupling& coupling : robot.couplings) {
    for (const std::size_t i : coupling.joints) {
      text += wrapped("coupling     ", fmt::format("the motor of {} is at {}", robot.joints[i].name,
                                                   motor_position(robot, i)));
    }
  }
  for (const MotorLimit& limit : motor_limits(robot)) {
    text += wrapped("coupling     ", fmt::format("the motor of {} is limited to {} {}",
                                                 robot.joints[limit.motor].name,
                                                 short_number(limit.most), motor_unit(limit.kind)));
  }
  return text;
}

std::string summary(const CheckReport& report) {
  const Examination& found = report.examination;
  std::string text = fmt::format("total mass   {} kg", number(found.total_mass));
  if (report.robot->payload.mass > 0.0) {
    text += fmt::format(", and a payload of {} kg", number(report.robot->payload.mass));
  }
  text += "\n" + reach_text(report) + mass_matrix_text(report) + couplings_text(*report.robot);
  for (const std::string& note : found.notes) text += wrapped("note         ", note);
  return text;
}

std::string title(const CheckReport& report) {
  const Robot& robot = *report.robot;
  std::string text = wrapped(robot.name + ": ", robot.description);
  if (robot.description.empty()) text = robot.name + "\n";
  if (!robot.source.empty()) text += wrapped("source: ", robot.source);
  std::vector<std::string> values;
  for (const Parameter& parameter : report.parameters) {
    values.push_back(fmt::format("{} = {}", parameter.name, parameter.value));
  }
  if (!values.empty()) text += wrapped("parameters: ", fmt::format("{}", fmt::join(values, ", ")));
  return text;
}

/// Values that are still to be filled in, as in what `armdyn new` writes.
std::size_t count_blanks(const CheckReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.findings, [](const Finding& f) { return f.message.starts_with("found nothing;"); }));
}

}  // namespace

std::string model_text(const CheckReport& report) {
  const Robot& robot = *report.robot;
  std::string text = title(report) + "\n" + dh_table(robot) + "\n" + mass_table(robot) + "\n" +
                     inertia_table(robot) + "\n";
  if (report.frame) text += frame_table(robot, *report.frame) + "\n";
  if (report.line) text += line_table(robot, *report.line) + "\n";
  return text + principal_table(robot) + "\n" + load_table(report) + "\n" +
         (report.difference ? difference_text(*report.difference) + "\n" : "") + summary(report);
}

std::string verdict_text(const CheckReport& report) {
  std::string text;
  const std::size_t listed = std::min(report.findings.size(), most_findings);
  for (const Finding& finding : std::span(report.findings).first(listed)) {
    text += to_text(finding, report.file) + "\n";
  }
  if (const std::size_t more = report.findings.size() - listed; more > 0) {
    text += fmt::format("{}: and {} more\n", report.file, more);
  }
  const std::size_t errors = report.count(Severity::error);
  const std::size_t warnings = report.count(Severity::warning);
  text += report.file + ": ";
  if (errors > 0) {
    const std::size_t blanks = count_blanks(report);
    if (blanks < errors) text += counted(errors, "error");
    if (blanks > 0) {
      text += (blanks < errors ? ", among them " : "") + counted(blanks, "blank") + " to fill in";
    }
    return text + "; the file cannot be used\n";
  }
  if (warnings > 0) return text + "can be used, with " + counted(warnings, "warning") + "\n";
  return text + "sound\n";
}

}  // namespace armdyn
