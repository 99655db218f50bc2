#include "io/robot/shape.hpp"

#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "model/proximal_form.hpp"
#include "model/robot_fields.hpp"

namespace armdyn {

namespace {

constexpr std::array shape_keys{
    YamlKey{"box", "three edges [x, y, z] in m"},
    YamlKey{"cylinder", "[radius, length] in m, its axis along z"},
    YamlKey{"rod", "a length in m, along z"},
    YamlKey{"sphere", "a radius in m"},
    YamlKey{"density", "a number in kg/m³, of a rod in kg/m"},
    YamlKey{"mass", "a number in kg"},
    YamlKey{"com", "three numbers [x, y, z] in m"},
    YamlKey{"rpy", "three angles [roll, pitch, yaw]"},
};

/// 0, and an error, for what is below it.
double magnitude(const YamlValue& value) {
  const double number = value.number().value_or(0.0);
  if (number < 0.0) value.not_expected(", 0 or more");
  return std::max(number, 0.0);
}

std::vector<double> lengths(const YamlValue& value, std::size_t count) {
  if (count == 1) return {magnitude(value)};
  std::vector<double> found;
  if (const auto entries = value.list("a length in m", count)) {
    for (const YamlValue& entry : *entries) found.push_back(magnitude(entry));
  }
  found.resize(count);
  return found;
}

/// A kind of uniform body about its centre of mass, by its lengths.
struct Shape {
  std::string_view key;
  std::size_t lengths;
  double (*volume)(const std::vector<double>& of);  ///< m³; of a rod its length, m
  SymMat3 (*inertia)(double mass, const std::vector<double>& of);
};

constexpr std::array shapes{
    Shape{"box", 3, [](const auto& of) { return of[0] * of[1] * of[2]; },
          [](double mass, const auto& of) {
            return box_inertia(mass, {of[0], of[1], of[2]});
          }},
    Shape{"cylinder", 2, [](const auto& of) { return std::numbers::pi * of[0] * of[0] * of[1]; },
          [](double mass, const auto& of) { return cylinder_inertia(mass, of[0], of[1]); }},
    Shape{"rod", 1, [](const auto& of) { return of[0]; },
          [](double mass, const auto& of) { return cylinder_inertia(mass, 0.0, of[0]); }},
    Shape{"sphere", 1,
          [](const auto& of) { return 4.0 / 3.0 * std::numbers::pi * of[0] * of[0] * of[0]; },
          [](double mass, const auto& of) { return sphere_inertia(mass, of[0]); }},
};

}  // namespace

MassProperties read_shape(const YamlValue& value, AngleUnit unit) {
  if (!value.is_map()) return {};
  const YamlMap map(value, shape_keys);
  const Shape* shape = nullptr;
  for (const Shape& candidate : shapes) {
    const auto found = map.find(candidate.key);
    if (!found) continue;
    if (shape != nullptr) {
      found->error(fmt::format("found beside {}; expected one of them", shape->key));
      return {};
    }
    shape = &candidate;
  }
  if (shape == nullptr) {
    value.error("found no shape; expected one of box, cylinder, rod, sphere");
    return {};
  }
  const auto density = map.find("density"), mass = map.find("mass");
  if (density.has_value() == mass.has_value()) {
    value.error(density ? "found density and mass; expected one of them"
                        : "found neither density nor mass; expected one of them");
    return {};
  }
  const std::vector<double> of = lengths(*map.find(shape->key), shape->lengths);
  Placement placement;
  map.read("com", placement.xyz);
  map.read_angles("rpy", unit, placement.rpy);
  const double given = density ? magnitude(*density) : magnitude(*mass);
  const auto mass_of = [&](double number, const std::vector<double>& sizes) {
    return density ? number * shape->volume(sizes) : number;
  };
  const double kg = mass_of(given, of);
  const SymMat3 I = shape->inertia(kg, of);
  const MassProperties body{kg, placement.xyz, rotated(placed(placement).R, I)};  // (1.13)

  // Mass and moments grow with each size: they are off most where all sizes are largest.
  const auto noted = [&value](const std::string& key) { return value.noted(value.path() + key); };
  const auto largest = [&noted](const std::string& key) {
    return noted(key).value + noted(key).half_unit;
  };
  std::vector<double> sizes;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const std::string entry = of.size() == 1 ? "" : fmt::format("[{}]", i);
    sizes.push_back(largest(fmt::format(".{}{}", shape->key, entry)));
  }
  const double most = mass_of(largest(density ? ".density" : ".mass"), sizes);
  const SymMat3 I_most = shape->inertia(most, sizes);
  double angle = 0.0;  // by which the axes are off
  for (const char* const key : {".rpy[0]", ".rpy[1]", ".rpy[2]"}) angle += noted(key).half_unit;
  const double moments = std::max({I_most.xx - I.xx, I_most.yy - I.yy, I_most.zz - I.zz});
  const double radius = moments + 2.0 * angle * std::max({I_most.xx, I_most.yy, I_most.zz});
  const std::string at = value.path().substr(0, value.path().rfind('.') + 1);
  for_each_number(
      [&](const std::string& path, const RobotField& field, double x) {
        const double within = field.unit == RobotUnit::mass ? most - kg : radius;
        const bool is_as_written = field.unit == RobotUnit::length;
        value.note(at + path, is_as_written ? noted("." + path) : NumberAsWritten{x, within, true});
      },
      body);
  return body;
}

}  // namespace armdyn
