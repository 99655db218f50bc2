#pragma once

// Stages of a log's rows from the file to a verb. Each has one job; `MotionRows` defines
// their order.

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/identification.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "log/motion_rows.hpp"
#include "log/rate_check.hpp"
#include "math/columns.hpp"
#include "math/each.hpp"
#include "model/joint_kind.hpp"
#include "model/motors.hpp"
#include "motion/derive.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct LogRow {
  std::vector<double> values;
  std::size_t line = 0;  ///< of the file
  bool begins_stretch = false;
};

inline void append(Table& table, const LogRow& row) {
  if (row.begins_stretch) table.breaks.push_back(table.rows);
  for (std::size_t i = 0; i < row.values.size(); ++i) table.columns[i].push_back(row.values[i]);
  table.lines.push_back(row.line);
  ++table.rows;
}

/// Columns of the rows handed on: those of the file, and behind them what is derived.
struct RowColumns {
  static constexpr std::array rates{Quantity::velocity, Quantity::acceleration};
  static constexpr std::array uncertainties{Quantity::velocity_uncertainty,
                                            Quantity::acceleration_uncertainty};

  RowColumns(const LogOptions& options, const ColumnPlan& plan, std::size_t joints,
             const std::string& file)
      : dof(joints),
        as_read(plan),
        handed_on(plan),
        width(plan.columns.size()),
        q(plan.first(Quantity::position).value_or(0)) {
    if (options.rate && plan.has(Quantity::time)) {
      throw InputError(file + ": has t; --log-rate is for rows that have none");
    }
    if (options.rate) add(Quantity::time, 1);
    as_read.groups = handed_on.groups;
    t = handed_on.first(Quantity::time);
    if (!options.derive) return;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (options.smooth) handed_on.leave_out(rates[k]);
      derives[k] = !handed_on.has(rates[k]);
      if (derives[k]) add(rates[k], dof);
    }
    if (options.derive_errors && !derives_any()) {
      throw InputError(
          file +
          ": has qd and qdd, so that nothing is derived, and --derive-errors has nothing to add");
    }
    for (std::size_t k = 0; options.derive_errors && k < rates.size(); ++k) {
      if (derives[k]) add(uncertainties[k], dof);
    }
    beside_smoothed = width;
    const std::optional<std::size_t> tau = plan.first(Quantity::torque);
    for (std::size_t j = 0; options.smooth && tau && j < dof; ++j) smoothed.push_back(*tau + j);
    if (!smoothed.empty()) width += 3 * dof + 2;
  }

  [[nodiscard]] bool derives_any() const { return derives[0] || derives[1]; }

  void empty(Table& table) const {
    table.resize(width, 0);
    table.lines.clear();
    table.breaks.clear();
  }

  std::size_t dof;
  ColumnPlan as_read, handed_on;  ///< as_read: without what is derived
  std::size_t width;              ///< of rows handed on
  std::size_t q;
  std::optional<std::size_t> t;
  std::array<bool, rates.size()> derives{};
  std::vector<std::size_t> smoothed;  ///< torques
  std::size_t beside_smoothed = 0;

 private:
  void add(Quantity quantity, std::size_t columns) {
    handed_on.groups.emplace_back(quantity, std::exchange(width, width + columns));
  }
};

/// Log in the pipeline: the common data of all stages, and the report to which they add.
struct PassingLog {
  [[nodiscard]] bool refuses_gaps() const { return !options.gaps || options.gaps == Gaps::refuse; }
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}", file_of_lines, line, message));
  }

  const LogOptions& options;
  std::string file, file_of_lines;
  RowColumns columns;
  LogReport report{};  ///< completed at the end
};

