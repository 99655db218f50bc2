#include "observation/load_history.hpp"

#include <algorithm>
#include <cmath>

#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"
#include "model/file_accuracy.hpp"

namespace armdyn {

namespace {

constexpr Eigen::Index load_size = body_parameters;
constexpr std::size_t most_windows = 240;
constexpr double least_window = 0.1, least_load = 1.0;  // s
constexpr std::size_t most_intervals = 12;
constexpr double nothing = 1e-4;  // of the largest torque
constexpr double chance = 7.0;    // −ln of the probability of a cut that is none

/// Standard deviations of an unknown load: kg, kg·m, kg·m².
Eigen::VectorXd usual_load() {
  Eigen::VectorXd usual(load_size);
  usual << 30.0, 10.0, 10.0, 10.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0;
  return usual;
}

/// Mean without the largest tenth: a contact is no noise.
double trimmed_mean(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  const std::size_t kept = values.size() - values.size() / 10;
  return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(kept), 0.0) /
         static_cast<double>(kept);
}

/// Rows and their products: of [Y, Y_load, 1, residual] for each joint.
struct Window {
  std::size_t from = 0, to = 0;
  std::vector<Eigen::MatrixXd> products;
};

/// Windows [first, end) with a common load.
struct Stretch {
  std::size_t first = 0, end = 0;
};

/// Fit of the arm's errors and of a load in each stretch to windows of a log.
class LoadFit {
 public:
  LoadFit(ErrorRegressor& regressor, const ObservedLog& log, const Columns& left,
          const ArmErrors& arm)
      : regressor_(regressor),
        log_(log),
        left_(left),
        arm_(arm),
        fitted_(arm.known == ArmErrors::Known::exact ? 0 : regressor.arm()) {
    const double span = log.rows() > 1 ? log.t.back() - log.t.front() : 0.0;
    const auto count = static_cast<std::size_t>(
        std::clamp(span / least_window, 1.0, static_cast<double>(most_windows)));
    for (std::size_t w = 0; w < count; ++w) {
      const std::size_t from = w * log.rows() / count, to = (w + 1) * log.rows() / count;
      if (to > from) windows_.push_back(window(from, to));
    }
    bursts_.resize(windows_.size());
    for (const std::vector<double>& tau : log.tau) {
      const Bounds bounds = bounds_of(tau);
      least_noise_ = std::max({least_noise_, nothing * bounds.greatest, -nothing * bounds.least});
    }
    if (arm.known == ArmErrors::Known::not_at_all) find_scales();
    shortest_ = std::max<std::size_t>(
        2, static_cast<std::size_t>(std::ceil(least_load * static_cast<double>(count) / span)));
  }

 protected:
  struct Solution {
    Eigen::VectorXd arm;
    std::vector<Eigen::VectorXd> loads;
    Eigen::MatrixXd covariance;           // of arm and loads
    Eigen::MatrixXd information;          // of the arm alone
    std::optional<std::size_t> unloaded;  // what the others are measured from
  };

  Window window(std::size_t from, std::size_t to) {
    constexpr std::size_t at_a_time = 512;
    const std::size_t n = left_.size();
    const Eigen::Index size = fitted_ + load_size + 2;
    Window made{from, to, std::vector<Eigen::MatrixXd>(n, Eigen::MatrixXd::Zero(size, size))};
    std::vector<Eigen::MatrixXd> Y;
    for (std::size_t first = from; first < to; first += at_a_time) {
      const std::size_t count = std::min(at_a_time, to - first);
      regressor_.rows(log_, first, count, fitted_ == 0, Y);
      for (std::size_t j = 0; j < n; ++j) {
        Eigen::MatrixXd rows(index(count), size);
        rows << Y[j], Eigen::VectorXd::Ones(index(count)),
            Eigen::Map<const Eigen::VectorXd>(left_[j].data() + first, index(count));
        for (std::size_t row = 0; row < count; ++row) {
          if (regressor_.is_slow(j, row_of(log_.qd, first + row))) rows.row(index(row)).setZero();
        }
        made.products[j].noalias() += rows.transpose() * rows;
      }
    }
    return made;
  }

