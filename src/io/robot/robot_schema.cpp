#include "io/robot/robot_schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <armdyn/arm.hpp>

#include "io/robot/parameters.hpp"
#include "io/robot/shape.hpp"
#include "io/robot/yaml_value.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

constexpr bool required = true;
constexpr std::string_view an_angle = "an angle such as 0.5, -pi/2 or 3*pi/4";
constexpr std::string_view a_placement = "a map such as {xyz: [0, 0, 0.1], rpy: [0, 0, pi/2]}";
constexpr std::string_view a_shape = "a map such as {box: [0.1, 0.1, 0.4], density: 2700}";
constexpr std::string_view a_list_of_couplings =
    "a list of maps such as {motors: [5, 6], matrix: [[45, 0], [32, 32]]}";
constexpr std::string_view two_sided_force =
    "a number in N·m or N, or two: [positive direction, negative direction]";

constexpr std::array robot_keys{
    YamlKey{"armdyn", "1, the version of this file format", required},
    YamlKey{"name", "a name", required},
    YamlKey{"description", "a text"},
    YamlKey{"source", "a text"},
    YamlKey{"convention", "standard or modified", required},
    YamlKey{"angle_unit", "rad or deg"},
    YamlKey{"parameters", "a map of names to numbers"},
    YamlKey{"gravity", "three numbers [x, y, z] in m/s²"},
    YamlKey{"base", a_placement},
    YamlKey{"joints", "a list of joints, base to hand", required},
    YamlKey{"couplings", a_list_of_couplings},
    YamlKey{"tool", a_placement},
    YamlKey{"payload", "a map with mass, com and inertia"},
    YamlKey{"poses", "a map of names to lists of joint positions"},
};

constexpr std::array placement_keys{
    YamlKey{"xyz", "three numbers [x, y, z] in m"},
    YamlKey{"rpy", "three angles [roll, pitch, yaw]"},
};

constexpr std::array joint_keys{
    YamlKey{"name", "a name"},
    YamlKey{"type", "revolute or prismatic", required},
    YamlKey{"dh", "a map such as {a: 0.4, alpha: pi/2, d: 0, theta: 0}", required},
    YamlKey{"mass", "a number in kg", required},
    YamlKey{"com", "three numbers [x, y, z] in m"},
    YamlKey{"inertia", "a map {xx, yy, zz, xy, yz, xz} of numbers in kg·m²"},
    YamlKey{"inertia_about", "com or origin"},
    YamlKey{"shape", a_shape},
    YamlKey{"friction",
            "a map with viscous, coulomb, static, stribeck_velocity, ripple or sigmoid"},
    YamlKey{"motor", "a map with rotor_inertia, gear_ratio, viscous, coulomb or efficiency"},
    YamlKey{"limits", "a map with position, velocity, acceleration, jerk or torque"},
};

constexpr std::array payload_keys{
    YamlKey{"mass", "a number in kg", required},
    YamlKey{"com", "three numbers [x, y, z] in m"},
    YamlKey{"inertia", "a map {xx, yy, zz, xy, yz, xz} of numbers in kg·m²"},
    YamlKey{"inertia_about", "com or origin"},
    YamlKey{"shape", a_shape},
};

constexpr std::array dh_keys{
    YamlKey{"a", "a number in m"},
    YamlKey{"alpha", an_angle},
    YamlKey{"d", "a number in m"},
    YamlKey{"theta", an_angle},
};

constexpr std::array inertia_keys{
    YamlKey{"xx", "a number in kg·m²"}, YamlKey{"yy", "a number in kg·m²"},
    YamlKey{"zz", "a number in kg·m²"}, YamlKey{"xy", "a number in kg·m²"},
    YamlKey{"yz", "a number in kg·m²"}, YamlKey{"xz", "a number in kg·m²"},
};

constexpr std::array friction_keys{
    YamlKey{"viscous", "a number in N·m·s/rad or N·s/m"},
    YamlKey{"coulomb", two_sided_force},
    YamlKey{"static", two_sided_force},
    YamlKey{"stribeck_velocity", "a number in rad/s or m/s"},
    YamlKey{"ripple", "a map {amplitude, harmonic, phase}"},
    YamlKey{"sigmoid", "a map {amplitude, slope, offset}"},
};

constexpr std::array ripple_keys{
    YamlKey{"amplitude", "a number from 0 to 1"},
    YamlKey{"harmonic", "a number"},
    YamlKey{"phase", "an angle in rad such as 0.5 or -pi/2"},
};