/// Converts the motors' measurements to the joints' (31.4): currents' torques, or all.
inline void to_joints(const MotorSide& motor_side, const ColumnPlan& plan, bool takes_all,
                      Columns& columns) {
  const auto take = [&](Quantity quantity, void (MotorSide::*to)(std::span<double>) const) {
    const std::optional<std::size_t> first = plan.first(quantity);
    if (first) motor_side.convert(columns, *first, to);
  };
  take(Quantity::torque, &MotorSide::to_torques);
  if (!takes_all) return;
  take(Quantity::position, &MotorSide::to_positions);
  take(Quantity::velocity, &MotorSide::to_rates);
  take(Quantity::acceleration, &MotorSide::to_rates);
}

/// Sets speeds of a joint that are slow to 0.
inline void stop_slow(std::span<double> speeds, double dead_zone) {
  for (double& speed : speeds) {
    if (std::abs(speed) < dead_zone) speed = 0.0;
  }
}

/// Stamps rows without t, at a rate, behind those before. Rows that are left out take their time, too.
inline void stamp(Table& parsed, double rate, std::size_t rows_before) {
  std::vector<double>& t = parsed.columns.emplace_back(parsed.rows);
  std::size_t left_out = 0;
  for (std::size_t row = 0; row < parsed.rows; ++row) {
    while (left_out < parsed.left_out.size() && parsed.left_out[left_out].before <= row) {
      ++left_out;
    }
    t[row] = static_cast<double>(rows_before + left_out + row) / rate;
  }
}

/// Single stamps that are far from those on either side, which are near one another.
class StrangeStamps {
 public:
  explicit StrangeStamps(PassingLog& log) : log_(log) {}

  /// Leaves out their rows; the last row of a block may wait for the next one's.
  void leave_out(Table& parsed, bool is_end) {
    constexpr double far = 1e4, very_far = 1e6;  // steps
    if (doubtful_) {
      for (std::size_t i = 0; i < parsed.columns.size(); ++i) {
        parsed.columns[i].insert(parsed.columns[i].begin(), doubtful_->values[i]);
      }
      parsed.lines.insert(parsed.lines.begin(), doubtful_->line);
      ++parsed.rows;
      doubtful_.reset();
    }
    const std::vector<double>& t = parsed.columns[*log_.columns.t];
    const auto take_out = [&](std::size_t row) {
      const auto at = static_cast<std::ptrdiff_t>(row);
      for (std::vector<double>& column : parsed.columns) column.erase(column.begin() + at);
      parsed.lines.erase(parsed.lines.begin() + at);
      --parsed.rows;
    };
    for (std::size_t row = 0; row < parsed.rows;) {
      const double step = t[row] - before_.value_or(t[row]);
      if (before_ && step > 0.0 && step <= far * step_before_) {
        step_before_ = std::max(step, step_before_ / 2.0);  // one tiny step is no measure
        before_ = t[row++];
        continue;
      }
      const std::size_t left = parsed.rows - row - 1;
      if (left == 0 && !is_end) {
        doubtful_ = LogRow{row_of(parsed.columns, row), parsed.lines[row]};
        return take_out(row);
      }
      const bool begins = !before_ && left > 1;
      const double away = begins ? t[row] - t[row + 1] : std::abs(step);
      const double around = begins     ? t[row + 2] - t[row + 1]
                            : left > 0 ? t[row + 1] - before_.value_or(t[row + 1])
                                       : very_far / far * step_before_;
      if (around > 0.0 && away > far * around) {
        if (log_.report.strange.count() == 0) log_.report.first_strange = t[row];
        log_.report.strange.add(parsed.lines[row]);
        take_out(row);
        continue;
      }
      if (before_ && step > 0.0) step_before_ = step;
      before_ = t[row++];
    }
  }

 private:
  PassingLog& log_;
  std::optional<double> before_;  // last stamp looked at
  double step_before_ = 0.0;
  std::optional<LogRow> doubtful_;  // judged by the next stamp
};

