#include "datasheet/datasheet.hpp"

#include <armdyn/robot_file.hpp>

#include <gtest/gtest.h>

#include <random>

#include "dynamics/newton_euler.hpp"
#include "math/statistics.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

const std::vector<const char*> arms{"ur3e", "ur5e",         "ur10e",        "ur16e",
                                    "ur20", "kuka-iiwa14",  "franka-panda", "ur3",
                                    "ur5",  "motoman-sia10"};

Robot shipped(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot;
}

/// Two links in the vertical plane x, y.
Robot two_links() {
  Robot robot;
  robot.name = "2R";
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -9.81, 0.0};
  for (const double a : {0.0, 0.9}) {
    Joint joint;
    joint.name = a == 0.0 ? "shoulder" : "elbow";
    joint.dh.a = a;
    joint.body = {a == 0.0 ? 6.0 : 4.0, {0.3, 0.05, 0.0}, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}};
    joint.limits.torque = a == 0.0 ? 150.0 : 60.0;
    joint.limits.velocity = 2.0;
    robot.joints.push_back(joint);
  }
  robot.tool.xyz = {0.7, 0.0, 0.0};
  return robot;
}

std::vector<double> random_position(const LimitedArm& arm, std::mt19937_64& random) {
  std::vector<double> q;
  for (const Range& range : arm.ranges) q.push_back(uniform(random, range.lower, range.upper));
  return q;
}

TEST(Payload, OfTwoLinksIsTheRestOfTheTorqueOverGAndReach) {
  LimitedArm arm(two_links());
  const double g = 9.81;
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const double q1 = uniform(random, -3.0, 3.0), q2 = uniform(random, -3.0, 3.0);
    const double x2 = 0.7 * std::cos(q1 + q2), x1 = 0.9 * std::cos(q1) + x2;
    const double G2 = 4.0 * g * (0.3 * std::cos(q1 + q2) - 0.05 * std::sin(q1 + q2));
    const double G1 =
        6.0 * g * (0.3 * std::cos(q1) - 0.05 * std::sin(q1)) + 4.0 * g * 0.9 * std::cos(q1) + G2;
    const auto most = [&](double torque, double G, double x) {
      return (torque - (x > 0.0 ? G : -G)) / (g * std::abs(x));
    };
    arm.ranges = {{q1, q1}, {q2, q2}};
    const ProvenLimit found = largest_payload(arm, {}, {});
    const double expected = std::min(most(150.0, G1, x1), most(60.0, G2, x2));
    EXPECT_NEAR(found.found, expected, 1e-10 * expected);
    EXPECT_NEAR(found.guaranteed, expected, 1e-9 * expected);
  }
}

TEST(Payload, OfTwoLinksIsClosedOverAllPositions) {
  const LimitedArm arm(two_links());
  const ProvenLimit limit = largest_payload(arm, {}, {0.001, 20000, [] {}});
  EXPECT_LE(limit.guaranteed, limit.found);
  EXPECT_GE(limit.guaranteed, 0.999 * limit.found);
  const ProvenLimit near = largest_payload(arm, {.reach = 0.8}, {0.01, 20000, [] {}});
  EXPECT_GE(near.guaranteed, 0.99 * near.found);
  EXPECT_GT(near.guaranteed, limit.found);
}

// Independent of the search and of its terms: by Newton-Euler, with the payload in the robot.
TEST(Payload, IsCarriedAtRandomPositions) {
  std::mt19937_64 random(2);
  for (const char* const name : arms) {
    Robot robot = shipped(name);
    robot.payload = {};
    const LimitedArm arm(robot);
    const ProvenLimit limit = largest_payload(arm, {}, {0.05, 1000, [] {}});
    ASSERT_LE(limit.guaranteed, limit.found) << name;
    robot.payload.mass = std::max(0.0, limit.guaranteed);
    const Arm loaded = normalize(robot);
    const std::vector<double> zero(arm.dof());
    for (int trial = 0; trial < 4000; ++trial) {
      const auto q = random_position(arm, random);
      const auto tau = worked_recursion<double>(loaded, q, zero, zero).tau;
      for (std::size_t i = 0; i < arm.dof(); ++i) {
        ASSERT_LE(std::abs(tau[i]), arm.torques[i] * (1.0 + 1e-9)) << name;
      }
    }
  }
}

