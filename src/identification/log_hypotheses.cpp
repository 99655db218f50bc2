#include "identification/log_hypotheses.hpp"

#include <Eigen/Core>
#include <armdyn/arm.hpp>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "model/motors.hpp"

namespace armdyn {

namespace {

using Measured = LogHypothesis::Measured;

constexpr std::size_t most_rows = 1000;
constexpr double right_enough = 0.1;  // of the torque: nothing is looked for
constexpr double explained = 0.4;     // of the torque is left at most by what is named
constexpr double clearly = 0.5;       // of what the others leave

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
  /// The factors of the regressors; that of the predicted torque is 1 unless it is fitted.
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

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

}  // namespace

LogHypotheses::LogHypotheses(const Robot& robot, const BlockInverseDynamics& dynamics)
    : robot_(robot), dynamics_(dynamics), columns_(4 * robot.dof()) {
  std::vector<std::size_t> sorted = in_order(robot.dof());
  std::ranges::stable_sort(sorted, {}, [&](std::size_t j) { return robot.joints[j].name; });
  alphabetical_.resize(robot.dof());
  for (std::size_t place = 0; place < sorted.size(); ++place) alphabetical_[sorted[place]] = place;
}

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

LogHypotheses::Judged LogHypotheses::judge(LogHypothesis hypothesis) {
  constexpr double slow = 0.1;  // of a joint's usual speed
  constexpr double fewest_rows = 20.0;
  constexpr double other_scale = 2.0;
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
  double bounded = 0.0, plain = 0.0, joints = 0.0, scaled = 0.0;
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
    if (left > square(explained)) continue;
    const double scale = (fits[0][2] + fits[1][2]) / 2.0, size = std::abs(scale);
    judged.scales[i] = scale;
    scaled += 1.0;
    if (size > 1.0 / other_scale && size < other_scale) judged.is_possible = !fits_scale;
  }
  if (fits_scale && (scaled < 2.0 || 2.0 * scaled < joints)) judged.is_possible = false;
  if (joints == 0.0) judged.is_possible = false;
  judged.left = joints > 0.0 ? std::max(1e-6, std::sqrt(bounded / joints)) : 1.0;
  judged.plain = joints > 0.0 ? std::sqrt(plain / joints) : 1.0;
  return judged;
}

/// The order of the names, and exchanges of two, or of their torques alone.
LogHypotheses::Judged LogHypotheses::best_order(const Judged& given, std::vector<Judged>& tried) {
  const std::size_t n = robot_.dof();
  Judged best = given;
  const auto attempt = [&](const std::vector<std::size_t>& order, bool is_of_torque) {
    LogHypothesis hypothesis = given.hypothesis;
    for (std::size_t i = 0; i < n; ++i) {
      if (robot_.joints[i].type != robot_.joints[order[i]].type) return;
      hypothesis.joints[i].column = is_of_torque ? i : order[i];
      hypothesis.joints[i].torque_column = order[i];
    }
    Judged judged = judge(std::move(hypothesis));
    if (judged.is_possible && judged.left < best.left) best = judged;
    tried.push_back(std::move(judged));
  };
  if (alphabetical_ != in_order(n)) attempt(alphabetical_, false);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      std::vector<std::size_t> order = in_order(n);
      std::swap(order[i], order[j]);
      if (order != alphabetical_) attempt(order, false);
      attempt(order, true);
    }
  }
  return best;
}

/// With another sign or zero of one joint.
std::vector<LogHypothesis> LogHypotheses::changes_of(const LogHypothesis& from,
                                                     std::size_t joint) const {
  std::vector<LogHypothesis> changes;
  const LogHypothesis::Source& now = from.joints[joint];
  const auto add = [&](bool is_turned, bool is_torque_turned, int quarter_turns) {
    const LogHypothesis::Source source{now.column, now.torque_column, is_turned, is_torque_turned,
                                       quarter_turns};
    if (source == now) return;
    changes.push_back(from);
    changes.back().joints[joint] = source;
  };
  const bool turns = robot_.joints[joint].type == JointType::revolute;
  for (const bool is_turned : {false, true}) {
    for (const int quarters : {0, 1, -1, 2}) {
      if (turns || quarters == 0) add(is_turned, false, quarters);
    }
  }
  add(false, true, 0);
  return changes;
}

