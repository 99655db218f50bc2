#include "identification/log_hypotheses.hpp"

#include <Eigen/Core>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/rotation.hpp"
#include "math/statistics.hpp"
#include "model/joint_kind.hpp"
#include "model/motors.hpp"
#include "model/other_reading.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

namespace {

using Measured = LogHypothesis::Measured;

constexpr double exact = 0.01;        // residual over torque, as masses of a file are known
constexpr double right_enough = 0.1;  // residual over torque below which there is no search
constexpr double other_scale = 1.25;  // less is an error of the robot's masses
constexpr double other_load = 0.25;   // of the torque; less left is an error of them, and no spring
constexpr double least_share = 0.01;  // of the torque; with less friction alone explains it

/// Regressors of a joint's torque.
namespace of_torque {
enum Regressor { predicted, direction, speed, acceleration, one, position, sine, cosine };
}  // namespace of_torque
using of_torque::Regressor;
constexpr int regressors = of_torque::cosine + 1;
using Regressors = Eigen::Matrix<double, regressors, 1>;
using Fitted = std::bitset<regressors>;

Fitted fitted(std::initializer_list<Regressor> all) {
  Fitted set;
  for (const Regressor regressor : all) set.set(regressor);
  return set;
}

/// Sums over rows of a joint: of its regressors and its measured torque.
struct Sums {
  Eigen::Matrix<double, regressors, regressors> squares =
      Eigen::Matrix<double, regressors, regressors>::Zero();
  Regressors products = Regressors::Zero();
  double torque = 0.0, rows = 0.0;

  void add(const Regressors& row, double tau) {
    squares += row * row.transpose();
    products += row * tau;
    torque += tau * tau;
    rows += 1.0;
  }
  /// Factors of the regressors; 0 of those left out of the fit, 1 of the predicted torque.
  [[nodiscard]] Regressors fit(const Fitted& fitted) const {
    constexpr double small = 1e-10;
    auto A = squares;
    Regressors right = products;
    for (int k = 0; k < regressors; ++k) {
      if (fitted[static_cast<std::size_t>(k)]) continue;
      const double value = k == of_torque::predicted ? 1.0 : 0.0;
      right -= value * A.col(k);
      A.row(k).setZero();
      A.col(k).setZero();
      A(k, k) = 1.0;
      right[k] = value;
    }
    A.diagonal() *= 1.0 + small;
    A.diagonal().array() += small * small;
    return solve_symmetric(A, right);
  }
  [[nodiscard]] double left(const Regressors& x) const {
    return std::max(0.0, torque - 2.0 * x.dot(products) + x.dot(squares * x));
  }
  /// Tests whether position is not proportional to acceleration, as in a swing of one frequency, whose
  /// spring is like a rotor.
  [[nodiscard]] bool separates_spring() const {
    using namespace of_torque;
    constexpr double proportional = 0.999;  // square of the correlation
    const double of_position = squares(position, position) - square(squares(position, one)) / rows;
    const double of_both = squares(position, acceleration) -
                           squares(position, one) * squares(acceleration, one) / rows;
    const double of_acceleration =
        squares(acceleration, acceleration) - square(squares(acceleration, one)) / rows;
    return square(of_both) < proportional * of_position * of_acceleration;
  }
};

using Effect = LogHypothesis::Effect;

/// Friction and a rotor, which many files lack.
const Fitted always = fitted({of_torque::direction, of_torque::speed, of_torque::acceleration});

/// Effects on a joint's torque with the regressors that have it, those with fewer numbers first.
const std::array effects{
    std::pair{Effect::offset, fitted({of_torque::one})},
    std::pair{Effect::scale, fitted({of_torque::predicted})},
    std::pair{Effect::spring, fitted({of_torque::position, of_torque::one})},
    std::pair{Effect::counterweight, fitted({of_torque::sine, of_torque::cosine})}};

/// Regressors that are fitted where a joint has this effect.
Fitted regressors_of(Effect effect) {
  Fitted set = always;
  for (const auto& [of, its] : effects) {
    if (of == effect) set |= its;
  }
  return set;
}

double size_of(Effect effect, const Regressors& x) {
  switch (effect) {
    case Effect::none:
      return 0.0;
    case Effect::scale:
      return x[of_torque::predicted];
    case Effect::offset:
      return x[of_torque::one];
    case Effect::spring:
      return x[of_torque::position];
    case Effect::counterweight:
      break;
  }
  return std::hypot(x[of_torque::sine], x[of_torque::cosine]);
}

/// Effect on a joint's torque, and its size.
struct Seen {
  Effect effect = Effect::none;
  double size = 0.0;       ///< factor of the torque; N·m/rad or N/m; N·m
  bool has_scale = false;  ///< the torque determines its factor
};

/// Fits of either half of the rows, and what they leave of the other.
struct Halves {
  std::array<Sums, 2> sums;

