// Lines of the TCP whose corners are blended, by the TCP alone: how far it passes from a corner,
// where it is on the lines, and that q, qd and qdd are of one motion.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "motion/tcp_line.hpp"
#include "support/motion_row.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

/// Three lines of a TCP that turns meanwhile, in postures that the TCP leads to.
struct Corners {
  Corners(const std::string& name, const std::vector<double>& start) : from(start) {
    const Robot robot = shipped_robot(name);
    arm = normalize(robot);
    const Transform tcp = pose(arm, from).tcp;
    std::vector<double> q = from;
    const std::vector<Vec3> ways{{0.0, 0.1, 0.02}, {-0.1, 0.12, 0.05}, {-0.1, 0.0, 0.1}};
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const double angle = 0.1 * static_cast<double>(k + 1);
      const Transform goal{rotation_about({angle, 0.0, -angle}) * tcp.R, tcp.p + ways[k]};
      const Trajectory line = straight_line(arm, q, TcpGoal{goal, false}, Profile::cubic, {1.0, {}},
                                            TcpOrientation::interpolated);
      q = row_at(line, line.end()).q;
      stops.push_back({q, goal, k + 1 < ways.size() ? 0.002 * static_cast<double>(k + 1) : 0.0});
    }
  }

  Arm arm;
  std::vector<double> from;
  std::vector<TcpStop> stops;
};

using Posture = std::pair<const char*, std::vector<double>>;

class HandLines : public ::testing::TestWithParam<Posture> {
 protected:
  const Corners corners{GetParam().first, GetParam().second};
  const Trajectory motion =
      tcp_lines(corners.arm, corners.from, corners.stops, TcpOrientation::interpolated);
};

double off_line(const Vec3& p, const Vec3& a, const Vec3& b) {
  return length(cross(p - a, b - a)) / length(b - a);
}

TEST_P(HandLines, PassTheirCornersAtTheBlend) {
  const std::vector<TcpStop>& stops = corners.stops;
  const auto place = [&](double t) { return pose(corners.arm, row_at(motion, t).q).tcp.p; };
  // Line, corner, line, corner, line.
  ASSERT_EQ(motion.knots().size(), 6U);
  for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
    double nearest = 1.0;
    for (int n = 0; n <= 2000; ++n) {
      const double t = std::lerp(motion.knots()[2 * k + 1], motion.knots()[2 * k + 2], n / 2000.0);
      nearest = std::min(nearest, length(place(t) - stops[k].tcp.p));
    }
    EXPECT_NEAR(nearest, stops[k].blend, 1e-6 * stops[k].blend);
  }
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const Vec3 a = k == 0 ? place(0.0) : stops[k - 1].tcp.p, b = stops[k].tcp.p;
    for (const double share : {0.0, 0.2, 0.7, 1.0}) {
      const double t = std::lerp(motion.knots()[2 * k], motion.knots()[2 * k + 1], share);
      EXPECT_LT(off_line(place(t), a, b), 1e-11);
    }
  }
  const std::vector<double> last = row_at(motion, motion.end()).q;
  for (std::size_t i = 0; i < last.size(); ++i) EXPECT_NEAR(last[i], stops.back().q[i], 1e-9);
}

TEST_P(HandLines, HaveRatesOfOneMotionAlsoWhereCornersBegin) {
  const double h = 1e-7;
  for (int n = 1; n < 400; ++n) {
    double t = motion.end() * n / 400;
    if (n <= 4) t = motion.knots()[static_cast<std::size_t>(n)];
    const MotionRow before = row_at(motion, t - h), here = row_at(motion, t),
                    after = row_at(motion, t + h);
    for (std::size_t i = 0; i < motion.dof(); ++i) {
      ASSERT_NEAR(here.qd[i], (after.q[i] - before.q[i]) / (2 * h),
                  1e-6 * (1 + std::abs(here.qd[i])));
      ASSERT_NEAR(here.qdd[i], (after.qd[i] - before.qd[i]) / (2 * h),
                  1e-3 * (1 + std::abs(here.qdd[i])));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arms, HandLines,
                         ::testing::Values(Posture{"ur5e", {3.14, -1.2, 1.2, -1.5, -1.5, 0.0}},
                                           Posture{"franka-panda",
                                                   {0.1, -0.3, 0.2, -2.0, 0.1, 1.8, 0.4}}));

TEST(TcpLine, RefusesABlendWhereTheHandTurnsBack) {
  const Corners corners("ur5e", {3.14, -1.2, 1.2, -1.5, -1.5, 0.0});
  const TcpStop start{corners.from, pose(corners.arm, corners.from).tcp};
  EXPECT_THROW((void)tcp_lines(corners.arm, corners.from, {corners.stops[0], start},
                               TcpOrientation::interpolated),
               NumericsError);
  EXPECT_THROW((void)tcp_lines(corners.arm, corners.from, {corners.stops[0], corners.stops[0]},
                               TcpOrientation::interpolated),
               NumericsError);
}

TEST(TcpLine, SaysAtWhichShareOfAllItsLinesTheHandLeavesItsReach) {
  const Arm arm = normalize(shipped_robot("craig-rr"));  // reaches 1 m
  const std::vector<double> from{0.3, 1.2}, at_corner{0.2, 1.0};
  const Transform start = pose(arm, from).tcp, corner = pose(arm, at_corner).tcp;
  const Transform goal{corner.R, corner.p + Vec3{0.0, 1.0, 0.0}};
  const double first = length(corner.p - start.p);
  const double inside = std::sqrt(1.0 - corner.p.x * corner.p.x) - corner.p.y;
  try {
    (void)tcp_lines(arm, from, {{at_corner, corner, 1e-3}, {at_corner, goal}},
                    TcpOrientation::free);
    FAIL();
  } catch (const NumericsError& error) {
    const std::string text = error.what();
    const std::size_t number = text.find(" at ") + 4;
    EXPECT_NEAR(std::stod(text.substr(number)), 100.0 * (first + inside) / (first + 1.0), 0.02)
        << text;
  }
}

}  // namespace
}  // namespace armdyn::testing
