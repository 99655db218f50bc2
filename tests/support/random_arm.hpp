#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace armdyn::testing {

/// Arms and states to try a fact on: everything that a robot file can say about mechanics, with the
/// special values (quarter turns, zero lengths, no payload) often enough to meet in any
/// combination.
class RandomArm {
 public:
  explicit RandomArm(std::uint64_t seed) : random_(seed) {}

  Robot robot(std::size_t dof) {
    Robot robot;
    robot.name = "random";
    robot.convention = chance(0.5) ? Convention::standard : Convention::modified;
    if (chance(0.5)) robot.base = {vector(1.0), {angle(), angle(), angle()}};
    for (std::size_t i = 0; i < dof; ++i) {
      Joint joint;
      joint.name = "joint" + std::to_string(i + 1);
      joint.type = chance(0.7) ? JointType::revolute : JointType::prismatic;
      joint.dh = {length(), angle(), length(), angle()};
      joint.body = body(10.0, 0.3);
      robot.joints.push_back(joint);
    }
    if (chance(0.5)) robot.tool = {vector(0.3), {angle(), angle(), angle()}};
    if (chance(0.5)) robot.payload = body(5.0, 0.1);
    return robot;
  }

  Arm arm(std::size_t dof) { return normalize(robot(dof)); }

  std::vector<double> numbers(std::size_t count, double magnitude) {
    std::vector<double> result;
    while (result.size() < count) result.push_back(within(magnitude));
    return result;
  }

  Wrench wrench() { return {vector(20.0), vector(5.0)}; }

  Vec3 vector(double magnitude) {
    const std::vector<double> v = numbers(3, magnitude);
    return {v[0], v[1], v[2]};
  }

 private:
  double within(double magnitude) {
    return std::uniform_real_distribution<double>(-magnitude, magnitude)(random_);
  }
  double positive(double below) { return std::abs(within(below)); }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }

  double length() { return chance(0.3) ? 0.0 : within(0.5); }
  double angle() {
    const int quarters = std::uniform_int_distribution<int>(-3, 3)(random_);
    return chance(0.5) ? within(std::numbers::pi) : quarters * std::numbers::pi / 2;
  }

  /// A solid body: second moments of mass about its principal planes are positive.
  MassProperties body(double mass_below, double size) {
    const double mass = positive(mass_below);
    const double x = mass * positive(size * size), y = mass * positive(size * size),
                 z = mass * positive(size * size);
    const SymMat3 principal{y + z, x + z, x + y, 0.0, 0.0, 0.0};
    if (chance(0.3)) return {mass, vector(size), principal};
    return {mass, vector(size), turned(principal)};
  }

  /// The same tensor in axes turned about x and then z.
  SymMat3 turned(const SymMat3& I) {
    const double s = std::sin(within(3.0)), c = std::sqrt(1.0 - s * s);
    const SymMat3 about_x{I.xx, c * c * I.yy + s * s * I.zz, s * s * I.yy + c * c * I.zz,
                          0.0,  c * s * (I.yy - I.zz),       0.0};
    const double u = std::sin(within(3.0)), v = std::sqrt(1.0 - u * u);
    return {v * v * about_x.xx + u * u * about_x.yy,
            u * u * about_x.xx + v * v * about_x.yy,
            about_x.zz,
            u * v * (about_x.xx - about_x.yy),
            v * about_x.yz,
            -u * about_x.yz};
  }

  std::mt19937_64 random_;
};

}  // namespace armdyn::testing
