// A URDF whose angles are typed with few digits: its right angles are right, and all else stands as it
// is written, nearly parallel axes too.

#include <gtest/gtest.h>
#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "dynamics/compare.hpp"
#include "io/robot/robot_text.hpp"
#include "io/robot/urdf.hpp"
#include "support/fifty_digits.hpp"

namespace armdyn {
namespace {

template <class N>
using TripleOf = std::array<N, 3>;
template <class N>
using Matrix3Of = std::array<TripleOf<N>, 3>;
using Triple = TripleOf<double>;

/// Placed by xyz and rpy, as URDF says: Rz(yaw) Ry(pitch) Rx(roll).
struct Place {
  Triple xyz, rpy;
};

template <class N>
Matrix3Of<N> product(const Matrix3Of<N>& A, const Matrix3Of<N>& B) {
  Matrix3Of<N> C{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
    }
  }
  return C;
}

template <class N>
TripleOf<N> product(const Matrix3Of<N>& A, const TripleOf<N>& v) {
  TripleOf<N> w{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) w[i] += A[i][k] * v[k];
  }
  return w;
}

template <class N>
TripleOf<N> sum(const TripleOf<N>& a, const TripleOf<N>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

template <class N>
Matrix3Of<N> turned(const TripleOf<N>& rpy) {
  const N zero(0), one(1);
  const TripleOf<N> s{sin(rpy[0]), sin(rpy[1]), sin(rpy[2])};
  const TripleOf<N> c{cos(rpy[0]), cos(rpy[1]), cos(rpy[2])};
  const Matrix3Of<N> X{{{one, zero, zero}, {zero, c[0], -s[0]}, {zero, s[0], c[0]}}};
  const Matrix3Of<N> Y{{{c[1], zero, s[1]}, {zero, one, zero}, {-s[1], zero, c[1]}}};
  const Matrix3Of<N> Z{{{c[2], -s[2], zero}, {s[2], c[2], zero}, {zero, zero, one}}};
  return product(product(Z, Y), X);
}

/// Links of one body, and joints about their z.
struct PlainArm {
  std::vector<Place> joints;
  Place tool;
  double mass = 3.0;
  Triple com{0.05, -0.1, 0.15};

  [[nodiscard]] std::string urdf() const {
    const auto origin = [](const Place& at) {
      return fmt::format("<origin xyz=\"{} {} {}\" rpy=\"{} {} {}\"/>", at.xyz[0], at.xyz[1],
                         at.xyz[2], at.rpy[0], at.rpy[1], at.rpy[2]);
    };
    std::string text = "<robot name=\"plain\"><link name=\"l0\"/>";
    for (std::size_t i = 0; i < joints.size(); ++i) {
      text += fmt::format(
          "<link name=\"l{1}\"><inertial><origin xyz=\"{2} {3} {4}\"/><mass "
          "value=\"{5}\"/><inertia "
          "ixx=\"0.02\" iyy=\"0.03\" izz=\"0.04\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
          "<joint name=\"j{1}\" type=\"continuous\"><parent link=\"l{0}\"/><child link=\"l{1}\"/>"
          "<axis xyz=\"0 0 1\"/>{6}</joint>",
          i, i + 1, com[0], com[1], com[2], mass, origin(joints[i]));
    }
    return text + fmt::format(
                      "<link name=\"tip\"/><joint name=\"end\" type=\"fixed\"><parent "
                      "link=\"l{}\"/><child link=\"tip\"/>{}</joint></robot>",
                      joints.size(), origin(tool));
  }

  /// Each link's origin, axis z and center of mass, then the tool's origin and z, in the base.
  template <class N>
  struct AtOf {
    TripleOf<N> p, z, com;
    Matrix3Of<N> R;
  };
  using At = AtOf<double>;
  /// With each number of the file as `number` takes it, and 1.5708 and 3.14159 as right angles.
  template <class N, class Number>
  [[nodiscard]] std::vector<AtOf<N>> at(const std::vector<double>& q, Number number) const {
    const auto one_taken = [&](double x) {
      if (std::abs(x) == 1.5708) return number(std::copysign(std::numbers::pi / 2, x));
      return number(x == 3.14159 ? std::numbers::pi : x);
    };
    const auto taken = [&](const Triple& v) {
      return TripleOf<N>{one_taken(v[0]), one_taken(v[1]), one_taken(v[2])};
    };
    std::vector<AtOf<N>> found;
    Matrix3Of<N> R = turned(TripleOf<N>{});
    TripleOf<N> p{};
    const auto go = [&](const Place& place, double angle) {
      p = sum(p, product(R, taken(place.xyz)));
      R = product(product(R, turned(taken(place.rpy))), turned(TripleOf<N>{0, 0, N(angle)}));
      found.push_back({p, {R[0][2], R[1][2], R[2][2]}, sum(p, product(R, taken(com))), R});
    };
    for (std::size_t i = 0; i < joints.size(); ++i) go(joints[i], q[i]);
    go(tool, 0.0);
    return found;
  }
  [[nodiscard]] std::vector<At> at(const std::vector<double>& q) const {
    return at<double>(q, [](double x) { return x; });
  }

  /// Moments of the weights about each axis that hold them.
  template <class N, class Number>
  [[nodiscard]] std::vector<N> gravity(const std::vector<double>& q, Number number) const {
    const std::vector<AtOf<N>> links = at<N>(q, number);
    std::vector<N> tau(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      for (std::size_t k = i; k < joints.size(); ++k) {
        const TripleOf<N>& c = links[k].com;
        const TripleOf<N>&p = links[i].p, &z = links[i].z;
        // z · ((c − p) × (0, 0, m g))
        tau[i] += number(mass) * N(9.81) * (z[0] * (c[1] - p[1]) - z[1] * (c[0] - p[0]));
      }
    }
    return tau;
  }
};

PlainArm arm_of_few_digits() {
  return {{{{0, 0, 0.3}, {0, 0, 0}},
           {{0.1, 0, 0.2}, {1.5708, 0, 0}},
           {{0.4, 0, 3e-7}, {4e-6, -3e-6, 0}},
           {{0, 0.3, 0}, {-1.5708, 0, 1.5708}},
           {{0, 0, 0.25}, {1.5708, 3.14159, 0}}},
          {{0, 0.1, 0.2}, {1.5708, 0, -1.5708}}};
}

std::vector<std::vector<double>> random_positions(std::size_t joints) {
  std::mt19937_64 dice(33);
  std::uniform_real_distribution<double> angle(-3.0, 3.0);
  std::vector<std::vector<double>> all(300, std::vector<double>(joints));
  for (std::vector<double>& q : all) {
    for (double& x : q) x = angle(dice);
  }
  return all;
}

/// What is said of right angles of few digits.
std::vector<std::string> said_of(const PlainArm& arm) {
  std::vector<std::string> said;
  for (const Finding& finding : parse_robot_file(arm.urdf(), "plain.urdf").warnings) {
    if (finding.message.starts_with("rpy: ")) said.push_back(finding.message);
  }
  return said;
}

TEST(UrdfOfFewDigits, IsTheArmOfItsNumbersWithRightAngles) {
  const PlainArm plain = arm_of_few_digits();
  EXPECT_EQ(said_of(plain),
            (std::vector<std::string>{
                "rpy: 1.5708 is taken as a right angle, 7 such angles in all; armdyn convert "
                "--snap 0,0 takes it as written"}));
  const Robot robot = parse_robot_file(plain.urdf(), "plain.urdf").robot;
  EXPECT_TRUE(robot.joints[2].origin);  // 5e-6 rad from parallel to the axis before
  const Arm arm = normalize(robot);
  for (const std::vector<double>& q : random_positions(plain.joints.size())) {
    const PlainArm::At own = plain.at(q).back();
    const Transform tcp = pose(arm, q).tcp_in_world;
    const Vec3 p = tcp.p, rows[] = {tcp.R.row_x, tcp.R.row_y, tcp.R.row_z};
    EXPECT_LE(std::hypot(p.x - own.p[0], p.y - own.p[1], p.z - own.p[2]), 1e-15);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LE(
          std::hypot(rows[i].x - own.R[i][0], rows[i].y - own.R[i][1], rows[i].z - own.R[i][2]),
          1e-14);
    }
  }
}