  /// Unknown parameters make no more than all of a joint's torque.
  void find_scales() {
    own_information_ = Eigen::VectorXd::Constant(fitted_, std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < left_.size(); ++j) {
      Eigen::VectorXd squares = Eigen::VectorXd::Zero(fitted_);
      for (const Window& window : windows_) squares += window.products[j].diagonal().head(fitted_);
      const double torque =
          square(least_noise_) * static_cast<double>(log_.rows()) +
          Eigen::Map<const Eigen::VectorXd>(log_.tau[j].data(), index(log_.rows())).squaredNorm();
      for (Eigen::Index k = 0; k < fitted_; ++k) {
        if (squares[k] > 0.0)
          own_information_[k] = std::min(own_information_[k], squares[k] / torque);
      }
    }
    own_information_ = own_information_.array().isFinite().select(own_information_, 1e12);
  }

  /// Solves for arm and loads with the joints weighted by what that leaves.
  void solve_weighted(const std::vector<Stretch>& stretches) {
    if (weights_.size() == 0) weights_ = Eigen::VectorXd::Ones(index(left_.size()));
    for (int i = 0; i < 3; ++i) {
      solve(stretches);
      weigh(stretches);
    }
  }

  void solve(const std::vector<Stretch>& stretches) {
    const bool has_reference = arm_.known == ArmErrors::Known::not_at_all;
    solution_.unloaded.reset();
    solve(stretches, has_reference ? std::optional<std::size_t>(0) : std::nullopt);
    if (!has_reference || stretches.size() == 1) return;
    const auto lightest = std::ranges::min_element(
        solution_.loads, {}, [](const Eigen::VectorXd& load) { return load[0]; });
    const auto unloaded = static_cast<std::size_t>(lightest - solution_.loads.begin());
    if (unloaded != 0) solve(stretches, unloaded);
  }

