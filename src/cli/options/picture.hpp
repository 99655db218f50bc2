#pragma once

// Curves of the joints on their way to a picture: for each joint the same panels side by side.
// How every verb begins a picture, and what stands above it.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "io/plot/plot.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The quantity of a joint that a panel measures. It gives the unit and the limits that are drawn.
enum class Measure {
  position,
  velocity,
  acceleration,
  torque,
  position_error,     ///< without limits
  torque_difference,  ///< without limits; drawn for every joint, since zero is what is looked for
};

struct JointPanel {
  std::string symbol;  ///< "q" for q1, q2 and so on
  Measure measure = Measure::position;
  std::vector<std::string> curves;  ///< their names; "": none
  std::size_t sure = 1;             ///< of the curves; the others are left out where they are zero
};

/// The texts of a picture's title and below.
struct PictureTitle {
  std::string title;
  std::string remarks;  ///< payload, what is left out; may be empty
};

class JointPicture {
 public:
  /// `joints`: those that are drawn; empty: all that do something. `in_degrees`: for revolute
  /// joints.
  JointPicture(const Robot& robot, std::vector<JointPanel> panels, std::vector<std::size_t> joints,
               bool in_degrees);

  /// The x axis has the number of the row instead of the time.
  void count_rows() { counts_rows_ = true; }

  /// One panel more, not of a joint, last.
  void add_panel(const Panel& panel) { others_.push_back(panel); }

  /// Values of all joints at one time.
  void add(std::size_t panel, std::size_t curve, double t, std::span<const double> values);
  /// Values of a joint at some times.
  void add(std::size_t panel, std::size_t curve, std::size_t joint, std::span<const double> t,
           std::span<const double> values);
  /// A gap: what comes is not connected with what was there.
  void break_off();

  /// The figure, and the arm with the positions of a panel that has them. Joints that do nothing
  /// have no panels, which the remarks say: their position stays, all else is zero. Where no joint
  /// has a torque, there are no panels of torque beside others.
  [[nodiscard]] Views views(const PictureTitle& title) const;

 private:
  [[nodiscard]] Figure figure(const PictureTitle& title) const;
  [[nodiscard]] Panel panel(std::size_t p, std::size_t joint) const;
  [[nodiscard]] std::vector<std::size_t> idle_joints() const;
  /// The numbers of the panels that are drawn.
  [[nodiscard]] std::vector<std::size_t> drawn_panels() const;

  const Robot& robot_;
  std::vector<JointPanel> panels_;
  std::vector<std::size_t> joints_;
  bool degrees_;
  bool counts_rows_ = false;
  std::vector<std::vector<std::vector<ThinnedSeries>>> curves_;  // of each panel; by joint
  std::vector<Panel> others_;
};

/// Whether a picture or a report shows curves.
[[nodiscard]] inline bool shows_curves(const PlotOptions& plot, const OutputOptions& output) {
  return plot.is_wanted() || !output.report.empty();
}

[[nodiscard]] Curve curve_of(std::string label, const ThinnedSeries& series);
/// Curves without labels.
[[nodiscard]] std::vector<Curve> curves_of(const std::vector<ThinnedSeries>& series);

/// Throws UsageError for joints that the robot does not have.
[[nodiscard]] JointPicture joint_picture(const Robot& robot, const PlotOptions& options,
                                         std::vector<JointPanel> panels);

/// "joint torques, lift.csv" and "payload 2.5 kg; without friction". `input`: a file, "-" or
/// empty.
[[nodiscard]] PictureTitle picture_title(const std::string& what, const std::string& input,
                                         const Robot& robot, const RobotOptions& options);

/// Draws the picture of a simulation. Where a signal comes before or meanwhile, there is none, and
/// the simulation counts as stopped. Returns whether it was drawn.
[[nodiscard]] bool draw_unless_interrupted(SimulationResult& result, const Views& views,
                                           OutputFile& plot);

}  // namespace armdyn
