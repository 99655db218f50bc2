#include "datasheet/motion_terms.hpp"

#include <armdyn/robot_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "math/statistics.hpp"
#include "math/taylor_model.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

std::vector<double> random_list(std::mt19937_64& random, std::size_t n, double most) {
  std::vector<double> list(n);
  for (double& x : list) x = uniform(random, -most, most);
  return list;
}

/// Shipped ones, mechanisms too.
std::vector<Robot> robots() {
  std::vector<Robot> robots;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    robots.push_back(read_robot_file(entry.path().string()).robot);
  }
  return robots;
}

/// A palletizer balanced by a gas spring, with a torsion spring of two stiffnesses.
Robot balanced_palletizer() {
  Robot robot = read_robot_file(shipped_robots_folder() + "/mechanisms/palletizer.yaml").robot;
  Spring gas;
  gas.name = "gas";
  gas.from = {"waist", {0.1, -0.4, 0.0}};
  gas.to = {"shoulder", {0.3, 0.05, 0.0}};
  gas.table = {{0.2, 2000.0}, {0.4, 3000.0}, {0.7, 3300.0}};
  Spring wound;
  wound.name = "wound";
  wound.row = {{"shoulder", 1.0}, {"bar", -0.5}};
  wound.rest = 0.2;
  wound.piecewise = {{-1.0, 400.0}, {0.3, 900.0}};
  robot.springs = {gas, wound};
  return robot;
}

/// Arms with axes that are parallel, opposite, at right angles and oblique, with offsets and slides.
Robot random_arm(std::mt19937_64& random) {
  const std::vector<double> angles{0.0, 0.0, std::numbers::pi, 0.5 * std::numbers::pi, 0.7};
  const auto one_of = [&] { return angles[random() % angles.size()]; };
  Robot robot;
  robot.name = "random";
  robot.convention = random() % 2 == 0 ? Convention::standard : Convention::modified;
  robot.gravity = {1.0, -3.0, -9.0};
  robot.base.rpy = {one_of(), 0.3, one_of()};
  for (int i = 0; i < 6; ++i) {
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = random() % 4 == 0 ? JointType::prismatic : JointType::revolute;
    joint.dh = {uniform(random, -0.5, 0.5), one_of(), uniform(random, -0.5, 0.5), one_of()};
    joint.body = {uniform(random, 1.0, 5.0), {0.1, -0.2, 0.15}, {0.3, 0.4, 0.5, 0.02, 0.01, -0.03}};
    if (random() % 3 == 0) joint.origin = Placement{{0.1, -0.2, 0.3}, {one_of(), 0.0, one_of()}};
    robot.joints.push_back(joint);
  }
  return robot;
}

/// rows by the terms at a state.
template <class S>
std::vector<S> rows_of(const MotionTerms<S>& terms, const std::vector<double>& qd,
                       const std::vector<double>& qdd) {
  std::vector<S> rows = terms.rest;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < qd.size(); ++k) {
      rows[r] = rows[r] + terms.inertia(r, k) * qdd[k];
      for (std::size_t j = 0; j <= k; ++j) {
        rows[r] = rows[r] + terms.speeds(r, MotionTerms<S>::pair(j, k)) * (qd[j] * qd[k]);
      }
    }
  }
  return rows;
}

struct State {
  std::vector<double> q, qd, qdd;
};

/// Calls `look(robot, arm, state, rows)` at random states of all robots.
void at_random_states(std::uint64_t seed, const auto& look) {
  std::mt19937_64 random(seed);
  std::vector<Robot> all = robots();
  for (int k = 0; k < 40; ++k) all.push_back(random_arm(random));
  for (const Robot& robot : all) {
    const MovingArm arm(normalize(robot));
    for (int trial = 0; trial < 5; ++trial) {
      const State state{random_list(random, arm.dof(), 3.0), random_list(random, arm.dof(), 2.0),
                        random_list(random, arm.dof(), 4.0)};
      look(robot, arm, state,
           rows_of(motion_terms<double>(arm, state.q, TermsOf::speeds), state.qd, state.qdd));
    }
  }
}

