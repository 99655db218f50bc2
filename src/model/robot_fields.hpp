#pragma once

#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <type_traits>
#include <utility>

#include "model/joint_kind.hpp"

// List of a robot's fields. `fields(visit, part)` calls `visit(field, member)` for each
// field of a part, in the order of a robot file; `fields(visit, a, b)` calls `visit(field, a's,
// b's)` for two parts of one kind, whatever their scalars. A member is a number, a level of two
// directions, a vector, a tensor, a text, each perhaps optional, or again a part or a list of them:
//
//   struct Sum {
//     double total = 0.0;
//     void operator()(const RobotField&, const double& number) { total += number; }
//     void operator()(const RobotField&, const auto& part) { fields(*this, part); }
//   };
//
// Checks (check.cpp), robot files (io/robot/robot_schema.cpp, robot_yaml.cpp), their JSON schema,
// differences of arms, and options that scale and remove numbers read this list;
// tests/unit/model/robot_fields_test.cpp demands an answer to a change of each field.

namespace armdyn {

/// Values that a number may have.
enum class Rule {
  any,
  not_negative,
  positive,
  share,           ///< 0 to 1
  positive_share,  ///< more than 0 and at most 1
  not_zero,
  at_least_before,  ///< not negative, and not below the level before it in the list
  increasing,       ///< of a range
};

/// Uses of a field.
namespace role {
enum Role : unsigned {
  friction = 1,    ///< size of a friction, scaled with all friction of the joint
  dry = 2,         ///< holds a joint at rest
  urdf = 4,        ///< URDF has it, or what comes to the same
  rotor = 8,       ///< belongs to the rotor
  limit = 16,      ///< limits motions and torques, without changing them
  required = 32,   ///< must stand in a file
  in_full = 64,    ///< is written even where it is the default
  rating = 128,    ///< concerns sizing alone
  mjcf = 256,      ///< MJCF has it, or what comes to the same
  coupling = 512,  ///< turns motors with several joints

  // Of a part: all fields in it have these as well.
  placed = 1024,          ///< frames and gravity, compared by what the arm does
  body = 2048,            ///< mass, center or inertia, likewise
  payload = 4096,         ///< belongs to the payload
  joint_friction = 8192,  ///< acts at the joint
  motor = 16384,          ///< acts at the rotor
  ratio = 32768,          ///< of the speeds of motors and joints
};
inline constexpr unsigned of_parts = placed | body | payload | joint_friction | motor | ratio;
inline constexpr unsigned drive = joint_friction | motor | ratio;
}  // namespace role

struct RobotField {
  std::string_view key;         ///< in robot files
  std::string_view name = key;  ///< in sentences
  RobotUnit unit = RobotUnit::none;
  Rule rule = Rule::any;
  unsigned roles = 0;
  std::optional<ParameterKind> parameter{};  ///< of a regressor, if the torque is linear in it
  std::string_view expected{};               ///< values that its rule allows, in its own words
  std::string_view says{};                   ///< description in the JSON schema beside its unit
  std::string_view form{};                   ///< form in a file where its type leaves it open

  [[nodiscard]] constexpr bool has(unsigned role) const { return (roles & role) != 0; }

