#include "datasheet/stopping.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "datasheet/motion_terms.hpp"
#include "math/each.hpp"
#include "math/ltdl.hpp"

namespace armdyn {

namespace {

constexpr std::size_t positions_tried = 600;

/// Gravity's torque at a joint by its displacement x from here: constant + cosine cos x + sine sin x.
struct GravityWave {
  double constant = 0.0, cosine = 0.0, sine = 0.0;

  GravityWave(const Arm& arm, std::span<const double> q, std::size_t joint) {
    std::vector<double> at(q.begin(), q.end());
    for (int k = 0; k < 3; ++k) {
      const double x =
          arm.links[joint].joint == JointType::revolute ? 2.0 * std::numbers::pi * k / 3.0 : 0.0;
      at[joint] = q[joint] + x;
      const double G =
          motion_terms<double>(arm, at, TermsOf::rest, base_rows).rest[base_rows + joint];
      constant += G / 3.0;
      cosine += 2.0 / 3.0 * G * std::cos(x);
      sine += 2.0 / 3.0 * G * std::sin(x);
    }
    if (arm.links[joint].joint == JointType::prismatic) cosine = sine = 0.0;
  }

  [[nodiscard]] double most() const { return std::abs(constant) + std::hypot(cosine, sine); }
  /// Work against gravity on a way in the direction of that sign.
  [[nodiscard]] double work(double way, double sign) const {
    return sign * (constant * way + cosine * std::sin(way)) + sine * (1.0 - std::cos(way));
  }
};

/// ∫ f(u) du from 0 to 1 by Gauss's rule of five points in eight parts.
double integral(const auto& f) {
  constexpr std::array nodes{0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                             -0.9061798459386640};
  constexpr std::array weights{0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                               0.2369268850561891, 0.2369268850561891};
  constexpr int parts = 8;
  double sum = 0.0;
  for (int part = 0; part < parts; ++part) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      sum += 0.5 / parts * weights[k] * f((part + 0.5 + 0.5 * nodes[k]) / parts);
    }
  }
  return sum;
}

/// Distance of the TCP from a joint's axis; 0 of a prismatic one.
double extension_of(const Arm& arm, std::span<const double> q, std::size_t joint) {
  if (arm.links[joint].joint == JointType::prismatic) return 0.0;
  Transform T;
  for (std::size_t i = joint + 1; i < arm.dof(); ++i) T = T * joint_frame(arm.links[i], q[i]);
  const Vec3 tip = T * arm.tool.p;
  return std::hypot(tip.x, tip.y);
}

/// Torques while a joint decelerates from a speed: |rest_i + squares_i q̇² − inertia_i q̈| ≤ limit.
struct JointTerms {
  std::vector<double> rest, squares, inertia;

  JointTerms(const LimitedArm& arm, std::span<const double> q, std::size_t joint) {
    const auto terms = motion_terms<double>(arm.arm, q, TermsOf::speeds, base_rows);
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      rest.push_back(terms.rest[base_rows + i]);
      squares.push_back(terms.speeds(base_rows + i, MotionTerms<double>::pair(joint, joint)));
      inertia.push_back(terms.inertia(base_rows + i, joint) + (i == joint ? arm.rotors[i] : 0.0));
    }
  }

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
};

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

}  // namespace

StoppingWay braked(const LimitedArm& arm, std::span<const double> q, std::size_t joint,
                   double speed, double brake, double delay) {
  const double sign = speed < 0.0 ? -1.0 : 1.0, fast = std::abs(speed);
  const double rolled = fast * delay;
  std::vector<double> at(q.begin(), q.end());
  at[joint] += sign * rolled;
  const GravityWave gravity(arm.arm, at, joint);
  const double M = JointTerms(arm, at, joint).inertia[joint];
  const double energy = 0.5 * M * fast * fast;
  if (!(brake > gravity.most()) || std::isinf(brake)) {
    constexpr double never = std::numeric_limits<double>::infinity();
    return {never, never};
  }
  const auto left = [&](double way) { return energy - brake * way - gravity.work(way, sign); };
  double lower = 0.0, upper = energy / (brake - gravity.most());
  for (int step = 0; step < 200 && lower < upper; ++step) {
    const double middle = lower + 0.5 * (upper - lower);
    if (middle == lower || middle == upper) break;
    (left(middle) > 0.0 ? lower : upper) = middle;
  }
  const double way = upper;
  const double time = integral([&](double u) {  // way (1 − u²)
    const double speed_there = std::sqrt(2.0 * std::max(0.0, left(way * (1.0 - u * u))) / M);
    return speed_there > 0.0 ? 2.0 * way * u / speed_there : 0.0;
  });
  return {delay + time, rolled + way};
}

double path_deceleration(const LimitedArm& arm, std::span<const double> q, std::size_t joint,
                         double speed) {
  constexpr int points = 8;
  const double square = speed * speed;
  const auto holds = [&](double deceleration) {
    std::vector<double> at(q.begin(), q.end());
    for (int k = 0; k <= points; ++k) {
      const double share = static_cast<double>(k) / points;
      at[joint] = q[joint] + std::copysign(0.5 * share * square / deceleration, speed);
      const JointTerms terms(arm, at, joint);
      if (terms.most(arm, speed, square * (1.0 - share)) < deceleration) return false;
    }
    return true;
  };
  double lower = 0.0, upper = JointTerms(arm, q, joint).most(arm, speed, square);
  if (!(upper > 0.0) || std::isinf(upper)) return 0.0;
  if (holds(upper)) return upper;
  for (int step = 0; step < 20; ++step) {
    const double middle = 0.5 * (lower + upper);
    (holds(middle) ? lower : upper) = middle;
  }
  return lower;
}

std::vector<Stop> longest_stops(const Robot& robot, std::span<const double> weakest,
                                std::span<const double> strongest, double delay) {
  constexpr std::size_t refined = 3;
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
              const StoppingWay way = braked(arm, positions[k / 2], joint, speed, brake, delay);
              if (way.angle > longest.angle) longest = way;
            };
            try_brake(by_brake.way, weakest[joint]);
            try_brake(by_brake.strongest, strongest[joint]);
            const double deceleration =
                JointTerms(arm, positions[k / 2], joint).most(arm, speed, speed * speed);
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
  AtPosition found;
  for (const std::vector<double>& q : random_positions(arm.ranges, positions_tried)) {
    const Matrix J = tool_jacobian<double>(arm.arm, q);
    for (std::size_t j = 0; j < arm.dof(); ++j) {
      const Vec3 way{J(0, j), J(1, j), J(2, j)};
      if (length(way) * arm.speeds[j] < slow) continue;
      const double mass = effective_mass(arm, q, way);
      if (mass > found.value) found = {mass, q};
    }
  }
  return found;
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
