// The quantities of the recursion as they are shown, in the user's own frames.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/kinematics.hpp>

#include <cmath>

#include "math/rigid.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

double distance(const Vec3& u, const Vec3& v) {
  const Vec3 d = u - v;
  return std::sqrt(armdyn::dot(d, d));
}

/// The same arm a moment later.
std::vector<double> later(const RandomState& x, double t) {
  std::vector<double> q = x.q;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += t * x.qd[i] + 0.5 * t * t * x.qdd[i];
  return q;
}

TEST(LinkMotion, IsTheDerivativeOfTheFrames) {
  const double h = 1e-4;  // second differences: h² of truncation, 1e-16/h² of rounding
  for_random_states([h](const RandomState& x) {
    const std::vector<LinkMotion> links = link_motions(x.arm, {x.q, x.qd, x.qdd});
    const ArmPose before = pose(x.arm, later(x, -h)), now = pose(x.arm, x.q),
                  after = pose(x.arm, later(x, h));
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto& [R, p] = now.frames[i];
      const Vec3 v = (0.5 / h) * (after.frames[i].p - before.frames[i].p);
      const Vec3 v_dot =
          (1 / h) * ((1 / h) * (after.frames[i].p - p) - (1 / h) * (p - before.frames[i].p));
      EXPECT_LT(distance(R * links[i].v, v), 1e-4);
      EXPECT_LT(distance(R * links[i].v_dot, v_dot + x.arm.v_dot_0), 1e-2);
    }
  });
}

TEST(LinkMotion, AddsUpToTheKineticEnergyOfTheLinks) {
  for_random_states([](const RandomState& x) {
    Robot robot = x.robot;
    robot.payload = {};
    for (Joint& joint : robot.joints) joint.motor = {};
    const Arm arm = normalize(robot);
    const std::vector<LinkMotion> links = link_motions(arm, {x.q, x.qd, x.qdd});
    double kinetic = 0.0;
    for (std::size_t i = 0; i < links.size(); ++i) {  // the masses of the user's own table
      const auto& [mass, com, inertia] = robot.joints[i].body;
      const Vec3 v_c = links[i].v + cross(links[i].omega, com);
      kinetic += 0.5 * mass * armdyn::dot(v_c, v_c) +
                 0.5 * armdyn::dot(links[i].omega, full(inertia) * links[i].omega);
    }
    EXPECT_NEAR(equations(arm, x.q, x.qd).kinetic, kinetic, 1e-12 * kinetic);
  });
}

/// Energies and angular momentum against the matrices of paper 001, which they share nothing with:
/// k_i = ½ Tr{Ṫ J^a Ṫᵗ} with Ṫ of what the link does in its own axes (2.6), N = v(A K) (5.2), and
/// Σ k_i = ½ q̇ᵀ M_links q̇.
TEST(LinkMotion, HasTheEnergyAndTheMomentOfPaper001sMatrices) {
  for_random_states([](const RandomState& x) {
    const Equations e = equations(x.arm, x.q, x.qd);
    const std::vector<double> momentum = times(e.M_links, x.qd);
    double whole = 0.0;
    for (std::size_t i = 0; i < x.qd.size(); ++i) whole += 0.5 * momentum[i] * x.qd[i];
    double kinetic = 0.0, potential = 0.0, size = 0.0;
    for (const LinkMotion& link : link_motions(x.arm, {x.q, x.qd, x.qdd})) {
      const Vec3 &w = link.omega, &v = link.v;
      const Matrix rate =
          matrix({{0, -w.z, w.y, v.x}, {w.z, 0, -w.x, v.y}, {-w.y, w.x, 0, v.z}, {0, 0, 0, 0}});
      double trace = 0.0, scale = 0.0;
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t j = 0; j < 4; ++j) {
          for (std::size_t k = 0; k < 4; ++k) {
            trace += rate(row, j) * link.Ja(j, k) * rate(row, k);
            scale += std::abs(rate(row, j) * link.Ja(j, k) * rate(row, k));
          }
        }
      }
      EXPECT_NEAR(link.kinetic, 0.5 * trace, 1e-13 * scale);

      const auto& [Ax, Ay, Az] = link.A;
      const SymMat3& K = link.K;
      const Vec3 Kx{K.xx, K.xy, K.xz}, Ky{K.xy, K.yy, K.yz}, Kz{K.xz, K.yz, K.zz};
      const Vec3 N{armdyn::dot(Az, Ky) - armdyn::dot(Ay, Kz),
                   armdyn::dot(Ax, Kz) - armdyn::dot(Az, Kx),
                   armdyn::dot(Ay, Kx) - armdyn::dot(Ax, Ky)};
      const double acceleration =
          std::sqrt(armdyn::dot(Ax, Ax) + armdyn::dot(Ay, Ay) + armdyn::dot(Az, Az));
      EXPECT_LE(distance(link.N, N),
                1e-13 * acceleration * (std::abs(K.xx) + std::abs(K.yy) + std::abs(K.zz)));

      // m of J^a: its corner. Euler's equation in the link's axes: N = I ω̇ + ω × I ω.
      EXPECT_LE(distance(link.F, link.Ja(3, 3) * link.v_c_dot), 1e-13 * distance(link.F, {}));
      const double momentum_about_w = armdyn::dot(link.angular_momentum, w);
      EXPECT_NEAR(link.kinetic,
                  0.5 * link.Ja(3, 3) * armdyn::dot(link.v_c, link.v_c) + 0.5 * momentum_about_w,
                  1e-13 * scale);
      EXPECT_NEAR(armdyn::dot(link.angular_momentum, link.omega_dot), armdyn::dot(link.N, w),
                  1e-12 * distance(link.N, {}) * distance(w, {}) + 1e-13);
      kinetic += link.kinetic;
      potential += link.potential;
      size += std::abs(link.potential);
    }
    EXPECT_NEAR(kinetic, whole, 1e-12 * kinetic);
    EXPECT_NEAR(potential, e.potential, 1e-13 * size);
  });
}

