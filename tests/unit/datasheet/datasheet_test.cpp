#include "datasheet/datasheet.hpp"

#include <armdyn/robot_file.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <tuple>

#include "datasheet/stopping.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/statistics.hpp"
#include "model/serial_chain.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

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

/// The largest value that a search finds: of 10⁴ random points, and by gradient steps from the worst.
double largest_found(const std::vector<Range>& ranges, const auto& value) {
  constexpr std::size_t tries = 10000, starts = 5, steps = 60;
  auto tried = each(random_positions(ranges, tries), [&](const std::vector<double>& x) {
    return AtPosition{value(x), x};
  });
  std::ranges::sort(tried, std::ranges::greater(), &AtPosition::value);
  double most = tried.front().value;
  for (auto& [here, x] : std::span(tried).first(starts)) {
    double step = 0.1;
    for (std::size_t number = 0; number < steps; ++number) {
      std::vector<double> slopes, next = x;
      double steepest = 1e-300;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const auto& [lower, upper] = ranges[k];
        const double ahead = (x[k] < 0.5 * (lower + upper) ? 1e-6 : -1e-6) * (upper - lower);
        next[k] = x[k] + ahead;
        slopes.push_back(ahead == 0.0 ? 0.0 : (value(next) - here) / ahead * (upper - lower));
        steepest = std::max(steepest, std::abs(slopes.back()));
        next[k] = x[k];
      }
      for (std::size_t k = 0; k < x.size(); ++k) {
        const auto& [lower, upper] = ranges[k];
        next[k] = std::clamp(x[k] + step * slopes[k] / steepest * (upper - lower), lower, upper);
      }
      const double there = value(next);
      step *= there > here ? 1.5 : 0.5;
      if (there > here) std::tie(here, x) = std::pair(there, next);
    }
    most = std::max(most, here);
  }
  return most;
}

/// Ranges of positions, of speeds up to a share of their limits, and of accelerations.
std::vector<Range> states(const LimitedArm& arm, double share, double acceleration) {
  std::vector<Range> ranges = arm.ranges;
  for (const double speed : arm.speeds) ranges.push_back({-share * speed, share * speed});
  ranges.resize(3 * arm.dof(), {-acceleration, acceleration});
  return ranges;
}
MotionOf<double> motion(std::span<const double> x) {
  const std::size_t n = x.size() / 3;
  return {x.first(n), x.subspan(n, n), x.last(n)};
}

/// Share of the limits of torque at a state, with all of the friction: by Newton-Euler, independent of
/// the search and of its terms.
double largest_share(const LimitedArm& arm, const Arm& loaded, std::span<const double> x) {
  const auto [q, qd, qdd] = motion(x);
  const auto tau = links_torque<double>(loaded, q, qd, qdd);
  double most = 0.0;
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const double drive = std::abs(tau[i] + arm.rotors[i] * qdd[i]) + arm.losses[i];
    most = std::max(most, drive / arm.torques[i]);
  }
  return most;
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

TEST(Payload, IsCarriedWhereverASearchComes) {
  for (const char* const name : {"ur5e", "kuka-iiwa14", "mechanisms/palletizer"}) {
    Robot robot = shipped(name);
    robot.payload = {};
    LimitedArm arm(robot);
    for (const double a : {1.0, 0.0}) {
      LoadCase load;
      if (a > 0.0) {
        load.accelerations.assign(arm.dof(), a);
      } else {
        arm.losses.assign(arm.dof(), 0.0);  // at rest
      }
      const ProvenLimit limit = largest_payload(arm, load, {0.05, 200, [] {}});
      ASSERT_LE(limit.guaranteed, limit.found) << name;
      robot.payload.mass = std::max(0.0, limit.guaranteed);
      const Arm loaded = normalize(robot);
      const double share = largest_found(states(arm, 0.0, a), [&](std::span<const double> x) {
        return largest_share(arm, loaded, x);
      });
      EXPECT_LE(share, 1.0 + 1e-9) << name;
    }
  }
}