constexpr std::array sigmoid_keys{
    YamlKey{"amplitude", "a number in N·m or N", required},
    YamlKey{"slope", "a number in s/rad or s/m", required},
    YamlKey{"offset", "a number in rad/s or m/s"},
};

constexpr std::array motor_keys{
    YamlKey{"rotor_inertia", "a number in kg·m²"},
    YamlKey{"gear_ratio", "a number"},
    YamlKey{"viscous", "a number in N·m·s/rad"},
    YamlKey{"coulomb", two_sided_force},
    YamlKey{"efficiency", "a number, more than 0 and at most 1"},
};

constexpr std::array coupling_keys{
    YamlKey{"motors", "a list of joints' numbers such as [5, 6]", required},
    YamlKey{"matrix", "a list of rows such as [[45, 0], [32, 32]]", required},
    YamlKey{"offsets", "a list of motor positions in rad, one per motor"},
    YamlKey{"limits", "a map with velocity and torque of the motors"},
};

constexpr std::array motor_limits_keys{
    YamlKey{"velocity", "a list of numbers in rad/s, one per motor"},
    YamlKey{"torque", "a list of numbers in N·m, one per motor"},
};

constexpr std::array limits_keys{
    YamlKey{"position", "two positions [lower, upper]"},
    YamlKey{"velocity", "a number"},
    YamlKey{"acceleration", "a number"},
    YamlKey{"jerk", "a number"},
    YamlKey{"torque", "a number in N·m or N"},
};

/// A position or velocity of a joint: an angle if it turns.
std::optional<double> read_coordinate(const YamlValue& value, JointType type, AngleUnit unit) {
  return type == JointType::revolute ? value.angle(unit) : value.number();
}

std::string_view coordinate_words(JointType type) {
  return type == JointType::revolute ? an_angle : "a number in m";
}

Placement read_placement(const YamlValue& value, AngleUnit unit) {
  const YamlMap map(value, placement_keys);
  Placement placement;
  map.read("xyz", placement.xyz);
  map.read_angles("rpy", unit, placement.rpy);
  return placement;
}

SymMat3 read_inertia(const YamlValue& value) {
  const YamlMap map(value, inertia_keys);
  SymMat3 inertia;
  map.read("xx", inertia.xx);
  map.read("yy", inertia.yy);
  map.read("zz", inertia.zz);
  map.read("xy", inertia.xy);
  map.read("yz", inertia.yz);
  map.read("xz", inertia.xz);
  return inertia;
}

/// Index of the word that stands at a key, `otherwise` if none or a wrong one does.
std::size_t read_word(const YamlMap& map, std::string_view key,
                      std::span<const std::string_view> words, std::size_t otherwise) {
  const auto value = map.find(key);
  return value ? value->one_of(words).value_or(otherwise) : otherwise;
}

/// A body with keys of which mass is required, unless there is a shape.
YamlMap body_map(const YamlValue& value, std::span<const YamlKey> keys,
                 std::span<const YamlKey> with_shape) {
  return YamlMap(value, find(value.node(), "shape") == nullptr ? keys : with_shape);
}

template <std::size_t n>
constexpr std::array<YamlKey, n> with_shape(std::array<YamlKey, n> keys) {
  for (YamlKey& key : keys) key.required = key.required && key.name != "mass";
  return keys;
}
constexpr auto joint_keys_with_shape = with_shape(joint_keys);
constexpr auto payload_keys_with_shape = with_shape(payload_keys);

MassProperties read_body(const YamlMap& map, AngleUnit unit) {
  if (const auto shape = map.find("shape")) {
    for (const char* key : {"mass", "com", "inertia", "inertia_about"}) {
      if (const auto value = map.find(key)) {
        value->error("found beside shape, which says it; expected one of them");
      }
    }
    return read_shape(*shape, unit);
  }
  MassProperties body;
  map.read("mass", body.mass);
  map.read("com", body.com);
  if (const auto inertia = map.find("inertia")) body.inertia = read_inertia(*inertia);
  constexpr std::array<std::string_view, 2> points{"com", "origin"};
  if (read_word(map, "inertia_about", points, 0) == 1) {
    const YamlValue about = *map.find("inertia_about");
    const auto ranged = [&about](double x) { return about.ranged(x); };
    const auto& [mass, com, I_origin] = body;
    const SymMat<Ranged> I =
        SymMat<Ranged>{ranged(I_origin.xx), ranged(I_origin.yy), ranged(I_origin.zz),
                       ranged(I_origin.xy), ranged(I_origin.yz), ranged(I_origin.xz)} +
        point_inertia(-ranged(mass), Vec<Ranged>{ranged(com.x), ranged(com.y), ranged(com.z)});
    body.inertia = about_com(body.inertia, body.mass, body.com);
    about.note_computed({I.xx, I.yy, I.zz, I.xy, I.yz, I.xz});
  }
  return body;
}

