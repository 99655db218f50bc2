#include "datasheet/stopping.hpp"

#include <armdyn/simulation.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "dynamics/link_frames.hpp"
#include "math/each.hpp"
#include "math/ltdl.hpp"
#include "math/statistics.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

constexpr std::size_t positions_tried = 600;

/// Gravity's torque at a joint by its displacement x from here: constant + cosine cos x + sine sin x.
struct GravityWave {
  double constant = 0.0, cosine = 0.0, sine = 0.0;

  GravityWave(const MovingArm& arm, std::span<const double> q, std::size_t joint) {
    std::vector<double> at(q.begin(), q.end());
    for (int k = 0; k < 3; ++k) {
      const double x = is_turning(arm.links[joint].joint) ? 2.0 * std::numbers::pi * k / 3.0 : 0.0;
      at[joint] = q[joint] + x;
      const double G =
          motion_terms<double>(arm, at, TermsOf::rest, base_rows).rest[base_rows + joint];
      constant += G / 3.0;
      cosine += 2.0 / 3.0 * G * std::cos(x);
      sine += 2.0 / 3.0 * G * std::sin(x);
    }
    if (!is_turning(arm.links[joint].joint)) cosine = sine = 0.0;
  }

  [[nodiscard]] double most() const { return std::abs(constant) + std::hypot(cosine, sine); }
  /// Work against gravity on a way in the direction of that sign.
  [[nodiscard]] double work(double way, double sign) const {
    return sign * (constant * way + cosine * std::sin(way)) + sine * (1.0 - std::cos(way));
  }
};

/// ∫ f(u) du from 0 to 1 by Gauss's rule of five points in each part.
double integral(const auto& f, int parts) {
  constexpr std::array nodes{0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                             -0.9061798459386640};
  constexpr std::array weights{0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                               0.2369268850561891, 0.2369268850561891};
  double sum = 0.0;
  for (int part = 0; part < parts; ++part) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      sum += 0.5 / parts * weights[k] * f((part + 0.5 + 0.5 * nodes[k]) / parts);
    }
  }
  return sum;
}

/// Distance of the TCP from a joint's axis, of a mechanism its speed by that of the joint; 0 of a
/// prismatic one.
double extension_of(const Arm& arm, std::span<const double> q, std::size_t joint) {
  if (!is_turning(arm.links[joint].joint)) return 0.0;
  if (!arm.is_serial()) {
    const Matrix J = tool_jacobian<double>(arm, q);
    return length(Vec3{J(0, joint), J(1, joint), J(2, joint)});
  }
  Transform T;  // from the frame behind the joint
  for (std::size_t i = joint + 1; i < arm.dof(); ++i) T = T * joint_frame(arm.links[i], q[i]);
  const Vec3 tip = T * arm.tool.p;
  return std::hypot(tip.x, tip.y);
}

/// Torques along a path of the parameter s: |rest_i + squares_i ṡ² + inertia_i s̈| ≤ limit.
struct PathTerms {
  std::vector<double> rest, squares, inertia;

  /// At q, where dq/ds and d²q/ds² are these.
  PathTerms(const LimitedArm& arm, std::span<const double> q, std::span<const double> slope,
            std::span<const double> curvature) {
    const std::size_t n = arm.dof();
    const auto terms = motion_terms<double>(arm.arm, q, TermsOf::speeds, base_rows);
    for (std::size_t i = 0; i < n; ++i) {
      double square = 0.0, along = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        const double M = terms.inertia(base_rows + i, k) + (i == k ? arm.rotors[i] : 0.0);
        along += M * slope[k];
        square += M * curvature[k];
        for (std::size_t j = 0; j <= k; ++j) {
          square +=
              terms.speeds(base_rows + i, MotionTerms<double>::pair(j, k)) * (slope[j] * slope[k]);
        }
      }
      rest.push_back(terms.rest[base_rows + i]);
      squares.push_back(square);
      inertia.push_back(along);
    }
  }
  /// Of a joint that moves alone.
  PathTerms(const LimitedArm& arm, std::span<const double> q, std::size_t joint)
      : PathTerms(arm, q, unit(arm.dof(), joint), std::vector<double>(arm.dof())) {}

  /// The largest deceleration here; 0 where the speed alone exceeds a limit.
  [[nodiscard]] double most(const LimitedArm& arm, double speed, double square) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double held = rest[i] + squares[i] * square;
      const double needed = speed > 0.0 ? -inertia[i] : inertia[i];
      if (std::abs(held) > arm.torques[i]) return 0.0;
      if (needed != 0.0) {
        least = std::min(least,
                         (arm.torques[i] - std::copysign(1.0, needed) * held) / std::abs(needed));
      }
    }
    return least;
  }

 private:
  static std::vector<double> unit(std::size_t n, std::size_t joint) {
    std::vector<double> list(n);
    list[joint] = 1.0;
    return list;
  }
};

