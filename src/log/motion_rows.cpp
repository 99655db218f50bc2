#include "log/motion_rows.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/text/number_text.hpp"
#include "log/motion_row.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_first_rows = 20000;  // that the window and the usual step are taken from
constexpr double missing_from = 1.5;            // usual steps: rows are missing
constexpr double ends = 0.5;                    // s, of which `smooth` tells
constexpr double beyond_doubt = 3.0;            // standard uncertainties of a speed that is not 0
constexpr double grid_tolerance = 1e-9;         // of a sampling interval
constexpr double most_samples = 1e15;           // that are told from each other
constexpr std::size_t resampled_block = 4096;   // rows

std::vector<double> row_of(const Table& table, std::size_t row) {
  std::vector<double> values;
  for (const std::vector<double>& column : table.columns) values.push_back(column[row]);
  return values;
}

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

MotionRows::MotionRows(const LogOptions& options, const ColumnPlan& plan, const Robot& robot,
                       std::string file)
    : options_(options),
      robot_(robot),
      file_(std::move(file)),
      handed_on_(plan),
      parsed_width_(plan.columns.size() + (options.rate ? 1 : 0)),
      t_(options.rate ? plan.columns.size() : plan.first(Quantity::time)),
      q_(plan.first(Quantity::position).value_or(0)),
      held_(parsed_width_) {
  if (options.rate && plan.has(Quantity::time)) {
    throw InputError(file_ + ": has t; --rate is for rows that have none");
  }
  if (options.motor_side || plan.has_motor_torques) {
    motor_side_.emplace(robot);
    if (options.motor_side && motor_side_->is_joint_side()) {
      throw InputError(file_ +
                       ": --motor-side takes a log to the joints by the gear_ratio and the "
                       "couplings of the robot file, and " +
                       robot.name + " has neither");
    }
  }
  if (options.rate) handed_on_.groups.emplace_back(Quantity::time, *t_);
  if (!options.derive) return;
  std::size_t width = parsed_width_;
  const auto derive = [&](Quantity quantity) {
    if (plan.has(quantity)) return false;
    handed_on_.groups.emplace_back(quantity, width);
    width += robot.dof();
    return true;
  };
  derives_qd_ = derive(Quantity::velocity);
  derives_qdd_ = derive(Quantity::acceleration);
  tells_errors_ = options.derive_errors;
  finds_rest_ = options.finds_rest && derives_qd_;
  const std::optional<std::size_t> tau = plan.first(Quantity::torque);
  for (std::size_t j = 0; options.smooth && tau && j < robot.dof(); ++j) {
    smoothed_.push_back(*tau + j);
  }
  beside_smoothed_ = width;
  if (!tells_errors_) return;
  if (!derives_qd_ && !derives_qdd_) {
    throw InputError(file_ +
                     ": has qd and qdd, so that nothing is derived whose errors --derive-errors "
                     "could tell");
  }
  const auto tell = [&](Quantity quantity) {
    handed_on_.groups.emplace_back(quantity, width);
    width += robot.dof();
  };
  if (derives_qd_) tell(Quantity::velocity_uncertainty);
  if (derives_qdd_) tell(Quantity::acceleration_uncertainty);
}

bool MotionRows::only_looks() const {
  return !derives_qd_ && !derives_qdd_ && !options_.from_time && !options_.to_time &&
         !options_.resample && !options_.gaps;
}

bool MotionRows::refuses() const {
  return !options_.gaps || options_.gaps == Gaps::refuse;
}

void MotionRows::fail(std::size_t line, const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", file_, line, message));
}

/// Turns what motors measured into joints' motion (31.4).
void MotionRows::to_joints(Table& parsed) const {
  const auto take = [&](Quantity quantity, void (MotorSide::*to)(std::span<double>) const) {
    const std::optional<std::size_t> first = handed_on_.first(quantity);
    if (!first || *first >= parsed.columns.size()) return;  // or it is to be derived
    motor_side_->convert(parsed.columns, *first, to);
  };
  take(Quantity::torque, &MotorSide::to_torques);
  if (!options_.motor_side) return;
  take(Quantity::position, &MotorSide::to_positions);
  take(Quantity::velocity, &MotorSide::to_rates);
  take(Quantity::acceleration, &MotorSide::to_rates);
}

/// Of speeds that are in the file.
void MotionRows::stop_slow_joints(Table& parsed) const {
  const std::optional<std::size_t> first = handed_on_.first(Quantity::velocity);
  if (!first || derives_qd_) return;
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    for (double& speed : parsed.columns[*first + i]) {
      if (std::abs(speed) < *options_.dead_zone) speed = 0.0;
    }
  }
}

