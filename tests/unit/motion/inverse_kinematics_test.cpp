#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include "math/linear_algebra.hpp"
#include "support/near.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

using std::numbers::pi;
constexpr double unlimited = std::numeric_limits<double>::infinity();

std::vector<Range> free_ranges(std::size_t dof) {
  return std::vector<Range>(dof, {-unlimited, unlimited});
}

void expect_same_hand(const Transform& found, const Transform& wanted) {
  const auto near = [](const Vec3& a, const Vec3& b) {
    EXPECT_NEAR(a.x, b.x, 1e-9);
    EXPECT_NEAR(a.y, b.y, 1e-9);
    EXPECT_NEAR(a.z, b.z, 1e-9);
  };
  near(found.p, wanted.p);
  near(found.R.row_x, wanted.R.row_x);
  near(found.R.row_y, wanted.R.row_y);
  near(found.R.row_z, wanted.R.row_z);
}

/// Where the TCP stands in some posture, it can be put; and there is no nearer posture known.
TEST(PostureNear, PutsTheHandWhereItWas) {
  RandomArm random(11);
  for (const std::string name : {"staubli-tx40", "stanford", "kuka-iiwa14", "ur16e"}) {
    const Robot robot = shipped_robot(name);
    const Arm arm = normalize(robot);
    for (int round = 0; round < 5; ++round) {
      const std::vector<double> was = random.numbers(arm.dof(), 1.0);
      const std::vector<double> start = sum(was, random.numbers(arm.dof(), 0.3));
      const TcpGoal goal{pose(arm, was).tcp};
      const std::vector<double> q = inverse_kinematics(arm, start, goal, free_ranges(arm.dof()));
      expect_same_hand(pose(arm, q).tcp, goal.tcp);
      double largest = 0.0, known_largest = 0.0, squares = 0.0, known_squares = 0.0;
      for (std::size_t i = 0; i < q.size(); ++i) {
        largest = std::max(largest, std::abs(q[i] - start[i]));
        known_largest = std::max(known_largest, std::abs(was[i] - start[i]));
        squares += (q[i] - start[i]) * (q[i] - start[i]);
        known_squares += (was[i] - start[i]) * (was[i] - start[i]);
      }
      if (arm.dof() <= 6) {
        EXPECT_LE(largest, known_largest + 1e-8) << name;
      } else {  // the seventh joint is free to make the way shorter still
        EXPECT_LE(squares, known_squares + 1e-8) << name;
      }
    }
  }
}

/// What is left to the start is none of the motion that leaves the TCP where it is.
TEST(PostureNear, LeavesASeventhJointNearestToTheStart) {
  RandomArm random(12);
  const Arm arm = normalize(shipped_robot("kuka-iiwa14"));
  for (int round = 0; round < 5; ++round) {
    const std::vector<double> was = random.numbers(7, 1.0);
    const std::vector<double> start = sum(was, random.numbers(7, 0.8));
    const std::vector<double> q =
        inverse_kinematics(arm, start, {pose(arm, was).tcp}, free_ranges(7));
    const Eigen::VectorXd idle = right_singular_vectors(eigen(jacobian(arm, q))).col(6);
    double left = 0.0;
    for (std::size_t i = 0; i < 7; ++i) {
      left += idle(static_cast<Eigen::Index>(i)) * (start[i] - q[i]);
    }
    EXPECT_NEAR(left, 0.0, 1e-4) << round;
  }
}

