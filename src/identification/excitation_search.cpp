#include "identification/excitation_search.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "math/each.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/statistics.hpp"
#include "model/mechanism.hpp"

namespace armdyn {

namespace {

constexpr int coarse = 24, fine = 512;  // rows per harmonic: of tries, and in the end
constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double spare = 0.995;           // of limits of torque, for peaks between fine rows
constexpr double smallest_factor = 1e-3;  // of a useful motion
constexpr std::size_t parents = 8, children = 16;
constexpr double first_step = 0.5;  // of the size of random coefficients

template <class Pointer, class Matrix>
std::vector<Pointer> columns(Matrix& matrix) {
  return each(in_order(static_cast<std::size_t>(matrix.cols())),
              [&](std::size_t i) { return Pointer{matrix.col(index(i)).data()}; });
}

/// H with its diagonal scaled to 1.
Eigen::MatrixXd of_like_size(const Eigen::MatrixXd& H) {
  Eigen::VectorXd scale = H.diagonal();
  for (double& s : scale) s = s > 0.0 ? 1.0 / std::sqrt(s) : 0.0;
  return scale.asDiagonal() * H * scale.asDiagonal();
}

/// Eigenvalues of such a matrix, those of unseen parameters no smaller than rounding (eq. 33.2).
struct Spectrum {
  explicit Spectrum(const Eigen::VectorXd& eigenvalues)
      : largest(std::max(1.0, eigenvalues.maxCoeff())) {
    constexpr double unseen = 1e-12;
    values = eigenvalues.cwiseMax(unseen * largest);
  }
  [[nodiscard]] double condition() const { return std::sqrt(largest / values.minCoeff()); }

  double largest;
  Eigen::VectorXd values;
};

/// Calls call(coefficient, unit) for each A_k and B_k of all joints; in this unit, the joint's size
/// over k, random ones are of like size.
template <class Series, class Call>
void for_coefficients(Series& series, const Eigen::VectorXd& size, Call call) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t k = 0; k < series[i].A.size(); ++k) {
      const double unit = size[index(i)] / static_cast<double>(k + 1);
      call(series[i].A[k], unit);
      call(series[i].B[k], unit);
    }
  }
}

Eigen::VectorXd coordinates(const std::vector<FourierSeries>& series, const Eigen::VectorXd& size) {
  std::vector<double> x;
  for_coefficients(series, size, [&](double c, double unit) { x.push_back(c / unit); });
  return eigen(x);
}

/// Series with these coordinates in the place of those in `series`, brought to rest at the ends.
std::vector<FourierSeries> series_at(const Eigen::VectorXd& x, const Eigen::VectorXd& size,
                                     std::vector<FourierSeries> series) {
  Eigen::Index at = 0;
  for_coefficients(series, size, [&](double& c, double unit) { c = x[at++] * unit; });
  for (FourierSeries& of_joint : series) rest_at_the_ends(of_joint);
  return series;
}

/// A (μ/μ, λ) evolution strategy with cumulative adaptation of its step (33.3-33.4).
class Evolution {
 public:
  struct Child {
    double condition = 0.0;
    Eigen::VectorXd step;
  };

  explicit Evolution(Eigen::VectorXd begin) : mean_(std::move(begin)), weights_(parents) {
    for (Eigen::Index i = 0; i < weights_.size(); ++i) {
      weights_[i] = std::log(parents + 0.5) - std::log(static_cast<double>(i) + 1.0);
    }
    weights_ /= weights_.sum();
    selected_ = 1.0 / weights_.squaredNorm();
    const auto N = static_cast<double>(mean_.size());
    memory_ = (selected_ + 2.0) / (N + selected_ + 5.0);
    damping_ = 1.0 + 2.0 * std::max(0.0, std::sqrt((selected_ - 1.0) / (N + 1.0)) - 1.0) + memory_;
    usual_ = std::sqrt(N) * (1.0 - 1.0 / (4.0 * N) + 1.0 / (21.0 * N * N));
    path_ = Eigen::VectorXd::Zero(mean_.size());
  }