void MotionRows::stamp(Table& parsed) {
  std::vector<double>& t = parsed.columns.emplace_back(parsed.rows);
  for (double& stamp : t) stamp = static_cast<double>(rows_stamped_++) / *options_.rate;
}

bool MotionRows::pass(Table& parsed, bool is_end, Table& handed_on) {
  report_.rows_in += parsed.rows + parsed.left_out.size();
  if (t_ && !options_.rate) leave_out_strange_stamps(parsed, is_end);
  if (motor_side_) to_joints(parsed);
  if (options_.finds_rest && options_.dead_zone) stop_slow_joints(parsed);
  if (options_.rate) stamp(parsed);
  report_.unreadable += parsed.left_out.size();
  if (report_.first_unreadable.empty() && !parsed.left_out.empty()) {
    report_.first_unreadable = parsed.left_out.front();
  }
  if (only_looks() || !t_) {
    look_at_stamps(parsed);
    std::swap(handed_on, parsed);  // no copy
    report_.rows_out += handed_on.rows;
    compare_rates(handed_on);
    return false;
  }
  const std::size_t derived = (derives_qd_ ? 1U : 0U) + (derives_qdd_ ? 1U : 0U);
  const std::size_t groups = tells_errors_ ? 2 * derived : derived;
  const std::size_t beside = smoothed_.empty() ? 0 : 3 * robot_.dof() + 2;
  handed_on.resize(parsed_width_ + groups * robot_.dof() + beside, 0);
  handed_on.lines.clear();
  handed_on.breaks.clear();
  if (resampled_.columns.empty()) resampled_ = handed_on;
  out_ = options_.resample ? &resampled_ : &handed_on;
  for (std::size_t row = 0; row < parsed.rows; ++row) {
    take({row_of(parsed, row), parsed.lines[row]});
  }
  if (is_end) finish();
  has_ended_ = has_ended_ || is_end;
  if (options_.resample) resample_block(handed_on);
  if (is_end) require_rows();
  compare_rates(handed_on);
  return !to_resample_.empty() || (has_ended_ && resampled_.rows > 0);
}

// Of a very long log, some blocks say as much as all.
void MotionRows::compare_rates(const Table& rows) {
  constexpr std::size_t looked_at_closely = 20000;  // rows
  constexpr std::size_t stride = 16;                // blocks beyond
  if (!rates_) {
    using Named = std::optional<std::vector<ColumnChoice>>;
    rates_.emplace(handed_on_, robot_, file_.ends_with(".npy") ? Named() : options_.columns);
  }
  if (rows_compared_ >= looked_at_closely && ++blocks_passed_over_ % stride != 0) {
    rates_->restart();
    return;
  }
  for (std::size_t i = 0; i < robot_.dof(); ++i) rates_->reach(i, rows.columns[q_ + i]);
  rows_compared_ += rows.rows;
  if (!rates_->looks()) return;
  MotionRow motion(motion_columns(handed_on_), robot_.dof());
  for (std::size_t row = 0; row < rows.rows; ++row) {
    motion.read(rows, row);
    const auto [q, qd, qdd] = motion.state();
    rates_->add(rows.columns[*t_][row], q, qd, qdd);
  }
}

/// A stamp alone that is far from those on either side, which are near one another.
void MotionRows::leave_out_strange_stamps(Table& parsed, bool is_end) {
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
      step_before_ = step;
      stamp_before_ = t[row++];
      continue;
    }
    const std::size_t left = parsed.rows - row - 1;
    if (left == 0 && !is_end) {
      doubtful_ = Row{row_of(parsed, row), parsed.lines[row]};
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
    if (stamp_before_ && step > 0.0 && step_before_ == 0.0) step_before_ = step;
    stamp_before_ = t[row++];
  }
}

void MotionRows::look_at_stamps(const Table& parsed) {
  if (!t_) return;
  for (std::size_t row = 0; row < parsed.rows; ++row) {
    const double t = parsed.columns[*t_][row];
    if (last_time_ && t == *last_time_) report_.repeated.add(parsed.lines[row]);
    if (last_time_ && t < *last_time_) report_.falling.add(parsed.lines[row]);
    last_time_ = t;
  }
}

void MotionRows::take(Row row) {
  const double t = row.values[*t_];
  if (t < options_.from_time.value_or(t) || t > options_.to_time.value_or(t)) {
    ++report_.outside;
    return;
  }
  if (!holds_first_rows_) {
    process(row);
    return;
  }
  first_rows_.push_back(std::move(row));
  if (first_rows_.size() == most_first_rows) use_first_rows();
}

