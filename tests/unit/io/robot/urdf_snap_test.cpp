// A URDF whose angles are typed with few digits: what is said of the table that is made of it.

#include <gtest/gtest.h>
#include <armdyn/arm.hpp>
#include <armdyn/certified.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "io/robot/robot_text.hpp"

namespace armdyn {
namespace {

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;

/// Placed by xyz and rpy, as URDF says: Rz(yaw) Ry(pitch) Rx(roll).
struct Place {
  Triple xyz, rpy;
};

Matrix3 product(const Matrix3& A, const Matrix3& B) {
  Matrix3 C{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) C[i][j] += A[i][k] * B[k][j];
    }
  }
  return C;
}

Triple product(const Matrix3& A, const Triple& v) {
  Triple w{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) w[i] += A[i][k] * v[k];
  }
  return w;
}

Triple sum(const Triple& a, const Triple& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Matrix3 turned(const Triple& rpy) {
  const auto [r, p, y] = rpy;
  const Matrix3 X{{{1, 0, 0}, {0, std::cos(r), -std::sin(r)}, {0, std::sin(r), std::cos(r)}}};
  const Matrix3 Y{{{std::cos(p), 0, std::sin(p)}, {0, 1, 0}, {-std::sin(p), 0, std::cos(p)}}};
  const Matrix3 Z{{{std::cos(y), -std::sin(y), 0}, {std::sin(y), std::cos(y), 0}, {0, 0, 1}}};
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

  /// Each link's origin, axis z and centre of mass, then the tool's origin and z, in the base.
  struct At {
    Triple p, z, com;
    Matrix3 R;
  };
  [[nodiscard]] std::vector<At> at(const std::vector<double>& q) const {
    std::vector<At> found;
    Matrix3 R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Triple p{};
    const auto go = [&](const Place& place, double angle) {
      p = sum(p, product(R, place.xyz));
      R = product(product(R, turned(place.rpy)), turned({0, 0, angle}));
      found.push_back({p, {R[0][2], R[1][2], R[2][2]}, sum(p, product(R, com)), R});
    };
    for (std::size_t i = 0; i < joints.size(); ++i) go(joints[i], q[i]);
    go(tool, 0.0);
    return found;
  }

  /// Moments of the weights about each axis that hold them.
  [[nodiscard]] std::vector<double> gravity(const std::vector<double>& q) const {
    const std::vector<At> links = at(q);
    std::vector<double> tau(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      for (std::size_t k = i; k < joints.size(); ++k) {
        const Triple& c = links[k].com;
        const Triple &p = links[i].p, &z = links[i].z;
        // z · ((c − p) × (0, 0, m g))
        tau[i] += mass * 9.81 * (z[0] * (c[1] - p[1]) - z[1] * (c[0] - p[0]));
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

/// What is said of a table that is not quite the arm.
std::vector<std::string> said_of(const PlainArm& arm) {
  std::vector<std::string> said;
  for (const Finding& finding : parse_robot_file(arm.urdf(), "plain.urdf").warnings) {
    if (finding.message.starts_with("taken as exact")) said.push_back(finding.message);
  }
  return said;
}

double number_after(const std::string& text, const std::string& before) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, text.npos) << text;
  return at == text.npos ? 0.0 : std::stod(text.substr(at + before.size()));
}

TEST(SnappedUrdf, MovesTheHandByNoMoreThanIsSaid) {
  const PlainArm plain = arm_of_few_digits();
  ASSERT_EQ(said_of(plain).size(), 1U);
  const std::string text = said_of(plain).front();
  const double place = 1e-6 * number_after(text, "moves by at most ");
  const double turn = 1e-6 * number_after(text, "µm and ");
  const Arm arm = normalise(parse_robot_file(plain.urdf(), "plain.urdf").robot);
  double most_place = 0.0, most_turn = 0.0;
  for (const std::vector<double>& q : random_positions(plain.joints.size())) {
    const PlainArm::At own = plain.at(q).back();
    const Transform hand = pose(arm, q).hand_in_world;
    const Vec3& p = hand.p;
    most_place = std::max(most_place, std::hypot(p.x - own.p[0], p.y - own.p[1], p.z - own.p[2]));
    const Vec3 rows[] = {hand.R.row_x, hand.R.row_y, hand.R.row_z};
    double squares = 0.0;  // ‖R − R'‖² = 8 sin²(φ/2)
    for (std::size_t i = 0; i < 3; ++i) {
      squares += std::pow(rows[i].x - own.R[i][0], 2) + std::pow(rows[i].y - own.R[i][1], 2) +
                 std::pow(rows[i].z - own.R[i][2], 2);
    }
    most_turn = std::max(most_turn, std::sqrt(squares / 2));
  }
  EXPECT_LE(most_place, place);
  EXPECT_LE(most_turn, turn);
  EXPECT_GT(most_place, 0.1 * place);
  EXPECT_GT(most_turn, 0.1 * turn);
}

TEST(SnappedUrdf, HasTheTorquesOfTheFilesArmWithinTheirBounds) {
  const PlainArm plain = arm_of_few_digits();
  const Robot robot = parse_robot_file(plain.urdf(), "plain.urdf").robot;
  const std::size_t n = robot.dof();
  InverseDynamics table(normalise(robot));
  const std::vector<double> still(n);
  for (const InputAccuracy input : {InputAccuracy::none, InputAccuracy::file}) {
    CertifiedTorque certified(robot, input);
    double most = 0.0;
    for (const std::vector<double>& q : random_positions(n)) {
      std::vector<double> tau(n), bounds(n);
      table.torque({q, still, still}, {}, tau);
      certified.set({q, still, still}, {});
      certified.errors(tau, bounds);
      const std::vector<double> own = plain.gravity(q);
      for (std::size_t i = 0; i < n; ++i) {
        const double off = std::abs(tau[i] - own[i]);
        EXPECT_NEAR(bounds[i], off, 1e-12) << "joint " << i;
        most = std::max(most, off);
      }
    }
    EXPECT_GT(most, 1e-5);
  }
}

TEST(SnappedUrdf, TurnsByNoMoreThanAskedThoughThreeAnglesDo) {
  PlainArm plain{{{{0, 0, 0.3}, {0, 0, 0}}}, {{0, 0.1, 0.2}, {1.5e-5, 1.5e-5, 1e-5}}};
  EXPECT_TRUE(said_of(plain).empty());
  plain.tool.rpy = {1e-5, 1e-5, 1e-5};
  EXPECT_EQ(said_of(plain).size(), 1U);
}

TEST(SnappedUrdf, IsNotSpokenOfWhereAnglesAreExact) {
  PlainArm plain = arm_of_few_digits();
  for (Place& place : plain.joints) {
    for (double& angle : place.rpy) angle = std::round(angle) * 0.3;
  }
  plain.tool.rpy = {};
  EXPECT_TRUE(said_of(plain).empty());
}

}  // namespace
}  // namespace armdyn