DhRow read_dh(const YamlValue& value, AngleUnit unit) {
  const YamlMap map(value, dh_keys);
  DhRow row;
  map.read("a", row.a);
  map.read_angle("alpha", unit, row.alpha);
  map.read("d", row.d);
  map.read_angle("theta", unit, row.theta);
  return row;
}

std::optional<TwoSided> read_two_sided(const YamlValue& value) {
  if (value.node().kind != YamlNode::Kind::sequence) {
    const auto both = value.number();
    if (!both) return std::nullopt;
    return TwoSided{*both, *both};
  }
  const auto sides = value.list("a number in N·m or N", 2);
  if (!sides) return std::nullopt;
  const auto positive = (*sides)[0].number();
  const auto negative = (*sides)[1].number();
  if (!positive || !negative) return std::nullopt;
  return TwoSided{*positive, *negative};
}

void read_coulomb(const YamlMap& map, TwoSided& coulomb) {
  if (const auto value = map.find("coulomb")) coulomb = read_two_sided(*value).value_or(coulomb);
}

Ripple read_ripple(const YamlValue& value) {
  const YamlMap map(value, ripple_keys);
  Ripple ripple;
  map.read("amplitude", ripple.amplitude);
  map.read("harmonic", ripple.harmonic);
  map.read_angle("phase", AngleUnit::rad, ripple.phase);
  return ripple;
}

SigmoidFriction read_sigmoid(const YamlValue& value) {
  const YamlMap map(value, sigmoid_keys);
  SigmoidFriction sigmoid;
  map.read("amplitude", sigmoid.amplitude);
  map.read("slope", sigmoid.slope);
  map.read("offset", sigmoid.offset);
  return sigmoid;
}

Friction read_friction(const YamlValue& value) {
  const YamlMap map(value, friction_keys);
  Friction friction;
  map.read("viscous", friction.viscous);
  read_coulomb(map, friction.coulomb);
  if (const auto breakaway = map.find("static")) friction.breakaway = read_two_sided(*breakaway);
  map.read("stribeck_velocity", friction.stribeck_velocity);
  if (const auto ripple = map.find("ripple")) friction.ripple = read_ripple(*ripple);
  if (const auto sigmoid = map.find("sigmoid")) friction.sigmoid = read_sigmoid(*sigmoid);
  return friction;
}

Motor read_motor(const YamlValue& value) {
  const YamlMap map(value, motor_keys);
  Motor motor;
  map.read("rotor_inertia", motor.rotor_inertia);
  map.read("gear_ratio", motor.gear_ratio);
  map.read("viscous", motor.viscous);
  read_coulomb(map, motor.coulomb);
  map.read("efficiency", motor.efficiency);
  return motor;
}

std::optional<Range> read_range(const YamlValue& value, JointType type, AngleUnit unit) {
  const auto ends = value.list(coordinate_words(type), 2);
  if (!ends) return std::nullopt;
  const auto lower = read_coordinate((*ends)[0], type, unit);
  const auto upper = read_coordinate((*ends)[1], type, unit);
  if (!lower || !upper) return std::nullopt;
  return Range{*lower, *upper};
}

Limits read_limits(const YamlValue& value, JointType type, AngleUnit unit) {
  const YamlMap map(value, limits_keys);
  Limits limits;
  if (const auto position = map.find("position")) {
    limits.position = read_range(*position, type, unit);
  }
  if (const auto velocity = map.find("velocity")) {
    limits.velocity = read_coordinate(*velocity, type, unit);
  }
  if (const auto acceleration = map.find("acceleration")) {
    limits.acceleration = read_coordinate(*acceleration, type, unit);
  }
  if (const auto jerk = map.find("jerk")) limits.jerk = read_coordinate(*jerk, type, unit);
  if (const auto torque = map.find("torque")) limits.torque = torque->number();
  return limits;
}