  struct Fit {
    double left = 0.0;  ///< over the torque, squared
    std::array<Regressors, 2> factors;
    [[nodiscard]] Regressors mean() const { return (factors[0] + factors[1]) / 2.0; }
  };
  [[nodiscard]] Fit fit(const Fitted& fitted) const {
    const std::array fits{sums[0].fit(fitted), sums[1].fit(fitted)};
    return {(sums[0].left(fits[1]) + sums[1].left(fits[0])) / torque(), fits};
  }
  /// Friction of a fit that drives the joint, and a rotor without inertia, over the torque, squared.
  [[nodiscard]] double driving(const Fit& fit) const {
    using namespace of_torque;
    const auto squares = (sums[0].squares + sums[1].squares).eval();
    const Regressors x = fit.mean();
    const auto friction = x.segment<2>(direction);
    const auto of_friction = squares.block<2, 2>(direction, direction);
    const bool drives = (of_friction * friction)[1] < 0.0;  // its power
    const double inertia = std::min(0.0, x[acceleration]);
    return ((drives ? friction.dot(of_friction * friction) : 0.0) +
            square(inertia) * squares(acceleration, acceleration)) /
           torque();
  }
  [[nodiscard]] double torque() const { return sums[0].torque + sums[1].torque; }
  /// Tests whether the joint moves both ways in either half.
  [[nodiscard]] bool turns_around() const {
    return std::ranges::all_of(sums, [](const Sums& half) {
      return std::abs(half.squares(of_torque::direction, of_torque::one)) < half.rows;
    });
  }
  [[nodiscard]] bool predicts(double scale) const {
    const double squares = sums[0].squares(of_torque::predicted, of_torque::predicted) +
                           sums[1].squares(of_torque::predicted, of_torque::predicted);
    return square(scale) * squares >= square(least_share) * torque();
  }

  /// Effect that explains much more than rotor and friction do without it, and than those with fewer
  /// numbers, and is the same in both halves.
  [[nodiscard]] Seen seen(bool turns) const {
    const auto left_by = [&](const Fit& fit) {
      return std::max(square(exact), fit.left + driving(fit));
    };
    const double left = left_by(fit(always));
    double least = std::min(square(explained), square(clearly) * left);
    Seen best;
    bool has_scale = false;
    for (const auto& [effect, its] : effects) {
      const bool is_scale = effect == Effect::scale;
      const Fit found = fit(always | its | (is_scale ? regressors_of(Effect::offset) : Fitted()));
      const double left_with = left_by(found);
      const double size = size_of(effect, found.mean());
      const double first = size_of(effect, found.factors[0]);
      const double alike = is_scale ? 0.1 : 0.3;  // slow swings make an inertia like a spring
      const bool is_same = std::abs(first - size) <= alike / 2.0 * std::abs(size);
      const bool is_seen = is_same && (is_scale || (left >= square(other_load) && turns_around()));
      has_scale = has_scale || (is_scale && is_same && predicts(size));
      if (left_with < least && is_seen && is_plausible(effect, size, turns)) {
        best = {effect, size};
        least = (effect == Effect::spring ? 1.0 : square(clearly)) * left_with;
      }
      if (effect == Effect::offset) least = std::min(least, square(clearly) * left_with);
    }
    best.has_scale = has_scale;
    return best;
  }

 private:
  [[nodiscard]] bool is_plausible(Effect effect, double size, bool turns) const {
    const double magnitude = std::abs(size);
    switch (effect) {
      case Effect::scale:
        return (magnitude >= other_scale || magnitude <= 1.0 / other_scale) && predicts(size);
      case Effect::offset:  // else it may be of a friction that differs by direction
        return fit(regressors_of(effect)).left <
               square(clearly) * fit(regressors_of(Effect::scale)).left;
      case Effect::spring:
        return size > 0.0 && std::ranges::all_of(sums, &Sums::separates_spring);
      default:
        return turns;
    }
  }
};

double root_mean_square(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

/// Rows in which a joint is not slow.
std::vector<std::size_t> moving_rows(const std::vector<double>& qd) {
  constexpr double slow = 0.1;  // of its usual speed
  const double usual = root_mean_square(qd);
  return where(qd.size(), [&](std::size_t row) { return std::abs(qd[row]) > slow * usual; });
}

/// Places of the joints' columns if they are sorted by the names of the joints.
std::vector<std::size_t> places_by_name(const Robot& robot) {
  std::vector<std::size_t> sorted = in_order(robot.dof()), places(robot.dof());
  std::ranges::stable_sort(sorted, {}, [&](std::size_t j) { return robot.joints[j].name; });
  for (std::size_t place = 0; place < sorted.size(); ++place) places[sorted[place]] = place;
  return places;
}

/// Tests whether an order exchanges two joints alone.
bool is_of_two(const std::vector<std::size_t>& order) {
  return where(order.size(), [&](std::size_t i) { return order[i] != i; }).size() == 2;
}

struct Judged {
  LogHypothesis hypothesis;
  double left = 1.0;          ///< residual r over torque: r²/(1 + r²), root mean over joints
  double plain = 1.0;         ///< the same of r²
  double worst = 0.0;         ///< largest r
  double driving = 0.0;       ///< largest friction that drives over torque
  std::vector<Seen> seen;     ///< effects beyond those of the hypothesis
  std::vector<double> sizes;  ///< of its effects
  bool is_possible = true;
  bool may_be_named = true;   ///< else it may only keep others from being named
  bool is_of_motors = false;  ///< its factors are about those of the file's motors
  bool turns_around = false;  ///< most joints move both ways in either half of the rows

  /// What it leaves with friction that drives, which explains nothing.
  [[nodiscard]] double residual() const { return std::max(exact, std::hypot(left, driving)); }
  /// The same with what it assumes: numbers of joints or of a payload fit where one factor of all
  /// joints, a sign or an order does not.
  [[nodiscard]] double doubt() const { return residual() / (assumes_numbers() ? clearly : 1.0); }
  [[nodiscard]] bool assumes_numbers() const {
    return hypothesis.payload || (hypothesis.has_effects() && !is_one_factor() && !is_of_motors);
  }

 private:
  [[nodiscard]] bool is_one_factor() const {
    constexpr double alike = 1.1;
    std::vector<double> factors;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Effect effect = hypothesis.joints[i].effect;
      if (effect != Effect::none && effect != Effect::scale) return false;
      if (effect == Effect::scale) factors.push_back(sizes[i]);
    }
    if (factors.size() < 2) return false;
    const auto [least, most] = std::ranges::minmax(factors);
    return least > 0.0 && most < alike * least;
  }
};

/// Tests whether most of a torque is noise without a memory, whose second differences have six times
/// its variance.
bool is_noise(std::span<const double> torque) {
  constexpr double most = 0.5;  // of the mean square
  double noise = 0.0, all = 0.0;
  for (std::size_t k = 1; k + 1 < torque.size(); ++k) {
    noise += square(torque[k - 1] - 2.0 * torque[k] + torque[k + 1]) / 6.0;
    all += square(torque[k]);
  }
  return noise > most * all;
}

/// Judge of hypotheses by rows of q, qd, qdd, tau, t and the wrench, and the torques between them.
class Judge {
 public:
  Judge(const Robot& robot, BlockInverseDynamics dynamics, const Columns& torques)
      : robot_(robot), dynamics_(std::move(dynamics)), torques_(torques) {
    for (std::size_t i = 0; i < robot.dof(); ++i) is_noise_.push_back(is_noise(torques[1 + i]));
  }