  constexpr void set(RobotUnit of_field) { unit = of_field; }
  constexpr void set(Rule of_field) { rule = of_field; }
  constexpr void set(role::Role another) { roles |= another; }
  constexpr void set(ParameterKind kind) { parameter = kind; }
  constexpr void set(const char* text) { says = text; }
  constexpr void set(const auto& text) { this->*text.member = text.text; }
};

/// A text of a field.
template <std::string_view RobotField::*which>
struct FieldText {
  std::string_view text;
  static constexpr auto member = which;
};
using Name = FieldText<&RobotField::name>;
using Expected = FieldText<&RobotField::expected>;
using Form = FieldText<&RobotField::form>;

/// Makes the field of that key with properties in any order.
constexpr RobotField field(std::string_view key, const auto&... what) {
  RobotField made{key};
  (made.set(what), ...);
  return made;
}

/// Makes the field of a rating of a drive or the supply.
constexpr RobotField rating(std::string_view key, const auto&... what) {
  return field(key, Rule::positive, role::rating, what...);
}

template <class T, template <class> class RobotPart>
inline constexpr bool is_part = false;
template <class S, template <class> class RobotPart>
inline constexpr bool is_part<RobotPart<S>, RobotPart> = true;

/// Satisfied by T that is, constant or not, a RobotPart of some scalar.
template <class T, template <class> class RobotPart>
concept A = is_part<std::remove_const_t<T>, RobotPart>;

template <class V, A<DhRowOf>... R>
void fields(V&& visit, R&... row) {
  using enum RobotUnit;
  visit(field("a", length, role::in_full), row.a...);
  visit(field("alpha", angle, role::in_full), row.alpha...);
  visit(field("d", length, role::in_full, "m; the offset of a prismatic joint."), row.d...);
  visit(field("theta", angle, role::in_full, "The offset of a revolute joint. An angle."),
        row.theta...);
}

template <class V, A<PlacementOf>... P>
void fields(V&& visit, P&... placement) {
  using enum RobotUnit;
  visit(field("xyz", length, role::in_full, "Origin, m."), placement.xyz...);
  visit(field("rpy", angle, role::in_full, "Roll, pitch and yaw."), placement.rpy...);
}

template <class V, A<SymMat>... I>
void fields(V&& visit, I&... tensor) {
  using enum RobotUnit;
  visit(field("xx", inertia, role::in_full), tensor.xx...);
  visit(field("yy", inertia, role::in_full), tensor.yy...);
  visit(field("zz", inertia, role::in_full), tensor.zz...);
  visit(field("xy", inertia), tensor.xy...);
  visit(field("yz", inertia), tensor.yz...);
  visit(field("xz", inertia), tensor.xz...);
}

template <class V, A<MassPropertiesOf>... B>
void fields(V&& visit, B&... body) {
  using enum RobotUnit;
  visit(field("mass", mass, Rule::not_negative, role::required, role::in_full, role::body),
        body.mass...);
  visit(field("com", length, role::body,
              "Center of mass [x, y, z], m: of a link in its frame {i}, of the payload in the "
              "tool frame."),
        body.com...);
  visit(field("inertia", inertia, role::body,
              "Inertia tensor in the axes of the body's frame, kg·m². Off-diagonal entries "
              "are those of the tensor, xy = -∫xy dm; tables of products of inertia (+∫xy dm) "
              "have the other sign.",
              Form{"a map {xx, yy, zz, xy, yz, xz} of numbers in kg·m²"}),
        body.inertia...);
}

template <class V, A<RippleOf>... R>
void fields(V&& visit, R&... ripple) {
  using enum RobotUnit;
  visit(field("amplitude", Rule::share, role::in_full,
              Expected{"0 to 1, a share of the dry friction"}, "A."),
        ripple.amplitude...);
  visit(field("harmonic", per_position, role::in_full, "h, per rad or per m."), ripple.harmonic...);
  visit(field("phase", radians, role::in_full, "φ, rad."), ripple.phase...);
}

template <class V, A<SigmoidFrictionOf>... F>
void fields(V&& visit, F&... sigmoid) {
  using enum RobotUnit;
  visit(
      field("amplitude", effort, Rule::not_negative, role::friction, role::required, role::in_full,
            ParameterKind::sigmoid, "φ1, N·m or N: from one direction's level to the other's."),
      sigmoid.amplitude...);
  visit(field("slope", inverse_speed, Rule::not_negative, role::required, role::in_full,
              "φ2, s/rad or s/m."),
        sigmoid.slope...);
  visit(field("offset", speed, "φ3, rad/s or m/s."), sigmoid.offset...);
}

template <class V, A<FrictionOf>... F>
void fields(V&& visit, F&... of_joint) {
  using enum RobotUnit;
  visit(field("viscous", Name{"viscous friction"}, damping, Rule::not_negative, role::friction,
              role::urdf, role::mjcf, ParameterKind::viscous, "b, N·m·s/rad or N·s/m."),
        of_joint.viscous...);
  visit(field("coulomb", Name{"Coulomb friction"}, effort, Rule::not_negative, role::friction,
              role::dry, role::urdf, role::mjcf, ParameterKind::coulomb,
              "c, N·m or N: a magnitude, or [positive, negative] direction."),
        of_joint.coulomb...);
  visit(field("static", Name{"static friction"}, effort, Rule::at_least_before, role::friction,
              role::dry, ParameterKind::breakaway,
              "s, the level at rest, N·m or N; by default the Coulomb level."),
        of_joint.breakaway...);
  visit(field("stribeck_velocity", Name{"Stribeck velocity"}, speed, Rule::not_negative,
              "v, rad/s or m/s; with 0 the level is c at any speed."),
        of_joint.stribeck_velocity...);
  visit(field("ripple", Name{"friction's ripple"}, "Position-dependent friction."),
        of_joint.ripple...);
  visit(
      field("sigmoid", Name{"sigmoid friction"}, "Friction that grows smoothly into dry friction."),
      of_joint.sigmoid...);
}

template <class V, A<EfficiencyOf>... E>
void fields(V&& visit, E&... efficiency) {
  const auto share = [](std::string_view key, const char* says) {
    return rating(key, says, Rule::positive_share, role::required, role::in_full);
  };
  visit(share("driving", "From the rotor to the joint."), efficiency.driving...);
  visit(share("back_driving", "From the joint to the rotor."), efficiency.back_driving...);
}

template <class V, A<MotorThermalOf>... T>
void fields(V&& visit, T&... thermal) {
  using enum RobotUnit;
  constexpr auto need = [](std::string_view key, RobotUnit unit) {
    return rating(key, unit, role::required);
  };
  visit(need("winding_to_housing", thermal_resistance), thermal.winding_to_housing...);
  visit(need("housing_to_ambient", thermal_resistance), thermal.housing_to_ambient...);
  visit(need("winding_capacity", heat_capacity), thermal.winding_capacity...);
  visit(need("housing_capacity", heat_capacity), thermal.housing_capacity...);
  visit(rating("ambient", temperature, "Around the motor, °C.", Rule::any), thermal.ambient...);
  visit(rating("max_winding", temperature, "That the winding may have, °C.", Rule::any),
        thermal.max_winding...);
  visit(rating("temperature_coefficient", per_temperature, "Of the resistance, 1/K.",
               Rule::not_negative),
        thermal.temperature_coefficient...);
  visit(rating("resistance_temperature", temperature, "Where it is as given, °C.", Rule::any),
        thermal.resistance_temperature...);
}

/// Their keys stand among the motor's own.
template <class V, A<MotorRatingsOf>... R>
void fields(V&& visit, R&... ratings) {
  using enum RobotUnit;
  visit(rating("peak_torque", motor_effort), ratings.peak_torque...);
  visit(rating("continuous_torque", motor_effort), ratings.continuous_torque...);
  visit(rating("max_speed", motor_speed), ratings.max_speed...);
  visit(rating("torque_speed", "Points [rad/s, N·m] of the peak torque by rising speed.",
               Rule::not_negative,
               Form{"a list of points [rad/s, N·m], such as [[0, 2.5], [300, 1]]"}),
        ratings.torque_speed...);
  visit(rating("torque_constant", torque_constant, "N·m per A of RMS current."),
        ratings.torque_constant...);
  visit(rating("resistance", resistance, "Of a phase, Ω: half of that from line to line."),
        ratings.resistance...);
  visit(rating("dc", "One winding, with I²·R of losses, instead of three phases."), ratings.dc...);
  visit(rating("thermal", "Winding and housing as two bodies."), ratings.thermal...);
}

template <class V, A<GearOf>... G>
void fields(V&& visit, G&... gear) {
  using enum RobotUnit;
  visit(rating("repeated_peak_torque", effort), gear.repeated_peak_torque...);
  visit(rating("momentary_peak_torque", effort), gear.momentary_peak_torque...);
  visit(rating("average_torque", effort), gear.average_torque...);
  visit(rating("rated_torque", effort), gear.rated_torque...);
  visit(rating("rated_speed", motor_speed), gear.rated_speed...);
  visit(rating("life", hours, "At rated torque and speed, h."), gear.life...);
  visit(rating("max_input_speed", motor_speed), gear.max_input_speed...);
  visit(rating("bearing", "What wears: ball (exponent 3) or roller (10/3)."), gear.bearing...);
}

template <class V, A<SupplyOf>... P>
void fields(V&& visit, P&... supply) {
  using enum RobotUnit;
  visit(rating("peak_power", power), supply.peak_power...);
  visit(rating("continuous_power", power), supply.continuous_power...);
  visit(rating("capacitor", energy, "What it takes of returned energy, J."), supply.capacitor...);
  visit(rating("brake_resistor", power), supply.brake_resistor...);
}

template <class V, A<MotorOf>... M>
void fields(V&& visit, M&... motor) {
  using enum RobotUnit;
  visit(field("rotor_inertia", Name{"rotor inertia"}, inertia, Rule::not_negative, role::rotor,
              role::urdf, role::mjcf, ParameterKind::rotor_inertia),
        motor.rotor_inertia...);
  visit(field("gear_ratio", Name{"gear ratio"}, Rule::not_zero, role::urdf,
              Expected{"rotor speed over joint speed, 1 without a gear"},
              "Rotor speed over joint speed; may be negative."),
        motor.gear_ratio...);
  visit(field("viscous", Name{"viscous friction of the motor"}, motor_damping, Rule::not_negative,
              role::friction, ParameterKind::motor_viscous, "N·m·s/rad at the rotor."),
        motor.viscous...);
  visit(field("coulomb", Name{"Coulomb friction of the motor"}, motor_effort, Rule::not_negative,
              role::friction, role::dry, ParameterKind::motor_coulomb,
              "N·m at the rotor, by the direction of the joint."),
        motor.coulomb...);
  visit(rating("efficiency", "Of the gear; for sizing only.", Rule::positive_share,
               Form{"a number, more than 0 and at most 1, or a map {driving, back_driving}"}),
        motor.efficiency...);
  fields(visit, motor.ratings...);
}

template <class V, A<LimitsOf>... L>
void fields(V&& visit, L&... limits) {
  using enum RobotUnit;
  visit(field("position", Name{"limit"}, position, Rule::increasing, role::limit, role::urdf,
              role::mjcf, "[lower, upper]: angles or m."),
        limits.position...);
  visit(field("velocity", Name{"velocity limit"}, speed, Rule::positive, role::limit, role::urdf,
              "A magnitude: an angle or m, per s."),
        limits.velocity...);
  visit(field("acceleration", Name{"acceleration limit"}, acceleration, Rule::positive, role::limit,
              "A magnitude: an angle or m, per s²."),
        limits.acceleration...);
  visit(field("jerk", Name{"jerk limit"}, jerk, Rule::positive, role::limit,
              "A magnitude: an angle or m, per s³."),
        limits.jerk...);
  visit(field("torque", Name{"torque limit"}, effort, Rule::positive, role::limit, role::urdf,
              role::mjcf, "A magnitude, N·m or N."),
        limits.torque...);
}

template <class V, A<FollowedOf>... F>
void fields(V&& visit, F&... followed) {
  visit(field("joint", role::placed), followed.joint...);
  visit(field("factor", role::placed), followed.factor...);
}

template <class V, A<FollowsOf>... F>
void fields(V&& visit, F&... follows) {
  using enum RobotUnit;
  visit(field("row", role::required, role::placed,
              "Names of joints, and the factor of each one's position in this joint's.",
              Form{"a map of joints' names to factors such as {j2: 1, j3: -1}"}),
        follows.row...);
  visit(field("offset", position, role::placed,
              "Position where those joints are at 0: an angle or m."),
        follows.offset...);
}

/// The keys of the body stand among the joint's own. A part without a name is recognized by those of its
/// fields.
template <class V, A<JointOf>... J>
void fields(V&& visit, J&... joint) {
  visit(field("name", role::urdf, role::mjcf,
              "Unique; also names columns, as in q_shoulder. By default j1, j2, …"),
        joint.name...);
  visit(field("type", role::required, role::urdf, role::mjcf,
              "revolute: theta = q + theta. prismatic: d = q + d. helical: both, d by the pitch."),
        joint.type...);
  visit(field("pitch", RobotUnit::length, role::placed,
              "Of a helical joint: the length that it moves along its axis in one turn, m."),
        joint.pitch...);
  visit(
      field("parent", role::placed,
            "Name of the joint whose link carries this one, or base; by default the joint before.",
            Form{"the name of a joint, or base"}),
      joint.parent...);
  visit(field("follows", role::placed, "Of a joint whose position is a sum of others'.",
              Form{"a map such as {row: {j2: 1, j3: -1}, offset: 0}"}),
        joint.follows...);
  visit(field("origin", role::placed,
              "Frame in the parent's, in which the joint's row of the table stands.",
              Form{"a map such as {xyz: [0, 0, 0.1], rpy: [0, 0, pi/2]}"}),
        joint.origin...);
  visit(field("axis", role::placed,
              "Direction along or about which the joint acts, in place of dh: in the link's frame, "
              "which at position 0 is the origin.",
              Form{"a direction such as [0, 0, 1]"}),
        joint.axis...);
  visit(field("axis_point", RobotUnit::length, role::placed,
              "A point of the axis in the link's frame, m."),
        joint.axis_point...);
  visit(field("dh", role::required, role::placed, "Row of the Denavit-Hartenberg table.",
              Form{"a map such as {a: 0.4, alpha: pi/2, d: 0, theta: 0}"}),
        joint.dh...);
  fields(visit, joint.body...);
  visit(field("friction", Name{""}, role::joint_friction,
              "At the joint: sign(q̇)·(1 + A cos(hq + φ))·[c + (s − c)·exp(−(q̇/v)²)] + b q̇."),
        joint.friction...);
  visit(field("motor", Name{""}, role::motor,
              "Motor and gear, at the rotor; reflected to the joint by the gear ratio."),
        joint.motor...);
  visit(field("gear", "What the gear may do: torques at its output, speeds at its input."),
        joint.gear...);
  visit(field("limits", Name{""}), joint.limits...);
}

template <class V, A<LinkPointOf>... P>
void fields(V&& visit, P&... point) {
  visit(field("link", role::required, "Name of the link's joint, or base."), point.link...);
  visit(field("at", RobotUnit::length, "The point in the link's frame {i}, m."), point.at...);
}

template <class V, A<SpringOf>... P>
void fields(V&& visit, P&... spring) {
  using enum RobotUnit;
  visit(field("name"), spring.name...);
  visit(field("row", "Names of joints, and the factor of each one's position in the spring's.",
              Form{"a map of joints' names to factors such as {j2: 1}"}),
        spring.row...);
  visit(field("rest", position, "Where the row's spring is at rest: an angle or m."),
        spring.rest...);
  visit(field("free_length", RobotUnit::length, Rule::not_negative,
              "Distance of two points where the spring between them is at rest, m."),
        spring.free_length...);
  visit(field("preload", effort, "Load at rest, N·m or N."), spring.preload...);
  visit(field("stiffness", stiffness, Rule::not_negative, "N·m/rad; N/m."), spring.stiffness...);
  visit(field("piecewise", position, "In place of stiffness: its values from a deflection on.",
              Form{"a list of points [deflection, stiffness], such as [[-1, 400], [0, 150]]"}),
        spring.piecewise...);
  visit(field("table", position,
              "In place of stiffness, rest and preload: load over position or length.",
              Form{"a list of points [position, load], such as [[0.2, 500], [0.4, 380]]"}),
        spring.table...);
  visit(field("from", "An end, in place of a row.",
              Form{"a map such as {link: base, at: [0, 0, 0.5]}"}),
        spring.from...);
  visit(field("to", "The other end.", Form{"a map such as {link: j2, at: [0.2, 0, 0]}"}),
        spring.to...);
}

template <class V, A<CouplingOf>... C>
void fields(V&& visit, C&... coupling) {
  using enum RobotUnit;
  visit(field("motors", role::required, "Numbers of the joints whose motors these are, from 1."),
        coupling.joints...);
  visit(field("matrix", role::required, role::ratio,
              "A row for each motor, in place of gear ratios."),
        coupling.matrix...);
  visit(field("offsets", radians, "Positions of the motors where the joints are at 0, rad."),
        coupling.offsets...);
  visit(field("limits.velocity", role::limit, "rad/s"), coupling.velocity_limits...);
  visit(field("limits.torque", motor_effort, role::limit, "N·m"), coupling.torque_limits...);
}

/// Of the joint in whose frame the tool frame is.
inline constexpr std::string_view tool_link_key = "tool.link";

template <class V, A<RobotOf>... R>
void fields(V&& visit, R&... robot) {
  using enum RobotUnit;
  visit(field("name", role::required, role::urdf, role::mjcf, "The robot's name, in one line."),
        robot.name...);
  visit(field("description", Name{"its description"},
              "What the robot is; how far to trust its numbers."),
        robot.description...);
  visit(field("source", Name{"its source"}, "Who published the numbers, and where."),
        robot.source...);
  visit(field("convention", role::required, role::placed,
              "Of the Denavit-Hartenberg table. standard (distal; Paul, Corke): T = Rz(theta) "
              "Tz(d) Tx(a) Rx(alpha), joint i acts along z of {i-1}, {i} is at the far end of "
              "link i. modified (proximal; Craig): T = Rx(alpha) Tx(a) Rz(theta) Tz(d), row i "
              "has alpha and a of the axis before, joint i acts along z of {i}."),
        robot.convention...);
  visit(
      field("gravity", gravity, role::placed, "The gravitational field in the world frame, m/s²."),
      robot.gravity...);
  visit(field("base", role::placed, "Frame {0} in the world.",
              Form{"a map such as {xyz: [0, 0, 0.1], rpy: [0, 0, pi/2]}"}),
        robot.base...);
  visit(field("joints", role::required, role::urdf, role::mjcf,
              Form{"a list of joints, base to end effector"},
              "From base to end effector: each joint with the link that it moves."),
        robot.joints...);
  visit(field("joints", role::urdf, role::mjcf), robot.followers...);
  visit(field("couplings", role::coupling,
              "Motors that turn with several joints: motor positions = matrix * joint "
              "positions + offsets, joint torques by the transposed matrix.",
              Form{"a list of maps such as {motors: [5, 6], matrix: [[45, 0], [32, 32]]}"}),
        robot.couplings...);
  visit(field("springs", Name{"its springs"}, role::placed,
              "Springs on a sum of joint positions, or between two points of links.",
              Form{"a list of maps such as {row: {j2: 1}, stiffness: 150, rest: pi/2}"}),
        robot.springs...);
  visit(field("tool", role::placed, "The tool frame in the last frame of the table.",
              Form{"a map such as {xyz: [0, 0, 0.1], rpy: [0, 0, pi/2]}"}),
        robot.tool...);
  visit(field(tool_link_key, role::placed), robot.tool_link...);
  visit(field("payload", role::payload, role::urdf, role::mjcf,
              "A body held rigidly, in the tool frame; it is added to the last link.",
              Form{"a map with mass, com and inertia"}),
        robot.payload...);
  visit(field("supply", Name{"the supply"}, "What feeds all motors."), robot.supply...);
  visit(field("poses", Name{"named poses"}, position,
              Form{"a map of names to lists of joint positions"},
              "Names of positions: one number per joint, angles of revolute joints, m of prismatic "
              "ones."),
        robot.poses...);
}

/// A part whose fields this list has.
template <class T>
concept RobotPart = requires(T& part) {
  fields([](const RobotField&, auto&) {}, part);
};

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// "poses.ready".
[[nodiscard]] std::string pose_path(const NamedPose& pose);

/// The field at a path in a robot file, "joints[2].motor.viscous", with the roles of the parts that
/// it is in; nothing where the list has none, as for a shape, from which a body follows.
[[nodiscard]] std::optional<RobotField> field_at(std::string_view path);
/// Tests whether there is a field at a path that has one of these roles.
[[nodiscard]] bool has_role(std::string_view path, unsigned roles);

/// Calls `number(path, field, number)` for each number present in a part, with its path in a robot
/// file: "joints[0].com[2]"; one of both directions of a level has the path of its entry. The field
/// has the roles of the parts that it is in. Of two parts `number(path, field, first, second)`: the second is brought into the first's shape.
template <class Call>
class NumberVisitor {
 public:
  explicit NumberVisitor(const Call& number) : number_(number) {}

