#include "observation/external_torques.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "math/hypotenuse.hpp"
#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"
#include "model/motors.hpp"

namespace armdyn {

namespace {

constexpr double of_95_percent = 1.959963984540054;
constexpr double median_of_normal = 0.6744897501960817;  // of |x|
constexpr double least_noise = 3e-4;                     // of the largest torque

double peak_of(const std::vector<double>& numbers) {
  const Bounds bounds = bounds_of(numbers);
  return std::max(std::abs(bounds.least), std::abs(bounds.greatest));
}

/// Dry friction that a row leaves open in a joint's torque: what the model took, and the range of what
/// it can be.
struct OpenFriction {
  double taken = 0.0, least = 0.0, most = 0.0;
  /// Adds that of a drive, or of a motor that turns with several joints by this ratio.
  void add(double ratio, double level_taken, const TwoSided& held) {
    const double a = -ratio * held.negative, b = ratio * held.positive;
    taken += ratio * level_taken;
    least += std::min(a, b);
    most += std::max(a, b);
  }
};

/// Dry friction of the drives that are slow, in the torques of the joints.
class SlowDrives {
 public:
  SlowDrives(const Robot& robot, const ErrorRegressor& regressor, const LoadHistory& loads)
      : arm_(normalize(robot)) {
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      OneDrive& drive = drives_.emplace_back();
      const auto coulomb = regressor.coulomb(i);
      if (coulomb && loads.arm.size() > 0) drive.error = loads.arm[*coulomb];
      drive.weights = contact_weights(arm_, i);
      for (const double weight : drive.weights) drive.slow += std::abs(weight);
      drive.slow *= regressor.slow();
      drive.is_coupled = find_coupling(arm_.coupled_motors, i) != nullptr;
    }
  }

  [[nodiscard]] std::vector<OpenFriction> in(const ObservedLog& log, std::size_t row) const {
    const std::vector<double> qd = row_of(log.qd, row), rates = contact_rates(arm_, qd);
    std::vector<OpenFriction> of_joints(qd.size());
    for (std::size_t i = 0; i < qd.size(); ++i) {
      const auto& [weights, error, slow, is_coupled] = drives_[i];
      if (std::abs(rates[i]) > slow) continue;
      const double q = log.q[i][row], more = std::max(0.0, error);
      const int direction = direction_of(rates[i]);
      TwoSided held = static_level(arm_, i, q);
      const double level = is_coupled ? signed_level(held, direction)
                                      : loss_torque(arm_.drives[i], q, qd[i], direction) -
                                            loss_torque(arm_.drives[i], q, qd[i], 0);
      held.positive += more;
      held.negative += more;
      for (std::size_t j = 0; j < qd.size(); ++j) {
        of_joints[j].add(weights[j], level + direction * error, held);
      }
    }
    return of_joints;
  }

 private:
  struct OneDrive {
    std::vector<double> weights{};  // of its torque in those of the joints
    double error = 0.0;             // of its level in the model
    double slow = 0.0;              // rad/s or m/s
    bool is_coupled = false;
  };

  Arm arm_;
  std::vector<OneDrive> drives_;
};

/// Residuals between rows by the range of the dry friction of joints at rest, and the load's torque.
struct Between {
  Columns low, high, load;
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

/// Residuals between rows without the arm's errors, with the load's torques and all that dry friction
/// at rest can be.
Between with_friction_at_rest(const SlowDrives& drives, const ObservedLog& log,
                              const Columns& between, const Explained& explained) {
  Between series{between, between, between};
  std::vector<OpenFriction> last, now;
  for (std::size_t row = 0; row < log.rows(); ++row, last.swap(now)) {
    now = drives.in(log, row);
    for (std::size_t j = 0; row > 0 && j < now.size(); ++j) {
      const std::size_t k = row - 1;
      const auto mean = [&](const Columns& columns) {
        return 0.5 * (columns[j][k] + columns[j][row]);
      };
      const double without =
          between[j][k] - mean(explained.arm) + 0.5 * (last[j].taken + now[j].taken);
      series.low[j][k] = without - 0.5 * (last[j].most + now[j].most);
      series.high[j][k] = without - 0.5 * (last[j].least + now[j].least);
      series.load[j][k] = mean(explained.load);
    }
  }
  return series;
}

/// Noise of a joint by rows where the filter leaves no more than `least` of what friction can be, or if
/// these are few by the scatter of `low`, the residuals less the most of it.
double noise_of(const std::vector<double>& residuals, const std::vector<double>& low,
                const std::vector<double>& high, const std::vector<double>& variances,
                double least) {
  constexpr std::size_t fewest = 100;
  std::vector<std::size_t> rows =
      where(residuals.size(), [&](std::size_t row) { return high[row] - low[row] <= least; });
  const bool rests = rows.size() < fewest;
  if (rests) rows = in_order(residuals.size());
  const double middle = median_of(low);
  return noise_beside(
      each(rows,
           [&](std::size_t row) { return std::abs(rests ? low[row] - middle : residuals[row]); }),
      each(rows, [&](std::size_t row) { return variances[row]; }));
}

}  // namespace

ExternalTorques external_torques(const Robot& robot, ErrorRegressor& regressor,
                                 const ObservedLog& log, const Columns& between,
                                 const LoadHistory& loads) {
  const std::size_t n = log.q.size();
  const double T = filter_width(log);
  Explained explained = explained_by(regressor, log, loads);
  if (log.derives_qdd) add_smoothed_away(robot, regressor, log, loads, T, explained.variance);
  const Between series =
      with_friction_at_rest(SlowDrives(robot, regressor, loads), log, between, explained);
  const Columns load = filtered(log, series.load, T), zero(n, std::vector<double>(log.rows()));
  ExternalTorques found{
      load, filtered(log, series.low, T), filtered(log, series.high, T), zero, zero, {}};
  const double least = least_noise * std::ranges::max(each(log.tau, peak_of));
  for (std::size_t j = 0; j < n; ++j) {
    // After the filter: a clamped noise has a mean.
    for (std::size_t row = 0; row < log.rows(); ++row) {
      double& value = found.value[j][row];
      value = std::clamp(load[j][row], found.low[j][row], found.high[j][row]);
      found.beyond_load[j][row] = value - load[j][row];
    }
    const std::vector<double>& variances = explained.variance[j];
    found.noise.push_back(std::max(
        noise_of(found.beyond_load[j], found.low[j], found.high[j], variances, least), least));
    for (std::size_t row = 0; row < log.rows(); ++row) {
      const double error = hypotenuse(found.noise[j], std::sqrt(variances[row]));
      double &low = found.low[j][row], &high = found.high[j][row];
      low -= of_95_percent * error;
      high += of_95_percent * error;
      found.error[j][row] = error;
    }
  }
  return found;
}

}  // namespace armdyn
