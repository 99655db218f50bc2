// Rows, grids, limits, divergence: what a simulation delivers besides the right motion.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "simulation/plant.hpp"
#include "support/refused_argument.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

/// A mass on rails: q̈ = τ/m.
Robot slider(double mass = 1.0) {
  Robot robot;
  robot.gravity = {};
  robot.joints.resize(1);
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].body.mass = mass;
  return robot;
}

/// Samples at these times, τ = t.
SampledTorque samples_at(std::vector<double> times, Interpolation interpolation) {
  return SampledTorque(
      [times, next = std::size_t{0}](TorqueSample& sample) mutable {
        if (next == times.size()) return false;
        sample = {times[next], {times[next]}, {}};
        ++next;
        return true;
      },
      interpolation);
}

std::vector<double> times_of(const Simulated& found) {
  std::vector<double> times;
  for (const SimulatedRow& row : found.rows) times.push_back(row.t);
  return times;
}

TEST(Steps, LandOnTheGridAndTheLastIsShortened) {
  const Simulated found = run_simulation(normalize(slider()), {0}, {0}, {0}, options_of(0.35, 0.1));
  EXPECT_EQ(times_of(found), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.35}));
  EXPECT_EQ(found.result.steps, 4U);
}

TEST(Steps, LandOnShortDecimalsWhereAWholeNumberMakesASecond) {
  const std::vector<double> times =
      times_of(run_simulation(normalize(slider()), {0}, {0}, {0}, options_of(1.001, 1e-3)));
  ASSERT_EQ(times.size(), 1002U);
  EXPECT_EQ(times[3], 0.003);
  EXPECT_EQ(times[9], 0.009);
  EXPECT_EQ(times[1001], 1.001);
  EXPECT_EQ(times_of(run_simulation(normalize(slider()), {0}, {0}, {0}, options_of(0.9, 0.3))),
            (std::vector<double>{0, 0.3, 0.6, 0.9}));
}

TEST(Steps, LandOnTorqueRows) {
  SampledTorque input = samples_at({0, 0.15, 0.3}, Interpolation::linear);
  const Simulated found =
      run_simulation(normalize(slider()), {}, {0.0}, {0.0}, input, options_of(0.3, 0.1));
  EXPECT_EQ(times_of(found), (std::vector<double>{0, 0.1, 0.15, 0.2, 0.3}));
}

TEST(Steps, TakeTheTimeOfATorqueRowThatAllButFallsOnTheGrid) {
  const double off = 0.30000000000000004;
  SampledTorque input = samples_at({0, 0.1, 0.2, off, 0.4}, Interpolation::linear);
  const Simulated found =
      run_simulation(normalize(slider()), {}, {0.0}, {0.0}, input, options_of(0.4, 0.1));
  EXPECT_EQ(times_of(found), (std::vector<double>{0, 0.1, 0.2, off, 0.4}));
}

TEST(Steps, AreNotSplitByTheRoundingOfLargeTimes) {
  // Seconds since 1970 are rounded to 2.4e-7 s.
  const double now = 1.7e9;
  SampledTorque input(
      [now, k = 0](TorqueSample& sample) mutable {
        sample = {now + 0.1 * k, {1.0}, {}};
        return k++ < 4;
      },
      Interpolation::linear);
  SimulationOptions options;
  options.start = now;
  options.step = 0.1;
  const Simulated found = run_simulation(normalize(slider()), {}, {0.0}, {0.0}, input, options);
  EXPECT_EQ(times_of(found), (std::vector<double>{now, now + 0.1, now + 0.2, now + 0.3}));
}

TEST(Steps, ThatAreLostBesideTheTimeAreRefused) {
  ConstantTorque input({0.0});
  SimulationOptions options = options_of(1, 1e-300);
  options.start = 1.0;
  EXPECT_THROW(run_simulation(normalize(slider()), {}, {0.0}, {0.0}, input, options),
               NumericsError);
}

TEST(Limits, EndAtTheStartWhatIsPushedOutOfThem) {
  const Limits limits{Range{0.0, 0.5}, {}, {}};
  ConstantTorque input({1.0});
  const Simulated found =
      run_simulation(normalize(slider()), {{limits}}, {0.5}, {0.0}, input, options_of(1, 0.1));
  ASSERT_TRUE(found.result.limit);
  EXPECT_EQ(found.result.limit->t, 0.0);
  EXPECT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.last().q[0], 0.5);
}