/// The largest constant deceleration on a path, from a speed, that keeps the limits of torque until the
/// arm stands, at nine points (39.14); `terms_at(way)` are those so far on. 0 where there is none.
double largest_deceleration(const LimitedArm& arm, double speed, const auto& terms_at) {
  constexpr int points = 8;
  const double square = speed * speed;
  const auto holds = [&](double deceleration) {
    for (int k = 0; k <= points; ++k) {
      const double share = static_cast<double>(k) / points;
      const PathTerms terms = terms_at(0.5 * share * square / deceleration);
      if (terms.most(arm, speed, square * (1.0 - share)) < deceleration) return false;
    }
    return true;
  };
  double lower = 0.0, upper = terms_at(0.0).most(arm, speed, square);
  if (!(upper > 0.0) || std::isinf(upper)) return 0.0;
  if (holds(upper)) return upper;
  for (int step = 0; step < 20; ++step) {
    const double middle = 0.5 * (lower + upper);
    (holds(middle) ? lower : upper) = middle;
  }
  return lower;
}

std::vector<double> mass_matrix_with_rotors(const LimitedArm& arm, std::span<const double> q) {
  const std::size_t n = arm.dof();
  const auto terms = motion_terms<double>(arm.arm, q, TermsOf::accelerations, base_rows);
  std::vector<double> M(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      M[i * n + j] = terms.inertia(base_rows + i, j) + (i == j ? arm.rotors[i] : 0.0);
    }
  }
  return M;
}

/// What a joint that moves alone feels from a position on, in the direction of that sign.
class JointWay {
 public:
  JointWay(const LimitedArm& arm, std::vector<double> from, std::size_t joint, double sign)
      : arm_(arm), from_(std::move(from)), joint_(joint), sign_(sign) {
    if (arm.arm.is_serial()) {
      wave_.emplace(arm.arm, from_, joint);
      inertia_ = inertia_about(arm, joint, from_);
    } else {
      energy_ = potential_energy_at<double>(arm.arm, from_);
    }
  }

  /// Work against gravity and springs.
  [[nodiscard]] double work(double way) const {
    if (wave_) return wave_->work(way, sign_);
    return potential_energy_at<double>(arm_.arm, at(way)) - energy_;
  }
  /// Its inertia, rotor included.
  [[nodiscard]] double inertia(double way) const {
    return wave_ ? inertia_ : inertia_about(arm_, joint_, at(way));
  }
  /// Most torque of gravity and springs: of a serial arm anywhere, of a mechanism at nine places.
  [[nodiscard]] double most_torque(double way) const {
    if (wave_) return wave_->most();
    double most = 0.0;
    for (int k = 0; k <= 8; ++k) {
      const auto terms =
          motion_terms<double>(arm_.arm, at(k / 8.0 * way), TermsOf::rest, base_rows);
      most = std::max(most, std::abs(terms.rest[base_rows + joint_]));
    }
    return most;
  }

 private:
  [[nodiscard]] std::vector<double> at(double way) const {
    std::vector<double> q = from_;
    q[joint_] += sign_ * way;
    return q;
  }

  const LimitedArm& arm_;
  std::vector<double> from_;
  std::size_t joint_;
  double sign_;
  std::optional<GravityWave> wave_{};  ///< of a serial arm, whose inertia is constant
  double inertia_ = 0.0, energy_ = 0.0;
};

