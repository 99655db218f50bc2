// What inverse dynamics refuses.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace armdyn {
namespace {

Arm two_joints() {
  Robot robot;
  robot.joints.resize(2);
  return normalize(robot);
}

TEST(InverseDynamics, RefusesAMotionOfAnotherNumberOfJoints) {
  InverseDynamics inverse(two_joints());
  const std::vector<double> one(1), two(2), three(3);
  std::vector<double> tau(2);
  std::vector<Wrench> reactions(2);
  for (const std::vector<double>& wrong : {one, three}) {
    for (const MotionState& state : {MotionState{wrong, two, two}, MotionState{two, wrong, two},
                                     MotionState{two, two, wrong}}) {
      EXPECT_THROW(inverse.torque(state, {}, tau), std::invalid_argument);
      EXPECT_THROW(inverse.terms(state, {}, {tau, tau, tau, tau, tau, tau}), std::invalid_argument);
      EXPECT_THROW(inverse.reactions(state, {}, reactions), std::invalid_argument);
    }
  }
}

TEST(InverseDynamics, MayBeCopiedAfterItWasMoved) {
  InverseDynamics inverse(two_joints());
  const InverseDynamics moved = std::move(inverse);
  InverseDynamics copy(inverse);  // NOLINT(bugprone-use-after-move)
  copy = moved;
  const std::vector<double> two(2);
  std::vector<double> tau(2);
  EXPECT_NO_THROW(copy.torque({two, two, two}, {}, tau));
}

TEST(InverseDynamics, RefusesAResultOfAnotherNumberOfJoints) {
  InverseDynamics inverse(two_joints());
  const std::vector<double> two(2);
  std::vector<double> tau(1);
  std::vector<Wrench> reactions(1);
  EXPECT_THROW(inverse.torque({two, two, two}, {}, tau), std::invalid_argument);
  EXPECT_THROW(inverse.reactions({two, two, two}, {}, reactions), std::invalid_argument);
}

TEST(InverseDynamics, RefusesEachTermOfAnotherNumberOfJoints) {
  InverseDynamics inverse(two_joints());
  const std::vector<double> two(2);
  for (std::size_t wrong = 0; wrong < 6; ++wrong) {
    std::array<std::vector<double>, 6> parts;
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k].resize(k == wrong ? 1 : 2);
    const TorqueTerms out{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]};
    EXPECT_THROW(inverse.terms({two, two, two}, {}, out), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace armdyn
