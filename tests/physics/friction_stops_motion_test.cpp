// Dry friction stops an arm where it must, and holds it there: cases worked by hand.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/gravity.hpp"
#include "support/paths.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

constexpr Integrator integrators[] = {Integrator::rk4, Integrator::dopri5, Integrator::rkf78};

Robot pendulum(double mass, double length, const Friction& friction) {
  Robot robot;
  robot.gravity = {0.0, -g, 0.0};
  robot.joints.resize(1);
  robot.joints[0].dh.a = length;
  robot.joints[0].body.mass = mass;
  robot.joints[0].friction = friction;
  return robot;
}

Robot slider(double mass, const Friction& friction) {
  Robot robot;
  robot.gravity = {};
  robot.joints.resize(1);
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].body.mass = mass;
  robot.joints[0].friction = friction;
  return robot;
}

/// Samples that a test writes down.
class Torques {
 public:
  explicit Torques(std::vector<TorqueSample> samples) : samples_(std::move(samples)) {}
  bool operator()(TorqueSample& sample) {
    if (next_ == samples_.size()) return false;
    sample = samples_[next_++];
    return true;
  }

 private:
  std::vector<TorqueSample> samples_;
  std::size_t next_ = 0;
};

/// Where a pendulum under Coulomb friction c of weight W = mgl, let go at φ from hanging, comes to
/// rest: each swing from a turning point φ to the next loses c·(way) of W(1 − cos φ).
double rest_angle(double phi, double c, double weight) {
  for (;;) {
    if (weight * std::abs(std::sin(phi)) <= c) return phi;
    const double d = phi > 0 ? -1.0 : 1.0;
    // energy left after swinging to x: zero at the next turning point
    const auto energy = [&](double x) {
      return weight * (std::cos(x) - std::cos(phi)) - c * std::abs(x - phi);
    };
    // Largest speed where weight·sin x = ∓c; from there on energy falls.
    double near = -d * std::asin(c / weight), far = -phi;
    for (int pass = 0; pass < 200; ++pass) {
      const double middle = 0.5 * (near + far);
      (energy(middle) > 0.0 ? near : far) = middle;
    }
    phi = 0.5 * (near + far);
  }
}

TEST(CoulombPendulum, RestsAtItsAngle) {
  const double mass = 1.2, length = 0.7, weight = mass * g * length;
  double worst = 0.0;
  for (const double c : {0.3, 0.8, 2.0}) {
    for (const double start : {0.9, -1.7, 2.6}) {
      const double expected = rest_angle(start, c, weight);
      for (const Integrator integrator : integrators) {
        SimulationOptions options;
        options.integrator = integrator;
        options.tolerance = 1e-12;
        options.step = integrator == Integrator::rk4 ? 5e-4 : 0.05;
        options.duration = 30.0;
        const Arm arm =
            normalize(pendulum(mass, length, {.coulomb = {c, c}, .breakaway = {}, .ripple = {}}));
        const Simulated found =
            run_simulation(arm, {start - std::numbers::pi / 2}, {0.0}, {0.0}, options);
        EXPECT_NEAR(found.last().q[0] + std::numbers::pi / 2, expected, 1e-9)
            << "c " << c << " from " << start;
        worst = std::max(worst, std::abs(found.last().q[0] + std::numbers::pi / 2 - expected));
        ASSERT_TRUE(found.result.joints[0].at_rest);
        for (const SimulatedRow& row : found.rows) {
          if (row.t <= found.result.joints[0].at_rest_since) continue;
          ASSERT_EQ(row.q[0], found.last().q[0]) << "creeps";
          ASSERT_EQ(row.qd[0], 0.0);
          ASSERT_EQ(row.qdd[0], 0.0);
        }
        EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-9);
      }
    }
  }
  RecordProperty("largest_deviation", fmt::format("{:.2g}", worst));
}

