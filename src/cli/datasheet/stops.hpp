#pragma once

// The chapter "Stops" of a data sheet.

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/datasheet/sheet_arm.hpp"
#include "log/named_rows.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

inline std::string torques(const std::vector<double>& list) {
  const auto texts = each(list, [](double most) {
    return std::isfinite(most) ? short_number(most) : std::string("-");
  });
  return fmt::format("{}", fmt::join(texts, ", "));
}

class StopChapter : boost::noncopyable {
 public:
  StopChapter(const SheetArm& arm, const DatasheetOptions& options)
      : arm_(arm), options_(options), brakes_(arm.loaded.torques) {
    if (!options.brakes.empty()) {
      brakes_ = parse_positive_each("--brakes", options.brakes, arm.robot);
    }
    strongest_brakes_ = brakes_;
    if (!options.brakes_up_to.empty()) {
      strongest_brakes_ = parse_positive_each("--brakes-up-to", options.brakes_up_to, arm.robot);
    }
    if (options.published.empty()) return;
    read_named_rows(options.published, "maker's table of stops",
                    {"joint", "category", "time", "angle"}, [this](NamedRow row) {
                      published_.push_back({row["joint"], row["category"],
                                            parse_positive_number("time", row["time"]),
                                            parse_positive_number("angle", row["angle"])});
                    });
  }

  /// Reads the motion of --stops-along; appends warnings of its rows.
  void add_searches(Searches& searches, Run& run, std::vector<std::string>& warnings) {
    if (options_.wants(Chapter::stops)) {
      searches.emplace_back([this] {
        stops_ = longest_stops(arm_.robot, brakes_, strongest_brakes_, options_.brake_delay);
      });
    }
    if (options_.stops_along.empty()) return;
    RowReader& rows = run.reader(options_.stops_along, {}, motion_groups(), {});
    Doubts doubts;
    searches.emplace_back([this, motion = recorded(read_motion(rows, arm_.robot, doubts))] {
      along_ = longest_stops_along(arm_.robot, motion, brakes_, options_.brake_delay,
                                   arm_.effort.at_each_box);
    });
    append(warnings, doubts.sentences);
  }
  /// Tests whether some brake has a torque, its own or that of the limits.
  [[nodiscard]] bool has_brakes() const {
    return std::ranges::any_of(brakes_, [](double most) { return std::isfinite(most); });
  }
  [[nodiscard]] const std::vector<double>& strongest_brakes() const { return strongest_brakes_; }
  [[nodiscard]] Sections sections() const {
    FieldTable all;
    std::map<std::pair<std::size_t, int>, Fields> largest;  // by joint and category
    for (const Stop& stop : stops_) {
      const std::string& name = arm_.robot.joints[stop.joint].name;
      const Fields way = this->way(stop);
      Fields& row = all.rows.emplace_back(
          Fields{{"joint", for_programs, Value::word(name)},
                 {"category", for_programs, Value::count(static_cast<unsigned>(stop.category))},
                 {"speed", for_programs, Value::data(stop.speed)},
                 {"extension", for_programs, Value::data(stop.extension)},
                 {"load", for_programs, Value::data(stop.load)}});
      append(row, way);
      if (!published_.empty()) append(row, published(stop));
      if (stop.load != 1.0 || stop.extension != 1.0) continue;
      Fields& seen = largest[{stop.joint, stop.category}];
      if (seen.empty()) {
        const std::string which = fmt::format("{}, {}", name, stop.category);
        seen.push_back({for_people, "joint, category", Value::word(which)});
      }
      append_group(seen, fmt::format("{:.0f} % speed", 100.0 * stop.speed), way);
      if (stop.speed == 1.0 && !published_.empty())
        append_group(seen, "published", published(stop));
    }
    FieldTable seen;
    for (auto& [which, row] : largest) seen.rows.push_back(std::move(row));
    Sections found{{"", Paragraphs{"", {assumed()}}, "Stops", true},
                   {"", seen, "", false, Audience::people},
                   {"stops", all, "", false, Audience::programs}};
    if (!options_.stops_along.empty()) append(found, motion_sections());
    return found;
  }

