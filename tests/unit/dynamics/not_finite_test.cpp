// No result of the library is NaN or infinite: what a double does not hold is refused. The truth is
// the same recursion in 50 digits.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>
#include <optional>

#include "dynamics/compare.hpp"
#include "dynamics/examination.hpp"
#include "dynamics/newton_euler.hpp"
#include "support/fifty_digits.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

struct State {
  std::vector<double> q, qd, qdd;
  Wrench wrench;

  [[nodiscard]] MotionState motion() const { return {q, qd, qdd}; }
};

std::vector<Fifty> exact_torque(const Arm& arm, const State& x) {
  const std::vector<Fifty> q(x.q.begin(), x.q.end()), qd(x.qd.begin(), x.qd.end()),
      qdd(x.qdd.begin(), x.qdd.end());
  std::vector<LinkState<Fifty>> links(arm.dof());
  std::vector<Fifty> tau(arm.dof());
  const ForceAndMoment<Fifty> wrench = constant<Fifty>(x.wrench);
  newton_euler<Fifty>(arm, q, qd, qdd, &wrench, links, tau);
  return tau;
}

std::optional<std::string> refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const NotFinite& error) {
    return error.what();
  }
  return {};
}

/// Something of an arm or a state made as large as a random power of ten, and what a message calls
/// it.
struct TooLarge {
  const char* called;
  std::function<void(Robot&, State&, double)> grow;
};

const TooLarge ways[] = {
    {"qd of ", [](Robot& r, State& x, double big) { x.qd[r.dof() / 2] = big; }},
    {"qdd of ", [](Robot&, State& x, double big) { x.qdd[0] = -big; }},
    {"gravity, ",
     [](Robot& r, State&, double big) {
       r.gravity = {0, big, 0};
     }},
    {"link 4 with its payload, ", [](Robot& r, State&, double big) { r.payload.mass = big; }},
    {"the moment at the TCP, ",
     [](Robot&, State& x, double big) {
       x.wrench.moment = {0, 0, big};
     }},
};

TEST(NotFinite, IsEveryTorqueThatIsTooLargeAndNoOther) {
  std::size_t refused = 0, given = 0;
  for (const TooLarge& way : ways) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      RandomArm random(1000 + seed);
      Robot robot = random.robot(4);
      State x{random.numbers(4, 3.0), random.numbers(4, 2.0), random.numbers(4, 2.0),
              random.wrench()};
      way.grow(robot, x, std::pow(10.0, 120.0 + 3.14 * static_cast<double>(seed)));
      const Arm arm = normalize(robot);
      const std::vector<Fifty> exact = exact_torque(arm, x);
      const bool is_too_large =
          std::ranges::any_of(exact, [](const Fifty& tau) { return abs(tau) > DBL_MAX; });
      std::vector<double> tau(4);
      const auto why = refusal([&] { InverseDynamics(arm).torque(x.motion(), x.wrench, tau); });
      if (why) {
        ++refused;
        EXPECT_NE(why->find("is not a finite number: "), std::string::npos) << *why;
        continue;
      }
      ++given;
      EXPECT_FALSE(is_too_large) << way.called << seed;
      Fifty scale = 0;
      for (const Fifty& value : exact) scale = std::max<Fifty>(scale, abs(value));
      for (std::size_t i = 0; i < 4; ++i) EXPECT_LE(abs(exact[i] - tau[i]), 1e-12 * scale);
    }
  }
  EXPECT_GT(refused, 30U);
  EXPECT_GT(given, 100U);
}