/// Angle that goes on where what is read jumps by whole turns.
class Unwrapping {
 public:
  /// Takes the next one read, and adds what the turns so far, and those beyond half a turn, come to; with
  /// `plain_only` no others than jumps by one turn. Tests whether there is one.
  bool take(double& angle, double turn, bool plain_only) {
    const double step = angle - last_.value_or(angle);
    double jump = turn * std::round(step / turn);
    if (plain_only && !jumps_by_a_turn(step, step_)) jump = 0.0;
    if (last_) step_ = step - jump;
    last_ = angle;
    added -= jump;
    angle += added;
    return jump != 0.0;
  }
  /// Judges the first step, which has none before it, by the second.
  void begin(double second_step) { step_ = second_step; }
  [[nodiscard]] bool is_first() const { return !last_; }

  double added = 0.0;

 private:
  std::optional<double> last_;            // as read
  double step_ = 2.0 * std::numbers::pi;  // before it; at first unknown
};

/// Takes the steps of the plan, but for shifts in time, with the rows of a log in their order.
class ColumnArithmetic {
 public:
  explicit ColumnArithmetic(const ColumnSteps& steps)
      : steps_(steps), turns_(steps.unwrapped.size()) {}

  void take(Table& rows) {
    for (std::size_t k = 0; k < turns_.size() && rows.rows > 0; ++k) {
      const auto& [column, turn] = steps_.unwrapped[k];
      for (double& angle : rows.columns[column]) turns_[k].take(angle, turn, false);
    }
    const Columns before = steps_.sums.empty() ? Columns{} : rows.columns;
    for (const auto& [column, other, factor, offset] : steps_.sums) {
      for (std::size_t row = 0; row < rows.rows; ++row) {
        rows.columns[column][row] += factor * before[other][row] + offset;
      }
    }
  }

 private:
  const ColumnSteps& steps_;
  std::vector<Unwrapping> turns_;
};

/// Angles of joints that jump by a turn from row to row, or begin a turn beyond their limits, as those
/// kept within one do: lets them go on, within the limits.
class PlainTurns {
 public:
  PlainTurns(PassingLog& log, const Robot& robot) : log_(log), joints_(robot.dof()) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      joints_[j].turns = is_turning(robot.joints[j].type);
      joints_[j].limits = robot.joints[j].limits.position;
    }
  }

  void begin(std::span<const LogRow> rows) {
    if (rows.size() < 3) return;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const std::size_t q = log_.columns.q + j;
      joints_[j].begin(rows[2].values[q] - rows[1].values[q]);
    }
  }

  void take(LogRow& row) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      Angle& angle = joints_[j];
      double& q = row.values[log_.columns.q + j];
      if (!angle.turns) continue;
      const double turn = 2.0 * std::numbers::pi;
      if (angle.is_first() && angle.is_beyond(q)) {
        angle.added = std::copysign(turn, angle.limits->lower - q);
        if (angle.is_beyond(q + angle.added)) angle.added = 0.0;
        if (angle.added != 0.0) log_.report.unwrapped.insert(j);
      }
      if (angle.take(q, turn, true)) log_.report.unwrapped.insert(j);
    }
  }

 private:
  struct Angle : Unwrapping {
    bool turns = false;  // the joint is revolute
    std::optional<Range> limits;

    [[nodiscard]] bool is_beyond(double q) const {
      constexpr double clearly = 0.1;
      return limits && (q > limits->upper + clearly || q < limits->lower - clearly);
    }
  };
  PassingLog& log_;
  std::vector<Angle> joints_;
};

/// Columns whose numbers are taken at another time, on straight lines between rows.
class TimeShift {
 public:
  explicit TimeShift(PassingLog& log) : log_(log), shifts_(log.columns.as_read.steps.shifted) {
    for (const ColumnSteps::Shift& shift : shifts_) {
      earliest_ = std::min(earliest_, shift.later);
      latest_ = std::max(latest_, shift.later);
    }
  }

  void take(LogRow row) { rows_.push_back(std::move(row)); }