  /// Judges a hypothesis, and looks for effects that it does not have.
  Judged operator()(LogHypothesis hypothesis, const Columns& rows, bool looks = false) {
    constexpr double fewest_rows = 20.0;
    const std::size_t n = robot_.dof();
    Judged judged;
    judged.hypothesis = std::move(hypothesis);
    judged.seen.resize(n);
    judged.sizes.resize(n);
    const Columns columns = read(judged.hypothesis, rows);
    Columns torques;
    try {
      torques = predict(judged.hypothesis, columns);
    } catch (const NotFinite&) {
      judged.is_possible = false;
      return judged;
    }
    double bounded = 0.0, plain = 0.0, joints = 0.0, turning_around = 0.0;
    bool predicts = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (is_noise_[judged.hypothesis.joints[i].torque_column]) continue;
      const Halves sums = halves(i, columns, torques[i]);
      if (sums.sums[1].rows < fewest_rows || sums.torque() == 0.0) continue;
      const Effect effect = judged.hypothesis.joints[i].effect;
      const Halves::Fit fit = sums.fit(regressors_of(effect));
      if (!std::isfinite(fit.left)) continue;
      joints += 1.0;
      if (sums.turns_around()) turning_around += 1.0;
      plain += fit.left;
      bounded += fit.left / (1.0 + fit.left);
      judged.worst = std::max(judged.worst, std::sqrt(fit.left));
      judged.driving = std::max(judged.driving, std::sqrt(sums.driving(fit)));
      predicts = predicts || sums.predicts(fit.mean()[of_torque::predicted]);
      judged.sizes[i] = size_of(effect, fit.mean());
      if (looks) judged.seen[i] = sums.seen(is_turning(robot_.joints[i].type));
    }
    const Measured measured = judged.hypothesis.measured;
    const bool may_be_friction = measured == Measured::torques && judged.hypothesis.later == 0.0;
    judged.turns_around = 2.0 * turning_around > joints;
    judged.is_possible = joints > 0.0 && (predicts || may_be_friction);
    judged.left = joints > 0.0 ? std::max(1e-6, std::sqrt(bounded / joints)) : 1.0;
    judged.plain = joints > 0.0 ? std::sqrt(plain / joints) : 1.0;
    return judged;
  }

  /// Torques that the robot file predicts, in the hypothesis' gravity, with its payload. Throws NotFinite.
  Columns predict(const LogHypothesis& hypothesis, const Columns& columns) {
    const std::size_t n = robot_.dof(), rows = columns.front().size();
    const std::vector<const double*> at = places(columns);
    const std::span<const Column> all(at);
    const MotionBlock motion{rows, all.subspan(0, n), all.subspan(n, n), all.subspan(2 * n, n),
                             all.subspan(4 * n + 1)};
    Columns torques(n, std::vector<double>(rows));
    BlockInverseDynamics* dynamics = &dynamics_;
    const std::pair of{hypothesis.gravity, hypothesis.payload};
    if (of.first || of.second) {
      if (!elsewhere_ || elsewhere_of_ != of) {
        Robot robot = robot_;
        robot.gravity = of.first.value_or(robot.gravity);
        if (of.second) robot.payload = {of.second->mass, of.second->com, {}};
        elsewhere_.emplace(normalize(robot));
        elsewhere_of_ = of;
      }
      dynamics = &*elsewhere_;
    }
    dynamics->torque(motion, places(torques));
    return torques;
  }

