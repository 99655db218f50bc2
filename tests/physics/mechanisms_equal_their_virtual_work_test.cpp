// Mechanisms at random, with branches, joints that follow others, helical joints, origins, axes and
// springs of all laws:
// their torques are those of d'Alembert's principle, Σ m (a − g)·∂r/∂q + Ḣ·∂φ/∂q + ∂U/∂q, and of the
// viscous friction of joints that follow, Σ b ẋ ∂x/∂q. All derivatives are by differences of 50
// digits, of positions that this file forms from the robot by itself.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <map>
#include <numbers>
#include <random>

#include "dynamics/compare.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "support/fifty_digits.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

using Reals = std::vector<Fifty>;

struct Place {
  std::array<std::array<Fifty, 3>, 3> R{};
  std::array<Fifty, 3> p{};
};

const Place here{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};

Place operator*(const Place& a, const Place& b) {
  Place c;
  for (std::size_t i = 0; i < 3; ++i) {
    c.p[i] = a.p[i];
    for (std::size_t k = 0; k < 3; ++k) {
      c.p[i] += a.R[i][k] * b.p[k];
      for (std::size_t j = 0; j < 3; ++j) c.R[i][j] += a.R[i][k] * b.R[k][j];
    }
  }
  return c;
}

/// A turn about an axis, 0 to 2, whose right angles are meant to be exact; a way along it.
Place turned(std::size_t axis, const Fifty& by) {
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  const Fifty c = cos(by), s = sin(by);
  Place T = here;
  T.R[j][j] = T.R[k][k] = c;
  T.R[j][k] = -s;
  T.R[k][j] = s;
  return T;
}
Place moved(std::size_t axis, const Fifty& by) {
  Place T = here;
  T.p[axis] = by;
  return T;
}

/// The angle that a double stands for: a multiple of π/2 where it is the nearest to one.
Fifty angle(double x) {
  const double quarters = std::nearbyint(x / (0.5 * std::numbers::pi));
  if (x != quarters * (0.5 * std::numbers::pi)) return Fifty(x);
  return Fifty(quarters) * boost::math::constants::half_pi<Fifty>();
}

Place placed_at(const Placement& at) {
  return moved(0, at.xyz.x) * moved(1, at.xyz.y) * moved(2, at.xyz.z) * turned(2, angle(at.rpy.z)) *
         turned(1, angle(at.rpy.y)) * turned(0, angle(at.rpy.x));
}

/// A turn about a line through a point, by Rodrigues' formula, and a way along it.
Place about_axis(const Vec3& axis, const Vec3& point, const Fifty& turn, const Fifty& slide) {
  const Fifty size = sqrt(Fifty(axis.x) * axis.x + Fifty(axis.y) * axis.y + Fifty(axis.z) * axis.z);
  const std::array<Fifty, 3> u{axis.x / size, axis.y / size, axis.z / size},
      at{point.x, point.y, point.z};
  const Fifty c = cos(turn), s = sin(turn);
  Place T;
  T.R = {{{c, -s * u[2], s * u[1]}, {s * u[2], c, -s * u[0]}, {-s * u[1], s * u[0], c}}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) T.R[i][j] += (1 - c) * u[i] * u[j];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    T.p[i] = at[i] + slide * u[i];
    for (std::size_t j = 0; j < 3; ++j) T.p[i] -= T.R[i][j] * at[j];
  }
  return T;
}

