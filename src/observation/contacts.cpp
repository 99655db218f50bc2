#include "observation/contacts.hpp"

#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>

#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"
#include "model/mechanism.hpp"

namespace armdyn {

namespace {

/// Largest squares in blocks of rows, as samples of a Gumbel distribution.
class LargestSquares {
 public:
  explicit LargestSquares(std::vector<double> squares) : sorted_(std::move(squares)) {
    std::ranges::sort(sorted_);
  }

  [[nodiscard]] std::size_t count() const { return sorted_.size(); }
  [[nodiscard]] double largest() const { return sorted_.back(); }
  void drop_largest() { sorted_.pop_back(); }

  /// Scale of the distribution by pairs of quantiles, no less than that of normal noise (eq. 37.10).
  using Pairs = std::initializer_list<std::pair<double, double>>;
  [[nodiscard]] double scale(Pairs quantiles) const {
    double scale = 2.0;
    for (const auto& [low, high] : quantiles) {
      scale = std::max(scale, (quantile(high) - quantile(low)) / (standard(high) - standard(low)));
    }
    return scale;
  }
  /// What is exceeded less than once in so many blocks.
  [[nodiscard]] double level(Pairs quantiles, double blocks) const {
    const double by = scale(quantiles);
    return std::max(0.0, quantile(0.5) - by * standard(0.5)) + by * std::log(blocks);
  }

 private:
  /// Quantile of scale 1 and mode 0.
  static double standard(double p) { return -std::log(-std::log(p)); }
  [[nodiscard]] double quantile(double p) const {
    return sorted_[static_cast<std::size_t>(p * static_cast<double>(sorted_.size() - 1))];
  }

  std::vector<double> sorted_;
};

/// The level of |z| that a joint passes less than once in `blocks`, whatever the tail of its noise.
double level_of_events(const LargestSquares& all, double blocks) {
  constexpr double plainly = 9.0;  // times the square of the level: a contact, no tail of the noise
  LargestSquares squares = all;
  const double most = plainly * squares.level({{0.25, 0.75}}, blocks);
  while (squares.largest() > most) squares.drop_largest();
  return std::sqrt(squares.level({{0.25, 0.75}, {0.5, 0.9}, {0.75, 0.95}}, blocks));
}

/// The same by the half of the blocks with the least, where these are like normal noise: many blocks
/// may have a tap. Infinite where the noise is another.
double level_of_taps(const LargestSquares& squares, double blocks) {
  constexpr std::size_t fewest = 10;
  constexpr double most = 4.0;  // scale; that of normal noise is 2
  const bool is_normal = squares.count() >= fewest && squares.scale({{0.1, 0.5}}) < most;
  return is_normal ? std::sqrt(squares.level({{0.1, 0.5}}, blocks))
                   : std::numeric_limits<double>::infinity();
}

/// Search for events in torques over their errors, z: first over the usual ones, then for taps.
class ContactSearch {
 public:
  ContactSearch(const ObservedLog& log, const ExternalTorques& torques, const LoadHistory& loads,
                double at_ends)
      : log_(log), torques_(torques), loads_(loads), T_(filter_width(log)), counts_(log.rows()) {
    log.for_each_stretch([&](std::size_t from, std::size_t end) {
      for (std::size_t row = from; row < end; ++row) {
        counts_[row] =
            log.t[row] - log.t[from] >= at_ends && log.t[end - 1] - log.t[row] >= at_ends;
      }
    });
  }

  ContactEvents find(double false_alarms) {
    ContactEvents found;
    found.thresholds = find_levels(torques_.error, false_alarms, level_of_events);
    find_events(found.events);
    found.tap_thresholds = find_levels(local_errors(), false_alarms, level_of_taps);
    for (double& threshold : found.tap_thresholds) threshold /= peak_of_tap();
    find_taps(found.events);
    std::ranges::sort(found.events, {}, &Contact::from);
    return found;
  }

 private:
  static constexpr double tap_ = 0.02;   // s
  static constexpr double flank_ = 5.0;  // of the filter, times T

  /// Errors with the noise around each block, where it is more than usual for a while.
  [[nodiscard]] Columns local_errors() const {
    constexpr double around = 1.0, median_of_normal = 0.6744897501960817;  // s; of |x|
    Columns errors = torques_.error;
    log_.for_each_block([&](std::size_t from, std::size_t end) {
      std::size_t first = from, last = end;
      while (first > 0 && log_.t[first - 1] > log_.t[from] - around) --first;
      while (last < log_.rows() && log_.t[last] < log_.t[end - 1] + around) ++last;
      for (std::size_t j = 0; j < errors.size(); ++j) {
        std::vector<double> sizes;
        for (std::size_t row = first; row < last; ++row) sizes.push_back(std::abs(z_[j][row]));
        const double noise = std::max(1.0, median_of(std::move(sizes)) / median_of_normal);
        for (std::size_t row = from; row < end; ++row) errors[j][row] *= noise;
      }
    });
    return errors;
  }

