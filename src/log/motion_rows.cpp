#include "log/motion_rows.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "log/log_options.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

constexpr std::size_t pilot_rows = 20000;  // that the window and the usual step are taken from
constexpr double missing_from = 1.5;       // usual steps: rows are missing
constexpr double gap_from = 5.0;           // usual steps: what lies between is not known
constexpr double grid_tolerance = 1e-9;    // of a sampling interval

std::string rows_text(std::size_t count) {
  return fmt::format("{} row{}", count, count == 1 ? "" : "s");
}

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
  std::string text = fmt::format("line{} {}", places_ == 1 ? "" : "s", fmt::join(first_, ", "));
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
      parsed_width_(plan.columns.size()),
      t_(plan.first(Quantity::time)),
      q_(plan.first(Quantity::position).value_or(0)),
      held_(plan.columns.size()) {
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

void MotionRows::pass(Table& parsed, bool is_end, Table& handed_on) {
  unreadable_ += parsed.left_out.size();
  if (first_unreadable_.empty() && !parsed.left_out.empty()) {
    first_unreadable_ = parsed.left_out.front();
  }
  rows_in_ += parsed.rows + parsed.left_out.size();
  if (only_looks() || !t_) {
    look_at_stamps(parsed);
    std::swap(handed_on, parsed);  // no copy
    handed_on.first_row = rows_out_;
    rows_out_ += handed_on.rows;
    return;
  }
  out_ = &handed_on;
  const std::size_t derived = (derives_qd_ ? 1U : 0U) + (derives_qdd_ ? 1U : 0U);
  handed_on.resize(parsed_width_ + derived * robot_.dof(), 0);
  handed_on.first_row = rows_out_;
  for (std::size_t row = 0; row < parsed.rows; ++row) take(row_of(parsed, row), parsed.lines[row]);
  if (is_end) finish();
}

void MotionRows::look_at_stamps(const Table& parsed) {
  if (!t_) return;
  for (std::size_t row = 0; row < parsed.rows; ++row) {
    const double t = parsed.columns[*t_][row];
    if (last_time_ && t == *last_time_) repeated_.add(parsed.lines[row]);
    if (last_time_ && t < *last_time_) falling_.add(parsed.lines[row]);
    last_time_ = t;
  }
}

void MotionRows::take(const Row& row, std::size_t line) {
  const double t = row[*t_];
  if (t < options_.from_time.value_or(t) || t > options_.to_time.value_or(t)) {
    ++outside_;
    return;
  }
  if (!is_piloting_) {
    process(row, line);
    return;
  }
  pilot_.push_back(row);
  pilot_lines_.push_back(line);
  if (pilot_.size() == pilot_rows) end_pilot();
}

// The first rows say how far apart rows usually are and which window suits them.
void MotionRows::end_pilot() {
  is_piloting_ = false;
  std::vector<std::size_t> rising;
  std::vector<double> steps;
  for (std::size_t i = 0; i < pilot_.size(); ++i) {
    const double step = rising.empty() ? 0.0 : pilot_[i][*t_] - pilot_[rising.back()][*t_];
    if (!rising.empty() && step <= 0.0) continue;
    if (!rising.empty()) steps.push_back(step);
    rising.push_back(i);
  }
  if (!steps.empty()) {
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    usual_step_ = *middle;
  }
  shortest_step_ = longest_step_ = usual_step_;
  if (derives_qd_ || derives_qdd_) choose_window_from_pilot(rising);
  for (std::size_t i = 0; i < pilot_.size(); ++i) process(pilot_[i], pilot_lines_[i]);
  pilot_.clear();
  pilot_lines_.clear();
}

void MotionRows::choose_window_from_pilot(const std::vector<std::size_t>& rising) {
  if (options_.window) {
    window_ = *options_.window;
  } else if (rising.size() >= LocalFit::fewest_points) {
    std::vector<std::vector<double>> columns(1 + robot_.dof());
    for (const std::size_t i : rising) {
      columns[0].push_back(pilot_[i][*t_]);
      for (std::size_t j = 0; j < robot_.dof(); ++j) columns[1 + j].push_back(pilot_[i][q_ + j]);
    }
    window_ = choose_window(columns[0], {columns.begin() + 1, columns.end()});
  }
  deriver_.emplace(robot_.dof(), window_);
}

void MotionRows::process(const Row& row, std::size_t line) {
  if (!is_in_time(row[*t_], line)) return;
  if (!deriver_) {
    emit(row);
    return;
  }
  Row sample{row[*t_]};
  for (std::size_t j = 0; j < robot_.dof(); ++j) sample.push_back(row[q_ + j]);
  deriver_->append(sample);
  held_.append(row);
  drain();
}

// Whether a row comes after the one before it; may end a stretch.
bool MotionRows::is_in_time(double t, std::size_t line) {
  if (last_time_ && t <= *last_time_) {
    if (refuses()) {
      fail(line, fmt::format("t does not increase: {} after {} (--gaps skip leaves such rows out)",
                             t, *last_time_));
    }
    (t == *last_time_ ? repeated_ : falling_).add(line);
    return false;
  }
  if (last_time_) judge_step(t - *last_time_, line);
  last_time_ = t;
  return true;
}

void MotionRows::judge_step(double step, std::size_t line) {
  const double steps = step / usual_step_;
  if (steps <= missing_from) {
    shortest_step_ = std::min(shortest_step_, step);
    longest_step_ = std::max(longest_step_, step);
    return;
  }
  if (steps <= gap_from) {
    missing_.add(line, static_cast<std::size_t>(std::lround(steps)) - 1);
    return;
  }
  if (refuses()) {
    fail(line, fmt::format("a gap of {} s, {} times the usual step, comes before this row (--gaps "
                           "skip works on either side of it, --gaps bridge across it)",
                           short_number(step), short_number(steps)));
  }
  gaps_.add(line);
  if (options_.gaps == Gaps::skip) end_stretch();
}

void MotionRows::end_stretch() {
  if (deriver_) {
    deriver_->end_stretch();
    drain();
  }
  before_.reset();
}

void MotionRows::drain() {
  const std::size_t n = robot_.dof();
  Row qd(n), qdd(n);
  for (;;) {
    const Deriver::Outcome outcome = deriver_->take(qd, qdd);
    if (outcome == Deriver::Outcome::not_yet) return;
    if (outcome == Deriver::Outcome::derived) {
      Row row;
      for (std::size_t i = 0; i < parsed_width_; ++i) row.push_back(held_.column(i)[0]);
      if (derives_qd_) row.insert(row.end(), qd.begin(), qd.end());
      if (derives_qdd_) row.insert(row.end(), qdd.begin(), qdd.end());
      emit(row);
    } else {
      ++too_few_;
    }
    held_.drop_front(1);
  }
}

void MotionRows::emit(const Row& row) {
  if (options_.resample) {
    resample(row);
  } else {
    append(row);
  }
}

// A straight line between neighbouring rows, in every column.
void MotionRows::resample(const Row& row) {
  const double rate = *options_.resample;
  const double t = row[*t_];
  if (!first_time_) first_time_ = t;
  const double position = (t - *first_time_) * rate;
  const auto time_of = [&](std::size_t k) { return *first_time_ + static_cast<double>(k) / rate; };
  if (!before_) {
    next_sample_ = static_cast<std::size_t>(std::ceil(position - grid_tolerance));
  }
  while (static_cast<double>(next_sample_) <= position + grid_tolerance) {
    Row sample = row;
    if (before_) {
      const double from = (*before_)[*t_];
      const double share = std::min(1.0, (time_of(next_sample_) - from) / (t - from));
      for (std::size_t i = 0; i < row.size(); ++i) {
        sample[i] = (*before_)[i] + share * (row[i] - (*before_)[i]);
      }
    }
    sample[*t_] = time_of(next_sample_++);
    append(sample);
  }
  before_ = row;
}

void MotionRows::append(const Row& row) {
  for (std::size_t i = 0; i < row.size(); ++i) out_->columns[i].push_back(row[i]);
  ++out_->rows;
  ++rows_out_;
}

void MotionRows::finish() {
  if (is_piloting_) end_pilot();
  end_stretch();
  if (too_few_ > 0 && refuses()) {
    throw InputError(fmt::format("{}: {} are too few to derive from; at least {} are needed", file_,
                                 rows_text(too_few_), LocalFit::fewest_points));
  }
  if (rows_in_ == 0 || rows_out_ > 0) return;
  const std::string why = first_unreadable_.empty() ? "" : "; the first: " + first_unreadable_;
  throw InputError(fmt::format("{}: of {} none is left{}", file_, rows_text(rows_in_), why));
}

// --- what is said about it

std::string MotionRows::text() const {
  std::string text;
  if (deriver_ && rows_out_ > 0) {
    text += fmt::format("{} derived from q over t: polynomials of degree {} over {} s, {}\n",
                        derives_qd_ && derives_qdd_ ? "qd and qdd"
                        : derives_qd_               ? "qd"
                                                    : "qdd",
                        LocalFit::degree, short_number(window_),
                        options_.window ? "as given" : "chosen from the data");
    const FitQuality& quality = deriver_->quality();
    if (quality.samples() > 0) {
      std::vector<std::vector<std::string>> rows{
          {"joint", "noise of q", "qd ±", "qdd ±", "qdd at the ends ±"}};
      for (std::size_t j = 0; j < robot_.dof(); ++j) {
        rows.push_back({robot_.joints[j].name, short_number(quality.noise(j)),
                        short_number(quality.uncertainty(1, j)),
                        short_number(quality.uncertainty(2, j)),
                        short_number(quality.noise(j) * deriver_->end_gain())});
      }
      text += text_table(rows);
    }
  }
  if (outside_ > 0) text += fmt::format("{} outside the time asked for\n", rows_text(outside_));
  if (usual_step_ > 0.0 && longest_step_ > 1.02 * shortest_step_) {
    text += fmt::format("steps of t: usually {} s, {} to {} s\n", short_number(usual_step_),
                        short_number(shortest_step_), short_number(longest_step_));
  }
  return text;
}

std::vector<std::string> MotionRows::warnings() const {
  std::vector<std::string> warnings;
  const auto say = [&](const Incident& incident, const std::string& what) {
    if (incident.count() == 0) return;
    warnings.push_back(
        fmt::format("{} {}: {}", rows_text(incident.count()), what, incident.places()));
  };
  if (unreadable_ > 0) {
    warnings.push_back(fmt::format("{} left out that could not be read, the first: {}",
                                   rows_text(unreadable_), first_unreadable_));
  }
  const bool looks = only_looks();
  say(repeated_, looks ? "with the t of the row before" : "left out with the t of the row before");
  say(falling_, looks ? "with a t before that of the row before"
                      : "left out with a t before that of the last row kept");
  say(missing_, "missing, a few at a time");
  if (gaps_.count() > 0) {
    warnings.push_back(fmt::format("{} gap{} of more than {} usual steps, {}: before {}",
                                   gaps_.count(), gaps_.count() == 1 ? "" : "s", gap_from,
                                   options_.gaps == Gaps::bridge ? "bridged" : "skipped",
                                   gaps_.places()));
  }
  if (too_few_ > 0) {
    warnings.push_back(fmt::format("{} left out in stretches of fewer than {} rows",
                                   rows_text(too_few_), LocalFit::fewest_points));
  }
  return warnings;
}

nlohmann::json MotionRows::json() const {
  nlohmann::json json{{"rows_in", rows_in_},
                      {"unreadable", unreadable_},
                      {"repeated_stamps", repeated_.count()},
                      {"falling_stamps", falling_.count()},
                      {"missing_rows", missing_.count()},
                      {"gaps", gaps_.count()},
                      {"outside", outside_},
                      {"too_few", too_few_}};
  if (!handed_on_.recognised.empty()) json["recognised"] = handed_on_.recognised;
  if (usual_step_ > 0.0) json["steps"] = {usual_step_, shortest_step_, longest_step_};
  if (!deriver_) return json;
  nlohmann::json joints = nlohmann::json::array();
  for (std::size_t j = 0; j < robot_.dof(); ++j) {
    const FitQuality& quality = deriver_->quality();
    joints.push_back({{"noise", quality.noise(j)},
                      {"qd_uncertainty", quality.uncertainty(1, j)},
                      {"qdd_uncertainty", quality.uncertainty(2, j)},
                      {"qdd_uncertainty_at_ends", quality.noise(j) * deriver_->end_gain()}});
  }
  json["derived"] = {
      {"window", window_}, {"qd", derives_qd_}, {"qdd", derives_qdd_}, {"joints", joints}};
  return json;
}

}  // namespace armdyn