  template <class T, class... Other>
  void operator()(const RobotField& field, T& part, Other&... other) {
    const std::string outer = path_;
    const unsigned roles_of_outer = roles_;
    path_ += (path_.empty() ? "" : ".") + std::string(field.key);
    roles_ |= field.roles & role::of_parts;
    RobotField inner = field;
    inner.roles |= roles_;
    look(inner, part, other...);
    path_ = outer;
    roles_ = roles_of_outer;
  }

 private:
  template <class T, class... Other>
  void look(const RobotField& field, T& part, Other&... other) {
    using Plain = std::remove_const_t<T>;
    if constexpr (RobotPart<T>) {
      fields(*this, part, other...);
    } else if constexpr (A<T, TwoSidedOf>) {
      at("[0]", field, part.positive, other.positive...);
      at("[1]", field, part.negative, other.negative...);
    } else if constexpr (A<T, SpeedTorqueOf>) {
      at("[0]", field, part.speed, other.speed...);
      at("[1]", field, part.torque, other.torque...);
    } else if constexpr (A<T, SpringPointOf>) {
      at("[0]", field, part.at, other.at...);
      at("[1]", field, part.value, other.value...);
    } else if constexpr (A<T, RangeOf>) {
      at("[0]", field, part.lower, other.lower...);
      at("[1]", field, part.upper, other.upper...);
    } else if constexpr (A<T, Vec>) {
      at("[0]", field, part.x, other.x...);
      at("[1]", field, part.y, other.y...);
      at("[2]", field, part.z, other.z...);
    } else if constexpr (A<T, std::optional>) {
      if (!part) return;
      look(field, *part, (other ? *other : other.emplace())...);
    } else if constexpr (is_no_number<Plain>) {
      ((other = part), ...);
    } else if constexpr (std::is_same_v<Plain, std::vector<NamedPose>>) {
      ((other = part), ...);
      // Positions are doubles, whatever the robot's scalar is.
      if constexpr (std::is_invocable_v<const Call&, const std::string&, const RobotField&,
                                        decltype((part[0].q[0]))>) {
        for (auto& pose : part) {
          path_ = pose_path(pose);
          look(field, pose.q);
        }
      }
    } else if constexpr (std::is_same_v<Plain, std::vector<Followed>>) {
      (other.resize(part.size()), ...);
      for (std::size_t i = 0; i < part.size(); ++i) {
        ((other[i].joint = part[i].joint), ...);
        at("." + part[i].joint, field, part[i].factor, other[i].factor...);
      }
    } else if constexpr (is_list<Plain>) {
      (other.resize(part.size()), ...);
      // Followers are the last of the joints.
      const std::size_t first = field.key == "joints" ? std::exchange(joints_, part.size()) : 0;
      for (std::size_t i = 0; i < part.size(); ++i) {
        at(place(field, part.size(), first + i), field, part[i], other[i]...);
      }
    } else {
      number_(std::as_const(path_), field, part, other...);
    }
  }
  /// Index of an entry: "[2]", of a matrix, a list of rows, "[1][0]".
  static std::string place(const RobotField& field, std::size_t size, std::size_t i) {
    if (field.key != "matrix") return "[" + std::to_string(i) + "]";
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(size)));
    return "[" + std::to_string(i / n) + "][" + std::to_string(i % n) + "]";
  }
  template <class... T>
  void at(const std::string& entry, const RobotField& field, T&... parts) {
    const std::size_t size = path_.size();
    path_ += entry;
    look(field, parts...);
    path_.resize(size);
  }

  template <class T>
  static constexpr bool is_no_number =
      std::is_enum_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
      std::is_same_v<T, std::vector<std::size_t>>;

  const Call& number_;
  std::string path_;
  unsigned roles_ = 0;      // of the parts
  std::size_t joints_ = 0;  // already visited
};