/// A stop by a brake of constant torque (39.13).
class Braking {
 public:
  Braking(const LimitedArm& arm, std::span<const double> q, std::size_t joint, double speed,
          double brake, double delay)
      : brake_(brake),
        delay_(delay),
        rolled_(std::abs(speed) * delay),
        way_(arm, moved(q, joint, std::copysign(rolled_, speed)), joint, speed < 0.0 ? -1.0 : 1.0),
        energy_(0.5 * way_.inertia(0.0) * speed * speed) {
    if (std::isinf(brake)) return;
    double upper = energy_ / brake;
    if (arm.arm.is_serial()) {
      if (!(brake > way_.most_torque(0.0))) return;
      upper = energy_ / (brake - way_.most_torque(0.0));
    } else {
      for (int k = 0; left(upper) > 0.0 && k < most_doublings; ++k) upper *= 2.0;
      if (left(upper) > 0.0) return;
    }
    double lower = 0.0;
    for (int step = 0; step < 200 && lower < upper; ++step) {
      const double middle = lower + 0.5 * (upper - lower);
      if (middle == lower || middle == upper) break;
      (left(middle) > 0.0 ? lower : upper) = middle;
    }
    if (brake > way_.most_torque(upper)) braked_ = upper;
  }

  [[nodiscard]] double angle() const { return rolled_ + braked_; }
  [[nodiscard]] double time(int parts = 8) const {
    if (std::isinf(braked_)) return braked_;
    const auto over_way = [&](double u) {  // way (1 − u²)
      const double at = braked_ * (1.0 - u * u);
      const double speed = std::sqrt(2.0 * std::max(0.0, left(at)) / way_.inertia(at));
      return speed > 0.0 ? 2.0 * braked_ * u / speed : 0.0;
    };
    return delay_ + integral(over_way, parts);
  }

 private:
  static constexpr int most_doublings = 8;

  static std::vector<double> moved(std::span<const double> q, std::size_t joint, double by) {
    std::vector<double> at(q.begin(), q.end());
    at[joint] += by;
    return at;
  }
  [[nodiscard]] double left(double way) const { return energy_ - brake_ * way - way_.work(way); }

  double brake_, delay_, rolled_;
  JointWay way_;
  double energy_;
  double braked_ = std::numeric_limits<double>::infinity();  ///< way under the brake
};

/// The arm whose only friction is that of its brakes.
Arm arm_on_brakes(Robot robot, std::span<const double> brakes) {
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    Joint& joint = joint_at(robot, k);
    joint.friction = {};
    joint.motor.coulomb = {};
    joint.motor.viscous = 0.0;
    if (k < brakes.size()) joint.friction.coulomb = {brakes[k], brakes[k]};
  }
  return normalize(robot);
}

/// Way of an arm from where it is first to where it stands.
class StopPath {
 public:
  explicit StopPath(const Arm& arm) : arm_(arm) {}

  void go_to(std::span<const double> q) {
    const Vec3 tcp = tool_frame_at<double>(arm_, q).p;
    if (first_.empty()) {
      first_.assign(q.begin(), q.end());
    } else {
      path_ += length(tcp - tcp_);
    }
    last_.assign(q.begin(), q.end());
    tcp_ = tcp;
  }
  void put_into(MotionStop& stop) const {
    stop.path = path_;
    for (std::size_t i = 0; i < first_.size(); ++i) stop.angles.push_back(last_[i] - first_[i]);
  }

 private:
  const Arm& arm_;
  std::vector<double> first_, last_;
  Vec3 tcp_;
  double path_ = 0.0;  ///< of the TCP, m
};

constexpr double infinite = std::numeric_limits<double>::infinity();

bool moves(std::span<const double> qd) {
  return std::ranges::any_of(qd, [](double speed) { return std::abs(speed) > 1e-6; });
}

