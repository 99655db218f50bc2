#pragma once

// Comparing block by block: columns of a motion in, columns of what the methods say out, and those
// gathered again in their order.

#include <armdyn/certified.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/picture.hpp"
#include "dynamics/compare.hpp"
#include "io/plot/plot.hpp"
#include "io/table/table.hpp"
#include "log/motion_row.hpp"

namespace armdyn {

/// What the methods say about the rows of a block.
struct ComparedBlock {
  std::vector<ComparedState> states;  ///< at least as many as rows
  /// Of each row and method, bounds of the torques' errors, dof entries; empty where the state has
  /// no error.
  std::vector<std::vector<std::vector<double>>> bounds;
  /// Per method but the first, dof columns: τ less that of the first. Empty unless all are asked
  /// for.
  std::vector<Columns> differences;
};

/// Runs the methods on the rows of a block. One object per thread.
class CompareWorker {
 public:
  CompareWorker(const Robot& robot, const std::vector<ComparedMethod>& methods,
                const MotionColumns& columns, InputAccuracy input, bool differences);

  void operator()(const Table& input, ComparedBlock& result);

 private:
  void bound(const ComparedState& state, std::vector<std::vector<double>>& bounds);

  std::size_t dof_;
  std::size_t methods_;
  bool differences_;
  StateComparer comparer_;
  CertifiedTorque certified_;
  MotionRow motion_;
};

/// How many digits of each joint's largest torque are certain, by methods and joints.
class CertainDigits {
 public:
  CertainDigits(std::size_t methods, std::size_t dof)
      : bounds_(methods, std::vector<double>(dof)), peaks_(dof) {}

  void add(const ComparedState& state, const std::vector<std::vector<double>>& bounds);

  /// The largest k with a bound of at most 10⁻ᵏ of the joint's largest torque in all rows that were
  /// held against 50 digits; nothing where that torque is 0.
  [[nodiscard]] std::optional<std::size_t> at(std::size_t method, std::size_t joint) const;

 private:
  std::vector<std::vector<double>> bounds_;
  std::vector<double> peaks_;
};

/// Takes the workers' blocks in their order.
class CompareGathering {
 public:
  struct Wanted {
    std::optional<std::size_t> time;  ///< the input's column of it, if any
    double tolerance = 0.0;
    PlotOptions plot;
  };
  CompareGathering(const Robot& robot, std::vector<ComparedMethod> methods,
                   const MotionColumns& columns, const Wanted& wanted);

  void add(const Table& input, const ComparedBlock& result);

  [[nodiscard]] const Comparison& comparison() const { return comparison_; }
  [[nodiscard]] const CertainDigits& digits() const { return digits_; }

  /// What a method takes for one of the first states.
  [[nodiscard]] double seconds_per_state(std::size_t method) const;

  /// Differences from the first method, one panel per joint.
  void write_picture(const PictureTitle& title, OutputFile& file) const;

 private:
  void draw(const ComparedState& state, double x);
  void keep(const Table& input, std::size_t row);

  const Robot& robot_;
  std::vector<ComparedMethod> methods_;
  Wanted wanted_;
  MotionRow motion_;
  Comparison comparison_;
  CertainDigits digits_;
  std::vector<TimedState> first_states_;
  JointPicture picture_;
};

}  // namespace armdyn
