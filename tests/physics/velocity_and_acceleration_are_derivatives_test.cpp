// Every motion's velocity is the derivative of its position, and its acceleration that of its
// velocity: the texts of the motions are read with 50 digits, differentiated numerically there, and
// the rows that the program makes are held against that.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/excitation.hpp"
#include "motion/spline.hpp"
#include "support/fifty_digits.hpp"
#include "support/motion_row.hpp"

namespace armdyn::testing {
namespace {

constexpr Profile all_profiles[] = {Profile::trapezoid, Profile::cubic, Profile::quintic,
                                    Profile::septic, Profile::lspb};

const std::vector<double> from{1.5707963267948966, 0.0, -0.7, 0.25};
const std::vector<double> to{0.7853981633974483, 0.5235987755982988, -0.7, 1.0 / 3};

Waypoints some_waypoints() {
  return {{},
          {{0.1, 0.2, 0.0}, {0.9, -0.4, 0.0}, {1.0, -0.5, 1.0}, {1.0, 0.6, 0.3}, {-2.0, 0.1, 0.0}}};
}

std::vector<Trajectory> polynomial_motions() {
  const std::vector<RateLimit> limits(4, {0.7, 2.3});
  std::vector<Trajectory> motions;
  for (const Profile profile : all_profiles) {
    motions.push_back(point_to_point(from, to, profile, {1.7, {}}));
    motions.push_back(point_to_point(from, to, profile, {{}, limits}));
  }
  for (const Profile profile : {Profile::cubic, Profile::quintic, Profile::septic}) {
    motions.push_back(through(some_waypoints(), profile, {7.3, {}}));
    Waypoints uneven = some_waypoints();
    uneven.t = {-1.0, -0.9, 0.6, 3.0, 3.25};
    motions.push_back(through(uneven, profile, {}));
  }
  return motions;
}

const PolynomialPieces& pieces_of(const Trajectory& motion) {
  return *TrajectoryLaw::of(motion).at.target<PolynomialPieces>();
}

/// A joint's motion near t with 50 digits, by the piece that holds at t.
class ExactJoint {
 public:
  ExactJoint(const Trajectory& motion, double t, std::size_t joint)
      : piece_(pieces_of(motion).at(t)), joint_(joint) {}

  [[nodiscard]] JointSample<Fifty> at(const Fifty& t) const {
    return evaluate(piece_.joints.at(joint_), Fifty(t - piece_.anchor));
  }
  /// Sum of the magnitudes that are added up for the position, velocity, acceleration.
  [[nodiscard]] JointSample<double> size(double t) const {
    Polynomial c = piece_.joints.at(joint_);
    for (double& coefficient : c) coefficient = std::abs(coefficient);
    return evaluate(c, std::abs(t - piece_.anchor));
  }

 private:
  const PolynomialPiece& piece_;
  std::size_t joint_;
};

TEST(Derivatives, OfPolynomialMotionsAreExact) {
  for (const Trajectory& motion : polynomial_motions()) {
    for (const double t : sample_times(motion, 61.0)) {
      const MotionRow row = row_at(motion, t);
      for (std::size_t i = 0; i < motion.dof(); ++i) {
        const ExactJoint joint(motion, t, i);
        const JointSample<Fifty> exact = joint.at(t);
        const Fifty qd = derivative([&](const Fifty& x) { return joint.at(x).q; }, t);
        const Fifty qdd = derivative([&](const Fifty& x) { return joint.at(x).qd; }, t);
        ASSERT_LE(abs(exact.qd - qd), Fifty("1e-24")) << t;
        ASSERT_LE(abs(exact.qdd - qdd), Fifty("1e-24")) << t;

        // Eight terms, each of which goes through at most 16 roundings; one more for t − anchor.
        const JointSample<double> size = joint.size(t);
        constexpr double rounding = 17 * 1.2e-16;
        const auto off = [](double found, const Fifty& wanted) {
          return abs(Fifty(found) - wanted).convert_to<double>();
        };
        EXPECT_LE(off(row.q[i], exact.q), rounding * size.q) << t;
        EXPECT_LE(off(row.qd[i], exact.qd), rounding * size.qd) << t;
        EXPECT_LE(off(row.qdd[i], exact.qdd), rounding * size.qdd) << t;
      }
    }
  }
}

/// The highest derivative that is the same on both sides of every inner knot, up to `limit`.
int continuous_derivatives(const Trajectory& motion, int limit) {
  const PolynomialPieces& pieces = pieces_of(motion);
  for (int order = 0; order <= limit; ++order) {
    for (std::size_t k = 1; k + 1 < motion.knots().size(); ++k) {
      const double t = motion.knots()[k];
      for (std::size_t i = 0; i < motion.dof(); ++i) {
        const auto side = [&](const PolynomialPiece& piece) {
          double value = 0.0, power = 1.0;
          for (std::size_t j = static_cast<std::size_t>(order); j < 8;
               ++j, power *= t - piece.anchor) {
            double factor = 1.0;
            for (int r = 0; r < order; ++r) factor *= static_cast<double>(j) - r;
            value += factor * piece.joints[i][j] * power;
          }
          return value;
        };
        const double before = side(pieces.at(std::nextafter(t, t - 1.0)));
        const double after = side(pieces.at(t));
        const double size = std::max({1.0, std::abs(before), std::abs(after)});
        if (std::abs(before - after) > 1e-9 * size) return order - 1;
      }
    }
  }
  return limit;
}

TEST(Continuity, ReachesAsHighAsTheDegreeOfTheSplineAllows) {
  EXPECT_EQ(continuous_derivatives(through(some_waypoints(), Profile::cubic, {7.3, {}}), 7), 2);
  EXPECT_EQ(continuous_derivatives(through(some_waypoints(), Profile::quintic, {7.3, {}}), 7), 4);
  EXPECT_EQ(continuous_derivatives(through(some_waypoints(), Profile::septic, {7.3, {}}), 7), 6);
}

TEST(Continuity, OfATrapezoidIsThatOfItsVelocity) {
  for (const Profile profile : {Profile::trapezoid, Profile::lspb}) {
    EXPECT_EQ(continuous_derivatives(point_to_point(from, to, profile, {1.7, {}}), 7), 1);
  }
}

TEST(Derivatives, OfAFourierMotionAreExact) {
  const FourierSeries series{0.3, {0.5, -0.1, -0.1}, {0.4, 0.35, -0.2}};  // Σ kA = 0, Σ k²B = 0
  const double omega = 1.7;
  const auto at = [&](const Fifty& t) {
    return evaluate(series, omega, harmonics(3, Fifty(omega * t)));
  };
  for (double t = -1.0; t < 3.0; t += 0.037) {
    const JointSample<Fifty> exact = at(t);
    EXPECT_LE(abs(exact.qd - derivative([&](const Fifty& x) { return at(x).q; }, t)), 1e-15);
    EXPECT_LE(abs(exact.qdd - derivative([&](const Fifty& x) { return at(x).qd; }, t)), 1e-15);
    const JointSample<double> found = evaluate(series, omega, harmonics(3, omega * t));
    EXPECT_NEAR(found.q, exact.q.convert_to<double>(), 1e-14);
    EXPECT_NEAR(found.qd, exact.qd.convert_to<double>(), 1e-14);
    EXPECT_NEAR(found.qdd, exact.qdd.convert_to<double>(), 1e-13);
  }
}

}  // namespace
}  // namespace armdyn::testing
