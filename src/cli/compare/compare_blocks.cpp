#include "cli/compare/compare_blocks.hpp"

#include <limits>

#include "io/plot/plot.hpp"

namespace armdyn {

namespace {

constexpr double left_out = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t states_to_time = 200;

std::vector<std::string> names_of(const std::vector<ThinnedMethod>& methods) {
  std::vector<std::string> names;
  names.reserve(methods.size());
  for (const ThinnedMethod& method : methods) names.push_back(method.name);
  return names;
}

}  // namespace

CompareWorker::CompareWorker(const Arm& arm, const std::vector<ThinnedMethod>& methods,
                             const MotionColumns& columns)
    : layout_{arm.dof(), methods.size()}, comparer_(arm, methods), motion_(columns, arm.dof()) {}

void CompareWorker::operator()(const Table& input, Table& result) {
  result.resize(layout_.columns(), input.rows);
  for (std::size_t row = 0; row < input.rows; ++row) {
    motion_.read(input, row);
    comparer_.compare(input.first_row + row, motion_.state(), motion_.hand(), state_);
    const auto put = [&](std::size_t first, const std::vector<double>& values) {
      for (std::size_t i = 0; i < layout_.dof; ++i) {
        result.columns[first + i][row] = values.empty() ? left_out : values[i];
      }
    };
    put(layout_.scale(), state_.scale);
    for (std::size_t m = 0; m < layout_.methods; ++m) {
      put(layout_.tau(m), state_.tau[m]);
      put(layout_.error(m), state_.error[m]);
      for (std::size_t i = 0; m > 0 && i < layout_.dof; ++i) {
        result.columns[layout_.difference(m) + i][row] =
            result.columns[layout_.tau(m) + i][row] - result.columns[layout_.tau(0) + i][row];
      }
    }
  }
}

CompareGathering::CompareGathering(const Robot& robot, std::vector<ThinnedMethod> methods,
                                   const MotionColumns& columns, const Wanted& wanted)
    : robot_(robot),
      methods_(std::move(methods)),
      layout_{robot.dof(), methods_.size()},
      wanted_(wanted),
      motion_(columns, robot.dof()),
      comparison_(names_of(methods_), robot.dof(), wanted.tolerance),
      curves_(methods_.size() - 1, std::vector<ThinnedSeries>(robot.dof())) {}

void CompareGathering::add(const Table& input, const Table& result) {
  for (std::size_t row = 0; row < input.rows; ++row) {
    take(input, result, row);
    std::optional<double> t;
    if (wanted_.time) t = input.columns[*wanted_.time][row];
    comparison_.add(state_, t);
    if (wanted_.picture) draw(t.value_or(static_cast<double>(comparison_.rows())));
    if (first_states_.size() < states_to_time) keep(input, row);
  }
}

/// Back from columns to what the comparer said.
void CompareGathering::take(const Table& input, const Table& result, std::size_t row) {
  const auto values = [&](std::size_t first, bool computed) {
    std::vector<double> found;
    for (std::size_t i = 0; computed && i < layout_.dof; ++i) {
      found.push_back(result.columns[first + i][row]);
    }
    return found;
  };
  state_.scale = values(layout_.scale(), true);
  state_.tau.clear();
  state_.error.clear();
  const std::size_t number = input.first_row + row;
  const bool referred = is_computed(number, dense_reference_rows);
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    const bool computed = is_computed(number, methods_[m].dense_rows);
    state_.tau.push_back(values(layout_.tau(m), computed));
    state_.error.push_back(values(layout_.error(m), computed && referred));
  }
}

void CompareGathering::draw(double x) {
  for (std::size_t m = 1; m < methods_.size(); ++m) {
    if (state_.tau[0].empty() || state_.tau[m].empty()) continue;
    for (std::size_t i = 0; i < layout_.dof; ++i) {
      curves_[m - 1][i].append(x, state_.tau[m][i] - state_.tau[0][i]);
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

void CompareGathering::write_picture(const std::string& path) const {
  Figure figure;
  figure.title = robot_.name + ": differences from " + methods_.front().name;
  if (!wanted_.time) {
    figure.x_label = "row";
    figure.x_unit = "";
  }
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    Panel panel;
    panel.title = robot_.joints[i].name;
    panel.y_label = "Δτ" + std::to_string(i + 1);
    panel.unit = robot_.joints[i].type == JointType::revolute ? "N·m" : "N";
    for (std::size_t m = 1; m < methods_.size(); ++m) {
      const ThinnedSeries::Points points = curves_[m - 1][i].points();
      panel.curves.push_back({methods_[m].name, points.x, points.y});
    }
    figure.panels.push_back(panel);
  }
  write_figure(figure, path);
}

}  // namespace armdyn
