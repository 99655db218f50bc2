#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/robot_fields.hpp"

namespace armdyn {

enum class AngleUnit { rad, deg };
enum class LengthUnit { m, mm };

/// How a robot was written, which a Robot does not tell: it helps to see slips and to name them.
struct Notation {
  AngleUnit angles = AngleUnit::rad;  ///< messages show it; the other one is suspicious
  LengthUnit lengths = LengthUnit::m;
  /// Per joint the frame in {i} about whose origin and in whose axes its inertia was given; none: in
  /// {i} about the centre of mass, as all of them are where this is empty.
  std::vector<std::optional<Placement>> inertia_frames{};
};

/// As check(robot), for a robot that was written in that way.
[[nodiscard]] std::vector<Finding> check(const Robot& robot, const Notation& written);

// The groups of rules that check() consists of.

/// Collects findings.
class Report {
 public:
  void error(std::string path, std::string message) {
    findings_.push_back({Severity::error, std::move(path), std::move(message)});
  }
  void warning(std::string path, std::string message) {
    findings_.push_back({Severity::warning, std::move(path), std::move(message)});
  }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
};

/// Warnings: masses and inertias that no body has.
void check_bodies(const Robot& robot, const Notation& written, Report& report);

/// Whether nothing but zz counts of this body's inertia, as in a plane, and nothing else was given.
[[nodiscard]] bool needs_zz_alone(const Robot& robot, const SymMat3& I);

/// Warnings: lengths in another unit, bodies that are not where their links are, or far larger.
void check_sizes(const Robot& robot, const Notation& written, Report& report);

/// Warnings: angles that look like the other unit, or like a right angle that was rounded.
void check_angles(const Robot& robot, AngleUnit written_in, Report& report);

/// Warnings: links denser than steel, speeds that no arm has, gravity upward, poses out of limits.
void check_plausible(const Robot& robot, AngleUnit written_in, Report& report);

/// An error unless the value is more than 0.
void is_positive(const std::string& path, double value, std::string_view unit, Report& report);

/// "joints[2]", for the paths of its values.
[[nodiscard]] std::string joint_path(std::size_t index);

/// An angle as its user wrote it, "90 deg".
[[nodiscard]] std::string shown_angle(double radians, AngleUnit unit);

/// Whether a position of this joint, in rad, was probably meant in degrees: it is beyond two turns.
[[nodiscard]] constexpr bool looks_like_degrees(const Joint& joint, double q) {
  constexpr double two_turns = 4.0 * std::numbers::pi;
  return is_turning(joint.type) && (q > two_turns || q < -two_turns);
}

}  // namespace armdyn