/// The velocity coefficients that paper 000 prints for the arm, as 001's C^i, and its energies.
TEST(LinkMotion, OfTheArmOfTwoLinksHasThePapersEnergies) {
  const Robot robot = shipped_robot("craig-rr");
  const double l1 = 0.5, l2 = 0.5, m1 = 4.6, m2 = 2.3, g = 9.81;
  const std::vector<double> q{0.3, 0.7}, qd{0.5, -0.4}, qdd{1.2, -0.8};
  const double s2 = std::sin(0.7), c2 = std::cos(0.7), w1 = 0.5, w12 = 0.5 - 0.4;
  const std::vector<LinkMotion> links = link_motions(normalize(robot), {q, qd, qdd});
  EXPECT_NEAR(links[0].kinetic, 0.5 * m1 * l1 * l1 * w1 * w1, 1e-15);
  EXPECT_NEAR(links[1].kinetic,
              0.5 * m2 * (l1 * l1 * w1 * w1 + l2 * l2 * w12 * w12 + 2 * l1 * l2 * c2 * w1 * w12),
              1e-15);
  EXPECT_NEAR(links[0].potential, m1 * g * l1 * std::sin(0.3), 1e-14);
  EXPECT_NEAR(links[1].potential, m2 * g * (l1 * std::sin(0.3) + l2 * std::sin(1.0)), 1e-14);
  EXPECT_LT(distance(links[1].v_c, {l1 * s2 * w1, l1 * c2 * w1 + l2 * w12, 0}), 1e-15);

  const Equations e = equations(normalize(robot), q, qd);
  const double h = m2 * l1 * l2 * s2;
  expect_near(e.gamma.of(0), matrix({{0, -h}, {-h, -h}}), 1e-14, "C^1");
  expect_near(e.gamma.of(1), matrix({{h, 0}, {0, 0}}), 1e-14, "C^2");
}

TEST(LinkMotion, OfCraigsTwoLinksIsTheBooks) {
  const double l1 = 0.5, l2 = 0.4, m1 = 4.6, m2 = 2.3, g = 9.81;
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -g, 0.0};
  robot.joints.resize(2);
  robot.joints[1].dh.a = l1;
  robot.joints[0].body = {m1, {l1, 0.0, 0.0}, {}};
  robot.joints[1].body = {m2, {l2, 0.0, 0.0}, {}};
  const std::vector<double> q{0.3, 0.7}, qd{0.5, -0.4}, qdd{1.2, -0.8};
  const double s1 = std::sin(0.3), c1 = std::cos(0.3), s2 = std::sin(0.7), c2 = std::cos(0.7),
               s12 = std::sin(1.0), c12 = std::cos(1.0);

  const std::vector<LinkMotion> links = link_motions(normalize(robot), {q, qd, qdd});
  const auto expect = [](const Vec3& found, const Vec3& book) {
    EXPECT_LT(distance(found, book), 1e-14 * 50) << found.x << " " << found.y << " " << found.z;
  };
  const LinkMotion& one = links[0];
  expect(one.omega, {0, 0, 0.5});
  expect(one.omega_dot, {0, 0, 1.2});
  expect(one.v, {0, 0, 0});
  expect(one.v_dot, {g * s1, g * c1, 0});
  expect(one.F, {-m1 * l1 * 0.25 + m1 * g * s1, m1 * l1 * 1.2 + m1 * g * c1, 0});
  expect(one.N, {0, 0, 0});

  const LinkMotion& two = links[1];
  expect(two.omega, {0, 0, 0.1});
  expect(two.omega_dot, {0, 0, 0.4});
  expect(two.v, {l1 * s2 * 0.5, l1 * c2 * 0.5, 0});
  const Vec3 v_dot{l1 * 1.2 * s2 - l1 * 0.25 * c2 + g * s12,
                   l1 * 1.2 * c2 + l1 * 0.25 * s2 + g * c12, 0};
  expect(two.v_dot, v_dot);
  const Vec3 F2{m2 * (v_dot.x - l2 * 0.01), m2 * (v_dot.y + l2 * 0.4), 0};
  expect(two.F, F2);
  expect(two.joint.force, F2);
  expect(two.joint.moment, {0, 0, l2 * F2.y});
}

TEST(BaseReaction, OfAStaticArmIsItsWeight) {
  for_random_states([](const RandomState& x) {
    const std::vector<double> rest(x.arm.dof(), 0.0);
    const LinkMotion first = link_motions(x.arm, {x.q, rest, rest}).front();
    const Vec3 force = x.arm.base.R * (pose(x.arm, x.q).frames.front().R * first.joint.force);
    double mass = x.robot.payload.mass;
    for (const Joint& joint : x.robot.joints) mass += joint.body.mass;
    EXPECT_LT(distance(force, -mass * x.robot.gravity), 1e-12 * mass * 9.81);
  });
}

}  // namespace
}  // namespace armdyn::testing