TEST(UrdfOfFewDigits, KeepsAnglesThatAreNoRightOnes) {
  for (const double angle : {1.57, 1.570812, 1e-5, 1.5707999, 0.7854}) {
    PlainArm plain = arm_of_few_digits();
    plain.joints = {{{0, 0, 0.3}, {0, 0, 0}}, {{0.1, 0, 0.2}, {angle, 0, 0}}};
    plain.tool.rpy = {};
    EXPECT_TRUE(said_of(plain).empty()) << angle;
    EXPECT_DOUBLE_EQ(parse_robot_file(plain.urdf(), "plain.urdf").robot.joints[1].dh.alpha, angle);
  }
  for (const double angle : {1.5708, 1.570796325, 3.1416, 4.71239, 1.57079637, -1.57079}) {
    PlainArm plain{{{{0, 0, 0.3}, {0, 0, 0}}, {{0.1, 0, 0.2}, {angle, 0, 0}}}, {}};
    const double alpha = parse_robot_file(plain.urdf(), "plain.urdf").robot.joints[1].dh.alpha;
    EXPECT_EQ(std::remainder(alpha, std::numbers::pi / 2), 0.0) << angle;
  }
}

// 13 digits are no right angle of few.
TEST(UrdfOfFewDigits, StaysAsWrittenInAMechanism) {
  const auto largest_difference = [](const std::string& third_joint) {
    const auto torque = [&](double angle) {
      PlainArm plain{
          {{{0, 0, 0.3}, {0, 0, 0}}, {{0.1, 0, 0.2}, {angle, 0, 0}}, {{0.4, 0, 0}, {0, 0, 0}}}, {}};
      std::string text = plain.urdf();
      text.insert(text.rfind("</joint><link"), third_joint);
      const Robot robot = parse_robot_file(text, "plain.urdf").robot;
      std::vector<double> tau(robot.dof()), all(robot.dof(), 0.7);
      InverseDynamics(normalize(robot)).torque({all, all, all}, {}, tau);
      return tau;
    };
    const std::vector<double> few = torque(1.5708), many = torque(1.5708000000001);
    double most = 0.0;
    for (std::size_t i = 0; i < few.size(); ++i) {
      most = std::max(most, std::abs(few[i] - many[i]));
    }
    return most;
  };
  EXPECT_LE(largest_difference("<mimic joint=\"j2\"/>"), 1e-11);
  EXPECT_GE(largest_difference(""), 1e-6);
}