 private:
  struct Published {
    std::string joint, category;
    double time = 0.0, angle = 0.0;
  };
  [[nodiscard]] std::string assumed() const {
    return fmt::format(
        "The longest stops found of one joint alone, at full extension and load; friction is "
        "neglected. Category 0: brakes of {} N·m (N){}{} after {} s. Category 1: the largest "
        "constant deceleration within the limits of torque.",
        torques(brakes_), options_.brakes.empty() ? ", the limits of torque," : "",
        options_.brakes_up_to.empty() ? "" : " to " + torques(strongest_brakes_),
        short_number(options_.brake_delay));
  }
  /// Time and angle of a stop, with the range of the brakes where there is one.
  [[nodiscard]] Fields way(const Stop& stop) const {
    const std::string unit = position_unit(arm_.robot.joints[stop.joint]);
    const bool stops = std::isfinite(stop.way.angle) && stop.way.angle > 0.0;
    Fields way{{"time", "time [s]", stops ? Value::number(stop.way.time) : Value{}},
               {"angle", arm_.angle_label("angle"),
                stops ? Value::number(stop.way.angle, unit) : Value{}}};
    if (!options_.brakes_up_to.empty()) {
      const bool holds = stop.category == 0 && std::isfinite(stop.strongest.angle);
      way.push_back(
          {"least_time", "least [s]", holds ? Value::number(stop.strongest.time) : Value{}});
      way.push_back({"least_angle", arm_.angle_label("least"),
                     holds ? Value::number(stop.strongest.angle, unit) : Value{}});
    }
    return way;
  }
  /// What the maker publishes for a stop from full speed, extension and load.
  [[nodiscard]] Fields published(const Stop& stop) const {
    const Joint& joint = arm_.robot.joints[stop.joint];
    const bool is_full = stop.speed == 1.0 && stop.extension == 1.0 && stop.load == 1.0;
    const auto row = std::ranges::find_if(published_, [&](const Published& known) {
      return is_full &&
             (known.joint == joint.name || known.joint == fmt::format("{}", stop.joint + 1)) &&
             known.category == fmt::format("{}", stop.category);
    });
    const bool is_there = row != published_.end();
    return {{"published_time", "time [s]", is_there ? Value::number(row->time) : Value{}},
            {"published_angle", arm_.angle_label("angle"),
             is_there ? Value::number(row->angle, position_unit(joint)) : Value{}}};
  }
  /// The longest stops along the motion of --stops-along.
  [[nodiscard]] Sections motion_sections() const {
    const char* const assumed =
        "The longest stops that begin at one of 200 instants of the motion. Category 0: the motors "
        "leave the arm to all brakes at once, which act after that delay. Category 1: the largest "
        "constant deceleration of the motion's time, on its path.";
    FieldTable table;
    for (const MotionStop& stop : along_) {
      const bool stops = std::isfinite(stop.time);
      const auto largest =
          std::ranges::max_element(stop.angles, {}, [](double angle) { return std::abs(angle); });
      const Joint& joint =
          arm_.robot.joints[static_cast<std::size_t>(largest - stop.angles.begin())];
      table.rows.push_back(
          {{"category", "category", Value::count(static_cast<unsigned>(stop.category))},
           {"longest", "longest", Value::word(stop.longest == &MotionStop::time ? "time" : "path")},
           {"at", "at [s]", Value::number(stop.at)},
           {"time", "time [s]", stops ? Value::number(stop.time) : Value{}},
           {"path", "path of the TCP [m]", stops ? Value::number(stop.path) : Value{}},
           {"joint", "most of", stops ? Value::word(joint.name) : Value{}},
           {"angle", arm_.angle_label("angle"),
            stops ? Value::number(*largest, position_unit(joint)) : Value{}},
           {"angles", for_programs, stops ? Value::data(joint_values(stop.angles)) : Value{}}});
    }
    return {{"", Paragraphs{"", {assumed}}, "Stops along the motion", true},
            {"stops_along", table}};
  }

  const SheetArm& arm_;
  const DatasheetOptions& options_;
  std::vector<double> brakes_, strongest_brakes_;
  std::vector<Published> published_;
  std::vector<Stop> stops_;
  std::vector<MotionStop> along_;
};

}  // namespace armdyn
