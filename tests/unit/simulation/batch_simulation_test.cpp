// Many simulations at once are each what simulate() makes of it, to the last bit.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "program/program.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

using Runs = std::vector<BatchRun>;

/// States and torques of these magnitudes.
Runs random_runs(std::size_t count, std::size_t dof, std::uint64_t seed, double q = 1.0,
                 double qd = 1.0, double tau = 5.0) {
  RandomArm random(seed);
  Runs runs(count);
  for (BatchRun& run : runs) {
    run.q0 = random.numbers(dof, q);
    run.qd0 = random.numbers(dof, qd);
    run.tau = random.numbers(dof, tau);
  }
  return runs;
}

struct Alone {
  std::vector<SimulatedRow> rows;
  SimulationResult result;
  std::string failure;
};

Alone alone(const Arm& arm, const std::vector<Limits>& limits, const BatchRun& run,
            SimulationOptions options) {
  options.start = run.start;
  options.limits = limits;
  Alone found;
  const std::unique_ptr<TorqueInput> input =
      run.input ? run.input() : std::make_unique<ConstantTorque>(run.tau, run.wrench);
  const auto copy = [](std::span<const double> values) {
    return std::vector<double>(values.begin(), values.end());
  };
  try {
    found.result = simulate(arm, run.q0, run.qd0, *input, options, [&](const SimulationRow& row) {
      found.rows.push_back(
          {row.t, copy(row.q), copy(row.qd), copy(row.qdd), copy(row.tau), row.wrench});
    });
  } catch (const SimulationFailure& failure) {
    found.result = failure.result();
    found.failure = failure.what();
  }
  return found;
}

void expect_equal(const SimulatedRow& found, const SimulatedRow& expected) {
  EXPECT_EQ(found.t, expected.t);
  EXPECT_EQ(found.q, expected.q);
  EXPECT_EQ(found.qd, expected.qd);
  EXPECT_EQ(found.qdd, expected.qdd);
  EXPECT_EQ(found.tau, expected.tau);
  EXPECT_TRUE(found.wrench.force == expected.wrench.force &&
              found.wrench.moment == expected.wrench.moment);
}

void expect_equal(const std::optional<CoarseStep>& found,
                  const std::optional<CoarseStep>& expected) {
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  EXPECT_EQ(found->t, expected->t);
  EXPECT_EQ(found->joint, expected->joint);
  EXPECT_EQ(found->process, expected->process);
  EXPECT_EQ(found->rate, expected->rate);
  EXPECT_EQ(found->step, expected->step);
  EXPECT_EQ(found->advised, expected->advised);
}

/// Each run of the batch against simulate(); returns how many ended how.
std::map<SimulationEnd, int> expect_as_alone(const Arm& arm, const std::vector<Limits>& limits,
                                             const Runs& runs, SimulationOptions options) {
  options.limits = limits;
  BatchSimulation batch(arm, options);
  std::vector<std::vector<SimulatedRow>> rows(runs.size());
  const auto copy = [](std::span<const double> values) {
    return std::vector<double>(values.begin(), values.end());
  };
  const std::vector<BatchResult> results =
      batch(runs, [&](std::size_t run, const SimulationRow& row) {
        rows[run].push_back(
            {row.t, copy(row.q), copy(row.qd), copy(row.qdd), copy(row.tau), row.wrench});
      });
  std::map<SimulationEnd, int> ends;
  EXPECT_EQ(results.size(), runs.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE("run " + std::to_string(k));
    const Alone expected = alone(arm, limits, runs[k], options);
    const BatchResult& result = results[k];
    ++ends[result.end];
    EXPECT_EQ(rows[k].size(), expected.rows.size());
    for (std::size_t row = 0; row < std::min(rows[k].size(), expected.rows.size()); ++row) {
      expect_equal(rows[k][row], expected.rows[row]);
      if (::testing::Test::HasFailure()) return ends;
    }
    EXPECT_EQ(result.failure, expected.failure);
    EXPECT_EQ(result.end, expected.result.end);
    if (expected.rows.empty()) {
      EXPECT_EQ(result.q, runs[k].q0);
      EXPECT_TRUE(std::isnan(result.qdd[0]));
      continue;
    }
    if (expected.failure.empty() || options.every == 1) {
      expect_equal({result.t, result.q, result.qd, result.qdd, result.tau, result.wrench},
                   expected.rows.back());
    }
    EXPECT_EQ(result.t, expected.result.t);
    EXPECT_EQ(result.steps, expected.result.steps);
    EXPECT_EQ(result.energy.at_start, expected.result.energy.at_start);
    EXPECT_EQ(result.energy.at_end, expected.result.energy.at_end);
    EXPECT_EQ(result.energy.work, expected.result.energy.work);
    EXPECT_EQ(result.energy.contact_work, expected.result.energy.contact_work);
    EXPECT_EQ(result.energy.losses, expected.result.energy.losses);
    expect_equal(result.coarse_step, expected.result.coarse_step);
    EXPECT_EQ(result.limit.has_value(), expected.result.limit.has_value());
    if (result.limit && expected.result.limit) {
      EXPECT_EQ(result.limit->joint, expected.result.limit->joint);
      EXPECT_EQ(result.limit->t, expected.result.limit->t);
      EXPECT_EQ(result.limit->q, expected.result.limit->q);
    }
    if (::testing::Test::HasFailure()) return ends;
  }
  return ends;
}