// The first rows say how far apart rows usually are and which window suits them.
void MotionRows::use_first_rows() {
  holds_first_rows_ = false;
  std::vector<std::size_t> rising;
  std::vector<double> steps;
  for (std::size_t i = 0; i < first_rows_.size(); ++i) {
    const double step =
        rising.empty() ? 0.0 : first_rows_[i].values[*t_] - first_rows_[rising.back()].values[*t_];
    if (!rising.empty() && step <= 0.0) continue;
    if (!rising.empty()) steps.push_back(step);
    rising.push_back(i);
  }
  if (!steps.empty()) {
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    steps_.usual = *middle;
  }
  steps_.shortest = steps_.longest = steps_.usual;
  if (derives_qd_ || derives_qdd_) prepare_to_derive(rising);
  for (const Row& row : first_rows_) process(row);
  first_rows_.clear();
}

void MotionRows::prepare_to_derive(const std::vector<std::size_t>& rising) {
  window_ = best_window_ = options_.window.value_or(0.0);
  FitQuality seen(robot_.dof());
  if (rising.size() >= LocalFit::fewest_points) {
    std::vector<std::vector<double>> columns;  // t, q, torques that are smoothed
    const auto take_column = [&](std::size_t column) {
      std::vector<double>& values = columns.emplace_back();
      for (const std::size_t i : rising) values.push_back(first_rows_[i].values[column]);
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
  }
  deriver_.emplace(window_, std::move(seen), smoothed_.size());
}

void MotionRows::process(const Row& row) {
  if (!is_in_time(row.values[*t_], row.line)) return;
  if (!deriver_) {
    emit(row);
    return;
  }
  std::vector<double> sample{row.values[*t_]};
  for (std::size_t j = 0; j < robot_.dof(); ++j) sample.push_back(row.values[q_ + j]);
  for (const std::size_t column : smoothed_) sample.push_back(row.values[column]);
  deriver_->append(sample);
  held_.append(row.values);
  held_lines_.push_back(row.line);
  drain();
}

// Tells whether a row comes after the one before it; may end a stretch.
bool MotionRows::is_in_time(double t, std::size_t line) {
  if (last_time_ && t <= *last_time_) {
    if (refuses()) {
      fail(line, fmt::format("t does not increase: {} after {} (--gaps skip leaves such rows out)",
                             t, *last_time_));
    }
    (t == *last_time_ ? report_.repeated : report_.falling).add(line);
    return false;
  }
  if (last_time_) judge_step(t - *last_time_, line);
  if (!begin_) begin_ = t;
  last_time_ = t;
  return true;
}

void MotionRows::judge_step(double step, std::size_t line) {
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
    fail(line, fmt::format("a gap of {} s, {} times the usual step, comes before this row (--gaps "
                           "skip works on either side of it, --gaps bridge across it)",
                           short_number(step), short_number(steps)));
  }
  report_.gaps.add(line);
  if (options_.gaps == Gaps::skip) end_stretch();
}

void MotionRows::end_stretch() {
  if (deriver_) {
    deriver_->end_stretch();
    drain();
  }
  emit_waiting(std::numeric_limits<double>::infinity());
  begins_stretch_ = true;
}

void MotionRows::drain() {
  const std::size_t n = robot_.dof();
  std::vector<double> qd(n), qdd(n), qd_uncertainty(n), qdd_uncertainty(n);
  for (;;) {
    const Deriver::Outcome outcome =
        tells_errors_ || (finds_rest_ && !options_.dead_zone)
            ? deriver_->take(qd, qdd, {qd_uncertainty, qdd_uncertainty})
            : deriver_->take(qd, qdd);
    if (outcome == Deriver::Outcome::not_yet) return;
    for (std::size_t j = 0; finds_rest_ && j < n; ++j) {
      const double slow = options_.dead_zone.value_or(beyond_doubt * qd_uncertainty[j]);
      if (std::abs(qd[j]) < slow) qd[j] = 0.0;
    }
    if (options_.smooth && outcome == Deriver::Outcome::derived && !deriver_->was_central()) {
      ++report_.at_ends;
    } else if (outcome == Deriver::Outcome::derived) {
      Row row{{}, held_lines_.front()};
      for (std::size_t i = 0; i < parsed_width_; ++i) row.values.push_back(held_.column(i)[0]);
      for (std::size_t j = 0; options_.smooth && j < n; ++j) {
        row.values[q_ + j] = deriver_->smoothed()[j];
      }
      std::vector<double> measured;
      for (std::size_t k = 0; k < smoothed_.size(); ++k) {
        measured.push_back(std::exchange(row.values[smoothed_[k]], deriver_->smoothed()[n + k]));
      }
      const auto append_if = [&row](bool is_wanted, const std::vector<double>& values) {
        if (is_wanted) row.values.insert(row.values.end(), values.begin(), values.end());
      };
      append_if(derives_qd_, qd);
      append_if(derives_qdd_, qdd);
      append_if(tells_errors_ && derives_qd_, qd_uncertainty);
      append_if(tells_errors_ && derives_qdd_, qdd_uncertainty);
      append_if(!smoothed_.empty(), measured);
      append_if(!smoothed_.empty(), deriver_->smoothed_rates());
      append_if(!smoothed_.empty(), deriver_->rate_variances());
      append_if(!smoothed_.empty(), {window_, row.values[*t_] < *begin_ + ends ? 1.0 : 0.0});
      if (options_.smooth) {
        waiting_.push_back(std::move(row));
        emit_waiting(*last_time_ - ends);
      } else {
        emit(row);
      }
    } else {
      ++report_.too_few;
    }
    held_.drop_front(1);
    held_lines_.pop_front();
  }
}

