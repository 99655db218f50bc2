#pragma once

// Pictures of the joints' curves, the same panels side by side for each joint, and their titles.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "figure/figure.hpp"
#include "report/document.hpp"

namespace armdyn {

/// Quantity of a joint on a panel, from which its unit and the limits that are drawn follow.
enum class Measure {
  position,
  velocity,
  acceleration,
  torque,
  position_error,     ///< without limits
  torque_difference,  ///< without limits; drawn for every joint, also where it is zero
};

struct JointPanel {
  std::string symbol;  ///< "q" for q1, q2 and so on
  Measure measure = Measure::position;
  std::vector<std::string> curves;  ///< their names; "": none
  std::size_t sure = 1;  ///< curves that are drawn; later ones only where they are not zero
};

class JointPicture {
 public:
  /// Throws UsageError for joints in the options that the robot does not have.
  JointPicture(const Robot& robot, const PlotOptions& options, std::vector<JointPanel> panels);

  /// Puts the number of the row on the x axis, instead of the time.
  void count_rows() { counts_rows_ = true; }

  /// Adds a panel that is not of a joint, behind those of the joints.
  void add_panel(const Panel& panel) { others_.push_back(panel); }

  /// Adds values of all joints at one time.
  void add(std::size_t panel, std::size_t curve, double t, std::span<const double> values);
  /// Adds values of a joint at some times.
  void add(std::size_t panel, std::size_t curve, std::size_t joint, std::span<const double> t,
           std::span<const double> values);
  /// Adds positions of a joint, which no panel shows, at some times.
  void add_positions(std::size_t joint, std::span<const double> t, std::span<const double> q);
  /// Leaves a gap in all curves.
  void break_off();

  /// The figure under that title, and the arm in its positions. Idle joints, whose position is known
  /// and stays while all else is zero, have no panels, and the subtitle lists them. Panels of torque are left out beside others where no joint has a torque.
  [[nodiscard]] Views views(const Figure& titled) const;

 private:
  [[nodiscard]] Figure figure(Figure titled) const;
  [[nodiscard]] Panel panel(std::size_t p, std::size_t joint) const;
  /// Positions by joint; none where neither a panel nor `add_positions` has them.
  [[nodiscard]] const std::vector<ThinnedSeries>& positions() const;
  [[nodiscard]] std::vector<std::size_t> idle_joints() const;
  /// The numbers of the panels that are drawn.
  [[nodiscard]] std::vector<std::size_t> drawn_panels() const;

  const Robot& robot_;
  std::vector<JointPanel> panels_;
  std::vector<std::size_t> joints_;  // to draw; empty: all that do something
  bool degrees_;                     // of revolute joints
  bool counts_rows_ = false;
  std::vector<std::vector<std::vector<ThinnedSeries>>> curves_;  // of each panel; by joint
  std::vector<ThinnedSeries> positions_;                         // that no panel shows; by joint
  std::vector<Panel> others_;
};

[[nodiscard]] Curve curve_of(std::string label, const ThinnedSeries& series);

/// Calls `add(from, end)` for the rows of each stretch of a block, and `break_off` at gaps between.
template <class Add, class BreakOff>
void for_each_stretch(std::span<const std::size_t> breaks, std::size_t rows, const Add& add,
                      const BreakOff& break_off) {
  std::size_t from = 0;
  for (const std::size_t row : breaks) {
    add(from, row);
    break_off();
    from = row;
  }
  add(from, rows);
}

/// Curves without labels.
[[nodiscard]] std::vector<Curve> curves_of(const std::vector<ThinnedSeries>& series);

/// Figure without panels, under "puma560: joint torques, lift.csv" and "payload 2.5 kg; without
/// friction". `input`: a file, "-" or empty.
[[nodiscard]] Figure titled_figure(const std::string& what, const std::string& input,
                                   const Robot& robot, const RobotOptions& options);

}  // namespace armdyn