/// Load of a spring at x, and the positions where it bends.
Fifty load_of(const Spring& spring, const Fifty& rest, const Fifty& x) {
  if (!spring.table.empty()) {
    std::size_t i = 0;
    while (i + 2 < spring.table.size() && x > spring.table[i + 1].at) ++i;
    const SpringPoint &a = spring.table[i], &b = spring.table[i + 1];
    const Fifty share = (x - a.at) / (Fifty(b.at) - a.at);
    return a.value * (1 - share) + b.value * share;
  }
  if (spring.piecewise.empty()) return spring.preload + spring.stiffness * (x - rest);
  // The stiffness at each place, from rest to x.
  const Fifty end = x - rest;
  Fifty load = spring.preload;
  const std::size_t count = spring.piecewise.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Fifty far = 1000, from = i == 0 ? -far : Fifty(spring.piecewise[i].at),
                to = i + 1 == count ? far : Fifty(spring.piecewise[i + 1].at);
    const auto within = [&](const Fifty& e) { return e < from ? from : e > to ? to : e; };
    load += spring.piecewise[i].value * (within(end) - within(0));
  }
  return load;
}
/// Its integral, from bend to bend; one from rest, or a table's first point, on.
Fifty energy_of(const Spring& spring, const Fifty& rest, const Fifty& x) {
  const Fifty from = spring.table.empty() ? rest : Fifty(spring.table[0].at);
  std::vector<Fifty> places{from, x};
  for (const SpringPoint& point : spring.table) places.emplace_back(point.at);
  for (const SpringPoint& point : spring.piecewise) places.push_back(rest + point.at);
  std::ranges::sort(places);
  const Fifty low = from < x ? from : x, high = from < x ? x : from;
  Fifty sum = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const Fifty &a = places[i - 1], &b = places[i];
    if (a < low || b > high) continue;
    sum += (load_of(spring, rest, a) + load_of(spring, rest, b)) / 2 * (b - a);
  }
  return from < x ? sum : -sum;
}

/// The links of a robot at positions q of the joints that follow none.
class Positions {
 public:
  Positions(const Robot& robot, const Reals& q) : robot_(robot), q_(q) {}

  const Joint& joint(std::size_t k) const {
    return k < robot_.dof() ? robot_.joints[k] : robot_.followers[k - robot_.dof()];
  }
  std::size_t number(const std::string& name) const {
    std::size_t k = 0;
    while (joint(k).name != name) ++k;
    return k;
  }
  Fifty position(std::size_t k) const {
    if (k < robot_.dof()) return q_[k];
    Fifty sum = angle(joint(k).follows->offset);
    for (const auto& [name, factor] : joint(k).follows->row) {
      sum += Fifty(factor) * position(number(name));
    }
    return sum;
  }
  Place link(std::size_t k) const {
    const Joint& of = joint(k);
    const bool first = of.parent == "base" || (of.parent.empty() && k == 0);
    const Place before = first ? here : of.parent.empty() ? link(k - 1) : link(number(of.parent));
    const Fifty x = position(k);
    const bool turns = of.type == JointType::revolute;
    const Fifty theta = angle(of.dh.theta) + (turns ? x : Fifty(0));
    const Fifty per_turn =
        Fifty(of.pitch.value_or(0.0)) / (2 * boost::math::constants::pi<Fifty>());
    const Fifty d = Fifty(of.dh.d) + (turns ? x * per_turn : x);
    if (of.axis) {
      return before * placed_at(of.origin.value_or(Placement{})) *
             about_axis(*of.axis, of.axis_point, turns ? x : Fifty(0), turns ? x * per_turn : x);
    }
    const Place moves = turned(2, theta) * moved(2, d);
    const Place stays = moved(0, of.dh.a) * turned(0, angle(of.dh.alpha));
    const bool standard = robot_.convention == Convention::standard;
    return before * placed_at(of.origin.value_or(Placement{})) *
           (standard ? moves * stays : stays * moves);
  }
  Place point(const LinkPointOf<double>& of) const {
    const Place at{here.R, {of.at.x, of.at.y, of.at.z}};
    return of.link == "base" ? at : link(number(of.link)) * at;
  }
  Fifty spring_energy() const {
    Fifty sum = 0;
    for (const Spring& spring : robot_.springs) {
      Fifty x = 0, rest = spring.free_length;
      if (spring.row.empty()) {
        const Place a = point(spring.from), b = point(spring.to);
        for (std::size_t i = 0; i < 3; ++i) x += (b.p[i] - a.p[i]) * (b.p[i] - a.p[i]);
        x = sqrt(x);
      } else {
        rest = angle(spring.rest);
        for (const auto& [name, factor] : spring.row) x += Fifty(factor) * position(number(name));
      }
      sum += energy_of(spring, rest, x);
    }
    return sum;
  }

 private:
  const Robot& robot_;
  const Reals& q_;
};