// Wrists of UR arms: joint 6 carries the load on its axis, joint 5 at the arm d6 + z; from the axis of
// joint 4 it is d5 away, and across as far as from that of joint 5.
TEST(WristLoads, AreThoseOfTheLoadsArms) {
  Robot robot = shipped("ur5e");
  robot.payload = {3.0, {0.0, 0.0, 0.1}, {}};
  const double d5 = robot.joints[4].dh.d, across = robot.joints[5].dh.d + 0.1, g = 9.81;
  const auto loads = wrist_loads(robot);
  ASSERT_EQ(loads.size(), 3U);
  const double farthest = std::hypot(d5, across);
  const std::vector<double> arms_of_load{farthest, across, 0.0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double moment = 3.0 * g * arms_of_load[k];
    const double inertia = 3.0 * arms_of_load[k] * arms_of_load[k];
    EXPECT_EQ(loads[k].joint, k + 3);
    EXPECT_LE(loads[k].moment, moment * (1.0 + 1e-9) + 1e-12);
    EXPECT_GE(loads[k].moment, 0.98 * moment);
    EXPECT_LE(loads[k].inertia, inertia * (1.0 + 1e-9) + 1e-12);
    EXPECT_GE(loads[k].inertia, 0.98 * inertia);
  }
}

TEST(Accelerations, HoldAtRandomPositionsAndSpeeds) {
  std::mt19937_64 random(3);
  for (const char* const name : {"ur5e", "kuka-iiwa14", "ur3"}) {
    const Robot robot = shipped(name);
    const LimitedArm arm(robot);
    const std::vector<double> ratio(arm.dof(), 1.0);
    const ProvenLimit limit = largest_accelerations(arm, ratio, 1.0, {0.05, 600, [] {}});
    ASSERT_LE(limit.guaranteed, limit.found) << name;
    const double a = std::max(0.0, limit.guaranteed);
    for (int trial = 0; trial < 4000; ++trial) {
      const auto q = random_position(arm, random);
      std::vector<double> qd, qdd;
      for (std::size_t i = 0; i < arm.dof(); ++i) {
        qd.push_back((random() & 1U) != 0 ? arm.speeds[i] : -arm.speeds[i]);
        qdd.push_back((random() & 1U) != 0 ? a : -a);
      }
      const auto tau = worked_recursion<double>(arm.arm, q, qd, qdd).tau;
      for (std::size_t i = 0; a > 0.0 && i < arm.dof(); ++i) {
        const double drive = std::abs(tau[i]) + arm.rotors[i] * a + arm.losses[i];
        ASSERT_LE(drive, arm.torques[i] * (1.0 + 1e-9)) << name;
      }
    }
  }
}

// With 5 kg and 10 kg, at low speed: by sampling 3.00 and 1.41 rad/s².
TEST(Accelerations, OfTwoArmsAtRestAreThoseOfSampling) {
  for (const auto& [name, mass, sampled] :
       {std::tuple{"ur5e", 5.0, 3.00}, std::tuple{"ur10e", 10.0, 1.41}}) {
    Robot robot = shipped(name);
    robot.payload.mass = mass;
    const LimitedArm arm(robot);
    const std::vector<double> ratio(arm.dof(), 1.0);
    const ProvenLimit limit = largest_accelerations(arm, ratio, 0.0, {0.05, 4000, [] {}});
    EXPECT_LE(limit.found, sampled + 0.005) << name;  // a search goes on from the worst sample
    EXPECT_GE(limit.found, 0.97 * sampled) << name;
    EXPECT_LE(limit.guaranteed, limit.found) << name;
  }
}

TEST(BaseLoads, AreNotExceededAtRandomStates) {
  std::mt19937_64 random(4);
  const Robot robot = shipped("ur5e");
  const LimitedArm arm(robot);
  const std::vector<double> most(arm.dof(), 3.0);
  std::array<BaseLoadBound, 4> bounds;
  for (std::size_t k = 0; k < 4; ++k) {
    bounds[k] =
        largest_base_load(arm, static_cast<BaseLoad>(k), During::motion, most, {0.1, 200, [] {}});
    EXPECT_GE(bounds[k].guaranteed, bounds[k].found);
  }
  for (int trial = 0; trial < 4000; ++trial) {
    const auto q = random_position(arm, random);
    std::vector<double> qd, qdd;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      qd.push_back(uniform(random, -arm.speeds[i], arm.speeds[i]));
      qdd.push_back((random() & 1U) != 0 ? 3.0 : -3.0);
    }
    const auto links = worked_recursion<double>(arm.arm, q, qd, qdd).links;
    const Transform T = links[0].frame;
    const Vec3 force = T.R * links[0].force, moment = T.R * links[0].moment + cross(T.p, force);
    EXPECT_LE(std::abs(force.z), bounds[0].guaranteed);
    EXPECT_LE(std::hypot(force.x, force.y), bounds[1].guaranteed);
    EXPECT_LE(std::hypot(moment.x, moment.y), bounds[2].guaranteed);
    EXPECT_LE(std::abs(moment.z), bounds[3].guaranteed);
  }
}

TEST(LimitedArm, TakesNoMechanismsAndCoupledMotors) {
  EXPECT_THROW(LimitedArm(shipped("staubli-tx40")), Error);
  EXPECT_THROW(LimitedArm(shipped("mechanisms/palletizer")), Error);
}

}  // namespace
}  // namespace armdyn