  void solve(const std::vector<Stretch>& stretches, std::optional<std::size_t> unloaded) {
    const Eigen::Index size = fitted_ + load_size * index(stretches.size());
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      const Eigen::MatrixXd A = weighted(stretches[s]);
      const Eigen::Index at = fitted_ + load_size * index(s), last = A.cols() - 1;
      H.topLeftCorner(fitted_, fitted_) += A.topLeftCorner(fitted_, fitted_);
      b.head(fitted_) += A.col(last).head(fitted_);
      H.block(0, at, fitted_, load_size) = A.block(0, fitted_, fitted_, load_size);
      H.block(at, 0, load_size, fitted_) = A.block(fitted_, 0, load_size, fitted_);
      H.block(at, at, load_size, load_size) = A.block(fitted_, fitted_, load_size, load_size);
      b.segment(at, load_size) = A.col(last).segment(fitted_, load_size);
      H.diagonal().segment(at, load_size) += usual_load().cwiseAbs2().cwiseInverse();
      if (s == unloaded) {
        H.block(at, 0, load_size, size).setZero();
        H.block(0, at, size, load_size).setZero();
        H.block(at, at, load_size, load_size).setIdentity();
        b.segment(at, load_size).setZero();
      }
    }
    solution_.information = H.topLeftCorner(fitted_, fitted_);
    if (arm_.known == ArmErrors::Known::by_prior) {
      H.topLeftCorner(fitted_, fitted_) += arm_.information;
      b.head(fitted_) += arm_.information * arm_.values;
    }
    if (own_information_.size() > 0) H.diagonal().head(fitted_) += own_information_;
    const Eigen::VectorXd scale = H.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd inverse = solve_symmetric(scale.asDiagonal() * H * scale.asDiagonal(),
                                                    Eigen::MatrixXd::Identity(size, size));
    solution_.covariance = scale.asDiagonal() * inverse * scale.asDiagonal();
    const Eigen::VectorXd x = solution_.covariance * b;
    solution_.arm = x.head(fitted_);
    solution_.loads.clear();
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      solution_.loads.emplace_back(x.segment(fitted_ + load_size * index(s), load_size));
    }
    solution_.unloaded = unloaded;
    if (unloaded) {
      const Eigen::Index at = fitted_ + load_size * index(*unloaded);
      solution_.covariance.block(at, at, load_size, load_size).setZero();
    }
  }

  /// Products of a stretch, each joint by its weight.
  [[nodiscard]] Eigen::MatrixXd weighted(const Stretch& stretch) const {
    const Eigen::Index size = fitted_ + load_size + 2;
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t w = stretch.first; w < stretch.end; ++w) {
      if (bursts_[w]) continue;
      for (std::size_t j = 0; j < left_.size(); ++j) {
        sum += weights_[index(j)] * windows_[w].products[j];
      }
    }
    return sum;
  }

  /// Residual of a joint's torques in a window: rows, sum, sum of squares.
  [[nodiscard]] static Eigen::Vector3d left_in(const Eigen::VectorXd& arm,
                                               const Eigen::VectorXd& load, const Window& window,
                                               std::size_t joint) {
    const Eigen::MatrixXd& A = window.products[joint];
    Eigen::VectorXd x(A.cols());
    x << -arm, -load, 0.0, 1.0;
    const Eigen::VectorXd Ax = A * x;
    const Eigen::Index one = A.cols() - 2;
    return {A(one, one), Ax[one], std::max(0.0, x.dot(Ax))};
  }

  /// Weighs joints by the variance of the residual, times the rows that are worth one: by the means
  /// over windows of each length that occurs eight times.
  void weigh(const std::vector<Stretch>& stretches) {
    noise_.assign(left_.size(), 0.0);
    for (std::size_t j = 0; j < left_.size(); ++j) {
      std::vector<Eigen::Vector3d> of_windows;
      for (std::size_t s = 0; s < stretches.size(); ++s) {
        for (std::size_t w = stretches[s].first; w < stretches[s].end; ++w) {
          if (!bursts_[w])
            of_windows.push_back(left_in(solution_.arm, solution_.loads[s], windows_[w], j));
        }
      }
      std::erase_if(of_windows, [](const Eigen::Vector3d& sums) { return sums[0] < 1.0; });
      if (of_windows.empty()) continue;
      const auto variances =
          each(of_windows, [](const Eigen::Vector3d& sums) { return sums[2] / sums[0]; });
      noise_[j] = std::sqrt(median_of(variances));
      double worst = trimmed_mean(variances);
      for (auto sums = of_windows; sums.size() >= 8;) {
        worst = std::max(worst, trimmed_mean(each(sums, [](const Eigen::Vector3d& sum) {
                           return sum[1] * sum[1] / sum[0];
                         })));
        std::vector<Eigen::Vector3d> pairs;
        for (std::size_t k = 0; k + 1 < sums.size(); k += 2) pairs.push_back(sums[k] + sums[k + 1]);
        sums = std::move(pairs);
      }
      weights_[index(j)] = 1.0 / std::max(worst, square(least_noise_));
    }
  }

  [[nodiscard]] double misfit(const Solution& by, const std::vector<Stretch>& stretches) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      for (std::size_t w = stretches[s].first; w < stretches[s].end; ++w) {
        if (bursts_[w]) continue;
        for (std::size_t j = 0; j < left_.size(); ++j) {
          sum += weights_[index(j)] * left_in(by.arm, by.loads[s], windows_[w], j)[2];
        }
      }
    }
    return sum;
  }

  [[nodiscard]] LoadInterval interval_of(const std::vector<Stretch>& stretches,
                                         std::size_t s) const {
    const Eigen::Index at = fitted_ + load_size * index(s);
    return {windows_[stretches[s].first].from, windows_[stretches[s].end - 1].to,
            solution_.loads[s], solution_.covariance.block(at, at, load_size, load_size)};
  }

  ErrorRegressor& regressor_;
  const ObservedLog& log_;
  const Columns& left_;
  const ArmErrors& arm_;
  Eigen::Index fitted_;  // parameters of the arm
  double least_noise_ = 0.0;
  Eigen::VectorXd own_information_;  // of each, where nothing is known
  std::vector<Window> windows_;
  std::vector<bool> bursts_;  // windows that are left out
  std::size_t shortest_ = 2;  // stretch, in windows
  Eigen::VectorXd weights_;
  std::vector<double> noise_;
  Solution solution_;
};

