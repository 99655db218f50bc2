#include "identification/excitation_search.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "math/linear_algebra.hpp"
#include "support/motion_row.hpp"
#include "support/refused_argument.hpp"
#include "support/sanitized.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// Within the robot file's ranges and velocities, or 2 and 6 per s and s².
Excitation wanted(const Robot& robot, std::uint64_t seed = 1) {
  Excitation wanted;
  for (const Joint& joint : robot.joints) {
    const Range range = joint.limits.position.value_or(Range{-none, none});
    wanted.position.push_back(range);
    wanted.center.push_back(joint.limits.position ? (range.lower + range.upper) / 2 : 0.0);
    wanted.limits.push_back({joint.limits.velocity.value_or(2.0), 6.0});
  }
  wanted.seed = seed;
  return wanted;
}

std::vector<double> torque_limits(const Robot& robot) {
  std::vector<double> limits;
  for (const Joint& joint : robot.joints) limits.push_back(joint.limits.torque.value_or(none));
  return limits;
}

ExcitationSearch search(const Robot& robot, std::uint64_t seed = 1) {
  return {robot, wanted(robot, seed), 1.0};
}

void ignore(std::size_t /*tried*/) {}

/// The largest singular value over the smallest of the regressor of base parameters at so many
/// moments, row by row as InverseDynamics has it, over σ, and with columns of length 1.
double singular_value_ratio(const ExcitationSearch& search, const Trajectory& motion, int moments) {
  const std::vector<BaseParameter>& base = search.model().base().combinations;
  const auto n = static_cast<Eigen::Index>(motion.dof());
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(n * moments, static_cast<Eigen::Index>(base.size()));
  for (int k = 0; k < moments; ++k) {
    const MotionRow row = row_at(motion, motion.end() * k / moments);
    const Matrix all = search.model().regressor().matrix({row.q, row.qd, row.qdd});
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto joint = static_cast<std::size_t>(i);
      if (std::abs(row.qd[joint]) < 0.01) continue;  // dry friction jumps, identify leaves it out
      for (std::size_t b = 0; b < base.size(); ++b) {
        Y(n * k + i, static_cast<Eigen::Index>(b)) = all(joint, base[b].first) / search.noise()[i];
      }
    }
  }
  for (Eigen::Index b = 0; b < Y.cols(); ++b) Y.col(b).normalize();
  const Eigen::VectorXd singular = singular_values(Y);
  return singular.maxCoeff() / singular.minCoeff();
}

TEST(ExcitationSearch, ConditionIsTheRatioOfSingularValues) {
  for (const char* name : {"two-link-spong", "craig-rp", "craig-3r"}) {
    ExcitationSearch of = search(shipped_robot(name));
    const Trajectory motion = of.by_chance();
    const double condition = of.quality(motion).condition;
    EXPECT_NEAR(condition, singular_value_ratio(of, motion, 2560), 1e-8 * condition) << name;
    // What other rows say differs by rows that the dead zone takes or leaves.
    EXPECT_NEAR(condition, singular_value_ratio(of, motion, 1999), 0.02 * condition) << name;
  }
}

TEST(ExcitationSearch, ConditionIsThatOfAFitToALogWithThatNoise) {
  const Robot robot = shipped_robot("two-link-spong");
  ExcitationSearch of = search(robot);
  const Trajectory motion = of.by_chance();
  const Arm arm = normalize(robot);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  TorqueFitRows rows(of.model().used());
  const std::vector<BaseParameter>& base = of.model().base().combinations;
  for (const double t : sample_times(motion, 500.0)) {
    const MotionRow row = row_at(motion, t);
    const Matrix Y = of.model().regressor().matrix({row.q, row.qd, row.qdd});
    const std::vector<double> tau = torque(arm, {row.q, row.qd, row.qdd});
    for (std::size_t j = 0; j < 2; ++j) {
      if (std::abs(row.qd[j]) < 0.01) continue;
      std::vector<double> equation{0.0};  // nothing is smoothed
      for (const Eigen::Index b : of.model().used()[j]) {
        equation.push_back(Y(j, base[static_cast<std::size_t>(b)].first));
      }
      const double noise = 0.05 * of.noise()[static_cast<Eigen::Index>(j)] * normal(random);
      equation.push_back(tau[j] + noise);
      rows.add(j, equation, {tau[j] + noise, tau[j] + noise, 0.0});
    }
    rows.end_moment();
  }
  rows.finish();
  const LogPart all{&rows, 0, rows.blocks()};
  const TorqueFit fit =
      fit_torques({&all, 1}, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(base.size())));
  // σ of 5000 rows is uncertain by 1 %.
  EXPECT_NEAR(fit.condition, of.quality(motion).condition, 0.05 * fit.condition);
}

TEST(ExcitationSearch, InflationIsThatOfTheVariances) {
  ExcitationSearch of = search(shipped_robot("craig-rp"));
  const ExcitationQuality quality = of.quality(of.by_chance());
  double sum = 0.0;
  for (const double inflation : quality.inflation) {
    EXPECT_GE(inflation, 1.0 - 1e-9);
    EXPECT_LE(inflation, quality.condition * quality.condition);
    sum += inflation;
  }
  EXPECT_EQ(quality.inflation.size(), of.model().base().combinations.size());
  EXPECT_GT(sum, static_cast<double>(quality.inflation.size()));
}

