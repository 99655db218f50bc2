#pragma once

// The chapter "Accelerations" of a data sheet, and the files with these as limits.

#include <algorithm>

#include "cli/datasheet/sheet_arm.hpp"
#include "cli/options/robot_formats.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

namespace armdyn {

/// A limit of acceleration in four digits, no larger than the guaranteed one.
inline std::string stated(double most) {
  return short_number(outward(most, Bound::lower, 4));
}

class AccelerationChapter : boost::noncopyable {
 public:
  AccelerationChapter(const SheetArm& arm, const DatasheetOptions& options)
      : arm_(arm),
        options_(options),
        ratio_(options.ratio.empty() ? std::vector<double>(arm.dof(), 1.0)
                                     : parse_positive_each("--ratio", options.ratio, arm.robot)) {}

  void add_searches(Searches& searches) {
    const auto add = [&](std::optional<ProvenLimit>& limit, double share,
                         const std::vector<double>& ratio) {
      searches.emplace_back([=, this, &limit] {
        limit = largest_accelerations(arm_.loaded, ratio, share, arm_.effort);
      });
    };
    const std::vector<double> equal(arm_.dof(), 1.0);
    if (options_.wants(Chapter::accelerations) || options_.wants(Chapter::power)) {
      add(at_rest_, 0.0, equal);
    }
    add(uniform_, options_.speed_share, equal);
    if (!options_.ratio.empty()) add(by_ratio_, options_.speed_share, ratio_);
  }
  /// Tests whether the limits of torque were there to search with.
  [[nodiscard]] bool is_searched() const { return uniform_.has_value(); }
  /// Tests whether they leave any acceleration at these speeds.
  [[nodiscard]] bool is_possible() const {
    return is_searched() && std::ranges::all_of(guaranteed(), [](double a) { return a > 0.0; });
  }
  /// Guaranteed accelerations of the joints, by the ratio where there is one; none without a search.
  [[nodiscard]] std::vector<double> guaranteed() const {
    if (!is_searched()) return {};
    const double most = std::max(0.0, decisive().guaranteed);
    return each(ratio_, [most](double ratio) { return ratio * most; });
  }
  /// The same, at low speed where these speeds leave none.
  [[nodiscard]] std::vector<double> guaranteed_at_low_speed() const {
    return is_possible() ? guaranteed() : std::vector<double>(arm_.dof(), at_rest_->guaranteed);
  }
  [[nodiscard]] Sections sections() const {
    const std::string assumed = fmt::format(
        "They always hold: of any sign, at all positions, with the payload and all of the "
        "friction, at speeds up to {} % of their limits, all at once.",
        short_number(100.0 * options_.speed_share));
    Sections found{{"", Paragraphs{"", {assumed}}, "Accelerations", true}};
    const bool all_turn = std::ranges::all_of(arm_.robot.joints, turns);
    const std::string unit = all_turn ? shown_unit("rad/s²") : "rad/s² (m/s²)";  // of joints alike
    const auto bounds = [&](const ProvenLimit& limit, const std::string& first) -> Fields {
      const Fields of = proven(limit, 1.0, all_turn ? "rad/s²" : "", "");
      return {{"guaranteed", first + " {} " + unit + " guaranteed", of[0].value},
              {"found", ", {} the least found", of[1].value}};
    };
    Fields head = bounds(*uniform_, "all joints alike:");
    head.push_back({"limit", "; limited by {}", Value::word(arm_.joint_of(*uniform_))});
    head.push_back({"q", for_programs, Value::data(joint_values(uniform_->q))});
    const Fields at_rest = bounds(*at_rest_, "the same at low speed:");
    FieldTable joints;
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      const Joint& joint = arm_.robot.joints[i];
      Fields fields{{"name", "joint", Value::word(joint.name)},
                    {"ratio", "chosen ratio", Value::number(ratio_[i])}};
      append(fields, proven(decisive(), ratio_[i], acceleration_unit(joint),
                            shown_unit("rad/s²") + (all_turn ? "" : ", m/s²")));
      joints.rows.push_back(std::move(fields));
    }
    const Audience audience = by_ratio_ ? Audience::all : Audience::programs;
    found.push_back(
        {"accelerations",
         Sections{{"", head}, {"at_rest", at_rest}, {"joints", joints, "", false, audience}}});
    return found;
  }
  [[nodiscard]] std::vector<std::string> warnings() const {
    if (!is_searched() || is_possible()) return {};
    return {
        uniform_->found > 0.0
            ? "with these --boxes no acceleration at these speeds is proven; take more, or lower "
              "--speed-share. No limits of acceleration are written"
            : "at some position the limits of torque leave no acceleration at these speeds; lower "
              "--speed-share or the payload. No limits of acceleration are written"};
  }
  /// Files with these accelerations as limits.
  [[nodiscard]] std::vector<Artifact> limits(const Run& run) const {
    if (!is_possible()) return {};
    std::vector<Artifact> found;
    if (run.wants("--joint-limits")) found.push_back({"--joint-limits", joint_limits()});
    if (run.wants("--limited")) {
      found.push_back({"--limited", robot_text(limited_robot(),
                                               "with accelerations that hold at all positions, at "
                                               "speeds up to these, by armdyn datasheet")});
    }
    return found;
  }

 private:
  /// The limit by the ratio where there is one.
  [[nodiscard]] const ProvenLimit& decisive() const { return by_ratio_ ? *by_ratio_ : *uniform_; }
  [[nodiscard]] std::string joint_limits() const {
    std::string text = fmt::format(
        "# Accelerations that hold at all positions, at speeds up to these, by armdyn datasheet "
        "{}\njoint_limits:\n",
        arm_.robot.name);
    const std::vector<double> most = guaranteed();
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      const Joint& joint = arm_.robot.joints[i];
      text += fmt::format("  {}:\n", yaml_text(joint.name));
      if (joint.limits.velocity) {
        text += fmt::format("    has_velocity_limits: true\n    max_velocity: {}\n",
                            number_text(options_.speed_share * *joint.limits.velocity));
      }
      text += fmt::format("    has_acceleration_limits: true\n    max_acceleration: {}\n",
                          stated(most[i]));
    }
    return text;
  }
  [[nodiscard]] Robot limited_robot() const {
    Robot limited = arm_.robot;
    const std::vector<double> most = guaranteed();
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      Limits& limits = limited.joints[i].limits;
      limits.acceleration = parse_number(stated(most[i]));
      if (limits.velocity) *limits.velocity *= options_.speed_share;
    }
    return limited;
  }

  const SheetArm& arm_;
  const DatasheetOptions& options_;
  std::vector<double> ratio_;
  std::optional<ProvenLimit> at_rest_, uniform_, by_ratio_;
};

}  // namespace armdyn
