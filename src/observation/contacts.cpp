#include "observation/contacts.hpp"

#include <armdyn/kinematics.hpp>

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

double peak_of(std::span<const double> numbers) {
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

}  // namespace

ExternalTorques external_torques(const Robot& robot, ErrorRegressor& regressor,
                                 const ObservedLog& log, const Columns& between,
                                 const LoadHistory& loads) {
  const std::size_t n = log.q.size(), intervals = log.rows() - 1;
  Explained explained = explained_by(regressor, log, loads);
  const double T = filter_width(log);
  if (log.derives_qdd) {
    const Columns lost = inertial_torques(robot, regressor, log, loads, smoothed_away(log, T));
    const auto near = [&](std::size_t row) {  // rows within twice the width of the filter
      const auto place = [&](double t) {
        return std::ranges::lower_bound(log.t, t) - log.t.begin();
      };
      return std::pair(place(log.t[row] - 2.0 * T),
                       std::max(place(log.t[row] + 2.0 * T), index(row) + 1));
    };
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t row = 0; row < log.rows(); ++row) {
        const auto [first, end] = near(row);
        const auto largest =
            std::max_element(lost[j].begin() + first, lost[j].begin() + end,
                             [](double a, double b) { return std::abs(a) < std::abs(b); });
        explained.variance[j][row] += square(*largest);
      }
    }
  }
  Between series;
  for (Columns* columns : {&series.value, &series.low, &series.high, &series.beyond}) {
    columns->assign(n, std::vector<double>(intervals));
  }
  Columns is_open(n, std::vector<double>(log.rows()));
  for (std::size_t j = 0; j < n; ++j) {
    const auto coulomb = regressor.coulomb(j);
    const double more = coulomb && loads.arm.size() > 0 ? loads.arm[*coulomb] : 0.0;
    OpenFriction last;
    for (std::size_t row = 0; row < log.rows(); ++row) {
      const OpenFriction friction =
          open_friction(robot, j, log.q[j][row], log.qd[j][row], more, regressor.slow());
      is_open[j][row] = friction.is_open() ? 1.0 : 0.0;
      if (row > 0) {
        const std::size_t k = row - 1;
        const auto mean = [&](const Columns& columns) {
          return 0.5 * (columns[j][k] + columns[j][row]);
        };
        const double value = between[j][k] - mean(explained.arm);
        const double without = value + 0.5 * (last.taken + friction.taken);
        const double least = 0.5 * (last.least + friction.least);
        const double most = 0.5 * (last.most + friction.most);
        const bool open = last.is_open() || friction.is_open();
        series.low[j][k] = open ? without - most : value;
        series.high[j][k] = open ? without - least : value;
        const double load = mean(explained.load);
        const auto nearest = [&](double wanted) {
          return std::clamp(wanted, series.low[j][k], series.high[j][k]);
        };
        series.value[j][k] = open ? nearest(load) : value;
        series.beyond[j][k] = series.value[j][k] - load;
      }
      last = friction;
    }
  }
  double largest_torque = 0.0;
  for (const auto& tau : log.tau) largest_torque = std::max(largest_torque, peak_of(tau));
  ExternalTorques found;
  found.value = filtered(log, series.value, T);
  found.beyond_load = filtered(log, series.beyond, T);
  const Columns low = filtered(log, series.low, T), high = filtered(log, series.high, T);
  found.low = found.high = found.error = found.value;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> sizes, variances;
    for (int moving = 1; moving >= 0 && sizes.size() < 100; --moving) {
      sizes.clear(), variances.clear();
      for (std::size_t row = 0; row < log.rows(); ++row) {
        if (moving == 1 && is_open[j][row] > 0.0) continue;
        sizes.push_back(std::abs(found.beyond_load[j][row]));
        variances.push_back(explained.variance[j][row]);
      }
    }
    found.noise.push_back(std::max(noise_beside(sizes, variances), least_noise * largest_torque));
    for (std::size_t row = 0; row < log.rows(); ++row) {
      const double error = hypotenuse(found.noise[j], std::sqrt(explained.variance[j][row]));
      found.error[j][row] = error;
      found.low[j][row] = std::min(low[j][row], found.value[j][row]) - of_95_percent * error;
      found.high[j][row] = std::max(high[j][row], found.value[j][row]) + of_95_percent * error;
    }
  }
  return found;
}

namespace {

/// The level of |x| over its error that a joint passes less than once in `blocks` blocks of rows: of
/// the largest squares in blocks the Gumbel distribution, by their quantiles; no less than that of
/// normal noise (eq. 37.10).
double level(const std::vector<double>& largest_squares, double blocks) {
  constexpr double plainly = 9.0;  // times the square of the level: a contact, no tail of the noise
  std::vector<double> sorted = largest_squares;
  std::ranges::sort(sorted);
  const auto at = [](double p) { return -std::log(-std::log(p)); };  // of scale 1 and mode 0
  const auto level_by = [&](std::initializer_list<std::pair<double, double>> quantiles) {
    const auto quantile = [&](double p) {
      return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
    };
    double scale = 2.0;  // of normal noise
    for (const auto& [low, high] : quantiles) {
      scale = std::max(scale, (quantile(high) - quantile(low)) / (at(high) - at(low)));
    }
    return std::max(0.0, quantile(0.5) - scale * at(0.5)) + scale * std::log(blocks);
  };
  const double most = plainly * level_by({{0.25, 0.75}});
  while (sorted.back() > most) sorted.pop_back();
  return std::sqrt(level_by({{0.25, 0.75}, {0.5, 0.9}, {0.75, 0.95}}));
}

}  // namespace

