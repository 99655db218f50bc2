#include "log/column_units.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace armdyn {
namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr double turn_per_minute = std::numbers::pi / 30.0;

struct NamedUnit {
  Dimension dimension;
  std::string_view text;
  Unit unit;
};

// In the spelling of `plain`; the first is SI.
constexpr std::array known_units{
    NamedUnit{Dimension::time, "s", {}},
    NamedUnit{Dimension::time, "ms", {1.0, 1e3}},
    NamedUnit{Dimension::time, "us", {1.0, 1e6}},
    NamedUnit{Dimension::time, "ns", {1.0, 1e9}},
    NamedUnit{Dimension::angle, "rad", {}},
    NamedUnit{Dimension::angle, "deg", {degree, 1.0}},
    NamedUnit{Dimension::length, "m", {}},
    NamedUnit{Dimension::length, "mm", {1.0, 1e3}},
    NamedUnit{Dimension::angular_velocity, "rad/s", {}},
    NamedUnit{Dimension::angular_velocity, "deg/s", {degree, 1.0}},
    NamedUnit{Dimension::angular_velocity, "rpm", {turn_per_minute, 1.0}},
    NamedUnit{Dimension::linear_velocity, "m/s", {}},
    NamedUnit{Dimension::linear_velocity, "mm/s", {1.0, 1e3}},
    NamedUnit{Dimension::angular_acceleration, "rad/s^2", {}},
    NamedUnit{Dimension::angular_acceleration, "deg/s^2", {degree, 1.0}},
    NamedUnit{Dimension::linear_acceleration, "m/s^2", {}},
    NamedUnit{Dimension::linear_acceleration, "mm/s^2", {1.0, 1e3}},
    NamedUnit{Dimension::moment, "N.m", {}},
    NamedUnit{Dimension::moment, "mN.m", {1.0, 1e3}},
    NamedUnit{Dimension::moment, "kN.m", {1e3, 1.0}},
    NamedUnit{Dimension::force, "N", {}},
    NamedUnit{Dimension::force, "mN", {1.0, 1e3}},
    NamedUnit{Dimension::force, "kN", {1e3, 1.0}},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// One spelling for N·m, N*m, N m and Nm, for s², s2 and s^2, for ° and deg, for µs and us.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> spellings{{
      {"·", "."},
      {"⋅", "."},
      {"*", "."},
      {" ", "."},
      {"Nm", "N.m"},
      {"²", "^2"},
      {"s2", "s^2"},
      {"°", "deg"},
      {"µ", "u"},  // the micro sign
      {"μ", "u"},  // the Greek letter
  }};
  std::string result(text);
  for (const auto& [from, to] : spellings) replace_all(result, from, to);
  return result;
}

}  // namespace

std::optional<Unit> find_unit(Dimension dimension, std::string_view text) {
  const std::string wanted = plain(text);
  for (const NamedUnit& known : known_units) {
    if (known.dimension == dimension && known.text == wanted) return known.unit;
  }
  return std::nullopt;
}

bool is_unit(std::string_view text) {
  return std::ranges::find(known_units, plain(text), &NamedUnit::text) != known_units.end();
}

std::string units_that_fit(Dimension dimension) {
  std::vector<std::string_view> names;
  for (const NamedUnit& known : known_units) {
    if (known.dimension == dimension) names.push_back(known.text);
  }
  std::string text(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace armdyn
