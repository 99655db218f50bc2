#include "observation/external_torques.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "math/hypotenuse.hpp"
#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"

namespace armdyn {

namespace {

constexpr double of_95_percent = 1.959963984540054;
constexpr double median_of_normal = 0.6744897501960817;  // of |x|
constexpr double least_noise = 3e-4;                     // of the largest torque

double peak_of(const std::vector<double>& numbers) {
  const Bounds bounds = bounds_of(numbers);
  return std::max(std::abs(bounds.least), std::abs(bounds.greatest));
}

/// Friction that a row leaves open: what the model took, and the range of what it can be.
struct OpenFriction {
  double taken = 0.0, least = 0.0, most = 0.0;
  [[nodiscard]] bool is_open() const { return most > least; }
};

OpenFriction open_friction(const Robot& robot, std::size_t joint, double q, double qd,
                           double coulomb_error, double slow) {
  if (std::abs(qd) > slow) return {};
  const TwoSided held = breakaway_torque(robot, joint, q);
  const Drive drive{robot.joints[joint].friction, robot.joints[joint].motor};
  const int direction = direction_of(qd);
  const double taken = loss_torque(drive, q, qd, direction) - loss_torque(drive, q, qd, 0);
  const double more = std::max(0.0, coulomb_error);
  return {taken + static_cast<double>(direction) * coulomb_error, -held.negative - more,
          held.positive + more};
}

/// Residuals between rows, with dry friction of joints at rest as it can be.
struct Between {
  Columns value, low, high, beyond;
};

}  // namespace

double filter_width(const ObservedLog& log) {
  std::vector<double> steps;
  for (std::size_t k = 0; k + 1 < log.rows(); ++k) steps.push_back(log.t[k + 1] - log.t[k]);
  return std::max(0.01, 2.0 * median_of(std::move(steps)));
}

namespace {

/// Torques of what the log shows of arm and loads, and variances by the arm's errors, of each row.
struct Explained {
  Columns arm, load, variance;
};

Explained explained_by(ErrorRegressor& regressor, const ObservedLog& log,
                       const LoadHistory& history) {
  constexpr std::size_t at_a_time = 512;
  const std::size_t n = log.q.size();
  Explained found;
  for (Columns* columns : {&found.arm, &found.load, &found.variance}) {
    columns->assign(n, std::vector<double>(log.rows()));
  }
  const Eigen::Index arm = history.arm.size();
  std::vector<Eigen::MatrixXd> Y;
  for (const LoadInterval& interval : history.intervals) {
    for (std::size_t first = interval.from; first < interval.to; first += at_a_time) {
      const std::size_t count = std::min(at_a_time, interval.to - first);
      regressor.rows(log, first, count, arm == 0, Y);
      for (std::size_t j = 0; j < n; ++j) {
        const auto of_arm = Y[j].leftCols(arm);
        const auto part = [&](Columns& columns) {
          return in_place(std::span(columns[j]).subspan(first, count));
        };
        part(found.load) = Y[j].rightCols(body_parameters) * interval.load;
        if (arm == 0) continue;
        part(found.arm) = of_arm * history.arm;
        part(found.variance) =
            (of_arm * history.arm_covariance).cwiseProduct(of_arm).rowwise().sum();
      }
    }
  }
  return found;
}

/// Accelerations that fits of derivatives have smoothed away, after the filter: those between rows less
/// the fits', beyond what is usual.
Columns smoothed_away(const ObservedLog& log, double T) {
  constexpr double usual = 3.0;  // times the median
  const std::size_t n = log.q.size(), intervals = log.rows() - 1;
  Columns lost(n, std::vector<double>(intervals));
  const auto slope_beside = [&](const std::vector<double>& y, const std::vector<double>& rate,
                                std::size_t k) {
    return (y[k + 1] - y[k]) / (log.t[k + 1] - log.t[k]) - 0.5 * (rate[k] + rate[k + 1]);
  };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 1; k + 1 < intervals; ++k) {
      lost[j][k] = log.derives_qd ? (slope_beside(log.q[j], log.qd[j], k + 1) -
                                     slope_beside(log.q[j], log.qd[j], k - 1)) /
                                        (log.t[k + 1] - log.t[k - 1])
                                  : slope_beside(log.qd[j], log.qdd[j], k);
    }
  }
  lost = filtered(log, lost, T);
  for (std::vector<double>& column : lost) {
    const double least = usual * median_of(each(column, [](double x) { return std::abs(x); }));
    for (double& x : column) x = std::abs(x) > least ? x : 0.0;
  }
  return lost;
}

/// Torques M δ of accelerations δ, by the robot and by what is known of its errors.
Columns inertial_torques(const Robot& robot, ErrorRegressor& regressor, const ObservedLog& log,
                         const LoadHistory& history, Columns accelerations) {
  const Columns none(log.q.size(), std::vector<double>(log.rows()));
  const auto torques = [&](Columns qdd) {
    const ObservedLog at{log.t, log.breaks, log.q, none, std::move(qdd), none};
    const Explained errors = explained_by(regressor, at, history);
    Columns found = direct_residual(robot, at);
    for (std::size_t j = 0; j < found.size(); ++j) {
      for (std::size_t row = 0; row < log.rows(); ++row) {
        found[j][row] = errors.arm[j][row] + errors.load[j][row] - found[j][row];
      }
    }
    return found;
  };
  Columns made = torques(std::move(accelerations));
  const Columns without = torques(none);
  for (std::size_t j = 0; j < made.size(); ++j) {
    for (std::size_t row = 0; row < log.rows(); ++row) made[j][row] -= without[j][row];
  }
  return made;
}

