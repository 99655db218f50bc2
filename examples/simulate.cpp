// An arm falls for a second without torques; the energy shows how exact that is.

#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cstdio>
#include <vector>

int main() {
  const armdyn::Arm arm =
      armdyn::normalize(armdyn::read_robot_file(ROBOTS "/two-link-spong.yaml").robot);
  armdyn::ConstantTorque torque({0, 0});
  armdyn::SimulationOptions options;
  options.duration = 1.0;  // s
  options.every = 100;     // steps of 1 ms from row to row
  const auto result =
      armdyn::simulate(arm, std::vector<double>{0, 0.5}, std::vector<double>{0, 0}, torque, options,
                       [](const armdyn::SimulationRow& row) {
                         std::printf("%.1f s: %8.4f %8.4f rad\n", row.t, row.q[0], row.q[1]);
                       });
  std::printf("energy %g J, imbalance %.1e J\n", result.energy.at_end, result.energy.imbalance());
}
