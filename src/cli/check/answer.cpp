#include "cli/check/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cli/options/verb_frame.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/check.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

using Texts = std::vector<std::string>;

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

/// "q2", or "q2 - q1 + pi" of a joint that follows others; its offset by `shown`.
std::string position_text(const Robot& robot, std::size_t k, std::string (*shown)(double)) {
  const auto [joints, factors, offset] = joint_row(robot, robot, k);
  std::string text;
  const auto add = [&text, shown](double number, const std::string& times) {
    const std::string size = times.empty() ? shown(std::abs(number))
                             : std::abs(number) == 1.0
                                 ? times
                                 : fmt::format("{:.6g} {}", std::abs(number), times);
    const char* const sign = number < 0.0   ? (text.empty() ? "-" : " - ")
                             : text.empty() ? ""
                                            : " + ";
    if (number != 0.0) text += sign + size;
  };
  for (std::size_t j = 0; j < joints.size(); ++j)
    add(factors[j], fmt::format("q{}", joints[j] + 1));
  add(offset, "");
  return text.empty() ? "0" : text;
}

/// "q2 - 90": the joint variable and its offset.
std::string variable(std::string q, const std::string& offset) {
  if (offset == "0") return q;
  if (offset.starts_with('-')) return q + " - " + offset.substr(1);
  return q + " + " + offset;
}

Texts dh_row(const Robot& robot, std::size_t k) {
  const Joint& joint = joint_at(robot, k);
  const auto& [a, alpha, d, theta] = joint.dh;
  const auto maybe_variable = [&](bool is_variable, double constant, std::string (*shown)(double)) {
    const std::string text = shown(constant);
    return is_variable ? variable(position_text(robot, k, shown), text) : text;
  };
  return {joint.name,
          name(joint),
          number(a),
          in_degrees(alpha),
          in_radians(alpha),
          maybe_variable(!turns(joint), d, number),
          maybe_variable(turns(joint), theta, in_degrees),
          maybe_variable(turns(joint), theta, in_radians)};
}

/// A table for people, of texts.
Section text_section(const std::string& heading, const Texts& labels,
                     const std::vector<Texts>& rows) {
  FieldTable table;
  for (const Texts& row : rows) {
    Fields& fields = table.rows.emplace_back();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      fields.push_back({for_people, labels[i], Value::word(row[i])});
    }
  }
  return {"", table, heading, true};
}

Section dh_table(const Robot& robot) {
  std::vector<Texts> rows;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    if (!joint_at(robot, k).axis) rows.push_back(dh_row(robot, k));
  }
  const bool standard = robot.convention == Convention::standard;
  return text_section(
      fmt::format("Denavit-Hartenberg table, {}: {}", name(robot.convention),
                  standard ? "T = Rz(θ) Tz(d) Tx(a) Rx(α), joint i acts along z of {i-1}"
                           : "T = Rx(α) Tx(a) Rz(θ) Tz(d), joint i acts along z of {i}"),
      {"joint", "type", "a [m]", "α [deg]", "α [rad]", "d [m]", "θ [deg]", "θ [rad]"}, rows);
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

std::string shape(const Robot& robot, const MassProperties& body) {
  if (!is_physically_consistent(body) && needs_zz_alone(robot, body.inertia))
    return "zz alone counts";
  if (!is_physically_consistent(body))
    return body.mass == 0.0 ? "inertia without mass" : "inconsistent";
  if (body.mass == 0.0) return "no mass";
  const Vec3 box = equivalent_box(body);
  const auto length = [](double edge) { return fmt::format("{:.3g}", edge); };
  const double thin = 1e-6 * box.x;
  if (box.x == 0.0) return "point";
  if (box.y <= thin) return "rod " + length(box.x);
  if (box.z <= thin) return "plate " + length(box.x) + " x " + length(box.y);
  return length(box.x) + " x " + length(box.y) + " x " + length(box.z);
}