using Three = std::array<Fifty, 3>;

/// φ with dR = φ× R, from three R a step apart.
Three turn_of(const Place& before, const Place& at, const Place& after, const Fifty& h) {
  std::array<std::array<Fifty, 3>, 3> W{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        W[i][j] += (after.R[i][k] - before.R[i][k]) / (2 * h) * at.R[j][k];
      }
    }
  }
  return {(W[2][1] - W[1][2]) / 2, (W[0][2] - W[2][0]) / 2, (W[1][0] - W[0][1]) / 2};
}

struct Motion {
  std::vector<double> q, qd, qdd;
};

/// Torques by virtual work.
std::vector<double> virtual_work(const Robot& robot, const Motion& motion) {
  const std::size_t n = robot.dof(), all = n + robot.followers.size();
  const Fifty h("1e-12");
  const auto at_time = [&](const Fifty& t) {
    Reals q;
    for (std::size_t i = 0; i < n; ++i) {
      q.push_back(motion.q[i] + motion.qd[i] * t + Fifty(motion.qdd[i]) / 2 * t * t);
    }
    return q;
  };
  const auto beside = [&](std::size_t i, const Fifty& by) {
    Reals q(motion.q.begin(), motion.q.end());
    q[i] += by;
    return q;
  };
  const auto body_at = [&](std::size_t k, const Reals& q) {
    const Vec3& com = robot.dof() > k ? robot.joints[k].body.com : robot.followers[k - n].body.com;
    return Positions(robot, q).link(k) * moved(0, com.x) * moved(1, com.y) * moved(2, com.z);
  };
  const Place base = placed_at(robot.base);
  Three g{};  // in {0}
  for (std::size_t i = 0; i < 3; ++i) {
    g[i] = base.R[0][i] * robot.gravity.x + base.R[1][i] * robot.gravity.y +
           base.R[2][i] * robot.gravity.z;
  }
  std::vector<Fifty> tau(n, 0);
  for (std::size_t k = 0; k < all; ++k) {
    const MassProperties& body = k < n ? robot.joints[k].body : robot.followers[k - n].body;
    const double m = body.mass;
    const SymMat3& I = body.inertia;
    std::map<int, Place> path;
    for (int step = -2; step <= 2; ++step) path[step] = body_at(k, at_time(step * h));
    const auto rate = [&](int step) {
      return turn_of(path[step - 1], path[step], path[step + 1], h);
    };
    const auto momentum = [&](int step) {  // R I Rᵀ ω
      const Place& T = path[step];
      const Three omega = rate(step);
      const Fifty tensor[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
      Three in_body{}, turned_by{}, result{};
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) in_body[i] += T.R[j][i] * omega[j];
      }
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) turned_by[i] += tensor[i][j] * in_body[j];
      }
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) result[i] += T.R[i][j] * turned_by[j];
      }
      return result;
    };
    const Three before = momentum(-1), after = momentum(1);
    for (std::size_t i = 0; i < n; ++i) {
      const Place back = body_at(k, beside(i, -h)), forth = body_at(k, beside(i, h));
      const Three phi = turn_of(back, path[0], forth, h);
      for (std::size_t c = 0; c < 3; ++c) {
        const Fifty a = (path[1].p[c] - 2 * path[0].p[c] + path[-1].p[c]) / (h * h);
        tau[i] += m * (a - g[c]) * (forth.p[c] - back.p[c]) / (2 * h);
        tau[i] += (after[c] - before[c]) / (2 * h) * phi[c];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Reals back = beside(i, -h), forth = beside(i, h);
    tau[i] += (Positions(robot, forth).spring_energy() - Positions(robot, back).spring_energy()) /
              (2 * h);
    for (std::size_t k = n; k < all; ++k) {
      const auto at = [&](const Reals& q) { return Positions(robot, q).position(k); };
      const Fifty speed = (at(at_time(h)) - at(at_time(-h))) / (2 * h);
      const double viscous = robot.followers[k - n].friction.viscous;
      tau[i] += viscous * speed * (at(forth) - at(back)) / (2 * h);
    }
  }
  std::vector<double> result;
  for (const Fifty& of : tau) result.push_back(of.convert_to<double>());
  return result;
}