using testing::Fifty;

/// Right angles to the last digit of a double, and axes that are skew.
PlainArm arm_of_many_digits() {
  constexpr double right = std::numbers::pi / 2;
  return {{{{0, 0, 0.36}, {0, 0, 0}},
           {{0, 0, 0.2025}, {right, 0, 2 * right}},
           {{0, 0.2045, 0}, {right, 0, 2 * right}},
           {{0.1, 0.02, 0.2155}, {0.3, -0.7, 0.2}},
           {{0, 0.1845, 0}, {-right, 2 * right, 0}}},
          {{0, 0.1, 0.2}, {right, 0, -right}}};
}

// Against the file's own numbers in 50 digits, not through a table.
TEST(UrdfOfFewDigits, HasTheTorquesOfTheFilesArmWithinTheirBounds) {
  for (const PlainArm& plain : {arm_of_few_digits(), arm_of_many_digits()}) {
    const Robot robot = parse_robot_file(plain.urdf(), "plain.urdf").robot;
    const std::size_t n = robot.dof();
    InverseDynamics table(normalize(robot));
    const std::vector<double> still(n);
    for (const InputAccuracy input : {InputAccuracy::none, InputAccuracy::file}) {
      const auto number = [input](double x) {
        return input == InputAccuracy::none ? Fifty(x) : Fifty(fmt::format("{}", x));
      };
      CertifiedTorque certified(robot, input);
      std::vector<std::vector<double>> positions = random_positions(n);
      positions.resize(20);
      for (const std::vector<double>& q : positions) {
        std::vector<double> tau(n), bounds(n);
        table.torque({q, still, still}, {}, tau);
        certified.set({q, still, still}, {});
        certified.errors(tau, bounds);
        const std::vector<Fifty> own = plain.gravity<Fifty>(q, number);
        for (std::size_t i = 0; i < n; ++i) {
          const auto off = static_cast<double>(abs(Fifty(tau[i]) - own[i]));
          EXPECT_GE(bounds[i], off) << "joint " << i;
          EXPECT_LE(bounds[i], 1.001 * off + 1e-25) << "joint " << i;
        }
      }
    }
  }
}

// Skew axes, fixed links and turned inertial frames, moving: against frames alone (1.21).
TEST(UrdfOfFewDigits, HasBoundsOfTheFilesArmInMotion) {
  const std::string text = R"(<robot name="skew"><link name="l0"/>
<link name="l1"><inertial><origin xyz="0.1 0.02 -0.03" rpy="0.4 -0.2 1.1"/><mass value="2"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial></link>
<joint name="j1" type="revolute"><parent link="l0"/><child link="l1"/><axis xyz="1 2 -2"/>
<origin xyz="0 0.1 0.3" rpy="0.1 0.2 0.3"/><limit lower="-2" upper="2" effort="9" velocity="1"/></joint>
<link name="load"><inertial><origin xyz="0 0.2 0"/><mass value="1.5"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="held" type="fixed"><parent link="l1"/><child link="load"/>
<origin xyz="0.2 0 0.1" rpy="1.5708 0 0.5"/></joint>
<link name="l2"><inertial><mass value="1"/>
<inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j2" type="prismatic"><parent link="load"/><child link="l2"/><axis xyz="0 -1 0"/>
<origin xyz="0.1 0 0" rpy="0 1.5708 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/></joint>
<link name="l3"><inertial><origin xyz="0 0 0.1"/><mass value="0.7"/>
<inertia ixx="0.004" iyy="0.004" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j3" type="continuous"><parent link="l2"/><child link="l3"/><axis xyz="0 0 -1"/>
<origin xyz="0 0 0.2" rpy="-1.5708 0 0"/></joint></robot>)";
  const UrdfReport urdf = examine_urdf(text, {}, "skew.urdf");
  ASSERT_TRUE(urdf.chain);
  const Robot robot = parse_robot_file(text, "skew.urdf").robot;
  CertifiedTorque certified(robot, InputAccuracy::file, CertifiedTorque::Of::links);
  const std::vector<double> qd{0.7, -0.4, 1.3}, qdd{-2.0, 1.1, 3.0};
  std::vector<std::vector<double>> positions = random_positions(robot.dof());
  positions.resize(20);
  for (const std::vector<double>& q : positions) {
    const ArmState own = state_of(urdf.chain->chain, {q, qd, qdd});
    std::vector<double> bounds(robot.dof());
    certified.set({q, qd, qdd}, {});
    certified.errors(own.torque, bounds);
    for (const double bound : bounds) EXPECT_LT(bound, 1e-12 * own.effort);
  }
}

}  // namespace
}  // namespace armdyn