TEST(Rows, AreEveryKthStepAndTheLast) {
  SimulationOptions options = options_of(0.7, 0.1);
  options.every = 3;
  const Simulated found = run_simulation(normalize(slider()), {0}, {0}, {0}, options);
  ASSERT_EQ(found.rows.size(), 4U);
  EXPECT_NEAR(found.rows[1].t, 0.3, 1e-15);
  EXPECT_NEAR(found.rows[2].t, 0.6, 1e-15);
  EXPECT_EQ(found.rows[3].t, 0.7);
}

TEST(Rows, HaveTheTorqueAndAccelerationOfTheirTime) {
  SampledTorque linear = samples_at({0, 1, 3}, Interpolation::linear);
  for (const SimulatedRow& row :
       run_simulation(normalize(slider(2.0)), {}, {0.0}, {0.0}, linear, options_of(4, 0.25)).rows) {
    EXPECT_DOUBLE_EQ(row.tau[0], std::min(row.t, 3.0));
    EXPECT_DOUBLE_EQ(row.qdd[0], row.tau[0] / 2);
  }
  SampledTorque held = samples_at({0, 1, 3}, Interpolation::hold);
  for (const SimulatedRow& row :
       run_simulation(normalize(slider(2.0)), {}, {0.0}, {0.0}, held, options_of(4, 0.25)).rows) {
    EXPECT_EQ(row.tau[0], row.t < 1 ? 0.0 : row.t < 3 ? 1.0 : 3.0) << row.t;
    EXPECT_EQ(row.qdd[0], row.tau[0] / 2);
  }
}

TEST(Rows, FeelAMomentAloneAtTheHand) {
  Robot wheel = slider();
  wheel.joints[0].type = JointType::revolute;
  wheel.joints[0].body.inertia.zz = 2.0;
  ConstantTorque input({7.0}, Wrench{{}, {0.0, 0.0, 3.0}});
  for (const Integrator integrator : {Integrator::rk4, Integrator::dopri5}) {
    SimulationOptions options = options_of(1, 0.1);
    options.integrator = integrator;
    EXPECT_NEAR(run_simulation(normalize(wheel), {}, {0.0}, {0.0}, input, options).last().qd[0],
                (7.0 - 3.0) / 2.0, 1e-12);
  }
}

TEST(Rows, EndWithTheStateAtWhichASimulationIsStopped) {
  SimulationOptions options = options_of(10, 0.1);
  options.every = 3;
  int steps = 0;
  options.stop = [&] { return ++steps == 6; };  // asked at the start and after each step
  const Simulated found = run_simulation(normalize(slider()), {0}, {0}, {0}, options);
  EXPECT_EQ(found.result.end, SimulationEnd::stopped);
  EXPECT_EQ(found.rows.size(), 3U);
  EXPECT_DOUBLE_EQ(found.last().t, 0.5);
}

TEST(Rows, EndWithTheLastTorqueRowWhereNoDurationIsGiven) {
  SimulationOptions options;
  options.step = 0.1;
  SampledTorque input = samples_at({1, 1.25}, Interpolation::hold);
  options.start = input.current().t;
  const Simulated found = run_simulation(normalize(slider()), {}, {0.0}, {0.0}, input, options);
  EXPECT_EQ(found.result.end, SimulationEnd::complete);
  EXPECT_EQ(times_of(found), (std::vector<double>{1, 1.1, 1.2, 1.25}));
  EXPECT_EQ(found.last().tau[0], 1.25);
}

TEST(Limits, EndAMotionAtTheirTime) {
  // q = t²/2 reaches 0.5 at t = 1; started at −0.5 with q̇ = 1 against −1 it only just gets to 0.
  const Limits limits{Range{-2.0, 0.5}, {}, {}};
  for (const Integrator integrator : {Integrator::rk4, Integrator::dopri5, Integrator::rkf78}) {
    ConstantTorque input({1.0});
    SimulationOptions options = options_of(5, 0.3);
    options.integrator = integrator;
    const Simulated found =
        run_simulation(normalize(slider()), {{limits}}, {0.0}, {0.0}, input, options);
    EXPECT_EQ(found.result.end, SimulationEnd::limit);
    ASSERT_TRUE(found.result.limit);
    EXPECT_EQ(found.result.limit->joint, 0U);
    EXPECT_EQ(found.result.limit->q, 0.5);
    EXPECT_NEAR(found.result.limit->t, 1.0, 1e-12);
    EXPECT_EQ(found.last().t, found.result.limit->t);
    EXPECT_EQ(found.last().q[0], 0.5);
    EXPECT_NEAR(found.last().qd[0], 1.0, 1e-12);
  }
}