  /// Sets the child's step, the one of that number, and gives its point.
  Eigen::VectorXd child(std::uint64_t seed, std::size_t number, Child& child) const {
    child.step.resize(mean_.size());
    for (Eigen::Index i = 0; i < mean_.size(); ++i) {
      child.step[i] = normal_quantile(uniform_variate(seed, number, static_cast<std::uint32_t>(i)));
    }
    return mean_ + step_ * child.step;
  }
  /// Moves on to the mean of the best.
  void select(std::vector<Child>& family) {
    std::ranges::stable_sort(family, {}, &Child::condition);
    Eigen::VectorXd move = Eigen::VectorXd::Zero(mean_.size());
    for (std::size_t i = 0; i < parents; ++i) move += weights_[index(i)] * family[i].step;
    mean_ += step_ * move;
    path_ = (1.0 - memory_) * path_ + std::sqrt(memory_ * (2.0 - memory_) * selected_) * move;
    step_ *= std::exp(memory_ / damping_ * (path_.norm() / usual_ - 1.0));
  }

 private:
  Eigen::VectorXd mean_, weights_, path_;
  double selected_ = 0.0, memory_ = 0.0, damping_ = 0.0, usual_ = 0.0, step_ = first_step;
};

/// What a motion about the center has of a limit without moving.
double at_center(const RowLimit& limit, std::span<const double> center) {
  return limit.kind == RowLimit::Kind::position ? std::abs(limit.of_row(center)) : 0.0;
}

}  // namespace

std::vector<RowLimit> excitation_limits(const Robot& robot, std::span<const double> center,
                                        double share) {
  std::vector<RowLimit> limits = row_limits(robot);
  for (RowLimit& limit : limits) {
    const bool is_position = limit.kind == RowLimit::Kind::position;
    const double begin = at_center(limit, center);
    limit.most = begin + (is_position ? excitation_reach : share) * (limit.most - begin);
  }
  return limits;
}

double share_of_limit(const RowLimit& limit, double peak, std::span<const double> center) {
  const double begin = at_center(limit, center);
  return (peak - begin) / (limit.most - begin);
}

ExcitationSearch::ExcitationSearch(const Robot& robot, Excitation wanted, double share)
    : wanted_(std::move(wanted)),
      torque_limits_(index(robot.dof())),
      row_limits_(excitation_limits(robot, wanted_.center, share)),
      model_(robot, {}),
      regressor_(model_.regressor()),
      torque_(normalize(robot)),
      setting_out_(robot) {
  require(wanted_.center.size() == robot.dof(),
          "an excitation needs one entry per joint of the robot");
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    torque_limits_[index(i)] = share * robot.joints[i].limits.torque.value_or(unlimited);
  }
  by_chance_ = kept(series_by_chance(wanted_));
  noise_ = torque(rows(by_chance(), fine)).colwise().norm().transpose() /
           std::sqrt(static_cast<double>(fine * wanted_.harmonics));
  for (double& sigma : noise_) sigma = sigma > 0.0 ? sigma : 1.0;
}

Trajectory ExcitationSearch::fourier(const Series& series) const {
  return fourier_motion(wanted_, series);
}

ExcitationSearch::Rows ExcitationSearch::rows(const Trajectory& motion, int per_harmonic) const {
  const Eigen::Index count = per_harmonic * wanted_.harmonics;
  const auto n = index(motion.dof());
  Rows rows{{count, n}, {count, n}, {count, n}};
  std::vector<double> q(motion.dof()), qd(motion.dof()), qdd(motion.dof());
  for (Eigen::Index k = 0; k < count; ++k) {
    motion.at(wanted_.period * static_cast<double>(k) / static_cast<double>(count), q, qd, qdd);
    rows.q.row(k) = eigen(q).transpose();
    rows.qd.row(k) = eigen(qd).transpose();
    rows.qdd.row(k) = eigen(qdd).transpose();
  }
  return rows;
}

ExcitationSearch::Rows ExcitationSearch::scaled_rows(const Rows& rows,
                                                     const Eigen::VectorXd& factors) const {
  const Eigen::RowVectorXd center = eigen(wanted_.center).transpose();
  return {((rows.q.rowwise() - center) * factors.asDiagonal()).rowwise() + center,
          rows.qd * factors.asDiagonal(), rows.qdd * factors.asDiagonal()};
}

Eigen::MatrixXd ExcitationSearch::torque(const Rows& rows) {
  Eigen::MatrixXd tau(rows.q.rows(), rows.q.cols());
  torque_.torque({static_cast<std::size_t>(tau.rows()),
                  columns<Column>(rows.q),
                  columns<Column>(rows.qd),
                  columns<Column>(rows.qdd),
                  {}},
                 columns<ResultColumn>(tau));
  return tau;
}

