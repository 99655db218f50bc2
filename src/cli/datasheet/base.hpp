#pragma once

// The chapter "Loads on the base" of a data sheet.

#include <algorithm>
#include <cmath>

#include "cli/datasheet/sheet_arm.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// Joints about which the arm has no inertia, so that no deceleration by a brake is known.
inline std::vector<std::size_t> joints_stopped_at_once(const SheetArm& arm) {
  const JointSpace space(arm.robot);
  return where(arm.dof(), [&](std::size_t i) {
    const auto inertia = [&](std::span<const double> q) { return inertia_about(arm.loaded, i, q); };
    return !(space.smallest(inertia).value > 1e-12 * space.largest(inertia).value);
  });
}

class BaseChapter : boost::noncopyable {
 public:
  explicit BaseChapter(const SheetArm& arm) : arm_(arm) {}

  /// Loads in motion by these accelerations, and of a stop by these brakes; appends a warning where
  /// an arm has no inertia for them.
  void add_searches(Searches& searches, const std::vector<double>& accelerations,
                    const std::vector<double>& brakes, std::vector<std::string>& warnings) {
    const auto add = [this](During during, const std::vector<double>& most) {
      for (const BaseLoad load :
           {BaseLoad::vertical, BaseLoad::horizontal, BaseLoad::tilting, BaseLoad::turning}) {
        rows_.push_back({load, during, most});
      }
    };
    const auto are_known = [](const std::vector<double>& most) {
      return !most.empty() && std::ranges::none_of(most, [](double x) { return std::isinf(x); });
    };
    if (are_known(accelerations)) add(During::motion, accelerations);
    if (are_known(brakes)) {
      const auto at_once = joints_stopped_at_once(arm_);
      if (at_once.empty()) {
        add(During::stop, brakes);
      } else {
        warnings.push_back(fmt::format(
            "base loads of an emergency stop are not computed: there is no inertia about {}, which "
            "its brake stops at once; give its body an inertia, or its motor a rotor_inertia",
            fmt::join(joint_names(arm_.robot, at_once), ", ")));
      }
    }
    SearchEffort effort = arm_.effort;
    effort.boxes /= 4;
    for (Row& row : rows_) {
      searches.emplace_back([this, &row, effort] {
        row.bound = largest_base_load(arm_.loaded, row.load, row.during, row.most, effort);
      });
    }
  }
  [[nodiscard]] bool has_loads() const { return !rows_.empty(); }
  [[nodiscard]] Sections sections() const {
    const char* const assumed =
        "Loads that the arm puts on its base, without the base's own weight, moments about the "
        "origin of {0}. In motion: at speeds within the limits and the accelerations above. "
        "Emergency stop: from such speeds, while each brake acts on the inertia about its own "
        "joint, all at once.";
    const std::array<const char*, 4> names{"vertical", "horizontal", "tilting", "turning"};
    Json data;
    FieldTable table{std::vector<Fields>(names.size())};
    for (const auto& [load, during, most, bound] : rows_) {
      const bool stops = during == During::stop;
      const auto number = static_cast<std::size_t>(load);
      const Fields values{
          {"guaranteed", "at most",
           std::isfinite(bound.guaranteed) ? Value::number(bound.guaranteed, Bound::upper)
                                           : Value{}},
          {"found", "found", Value::number(bound.found)}};
      data[stops ? "emergency_stop" : "in_motion"][names[number]] = object(values);
      Fields& row = table.rows[number];
      if (row.empty()) {
        const char* const unit = number < 2 ? "N" : "N·m";
        row.push_back({"", "load", Value::word(fmt::format("{} [{}]", names[number], unit))});
      }
      append_group(row, stops ? "emergency stop" : "in motion", values);
    }
    return {{"", Paragraphs{"", {assumed}}, "Loads on the base", true},
            {"", table, "", false, Audience::people},
            {"base", data, "", false, Audience::programs}};
  }

 private:
  struct Row {
    BaseLoad load;
    During during;
    std::vector<double> most;
    BaseLoadBound bound{};
  };
  const SheetArm& arm_;
  std::vector<Row> rows_;
};

}  // namespace armdyn