template <class Call, class... P>
void for_each_number(const Call& number, P&... part) {
  fields(NumberVisitor<Call>(number), part...);
}

/// Calls `number(field, x)` for each double x present in a part, lists left out; of two parts
/// `number(field, x, other's)`.
template <class Call>
class Numbers {
 public:
  explicit Numbers(const Call& number) : number_(number) {}

  template <class T, class... Other>
  void operator()(const RobotField& field, T& value, Other&... other) const {
    if constexpr (std::is_same_v<std::remove_const_t<T>, double>) {
      number_(field, value, other...);
    } else if constexpr (A<T, TwoSidedOf>) {
      number_(field, value.positive, other.positive...);
      number_(field, value.negative, other.negative...);
    } else if constexpr (A<T, Vec>) {
      number_(field, value.x, other.x...);
      number_(field, value.y, other.y...);
      number_(field, value.z, other.z...);
    } else if constexpr (A<T, std::optional>) {
      if (value) (*this)(field, *value, (other ? *other : other.emplace())...);
    } else if constexpr (RobotPart<T>) {
      fields(*this, value, other...);
    }
  }

 private:
  const Call& number_;
};

/// Converts a robot to another scalar, each number by `number(path, field, double)`.
template <class S>
RobotOf<S> converted(const Robot& robot, const auto& number) {
  RobotOf<S> result;
  for_each_number([&number](const std::string& path, const RobotField& field, double from,
                            S& to) { to = number(path, field, from); },
                  robot, result);
  return result;
}
/// Likewise, each to what the scalar has for it.
template <class S>
RobotOf<S> converted(const Robot& robot) {
  return converted<S>(robot, [](const std::string& /*path*/, const RobotField& /*field*/,
                                double x) { return S(x); });
}

}  // namespace armdyn
