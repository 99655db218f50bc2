#pragma once

// Torques of a motion on their way to the picture.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "cli/options/picture.hpp"
#include "cli/torque/answer.hpp"
#include "cli/torque/options.hpp"
#include "io/table/table.hpp"
#include "log/columns.hpp"

namespace armdyn {

/// What --terms splits τ into, in the order of the columns.
inline constexpr Quantity torque_parts[] = {Quantity::inertia_part, Quantity::velocity_part,
                                            Quantity::gravity_part, Quantity::friction_part,
                                            Quantity::rotor_part,   Quantity::wrench_part};

/// τ of each joint over time; beside it what was measured, or the parts of τ that are not zero.
class TorquePicture {
 public:
  TorquePicture(const Robot& robot, const TorqueOptions& options, const ColumnPlan& plan);

  /// `parts`: dof columns for each, or none.
  void add(const TorqueColumns& block, const Columns& parts);
  void draw(const PictureTitle& title, OutputFile& file) const;

 private:
  void add(const TorqueColumns& block, const Columns& parts, std::size_t from, std::size_t end);

  std::size_t dof_;
  std::size_t first_part_;  // the number of its curve
  std::size_t rows_ = 0;
  JointPicture picture_;
};

}  // namespace armdyn
