#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <span>

#include "io/robot/robot_text.hpp"
#include "io/text/angle_text.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// With a decimal point, without which some readers of YAML take 2e-4 for a text.
std::string number(double value) {
  std::string text = number_text(value + 0.0);
  const std::size_t e = text.find('e');
  if (e != text.npos && text.find('.') == text.npos) text.insert(e, ".0");
  return text;
}

/// Right angles as such: -pi/2.
std::string angle(double radians) {
  const double quarters = std::nearbyint(radians / (std::numbers::pi / 2));
  if (radians == 0.0 || std::abs(quarters) > 1000.0) return number(radians);
  const std::string text = quarter_turns_text(quarters);
  return parse_pi(text) == radians ? text : number(radians);
}

std::string coordinate(JointType type, double value) {
  return type == JointType::revolute ? angle(value) : number(value);
}

std::string list(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z));
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// "{viscous: 0.1, coulomb: 2}", of the entries that are given.
class Map {
 public:
  void add(const std::string& key, const std::string& value) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, value);
  }
  void add_if(bool is_given, const std::string& key, double value) {
    if (is_given) add(key, number(value));
  }
  /// The line of such a map; nothing where it has no entries.
  [[nodiscard]] std::string line(const std::string& key) const {
    return text_.empty() ? "" : key + ": " + text() + "\n";
  }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string two_sided(const TwoSided& level) {
  if (level.positive == level.negative) return number(level.positive);
  return fmt::format("[{}, {}]", number(level.positive), number(level.negative));
}

std::string placement(const Placement& place) {
  Map map;
  map.add("xyz", list(place.xyz));
  map.add("rpy",
          fmt::format("[{}, {}, {}]", angle(place.rpy.x), angle(place.rpy.y), angle(place.rpy.z)));
  return map.text();
}

bool is_placed(const Placement& place) {
  return place.xyz != Vec3{} || place.rpy != Vec3{};
}

std::string body(const MassProperties& body, const std::string& indent) {
  const auto& [mass, com, I] = body;
  std::string text = fmt::format("mass: {}\n", number(mass));
  if (com != Vec3{}) text += indent + "com: " + list(com) + "\n";
  if (I == SymMat3{}) return text;
  Map map;
  map.add("xx", number(I.xx));
  map.add("yy", number(I.yy));
  map.add("zz", number(I.zz));
  map.add_if(I.xy != 0.0, "xy", I.xy);
  map.add_if(I.yz != 0.0, "yz", I.yz);
  map.add_if(I.xz != 0.0, "xz", I.xz);
  return text + indent + map.line("inertia");
}

Map friction(const Friction& friction) {
  // All by name: one more entry does not compile until it is written here.
  const auto& [viscous, coulomb, breakaway, stribeck_velocity, ripple, sigmoid] = friction;
  Map map;
  map.add_if(viscous != 0.0, "viscous", viscous);
  if (!coulomb.is_none()) map.add("coulomb", two_sided(coulomb));
  if (breakaway) map.add("static", two_sided(*breakaway));
  map.add_if(stribeck_velocity != 0.0, "stribeck_velocity", stribeck_velocity);
  if (ripple != Ripple{}) {
    Map entries;
    entries.add("amplitude", number(ripple.amplitude));
    entries.add("harmonic", number(ripple.harmonic));
    entries.add("phase", angle(ripple.phase));
    map.add("ripple", entries.text());
  }
  if (sigmoid != SigmoidFriction{}) {
    Map entries;
    entries.add("amplitude", number(sigmoid.amplitude));
    entries.add("slope", number(sigmoid.slope));
    entries.add_if(sigmoid.offset != 0.0, "offset", sigmoid.offset);
    map.add("sigmoid", entries.text());
  }
  return map;
}

Map motor(const Motor& motor) {
  Map map;
  map.add_if(motor.rotor_inertia != 0.0, "rotor_inertia", motor.rotor_inertia);
  map.add_if(motor.gear_ratio != 1.0, "gear_ratio", motor.gear_ratio);
  map.add_if(motor.viscous != 0.0, "viscous", motor.viscous);
  if (!motor.coulomb.is_none()) map.add("coulomb", two_sided(motor.coulomb));
  map.add_if(motor.efficiency != 1.0, "efficiency", motor.efficiency);
  return map;
}