/// Changes the joint that gains most, as long as one gains; takes back what gains nothing much.
LogHypotheses::Judged LogHypotheses::best_joints(Judged best) {
  constexpr double gain = 0.95;
  const std::vector<LogHypothesis::Source> before = best.hypothesis.joints;
  const std::size_t n = robot_.dof();
  for (std::size_t round = 0; round < n; ++round) {
    const double limit = gain * best.left;
    const LogHypothesis from = best.hypothesis;
    for (std::size_t i = 0; i < n; ++i) {
      for (LogHypothesis& change : changes_of(from, i)) {
        Judged judged = judge(std::move(change));
        if (judged.is_possible && judged.left < std::min(limit, best.left))
          best = std::move(judged);
      }
    }
    if (best.hypothesis.joints == from.joints) break;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (best.hypothesis.joints[i] == before[i]) continue;
    LogHypothesis without = best.hypothesis;
    without.joints[i] = before[i];
    Judged judged = judge(std::move(without));
    if (clearly * judged.left <= best.left) best = std::move(judged);
  }
  return best;
}

/// What fits about as well.
void LogHypotheses::tell_unseen(const Judged& best, LogFinding& found) {
  const std::size_t n = robot_.dof();
  constexpr std::size_t most_joints = 8;
  const auto fits = [&](LogHypothesis hypothesis) {
    return clearly * judge(std::move(hypothesis)).left < best.left;
  };
  for (std::size_t i = 0; i < n; ++i) {
    LogHypothesis shifted = best.hypothesis, turned = best.hypothesis;
    shifted.joints[i].quarter_turns += 1;
    turned.joints[i].is_turned = !turned.joints[i].is_turned;
    if (robot_.joints[i].type == JointType::revolute && fits(std::move(shifted))) {
      found.unseen_zeros.push_back(i);
    }
    if (fits(std::move(turned))) found.unseen_signs.push_back(i);
  }
  for (std::size_t set = 1; n <= most_joints && set < (std::size_t{1} << n); ++set) {
    for (const int half_turn : {0, 2}) {
      LogHypothesis mirror = best.hypothesis;
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

std::optional<LogFinding> LogHypotheses::find() {
  constexpr std::size_t most_joints = 12;
  const std::size_t n = robot_.dof();
  if (columns_.front().empty()) return {};
  LogHypothesis as_given;
  for (std::size_t i = 0; i < n; ++i) as_given.joints.push_back({i, i});
  const Judged given = judge(as_given);
  if (!given.is_possible || given.left < right_enough) return {};

  std::vector<Judged> tried;
  const auto attempt = [&](Measured measured) {
    as_given.measured = measured;
    tried.push_back(judge(as_given));
  };
  for (const Measured measured : {Measured::opposite, Measured::weightless}) attempt(measured);
  if (!MotorSide(robot_).is_joint_side()) {
    attempt(Measured::motor_torques);
    attempt(Measured::motor_side);
  }
  Judged best = given;
  for (const Judged& judged : tried) {
    if (judged.is_possible && judged.left < best.left) best = judged;
  }
  as_given.measured = Measured::currents;
  const Judged currents = judge(as_given);
  if (currents.is_possible && currents.left < clearly * best.left) best = currents;
  if (n <= most_joints) {
    for (const Judged& base : {given, best_order(given, tried)}) {
      Judged other = best_joints(base);
      if (other.left < best.left) best = std::move(other);
    }
  }
  tried.push_back(given);
  const auto is_same = [&](const Judged& other) {
    return other.hypothesis.measured == best.hypothesis.measured &&
           other.hypothesis.joints == best.hypothesis.joints;
  };
  const auto is_best = [&](const Judged& other) {
    return is_same(other) || !other.is_possible || best.left < clearly * other.left;
  };
  const bool is_scaled = best.hypothesis.measured != Measured::currents && currents.is_possible &&
                         currents.left < clearly * best.left;
  if (is_same(given) || !(best.left < explained) || is_scaled ||
      !std::ranges::all_of(tried, is_best))
    return {};
  LogFinding found{best.hypothesis, best.plain, given.plain, best.scales, false, {}, {}, {}};
  if (best.hypothesis.measured != Measured::torques) return found;
  found.is_alphabetical = alphabetical_ != in_order(n);
  for (std::size_t i = 0; i < n; ++i) {
    found.is_alphabetical &= best.hypothesis.joints[i].column == alphabetical_[i];
  }
  tell_unseen(best, found);
  return found;
}

}  // namespace armdyn
