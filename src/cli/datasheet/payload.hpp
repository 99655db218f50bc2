#pragma once

// The chapters "Arm" and "Payload" of a data sheet.

#include <algorithm>

#include "cli/datasheet/sheet_arm.hpp"
#include "dynamics/friction.hpp"
#include "model/shown_text.hpp"
#include "model/shown_unit.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

/// `reach` is the largest found, m.
inline Sections arm_chapter(const SheetArm& arm, double reach) {
  const Robot& robot = arm.robot;
  const Fields head{
      {"reach",
       fmt::format("reach {{}} m from the axis of {}, the largest found", arm.first_axis()),
       Value::number(reach)},
      {"mass", "; mass of the links {} kg", Value::number(mass_of_links(robot))},
      {for_people, "; payload {} kg",
       robot.payload.is_none() ? Value{} : Value::number(robot.payload.mass)}};
  FieldTable joints;
  for (const Joint& joint : robot.joints) {
    const Limits& limits = joint.limits;
    const auto end = [&](double Range::*of) {
      return limits.position ? Value::number((*limits.position).*of, position_unit(joint))
                             : Value{};
    };
    joints.rows.push_back(
        {{"name", "joint", Value::word(joint.name)},
         {"lower", arm.angle_label("from"), end(&Range::lower)},
         {"upper", arm.angle_label("to"), end(&Range::upper)},
         {"velocity", arm.label("speed", "rad/s", "m/s"),
          Value::number(limits.velocity, speed_unit(joint))},
         {"torque", arm.label("torque", "N·m", "N"), Value::number(limits.torque)}});
  }
  std::vector<std::string> description;
  if (!robot.description.empty()) description.push_back(in_one_line(robot.description));
  return {{"arm", Sections{{"", Paragraphs{"", description}}, {"", head}, {"joints", joints}},
           "Arm", true}};
}

class PayloadChapter : boost::noncopyable {
 public:
  PayloadChapter(const SheetArm& arm, const DatasheetOptions& options, double reach)
      : arm_(arm), reach_(reach) {
    if (!options.accelerations.empty()) {
      accelerations_ = parse_positive_each("--accelerations", options.accelerations, arm.robot);
    }
  }

  void add_searches(Searches& searches) {
    const auto add = [&](std::optional<double> reach, double offset) {
      const Vec3 center = arm_.robot.payload.com + Vec3{0.0, 0.0, offset};
      rows_.push_back({{reach, center, accelerations_}, offset});
    };
    for (const double share : {0.4, 0.6, 0.8}) add(share * reach_, 0.0);
    for (const double share : {0.0, 0.1, 0.2, 0.3}) add({}, share * reach_);
    for (Row& row : rows_) {
      searches.emplace_back(
          [this, &row] { row.limit = largest_payload(arm_.empty, row.load, arm_.effort); });
    }
  }
  [[nodiscard]] Sections sections() const {
    FieldTable table;
    for (const Row& row : rows_) {
      Fields fields{{"reach", "TCP within [m]", Value::number(row.load.reach.value_or(reach_))},
                    {"offset", "offset [m]", Value::number(row.offset)}};
      append(fields, proven(row.limit, 1.0, "kg", "kg"));
      fields.push_back({"limit", "limited by", Value::word(arm_.joint_of(row.limit))});
      fields.push_back({"q", for_programs, Value::data(joint_values(row.limit.q))});
      table.rows.push_back(std::move(fields));
    }
    Sections found{{"", Paragraphs{"", {assumed()}}, "Payload", true}, {"payloads", table}};
    if (!arm_.robot.payload.is_none() && arm_.dof() > 3) append(found, wrist_sections());
    return found;
  }
  /// The two diagrams of makers: payload over reach, and over the offset of the load's center; none
  /// without a payload.
  [[nodiscard]] std::vector<Figure> diagrams() const {
    if (std::ranges::none_of(rows_, [](const Row& row) { return row.limit.exists(); })) return {};
    const auto diagram = [this](const char* title, const char* x_label, const auto& x_of) {
      Panel panel{title, "payload", "kg", {{"guaranteed", {}, {}}, {"found", {}, {}}}};
      panel.x_label = x_label;
      panel.x_unit = "m";
      panel.has_zero = true;
      for (const Row& row : rows_) {
        const std::optional<double> x = x_of(row);
        if (!x || !row.limit.exists()) continue;
        for (Curve& curve : panel.curves) curve.x.push_back(*x);
        panel.curves[0].y.push_back(std::max(0.0, row.limit.guaranteed));
        panel.curves[1].y.push_back(std::max(0.0, row.limit.found));
      }
      return panel;
    };
    using Place = std::optional<double>;
    return {{arm_.robot.name + ": data sheet",
             "payload",
             {diagram("Payload over reach", "TCP within",
                      [this](const Row& row) {
                        return row.offset == 0.0 ? row.load.reach.value_or(reach_) : Place();
                      }),
              diagram("Payload over offset", "offset",
                      [](const Row& row) { return row.load.reach ? Place() : row.offset; })}}};
  }

 private:
  struct Row {
    LoadCase load;
    double offset = 0.0;  ///< of the load's center along the tool's z, m
    ProvenLimit limit{};
  };
  [[nodiscard]] std::string assumed() const {
    std::string motion = "at rest";
    if (!accelerations_.empty()) {
      const bool is_one =
          std::ranges::count(accelerations_, accelerations_.front()) == std::ssize(accelerations_);
      motion = fmt::format(
          "at low speed, with all of the friction and accelerations up to {} rad/s² (m/s²) of any "
          "sign",
          number_list(std::span(accelerations_).first(is_one ? 1 : accelerations_.size())));
    }
    const Vec3& center = arm_.robot.payload.com;
    return fmt::format(
        "A point mass {}, within the limits of torque. Reach is the distance of the TCP from the "
        "axis of {}. The offset of the load is along the tool's z axis, from {}.",
        motion, arm_.first_axis(),
        center == Vec3{}
            ? "the TCP"
            : fmt::format("the payload's center, ({}, {}, {}) m in the tool frame",
                          short_number(center.x), short_number(center.y), short_number(center.z)));
  }
  [[nodiscard]] Sections wrist_sections() const {
    const Robot& robot = arm_.robot;
    const std::string assumed = fmt::format(
        "The payload of {} kg at the wrist: the largest moment of its weight found, its share of "
        "the limit of torque, and the largest inertia about the axis.",
        short_number(robot.payload.mass));
    FieldTable table;
    for (const auto& [joint, moment, inertia] : wrist_loads(robot)) {
      const auto& most = robot.joints[joint].limits.torque;
      table.rows.push_back(
          {{"name", "joint", Value::word(robot.joints[joint].name)},
           {"moment", arm_.label("moment", "N·m", "N"), Value::number(moment)},
           {"share", "of limit",
            most ? Value{moment / *most, fmt::format("{:.1f} %", 100.0 * moment / *most)}
                 : Value{}},
           {"inertia", arm_.label("inertia", "kg·m²", "kg"), Value::number(inertia)}});
    }
    return {{"", Paragraphs{"", {assumed}}, "Payload at the wrist", true}, {"wrist", table}};
  }

  const SheetArm& arm_;
  double reach_;
  std::vector<double> accelerations_;  // none: at rest
  std::vector<Row> rows_;
};

}  // namespace armdyn
