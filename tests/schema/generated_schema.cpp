#include "schema/generated_schema.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/robot/robot_schema.hpp"
#include "model/robot_fields.hpp"

namespace armdyn::testing {

namespace {

using Json = nlohmann::ordered_json;

/// What is no field of a Robot: the file's own keys, shapes, and what several fields are made of.
const char* const frame = R"json({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Robot file of armdyn",
  "description": "A robot arm: its joints by a Denavit-Hartenberg table, origins and axes or screws; masses, inertias, friction, motors. SI units.",
  "type": "object",
  "required": ["armdyn"],
  "additionalProperties": false,
  "properties": {
    "armdyn": {"description": "The version of this file format.", "const": 1},
    "angle_unit": {
      "description": "Of numbers in alpha, theta, rpy, poses, and the limits of position, velocity, acceleration and jerk of revolute joints. Texts such as pi/2 are always in radians.",
      "enum": ["rad", "deg"],
      "default": "rad"
    },
    "length_unit": {
      "description": "Of a, d, every com, xyz and size of a shape, and of the positions and limits, but torque, of joints that slide. Everything else is in SI units.",
      "enum": ["m", "mm"],
      "default": "m"
    },
    "body_frame": {"$ref": "#/definitions/body_frame"},
    "parameters": {
      "description": "Named numbers. Wherever a number may stand, a formula of them may, such as m1*l1^2/12; --set replaces their values.",
      "type": "object",
      "propertyNames": {"pattern": "^(?!(sqrt|sin|cos|tan|pi)$)[A-Za-z][A-Za-z0-9_]*$"},
      "additionalProperties": {
        "description": "A number, or a formula of the parameters before it.",
        "$ref": "#/definitions/number"
      }
    },
    "identified": {
      "description": "Accuracy of identified parameters, as armdyn identify writes it; observe reads it.",
      "type": "object",
      "required": ["parameters", "covariance"],
      "additionalProperties": false,
      "properties": {
        "parameters": {"description": "The first parameter of each base parameter.", "type": "array", "items": {"type": "string"}},
        "offsets": {"description": "Offsets of the torques in the logs, which the arm does not have; 0 for other parameters.", "type": "array", "items": {"$ref": "#/definitions/number"}},
        "covariance": {"description": "Its lower triangle, by rows, in SI units.", "type": "array", "items": {"type": "array", "items": {"$ref": "#/definitions/number"}}}
      }
    }
  },
  "definitions": {
    "number": {"type": ["number", "string"], "pattern": "^(?=.*\\b(?!(pi|sqrt|sin|cos|tan)\\b)[A-Za-z])[-+*/^(). A-Za-z0-9_]+$"},
    "word": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]*$"},
    "angle": {
      "description": "A number in angle_unit, or a text such as pi/2, -pi/2 or 3*pi/4 in radians.",
      "anyOf": [
        {"$ref": "#/definitions/number"},
        {"type": "string", "pattern": "^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\*)?pi(/(?!0*\\.?0*([eE]|$))([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?)?$"}
      ]
    },
    "magnitude": {"allOf": [{"$ref": "#/definitions/number"}, {"minimum": 0}]},
    "positive": {"allOf": [{"$ref": "#/definitions/number"}, {"exclusiveMinimum": 0}]},
    "positive_angle": {
      "anyOf": [{"$ref": "#/definitions/positive"}, {"type": "string", "pattern": "^[^-]*pi[^-]*$"}]
    },
    "vector": {"type": "array", "items": {"$ref": "#/definitions/number"}, "minItems": 3, "maxItems": 3},
    "angles": {"type": "array", "items": {"$ref": "#/definitions/angle"}, "minItems": 3, "maxItems": 3},
    "range": {"type": "array", "items": {"$ref": "#/definitions/angle"}, "minItems": 2, "maxItems": 2},
    "two_sided": {
      "description": "A magnitude, or two: [positive direction, negative direction]. Tables often print the one of the negative direction with the sign of the torque; write its magnitude.",
      "anyOf": [
        {"$ref": "#/definitions/magnitude"},
        {"type": "array", "items": {"$ref": "#/definitions/magnitude"}, "minItems": 2, "maxItems": 2}
      ]
    },
    "inertia_about": {
      "description": "The point of the inertia: the center of mass, or the origin of the body's frame.",
      "enum": ["com", "origin"],
      "default": "com"
    },
    "inertia_frame": {
      "description": "The frame, in that of the body, about whose origin and in whose axes the inertia is given: I_com = R I R^T - m (|r|^2 E - r r^T), r = com - xyz.",
      "allOf": [{"$ref": "#/definitions/placement"}]
    },
    "matrix": {
      "description": "A homogeneous matrix by rows.",
      "type": "array",
      "items": {"type": "array", "items": {"$ref": "#/definitions/number"}, "minItems": 4, "maxItems": 4},
      "minItems": 4,
      "maxItems": 4
    },
    "screw": {
      "description": "Screw axis of the joint in {0} where all joints are at 0, in place of dh: [ωx, ωy, ωz, vx, vy, vz]; ω of length 1, or 0 and v of length 1.",
      "type": "array",
      "items": {"$ref": "#/definitions/number"},
      "minItems": 6,
      "maxItems": 6
    },
    "body_frame": {
      "description": "Frame of com, inertia and shape: the link's own, or {0} where q is zero.",
      "enum": ["link", "base"],
      "default": "link"
    },
    "mass_or_bodies": {
      "oneOf": [
        {"$ref": "#/definitions/mass_or_shape"},
        {
          "required": ["bodies"],
          "not": {"anyOf": [{"required": ["mass"]}, {"required": ["com"]}, {"required": ["inertia"]}, {"required": ["inertia_about"]}, {"required": ["inertia_frame"]}, {"required": ["shape"]}]}
        }
      ]
    },
    "mass_or_shape": {
      "oneOf": [
        {"required": ["mass"], "not": {"required": ["shape"]}},
        {
          "required": ["shape"],
          "not": {"anyOf": [{"required": ["mass"]}, {"required": ["com"]}, {"required": ["inertia"]}, {"required": ["inertia_about"]}, {"required": ["inertia_frame"]}]}
        }
      ]
    },
    "shape": {
      "description": "A uniform body, in place of mass, com and inertia: one of box, cylinder, rod and sphere, and density or mass.",
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "box": {"description": "Edges [x, y, z], m.", "type": "array", "items": {"$ref": "#/definitions/magnitude"}, "minItems": 3, "maxItems": 3},
        "cylinder": {"description": "[radius, length], m; its axis is z.", "type": "array", "items": {"$ref": "#/definitions/magnitude"}, "minItems": 2, "maxItems": 2},
        "rod": {"description": "Length along z, m.", "$ref": "#/definitions/magnitude"},
        "sphere": {"description": "Radius, m.", "$ref": "#/definitions/magnitude"},
        "density": {"description": "kg/m³; of a rod kg/m.", "$ref": "#/definitions/magnitude"},
        "mass": {"description": "kg", "$ref": "#/definitions/magnitude"},
        "com": {"description": "Its middle, m.", "$ref": "#/definitions/vector"},
        "rpy": {"description": "How the shape's axes are turned: R = Rz(yaw) Ry(pitch) Rx(roll).", "$ref": "#/definitions/angles"}
      },
      "allOf": [
        {"oneOf": [{"required": ["box"]}, {"required": ["cylinder"]}, {"required": ["rod"]}, {"required": ["sphere"]}]},
        {"oneOf": [{"required": ["density"]}, {"required": ["mass"]}]}
      ]
    }
  }
})json";

