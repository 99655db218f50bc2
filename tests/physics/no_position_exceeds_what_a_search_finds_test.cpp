// What `check` finds over an arm's range, held against random positions and a climb from the best
// of them that shares nothing with its search: steps in random directions, shorter as they fail.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <random>

#include "dynamics/examination.hpp"
#include "math/linear_algebra.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

constexpr std::size_t positions = 3000;  // the arms below were tried with 10⁶ as well
constexpr std::size_t climbing_steps = 1500;
using std::numbers::pi;

struct Claim {
  std::string what;
  double sign;  // 1: no position has more; −1: none has less
  AtPosition found;
  std::function<double(std::span<const double> q)> value;
};

std::vector<Range> ranges(const Robot& robot) {
  std::vector<Range> result;
  result.reserve(robot.dof());
  for (const Joint& joint : robot.joints) {
    Range range = joint.type == JointType::revolute ? Range{-pi, pi} : Range{-1.0, 1.0};
    if (joint.limits.position) {
      const Range& limits = *joint.limits.position;
      if (joint.type == JointType::prismatic || limits.lower > -pi || limits.upper < pi) {
        range = limits;
      }
    }
    result.push_back(range);
  }
  return result;
}

class Claims {
 public:
  explicit Claims(const Robot& robot)
      : robot_(robot),
        arm_(without_losses(robot)),
        dynamics_(arm_),
        rest_(arm_.dof()),
        torque_(arm_.dof()),
        found_(examine(robot)) {}

  std::vector<Claim> all() {
    std::vector<Claim> claims;
    claims.push_back({"reach", 1.0, found_.reach, [this](auto q) {
                        const Vec3 p = pose(arm_, q).tcp.p;
                        return std::hypot(p.x, p.y, p.z);
                      }});
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      const JointLoad& load = found_.loads[i];
      const auto inertia = [this, i](std::span<const double> q) {
        return mass_matrix(arm_, q)(i, i) - found_.loads[i].rotor_inertia;
      };
      const std::string joint = " of " + robot_.joints[i].name;
      claims.push_back({"largest inertia" + joint, 1.0, load.largest_inertia, inertia});
      claims.push_back({"smallest inertia" + joint, -1.0, load.smallest_inertia, inertia});
      claims.push_back({"gravity" + joint, 1.0, load.largest_gravity, [this, i](auto q) {
                          dynamics_.torque({q, rest_, rest_}, {}, torque_);
                          return std::abs(torque_[i]);
                        }});
    }
    if (found_.mass_matrix.kind == MassMatrixVerdict::Kind::regular) {
      claims.push_back({"ratio of eigenvalues", -1.0, found_.mass_matrix.smallest_ratio,
                        [this](auto q) { return ratio(q); }});
    }
    return claims;
  }

 private:
  static Arm without_losses(const Robot& robot) {
    Arm arm = normalize(robot);
    for (Drive& drive : arm.drives) drive.friction = {};
    for (Drive& drive : arm.drives) drive.motor.viscous = 0.0;
    for (Drive& drive : arm.drives) drive.motor.coulomb = {};
    return arm;
  }

  [[nodiscard]] double ratio(std::span<const double> q) const {
    Eigen::MatrixXd M = eigen(mass_matrix(arm_, q));
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      const JointLoad& load = found_.loads[static_cast<std::size_t>(i)];
      const double scale = 1.0 / std::sqrt(load.largest_inertia.value + load.rotor_inertia);
      M.row(i) *= scale;
      M.col(i) *= scale;
    }
    const Eigen::VectorXd values = symmetric_eigenvalues(M);
    return values(0) / values(values.size() - 1);
  }

  const Robot& robot_;
  Arm arm_;
  InverseDynamics dynamics_;
  std::vector<double> rest_, torque_;
  Examination found_;
};

class Climb {
 public:
  explicit Climb(const Robot& robot) : ranges_(ranges(robot)) {}

  double best_of(const Claim& claim) {
    std::vector<double> best = random_position();
    double most = claim.sign * claim.value(best);
    const auto try_position = [&](const std::vector<double>& q) {
      const double value = claim.sign * claim.value(q);
      if (value <= most) return false;
      most = value;
      best = q;
      return true;
    };
    for (std::size_t k = 0; k < positions; ++k) try_position(random_position());
    double step = 0.3;
    for (std::size_t k = 0; k < climbing_steps && step > 1e-9; ++k) {
      std::vector<double> q = best;
      for (std::size_t i = 0; i < q.size(); ++i) {
        const auto& [lower, upper] = ranges_[i];
        q[i] = std::clamp(q[i] + step * normal_(random_), lower, upper);
      }
      step *= try_position(q) ? 1.5 : 0.92;
    }
    return claim.sign * most;
  }

 private:
  std::vector<double> random_position() {
    std::vector<double> q;
    q.reserve(ranges_.size());
    for (const auto& [lower, upper] : ranges_) {
      q.push_back(std::uniform_real_distribution<double>(lower, upper)(random_));
    }
    return q;
  }

  std::vector<Range> ranges_;
  std::mt19937_64 random_{77};
  std::normal_distribution<double> normal_;
};

void expect_no_position_exceeds(const Robot& robot) {
  Claims claims(robot);
  Climb climb(robot);
  for (const Claim& claim : claims.all()) {
    // That the value is really there:
    EXPECT_NEAR(claim.value(claim.found.q), claim.found.value,
                1e-9 * std::max(1e-3, std::abs(claim.found.value)))
        << robot.name << ": " << claim.what;
    const double climbed = climb.best_of(claim);
    EXPECT_LE(claim.sign * climbed,
              claim.sign * claim.found.value + 1e-9 * std::max(1e-3, std::abs(climbed)))
        << robot.name << ": " << claim.what;
  }
}

TEST(NoPosition, OfAShippedArmExceedsWhatTheSearchFinds) {
  for (const auto& file : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (file.path().extension() != ".yaml") continue;
    expect_no_position_exceeds(read_robot_file(file.path()).robot);
  }
}

TEST(NoPosition, OfARandomArmExceedsWhatTheSearchFinds) {
  RandomArm random(31);
  for (std::size_t dof = 1; dof <= 7; ++dof) {
    for (int round = 0; round < 3; ++round) {
      Robot robot = random.robot(dof);
      robot.name += std::to_string(dof) + "-" + std::to_string(round);
      for (std::size_t i = 0; i < dof; ++i) {
        const std::vector<double> ends = random.numbers(2, 3.0);
        if (i % 2 == 1) {
          robot.joints[i].limits.position = {std::min(ends[0], ends[1]),
                                             std::max(ends[0], ends[1])};
        }
      }
      expect_no_position_exceeds(robot);
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