  /// Next row whose other times are all known; rows at the ends, where they are not, are left out.
  std::optional<LogRow> next() {
    while (next_ < rows_.size()) {
      const double t = time(rows_[next_]);
      if (time(rows_.back()) < t + latest_) return {};
      for (; next_ > 0 && time(rows_[1]) <= t + earliest_; --next_) rows_.pop_front();
      LogRow row = rows_[next_++];
      if (time(rows_.front()) > t + earliest_) {
        ++log_.report.outside;
        continue;
      }
      for (const auto& [column, later] : shifts_) row.values[column] = at(column, t + later);
      return row;
    }
    return {};
  }

  void end_stretch() {
    log_.report.outside += rows_.size() - next_;
    rows_.clear();
    next_ = 0;
  }

 private:
  [[nodiscard]] double time(const LogRow& row) const { return row.values[*log_.columns.t]; }
  [[nodiscard]] double at(std::size_t column, double t) const {
    const auto after =
        std::ranges::lower_bound(rows_, t, {}, [&](const LogRow& r) { return time(r); });
    if (after == rows_.begin()) return after->values[column];
    const auto before = std::prev(after);
    const double share = (t - time(*before)) / (time(*after) - time(*before));
    return before->values[column] + share * (after->values[column] - before->values[column]);
  }

  PassingLog& log_;
  const std::vector<ColumnSteps::Shift>& shifts_;
  double earliest_ = 0.0, latest_ = 0.0;  // s
  std::deque<LogRow> rows_;
  std::size_t next_ = 0;
};

/// Comparison of q, qd and qdd with one another (RateCheck), of a very long log in some blocks.
class RateComparison {
 public:
  RateComparison(const PassingLog& log, const Robot& robot)
      : t_(log.columns.t),
        motion_(motion_columns(log.columns.as_read), robot.dof()),
        check_(log.columns.as_read, robot,
               log.file.ends_with(".npy") ? std::nullopt : std::optional(log.options.columns)) {
    for (const auto& [column, turn] : log.columns.as_read.steps.unwrapped) {
      unwrapped_.insert(column - log.columns.q);
    }
  }

  /// Takes a block of rows; `positions` are as they were read, with jumps that the rows may not have.
  void take(const Table& rows, std::span<const std::vector<double>> positions, bool mends_jumps) {
    constexpr std::size_t looked_at_closely = 20000;  // rows
    constexpr std::size_t stride = 16;                // blocks beyond
    if (rows_ >= looked_at_closely && ++blocks_passed_over_ % stride != 0) {
      check_.restart();
      return;
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (!unwrapped_.contains(i)) check_.reach(i, positions[i], mends_jumps);
    }
    rows_ += rows.rows;
    for (std::size_t row = 0; check_.looks() && row < rows.rows; ++row) {
      motion_.read(rows, row);
      const auto [q, qd, qdd] = motion_.state();
      check_.add(rows.columns[*t_][row], q, qd, qdd);
    }
  }

  [[nodiscard]] const RateCheck& check() const { return check_; }

 private:
  std::optional<std::size_t> t_;
  MotionRow motion_;
  RateCheck check_;
  std::set<std::size_t> unwrapped_;  // joints, by the user
  std::size_t rows_ = 0, blocks_passed_over_ = 0;
};

/// Order of the stamps: steps that do not go on in time, in which rows are missing, or that are gaps.
class StampOrder {
 public:
  enum class Place { left_out, behind_the_last, behind_a_gap };

  explicit StampOrder(PassingLog& log) : log_(log) {}

  /// Only counts what does not go on in time.
  void count(std::span<const double> t, std::span<const std::size_t> lines) {
    for (std::size_t row = 0; row < t.size(); ++row) {
      if (last_ && t[row] == *last_) log_.report.repeated.add(lines[row]);
      if (last_ && t[row] < *last_) log_.report.falling.add(lines[row]);
      last_ = t[row];
    }
  }

  /// Sets the usual step for `place`.
  void judge_by(double usual_step) { steps_ = {usual_step, usual_step, usual_step}; }
  [[nodiscard]] const LogReport::Steps& steps() const { return steps_; }

