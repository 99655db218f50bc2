// What one torque costs by each formulation, for chains of 2 to 48 revolute joints: time, and the
// multiplications and additions that the text executes.
//
//   build/test/bin/bench_cost_against_joints

#include <benchmark/benchmark.h>
#include <armdyn/inverse_dynamics.hpp>

#include <string>
#include <vector>

#include "bench/general_arm.hpp"
#include "dynamics/counts.hpp"

namespace {

using namespace armdyn;
using armdyn::bench::general_arm;
using armdyn::bench::some_values;

void one_torque(benchmark::State& state, Method method) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Arm arm = general_arm(n);
  InverseDynamics dynamics(arm, method);
  const std::vector<double> q = some_values(n, 0.4), qd = some_values(n, 1.1),
                            qdd = some_values(n, 2.3);
  std::vector<double> tau(n);
  for (auto _ : state) {
    dynamics.torque({q, qd, qdd}, {}, tau);
    benchmark::DoNotOptimize(tau.data());
    benchmark::ClobberMemory();
  }
  const Operations executed = count(arm, method).recursion.as_written;
  state.counters["multiplications"] = static_cast<double>(executed.multiplications);
  state.counters["additions"] = static_cast<double>(executed.additions);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Method method : all_methods) {
    auto* const row = benchmark::RegisterBenchmark(
        std::string(name(method)).c_str(),
        [method](benchmark::State& state) { one_torque(state, method); });
    for (const std::int64_t n : {2, 6, 12, 24, 48}) row->Arg(n);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
