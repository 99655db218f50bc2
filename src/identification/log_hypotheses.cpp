#include "identification/log_hypotheses.hpp"

#include <Eigen/Core>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "model/motors.hpp"

namespace armdyn {

namespace {

using Measured = LogHypothesis::Measured;

constexpr std::size_t most_rows = 1000;
constexpr double right_enough = 0.1;  // residual over torque below which there is no search
constexpr double explained = 0.4;     // largest residual over torque of a finding
constexpr double clearly = 0.5;       // of the residuals of others
constexpr double other_scale = 2.0;   // less is an error of the robot's masses

/// Sums over rows of a joint: of its regressors sign q̇, q̇, predicted τ, and of the measured τ.
struct Sums {
  Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
  Eigen::Vector3d products = Eigen::Vector3d::Zero();
  double torque = 0.0, rows = 0.0;

  void add(const Eigen::Vector3d& regressors, double tau) {
    squares += regressors * regressors.transpose();
    products += regressors * tau;
    torque += tau * tau;
    rows += 1.0;
  }
  /// Factors of the regressors; that of the predicted torque is 1 unless it is fitted.
  [[nodiscard]] Eigen::Vector3d fit(bool fits_scale) const {
    constexpr double small = 1e-10;
    Eigen::Matrix3d A = squares;
    Eigen::Vector3d right = products;
    if (!fits_scale) {
      right -= squares.col(2);
      A.row(2).setZero();
      A.col(2).setZero();
      A(2, 2) = 1.0;
      right[2] = 1.0;
    }
    A.diagonal() *= 1.0 + small;
    A.diagonal().array() += small * small;
    return solve_symmetric(A, right);
  }
  [[nodiscard]] double left(const Eigen::Vector3d& x) const {
    return std::max(0.0, torque - 2.0 * x.dot(products) + x.dot(squares * x));
  }
};

double root_mean_square(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

/// Places of the joints' columns if they are sorted by the names of the joints.
std::vector<std::size_t> places_by_name(const Robot& robot) {
  std::vector<std::size_t> sorted = in_order(robot.dof()), places(robot.dof());
  std::ranges::stable_sort(sorted, {}, [&](std::size_t j) { return robot.joints[j].name; });
  for (std::size_t place = 0; place < sorted.size(); ++place) places[sorted[place]] = place;
  return places;
}

struct Judged {
  LogHypothesis hypothesis;
  double left = 1.0;   ///< residual r over torque: r²/(1 + r²), root mean over joints
  double plain = 1.0;  ///< the same of r²
  std::vector<double> scales;
  bool is_possible = true;
};

/// Search for a hypothesis by some rows of q, qd, qdd, tau and the hand wrench.
class HypothesisSearch {
 public:
  HypothesisSearch(const Robot& robot, BlockInverseDynamics dynamics, const Columns& rows)
      : robot_(robot),
        dynamics_(std::move(dynamics)),
        columns_(rows),
        by_name_(places_by_name(robot)) {}

  std::optional<LogFinding> find() {
    constexpr std::size_t most_joints = 12;
    const std::size_t n = robot_.dof();
    LogHypothesis as_given;
    for (std::size_t i = 0; i < n; ++i) as_given.joints.push_back({i, i});
    const Judged given = judge(as_given);
    if (!given.is_possible || given.left < right_enough) return {};
    best_ = given;
    std::vector<Measured> all{Measured::opposite, Measured::weightless};
    if (!MotorSide(robot_).is_joint_side()) {
      all.insert(all.end(), {Measured::motor_torques, Measured::motor_side});
    }
    LogHypothesis other = as_given;
    for (const Measured measured : all) {
      other.measured = measured;
      attempt(other, best_);
    }
    other.measured = Measured::currents;
    const Judged currents = judge(other);
    const bool fits_scaled = currents.is_possible && currents.left < clearly * best_.left;
    const bool is_of_motors = fits_scaled && looks_like_motors(currents.scales);
    if (is_of_motors) {
      other.measured = Measured::motor_torques;
      best_ = judge(other);
    } else if (fits_scaled) {
      best_ = currents;
    }
    if (n <= most_joints) {
      for (const Judged& from : {given, best_order(given)}) {
        Judged found = best_joints(from);
        if (found.left < best_.left) best_ = std::move(found);
      }
    }
    tried_.push_back(given);
    const auto is_beaten = [&](const Judged& tried) {
      return is_best(tried.hypothesis) || !tried.is_possible || best_.left < clearly * tried.left;
    };
    const bool is_scaled = !is_of_motors && best_.hypothesis.measured != Measured::currents &&
                           currents.is_possible && currents.left < clearly * best_.left;
    if (is_best(as_given) || !(best_.left < explained) || is_scaled ||
        !std::ranges::all_of(tried_, is_beaten)) {
      return {};
    }
    LogFinding found{best_.hypothesis, best_.plain, given.plain, best_.scales, false, {}, {}, {}};
    if (best_.hypothesis.measured != Measured::torques) return found;
    found.is_alphabetical = by_name_ != in_order(n);
    for (std::size_t i = 0; i < n; ++i) {
      found.is_alphabetical &= best_.hypothesis.joints[i].column == by_name_[i];
    }
    tell_unseen(found);
    return found;
  }

 private:
  using Source = LogHypothesis::Source;

  [[nodiscard]] bool is_best(const LogHypothesis& other) const {
    return other.measured == best_.hypothesis.measured && other.joints == best_.hypothesis.joints;
  }

  /// Tells whether measured torques over predicted ones are about 1/gear ratio, and no nearer to those
  /// of currents by the file's constants.
  [[nodiscard]] bool looks_like_motors(const std::vector<double>& scales) const {
    for (std::size_t i = 0; i < scales.size(); ++i) {
      if (scales[i] == 0.0) continue;
      const auto& motor = robot_.joints[i].motor;
      const double of_motor = scales[i] * motor.gear_ratio;
      if (!(of_motor > 1.0 / other_scale && of_motor < other_scale)) return false;
      const double of_current = of_motor * motor.ratings.torque_constant.value_or(1.0);
      if (std::abs(std::log(of_current)) < std::abs(std::log(of_motor))) return false;
    }
    return robot_.couplings.empty();
  }

  Judged judge(LogHypothesis hypothesis) {
    constexpr double slow = 0.1;  // of a joint's usual speed
    constexpr double fewest_rows = 20.0;
    constexpr double least_share = 0.01;  // of the torque; with less friction alone explains it
    const std::size_t n = robot_.dof(), rows = columns_.front().size();
    Columns columns = columns_;
    for (std::size_t i = 0; i < n; ++i) {
      const LogHypothesis::Source& of = hypothesis.joints[i];
      const double sign = of.is_turned ? -1.0 : 1.0;
      const bool opposite = of.is_torque_turned || hypothesis.measured == Measured::opposite;
      for (std::size_t k = 0; k < 4; ++k) {
        const double factor = k == 3 && opposite ? -sign : sign;
        const double add = k == 0 ? of.quarter_turns * std::numbers::pi / 2.0 : 0.0;
        const std::size_t from = k == 3 ? of.torque_column : of.column;
        const std::vector<double>& source = columns_[k * n + from];
        std::ranges::transform(source, columns[k * n + i].begin(),
                               [&](double value) { return factor * value + add; });
      }
    }
    if (hypothesis.measured == Measured::motor_torques ||
        hypothesis.measured == Measured::motor_side) {
      const MotorSide motors(robot_);
      motors.convert(columns, 3 * n, &MotorSide::to_torques);
      if (hypothesis.measured == Measured::motor_side) {
        motors.convert(columns, 0, &MotorSide::to_positions);
        motors.convert(columns, n, &MotorSide::to_rates);
        motors.convert(columns, 2 * n, &MotorSide::to_rates);
      }
    }
    const std::vector<const double*> at = places(std::as_const(columns));
    const std::span<const Column> all(at);
    const MotionBlock motion{rows, all.subspan(0, n), all.subspan(n, n), all.subspan(2 * n, n),
                             all.subspan(4 * n)};
    Columns predicted(n, std::vector<double>(rows));
    Judged judged;
    judged.hypothesis = std::move(hypothesis);
    try {
      dynamics_.torque(motion, places(predicted));
      if (judged.hypothesis.measured == Measured::weightless) {
        Columns parts(6 * n, std::vector<double>(rows));
        dynamics_.terms(motion, places(parts));
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t row = 0; row < rows; ++row) predicted[i][row] -= parts[2 * n + i][row];
        }
      }
    } catch (const NotFinite&) {
      judged.is_possible = false;
      return judged;
    }

    const bool fits_scale = judged.hypothesis.measured == Measured::currents;
    judged.scales.resize(n);
    double bounded = 0.0, plain = 0.0, joints = 0.0, predicting = 0.0, scaled = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<double>&qd = columns[n + i], &tau = columns[3 * n + i];
      const double usual = root_mean_square(qd);
      const auto moves = [&](std::size_t row) { return std::abs(qd[row]) > slow * usual; };
      const auto moving = static_cast<double>(std::ranges::count_if(in_order(rows), moves));
      std::array<Sums, 2> halves;
      for (std::size_t row = 0; row < rows; ++row) {
        if (!moves(row)) continue;
        Sums& half = halves[2.0 * halves[0].rows < moving ? 0 : 1];
        half.add({qd[row] > 0.0 ? 1.0 : -1.0, qd[row], predicted[i][row]}, tau[row]);
      }
      const double torque = halves[0].torque + halves[1].torque;
      if (halves[1].rows < fewest_rows || torque == 0.0) continue;
      const std::array fits{halves[0].fit(fits_scale), halves[1].fit(fits_scale)};
      const double left = (halves[0].left(fits[1]) + halves[1].left(fits[0])) / torque;
      if (!std::isfinite(left)) continue;
      joints += 1.0;
      plain += left;
      bounded += left / (1.0 + left);
      const double scale = (fits[0][2] + fits[1][2]) / 2.0, size = std::abs(scale);
      const double predicted_squares = halves[0].squares(2, 2) + halves[1].squares(2, 2);
      if (square(scale) * predicted_squares < square(least_share) * torque) continue;
      predicting += 1.0;
      if (left > square(explained)) continue;
      judged.scales[i] = scale;
      scaled += 1.0;
      if (size > 1.0 / other_scale && size < other_scale) judged.is_possible = !fits_scale;
    }
    if (fits_scale && (scaled < 2.0 || 2.0 * scaled < joints)) judged.is_possible = false;
    if (joints == 0.0) judged.is_possible = false;
    const Measured measured = judged.hypothesis.measured;
    const bool may_be_friction = measured == Measured::torques || measured == Measured::weightless;
    if (predicting == 0.0 && !may_be_friction) judged.is_possible = false;
    judged.left = joints > 0.0 ? std::max(1e-6, std::sqrt(bounded / joints)) : 1.0;
    judged.plain = joints > 0.0 ? std::sqrt(plain / joints) : 1.0;
    return judged;
  }

