// Inverse kinematics solved with 50 digits and differentiated numerically, held against the joint
// rates that the program takes from J and J̇.

#include <gtest/gtest.h>
#include <armdyn/kinematics.hpp>

#include "dynamics/link_frames.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "motion/tcp_line.hpp"
#include "support/fifty_digits.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

using Vector = std::vector<Fifty>;

/// exp(s φ×) R.
Mat<Fifty> turned(const Fifty& s, const Vec3& phi, const Mat3& R) {
  const double length = std::sqrt(dot(phi, phi));
  if (length == 0.0) return constant<Fifty>(R);
  const Vec3 a = (1.0 / length) * phi;
  const auto [sine, cosine] = sin_cos(Fifty(s * length));
  const Fifty v = 1 - cosine;
  const Mat<Fifty> turn{
      {cosine + v * a.x * a.x, v * a.x * a.y - sine * a.z, v * a.x * a.z + sine * a.y},
      {v * a.y * a.x + sine * a.z, cosine + v * a.y * a.y, v * a.y * a.z - sine * a.x},
      {v * a.z * a.x - sine * a.y, v * a.z * a.y + sine * a.x, cosine + v * a.z * a.z}};
  return turn * constant<Fifty>(R);
}

/// The line of an arm with six joints, from the definition: place and orientation for each s.
class ExactLine {
 public:
  ExactLine(const Arm& arm, const std::vector<double>& from, const std::vector<double>& to)
      : arm_(arm), start_(pose(arm, from).tcp) {
    const Transform goal = pose(arm, to).tcp;
    way_ = goal.p - start_.p;
    turn_ = rotation_vector(goal.R * transposed(start_.R));
  }

  /// q(s) to 45 digits by Newton's method with a Jacobian of 16 digits, from `q` on.
  [[nodiscard]] Vector q(const Fifty& s, const Eigen::VectorXd& start) const {
    const Eigen::MatrixXd J =
        eigen(jacobian(arm_, {start.data(), static_cast<std::size_t>(start.size())}));
    Vector q(start.data(), start.data() + start.size());
    for (int i = 0; i < 8; ++i) {
      const Vector e = rest(s, q);
      Fifty largest(0);
      for (const Fifty& entry : e) largest = std::max(largest, Fifty(abs(entry)));
      if (largest < Fifty("1e-46")) break;
      Eigen::VectorXd scaled(6);
      for (int k = 0; k < 6; ++k)
        scaled(k) = Fifty(e[std::size_t(k)] / largest).convert_to<double>();
      const Eigen::VectorXd step = solve(J, scaled);
      for (int k = 0; k < 6; ++k) q[std::size_t(k)] += largest * step(k);
    }
    return q;
  }

 private:
  [[nodiscard]] Vector rest(const Fifty& s, const Vector& q) const {
    const Frame<Fifty> tcp = tool_frame<Fifty>(arm_, link_frames<Fifty>(arm_, q));
    const Mat<Fifty> R = turned(s, turn_, start_.R);
    const auto error = [&](const Vec<Fifty>& a, const Vec<Fifty>& b) {  // of R tcpᵀ
      return a.x * b.x + a.y * b.y + a.z * b.z;
    };
    return {start_.p.x + s * way_.x - tcp.p.x,
            start_.p.y + s * way_.y - tcp.p.y,
            start_.p.z + s * way_.z - tcp.p.z,
            (error(R.row_z, tcp.R.row_y) - error(R.row_y, tcp.R.row_z)) / 2,
            (error(R.row_x, tcp.R.row_z) - error(R.row_z, tcp.R.row_x)) / 2,
            (error(R.row_y, tcp.R.row_x) - error(R.row_x, tcp.R.row_y)) / 2};
  }

  Arm arm_;
  Transform start_;
  Vec3 way_, turn_;
};

void expect_exact_rates(const Arm& arm, const std::vector<double>& from,
                        const std::vector<double>& to, double tolerance) {
  const std::vector<TcpStop> end{{to, pose(arm, to).tcp}};
  const TcpLine line(arm, from, end, TcpOrientation::interpolated);
  const ExactLine exact(arm, from, to);
  for (const double s : {0.0, 0.137, 0.5, 0.731, 0.99}) {
    const TcpLine::Posture found = line.at(s);
    const Fifty h("1e-12");
    const Vector before = exact.q(s - h, found.q), here = exact.q(s, found.q),
                 after = exact.q(s + h, found.q);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto joint = static_cast<Eigen::Index>(i);
      const double dq = Fifty((after[i] - before[i]) / (2 * h)).convert_to<double>();
      const double ddq = Fifty((after[i] - 2 * here[i] + before[i]) / (h * h)).convert_to<double>();
      EXPECT_NEAR(found.q(joint), here[i].convert_to<double>(), tolerance) << s;
      EXPECT_NEAR(found.dq(joint), dq, tolerance * found.dq.norm()) << s;
      EXPECT_NEAR(found.ddq(joint), ddq, tolerance * found.ddq.norm()) << s;
    }
  }
}

// κ(J) ε = 4e-15 once for q, once more for each derivative, and a few roundings.
constexpr double line_tolerance = 1e-13;

TEST(StraightLine, OfThePaperHasExactRates) {
  const Robot robot = shipped_robot("six-link-jaeri");
  expect_exact_rates(normalize(robot), shipped_pose(robot, "A"), shipped_pose(robot, "B"),
                     line_tolerance);
}

TEST(StraightLine, WithATurningHandHasExactRates) {
  const Arm arm = normalize(shipped_robot("puma560"));
  expect_exact_rates(arm, {0.3, 0.8, -2.0, 0.4, 0.9, -0.3}, {0.7, 1.1, -2.3, -0.5, 0.6, 0.8},
                     line_tolerance);
}

}  // namespace
}  // namespace armdyn::testing
