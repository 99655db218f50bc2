#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simulation/closed_loop.hpp"
#include "support/shipped_robot.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

using Stability = LoopModes::Stability;

Matrix diagonal(const std::vector<double>& values) {
  Matrix K(values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) K(i, i) = values[i];
  return K;
}

Matrix outer_product(const std::vector<double>& v) {
  Matrix K(v.size(), v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) K(i, j) = v[i] * v[j];
  }
  return K;
}

ControlOptions gains(const Matrix& Kp, const Matrix& Kv, double sample_time = 0.0) {
  ControlOptions control;
  control.Kp = Kp;
  control.Kv = Kv;
  control.sample_time = sample_time;
  return control;
}

TEST(GainConditions, OfThePaperHoldForItsGains) {
  const GainConditions found = gain_conditions(diagonal(std::vector<double>(6, 100.0)),
                                               diagonal(std::vector<double>(6, 20.0)));
  EXPECT_TRUE(found.Kv_is_nonnegative);
  EXPECT_TRUE(found.Kp_is_positive);
  EXPECT_EQ(found.rank, 6U);
  EXPECT_TRUE(found.hold);
}

/// One damper for all joints: enough where no motion of the springs leaves it alone.
TEST(GainConditions, AllowASemidefiniteDampingThatReachesEveryMode) {
  const Matrix Kp = diagonal({100.0, 150.0, 4e6});
  EXPECT_TRUE(gain_conditions(Kp, outer_product({2.0, 1.0, 3.0})).hold);
  const GainConditions unreached = gain_conditions(Kp, outer_product({2.0, 1.0, 0.0}));
  EXPECT_TRUE(unreached.Kv_is_nonnegative);
  EXPECT_EQ(unreached.rank, 2U);
  EXPECT_FALSE(unreached.hold);
  // Equal springs swing together, and one damper cannot tell them apart.
  EXPECT_EQ(gain_conditions(diagonal({7.0, 7.0, 7.0}), outer_product({2.0, 1.0, 3.0})).rank, 1U);
  EXPECT_EQ(gain_conditions(Kp, Matrix(3, 3)).rank, 0U);
}

TEST(GainConditions, AskForSymmetryAndSigns) {
  const Matrix skew(2, 2, {100.0, 3000.0, -3000.0, 100.0});
  EXPECT_FALSE(gain_conditions(skew, diagonal({20.0, 20.0})).Kp_is_positive);
  const Matrix indefinite(2, 2, {100.0, 101.0, 101.0, 100.0});
  EXPECT_FALSE(gain_conditions(indefinite, diagonal({20.0, 20.0})).Kp_is_positive);
  EXPECT_FALSE(gain_conditions(diagonal({1.0, 1.0}), indefinite).Kv_is_nonnegative);
  // Joints may have units of very different sizes.
  const Matrix wide(2, 2, {1e14, 0.99, 0.99, 1e-14});
  EXPECT_TRUE(gain_conditions(wide, diagonal({1.0, 1.0})).Kp_is_positive);
}

TEST(ClosedLoop, OfDiagonalGainsHasTheRootsOfTheirQuadratics) {
  const ClosedLoop loop = closed_loop(gains(diagonal({9.0, 100.0}), diagonal({10.0, 4.0})));
  EXPECT_EQ(loop.continuous.stability, Stability::stable);
  EXPECT_NEAR(loop.continuous.rate, -1.0, 1e-12);  // s² + 10 s + 9: −1, −9
  ASSERT_EQ(loop.continuous.eigenvalues.size(), 4U);
  EXPECT_NEAR(loop.continuous.eigenvalues[1].real(), -2.0, 1e-12);  // s² + 4 s + 100
  EXPECT_NEAR(std::abs(loop.continuous.eigenvalues[1].imag()), std::sqrt(96.0), 1e-12);
  EXPECT_FALSE(loop.sampled);
}

/// Two joints that push one another around: s² + 20 s + 100 = ± 3000 i, so s = −10 + √(3000 i).
TEST(ClosedLoop, GrowsUnderAStrongSkewGain) {
  const Matrix Kp(3, 3, {100.0, 3000.0, 0.0, -3000.0, 100.0, 0.0, 0.0, 0.0, 100.0});
  const ClosedLoop loop = closed_loop(gains(Kp, diagonal({20.0, 20.0, 20.0}), 0.001));
  EXPECT_EQ(loop.continuous.stability, Stability::unstable);
  EXPECT_NEAR(loop.continuous.rate, -10.0 + std::sqrt(1500.0), 1e-9);
  EXPECT_EQ(loop.sampled->stability, Stability::unstable);
}

TEST(ClosedLoop, WithoutDampingIsAtTheEdge) {
  EXPECT_EQ(closed_loop(gains(diagonal({100.0, 30.0}), Matrix(2, 2))).continuous.stability,
            Stability::unclear);
  EXPECT_EQ(closed_loop(gains(Matrix(2, 2), Matrix(2, 2), 0.01)).sampled->stability,
            Stability::unclear);
}