  void attempt(LogHypothesis hypothesis, Judged& best) {
    Judged judged = judge(std::move(hypothesis));
    if (judged.is_possible && judged.left < best.left) best = judged;
    tried_.push_back(std::move(judged));
  }

  /// Tries the order of the names, and exchanges of two joints, or of their torques alone.
  Judged best_order(const Judged& given) {
    const std::size_t n = robot_.dof();
    Judged best = given;
    const auto exchange = [&](const std::vector<std::size_t>& order, bool is_of_torque) {
      LogHypothesis hypothesis = given.hypothesis;
      for (std::size_t i = 0; i < n; ++i) {
        if (robot_.joints[i].type != robot_.joints[order[i]].type) return;
        hypothesis.joints[i] = {is_of_torque ? i : order[i], order[i]};
      }
      attempt(std::move(hypothesis), best);
    };
    if (by_name_ != in_order(n)) exchange(by_name_, false);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        std::vector<std::size_t> order = in_order(n);
        std::swap(order[i], order[j]);
        if (order != by_name_) exchange(order, false);
        exchange(order, true);
      }
    }
    return best;
  }

  /// Changes sign or zero of the joint that gains most, as long as one gains; takes back changes that
  /// gain little.
  Judged best_joints(Judged best) {
    constexpr double gain = 0.95;
    std::vector<Source> changes;
    for (const bool is_turned : {false, true}) {
      for (const int quarters : {0, 1, -1, 2})
        changes.push_back({0, 0, is_turned, false, quarters});
    }
    changes.push_back({.is_torque_turned = true});
    const std::vector<Source> before = best.hypothesis.joints;
    const std::size_t n = robot_.dof();
    const auto with = [&](LogHypothesis hypothesis, std::size_t joint, const Source& source) {
      hypothesis.joints[joint] = source;
      return judge(std::move(hypothesis));
    };
    for (std::size_t round = 0; round < n; ++round) {
      const double limit = gain * best.left;
      const LogHypothesis from = best.hypothesis;
      for (std::size_t i = 0; i < n; ++i) {
        const bool turns = robot_.joints[i].type == JointType::revolute;
        for (Source change : changes) {
          change.column = from.joints[i].column;
          change.torque_column = from.joints[i].torque_column;
          if (change == from.joints[i] || (!turns && change.quarter_turns != 0)) continue;
          Judged judged = with(from, i, change);
          const bool gains = judged.is_possible && judged.left < std::min(limit, best.left);
          if (gains) best = std::move(judged);
        }
      }
      if (best.hypothesis.joints == from.joints) break;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (best.hypothesis.joints[i] == before[i]) continue;
      Judged judged = with(best.hypothesis, i, before[i]);
      if (clearly * judged.left <= best.left) best = std::move(judged);
    }
    return best;
  }

  /// Adds hypotheses that fit about as well.
  void tell_unseen(LogFinding& found) {
    const std::size_t n = robot_.dof();
    constexpr std::size_t most_joints = 8;
    const auto fits = [&](LogHypothesis hypothesis) {
      return clearly * judge(std::move(hypothesis)).left < best_.left;
    };
    for (std::size_t i = 0; i < n; ++i) {
      LogHypothesis shifted = best_.hypothesis, turned = best_.hypothesis;
      shifted.joints[i].quarter_turns += 1;
      turned.joints[i].is_turned = !turned.joints[i].is_turned;
      if (robot_.joints[i].type == JointType::revolute && fits(std::move(shifted))) {
        found.unseen_zeros.push_back(i);
      }
      if (fits(std::move(turned))) found.unseen_signs.push_back(i);
    }
    for (std::size_t set = 1; n <= most_joints && set < (std::size_t{1} << n); ++set) {
      for (const int half_turn : {0, 2}) {
        LogHypothesis mirror = best_.hypothesis;
        std::vector<std::size_t> joints;
        for (std::size_t i = 0; i < n; ++i) {
          if ((set >> i & 1U) == 0) continue;
          if (joints.empty())
            mirror.joints[i].quarter_turns = half_turn - mirror.joints[i].quarter_turns;
          mirror.joints[i].is_turned = !mirror.joints[i].is_turned;
          joints.push_back(i);
        }
        if (joints.size() < 2 || !fits(std::move(mirror))) continue;
        if (joints.size() > found.mirrored.size()) found.mirrored = joints;
      }
    }
  }

  const Robot& robot_;
  BlockInverseDynamics dynamics_;
  const Columns& columns_;
  std::vector<std::size_t> by_name_;
  Judged best_;
  std::vector<Judged> tried_;
};

}  // namespace

void LogHypotheses::add(const MotionBlock& motion, std::span<const std::span<const double>> tau) {
  const std::size_t n = robot_.dof();
  columns_.resize(4 * n + motion.hand.size());
  const auto column = [&](std::size_t k) {
    return k < n       ? motion.q[k]
           : k < 2 * n ? motion.qd[k - n]
           : k < 3 * n ? motion.qdd[k - 2 * n]
           : k < 4 * n ? tau[k - 3 * n].data()
                       : motion.hand[k - 4 * n];
  };
  for (std::size_t row = 0; row < motion.rows; ++row) {
    if (rows_++ % stride_ != 0) continue;
    for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].push_back(column(k)[row]);
    if (columns_.front().size() < most_rows) continue;
    for (std::vector<double>& values : columns_) {
      for (std::size_t i = 0; 2 * i < values.size(); ++i) values[i] = values[2 * i];
      values.resize(most_rows / 2);
    }
    stride_ *= 2;
  }
}

std::optional<LogFinding> LogHypotheses::find() const {
  if (columns_.front().empty()) return {};
  return HypothesisSearch(robot_, dynamics_, columns_).find();
}

}  // namespace armdyn
