// A simulation that its caller advances: the states of simulate(), states that are kept and set.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

constexpr double interval = 0.01;
constexpr std::size_t intervals = 60;

class SteppedSimulationTest : public ::testing::Test {
 protected:
  /// Torques of an interval, under which joints of the PUMA stop, stick and break away.
  static std::vector<double> torques(std::size_t k) {
    std::vector<double> tau(6);
    for (std::size_t i = 0; i < 6; ++i) {
      tau[i] = 30.0 / std::pow(1.0 + double(i), 3) * std::sin(0.9 * double(k / 8) + double(i));
    }
    return tau;
  }
  SteppedSimulation begun() { return {arm, q0, std::vector<double>(6, 0.1), options}; }
  /// States at the ends of intervals from one on.
  static std::vector<double> states(SteppedSimulation& simulation, std::size_t from) {
    std::vector<double> all;
    for (std::size_t k = from; k < intervals; ++k) {
      simulation.hold(torques(k), {{1.0, 0.0, 0.5 * double(k % 2)}, {0.0, 0.1, 0.0}});
      simulation.advance(double(k + 1) * interval);
      const SimulationRow row = simulation.row();
      all.push_back(row.t);
      for (const auto values : {row.q, row.qd, row.qdd}) {
        all.insert(all.end(), values.begin(), values.end());
      }
    }
    return all;
  }

  const Robot robot = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
  const Arm arm = normalize(robot);
  const std::vector<double> q0{0.1, 0.2, -0.3, 0.4, 0.5, 0.6};
  SimulationOptions options;
};

TEST_F(SteppedSimulationTest, HasTheStatesOfSimulate) {
  std::size_t next = 0;
  SampledTorque input(
      [&next](TorqueSample& sample) {
        if (next > intervals) return false;
        sample = {double(next) / 100.0,
                  torques(next),
                  {{1.0, 0.0, 0.5 * double(next % 2)}, {0.0, 0.1, 0.0}}};
        ++next;
        return true;
      },
      Interpolation::hold);
  options.every = 10;
  std::vector<double> q, qd;
  const SimulationResult result =
      simulate(arm, q0, std::vector<double>(6, 0.1), input, options, [&](const SimulationRow& row) {
        q.assign(row.q.begin(), row.q.end());
        qd.assign(row.qd.begin(), row.qd.end());
      });
  std::size_t stops = 0;
  for (const JointHistory& joint : result.joints) stops += joint.stops;
  EXPECT_GT(stops, 0U);
  SteppedSimulation stepped = begun();
  (void)states(stepped, 0);
  const SimulationRow row = stepped.row();
  EXPECT_EQ(row.t, result.t);
  EXPECT_EQ(std::vector(row.q.begin(), row.q.end()), q);
  EXPECT_EQ(std::vector(row.qd.begin(), row.qd.end()), qd);
  EXPECT_NEAR(stepped.energy(), result.energy.at_end, 1e-12 * std::abs(result.energy.at_end));
}

TEST_F(SteppedSimulationTest, RepeatsItselfFromAnyState) {
  SteppedSimulation all = begun();
  const std::vector<double> expected = states(all, 0);
  SteppedSimulation first = begun(), other = begun();
  for (std::size_t k = 0; k < intervals; k += 7) {
    other.set_state(first.state());
    const std::vector<double> rest = states(other, k);
    EXPECT_TRUE(std::equal(rest.rbegin(), rest.rend(), expected.rbegin())) << k;
    for (std::size_t j = k; j < std::min(k + 7, intervals); ++j) {
      // Torques that are held and replaced leave no trace.
      first.hold(std::vector<double>(6, 100.0));
      (void)first.row();
      first.hold(torques(j), {{1.0, 0.0, 0.5 * double(j % 2)}, {0.0, 0.1, 0.0}});
      first.advance(double(j + 1) * interval);
    }
  }
  EXPECT_THROW(first.set_state(std::vector<double>(3)), std::invalid_argument);
  const std::vector<double> no_numbers(first.state().size(), std::nan(""));
  EXPECT_THROW(first.set_state(no_numbers), std::invalid_argument);
}

TEST_F(SteppedSimulationTest, RefusesWhatItCannotStep) {
  options.integrator = Integrator::dopri5;
  EXPECT_THROW(begun(), std::invalid_argument);
  options.integrator = Integrator::euler;
  EXPECT_NO_THROW(begun());
  EXPECT_THROW(begun().hold(std::vector<double>(5)), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