TEST(ClosedLoop, DampedByOneDamperForAllDiesOut) {
  const ClosedLoop loop =
      closed_loop(gains(diagonal({100.0, 150.0, 400.0}), outer_product({2.0, 1.0, 3.0})));
  EXPECT_TRUE(loop.conditions.hold);
  EXPECT_EQ(loop.continuous.stability, Stability::stable);
}

/// z² − (2 − K_v T − K_p T²/2) z + 1 − K_v T + K_p T²/2 = 0.
TEST(ClosedLoop, SampledHasTheRootsOfTheHeldDoubleIntegrator) {
  for (const auto& [Kp, Kv, T] : {std::tuple{100.0, 20.0, 0.01},
                                  {400.0, 15.0, 0.02},
                                  {100.0, 20.0, 0.12},
                                  {30.0, 0.0, 0.01}}) {
    const ClosedLoop loop = closed_loop(gains(diagonal({Kp}), diagonal({Kv}), T));
    const double half_sum = 1.0 - Kv * T / 2.0 - Kp * T * T / 4.0;
    const double product = 1.0 - Kv * T + Kp * T * T / 2.0;
    const std::complex<double> root =
        std::sqrt(std::complex<double>(half_sum * half_sum - product));
    const double largest = std::max(std::abs(half_sum + root), std::abs(half_sum - root));
    ASSERT_TRUE(loop.sampled);
    EXPECT_NEAR(loop.sampled->rate, std::log(largest) / T, 1e-9);
    EXPECT_EQ(loop.sampled->stability, largest > 1.0 ? Stability::unstable : Stability::stable);
  }
}

TEST(ClosedLoop, DoesNotCountOnDelaysOfThousandsOfSamples) {
  ControlOptions control = gains(diagonal({100.0}), diagonal({20.0}), 0.01);
  control.delay = 100000;
  EXPECT_FALSE(closed_loop(control).sampled);
}

Matrix scaled(Matrix K, double factor) {
  Matrix result(K.rows(), K.columns());
  for (std::size_t i = 0; i < K.rows(); ++i) {
    for (std::size_t j = 0; j < K.columns(); ++j) result(i, j) = factor * K(i, j);
  }
  return result;
}

/// s³ + 6 s² + 11 s + 6 = (s + 1)(s + 2)(s + 3); a joint without K_i has its quadratic alone.
TEST(ClosedLoop, WithAnIntegralTermHasTheRootsOfItsCubic) {
  ControlOptions control = gains(diagonal({11.0, 9.0}), diagonal({6.0, 10.0}));
  control.Ki = diagonal({6.0, 0.0});
  const LoopModes modes = closed_loop(control).continuous;
  ASSERT_EQ(modes.eigenvalues.size(), 5U);
  const double expected[] = {-1, -1, -2, -3, -9};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(modes.eigenvalues[k].real(), expected[k], 1e-9) << k;
    EXPECT_NEAR(modes.eigenvalues[k].imag(), 0.0, 1e-9) << k;
  }
  EXPECT_EQ(modes.stability, Stability::stable);
}

/// Routh: errors die out if k_i < k_p k_v.
TEST(ClosedLoop, WithTooLargeAnIntegralTermGrows) {
  for (const double share : {0.9, 1.1}) {
    ControlOptions control = gains(diagonal({40.0}), diagonal({7.0}));
    control.Ki = diagonal({share * 40.0 * 7.0});
    EXPECT_EQ(closed_loop(control).continuous.stability,
              share < 1.0 ? Stability::stable : Stability::unstable);
  }
}

/// In other coordinates of the joints the same joints: gains S K S⁻¹ have the same eigenvalues.
TEST(ClosedLoop, WithAnIntegralTermOfLowRankHasTheModesThatItFeels) {
  const Matrix one = outer_product({0.6, 0.8});  // a projection: K_i feels one direction
  ControlOptions control = gains(diagonal({11.0, 11.0}), diagonal({6.0, 6.0}));
  control.Ki = scaled(one, 6.0);
  const LoopModes modes = closed_loop(control).continuous;
  ASSERT_EQ(modes.eigenvalues.size(), 5U);
  EXPECT_NEAR(modes.rate, -1.0, 1e-9);
  EXPECT_EQ(modes.stability, Stability::stable);
}

/// z of (11.7), (11.8) for one joint by its characteristic polynomial:
/// (z − 1)[(z − 1)² + K_v T (z − 1) + ½ K_p T² (z + 1)] + ½ K_i T³ z (z + 1) = 0.
TEST(ClosedLoop, SampledWithAnIntegralTermHasTheRootsOfItsPolynomial) {
  const double Kp = 90.0, Kv = 15.0, Ki = 200.0, T = 0.03;
  ControlOptions control = gains(diagonal({Kp}), diagonal({Kv}), T);
  control.Ki = diagonal({Ki});
  for (const std::size_t delay : {std::size_t{0}, std::size_t{2}}) {
    control.delay = delay;
    const ClosedLoop loop = closed_loop(control);
    ASSERT_TRUE(loop.sampled);
    for (const std::complex<double>& z : loop.sampled->eigenvalues) {
      if (std::abs(z) < 1e-6) continue;  // e of the sample before, which nobody asks for
      const std::complex<double> late = std::pow(z, delay);
      const std::complex<double> one(1.0);
      const std::complex<double> p =
          (z - one) *
              ((z - one) * (z - one) * late + Kv * T * (z - one) + 0.5 * Kp * T * T * (z + one)) +
          0.5 * Ki * T * T * T * z * (z + one);
      EXPECT_NEAR(std::abs(p), 0.0, 1e-12) << z;
    }
  }
}