/// A stop of category 0 from an instant of a motion, which goes on until the brakes act.
MotionStop braked_on(const Arm& arm, const Trajectory& motion, double instant, double delay) {
  constexpr double step = 1e-3, longest = 20.0;  // s
  std::vector<double> q(arm.dof()), qd(arm.dof()), qdd(arm.dof());
  StopPath path(arm);
  const double steps = std::ceil(delay / step);
  for (double k = 0.0; k <= steps; k += 1.0) {
    motion.at(instant + (steps > 0.0 ? delay * k / steps : 0.0), q, qd, qdd);
    path.go_to(q);
  }
  MotionStop stop{0, instant};
  double next_rest = 0.0;      // s, by the speeds so far
  std::optional<double> rest;  // s
  bool stands = false;         // for a step
  SimulationOptions options;
  options.duration = longest;
  options.step = step;
  options.stop_at_limits = false;
  options.stop = [&stands] { return stands; };
  options.each_step = [&](const SimulationRow& row) {
    path.go_to(row.q);
    if (std::ranges::all_of(row.qd, [](double speed) { return speed == 0.0; })) {
      stands = rest.has_value();
      rest = rest.value_or(std::min(next_rest, row.t));
      return;
    }
    rest.reset();
    next_rest = row.t;
    for (std::size_t i = 0; i < row.qd.size(); ++i) {
      if (row.qd[i] != 0.0) {
        next_rest = std::max(next_rest, row.t + std::abs(row.qd[i] / row.qdd[i]));
      }
    }
  };
  ConstantTorque none(std::vector<double>(arm.dof()));
  try {
    simulate(arm, q, qd, none, options, [](const SimulationRow&) {});
  } catch (const SimulationFailure&) {  // of an arm that falls
    stands = false;
  }
  if (!stands) return {0, instant, infinite, infinite};
  path.put_into(stop);
  stop.time = delay + rest.value_or(0.0);
  return stop;
}

/// A stop of category 1 from an instant of a motion, on its path; none where the motion goes on beyond
/// its last row.
std::optional<MotionStop> decelerated_on(const LimitedArm& arm, const Trajectory& motion,
                                         double instant) {
  const std::size_t n = arm.dof();
  std::vector<double> q(n), qd(n), qdd(n);
  const double d = largest_deceleration(arm, 1.0, [&](double way) {
    motion.at(instant + way, q, qd, qdd);
    return PathTerms(arm, q, qd, qdd);
  });
  if (d == 0.0) return MotionStop{1, instant, infinite, infinite};
  // ṡ = 1 − d t; a motion that ends before is at rest there.
  const double left = motion.end() - instant, way = std::min(left, 0.5 / d);
  MotionStop stop{1, instant};
  stop.time = (1.0 - std::sqrt(std::max(0.0, 1.0 - 2.0 * d * way))) / d;
  StopPath path(arm.arm);
  constexpr int parts = 100;
  for (int k = 0; k <= parts; ++k) {
    motion.at(instant + way * k / parts, q, qd, qdd);
    path.go_to(q);
  }
  path.put_into(stop);
  if (way == left && moves(qd)) return {};
  return stop;
}

}  // namespace

StoppingWay braked(const LimitedArm& arm, std::span<const double> q, std::size_t joint,
                   double speed, double brake, double delay) {
  const Braking braking(arm, q, joint, speed, brake, delay);
  return {braking.time(), braking.angle()};
}

double path_deceleration(const LimitedArm& arm, std::span<const double> q, std::size_t joint,
                         double speed) {
  return largest_deceleration(arm, speed, [&](double way) {
    std::vector<double> at(q.begin(), q.end());
    at[joint] += std::copysign(way, speed);
    return PathTerms(arm, at, joint);
  });
}