/// A table with a row per link, and one for the payload if there is one.
template <class CellsOf>
Section link_table(const Robot& robot, const std::string& heading, Texts labels, CellsOf cells_of) {
  std::vector<Texts> rows;
  const auto add = [&](const std::string& name, const MassProperties& body) {
    rows.push_back(cells_of(body));
    rows.back().insert(rows.back().begin(), name);
  };
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    add(joint_at(robot, k).name, joint_at(robot, k).body);
  }
  if (robot.payload.mass > 0.0) add("payload", robot.payload);
  labels.insert(labels.begin(), "link");
  return text_section(heading, labels, rows);
}

/// Semi-axes of the ellipsoid of inertia, the longest first. A moment that is nothing but rounding
/// is 0: there it has no end.
std::vector<double> semi_axes(const SymMat3& I) {
  const Vec3 moments = principal_inertia(I).moments;
  const double least = 1e-15 * (moments.x + moments.y + moments.z);
  return each(coordinates(moments), [least](double moment) {
    return moment > least ? 1.0 / std::sqrt(moment) : std::numeric_limits<double>::infinity();
  });
}

Texts short_texts(const std::vector<double>& values) {
  return each(values, [](double value) { return Value::number(value).brief; });
}

Texts tensor_cells(const SymMat3& I) {
  return short_texts({I.xx, I.yy, I.zz, I.xy, I.yz, I.xz});
}

/// Masses and inertias in their frames, and by --frame and --line.
Sections link_tables(const CheckReport& report) {
  const Robot& robot = *report.robot;
  const Texts tensor{"xx", "yy", "zz", "xy", "yz", "xz"};
  Sections tables{
      link_table(robot, "Mass, center of mass in {i}, and the box that has such a mass and inertia",
                 {"mass [kg]", "x [m]", "y [m]", "z [m]", "box [m]"},
                 [&robot](const MassProperties& body) {
                   Texts cells = short_texts({body.com.x, body.com.y, body.com.z});
                   cells.insert(cells.begin(), number(body.mass));
                   cells.push_back(shape(robot, body));
                   return cells;
                 }),
      link_table(robot, "Inertia tensor about the center of mass in axes of {i} [kg·m²]", tensor,
                 [](const MassProperties& body) { return tensor_cells(body.inertia); })};
  if (report.frame) {
    tables.push_back(link_table(
        robot,
        "Inertia tensor about the origin and in the axes of --frame, which stands in {i} [kg·m²]",
        tensor,
        [&](const MassProperties& body) { return tensor_cells(inertia_in(*report.frame, body)); }));
    tables.push_back(link_table(robot,
                                "Ellipsoid of inertia about that origin, semi-axes [1/√(kg·m²)]",
                                {"longest", "middle", "shortest"}, [&](const MassProperties& body) {
                                  return short_texts(semi_axes(inertia_in(*report.frame, body)));
                                }));
  }
  if (report.line) {
    tables.push_back(link_table(
        robot, "Moment of inertia about --line, given in {i} [kg·m²]", {"moment"},
        [&](const MassProperties& body) {
          return short_texts({moment_about(report.line->point, report.line->direction, body)});
        }));
  }
  tables.push_back(link_table(
      robot,
      "Principal moments [kg·m²], each with the axis of {i} nearest to its own and how far off",
      {"smallest", "axis", "middle", "axis", "largest", "axis"}, [](const MassProperties& body) {
        const auto& [moments, axes] = principal_inertia(body.inertia);
        const Texts sizes = short_texts({moments.x, moments.y, moments.z});
        return Texts{sizes[0], nearest_axis(axes.row_x), sizes[1], nearest_axis(axes.row_y),
                     sizes[2], nearest_axis(axes.row_z)};
      }));
  return tables;
}

// --- for programs

Json tensor_data(const SymMat3& I) {
  return {{"xx", I.xx}, {"yy", I.yy}, {"zz", I.zz}, {"xy", I.xy}, {"yz", I.yz}, {"xz", I.xz}};
}

Json finding_data(const Finding& finding) {
  Json entry{{"severity", finding.severity == Severity::error ? "error" : "warning"},
             {"path", finding.path},
             {"message", finding.message}};
  if (finding.line > 0) {
    entry["line"] = finding.line;
    if (finding.column > 0) entry["column"] = finding.column;
  }
  return entry;
}

