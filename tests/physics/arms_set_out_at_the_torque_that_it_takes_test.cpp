// Under the torque with which a joint or coupled motor sets out a simulated arm moves that way; under
// a little less it stays.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>

#include "dynamics/friction.hpp"
#include "dynamics/setting_out.hpp"
#include "model/motors.hpp"
#include "support/limited_arm.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

TEST(ArmsSetOut, AtTheTorqueThatItTakes) {
  RandomArm random(57);
  int forwards = 0, backwards = 0;
  for (std::size_t trial = 0; trial < 12; ++trial) {
    const std::size_t dof = 1 + trial % 4;
    Robot robot = driven_arm(random, dof);
    for (std::size_t i = 0; i < dof; ++i) {
      Friction& friction = robot.joints[i].friction;
      const auto& [positive, negative] = friction.coulomb;
      if (motor_row(robot, i)) continue;
      friction.breakaway = TwoSided{positive + 1.0, negative + 2.0};
      friction.ripple = {0.3, 2.0, 0.5};
      friction.stribeck_velocity = trial % 2 == 0 ? 0.0 : 0.05;
    }
    const Arm arm = normalize(robot);
    const std::vector<FrictionContact> overcome = friction_contacts(arm);
    const std::vector<double> q = random.numbers(dof, 1.5), zero(dof);
    const std::vector<double> tau = torque(arm, {q, zero, zero});
    const auto start =
        SettingOut(robot).find({q, zero, zero}, tau, random.numbers(dof, 1.0)).value();
    for (std::size_t i = 0; i < dof; ++i) {
      const int direction = start.directions[i];
      ASSERT_NE(direction, 0);
      (direction > 0 ? forwards : backwards) += 1;
      const double friction = signed_level(breakaway_torque(overcome[i].drive, q[i]), direction);
      const auto rates = [&](double share) {  // of what contact i overcomes, the others at rest
        std::vector<double> given = start.load;
        for (std::size_t j = 0; j < dof; ++j) {
          given[j] += share * friction * overcome[i].weights(dof)[j];
        }
        const auto simulated = run_simulation(arm, q, zero, given, options_of(1e-3, 1e-5));
        return contact_rates(arm, simulated.last().qd);
      };
      EXPECT_EQ(rates(1.0 - 1e-9), zero) << trial << ", " << i;
      EXPECT_EQ(direction_of(rates(1.0 + 1e-6)[i]), direction) << trial << ", " << i;
    }
    // All at once: the torque is the load and what each overcomes.
    std::vector<double> sum = start.load;
    for (std::size_t i = 0; i < dof; ++i) {
      const double level =
          signed_level(breakaway_torque(overcome[i].drive, q[i]), start.directions[i]);
      for (std::size_t j = 0; j < dof; ++j) sum[j] += level * overcome[i].weights(dof)[j];
    }
    for (std::size_t j = 0; j < dof; ++j) EXPECT_NEAR(start.torque[j], sum[j], 1e-12);
  }
  EXPECT_GT(forwards, 5);
  EXPECT_GT(backwards, 5);
}

}  // namespace
}  // namespace armdyn::testing