  /// Peak of a shortest tap through the filter, over its torque.
  [[nodiscard]] double peak_of_tap() const { return 1.0 - std::exp(-0.5 * tap_ / T_); }

  void find_events(std::vector<Contact>& found) const {
    for (std::size_t row = 0; row < log_.rows(); ++row) {
      if (share(row) <= 1.0) continue;
      Contact event = span_around(row);
      row = event.to;
      cut_flanks(event);
      if (is_near_cut(event)) continue;
      describe(event);
      found.push_back(std::move(event));
    }
  }

  /// Adds events above the levels of taps that are no longer than a tap through the filter, and at no
  /// other event or its flanks.
  void find_taps(std::vector<Contact>& found) const {
    const std::size_t others = found.size();
    for (std::size_t row = 0; row < log_.rows(); ++row) {
      if (share(row) <= 1.0) continue;
      Contact event = span_around(row);
      double peak = 0.0;
      for (std::size_t k = event.from; k < event.to; ++k) peak = std::max(peak, share(k));
      row = event.to;
      const double longest = 1.5 * tap_ + 2.0 * T_ * (std::log(2.0 * peak) + 1.0);
      const bool is_tap = log_.t[event.to - 1] - log_.t[event.from] <= longest;
      const auto overlaps = [&](const Contact& other) {
        return log_.t[event.from] < log_.t[other.to - 1] + flank_ * T_ &&
               log_.t[event.to - 1] > log_.t[other.from] - flank_ * T_;
      };
      if (!is_tap || is_near_cut(event) ||
          std::any_of(found.begin(), found.begin() + index(others), overlaps)) {
        continue;
      }
      cut_flanks(event);
      describe(event);
      found.push_back(std::move(event));
    }
  }

  /// Sets z over these errors, and its levels; finds the torques there by the usual errors.
  std::vector<double> find_levels(const Columns& errors, double false_alarms,
                                  double (*level)(const LargestSquares&, double)) {
    constexpr double confidence = 20.0;  // times rarer than asked for
    const std::size_t n = errors.size();
    const double blocks = confidence * static_cast<double>(n) / (false_alarms * ObservedLog::block);
    z_ = torques_.beyond_load;
    levels_.resize(n);
    std::vector<double> thresholds;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t row = 0; row < log_.rows(); ++row) {
        z_[j][row] *= counts_[row] ? 1.0 / errors[j][row] : 0.0;
      }
      std::vector<double> squares;
      log_.for_each_block([&](std::size_t from, std::size_t end) {
        squares.push_back(square(largest_magnitude(std::span(z_[j]).subspan(from, end - from))));
      });
      levels_[j] = level(LargestSquares(std::move(squares)), blocks);
      thresholds.push_back(levels_[j] * median_of(errors[j]));
    }
    return thresholds;
  }

  /// Largest |z| of a row over the level of its joint.
  [[nodiscard]] double share(std::size_t row) const {
    double most = 0.0;
    for (std::size_t j = 0; j < levels_.size(); ++j) {
      most = std::max(most, std::abs(z_[j][row]) / levels_[j]);
    }
    return most;
  }

  /// Rows around one above the level, down to half of it; across what is below for a moment.
  [[nodiscard]] Contact span_around(std::size_t row) const {
    const double apart = 0.1 + 4.0 * T_;
    Contact event{row, row + 1, row, {}, 0.0, 0.0};
    while (event.from > 0 && share(event.from - 1) > 0.5) --event.from;
    for (std::size_t k = row; k < log_.rows() && log_.t[k] < log_.t[event.to - 1] + apart; ++k) {
      if (share(k) > (k == event.to ? 0.5 : 1.0)) event.to = k + 1;
    }
    return event;
  }

  /// Takes off rows at the ends that are below half of what comes next: the filter's flanks.
  void cut_flanks(Contact& event) const {
    const auto is_flank = [&](std::size_t at, double way) {
      double most = 0.0;
      for (std::size_t k = event.from; k < event.to; ++k) {
        const double beyond = way * (log_.t[k] - log_.t[at]);
        if (beyond >= 0.0 && beyond <= 4.0 * T_) most = std::max(most, share(k));
      }
      return share(at) < 0.5 * most;
    };
    while (is_flank(event.from, 1.0)) ++event.from;
    while (is_flank(event.to - 1, -1.0)) --event.to;
  }

  /// Tests whether it is the moment where a load comes or goes.
  [[nodiscard]] bool is_near_cut(const Contact& event) const {
    return std::ranges::any_of(loads_.intervals, [&](const LoadInterval& interval) {
      return interval.from > 0 && log_.t[event.from] < log_.t[interval.from] + flank_ * T_ &&
             log_.t[event.to - 1] > log_.t[interval.from] - flank_ * T_;
    });
  }

