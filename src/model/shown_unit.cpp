#include "model/shown_unit.hpp"

#include <atomic>

#include "math/rotation.hpp"

namespace armdyn {

namespace {

std::atomic<bool> angles_in_degrees = false;

/// Tests whether a unit is that of an angle or its rates, and shown in degrees.
bool converts(std::string_view unit) {
  return shows_degrees() && unit.starts_with("rad") && (unit.size() == 3 || unit[3] == '/');
}

}  // namespace

void show_degrees(bool wanted) {
  angles_in_degrees = wanted;
}

bool shows_degrees() {
  return angles_in_degrees;
}

std::string shown_unit(std::string_view unit) {
  return converts(unit) ? "deg" + std::string(unit.substr(3)) : std::string(unit);
}

double shown_value(double value, std::string_view unit) {
  return converts(unit) ? degrees(value) : value;
}

}  // namespace armdyn
