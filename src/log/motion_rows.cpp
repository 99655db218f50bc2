#include "log/motion_rows.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "io/text/number_text.hpp"
#include "log/rate_check.hpp"
#include "math/columns.hpp"
#include "math/each.hpp"
#include "math/statistics.hpp"
#include "model/motors.hpp"
#include "motion/derive.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_first_rows = 20000;  // by which window and usual step are chosen
constexpr double missing_from = 1.5;            // usual steps; in a longer one rows are missing
constexpr double ends = 0.5;                    // s, marked by `smooth`
constexpr double beyond_doubt = 3.0;            // standard uncertainties of a speed that is not 0
constexpr double grid_tolerance = 1e-9;         // of a sampling interval
constexpr double most_samples = 1e15;           // whose numbers doubles tell apart
constexpr std::size_t resampled_block = 4096;   // rows

}  // namespace

// --- Incident

void Incident::add(std::size_t line, std::size_t count) {
  constexpr std::size_t most = 3;
  count_ += count;
  ++places_;
  if (first_.size() < most) first_.push_back(line);
}

std::string Incident::places() const {
  std::string text = fmt::format("{} {}", noun(places_, "line"), fmt::join(first_, ", "));
  if (places_ > first_.size()) text += fmt::format(" and {} more", places_ - first_.size());
  return text;
}

// --- MotionRows

