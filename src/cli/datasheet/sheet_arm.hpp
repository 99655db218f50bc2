#pragma once

// The arm that a data sheet is about, and what its chapters share. Each adds the searches for its
// numbers, and writes them once they are done.

#include <boost/noncopyable.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "datasheet/power.hpp"
#include "datasheet/stopping.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// Chapters of the sheet, in their order.
enum class Chapter { arm, payload, accelerations, base, stops, contact, power };

struct DatasheetOptions : VerbOptions {
  std::vector<Chapter> chapters;  ///< none: all
  std::string ratio;              ///< of accelerations; empty: the same for all joints
  std::string accelerations;      ///< at which payload is carried; empty: at rest
  double speed_share = 1.0;       ///< of the limits of velocity
  double gap = 0.05;              ///< share of the number found
  int boxes = 40000;
  std::string brakes;                       ///< torques; empty: those of the limits
  std::string brakes_up_to;                 ///< the largest torques; empty: as `brakes`
  double brake_delay = 0.1;                 ///< s
  std::string stops_along;                  ///< a motion whose stops count; empty: none
  std::string published;                    ///< CSV of the maker's stops; empty: none
  std::string regions;                      ///< CSV; empty: those of the standard
  std::string joint_limits, limited_robot;  ///< files to be written; empty: none

  [[nodiscard]] bool wants(Chapter chapter) const {
    return chapters.empty() || std::ranges::count(chapters, chapter) > 0;
  }
};

/// The arm that a sheet is about, and the way to look for its numbers.
struct SheetArm {
  SheetArm(const DatasheetOptions& options, Run& run)
      : robot(run.robot().robot),
        loaded(robot),
        empty([this] {
          Robot unloaded = robot;
          unloaded.payload = {};
          return LimitedArm(unloaded);
        }()),
        effort{options.gap, static_cast<std::size_t>(options.boxes),
               [&run] { run.throw_if_interrupted(); }} {}

  [[nodiscard]] std::size_t dof() const { return robot.dof(); }
  [[nodiscard]] bool limits_torque() const {
    return std::ranges::any_of(loaded.torques, [](double most) { return std::isfinite(most); });
  }
  /// The axis from which reach is measured.
  [[nodiscard]] const char* first_axis() const {
    return loaded.arm.is_serial() ? "joint 1" : "the first joint that moves it";
  }
  /// "speed [rad/s, m/s]": unit of revolute joints, and of others where there are some.
  [[nodiscard]] std::string label(const std::string& what, const char* of_turns,
                                  const char* of_slides) const {
    const bool all_turn = std::ranges::all_of(robot.joints, turns);
    return fmt::format("{} [{}{}]", what, shown_unit(of_turns),
                       all_turn ? "" : fmt::format(", {}", of_slides));
  }
  [[nodiscard]] std::string angle_label(const std::string& what) const {
    return label(what, "rad", "m");
  }
  /// The joint that limits; "-" where nothing does.
  [[nodiscard]] std::string joint_of(const ProvenLimit& limit) const {
    return limit.exists() ? robot.joints[limit.index].name : "-";
  }

  const Robot& robot;
  LimitedArm loaded, empty;
  SearchEffort effort;
};

using Searches = std::vector<std::function<void()>>;

/// A lower bound, and the number found; none below 0.
[[nodiscard]] inline Fields proven(const ProvenLimit& limit, double factor, const std::string& unit,
                                   const std::string& units) {
  const auto shown = [&](double value, const auto&... bound) -> Value {
    if (!limit.exists()) return {};
    const double number = std::max(0.0, factor * value);
    return {number, Value::number(shown_value(number, unit), bound...).brief};
  };
  return {{"guaranteed", "guaranteed [" + units + "]", shown(limit.guaranteed, Bound::lower)},
          {"found", "found [" + units + "]", shown(limit.found)}};
}

/// Appends fields for people, under the name of their group.
inline void append_group(Fields& row, const std::string& name, const Fields& fields) {
  for (const Field& field : fields) {
    row.push_back({for_people, name + ": " + *field.label, field.value});
  }
}

}  // namespace armdyn