/// Law of cosines: q2 = ±acos((x² + y² − l1² − l2²)/(2 l1 l2)).
TEST(PostureNear, TakesTheElbowOfTheStart) {
  Robot robot;
  robot.convention = Convention::modified;
  robot.joints.resize(2);
  robot.joints[1].dh.a = 0.7;
  robot.tool.xyz = {0.4, 0.0, 0.0};
  const Arm arm = normalize(robot);
  const double x = 0.5, y = 0.6;
  const double q2 = std::acos((x * x + y * y - 0.49 - 0.16) / (2 * 0.7 * 0.4));
  const TcpGoal goal{{{}, {x, y, 0.0}}, true};
  for (const double sign : {1.0, -1.0}) {
    const double elbow = sign * q2;
    const double q1 =
        std::atan2(y, x) - std::atan2(0.4 * std::sin(elbow), 0.7 + 0.4 * std::cos(elbow));
    const std::vector<double> start{0.8, sign * 0.5};
    expect_near(inverse_kinematics(arm, start, goal, free_ranges(2)), {q1, elbow}, 1e-9, "elbow");
    // By a whole turn, where that is where the start is.
    expect_near(
        inverse_kinematics(arm, std::vector{0.8 + 2 * pi, sign * 0.5}, goal, free_ranges(2)),
        {q1 + 2 * pi, elbow}, 1e-9, "a turn on");
  }
  // Of the two only the one that the limits allow.
  const std::vector<Range> bent{{-pi, pi}, {-pi, 0.0}};
  EXPECT_NEAR(inverse_kinematics(arm, std::vector{0.8, 0.5}, goal, bent)[1], -q2, 1e-9);
  // And the turn of each joint that its own limits allow.
  const std::vector<Range> turned{{-pi, pi}, {pi, 2 * pi}};
  const double q1 = std::atan2(y, x) + std::atan2(0.4 * std::sin(q2), 0.7 + 0.4 * std::cos(q2));
  expect_near(inverse_kinematics(arm, std::vector{0.8 + 2 * pi, -0.5}, goal, turned),
              {q1, 2 * pi - q2}, 1e-9, "turned");
  // Of many turns that are allowed the one where the start is.
  const std::vector<Range> wide{{-1000.0, 1000.0}, {-pi, 0.0}};
  expect_near(inverse_kinematics(arm, std::vector{0.8, 0.5}, goal, wide), {q1, -q2}, 1e-9, "wide");
}

TEST(PostureNear, SaysHowFarOutOfReachItIs) {
  const Arm arm = normalize(shipped_robot("ur3"));
  const std::vector<double> start(6, 0.3);
  try {
    (void)inverse_kinematics(arm, start, {{{}, {3.0, 0.0, 0.0}}, true}, free_ranges(6));
    FAIL() << "no error";
  } catch (const NumericsError& error) {
    const std::string said = error.what();
    EXPECT_EQ(
        said.rfind("no configuration found with the TCP at (3, 0, 0) m: the nearest is off by 2.",
                   0),
        0U)
        << said;
  }
}

TEST(PostureNear, SaysHowFarTheOrientationIsToo) {
  // A planar arm, whose TCP cannot turn out of its plane.
  const Arm arm = normalize(shipped_robot("craig-3r"));
  const std::vector<double> start{0.3, 0.3, 0.3};
  const Transform reached = pose(arm, start).tcp;
  const double s = std::sin(0.5), c = std::cos(0.5);
  const Mat3 tilt{{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}};
  const TcpGoal goal{{tilt * reached.R, reached.p}};
  try {
    (void)inverse_kinematics(arm, start, goal, free_ranges(3));
    FAIL() << "no error";
  } catch (const NumericsError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find(" with this orientation: "), std::string::npos) << said;
    EXPECT_NE(said.find(" m and 28.6 deg"), std::string::npos) << said;  // 0.5 rad
  }
}

TEST(PostureNear, RefusesWhatIsNotANumber) {
  const Arm arm = normalize(shipped_robot("ur3"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TcpGoal nowhere{{{}, {nan, 0.0, 0.3}}, true}, there{{{}, {0.3, 0.1, 0.3}}, true};
  EXPECT_THROW((void)inverse_kinematics(arm, std::vector<double>(6, 0.3), nowhere, free_ranges(6)),
               NumericsError);
  EXPECT_THROW(
      (void)inverse_kinematics(arm, {{0.3, nan, 0.3, 0.3, 0.3, 0.3}}, there, free_ranges(6)),
      NumericsError);
}

}  // namespace
}  // namespace armdyn::testing
