#pragma once

// What a motion comes to: peaks with their times, RMS, power and work. Its rows come block by block,
// by columns; all verbs that sum up a motion do it here.

#include <armdyn/error.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>

#include "math/finite.hpp"
#include "math/statistics.hpp"

namespace armdyn {

/// The largest value so far, from 0 up, with its first time, or row.
struct Extreme : TimedValue {
  void raise(double candidate, double at) {
    if (candidate > value) *this = {{candidate, at}};
  }
  /// Takes `value(row)` of a block's rows, at most `greatest`: one by one only where
  /// that is a new extreme, which few blocks hold.
  void raise(std::size_t rows, double greatest, const auto& value_of, const auto& place) {
    if (!(greatest > value)) return;
    for (std::size_t row = 0; row < rows; ++row) raise(value_of(row), place(row));
  }
  /// Takes the magnitudes of a column.
  void raise(std::span<const double> column, const auto& place) {
    const auto [least, greatest] = bounds_of(column);
    const auto magnitude = [&](std::size_t row) { return std::abs(column[row]); };
    raise(column.size(), std::max(-least, greatest), magnitude, place);
  }
};

// Integrals over time by the trapezoid rule, on which all agree: time that falls counts for nothing,
// nor does a gap.

/// Duration of the step between two rows.
[[nodiscard]] inline double time_step(double from, double to) {
  return std::max(0.0, to - from);
}
/// Integral over one step.
[[nodiscard]] inline double trapezoid(double step, double from, double to) {
  return step * (from + to) / 2.0;
}
/// Integral of the square over one step of what is linear on it.
[[nodiscard]] inline double square_integral(double step, double from, double to) {
  return step * (from * from + from * to + to * to) / 3.0;
}

/// Weights of rows in such integrals, block by block: half of each step for the row before it, and
/// half for that after it.
struct TimeWeights {
  std::vector<double> of_rows;  ///< of the block, s
  double of_last = 0.0;         ///< more for the last row of the block before, s
  double duration = 0.0;        ///< step of t from row to row, s

  /// The times of the next block, and its rows that come after a gap, increasing. Throws NotFinite.
  void add(std::span<const double> t, std::span<const std::size_t> breaks) {
    auto gap = breaks.begin();
    of_rows.assign(t.size(), 0.0);
    of_last = 0.0;
    for (std::size_t row = 0; row < t.size(); ++row) {
      const bool is_gap = gap != breaks.end() && *gap == row;
      if (is_gap) ++gap;
      const double step = is_gap || is_first_ ? 0.0 : time_step(before_, t[row]);
      if (!std::isfinite(step)) {
        throw NotFinite("the time since the row before is not a finite number: t is too large",
                        row);
      }
      (row == 0 ? of_last : of_rows[row - 1]) += step / 2;
      of_rows[row] += step / 2;
      duration += step;
      before_ = t[row];
      is_first_ = false;
    }
  }

 private:
  double before_ = 0.0;
  bool is_first_ = true;
};

/// Peak and mean square of a column; over time, or over rows where no time goes by.
struct ColumnTally {
  Extreme peak;  ///< of its magnitude
  SumOfSquares squares;
  double last = 0.0;

  /// Takes rows, each with its weight where there are weights.
  void add(std::span<const double> column, std::span<const double> weights, const auto& place) {
    peak.raise(column, place);
    add_column(squares, column, weights);
  }
};

/// Power, of either sign, and its integrals over time.
struct PowerTally {
  Extreme peak;                       ///< of its magnitude, W
  double driven = 0.0, braked = 0.0;  ///< J: where it is positive, and negative
  double last = 0.0;
};

/// A joint's or a motor's torque τ, its speed q̇ and its power τ q̇.
struct DriveTally {
  ColumnTally torque;
  Extreme speed;
  PowerTally power;

  /// Puts peaks there that nothing raises.
  explicit DriveTally(double at = 0.0) { torque.peak.t = speed.t = power.peak.t = at; }
};

/// The rows of a motion so far, and how columns of their last block add to tallies.
class MotionTally {
 public:
  /// Goes to the next block: its rows, their times, if there are, and its rows that come after a gap,
  /// increasing. `t` must outlive the block. Throws NotFinite.
  void next(std::size_t rows, std::span<const double> t, std::span<const std::size_t> breaks = {}) {
    if (!has_time_ && !t.empty()) begin_ = end_ = t.front();
    first_ = rows_;
    t_ = t;
    const double before = duration();
    weights_.add(t, breaks);
    begins_to_pass_ = before == 0.0 && is_over_time();
    if (!t.empty()) end_ = t.back();
    has_time_ = has_time_ || !t.empty();
    rows_ += rows;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] bool has_time() const { return has_time_; }
  /// Times of the first row and of the last.
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }
  /// Time that passes from row to row.
  [[nodiscard]] double duration() const { return weights_.duration; }
  /// Tests whether means are over time: some passes.
  [[nodiscard]] bool is_over_time() const { return duration() > 0.0; }
  /// Sum of all rows' weights in means.
  [[nodiscard]] double weight() const {
    return is_over_time() ? duration() : static_cast<double>(rows_);
  }
  [[nodiscard]] double rms(const ColumnTally& of) const { return of.squares.root_mean(weight()); }

  // Of the last block:

  [[nodiscard]] const TimeWeights& weights() const { return weights_; }
  /// A row's time or, where there is no time, its number from 1.
  [[nodiscard]] double place(std::size_t row) const {
    return t_.empty() ? static_cast<double>(first_ + row + 1) : t_[row];
  }
  [[nodiscard]] auto places() const {
    return [this](std::size_t row) { return place(row); };
  }

  /// Adds a column. Squares over rows no longer count once time passes; the rows before had no
  /// weight, but for the last one of them.
  void add(ColumnTally& to, std::span<const double> column) const {
    if (begins_to_pass_) to.squares = {};
    const std::span<const double> weights = weights_.of_rows;
    to.add(column, is_over_time() ? weights : weights.first(0), places());
    to.squares.add(to.last, weights_.of_last);
    to.last = column.back();
  }
  void add(PowerTally& to, std::span<const double> power) const {
    to.peak.raise(power, places());
    if (!has_time_) return;
    const auto [positive, negative] = signed_sums(power, weights_.of_rows);
    to.driven += positive + weights_.of_last * std::max(0.0, to.last);
    to.braked += negative + weights_.of_last * std::min(0.0, to.last);
    to.last = power.back();
  }
  void add(DriveTally& to, std::span<const double> torque, std::span<const double> speed) {
    add(to.torque, torque);
    to.speed.raise(speed, places());
    power_.resize(torque.size());
    for (std::size_t row = 0; row < power_.size(); ++row) power_[row] = torque[row] * speed[row];
    add(to.power, power_);
  }

 private:
  TimeWeights weights_;
  std::span<const double> t_;
  std::size_t first_ = 0, rows_ = 0;  // before the block, and in all
  double begin_ = 0.0, end_ = 0.0;
  bool has_time_ = false, begins_to_pass_ = false;
  std::vector<double> power_;
};

}  // namespace armdyn