Json reference(const std::string& definition) {
  return {{"$ref", "#/definitions/" + definition}};
}
Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

/// The properties of a part, and which of them are required. Parts that have keys of a body beside
/// them are definitions of their own.
class SchemaOf {
 public:
  template <RobotPart P>
  explicit SchemaOf(const P& part) {
    fields(*this, part);
  }

  void operator()(const RobotField& field, const auto& member) {
    if (properties_.contains(field.key)) return;
    Json schema{{"description", std::string(field.says)}};
    if (field.says.empty()) schema["description"] = unit_text(field.unit);
    schema.update(of(field, member));
    properties_[std::string(field.key)] = schema;
    if (field.has(role::required)) required_.push_back(field.key);
  }
  [[nodiscard]] Json object() const {
    Json schema{{"type", "object"}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = required_;
    schema["properties"] = properties_;
    return schema;
  }
  /// A part with a body: its mass, or a shape.
  [[nodiscard]] Json body() const {
    Json schema = object();
    std::erase(schema["required"].get_ref<Json::array_t&>(), "mass");
    if (schema["required"].empty()) schema.erase("required");
    schema["allOf"] = Json::array({reference("mass_or_shape"),
                                   {{"not", {{"required", {"inertia_about", "inertia_frame"}}}}}});
    schema["properties"]["inertia_about"] = reference("inertia_about");
    schema["properties"]["inertia_frame"] = reference("inertia_frame");
    schema["properties"]["shape"] = reference("shape");
    return schema;
  }

 private:
  static Json of(const RobotField& field, const double& usual) {
    Json schema = number(field);
    if (usual != 0.0) schema["default"] = usual;
    return schema;
  }
  static Json number(const RobotField& field) {
    const bool is_an_angle = is_angle(field, JointType::revolute);
    const auto narrowed = [](Json by) {
      return Json{{"allOf", Json::array({reference("number"), std::move(by)})}};
    };
    switch (field.rule) {
      case Rule::not_negative:
        return reference("magnitude");
      case Rule::positive:
        return reference(is_an_angle ? "positive_angle" : "positive");
      case Rule::share:
        return narrowed({{"minimum", 0}, {"maximum", 1}});
      case Rule::positive_share:
        return narrowed({{"exclusiveMinimum", 0}, {"maximum", 1}});
      case Rule::not_zero:
        return narrowed({{"not", {{"const", 0}}}});
      case Rule::any:
      case Rule::at_least_before:
      case Rule::increasing:
        break;
    }
    return reference(is_an_angle ? "angle" : "number");
  }
  static Json of(const RobotField& field, const Vec3& /*usual*/) {
    return reference(field.unit == RobotUnit::angle ? "angles" : "vector");
  }
  static Json of(const RobotField& /*field*/, const TwoSided& /*usual*/) {
    return reference("two_sided");
  }
  static Json of(const RobotField& /*field*/, const Range& /*usual*/) { return reference("range"); }
  template <class T>
  static Json of(const RobotField& field, const std::optional<T>& /*none*/) {
    return of(field, T{});
  }
  static Json of(const RobotField& field, const std::string& /*text*/) {
    Json text{{"type", {"string", "number"}}};
    if (field.has(role::required)) text.update({{"minLength", 1}, {"pattern", "^.+$"}});
    return field.key == "name" && !field.has(role::required) ? reference("word") : text;
  }
  static Json of(const RobotField& /*field*/, JointType /*type*/) {
    return {{"enum", {"revolute", "prismatic", "helical"}}};
  }
  static Json of(const RobotField& /*field*/, bool usual) {
    return {{"enum", {true, false, "true", "false"}}, {"default", usual}};
  }
  static Json of(const RobotField& /*field*/, Bearing usual) {
    return {{"enum", {"ball", "roller"}}, {"default", name(usual)}};
  }
  static Json of(const RobotField& /*field*/, const std::vector<SpeedTorque>& /*curve*/) {
    Json point = list_of(reference("magnitude"));
    point.update({{"minItems", 2}, {"maxItems", 2}});
    return list_of(point);
  }
  static Json of(const RobotField& field, const std::vector<SpringPoint>& /*points*/) {
    Json point = list_of(number(field));
    point.update({{"minItems", 2}, {"maxItems", 2}});
    Json points = list_of(point);
    points["minItems"] = field.key == "table" ? 2 : 1;
    return points;
  }
  static Json of(const RobotField& field, const Efficiency& both) {
    return {{"anyOf", {number(field), SchemaOf(both).object()}}, {"default", both.driving}};
  }
  static Json of(const RobotField& /*field*/, Convention /*convention*/) {
    return {{"enum", {"standard", "modified", "screws"}}};
  }
  static Json of(const RobotField& /*field*/, const MassProperties& payload) {
    return SchemaOf(payload).body();
  }
  static Json of(const RobotField& /*field*/, const Placement& /*place*/) {
    return reference("placement");
  }
  template <RobotPart P>
  static Json of(const RobotField& field, const P& part) {
    const bool is_defined = field.key == "friction" || field.key == "motor" ||
                            field.key == "limits" || field.key == "inertia";
    return is_defined ? reference(std::string(field.key)) : SchemaOf(part).object();
  }
  static Json of(const RobotField& /*field*/, const std::vector<Joint>& /*joints*/) {
    Json list = list_of(reference("joint"));
    list["minItems"] = 1;
    return list;
  }
  static Json of(const RobotField& /*field*/, const std::vector<Followed>& /*row*/) {
    return {
        {"type", "object"}, {"minProperties", 1}, {"additionalProperties", reference("number")}};
  }
  static Json of(const RobotField& /*field*/, const std::vector<Spring>& /*springs*/) {
    Json spring = SchemaOf(Spring{}).object();
    spring["anyOf"] = Json::array();
    for (const char* const law : {"stiffness", "piecewise", "table", "preload"}) {
      spring["anyOf"].push_back({{"required", {law}}});
    }
    return list_of(spring);
  }
  static Json of(const RobotField& /*field*/, const std::vector<NamedPose>& /*poses*/) {
    Json positions = list_of(reference("angle"));
    positions["minItems"] = 1;
    return {{"type", "object"},
            {"propertyNames", reference("word")},
            {"additionalProperties", positions}};
  }
  static Json of(const RobotField& /*field*/, const std::vector<Coupling>& /*couplings*/) {
    Json coupling = SchemaOf(Coupling{}).object(), limits = Json::object();
    Json& properties = coupling["properties"];
    for (const std::string key : {"velocity", "torque"}) {
      limits[key] = properties["limits." + key];
      properties.erase("limits." + key);
    }
    properties["limits"] = {{"description", "Magnitudes that the motors reach, one per motor."},
                            {"type", "object"},
                            {"additionalProperties", false},
                            {"properties", limits}};
    return list_of(coupling);
  }
  static Json of(const RobotField& /*field*/, const std::vector<std::size_t>& /*motors*/) {
    Json list = list_of({{"type", "number"}, {"multipleOf", 1}, {"minimum", 1}});
    list.update({{"minItems", 1}, {"uniqueItems", true}});
    return list;
  }
  static Json of(const RobotField& field, const std::vector<double>& /*numbers*/) {
    if (field.key != "matrix") return list_of(reference("number"));
    Json rows = list_of(list_of(reference("number")));
    rows["minItems"] = 1;
    return rows;
  }

  Json properties_ = Json::object();
  std::vector<std::string_view> required_;
};

/// A joint: its body may be several, and its place may be given by an axis or a screw.
Json joint_schema() {
  Json joint = SchemaOf(Joint{}).body();
  std::erase(joint["required"].get_ref<Json::array_t&>(), "dh");
  joint["allOf"][0] = reference("mass_or_bodies");
  Json places = Json::array();
  for (const char* const key : {"dh", "axis", "screw"}) places.push_back({{"required", {key}}});
  joint["allOf"].push_back({{"oneOf", places}});
  joint["properties"]["screw"] = reference("screw");
  joint["properties"]["bodies"] = list_of(SchemaOf(MassProperties{}).body());
  joint["properties"]["bodies"]["minItems"] = 1;
  joint["properties"]["bodies"]["description"] = "Bodies that make up the link, in place of one.";
  joint["properties"]["body_frame"] = reference("body_frame");
  return joint;
}

}  // namespace