/// Every limit, at moments that the search does not look at.
void expect_within_limits(const Robot& robot, const Trajectory& motion) {
  const Excitation limits = wanted(robot);
  const std::vector<double> most = torque_limits(robot);
  const Arm arm = normalize(robot);
  constexpr int moments = 20011;
  for (int k = 0; k <= moments; ++k) {
    const MotionRow row = row_at(motion, motion.end() * k / moments);
    const std::vector<double> tau = torque(arm, {row.q, row.qd, row.qdd});
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      ASSERT_GE(row.q[i], limits.position[i].lower);
      ASSERT_LE(row.q[i], limits.position[i].upper);
      ASSERT_LE(std::abs(row.qd[i]), limits.limits[i].velocity);
      ASSERT_LE(std::abs(row.qdd[i]), limits.limits[i].acceleration);
      ASSERT_LE(std::abs(tau[i]), most[i]) << robot.name << " joint " << i + 1 << " row " << k;
    }
  }
}

TEST(ExcitationSearch, IsThreeTimesBetterThanChanceWithinAllLimits) {
  std::vector<const char*> names{"two-link-spong", "craig-3r"};
  if (!is_sanitized) names.push_back("ur16e");
  for (const char* const name : names) {
    const Robot robot = shipped_robot(name);
    ExcitationSearch of = search(robot);
    const Trajectory motion = of.best(ignore);
    expect_within_limits(robot, motion);
    std::vector<double> by_chance;
    for (std::uint64_t seed = 1; seed <= 9; ++seed) {
      by_chance.push_back(of.quality(search(robot, seed).by_chance()).condition);
    }
    std::ranges::sort(by_chance);
    EXPECT_LT(3.0 * of.quality(motion).condition, by_chance[4]) << name;
  }
}

/// Two links with dry friction whose drives can do little more than hold them.
Robot weak_arm() {
  Robot robot = shipped_robot("craig-rr");
  const std::vector<double> held =
      torque(normalize(robot), {std::vector(2, 0.0), std::vector(2, 0.0), std::vector(2, 0.0)});
  for (std::size_t i = 0; i < 2; ++i) {
    robot.joints[i].friction.coulomb = {0.02 * std::abs(held[i]), 0.03 * std::abs(held[i])};
    robot.joints[i].limits.torque = 1.1 * std::abs(held[i]);
  }
  return robot;
}

TEST(ExcitationSearch, KeepsTorquesWithinTheirLimitsWhereTheseCount) {
  const Robot robot = weak_arm();
  ExcitationSearch of = search(robot);
  const Trajectory motion = of.best(ignore);
  expect_within_limits(robot, motion);
  expect_within_limits(robot, of.by_chance());
  const std::vector<double> peak = of.peak_torque(motion), most = torque_limits(robot);
  EXPECT_GT(std::max(peak[0] / most[0], peak[1] / most[1]), 0.95);
  EXPECT_LT(of.quality(motion).condition, of.quality(of.by_chance()).condition);
}

TEST(ExcitationSearch, FindsTheSameForTheSameSeed) {
  const Robot robot = shipped_robot("craig-rp");
  const MotionRow once = row_at(search(robot).best(ignore), 3.0);
  const MotionRow again = row_at(search(robot).best(ignore), 3.0);
  const MotionRow other = row_at(search(robot, 2).best(ignore), 3.0);
  EXPECT_EQ(once.q, again.q);
  EXPECT_EQ(once.qdd, again.qdd);
  EXPECT_NE(once.q, other.q);
}

TEST(ExcitationSearch, TellsHowFarItIsAndCanBeStopped) {
  ExcitationSearch of = search(shipped_robot("craig-rp"));
  std::size_t calls = 0;
  const auto stop = [&calls](std::size_t tried) {
    EXPECT_EQ(tried, calls++);
    if (calls == 20) throw Error("stop");
  };
  EXPECT_THROW((void)of.best(stop), Error);
  EXPECT_GT(of.tries(), 20U);
}

TEST(ExcitationSearch, RefusesWhatItCannotMove) {
  Robot robot = weak_arm();
  // 1.02 of what holds it, of 0.55 of that.
  robot.joints[1].limits.torque = 0.5 * robot.joints[1].limits.torque.value();
  try {
    (void)search(robot);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "even a slow motion about the center takes 185 % of the torque that elbow may "
                 "take, by gravity and dry friction; choose another center, or check the limit");
  }
  for (const auto& [arm, other] : {std::pair{"craig-rp", "craig-3r"}, {"craig-3r", "craig-rp"}}) {
    EXPECT_EQ(refused_argument([&, arm = arm, other = other] {
                (void)ExcitationSearch(shipped_robot(arm), wanted(shipped_robot(other)), 1.0);
              }),
              "an excitation needs one entry per joint of the robot");
  }
  Excitation still = wanted(robot);
  still.limits[0] = {};
  EXPECT_THROW(ExcitationSearch(robot, still, 1.0), InputError);
}

}  // namespace
}  // namespace armdyn::testing
