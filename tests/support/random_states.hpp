#pragma once

#include <functional>
#include <vector>

#include "support/random_arm.hpp"

namespace armdyn::testing {

struct RandomState {
  Robot robot;
  Arm arm;
  std::vector<double> q, qd, qdd;
};

/// Tries a fact on arms of one to eight joints, with rotors, each in a random state.
inline void for_random_states(const std::function<void(RandomState&)>& fact, int rounds = 20) {
  RandomArm random(6);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t dof = 1; dof <= 8; ++dof) {
      RandomState state;
      state.robot = random.robot(dof);
      for (Joint& joint : state.robot.joints) {
        joint.motor.gear_ratio = -50.0;
        joint.motor.rotor_inertia = 1e-4 * std::abs(random.numbers(1, 1.0).front());
      }
      state.arm = normalize(state.robot);
      state.q = random.numbers(dof, 3.0);
      state.qd = random.numbers(dof, 2.0);
      state.qdd = random.numbers(dof, 5.0);
      fact(state);
    }
  }
}

}  // namespace armdyn::testing
