#pragma once

#include <armdyn/robot.hpp>

#include <cstddef>
#include <vector>

#include "cli/options/held_motion.hpp"
#include "cli/options/picture.hpp"
#include "io/plot/plot.hpp"
#include "math/columns.hpp"

namespace armdyn {

/// Quantiles of torques among many arms, row by row of their motion, for a picture. Of a long
/// motion it has some rows: in stretches of equal length the first, the last, and those of each
/// joint's lowest and highest torque for the arm of the file. At most 4·10⁶ torques are held.
class TorqueFan {
 public:
  static constexpr std::size_t most_arms = 1000;

  /// `tau`: of the arm of the file at all rows.
  TorqueFan(const HeldMotion& motion, const Columns& tau);

  /// The same columns at the rows that are drawn.
  [[nodiscard]] Columns at_rows(const Columns& columns) const;

  /// The torques of one more arm, at the rows that are drawn.
  void add(Columns tau) { arms_.push_back(std::move(tau)); }

  /// Draws them with the torques of the arm of the file and, where there is one, of the worst.
  void draw(const Columns& worst, JointPicture& picture) const;

  /// The panel of each joint.
  [[nodiscard]] static JointPanel panel();

 private:
  const HeldMotion& motion_;
  std::vector<std::size_t> rows_;
  Columns nominal_;
  std::vector<Columns> arms_;
};

}  // namespace armdyn
