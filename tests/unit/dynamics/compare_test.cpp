#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "dynamics/compare.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Joints with the same scale.
ComparedState state(double scale, std::vector<std::vector<double>> tau) {
  const std::size_t methods = tau.size(), dof = tau.front().size();
  return {std::vector<double>(dof, scale), std::move(tau),
          std::vector<std::vector<double>>(methods)};
}

TEST(Comparison, FindsTheLargestDifferencesWithRowAndTime) {
  Comparison comparison({"a", "b"}, 2, 1e-9);
  comparison.add(state(10.0, {{1.0, 2.0}, {1.0, 2.0}}), 0.0);
  comparison.add(state(10.0, {{1.0, 2.0}, {1.5, 2.0}}), 0.1);
  comparison.add(state(1.0, {{1.0, 2.0}, {1.0, 1.75}}), 0.2);
  const PairDifference pair = comparison.differences().at(0);
  EXPECT_EQ(pair.rows, 3U);
  EXPECT_EQ(pair.joints[0].absolute.value, 0.5);
  EXPECT_EQ(pair.joints[0].absolute.row, 1U);
  EXPECT_EQ(pair.joints[0].absolute.t, 0.1);
  EXPECT_EQ(pair.joints[0].relative.value, 0.05);
  EXPECT_EQ(pair.joints[1].absolute.value, 0.25);
  EXPECT_EQ(pair.joints[1].relative.row, 2U);
  EXPECT_EQ(pair.joints[1].there, 0.25);
  EXPECT_DOUBLE_EQ(pair.joints[0].rms, 0.5 / std::sqrt(3.0));

  EXPECT_FALSE(comparison.agree());
  EXPECT_EQ(comparison.worst()->joint, 1U);
  EXPECT_EQ(comparison.worst()->difference.relative.value, 0.25);
}

TEST(Comparison, AgreesUpToAndIncludingItsTolerance) {
  Comparison comparison({"a", "b"}, 1, 0.125);
  comparison.add(state(2.0, {{1.0}, {1.25}}));
  EXPECT_TRUE(comparison.agree());
  comparison.add(state(2.0, {{1.0}, {1.26}}));
  EXPECT_FALSE(comparison.agree());
}

TEST(Comparison, RefusesStatesOfOtherMethodsOrJoints) {
  Comparison comparison({"a", "b"}, 2, 1e-9);
  EXPECT_THROW(comparison.add({}), std::invalid_argument);
  EXPECT_THROW(comparison.add(state(1.0, {{1.0, 2.0}})), std::invalid_argument);
  EXPECT_THROW(comparison.add(state(1.0, {{1.0}, {2.0}})), std::invalid_argument);
  EXPECT_THROW(comparison.add({{1.0, 1.0}, {{}, {}}, {{1.0}, {}}}), std::invalid_argument);
}

TEST(ComparedMethod, RefusesAWrongSize) {
  const Arm arm = RandomArm(1).arm(2);
  const ComparedMethod method = compared_method(arm, Method::newton_euler);
  const std::vector<double> one(1), two(2);
  std::vector<double> tau(2);
  EXPECT_THROW(method.torque({two, one, two}, {}, tau), std::invalid_argument);
  EXPECT_THROW(method.torque({two, two, two}, {}, {tau.data(), 1}), std::invalid_argument);
}

TEST(Comparison, AgreesWhereThereIsNothingToDifferIn) {
  Comparison comparison({"a", "b"}, 1, 1e-9);
  comparison.add(state(0.0, {{0.0}, {0.0}}));
  EXPECT_TRUE(comparison.agree());
  comparison.add(state(0.0, {{0.0}, {1e-300}}));
  EXPECT_FALSE(comparison.agree());
}

TEST(Comparison, AgreesWithNothingThatIsNotANumber) {
  for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
    Comparison comparison({"a", "b"}, 1, 1e-9);
    comparison.add(state(1.0, {{bad}, {bad}}));
    EXPECT_FALSE(comparison.agree()) << bad;
    EXPECT_EQ(comparison.worst()->difference.absolute.value,
              std::numeric_limits<double>::infinity());
  }
}

TEST(Comparison, SkipsRowsThatAMethodLeftOut) {
  Comparison comparison({"a", "b", "c"}, 1, 1e-9);
  comparison.add(state(1.0, {{1.0}, {}, {2.0}}));
  comparison.add(state(1.0, {{1.0}, {1.0}, {}}));
  const auto pairs = comparison.differences();
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].rows, 1U);
  EXPECT_EQ(pairs[0].joints[0].absolute.value, 0.0);
  EXPECT_EQ(pairs[1].joints[0].absolute.value, 1.0);
  EXPECT_EQ(pairs[2].rows, 0U);
  EXPECT_EQ(comparison.errors()[1].rows, 1U);
}

TEST(Comparison, HasNothingToSayWithoutRows) {
  const Comparison comparison({"a", "b"}, 1, 1e-9);
  EXPECT_TRUE(comparison.agree());
  EXPECT_FALSE(comparison.worst().has_value());
}

TEST(Comparison, MeasuresDifferencesAgainstTheRowsLargestScale) {
  Comparison comparison({"a", "b"}, 2, 1e-9);
  comparison.add({{1.0, 8.0}, {{1.0, 1.0}, {2.0, 1.0}}, {{}, {}}});
  EXPECT_EQ(comparison.differences()[0].joints[0].relative.value, 1.0 / 8.0);
}

