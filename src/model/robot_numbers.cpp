#include "model/robot_numbers.hpp"

namespace armdyn {

namespace {

constexpr std::array<std::string_view, 6> tensor_keys{"xx", "yy", "zz", "xy", "yz", "xz"};

using Kind = NumberPlace::Kind;
using Names = std::array<std::string, 3>;

void add_vector(std::vector<NumberPlace>& places, Kind kind, const std::string& path,
                const Names& names, const Vec3& v) {
  places.push_back({kind, path + "[0]", names[0], v.x});
  places.push_back({kind, path + "[1]", names[1], v.y});
  places.push_back({kind, path + "[2]", names[2], v.z});
}

void add_body(std::vector<NumberPlace>& places, const std::string& path, const std::string& suffix,
              const MassProperties& body) {
  places.push_back({Kind::mass, path + ".mass", "m" + suffix, body.mass});
  add_vector(places, Kind::length, path + ".com", {"cx" + suffix, "cy" + suffix, "cz" + suffix},
             body.com);
  for (std::size_t k = 0; k < tensor_keys.size(); ++k) {
    const std::string key(tensor_keys[k]);
    places.push_back({Kind::inertia, fmt::format("{}.inertia.{}", path, key),
                      fmt::format("I{}{}", key, suffix), entries(body.inertia)[k]});
  }
}

}  // namespace

bool moves_fixed_tensor(const std::string& path, const Parametrization& written) {
  const std::optional<RobotField> field = field_at(path);
  if (!field || !field->has(role::body) || field->unit == RobotUnit::inertia) return false;
  const std::size_t end = path.rfind('.');
  const std::string body = path.substr(0, end), frame = body + ".inertia_frame.";
  if (std::ranges::none_of(written.numbers,
                           [&](const WrittenNumber& n) { return n.path.starts_with(frame); })) {
    return false;
  }
  const auto number = [&](const std::string& at) {
    const auto found = std::ranges::find(written.numbers, at, &WrittenNumber::path);
    return found == written.numbers.end() ? WrittenNumber{at, "0"} : *found;
  };
  const auto differs = [&](int axis) {
    const WrittenNumber com = number(fmt::format("{}.com[{}]", body, axis)),
                        origin = number(fmt::format("{}xyz[{}]", frame, axis));
    return path == com.path ? com.text != origin.text : com.value != origin.value;
  };
  return field->unit == RobotUnit::mass ? differs(0) || differs(1) || differs(2)
                                        : differs(path[end + 5] - '0');
}

std::vector<NumberPlace> number_places(const Robot& robot) {
  std::vector<NumberPlace> places;
  for (std::size_t i = 0; i < number_of_joints(robot); ++i) {
    const std::string path = fmt::format("joints[{}]", i), number = std::to_string(i + 1);
    const Joint& joint = joint_at(robot, i);
    add_body(places, path, number, joint.body);
    places.push_back({Kind::length, path + ".dh.a", "a" + number, joint.dh.a});
    places.push_back({Kind::length, path + ".dh.d", "d" + number, joint.dh.d});
    places.push_back({Kind::angle, path + ".dh.alpha", "α" + number, joint.dh.alpha});
    places.push_back({Kind::angle, path + ".dh.theta", "δ" + number, joint.dh.theta});
    places.push_back(
        {Kind::inertia, path + ".motor.rotor_inertia", "J" + number, joint.motor.rotor_inertia});
    places.push_back(
        {Kind::inertia, path + ".motor.gear_ratio", "r" + number, joint.motor.gear_ratio, 1.0});
    places.push_back(
        {Kind::friction, path + ".friction.viscous", "b" + number, joint.friction.viscous});
    places.push_back({Kind::friction, path + ".motor.viscous", "B" + number, joint.motor.viscous});
    if (joint.origin) {
      add_vector(places, Kind::length, path + ".origin.xyz",
                 {"xo" + number, "yo" + number, "zo" + number}, joint.origin->xyz);
      add_vector(places, Kind::angle, path + ".origin.rpy",
                 {"φ" + number, "θ" + number, "ψ" + number}, joint.origin->rpy);
    }
    if (joint.pitch) places.push_back({Kind::length, path + ".pitch", "p" + number, *joint.pitch});
    if (joint.follows) {
      places.push_back({by_kind(joint.type, Kind::angle, Kind::length), path + ".follows.offset",
                        "ε" + number, joint.follows->offset});
    }
  }
  for (std::size_t s = 0; s < robot.springs.size(); ++s) {
    const Spring& spring = robot.springs[s];
    const std::string path = fmt::format("springs[{}]", s), number = std::to_string(s + 1);
    places.push_back({Kind::stiffness, path + ".stiffness", "ks" + number, spring.stiffness});
    places.push_back({Kind::length, path + ".rest", "qs" + number, spring.rest});
    add_vector(places, Kind::length, path + ".from.at",
               {"xs" + number, "ys" + number, "zs" + number}, spring.from.at);
    add_vector(places, Kind::length, path + ".to.at", {"xe" + number, "ye" + number, "ze" + number},
               spring.to.at);
  }
  const auto add_ratio = [&](const std::string& path, const RobotField& field, double ratio) {
    if (field.key == "matrix") places.push_back({Kind::inertia, path, "", ratio});
  };
  for_each_number(add_ratio, robot);
  add_body(places, "payload", "p", robot.payload);
  add_vector(places, Kind::length, "tool.xyz", {"xt", "yt", "zt"}, robot.tool.xyz);
  add_vector(places, Kind::angle, "tool.rpy", {"φt", "θt", "ψt"}, robot.tool.rpy);
  add_vector(places, Kind::angle, "base.rpy", {"φ0", "θ0", "ψ0"}, robot.base.rpy);
  const Vec3& g = robot.gravity;
  const bool is_along_an_axis = (g.x != 0.0) + (g.y != 0.0) + (g.z != 0.0) == 1;
  add_vector(places, Kind::gravity, "gravity",
             is_along_an_axis ? Names{"g", "g", "g"} : Names{"gx", "gy", "gz"}, g);
  std::ranges::stable_sort(places, {}, &NumberPlace::kind);
  return places;
}

}  // namespace armdyn