 private:
  /// Measured torque of a joint at another time than the rows'; NaN where there is none.
  [[nodiscard]] double torque_at(std::size_t joint, double t) const {
    const std::vector<double>&times = torques_[0], &tau = torques_[1 + joint];
    const auto after = std::ranges::lower_bound(times, t);
    if (after == times.end() || (after == times.begin() && *after > t)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const auto at = static_cast<std::size_t>(after - times.begin());
    if (at == 0) return tau[0];
    return std::lerp(tau[at - 1], tau[at], (t - times[at - 1]) / (times[at] - times[at - 1]));
  }

  /// Columns of the joints as the hypothesis reads them.
  [[nodiscard]] Columns read(const LogHypothesis& hypothesis, const Columns& rows) const {
    const std::size_t n = robot_.dof();
    Columns columns = rows;
    for (std::size_t i = 0; i < n; ++i) {
      const LogHypothesis::Source& of = hypothesis.joints[i];
      const double sign = of.is_turned ? -1.0 : 1.0;
      const bool opposite = of.is_torque_turned || hypothesis.measured == Measured::opposite;
      for (std::size_t k = 0; k < 4; ++k) {
        const double factor = k == 3 && opposite ? -sign : sign;
        const double add = k == 0 ? radians(of.zero) : 0.0;
        const std::vector<double>& source = rows[k * n + (k == 3 ? of.torque_column : of.column)];
        for (std::size_t row = 0; row < source.size(); ++row) {
          const double value =
              k == 3 && hypothesis.later != 0.0
                  ? torque_at(of.torque_column, rows[4 * n][row] + hypothesis.later)
                  : source[row];
          const double beside =
              k < 3 && of.beside != 0 ? of.beside * columns[k * n + i - 1][row] : 0.0;
          columns[k * n + i][row] = factor * value + add + beside;
        }
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
    return columns;
  }

  /// Sums of the rows in which a joint moves, in two halves.
  [[nodiscard]] Halves halves(std::size_t i, const Columns& columns,
                              const std::vector<double>& torques) const {
    const std::size_t n = robot_.dof();
    const std::vector<double>&q = columns[i], &qd = columns[n + i], &qdd = columns[2 * n + i],
          &tau = columns[3 * n + i];
    std::vector<std::size_t> moving = moving_rows(qd);
    std::erase_if(moving, [&](std::size_t row) { return std::isnan(tau[row]); });
    Halves found;
    for (std::size_t k = 0; k < moving.size(); ++k) {
      const std::size_t row = moving[k];
      Sums& half = found.sums[2 * k < moving.size() ? 0 : 1];
      Regressors row_of;
      row_of << torques[row], qd[row] > 0.0 ? 1.0 : -1.0, qd[row], qdd[row], 1.0, q[row],
          std::sin(q[row]), std::cos(q[row]);
      half.add(row_of, tau[row]);
    }
    return found;
  }

  const Robot& robot_;
  BlockInverseDynamics dynamics_;
  const Columns& torques_;
  std::vector<bool> is_noise_;                     // torques without information, by column
  std::optional<BlockInverseDynamics> elsewhere_;  // in another gravity, with another payload
  std::pair<std::optional<Vec3>, std::optional<LogHypothesis::Payload>> elsewhere_of_;
};

/// Factors of the units of something in the torques, and these without it, that make them most like
/// those measured, beside friction and rotors.
Eigen::VectorXd factors_of(const Columns& rows, const Columns& without,
                           std::span<const Columns> units) {
  const std::size_t n = without.size(), count = rows.front().size(), own = 3;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(index(n * count), index(units.size() + own * n));
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
  for (std::size_t i = 0; i < n; ++i) {
    const double usual = root_mean_square(rows[3 * n + i]);
    if (usual == 0.0) continue;
    for (const std::size_t row : moving_rows(rows[n + i])) {
      const Eigen::Index at = index(i * count + row);
      for (std::size_t k = 0; k < units.size(); ++k) A(at, index(k)) = units[k][i][row] / usual;
      const double qd = rows[n + i][row], qdd = rows[2 * n + i][row];
      A.row(at).segment<own>(index(units.size() + own * i)) << (qd > 0.0) - (qd < 0.0), qd, qdd;
      b[at] = (rows[3 * n + i][row] - without[i][row]) / usual;
    }
  }
  return least_squares(A, b).col(0).head(index(units.size()));
}

constexpr double earth = 9.81;  // m/s²
constexpr std::array axes{Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};

/// Gravity of the earth in the direction that makes torques most like those measured, as of an arm on
/// a wall; nothing where there is no such. Throws NotFinite.
std::optional<Vec3> gravity_of(const Robot& robot, Judge& judge, LogHypothesis hypothesis,
                               const Columns& rows) {
  constexpr double alike = 0.1, none = 0.1, digit = 0.01;  // m/s²
  Columns still = rows;
  for (std::size_t k = robot.dof(); k < 3 * robot.dof(); ++k) still[k].assign(rows[0].size(), 0.0);
  hypothesis.gravity = Vec3{};
  const Columns without = judge.predict(hypothesis, rows);
  std::array<Columns, 3> units;
  for (std::size_t k = 0; k < units.size(); ++k) {
    hypothesis.gravity = axes[k];
    units[k] = judge.predict(hypothesis, still);
  }
  const Eigen::VectorXd found = factors_of(rows, without, units);
  const auto in_digits = [](double x) {
    return std::abs(x) < none ? 0.0 : std::round(x / digit) * digit;
  };
  const Vec3 g{in_digits(found[0]), in_digits(found[1]), in_digits(found[2])};
  const bool is_of_earth = std::abs(length(g) / earth - 1.0) < alike;
  return is_of_earth && length(g - robot.gravity) > alike * earth ? std::optional(g) : std::nullopt;
}

/// Payload that makes torques most like those measured, no heavier than the links, with its center of
/// mass no further from the TCP than the arm is long; nothing where there is none. Throws NotFinite.
std::optional<LogHypothesis::Payload> payload_of(const Robot& robot, Judge& judge,
                                                 LogHypothesis hypothesis, const Columns& rows) {
  constexpr double near = 0.1;  // m, so that a point's inertia about the TCP is small
  const auto torques = [&](double mass, const Vec3& com) {
    hypothesis.payload = {mass, com};
    return judge.predict(hypothesis, rows);
  };
  const auto difference = [](Columns a, const Columns& b, double by) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t row = 0; row < a[i].size(); ++row) a[i][row] = (a[i][row] - b[i][row]) / by;
    }
    return a;
  };
  const Columns without = torques(0.0, {}), at_tool = torques(1.0, {});
  std::array<Columns, 4> units{difference(at_tool, without, 1.0)};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    units[k + 1] = difference(torques(1.0, near * axes[k]), at_tool, near);
  }
  const Eigen::VectorXd found = factors_of(rows, without, units);
  const double mass = std::max(0.0, found[0]);
  const Vec3 com = mass > 0.0 ? 1.0 / mass * Vec3{found[1], found[2], found[3]} : Vec3{};
  double most = 0.0;
  for (const Joint& joint : robot.joints) most += joint.body.mass;
  const bool is_near = mass <= most && length(com) <= size_of(robot);
  if ((mass == 0.0 && robot.payload.mass == 0.0) || !is_near) return {};
  return LogHypothesis::Payload{mass, com};
}

