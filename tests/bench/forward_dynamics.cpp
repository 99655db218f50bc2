// What one acceleration costs by each method of forward dynamics, and how many RK4 steps a second
// that makes, for chains of 2 to 48 revolute joints. `fastest_method` follows what this shows.
//
//   build/test/bin/bench_forward_dynamics

#include <benchmark/benchmark.h>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace armdyn;

/// No zero and no right angle anywhere; viscous joints, so that a long simulation stays tame.
Arm general_arm(std::size_t dof) {
  Robot robot;
  robot.convention = Convention::modified;
  for (std::size_t i = 0; i < dof; ++i) {
    Joint joint;
    joint.dh = {0.21, 0.7, 0.13, 0.4};
    joint.body = {2.3, {0.05, -0.07, 0.11}, {0.31, 0.43, 0.57, 0.011, -0.023, 0.037}};
    joint.friction.viscous = 2.0;
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

void one_acceleration(benchmark::State& state, ForwardMethod method) {
  const auto n = static_cast<std::size_t>(state.range(0));
  ForwardDynamics dynamics(general_arm(n), method);
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
  const Arm arm = general_arm(n);
  const std::vector<double> q0 = some_values(n, 0.4), qd0(n);
  SimulationOptions options;
  options.duration = 0.1;
  options.step = 1e-3;
  options.forward = method;
  std::size_t taken = 0;
  for (auto _ : state) {
    ConstantTorque torque{std::vector<double>(n)};
    taken += simulate(arm, {}, q0, qd0, torque, options, [](const SimulationRow&) {}).steps;
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
    for (const std::int64_t n : {2, 6, 7, 12, 24, 48}) row->Arg(n);
  }
  for (const auto& [name, method] : methods) {
    auto* const row = benchmark::RegisterBenchmark(
        (std::string("rk4_steps/") + name).c_str(),
        [method = method](benchmark::State& state) { steps(state, method); });
    for (const std::int64_t n : {2, 6, 7, 12, 24, 48}) row->Arg(n);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