Map limits(const Joint& joint) {
  const auto& [position, velocity, torque, acceleration, jerk] = joint.limits;
  Map map;
  if (position) {
    map.add("position", fmt::format("[{}, {}]", coordinate(joint.type, position->lower),
                                    coordinate(joint.type, position->upper)));
  }
  if (velocity) map.add("velocity", coordinate(joint.type, *velocity));
  if (acceleration) map.add("acceleration", coordinate(joint.type, *acceleration));
  if (jerk) map.add("jerk", coordinate(joint.type, *jerk));
  if (torque) map.add("torque", number(*torque));
  return map;
}

std::string joint_lines(const Joint& joint) {
  constexpr const char* indent = "    ";
  Map dh;
  dh.add("a", number(joint.dh.a));
  dh.add("alpha", angle(joint.dh.alpha));
  dh.add("d", number(joint.dh.d));
  dh.add("theta", angle(joint.dh.theta));
  std::string text = fmt::format("\n  - name: {}\n{}type: {}\n{}", joint.name, indent,
                                 joint.type == JointType::revolute ? "revolute" : "prismatic",
                                 indent + dh.line("dh"));
  text += indent + body(joint.body, indent);
  for (const auto& [key, map] :
       {std::pair{"friction", friction(joint.friction)}, std::pair{"motor", motor(joint.motor)},
        std::pair{"limits", limits(joint)}}) {
    const std::string line = map.line(key);
    if (!line.empty()) text += indent + line;
  }
  return text;
}

std::string row(std::span<const double> values) {
  std::string entries;
  for (const double value : values) entries += (entries.empty() ? "" : ", ") + number(value);
  return "[" + entries + "]";
}

std::string coupling_lines(const Coupling& coupling) {
  const std::size_t size = coupling.joints.size();
  std::string motors, rows;
  for (std::size_t m = 0; m < size; ++m) {
    motors += fmt::format("{}{}", m == 0 ? "" : ", ", coupling.joints[m] + 1);
    rows += (m == 0 ? "" : ", ") + row(std::span(coupling.matrix).subspan(m * size, size));
  }
  std::string limits;
  const auto add_limit = [&limits](const char* key, const std::vector<double>& most) {
    if (!most.empty())
      limits += fmt::format("{}{}: {}", limits.empty() ? "" : ", ", key, row(most));
  };
  add_limit("velocity", coupling.velocity_limits);
  add_limit("torque", coupling.torque_limits);
  if (!limits.empty()) limits = "    limits: {" + limits + "}\n";
  return fmt::format("\n  - motors: [{}]\n    matrix: [{}]\n    offsets: {}\n{}", motors, rows,
                     row(coupling.offsets), limits);
}

std::string pose_line(const Robot& robot, const NamedPose& pose) {
  std::string entries;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    entries += (i == 0 ? "" : ", ") + coordinate(robot.joints[i].type, pose.q[i]);
  }
  return fmt::format("  {}: [{}]\n", pose.name, entries);
}

}  // namespace

std::string robot_yaml(const Robot& robot, const std::string& comment) {
  std::string text =
      fmt::format("# {}\n# Units: m, kg, s, rad, N, N·m, kg·m².\n\narmdyn: 1\n", comment);
  text += fmt::format("name: {}\n", quoted(robot.name));
  if (!robot.description.empty()) text += "description: " + quoted(robot.description) + "\n";
  if (!robot.source.empty()) text += "source: " + quoted(robot.source) + "\n";
  text += fmt::format("convention: {}\ngravity: {}\n",
                      robot.convention == Convention::standard ? "standard" : "modified",
                      list(robot.gravity));
  if (is_placed(robot.base)) text += "base: " + placement(robot.base) + "\n";
  text += "\njoints:";
  for (const Joint& joint : robot.joints) text += joint_lines(joint);
  if (!robot.couplings.empty()) text += "\ncouplings:";
  for (const Coupling& coupling : robot.couplings) text += coupling_lines(coupling);
  if (is_placed(robot.tool)) text += "\ntool: " + placement(robot.tool) + "\n";
  if (!robot.payload.is_none()) {
    text += "\npayload:\n  " + body(robot.payload, "  ");
  }
  if (!robot.poses.empty()) text += "\nposes:\n";
  for (const NamedPose& pose : robot.poses) text += pose_line(robot, pose);
  return text;
}

}  // namespace armdyn