/// Attempts at hypotheses by some rows of q, qd, qdd, tau, t and the wrench, and the torques
/// between them.
class Attempts {
 public:
  Attempts(const Robot& robot, BlockInverseDynamics dynamics, const Columns& rows,
           const Columns& torques)
      : robot_(robot),
        judge_(robot, std::move(dynamics), torques),
        rows_(rows),
        by_name_(places_by_name(robot)) {
    const std::size_t stride = stride_of_few();
    for (const std::vector<double>& column : rows) {
      std::vector<double>& some = few_rows_.emplace_back();
      for (std::size_t row = 0; row < column.size(); row += stride) some.push_back(column[row]);
    }
  }

 protected:
  using Source = LogHypothesis::Source;

  Judged& attempt(LogHypothesis hypothesis) {
    Judged& judged = tried_.emplace_back(judge_(std::move(hypothesis), rows_));
    judged.may_be_named = may_be_named_;
    return judged;
  }

  /// Changes a value of the hypothesis by steps that halve, as long as less is left.
  template <class Value>
  void refine(Judged& best, Value value, double step, double least, const Columns& rows) {
    for (; step > least; step /= 2.0) {
      const LogHypothesis from = best.hypothesis;
      for (const double change : {-step, step}) {
        LogHypothesis hypothesis = from;
        value(hypothesis) += change;
        Judged judged = judge_(std::move(hypothesis), rows);
        if (judged.is_possible && judged.left < best.left) best = std::move(judged);
      }
    }
  }

  /// The columns as given, with torques of the time that leaves least.
  LogHypothesis shifted(const Judged& given) {
    constexpr double longest = 2.0, share = 0.25, steps = 40.0;  // s, of the log
    const double duration = rows_[4 * robot_.dof()].back() - rows_[4 * robot_.dof()].front();
    const double step = std::min(longest, share * duration) / steps;
    Judged best = judge_(given.hypothesis, few_rows_);
    for (double k = -steps; k <= steps; k += 1.0) {
      LogHypothesis hypothesis = given.hypothesis;
      hypothesis.later = k * step;
      Judged judged = judge_(std::move(hypothesis), few_rows_);
      if (judged.is_possible && judged.left < best.left) best = std::move(judged);
    }
    best = judge_(best.hypothesis, rows_);
    const auto later = [](LogHypothesis& h) -> double& { return h.later; };
    refine(best, later, step / 2.0, step / 500.0, rows_);
    return best.hypothesis;
  }

