#include "observation/external_torques.hpp"

#include <armdyn/equations.hpp>

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
      : contacts_(friction_contacts(normalize(robot))) {
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      OneDrive& drive = drives_.emplace_back();
      const auto coulomb = regressor.coulomb(i);
      if (coulomb && loads.arm.size() > 0) drive.error = loads.arm[*coulomb];
      drive.weights = contacts_[i].weights(robot.dof());
      for (const double weight : drive.weights) drive.slow += std::abs(weight);
      drive.slow *= regressor.slow();
    }
  }

  [[nodiscard]] std::vector<OpenFriction> in(const ObservedLog& log, std::size_t row) const {
    const std::vector<double> qd = row_of(log.qd, row);
    std::vector<OpenFriction> of_joints(qd.size());
    for (std::size_t i = 0; i < qd.size(); ++i) {
      const auto& [weights, error, slow] = drives_[i];
      const Drive& drive = contacts_[i].drive;
      const double rate = contacts_[i].rate(qd);
      if (std::abs(rate) > slow) continue;
      const double q = log.q[i][row], more = std::max(0.0, error);
      const int direction = direction_of(rate);
      TwoSided held = breakaway_torque(drive, q);
      const double level = loss_torque(drive, q, rate, direction) - loss_torque(drive, q, rate, 0);
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
  };

  std::vector<FrictionContact> contacts_;
  std::vector<OneDrive> drives_;
};

/// Residuals between rows by the range of the dry friction of joints at rest, and the load's torque.
struct Between {
  Columns low, high, load;
};

}  // namespace

std::vector<double> ExternalTorques::deviations(std::size_t row) const {
  return each(in_order(value.size()),
              [&](std::size_t j) { return 0.5 * (high[j][row] - low[j][row]) / of_95_percent; });
}

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

}  // namespace

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