/// A mechanism with everything that one can have, the payload left out.
class RandomMechanism {
 public:
  explicit RandomMechanism(std::uint64_t seed) : random_(seed), arms_(seed) {}

  Robot robot() {
    const std::size_t own = 2 + draw(2), followers = draw(4);
    Robot robot = arms_.robot(own + followers);
    robot.payload = {};
    for (std::size_t k = 0; k < own + followers; ++k) {
      Joint& joint = robot.joints[k];
      if (k > 0 && draw(2) == 0) {
        const std::size_t on = draw(k + 1);
        joint.parent = on == k ? "base" : robot.joints[on].name;
      }
      if (joint.type == JointType::revolute && draw(3) == 0) joint.pitch = number(0.4);
      if (draw(4) == 0) {
        constexpr std::array<Vec3, 4> some{Vec3{1.0, 0.0, 0.0}, Vec3{0.0, -2.0, 0.0},
                                           Vec3{0.0, 0.0, -1.0}, Vec3{0.3, 0.0, -0.4}};
        joint.axis = draw(2) == 0 ? arms_.vector(1.0) : some[draw(4)];
        joint.dh = {};
        if (draw(2) == 0) joint.axis_point = arms_.vector(0.3);
      }
      if (draw(2) == 0) {
        joint.origin = {{number(0.5), draw(2) == 0 ? 0.0 : number(0.5), number(0.5)}, {}};
        if (draw(2) == 0) joint.origin->rpy = {right(), right(), right()};
      }
      if (k < own) continue;
      Follows& follows = joint.follows.emplace();
      for (std::size_t j = 0; j < k; ++j) {
        if (draw(2) == 0 || (j + 1 == k && follows.row.empty())) {
          follows.row.push_back({robot.joints[j].name, number(2.0)});
        }
      }
      follows.offset = right();
      joint.friction.viscous = number(3.0) + 3.0;
    }
    for (std::size_t k = 0; k < own + followers; ++k) {
      if (robot.joints[k].parent.empty()) {
        robot.joints[k].parent = k == 0 ? "base" : robot.joints[k - 1].name;
      }
    }
    robot.followers.assign(robot.joints.begin() + static_cast<std::ptrdiff_t>(own),
                           robot.joints.end());
    robot.joints.resize(own);
    robot.tool_link = robot.joints[draw(own)].name;
    if (draw(2) == 0) {
      robot.springs.push_back({.name = "row", .row = {{robot.joints[0].name, number(2.0)}}});
      robot.springs.back().rest = number(1.0);
      give_law(robot.springs.back());
    }
    if (draw(2) == 0) {
      Spring& spring = robot.springs.emplace_back();
      spring.free_length = draw(2) == 0 ? 0.0 : 0.2;
      give_law(spring);
      spring.from = {draw(2) == 0 ? "base" : robot.joints[1].name, arms_.vector(0.3)};
      spring.to = {robot.joints[0].name, arms_.vector(0.3)};
    }
    return robot;
  }

  Motion motion(std::size_t n) {
    return {arms_.numbers(n, 2.0), arms_.numbers(n, 2.0), arms_.numbers(n, 3.0)};
  }