  /// Tries the order of the names, exchanges of two joints, orders that begin elsewhere or run
  /// backwards, of all columns, of the torques or of the motion alone.
  Judged best_order(const Judged& given) {
    const std::size_t n = robot_.dof();
    Judged best = given;
    const auto exchange = [&](const std::vector<std::size_t>& order, bool of_motion,
                              bool of_torque) {
      LogHypothesis hypothesis = given.hypothesis;
      for (std::size_t i = 0; i < n; ++i) {
        hypothesis.joints[i] = {of_motion ? order[i] : i, of_torque ? order[i] : i};
      }
      Judged& judged = attempt(std::move(hypothesis));
      judged.may_be_named = judged.may_be_named || (is_of_two(order) && of_motion && of_torque);
      if (judged.is_possible && judged.left < best.left) best = judged;
    };
    std::set<std::vector<std::size_t>> orders{by_name_};
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::size_t> order = in_order(n);
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), order.end());
      orders.insert(order);
      for (std::size_t j = i + 1; j < n; ++j) {
        order = in_order(n);
        std::swap(order[i], order[j]);
        orders.insert(order);
      }
    }
    orders.insert(each(in_order(n), [&](std::size_t i) { return n - 1 - i; }));
    for (const std::vector<std::size_t>& order : orders) {
      if (order == in_order(n)) continue;
      exchange(order, true, true);
      exchange(order, false, true);
      exchange(order, true, false);
    }
    return best;
  }

  /// Tests whether a joint and that before it do not move in proportion: else a sum of both shows
  /// nothing of an axis.
  [[nodiscard]] bool moves_otherwise_than_before(std::size_t joint) const {
    constexpr double proportional = 0.999;  // square of the correlation
    const std::size_t n = robot_.dof();
    const auto &a = rows_[n + joint - 1], &b = rows_[n + joint];
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (std::size_t row = 0; row < a.size(); ++row) {
      aa += a[row] * a[row];
      bb += b[row] * b[row];
      ab += a[row] * b[row];
    }
    return ab * ab < proportional * aa * bb;
  }

  /// Changes of a joint's columns: sign of motion, torque or both, zero, and the joint before's motion
  /// added.
  [[nodiscard]] std::vector<Source> changes_of(std::size_t joint) const {
    const bool turns = is_turning(robot_.joints[joint].type);
    const bool may_be_beside = turns && joint > 0 && is_turning(robot_.joints[joint - 1].type) &&
                               moves_otherwise_than_before(joint);
    std::vector<Source> changes;
    for (const bool is_turned : {false, true}) {
      changes.push_back({.is_turned = is_turned, .is_torque_turned = true});
      for (int zero = -150; zero <= 180; zero += 30) {
        if (zero == 0 || (turns && (!is_turned || zero % 90 == 0))) {
          changes.push_back({.is_turned = is_turned, .zero = 1.0 * zero});
        }
        for (const int beside : {-1, 1}) {
          if (!may_be_beside || is_turned || zero % 90 != 0) continue;
          changes.push_back({.is_turned = is_turned, .zero = 1.0 * zero, .beside = beside});
        }
      }
    }
    return changes;
  }

  /// The zero that leaves least, as round a number as leaves about as little.
  void refine_zero(Judged& best, std::size_t joint) {
    constexpr double much_alike = 1.01;
    const auto zero = [&](LogHypothesis& h) -> double& { return h.joints[joint].zero; };
    refine(best, zero, 15.0, 0.05, few_rows_);
    for (const double unit : {90.0, 15.0, 1.0, 0.1}) {
      LogHypothesis hypothesis = best.hypothesis;
      zero(hypothesis) = unit * std::round(zero(hypothesis) / unit);
      Judged judged = judge_(std::move(hypothesis), few_rows_);
      if (judged.left > much_alike * best.left) continue;
      best = std::move(judged);
      return;
    }
  }

  static bool is_zero_alone(const Source& of) {
    return of.zero != 0.0 && !of.is_turned && of.beside == 0;
  }
  /// The joints and signs that it changes, with any zeros.
  static LogHypothesis without_zeros(LogHypothesis of) {
    for (Source& joint : of.joints) joint.zero = joint.zero == 0.0 ? 0.0 : 1.0;
    return of;
  }

  /// Tries changes of the joint that gains most, as long as one gains, without those that gain little;
  /// and other first changes that leave about as little.
  void attempt_joints(const LogHypothesis& from_all) {
    constexpr double gain = 0.95;  // of readings that are alike the first is taken
    constexpr std::size_t most_others = 3;
    Judged best = judge_(from_all, few_rows_);
    const double at_first = best.left;
    const std::vector<Source> before = from_all.joints;
    const std::size_t n = robot_.dof();
    const auto with = [&](LogHypothesis hypothesis, std::size_t joint, const Source& source) {
      hypothesis.joints[joint] = source;
      return judge_(std::move(hypothesis), few_rows_);
    };
    std::vector<Judged> first;
    for (std::size_t round = 0; round < n; ++round) {
      const double limit = gain * best.left;
      const LogHypothesis from = best.hypothesis;
      std::size_t changed = n;
      for (std::size_t k = 0; k < 2 * n; ++k) {  // first all without another zero
        const std::size_t i = k % n;
        for (Source change : changes_of(i)) {
          change.column = from.joints[i].column;
          change.torque_column = from.joints[i].torque_column;
          if ((change.zero != 0.0) != (k >= n) || change == from.joints[i]) continue;
          Judged judged = with(from, i, change);
          if (round == 0) first.push_back(judged);
          const bool gains = judged.is_possible && judged.left < std::min(limit, gain * best.left);
          if (!gains) continue;
          best = std::move(judged);
          changed = i;
        }
      }
      if (changed == n) break;
      if (is_zero_alone(best.hypothesis.joints[changed])) refine_zero(best, changed);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (best.hypothesis.joints[i] == before[i]) continue;
      Judged judged = with(best.hypothesis, i, before[i]);
      if (clearly * judged.left <= best.left) best = std::move(judged);
    }
    std::ranges::stable_sort(first, {}, &Judged::left);
    std::vector<LogHypothesis> kinds{without_zeros(best.hypothesis)};
    for (Judged& other : first) {
      const LogHypothesis kind = without_zeros(other.hypothesis);
      if (std::ranges::find(kinds, kind) != kinds.end()) continue;
      if (kinds.size() > most_others) break;
      kinds.push_back(kind);
      for (std::size_t i = 0; i < n; ++i) {
        if (is_zero_alone(other.hypothesis.joints[i])) refine_zero(other, i);
      }
      const bool explains = clearly * other.left <= best.left && other.left < clearly * at_first;
      if (explains) attempt(other.hypothesis);
    }
    attempt(best.hypothesis);
  }

  const Robot& robot_;
  Judge judge_;
  const Columns& rows_;
  Columns few_rows_;
  std::vector<std::size_t> by_name_;
  bool may_be_named_ = true;
  std::vector<Judged> tried_;

 private:
  /// Every so many rows are 150, and 60 in which each joint moves.
  [[nodiscard]] std::size_t stride_of_few() const {
    constexpr std::size_t few = 150, few_moving = 60;
    std::size_t stride = rows_.front().size() / few;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      const std::size_t moving = moving_rows(rows_[robot_.dof() + i]).size();
      if (moving > 0) stride = std::min(stride, moving / few_moving);
    }
    return std::max<std::size_t>(stride, 1);
  }
};

/// Search for the hypothesis that explains best.
class HypothesisSearch : Attempts {
 public:
  using Attempts::Attempts;

