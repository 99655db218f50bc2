#include <gtest/gtest.h>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/refused_argument.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

Matrix diagonal(std::size_t n, double value) {
  Matrix gains(n, n);
  for (std::size_t i = 0; i < n; ++i) gains(i, i) = value;
  return gains;
}

/// Craig's two links, hanging on the horizontal axis of their file's gravity.
class TwoLinks : public ::testing::Test {
 protected:
  const Arm arm = normalize(shipped_robot("craig-rr"));
  const std::vector<double> rest{0.0, 0.0};
  const std::vector<double> goal{0.4, -0.3};
  const Trajectory still = point_to_point(goal, goal, Profile::quintic, {5.0, {}});

  [[nodiscard]] static ControlOptions options(Controller controller, double Kp, double Kv) {
    ControlOptions control;
    control.controller = controller;
    control.Kp = diagonal(2, Kp);
    control.Kv = diagonal(2, Kv);
    return control;
  }

  /// What the controller asks for in a first sample at t = 0.
  std::vector<double> first_torque(const ControlOptions& control, const std::vector<double>& q,
                                   const std::vector<double>& qd) {
    ControlledTorque controller(arm, still, 0.0, control);
    (void)controller.begin_stretch(0.0, q, qd);
    std::vector<double> tau(2);
    Wrench wrench;
    controller.evaluate(0.003, q, qd, tau, wrench);
    return tau;
  }

  std::vector<double> gravity(const std::vector<double>& q) const {
    return torque(arm, {q, rest, rest});
  }
};

TEST_F(TwoLinks, PdIsProportionalToTheErrors) {
  const auto tau = first_torque(options(Controller::pd, 50, 5), {0.1, 0.0}, {0.2, -0.1});
  EXPECT_NEAR(tau[0], 50 * 0.3 - 5 * 0.2, 1e-14);
  EXPECT_NEAR(tau[1], 50 * -0.3 + 5 * 0.1, 1e-14);
}

TEST_F(TwoLinks, PdAndGravityAddsWhatHoldsTheArm) {
  const std::vector<double> q{0.1, 0.0};
  const auto tau = first_torque(options(Controller::pd_gravity, 50, 5), q, {0.2, -0.1});
  EXPECT_NEAR(tau[0], 50 * 0.3 - 5 * 0.2 + gravity(q)[0], 1e-13);
  EXPECT_NEAR(tau[1], 50 * -0.3 + 5 * 0.1 + gravity(q)[1], 1e-13);
}

TEST_F(TwoLinks, FeedforwardAddsTheTorqueOfTheDesiredMotion) {
  const auto tau = first_torque(options(Controller::feedforward, 50, 5), {0.1, 0.0}, {0.2, -0.1});
  EXPECT_NEAR(tau[0], 50 * 0.3 - 5 * 0.2 + gravity(goal)[0], 1e-13);
  EXPECT_NEAR(tau[1], 50 * -0.3 + 5 * 0.1 + gravity(goal)[1], 1e-13);
}

TEST_F(TwoLinks, ComputedTorqueCompensatesDryFrictionByTheDesiredSpeedAndAtRestByTheMeasured) {
  Robot robot = shipped_robot("craig-rr");
  robot.joints[0].friction.coulomb = {2.0, 3.0};
  robot.joints[0].friction.viscous = 0.5;
  robot.joints[1].motor.gear_ratio = -10.0;
  robot.joints[1].motor.coulomb = {0.1, 0.2};
  const Arm with = normalize(robot);
  const Trajectory moving =
      point_to_point(rest, std::vector<double>{-1.0, 1.0}, Profile::quintic, {2.0, {}});
  // Desired at t = 1: down and up; measured: at rest, or the other way.
  const auto dry = [&](const Trajectory& desired, FrictionBy by, const std::vector<double>& qd) {
    ControlOptions control = options(Controller::computed_torque, 100, 20);
    control.friction_by = by;
    std::vector<double> tau(2), plain(2);
    Wrench wrench;
    ControlledTorque controller(with, desired, 0.0, control), without(arm, desired, 0.0, control);
    (void)controller.begin_stretch(1.0, rest, qd);
    controller.evaluate(1.0, rest, qd, tau, wrench);
    (void)without.begin_stretch(1.0, rest, qd);
    without.evaluate(1.0, rest, qd, plain, wrench);
    return std::vector<double>{tau[0] - plain[0] - 0.5 * qd[0], tau[1] - plain[1]};
  };
  const auto expect = [](const std::vector<double>& found, double first, double second) {
    EXPECT_NEAR(found[0], first, 1e-12);
    EXPECT_NEAR(found[1], second, 1e-12);
  };
  expect(dry(moving, FrictionBy::desired, rest), -3.0, 1.0);
  expect(dry(moving, FrictionBy::desired, {0.1, -0.1}), -3.0, 1.0);
  expect(dry(moving, FrictionBy::measured, rest), 0.0, 0.0);
  expect(dry(moving, FrictionBy::measured, {0.1, -0.1}), 2.0, -2.0);
  expect(dry(still, FrictionBy::desired, {0.1, -0.1}), 2.0, -2.0);
  expect(dry(still, FrictionBy::desired, rest), 0.0, 0.0);
}