Json body_data(const MassProperties& body, const CheckReport& report) {
  const auto& [moments, axes] = principal_inertia(body.inertia);
  Json entry{{"mass", body.mass},
             {"com", coordinates(body.com)},
             {"inertia", tensor_data(body.inertia)},
             {"principal_moments", coordinates(moments)},
             {"principal_axes", list_of_axes(axes)},
             {"second_moments", coordinates(second_moments(moments))},
             {"physically_consistent", is_physically_consistent(body)},
             {"box", nullptr}};
  if (is_physically_consistent(body) && body.mass > 0.0)
    entry["box"] = coordinates(equivalent_box(body));
  if (report.frame) {
    const SymMat3 I = inertia_in(*report.frame, body);
    entry["inertia_in_frame"] = tensor_data(I);
    entry["ellipsoid_in_frame"] =
        Json{{"semi_axes", semi_axes(I)}, {"directions", list_of_axes(principal_inertia(I).axes)}};
  }
  if (report.line) {
    entry["moment_about_line"] = moment_about(report.line->point, report.line->direction, body);
  }
  return entry;
}

Json at_position(const AtPosition& found) {
  return {{"value", found.value}, {"q", found.q}};
}

Json joint_data(const Joint& joint, const CheckReport& report) {
  const auto& [a, alpha, d, theta] = joint.dh;
  Json entry = body_data(joint.body, report);
  entry["type"] = name(joint);
  if (!joint.axis) entry["dh"] = {{"a", a}, {"alpha", alpha}, {"d", d}, {"theta", theta}};
  return entry;
}

Json coupling_data(const Robot& robot, const Coupling& coupling) {
  const std::vector<std::size_t> places = in_order(coupling.joints.size());
  const auto row = [&](std::size_t m) {
    return each(places, [&](std::size_t j) { return coupling.ratio(m, j); });
  };
  return {{"motors", joint_names(robot, coupling.joints)},
          {"matrix", each(places, row)},
          {"offsets", coupling.offsets},
          {"velocity_limits", coupling.velocity_limits},
          {"torque_limits", coupling.torque_limits}};
}

/// Load of a joint over its range, by itself. People see gravity up to `rounding` as 0.
Fields load_fields(const Joint& joint, const JointLoad& load, double rounding) {
  const double gravity = load.largest_gravity.value <= rounding ? 0.0 : load.largest_gravity.value;
  const std::string inertia =
      Value::range(load.smallest_inertia.value, load.largest_inertia.value).brief;
  return {{"name", "joint", Value::word(joint.name)},
          {"smallest_inertia", for_programs, Value::data(at_position(load.smallest_inertia))},
          {"largest_inertia",
           "inertia of the links",
           {at_position(load.largest_inertia), inertia + " " + inertia_unit(joint)}},
          {"rotor_inertia",
           "of the rotor",
           {load.rotor_inertia, load.rotor_inertia > 0.0 ? short_number(load.rotor_inertia) : "-"}},
          {"largest_gravity",
           "largest gravity",
           {at_position(load.largest_gravity),
            Value::number(gravity).brief + " " + torque_unit(joint)}},
          {"torque_limit", "torque limit", Value::number(joint.limits.torque)}};
}

