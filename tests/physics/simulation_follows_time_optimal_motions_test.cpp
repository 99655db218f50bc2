// What the torques of a time-optimal motion make is that motion, with dry and viscous friction,
// rotors and coupled motors.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/time_optimal.hpp"
#include "support/limited_arm.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

/// The torques of a motion, between two of its knots at a time, whatever the arm does.
class TorquesOfMotion final : public TorqueInput {
 public:
  TorquesOfMotion(const Arm& arm, const Trajectory& motion) : dynamics_(arm), motion_(motion) {}

  double begin_stretch(double t, std::span<const double> /*q*/,
                       std::span<const double> /*qd*/) override {
    const auto next = std::ranges::upper_bound(motion_.knots(), t);
    end_ = next == motion_.knots().end() ? std::numeric_limits<double>::infinity() : *next;
    return end_;
  }
  void evaluate(double t, std::span<const double> /*q*/, std::span<const double> /*qd*/,
                std::span<double> tau, Wrench& wrench) override {
    const MotionRow row = row_at(motion_, t < end_ ? t : std::nextafter(end_, 0.0));
    dynamics_.torque({row.q, row.qd, row.qdd}, {}, tau);
    wrench = {};
  }

 private:
  InverseDynamics dynamics_;
  const Trajectory& motion_;
  double end_ = 0.0;
};

/// How far a simulation of the torques goes off a motion, rad or m.
double farthest_off(const Arm& arm, const Trajectory& motion, double step) {
  TorquesOfMotion torques(arm, motion);
  const std::vector<double> at_rest(arm.dof());
  const Simulated simulated = run_simulation(arm, {}, row_at(motion, 0.0).q, at_rest, torques,
                                             options_of(motion.end(), step));
  EXPECT_NEAR(simulated.last().t, motion.end(), 1e-12);
  double off = 0.0;
  for (const SimulatedRow& row : simulated.rows) {
    const MotionRow wanted = row_at(motion, row.t);
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      off = std::max(off, std::abs(row.q[i] - wanted.q[i]));
    }
  }
  return off;
}

// Small jumps of the acceleration within steps make the error of first order.
TEST(SimulationFollowsTimeOptimalMotions, OfArmsWithFrictionAndCoupledMotors) {
  RandomArm random(35);
  for (const std::size_t dof : {1U, 2U, 4U}) {
    Robot robot = driven_arm(random, dof);
    const JointPath path = path_of({random.numbers(dof, 1.2), random.numbers(dof, 1.2)});
    limit_torques(robot, path, 1.5, 20.0);
    PathDemands demands(robot, path_limits(robot));
    const Trajectory motion = time_optimal(path, demands).motion;
    EXPECT_LT(farthest_off(normalize(robot), motion, 1e-4), 1e-4) << dof;
    EXPECT_LT(farthest_off(normalize(robot), motion, 1e-5), 1e-5) << dof;
  }
}

}  // namespace
}  // namespace armdyn::testing
