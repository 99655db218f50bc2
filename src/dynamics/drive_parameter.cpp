#include "dynamics/drive_parameter.hpp"

namespace armdyn {

namespace {

/// A number, or a level; or neither.
struct Place {
  double* number = nullptr;
  TwoSided* level = nullptr;
};

Place place_of(ParameterKind kind, Friction& friction, Motor& motor) {
  switch (kind) {
    case ParameterKind::rotor_inertia:
      return {.number = &motor.rotor_inertia};
    case ParameterKind::viscous:
      return {.number = &friction.viscous};
    case ParameterKind::coulomb:
      return {.level = &friction.coulomb};
    case ParameterKind::breakaway:
      return {.level = friction.breakaway ? &*friction.breakaway : nullptr};
    case ParameterKind::sigmoid:
      return {.number = &friction.sigmoid.amplitude};
    case ParameterKind::motor_viscous:
      return {.number = &motor.viscous};
    case ParameterKind::motor_coulomb:
      return {.level = &motor.coulomb};
    default:
      return {};
  }
}

double mean(const TwoSided& level) {
  return (level.positive + level.negative) / 2;
}

}  // namespace

double drive_parameter(const Drive& drive, ParameterKind kind) {
  Drive copy = drive;
  const Place place = place_of(kind, copy.friction, copy.motor);
  return place.number ? *place.number : place.level ? mean(*place.level) : 0.0;
}

void set_drive_parameter(Friction& friction, Motor& motor, ParameterKind kind, double value) {
  const Place place = place_of(kind, friction, motor);
  if (place.number) *place.number = value;
  if (!place.level) return;
  auto& [positive, negative] = *place.level;
  const double before = mean(*place.level);
  *place.level = before == 0.0 ? TwoSided{value, value}
                               : TwoSided{positive / before * value, negative / before * value};
}

}  // namespace armdyn