/// Torques at these times, and a TCP wrench from some time on.
BatchRun sampled(BatchRun run, std::size_t seed, Interpolation interpolation, double touched_from) {
  run.input = [=, dof = run.q0.size()]() -> std::unique_ptr<TorqueInput> {
    auto random = std::make_shared<RandomArm>(seed);
    auto t = std::make_shared<double>(-0.003);
    return std::make_unique<SampledTorque>(
        [=](TorqueSample& sample) {
          if (*t > 0.05) return false;
          sample.t = *t;
          sample.tau = random->numbers(dof, 5.0);
          sample.wrench = {};
          if (*t >= touched_from) sample.wrench = {{1.0, -2.0, 0.5}, {0.1, 0.0, -0.2}};
          *t += 0.0037 + 1e-4 * static_cast<double>(seed % 7);
          return true;
        },
        interpolation);
  };
  return run;
}

TEST(Batch, IsSimulateRunByRunForSmoothArms) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t dof = 1 + seed % 7;
    RandomArm random(seed);
    Robot robot = random.robot(dof);
    for (std::size_t i = 0; i < dof; i += 2) robot.joints[i].friction.viscous = 0.3;
    robot.joints.back().motor = {1e-4, 50.0, 1e-4, {}};
    expect_as_alone(normalize(robot), {}, random_runs(20, dof, seed), options_of(0.05, 1e-3));
  }
}

TEST(Batch, RunsThroughMoreRunsThanLanes) {
  const Robot robot = RandomArm(3).robot(3);
  const auto ends =
      expect_as_alone(normalize(robot), {}, random_runs(300, 3, 5), options_of(0.0103, 1e-3));
  EXPECT_EQ(ends.at(SimulationEnd::complete), 300);
}

TEST(Batch, IsSimulateRunByRunForAnArmWhoseFirstLinkHasNoMass) {
  const Robot robot = shipped_robot("puma560");
  ASSERT_EQ(robot.joints[0].body.mass, 0.0);
  const auto ends = expect_as_alone(normalize(robot), joint_limits(robot),
                                    random_runs(24, 6, 7, 0.5, 1.0, 30.0), options_of(0.2, 1e-3));
  EXPECT_GT(ends.at(SimulationEnd::complete), 0);
  EXPECT_GT(ends.at(SimulationEnd::limit), 0);
}

TEST(Batch, IsSimulateRunByRunForJointsThatStickAndSlip) {
  Robot robot = RandomArm(11).robot(3);
  robot.joints[0].friction = {0.1, {0.8, 0.6}, TwoSided{1.2, 1.0}, 0.05, {}};
  robot.joints[1].friction.coulomb = {0.5, 0.5};
  robot.joints[2].motor = {2e-4, -80.0, 1e-4, {0.01, 0.02}};
  expect_as_alone(normalize(robot), {}, random_runs(40, 3, 13, 1.0, 0.3, 2.0),
                  options_of(0.5, 2e-3));
}

TEST(Batch, IsSimulateRunByRunForShippedArmsUnderDryFriction) {
  for (const char* const name : {"puma560", "stanford", "puma560-akb", "two-link-spong", "ur5e"}) {
    SCOPED_TRACE(name);
    Robot robot = shipped_robot(name);
    for (Joint& joint : robot.joints) {
      if (joint.friction.coulomb.positive == 0.0) joint.friction.coulomb = {1.5, 1.0};
    }
    const std::size_t dof = robot.dof();
    Runs runs = random_runs(20, dof, 113, 1.0, 0.1, 8.0);
    for (std::size_t k = 0; k < runs.size(); k += 2) {
      runs[k].qd0.assign(dof, 0.0);
      runs[k] = sampled(runs[k], k, Interpolation::linear, 1.0);
    }
    SimulationOptions options = options_of(0.3, 1e-3);
    options.stop_at_limits = false;
    expect_as_alone(normalize(robot), {}, runs, options);
  }
}