namespace {

/// Stages of a row: its stamp, selection by time, derivation, the wait for the end, and resampling.
class Stages final : public MotionRows {
 public:
  Stages(const LogOptions& options, const ColumnPlan& plan, const Robot& robot, std::string file)
      : options_(options),
        robot_(robot),
        file_(std::move(file)),
        handed_on_(plan),
        as_read_(plan),
        width_(plan.columns.size()),
        q_(plan.first(Quantity::position).value_or(0)),
        q_as_read_(robot.dof()) {
    if (options.rate && plan.has(Quantity::time)) {
      throw InputError(file_ + ": has t; --rate is for rows that have none");
    }
    if (options.motor_side || plan.has_motor_torques) {
      motor_side_.emplace(robot);
      if (options.motor_side && motor_side_->is_joint_side()) {
        throw InputError(
            fmt::format("{}: --motor-side takes a log to the joints by the gear_ratio and the "
                        "couplings of the robot file, and {} has neither",
                        file_, robot.name));
      }
    }
    const auto add = [&](Quantity quantity, std::size_t columns) {
      handed_on_.groups.emplace_back(quantity, std::exchange(width_, width_ + columns));
    };
    if (options.rate) add(Quantity::time, 1);
    as_read_.groups = handed_on_.groups;
    t_ = handed_on_.first(Quantity::time);
    if (!options.derive) return;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (options.smooth) handed_on_.leave_out(rates[k]);
      derives_[k] = !handed_on_.has(rates[k]);
      if (derives_[k]) add(rates[k], robot.dof());
    }
    finds_rest_ = options.finds_rest && derives_[0];
    const std::optional<std::size_t> tau = plan.first(Quantity::torque);
    for (std::size_t j = 0; options.smooth && tau && j < robot.dof(); ++j) {
      smoothed_.push_back(*tau + j);
    }
    beside_smoothed_ = width_;
    if (!smoothed_.empty()) width_ += 3 * robot.dof() + 2;
    tells_errors_ = options.derive_errors;
    if (!tells_errors_) return;
    if (!derives()) {
      throw InputError(file_ +
                       ": has qd and qdd, so that nothing is derived whose errors --derive-errors "
                       "could tell");
    }
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (derives_[k]) add(uncertainties[k], robot.dof());
    }
  }

  [[nodiscard]] const ColumnPlan& plan() const override { return handed_on_; }
  [[nodiscard]] std::size_t beside_smoothed() const override { return beside_smoothed_; }

  bool pass(Table& parsed, bool is_end, Table& handed_on) override {
    report_.rows_in += parsed.rows + parsed.left_out.size();
    if (t_ && !options_.rate) leave_out_strange_stamps(parsed, is_end);
    if (motor_side_) to_joints(parsed);
    if (options_.finds_rest && options_.dead_zone) stop_slow_joints(parsed);
    if (options_.rate) stamp(parsed);
    report_.unreadable += parsed.left_out.size();
    if (report_.first_unreadable.empty() && !parsed.left_out.empty()) {
      report_.first_unreadable = parsed.left_out.front().why;
    }
    if (only_looks() || !t_) {
      look_at_stamps(parsed);
      std::swap(handed_on, parsed);  // no copy
      report_.rows_out += handed_on.rows;
      compare_rates(handed_on, std::span(handed_on.columns).subspan(q_, robot_.dof()));
      return false;
    }
    empty(handed_on);
    if (resampled_.columns.empty()) empty(resampled_);
    out_ = options_.resample ? &resampled_ : &handed_on;
    for (std::size_t row = 0; row < parsed.rows; ++row) {
      take({row_of(parsed.columns, row), parsed.lines[row]});
    }
    if (is_end) finish();
    has_ended_ = has_ended_ || is_end;
    if (options_.resample) resample_block(handed_on);
    if (is_end) require_rows();
    compare_rates(handed_on, q_as_read_);
    for (std::vector<double>& q : q_as_read_) q.clear();
    return !to_resample_.empty() || (has_ended_ && resampled_.rows > 0);
  }

  [[nodiscard]] LogReport report() const override {
    LogReport report = report_;
    report.recognised = handed_on_.recognised;
    report.leaves_rows_out = !only_looks();
    report.bridges_gaps = options_.gaps == Gaps::bridge;
    if (steps_.usual > 0.0) report.steps = steps_;
    if (rates_) report.disagreements = rates_->warnings(steps_.usual);
    if (!deriver_) return report;
    const FitQuality& quality = deriver_->quality();
    report.derived = {derives_[0],
                      derives_[1],
                      window_,
                      best_window_,
                      options_.window.has_value(),
                      finds_rest_ && !options_.dead_zone,
                      {},
                      is_sparse_};
    for (std::size_t j = 0; j < robot_.dof(); ++j) {
      LogReport::Uncertainty& joint = report.derived->joints.emplace_back();
      joint = {quality.noise(j),
               {},
               {},
               deriver_->uncertainty_at_ends(1, j),
               deriver_->uncertainty_at_ends(2, j)};
      if (quality.central_windows() == 0) continue;
      joint.qd = quality.uncertainty(1, j);
      joint.qdd = quality.uncertainty(2, j);
    }
    return report;
  }

 private:
  static constexpr std::array rates{Quantity::velocity, Quantity::acceleration};
  static constexpr std::array uncertainties{Quantity::velocity_uncertainty,
                                            Quantity::acceleration_uncertainty};
  struct Row {
    std::vector<double> values;
    std::size_t line = 0;  ///< of the file
    bool begins_stretch = false;
  };

  [[nodiscard]] bool derives() const { return derives_[0] || derives_[1]; }
  [[nodiscard]] bool only_looks() const {
    return !derives() && !options_.from_time && !options_.to_time && !options_.resample &&
           !options_.gaps;
  }
  [[nodiscard]] bool refuses() const { return !options_.gaps || options_.gaps == Gaps::refuse; }
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line, message));
  }

  void empty(Table& table) const {
    table.resize(width_, 0);
    table.lines.clear();
    table.breaks.clear();
  }

  /// Converts the motors' measurements to the joints' (31.4).
  void to_joints(Table& parsed) const {
    const auto take = [&](Quantity quantity, void (MotorSide::*to)(std::span<double>) const) {
      const std::optional<std::size_t> first = as_read_.first(quantity);
      if (!first) return;
      motor_side_->convert(parsed.columns, *first, to);
    };
    take(Quantity::torque, &MotorSide::to_torques);
    if (!options_.motor_side) return;
    take(Quantity::position, &MotorSide::to_positions);
    take(Quantity::velocity, &MotorSide::to_rates);
    take(Quantity::acceleration, &MotorSide::to_rates);
  }

  /// Sets slow speeds of the file to 0.
  void stop_slow_joints(Table& parsed) const {
    const std::optional<std::size_t> first = handed_on_.first(Quantity::velocity);
    if (!first || derives_[0]) return;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      for (double& speed : parsed.columns[*first + i]) {
        if (std::abs(speed) < *options_.dead_zone) speed = 0.0;
      }
    }
  }

  /// Rows that are left out take their time, too.
  void stamp(Table& parsed) {
    std::vector<double>& t = parsed.columns.emplace_back(parsed.rows);
    std::size_t left_out = 0;
    for (std::size_t row = 0; row < parsed.rows; ++row) {
      while (left_out < parsed.left_out.size() && parsed.left_out[left_out].before <= row) {
        ++left_out;
      }
      t[row] = static_cast<double>(rows_stamped_ + left_out + row) / *options_.rate;
    }
    rows_stamped_ += parsed.rows + parsed.left_out.size();
  }

  // Compares rates, of a very long log in some blocks; `positions` are as they were read.
  void compare_rates(const Table& rows, std::span<const std::vector<double>> positions) {
    constexpr std::size_t looked_at_closely = 20000;  // rows
    constexpr std::size_t stride = 16;                // blocks beyond
    if (!rates_) {
      using Named = std::optional<std::vector<ColumnChoice>>;
      rates_.emplace(as_read_, robot_, file_.ends_with(".npy") ? Named() : options_.columns);
    }
    if (rows_compared_ >= looked_at_closely && ++blocks_passed_over_ % stride != 0) {
      rates_->restart();
      return;
    }
    for (std::size_t i = 0; i < robot_.dof(); ++i) rates_->reach(i, positions[i]);
    rows_compared_ += rows.rows;
    if (!rates_->looks()) return;
    MotionRow motion(motion_columns(as_read_), robot_.dof());
    for (std::size_t row = 0; row < rows.rows; ++row) {
      motion.read(rows, row);
      const auto [q, qd, qdd] = motion.state();
      rates_->add(rows.columns[*t_][row], q, qd, qdd);
    }
  }

  /// Leaves out a single stamp far from those on either side, which are near one another.
  void leave_out_strange_stamps(Table& parsed, bool is_end) {
    constexpr double far = 1e4, very_far = 1e6;  // steps
    if (doubtful_) {
      for (std::size_t i = 0; i < parsed.columns.size(); ++i) {
        parsed.columns[i].insert(parsed.columns[i].begin(), doubtful_->values[i]);
      }
      parsed.lines.insert(parsed.lines.begin(), doubtful_->line);
      ++parsed.rows;
      doubtful_.reset();
    }
    const std::vector<double>& t = parsed.columns[*t_];
    const auto take_out = [&](std::size_t row) {
      const auto at = static_cast<std::ptrdiff_t>(row);
      for (std::vector<double>& column : parsed.columns) column.erase(column.begin() + at);
      parsed.lines.erase(parsed.lines.begin() + at);
      --parsed.rows;
    };
    for (std::size_t row = 0; row < parsed.rows;) {
      const double step = t[row] - stamp_before_.value_or(t[row]);
      if (stamp_before_ && step > 0.0 && step <= far * step_before_) {
        step_before_ = std::max(step, step_before_ / 2.0);  // one tiny step is no measure
        stamp_before_ = t[row++];
        continue;
      }
      const std::size_t left = parsed.rows - row - 1;
      if (left == 0 && !is_end) {
        doubtful_ = Row{row_of(parsed.columns, row), parsed.lines[row]};
        return take_out(row);
      }
      const bool begins = !stamp_before_ && left > 1;
      const double away = begins ? t[row] - t[row + 1] : std::abs(step);
      const double around = begins     ? t[row + 2] - t[row + 1]
                            : left > 0 ? t[row + 1] - stamp_before_.value_or(t[row + 1])
                                       : very_far / far * step_before_;
      if (around > 0.0 && away > far * around) {
        if (report_.strange.count() == 0) report_.first_strange = t[row];
        report_.strange.add(parsed.lines[row]);
        take_out(row);
        continue;
      }
      if (stamp_before_ && step > 0.0) step_before_ = step;
      stamp_before_ = t[row++];
    }
  }

  void look_at_stamps(const Table& parsed) {
    if (!t_) return;
    for (std::size_t row = 0; row < parsed.rows; ++row) {
      const double t = parsed.columns[*t_][row];
      if (last_time_ && t == *last_time_) report_.repeated.add(parsed.lines[row]);
      if (last_time_ && t < *last_time_) report_.falling.add(parsed.lines[row]);
      last_time_ = t;
    }
  }

  void take(Row row) {
    const double t = row.values[*t_];
    if (t < options_.from_time.value_or(t) || t > options_.to_time.value_or(t)) {
      ++report_.outside;
      return;
    }
    if (!holds_first_rows_) {
      process(std::move(row));
      return;
    }
    first_rows_.push_back(std::move(row));
    if (first_rows_.size() == most_first_rows) use_first_rows();
  }

  // Chooses the usual step and the window by the first rows.
  void use_first_rows() {
    holds_first_rows_ = false;
    std::vector<std::size_t> rising;
    std::vector<double> steps;
    for (std::size_t i = 0; i < first_rows_.size(); ++i) {
      const double step = rising.empty()
                              ? 0.0
                              : first_rows_[i].values[*t_] - first_rows_[rising.back()].values[*t_];
      if (!rising.empty() && step <= 0.0) continue;
      if (!rising.empty()) steps.push_back(step);
      rising.push_back(i);
    }
    steps_.shortest = steps_.longest = steps_.usual = median_of(std::move(steps));
    if (derives()) prepare_to_derive(rising);
    for (Row& row : first_rows_) process(std::move(row));
    first_rows_.clear();
  }

  void prepare_to_derive(const std::vector<std::size_t>& rising) {
    window_ = best_window_ = options_.window.value_or(0.0);
    FitQuality seen(robot_.dof());
    if (rising.size() >= LocalFit::fewest_points) {
      std::vector<std::vector<double>> columns;  // t, q, smoothed torques
      const auto take_column = [&](std::size_t column) {
        columns.push_back(
            each(rising, [&](std::size_t i) { return first_rows_[i].values[column]; }));
      };
      take_column(*t_);
      for (std::size_t j = 0; j < robot_.dof(); ++j) take_column(q_ + j);
      std::ranges::for_each(smoothed_, take_column);
      const auto torques_begin = columns.begin() + 1 + static_cast<std::ptrdiff_t>(robot_.dof());
      const std::vector<std::span<const double>> q(columns.begin() + 1, torques_begin);
      const std::vector<std::span<const double>> torques(torques_begin, columns.end());
      if (!options_.window || options_.smooth) best_window_ = choose_window(columns[0], q, torques);
      if (!options_.window) window_ = best_window_;
      seen = look(columns[0], q, window_);
      is_sparse_ = options_.smooth && are_sparse(columns[0], q, steps_.usual);
    }
    deriver_.emplace(window_, std::move(seen), smoothed_.size());
  }

  void process(Row row) {
    if (!is_in_time(row.values[*t_], row.line)) return;
    for (std::size_t j = 0; j < robot_.dof(); ++j) q_as_read_[j].push_back(row.values[q_ + j]);
    if (!deriver_) {
      emit(std::move(row));
      return;
    }
    std::vector<double> sample{row.values[*t_]};
    for (std::size_t j = 0; j < robot_.dof(); ++j) sample.push_back(row.values[q_ + j]);
    for (const std::size_t column : smoothed_) sample.push_back(row.values[column]);
    deriver_->append(sample);
    held_.push_back(std::move(row));
    drain();
  }

  // Tells whether a row comes after the one before it; may end a stretch.
  bool is_in_time(double t, std::size_t line) {
    if (last_time_ && t <= *last_time_) {
      if (refuses()) {
        fail(line, fmt::format("t does not increase: {} after {}{}", t, *last_time_, rows_remedy));
      }
      (t == *last_time_ ? report_.repeated : report_.falling).add(line);
      return false;
    }
    if (last_time_) judge_step(t - *last_time_, line);
    if (!begin_) begin_ = t;
    last_time_ = t;
    return true;
  }

  void judge_step(double step, std::size_t line) {
    const double steps = step / steps_.usual;
    if (steps <= missing_from) {
      steps_.shortest = std::min(steps_.shortest, step);
      steps_.longest = std::max(steps_.longest, step);
      return;
    }
    if (steps <= gap_from) {
      report_.missing.add(line, static_cast<std::size_t>(std::lround(steps)) - 1);
      return;
    }
    if (refuses()) {
      fail(line,
           fmt::format("a gap of {} s, {} times the usual step, comes before this row (--gaps "
                       "skip works on either side of it, --gaps bridge across it)",
                       short_number(step), short_number(steps)));
    }
    report_.gaps.add(line);
    if (options_.gaps == Gaps::skip) end_stretch();
  }

  void end_stretch() {
    if (deriver_) {
      deriver_->end_stretch();
      drain();
    }
    emit_waiting(std::numeric_limits<double>::infinity());
    begins_stretch_ = true;
  }

  void drain() {
    const std::size_t n = robot_.dof();
    std::array<std::vector<double>, 2> rate, error;  // qd, qdd
    for (auto* const values : {&rate, &error}) values->fill(std::vector<double>(n));
    const bool needs_errors = tells_errors_ || (finds_rest_ && !options_.dead_zone);
    for (;;) {
      const Deriver::Outcome outcome = needs_errors
                                           ? deriver_->take(rate[0], rate[1], {error[0], error[1]})
                                           : deriver_->take(rate[0], rate[1]);
      if (outcome == Deriver::Outcome::not_yet) return;
      Row row = std::move(held_.front());
      held_.pop_front();
      const bool is_derived = outcome == Deriver::Outcome::derived;
      if (!is_derived || (options_.smooth && !deriver_->was_central())) {
        ++(is_derived ? report_.at_ends : report_.too_few);
        continue;
      }
      for (std::size_t j = 0; finds_rest_ && j < n; ++j) {
        const double slow = options_.dead_zone.value_or(beyond_doubt * error[0][j]);
        if (std::abs(rate[0][j]) < slow) rate[0][j] = 0.0;
      }
      for (std::size_t k = 0; k < rates.size(); ++k) append_if(derives_[k], row, rate[k]);
      for (std::size_t k = 0; k < rates.size(); ++k) {
        append_if(derives_[k] && tells_errors_, row, error[k]);
      }
      if (!options_.smooth) {
        emit(std::move(row));
        continue;
      }
      for (std::size_t j = 0; j < n; ++j) row.values[q_ + j] = deriver_->smoothed()[j];
      if (!smoothed_.empty()) smooth_torques(row);
      waiting_.push_back(std::move(row));
      emit_waiting(*last_time_ - ends);
    }
  }

  static void append_if(bool is_wanted, Row& row, const std::vector<double>& values) {
    if (is_wanted) row.values.insert(row.values.end(), values.begin(), values.end());
  }

  void smooth_torques(Row& row) const {
    std::vector<double> measured;
    for (std::size_t k = 0; k < smoothed_.size(); ++k) {
      const double smooth = deriver_->smoothed()[robot_.dof() + k];
      measured.push_back(std::exchange(row.values[smoothed_[k]], smooth));
    }
    const bool is_at_begin = row.values[*t_] < *begin_ + ends;
    append_if(true, row, measured);
    append_if(true, row, deriver_->smoothed_rates());
    append_if(true, row, deriver_->rate_variances());
    append_if(true, row, {window_, is_at_begin ? 1.0 : 0.0});
  }

  void emit_waiting(double until) {
    for (; !waiting_.empty() && waiting_.front().values[*t_] <= until; waiting_.pop_front()) {
      emit(std::move(waiting_.front()));
    }
  }

  void emit(Row row) {
    row.begins_stretch = std::exchange(begins_stretch_, false);
    options_.resample ? to_resample_.push_back(std::move(row)) : append(row);
  }

  // Hands on full blocks, and at the end the rest: a few rows may become many.
  void resample_block(Table& handed_on) {
    while (!to_resample_.empty() && resample(to_resample_.front())) to_resample_.pop_front();
    if (resampled_.rows < resampled_block && !has_ended_) return;
    std::swap(handed_on, resampled_);
    empty(resampled_);
  }

  // Resamples along a straight line from the row before, in every column; false where the block is
  // full before its end.
  bool resample(const Row& row) {
    const double rate = *options_.resample;
    const double t = row.values[*t_];
    if (!first_time_) first_time_ = t;
    if (row.begins_stretch) {
      before_.reset();
      sample_begins_stretch_ = true;
    }
    const double position = (t - *first_time_) * rate;
    const double rows = before_ ? (t - before_->values[*t_]) * rate : position;
    if (rows > options_.max_rows || position > most_samples) {
      const std::string more = fmt::format(", or raise --max-rows above {:g}", options_.max_rows);
      fail(row.line, fmt::format("{:.3g} rows at {:.6g} Hz would come before this row{}; lower "
                                 "--resample{}",
                                 rows, rate, before_ ? " and after the one before" : "",
                                 rows > options_.max_rows ? more : ""));
    }
    const auto time_of = [&](std::size_t k) {
      return *first_time_ + static_cast<double>(k) / rate;
    };
    if (!before_) {
      next_sample_ = static_cast<std::size_t>(std::ceil(position - grid_tolerance));
    }
    while (static_cast<double>(next_sample_) <= position + grid_tolerance) {
      if (resampled_.rows == resampled_block) return false;
      Row sample = row;
      sample.begins_stretch = std::exchange(sample_begins_stretch_, false);
      if (before_) {
        const std::vector<double>& last = before_->values;
        const double from = last[*t_];
        const double share = std::min(1.0, (time_of(next_sample_) - from) / (t - from));
        for (std::size_t i = 0; i < last.size(); ++i) {
          sample.values[i] = last[i] + share * (row.values[i] - last[i]);
        }
      }
      sample.values[*t_] = time_of(next_sample_++);
      append(sample);
    }
    before_ = row;
    return true;
  }

  void append(const Row& row) {
    if (row.begins_stretch) out_->breaks.push_back(out_->rows);
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      out_->columns[i].push_back(row.values[i]);
    }
    out_->lines.push_back(row.line);
    ++out_->rows;
    ++report_.rows_out;
  }

  void finish() {
    if (holds_first_rows_) use_first_rows();
    if (deriver_) {
      deriver_->end_stretch();
      drain();
    }
    for (Row& row : waiting_) {
      if (!smoothed_.empty()) row.values.back() = 1.0;
    }
    end_stretch();
    if (report_.too_few > 0 && refuses()) {
      throw InputError(fmt::format("{}: {} {} too few to derive from; at least {} are needed",
                                   file_, counted(report_.too_few, "row"),
                                   report_.too_few == 1 ? "is" : "are", LocalFit::fewest_points));
    }
  }

  void require_rows() const {
    if (report_.rows_in == 0 || report_.rows_out > 0) return;
    const std::string why =
        !report_.first_unreadable.empty() ? "; the first: " + report_.first_unreadable
        : report_.at_ends > 0 ? fmt::format("; {} are within half a window of {} s of an end",
                                            report_.at_ends, short_number(window_))
                              : "";
    throw InputError(
        fmt::format("{}: of {} none is left{}", file_, counted(report_.rows_in, "row"), why));
  }

  const LogOptions& options_;
  const Robot& robot_;
  std::string file_;
  ColumnPlan handed_on_, as_read_;  // as_read_: without what is derived
  std::size_t width_;               // of rows handed on
  std::optional<std::size_t> t_;
  std::size_t q_;
  std::size_t rows_stamped_ = 0;  // by --rate
  std::array<bool, rates.size()> derives_{};
  bool tells_errors_ = false, finds_rest_ = false, is_sparse_ = false;
  std::size_t beside_smoothed_ = 0;
  std::vector<std::size_t> smoothed_;  // columns of smoothed torques

  bool holds_first_rows_ = true;
  std::vector<Row> first_rows_;
  std::vector<std::vector<double>> q_as_read_;  // of the block, neither smoothed nor resampled

  std::optional<double> stamp_before_;  // last one looked at
  double step_before_ = 0.0;
  std::optional<Row> doubtful_;  // judged by the next stamp

  LogReport::Steps steps_;
  std::optional<double> last_time_;
  double window_ = 0.0, best_window_ = 0.0;
  std::optional<Deriver> deriver_;
  std::deque<Row> held_;  // given to the deriver and not yet taken back

  std::optional<double> begin_;  // t of the first row
  std::deque<Row> waiting_;      // smoothed, and perhaps within the last half second

  bool begins_stretch_ = false;  // of the next row emitted

  std::deque<Row> to_resample_;
  std::optional<Row> before_;  // the row being resampled
  std::optional<double> first_time_;
  std::size_t next_sample_ = 0;
  bool sample_begins_stretch_ = false;
  Table resampled_;  // part of a block
  bool has_ended_ = false;

  std::optional<MotorSide> motor_side_;
  std::optional<RateCheck> rates_;
  std::size_t rows_compared_ = 0, blocks_passed_over_ = 0;

  Table* out_ = nullptr;
  LogReport report_;  // completed by `report`
};

}  // namespace

std::unique_ptr<MotionRows> make_motion_rows(const LogOptions& options, const ColumnPlan& plan,
                                             const Robot& robot, std::string file) {
  return std::make_unique<Stages>(options, plan, robot, std::move(file));
}

}  // namespace armdyn