namespace {

/// Factor of these deviations, beside variances, that makes the sizes of residuals those of normal
/// numbers. Sizes that are NaN do not count.
double factor_of_noise(const std::vector<double>& sizes, const std::vector<double>& deviations,
                       const std::vector<double>& variances) {
  const auto is_counted = [&](std::size_t k) { return !std::isnan(sizes[k]); };
  const std::vector<std::size_t> rows = where(sizes.size(), is_counted);
  const auto median = [&](double factor, bool beside) {
    return median_of(each(rows, [&](std::size_t k) {
      return sizes[k] / hypotenuse(factor * deviations[k], beside ? std::sqrt(variances[k]) : 0.0);
    }));
  };
  const double all = median(1.0, false) / median_of_normal;
  double least = 0.2 * all, most = all;
  for (int i = 0; i < 30 && all > 0.0; ++i) {
    const double middle = 0.5 * (least + most);
    (median(middle, true) < median_of_normal ? most : least) = middle;
  }
  return most;
}

/// The x ≥ 0 for which A x + v are the likeliest variances, up to a factor, of normal numbers with the
/// squares y: by multiplicative steps (Févotte, Bertin and Durrieu 2009). Outliers, as of a contact, count as
/// expected, so that their place shapes nothing.
Eigen::VectorXd variance_parts(const Eigen::MatrixXd& A, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& y) {
  constexpr int steps = 400;
  constexpr double outlier = 9.0;
  const auto parts = static_cast<double>(A.cols());
  if (A.rows() == 0) return Eigen::VectorXd::Zero(A.cols());
  Eigen::VectorXd x = A.colwise().mean().transpose();
  for (double& part : x) part = part > 0.0 ? y.mean() / (parts * part) : 0.0;
  for (int i = 0; i < steps; ++i) {
    const Eigen::ArrayXd sum = (A * x + v).array(), all = y.array() / sum,
                         share = (all > outlier).select(1.0, all);
    const Eigen::ArrayXd more = A.transpose() * (share / sum).matrix(),
                         less = A.transpose() * sum.inverse().matrix();
    x.array() *= (less > 0.0).select((more / less).sqrt(), 0.0);
  }
  return x;
}

/// Standard deviations at the rows, up to a factor, by the noise of the torques and by that of speeds
/// or accelerations: those of τ_j + Σ_k M_jk q̈_k. Sizes of residuals are NaN where they show none.
Columns shapes_of_noise(const Robot& robot, const ObservedLog& log, const Columns& sizes,
                        const Columns& variances, double least) {  // (37.9)
  constexpr std::size_t most = 2000;
  const std::size_t n = sizes.size(), stride = log.rows() / most + 1;
  const double smallest = std::max(0.1 * least, 1e-15);
  const Arm arm = normalize(robot);
  const auto squares_at = [&](std::size_t row) {
    return Eigen::MatrixXd(eigen(mass_matrix(arm, row_of(log.q, row))).cwiseAbs2());
  };
  std::vector<Eigen::VectorXd> parts;
  std::vector<double> fixed, found;
  for (std::size_t row = 0; row < log.rows(); row += stride) {
    const Eigen::MatrixXd M2 = squares_at(row);
    for (std::size_t j = 0; j < n; ++j) {
      if (std::isnan(sizes[j][row])) continue;
      fixed.push_back(variances[j][row] + square(smallest));
      found.push_back(square(sizes[j][row]));
      Eigen::VectorXd& part = parts.emplace_back(Eigen::VectorXd::Zero(index(2 * n)));
      part[index(j)] = 1.0;
      part.tail(index(n)) = M2.row(index(j));
    }
  }
  Eigen::MatrixXd A(index(parts.size()), index(2 * n));
  for (std::size_t k = 0; k < parts.size(); ++k) A.row(index(k)) = parts[k];
  const Eigen::VectorXd x =
      variance_parts(A, in_place(std::span(fixed)), in_place(std::span(found)));
  Columns shapes(n, std::vector<double>(log.rows()));
  for (std::size_t row = 0; row < log.rows(); ++row) {
    const Eigen::VectorXd squares = x.head(index(n)) + squares_at(row) * x.tail(index(n));
    for (std::size_t j = 0; j < n; ++j)
      shapes[j][row] = std::max(std::sqrt(squares[index(j)]), smallest);
  }
  return shapes;
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

/// Sizes of a joint's residuals in rows where the filter leaves no more than `least` of what friction
/// can be; if these are few, those of `low`, the residuals less the most of it, about its middle.
std::vector<double> sizes_of_noise(const std::vector<double>& residuals,
                                   const std::vector<double>& low, const std::vector<double>& high,
                                   double least) {
  constexpr std::size_t fewest = 100;
  const auto is_clear = [&](std::size_t row) { return high[row] - low[row] <= least; };
  const bool rests = where(residuals.size(), is_clear).size() < fewest;
  const double middle = median_of(low);
  return each(in_order(residuals.size()), [&](std::size_t row) {
    if (rests) return std::abs(low[row] - middle);
    return is_clear(row) ? std::abs(residuals[row]) : std::numeric_limits<double>::quiet_NaN();
  });
}

}  // namespace

ExternalTorques external_torques(const Robot& robot, ErrorRegressor& regressor,
                                 const ObservedLog& log, const Columns& direct, Residual residual,
                                 const LoadHistory& loads) {
  const std::size_t n = log.q.size();
  const double T = filter_width(log);
  Explained explained = explained_by(regressor, log, loads);
  Columns& variances = explained.variance;
  const bool needs_qdd = log.derives_qd || residual == Residual::direct;
  if (log.derives_qdd && needs_qdd) add_smoothed_away(robot, regressor, log, loads, T, variances);
  const Between series =
      with_friction_at_rest(SlowDrives(robot, regressor, loads), log,
                            residual_between_rows(robot, log, direct, residual), explained);
  const Columns load = filtered(log, series.load, T), zero(n, std::vector<double>(log.rows()));
  ExternalTorques found{
      load, filtered(log, series.low, T), filtered(log, series.high, T), zero, zero, {}};
  const double least = least_noise * std::ranges::max(each(log.tau, peak_of));
  Columns sizes;
  for (std::size_t j = 0; j < n; ++j) {
    // After the filter: a clamped noise has a mean.
    for (std::size_t row = 0; row < log.rows(); ++row) {
      double& value = found.value[j][row];
      value = std::clamp(load[j][row], found.low[j][row], found.high[j][row]);
      found.beyond_load[j][row] = value - load[j][row];
    }
    sizes.push_back(sizes_of_noise(found.beyond_load[j], found.low[j], found.high[j], least));
  }
  Columns shapes = shapes_of_noise(robot, log, sizes, variances, least);
  for (std::size_t j = 0; j < n; ++j) {
    const double factor = factor_of_noise(sizes[j], shapes[j], variances[j]);
    for (double& noise : shapes[j]) noise = std::max(factor * noise, least);
    found.noise.push_back(median_of(shapes[j]));
    for (std::size_t row = 0; row < log.rows(); ++row) {
      const double error = hypotenuse(shapes[j][row], std::sqrt(variances[j][row]));
      double &low = found.low[j][row], &high = found.high[j][row];
      low -= of_95_percent * error;
      high += of_95_percent * error;
      found.error[j][row] = error;
    }
  }
  return found;
}

}  // namespace armdyn