TEST(Slider, BreaksAwayAtItsStaticLevelAndSlidesAtItsCoulombLevel) {
  // Force F = r t. It holds until r t = s; then m v̇ = r t − c.
  const double m = 2.0, s = 3.0, c = 2.0, r = 4.0;
  for (const double sign : {1.0, -1.0}) {
    for (const Integrator integrator : integrators) {
      Friction friction;
      friction.coulomb = sign > 0 ? TwoSided{c, 9.0} : TwoSided{9.0, c};
      friction.breakaway = sign > 0 ? TwoSided{s, 9.0} : TwoSided{9.0, s};
      SampledTorque ramp(Torques({{0.0, {0.0}, {}}, {2.0, {sign * r * 2.0}, {}}}),
                         Interpolation::linear);
      SimulationOptions options;
      options.integrator = integrator;
      options.step = 0.07;
      options.duration = 2.0;
      const Arm arm = normalize(slider(m, friction));
      const Simulated found = run_simulation(arm, {}, {0.5}, {0.0}, ramp, options);
      const double t0 = s / r;
      for (const SimulatedRow& row : found.rows) {
        const double t = row.t;
        const double v = t < t0 ? 0.0 : (r * (t * t - t0 * t0) / 2 - c * (t - t0)) / m;
        const double way = t < t0 ? 0.0
                                  : (r * (t * t * t - t0 * t0 * t0) / 6 -
                                     r * t0 * t0 * (t - t0) / 2 - c * (t - t0) * (t - t0) / 2) /
                                        m;
        EXPECT_NEAR(row.qd[0], sign * v, 1e-11) << t;
        EXPECT_NEAR(row.q[0], 0.5 + sign * way, 1e-11) << t;
      }
      EXPECT_EQ(found.result.joints[0].stops, 0U);
    }
  }
}

TEST(Slider, IsStoppedAndHeldWhileTheForceStaysBelow) {
  // v0 = 1, F = 1, c = 3, m = 2: stops after 1 s at 0.5 m; holds at F = ±2.9, goes back at F = −5.
  for (const Integrator integrator : integrators) {
    SampledTorque steps(
        Torques({{0.0, {1.0}, {}}, {1.5, {2.9}, {}}, {2.0, {-2.9}, {}}, {3.0, {-5.0}, {}}}),
        Interpolation::hold);
    SimulationOptions options;
    options.integrator = integrator;
    options.step = 0.15;
    options.duration = 4.0;
    Friction friction;
    friction.coulomb = {3.0, 3.0};
    const Simulated found =
        run_simulation(normalize(slider(2.0, friction)), {}, {0.0}, {1.0}, steps, options);
    for (const SimulatedRow& row : found.rows) {
      const double t = row.t;
      const double q = t < 1.0 ? t - t * t / 2 : t < 3.0 ? 0.5 : 0.5 - (t - 3.0) * (t - 3.0) / 2;
      EXPECT_NEAR(row.q[0], q, 1e-12) << t;
      // Row k has the acceleration of its own torque.
      EXPECT_NEAR(row.qdd[0], t < 1.0 ? -1.0 : t < 3.0 ? 0.0 : -1.0, 1e-12) << t;
    }
    EXPECT_EQ(found.result.joints[0].stops, 1U);
  }
}

TEST(Slider, SettlesInStribeckFrictionWithoutChatter) {
  Friction friction;
  friction.viscous = 0.2;
  friction.coulomb = {1.0, 1.2};
  friction.breakaway = TwoSided{1.6, 2.0};
  friction.stribeck_velocity = 0.01;
  friction.ripple = {.amplitude = 0.3, .harmonic = 40.0, .phase = 0.4};
  const Arm arm = normalize(slider(1.5, friction));
  double ends[3] = {};
  for (std::size_t k = 0; k < 3; ++k) {
    SimulationOptions options;
    options.integrator = integrators[k];
    options.step = 1e-3;
    options.tolerance = 1e-11;
    options.duration = 3.0;
    const Simulated found = run_simulation(arm, {0.0}, {2.0}, {0.1}, options);
    EXPECT_EQ(found.result.joints[0].stops, 1U);
    EXPECT_TRUE(found.result.joints[0].at_rest);
    EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-8);
    ends[k] = found.last().q[0];
  }
  EXPECT_NEAR(ends[0], ends[2], 1e-8);
  EXPECT_NEAR(ends[1], ends[2], 1e-8);
}