TEST(MotionTerms, TorquesAreThoseOfNewtonEuler) {
  at_random_states(1, [](const Robot& robot, const Arm& arm, const State& at, const auto& rows) {
    const auto tau = links_torque<double>(arm, at.q, at.qd, at.qdd);
    double size = 0.0;
    for (const double x : rows) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      EXPECT_NEAR(rows[base_rows + i], tau[i], 1e-12 * size) << robot.name << " " << i;
    }
  });
}

// The momentum theorem: the base carries the sums of m (a − g), and of its moment and dL/dt.
TEST(MotionTerms, TheBaseCarriesWhatMovesTheLinks) {
  at_random_states(2, [](const Robot& robot, const Arm& arm, const State& at, const auto& rows) {
    Vec3 force, moment;
    const auto add = [&](const Arm& chain, const std::vector<double>& q,
                         const std::vector<double>& qd, const std::vector<double>& qdd) {
      const auto links = worked_recursion<double>(chain, q, qd, qdd).links;
      const std::vector<Transform> frames = link_frames<double>(chain, q);
      for (std::size_t i = 0; i < chain.dof(); ++i) {
        const MassProperties& body = chain.links[i].body;
        const Vec3 f = body.mass * (frames[i].R * links[i].v_dot_com);
        force = force + f;
        moment = moment + cross(frames[i] * body.com, f) + frames[i].R * links[i].N;
      }
    };
    if (arm.is_serial()) add(arm, at.q, at.qd, at.qdd);
    for (const auto& [chain, rows, joints] : arm.chains) {
      const ChainMotion<double> x(rows, MotionOf<double>{at.q, at.qd, at.qdd});
      add(chain, x.q, x.qd, x.qdd);
    }
    const double size = 1.0 + length(force) + length(moment);
    const auto expected = stacked(force, moment);
    for (std::size_t r = 0; r < base_rows; ++r) {
      EXPECT_NEAR(rows[r], expected[r], 1e-12 * size) << robot.name << " " << r;
    }
  });
}

TEST(MotionTerms, AFormOverABoxHoldsWithinIt) {
  std::mt19937_64 random(3);
  std::vector<Robot> robots{balanced_palletizer()};
  for (const char* const name :
       {"ur10e", "stanford", "kuka-iiwa14", "mechanisms/five-bar-spong", "mechanisms/scara-quill",
        "mechanisms/balanced-link", "mechanisms/dual-arm-planar"}) {
    robots.push_back(read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot);
  }
  for (int k = 0; k < 8; ++k) robots.push_back(random_arm(random));
  for (const Robot& robot : robots) {
    const MovingArm arm(normalize(robot));
    const std::size_t n = arm.dof();
    for (const double radius : {1e-3, 0.1, 0.5, 1.5, 3.0}) {
      const auto middle = random_list(random, n, 3.0), qd = random_list(random, n, 2.0),
                 qdd = random_list(random, n, 4.0);
      std::vector<TaylorModel> box;
      for (std::size_t k = 0; k < n; ++k) box.emplace_back(middle[k], radius, k);
      const auto bounds = rows_of(motion_terms<TaylorModel>(arm, box, TermsOf::speeds), qd, qdd);
      for (const TaylorModel& bound : bounds) {
        EXPECT_TRUE(std::isfinite(bound.upper())) << robot.name << " " << radius;
      }
      for (int trial = 0; trial < 200; ++trial) {
        auto q = random_list(random, n, radius);
        for (std::size_t k = 0; k < n; ++k) q[k] += middle[k];
        const auto rows = rows_of(motion_terms<double>(arm, q, TermsOf::speeds), qd, qdd);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          EXPECT_GE(rows[r], bounds[r].lower() - 1e-9) << robot.name;
          EXPECT_LE(rows[r], bounds[r].upper() + 1e-9) << robot.name;
        }
      }
    }
  }
}

// A box of the palletizer of a degree's width is narrow, whatever its joints follow and its springs do.
TEST(MotionTerms, AFormOverASmallBoxIsNarrow) {
  const MovingArm arm(normalize(balanced_palletizer()));
  std::vector<TaylorModel> box;
  for (std::size_t k = 0; k < arm.dof(); ++k) box.emplace_back(0.3, 0.01, k);
  const auto terms = motion_terms<TaylorModel>(arm, box, TermsOf::speeds);
  for (const TaylorModel& x : terms.rest) EXPECT_LE(x.rest(), 0.1);  // of 10⁴ N·m
}

}  // namespace
}  // namespace armdyn
