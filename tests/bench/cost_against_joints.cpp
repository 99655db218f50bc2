// What one torque costs by each formulation, for chains of 2 to 48 revolute joints: processor time,
// medians of several rounds, and the multiplications and additions that Lagrange's algorithm executes.
//
//   build/test/bin/bench_cost_against_joints [--quick]

#include <armdyn/inverse_dynamics.hpp>

#include <string>
#include <vector>

#include "bench/general_arm.hpp"
#include "bench/markdown.hpp"
#include "bench/stopwatch.hpp"
#include "dynamics/counts.hpp"

namespace armdyn::bench {
namespace {

/// s
double one_torque(const Arm& arm, Method method, int rounds) {
  const std::size_t n = arm.dof();
  InverseDynamics dynamics(arm, method);
  const std::vector<double> q = some_values(n, 0.4), qd = some_values(n, 1.1),
                            qdd = some_values(n, 2.3);
  std::vector<double> tau(n), times;
  for (int round = 0; round < rounds; ++round) {
    times.push_back(processor_seconds([&] { dynamics.torque({q, qd, qdd}, {}, tau); }));
  }
  return median(times);
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char**) {
  using namespace armdyn;
  using namespace armdyn::bench;
  const int rounds = argc > 1 ? 1 : 21;
  print_head({"n", "Newton-Euler", "modified", "Lagrange", "Lagrange : Newton-Euler",
              "Lagrange's multiplications / additions"});
  for (const std::size_t n : {2U, 6U, 12U, 24U, 48U}) {
    const Arm arm = general_arm(n);
    const double recursion = one_torque(arm, Method::newton_euler, rounds),
                 modified = one_torque(arm, Method::modified_newton_euler, rounds),
                 lagrange = one_torque(arm, Method::lagrange, rounds);
    const Operations executed = count(arm, Method::lagrange).recursion.as_written;
    const auto time = [](double s) { return figure(1e6 * s) + " µs"; };
    print_row({std::to_string(n), time(recursion), time(modified), time(lagrange),
               figure(lagrange / recursion),
               whole(static_cast<double>(executed.multiplications)) + " / " +
                   whole(static_cast<double>(executed.additions))});
  }
}
