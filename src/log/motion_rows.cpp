#include "log/motion_rows.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <utility>

#include "log/row_stages.hpp"
#include "math/columns.hpp"
#include "math/statistics.hpp"
#include "model/motors.hpp"
#include "text/number_text.hpp"

namespace armdyn {

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

/// The stages and the way of a row through them: its stamp, selection by time, derivation, smoothing,
/// and resampling.
class MotionRows::Stages : boost::noncopyable {
 public:
  Stages(const LogOptions& options, const ColumnPlan& plan, const Robot& robot,
         const std::string& file, const std::string& file_of_lines)
      : log_{options, file, file_of_lines, RowColumns(options, plan, robot.dof(), file)},
        strange_(log_),
        arithmetic_(columns_.as_read.steps),
        order_(log_),
        turns_(log_, robot),
        comparison_(log_, robot),
        q_as_read_(robot.dof()) {
    if (options.resample) resampling_.emplace(log_);
    if (!columns_.as_read.steps.shifted.empty()) shift_.emplace(log_);
    if (!options.motor_side && !plan.has_motor_torques) return;
    motor_side_.emplace(robot);
    if (options.motor_side && motor_side_->is_joint_side()) {
      throw InputError(fmt::format(
          "{}: --motor-side needs gear_ratio or couplings in the robot file, and {} has neither",
          file, robot.name));
    }
  }

  [[nodiscard]] const RowColumns& columns() const { return columns_; }

  bool pass(Table& parsed, bool is_end, Table& handed_on) {
    const std::size_t rows_before = report_.rows_in;
    report_.rows_in += parsed.rows + parsed.left_out.size();
    if (columns_.t && !options_.rate) strange_.leave_out(parsed, is_end);
    arithmetic_.take(parsed);
    if (motor_side_) {
      to_joints(*motor_side_, columns_.as_read, options_.motor_side, parsed.columns);
    }
    if (options_.finds_rest && options_.dead_zone) stop_slow_joints(parsed);
    if (options_.rate) stamp(parsed, *options_.rate, rows_before);
    report_.unreadable += parsed.left_out.size();
    if (report_.first_unreadable.empty() && !parsed.left_out.empty()) {
      report_.first_unreadable = parsed.left_out.front().why;
    }
    return only_looks() || !columns_.t ? look(parsed, handed_on) : take(parsed, is_end, handed_on);
  }

  [[nodiscard]] Doubts doubts() const { return comparison_.check().doubts(order_.steps().usual); }

  [[nodiscard]] LogReport report() const {
    LogReport report = report_;
    report.recognized = columns_.handed_on.recognized;
    report.leaves_rows_out = !only_looks();
    report.bridges_gaps = options_.gaps == Gaps::bridge;
    if (order_.steps().usual > 0.0) report.steps = order_.steps();
    report.disagreements = doubts().sentences;
    if (derivation_) report.derived->joints = derivation_->uncertainties();
    return report;
  }

 private:
  [[nodiscard]] bool only_looks() const {
    return !columns_.derives_any() && !options_.from_time && !options_.to_time &&
           !options_.resample && !options_.gaps && !shift_;
  }

  /// Sets slow speeds of the file to 0.
  void stop_slow_joints(Table& parsed) const {
    const std::optional<std::size_t> qd = columns_.as_read.first(Quantity::velocity);
    for (std::size_t i = 0; qd && !columns_.derives[0] && i < columns_.dof; ++i) {
      stop_slow(parsed.columns[*qd + i], *options_.dead_zone);
    }
  }

  /// Passes all rows on as they are.
  bool look(Table& parsed, Table& handed_on) {
    if (columns_.t) order_.count(parsed.column(*columns_.t), parsed.lines);
    std::swap(handed_on, parsed);  // no copy
    report_.rows_out += handed_on.rows;
    comparison_.take(handed_on, std::span(handed_on.columns).subspan(columns_.q, columns_.dof),
                     false);
    return false;
  }

  bool take(const Table& parsed, bool is_end, Table& handed_on) {
    columns_.empty(handed_on);
    out_ = &handed_on;
    for (std::size_t row = 0; row < parsed.rows; ++row) {
      select({row_of(parsed.columns, row), parsed.lines[row]});
    }
    if (is_end) finish();
    has_ended_ = has_ended_ || is_end;
    const bool has_more = resampling_ && resampling_->hand_on(handed_on, has_ended_);
    report_.rows_out += handed_on.rows;
    if (is_end) require_rows();
    comparison_.take(handed_on, q_as_read_, true);
    for (std::vector<double>& q : q_as_read_) q.clear();
    return has_more;
  }

  void select(LogRow row) {
    const double t = row.values[*columns_.t];
    if (t < options_.from_time.value_or(t) || t > options_.to_time.value_or(t)) {
      ++report_.outside;
      return;
    }
    for (std::size_t j = 0; j < columns_.dof; ++j) {
      q_as_read_[j].push_back(row.values[columns_.q + j]);
    }
    if (!holds_first_rows_) {
      turns_.take(row);
      process(std::move(row));
      return;
    }
    first_rows_.push_back(std::move(row));
    if (first_rows_.size() == most_first_rows) use_first_rows();
  }