  std::optional<LogFinding> find(bool has_time) {
    const std::size_t n = robot_.dof();
    LogHypothesis as_given;
    for (std::size_t i = 0; i < n; ++i) as_given.joints.push_back({i, i});
    const Judged given = judge_(as_given, rows_, true);
    if (!given.is_possible || given.worst < right_enough) return {};
    search(given, has_time);
    attempt_effects(given);
    const auto may_be_named = [&](const Judged& tried) {
      return tried.may_be_named && tried.plain < explained &&
             is_named(tried.residual(), tried.hypothesis.has_effects() ? HUGE_VAL : given.left);
    };
    std::erase_if(tried_, [&](const Judged& tried) {
      return !tried.is_possible || tried.hypothesis == as_given;
    });
    std::ranges::stable_sort(tried_, {}, &Judged::doubt);
    const auto best = std::ranges::find_if(tried_, may_be_named);
    if (best == tried_.end()) return {};
    LogFinding found = finding(*best, given);
    constexpr std::size_t most_others = 2;
    // A short motion shows an exchange where all else leaves much more.
    const bool is_of_short_motion = best->hypothesis.moves_joints() && !given.turns_around;
    std::vector<LogHypothesis> named{best->hypothesis, found.hypothesis};
    for (const Judged& tried : tried_) {
      const bool explains =
          may_be_named(tried)
              ? clearly * tried.doubt() <= best->doubt()
              : (is_of_short_motion ? clearly : 1.0) * tried.residual() <= best->residual();
      const bool assumes_more = tried.assumes_numbers() && !best->assumes_numbers();
      const bool is_known = std::ranges::find(named, tried.hypothesis) != named.end();
      if (!explains || assumes_more || is_known) continue;
      if (found.others.size() == most_others || !may_be_named(tried)) return {};
      LogFinding other = finding(tried, given);
      if (std::ranges::find(named, other.hypothesis) != named.end()) continue;
      named.insert(named.end(), {tried.hypothesis, other.hypothesis});
      found.others.push_back(std::move(other));
    }
    return found;
  }

 private:
  /// What a hypothesis is beside the columns as given.
  LogFinding finding(const Judged& tried, const Judged& given) {
    best_ = tried;
    const std::size_t n = robot_.dof();
    if (tried.is_of_motors && !are_nearer_currents(given.seen)) {
      best_ =
          judge_({.measured = Measured::motor_torques, .joints = given.hypothesis.joints}, rows_);
    }
    LogFinding found{
        .hypothesis = best_.hypothesis, .left = best_.plain, .left_as_given = given.plain};
    found.sizes = best_.sizes;
    tell_unit(found, given);
    if (!best_.hypothesis.moves_joints()) return found;
    found.is_alphabetical = by_name_ != in_order(n);
    for (std::size_t i = 0; i < n; ++i) {
      found.is_alphabetical &= best_.hypothesis.joints[i].column == by_name_[i];
    }
    tell_unseen(found);
    return found;
  }

  /// Tries what concerns all columns, then orders, then single joints.
  void search(const Judged& given, bool has_time) {
    constexpr std::size_t most_joints = 12;
    std::vector<Measured> all{Measured::opposite};
    if (!MotorSide(robot_).is_joint_side()) {
      all.insert(all.end(), {Measured::motor_torques, Measured::motor_side});
    }
    LogHypothesis other = given.hypothesis;
    for (const Measured measured : all) {
      other.measured = measured;
      attempt(other);
    }
    other = given.hypothesis;
    other.gravity = Vec3{};
    if (attempt(other).left < explained) {  // as in gravity along the axes of a planar arm
      for (const Vec3& axis : axes) {
        other.gravity = earth * axis;
        attempt(other);
      }
    }
    try {
      other.gravity = gravity_of(robot_, judge_, given.hypothesis, few_rows_);
      if (other.gravity) attempt(other);
      may_be_named_ = given.turns_around;  // a short motion fits one of many readings accidentally
      other = given.hypothesis;
      other.payload = payload_of(robot_, judge_, other, few_rows_);
      if (other.payload) attempt(other);
    } catch (const NotFinite&) {  // nothing to compare
    }
    may_be_named_ = given.turns_around;
    if (has_time) attempt(shifted(given));
    for (std::size_t i = 0; i < robot_.dof(); ++i) {  // may look like another gravity
      other = given.hypothesis;
      other.joints[i].is_torque_turned = true;
      attempt(other);
    }
    if (robot_.dof() > most_joints) return;
    if (given.left >= right_enough) attempt_joints(given.hypothesis);
    const bool is_explained =
        given.left < right_enough || std::ranges::any_of(tried_, [](const Judged& tried) {
          return tried.is_possible && tried.residual() < right_enough / 2.0;
        });
    if (is_explained && given.turns_around) return;
    const LogHypothesis ordered = best_order(given).hypothesis;
    if (!is_explained && ordered != given.hypothesis) attempt_joints(ordered);
  }