Json generated_schema() {
  Json schema = Json::parse(frame);
  Json robot = SchemaOf(Robot{}).object();
  for (const Json& key : robot["required"]) schema["required"].push_back(key);
  Json tool = SchemaOf(Placement{}).object();
  tool["properties"]["link"] = {
      {"type", "string"},
      {"description", "Name of the joint in whose frame it is; by default the last."}};
  robot["properties"]["tool"] = {{"description", robot["properties"]["tool"]["description"]},
                                 {"anyOf", Json::array({tool, reference("matrix")})}};
  robot["properties"].erase(std::string(tool_link_key));
  schema["properties"].update(robot["properties"]);
  Json& parts = schema["definitions"];
  parts["placement"] = {
      {"description",
       "A frame placed in another: {xyz: [x, y, z], rpy: [roll, pitch, yaw]}, R = Rz(yaw) "
       "Ry(pitch) Rx(roll), or its homogeneous matrix."},
      {"anyOf", Json::array({SchemaOf(Placement{}).object(), reference("matrix")})}};
  parts["joint"] = joint_schema();
  parts["joint"]["description"] = "A joint and the link that it moves.";
  parts["inertia"] = SchemaOf(SymMat3{}).object();
  parts["friction"] = SchemaOf(Friction{}).object();
  parts["motor"] = SchemaOf(Motor{}).object();
  parts["limits"] = SchemaOf(Limits{}).object();
  return schema;
}

}  // namespace armdyn::testing
