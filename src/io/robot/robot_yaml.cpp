#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/robot/robot_schema.hpp"
#include "io/robot/robot_text.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/file_accuracy.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

namespace armdyn {

namespace {

/// Number with a decimal point, without which some readers of YAML take 2e-4 for a text.
std::string number(double value) {
  std::string text = number_text(value + 0.0);
  const std::size_t e = text.find('e');
  if (e != text.npos && text.find('.') == text.npos) text.insert(e, ".0");
  return text;
}

/// Angle, a right one as -pi/2.
std::string angle(double radians) {
  const double quarters = std::nearbyint(radians / (std::numbers::pi / 2));
  if (radians == 0.0 || std::abs(quarters) > 1000.0) return number(radians);
  const std::string text = quarter_turns_text(quarters);
  return parse_pi(text) == radians ? text : number(radians);
}

/// Entries of a map: the fields of a part that differ from their defaults.
class MapWriter {
 public:
  explicit MapWriter(JointType type = JointType::revolute) : type_(type) {}

  void operator()(const RobotField& field, const std::string& value, const std::string& /*usual*/) {
    if (!value.empty()) add(field, yaml_text(value));
  }
  void operator()(const RobotField& field, const JointType& value, const JointType& /*usual*/) {
    type_ = value;
    add(field, name(value));
  }
  void operator()(const RobotField& field, const std::vector<Followed>& row,
                  const std::vector<Followed>& /*none*/) {
    const auto part = [](const Followed& of) {
      return fmt::format("{}: {}", yaml_text(of.joint), number(of.factor));
    };
    if (!row.empty()) add(field, fmt::format("{{{}}}", fmt::join(each(row, part), ", ")));
  }
  void operator()(const RobotField& field, const Efficiency& value, const Efficiency& usual) {
    const bool is_one = value.driving == value.back_driving;
    is_one ? (*this)(field, value.driving, usual.driving) : add_part(field, value, usual);
  }
  void operator()(const RobotField& field, const std::optional<Vec3>& axis,
                  const std::optional<Vec3>& /*none*/) {
    has_axis_ = axis.has_value();
    if (axis) add(field, text(field, *axis));
  }
  void operator()(const RobotField& field, const DhRow& row, const DhRow& usual) {
    if (!has_axis_) add_part(field, row, usual);
  }
  template <RobotPart P>
  void operator()(const RobotField& field, const std::optional<P>& value,
                  const std::optional<P>& /*none*/) {
    if (value) add_part(field, *value, P{});
  }
  template <class T>
  void operator()(const RobotField& field, const std::optional<T>& value,
                  const std::optional<T>& /*none*/) {
    if (value) add(field, text(field, *value));
  }
  template <class T>
  void operator()(const RobotField& field, const T& value, const T& usual) {
    if constexpr (requires { value == usual; }) {
      if (value == usual && !field.has(role::in_full)) return;
    }
    if constexpr (RobotPart<T>) {
      add_part(field, value, usual);
    } else {
      add(field, text(field, value));
    }
  }

  [[nodiscard]] bool is_empty() const { return entries_.empty(); }
  /// "{viscous: 0.1, coulomb: 2}".
  [[nodiscard]] std::string in_braces() const {
    const auto entry = [](const auto& of) { return fmt::format("{}: {}", of.first, of.second); };
    return fmt::format("{{{}}}", fmt::join(each(entries_, entry), ", "));
  }
  [[nodiscard]] std::string lines(const std::string& indent) const {
    std::string text;
    for (const auto& [key, value] : entries_) text += fmt::format("{}{}: {}\n", indent, key, value);
    return text;
  }