  /// Place of a row after the one before it.
  Place place(double t, std::size_t line) {
    if (last_ && t <= *last_) {
      if (log_.refuses_gaps()) {
        log_.fail(line, fmt::format("t does not increase: {} after {}{}", t, *last_, rows_remedy));
      }
      (t == *last_ ? log_.report.repeated : log_.report.falling).add(line);
      return Place::left_out;
    }
    const bool is_behind_gap = last_ && is_gap(t - *last_, line) && log_.options.gaps == Gaps::skip;
    last_ = t;
    return is_behind_gap ? Place::behind_a_gap : Place::behind_the_last;
  }

 private:
  bool is_gap(double step, std::size_t line) {
    const double steps = step / steps_.usual;
    if (steps <= missing_from) {
      steps_.shortest = std::min(steps_.shortest, step);
      steps_.longest = std::max(steps_.longest, step);
      return false;
    }
    if (steps <= MotionRows::gap_from) {
      log_.report.missing.add(line, static_cast<std::size_t>(std::lround(steps)) - 1);
      return false;
    }
    if (log_.refuses_gaps()) {
      log_.fail(line,
                fmt::format("a gap of {} s, {} times the usual step, comes before this row (--gaps "
                            "skip works on either side of it, --gaps bridge across it)",
                            short_number(step), short_number(steps)));
    }
    log_.report.gaps.add(line);
    return true;
  }

  static constexpr double missing_from = 1.5;  // usual steps; in a longer one rows are missing

  PassingLog& log_;
  LogReport::Steps steps_;
  std::optional<double> last_;
};

/// q̇ and q̈ by fits around each row (Deriver), which waits until the window around it is full.
class Differentiation {
 public:
  /// Chooses the window by the first rows; `rising` are those whose t increases.
  Differentiation(PassingLog& log, const std::vector<LogRow>& first_rows,
                  const std::vector<std::size_t>& rising, double usual_step)
      : log_(log),
        columns_(log.columns),
        finds_rest_(log.options.finds_rest && columns_.derives[0]) {
    LogReport::Derived& derived = log_.report.derived.emplace(LogReport::Derived{});
    const LogOptions& options = log_.options;
    derived = {.qd = columns_.derives[0],
               .qdd = columns_.derives[1],
               .window = options.window.value_or(0.0),
               .best_window = options.window.value_or(0.0),
               .is_window_given = options.window.has_value(),
               .finds_rest = finds_rest_ && !options.dead_zone,
               .joints = {}};
    FitQuality seen(columns_.dof);
    if (rising.size() >= LocalFit::fewest_points) {
      Columns samples(1 + columns_.dof + columns_.smoothed.size());
      for (const std::size_t row : rising) {
        const std::vector<double> sample = sample_of(first_rows[row]);
        for (std::size_t i = 0; i < samples.size(); ++i) samples[i].push_back(sample[i]);
      }
      const std::vector<double>& t = samples.front();
      const auto torques_begin = samples.begin() + 1 + static_cast<std::ptrdiff_t>(columns_.dof);
      const std::vector<std::span<const double>> q(samples.begin() + 1, torques_begin);
      const std::vector<std::span<const double>> torques(torques_begin, samples.end());
      if (!options.window || options.smooth) derived.best_window = choose_window(t, q, torques);
      if (!options.window) derived.window = derived.best_window;
      seen = look(t, q, derived.window);
      derived.is_sparse = options.smooth && are_sparse(t, q, usual_step);
    }
    deriver_.emplace(derived.window, std::move(seen), columns_.smoothed.size());
    for (auto* const values : {&rate_, &error_}) values->fill(std::vector<double>(columns_.dof));
  }

  void take(LogRow row) {
    deriver_->append(sample_of(row));
    held_.push_back(std::move(row));
  }
  void end_stretch() { deriver_->end_stretch(); }

