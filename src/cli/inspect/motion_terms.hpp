#pragma once

// Terms of the equations of motion for each row of a motion.

#include <armdyn/arm.hpp>
#include <armdyn/kinematics.hpp>

#include <memory>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"

namespace armdyn {

class RowTerms;

/// What `inspect --only` offers for each row.
struct MotionPart {
  const char* key;                ///< as in the answer about one state
  std::vector<Quantity> columns;  ///< that it becomes
  bool needs_qd = false;
  bool needs_qdd = false;
  void (*append)(RowTerms& at, std::vector<double>& row);  ///< the numbers of those columns
};

[[nodiscard]] const std::vector<MotionPart>& motion_parts();

/// The columns of a part; those of velocities only where MOTION has qd.
[[nodiscard]] std::vector<Quantity> part_columns(const MotionPart& part, const ColumnPlan& plan);

/// What is computed from a block: the columns of all parts, one after the other.
struct TermBlock {
  Columns columns;
};

/// Computes parts for the rows of a block. One object per thread.
class TermWorker {
 public:
  /// `rows`: of J, for its condition; empty: all six.
  TermWorker(const Arm& arm, const ColumnPlan& plan, std::vector<const MotionPart*> parts,
             const std::vector<TaskRow>& rows);
  TermWorker(TermWorker&&) noexcept;
  ~TermWorker();

  void operator()(const Table& input, TermBlock& result);

 private:
  std::vector<const MotionPart*> parts_;
  std::unique_ptr<RowTerms> terms_;
};

}  // namespace armdyn
