// What one torque costs by each formulation, for chains of 2 to 48 revolute joints: time, and the
// multiplications and additions that the text executes.
//
//   build/test/bin/bench_cost_against_joints

#include <benchmark/benchmark.h>
#include <armdyn/counts.hpp>
#include <armdyn/dynamics.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace armdyn;

/// No zero and no right angle anywhere.
Arm general_arm(std::size_t dof) {
  Robot robot;
  robot.convention = Convention::modified;
  for (std::size_t i = 0; i < dof; ++i) {
    Joint joint;
    joint.dh = {0.21, 0.7, 0.13, 0.4};
    joint.body = {2.3, {0.05, -0.07, 0.11}, {0.31, 0.43, 0.57, 0.011, -0.023, 0.037}};
    robot.joints.push_back(joint);
  }
  return normalise(robot);
}

std::vector<double> some_values(std::size_t count, double phase) {
  std::vector<double> values;
  while (values.size() < count) {
    values.push_back(std::sin(1.3 * static_cast<double>(values.size()) + phase));
  }
  return values;
}

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