 private:
  std::size_t draw(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  double number(double most) {
    return std::uniform_real_distribution<double>(-most, most)(random_);
  }
  void give_law(Spring& spring) {
    switch (draw(4)) {
      case 0:
        spring.preload = number(5.0);
        spring.piecewise = {{-0.5, 8.0}, {-0.1, 20.0}, {0.3, 12.0}};
        break;
      case 1:
        spring.rest = spring.free_length = 0.0;
        spring.table = {{0.1, -4.0}, {0.2, -3.0}, {0.5, 6.0}, {0.9, 2.0}};
        break;
      case 2:
        spring.preload = number(5.0);
        [[fallthrough]];
      default:
        spring.stiffness = 20.0;
    }
  }
  double right() {
    constexpr std::array some{0.0, 0.5 * std::numbers::pi, -0.5 * std::numbers::pi,
                              std::numbers::pi};
    return draw(3) == 0 ? number(2.0) : some[draw(4)];
  }

  std::mt19937_64 random_;
  RandomArm arms_;
};

TEST(Mechanisms, EqualTheirVirtualWork) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    ASSERT_FALSE(has_error(check(robot))) << seed << " " << check(robot).front().message;
    const Motion x = random.motion(robot.dof());
    const std::vector<double> expected = virtual_work(robot, x);
    const Arm arm = normalize(robot);
    double scale = 1.0;
    for (const double load : gross_loads(arm, {x.q, x.qd, x.qdd}, {})) {
      scale = std::max(scale, load);
    }
    for (const Method method : all_methods) {
      std::vector<double> tau(robot.dof());
      InverseDynamics(arm, method).torque({x.q, x.qd, x.qdd}, {}, tau);
      for (std::size_t i = 0; i < tau.size(); ++i) {
        // No other drive of these arms has any.
        EXPECT_NEAR(tau[i], expected[i], 1e-13 * scale)
            << "seed " << seed << ", joint " << i + 1 << ", " << name(method);
      }
    }
  }
}

TEST(Mechanisms, WithoutFrictionHaveNoneAtJointsThatFollowEither) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomMechanism random(seed);
    Robot robot = random.robot();
    const Motion x = random.motion(robot.dof());
    const std::vector<double> found = torque(without_friction(robot), {x.q, x.qd, x.qdd});
    for (Joint& follower : robot.followers) follower.friction = {};
    EXPECT_EQ(found, torque(normalize(robot), {x.q, x.qd, x.qdd})) << seed;
  }
}

/// Places of a body's center of mass or of the origin of {k} around a state, a step apart.
std::array<Place, 5> path_of(const Robot& robot, std::size_t k, const Motion& motion,
                             const Vec3& point, const Fifty& h) {
  std::array<Place, 5> path;
  for (int step = -2; step <= 2; ++step) {
    const Fifty t = step * h;
    Reals q;
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      q.push_back(motion.q[i] + motion.qd[i] * t + Fifty(motion.qdd[i]) / 2 * t * t);
    }
    path[static_cast<std::size_t>(step + 2)] =
        Positions(robot, q).link(k) * moved(0, point.x) * moved(1, point.y) * moved(2, point.z);
  }
  return path;
}

Three rate_of(const std::array<Place, 5>& path, const Fifty& h) {
  Three v{};
  for (std::size_t c = 0; c < 3; ++c) v[c] = (path[3].p[c] - path[1].p[c]) / (2 * h);
  return v;
}

TEST(Mechanisms, LinksMoveAsTheirPlacesDo) {
  const Fifty h("1e-12");
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    const Arm arm = normalize(robot);
    const Motion x = random.motion(robot.dof());
    const std::vector<LinkMotion> links = link_motions(arm, {x.q, x.qd, x.qdd});
    const std::vector<Matrix> jacobians =
        link_jacobians<double>(arm, x.q, LinkPoint::origin, TaskAxes::base);
    ASSERT_EQ(links.size(), robot.dof() + robot.followers.size());
    double kinetic = 0.0;
    for (std::size_t k = 0; k < links.size(); ++k) {
      const auto path = path_of(robot, k, x, {}, h);
      const Three v = rate_of(path, h), omega = turn_of(path[1], path[2], path[3], h);
      const Vec3 shown[] = {links[k].v, links[k].omega};
      for (std::size_t c = 0; c < 3; ++c) {
        double from_v = 0.0, from_omega = 0.0, by_jacobian[2] = {};
        for (std::size_t a = 0; a < 3; ++a) {
          const double axis = path[2].R[c][a].convert_to<double>();
          from_v += axis * coordinates(shown[0])[a];
          from_omega += axis * coordinates(shown[1])[a];
        }
        for (std::size_t j = 0; j < robot.dof(); ++j) {
          by_jacobian[0] += jacobians[k](c, j) * x.qd[j];
          by_jacobian[1] += jacobians[k](3 + c, j) * x.qd[j];
        }
        EXPECT_NEAR(from_v, v[c].convert_to<double>(), 1e-13) << "seed " << seed << " link " << k;
        EXPECT_NEAR(by_jacobian[0], v[c].convert_to<double>(), 1e-13) << seed << " " << k;
        EXPECT_NEAR(from_omega, omega[c].convert_to<double>(), 1e-13) << seed << " " << k;
        EXPECT_NEAR(by_jacobian[1], omega[c].convert_to<double>(), 1e-13) << seed << " " << k;
      }
      kinetic += links[k].kinetic;
    }
    EXPECT_NEAR(kinetic, equations(arm, x.q, x.qd).kinetic, 1e-12 * (1.0 + kinetic)) << seed;
    EXPECT_EQ(has_reactions(arm), robot.followers.empty() && robot.springs.size() < 2 &&
                                      (robot.springs.empty() || !robot.springs[0].row.empty()))
        << seed;
  }
}