void MotionRows::emit_waiting(double until) {
  for (; !waiting_.empty() && waiting_.front().values[*t_] <= until; waiting_.pop_front()) {
    emit(waiting_.front());
  }
}

void MotionRows::emit(Row row) {
  row.begins_stretch = std::exchange(begins_stretch_, false);
  if (options_.resample) {
    to_resample_.push_back(std::move(row));
  } else {
    append(row);
  }
}

// Full blocks, and at the end what is left: a few rows may become many.
void MotionRows::resample_block(Table& handed_on) {
  while (!to_resample_.empty() && resample(to_resample_.front())) to_resample_.pop_front();
  if (resampled_.rows < resampled_block && !has_ended_) return;
  std::swap(handed_on, resampled_);
  resampled_.resize(handed_on.columns.size(), 0);
  resampled_.lines.clear();
  resampled_.breaks.clear();
}

// A straight line from the row before, in every column; false where the block is full before its
// end.
bool MotionRows::resample(const Row& row) {
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
  const auto time_of = [&](std::size_t k) { return *first_time_ + static_cast<double>(k) / rate; };
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

void MotionRows::append(const Row& row) {
  if (row.begins_stretch) out_->breaks.push_back(out_->rows);
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    out_->columns[i].push_back(row.values[i]);
  }
  out_->lines.push_back(row.line);
  ++out_->rows;
  ++report_.rows_out;
}

void MotionRows::finish() {
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
    throw InputError(fmt::format("{}: {} are too few to derive from; at least {} are needed", file_,
                                 counted(report_.too_few, "row"), LocalFit::fewest_points));
  }
}

void MotionRows::require_rows() const {
  if (report_.rows_in == 0 || report_.rows_out > 0) return;
  const std::string why =
      !report_.first_unreadable.empty() ? "; the first: " + report_.first_unreadable
      : report_.at_ends > 0 ? fmt::format("; {} are within half a window of {} s of an end",
                                          report_.at_ends, short_number(window_))
                            : "";
  throw InputError(
      fmt::format("{}: of {} none is left{}", file_, counted(report_.rows_in, "row"), why));
}

LogReport MotionRows::report() const {
  LogReport report = report_;
  report.recognised = handed_on_.recognised;
  report.leaves_rows_out = !only_looks();
  report.bridges_gaps = options_.gaps == Gaps::bridge;
  if (steps_.usual > 0.0) report.steps = steps_;
  if (rates_) report.disagreements = rates_->warnings();
  if (!deriver_) return report;
  const FitQuality& quality = deriver_->quality();
  LogReport::Derived& derived =
      report.derived.emplace(LogReport::Derived{derives_qd_,
                                                derives_qdd_,
                                                window_,
                                                best_window_,
                                                options_.window.has_value(),
                                                finds_rest_ && !options_.dead_zone,
                                                {}});
  const auto uncertainty = [&](std::size_t order, std::size_t joint) {
    return quality.central_windows() > 0 ? std::optional(quality.uncertainty(order, joint))
                                         : std::nullopt;
  };
  for (std::size_t j = 0; j < robot_.dof(); ++j) {
    derived.joints.push_back({quality.noise(j), uncertainty(1, j), uncertainty(2, j),
                              deriver_->uncertainty_at_ends(1, j),
                              deriver_->uncertainty_at_ends(2, j)});
  }
  return report;
}

}  // namespace armdyn