Joint read_joint(const YamlValue& value, std::size_t index, AngleUnit unit) {
  const YamlMap map = body_map(value, joint_keys, joint_keys_with_shape);
  Joint joint;
  joint.name = "j" + std::to_string(index + 1);
  map.read("name", joint.name);
  constexpr std::array<std::string_view, 2> types{"revolute", "prismatic"};
  const bool slides = read_word(map, "type", types, 0) == 1;
  joint.type = slides ? JointType::prismatic : JointType::revolute;
  if (const auto dh = map.find("dh")) joint.dh = read_dh(*dh, unit);
  joint.body = read_body(map, unit);
  if (const auto friction = map.find("friction")) joint.friction = read_friction(*friction);
  if (const auto motor = map.find("motor")) joint.motor = read_motor(*motor);
  if (const auto limits = map.find("limits")) {
    joint.limits = read_limits(*limits, joint.type, unit);
  }
  return joint;
}

std::vector<Joint> read_joints(const YamlValue& value, AngleUnit unit) {
  std::vector<Joint> joints;
  const auto entries = value.list("a map with type, dh and mass");
  if (!entries) return joints;
  for (const YamlValue& entry : *entries) joints.push_back(read_joint(entry, joints.size(), unit));
  return joints;
}

/// One row of a coupling, as many numbers as it has motors.
std::vector<double> read_row(const YamlValue& value, std::size_t size) {
  std::vector<double> row(size);
  const auto entries = value.list("a number", size);
  for (std::size_t k = 0; entries && k < size; ++k) row[k] = (*entries)[k].number().value_or(0.0);
  return row;
}

/// One per motor; none where the list cannot be read, and 1 for what is no number.
std::vector<double> read_magnitudes(const YamlValue& value, std::size_t size) {
  std::vector<double> magnitudes;
  const auto entries = value.list("a number", size);
  for (std::size_t k = 0; entries && k < size; ++k) {
    magnitudes.push_back((*entries)[k].number().value_or(1.0));
  }
  return magnitudes;
}

/// Without motors where those cannot be read.
Coupling read_coupling(const YamlValue& value) {
  const YamlMap map(value, coupling_keys);
  Coupling coupling;
  const auto motors = map.find("motors");
  const auto numbers = motors ? motors->list("a joint's number, from 1 on") : std::nullopt;
  if (numbers && numbers->empty()) motors->not_expected(", with one or more");
  if (!numbers || numbers->empty()) return coupling;
  for (const YamlValue& entry : *numbers) {
    const auto number = entry.parameter();
    if (number && !(number->value >= 1.0 && number->value <= 1e6 &&
                    number->value == std::floor(number->value))) {
      entry.not_expected();
    } else if (number) {
      coupling.joints.push_back(static_cast<std::size_t>(number->value) - 1);
    }
  }
  const std::size_t size = numbers->size();
  coupling.offsets.resize(size);
  if (const auto matrix = map.find("matrix")) {
    const auto rows = matrix->list("a row of numbers", size);
    for (std::size_t m = 0; rows && m < size; ++m) {
      const std::vector<double> row = read_row((*rows)[m], size);
      coupling.matrix.insert(coupling.matrix.end(), row.begin(), row.end());
    }
  }
  if (const auto offsets = map.find("offsets")) coupling.offsets = read_row(*offsets, size);
  if (const auto value_of_limits = map.find("limits")) {
    const YamlMap limits(*value_of_limits, motor_limits_keys);
    if (const auto most = limits.find("velocity"))
      coupling.velocity_limits = read_magnitudes(*most, size);
    if (const auto most = limits.find("torque"))
      coupling.torque_limits = read_magnitudes(*most, size);
  }
  return coupling.joints.size() < size ? Coupling{} : coupling;
}

std::vector<Coupling> read_couplings(const YamlValue& value) {
  std::vector<Coupling> couplings;
  const auto entries = value.list("a map with motors and matrix");
  if (!entries) return couplings;
  bool is_known = true;  // what comes after one that is not would count otherwise
  for (const YamlValue& entry : *entries) {
    Coupling coupling = read_coupling(entry);
    is_known = is_known && !coupling.joints.empty();
    if (is_known) couplings.push_back(std::move(coupling));
  }
  return couplings;
}

