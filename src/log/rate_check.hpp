#pragma once

// Check of q, qd and qdd for being of one motion, in one unit and of one sign.

#include <armdyn/robot.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "log/columns.hpp"

namespace armdyn {

/// Comparison of the slope of a quantity with its rate in a log (derivation.md, section 10.8), over
/// stretches of 1, 2, 4, … rows, in bounded memory.
class SlopeComparison {
 public:
  void add(double t, double value, double rate);
  /// Separates later rows from earlier ones.
  void restart();

  struct Likeness {
    double correlation = 0.0;
    double factor = 0.0;  ///< slope over rate

    /// Residual of the slope over it, of the rate times the factor, and of the rate as it stands.
    [[nodiscard]] double left() const;
    [[nodiscard]] double left_as_given() const;
  };
  /// Likeness by the length of stretches with the best one, if rows follow the motion closely enough;
  /// else nothing.
  [[nodiscard]] std::optional<Likeness> likeness() const;

  /// Slope over rate, if they are nearly proportional; else nothing.
  [[nodiscard]] std::optional<double> factor() const;

  /// Mean step of t.
  [[nodiscard]] double step() const { return duration_ / steps_; }

 private:
  static constexpr std::size_t levels = 16;

  struct Stretch {
    double duration = 0.0, rise = 0.0, integral = 0.0;  // of the value, of the rate
  };
  struct Row {
    double t = 0.0, value = 0.0, rate = 0.0;
  };
  /// Stretches of one length.
  struct Level {
    std::optional<Stretch> half;                    // of the next one twice as long
    std::optional<std::pair<double, double>> last;  // slope and mean rate of the stretch before
    double count = 0.0, pairs = 0.0;
    double slope_squares = 0.0, rate_squares = 0.0, products = 0.0;
    double slope_changes = 0.0, rate_changes = 0.0;  // squared, from stretch to stretch
  };
  void add(const Stretch& stretch, std::size_t level);

  std::optional<Row> before_;
  double duration_ = 0.0, steps_ = 0.0;
  std::array<Level, levels> levels_;
};

/// Tests whether an angle jumps by a turn from one row to the next, beside a small step: the one before, or
/// that after the first.
[[nodiscard]] bool jumps_by_a_turn(double step, double beside);

/// What the rows of a motion show about its columns.
struct RateRecord {
  ColumnPlan plan;
  const Robot& robot;
  std::optional<std::vector<ColumnChoice>> named;
  std::array<bool, 2> looks{};  ///< at q with qd, at qd with qdd
  std::vector<std::array<SlopeComparison, 2>> joints{};
  std::vector<double> reach{};    ///< max |q|
  std::vector<double> least{};    ///< q
  std::vector<bool> is_whole{};   ///< all q of a joint
  std::set<std::size_t> turns{};  ///< joints whose q jumps by a turn
  /// Comparisons with the rates of all joints, of joints whose slope is not like their own rate.
  std::array<std::vector<std::vector<SlopeComparison>>, 2> across{};

  /// Expression of a column in --columns, as it is read; without a name where --columns has none.
  [[nodiscard]] ColumnReading reading(Quantity quantity, std::size_t joint) const;
  [[nodiscard]] bool compares() const { return looks[0] || looks[1]; }
};

/// Check of all joints of a motion, row by row.
class RateCheck {
 public:
  /// Checks columns of the file itself, q and qd, qd and qdd, over t, wherever that comes from.
  /// `named` are the choices of --columns; nothing if it can name no columns of this file with their
  /// units.
  RateCheck(const ColumnPlan& plan, const Robot& robot,
            std::optional<std::vector<ColumnChoice>> named);

  [[nodiscard]] bool looks() const { return seen_.compares(); }
  /// Adds positions of a joint to its reach; where jumps by a turn are mended they are no fault.
  void reach(std::size_t joint, std::span<const double> q, bool mends_jumps = false);
  /// Adds a row, a number per joint.
  void add(double t, std::span<const double> q, std::span<const double> qd,
           std::span<const double> qdd);
  /// Separates later rows from earlier ones.
  void restart();

  /// Sentences on each factor with its joints and a remedy, on columns that are exchanged or have
  /// something else, and on t; its usual step, s, is 0 where it is not known.
  [[nodiscard]] Doubts doubts(double usual_step = 0.0) const;

 private:
  RateRecord seen_;
  std::size_t rows_ = 0;
};

}  // namespace armdyn