TEST(Limits, AreSeenWhereAJointIsBackWithinOneStep) {
  // q = t − t²/2 has its top 0.5 at t = 1, within the one step to 2, where it is 0 again.
  const Limits none, below{Range{-1.0, 0.49}, {}, {}}, above{Range{-1.0, 0.51}, {}, {}};
  Robot crossed = slider();  // rails at right angles, of which one alone moves
  crossed.joints.push_back(crossed.joints[0]);
  crossed.convention = Convention::modified;
  crossed.joints[1].dh.alpha = std::numbers::pi / 2;
  crossed.joints[0].body.mass = 0.0;  // so that each moves 1 kg
  const Arm arm = normalize(crossed);
  for (const std::size_t joint : {0U, 1U}) {
    std::vector<double> tau(2), qd0(2);
    tau[joint] = -1.0;
    qd0[joint] = 1.0;
    ConstantTorque input(tau);
    const auto run = [&](const Limits& limits) {
      return run_simulation(arm, joint == 0 ? std::vector{limits, none} : std::vector{none, limits},
                            {0.0, 0.0}, qd0, input, options_of(2, 2));
    };
    const Simulated hit = run(below);
    ASSERT_TRUE(hit.result.limit) << joint;
    EXPECT_EQ(hit.result.limit->joint, joint);
    EXPECT_NEAR(hit.result.limit->t, 1.0 - std::sqrt(0.02), 1e-12);
    EXPECT_EQ(run(above).result.end, SimulationEnd::complete);
  }
}

TEST(Limits, CanBeIgnoredAndBeLeftInward) {
  const Limits limits{Range{0.0, 0.5}, {}, {}};
  ConstantTorque input({1.0});
  SimulationOptions options = options_of(2, 0.1);
  options.stop_at_limits = false;
  EXPECT_EQ(
      run_simulation(normalize(slider()), {{limits}}, {0.0}, {0.0}, input, options).result.end,
      SimulationEnd::complete);
  options.stop_at_limits = true;  // from the lower limit inward: fine until the upper one
  const Simulated found =
      run_simulation(normalize(slider()), {{limits}}, {0.0}, {0.0}, input, options);
  ASSERT_TRUE(found.result.limit);
  EXPECT_EQ(found.result.limit->limit, 0.5);
}

TEST(Limits, EndAtTheStartWhatStartsBeyondThem) {
  const Limits limits{Range{0.0, 0.5}, {}, {}};
  ConstantTorque input({0.0});
  const Simulated found =
      run_simulation(normalize(slider()), {{limits}}, {0.7}, {0.0}, input, options_of(1, 0.1));
  EXPECT_EQ(found.result.end, SimulationEnd::limit);
  EXPECT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.result.limit->q, 0.7);
  EXPECT_EQ(found.result.limit->limit, 0.5);
}

std::string failure(const Robot& robot, const std::vector<double>& q0,
                    const std::vector<double>& qd0, const SimulationOptions& options,
                    std::size_t& rows) {
  ConstantTorque input(std::vector<double>(q0.size()));
  rows = 0;
  return refused_as<NumericsError>([&] {
    (void)simulate(normalize(robot), q0, qd0, input, options,
                   [&](const SimulationRow&) { ++rows; });
  });
}

TEST(Divergence, NamesTimeJointSpeedAndAdvice) {
  Robot robot = slider();
  robot.joints[0].friction.viscous = 100.0;  // stable up to a step of 0.0278 s
  std::size_t rows = 0;
  EXPECT_EQ(failure(robot, {0}, {1}, options_of(100, 0.1), rows),
            "the simulation diverges: after t = 0.2 s the speed of joint 1 grows to 1.78e+06 m/s; "
            "take steps below 0.0025 s, or an adaptive integrator");
  EXPECT_EQ(rows, 3U);
  EXPECT_EQ(failure(robot, {0}, {1}, options_of(1, 0.01), rows), "");
  SimulationOptions adaptive = options_of(100, 0.1);
  adaptive.integrator = Integrator::dopri5;
  EXPECT_EQ(failure(robot, {0}, {1}, adaptive, rows), "");
}