TEST_F(TwoLinks, ComputedTorqueCompensatesFrictionOfCoupledMotorsByTheirDesiredSpeeds) {
  Robot robot = shipped_robot("craig-rr");
  robot.joints[0].motor.coulomb = {0.1, 0.1};
  robot.joints[1].motor.coulomb = {0.2, 0.2};
  robot.couplings.push_back({{0, 1}, {10.0, 0.0, 5.0, -20.0}, {0.0, 0.0}});  // speeds of the motors
  const Trajectory moving =
      point_to_point(rest, std::vector<double>{1.0, 1.0}, Profile::quintic, {2.0, {}});
  std::vector<double> tau(2), plain(2);
  Wrench wrench;
  const ControlOptions control = options(Controller::computed_torque, 100, 20);
  ControlledTorque controller(normalize(robot), moving, 0.0, control),
      without(arm, moving, 0.0, control);
  (void)controller.begin_stretch(1.0, rest, rest);
  controller.evaluate(1.0, rest, rest, tau, wrench);
  (void)without.begin_stretch(1.0, rest, rest);
  without.evaluate(1.0, rest, rest, plain, wrench);
  EXPECT_NEAR(tau[0] - plain[0], 10.0 * 0.1 + 5.0 * -0.2, 1e-12);
  EXPECT_NEAR(tau[1] - plain[1], -20.0 * -0.2, 1e-12);
}

TEST_F(TwoLinks, HoldsATorqueFromSampleToSample) {
  ControlledTorque controller(arm, still, 1.0, options(Controller::pd, 50, 5));
  std::vector<double> tau(2);
  Wrench wrench;
  EXPECT_EQ(controller.begin_stretch(1.0, rest, rest), 1.01);
  controller.evaluate(1.005, goal, rest, tau, wrench);  // the arm has moved, the torque has not
  EXPECT_EQ(tau[0], 50 * 0.4);
  EXPECT_EQ(controller.begin_stretch(1.01, goal, rest), 1.02);
  controller.evaluate(1.01, goal, rest, tau, wrench);
  EXPECT_EQ(tau[0], 0.0);
}

TEST_F(TwoLinks, ActsLateByTheDelay) {
  ControlOptions control = options(Controller::pd, 1, 0);
  control.delay = 2;
  ControlledTorque controller(arm, still, 0.0, control);
  std::vector<double> tau(2), acting;
  Wrench wrench;
  for (int k = 0; k < 6; ++k) {
    const std::vector<double> q{0.4 - k, 0.0};  // an error of k at sample k
    (void)controller.begin_stretch(0.01 * k, q, rest);
    controller.evaluate(0.01 * k, q, rest, tau, wrench);
    acting.push_back(tau[0]);
  }
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(acting[k], k < 2 ? 0.0 : static_cast<double>(k) - 2, 1e-15) << k;
  }
}

TEST_F(TwoLinks, MeasuresInStepsOfTheResolutionAndTakesTheirDifferencesForVelocities) {
  ControlOptions control = options(Controller::pd, 0, 1);
  control.resolution = {0.001, 0.0};
  ControlledTorque controller(arm, still, 0.0, control);
  std::vector<double> tau(2);
  Wrench wrench;
  (void)controller.begin_stretch(0.0, std::vector{0.1004, 0.0}, std::vector{0.0, 0.25});
  controller.evaluate(0.0, rest, rest, tau, wrench);
  EXPECT_NEAR(tau[0], 0.0, 1e-12);
  EXPECT_EQ(tau[1], -0.25);  // no resolution given: measured exactly
  (void)controller.begin_stretch(0.01, std::vector{0.1009, 0.0}, rest);
  controller.evaluate(0.01, rest, rest, tau, wrench);
  EXPECT_NEAR(tau[0], -0.001 / 0.01, 1e-12);  // 0.100 to 0.101
}

