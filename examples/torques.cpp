// Torques of a PUMA 560 at one state, as `armdyn torque` gives them.

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> q{0, 0.7, -1, 0.2, 0.4, 0}, qd(6, 0.5), qdd(6, 1);
  const auto robot = armdyn::read_robot_file(ROBOTS "/puma560.yaml").robot;
  const armdyn::Arm arm = armdyn::normalise(robot);
  for (const double tau : armdyn::torque(arm, {q, qd, qdd})) std::printf("%.17g\n", tau);
}