TEST(SingularMassMatrix, IsNamedWithItsTime) {
  Robot robot = slider(0.0);
  std::size_t rows = 0;
  EXPECT_EQ(failure(robot, {0.25}, {0}, options_of(1, 0.1), rows),
            "at t = 0 s: the mass matrix is singular at q = 0.25: joint 1 can move without moving "
            "any mass; give link 1 mass, or its motor a rotor_inertia");
  EXPECT_EQ(rows, 0U);
}

TEST(CoarseStep, NamesTheFastestProcess) {
  Robot robot = slider(0.5);
  robot.joints[0].friction.viscous = 100.0;
  const Simulated coarse = run_simulation(normalize(robot), {0}, {1}, {0}, options_of(0.1, 0.01));
  ASSERT_TRUE(coarse.result.coarse_step);
  EXPECT_EQ(coarse.result.coarse_step->process, CoarseStep::Process::damping);
  EXPECT_NEAR(coarse.result.coarse_step->rate, 200.0, 1e-10);
  EXPECT_NEAR(coarse.result.coarse_step->advised, 0.25 / 200, 1e-12);
  EXPECT_FALSE(
      run_simulation(normalize(robot), {0}, {1}, {0}, options_of(0.1, 0.001)).result.coarse_step);

  Robot pendulum = slider();
  pendulum.joints[0].type = JointType::revolute;
  pendulum.joints[0].dh.a = 0.001;  // swings at 99 rad/s
  pendulum.gravity = {0, -9.81, 0};
  Plant plant(normalize(pendulum), {}, ForwardMethod::composite);
  const std::vector<double> level{0.0}, rest{0.0};
  EXPECT_FALSE(StepCheck(plant, Integrator::rk4)(level, rest, 0.01));  // gravity has no slope there
  EXPECT_TRUE(run_simulation(normalize(pendulum), level, rest, {0}, options_of(0.02, 0.01))
                  .result.coarse_step);  // but where it falls to
  const auto hanging = run_simulation(normalize(pendulum), {-1.5}, {0}, {0}, options_of(0.02, 0.01))
                           .result.coarse_step;
  ASSERT_TRUE(hanging);
  EXPECT_EQ(hanging->process, CoarseStep::Process::swing);
  EXPECT_NEAR(hanging->rate, 99.0, 0.5);
  const auto turning =
      run_simulation(normalize(pendulum), {0.0}, {300}, {0}, options_of(0.02, 0.01))
          .result.coarse_step;
  ASSERT_TRUE(turning);
  EXPECT_EQ(turning->process, CoarseStep::Process::turning);
}

TEST(CoarseStep, IsFoundWhereARailIsTheLever) {
  // A mass 4 m out on a rail without length of its own, which swings about a level axis as a pendulum
  // does: by sqrt(g/4 m); likewise on the other side, and with a rail that begins 1 m out.
  for (const double begin : {0.0, 1.0}) {
    for (const double q : {4.0 - begin, -4.0 - begin}) {
      Robot robot = slider();
      robot.gravity = {0, 9.81 * (q > 0.0 ? 1.0 : -1.0), 0};
      robot.joints.insert(robot.joints.begin(), Joint{});
      robot.joints[0].dh.alpha = -std::numbers::pi / 2;
      robot.joints[1].dh.d = begin;
      Plant plant(normalize(robot), {}, ForwardMethod::composite);
      const std::vector<double> out{0.0, q}, rest{0.0, 0.0};
      EXPECT_FALSE(StepCheck(plant, Integrator::rk4)(out, rest, 0.159));
      const auto coarse = StepCheck(plant, Integrator::rk4)(out, rest, 0.16);
      ASSERT_TRUE(coarse);
      EXPECT_EQ(coarse->joint, 0U);
      EXPECT_EQ(coarse->process, CoarseStep::Process::swing);
      EXPECT_NEAR(coarse->rate, std::sqrt(9.81 / 4.0), 1e-6);
    }
  }
}