  /// Finds the clearest row, where the filter does not lower the torques if there is such a row, and
  /// the joints that feel the event.
  void describe(Contact& event) const {
    constexpr double feels = 0.8;  // of the level
    const double inside = 0.5 * event_with_whole_force(T_);
    std::pair clearest{false, -1.0};
    for (std::size_t k = event.from; k < event.to; ++k) {
      double squares = 0.0, clear = 0.0;
      const std::vector<double> deviations = torques_.deviations(k);
      for (std::size_t j = 0; j < levels_.size(); ++j) {
        squares += square(z_[j][k]);
        clear += square(torques_.beyond_load[j][k] / deviations[j]);
      }
      const double distance = std::sqrt(squares);
      event.distance = std::max(event.distance, distance);
      const double from_edge =
          std::min(log_.t[k] - log_.t[event.from], log_.t[event.to - 1] - log_.t[k]);
      const std::pair rank{from_edge >= inside, clear};
      if (rank > clearest) clearest = rank, event.worst = k;
    }
    for (std::size_t j = 0; j < levels_.size(); ++j) {
      double most = 0.0, largest = 0.0;
      for (std::size_t k = event.from; k < event.to; ++k) {
        most = std::max(most, std::abs(z_[j][k]));
        largest = std::max(largest, std::abs(torques_.beyond_load[j][k]));
      }
      if (most < feels * levels_[j]) continue;
      event.joints.push_back(j);
      event.peak = std::max(event.peak, largest);
    }
  }

  const ObservedLog& log_;
  const ExternalTorques& torques_;
  const LoadHistory& loads_;
  double T_;                    // of the filter
  std::vector<bool> counts_;    // rows that are not at the end of a stretch
  Columns z_;                   // torques over errors
  std::vector<double> levels_;  // of each joint's |z|
};

}  // namespace

ContactEvents find_contacts(const ObservedLog& log, const ExternalTorques& torques,
                            const LoadHistory& loads, double false_alarms, double at_ends) {
  return ContactSearch(log, torques, loads, at_ends).find(false_alarms);
}

ContactWrench contact_wrench(const Robot& to_contact, std::span<const double> q,
                             std::span<const double> torques, std::span<const double> errors,
                             ContactPart part) {
  constexpr double undetermined = 1e3;  // times the best direction's error
  constexpr std::array axes{"x", "y", "z", "nx", "ny", "nz"};
  const std::vector<std::size_t> joints = joints_that_move(to_contact, tool_joint(to_contact));
  const std::size_t n = joints.size();
  const Eigen::Index size = part == ContactPart::force ? 3 : 6;
  const Matrix J = jacobian(normalize(to_contact), q.first(to_contact.dof()));
  Eigen::MatrixXd A(index(n), size);  // τ = A w
  Eigen::VectorXd b(index(n));
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = joints[i];
    const double weight = errors[j] > 0.0 ? 1.0 / errors[j] : 0.0;
    A.row(index(i)) = weight * eigen(J).col(index(j)).head(size).transpose();
    b[index(i)] = weight * torques[j];
  }
  // Moments are compared with forces in a unit in which both do as much on the whole.
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(size);
  if (size == 6 && A.rightCols(3).norm() > 0.0) {
    unit.tail(3).setConstant(A.leftCols(3).norm() / A.rightCols(3).norm());
  }
  A *= unit.asDiagonal();
  const SymmetricEigen information = symmetric_eigen(A.transpose() * A);
  const double best = information.values.maxCoeff();
  Eigen::VectorXd w = Eigen::VectorXd::Zero(size), variance = w;
  const Eigen::VectorXd right = A.transpose() * b;
  ContactWrench found;
  double least = best;
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::VectorXd axis = information.vectors.col(k);
    const double value = information.values[k];
    least = std::min(least, std::max(value, 0.0));
    if (!(value * undetermined * undetermined > best)) {
      for (Eigen::Index i = 0; i < size; ++i) {
        if (std::abs(axis[i]) > 0.7)
          found.undetermined.emplace_back(axes[static_cast<std::size_t>(i)]);
      }
      continue;
    }
    w += axis * (axis.dot(right) / value);
    variance += axis.cwiseAbs2() / value;
    found.axes.push_back(plain_vector(unit.cwiseProduct(axis) / std::sqrt(value)));
  }
  found.left = std::sqrt((b - A * w).squaredNorm());
  found.free = std::max(0.0, static_cast<double>(n) - static_cast<double>(found.axes.size()));
  found.condition = std::sqrt(best / least);
  w = unit.cwiseProduct(w);
  const Eigen::VectorXd error = unit.cwiseProduct(variance.cwiseSqrt());
  const auto three = [](const Eigen::VectorXd& of, Eigen::Index from) {
    return Vec3{of[from], of[from + 1], of[from + 2]};
  };
  found.force = {three(w, 0), three(error, 0)};
  if (size == 6) found.moment = {three(w, 3), three(error, 3)};
  return found;
}

}  // namespace armdyn
