#include "cli/compare/compare_blocks.hpp"

#include <algorithm>
#include <utility>

#include "cli/options/picture.hpp"

namespace armdyn {

namespace {

constexpr std::size_t states_to_time = 200;

std::vector<std::string> names_of(const std::vector<ThinnedMethod>& methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const ThinnedMethod& method : methods) names.push_back(method.name);
  return names;
}

}  // namespace

CompareWorker::CompareWorker(const Arm& arm, const std::vector<ThinnedMethod>& methods,
                             const MotionColumns& columns, bool differences)
    : dof_(arm.dof()),
      methods_(methods.size()),
      differences_(differences),
      comparer_(arm, methods),
      motion_(columns, arm.dof()) {}

void CompareWorker::operator()(const Table& input, ComparedBlock& result) {
  if (result.states.size() < input.rows) result.states.resize(input.rows);
  if (differences_) result.differences.resize(methods_ - 1);
  for (Columns& columns : result.differences) resize(columns, dof_, input.rows);
  for (std::size_t row = 0; row < input.rows; ++row) {
    ComparedState& state = result.states[row];
    motion_.read(input, row);
    comparer_.compare(input.first_row + row, motion_.state(), motion_.hand(), state);
    for (std::size_t m = 1; m <= result.differences.size(); ++m) {
      for (std::size_t i = 0; i < dof_; ++i) {
        result.differences[m - 1][i][row] = state.tau[m][i] - state.tau[0][i];
      }
    }
  }
}

namespace {

JointPanel difference_panel(const std::vector<ThinnedMethod>& methods) {
  JointPanel panel{"Δτ", Measure::torque_difference, {}};
  for (std::size_t m = 1; m < methods.size(); ++m) panel.curves.push_back(methods[m].name);
  panel.sure = panel.curves.size();
  return panel;
}

}  // namespace

CompareGathering::CompareGathering(const Robot& robot, std::vector<ThinnedMethod> methods,
                                   const MotionColumns& columns, const Wanted& wanted)
    : robot_(robot),
      methods_(std::move(methods)),
      wanted_(wanted),
      motion_(columns, robot.dof()),
      comparison_(names_of(methods_), robot.dof(), wanted.tolerance),
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

void CompareGathering::write_picture(const PictureTitle& title, const std::string& path) const {
  picture_.draw(title, path);
}

}  // namespace armdyn
