#include "identification/log_equations.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace armdyn {

namespace {

/// Of base parameters, and of the delay if it is looked for.
TorqueFitRows::UsedColumns used_columns(const IdentificationModel& model) {
  TorqueFitRows::UsedColumns used = model.used();
  const auto last = static_cast<Eigen::Index>(model.base().combinations.size());
  for (auto& of_joint : used) {
    if (model.finds_delay()) of_joint.push_back(last);
  }
  return used;
}

}  // namespace

LogEquations::LogEquations(std::string name, const IdentificationModel& model)
    : name_(std::move(name)),
      model_(model),
      rows_(used_columns(model)),
      ends_(rows_),
      speed_squares_(model.used().size()),
      column_squares_(model.regressor().parameters().size()),
      tau_(model.used().size()),
      tau_squares_(model.used().size()),
      predicted_(model.used().size()),
      predicted_squares_(model.used().size()),
      products_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(model.used().size()),
                                      static_cast<Eigen::Index>(model.used().size()))) {}

void LogEquations::add(const Block& block, const Rows& rows) {
  const std::size_t n = model_.used().size();
  const std::vector<DynamicParameter>& parameters = model_.regressor().parameters();
  std::vector<std::vector<std::pair<const double*, double>>> fixed(n);  // column, value
  std::vector<std::vector<const double*>> columns(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto column = [&](std::size_t k) { return block.Y[j * parameters.size() + k].data(); };
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const bool counts = !model_.is_free(k) && parameters[k].value != 0.0;
      if (counts) fixed[j].emplace_back(column(k), parameters[k].value);
    }
    for (const Eigen::Index b : model_.used()[j]) {
      columns[j].push_back(column(model_.base().combinations[static_cast<std::size_t>(b)].first));
    }
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].kind < ParameterKind::rotor_inertia) continue;
    const std::vector<double>& column = block.Y[parameters[k].joint * parameters.size() + k];
    column_squares_[k] +=
        std::inner_product(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(rows.count),
                           column.begin(), 0.0);
  }
  Eigen::VectorXd measured(static_cast<Eigen::Index>(n)), predicted(static_cast<Eigen::Index>(n));
  std::vector<double> equation, qd(n), qdd(n);
  for (std::size_t row = 0; row < rows.count; ++row) {
    TorqueFitRows& place = rows.is_at_end[row] == 0.0 ? rows_ : ends_;
    for (std::size_t j = 0; j < n; ++j) {
      qd[j] = rows.qd[j][row];
      qdd[j] = rows.qdd[j][row];
    }
    for (std::size_t j = 0; j < n; ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      const double torque = rows.tau[j][row];
      const double measured_torque = rows.measured_tau[j][row];
      const double before = block.predicted[j][row];
      if (row_count_ == 0) {
        first_tau_.push_back(torque);
        first_predicted_.push_back(before);
      }
      speed_squares_[j] += qd[j] * qd[j];
      measured[at] = torque - first_tau_[j];
      predicted[at] = before - first_predicted_[j];
      tau_[j] += measured[at];
      tau_squares_[j] += measured[at] * measured[at];
      predicted_[j] += predicted[at];
      predicted_squares_[j] += predicted[at] * predicted[at];
      if (model_.is_slow(j, qd, qdd, rows.window)) continue;
      equation.assign({measured_torque - torque});
      for (const double* const column : columns[j]) equation.push_back(column[row]);
      if (model_.finds_delay()) equation.push_back(-rows.tau_rate[j][row]);
      double right = torque;
      for (const auto& [column, value] : fixed[j]) right -= column[row] * value;
      equation.push_back(right);
      place.add(j, equation, {torque, measured_torque, torque - before});
    }
    products_ += measured * predicted.transpose();
    place.end_moment();
    ++row_count_;
  }
}

double LogEquations::speed(std::size_t joint) const {
  return std::sqrt(speed_squares_[joint] / static_cast<double>(row_count_));
}
double LogEquations::column_rms(std::size_t parameter) const {
  return std::sqrt(column_squares_[parameter] / static_cast<double>(row_count_));
}

LogEquations::Likeness LogEquations::likeness(std::size_t measured, std::size_t predicted) const {
  const auto count = static_cast<double>(row_count_);
  const double aa = tau_squares_[measured] - tau_[measured] * tau_[measured] / count;
  const double bb =
      predicted_squares_[predicted] - predicted_[predicted] * predicted_[predicted] / count;
  const double ab =
      products_(static_cast<Eigen::Index>(measured), static_cast<Eigen::Index>(predicted)) -
      tau_[measured] * predicted_[predicted] / count;
  if (!(aa > 0.0) || !(bb > 0.0)) return {};
  return {ab / std::sqrt(aa * bb), ab / bb};
}

void EquationWorker::operator()(const MotionBlock& motion, LogEquations::Block& block) {
  const auto run = [&](std::vector<std::vector<double>>& columns, std::size_t count, auto&& call) {
    columns.resize(count);
    std::vector<ResultColumn> results;
    results.reserve(count);
    for (std::vector<double>& column : columns) {
      column.resize(motion.rows);
      results.push_back(column.data());
    }
    call(results);
  };
  run(block.Y, regressor_.dof() * regressor_.parameters().size(),
      [&](std::span<const ResultColumn> results) { regressor_.block(motion, results); });
  run(block.predicted, regressor_.dof(),
      [&](std::span<const ResultColumn> results) { as_it_was_.torque(motion, results); });
}

}  // namespace armdyn
