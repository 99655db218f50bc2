// Three formulations that share nothing but the arm (Lagrange), or nothing but the joints' frames
// (the modified recursion), give the same torques; and the same as the reference in 50 digits.
//
// A difference is measured against the largest |M q̈| + |V| + |G| + |Jᵀ wrench| of the state's joints.
// Each of n links adds some ten roundings of 1.1e-16 to a torque, with random signs: 12 links stay
// well below 1e-13.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dynamics/compare.hpp"
#include "dynamics/lagrange.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

constexpr double lagrange_tolerance = 1e-13;

/// Compares all formulations on random states of an arm.
class RandomStates {
 public:
  RandomStates(const Arm& arm, RandomArm& random)
      : arm_(arm), random_(random), comparer_(arm, methods()) {}

  Comparison compared(int count) {
    std::vector<std::string> names;
    for (const Method method : all_methods) names.emplace_back(name(method));
    Comparison comparison(names, arm_.dof(), lagrange_tolerance);
    for (int row = 0; row < count; ++row) {
      const auto q = random_.numbers(arm_.dof(), 3.2);
      const auto qd = random_.numbers(arm_.dof(), 1.0);
      const auto qdd = random_.numbers(arm_.dof(), 1.0);
      comparer_.compare({q, qd, qdd}, row % 2 == 0 ? Wrench{} : random_.wrench(), state_);
      comparison.add(state_);
      for (std::size_t m = 0; m < state_.error.size(); ++m) {
        double largest = 0.0;
        for (const double tau : state_.tau[m]) largest = std::max(largest, std::abs(tau));
        const double scale = *std::max_element(state_.scale.begin(), state_.scale.end());
        for (const double error : state_.error[m]) {
          worst_error_ = std::max(worst_error_, std::abs(error) / scale);
          worst_of_torque_ = std::max(worst_of_torque_, std::abs(error) / largest);
        }
      }
    }
    return comparison;
  }

  [[nodiscard]] double worst_error() const { return worst_error_; }
  [[nodiscard]] double worst_of_torque() const { return worst_of_torque_; }

 private:
  [[nodiscard]] std::vector<ComparedMethod> methods() const {
    std::vector<ComparedMethod> methods;
    for (const Method method : all_methods) methods.push_back(compared_method(arm_, method));
    return methods;
  }

  const Arm& arm_;
  RandomArm& random_;
  StateComparer comparer_;
  ComparedState state_;
  double worst_error_ = 0.0;
  double worst_of_torque_ = 0.0;
};

RC_GTEST_PROP(NewtonEulerEqualsLagrange, OnRandomArms, ()) {
  const auto dof = *rc::gen::inRange<std::size_t>(1, 13).as("joints");
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()).as("seed of the arm");
  RandomArm random(seed);
  const Arm arm = random.arm(dof);
  RandomStates states(arm, random);
  const Comparison comparison = states.compared(10);
  const auto worst = comparison.worst();
  RC_LOG() << comparison.methods()[worst->second] << " and " << comparison.methods()[worst->first]
           << " differ by " << worst->difference.relative.value << " at joint " << worst->joint + 1
           << ", error " << states.worst_error() << "\n";
  RC_ASSERT(comparison.agree());
  RC_ASSERT(states.worst_error() <= lagrange_tolerance);
}

RC_GTEST_PROP(NewtonEulerEqualsLagrange, TermByTermOnRandomArms, ()) {
  const auto dof = *rc::gen::inRange<std::size_t>(1, 13).as("joints");
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()).as("seed of the arm");
  RandomArm random(seed);
  const Arm arm = random.arm(dof);
  const auto q = random.numbers(dof, 3.2);
  const auto qd = random.numbers(dof, 1.0);
  const auto qdd = random.numbers(dof, 1.0);
  const Wrench wrench = random.wrench();

  struct Terms {
    explicit Terms(std::size_t n) : inertia(n), velocity(n), gravity(n), wrench(n), losses(n) {}
    std::vector<double> inertia, velocity, gravity, wrench, losses;
  };
  const auto terms = [&](Method method) {
    Terms t(dof);
    InverseDynamics(arm, method)
        .terms({q, qd, qdd}, wrench,
               {t.inertia, t.velocity, t.gravity, t.losses, t.losses, t.wrench});
    return t;
  };
  const Terms expected = terms(Method::newton_euler);
  double scale = 0.0;
  for (std::size_t i = 0; i < dof; ++i) {
    scale = std::max(scale, std::abs(expected.inertia[i]) + std::abs(expected.velocity[i]) +
                                std::abs(expected.gravity[i]) + std::abs(expected.wrench[i]));
  }
  for (const Method method :
       {Method::modified_newton_euler, Method::lagrange, Method::newton_euler_in_base}) {
    const Terms found = terms(method);
    for (const auto part : {&Terms::inertia, &Terms::velocity, &Terms::gravity, &Terms::wrench}) {
      for (std::size_t i = 0; i < dof; ++i) {
        RC_ASSERT(std::abs((found.*part)[i] - (expected.*part)[i]) <= lagrange_tolerance * scale);
      }
    }
  }
}

TEST(NewtonEulerEqualsLagrange, OnEveryShippedRobot) {
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().stem().string());
    const Arm arm = normalize(read_robot_file(entry.path().string()).robot);
    RandomArm random(1);
    RandomStates states(arm, random);
    const Comparison comparison = states.compared(50);
    EXPECT_TRUE(comparison.agree()) << comparison.worst()->difference.relative.value;
    EXPECT_LE(states.worst_of_torque(), 1e-12);
  }
}

/// Paper 003's arrangement, which `compare --costs` counts, computes the torques.
TEST(LagrangeAsPrinted, GivesTheTorquesOfNewtonEuler) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    RandomArm random(seed);
    const std::size_t n = 2 + seed;
    const Arm arm = random.arm(n);
    const auto q = random.numbers(n, 3.0), qd = random.numbers(n, 1.0),
               qdd = random.numbers(n, 1.0);
    std::vector<double> expected(n), found(n);
    InverseDynamics(arm, Method::newton_euler).torque({q, qd, qdd}, {}, expected);
    LagrangeAsPrinted<double> text(arm);
    text.joint_transforms(q);
    text.transforms();
    text.gravity_torques();
    text.inertias();
    text.velocity_coefficients();
    text.torques(qd, qdd, found);
    expect_near(found, expected, lagrange_tolerance, "tau");
  }
}

}  // namespace
}  // namespace armdyn::testing