/// Tests whether the link of joint k hangs on that of joint i, or is it.
bool hangs_on(const Robot& robot, std::size_t k, std::size_t i) {
  for (std::optional<std::size_t> link = k; link; link = parent_of(robot, *link)) {
    if (*link == i) return true;
  }
  return false;
}

// A joint of a tree holds what is beyond it: Σ m (a − g), and about a point Σ r × m (a − g) + Ḣ.
TEST(Mechanisms, JointsOfTreesHoldWhatIsBeyond) {
  const Fifty h("1e-12");
  std::size_t branched = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMechanism random(seed);
    Robot robot = random.robot();
    robot.convention = Convention::modified;
    for (Joint& follower : robot.followers) {
      follower.follows.reset();
      robot.joints.push_back(follower);
    }
    robot.followers.clear();
    robot.springs.clear();
    for (Joint& joint : robot.joints) joint.pitch.reset();
    const std::size_t n = robot.dof();
    const Arm arm = normalize(robot);
    if (arm.chains.size() > 1) ++branched;
    const Motion x = random.motion(n);
    std::vector<Wrench> found(n);
    InverseDynamics(arm).reactions({x.q, x.qd, x.qdd}, {}, found);
    const Place base = placed_at(robot.base);
    for (std::size_t i = 0; i < n; ++i) {
      const Place at = path_of(robot, i, x, {}, h)[2];
      Three force{}, moment{};
      double scale = 1.0;
      for (std::size_t k = 0; k < n; ++k) {
        if (!hangs_on(robot, k, i)) continue;
        const MassProperties& body = robot.joints[k].body;
        const auto path = path_of(robot, k, x, body.com, h);
        const auto momentum = [&](std::size_t step) {  // R I Rᵀ ω
          const Three omega = turn_of(path[step - 1], path[step], path[step + 1], h);
          const auto& [xx, yy, zz, xy, yz, xz] = body.inertia;
          const double I[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
          Three result{};
          for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
              for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t d = 0; d < 3; ++d)
                  result[a] += path[step].R[a][b] * I[b][c] * path[step].R[d][c] * omega[d];
          return result;
        };
        const Three before = momentum(1), after = momentum(3);
        Three f{}, r{};
        for (std::size_t c = 0; c < 3; ++c) {
          Fifty g = 0;
          for (std::size_t a = 0; a < 3; ++a) g += base.R[a][c] * coordinates(robot.gravity)[a];
          f[c] = body.mass * ((path[3].p[c] - 2 * path[2].p[c] + path[1].p[c]) / (h * h) - g);
          r[c] = path[2].p[c] - at.p[c];
          force[c] += f[c];
          scale = std::max(scale, std::abs(f[c].convert_to<double>()));
        }
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
          moment[c] += r[a] * f[b] - r[b] * f[a] + (after[c] - before[c]) / (2 * h);
        }
      }
      for (std::size_t c = 0; c < 3; ++c) {  // in axes {i}
        double f = 0.0, m = 0.0;
        for (std::size_t a = 0; a < 3; ++a) {
          f += (at.R[a][c] * force[a]).convert_to<double>();
          m += (at.R[a][c] * moment[a]).convert_to<double>();
        }
        EXPECT_NEAR(coordinates(found[i].force)[c], f, 1e-12 * scale) << seed << " joint " << i;
        EXPECT_NEAR(coordinates(found[i].moment)[c], m, 1e-12 * scale) << seed << " joint " << i;
      }
    }
  }
  EXPECT_GT(branched, 10U);
}