TEST_F(TwoLinks, SumsErrorsUpFromSampleToSample) {
  ControlOptions control = options(Controller::pd, 0, 0);
  control.Ki = diagonal(2, 100);
  ControlledTorque controller(arm, still, 0.0, control);
  std::vector<double> tau(2);
  Wrench wrench;
  double sum = 0.0;
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> q{0.4 - 0.1 * k, -0.3};
    sum += 0.01 * 0.1 * k;
    (void)controller.begin_stretch(0.01 * k, q, rest);
    controller.evaluate(0.01 * k, q, rest, tau, wrench);
    EXPECT_NEAR(tau[0], 100 * sum, 1e-12) << k;
    EXPECT_NEAR(tau[1], 0.0, 1e-12) << k;
  }
}

TEST_F(TwoLinks, DoesNotSumUpWhatTheDrivesCannotDeliver) {
  ControlOptions control = options(Controller::pd, 0, 0);
  control.Ki = diagonal(2, 100);
  control.torque_limits = {0.45, 1.0};
  ControlledTorque controller(arm, still, 0.0, control);
  std::vector<double> tau(2);
  Wrench wrench;
  const auto torque_at = [&](int k, double error) {
    const std::vector<double> q{0.4 - error, -0.3};
    (void)controller.begin_stretch(0.01 * k, q, rest);
    controller.evaluate(0.01 * k, q, rest, tau, wrench);
    return tau[0];
  };
  EXPECT_NEAR(torque_at(0, 0.2), 0.2, 1e-12);
  EXPECT_NEAR(torque_at(1, 0.2), 0.4, 1e-12);
  for (int k = 2; k < 50; ++k) EXPECT_EQ(torque_at(k, 0.2), 0.45);
  EXPECT_NEAR(torque_at(50, -0.1), 0.3, 1e-12);  // from 0.4, not from ten times that
}

TEST_F(TwoLinks, CutsTorquesToTheLimitsAndCountsIt) {
  ControlOptions control = options(Controller::pd, 50, 5);
  control.torque_limits = {7.0, 100.0};
  ControlledTorque controller(arm, still, 0.0, control);
  std::vector<double> tau(2);
  Wrench wrench;
  (void)controller.begin_stretch(0.0, std::vector{1.0, 0.0}, rest);
  controller.evaluate(0.0, rest, rest, tau, wrench);
  EXPECT_EQ(tau[0], -7.0);
  EXPECT_EQ(tau[1], -15.0);
  EXPECT_EQ(controller.saturated(), (std::vector<std::uint64_t>{1, 0}));
}

/// Where the arm comes to rest.
std::vector<double> final_error(const Arm& arm, const Trajectory& still,
                                const std::vector<double>& goal, const ControlOptions& control) {
  ControlledTorque controller(arm, still, 0.0, control);
  SimulationOptions options;
  options.duration = 5.0;
  std::vector<double> e = goal;
  simulate(arm, std::vector{0.0, 0.0}, std::vector{0.0, 0.0}, controller, options,
           [&](const SimulationRow& row) {
             for (std::size_t i = 0; i < 2; ++i) e[i] = goal[i] - row.q[i];
             return true;
           });
  return e;
}

TEST_F(TwoLinks, PdSagsUnderGravityAndItsCompensationDoesNot) {
  ControlOptions control = options(Controller::pd, 400, 80);
  control.sample_time = 0.0;
  const auto sag = final_error(arm, still, goal, control);
  const auto G = gravity({goal[0] - sag[0], goal[1] - sag[1]});
  EXPECT_NEAR(400 * sag[0], G[0], 1e-3 * G[0]);  // K_p e = G where it rests
  EXPECT_NEAR(400 * sag[1], G[1], 1e-3 * G[0]);

  control.controller = Controller::pd_gravity;
  for (const double e : final_error(arm, still, goal, control)) EXPECT_NEAR(e, 0.0, 1e-4);
}