/// How the joints of a mechanism hang together; where joints have axes, with these.
FieldTable mechanism_table(const Robot& robot) {
  const std::vector<std::size_t> all = in_order(number_of_joints(robot));
  const bool has_axes = std::ranges::any_of(
      all, [&robot](std::size_t k) { return joint_at(robot, k).axis.has_value(); });
  return {each(all, [&robot, has_axes](std::size_t k) -> Fields {
    const Joint& joint = joint_at(robot, k);
    const auto parent = parent_of(robot, k);
    const Placement at = joint.origin.value_or(Placement{});
    const auto list = [](const Vec3& v) {
      return fmt::format("{}", fmt::join(each(coordinates(v), number), ", "));
    };
    Fields cells{
        {"name", "joint", Value::word(joint.name)},
        {"parent", "on", Value::word(parent ? joint_at(robot, *parent).name : "base")},
        {"position", "position [rad, m]", Value::word(position_text(robot, k, in_radians))},
        {"xyz", "origin [m]", {coordinates(at.xyz), list(at.xyz)}},
        {"rpy", "its rpy [rad]", {coordinates(at.rpy), list(at.rpy)}},
        {"pitch", "pitch [m/turn]", Value::number(joint.pitch)}};
    if (!has_axes) return cells;
    const Vec3 axis = joint.axis.value_or(Vec3{0.0, 0.0, 1.0}), &point = joint.axis_point;
    cells.push_back({"axis", "axis", {coordinates(axis), list(axis)}});
    cells.push_back({"axis_point", "through [m]", {coordinates(point), list(point)}});
    cells.push_back({"type", "type", Value::word(name(joint))});
    return cells;
  })};
}

/// "800 (x - 0.2) + 50", "a table of 5 points".
std::string law_of(const Spring& spring) {
  if (!spring.table.empty()) return fmt::format("a table of {} points", spring.table.size());
  const double rest = spring.row.empty() ? spring.free_length : spring.rest;
  const std::string stiffness = spring.piecewise.empty()
                                    ? number(spring.stiffness)
                                    : fmt::format("k of {} pieces", spring.piecewise.size());
  const std::string preload = variable("", number(spring.preload));
  return stiffness + (rest == 0.0 ? " x" : fmt::format(" ({})", variable("x", number(-rest)))) +
         preload;
}

FieldTable spring_table(const Robot& robot) {
  const auto points = [](const std::vector<SpringPoint>& list) {
    return Json(each(list, [](const SpringPoint& of) { return std::array{of.at, of.value}; }));
  };
  return {each(robot.springs, [&](const Spring& spring) -> Fields {
    const auto term = [](const Followed& of) {
      return fmt::format("{:.6g} {}", of.factor, of.joint);
    };
    const std::string acts = spring.row.empty()
                                 ? spring.from.link + " to " + spring.to.link
                                 : fmt::format("{}", fmt::join(each(spring.row, term), " + "));
    return {{"name", "spring", Value::word(spring.name)},
            {"acts", "acts on", Value::word(acts)},
            {for_people, "torque or force over x [N·m or N]", Value::word(law_of(spring))},
            {"stiffness", for_programs, Value::number(spring.stiffness)},
            {"rest", for_programs, Value::number(spring.rest)},
            {"free_length", for_programs, Value::number(spring.free_length)},
            {"preload", for_programs, Value::number(spring.preload)},
            {"piecewise", for_programs, Value::data(points(spring.piecewise))},
            {"table", for_programs, Value::data(points(spring.table))}};
  })};
}

FieldTable load_table(const CheckReport& report) {
  const Robot& robot = *report.robot;
  const Examination& found = report.examination;
  double largest = found.total_mass * found.reach.value;
  for (const JointLoad& load : found.loads) largest = std::max(largest, load.largest_gravity.value);
  return {each(in_order(robot.dof()), [&](std::size_t i) {
    return load_fields(robot.joints[i], found.loads[i], 1e-13 * largest);
  })};
}

std::string reach_words(const Examination& found) {
  std::string text = fmt::format("the TCP reaches up to {} m from the origin of {{0}}",
                                 short_number(found.reach.value));
  if (!found.axis_reach.q.empty()) {
    text += ", " + short_number(found.axis_reach.value) + " m from the axis of joint 1";
  }
  return text + ", found by a search";
}

std::string mass_matrix_words(const CheckReport& report) {
  const auto& [kind, smallest, joints] = report.examination.mass_matrix;
  if (kind != MassMatrixVerdict::Kind::regular) {
    return text_of_value(
        kind, {"", "can become singular", "singular everywhere", "not positive definite"});
  }
  return fmt::format(
      "positive definite at all sampled positions; worst reciprocal condition number {:.2g} "
      "(scaled), at q = "
      "{}, for motions of {}",
      smallest.value, position_text(*report.robot, smallest.q, 1),
      fmt::join(joint_names(*report.robot, joints), ", "));
}