TEST(Mechanisms, HaveNoReactionsWhereJointsFollow) {
  const Arm arm = normalize(shipped_robot("mechanisms/five-bar-spong"));
  const std::vector<double> zero(2);
  std::vector<Wrench> found(2);
  EXPECT_THROW(InverseDynamics(arm).reactions({zero, zero, zero}, {}, found), Error);
  EXPECT_TRUE(std::isnan(link_motions(arm, {zero, zero, zero})[0].joint.force.x));
}

TEST(Mechanisms, RegressorsTimesParametersAreTheirVirtualWork) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    const std::size_t n = robot.dof();
    const Motion x = random.motion(n);
    const std::vector<double> expected = virtual_work(robot, x);
    Regressor regressor(robot, Regressor::Payload::always);
    const std::vector<DynamicParameter>& parameters = regressor.parameters();
    const Matrix Y = regressor.matrix({x.q, x.qd, x.qdd});
    double scale = 1.0;
    std::vector<double> tau(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < parameters.size(); ++k) {
        tau[i] += Y(i, k) * parameters[k].value;
        scale = std::max(scale, std::abs(Y(i, k) * parameters[k].value));
        const std::vector<std::size_t> joints = joints_of(parameters[k], robot);
        EXPECT_TRUE(Y(i, k) == 0.0 || std::ranges::find(joints, i) != joints.end())
            << "seed " << seed << ", " << name(parameters[k]) << " at joint " << i + 1;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(tau[i], expected[i], 1e-13 * scale) << "seed " << seed << ", joint " << i + 1;
    }
    std::vector<Column> inputs[3];
    for (std::size_t i = 0; i < n; ++i) {
      inputs[0].push_back(&x.q[i]);
      inputs[1].push_back(&x.qd[i]);
      inputs[2].push_back(&x.qdd[i]);
    }
    Matrix by_block(n, parameters.size());
    std::vector<ResultColumn> results;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < parameters.size(); ++k) results.push_back(&by_block(i, k));
    }
    regressor.block({1, inputs[0], inputs[1], inputs[2], {}}, results);
    EXPECT_EQ(by_block, Y) << "seed " << seed;
  }
}

TEST(Mechanisms, APayloadIsAPartOfTheLinkWithTheTool) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomMechanism random(seed);
    Robot robot = random.robot();
    robot.tool = {{0.1, -0.2, 0.3}, {0.3, 0.5, -0.4}};
    robot.payload = {2.0, {0.05, 0.1, -0.02}, {0.03, 0.04, 0.05, 0.001, 0.002, -0.001}};
    const Motion x = random.motion(robot.dof());
    const Regressor regressor(robot);
    const Matrix Y = regressor.matrix({x.q, x.qd, x.qdd});
    const std::vector<double> tau = torque(normalize(robot), {x.q, x.qd, x.qdd});
    for (std::size_t i = 0; i < tau.size(); ++i) {
      double sum = 0.0, scale = 1.0;
      for (std::size_t k = 0; k < regressor.parameters().size(); ++k) {
        sum += Y(i, k) * regressor.parameters()[k].value;
        scale = std::max(scale, std::abs(Y(i, k) * regressor.parameters()[k].value));
      }
      EXPECT_NEAR(sum, tau[i], 1e-13 * scale) << "seed " << seed << ", joint " << i + 1;
    }
  }
}

// The links of a plane five-bar make d11 and d22, the cosine and the sine in d12, and those of either
// joint in G: eight numbers (Spong, Hutchinson and Vidyasagar, section on the five-bar linkage).
TEST(Mechanisms, TheFiveBarHasEightBaseParameters) {
  const Robot robot = shipped_robot("mechanisms/five-bar-spong");
  const Regressor regressor(robot);
  const std::vector<std::size_t> bodies = where(regressor.parameters().size(), [&](std::size_t k) {
    return regressor.parameters()[k].kind < ParameterKind::rotor_inertia;
  });
  const BaseParameters base = base_parameters(robot, regressor, bodies);
  std::vector<std::string> found;
  for (const BaseParameter& one : base.combinations) {
    found.push_back(to_text(one, regressor.parameters()));
  }
  EXPECT_EQ(found,
            (std::vector<std::string>{"mx1 + 1.6 mx4 + 0.8 m4", "my1 - 1.6 my4",
                                      "Izz1 + Izz3 + 0.64 m4", "mx2 - mx4 + 0.5 m3", "my2 - my4",
                                      "Izz2 + Izz4 + 0.25 m3", "mx3 - 1.6 mx4", "my3 + 1.6 my4"}));
}