TEST(CoarseStep, IsFoundOfAPendulumOnACart) {
  // 2 kg hang 0.5 m below 3 kg that slide along a level rail: ω² = g/l (3 + 2)/3.
  Robot robot = slider(3.0);
  robot.gravity = {9.81, 0, 0};
  robot.joints.push_back({});
  robot.joints[0].dh.alpha = std::numbers::pi / 2;
  robot.joints[1].dh.a = 0.5;
  robot.joints[1].body.mass = 2.0;
  Plant plant(normalize(robot), {}, ForwardMethod::composite);
  const std::vector<double> hanging{0.7, 0.0}, rest{0.0, 0.0};
  const double rate = std::sqrt(9.81 / 0.5 * 5.0 / 3.0);
  EXPECT_FALSE(StepCheck(plant, Integrator::rk4)(hanging, rest, 0.249 / rate));
  const auto coarse = StepCheck(plant, Integrator::rk4)(hanging, rest, 0.251 / rate);
  ASSERT_TRUE(coarse);
  EXPECT_EQ(coarse->joint, 1U);
  EXPECT_EQ(coarse->process, CoarseStep::Process::swing);
  EXPECT_NEAR(coarse->rate, rate, 1e-6);
}

TEST(CoarseStep, IsFoundInAMotionOfOneStep) {
  Robot pendulum = slider();
  pendulum.joints[0].type = JointType::revolute;
  pendulum.joints[0].dh.a = 1.0;
  pendulum.gravity = {0, -9.81, 0};
  const auto coarse =
      run_simulation(normalize(pendulum), {0.0}, {0}, {0}, options_of(0.5, 2)).result.coarse_step;
  ASSERT_TRUE(coarse);
  EXPECT_EQ(coarse->t, 0.5);
  EXPECT_EQ(coarse->step, 0.5);
}

TEST(CoarseStep, IsNoStepThatRowsOfTorquesShorten) {
  Robot robot = slider(0.5);
  robot.joints[0].friction.viscous = 100.0;
  SampledTorque input = samples_at({0, 0.001, 0.002}, Interpolation::hold);
  EXPECT_FALSE(run_simulation(normalize(robot), {}, {0.0}, {1.0}, input, options_of(0.002, 0.01))
                   .result.coarse_step);
}

TEST(CoarseStep, IsFoundWhereAJointTurnsBackThroughItsStribeckCurve) {
  // v = 1 − t goes through the curve, 3 mm/s wide, in the middle of a step.
  Robot robot = slider();
  robot.joints[0].friction.breakaway = TwoSided{0.5, 0.5};
  robot.joints[0].friction.stribeck_velocity = 0.001;
  const auto coarse = run_simulation(normalize(robot), {0.0}, {1.0}, {-1.0}, options_of(1.5, 0.03))
                          .result.coarse_step;
  ASSERT_TRUE(coarse);
  EXPECT_EQ(coarse->process, CoarseStep::Process::damping);
  EXPECT_NEAR(coarse->t, 1.02, 1e-12);
  EXPECT_NEAR(coarse->rate, std::sqrt(2.0 / std::exp(1.0)) * 0.5 / 0.001, 1e-9);
}

TEST(CoarseStep, HasNothingToSayOfASingularMassMatrix) {
  Plant plant(normalize(slider(0.0)), {}, ForwardMethod::composite);
  const std::vector<double> zero{0.0};
  EXPECT_FALSE(StepCheck(plant, Integrator::rk4)(zero, zero, 1.0));
}

TEST(SingularMassMatrix, IsRefusedEvenWhereFrictionHoldsTheArm) {
  Robot robot = slider(0.0);
  robot.joints[0].friction.coulomb = {1.0, 1.0};
  std::size_t rows = 0;
  EXPECT_NE(failure(robot, {0.25}, {0}, options_of(1, 0.1), rows), "");
  EXPECT_EQ(rows, 0U);
}

