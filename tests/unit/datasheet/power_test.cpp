#include "datasheet/power.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armdyn {
namespace {

// Without gravity, long motions of one link reach the speed v: the peak is (I a + b v) v, and what
// friction takes is left of the mean.
TEST(WorstCycle, OfOneLinkHasThePowerOfItsLimits) {
  Robot robot;
  robot.name = "one link";
  robot.convention = Convention::modified;
  robot.gravity = {};
  Joint joint;
  joint.name = "joint";
  joint.body = {3.0, {0.4, 0.0, 0.0}, {0.0, 0.0, 0.05, 0.0, 0.0, 0.0}};
  joint.friction.viscous = 1.5;
  joint.limits.position = Range{-2.5, 2.5};
  joint.limits.velocity = 2.0;
  robot.joints.push_back(joint);
  const double inertia = 0.05 + 3.0 * 0.4 * 0.4, v = 2.0, a = 5.0, b = 1.5;

  const WorstCycle worst = worst_cycle(robot, std::vector{a});
  const double peak = (inertia * a + b * v) * v;
  EXPECT_LE(worst.sizing.supply.power.value, peak * (1.0 + 1e-12));
  EXPECT_GE(worst.sizing.supply.power.value, 0.97 * peak);
  // Both ways: two ramps of the time T = v/a each, and (d − v T)/v at speed.
  const double T = v / a, distance = std::abs(worst.to[0] - worst.from[0]);
  const double cruise = distance / v - T;
  ASSERT_GT(cruise, 0.0);
  EXPECT_NEAR(worst.sizing.duration, 2.0 * (2.0 * T + cruise), 1e-9);
  // ∫ P² dt: of the ramps ((±I a + b a t) a t)².
  const auto ramp = [&](double c) {
    return a * a *
           (c * c * std::pow(T, 3) / 3.0 + c * b * a * std::pow(T, 4) / 2.0 +
            b * b * a * a * std::pow(T, 5) / 5.0);
  };
  const double squares = ramp(inertia * a) + ramp(-inertia * a) + std::pow(b * v * v, 2) * cruise;
  const double rms = std::sqrt(squares / (2.0 * T + cruise));
  EXPECT_NEAR(worst.rms, rms, 0.02 * rms);
}

}  // namespace
}  // namespace armdyn