TEST_F(TwoLinks, AreNotThoseOfAnotherArm) {
  for (const double sample_time : {0.01, 0.0}) {
    ControlOptions control = options(Controller::pd, 50, 5);
    control.sample_time = sample_time;
    ControlledTorque controller(arm, still, 0.0, control);
    const Arm six = normalize(shipped_robot("puma560"));
    const std::vector<double> at(6);
    SimulationOptions simulated;
    simulated.duration = 0.1;
    EXPECT_THROW(simulate(six, at, at, controller, simulated, [](const auto& /*row*/) {}),
                 std::invalid_argument);
  }
}

TEST_F(TwoLinks, HaveLimitsAndResolutionsThatAreMagnitudes) {
  for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    ControlOptions limited = options(Controller::pd, 50, 5), read = limited;
    limited.torque_limits = {9, wrong};
    read.resolution = {0.001, wrong};
    EXPECT_THROW(ControlledTorque(arm, still, 0.0, limited), std::invalid_argument) << wrong;
    EXPECT_THROW(ControlledTorque(arm, still, 0.0, read), std::invalid_argument) << wrong;
  }
}

TEST_F(TwoLinks, RefusesOptionsThatDoNotFitTheArm) {
  const auto refused = [&](auto change) {
    ControlOptions control = options(Controller::pd, 50, 5);
    control.sample_time = 0.01;
    control.couplings = {{{0, 1}, {1, 0, 1, 1}, {0, 0}, {}, {9, 9}}};
    change(control);
    return refused_argument([&] { ControlledTorque(arm, still, 0.0, control); });
  };
  EXPECT_EQ(refused([](ControlOptions& c) { c.Ki = diagonal(2, 1.0); }), "");
  const std::string gains = "gains are matrices with a row per joint";
  for (const Matrix& wrong : {Matrix(1, 2), Matrix(2, 3), Matrix(3, 3)}) {
    EXPECT_EQ(refused([&](ControlOptions& c) { c.Kp = wrong; }), gains);
    EXPECT_EQ(refused([&](ControlOptions& c) { c.Kv = wrong; }), gains);
    EXPECT_EQ(refused([&](ControlOptions& c) { c.Ki = wrong; }), gains);
  }
  for (const double time : {-0.01, static_cast<double>(INFINITY)}) {
    EXPECT_EQ(refused([&](ControlOptions& c) { c.sample_time = time; }),
              "the sample time must not be negative");
  }
  const auto refused_without_samples = [&](auto change) {
    return refused([&](ControlOptions& c) {
      c.sample_time = 0.0;
      change(c);
    });
  };
  EXPECT_EQ(refused_without_samples([](ControlOptions&) {}), "");
  EXPECT_EQ(refused_without_samples([](ControlOptions& c) { c.Ki = diagonal(2, 1.0); }),
            "errors are summed up at samples");
  EXPECT_EQ(refused_without_samples([](ControlOptions& c) { c.delay = 1; }),
            "a delay counts samples, so there must be some");
  EXPECT_EQ(refused_without_samples([](ControlOptions& c) {
              c.resolution = {0.1, 0.1};
            }),
            "an encoder is read at samples");
  for (const std::vector<double>& wrong : {std::vector<double>{0.1}, {0.1, 0.1, 0.1}}) {
    EXPECT_EQ(refused([&](ControlOptions& c) { c.resolution = wrong; }),
              "encoder resolutions need one entry per joint");
    EXPECT_EQ(refused([&](ControlOptions& c) { c.torque_limits = wrong; }),
              "torque limits need one entry per joint");
    EXPECT_EQ(refused([&](ControlOptions& c) { c.couplings[0].torque_limits = wrong; }),
              "torque limits of motors need one entry per motor");
  }
  EXPECT_EQ(refused([](ControlOptions& c) { c.couplings[0].joints[1] = 2; }),
            "couplings are of joints that the arm has");
  EXPECT_EQ(refused([](ControlOptions& c) { c.couplings[0].matrix.pop_back(); }),
            "couplings need a row per motor");
  EXPECT_EQ(refused([](ControlOptions& c) { c.couplings[0].torque_limits.clear(); }), "");
  const std::vector<double> one{0.0};
  const Trajectory of_one_joint = point_to_point(one, one, Profile::quintic, {5.0, {}});
  EXPECT_EQ(refused_argument(
                [&] { ControlledTorque(arm, of_one_joint, 0.0, options(Controller::pd, 50, 5)); }),
            "the controller's model and the motion need the same joints");
}

}  // namespace
}  // namespace armdyn::testing
