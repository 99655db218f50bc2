// Torques of a PUMA 560 for each row of a file, as `armdyn torque` gives them: torques MOTION

#include <armdyn/identification.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cstdio>
#include <vector>

/// Where columns begin, as blocks take them.
template <class Pointer>
std::vector<Pointer> places(auto& columns) {
  std::vector<Pointer> begins;
  for (auto& column : columns) begins.push_back(column.data());
  return begins;
}

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: torques MOTION\n");
    return 2;
  }
  const auto robot = armdyn::read_robot_file(ROBOTS "/puma560.yaml").robot;
  const armdyn::LogRows motion = armdyn::read_log(words[1], robot);
  const std::size_t rows = motion.q.front().size();
  const auto q = places<armdyn::Column>(motion.q), qd = places<armdyn::Column>(motion.qd),
             qdd = places<armdyn::Column>(motion.qdd);
  std::vector<std::vector<double>> tau(robot.dof(), std::vector<double>(rows));
  armdyn::BlockInverseDynamics dynamics(armdyn::normalize(robot));
  dynamics.torque({rows, q, qd, qdd, {}}, places<armdyn::ResultColumn>(tau));
  for (std::size_t row = 0; row < rows; ++row) {
    for (const auto& joint : tau) std::printf("%.17g ", joint[row]);
    std::printf("\n");
  }
}