TEST(Batch, IsSimulateRunByRunWhereLimitsAreReached) {
  Robot robot = RandomArm(17).robot(3);
  for (Joint& joint : robot.joints) joint.limits.position = Range{-1.1, 1.05};
  SimulationOptions options = options_of(0.6, 1e-3);
  const Runs runs = random_runs(60, 3, 19, 1.15);
  auto ends = expect_as_alone(normalize(robot), joint_limits(robot), runs, options);
  EXPECT_GT(ends[SimulationEnd::limit], 5);
  options.stop_at_limits = false;
  ends = expect_as_alone(normalize(robot), joint_limits(robot), runs, options);
  EXPECT_EQ(ends[SimulationEnd::limit], 0);
}

TEST(Batch, IsSimulateRunByRunUnderTorquesOverTime) {
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::hold}) {
    for (const bool dry : {false, true}) {
      Robot robot = RandomArm(23).robot(3);
      if (dry) robot.joints[1].friction.coulomb = {0.5, 0.5};
      Runs runs = random_runs(30, 3, 29, 1.0, 0.2);
      for (std::size_t k = 0; k < runs.size(); ++k) {
        if (k % 3 == 0) runs[k].qd0 = {0.0, 0.0, 0.0};
        if (k % 5 == 0) continue;  // constant torques
        runs[k].start = 0.001 * static_cast<double>(k % 4);
        runs[k] = sampled(runs[k], k, interpolation, k % 7 == 0 ? 0.02 : 1.0);
      }
      expect_as_alone(normalize(robot), {}, runs, options_of(0.06, 1e-3));
      std::erase_if(runs, [](const BatchRun& run) { return !run.input; });
      SimulationOptions to_the_last_sample = options_of(0.0, 1e-3);
      to_the_last_sample.duration.reset();
      expect_as_alone(normalize(robot), {}, runs, to_the_last_sample);
    }
  }
}

TEST(Batch, CarriesHandWrenches) {
  const Arm arm = normalize(RandomArm(31).robot(4));
  Runs runs = random_runs(10, 4, 37);
  for (std::size_t k = 0; k < runs.size(); k += 2) runs[k].wrench = {{3.0, 1.0, -2.0}, {0.1, 0, 0}};
  for (std::size_t k = 1; k < runs.size(); k += 4) runs[k].wrench = {{}, {0.1, 0, -0.2}};
  expect_as_alone(arm, {}, runs, options_of(0.03, 1e-3));
}

TEST(Batch, DeliversTheRowsThatSimulateDelivers) {
  SimulationOptions options = options_of(0.0305, 1e-3);
  options.every = 7;
  Robot robot = RandomArm(41).robot(2);
  robot.joints[0].friction.coulomb = {0.5, 0.5};
  expect_as_alone(normalize(robot), {}, random_runs(20, 2, 43), options);
}

TEST(Batch, OfNoDurationIsTheAccelerationAtTheStart) {
  const auto ends = expect_as_alone(normalize(RandomArm(47).robot(2)), {}, random_runs(5, 2, 53),
                                    options_of(0.0, 1e-3));
  EXPECT_EQ(ends.at(SimulationEnd::complete), 5);
}

TEST(Batch, SaysOfRunsThatFailWhatSimulateSays) {
  Robot robot = RandomArm(59).robot(2);
  Runs runs = random_runs(13, 2, 61);
  for (std::size_t k = 0; k < runs.size(); k += 3) runs[k].tau = {1e13, -1e13};
  runs[1].start = 1e16;  // beside which a step is lost
  runs[2].tau = {1e308, 1e308};
  auto ends = expect_as_alone(normalize(robot), {}, runs, options_of(0.05, 1e-3));
  EXPECT_EQ(ends[SimulationEnd::diverged], 6);
  EXPECT_EQ(ends[SimulationEnd::failed], 1);
  EXPECT_EQ(ends[SimulationEnd::complete], 6);

  Robot damped = robot;
  for (Joint& joint : damped.joints) joint.friction.viscous = 1e4;
  ends = expect_as_alone(normalize(damped), {}, random_runs(5, 2, 61), options_of(0.5, 1e-2));
  EXPECT_EQ(ends[SimulationEnd::diverged], 5);

  for (Joint& joint : robot.joints) joint.body = {};
  robot.payload = {};
  ends = expect_as_alone(normalize(robot), {}, random_runs(5, 2, 61), options_of(0.05, 1e-3));
  EXPECT_EQ(ends[SimulationEnd::singular], 5);
}

TEST(Batch, DeliversEveryKthStepOfRunsThatFailToo) {
  Robot robot = RandomArm(59).robot(2);
  for (Joint& joint : robot.joints) joint.friction.viscous = 1e3;
  SimulationOptions options = options_of(0.5, 1e-2);
  options.every = 3;
  const auto ends = expect_as_alone(normalize(robot), {}, random_runs(5, 2, 61), options);
  EXPECT_EQ(ends.count(SimulationEnd::complete), 0U);
}

