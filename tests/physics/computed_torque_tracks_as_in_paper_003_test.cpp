// Paper 003 §5: a PUMA from (90, 0, 90, 0, 0, 0)° to (45, 30, 0, 45, 60, 90)° under computed torque
// with K_p = 100, K_v = 20, torques held for 10 ms. The paper prints neither parameters nor
// profile: here Corke's PUMA 560 with its rotors but without friction, and a quintic. The numbers
// to meet come from an independent simulation in another language.

#include <gtest/gtest.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/motion_row.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double paper_limit = 4.26e-4;  // one step of the paper's 12-bit converters, 100°/4096

Robot puma_without_friction() {
  Robot robot = shipped_robot("puma560");
  for (Joint& joint : robot.joints) {
    joint.friction = {};
    joint.motor.viscous = 0.0;
    joint.motor.coulomb = {};
  }
  return robot;
}

Robot without_rotors(Robot robot) {
  for (Joint& joint : robot.joints) joint.motor = {};
  return robot;
}

std::vector<double> start() {
  return {90 * degree, 0, 90 * degree, 0, 0, 0};
}

Trajectory motion_of_the_paper(double duration) {
  const std::vector<double> goal{45 * degree, 30 * degree, 0,
                                 45 * degree, 60 * degree, 90 * degree};
  return point_to_point(start(), goal, Profile::quintic, {duration, {}});
}

Matrix diagonal(std::size_t n, double value) {
  Matrix gains(n, n);
  for (std::size_t i = 0; i < n; ++i) gains(i, i) = value;
  return gains;
}

ControlOptions control_of_the_paper() {
  ControlOptions control;
  control.Kp = diagonal(6, 100.0);
  control.Kv = diagonal(6, 20.0);
  return control;
}

struct PaperRow {
  double t;
  std::vector<double> e, tau;
};

/// The closed loop from rest at the start of the motion, `e0` behind it in every joint.
std::vector<PaperRow> track(const Arm& arm, const Arm& model, const Trajectory& desired,
                            const ControlOptions& control, double e0 = 0.0) {
  ControlledTorque controller(model, desired, desired.begin(), control);
  SimulationOptions options;
  options.duration = desired.end();
  std::vector<double> q0 = start();
  for (double& q : q0) q -= e0;
  std::vector<PaperRow> rows;
  simulate(arm, q0, std::vector<double>(6, 0.0), controller, options,
           [&](const SimulationRow& row) {
             std::vector<double> e = row_at(desired, row.t).q;
             for (std::size_t i = 0; i < e.size(); ++i) e[i] -= row.q[i];
             rows.push_back({row.t, e, {row.tau.begin(), row.tau.end()}});
             return true;
           });
  return rows;
}

double largest_error(const std::vector<PaperRow>& rows) {
  double largest = 0.0;
  for (const PaperRow& row : rows) {
    for (const double e : row.e) largest = std::max(largest, std::abs(e));
  }
  return largest;
}

class Paper003 : public ::testing::Test {
 protected:
  const Robot robot = puma_without_friction();
  const Arm arm = normalize(robot);

  /// Largest error over the paper's motion of this duration, the model being the arm.
  [[nodiscard]] static double error(const Arm& puma, double duration,
                                    const ControlOptions& control) {
    return largest_error(track(puma, puma, motion_of_the_paper(duration), control));
  }
};

TEST_F(Paper003, TracksWithinTheResolutionThatThePaperReports) {
  EXPECT_LT(error(arm, 3.0, control_of_the_paper()), paper_limit);
}

TEST_F(Paper003, HasTheErrorsOfAnIndependentSimulation) {
  const std::vector<std::pair<double, double>> expected{
      {1.0, 2.23e-3}, {2.0, 5.10e-4}, {2.5, 3.40e-4}, {3.0, 2.53e-4}, {5.0, 1.26e-4}};
  for (const auto& [duration, peak] : expected) {
    EXPECT_NEAR(error(arm, duration, control_of_the_paper()), peak, 0.005 * peak) << duration;
  }
  const Arm light = normalize(without_rotors(robot));
  EXPECT_NEAR(error(light, 3.0, control_of_the_paper()), 9.87e-4, 0.005e-4 * 10);
}