Section difference_section(const ArmDifference& found) {
  const Deviation& states = found.states;
  Document parts;
  const auto row = [](const Difference& number) -> Fields {
    return {{"joint", "joint", Value::word(number.joint)},
            {"quantity", "quantity", Value::word(number.quantity)},
            {"here", "here", number.here},
            {"there", "there", number.there}};
  };
  parts.add("numbers", FieldTable{each(found.numbers, row), true});
  if (found.numbers.empty()) parts.add(std::string("none of them"));
  parts.add(Paragraphs{
      "",
      {fmt::format("At the same q, the tool frame differs by up to {} m and {} deg, gravity by up "
                   "to {} of {} and the torque of the links by up to {} of {} (N·m or N, at 200 "
                   "random states).",
                   short_number(states.tcp), short_number(degrees(states.turn)),
                   short_number(states.gravity), short_number(states.gravity_scale),
                   short_number(states.torque), short_number(states.torque_scale))}});
  const auto largest = [](double difference, double of) {
    return Json{{"largest_difference", difference}, {"largest", of}};
  };
  parts.add(Json{{"tool", Json{{"largest_distance", states.tcp}, {"largest_angle", states.turn}}},
                 {"gravity", largest(states.gravity, states.gravity_scale)},
                 {"torque", largest(states.torque, states.torque_scale)}});
  return {"difference", parts.sections,
          "Differences, in lengths, angles and moments that do not depend on the choice of frames",
          true};
}

Texts coupling_words(const Robot& robot) {
  Texts words;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (!motor_row(robot, i)) continue;
    words.push_back(
        fmt::format("the motor of {} is at {}", robot.joints[i].name, motor_position(robot, i)));
  }
  for (const RowLimit& limit : row_limits(robot)) {
    if (!limit.is_of_motor) continue;
    words.push_back(fmt::format("the {} is limited to {} {}", limited_name(robot, limit),
                                short_number(limit.most), limit_unit(robot, limit)));
  }
  return words;
}

void add_summary(Document& answer, const CheckReport& report) {
  const Robot& robot = *report.robot;
  const Examination& found = report.examination;
  std::string mass = fmt::format("{} kg", number(found.total_mass));
  if (robot.payload.mass > 0.0) {
    mass += fmt::format(", and a payload of {} kg", number(robot.payload.mass));
  }
  answer.sections.push_back({"", Paragraphs{"total mass   ", {mass}}, "", true});
  answer.add("total_mass", Json(found.total_mass));
  answer.add(Paragraphs{"reach        ", {reach_words(found)}});
  answer.add("reach", at_position(found.reach));
  answer.add("axis_reach", found.axis_reach.q.empty() ? Json() : at_position(found.axis_reach));
  answer.add(Paragraphs{"mass matrix  ", {mass_matrix_words(report)}});
  const auto& [kind, smallest, joints] = found.mass_matrix;
  answer.add("mass_matrix",
             Json{{"kind", text_of_value(kind, {"regular", "singular somewhere",
                                                "singular everywhere", "indefinite"})},
                  {"smallest_ratio", smallest.value},
                  {"q", smallest.q},
                  {"joints", joint_names(robot, joints)}});
  answer.add(Paragraphs{"coupling     ", coupling_words(robot)});
  const auto data = [&](const Coupling& coupling) { return coupling_data(robot, coupling); };
  answer.add("couplings", Json(each(robot.couplings, data)));
  answer.add("notes", Paragraphs{"note         ", found.notes});
}

