#pragma once

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/robot_fields.hpp"

namespace armdyn {

enum class AngleUnit { rad, deg };
enum class LengthUnit { m, mm };

/// A mistake that shows in many values at once.
enum class Slip { unit, angle_unit, row_major, products };

/// Notation in which a robot was written, which a Robot does not have; it shows slips.
struct Notation {
  AngleUnit angles = AngleUnit::rad;  ///< messages show it; the other one is suspicious
  LengthUnit lengths = LengthUnit::m;
  /// Per joint the frame in {i} about whose origin and in whose axes its inertia was given; none, as
  /// for all joints where this is empty: in {i} about the center of mass.
  std::vector<std::optional<Placement>> inertia_frames{};
};

/// Checks a robot that was written in that way, as check(robot) does.
[[nodiscard]] std::vector<Finding> check(const Robot& robot, const Notation& written);

// Groups of rules of check().

class Report {
 public:
  /// A path, and perhaps a line in a file.
  struct At {
    At(std::string of, int in_file = 0) : path(std::move(of)), line(in_file) {}  // implicit
    At(const char* of, int in_file = 0) : path(of), line(in_file) {}             // implicit
    std::string path;
    int line;
  };
  template <class... Value>
  void error(At at, fmt::format_string<Value...> message, Value&&... value) {
    findings.push_back({Severity::error, std::move(at.path),
                        fmt::format(message, std::forward<Value>(value)...), at.line});
  }
  template <class... Value>
  void warning(At at, fmt::format_string<Value...> message, Value&&... value) {
    findings.push_back({Severity::warning, std::move(at.path),
                        fmt::format(message, std::forward<Value>(value)...), at.line});
  }
  /// Warns where a slip shows first, which is its cause, and counts the other places; warns as ever
  /// where there is none.
  template <class... Value>
  void slip(std::optional<Slip> of, At at, fmt::format_string<Value...> message, Value&&... value) {
    const auto [shown, is_first] =
        of ? slips.try_emplace(*of, Shown{findings.size()}) : std::pair(slips.end(), true);
    if (!is_first) {
      ++shown->second.others;
    } else {
      warning(std::move(at), message, std::forward<Value>(value)...);
    }
  }
  /// Adds to the warning of each slip how many more follow. No finding may have moved before.
  void count_slips();
  [[nodiscard]] bool has_error() const { return armdyn::has_error(findings); }

  struct Shown {
    std::size_t place = 0;   ///< in findings
    std::size_t others = 0;  ///< places of the same slip
  };
  std::vector<Finding> findings;
  std::map<Slip, Shown> slips{};
};

/// Reports parents, followers and a tool's joint that cannot be. False where chains are unclear.
[[nodiscard]] bool check_mechanism(const Robot& robot, Report& report);

/// Warns of physically inconsistent masses and inertias.
void check_bodies(const Robot& robot, const Notation& written, Report& report);

/// Tests whether the axes of all joints are parallel by the table's angles.
[[nodiscard]] bool is_planar(const Robot& robot);

/// Tests whether nothing but zz counts of this body's inertia, as in a plane, and no other was given.
[[nodiscard]] bool needs_zz_alone(const Robot& robot, const SymMat3& I);

/// Warns of lengths in another unit, and of bodies far from their links, or far larger.
void check_sizes(const Robot& robot, const Notation& written, Report& report);

/// Link beside one whose mass is none beside those before and after it, in an arm of that length, m;
/// nothing: it has a mass.
[[nodiscard]] std::optional<std::size_t> heavy_beside(const std::vector<MassProperties>& bodies,
                                                      std::size_t i, double arm);
inline constexpr const char* light_beside =
    "found {:.4g} kg, of a link beside {} with {:.4g} kg; is the unit kg?";

/// Tests whether lengths, masses or inertias look like those of another unit.
[[nodiscard]] bool has_doubtful_units(const Robot& robot);

/// Warns of angles that look like the other unit, or like a right angle that was rounded.
void check_angles(const Robot& robot, AngleUnit written_in, Report& report);

/// Warns of links denser than steel, speeds that no arm has, gravity upward, poses out of limits.
void check_plausible(const Robot& robot, AngleUnit written_in, Report& report);

/// Path of a joint in a robot file: "joints[2]".
[[nodiscard]] std::string joint_path(std::size_t index);

/// An angle as its user wrote it, "90 deg".
[[nodiscard]] std::string shown_angle(double radians, AngleUnit unit);

/// Tests whether an angle, in rad, was probably meant in degrees: beyond two turns.
[[nodiscard]] constexpr bool looks_like_degrees(double angle) {
  constexpr double two_turns = 4.0 * std::numbers::pi;
  return angle > two_turns || angle < -two_turns;
}
/// Tests whether a position of a robot's joint, in rad, was probably meant in degrees: beyond two turns,
/// unless the joint's range has it, or it turns without end: a screw, or a joint without a range
/// beside others with one.
[[nodiscard]] bool looks_like_degrees(const Robot& robot, std::size_t joint, double q);

/// Tests whether a position of this joint, in m, was probably meant in mm: no joint is that long.
[[nodiscard]] constexpr bool looks_like_mm(const Joint& joint, double q) {
  constexpr double longest = 50.0;
  return !is_turning(joint.type) && (q > longest || q < -longest);
}

}  // namespace armdyn