// What gravity asks of parallel joints is a sum over links: in their angles to the vertical few boxes
// prove what is near to the best found, within a reach too. UR arms may turn each joint anywhere.
TEST(Payload, OfParallelAxesTakesFewBoxes) {
  for (const char* const name : {"ur5e", "ur3"}) {
    Robot robot = shipped(name);
    robot.payload = {};
    const LimitedArm arm(robot);
    for (const LoadCase& load : {LoadCase{}, LoadCase{.center = {0.0, 0.0, 0.3}}}) {
      const ProvenLimit limit = largest_payload(arm, load, {0.05, 1000, [] {}});
      EXPECT_GE(limit.guaranteed, 0.95 * limit.found) << name;
    }
    const ProvenLimit near = largest_payload(arm, {.reach = 0.35}, {0.05, 4000, [] {}});
    EXPECT_GE(near.guaranteed, 0.9 * near.found) << name;
    EXPECT_LE(arm.reach(near.q), 0.35 * (1.0 + 1e-9)) << name;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      EXPECT_LE(std::abs(near.q[i]), std::numbers::pi * (1.0 + 1e-15)) << name;
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

TEST(Accelerations, HoldWhereverASearchComes) {
  for (const char* const name : {"ur5e", "kuka-iiwa14", "mechanisms/palletizer"}) {
    const LimitedArm arm(shipped(name));
    const std::vector<double> ratio(arm.dof(), 1.0);
    const ProvenLimit limit = largest_accelerations(arm, ratio, 0.2, {0.05, 400, [] {}});
    ASSERT_LE(limit.guaranteed, limit.found) << name;
    ASSERT_GT(limit.guaranteed, 0.0) << name;
    const double share =
        largest_found(states(arm, 0.2, limit.guaranteed),
                      [&](std::span<const double> x) { return largest_share(arm, arm.arm, x); });
    EXPECT_LE(share, 1.0 + 1e-9) << name;
    EXPECT_GE(share, 0.95 * limit.guaranteed / limit.found) << name;
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

/// Two bodies beside a vertical axis; the second turns against the first.
Robot against_each_other() {
  Robot robot;
  robot.name = "against";
  robot.convention = Convention::modified;
  robot.gravity = {0.0, 0.0, -9.81};
  Joint joint;
  joint.name = "one";
  joint.body = {5.0, {0.4, 0.0, 0.0}, {0.0, 0.0, 0.1, 0.0, 0.0, 0.0}};
  joint.limits.velocity = 2.0;
  joint.limits.torque = 100.0;
  robot.joints = {joint};
  joint.name = "two";
  joint.limits = {};
  joint.parent = "base";
  joint.follows = Follows{{{"one", -1.0}}, 0.0};
  robot.followers = {joint};
  return robot;
}

/// Force and moment of the base in {0}: by Newton-Euler, of a mechanism in its chains.
std::pair<Vec3, Vec3> load_of_base(const Arm& arm, const MotionOf<double>& x) {
  Vec3 force, moment;
  const auto add = [&](const auto& links) {
    const Transform T = links[0].frame;
    const Vec3 f = T.R * links[0].force;
    force = force + f;
    moment = moment + T.R * links[0].moment + cross(T.p, f);
  };
  if (arm.is_serial()) add(worked_recursion<double>(arm, x.q, x.qd, x.qdd).links);
  for (const auto& [chain, rows, joints] : arm.chains) {
    const ChainMotion<double> of_chain(rows, x);
    add(worked_recursion<double>(chain, of_chain.q, of_chain.qd, of_chain.qdd).links);
  }
  return {force, moment};
}

/// Inertia about each joint's own axis: by Newton-Euler, independent of the terms.
std::vector<double> own_inertias(const LimitedArm& arm, std::span<const double> q) {
  const std::vector<double> zero(arm.dof());
  const auto rest = links_torque<double>(arm.arm, q, zero, zero);
  std::vector<double> own = arm.rotors;
  for (std::size_t j = 0; j < arm.dof(); ++j) {
    std::vector<double> unit = zero;
    unit[j] = 1.0;
    own[j] += links_torque<double>(arm.arm, q, zero, unit)[j] - rest[j];
  }
  return own;
}

TEST(BaseLoads, AreNotExceededWhereverASearchComes) {
  for (const Robot& robot :
       {shipped("ur5e"), shipped("mechanisms/palletizer"), against_each_other()}) {
    const LimitedArm arm(robot);
    const std::vector<double> most(arm.dof(), 3.0);
    for (const auto& [of, when] : {std::pair{BaseLoad::vertical, During::motion},
                                   {BaseLoad::horizontal, During::motion},
                                   {BaseLoad::tilting, During::motion},
                                   {BaseLoad::turning, During::motion},
                                   {BaseLoad::vertical, During::stop},
                                   {BaseLoad::tilting, During::stop},
                                   {BaseLoad::turning, During::stop}}) {
      const BaseLoad load = of;
      const During during = when;
      const BaseLoadBound bound = largest_base_load(arm, load, during, most, {0.1, 200, [] {}});
      EXPECT_GE(bound.guaranteed, bound.found);
      EXPECT_TRUE(std::isfinite(bound.guaranteed)) << robot.name;
      const auto load_at = [&](std::span<const double> x) {
        MotionOf<double> at = motion(x);
        std::vector<double> qdd(at.qdd.begin(), at.qdd.end());
        if (during == During::stop) {
          const std::vector<double> own = own_inertias(arm, at.q);
          for (std::size_t j = 0; j < qdd.size(); ++j) qdd[j] /= own[j];
          at.qdd = qdd;
        }
        const auto [force, moment] = load_of_base(arm.arm, at);
        const bool is_force = load == BaseLoad::vertical || load == BaseLoad::horizontal;
        const Vec3& v = is_force ? force : moment;
        return load == BaseLoad::vertical || load == BaseLoad::turning ? std::abs(v.z)
                                                                       : std::hypot(v.x, v.y);
      };
      std::vector<Range> at_states = states(arm, 1.0, 3.0);
      EXPECT_LE(largest_found(at_states, load_at), bound.guaranteed * (1.0 + 1e-9)) << robot.name;
      for (std::size_t k = 0; k < arm.dof(); ++k) at_states[k] = {bound.q[k], bound.q[k]};
      EXPECT_GE(largest_found(at_states, load_at), 0.95 * bound.found) << robot.name;
    }
  }
}

// A lower bound of M_jj that boxes use where theirs is not positive.
TEST(LimitedArm, HasLeastInertiasThatHold) {
  std::mt19937_64 random(7);
  for (const char* const name :
       {"ur5e", "stanford", "kuka-iiwa14", "mechanisms/palletizer", "mechanisms/five-bar-spong",
        "mechanisms/scara-quill", "mechanisms/dual-arm-planar"}) {
    const LimitedArm arm(shipped(name));
    for (int trial = 0; trial < 200; ++trial) {
      const std::vector<double> own = own_inertias(arm, random_position(arm, random));
      for (std::size_t j = 0; j < own.size(); ++j) {
        EXPECT_LE(arm.moved.at(j).least + arm.rotors[j], own[j] * (1.0 + 1e-9) + 1e-15)
            << name << " " << j;
      }
    }
  }
}

TEST(LimitedArm, TakesNoCoupledMotors) {
  EXPECT_THROW(LimitedArm(shipped("staubli-tx40")), Error);
}

// The shoulder carries the load at the lower arm alone, the bar at the forearm, since the wrist stays
// level: G_2 = −2943 sin q_2, G_3 = −1044.765 cos q_3 without a load.
TEST(Payload, OfThePalletizerIsTheRestOfTheTorqueOverGAndItsBars) {
  Robot robot = shipped("mechanisms/palletizer");
  robot.payload = {};
  LimitedArm arm(robot);
  const double g = 9.81, most_sine = std::sin(1.5);
  const double shoulder = (6000.0 / most_sine - 300.0 * g) / (1.2 * g),
               bar = (5000.0 - 106.5 * g) / (1.4 * g);
  const ProvenLimit limit = largest_payload(arm, {}, {0.001, 20000, [] {}});
  EXPECT_NEAR(limit.found, shoulder, 1e-9 * shoulder);
  EXPECT_LE(limit.guaranteed, shoulder);
  EXPECT_GE(limit.guaranteed, 0.999 * shoulder);
  EXPECT_EQ(limit.index, 1U);
  // The distance of the TCP from the waist does not count for the load: at any reach that it allows.
  arm.ranges[1] = {-0.7, 0.7};
  const double upright = (6000.0 / std::sin(0.7) - 300.0 * g) / (1.2 * g);
  const ProvenLimit of_bar = largest_payload(arm, {}, {0.001, 20000, [] {}});
  EXPECT_NEAR(of_bar.found, std::min(bar, upright), 1e-9 * bar);
  EXPECT_GE(of_bar.guaranteed, 0.999 * of_bar.found);
  EXPECT_EQ(of_bar.index, 2U);
  EXPECT_NEAR(arm.reach(std::vector{0.4, 0.3, 0.5, 1.0}),
              0.3 + 1.2 * std::sin(0.3) + 1.4 * std::cos(0.5) + 0.25, 1e-12);
}

// A spring that balances the shoulder's gravity leaves its torque to the load.
TEST(Payload, OfABalancedLinkHasTheTorqueToItself) {
  Robot robot = shipped("mechanisms/balanced-link");
  robot.joints[0].limits.torque = 30.0;
  robot.joints[1].limits.torque = 12.0;
  const LimitedArm arm(robot);
  const ProvenLimit limit = largest_payload(arm, {}, {0.001, 20000, [] {}});
  const double expected = std::min(30.0 / (0.9 * 9.81), 12.0 / (0.4 * 9.81));
  EXPECT_NEAR(limit.found, expected, 1e-8 * expected);
  EXPECT_LE(limit.guaranteed, expected * (1.0 + 1e-12));
  EXPECT_GE(limit.guaranteed, 0.999 * expected);
  // What cancels at each position is proven to, though joint 1 changes nothing.
  const ProvenLimit a = largest_accelerations(arm, std::vector{1.0, 1.0}, 0.0, {0.05, 4000, [] {}});
  EXPECT_LE(a.guaranteed, a.found);
  EXPECT_GE(a.guaranteed, 0.95 * a.found);
}

// An origin that moves nothing makes an arm a mechanism, and changes no number.
TEST(Mechanisms, ThatAreSerialHaveTheirNumbers) {
  Robot robot = two_links();
  robot.payload = {2.0, {0.1, 0.0, 0.05}, {}};
  Joint wrist = robot.joints.back();
  wrist.name = "wrist";
  wrist.dh = {0.1, 0.5 * std::numbers::pi, 0.2, 0.0};
  wrist.body.mass = 1.0;
  robot.joints.push_back(wrist);
  const LimitedArm serial(robot);
  robot.joints[1].origin = Placement{};
  const LimitedArm mechanism(robot);
  ASSERT_TRUE(serial.arm.is_serial());
  ASSERT_FALSE(mechanism.arm.is_serial());
  const SearchEffort effort{0.05, 4000, [] {}};
  const auto expect_same = [](const auto& a, const auto& b) {
    EXPECT_NEAR(a.found, b.found, 1e-6 * a.found);
    EXPECT_NEAR(a.guaranteed, b.guaranteed, 0.01 * a.guaranteed);
    EXPECT_GT(a.found, 0.0);
  };
  const LoadCase load{.reach = 0.9, .center = {0.0, 0.0, 0.1}, .accelerations = {1.0, 1.0, 1.0}};
  expect_same(largest_payload(serial, load, effort), largest_payload(mechanism, load, effort));
  const std::vector<double> ratio(serial.dof(), 1.0);
  expect_same(largest_accelerations(serial, ratio, 0.5, effort),
              largest_accelerations(mechanism, ratio, 0.5, effort));
  for (const BaseLoad of : {BaseLoad::vertical, BaseLoad::tilting}) {
    for (const During during : {During::motion, During::stop}) {
      expect_same(largest_base_load(serial, of, during, ratio, effort),
                  largest_base_load(mechanism, of, during, ratio, effort));
    }
  }
  const std::vector<double> q{0.3, -0.4, 0.9};
  EXPECT_NEAR(serial.reach(q), mechanism.reach(q), 1e-12);
  EXPECT_NEAR(effective_mass(serial, q, {1.0, 2.0, 0.5}),
              effective_mass(mechanism, q, {1.0, 2.0, 0.5}), 1e-10);
  const auto a = braked(serial, q, 1, 2.0, 80.0, 0.1), b = braked(mechanism, q, 1, 2.0, 80.0, 0.1);
  EXPECT_NEAR(a.angle, b.angle, 1e-10);
  EXPECT_NEAR(a.time, b.time, 1e-10);
  EXPECT_NEAR(path_deceleration(serial, q, 0, -1.0), path_deceleration(mechanism, q, 0, -1.0),
              1e-8);
}

/// The book's UR5, with the maker's limits.
Robot ur5_by_screws() {
  Robot robot = shipped("mechanisms/ur5-screws");
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    robot.joints[i].limits.torque = i < 3 ? 150.0 : 28.0;
    robot.joints[i].limits.velocity = 3.14;
  }
  return robot;
}

// The book's UR5, and the same arm by the table that its URDF gives: screws are rows that do not move,
// which cost nothing.
TEST(Mechanisms, ThatStandByScrewsHaveTheNumbersOfTheirTable) {
  const Robot robot = ur5_by_screws();
  const Robot table = table_of(tree_of(robot, "a table"), {}).robot;
  const LimitedArm screws(robot), serial(table);
  ASSERT_TRUE(serial.arm.is_serial());
  const std::vector<double> ratio(robot.dof(), 1.0);
  const SearchEffort effort{0.05, 500, [] {}};
  const ProvenLimit a = largest_accelerations(screws, ratio, 0.0, effort);
  const ProvenLimit b = largest_accelerations(serial, ratio, 0.0, effort);
  EXPECT_NEAR(a.found, b.found, 1e-6 * b.found);
  EXPECT_GE(a.guaranteed, 0.95 * b.guaranteed);
  EXPECT_GE(b.guaranteed, 0.75 * b.found);
  const ProvenLimit payload = largest_payload(screws, {}, effort);
  EXPECT_GE(payload.guaranteed, 0.9 * payload.found);
}

// The book's wrist is as heavy to turn as the forearm. Full speed needs what parallel joints ask of each
// other by the angles between links: with products of sines 20,000 boxes proved nothing.
TEST(Accelerations, AtFullSpeedOfAHeavyWristAreProven) {
  const LimitedArm arm(ur5_by_screws());
  const std::vector<double> ratio(arm.dof(), 1.0);
  const ProvenLimit limit = largest_accelerations(arm, ratio, 1.0, {0.05, 1500, [] {}});
  ASSERT_LE(limit.guaranteed, limit.found);
  EXPECT_GE(limit.guaranteed, 0.85 * limit.found);
  const double share =
      largest_found(states(arm, 1.0, limit.guaranteed),
                    [&](std::span<const double> x) { return largest_share(arm, arm.arm, x); });
  EXPECT_LE(share, 1.0 + 1e-9);
  EXPECT_GE(share, 0.8 * limit.guaranteed / limit.found);
}

// Independent of the search and its terms: by Newton-Euler in the chains.
TEST(Mechanisms, KeepTheirLimitsAtRandomStates) {
  std::mt19937_64 random(5);
  Robot robot = shipped("mechanisms/palletizer");
  Spring gas;
  gas.name = "gas";
  gas.from = {"waist", {0.1, -0.4, 0.0}};
  gas.to = {"shoulder", {0.3, 0.05, 0.0}};
  gas.table = {{0.2, 2000.0}, {0.4, 3000.0}, {0.7, 3300.0}};
  robot.springs = {gas};
  const LimitedArm arm(robot);
  const std::vector<double> ratio(arm.dof(), 1.0);
  const ProvenLimit limit = largest_accelerations(arm, ratio, 0.3, {0.05, 3000, [] {}});
  ASSERT_LE(limit.guaranteed, limit.found);
  ASSERT_GE(limit.guaranteed, 0.9 * limit.found);
  const double a = limit.guaranteed;
  double nearest = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    const auto q = random_position(arm, random);
    std::vector<double> qd, qdd;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      qd.push_back((random() & 1U) != 0 ? 0.3 * arm.speeds[i] : -0.3 * arm.speeds[i]);
      qdd.push_back((random() & 1U) != 0 ? a : -a);
    }
    const auto tau = links_torque<double>(arm.arm, q, qd, qdd);
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      const double sign = (tau[i] < 0.0) == (qdd[i] < 0.0) ? 1.0 : -1.0;
      const double drive = std::abs(tau[i]) + sign * arm.rotors[i] * a + arm.losses[i];
      ASSERT_LE(drive, arm.torques[i] * (1.0 + 1e-9));
      nearest = std::max(nearest, drive / arm.torques[i]);
    }
  }
  EXPECT_GE(nearest, 0.8);
}

// The level wrist of the palletizer: the load is 0.25 m below the flange's axis, which is vertical.
TEST(WristLoads, OfALevelWristHaveNoMoment) {
  Robot robot = shipped("mechanisms/palletizer");
  robot.payload = {60.0, {0.1, 0.0, 0.25}, {}};
  const auto loads = wrist_loads(robot);
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_NEAR(loads[0].moment, 0.0, 1e-9);
  EXPECT_NEAR(loads[0].inertia, 60.0 * 0.01, 1e-12);
}

}  // namespace
}  // namespace armdyn