ContactEvents find_contacts(const ObservedLog& log, const ExternalTorques& torques,
                            const LoadHistory& loads, double false_alarms, double at_ends) {
  constexpr double block = 0.5;        // s
  constexpr double confidence = 20.0;  // times rarer than asked for
  const std::size_t n = log.q.size();
  const double T = filter_width(log);
  std::vector<bool> counts(log.rows());
  log.for_each_stretch([&](std::size_t from, std::size_t end) {
    for (std::size_t row = from; row < end; ++row) {
      counts[row] = log.t[row] - log.t[from] >= at_ends && log.t[end - 1] - log.t[row] >= at_ends;
    }
  });
  const auto z = [&](std::size_t j, std::size_t row) {
    return counts[row] ? torques.beyond_load[j][row] / torques.error[j][row] : 0.0;
  };
  ContactEvents found;
  std::vector<double> levels;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> largest;
    double until = -std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < log.rows(); ++row) {
      if (log.t[row] >= until) largest.push_back(0.0), until = log.t[row] + block;
      largest.back() = std::max(largest.back(), square(z(j, row)));
    }
    levels.push_back(level(largest, confidence * static_cast<double>(n) / (false_alarms * block)));
    found.thresholds.push_back(levels[j] * median_of(torques.error[j]));
  }
  const auto share = [&](std::size_t row) {  // of the level
    double most = 0.0;
    for (std::size_t j = 0; j < n; ++j) most = std::max(most, std::abs(z(j, row)) / levels[j]);
    return most;
  };
  const double apart = 0.1 + 4.0 * T;
  for (std::size_t row = 0; row < log.rows(); ++row) {
    if (share(row) <= 1.0) continue;
    Contact event{row, row + 1, row, {}, 0.0, 0.0};
    while (event.from > 0 && share(event.from - 1) > 0.5) --event.from;
    for (std::size_t k = row; k < log.rows() && log.t[k] < log.t[event.to - 1] + apart; ++k) {
      if (share(k) > (k == event.to ? 0.5 : 1.0)) event.to = k + 1;
    }
    row = event.to;
    const auto is_flank = [&](std::size_t at, double way) {  // below half of what comes next
      double most = 0.0;
      for (std::size_t k = event.from; k < event.to; ++k) {
        const double beyond = way * (log.t[k] - log.t[at]);
        if (beyond >= 0.0 && beyond <= 4.0 * T) most = std::max(most, share(k));
      }
      return share(at) < 0.5 * most;
    };
    while (is_flank(event.from, 1.0)) ++event.from;
    while (is_flank(event.to - 1, -1.0)) --event.to;
    const auto is_near_cut = [&](const LoadInterval& interval) {
      return interval.from > 0 && log.t[event.from] < log.t[interval.from] + 5.0 * T &&
             log.t[event.to - 1] > log.t[interval.from] - 5.0 * T;
    };
    if (std::ranges::any_of(loads.intervals, is_near_cut)) continue;
    for (std::size_t k = event.from; k < event.to; ++k) {
      double squares = 0.0;
      for (std::size_t j = 0; j < n; ++j) squares += square(z(j, k));
      if (std::sqrt(squares) > event.distance) event.distance = std::sqrt(squares), event.worst = k;
    }
    for (std::size_t j = 0; j < n; ++j) {
      double most = 0.0, largest = 0.0;
      for (std::size_t k = event.from; k < event.to; ++k) {
        most = std::max(most, std::abs(z(j, k)));
        largest = std::max(largest, std::abs(torques.beyond_load[j][k]));
      }
      if (most < 0.8 * levels[j]) continue;
      event.joints.push_back(j);
      event.peak = std::max(event.peak, largest);
    }
    found.events.push_back(event);
  }
  return found;
}

ContactForce contact_force(const Robot& hand, std::span<const double> q,
                           std::span<const double> torques, std::span<const double> errors) {
  constexpr double untold = 1e3;  // times the best direction's error
  const std::size_t n = hand.dof();
  const Matrix J = jacobian(normalize(hand), q.first(n));
  Eigen::MatrixXd A = eigen(J).topRows(3).transpose();  // τ = A f
  Eigen::VectorXd b(index(n));
  for (std::size_t j = 0; j < n; ++j) {
    const double weight = errors[j] > 0.0 ? 1.0 / errors[j] : 0.0;
    A.row(index(j)) *= weight;
    b[index(j)] = weight * torques[j];
  }
  const SymmetricEigen information = symmetric_eigen(A.transpose() * A);
  const double best = information.values.maxCoeff();
  ContactForce found;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), variance = Eigen::Vector3d::Zero();
  const Eigen::Vector3d right = A.transpose() * b;
  double least = best;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = information.vectors.col(k);
    const double value = information.values[k];
    least = std::min(least, std::max(value, 0.0));
    if (!(value * untold * untold > best)) {
      for (Eigen::Index i = 0; i < 3; ++i) {
        if (std::abs(axis[i]) > 0.7) found.untold.emplace_back(1, "xyz"[i]);
      }
      continue;
    }
    force += axis * (axis.dot(right) / value);
    variance += axis.cwiseAbs2() / value;
    const Eigen::Vector3d long_as = axis / std::sqrt(value);
    found.axes.push_back({long_as[0], long_as[1], long_as[2]});
  }
  found.condition = std::sqrt(best / least);
  found.value = {force[0], force[1], force[2]};
  const Eigen::Vector3d error = variance.cwiseSqrt();
  found.error = {error[0], error[1], error[2]};
  return found;
}

}  // namespace armdyn
