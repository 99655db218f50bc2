// What one acceleration costs by each method of forward dynamics, and how many RK4 steps a second
// that makes, for chains of 2 to 48 revolute joints. `fastest_method` follows what this shows.
//
//   build/test/bin/bench_forward_dynamics

#include <benchmark/benchmark.h>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <string>
#include <vector>

#include "bench/general_arm.hpp"

namespace {

using namespace armdyn;
using armdyn::bench::general_arm;
using armdyn::bench::some_values;

/// So that a long simulation stays tame.
Arm damped_arm(std::size_t dof) {
  return general_arm(dof, 2.0);
}

void one_acceleration(benchmark::State& state, ForwardMethod method) {
  const auto n = static_cast<std::size_t>(state.range(0));
  ForwardDynamics dynamics(damped_arm(n), method);
  const std::vector<double> q = some_values(n, 0.4), qd = some_values(n, 1.1),
                            tau = some_values(n, 2.3);
  std::vector<double> qdd(n);
  for (auto _ : state) {
    dynamics.accelerations(q, qd, tau, {}, qdd);
    benchmark::DoNotOptimize(qdd.data());
    benchmark::ClobberMemory();
  }
}

void steps(benchmark::State& state, ForwardMethod method) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Arm arm = damped_arm(n);
  const std::vector<double> q0 = some_values(n, 0.4), qd0(n);
  SimulationOptions options;
  options.duration = 0.1;
  options.step = 1e-3;
  options.forward = method;
  std::size_t taken = 0;
  for (auto _ : state) {
    ConstantTorque torque{std::vector<double>(n)};
    taken += simulate(arm, q0, qd0, torque, options, [](const SimulationRow&) {}).steps;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(taken));
}

}  // namespace

int main(int argc, char** argv) {
  const struct {
    const char* name;
    ForwardMethod method;
  } methods[] = {{"composite", ForwardMethod::composite},
                 {"articulated", ForwardMethod::articulated},
                 {"strobe", ForwardMethod::strobe}};
  for (const auto& [name, method] : methods) {
    auto* const row = benchmark::RegisterBenchmark(
        (std::string("acceleration/") + name).c_str(),
        [method = method](benchmark::State& state) { one_acceleration(state, method); });
    for (const std::int64_t n : {2, 6, 7, 12, 16, 24, 48}) row->Arg(n);
  }
  for (const auto& [name, method] : methods) {
    auto* const row = benchmark::RegisterBenchmark(
        (std::string("rk4_steps/") + name).c_str(),
        [method = method](benchmark::State& state) { steps(state, method); });
    for (const std::int64_t n : {2, 6, 7, 12, 16, 24, 48}) row->Arg(n);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