std::vector<Stop> longest_stops(const Robot& robot, std::span<const double> weakest,
                                std::span<const double> strongest, double delay) {
  constexpr std::size_t refined = 3;
  constexpr double near = 0.9;  // of the longest: such times are computed to the end
  constexpr std::array thirds{1.0 / 3.0, 2.0 / 3.0, 1.0};
  std::vector<Stop> stops;
  for (const double load : thirds) {
    if (robot.payload.is_none() && load < 1.0) continue;
    Robot loaded = robot;
    auto& [mass, com, I] = loaded.payload;
    mass *= load;
    for (double* const entry : {&I.xx, &I.yy, &I.zz, &I.xy, &I.yz, &I.xz}) *entry *= load;
    const LimitedArm arm(loaded);
    const auto positions = random_positions(arm.ranges, positions_tried);
    for (std::size_t joint = 0; joint < std::min<std::size_t>(3, arm.dof()); ++joint) {
      if (arm.speeds[joint] == 0.0) continue;
      const std::vector<double> extensions = each(
          positions, [&](const std::vector<double>& q) { return extension_of(arm.arm, q, joint); });
      const double most = std::ranges::max(extensions);
      for (const double extension : thirds) {
        for (const double share : thirds) {
          Stop by_brake{joint, 0, share, extension, load, {}},
              by_drive{joint, 1, share, extension, load, {}};
          std::vector<std::pair<double, std::size_t>> slowest;
          const auto speed_of = [&](std::size_t k) {  // both directions, one behind the other
            return (k % 2 == 0 ? share : -share) * arm.speeds[joint];
          };
          for (std::size_t k = 0; k < 2 * positions.size(); ++k) {
            if (extensions[k / 2] > extension * most) continue;
            const double speed = speed_of(k);
            const auto try_brake = [&](StoppingWay& longest, double brake) {
              const Braking braking(arm, positions[k / 2], joint, speed, brake, delay);
              longest.angle = std::max(longest.angle, braking.angle());
              if (braking.time(1) < near * longest.time) return;
              longest.time = std::max(longest.time, braking.time());
            };
            try_brake(by_brake.way, weakest[joint]);
            try_brake(by_brake.strongest, strongest[joint]);
            const double deceleration =
                PathTerms(arm, positions[k / 2], joint).most(arm, speed, speed * speed);
            if (deceleration > 0.0) slowest.emplace_back(deceleration, k);
          }
          std::ranges::sort(slowest);
          for (std::size_t k = 0; k < std::min(refined, slowest.size()); ++k) {
            const std::size_t at = slowest[k].second;
            const double d = path_deceleration(arm, positions[at / 2], joint, speed_of(at));
            const double speed = std::abs(speed_of(at));
            if (d > 0.0 && 0.5 * speed * speed / d > by_drive.way.angle) {
              by_drive.way = {speed / d, 0.5 * speed * speed / d};
            }
          }
          stops.push_back(by_brake);
          stops.push_back(by_drive);
        }
      }
    }
  }
  return stops;
}

std::vector<MotionStop> longest_stops_along(const Robot& robot, const Trajectory& motion,
                                            std::span<const double> brakes, double delay,
                                            const std::function<void()>& at_each_instant) {
  constexpr int instants = 200;
  const LimitedArm arm(robot);
  const Arm braked = arm_on_brakes(robot, brakes);
  const bool has_brakes =
      std::ranges::all_of(brakes, [](double most) { return std::isfinite(most); });
  const double begin = motion.begin(), duration = motion.end() - begin;
  std::vector<MotionStop> longest;
  const auto add = [&longest](const MotionStop& stop) {
    for (double MotionStop::*const by : {&MotionStop::time, &MotionStop::path}) {
      const auto known = std::ranges::find_if(longest, [&](const MotionStop& other) {
        return other.category == stop.category && other.longest == by;
      });
      if (known != longest.end() && !(stop.*by > (*known).*by)) continue;
      MotionStop& kept = known != longest.end() ? *known : longest.emplace_back();
      kept = stop;
      kept.longest = by;
    }
  };
  std::vector<double> q(arm.dof()), qd(arm.dof()), qdd(arm.dof());
  for (int k = 0; k < instants; ++k) {
    at_each_instant();
    const double at = begin + duration * k / instants;
    motion.at(at, q, qd, qdd);
    if (!moves(qd)) continue;
    if (const auto stop = decelerated_on(arm, motion, at)) add(*stop);
    motion.at(motion.end(), q, qd, qdd);
    const bool is_known = at + delay <= motion.end() || !moves(qd);
    if (has_brakes && is_known) add(braked_on(braked, motion, at, delay));
  }
  std::ranges::stable_sort(longest, {}, &MotionStop::category);
  return longest;
}

