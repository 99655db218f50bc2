// Random arms in random states: the three formulations agree within the rounding of the arm's own
// scale.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "fuzz/fuzz.hpp"
#include "support/random_arm.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armdyn;
  std::array<std::uint64_t, 2> words{};
  if (size > 0) std::memcpy(words.data(), data, std::min(size, sizeof words));
  armdyn::testing::RandomArm any(words[0]);
  const std::size_t dof = 1 + words[1] % 12;
  const Arm arm = any.arm(dof);
  const std::vector<double> q = any.numbers(dof, 3), qd = any.numbers(dof, 5),
                            qdd = any.numbers(dof, 20);
  const Wrench wrench = any.wrench();
  std::vector<double> first;
  for (const Method method :
       {Method::newton_euler, Method::modified_newton_euler, Method::lagrange}) {
    std::vector<double> tau(dof);
    InverseDynamics(arm, method).torque({q, qd, qdd}, wrench, tau);
    if (first.empty()) first = tau;
    double largest = 1.0;
    for (const double value : first) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < dof; ++i) {
      fuzz::require(std::abs(tau[i] - first[i]) <= 1e-9 * largest, "the formulations agree");
    }
  }
  return 0;
}