Eigen::MatrixXd ExcitationSearch::asked_torque(const Rows& rows) {
  Eigen::MatrixXd tau = torque(rows);
  const auto row = [](const Eigen::MatrixXd& columns, Eigen::Index k) {
    return std::vector<double>(columns.row(k).begin(), columns.row(k).end());
  };
  const std::vector<double> q = row(rows.q, 0), qd = row(rows.qd, 0), qdd = row(rows.qdd, 0);
  const auto start = setting_out_.find({q, qd, qdd}, row(tau, 0), row(rows.qd, 1));
  if (start) tau.row(0) = eigen(start->torque).transpose();
  return tau;
}

std::vector<double> ExcitationSearch::peak_torque(const Trajectory& motion) {
  const Eigen::VectorXd most = asked_torque(rows(motion, fine)).cwiseAbs().colwise().maxCoeff();
  return {most.begin(), most.end()};
}

TimedValue ExcitationSearch::peak_torque(const Trajectory& motion, const RowLimit& limit) {
  const Eigen::VectorXd tau = asked_torque(rows(motion, fine)) * eigen(limit.of_joints);
  Eigen::Index row = 0;
  const double most = tau.cwiseAbs().maxCoeff(&row);
  return {most, wanted_.period * static_cast<double>(row) / static_cast<double>(tau.size())};
}

ExcitationSearch::Share ExcitationSearch::common_share(const Rows& rows) {
  const Eigen::MatrixXd tau = asked_torque(rows);
  const std::vector<Joint>& joints = model_.robot().joints;
  Share worst;
  const auto take = [&worst](double share, const std::string& whose) {
    if (share > worst.value) worst = {share, whose};
  };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    take(tau.col(index(i)).lpNorm<Eigen::Infinity>() / torque_limits_[index(i)], joints[i].name);
  }
  const std::array all{&rows.q, &rows.qd, &rows.qdd, &tau};
  for (const RowLimit& limit : row_limits_) {
    const Eigen::MatrixXd& x = *all[static_cast<std::size_t>(limit.kind)];
    const Eigen::ArrayXd of_row = (x * eigen(limit.of_joints)).array() + limit.offset;
    take(share_of_limit(limit, of_row.abs().maxCoeff(), wanted_.center),
         (limit.is_of_motor ? "the motor of " : "") + joint_at(model_.robot(), limit.joint).name);
  }
  return worst;
}

double ExcitationSearch::common_factor(const Rows& rows) {
  constexpr int halvings = 12;
  if (!torque_limits_.array().isFinite().any() && row_limits_.empty()) return 1.0;
  const auto is_within = [&](double factor) {
    const Eigen::VectorXd factors = Eigen::VectorXd::Constant(rows.q.cols(), factor);
    return common_share(scaled_rows(rows, factors)).value <= spare;
  };
  if (is_within(1.0)) return 1.0;
  double within = 0.0, beyond = 1.0;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (within + beyond) / 2;
    (is_within(middle) ? within : beyond) = middle;
  }
  return within;
}

Eigen::VectorXd ExcitationSearch::rate_factors(const Rows& rows) const {
  Eigen::VectorXd factors(rows.q.cols());
  for (Eigen::Index i = 0; i < factors.size(); ++i) {
    const auto joint = static_cast<std::size_t>(i);
    const double center = wanted_.center[joint];
    const auto share = [](double reach, double room) { return reach > 0.0 ? room / reach : 1.0; };
    factors[i] = std::min(
        {1.0, share(rows.qd.col(i).cwiseAbs().maxCoeff(), wanted_.limits[joint].velocity),
         share(rows.qdd.col(i).cwiseAbs().maxCoeff(), wanted_.limits[joint].acceleration),
         share(rows.q.col(i).maxCoeff() - center, wanted_.position[joint].upper - center),
         share(center - rows.q.col(i).minCoeff(), center - wanted_.position[joint].lower)});
  }
  return factors;
}

ExcitationSearch::Series ExcitationSearch::kept(Series series) {
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i] = scaled(series[i], std::min(1.0, largest_factor(series[i], wanted_, i)));
  }
  const Rows all = rows(fourier(series), fine);
  const double factor = common_factor(all);
  if (factor < smallest_factor) {
    const auto [share, whose] =
        common_share(scaled_rows(all, Eigen::VectorXd::Constant(all.q.cols(), smallest_factor)));
    throw InputError(
        fmt::format("even a slow motion about the center takes {:.0f} % of the torque that {} may "
                    "take, by gravity and dry friction; choose another center, or check the limit",
                    100.0 * share, whose));
  }
  for (FourierSeries& x : series) x = scaled(x, factor);
  return series;
}

