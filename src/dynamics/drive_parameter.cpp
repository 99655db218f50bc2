#include "dynamics/drive_parameter.hpp"

#include <optional>

#include "model/robot_fields.hpp"

namespace armdyn {

namespace {

double mean(const TwoSided& level) {
  return (level.positive + level.negative) / 2;
}

/// The value of a kind.
struct Reading {
  ParameterKind kind;
  double value = 0.0;

  void operator()(const RobotField& field, const double& number) {
    if (field.parameter == kind) value = number;
  }
  void operator()(const RobotField& field, const TwoSided& level) {
    if (field.parameter == kind) value = mean(level);
  }
  void operator()(const RobotField& field, const std::optional<TwoSided>& level) {
    if (level) (*this)(field, *level);
  }
  void operator()(const RobotField& /*field*/, const RobotPart auto& part) { fields(*this, part); }
};

/// Gives the numbers of a kind a value; a level keeps the ratio of its directions.
struct Setting {
  ParameterKind kind;
  double value;

  void operator()(const RobotField& field, double& number) const {
    if (field.parameter == kind) number = value;
  }
  void operator()(const RobotField& field, TwoSided& level) const {
    if (field.parameter != kind) return;
    const double before = mean(level);
    level = before == 0.0
                ? TwoSided{value, value}
                : TwoSided{level.positive / before * value, level.negative / before * value};
  }
  void operator()(const RobotField& field, std::optional<TwoSided>& level) const {
    if (level) (*this)(field, *level);
  }
  void operator()(const RobotField& /*field*/, RobotPart auto& part) const { fields(*this, part); }
};

}  // namespace

double drive_parameter(const Drive& drive, ParameterKind kind) {
  Reading reading{kind};
  fields(reading, drive.friction);
  fields(reading, drive.motor);
  return reading.value;
}

void set_drive_parameter(Friction& friction, Motor& motor, ParameterKind kind, double value) {
  fields(Setting{kind, value}, friction);
  fields(Setting{kind, value}, motor);
}

}  // namespace armdyn
