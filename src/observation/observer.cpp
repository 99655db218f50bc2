#include "observation/observer.hpp"

#include <armdyn/equations.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include "dynamics/friction.hpp"
#include "math/each.hpp"
#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"

namespace armdyn {

namespace {

MotionBlock block_of(const std::array<std::vector<Column>, 3>& motion, std::size_t rows) {
  return {rows, motion[0], motion[1], motion[2], {}};
}

/// The columns of a motion from a row on.
std::array<std::vector<Column>, 3> columns_from(const ObservedLog& log, std::size_t first) {
  const auto from = [first](const Columns& columns) {
    return each(columns, [first](const auto& column) -> Column { return column.data() + first; });
  };
  return {from(log.q), from(log.qd), from(log.qdd)};
}

}  // namespace

ErrorRegressor::ErrorRegressor(const Robot& robot, double slow)
    : model_(robot, {.free = {}, .min_speed = slow}),
      regressor_(model_.robot(), Regressor::Payload::always),
      arm_(index(model_.base().combinations.size())) {
  const auto& parameters = regressor_.parameters();
  const auto place_of = [&](const std::string& wanted) {
    const auto is_it = [&](const DynamicParameter& p) { return name(p) == wanted; };
    return static_cast<std::size_t>(std::ranges::find_if(parameters, is_it) - parameters.begin());
  };
  places_ = each(names(), place_of);
  append(places_,
         where(parameters.size(), [&](std::size_t k) { return parameters[k].of_payload; }));
}

std::vector<std::string> ErrorRegressor::names() const {
  return each(model_.base().combinations, [&](const BaseParameter& combination) {
    return name(model_.regressor().parameters()[combination.first]);
  });
}

std::optional<Eigen::Index> ErrorRegressor::coulomb(std::size_t joint) const {
  for (Eigen::Index k = 0; k < arm_; ++k) {
    const DynamicParameter& p = regressor_.parameters()[places_[static_cast<std::size_t>(k)]];
    if (p.kind == ParameterKind::coulomb && p.joint == joint) return k;
  }
  return std::nullopt;
}

void ErrorRegressor::rows(const ObservedLog& log, std::size_t first, std::size_t count,
                          bool loads_alone, std::vector<Eigen::MatrixXd>& by_joint) {
  const std::size_t all = regressor_.parameters().size(), n = log.q.size();
  resize(block_, n * all, count);
  regressor_.block(block_of(columns_from(log, first), count), places(block_));
  const std::size_t skipped = loads_alone ? static_cast<std::size_t>(arm_) : 0;
  by_joint.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    by_joint[j].resize(index(count), index(places_.size() - skipped));
    for (std::size_t k = skipped; k < places_.size(); ++k) {
      by_joint[j].col(index(k - skipped)) =
          Eigen::Map<const Eigen::VectorXd>(block_[j * all + places_[k]].data(), index(count));
    }
  }
}

std::vector<double> zero_phase(std::span<const double> t, std::span<const double> x, double T) {
  std::vector<double> sum(t.size()), weight(t.size());
  double of_x = 0.0, of_one = 0.0;  // of the intervals on one side of a row
  const auto pass = [&](std::size_t interval, std::size_t to) {
    const double fade = std::exp(-(t[interval + 1] - t[interval]) / T);
    of_x = fade * of_x + (1.0 - fade) * x[interval];
    of_one = fade * of_one + (1.0 - fade);
    sum[to] += of_x;
    weight[to] += of_one;
  };
  for (std::size_t k = 0; k < x.size(); ++k) pass(k, k + 1);
  of_x = of_one = 0.0;
  for (std::size_t k = x.size(); k-- > 0;) pass(k, k);
  for (std::size_t row = 0; row < t.size(); ++row) {
    if (weight[row] > 0.0) sum[row] /= weight[row];
  }
  return sum;
}

void remove_spikes(ObservedLog& log) {
  constexpr double fast = 0.0125, usual = 20.0, agree = 0.25;  // s; median steps of the torque
  for (std::vector<double>& tau : log.tau) {
    std::vector<double> steps;
    for (std::size_t k = 0; k + 1 < tau.size(); ++k) steps.push_back(std::abs(tau[k + 1] - tau[k]));
    const double least = usual * median_of(std::move(steps));
    for (std::size_t k = 1; k + 1 < tau.size(); ++k) {
      const double mean = 0.5 * (tau[k - 1] + tau[k + 1]), off = std::abs(tau[k] - mean);
      const bool is_spike = off > least && std::abs(tau[k + 1] - tau[k - 1]) < agree * off;
      if (is_spike && log.t[k + 1] - log.t[k - 1] < 2.0 * fast) tau[k] = mean;
    }
  }
}

Columns direct_residual(const Robot& robot, const ObservedLog& log) {
  Columns left(log.q.size(), std::vector<double>(log.rows()));
  BlockInverseDynamics(normalize(robot))
      .torque(block_of(columns_from(log, 0), log.rows()), places(left));
  for (std::size_t j = 0; j < left.size(); ++j) {
    for (std::size_t row = 0; row < log.rows(); ++row)
      left[j][row] = log.tau[j][row] - left[j][row];
  }
  return left;
}