TEST(Slider, FeelsAStribeckCurveThatItPassesWithinAStep) {
  // Thrown back three times by forces that rise meanwhile: the curve, 3 mm/s wide, is passed within
  // 20 µs of rows 50 ms apart.
  const auto end = [](Integrator integrator, double step) {
    Friction friction;
    friction.breakaway = TwoSided{0.01, 0.01};
    friction.stribeck_velocity = 0.001;
    SampledTorque forces(Torques({{0.0, {9.428}, {}},
                                  {0.25, {-1.173}, {}},
                                  {0.5, {0.0}, {}},
                                  {0.75, {-5.577}, {}},
                                  {1.0, {0.0}, {}},
                                  {1.25, {9.018}, {}},
                                  {1.5, {0.0}, {}},
                                  {2.25, {6.141}, {}},
                                  {2.5, {-11.993}, {}},
                                  {2.75, {-11.196}, {}},
                                  {3.0, {0.0}, {}}}),
                         Interpolation::linear);
    SimulationOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-11;
    options.step = step;
    options.duration = 3.0;
    const Simulated found =
        run_simulation(normalize(slider(0.0507, friction)), {}, {0.0}, {0.0}, forces, options);
    EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-11);
    return found.last().q[0];
  };
  const double exact = end(Integrator::rkf78, 1e-3);
  for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
    for (const double step : {0.002, 0.005, 0.01, 0.02, 0.05}) {
      EXPECT_NEAR(end(integrator, step), exact, 1e-9) << step;
    }
  }
}

TEST(Slider, FeelsASigmoidAndRipplesThatItPassesWithinAStep) {
  // Thrown back at once, and by a force that rises: with the direction the friction changes within
  // 0.1 ms, and from rest on its ripples come faster and faster.
  const auto thrown = [](const Friction& friction, Integrator integrator, double tolerance) {
    SampledTorque forces(
        Torques({{0.0, {-9.81}, {}}, {0.7, {-9.81}, {}}, {0.701, {2.0}, {}}, {2.0, {12.0}, {}}}),
        Interpolation::linear);
    SimulationOptions options;
    options.integrator = integrator;
    options.tolerance = tolerance;
    options.step = integrator == Integrator::rk4 ? 1e-5 : 0.1;
    options.duration = 2.0;
    options.estimate_error = integrator != Integrator::rk4;
    return run_simulation(normalize(slider(1.0, friction)), {}, {0.0}, {3.0}, forces, options);
  };
  Friction sigmoid, ripple;
  sigmoid.sigmoid = {4.0, 2000.0, 0.01};
  ripple.coulomb = {2.0, 2.0};
  ripple.ripple = {0.5, 100.0, 0.3};
  for (const Friction& friction : {sigmoid, ripple}) {
    const double exact = thrown(friction, Integrator::rk4, 1.0).last().q[0];
    for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
      for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
        const Simulated found = thrown(friction, integrator, tolerance);
        const double error = std::abs(found.last().q[0] - exact);
        EXPECT_LT(error, 100.0 * tolerance);
        EXPECT_GE(found.result.error->q[0], 0.5 * error - 1e-9);
      }
    }
  }
}

TEST(Puma, FallsAndStaysWhereItsFrictionHoldsIt) {
  const Arm arm = normalize(read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot);
  std::vector<std::vector<double>> ends;
  for (const Integrator integrator : integrators) {
    SimulationOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-11;
    options.duration = 8.0;
    const Simulated found =
        run_simulation(arm, {0.3, -0.4, 0.5, 0.2, 0.6, -0.3}, {0.5, 0, 0, -2.0, 0, 1.0},
                       std::vector<double>(6), options);
    for (const JointHistory& joint : found.result.joints) EXPECT_TRUE(joint.at_rest);
    EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-7);
    ends.push_back(found.last().q);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(ends[0][i], ends[2][i], 1e-7) << i;
    EXPECT_NEAR(ends[1][i], ends[2][i], 1e-7) << i;
  }
}

}  // namespace
}  // namespace armdyn::testing
