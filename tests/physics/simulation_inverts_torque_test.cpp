// What torques make, motions need: forward and back again.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dynamics/friction.hpp"
#include "support/case_table.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

/// Torques that hold the arm at q, plus a swing, every 10 ms.
class SwingingTorques {
 public:
  SwingingTorques(const Arm& arm, const std::vector<double>& q)
      : held_(torque(arm, {q, std::vector<double>(q.size()), std::vector<double>(q.size())})) {}

  bool operator()(TorqueSample& sample) {
    if (next_ == 101) return false;
    sample = {0.01 * next_, held_, {}};
    for (std::size_t i = 0; i < held_.size(); ++i) {
      sample.tau[i] +=
          0.5 * (1.0 + std::abs(held_[i])) * std::sin(0.3 * next_ + static_cast<double>(i));
    }
    ++next_;
    return true;
  }

 private:
  std::vector<double> held_;
  int next_ = 0;
};

/// Whether dry friction holds something that joint i's torque has to do with.
bool is_held(const Arm& arm, const std::vector<double>& qd, std::size_t i) {
  return std::ranges::any_of(friction_contacts(arm), [&](const FrictionContact& contact) {
    const double speed = contact.rate(qd);
    const bool rests = contact.is_joint ? speed == 0.0 : std::abs(speed) < 1e-12;
    return contact.weights(arm.dof())[i] != 0.0 && rests;
  });
}

/// Returns the largest deviation of joints that move, over |Mq̈| + |V| + |G|.
double expect_round_trip(const Arm& arm, const Simulated& found, const std::string& name) {
  const std::size_t n = arm.dof();
  InverseDynamics inverse(arm);
  double worst = 0.0;
  std::vector<double> tau(n), inertia(n), velocity(n), gravity(n), friction(n), rotor(n), wrench(n);
  for (const SimulatedRow& row : found.rows) {
    const MotionState state{row.q, row.qd, row.qdd};
    inverse.torque(state, row.wrench, tau);
    inverse.terms(state, row.wrench, {inertia, velocity, gravity, friction, rotor, wrench});
    const double scale = scale_of(inertia) + scale_of(velocity) + scale_of(gravity);
    for (std::size_t i = 0; i < n; ++i) {
      if (is_held(arm, row.qd, i)) {
        const TwoSided band = breakaway_torque(friction_contacts(arm), i, row.q[i]);
        EXPECT_LE(row.tau[i] - tau[i], band.positive + 1e-11 * scale) << name << " t " << row.t;
        EXPECT_GE(row.tau[i] - tau[i], -band.negative - 1e-11 * scale) << name << " t " << row.t;
      } else {
        EXPECT_NEAR(row.tau[i], tau[i], 1e-12 * scale) << name << " joint " << i << " t " << row.t;
        worst = std::max(worst, std::abs(row.tau[i] - tau[i]) / scale);
      }
    }
  }
  return worst;
}

TEST(Simulation, GivesBackTheTorquesOfEveryShippedRobot) {
  double worst = 0.0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    const Robot robot = read_robot_file(entry.path().string()).robot;
    const Arm arm = normalize(robot);
    RandomArm random(5);
    const std::vector<double> q0 = random.numbers(arm.dof(), 1.5),
                              qd0 = random.numbers(arm.dof(), 0.5);
    for (const Interpolation interpolation : {Interpolation::linear, Interpolation::hold}) {
      SampledTorque input(SwingingTorques(arm, q0), interpolation);
      SimulationOptions options;
      options.duration = 1.0;
      const Simulated found = run_simulation(arm, {}, q0, qd0, input, options);
      ASSERT_EQ(found.rows.size(), 1001U);
      worst = std::max(worst, expect_round_trip(arm, found, robot.name));
    }
  }
  RecordProperty("largest_deviation", fmt::format("{:.2g}", worst));
}

/// q, q̇, q̈ of a quintic from `from` to `to` in 2 s.
struct Quintic {
  std::vector<double> from, to;

  void at(double t, std::vector<double>& q, std::vector<double>& qd,
          std::vector<double>& qdd) const {
    const double T = 2.0, s = t / T;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double way = to[i] - from[i];
      q[i] = from[i] + way * s * s * s * (10 + s * (-15 + 6 * s));
      qd[i] = way / T * s * s * (30 + s * (-60 + 30 * s));
      qdd[i] = way / (T * T) * s * (60 + s * (-180 + 120 * s));
    }
  }
};

/// The largest distance from a quintic of the PUMA that is driven by its torques at that rate.
double deviation(double rate) {
  Arm arm = normalize(read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot);
  const Quintic quintic{{0, 0.2, -0.3, 0, 0.4, 0}, {1.0, 1.2, -1.3, 0.7, -0.6, 0.9}};
  InverseDynamics inverse(arm);
  std::vector<double> q(6), qd(6), qdd(6);
  const int rows = static_cast<int>(std::lround(2.0 * rate));
  int next = 0;
  SampledTorque input(
      [&](TorqueSample& sample) {
        if (next > rows) return false;
        sample.t = next / rate;
        sample.tau.resize(6);
        quintic.at(sample.t, q, qd, qdd);
        inverse.torque({q, qd, qdd}, {}, sample.tau);
        ++next;
        return true;
      },
      Interpolation::linear);
  SimulationOptions options;
  options.step = 1.0 / rate;
  options.duration = 2.0;
  const Simulated found =
      run_simulation(arm, {}, quintic.from, std::vector<double>(6), input, options);
  double worst = 0.0;
  for (const SimulatedRow& row : found.rows) {
    quintic.at(row.t, q, qd, qdd);
    for (std::size_t i = 0; i < 6; ++i) worst = std::max(worst, std::abs(row.q[i] - q[i]));
  }
  return worst;
}

TEST(Puma, FollowsAQuinticDrivenByItsSampledTorques) {
  const double coarse = deviation(1e3), fine = deviation(1e4);
  EXPECT_LT(coarse, 5e-5);
  EXPECT_NEAR(coarse / fine, 100.0, 10.0);
  RecordProperty("ratio_to_10kHz", fmt::format("{:.3g}", coarse / fine));
  RecordProperty("deviation_at_1kHz", fmt::format("{:.2g}", coarse));
}

}  // namespace
}  // namespace armdyn::testing