/// Search for the stretches with a load each that explain most.
class LoadSearch : LoadFit {
 public:
  using LoadFit::LoadFit;

  LoadHistory find(bool may_change) {
    whole_ = {{0, windows_.size()}};
    solve_weighted(whole_);
    std::vector<Stretch> found = whole_;
    leave_out_bursts(found);
    for (int i = 0; i < 3; ++i) {
      found = search(may_change);
      if (!leave_out_bursts(found)) break;
    }
    return history(may_change ? to_the_row(found) : found);
  }

 private:
  /// The loads that explain most beyond chance.
  std::vector<Stretch> search(bool may_change) {
    solve_weighted(whole_);
    std::vector<Stretch> found = whole_;
    Solution best = solution_;
    const bool knows_no_load = arm_.known != ArmErrors::Known::not_at_all;
    bool goes_on = may_change;
    while (goes_on && found.size() < most_intervals) {
      goes_on = false;
      for (std::size_t more = 1; more <= 4 && !goes_on; ++more) {
        const std::size_t count = found.size() + more;
        if (count * shortest_ > windows_.size()) break;
        solution_ = best;
        std::vector<Stretch> tried;
        for (int i = 0; i < 3; ++i) {  // the cuts and the arm by turns
          tried = best_cuts(count);
          solve_weighted(tried);
        }
        const double gain = misfit(best, found) - misfit(solution_, tried);
        if (gain <= least_gain(more)) continue;
        if (knows_no_load && leave_out_contacts(tried)) return search(may_change);
        if (is_of_loads(tried)) {
          found = tried;
          best = solution_;
          goes_on = true;
        }
      }
    }
    solution_ = best;
    solve_weighted(found);
    return found;
  }

  /// Squares of the residual in a window by a load, over the usual ones.
  [[nodiscard]] double left_over_usual(std::size_t window, const Eigen::VectorXd& load) const {
    double left = 0.0;
    for (std::size_t j = 0; j < left_.size(); ++j) {
      const Eigen::Vector3d sums = left_in(solution_.arm, load, windows_[window], j);
      const double usual = std::max(square(noise_[j]), square(least_noise_));
      if (sums[0] >= 1.0) left += sums[2] / sums[0] / usual;
    }
    return left;
  }

