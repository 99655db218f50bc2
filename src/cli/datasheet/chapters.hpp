#pragma once

// Chapters of a data sheet: each adds the searches for its numbers, and writes them once they are done.

#include <boost/noncopyable.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "datasheet/power.hpp"
#include "datasheet/stopping.hpp"

namespace armdyn {

/// Chapters of the sheet, in their order.
enum class Chapter { arm, payload, accelerations, base, stops, contact, power };

struct DatasheetOptions : VerbOptions {
  std::vector<Chapter> chapters;  ///< none: all
  std::string ratio;              ///< of accelerations; empty: the same for all joints
  std::string accelerations;      ///< at which payload is carried; empty: at rest
  double speed_share = 100.0;     ///< percent of the limits of velocity
  double gap = 5.0;               ///< percent
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
  SheetArm(const DatasheetOptions& options, Run& run);

  [[nodiscard]] std::size_t dof() const { return robot.dof(); }
  [[nodiscard]] bool limits_torque() const;
  /// The axis from which reach is measured.
  [[nodiscard]] const char* first_axis() const;
  /// "speed [rad/s, m/s]": unit of revolute joints, and of others where there are some.
  [[nodiscard]] std::string label(const std::string& what, const char* of_turns,
                                  const char* of_slides) const;
  [[nodiscard]] std::string angle_label(const std::string& what) const {
    return label(what, "rad", "m");
  }
  /// The joint that limits; "-" where nothing does.
  [[nodiscard]] std::string joint_of(const ProvenLimit& limit) const;

  const Robot& robot;
  LimitedArm loaded, empty;
  SearchEffort effort;
};

using Searches = std::vector<std::function<void()>>;

/// A lower bound, and the number found; none below 0.
[[nodiscard]] Fields proven(const ProvenLimit& limit, double factor, const std::string& unit,
                            const std::string& units);
/// Appends fields for people, under the name of their group.
void append_group(Fields& row, const std::string& name, const Fields& fields);

/// `reach` is the largest found, m.
[[nodiscard]] Sections arm_chapter(const SheetArm& arm, double reach);

class PayloadChapter : boost::noncopyable {
 public:
  PayloadChapter(const SheetArm& arm, const DatasheetOptions& options, double reach);

  void add_searches(Searches& searches);
  [[nodiscard]] Sections sections() const;
  /// The two diagrams of makers: payload over reach, and over the offset of the load's center; none
  /// without a payload.
  [[nodiscard]] std::vector<Figure> diagrams() const;

 private:
  struct Row {
    LoadCase load;
    double offset = 0.0;  ///< of the load's center along the tool's z, m
    ProvenLimit limit{};
  };
  [[nodiscard]] std::string assumed() const;
  [[nodiscard]] Sections wrist_sections() const;

  const SheetArm& arm_;
  double reach_;
  std::vector<double> accelerations_;  // none: at rest
  std::vector<Row> rows_;
};

class AccelerationChapter : boost::noncopyable {
 public:
  AccelerationChapter(const SheetArm& arm, const DatasheetOptions& options);

  void add_searches(Searches& searches);
  /// Tests whether the limits of torque were there to search with.
  [[nodiscard]] bool is_searched() const { return uniform_.has_value(); }
  /// Tests whether they leave any acceleration at these speeds.
  [[nodiscard]] bool is_possible() const;
  /// Guaranteed accelerations of the joints, by the ratio where there is one; none without a search.
  [[nodiscard]] std::vector<double> guaranteed() const;
  /// The same, at low speed where these speeds leave none.
  [[nodiscard]] std::vector<double> guaranteed_at_low_speed() const;
  [[nodiscard]] Sections sections() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Files with these accelerations as limits.
  [[nodiscard]] std::vector<Artifact> limits(const Run& run) const;

 private:
  [[nodiscard]] std::string joint_limits() const;
  [[nodiscard]] Robot limited_robot() const;

  const SheetArm& arm_;
  const DatasheetOptions& options_;
  double share_;  // of the limits of velocity at which they hold
  std::vector<double> ratio_;
  std::optional<ProvenLimit> at_rest_, uniform_, by_ratio_;
};

class StopChapter : boost::noncopyable {
 public:
  StopChapter(const SheetArm& arm, const DatasheetOptions& options);

  /// Reads the motion of --stops-along; appends warnings of its rows.
  void add_searches(Searches& searches, Run& run, std::vector<std::string>& warnings);
  /// Tests whether some brake has a torque, its own or that of the limits.
  [[nodiscard]] bool has_brakes() const;
  [[nodiscard]] const std::vector<double>& strongest_brakes() const { return strongest_brakes_; }
  [[nodiscard]] Sections sections() const;

 private:
  struct Published {
    std::string joint, category;
    double time = 0.0, angle = 0.0;
  };
  [[nodiscard]] std::string assumed() const;
  /// Time and angle of a stop, with the range of the brakes where there is one.
  [[nodiscard]] Fields way(const Stop& stop) const;
  /// What the maker publishes for a stop from full speed, extension and load.
  [[nodiscard]] Fields published(const Stop& stop) const;
  /// The longest stops along the motion of --stops-along.
  [[nodiscard]] Sections motion_sections() const;

  const SheetArm& arm_;
  const DatasheetOptions& options_;
  std::vector<double> brakes_, strongest_brakes_;
  std::vector<Published> published_;
  std::vector<Stop> stops_;
  std::vector<MotionStop> along_;
};

class BaseChapter : boost::noncopyable {
 public:
  explicit BaseChapter(const SheetArm& arm) : arm_(arm) {}

  /// Loads in motion by these accelerations, and of a stop by these brakes; appends a warning where
  /// an arm has no inertia for them.
  void add_searches(Searches& searches, const std::vector<double>& accelerations,
                    const std::vector<double>& brakes, std::vector<std::string>& warnings);
  [[nodiscard]] bool has_loads() const { return !rows_.empty(); }
  [[nodiscard]] Sections sections() const;

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

[[nodiscard]] Sections contact_chapter(const SheetArm& arm, const AtPosition& effective_mass,
                                       const std::string& regions);

/// Of a cycle at the guaranteed accelerations, or at those of low speed.
[[nodiscard]] Sections power_chapter(const SheetArm& arm, const WorstCycle& cycle,
                                     bool is_of_low_speed);

}  // namespace armdyn