void add_title(Document& answer, const CheckReport& report) {
  const Robot& robot = *report.robot;
  if (robot.description.empty()) {
    answer.add(robot.name);
  } else {
    answer.add(Paragraphs{robot.name + ": ", {robot.description}});
  }
  if (!robot.source.empty()) answer.add(Paragraphs{"source: ", {robot.source}});
  Texts texts;
  Json values = Json::object();
  for (const Parameter& parameter : report.written.parameters) {
    texts.push_back(fmt::format("{} = {}", parameter.name, parameter.value));
    values[parameter.name] = parameter.value;
  }
  if (!texts.empty()) {
    answer.add(Paragraphs{"parameters: ", {fmt::format("{}", fmt::join(texts, ", "))}});
  }
  answer.add("parameters", values);
  const Texts poses = each(robot.poses, &NamedPose::name);
  if (!poses.empty()) {
    answer.add(Paragraphs{"poses: ", {fmt::format("{}", fmt::join(poses, ", "))}});
  }
  answer.add("poses", Json(poses));
  if (const MassProperties& payload = robot.payload; payload.mass > 0.0) {
    answer.add(fmt::format("payload: {} kg, center of mass ({}) m in the tool frame",
                           number(payload.mass),
                           fmt::join(each(coordinates(payload.com), number), ", ")));
  }
}

Sections model_sections(const CheckReport& report) {
  const Robot& robot = *report.robot;
  Document answer;
  add_title(answer, report);
  if (!report.notes.empty()) answer.add("notes", Paragraphs{"  ", report.notes});
  answer.add("convention", Json(name(robot.convention)));
  if (has_table(robot)) answer.sections.push_back(dh_table(robot));
  if (is_mechanism(robot)) {
    answer.sections.push_back({"mechanism", mechanism_table(robot),
                               "What carries the joints, and their positions", true});
    if (!robot.springs.empty()) {
      answer.sections.push_back({"springs", spring_table(robot), "Springs", true});
    }
  }
  answer.add(link_tables(report));
  answer.sections.push_back({"joints", load_table(report),
                             "Load of each joint over its range: the extremes that a search found",
                             true});
  const auto data = [&](const Joint& joint) { return joint_data(joint, report); };
  answer.add("joints", Json(each(robot.joints, data)));
  answer.add("payload", body_data(robot.payload, report));
  if (report.difference) answer.sections.push_back(difference_section(*report.difference));
  add_summary(answer, report);
  return answer.sections;
}

std::string verdict(const CheckReport& report) {
  const std::size_t errors = report.count(Severity::error);
  const std::size_t warnings = report.count(Severity::warning);
  if (errors == 0 && warnings == 0) {
    return "no problems found in units, table, inertias, friction, limits and mass matrix";
  }
  if (errors == 0) return "can be used, with " + counted(warnings, "warning");
  std::string text;
  if (report.blanks < errors) text += counted(errors, "error");
  if (report.blanks > 0) {
    text += (text.empty() ? "" : ", among them ") + counted(report.blanks, "blank") + " to fill in";
  }
  return text + "; the file cannot be used";
}

/// Adds a line with the verdict, and one per finding.
void add_findings(Document& answer, const CheckReport& report) {
  const std::size_t listed = std::min(report.findings.size(), most_findings);
  Json data = Json::list();
  Texts lines{report.file + ": " + verdict(report)};
  for (const Finding& finding : std::span(report.findings).first(listed)) {
    lines.push_back(to_text(finding, report.file));
    data.push_back(finding_data(finding));
  }
  if (const std::size_t more = report.findings.size() - listed; more > 0) {
    lines.push_back(fmt::format("{}: and {} more", report.file, more));
  }
  answer.add(fmt::format("{}", fmt::join(lines, "\n")));
  answer.add("findings", data);
  answer.add(Json{{"error_count", report.count(Severity::error)},
                  {"warning_count", report.count(Severity::warning)}});
}

}  // namespace

Document check_answer(const CheckReport& report, const CheckOptions& options) {
  const RobotFile file{report.robot.value_or(Robot{}), {}, report.file, report.digest};
  Document answer = answer_frame(file, options);
  answer.model_warnings.reset();
  add_findings(answer, report);
  if (report.robot) {
    Sections model = model_sections(report);
    model.front().is_apart = true;
    answer.add(options.output.quiet ? only_for(Audience::programs, model) : model);
  } else {
    answer.data("robot")["name"] = nullptr;
  }
  return answer;
}

}  // namespace armdyn