  /// Chooses the usual step and the window by the first rows.
  void use_first_rows() {
    holds_first_rows_ = false;
    turns_.begin(first_rows_);
    for (LogRow& row : first_rows_) turns_.take(row);
    const auto time_of = [&](std::size_t row) { return first_rows_[row].values[*columns_.t]; };
    std::vector<std::size_t> rising;
    std::vector<double> steps;
    for (std::size_t row = 0; row < first_rows_.size(); ++row) {
      if (!rising.empty()) {
        const double step = time_of(row) - time_of(rising.back());
        if (step <= 0.0) continue;
        steps.push_back(step);
      }
      rising.push_back(row);
    }
    order_.judge_by(median_of(std::move(steps)));
    if (columns_.derives_any()) {
      derivation_.emplace(log_, first_rows_, rising, order_.steps().usual);
      if (options_.smooth) smoothing_.emplace(columns_, report_.derived->window);
    }
    for (LogRow& row : first_rows_) process(std::move(row));
    first_rows_.clear();
  }

  void process(LogRow row) {
    const double t = row.values[*columns_.t];
    const StampOrder::Place place = order_.place(t, row.line);
    if (place == StampOrder::Place::left_out) return;
    if (place == StampOrder::Place::behind_a_gap) end_stretch();
    if (!shift_) return connect(std::move(row));
    shift_->take(std::move(row));
    while (std::optional<LogRow> shifted = shift_->next()) connect(std::move(*shifted));
  }

  /// Takes a row that counts with those before it.
  void connect(LogRow row) {
    if (!derivation_) return emit(std::move(row));
    if (smoothing_) smoothing_->note(row.values[*columns_.t]);
    derivation_->take(std::move(row));
    drain();
  }

  void end_stretch(bool is_end = false) {
    if (shift_) shift_->end_stretch();
    if (derivation_) derivation_->end_stretch();
    drain();
    if (smoothing_) smoothing_->end_stretch(is_end);
    drain();
    begins_stretch_ = true;
  }

  void drain() {
    while (std::optional<LogRow> row = derivation_ ? derivation_->next() : std::nullopt) {
      smoothing_ ? smoothing_->take(std::move(*row), derivation_->fits()) : emit(std::move(*row));
    }
    while (std::optional<LogRow> row = smoothing_ ? smoothing_->next() : std::nullopt) {
      emit(std::move(*row));
    }
  }

  void emit(LogRow row) {
    row.begins_stretch = std::exchange(begins_stretch_, false);
    resampling_ ? resampling_->take(std::move(row)) : append(*out_, row);
  }

  void finish() {
    if (holds_first_rows_) use_first_rows();
    end_stretch(true);
    if (report_.too_few > 0 && log_.refuses_gaps()) {
      throw InputError(fmt::format("{}: {} {} too few to derive from; at least {} are needed",
                                   log_.file, counted(report_.too_few, "row"),
                                   report_.too_few == 1 ? "is" : "are", LocalFit::fewest_points));
    }
  }

  void require_rows() const {
    if (report_.rows_in == 0 || report_.rows_out > 0) return;
    const std::string why =
        !report_.first_unreadable.empty() ? "; the first: " + report_.first_unreadable
        : report_.at_ends > 0 ? fmt::format("; {} are within half a window of {} s of an end",
                                            report_.at_ends, short_number(report_.derived->window))
                              : "";
    throw InputError(
        fmt::format("{}: of {} none is left{}", log_.file, counted(report_.rows_in, "row"), why));
  }

  static constexpr std::size_t most_first_rows = 20000;  // for the choice of window and step

  PassingLog log_;
  const LogOptions& options_ = log_.options;
  const RowColumns& columns_ = log_.columns;
  LogReport& report_ = log_.report;
  std::optional<MotorSide> motor_side_;
  StrangeStamps strange_;
  ColumnArithmetic arithmetic_;
  StampOrder order_;
  PlainTurns turns_;
  std::optional<TimeShift> shift_;
  RateComparison comparison_;
  std::optional<Differentiation> derivation_;
  std::optional<Smoothing> smoothing_;
  std::optional<Resampling> resampling_;

  bool holds_first_rows_ = true, has_ended_ = false;
  std::vector<LogRow> first_rows_;
  std::vector<std::vector<double>> q_as_read_;  // of the block, as in the file
  bool begins_stretch_ = false;                 // of the next row emitted
  Table* out_ = nullptr;
};

MotionRows::MotionRows(const LogOptions& options, const ColumnPlan& plan, const Robot& robot,
                       const std::string& file, const std::string& file_of_lines)
    : stages_(std::make_unique<Stages>(options, plan, robot, file, file_of_lines)) {}

MotionRows::~MotionRows() = default;

const ColumnPlan& MotionRows::plan() const {
  return stages_->columns().handed_on;
}

std::size_t MotionRows::beside_smoothed() const {
  return stages_->columns().beside_smoothed;
}

bool MotionRows::pass(Table& parsed, bool is_end, Table& handed_on) {
  return stages_->pass(parsed, is_end, handed_on);
}

LogReport MotionRows::report() const {
  return stages_->report();
}

Doubts MotionRows::doubts() const {
  return stages_->doubts();
}

}  // namespace armdyn
