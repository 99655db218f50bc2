#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>

#include <cmath>

#include "dynamics/friction.hpp"

namespace armdyn::testing {
namespace {

const Friction all_terms{.viscous = 0.5,
                         .coulomb = {2.0, 1.8},
                         .breakaway = TwoSided{2.4, 2.2},
                         .stribeck_velocity = 0.05,
                         .ripple = {.amplitude = 0.1, .harmonic = 3.0, .phase = 0.4}};

TEST(Friction, IsZeroAtRest) {
  EXPECT_EQ(friction_torque(all_terms, 0.3, 0.0), 0.0);
}

TEST(Friction, HasCoulombStribeckViscousAndRippleParts) {
  const double q = 0.7;
  for (const double qd : {0.02, 0.3, -0.01, -2.0}) {
    const double c = qd > 0 ? 2.0 : 1.8, s = qd > 0 ? 2.4 : 2.2, sign = qd > 0 ? 1 : -1;
    const double bracket = c + (s - c) * std::exp(-std::pow(qd / 0.05, 2));
    const double expected = sign * bracket * (1 + 0.1 * std::cos(3.0 * q + 0.4)) + 0.5 * qd;
    EXPECT_NEAR(friction_torque(all_terms, q, qd), expected, 1e-15 * 4) << qd;
  }
}

TEST(Friction, WithoutBreakawayLevelIsCoulombAtAnySpeed) {
  const Friction coulomb{.coulomb = {2.0, 1.0}, .stribeck_velocity = 0.1};
  EXPECT_EQ(friction_torque(coulomb, 0.0, 1e-6), 2.0);
  EXPECT_EQ(friction_torque(coulomb, 0.0, -1e-6), -1.0);
}

// Gaz et al. 2019, as printed: A/(1 + exp(−α(q̇ + s))) − A/(1 + exp(−α s)), joint 4 of their Panda.
TEST(Friction, FollowsTheSigmoidOfGaz) {
  const Friction panda{.coulomb = {},
                       .sigmoid = {.amplitude = 1.2794, .slope = 5.5903, .offset = 0.036194}};
  for (const double qd : {-2.0, -0.3, 1e-3, 0.4, 2.0}) {
    const double expected = 1.2794 / (1 + std::exp(-5.5903 * (qd + 0.036194))) -
                            1.2794 / (1 + std::exp(-5.5903 * 0.036194));
    EXPECT_NEAR(friction_torque(panda, 0.7, qd), expected, 4e-16) << qd;
  }
  EXPECT_EQ(friction_torque(panda, 0.7, 0.0), 0.0);
  const Drive drive{panda, {}};
  EXPECT_EQ(breakaway_torque(drive, 0.0), TwoSided{});
  EXPECT_NEAR(friction_torque(panda, 0.0, 1e300) - friction_torque(panda, 0.0, -1e300), 1.2794,
              1e-15);
}

// A sigmoid grows with speed: its bounds are where it goes to at high speed, and 0 at rest.
TEST(Friction, LiesBetweenTheBoundsOfItsKindInEachDirection) {
  Friction friction{.coulomb = {2.0, 1.8}, .breakaway = TwoSided{2.4, 2.2}};
  friction.sigmoid = {.amplitude = 1.3, .slope = 5.0, .offset = 0.2};
  const double at_rest = 1.3 / (1 + std::exp(-5.0 * 0.2));
  const auto expect_range = [](const Range& found, double lower, double upper) {
    EXPECT_NEAR(found.lower, lower, 1e-15);
    EXPECT_NEAR(found.upper, upper, 1e-15);
  };
  expect_range(smooth_range(friction, 1), 0.0, 1.3 - at_rest);
  expect_range(smooth_range(friction, -1), -at_rest, 0.0);
  expect_range(smooth_range(friction, 0), -at_rest, 1.3 - at_rest);
}

TEST(Motor, IsReflectedBySquareAndMagnitudeOfTheGearRatio) {
  const Motor motor{
      .rotor_inertia = 2e-4, .gear_ratio = -62.6111, .viscous = 1.48e-3, .coulomb = {0.395, 0.435}};
  const double G2 = 62.6111 * 62.6111;
  EXPECT_NEAR(motor_torque(motor, 0.0, 3.0), G2 * 2e-4 * 3.0, 1e-14);
  EXPECT_NEAR(motor_torque(motor, 2.0, 0.0), G2 * 1.48e-3 * 2.0 + 62.6111 * 0.395, 1e-13);
  EXPECT_NEAR(motor_torque(motor, -2.0, 0.0), -G2 * 1.48e-3 * 2.0 - 62.6111 * 0.435, 1e-13);
}

TEST(Breakaway, AddsJointAndMotorSidePerDirection) {
  const Drive drive{all_terms, {.gear_ratio = -10.0, .coulomb = {0.1, 0.2}}};
  const double ripple = 1 + 0.1 * std::cos(3.0 * 0.2 + 0.4);
  EXPECT_NEAR(breakaway_torque(drive, 0.2).positive, 2.4 * ripple + 1.0, 1e-15 * 4);
  EXPECT_NEAR(breakaway_torque(drive, 0.2).negative, 2.2 * ripple + 2.0, 1e-15 * 4);
}

}  // namespace
}  // namespace armdyn::testing
