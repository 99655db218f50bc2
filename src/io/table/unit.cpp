#include "io/table/unit.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr double turn_per_minute = std::numbers::pi / 30.0;

struct NamedUnit {
  std::string_view dimension, text;
  Unit unit;
};

// Units other than of SI, in the spelling of `plain`.
constexpr std::array known_units{
    NamedUnit{"s", "ms", {1.0, 1e3}},
    NamedUnit{"s", "us", {1.0, 1e6}},
    NamedUnit{"s", "ns", {1.0, 1e9}},
    NamedUnit{"rad", "deg", {degree, 1.0}},
    NamedUnit{"m", "mm", {1.0, 1e3}},
    NamedUnit{"rad/s", "deg/s", {degree, 1.0}},
    NamedUnit{"rad/s", "rpm", {turn_per_minute, 1.0}},
    NamedUnit{"m/s", "mm/s", {1.0, 1e3}},
    NamedUnit{"rad/s^2", "deg/s^2", {degree, 1.0}},
    NamedUnit{"m/s^2", "mm/s^2", {1.0, 1e3}},
    NamedUnit{"N.m", "mN.m", {1.0, 1e3}},
    NamedUnit{"N.m", "kN.m", {1e3, 1.0}},
    NamedUnit{"N", "mN", {1.0, 1e3}},
    NamedUnit{"N", "kN", {1e3, 1.0}},
    NamedUnit{"A", "mA", {1.0, 1e3}},
};

// Gives one spelling to N·m, N*m, N m and Nm, to s², s2 and s^2, to °, degrees and deg, to µs and us.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> spellings{{
      {"degrees", "deg"},
      {"degree", "deg"},
      {"radians", "rad"},
      {"seconds", "s"},
      {"sec", "s"},
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

std::optional<Unit> find_unit(std::string_view dimension, std::string_view text) {
  const std::string wanted = plain(text);
  if (wanted == dimension) return Unit{};
  for (const auto& [of, name, unit] : known_units) {
    if (of == dimension && name == wanted) return unit;
  }
  return std::nullopt;
}

std::optional<std::string_view> unit_name(std::string_view dimension, const Unit& unit) {
  if (unit.is_si()) return dimension;
  for (const auto& [of, name, known] : known_units) {
    if (of == dimension && known == unit) return name;
  }
  return std::nullopt;
}

bool is_unit(std::string_view text) {
  return std::ranges::any_of(known_units, [wanted = plain(text)](const NamedUnit& known) {
    return known.text == wanted || known.dimension == wanted;
  });
}

std::string units_that_fit(std::string_view dimension) {
  std::string text, last(dimension);
  for (const auto& [of, name, unit] : known_units) {
    if (of != dimension) continue;
    text += (text.empty() ? "" : ", ") + std::exchange(last, name);
  }
  return text + " or " + last;
}

}  // namespace armdyn