/// How fast small errors really grow or die out in a simulation, from the second half of it: the
/// largest of all joints' errors in its two quarters.
double simulated_rate(const Arm& arm, const ControlOptions& control, double duration) {
  const std::size_t n = arm.dof();
  const std::vector<double> goal(n, 0.4), rest(n);
  const Trajectory still = point_to_point(goal, goal, Profile::quintic, {duration, {}});
  ControlledTorque controller(arm, still, 0.0, control);
  std::vector<double> q0 = goal;
  for (std::size_t i = 0; i < n; ++i) q0[i] += 1e-8 * (1.0 + static_cast<double>(i));
  const Simulated simulated =
      run_simulation(arm, {}, q0, rest, controller, options_of(duration, control.sample_time / 2));
  const auto largest_in = [&](double from, double to) {
    double largest = 0.0;
    for (const SimulatedRow& row : simulated.rows) {
      if (row.t < from || row.t > to) continue;
      for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(row.q[i] - goal[i]));
    }
    return largest;
  };
  return std::log(largest_in(0.75 * duration, duration) /
                  largest_in(0.5 * duration, 0.75 * duration)) /
         (0.25 * duration);
}

/// Without gravity the arm's M and h stand still near the goal, as (11.7) has it.
TEST(ClosedLoop, GrowsAndDiesOutAsTheArmDoes) {
  std::mt19937_64 random(5);
  const auto within = [&](double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(random);
  };
  int growing = 0;
  for (const char* name : {"puma560", "stanford", "two-link-spong", "kuka-iiwa14"}) {
    Robot robot = shipped_robot(name);
    robot.gravity = {};
    Arm arm = normalize(robot);
    for (Drive& drive : arm.drives) {
      drive.friction = {};
      drive.motor.viscous = 0.0;
      drive.motor.coulomb = {};
    }
    const std::size_t n = arm.dof();
    for (std::size_t delay = 0; delay < 4; ++delay) {
      ControlOptions control = gains(Matrix(n, n), Matrix(n, n), 0.01);
      control.delay = delay;
      if (delay >= 2) control.Ki = diagonal(std::vector<double>(n, 60.0));
      if (delay % 2 == 1) control.resolution.assign(n, 1e-13);  // velocities as differences
      for (std::size_t i = 0; i < n; ++i) {
        control.Kp(i, i) = within(100.0, 160.0);
        control.Kv(i, i) = within(2.0, 5.0);
        if (i > 0) control.Kp(i, i - 1) = within(-30.0, 30.0);
        if (i > 0) control.Kp(i - 1, i) = within(-30.0, 30.0);
      }
      const ClosedLoop loop = closed_loop(control);
      ASSERT_TRUE(loop.sampled);
      const double rate = simulated_rate(arm, control, 4.0);
      EXPECT_NEAR(loop.sampled->rate, rate, 0.25 + 0.05 * std::abs(rate)) << name << " " << delay;
      if (std::abs(rate) > 0.3) {
        EXPECT_EQ(loop.sampled->stability, rate > 0.0 ? Stability::unstable : Stability::stable)
            << name << " " << delay;
      }
      if (rate > 0.3) ++growing;
    }
  }
  EXPECT_GT(growing, 2);
}

TEST(ClosedLoop, NeedsSquareGains) {
  EXPECT_THROW((void)closed_loop(gains(Matrix(2, 3), Matrix(2, 2))), std::invalid_argument);
  ControlOptions with_integral = gains(Matrix(2, 2, {1, 0, 0, 1}), Matrix(2, 2, {1, 0, 0, 1}));
  with_integral.Ki = Matrix(2, 1);
  EXPECT_THROW((void)closed_loop(with_integral), std::invalid_argument);
}

TEST(ClosedLoop, NeedsAResolutionPerJoint) {
  ControlOptions control = gains(diagonal({1, 1}), diagonal({1, 1}), 0.01);
  control.resolution = {1e-3};
  EXPECT_THROW((void)closed_loop(control), std::invalid_argument);
}

TEST(ClosedLoop, OfTooManyStatesIsNotSampled) {
  Matrix coupled = diagonal(std::vector<double>(6, 100.0));
  for (std::size_t i = 1; i < 6; ++i) coupled(i, i - 1) = coupled(i - 1, i) = 1.0;
  ControlOptions control = gains(coupled, diagonal(std::vector<double>(6, 20.0)), 0.01);
  control.delay = 97;  // 600 with the three of each joint
  control.Ki = diagonal(std::vector<double>(6, 1.0));
  EXPECT_FALSE(closed_loop(control).sampled);
  control.delay = 96;
  EXPECT_TRUE(closed_loop(control).sampled);
}

}  // namespace
}  // namespace armdyn::testing