  /// Tries the effects seen in the torques as given; those of gears at all joints.
  void attempt_effects(const Judged& given) {
    LogHypothesis hypothesis = given.hypothesis;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      hypothesis.joints[i].effect = given.seen[i].effect;
    }
    if (!hypothesis.has_effects()) return;
    const bool is_of_motors = looks_like_motors(given.seen);
    for (Source& joint : hypothesis.joints) {
      if (is_of_motors) joint.effect = Effect::scale;
    }
    may_be_named_ = true;
    attempt(std::move(hypothesis)).is_of_motors = is_of_motors;
  }

  /// Tests whether measured torques over predicted ones are about 1/gear ratio.
  [[nodiscard]] bool looks_like_motors(const std::vector<Seen>& seen) const {
    constexpr double beyond_masses = 2.0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i].effect == Effect::none) continue;
      if (seen[i].effect != Effect::scale) return false;
      const auto& motor = robot_.joints[i].motor;
      const double of_motor = seen[i].size * motor.gear_ratio;
      if (!(of_motor > 1.0 / beyond_masses && of_motor < beyond_masses)) return false;
      if (std::abs(motor.gear_ratio) < beyond_masses) return false;
    }
    return robot_.couplings.empty();
  }
  /// Tests whether they are nearer to those of currents by the file's constants.
  [[nodiscard]] bool are_nearer_currents(const std::vector<Seen>& seen) const {
    return std::ranges::any_of(in_order(seen.size()), [&](std::size_t i) {
      const auto& motor = robot_.joints[i].motor;
      const double of_motor = seen[i].size * motor.gear_ratio;
      const double of_current = of_motor * motor.ratings.torque_constant.value_or(1.0);
      return seen[i].effect == Effect::scale &&
             std::abs(std::log(of_current)) < std::abs(std::log(of_motor));
    });
  }

  /// Adds the reason of the scales: another unit, or currents that the robot file converts.
  void tell_unit(LogFinding& found, const Judged& given) const {
    std::vector<double> scales;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      if (found.hypothesis.joints[i].effect == Effect::scale) scales.push_back(found.sizes[i]);
    }
    if (scales.empty()) return;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      if (!given.seen[i].has_scale) found.unseen_scales.push_back(i);
    }
    const auto [least, most] = std::ranges::minmax(scales);
    const double usual = median_of(scales);
    for (const auto& [unit, size] : {std::pair{"mN", 1e3}, {"kN", 1e-3}}) {
      if (std::abs(usual / size - 1.0) > 0.25 || least < 0.5 * size || most > 2.0 * size) continue;
      found.unit = unit;
      found.unit_size = size;
    }
    found.are_currents =
        found.unit.empty() && std::ranges::all_of(robot_.joints, [](const Joint& joint) {
          return joint.motor.ratings.torque_constant.has_value();
        });
  }

  /// Adds hypotheses that fit about as well.
  void tell_unseen(LogFinding& found) {
    const std::size_t n = robot_.dof();
    constexpr std::size_t most_joints = 8;
    const auto fits = [&](LogHypothesis hypothesis) {
      return clearly * judge_(std::move(hypothesis), rows_).left < best_.left;
    };
    for (std::size_t i = 0; i < n; ++i) {
      LogHypothesis shifted = best_.hypothesis, turned = best_.hypothesis;
      shifted.joints[i].zero += 90.0;
      turned.joints[i].is_turned = !turned.joints[i].is_turned;
      if (is_turning(robot_.joints[i].type) && fits(std::move(shifted))) {
        found.unseen_zeros.push_back(i);
      }
      if (fits(std::move(turned))) found.unseen_signs.push_back(i);
    }
    for (std::size_t set = 1; n <= most_joints && set < (std::size_t{1} << n); ++set) {
      for (const double half_turn : {0.0, 180.0}) {
        LogHypothesis mirror = best_.hypothesis;
        std::vector<std::size_t> joints;
        for (std::size_t i = 0; i < n; ++i) {
          if ((set >> i & 1U) == 0) continue;
          if (joints.empty()) mirror.joints[i].zero = half_turn - mirror.joints[i].zero;
          mirror.joints[i].is_turned = !mirror.joints[i].is_turned;
          joints.push_back(i);
        }
        if (joints.size() < 2 || !fits(std::move(mirror))) continue;
        if (joints.size() > found.mirrored.size()) found.mirrored = joints;
      }
    }
  }

  Judged best_;  // in a finding
};

}  // namespace

bool LogHypothesis::moves_joints() const {
  const auto is_moved = [&](std::size_t i) { return joints[i].is_moved(i); };
  return std::ranges::any_of(in_order(joints.size()), is_moved);
}

bool LogFinding::moves_joints() const {
  return hypothesis.moves_joints() && std::ranges::all_of(others, &LogFinding::moves_joints);
}

bool LogHypothesis::has_effects() const {
  return std::ranges::any_of(joints, [](const Source& of) { return of.effect != Effect::none; });
}

void EvenRows::add(std::span<const Column> from, std::size_t row) {
  if (seen++ % stride != 0) return;
  columns.resize(from.size());
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(from[k][row]);
  if (columns.front().size() < most) return;
  for (std::vector<double>& values : columns) {
    for (std::size_t i = 0; 2 * i < values.size(); ++i) values[i] = values[2 * i];
    values.resize((values.size() + 1) / 2);
  }
  stride *= 2;
}

void LogHypotheses::add(const MotionBlock& motion, std::span<const double> t,
                        std::span<const std::span<const double>> tau) {
  std::vector<double> now(t.begin(), t.end());
  for (std::size_t row = now.size(); row < motion.rows; ++row) {
    now.push_back(static_cast<double>(torques_.seen + row));
  }
  const std::vector<Column> torques = each(tau, [](auto column) { return column.data(); });
  std::vector<Column> all, of_torques{now.data()};
  for (const std::span<const Column> columns : {motion.q, motion.qd, motion.qdd}) {
    append(all, columns);
  }
  append(all, torques);
  append(of_torques, torques);
  all.push_back(now.data());
  append(all, motion.wrench);
  for (std::size_t row = 0; row < motion.rows; ++row) {
    const Columns& before = torques_.columns;
    has_time_ = has_time_ && !t.empty() && (before.empty() || now[row] > before[0].back());
    rows_.add(all, row);
    torques_.add(of_torques, row);
  }
}

std::optional<LogFinding> LogHypotheses::find() const {
  if (rows_.columns.empty() || rows_.columns.front().empty()) return {};
  return HypothesisSearch(robot_, dynamics_, rows_.columns, torques_.columns).find(has_time_);
}

}  // namespace armdyn