TEST(PeakSpeed, IsThatOfAllStepsNotOfRowsAlone) {
  SampledTorque input(
      [k = 0](TorqueSample& sample) mutable {
        if (k == 3) return false;
        sample = {1.0 * k, {k == 1 ? -1.0 : 1.0}, {}};
        ++k;
        return true;
      },
      Interpolation::hold);
  SimulationOptions options = options_of(2, 0.25);
  options.every = 100;
  const Simulated found = run_simulation(normalize(slider()), {}, {0.0}, {0.0}, input, options);
  EXPECT_EQ(found.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(found.result.joints[0].peak_speed.value, 1.0);
  EXPECT_EQ(found.result.joints[0].peak_speed.t, 1.0);
}

TEST(ErrorEstimate, IsTheDistanceToHalfTheStepAsOrderFourHasIt) {
  // q̇ decays by 100/s; a step of RK4 at b h = z multiplies by 1 − z + z²/2 − z³/6 + z⁴/24.
  Robot robot = slider();
  robot.joints[0].friction.viscous = 100.0;
  SimulationOptions options = options_of(0.01, 0.01);
  options.estimate_error = true;
  const Simulated found = run_simulation(normalize(robot), {0}, {1}, {0}, options);
  const auto factor = [](double z) {
    return 1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24;
  };
  ASSERT_TRUE(found.result.error);
  EXPECT_NEAR(found.result.error->qd[0],
              16.0 / 15.0 * std::abs(factor(1.0) - factor(0.5) * factor(0.5)), 1e-14);
}

/// A torque that rises to `step` at once in the middle of a stretch, which it says nothing of.
class UnannouncedStep final : public TorqueInput {
 public:
  explicit UnannouncedStep(double step) : step_(step) {}

  double begin_stretch(double /*t*/, std::span<const double> /*q*/,
                       std::span<const double> /*qd*/) override {
    return std::numeric_limits<double>::infinity();
  }
  void evaluate(double t, std::span<const double> /*q*/, std::span<const double> /*qd*/,
                std::span<double> tau, Wrench& /*wrench*/) override {
    tau[0] = t < 0.25 ? 0.0 : step_;
  }

 private:
  double step_;
};

TEST(AdaptiveSteps, AcrossAJumpAreShortOrSaidToBeTooShort) {
  // A step h across the jump is wrong by about h times it: 1e-13 s allow 1e4 within 1e-9.
  const Arm arm = normalize(slider());
  SimulationOptions options = options_of(0.5, 0.5);
  options.integrator = Integrator::dopri5;
  UnannouncedStep small(1.0), large(1e9);
  EXPECT_NEAR(run_simulation(arm, {}, {0}, {0}, small, options).last().qd[0], 0.25, 1e-7);
  try {
    run_simulation(arm, {}, {0}, {0}, large, options);
    FAIL();
  } catch (const NumericsError& error) {
    const std::string said = error.what();
    const std::string begin = "at t = 0.25 s: the tolerance cannot be met with steps above ";
    ASSERT_EQ(said.substr(0, begin.size()), begin);
    const double step = std::stod(said.substr(begin.size()));
    EXPECT_LE(step, 1e-13);
    EXPECT_GE(step, 1e-14);
  }
}

TEST(AdaptiveSteps, AreAsLongAfterAShortStretchAsBefore) {
  Robot swing = slider();
  swing.gravity = {0.0, -9.81, 0.0};
  swing.joints[0].type = JointType::revolute;
  swing.joints[0].body.com = {1.0, 0.0, 0.0};
  for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
    SimulationOptions options = options_of(2.0, 0.5);
    options.integrator = integrator;
    const auto steps = [&](const std::vector<double>& rows) {
      SampledTorque input = samples_at(rows, Interpolation::linear);
      return run_simulation(normalize(swing), {}, {0}, {0}, input, options).result.steps;
    };
    EXPECT_LE(steps({0.0, 1.0, 1.0 + 1e-7, 2.0}), steps({0.0, 1.0, 2.0}) + 2);
  }
}