TEST(Batch, TakesOtherIntegratorsAndStrobingOneByOne) {
  Robot robot = RandomArm(67).robot(2);
  SimulationOptions options = options_of(0.05, 0.01);
  for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
    options.integrator = integrator;
    expect_as_alone(normalize(robot), {}, random_runs(5, 2, 71), options);
  }
  options.integrator = Integrator::rk4;
  for (const ForwardMethod method :
       {ForwardMethod::strobe, ForwardMethod::articulated, ForwardMethod::composite}) {
    options.method = method;
    expect_as_alone(normalize(robot), {}, random_runs(5, 2, 73), options);
  }
}

TEST(Batch, HasTheSameBitsOnEveryInstructionSetAndInGroupsOfAnySize) {
  Robot robot = RandomArm(79).robot(3);
  robot.joints[0].friction = {0.1, {0.8, 0.6}, {}, 0.0, {}};
  robot.joints[1].limits.position = Range{-1.2, 1.2};
  const Arm arm = normalize(robot);
  const Runs runs = random_runs(150, 3, 83);
  SimulationOptions options = options_of(0.1, 1e-3);
  options.limits = joint_limits(robot);
  BatchSimulation best(arm, options);
  const std::vector<BatchResult> expected = best(runs);
  const auto expect_same = [&](const BatchResult& found, std::size_t k) {
    const BatchResult& other = expected[k];
    expect_equal({found.t, found.q, found.qd, found.qdd, found.tau, {}},
                 {other.t, other.q, other.qd, other.qdd, other.tau, {}});
    EXPECT_EQ(found.energy.imbalance(), other.energy.imbalance());
    EXPECT_EQ(found.coarse_step.has_value(), other.coarse_step.has_value());
  };
  for (const InstructionSet set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    ASSERT_EQ(setenv("ARMDYN_SIMD", std::string(name(set)).c_str(), 1), 0);
    BatchSimulation batch(arm, options);
    EXPECT_EQ(batch.lanes(), 8 * machine_of(set).grain);  // twice four, since some may stick
    const std::vector<BatchResult> found = batch(runs);
    for (std::size_t k = 0; k < runs.size(); ++k) expect_same(found[k], k);
  }
  ASSERT_EQ(unsetenv("ARMDYN_SIMD"), 0);
  BatchSimulation copy(best);
  for (const std::size_t group : {1U, 7U, 64U}) {
    for (std::size_t first = 0; first < runs.size(); first += group) {
      const std::size_t count = std::min(group, runs.size() - first);
      const std::vector<BatchResult> found = copy(std::span(runs).subspan(first, count));
      for (std::size_t k = 0; k < count; ++k) expect_same(found[k], first + k);
    }
  }
}

TEST(Batch, WarnsOfAStepThatIsCoarseForTheArm) {
  Robot robot = RandomArm(89).robot(2);
  for (Joint& joint : robot.joints) joint.friction.viscous = 500.0;
  Runs runs = random_runs(3, 2, 97);
  BatchSimulation batch(normalize(robot), options_of(0.05, 1e-2));
  for (const BatchResult& result : batch(runs)) {
    ASSERT_TRUE(result.coarse_step);
    EXPECT_EQ(result.coarse_step->process, CoarseStep::Process::damping);
  }
}

TEST(Batch, StopsWhenAsked) {
  SimulationOptions options = options_of(10.0, 1e-3);
  bool stop = false;
  options.stop = [&] { return stop; };
  BatchSimulation batch(normalize(RandomArm(101).robot(2)), options);
  const Runs runs = random_runs(300, 2, 103);
  std::size_t rows = 0;
  const std::vector<BatchResult> results = batch(runs, [&](std::size_t run, const SimulationRow&) {
    stop = stop || (run == 0 && ++rows == 6);
  });
  for (const BatchResult& result : results) EXPECT_EQ(result.end, SimulationEnd::stopped);
  EXPECT_EQ(results.front().steps, 6U);
  EXPECT_EQ(results.back().t, 0.0);
}

TEST(Batch, RefusesWhatMakesNoSense) {
  const Arm arm = normalize(RandomArm(107).robot(2));
  SimulationOptions options = options_of(1.0, 1e-3);
  options.estimate_error = true;
  EXPECT_THROW(BatchSimulation(arm, options), std::invalid_argument);
  options.estimate_error = false;
  options.step = 0.0;
  EXPECT_THROW(BatchSimulation(arm, options), std::invalid_argument);
  options.step = 1e-3;
  options.limits.resize(1);
  EXPECT_THROW(BatchSimulation(arm, options), std::invalid_argument);
  options.limits.clear();
  BatchSimulation batch(arm, options);
  Runs runs = random_runs(1, 2, 109);
  runs[0].tau.pop_back();
  EXPECT_THROW(batch(runs), std::invalid_argument);
  runs = random_runs(1, 3, 109);
  EXPECT_THROW(batch(runs), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
