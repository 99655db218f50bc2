#pragma once

// Comparing block by block: columns of a motion in, columns of what the methods say out, and those
// gathered again in their order.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/thinned_comparison.hpp"
#include "io/plot/thinned_series.hpp"
#include "io/table/table.hpp"
#include "log/motion_row.hpp"

namespace armdyn {

/// Where a result table holds what the methods say about a row; dof columns each.
struct CompareLayout {
  std::size_t dof = 0;
  std::size_t methods = 0;

  /// τ of method m less that of the first, m > 0.
  [[nodiscard]] std::size_t difference(std::size_t m) const { return (m - 1) * dof; }
  [[nodiscard]] std::size_t tau(std::size_t m) const { return (methods - 1 + m) * dof; }
  /// τ less the 50-digit reference.
  [[nodiscard]] std::size_t error(std::size_t m) const { return (2 * methods - 1 + m) * dof; }
  [[nodiscard]] std::size_t scale() const { return (3 * methods - 1) * dof; }
  [[nodiscard]] std::size_t columns() const { return 3 * methods * dof; }
};

/// Runs the methods on the rows of a block; what was left out is NaN. One object per thread.
class CompareWorker {
 public:
  CompareWorker(const Arm& arm, const std::vector<ThinnedMethod>& methods,
                const MotionColumns& columns);

  void operator()(const Table& input, Table& result);

 private:
  CompareLayout layout_;
  ThinnedComparer comparer_;
  MotionRow motion_;
  ComparedState state_;
};

/// Takes the workers' blocks in their order.
class CompareGathering {
 public:
  struct Wanted {
    std::optional<std::size_t> time;  ///< the input's column of it, if any
    double tolerance = 0.0;
    bool picture = false;
  };
  CompareGathering(const Robot& robot, std::vector<ThinnedMethod> methods,
                   const MotionColumns& columns, const Wanted& wanted);

  void add(const Table& input, const Table& result);

  [[nodiscard]] const Comparison& comparison() const { return comparison_; }

  /// What a method takes for one of the first states.
  [[nodiscard]] double seconds_per_state(std::size_t method) const;

  /// Differences from the first method, one panel per joint.
  void write_picture(const std::string& path) const;

 private:
  void take(const Table& input, const Table& result, std::size_t row);
  void draw(double x);
  void keep(const Table& input, std::size_t row);

  const Robot& robot_;
  std::vector<ThinnedMethod> methods_;
  CompareLayout layout_;
  Wanted wanted_;
  MotionRow motion_;
  Comparison comparison_;
  ComparedState state_;
  std::vector<TimedState> first_states_;
  std::vector<std::vector<ThinnedSeries>> curves_;  // per method but the first, per joint
};

}  // namespace armdyn