TEST(Simulate, RefusesWhatMakesNoSense) {
  const Arm arm = normalize(slider());
  const auto start = [&](const std::vector<double>& q0, const SimulationOptions& options) {
    return run_simulation(arm, q0, {0}, {0}, options);
  };
  for (const std::vector<double>& wrong : {std::vector<double>{}, {0.0, 1.0}}) {
    EXPECT_EQ(refused_argument([&] { start(wrong, options_of(1, 0.1)); }),
              "q0 and qd0 need one entry per joint");
    EXPECT_EQ(refused_argument([&] { run_simulation(arm, {0}, wrong, {0}, options_of(1, 0.1)); }),
              "q0 and qd0 need one entry per joint");
  }
  ConstantTorque input({0.0});
  EXPECT_EQ(refused_argument([&] {
              run_simulation(arm, std::vector<Limits>(2), {0}, {0}, input, options_of(1, 0.1));
            }),
            "limits need one entry per joint, or none");
  const auto refused = [&](auto change) {
    SimulationOptions options = options_of(1, 0.1);
    change(options);
    return refused_argument([&] { start({0}, options); });
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double step : {0.0, -0.1, infinity}) {
    EXPECT_EQ(refused([&](SimulationOptions& o) { o.step = step; }), "the step must be positive");
  }
  for (const double duration : {-1.0, infinity}) {
    EXPECT_EQ(refused([&](SimulationOptions& o) { o.duration = duration; }),
              "the duration must not be negative");
  }
  EXPECT_EQ(refused([](SimulationOptions& o) { o.duration = 0.0; }), "");
  EXPECT_EQ(refused([](SimulationOptions& o) { o.tolerance = 0.0; }),
            "the tolerance must be positive");
  EXPECT_EQ(refused([](SimulationOptions& o) { o.every = 0; }),
            "rows need a positive number of steps between them");
}

TEST(SampledTorque, RefusesTimesThatDoNotIncrease) {
  const auto said = [](const std::vector<double>& times) {
    return refused_as<InputError>([&] {
      SampledTorque torque = samples_at(times, Interpolation::linear);
      (void)torque.begin_stretch(0.5, {}, {});
    });
  };
  EXPECT_EQ(said({}), "there are no torques: not one row");
  EXPECT_EQ(said({0.0}), "");
  EXPECT_EQ(said({0.0, 0.0}), "t must increase from row to row: 0 follows 0");
  EXPECT_EQ(said({0.0, 0.5, 0.25}), "t must increase from row to row: 0.25 follows 0.5");
  EXPECT_EQ(said({0.0, 0.75, 0.25}), "");  // not yet read
}

/// Torques whose stretches end so much after they begin.
class Stretches final : public TorqueInput {
 public:
  explicit Stretches(double length) : length_(length) {}
  double begin_stretch(double t, std::span<const double> /*q*/,
                       std::span<const double> /*qd*/) override {
    return t + length_;
  }
  void evaluate(double /*t*/, std::span<const double> /*q*/, std::span<const double> /*qd*/,
                std::span<double> /*tau*/, Wrench& /*wrench*/) override {}

 private:
  double length_;
};

TEST(Torques, OfStretchesThatDoNotEndLaterEndTheSimulation) {
  const Arm arm = normalize(slider());
  for (const double length : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Stretches input(length);
    EXPECT_THROW(simulate(arm, std::vector{0.0}, std::vector{0.0}, input, options_of(0.3, 0.1),
                          [](const SimulationRow& /*row*/) {}),
                 SimulationFailure)
        << length;
  }
}

TEST(Torques, OfAnotherNumberThanTheJointsAreRefused) {
  const Arm arm = normalize(slider());
  const auto simulate_with = [&](TorqueInput& input) {
    (void)simulate(arm, std::vector{0.0}, std::vector{0.0}, input, options_of(0.3, 0.1),
                   [](const SimulationRow& /*row*/) { return true; });
  };
  const auto rows = [](std::vector<double> first, std::vector<double> second) {
    return [=, next = 0](TorqueSample& sample) mutable {
      sample = {1.0 * next, next == 0 ? first : second, {}};
      return next++ < 2;
    };
  };
  for (const std::vector<double>& tau : {std::vector<double>{}, {1.0, 2.0}}) {
    ConstantTorque constant(tau);
    EXPECT_THROW(simulate_with(constant), std::invalid_argument);
    SampledTorque first(rows(tau, {1.0}), Interpolation::linear);
    EXPECT_THROW(simulate_with(first), std::invalid_argument);
    SampledTorque held(rows(tau, {1.0}), Interpolation::hold);
    EXPECT_THROW(simulate_with(held), std::invalid_argument);
    SampledTorque second(rows({1.0}, tau), Interpolation::linear);
    EXPECT_THROW(simulate_with(second), std::invalid_argument);
  }
}

}  // namespace
}  // namespace armdyn::testing