  [[nodiscard]] std::vector<double> left_over_usual(const std::vector<Stretch>& stretches) const {
    std::vector<double> left(windows_.size());
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      for (std::size_t w = stretches[s].first; w < stretches[s].end; ++w) {
        left[w] = left_over_usual(w, solution_.loads[s]);
      }
    }
    return left;
  }

  /// Leaves out windows where far more than usual is left, for a shorter time than a load lasts:
  /// contacts. Tests whether these are others than before.
  bool leave_out_bursts(const std::vector<Stretch>& stretches) {
    const std::vector<double> left = left_over_usual(stretches);
    const double most = far_more_ * median_of(left);
    std::vector<bool> bursts = contacts_;
    for (std::size_t w = 0, end = 0; w < left.size(); w = end + 1) {
      for (end = w; end < left.size() && left[end] > most;) ++end;
      if (end - w < shortest_) std::fill_n(bursts.begin() + index(w), end - w, true);
    }
    return std::exchange(bursts_, bursts) != bursts;
  }

  /// Leaves out windows of stretches whose load is no body, where far more than usual is left without
  /// it: contacts that last as long as a load. Tests whether there are any.
  bool leave_out_contacts(const std::vector<Stretch>& stretches) {
    const double most = far_more_ * median_of(left_over_usual(stretches));
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(load_size);
    bool is_any = false;
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      if (interval_of(stretches, s).is_body()) continue;
      for (std::size_t w = stretches[s].first; w < stretches[s].end; ++w) {
        if (contacts_[w] || left_over_usual(w, none) <= most) continue;
        contacts_[w] = is_any = true;
      }
    }
    if (is_any) bursts_ = contacts_;
    return is_any;
  }

  /// Least gain of more cuts that is no chance: χ² of ten parameters each, where any window may be
  /// the cut (Laurent and Massart 2000, lemma 1).
  [[nodiscard]] double least_gain(std::size_t cuts) const {
    const double freedom = static_cast<double>(load_size) * static_cast<double>(cuts);
    const double x =
        chance + static_cast<double>(cuts) * std::log(static_cast<double>(windows_.size()));
    return freedom + 2.0 * std::sqrt(freedom * x) + 2.0 * x;
  }

  /// The cuts into so many stretches that leave least, for the arm as it is: dynamic programming.
  [[nodiscard]] std::vector<Stretch> best_cuts(std::size_t count) const {
    const std::size_t n = windows_.size();
    std::vector<Eigen::MatrixXd> G(n + 1, Eigen::MatrixXd::Zero(load_size, load_size));
    std::vector<Eigen::VectorXd> b(n + 1, Eigen::VectorXd::Zero(load_size));
    for (std::size_t w = 0; w < n; ++w) {
      const Eigen::MatrixXd A = weighted({w, w + 1});
      G[w + 1] = G[w] + A.block(fitted_, fitted_, load_size, load_size);
      b[w + 1] = b[w] + A.col(A.cols() - 1).segment(fitted_, load_size) -
                 A.block(fitted_, 0, load_size, fitted_) * solution_.arm;
    }
    const Eigen::VectorXd prior = usual_load().cwiseAbs2().cwiseInverse();
    constexpr double none = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> gain(n + 1, std::vector<double>(n + 1, -none));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = i + shortest_; k <= n; ++k) {
        Eigen::MatrixXd H = G[k] - G[i];
        H.diagonal() += prior;
        const Eigen::VectorXd right = b[k] - b[i];
        gain[i][k] = right.dot(Eigen::VectorXd(solve_symmetric(H, right)));
      }
    }
    std::vector<std::vector<double>> most(count + 1, std::vector<double>(n + 1, -none));
    std::vector<std::vector<std::size_t>> from(count + 1, std::vector<std::size_t>(n + 1));
    most[0][0] = 0.0;
    for (std::size_t s = 1; s <= count; ++s) {
      for (std::size_t k = 1; k <= n; ++k) {
        for (std::size_t i = 0; i < k; ++i) {
          const double sum = most[s - 1][i] + gain[i][k];
          if (sum > most[s][k]) most[s][k] = sum, from[s][k] = i;
        }
      }
    }
    std::vector<Stretch> found(count);
    for (std::size_t s = count, end = n; s-- > 0; end = found[s].first) {
      found[s] = {from[s + 1][end], end};
    }
    return found;
  }

  /// Tests whether the load of each half of a stretch explains the other half better than the loads
  /// of the neighboring stretches do: errors of the model that look like a load do not last.
  [[nodiscard]] bool is_of_loads(const std::vector<Stretch>& stretches) const {
    constexpr Eigen::Index point = 4;  // mass and first moments
    const auto equations = [&](const Stretch& stretch) {
      const Eigen::MatrixXd A = weighted(stretch);
      return std::pair(Eigen::MatrixXd(A.block(fitted_, fitted_, load_size, load_size)),
                       Eigen::VectorXd(A.col(A.cols() - 1).segment(fitted_, load_size) -
                                       A.block(fitted_, 0, load_size, fitted_) * solution_.arm));
    };
    const auto load_of = [&](const Stretch& stretch) -> Eigen::VectorXd {
      auto [G, b] = equations(stretch);
      G.diagonal() += usual_load().cwiseAbs2().cwiseInverse();
      Eigen::VectorXd load = Eigen::VectorXd::Zero(load_size);
      load.head(point) = solve_symmetric(G.topLeftCorner(point, point), b.head(point));
      return load;
    };
    const auto misfit_of = [&](const Stretch& stretch, const Eigen::VectorXd& load) {
      const auto [G, b] = equations(stretch);
      return load.dot(G * load) - 2.0 * load.dot(b);
    };
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      const std::size_t middle = (stretches[s].first + stretches[s].end) / 2;
      const std::array halves{Stretch{stretches[s].first, middle},
                              Stretch{middle, stretches[s].end}};
      for (const std::size_t other : {s - 1, s + 1}) {
        if (other >= stretches.size()) continue;
        const Eigen::VectorXd of_other = load_of(stretches[other]);
        for (const std::size_t half : {0U, 1U}) {
          const double own = misfit_of(halves[half], load_of(halves[1 - half]));
          if (own >= misfit_of(halves[half], of_other)) return false;
        }
      }
    }
    return true;
  }

  /// Moves the cuts to the rows that leave least, of the windows on either side.
  [[nodiscard]] std::vector<Stretch> to_the_row(std::vector<Stretch> stretches) {
    for (std::size_t s = 0; s + 1 < stretches.size(); ++s) {
      const std::size_t w = stretches[s].end;
      const std::size_t first = windows_[w - 1].from, end = windows_[w].to;
      std::vector<Eigen::MatrixXd> Y;
      regressor_.rows(log_, first, end - first, fitted_ == 0, Y);
      double sum = 0.0, least = 0.0;
      std::size_t best = first;
      for (std::size_t row = first; row < end; ++row) {
        const auto qd = row_of(log_.qd, row);
        for (std::size_t j = 0; j < left_.size(); ++j) {
          if (regressor_.is_slow(j, qd)) continue;
          const Eigen::VectorXd y = Y[j].row(index(row - first));
          const double rest = left_[j][row] - y.head(fitted_).dot(solution_.arm);
          const auto square_by = [&](std::size_t interval) {
            return std::pow(rest - y.tail(load_size).dot(solution_.loads[interval]), 2);
          };
          sum += weights_[index(j)] * (square_by(s) - square_by(s + 1));
        }
        if (sum < least) least = sum, best = row + 1;
      }
      windows_[w - 1] = window(first, std::max(best, first + 1));
      windows_[w] = window(std::max(best, first + 1), end);
      bursts_[w - 1] = bursts_[w] = false;
    }
    solve_weighted(stretches);
    return stretches;
  }

  /// Row of the rest at a cut where the torques step by those of the change of the load. Windows do not
  /// show it: their rows are of joints that move.
  [[nodiscard]] std::size_t step_at_rest(std::size_t cut, const Eigen::VectorXd& change) const {
    const auto rests = [&](std::size_t row) {
      const std::vector<double> qd = row_of(log_.qd, row);
      return std::ranges::all_of(in_order(qd.size()),
                                 [&](std::size_t j) { return regressor_.is_slow(j, qd); });
    };
    std::size_t first = cut;
    while (first + 1 < log_.rows() && log_.t[first] < log_.t[cut] + least_window && !rests(first))
      ++first;
    std::size_t end = first;
    while (first > 0 && rests(first - 1)) --first;
    while (end < log_.rows() && rests(end)) ++end;
    if (end == first) return cut;
    std::vector<Eigen::MatrixXd> Y;
    regressor_.rows(log_, first, 1, true, Y);
    std::vector<double> gain(end - first);  // of squares over those of the noise; friction is open
    for (std::size_t j = 0; j < left_.size(); ++j) {
      const auto tau = std::span(log_.tau[j]).subspan(first, end - first);
      const double noise = std::max(noise_[j], least_noise_), step = Y[j].row(0).dot(change);
      double before = 0.0, after = std::accumulate(tau.begin(), tau.end(), 0.0);
      for (std::size_t k = 1; k < tau.size(); ++k) {
        before += tau[k - 1];
        after -= tau[k - 1];
        const auto m = static_cast<double>(k), n = static_cast<double>(tau.size() - k);
        gain[k] += step * (2.0 * (after / n - before / m) - step) * m * n / (m + n) / square(noise);
      }
    }
    const auto most = std::ranges::max_element(gain);
    const bool is_step = *most > 2.0 * (chance + std::log(static_cast<double>(gain.size())));
    return is_step ? first + static_cast<std::size_t>(most - gain.begin()) : cut;
  }

  [[nodiscard]] LoadHistory history(const std::vector<Stretch>& stretches) const {
    LoadHistory found;
    found.known = arm_.known;
    found.arm = solution_.arm;
    found.arm_covariance = solution_.covariance.topLeftCorner(fitted_, fitted_);
    found.arm_information = solution_.information;
    found.noise = noise_;
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      LoadInterval& next = found.intervals.emplace_back(interval_of(stretches, s));
      if (s == 0) continue;
      LoadInterval& last = found.intervals[s - 1];
      next.from = last.to = std::max(last.from, step_at_rest(next.from, next.load - last.load));
    }
    return found;
  }

  static constexpr double far_more_ = 16.0;  // times the usual squares: a contact
  std::vector<bool> contacts_ = bursts_;     // of these, all of contacts that last long
  std::vector<Stretch> whole_;
};

}  // namespace