  /// Next row with its rates; nothing until more rows or the end of a stretch have come.
  std::optional<LogRow> next() {
    const bool needs_errors = log_.options.derive_errors || log_.report.derived->finds_rest;
    for (;;) {
      const Deriver::Outcome outcome =
          needs_errors ? deriver_->take(rate_[0], rate_[1], {error_[0], error_[1]})
                       : deriver_->take(rate_[0], rate_[1]);
      if (outcome == Deriver::Outcome::not_yet) return {};
      LogRow row = std::move(held_.front());
      held_.pop_front();
      const bool is_derived = outcome == Deriver::Outcome::derived;
      if (!is_derived || (log_.options.smooth && !deriver_->was_central())) {
        ++(is_derived ? log_.report.at_ends : log_.report.too_few);
        continue;
      }
      for (std::size_t j = 0; finds_rest_ && j < columns_.dof; ++j) {
        stop_slow({&rate_[0][j], 1}, log_.options.dead_zone.value_or(beyond_doubt * error_[0][j]));
      }
      for (const auto* const values : {&rate_, &error_}) {
        if (values == &error_ && !log_.options.derive_errors) continue;
        for (std::size_t k = 0; k < values->size(); ++k) {
          if (columns_.derives[k]) append(row.values, (*values)[k]);
        }
      }
      return row;
    }
  }

  /// Fits around the row that was derived last.
  [[nodiscard]] const Deriver& fits() const { return *deriver_; }

  /// Standard deviations of each joint.
  [[nodiscard]] std::vector<LogReport::Uncertainty> uncertainties() const {
    const FitQuality& quality = deriver_->quality();
    return each(in_order(columns_.dof), [&](std::size_t j) {
      LogReport::Uncertainty joint{quality.noise(j),
                                   {},
                                   {},
                                   deriver_->uncertainty_at_ends(1, j),
                                   deriver_->uncertainty_at_ends(2, j)};
      if (quality.central_windows() == 0) return joint;
      joint.qd = quality.uncertainty(1, j);
      joint.qdd = quality.uncertainty(2, j);
      return joint;
    });
  }

 private:
  /// t, q and torques to be smoothed.
  [[nodiscard]] std::vector<double> sample_of(const LogRow& row) const {
    std::vector<double> sample{row.values[*columns_.t]};
    append(sample, std::span(row.values).subspan(columns_.q, columns_.dof));
    for (const std::size_t column : columns_.smoothed) sample.push_back(row.values[column]);
    return sample;
  }

  static constexpr double beyond_doubt = 3.0;  // standard uncertainties of a speed that is not 0

  PassingLog& log_;
  const RowColumns& columns_;
  bool finds_rest_;
  std::optional<Deriver> deriver_;
  std::deque<LogRow> held_;  // given to the deriver and not yet taken back
  std::array<std::vector<double>, RowColumns::rates.size()> rate_, error_;
};

/// Positions and torques of the fits in place of the measured ones; marks rows near the log's ends.
class Smoothing {
 public:
  Smoothing(const RowColumns& columns, double window) : columns_(columns), window_(window) {}

  /// Notes the stamp of a row that is derived; the first one begins the log.
  void note(double t) {
    if (!begin_) begin_ = t;
    last_ = t;
  }

  void take(LogRow row, const Deriver& fits) {
    std::copy_n(fits.smoothed().begin(), columns_.dof,
                row.values.begin() + static_cast<std::ptrdiff_t>(columns_.q));
    if (!columns_.smoothed.empty()) smooth_torques(row.values, fits);
    waiting_.push_back(std::move(row));
  }

  /// Next row that is known to be near the end, or not.
  std::optional<LogRow> next() {
    if (waiting_.empty() || waiting_.front().values[*columns_.t] > last_ - ends) return {};
    LogRow row = std::move(waiting_.front());
    waiting_.pop_front();
    return row;
  }

  /// Lets all rows go on; at the end of the log they are near it.
  void end_stretch(bool is_end) {
    for (LogRow& row : waiting_) {
      if (is_end && !columns_.smoothed.empty()) row.values.back() = 1.0;
    }
    last_ = std::numeric_limits<double>::infinity();
  }