MassProperties read_payload(const YamlValue& value, AngleUnit unit) {
  return read_body(body_map(value, payload_keys, payload_keys_with_shape), unit);
}

std::vector<double> read_pose(const YamlValue& value, const std::vector<Joint>& joints,
                              AngleUnit unit) {
  std::vector<double> q;
  const auto entries = value.list("a joint position");
  if (!entries) return q;
  for (const YamlValue& entry : *entries) {
    const JointType type = q.size() < joints.size() ? joints[q.size()].type : JointType::revolute;
    q.push_back(read_coordinate(entry, type, unit).value_or(0.0));
  }
  return q;
}

std::vector<NamedPose> read_poses(const YamlValue& value, const std::vector<Joint>& joints,
                                  AngleUnit unit) {
  std::vector<NamedPose> poses;
  if (!value.is_map()) return poses;
  for (const YamlEntry& entry : value.node().entries) {
    const YamlValue pose = value.entry(entry, "a list of joint positions");
    poses.push_back({entry.key, read_pose(pose, joints, unit)});
  }
  return poses;
}

/// Whether this is the version that is read here. A missing one is reported with the other missing
/// keys, and the file read on.
bool version_is_known(const YamlMap& map) {
  const auto version = map.find("armdyn");
  if (!version) return true;
  const auto number = version->number();
  if (!number || *number == 1.0) return true;
  version->error("found version " + version->node().text +
                 "; this program reads version 1 of the file format");
  return false;
}

AngleUnit read_angle_unit(const YamlMap& map) {
  constexpr std::array<std::string_view, 2> units{"rad", "deg"};
  return read_word(map, "angle_unit", units, 0) == 1 ? AngleUnit::deg : AngleUnit::rad;
}

Convention read_convention(const YamlMap& map) {
  constexpr std::array<std::string_view, 2> conventions{"standard", "modified"};
  return read_word(map, "convention", conventions, 0) == 1 ? Convention::modified
                                                           : Convention::standard;
}

/// Per joint. Other words than origin were reported where the body was read.
std::vector<bool> written_about_origin(const YamlMap& map) {
  std::vector<bool> about_origin;
  const auto joints = map.find("joints");
  if (!joints) return about_origin;
  for (const YamlNode& joint : joints->node().items) {
    const YamlNode* point = find(joint, "inertia_about");
    about_origin.push_back(point != nullptr && point->text == "origin");
  }
  return about_origin;
}

Robot read_robot(const YamlMap& map, AngleUnit unit) {
  Robot robot;
  map.read("name", robot.name);
  map.read("description", robot.description);
  map.read("source", robot.source);
  robot.convention = read_convention(map);
  map.read("gravity", robot.gravity);
  if (const auto base = map.find("base")) robot.base = read_placement(*base, unit);
  if (const auto joints = map.find("joints")) robot.joints = read_joints(*joints, unit);
  if (const auto couplings = map.find("couplings")) robot.couplings = read_couplings(*couplings);
  if (const auto tool = map.find("tool")) robot.tool = read_placement(*tool, unit);
  if (const auto payload = map.find("payload")) robot.payload = read_payload(*payload, unit);
  if (const auto poses = map.find("poses")) robot.poses = read_poses(*poses, robot.joints, unit);
  return robot;
}

}  // namespace

std::optional<ReadRobot> read_robot(const YamlNode& root, const ParameterValues& set,
                                    std::vector<Finding>& findings) {
  WrittenNumbers written;
  const YamlValue value(root, "", "the keys armdyn, name, convention and joints", findings,
                        written);
  if (!value.is_map()) return std::nullopt;
  const std::size_t found_before = findings.size();
  const YamlMap map(value, robot_keys);
  if (!version_is_known(map)) {
    // Of another version, unknown and missing keys say nothing.
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(found_before),
                   findings.end() - 1);
    return std::nullopt;
  }
  const AngleUnit unit = read_angle_unit(map);
  written.by_value.clear();  // the version is no number of the robot
  if (const auto parameters = map.find("parameters")) read_parameters(*parameters, set, written);
  Robot robot = read_robot(map, unit);
  const std::vector<bool> about_origin = written_about_origin(map);
  robot.as_written = std::move(written.by_value);
  if (written.formulas) written.formulas->inertia_about_origin = about_origin;
  return ReadRobot{std::move(robot),
                   {unit, about_origin},
                   std::move(written.formulas).value_or(Parametrisation{})};
}

}  // namespace armdyn