/// Standard deviation of the noise that makes the sizes of residuals those of normal numbers, with
/// these variances beside it.
double noise_beside(const std::vector<double>& sizes, const std::vector<double>& variances) {
  const auto is_more = [&](double noise) {
    std::vector<double> shares(sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      shares[k] = sizes[k] / hypotenuse(noise, std::sqrt(variances[k]));
    }
    return median_of(std::move(shares)) < median_of_normal;
  };
  const double all = median_of(sizes) / median_of_normal;
  double least = 0.2 * all, most = all;
  for (int i = 0; i < 30 && all > 0.0; ++i) {
    const double middle = 0.5 * (least + most);
    (is_more(middle) ? most : least) = middle;
  }
  return most;
}

/// Adds the torques of accelerations that fits have smoothed away, the largest within twice the width
/// of the filter, to variances.
void add_smoothed_away(const Robot& robot, ErrorRegressor& regressor, const ObservedLog& log,
                       const LoadHistory& loads, double T, Columns& variances) {
  const Columns lost = inertial_torques(robot, regressor, log, loads, smoothed_away(log, T));
  const auto place = [&](double t) { return std::ranges::lower_bound(log.t, t) - log.t.begin(); };
  for (std::size_t row = 0; row < log.rows(); ++row) {
    const auto first = place(log.t[row] - 2.0 * T);
    const auto end = std::max(place(log.t[row] + 2.0 * T), index(row) + 1);
    for (std::size_t j = 0; j < lost.size(); ++j) {
      double largest = 0.0;
      for (auto k = first; k < end; ++k) {
        largest = std::max(largest, std::abs(lost[j][static_cast<std::size_t>(k)]));
      }
      variances[j][row] += square(largest);
    }
  }
}

/// Residuals of a joint between rows without the arm's errors, with the load's torque and all that
/// dry friction at rest can be. `is_open`: its rows where that is more than one number.
void add_friction_at_rest(const Robot& robot, const ErrorRegressor& regressor,
                          const ObservedLog& log, const Columns& between,
                          const Explained& explained, double coulomb_error, std::size_t joint,
                          Between& series, std::vector<bool>& is_open) {
  OpenFriction last;
  for (std::size_t row = 0; row < log.rows(); ++row) {
    const OpenFriction friction = open_friction(robot, joint, log.q[joint][row], log.qd[joint][row],
                                                coulomb_error, regressor.slow());
    is_open[row] = friction.is_open();
    if (row > 0) {
      const std::size_t k = row - 1;
      const auto mean = [&](const Columns& columns) {
        return 0.5 * (columns[joint][k] + columns[joint][row]);
      };
      const double value = between[joint][k] - mean(explained.arm), load = mean(explained.load);
      const double without = value + 0.5 * (last.taken + friction.taken);
      const bool open = last.is_open() || friction.is_open();
      const double low = open ? without - 0.5 * (last.most + friction.most) : value;
      const double high = open ? without - 0.5 * (last.least + friction.least) : value;
      series.low[joint][k] = low;
      series.high[joint][k] = high;
      series.value[joint][k] = open ? std::clamp(load, low, high) : value;
      series.beyond[joint][k] = series.value[joint][k] - load;
    }
    last = friction;
  }
}

/// Noise of a joint's residuals, by rows where its friction is one number, or if these are few by
/// all.
double noise_of(const std::vector<double>& residuals, const std::vector<double>& variances,
                const std::vector<bool>& is_open) {
  constexpr std::ptrdiff_t fewest = 100;
  const bool all = std::ranges::count(is_open, false) < fewest;
  const std::vector<std::size_t> rows =
      where(residuals.size(), [&](std::size_t row) { return all || !is_open[row]; });
  return noise_beside(each(rows, [&](std::size_t row) { return std::abs(residuals[row]); }),
                      each(rows, [&](std::size_t row) { return variances[row]; }));
}

}  // namespace

ExternalTorques external_torques(const Robot& robot, ErrorRegressor& regressor,
                                 const ObservedLog& log, const Columns& between,
                                 const LoadHistory& loads) {
  const std::size_t n = log.q.size(), intervals = log.rows() - 1;
  const double T = filter_width(log);
  Explained explained = explained_by(regressor, log, loads);
  if (log.derives_qdd) add_smoothed_away(robot, regressor, log, loads, T, explained.variance);
  Between series;
  for (Columns* columns : {&series.value, &series.low, &series.high, &series.beyond}) {
    columns->assign(n, std::vector<double>(intervals));
  }
  std::vector<std::vector<bool>> is_open(n, std::vector<bool>(log.rows()));
  for (std::size_t j = 0; j < n; ++j) {
    const auto coulomb = regressor.coulomb(j);
    const double error = coulomb && loads.arm.size() > 0 ? loads.arm[*coulomb] : 0.0;
    add_friction_at_rest(robot, regressor, log, between, explained, error, j, series, is_open[j]);
  }
  ExternalTorques found{filtered(log, series.value, T),
                        filtered(log, series.low, T),
                        filtered(log, series.high, T),
                        filtered(log, series.beyond, T),
                        Columns(n, std::vector<double>(log.rows())),
                        {}};
  const double least = least_noise * std::ranges::max(each(log.tau, peak_of));
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<double>& variances = explained.variance[j];
    found.noise.push_back(std::max(noise_of(found.beyond_load[j], variances, is_open[j]), least));
    for (std::size_t row = 0; row < log.rows(); ++row) {
      const double error = hypotenuse(found.noise[j], std::sqrt(variances[row]));
      double &low = found.low[j][row], &high = found.high[j][row];
      low = std::min(low, found.value[j][row]) - of_95_percent * error;
      high = std::max(high, found.value[j][row]) + of_95_percent * error;
      found.error[j][row] = error;
    }
  }
  return found;
}

}  // namespace armdyn
