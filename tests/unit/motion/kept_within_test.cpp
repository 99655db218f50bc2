// A motion that is planned for limits keeps them at every time that a double can say, and reaches
// one of them: on arms, profiles, limits and rates by chance.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/trajectory.hpp>

#include <cmath>
#include <random>

#include "motion/trajectory_law.hpp"
#include "support/motion_row.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  double between(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random_);
  }
  /// A number as people write it, or any.
  double limit() {
    const int kind = std::uniform_int_distribution<int>(0, 3)(random_);
    if (kind == 0) return 3.141592653589793;
    if (kind == 1) return std::round(between(1.0, 20.0));
    return std::pow(10.0, between(-3.0, 3.0));
  }
  std::vector<RateLimit> limits(std::size_t dof) {
    std::vector<RateLimit> result;
    for (std::size_t i = 0; i < dof; ++i) result.push_back({limit(), limit()});
    return result;
  }
  std::vector<double> position(std::size_t dof) {
    std::vector<double> q;
    for (std::size_t i = 0; i < dof; ++i) q.push_back(between(-3.0, 3.0));
    return q;
  }

 private:
  std::mt19937_64 random_;
};

void expect_within(const Trajectory& motion, const std::vector<RateLimit>& limits, Chance& chance) {
  double share = 0.0;
  const auto look = [&](double t) {
    const MotionRow row = row_at(motion, t);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      ASSERT_LE(std::abs(row.qd[i]), limits[i].velocity) << i << " " << t;
      ASSERT_LE(std::abs(row.qdd[i]), limits[i].acceleration) << i << " " << t;
    }
  };
  for (const double t : sample_times(motion, chance.between(20.0, 300.0) / motion.end())) look(t);
  for (int k = 0; k < 50; ++k) look(chance.between(motion.begin(), motion.end()));
  const std::vector<RateLimit> peaks = peak_rates(motion);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    ASSERT_LE(peaks[i].velocity, limits[i].velocity);
    ASSERT_LE(peaks[i].acceleration, limits[i].acceleration);
    share = std::max({share, peaks[i].velocity / limits[i].velocity,
                      peaks[i].acceleration / limits[i].acceleration});
  }
  EXPECT_GT(share, 1.0 - 1e-9);
}

TEST(MotionWithinLimits, GoesFromPointToPointByEveryProfile) {
  Chance chance(11);
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> from = chance.position(4), to = chance.position(4);
    const std::vector<RateLimit> limits = chance.limits(4);
    for (const Profile profile :
         {Profile::trapezoid, Profile::cubic, Profile::quintic, Profile::septic, Profile::lspb}) {
      expect_within(point_to_point(from, to, profile, {{}, limits}), limits, chance);
    }
  }
}

TEST(MotionWithinLimits, GoesThroughPointsByEverySpline) {
  Chance chance(12);
  for (int k = 0; k < 40; ++k) {
    Waypoints points;
    for (int row = 0; row < 5; ++row) points.q.push_back(chance.position(3));
    const std::vector<RateLimit> limits = chance.limits(3);
    for (const Profile profile : {Profile::cubic, Profile::quintic, Profile::septic}) {
      expect_within(through(points, profile, {{}, limits}), limits, chance);
    }
  }
}

TEST(MotionWithinLimits, LeadsTheHandOnALine) {
  Chance chance(13);
  int lines = 0;
  for (std::uint64_t seed = 1; seed <= 30 && lines < 6; ++seed) {
    RandomArm random(seed);
    const Arm arm = random.arm(3);
    const std::vector<double> from = random.numbers(3, 1.0);
    std::vector<double> to = from;
    for (double& q : to) q += chance.between(-0.1, 0.1);
    const std::vector<RateLimit> limits = chance.limits(3);
    try {
      expect_within(
          straight_line(arm, from, to, Profile::quintic, {{}, limits}, TcpOrientation::free),
          limits, chance);
      ++lines;
    } catch (const NumericsError&) {  // the arm cannot
    }
  }
  EXPECT_EQ(lines, 6);
}

TEST(MotionWithinLimits, ExcitesUpToPositionsToo) {
  Chance chance(14);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Excitation wanted;
    wanted.seed = seed;
    wanted.period = chance.between(0.5, 20.0);
    for (int i = 0; i < 3; ++i) {
      const double center = chance.between(-2.0, 2.0);
      wanted.center.push_back(center);
      wanted.position.push_back(
          {center - chance.between(0.1, 2.0), center + chance.between(0.1, 2.0)});
    }
    wanted.limits = chance.limits(3);
    const Trajectory motion = excite(wanted);
    const std::vector<JointExtremes> reached = extremes(motion);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(reached[i].highest.value, wanted.position[i].upper);
      EXPECT_GE(reached[i].lowest.value, wanted.position[i].lower);
      EXPECT_LE(reached[i].velocity.value, wanted.limits[i].velocity);
      EXPECT_LE(reached[i].acceleration.value, wanted.limits[i].acceleration);
    }
  }
}

TEST(MotionWithinLimits, IsNotMadeOfOneThatIsBeyond) {
  const std::vector<double> from{0.0}, to{1.0};
  const Trajectory motion = point_to_point(from, to, Profile::cubic, {1.0, {}});
  const Trajectory same = kept_within(motion, {{1.4999, 5.999}}, {{-1.0, 0.999}});
  for (const double t : sample_times(motion, 100.0)) {
    EXPECT_EQ(row_at(same, t).q, row_at(motion, t).q);
    EXPECT_EQ(row_at(same, t).qd, row_at(motion, t).qd);
    EXPECT_EQ(row_at(same, t).qdd, row_at(motion, t).qdd);
  }
}

}  // namespace
}  // namespace armdyn::testing
