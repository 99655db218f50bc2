// The derivatives that Duals carry, held against central differences in 50 digits: with steps of
// 1e-16 these are exact to some 30 digits.

#include <gtest/gtest.h>
#include <armdyn/derivatives.hpp>
#include <armdyn/equations.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "dynamics/losses.hpp"
#include "dynamics/newton_euler.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"

namespace boost::multiprecision {

using FiftyDigits = number<cpp_bin_float<50>, et_off>;

struct FiftyDigitSinCos {
  FiftyDigits sin, cos;
};

inline FiftyDigitSinCos sin_cos(const FiftyDigits& angle) {
  return {sin(angle), cos(angle)};
}

}  // namespace boost::multiprecision

namespace armdyn::testing {
namespace {

using Real = boost::multiprecision::FiftyDigits;
using Reals = std::vector<Real>;

struct WideState {
  Reals q, qd, qdd;
};

Reals whole_torque(const Arm& arm, const WideState& x, const HandWrench<Real>& hand) {
  std::vector<LinkState<Real>> links(arm.dof());
  Reals tau(arm.dof());
  newton_euler<Real>(arm, x.q, x.qd, x.qdd, &hand, links, tau);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const auto& [friction, motor] = arm.drives[i];
    const int direction = direction_of(x.qd[i]);
    tau[i] += friction_torque(friction, x.q[i], x.qd[i], direction) +
              motor_torque(motor, x.qd[i], x.qdd[i], direction);
  }
  return tau;
}

Matrix differences(const Arm& arm, WideState x, Reals WideState::*which, const Wrench& hand) {
  const HandWrench<Real> wide_hand{constant<Real>(hand.force), constant<Real>(hand.moment)};
  const Real step("1e-16");
  Matrix result(arm.dof(), arm.dof());
  for (std::size_t j = 0; j < arm.dof(); ++j) {
    Real& entry = (x.*which)[j];
    const Real there = entry;
    entry = there + step;
    const Reals after = whole_torque(arm, x, wide_hand);
    entry = there - step;
    const Reals before = whole_torque(arm, x, wide_hand);
    entry = there;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      result(i, j) = static_cast<double>((after[i] - before[i]) / (2 * step));
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
        const Wrench hand{{30.0, -40.0, 50.0}, {6.0, 7.0, -8.0}};
        const TorqueDerivatives found = torque_derivatives(x.arm, {x.q, x.qd, x.qdd}, hand);
        const WideState wide{
            {x.q.begin(), x.q.end()}, {x.qd.begin(), x.qd.end()}, {x.qdd.begin(), x.qdd.end()}};
        expect_near(found.dq, differences(x.arm, wide, &WideState::q, hand), 1e-12, "dtau/dq");
        expect_near(found.dqd, differences(x.arm, wide, &WideState::qd, hand), 1e-12, "dtau/dqd");
        expect_near(found.dqdd, differences(x.arm, wide, &WideState::qdd, hand), 1e-12,
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
  EXPECT_EQ(torque_derivatives(normalise(robot), {q, rest, rest}).dqd(0, 0), 0.5);
}

}  // namespace
}  // namespace armdyn::testing