 private:
  void smooth_torques(std::vector<double>& row, const Deriver& fits) const {
    std::vector<double> measured;
    for (std::size_t k = 0; k < columns_.smoothed.size(); ++k) {
      const double smooth = fits.smoothed()[columns_.dof + k];
      measured.push_back(std::exchange(row[columns_.smoothed[k]], smooth));
    }
    append(row, measured);
    append(row, fits.smoothed_rates());
    append(row, fits.rate_variances());
    const bool is_at_begin = row[*columns_.t] < *begin_ + ends;
    append(row, std::array{window_, is_at_begin ? 1.0 : 0.0});
  }

  static constexpr double ends = 0.5;  // s, marked

  const RowColumns& columns_;
  double window_;
  std::optional<double> begin_;
  double last_ = 0.0;
  std::deque<LogRow> waiting_;  // smoothed, and perhaps within the last half second
};

/// Rows at a rate of their own, on straight lines between the rows given, in every column.
class Resampling {
 public:
  explicit Resampling(const PassingLog& log) : log_(log) { log_.columns.empty(block_); }

  void take(LogRow row) { given_.push_back(std::move(row)); }

  /// Emits a full block, and at the end the rest: a few rows may become many. True where there is
  /// more.
  bool hand_on(Table& rows, bool is_end) {
    while (!given_.empty() && sample_up_to(given_.front())) given_.pop_front();
    if (block_.rows < resampled_block && !is_end) return false;
    std::swap(rows, block_);
    log_.columns.empty(block_);
    return !given_.empty();
  }

 private:
  /// Samples between the row before and this one; false where the block is full before its end.
  bool sample_up_to(const LogRow& row) {
    const double rate = *log_.options.resample;
    const double t = row.values[*log_.columns.t];
    if (!first_time_) first_time_ = t;
    if (row.begins_stretch) {
      before_.reset();
      begins_stretch_ = true;
    }
    const double position = (t - *first_time_) * rate;
    const double rows = before_ ? (t - before_->values[*log_.columns.t]) * rate : position;
    if (rows > log_.options.max_rows || position > most_samples) {
      const std::string more =
          fmt::format(", or raise --max-rows above {:g}", log_.options.max_rows);
      log_.fail(row.line,
                fmt::format("{:.3g} rows at {:.6g} Hz would come before this row{}; lower "
                            "--resample{}",
                            rows, rate, before_ ? " and after the one before" : "",
                            rows > log_.options.max_rows ? more : ""));
    }
    const auto time_of = [&](std::size_t k) {
      return *first_time_ + static_cast<double>(k) / rate;
    };
    if (!before_) next_ = static_cast<std::size_t>(std::ceil(position - grid_tolerance));
    while (static_cast<double>(next_) <= position + grid_tolerance) {
      if (block_.rows == resampled_block) return false;
      LogRow sample = row;
      sample.begins_stretch = std::exchange(begins_stretch_, false);
      if (before_) {
        const std::vector<double>& last = before_->values;
        const double from = last[*log_.columns.t];
        const double share = std::min(1.0, (time_of(next_) - from) / (t - from));
        for (std::size_t i = 0; i < last.size(); ++i) {
          sample.values[i] = last[i] + share * (row.values[i] - last[i]);
        }
      }
      sample.values[*log_.columns.t] = time_of(next_++);
      append(block_, sample);
    }
    before_ = row;
    return true;
  }

  static constexpr double grid_tolerance = 1e-9;        // of a sampling interval
  static constexpr double most_samples = 1e15;          // whose numbers doubles distinguish
  static constexpr std::size_t resampled_block = 4096;  // rows

  const PassingLog& log_;
  std::deque<LogRow> given_;
  std::optional<LogRow> before_;  // the row being sampled
  std::optional<double> first_time_;
  std::size_t next_ = 0;  // sample
  bool begins_stretch_ = false;
  Table block_;
};

}  // namespace armdyn