double effective_mass(const LimitedArm& arm, std::span<const double> q, const Vec3& direction) {
  const std::size_t n = arm.dof();
  const Matrix J = tool_jacobian<double>(arm.arm, q);
  const Vec3 u = 1.0 / length(direction) * direction;
  std::vector<double> torques(n);
  for (std::size_t j = 0; j < n; ++j) torques[j] = u.x * J(0, j) + u.y * J(1, j) + u.z * J(2, j);
  std::vector<double> M = mass_matrix_with_rotors(arm, q), rates = torques;
  factor_ltdl<double>(n, M);
  solve_ltdl<double>(n, M, std::span<double>(rates));
  double mobility = 0.0;
  for (std::size_t j = 0; j < n; ++j) mobility += torques[j] * rates[j];
  return 1.0 / mobility;
}

AtPosition largest_effective_mass(const LimitedArm& arm) {
  constexpr double slow = 0.25;  // m/s, the reduced speed of ISO 10218-1
  constexpr std::size_t starts = 6, steps = 3000;
  const auto negative_mass = [&arm](std::span<const double> q) {
    double most = 0.0;
    const Matrix J = tool_jacobian<double>(arm.arm, q);
    for (std::size_t j = 0; j < arm.dof(); ++j) {
      const Vec3 way{J(0, j), J(1, j), J(2, j)};
      if (length(way) * arm.speeds[j] >= slow) most = std::max(most, effective_mass(arm, q, way));
    }
    return -most;
  };
  std::vector<AtPosition> tried =
      each(random_positions(arm.ranges, positions_tried), [&](const std::vector<double>& q) {
        return AtPosition{negative_mass(q), q};
      });
  std::ranges::stable_sort(tried, {}, &AtPosition::value);
  // By random steps, which shrink where they do not help: the worst lies at the edge of what is slow.
  AtPosition found = tried.front();
  std::mt19937_64 random(67);
  for (std::size_t k = 0; k < starts; ++k) {
    AtPosition at = tried[k];
    double step = 0.1;
    for (std::size_t number = 0; number < steps; ++number) {
      AtPosition next = at;
      for (std::size_t i = 0; i < next.q.size(); ++i) {
        const auto& [lower, upper] = arm.ranges[i];
        next.q[i] = std::clamp(next.q[i] + step * (upper - lower) * uniform(random, -1.0, 1.0),
                               lower, upper);
      }
      next.value = negative_mass(next.q);
      const bool is_better = next.value < at.value;
      step = is_better ? std::min(0.5, 1.6 * step) : std::max(1e-9, 0.9 * step);
      if (is_better) at = std::move(next);
    }
    if (at.value < found.value) found = std::move(at);
  }
  return found.value < 0.0 ? AtPosition{-found.value, found.q} : AtPosition{};
}

std::vector<BodyRegion> body_regions() {
  return {{"skull and forehead", 130.0, 150e3, 4.4},
          {"face", 65.0, 75e3, 4.4},
          {"neck", 300.0, 50e3, 1.2},
          {"back and shoulders", 420.0, 35e3, 40.0},
          {"chest", 280.0, 25e3, 40.0},
          {"abdomen", 220.0, 10e3, 40.0},
          {"pelvis", 360.0, 25e3, 40.0},
          {"upper arms and elbows", 300.0, 30e3, 3.0},
          {"lower arms and wrists", 320.0, 40e3, 2.0},
          {"fingers and palms", 280.0, 75e3, 0.6},
          {"thighs and knees", 440.0, 50e3, 75.0},
          {"lower legs", 260.0, 60e3, 75.0}};
}

double permitted_speed(const BodyRegion& region, double robot_mass) {
  const double mass = 1.0 / (1.0 / region.mass + 1.0 / robot_mass);
  return region.force / std::sqrt(mass * region.stiffness);
}

}  // namespace armdyn
