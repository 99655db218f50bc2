// How many digits of the Cartesian terms are right, as `cartesian` says it, held against terms that
// are derived anew with 50 digits from the Denavit-Hartenberg table: frames as products of the
// table's rows, M from the links' Jacobians, V and G from differences of energies.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>

#include <cmath>
#include <numbers>

#include "model/motors.hpp"
#include "support/fifty_digits.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

using FiftyRow = std::vector<Fifty>;
using Rows = std::vector<FiftyRow>;  // a matrix

Rows zeros(std::size_t rows, std::size_t columns) {
  return Rows(rows, FiftyRow(columns, Fifty(0)));
}

Rows operator*(const Rows& A, const Rows& B) {
  Rows C = zeros(A.size(), B.front().size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < B.front().size(); ++j) {
      for (std::size_t k = 0; k < B.size(); ++k) C[i][j] += A[i][k] * B[k][j];
    }
  }
  return C;
}

Rows turned_over(const Rows& A) {
  Rows B = zeros(A.front().size(), A.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < B.size(); ++j) B[j][i] = A[i][j];
  }
  return B;
}

/// By Gauss and Jordan, with row pivoting.
Rows inverse(Rows A) {
  const std::size_t n = A.size();
  Rows X = zeros(n, n);
  for (std::size_t i = 0; i < n; ++i) X[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (abs(A[i][k]) > abs(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    std::swap(X[k], X[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      const Fifty factor = A[i][k] / A[k][k];
      if (i == k) continue;
      for (std::size_t j = 0; j < n; ++j) A[i][j] -= factor * A[k][j];
      for (std::size_t j = 0; j < n; ++j) X[i][j] -= factor * X[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) X[i][j] /= A[i][i];
  }
  return X;
}

/// Exact at right angles, as the robot file means them.
FiftySinCos sin_cos_of_constant(double angle) {
  const double quarters = angle / (std::numbers::pi / 2);
  if (std::abs(quarters - std::nearbyint(quarters)) > 1e-14) return sin_cos(Fifty(angle));
  const int sines[] = {0, 1, 0, -1};
  const auto turn = static_cast<std::size_t>(std::lround(quarters) + 400);
  return {sines[turn % 4], sines[(turn + 1) % 4]};
}

Rows rotation_z(const FiftySinCos& a) {
  return {{a.cos, -a.sin, 0, 0}, {a.sin, a.cos, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
}
Rows rotation_x(const FiftySinCos& a) {
  return {{1, 0, 0, 0}, {0, a.cos, -a.sin, 0}, {0, a.sin, a.cos, 0}, {0, 0, 0, 1}};
}
Rows shift(const Fifty& x, const Fifty& y, const Fifty& z) {
  return {{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}};
}

/// An arm without base, payload and a turned tool.
class DerivedArm {
 public:
  explicit DerivedArm(const Robot& robot) : robot_(robot) {}

  struct Kinematics {
    Rows J;  // of the tool, 6×n
    Rows M;
    Fifty potential;
  };

  [[nodiscard]] Kinematics at(const FiftyRow& q) const {
    const std::size_t n = q.size();
    std::vector<Rows> axes, frames;  // whose z joint i moves along or about; {i}
    Rows T = shift(0, 0, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto& [a, alpha, d, theta] = robot_.joints[i].dh;
      const bool turns = robot_.joints[i].type == JointType::revolute;
      const FiftySinCos offset = sin_cos_of_constant(theta);
      Rows about_z = rotation_z(offset);
      if (turns) about_z = about_z * rotation_z(sin_cos(q[i]));
      const Rows along_z = shift(0, 0, turns ? Fifty(d) : Fifty(d) + q[i]);
      const Rows about_x = rotation_x(sin_cos_of_constant(alpha));
      const Rows along_x = shift(a, 0, 0);
      if (robot_.convention == Convention::standard) {
        axes.push_back(T);
        T = T * about_z * along_z * along_x * about_x;
      } else {
        T = T * about_x * along_x * about_z * along_z;
        axes.push_back(T);
      }
      frames.push_back(T);
    }
    Kinematics result{zeros(6, n), zeros(n, n), 0};
    const Vec3 tool = robot_.tool.xyz;
    result.J = jacobian(axes, T * Rows{{tool.x}, {tool.y}, {tool.z}, {1}}, n);
    for (std::size_t i = 0; i < n; ++i) add_link(robot_.joints[i], axes, frames[i], i + 1, result);
    for (std::size_t i = 0; i < n; ++i) {
      const Motor& motor = robot_.joints[i].motor;
      if (motor_row(robot_, i)) continue;
      result.M[i][i] += Fifty(motor.gear_ratio) * motor.gear_ratio * motor.rotor_inertia;
    }
    for (const Coupling& A : robot_.couplings) {
      for (std::size_t m = 0; m < A.joints.size(); ++m) {
        const double J = robot_.joints[A.joints[m]].motor.rotor_inertia;
        for (std::size_t i = 0; i < A.joints.size(); ++i) {
          for (std::size_t j = 0; j < A.joints.size(); ++j) {
            result.M[A.joints[i]][A.joints[j]] += Fifty(A.ratio(m, i)) * A.ratio(m, j) * J;
          }
        }
      }
    }
    return result;
  }

 private:
  /// Of a point that the first `moving` joints move.
  [[nodiscard]] Rows jacobian(const std::vector<Rows>& axes, const Rows& point,
                              std::size_t moving) const {
    Rows J = zeros(6, axes.size());
    for (std::size_t i = 0; i < moving; ++i) {
      const FiftyRow z{axes[i][0][2], axes[i][1][2], axes[i][2][2]};
      FiftyRow p;
      for (std::size_t k = 0; k < 3; ++k) p.push_back(point[k][0] - axes[i][k][3]);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t x = (k + 1) % 3, y = (k + 2) % 3;
        const bool turns = robot_.joints[i].type == JointType::revolute;
        J[k][i] = turns ? Fifty(z[x] * p[y] - z[y] * p[x]) : z[k];
        J[k + 3][i] = turns ? z[k] : Fifty(0);
      }
    }
    return J;
  }

  void add_link(const Joint& joint, const std::vector<Rows>& axes, const Rows& frame,
                std::size_t moving, Kinematics& result) const {
    const auto& [mass, com, I] = joint.body;
    const Rows center = frame * Rows{{com.x}, {com.y}, {com.z}, {1}};
    const Rows J = jacobian(axes, center, moving);
    Rows R = zeros(3, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) R[i][j] = frame[i][j];
    }
    const Rows tensor =
        R * Rows{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}} * turned_over(R);
    const Rows Jv(J.begin(), J.begin() + 3), Jw(J.begin() + 3, J.end());
    const Rows moving_mass = turned_over(Jv) * Jv, turning = turned_over(Jw) * tensor * Jw;
    for (std::size_t i = 0; i < result.M.size(); ++i) {
      for (std::size_t j = 0; j < result.M.size(); ++j) {
        result.M[i][j] += mass * moving_mass[i][j] + turning[i][j];
      }
    }
    const Vec3 g = robot_.gravity;
    result.potential -= mass * (g.x * center[0][0] + g.y * center[1][0] + g.z * center[2][0]);
  }

  Robot robot_;
};

Rows column(const FiftyRow& values) {
  Rows result;
  result.reserve(values.size());
  for (const Fifty& value : values) result.push_back({value});
  return result;
}

struct Derived {
  Rows Mx, Vx, Gx;
};

Derived derive(const Robot& robot, const std::vector<double>& q, const std::vector<double>& qd,
               const std::vector<TaskRow>& task) {
  const DerivedArm arm(robot);
  const std::size_t n = q.size();
  const FiftyRow at(q.begin(), q.end()), rates(qd.begin(), qd.end());
  const Fifty h("1e-16");
  const auto moved = [&](const FiftyRow& way, const Fifty& by) {
    FiftyRow there = at;
    for (std::size_t i = 0; i < n; ++i) there[i] += by * way[i];
    return arm.at(there);
  };
  const auto select = [&](const Rows& six) {
    Rows J;
    J.reserve(task.size());
    for (const TaskRow row : task) J.push_back(six[static_cast<std::size_t>(row)]);
    return J;
  };
  const auto half_square = [&](const Rows& M) -> Fifty {
    return (turned_over(column(rates)) * M * column(rates))[0][0] / 2;
  };

  const DerivedArm::Kinematics here = arm.at(at), after = moved(rates, h),
                               before = moved(rates, -h);
  Rows V = zeros(n, 1), G = zeros(n, 1), drift = zeros(task.size(), 1);
  for (std::size_t i = 0; i < n; ++i) {
    FiftyRow unit(n, Fifty(0));
    unit[i] = 1;
    const DerivedArm::Kinematics up = moved(unit, h), down = moved(unit, -h);
    G[i][0] = (up.potential - down.potential) / (2 * h);
    V[i][0] = -(half_square(up.M) - half_square(down.M)) / (2 * h);
    for (std::size_t j = 0; j < n; ++j) {
      V[i][0] += (after.M[i][j] - before.M[i][j]) / (2 * h) * rates[j];
    }
  }
  const Rows J = select(here.J), J_after = select(after.J), J_before = select(before.J);
  for (std::size_t i = 0; i < task.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      drift[i][0] += (J_after[i][j] - J_before[i][j]) / (2 * h) * rates[j];
    }
  }

  Derived result;
  Rows to_task;
  if (task.size() == n) {
    to_task = turned_over(inverse(J));
    result.Mx = to_task * here.M * turned_over(to_task);
  } else {
    const Rows accelerations = inverse(here.M) * turned_over(J);
    result.Mx = inverse(J * accelerations);
    to_task = result.Mx * turned_over(accelerations);
  }
  result.Gx = to_task * G;
  result.Vx = to_task * V;
  const Rows carried = result.Mx * drift;
  for (std::size_t i = 0; i < task.size(); ++i) result.Vx[i][0] -= carried[i][0];
  return result;
}

double right_digits(std::span<const double> found, const Rows& derived) {
  Fifty error = 0, largest = 0;
  std::size_t k = 0;
  for (const FiftyRow& row : derived) {
    for (const Fifty& entry : row) {
      error = std::max<Fifty>(error, abs(found[k++] - entry));
      largest = std::max<Fifty>(largest, abs(entry));
    }
  }
  if (error == 0) return 16.0;
  return std::min(16.0, -log10(Fifty(error / largest)).convert_to<double>());
}

/// Expects the printed digits to be right within one, and returns those of Mx.
int expect_right_digits(const Robot& robot, const std::vector<double>& q,
                        const std::vector<TaskRow>& task) {
  const std::string where = robot.name + " at " + ::testing::PrintToString(q);
  std::vector<double> qd(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) qd[i] = 0.3 + 0.2 * static_cast<double>(i);
  const Cartesian found = cartesian(normalize(robot), q, qd, task);
  EXPECT_TRUE(found.terms) << where << ": " << found.refusal;
  if (!found.terms) return 0;
  const Derived derived = derive(robot, q, qd, task);
  const double Mx = right_digits(found.terms->Mx.entries(), derived.Mx);
  const double Vx = right_digits(found.terms->Vx, derived.Vx);
  const double Gx = right_digits(found.terms->Gx, derived.Gx);
  for (const auto& [said, right] :
       {std::pair{found.digits.Mx, Mx}, {found.digits.Vx, Vx}, {found.digits.Gx, Gx}}) {
    // Beyond twelve chance decides, and the last bits of the arm's constants.
    EXPECT_NEAR(std::min(said + 0.5, 12.5), std::min(right, 12.5), 1.5) << where;
  }
  const int fewest = std::min({found.digits.Mx, found.digits.Vx, found.digits.Gx});
  EXPECT_EQ(found.warning.empty(), fewest >= 10) << where;
  return found.digits.Mx;
}

Robot without_payload(Robot robot) {
  robot.payload = {};
  robot.tool.rpy = {};
  robot.base = {};
  return robot;
}

TEST(CartesianDigits, AreRightNearTheWristsSingularity) {
  for (const char* name : {"puma560", "staubli-tx40", "stanford"}) {
    const Robot robot = without_payload(shipped_robot(name));
    int before = 17;
    for (const double bend : {0.7, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10}) {
      const int digits =
          expect_right_digits(robot, {0.3, -0.8, 0.9, 0.4, bend, -0.6}, all_task_rows());
      EXPECT_LE(digits, before + 1);
      before = digits;
    }
    EXPECT_LE(before, 8) << name;
  }
}

TEST(CartesianDigits, AreRightNearTheStretchedElbow) {
  for (const char* name : {"ur5e", "ur10"}) {
    const Robot robot = without_payload(shipped_robot(name));
    for (const double bend : {0.5, 1e-3, 1e-5, 1e-7, 1e-9}) {
      expect_right_digits(robot, {0.3, -0.8, bend, 0.4, 1.1, -0.6}, all_task_rows());
    }
  }
}

TEST(CartesianDigits, AreRightWithFewerRowsThanJoints) {
  const Robot robot = without_payload(shipped_robot("franka-panda"));
  for (const double bend : {0.5, 1e-3, 1e-5, 1e-7}) {
    expect_right_digits(robot, {0.3, bend, 0.0, -1.4, bend, 1.5, 0.2}, all_task_rows());
  }
}

/// The condition number of one row is 1, however little the arm can move in it.
TEST(CartesianDigits, AreRightForOneRowThatNearlyVanishes) {
  Robot robot = without_payload(shipped_robot("two-link-spong"));
  robot.tool.xyz = {0.2, 0.3, 0.0};
  const double across = -std::atan2(0.3, robot.joints[1].dh.a + 0.2);  // the tool is straight ahead
  for (const double bend : {0.5, 1e-3, 1e-6, 1e-9, 1e-12}) {
    const int digits = expect_right_digits(robot, {bend, across + bend}, {TaskRow::vx});
    if (bend == 1e-12) {
      EXPECT_LT(digits, 7);
    }
  }
  const Robot puma = without_payload(shipped_robot("puma560"));
  // Where the wrist's origin is above the shoulder's axis but for a little.
  for (const double little : {1e-3, 1e-6, 1e-9}) {
    expect_right_digits(puma, {0.2, 1.0 + little, -0.4, 0.0, 0.3, 0.0}, {TaskRow::vz});
  }
}

TEST(CartesianDigits, AreRightOnRandomArms) {
  RandomArm random(90);
  for (int round = 0; round < 12; ++round) {
    const Robot robot = without_payload(random.robot(6));
    const std::vector<double> q = random.numbers(6, 3.0);
    const Cartesian there = cartesian(normalize(robot), q, std::vector<double>(6), all_task_rows());
    if (there.terms) expect_right_digits(robot, q, all_task_rows());
  }
}

}  // namespace
}  // namespace armdyn::testing