TEST(Mechanisms, BlocksEqualSingleCalls) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    const std::size_t n = robot.dof(), rows = 5;
    const Arm arm = normalize(robot);
    BlockInverseDynamics block(arm);
    std::vector<std::vector<double>> in(3 * n, std::vector<double>(rows)),
        out(n, std::vector<double>(rows));
    std::vector<Motion> motions;
    for (std::size_t row = 0; row < rows; ++row) {
      motions.push_back(random.motion(n));
      for (std::size_t i = 0; i < n; ++i) {
        in[i][row] = motions[row].q[i];
        in[n + i][row] = motions[row].qd[i];
        in[2 * n + i][row] = motions[row].qdd[i];
      }
    }
    std::vector<const double*> places;
    for (const auto& column : in) places.push_back(column.data());
    std::vector<double*> results;
    for (auto& column : out) results.push_back(column.data());
    const std::span all(places);
    block.torque({rows, all.first(n), all.subspan(n, n), all.subspan(2 * n), {}}, results);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::vector<double> tau =
          torque(arm, {motions[row].q, motions[row].qd, motions[row].qdd});
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i][row], tau[i]) << seed;
    }
  }
}

TEST(Mechanisms, ForwardDynamicsInvertsTheTorque) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    const Arm arm = normalize(robot);
    const Motion x = random.motion(robot.dof());
    const Wrench wrench{{3.0, -5.0, 7.0}, {0.5, 0.2, -0.8}};
    const std::vector<double> tau = torque(arm, {x.q, x.qd, x.qdd}, wrench);
    for (const ForwardMethod method :
         {ForwardMethod::composite, ForwardMethod::articulated, ForwardMethod::strobe}) {
      std::vector<double> qdd(robot.dof());
      ForwardDynamics(arm, method).acceleration(x.q, x.qd, tau, wrench, qdd);
      for (std::size_t i = 0; i < qdd.size(); ++i) EXPECT_NEAR(qdd[i], x.qdd[i], 1e-9) << seed;
    }
  }
}

TEST(Mechanisms, TheJacobianMapsForcesToTorques) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    const Arm arm = normalize(robot);
    const Motion x = random.motion(robot.dof());
    const Wrench wrench{{3.0, -5.0, 7.0}, {0.5, 0.2, -0.8}};
    const std::vector<double> still(robot.dof());
    const std::vector<double> with = torque(arm, {x.q, still, still}, wrench),
                              without = torque(arm, {x.q, still, still});
    const Matrix J = jacobian(arm, x.q, TaskAxes::tool);
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      const double force = J(0, i) * 3.0 - J(1, i) * 5.0 + J(2, i) * 7.0 + J(3, i) * 0.5 +
                           J(4, i) * 0.2 - J(5, i) * 0.8;
      EXPECT_NEAR(with[i] - without[i], force, 1e-11) << seed;
    }
  }
}

TEST(Mechanisms, PotentialEnergyHasGravityAsItsSlope) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomMechanism random(seed);
    const Robot robot = random.robot();
    const Arm arm = normalize(robot);
    const Motion x = random.motion(robot.dof());
    const std::vector<double> G = equations(arm, x.q, x.qd).G;
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      std::vector<double> back = x.q, forth = x.q;
      back[i] -= 1e-5;
      forth[i] += 1e-5;
      const double slope = (potential_energy(arm, forth) - potential_energy(arm, back)) / 2e-5;
      EXPECT_NEAR(G[i], slope, 1e-6 * (1.0 + std::abs(G[i]))) << seed;
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