TEST(NotFinite, IsRefusedByABlockWithItsRow) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RandomArm random(seed);
    Robot robot = random.robot(3);
    for (Joint& joint : robot.joints) joint.type = JointType::revolute;
    const Arm arm = normalize(robot);
    constexpr std::size_t rows = 300;
    std::vector<std::vector<double>> columns;
    for (std::size_t i = 0; i < 9; ++i) columns.push_back(random.numbers(rows, 2.0));
    std::vector<Column> all;
    for (const std::vector<double>& column : columns) all.push_back(column.data());
    const std::span<const Column> in(all);
    std::vector<std::vector<double>> found(18, std::vector<double>(rows));
    std::vector<ResultColumn> out;
    for (std::vector<double>& column : found) out.push_back(column.data());
    const std::span<const ResultColumn> results(out);
    const MotionBlock block{rows, in.first(3), in.subspan(3, 3), in.last(3), {}};
    BlockInverseDynamics dynamics(arm);
    EXPECT_NO_THROW(dynamics.torque(block, results.first(3)));
    const std::size_t bad = 11 + 31 * seed;
    columns[8][bad] = 1.7e308;
    columns[8][bad + 5] = 1.7e308;
    columns[3][bad] = 1e200;
    const auto row_of = [&](const std::function<void()>& call) {
      try {
        call();
      } catch (const NotFinite& error) {
        return error.row();
      }
      return rows;
    };
    EXPECT_EQ(row_of([&] { dynamics.torque(block, results.first(3)); }), bad);
    EXPECT_EQ(row_of([&] { dynamics.terms(block, results); }), bad);
    EXPECT_EQ(row_of([&] { dynamics.reactions(block, results); }), bad);
    BlockForwardDynamics forward(arm);
    const ForwardBlock driven{rows, in.first(3), in.subspan(3, 3), in.last(3), {}};
    EXPECT_EQ(row_of([&] { forward.acceleration(driven, results.first(3)); }), bad);
  }
}

TEST(NotFinite, IsRefusedByEveryOtherSingleCall) {
  RandomArm random(5);
  const Arm arm = random.arm(5);
  State x{random.numbers(5, 3.0), random.numbers(5, 2.0), random.numbers(5, 2.0), {}};
  x.qd[1] = 3e180;
  const auto expect_refusal = [](const std::function<void()>& call) {
    const auto why = refusal(call);
    ASSERT_TRUE(why);
    EXPECT_TRUE(why->ends_with(" is not a finite number: an input is too large")) << *why;
  };
  std::vector<double> values(5);
  for (const Method method : all_methods) {
    expect_refusal([&] { InverseDynamics(arm, method).torque(x.motion(), {}, values); });
  }
  for (const ForwardMethod method :
       {ForwardMethod::composite, ForwardMethod::articulated, ForwardMethod::strobe}) {
    expect_refusal(
        [&] { ForwardDynamics(arm, method).acceleration(x.q, x.qd, x.qdd, {}, values); });
  }
  expect_refusal([&] { (void)equations(arm, x.q, x.qd); });
  expect_refusal([&] { (void)link_motions(arm, x.motion()); });
  expect_refusal([&] {
    ComparedState state;
    StateComparer(arm, {compared_method(arm, Method::lagrange)}).compare(x.motion(), {}, state);
  });
}

TEST(NotFinite, IsWhatFollowsFromWhatIsNoNumber) {
  RandomArm random(6);
  const Arm arm = random.arm(3);
  State x{random.numbers(3, 3.0), random.numbers(3, 2.0), random.numbers(3, 2.0), {}};
  x.qd[1] = std::nan("");
  std::vector<double> tau(3);
  EXPECT_TRUE(refusal([&] { InverseDynamics(arm).torque(x.motion(), {}, tau); }));
}

TEST(NotFinite, IsRefusedWhereSquaresOfTorquesAreComparedAndTheTorqueIsFinite) {
  RandomArm random(6);
  const Arm arm = random.arm(3);
  State x{random.numbers(3, 3.0), random.numbers(3, 2.0), {0, 1e170, 0}, {}};
  std::vector<double> tau(3);
  EXPECT_NO_THROW(InverseDynamics(arm).torque(x.motion(), {}, tau));
  const auto why = refusal([&] {
    ComparedState state;
    StateComparer(arm, {}).compare(x.motion(), {}, state);
  });
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("the square of the torque of joint"), std::string::npos) << *why;
}

TEST(NotFinite, IsALoadThatAnExaminationFinds) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RandomArm random(70 + seed);
    Robot robot = random.robot(3);
    EXPECT_FALSE(refusal([&] { (void)examine(robot); }));
    Robot heavy = robot;
    heavy.payload.mass = 1e308;
    heavy.payload.com = {3, 4, 5};
    EXPECT_TRUE(refusal([&] { (void)examine(heavy); }));
    robot.gravity = {1.5e308, 0, 1.5e308};
    EXPECT_TRUE(refusal([&] { (void)examine(robot); }));
  }
}

}  // namespace
}  // namespace armdyn::testing
