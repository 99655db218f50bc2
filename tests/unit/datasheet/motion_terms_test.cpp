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

std::vector<Robot> serial_robots() {
  std::vector<Robot> robots;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    robots.push_back(read_robot_file(entry.path().string()).robot);
  }
  return robots;
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

/// Calls `look(robot, arm, state, rows)` at random states of all serial robots.
void at_random_states(std::uint64_t seed, const auto& look) {
  std::mt19937_64 random(seed);
  for (const Robot& robot : serial_robots()) {
    const Arm arm = normalize(robot);
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
    const auto tau = worked_recursion<double>(arm, at.q, at.qd, at.qdd).tau;
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
    const auto links = worked_recursion<double>(arm, at.q, at.qd, at.qdd).links;
    const std::vector<Transform> frames = link_frames<double>(arm, at.q);
    Vec3 force, moment;
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      const MassProperties& body = arm.links[i].body;
      const Vec3 f = body.mass * (frames[i].R * links[i].v_dot_com);
      force = force + f;
      moment = moment + cross(frames[i] * body.com, f) + frames[i].R * links[i].N;
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
  for (const char* const name : {"ur10e", "stanford", "kuka-iiwa14"}) {
    const Arm arm =
        normalize(read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot);
    const std::size_t n = arm.dof();
    for (const double radius : {1e-3, 0.1, 0.5, 1.5, 3.0}) {
      const auto middle = random_list(random, n, 3.0), qd = random_list(random, n, 2.0),
                 qdd = random_list(random, n, 4.0);
      std::vector<TaylorModel> box;
      for (std::size_t k = 0; k < n; ++k) box.emplace_back(middle[k], radius, k);
      const auto bounds = rows_of(motion_terms<TaylorModel>(arm, box, TermsOf::speeds), qd, qdd);
      for (int trial = 0; trial < 200; ++trial) {
        auto q = random_list(random, n, radius);
        for (std::size_t k = 0; k < n; ++k) q[k] += middle[k];
        const auto rows = rows_of(motion_terms<double>(arm, q, TermsOf::speeds), qd, qdd);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          EXPECT_GE(rows[r], bounds[r].lower() - 1e-9);
          EXPECT_LE(rows[r], bounds[r].upper() + 1e-9);
        }
      }
    }
  }
}

}  // namespace
}  // namespace armdyn