TEST_F(Paper003, SuffersFromADelayOfOneSample) {
  ControlOptions late = control_of_the_paper();
  late.delay = 1;
  EXPECT_NEAR(error(arm, 3.0, late), 7.8e-4, 0.05e-4);
}

TEST_F(Paper003, HasNoErrorWithTorqueAtAllTimes) {
  ControlOptions continuous = control_of_the_paper();
  continuous.sample_time = 0.0;
  EXPECT_LT(error(arm, 3.0, continuous), 1e-11);
}

/// Largest deviation from e = (1 + 10 t) e^(−10t) e_0 (eq. 11.5).
double deviation_from_law(const std::vector<PaperRow>& rows, double e0) {
  double largest = 0.0;
  for (const PaperRow& row : rows) {
    const double law = (1 + 10 * row.t) * std::exp(-10 * row.t) * e0;
    for (const double e : row.e) largest = std::max(largest, std::abs(e - law));
  }
  return largest;
}

TEST_F(Paper003, LetsAnInitialErrorDieOutByTheLawOfCriticalDamping) {
  ControlOptions continuous = control_of_the_paper();
  continuous.sample_time = 0.0;
  const auto rows = track(arm, arm, motion_of_the_paper(3.0), continuous, 0.01);
  EXPECT_LT(deviation_from_law(rows, 0.01), 1e-10);
}

TEST_F(Paper003, DeviatesFromThatLawInProportionToTheSampleTime) {
  const std::vector<std::pair<double, double>> expected{
      {0.020, 5.44e-4}, {0.010, 2.70e-4}, {0.005, 1.34e-4}};
  for (const auto& [sample_time, deviation] : expected) {
    ControlOptions held = control_of_the_paper();
    held.sample_time = sample_time;
    const auto rows = track(arm, arm, motion_of_the_paper(3.0), held, 0.01);
    EXPECT_NEAR(deviation_from_law(rows, 0.01), deviation, 0.005 * deviation) << sample_time;
  }
}

TEST_F(Paper003, IsTheSameControllerByAnyFormulation) {
  const auto by = [&](Method method) {
    ControlOptions control = control_of_the_paper();
    control.method = method;
    return track(arm, arm, motion_of_the_paper(1.0), control);
  };
  const auto reference = by(Method::newton_euler);
  for (const Method method : {Method::modified_newton_euler, Method::lagrange}) {
    const auto rows = by(method);
    ASSERT_EQ(rows.size(), reference.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t i = 0; i < 6; ++i) {
        // Torques up to 100 N·m, each to 1e-14, and the loop forgets: K_p ë = … has no memory.
        EXPECT_NEAR(rows[k].e[i], reference[k].e[i], 1e-13);
        EXPECT_NEAR(rows[k].tau[i], reference[k].tau[i], 1e-10);
      }
    }
  }
}

TEST_F(Paper003, CouplesJointsByFullGainMatrices) {
  // K_p = k² and K_v = 2k with a symmetric k: the modes of k die out by their own laws.
  Matrix Kp = diagonal(6, 10.0 * 10.0 + 2.0 * 2.0), Kv = diagonal(6, 20.0);
  Kp(0, 1) = Kp(1, 0) = 2 * 10.0 * 2.0;  // k = [[10, 2], [2, 10]] in joints 1 and 2
  Kv(0, 1) = Kv(1, 0) = 2 * 2.0;
  ControlOptions control = control_of_the_paper();
  control.sample_time = 0.0;
  control.Kp = Kp;
  control.Kv = Kv;
  for (const PaperRow& row : track(arm, arm, motion_of_the_paper(1.0), control, 0.01)) {
    const double sum = (1 + 12 * row.t) * std::exp(-12 * row.t) * 0.02;  // of the mode (1, 1)
    EXPECT_NEAR(row.e[0] + row.e[1], sum, 1e-10) << row.t;
    EXPECT_NEAR(row.e[0] - row.e[1], 0.0, 1e-10) << row.t;
  }
}

TEST_F(Paper003, LosesItsPrecisionToAnUnknownPayload) {
  Robot loaded = robot;
  loaded.payload.mass = 2.5;
  loaded.payload.com = {0.0, 0.0, 0.05};
  const auto rows = track(normalize(loaded), arm, motion_of_the_paper(3.0), control_of_the_paper());
  EXPECT_GT(largest_error(rows), 10 * paper_limit);
}

}  // namespace
}  // namespace armdyn::testing
