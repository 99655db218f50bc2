#include "cli/compare/compare_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cli/options/picture.hpp"
#include "dynamics/states.hpp"

namespace armdyn {

namespace {

constexpr std::size_t states_to_time = 200;

std::vector<std::string> names_of(const std::vector<ComparedMethod>& methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const ComparedMethod& method : methods) names.push_back(method.name);
  return names;
}

}  // namespace

CompareWorker::CompareWorker(const Robot& robot, const std::vector<ComparedMethod>& methods,
                             const MotionColumns& columns, InputAccuracy input, bool differences)
    : dof_(robot.dof()),
      methods_(methods.size()),
      differences_(differences),
      comparer_(normalise(robot), methods),
      certified_(robot, input, CertifiedTorque::Of::links),
      motion_(columns, robot.dof()) {}

void CompareWorker::operator()(const Table& input, ComparedBlock& result) {
  if (result.states.size() < input.rows) result.states.resize(input.rows);
  if (result.bounds.size() < input.rows) result.bounds.resize(input.rows);
  if (differences_) result.differences.resize(methods_ - 1);
  for (Columns& columns : result.differences) resize(columns, dof_, input.rows);
  for (std::size_t row = 0; row < input.rows; ++row) {
    ComparedState& state = result.states[row];
    motion_.read(input, row);
    call_for(row, [&](std::size_t) {
      comparer_.compare(motion_.state(), motion_.hand(), state, input.first_row + row);
      bound(state, result.bounds[row]);
    });
    for (std::size_t m = 1; m <= result.differences.size(); ++m) {
      for (std::size_t i = 0; i < dof_; ++i) {
        result.differences[m - 1][i][row] = state.tau[m][i] - state.tau[0][i];
      }
    }
  }
}

void CompareWorker::bound(const ComparedState& state, std::vector<std::vector<double>>& bounds) {
  bounds.assign(methods_, {});
  bool is_set = false;
  for (std::size_t m = 0; m < methods_; ++m) {
    if (state.error[m].empty()) continue;
    if (!is_set) certified_.set(motion_.state(), motion_.hand());
    is_set = true;
    bounds[m].resize(dof_);
    certified_.errors(state.tau[m], bounds[m]);
  }
}

void CertainDigits::add(const ComparedState& state,
                        const std::vector<std::vector<double>>& bounds) {
  for (std::size_t m = 0; m < bounds.size(); ++m) {
    for (std::size_t i = 0; i < bounds[m].size(); ++i) {
      bounds_[m][i] = std::max(bounds_[m][i], bounds[m][i]);
      peaks_[i] = std::max(peaks_[i], std::abs(state.tau[m][i]) - bounds[m][i]);
    }
  }
}

std::optional<std::size_t> CertainDigits::at(std::size_t method, std::size_t joint) const {
  if (!(peaks_[joint] > 0.0)) return std::nullopt;
  const double relative = bounds_[method][joint] / peaks_[joint];
  // A double has no more.
  constexpr std::size_t most = std::numeric_limits<double>::max_digits10;
  std::size_t digits = 0;
  while (digits < most &&
         relative * (1.0 + 1e-15) <= std::pow(10.0, -static_cast<double>(digits + 1)))
    ++digits;
  return digits;
}

namespace {

JointPanel difference_panel(const std::vector<ComparedMethod>& methods) {
  JointPanel panel{"Δτ", Measure::torque_difference, {}};
  for (std::size_t m = 1; m < methods.size(); ++m) panel.curves.push_back(methods[m].name);
  panel.sure = panel.curves.size();
  return panel;
}

}  // namespace

CompareGathering::CompareGathering(const Robot& robot, std::vector<ComparedMethod> methods,
                                   const MotionColumns& columns, const Wanted& wanted)
    : robot_(robot),
      methods_(std::move(methods)),
      wanted_(wanted),
      motion_(columns, robot.dof()),
      comparison_(names_of(methods_), robot.dof(), wanted.tolerance),
      digits_(methods_.size(), robot.dof()),
      picture_(joint_picture(robot, wanted.plot, {difference_panel(methods_)})) {
  if (!wanted.time) picture_.count_rows();
}

void CompareGathering::add(const Table& input, const ComparedBlock& result) {
  for (std::size_t row = 0; row < input.rows; ++row) {
    if (std::ranges::binary_search(input.breaks, row)) picture_.break_off();
    const ComparedState& state = result.states[row];
    std::optional<double> t;
    if (wanted_.time) t = input.columns[*wanted_.time][row];
    comparison_.add(state, t);
    digits_.add(state, result.bounds[row]);
    if (wanted_.plot.is_wanted()) draw(state, t.value_or(static_cast<double>(comparison_.rows())));
    if (first_states_.size() < states_to_time) keep(input, row);
  }
}

void CompareGathering::draw(const ComparedState& state, double x) {
  for (std::size_t m = 1; m < methods_.size(); ++m) {
    if (state.tau[0].empty() || state.tau[m].empty()) continue;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      const double difference = state.tau[m][i] - state.tau[0][i];
      picture_.add(0, m - 1, i, {&x, 1}, {&difference, 1});
    }
  }
}

void CompareGathering::keep(const Table& input, std::size_t row) {
  motion_.read(input, row);
  const auto [q, qd, qdd] = motion_.state();
  first_states_.push_back(
      {{q.begin(), q.end()}, {qd.begin(), qd.end()}, {qdd.begin(), qdd.end()}, motion_.hand()});
}

double CompareGathering::seconds_per_state(std::size_t method) const {
  return armdyn::seconds_per_state(methods_[method], first_states_);
}

void CompareGathering::write_picture(const PictureTitle& title, OutputFile& file) const {
  picture_.draw(title, file);
}

}  // namespace armdyn