 private:
  template <RobotPart P>
  void add_part(const RobotField& field, const P& part, const P& usual) {
    MapWriter map(type_);
    fields(map, part, usual);
    if (!map.entries_.empty()) add(field, map.in_braces());
  }
  void add(const RobotField& field, std::string text) {
    entries_.emplace_back(field.key, std::move(text));
  }
  [[nodiscard]] std::string text(const RobotField& field, double value) const {
    return is_angle(field, type_) ? angle(value) : number(value);
  }
  [[nodiscard]] static std::string text(const RobotField& /*field*/, bool value) {
    return value ? "true" : "false";
  }
  [[nodiscard]] static std::string text(const RobotField& /*field*/, Bearing value) {
    return name(value);
  }
  [[nodiscard]] std::string text(const RobotField& field, const Vec3& v) const {
    return fmt::format("[{}, {}, {}]", text(field, v.x), text(field, v.y), text(field, v.z));
  }
  [[nodiscard]] static std::string text(const RobotField& /*field*/,
                                        const std::vector<SpeedTorque>& curve) {
    const auto point = [](const SpeedTorque& of) {
      return fmt::format("[{}, {}]", number(of.speed), number(of.torque));
    };
    return fmt::format("[{}]", fmt::join(each(curve, point), ", "));
  }
  [[nodiscard]] std::string text(const RobotField& field,
                                 const std::vector<SpringPoint>& points) const {
    const auto point = [&](const SpringPoint& of) {
      return fmt::format("[{}, {}]", text(field, of.at), number(of.value));
    };
    return fmt::format("[{}]", fmt::join(each(points, point), ", "));
  }
  [[nodiscard]] std::string text(const RobotField& field, const TwoSided& level) const {
    if (level.positive == level.negative) return text(field, level.positive);
    return fmt::format("[{}, {}]", number(level.positive), number(level.negative));
  }
  [[nodiscard]] std::string text(const RobotField& field, const Range& range) const {
    return fmt::format("[{}, {}]", text(field, range.lower), text(field, range.upper));
  }