TEST(Comparison, MeasuresErrorsInTheLastPlaceOfTheJointsTypicalScale) {
  const double ulp = std::ldexp(1.0, -52);
  Comparison comparison({"a"}, 2, 1e-9);
  comparison.add({{1.0, 8.0}, {{0.0, 0.0}}, {{3 * ulp, 0.0}}});
  comparison.add({{1.0, 8.0}, {{0.0, 0.0}}, {{-4 * ulp, 16 * ulp}}});
  const MethodError error = comparison.errors().at(0);
  EXPECT_EQ(error.largest[0].value, 4.0);
  EXPECT_EQ(error.largest[0].row, 1U);
  EXPECT_EQ(error.largest[1].value, 2.0);
  EXPECT_DOUBLE_EQ(error.rms[0], std::sqrt(12.5));
  EXPECT_DOUBLE_EQ(error.rms[1], std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(error.overall_rms, std::sqrt(7.25));
  EXPECT_EQ(comparison.reference_rows(), 2U);
}

/// A motion on which all formulations are compared, one of them with a flaw.
Comparison compared_with_flaw(const Arm& arm, const std::function<void(std::span<double>)>& flaw) {
  std::vector<ComparedMethod> methods;
  for (const Method method : all_methods) methods.push_back(compared_method(arm, method));
  methods[2].torque = [lagrange = methods[2].torque, flaw](
                          const MotionState& s, const Wrench& wrench, std::span<double> tau) {
    lagrange(s, wrench, tau);
    flaw(tau);
  };
  StateComparer comparer(arm, methods);
  Comparison comparison(
      {"newton-euler", "modified-newton-euler", "lagrange", "newton-euler-in-base"}, arm.dof(),
      1e-9);
  RandomArm random(7);
  ComparedState compared;
  for (std::size_t row = 0; row < 20; ++row) {
    const auto q = random.numbers(arm.dof(), 3.0), qd = random.numbers(arm.dof(), 1.0),
               qdd = random.numbers(arm.dof(), 1.0);
    comparer.compare({q, qd, qdd}, {}, compared);
    comparison.add(compared, 0.1 * static_cast<double>(row));
  }
  return comparison;
}

TEST(Comparison, NamesJointAndRowAndSizeOfAFormulationBrokenOnPurpose) {
  const Arm arm = RandomArm(3).arm(6);
  int row = -1;
  const Comparison sound = compared_with_flaw(arm, [](std::span<double>) {});
  EXPECT_TRUE(sound.agree());

  const Comparison broken = compared_with_flaw(arm, [&row](std::span<double> tau) {
    if (++row == 13) tau[4] += 0.5;
  });
  EXPECT_FALSE(broken.agree());
  const Comparison::Worst worst = *broken.worst();
  EXPECT_EQ(broken.methods()[worst.second], "lagrange");
  EXPECT_EQ(worst.joint, 4U);
  EXPECT_EQ(worst.difference.absolute.row, 13U);
  EXPECT_DOUBLE_EQ(*worst.difference.absolute.t, 1.3);
  EXPECT_NEAR(worst.difference.absolute.value, 0.5, 1e-12);
  // The reference says which of the two is wrong.
  EXPECT_GT(broken.errors()[2].overall_rms, 1e9);
  EXPECT_LT(broken.errors()[0].overall_rms, 10.0);
}

TEST(StateComparer, LeavesFrictionAndRotorsOut) {
  Robot robot = RandomArm(5).robot(4);
  for (Joint& joint : robot.joints) joint.motor.rotor_inertia = 1e6;
  const Arm arm = normalize(robot);
  StateComparer comparer(arm, {compared_method(arm, Method::newton_euler)});
  ComparedState found;
  const std::vector<double> x(4, 0.5);
  comparer.compare({x, x, x}, {}, found);
  for (Joint& joint : robot.joints) joint.motor = {};
  EXPECT_EQ(found.tau[0], torque(normalize(robot), {x, x, x}));
  for (const double scale : found.scale) EXPECT_LT(scale, 1e5);
}

// τ is nothing but rounding here, and differs from formulation to formulation.
TEST(StateComparer, TakesRoundingForAgreementWhereEverythingCancels) {
  Robot plumb;  // a tilted base, and a joint that stands upright again
  plumb.base.rpy = {0.7, 0.0, 0.0};
  plumb.convention = Convention::modified;
  plumb.joints.resize(2);
  plumb.joints[0].dh.alpha = -0.7;
  for (Joint& joint : plumb.joints) {
    joint.dh.a = 0.3;
    joint.body = {2.0, {0.11, 0.13, 0.17}, {0.1, 0.2, 0.3, 0.01, 0.02, 0.03}};
  }
  Robot wheel = plumb;
  wheel.gravity = {};
  wheel.joints.resize(1);

  const auto agree = [](const Robot& robot, double qd) {
    const Arm arm = normalize(robot);
    std::vector<ComparedMethod> methods;
    for (const Method method : all_methods) methods.push_back(compared_method(arm, method));
    StateComparer comparer(arm, methods);
    Comparison comparison({"a", "b", "c", "d"}, arm.dof(), 1e-12);
    ComparedState compared;
    RandomArm random(11);
    for (std::size_t row = 0; row < 100; ++row) {
      const auto q = random.numbers(arm.dof(), 3.0);
      const std::vector<double> rates(arm.dof(), qd), zero(arm.dof());
      comparer.compare({q, rates, zero}, {}, compared);
      comparison.add(compared);
    }
    EXPECT_GT(comparison.worst()->difference.absolute.value, 0.0);
    return comparison.agree();
  };
  EXPECT_TRUE(agree(plumb, 0.0));
  EXPECT_TRUE(agree(wheel, 100.0));
}

}  // namespace
}  // namespace armdyn::testing