Columns residual_between_rows(const Robot& robot, const ObservedLog& log, const Columns& direct,
                              Residual residual) {
  const std::size_t n = log.q.size(), rows = log.rows();
  Columns rate = direct, momentum(n);  // τ − β at rows, and M q̇
  if (residual == Residual::momentum) {
    const Arm arm = normalize(robot);
    resize(momentum, n, rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::vector<double> q = row_of(log.q, row), qd = row_of(log.qd, row);
      const Equations terms = equations(arm, q, qd);
      const auto C = eigen(terms.C);
      const Eigen::Map<const Eigen::VectorXd> v(qd.data(), index(n));
      const std::vector<double> qdd = row_of(log.qdd, row);
      const Eigen::VectorXd growth =  // ṗ by M q̈ and by Ṁ = C + Cᵀ
          eigen(terms.M) * Eigen::Map<const Eigen::VectorXd>(qdd.data(), index(n)) +
          (C + C.transpose()) * v;
      for (std::size_t j = 0; j < n; ++j) {
        rate[j][row] += growth[index(j)];
        momentum[j][row] = terms.momentum[j];
      }
    }
  }
  Columns between(n, std::vector<double>(rows > 0 ? rows - 1 : 0));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k + 1 < rows; ++k) {
      between[j][k] = 0.5 * (rate[j][k] + rate[j][k + 1]);
      if (residual == Residual::direct) continue;
      between[j][k] -= (momentum[j][k + 1] - momentum[j][k]) / (log.t[k + 1] - log.t[k]);
    }
  }
  return between;
}

Columns filtered(const ObservedLog& log, const Columns& between_rows, double T) {
  Columns result(between_rows.size());
  for (std::size_t j = 0; j < result.size(); ++j) {
    log.for_each_stretch([&](std::size_t from, std::size_t end) {
      if (end == from) return;
      append(result[j], zero_phase(std::span(log.t).subspan(from, end - from),
                                   std::span(between_rows[j]).subspan(from, end - from - 1), T));
    });
  }
  return result;
}

namespace {

/// Torque over current of a joint by the part of an instrument, z, that the columns of A do not
/// explain; z has the noise of neither. Nothing where that part is too small.
std::optional<DriveGain> gain_by(const Eigen::MatrixXd& A, const Eigen::VectorXd& z,
                                 const Eigen::VectorXd& torque, const Eigen::VectorXd& current,
                                 std::size_t joint) {  // (37.12)
  constexpr double certain = 10.0;                     // standard errors
  Eigen::MatrixXd beside(z.size(), 3);
  beside << z, torque, current;
  beside -= A * least_squares(A, beside);
  const double product = beside.col(0).dot(beside.col(2));
  const double gain = beside.col(0).dot(beside.col(1)) / product;
  const double squares = (beside.col(1) - gain * beside.col(2)).squaredNorm();
  const double free = static_cast<double>(z.size() - A.cols() - 1);
  const double error = std::sqrt(squares / free) * beside.col(0).norm() / std::abs(product);
  if (!(std::abs(gain) > certain * error)) return {};
  return DriveGain{joint, gain, error};
}

Eigen::VectorXd vector_of(const std::vector<double>& column) {
  return Eigen::Map<const Eigen::VectorXd>(column.data(), index(column.size()));
}

}  // namespace

std::vector<DriveGain> drive_gains(const ObservedLog& log, const Columns& residual,
                                   const Columns& current) {
  std::vector<DriveGain> gains;
  for (std::size_t j = 0; j < current.size(); ++j) {
    Eigen::MatrixXd friction(index(log.rows()), 3);
    for (std::size_t k = 0; k < log.rows(); ++k) {
      const double qd = log.qd[j][k];
      friction.row(index(k)) << 1.0, static_cast<double>(direction_of(qd)), qd;
    }
    const Eigen::VectorXd tau = vector_of(log.tau[j]);
    const auto gain =
        gain_by(friction, tau - vector_of(residual[j]), tau, vector_of(current[j]), j);
    if (gain) gains.push_back(*gain);
  }
  return gains;
}

std::vector<DriveGain> drive_gains_of_load(const Robot& robot, double slow,
                                           std::span<const LogOfCurrents> logs) {
  Robot without = robot;
  without.payload = {};
  ErrorRegressor regressor(without, slow);
  const std::size_t n = robot.dof();
  std::vector<Eigen::MatrixXd> rows_of(n);  // columns of the arm, torque of the load, current
  for (const LogOfCurrents& log : logs) {
    std::vector<Eigen::MatrixXd> Y;
    regressor.rows(log.rows, 0, log.rows.rows(), false, Y);
    ObservedLog motion = log.rows;
    motion.tau.assign(n, std::vector<double>(motion.rows()));
    Columns load = motion.tau;
    if (log.is_loaded) {
      const Columns loaded = direct_residual(robot, motion);
      load = direct_residual(without, motion);
      for (std::size_t j = 0; j < n; ++j)
        std::ranges::transform(load[j], loaded[j], load[j].begin(), std::minus<>());
    }
    for (std::size_t j = 0; j < n; ++j) {
      const auto is_used = [&](std::size_t row) {
        return !regressor.is_slow(j, row_of(motion.qd, row));
      };
      Eigen::MatrixXd& rows = rows_of[j];
      Eigen::Index at = rows.rows();
      const std::vector<std::size_t> used = where(motion.rows(), is_used);
      rows.conservativeResize(at + index(used.size()), regressor.arm() + 2);
      for (const std::size_t row : used) {
        rows.row(at++) << Y[j].row(index(row)).head(regressor.arm()), load[j][row],
            log.current[j][row];
      }
    }
  }
  std::vector<DriveGain> gains;
  for (std::size_t j = 0; j < n; ++j) {
    const Eigen::MatrixXd& rows = rows_of[j];
    if (rows.rows() <= rows.cols()) continue;
    const Eigen::VectorXd torque = rows.col(regressor.arm());
    const auto gain = gain_by(rows.leftCols(regressor.arm()), torque, torque, rows.rightCols(1), j);
    if (gain) gains.push_back(*gain);
  }
  return gains;
}

}  // namespace armdyn