Eigen::MatrixXd ExcitationSearch::information(const Rows& rows) {
  constexpr Eigen::Index chunk = 128;  // short enough for one order of summation on any machine
  const std::vector<BaseParameter>& base = model_.base().combinations;
  const auto parameters = index(regressor_.parameters().size());
  const Eigen::Index n = rows.q.cols(), size = index(base.size());
  const auto joints = static_cast<std::size_t>(n);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index from = 0; from < rows.q.rows(); from += chunk) {
    const Eigen::Index count = std::min(chunk, rows.q.rows() - from);
    const Eigen::MatrixXd q = rows.q.middleRows(from, count), qd = rows.qd.middleRows(from, count),
                          qdd = rows.qdd.middleRows(from, count);
    const Eigen::MatrixXd speeds = qd.transpose();
    Eigen::MatrixXd Y(count, n * parameters);
    regressor_.block({static_cast<std::size_t>(count),
                      columns<Column>(q),
                      columns<Column>(qd),
                      columns<Column>(qdd),
                      {}},
                     columns<ResultColumn>(Y));
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto joint = static_cast<std::size_t>(j);
      Eigen::VectorXd weights(count);
      for (Eigen::Index row = 0; row < count; ++row) {
        weights[row] =
            model_.is_slow(joint, {speeds.col(row).data(), joints}) ? 0.0 : 1.0 / noise_[j];
      }
      const std::vector<Eigen::Index>& used = model_.used()[joint];
      Eigen::MatrixXd y(count, index(used.size()));
      for (Eigen::Index b = 0; b < y.cols(); ++b) {
        const auto first =
            index(base[static_cast<std::size_t>(used[static_cast<std::size_t>(b)])].first);
        y.col(b) = weights.cwiseProduct(Y.col(j * parameters + first));
      }
      const Eigen::MatrixXd products = y.transpose() * y;
      H(used, used) += products;
    }
  }
  return H;
}

ExcitationQuality ExcitationSearch::quality(const Trajectory& motion) {
  const auto [values, V] = symmetric_eigen(of_like_size(information(rows(motion, fine))));
  const Spectrum spectrum(values);
  const Eigen::VectorXd inflation = V.cwiseAbs2() * spectrum.values.cwiseInverse();
  return {spectrum.condition(), {inflation.begin(), inflation.end()}};
}

std::size_t ExcitationSearch::tries() const {
  constexpr double work = 2.4e10, fewest = 200.0, most = 4000.0;  // work: multiplications
  const auto size = static_cast<double>(model_.base().combinations.size());
  const double of_one =
      coarse * wanted_.harmonics * static_cast<double>(noise_.size()) * size * size;
  return static_cast<std::size_t>(std::clamp(work / of_one, fewest, most));
}

Trajectory ExcitationSearch::best(const std::function<void(std::size_t)>& tried) {
  const auto condition = [&](const Rows& of) {
    return Spectrum(symmetric_eigenvalues(of_like_size(information(of)))).condition();
  };
  Eigen::VectorXd size(noise_.size());
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const Eigen::VectorXd x =
        coordinates({by_chance_[static_cast<std::size_t>(i)]}, Eigen::VectorXd::Ones(1));
    size[i] = x.norm() / std::sqrt(static_cast<double>(x.size()));
  }
  Evolution evolution(coordinates(by_chance_, size));
  std::vector<Evolution::Child> family(children);
  Series best = by_chance_;
  double least = condition(rows(by_chance(), coarse));
  for (std::size_t count = 0; count + children <= tries();) {
    for (Evolution::Child& child : family) {
      tried(count);
      const Eigen::VectorXd x = evolution.child(wanted_.seed, count++, child);
      Series series = series_at(x, size, by_chance_);
      Rows there = rows(fourier(series), coarse);
      Eigen::VectorXd factors = rate_factors(there);
      there = scaled_rows(there, factors);
      const double factor = common_factor(there);
      factors *= factor;
      there = scaled_rows(there, Eigen::VectorXd::Constant(factors.size(), factor));
      child.condition = condition(there);
      if (child.condition < least) {
        least = child.condition;
        for (std::size_t i = 0; i < series.size(); ++i) {
          series[i] = scaled(series[i], factors[index(i)]);
        }
        best = std::move(series);
      }
    }
    evolution.select(family);
  }
  return fourier(kept(best));
}

}  // namespace armdyn
