#include "dynamics/gross_load.hpp"

#include <algorithm>
#include <cmath>

namespace armdyn {

namespace {

double largest_entry(const SymMat3& I) {
  return std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz), std::abs(I.xy), std::abs(I.yz),
                   std::abs(I.xz)});
}

}  // namespace

std::vector<double> gross_loads(const Arm& arm, std::span<const LinkState<double>> links,
                                const Wrench& hand) {
  std::vector<double> loads(arm.dof());
  double force = length(hand.force);
  double moment = length(hand.moment);
  double arm_of_force = length(arm.tool.p);
  for (std::size_t i = arm.dof(); i-- > 0;) {
    const LinkState<double>& x = links[i];
    const auto& [mass, com, inertia] = arm.links[i].body;
    const double turning = length(x.omega_dot) + length(x.omega) * length(x.omega);
    moment += arm_of_force * force + length(com) * length(x.F) + largest_entry(inertia) * turning;
    force += length(x.F);
    arm_of_force = length(x.frame.p);
    loads[i] = arm.links[i].joint == JointType::revolute ? moment : force;
  }
  return loads;
}

}  // namespace armdyn