Eigen::Vector3d LoadInterval::com_error() const {
  Eigen::MatrixXd slopes(3, 4);  // of com, by mass and first moments
  slopes << -com() / load[0], Eigen::Matrix3d::Identity() / load[0];
  return (slopes * covariance.topLeftCorner(4, 4) * slopes.transpose()).diagonal().cwiseSqrt();
}

bool LoadInterval::is_body() const {
  constexpr double certain = 4.0, reach = 1.5;  // standard deviations; m
  return load[0] > certain * mass_error() && com().norm() < reach + certain * com_error().norm();
}

ArmErrors errors_of_file(const Robot& robot, const ErrorRegressor& regressor) {
  constexpr double kept = 1e-9;  // of the largest variance: of a parameter that was kept
  if (!robot.file_accuracy || !robot.file_accuracy->identified) return {};
  const IdentifiedParameters& file = *robot.file_accuracy->identified;
  const std::vector<std::string> names = regressor.names();
  std::vector<std::optional<std::size_t>> place(names.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::ranges::find(file.names, names[i]);
    if (at != file.names.end()) place[i] = at - file.names.begin(), ++found;
  }
  if (found < file.names.size() || found == 0) return {};
  ArmErrors errors{ArmErrors::Known::by_prior, Eigen::VectorXd::Zero(regressor.arm()), {}};
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(regressor.arm(), regressor.arm());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!place[i]) continue;
    errors.values[index(i)] = file.offsets[*place[i]];
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (place[j]) covariance(index(i), index(j)) = file.covariance_of(*place[i], *place[j]);
    }
  }
  const double least = kept * covariance.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
    if (!(covariance(i, i) > 0.0)) covariance(i, i) = least;
  }
  const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd inverse =
      solve_symmetric(scale.asDiagonal() * covariance * scale.asDiagonal(),
                      Eigen::MatrixXd::Identity(covariance.rows(), covariance.cols()));
  errors.information = scale.asDiagonal() * inverse * scale.asDiagonal();
  return errors;
}

LoadHistory find_loads(ErrorRegressor& regressor, const ObservedLog& log, const Columns& left,
                       const ArmErrors& arm, bool may_change) {
  return LoadSearch(regressor, log, left, arm).find(may_change);
}

}  // namespace armdyn