  JointType type_;
  bool has_axis_ = false;
  std::vector<std::pair<std::string, std::string>> entries_;
};

template <RobotPart P>
MapWriter map_of(const P& part) {
  const P usual{};
  MapWriter map;
  fields(map, part, usual);
  return map;
}

std::string row(std::span<const double> values) {
  return fmt::format("[{}]", fmt::join(each(values, number), ", "));
}

std::string coupling_lines(const Coupling& coupling) {
  const std::size_t size = coupling.joints.size();
  const auto motors =
      each(coupling.joints, [](std::size_t joint) { return std::to_string(joint + 1); });
  const auto rows = each(in_order(size), [&](std::size_t m) {
    return row(std::span(coupling.matrix).subspan(m * size, size));
  });
  std::vector<std::string> limits;
  if (!coupling.velocity_limits.empty())
    limits.push_back("velocity: " + row(coupling.velocity_limits));
  if (!coupling.torque_limits.empty()) limits.push_back("torque: " + row(coupling.torque_limits));
  const std::string of_motors =
      limits.empty() ? "" : fmt::format("    limits: {{{}}}\n", fmt::join(limits, ", "));
  return fmt::format("\n  - motors: [{}]\n    matrix: [{}]\n    offsets: {}\n{}",
                     fmt::join(motors, ", "), fmt::join(rows, ", "), row(coupling.offsets),
                     of_motors);
}

/// The lines of a joint, with its word for a helical one.
std::string joint_lines(const Joint& joint) {
  std::string lines = map_of(joint).lines("    ").replace(0, 4, "  - ");
  if (!joint.pitch) return lines;
  const std::string turning = fmt::format("type: {}", name(joint.type));
  return lines.replace(lines.find(turning), turning.size(), fmt::format("type: {}", name(joint)));
}

/// Kind of the joint of a row's position; a length, which has none, is prismatic.
JointType type_of_row(const Robot& robot, const std::vector<Followed>& row) {
  if (row.empty()) return JointType::prismatic;
  const std::size_t first = joint_of_name(robot, row[0].joint);
  return first < number_of_joints(robot) ? joint_at(robot, first).type : JointType::revolute;
}

std::string tool_line(const Robot& robot) {
  std::string place = map_of(robot.tool).in_braces();
  if (!robot.tool_link.empty()) {
    place.insert(1, fmt::format("link: {}, ", yaml_text(robot.tool_link)));
  }
  return "tool: " + place + "\n";
}

/// The covariance, by the shortest numbers of twelve digits; of many parameters it would be too large
/// a text.
std::string identified_lines(const IdentifiedParameters& identified) {
  constexpr std::size_t most = 200;
  const std::size_t size = identified.names.size();
  if (size > most) return "";
  const auto number_of = [](double value) { return fmt::format("{:.12g}", value); };
  const auto list = [&](std::span<const double> values) {
    return fmt::format("[{}]", fmt::join(each(values, number_of), ", "));
  };
  std::string lines =
      fmt::format("\nidentified:\n  parameters: [{}]\n  offsets: {}\n  covariance:\n",
                  fmt::join(each(identified.names, yaml_text), ", "), list(identified.offsets));
  const std::span<const double> covariance = identified.covariance;
  for (std::size_t i = 0; i < size; ++i) {
    lines += "    - " + list(covariance.subspan(i * (i + 1) / 2, i + 1)) + "\n";
  }
  return lines;
}

std::string pose_line(const Robot& robot, const NamedPose& pose) {
  const auto entry = [&](std::size_t i) {
    return (is_turning(robot.joints[i].type) ? angle : number)(pose.q[i]);
  };
  return fmt::format("  {}: [{}]\n", yaml_text(pose.name),
                     fmt::join(each(in_order(pose.q.size()), entry), ", "));
}

}  // namespace

std::string robot_yaml(const Robot& robot, const std::string& comment) {
  std::string text =
      fmt::format("# {}\n# Units: m, kg, s, rad, N, N·m, kg·m².\n\narmdyn: 1\n", comment);
  text += fmt::format("name: {}\n", yaml_quoted(robot.name));
  if (!robot.description.empty()) text += "description: " + yaml_quoted(robot.description) + "\n";
  if (!robot.source.empty()) text += "source: " + yaml_quoted(robot.source) + "\n";
  text += fmt::format("convention: {}\ngravity: [{}, {}, {}]\n",
                      !has_table(robot)                          ? "screws"
                      : robot.convention == Convention::standard ? "standard"
                                                                 : "modified",
                      number(robot.gravity.x), number(robot.gravity.y), number(robot.gravity.z));
  if (!is_origin(robot.base)) text += "base: " + map_of(robot.base).in_braces() + "\n";
  text += "\njoints:";
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    text += "\n" + joint_lines(joint_at(robot, k));
  }
  if (!robot.springs.empty()) text += "\nsprings:\n";
  const Spring usual;
  for (const Spring& spring : robot.springs) {
    MapWriter map(type_of_row(robot, spring.row));
    fields(map, spring, usual);
    text += "  - " + map.in_braces() + "\n";
  }
  if (!robot.couplings.empty()) text += "\ncouplings:";
  for (const Coupling& coupling : robot.couplings) text += coupling_lines(coupling);
  if (!is_origin(robot.tool) || !robot.tool_link.empty()) text += "\n" + tool_line(robot);
  if (!robot.payload.is_none()) text += "\npayload:\n" + map_of(robot.payload).lines("  ");
  const MapWriter supply = map_of(robot.supply);
  if (!supply.is_empty()) text += "\nsupply: " + supply.in_braces() + "\n";
  if (!robot.poses.empty()) text += "\nposes:\n";
  for (const NamedPose& pose : robot.poses) text += pose_line(robot, pose);
  if (robot.file_accuracy && robot.file_accuracy->identified) {
    text += identified_lines(*robot.file_accuracy->identified);
  }
  return text;
}

}  // namespace armdyn
