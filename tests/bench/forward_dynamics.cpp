// What one acceleration costs by each method of forward dynamics, and how many RK4 steps a second
// that makes, for chains of 2 to 48 revolute joints: processor time, medians of several rounds.
// `fastest_method` follows what this shows.
//
//   build/test/bin/bench_forward_dynamics [--quick]

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <string>
#include <vector>

#include "bench/general_arm.hpp"
#include "bench/markdown.hpp"
#include "bench/stopwatch.hpp"

namespace armdyn::bench {
namespace {

/// s
double one_acceleration(const Arm& arm, ForwardMethod method) {
  const std::size_t n = arm.dof();
  ForwardDynamics dynamics(arm, method);
  const std::vector<double> q = some_values(n, 0.4), qd = some_values(n, 1.1),
                            tau = some_values(n, 2.3);
  std::vector<double> qdd(n);
  return processor_seconds([&] { dynamics.acceleration(q, qd, tau, {}, qdd); });
}

/// s, of many
double one_step(const Arm& arm, ForwardMethod method, double duration) {
  const std::size_t n = arm.dof();
  const std::vector<double> q0 = some_values(n, 0.4), qd0(n);
  SimulationOptions options;
  options.duration = duration;
  options.step = 1e-3;
  options.method = method;
  std::size_t steps = 1;
  const double time = processor_seconds([&] {
    ConstantTorque torque{std::vector<double>(n)};
    steps = simulate(arm, q0, qd0, torque, options, [](const SimulationRow&) {}).steps;
  });
  return time / static_cast<double>(steps);
}

void run(bool quick) {
  constexpr ForwardMethod methods[] = {ForwardMethod::composite, ForwardMethod::articulated,
                                       ForwardMethod::strobe};
  print_head({"n", "composite", "articulated", "strobing", "RK4 steps/s: composite", "articulated",
              "strobing"});
  for (const std::size_t n : {2U, 6U, 7U, 12U, 16U, 24U, 48U}) {
    const Arm arm = general_arm(n, 2.0);  // whose friction keeps a long simulation tame
    std::vector<std::string> cells{std::to_string(n)};
    std::vector<std::vector<double>> times(6);
    for (int round = 0; round < (quick ? 1 : 9); ++round) {
      for (std::size_t k = 0; k < 3; ++k) {
        times[k].push_back(one_acceleration(arm, methods[k]));
        times[3 + k].push_back(one_step(arm, methods[k], quick ? 0.01 : 0.1));
      }
    }
    for (std::size_t k = 0; k < 3; ++k) cells.push_back(figure(1e6 * median(times[k])) + " µs");
    for (std::size_t k = 3; k < 6; ++k) cells.push_back(figure(1 / median(times[k])));
    print_row(cells);
  }
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char**) {
  armdyn::bench::run(argc > 1);
}
