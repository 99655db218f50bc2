#include <armdyn/arm.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/check/answer.hpp"
#include "cli/check/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/text/number_text.hpp"
#include "math/rigid.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

using nlohmann::json;

json tensor(const SymMat3& I) {
  return {{"xx", I.xx}, {"yy", I.yy}, {"zz", I.zz}, {"xy", I.xy}, {"yz", I.yz}, {"xz", I.xz}};
}

json finding_json(const Finding& finding) {
  json entry{{"severity", finding.severity == Severity::error ? "error" : "warning"},
             {"path", finding.path},
             {"message", finding.message}};
  if (finding.line > 0) {
    entry["line"] = finding.line;
    if (finding.column > 0) entry["column"] = finding.column;
  }
  return entry;
}

json body_json(const MassProperties& body, const CheckReport& report) {
  const auto& [moments, axes] = principal_inertia(body.inertia);
  json entry{{"mass", body.mass},
             {"com", coordinates(body.com)},
             {"inertia", tensor(body.inertia)},
             {"principal_moments", coordinates(moments)},
             {"principal_axes",
              {coordinates(axes.row_x), coordinates(axes.row_y), coordinates(axes.row_z)}},
             {"second_moments", coordinates(second_moments(moments))},
             {"possible", is_possible(body)},
             {"box", nullptr}};
  if (is_possible(body) && body.mass > 0.0) entry["box"] = coordinates(equivalent_box(body));
  if (report.frame) entry["inertia_in_frame"] = tensor(inertia_in(*report.frame, body));
  if (report.line) {
    entry["moment_about_line"] = moment_about(report.line->point, report.line->direction, body);
  }
  return entry;
}

json at_position(const AtPosition& found) {
  return {{"value", found.value}, {"q", found.q}};
}

json joint_json(const Joint& joint, const JointLoad& load, const CheckReport& report) {
  json entry = body_json(joint.body, report);
  entry["name"] = joint.name;
  entry["type"] = name(joint.type);
  entry["dh"] = {
      {"a", joint.dh.a}, {"alpha", joint.dh.alpha}, {"d", joint.dh.d}, {"theta", joint.dh.theta}};
  entry.update(object(load_fields(joint, load, 0.0)));
  return entry;
}

json difference_json(const ArmDifference& found) {
  json numbers = json::array();
  for (const Difference& one : found.numbers) numbers.push_back(object(difference_fields(one)));
  return {
      {"numbers", numbers},
      {"tool", {{"largest_distance", found.tool_distance}, {"largest_angle", found.tool_angle}}},
      {"gravity", {{"largest_difference", found.gravity}, {"largest", found.largest_gravity}}},
      {"torque", {{"largest_difference", found.torque}, {"largest", found.largest_torque}}}};
}

const char* kind_name(MassMatrixVerdict::Kind kind) {
  switch (kind) {
    case MassMatrixVerdict::Kind::regular:
      return "regular";
    case MassMatrixVerdict::Kind::singular_somewhere:
      return "singular somewhere";
    case MassMatrixVerdict::Kind::singular_everywhere:
      return "singular everywhere";
    case MassMatrixVerdict::Kind::indefinite:
      return "indefinite";
  }
  return "";
}

json mass_matrix_json(const Robot& robot, const MassMatrixVerdict& verdict) {
  return {{"kind", kind_name(verdict.kind)},
          {"smallest_ratio", verdict.smallest_ratio.value},
          {"q", verdict.smallest_ratio.q},
          {"joints", joint_names(robot, verdict.joints)}};
}

json model_json(const CheckReport& report) {
  const Robot& robot = *report.robot;
  const Examination& found = report.examination;
  json joints = json::array();
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    joints.push_back(joint_json(robot.joints[i], found.loads[i], report));
  }
  json couplings = json::array();
  for (const Coupling& coupling : robot.couplings) {
    json names = json::array(), matrix = json::array();
    for (std::size_t m = 0; m < coupling.joints.size(); ++m) {
      names.push_back(robot.joints[coupling.joints[m]].name);
      matrix.push_back(json::array());
      for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
        matrix.back().push_back(coupling.ratio(m, j));
      }
    }
    couplings.push_back({{"motors", names},
                         {"matrix", matrix},
                         {"offsets", coupling.offsets},
                         {"velocity_limits", coupling.velocity_limits},
                         {"torque_limits", coupling.torque_limits}});
  }
  json parameters = json::object();
  for (const Parameter& parameter : report.parameters) parameters[parameter.name] = parameter.value;
  return {
      {"convention", name(robot.convention)},
      {"parameters", parameters},
      {"joints", joints},
      {"couplings", couplings},
      {"payload", body_json(robot.payload, report)},
      {"total_mass", found.total_mass},
      {"reach", at_position(found.reach)},
      {"axis_reach", found.axis_reach.q.empty() ? json(nullptr) : at_position(found.axis_reach)},
      {"mass_matrix", mass_matrix_json(robot, found.mass_matrix)},
      {"notes", found.notes}};
}

}  // namespace

Fields load_fields(const Joint& joint, const JointLoad& load, double rounding) {
  const double gravity = load.largest_gravity.value <= rounding ? 0.0 : load.largest_gravity.value;
  const std::string inertia =
      Value::range(load.smallest_inertia.value, load.largest_inertia.value).brief;
  return {{"smallest_inertia", for_programs, Value::data(at_position(load.smallest_inertia))},
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
          {"torque_limit", "torque limit",
           joint.limits.torque ? Value::number(joint.limits.torque) : Value{nullptr}}};
}

Fields difference_fields(const Difference& difference) {
  return {{"joint", "joint", Value::word(difference.joint)},
          {"quantity", "quantity", Value::word(difference.quantity)},
          {"here", "here", difference.here},
          {"there", "there", difference.there}};
}

json check_json(const CheckReport& report, const CheckOptions& options) {
  RobotFile file;
  file.path = report.file;
  file.digest = report.digest;
  if (report.robot) file.robot = *report.robot;
  json result = json_frame(file, options.robot, options.output);
  result.erase("model_warnings");
  if (report.robot) {
    result.update(model_json(report));
    if (report.difference) result["difference"] = difference_json(*report.difference);
  } else {
    result["robot"]["name"] = nullptr;
  }
  result["findings"] = json::array();
  const std::size_t listed = std::min(report.findings.size(), most_findings);
  for (const Finding& finding : std::span(report.findings).first(listed)) {
    result["findings"].push_back(finding_json(finding));
  }
  result["errors"] = report.count(Severity::error);
  result["warnings"] = report.count(Severity::warning);
  return result;
}

}  // namespace armdyn
