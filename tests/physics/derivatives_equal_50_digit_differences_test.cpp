// The derivatives that Duals carry, held against central differences in 50 digits: with steps of
// 1e-16 these are exact to some 30 digits.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/digits50.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"

namespace armdyn {

// What the losses need beside the recursion's sums and products.
inline bool operator<(const Digits50& a, double b) {
  return a.number() < b;
}
inline bool operator>(const Digits50& a, double b) {
  return a.number() > b;
}
inline Digits50 operator/(const Digits50& a, double b) {
  return Digits50(Digits50::Number(a.number() / b));
}
inline Digits50 exp(const Digits50& a) {
  return Digits50(Digits50::Number(boost::multiprecision::exp(a.number())));
}

}  // namespace armdyn

namespace armdyn::testing {
namespace {

using Digits = std::vector<Digits50>;

struct WideState {
  Digits q, qd, qdd;
};

Digits whole_torque(const Arm& arm, const WideState& x, const ForceAndMoment<Digits50>& wrench) {
  std::vector<LinkState<Digits50>> links(arm.dof());
  Digits tau(arm.dof());
  newton_euler<Digits50>(arm, x.q, x.qd, x.qdd, &wrench, links, tau);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    tau[i] = tau[i] + drive_torque(arm.drives[i], x.q[i], x.qd[i], x.qdd[i], direction_of(x.qd[i]));
  }
  return tau;
}

Matrix differences(const Arm& arm, WideState x, Digits WideState::*which, const Wrench& wrench) {
  const ForceAndMoment<Digits50> wide_wrench{constant<Digits50>(wrench.force),
                                             constant<Digits50>(wrench.moment)};
  const Digits50 step(1e-16);
  Matrix result(arm.dof(), arm.dof());
  for (std::size_t j = 0; j < arm.dof(); ++j) {
    Digits50& entry = (x.*which)[j];
    const Digits50 there = entry;
    entry = there + step;
    const Digits after = whole_torque(arm, x, wide_wrench);
    entry = there - step;
    const Digits before = whole_torque(arm, x, wide_wrench);
    entry = there;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      result(i, j) = static_cast<double>(
          Digits50::Number((after[i] - before[i]).number() / (2 * step.number())));
    }
  }
  return result;
}

TEST(TorqueDerivatives, EqualFiftyDigitDifferencesWithAllLosses) {
  for_random_states(
      [](RandomState& x) {
        for (Drive& drive : x.arm.drives) {
          drive.friction = {.viscous = 0.5,
                            .coulomb = {2.0, 1.8},
                            .breakaway = TwoSided{2.4, 2.2},
                            .stribeck_velocity = 0.7,
                            .ripple = {.amplitude = 0.2, .harmonic = 3.0, .phase = 0.4}};
          drive.motor.viscous = 1e-3;
          drive.motor.coulomb = {0.1, 0.2};
        }
        const Wrench wrench{{30.0, -40.0, 50.0}, {6.0, 7.0, -8.0}};
        const TorqueDerivatives found = torque_derivatives(x.arm, {x.q, x.qd, x.qdd}, wrench);
        const WideState wide{
            {x.q.begin(), x.q.end()}, {x.qd.begin(), x.qd.end()}, {x.qdd.begin(), x.qdd.end()}};
        expect_near(found.dq, differences(x.arm, wide, &WideState::q, wrench), 1e-12, "dtau/dq");
        expect_near(found.dqd, differences(x.arm, wide, &WideState::qd, wrench), 1e-12, "dtau/dqd");
        expect_near(found.dqdd, differences(x.arm, wide, &WideState::qdd, wrench), 1e-12,
                    "dtau/dqdd");
      },
      3);
}

TEST(TorqueDerivatives, WithRespectToAccelerationAreTheMassMatrix) {
  for_random_states([](const RandomState& x) {
    const TorqueDerivatives found = torque_derivatives(x.arm, {x.q, x.qd, x.qdd});
    expect_near(found.dqdd, mass_matrix(x.arm, x.q), 1e-12, "M");
  });
}

TEST(TorqueDerivatives, LeaveDryFrictionOutAtRest) {
  Robot robot = RandomArm(1).robot(1);
  robot.joints[0].friction = {.viscous = 0.5,
                              .coulomb = {2.0, 1.8},
                              .breakaway = TwoSided{2.4, 2.2},
                              .stribeck_velocity = 0.7,
                              .ripple = {}};
  const std::vector<double> q{0.3}, rest{0.0};
  EXPECT_EQ(torque_derivatives(normalize(robot), {q, rest, rest}).dqd(0, 0), 0.5);
}

}  // namespace
}  // namespace armdyn::testing
