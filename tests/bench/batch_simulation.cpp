// Many simulations: time per RK4 step, by simulate() one after the other, and by BatchSimulation in
// one and in two threads, of which the time is that of the clock. The first 32 runs of the batch are
// checked against simulate(), bit by bit.
//
//   build/test/bin/bench_batch_simulation [--quick]

#include <fmt/format.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/general_arm.hpp"
#include "bench/markdown.hpp"
#include "bench/stopwatch.hpp"

namespace armdyn::bench {
namespace {

constexpr double step = 1e-3;  // s

Arm shipped_arm(const std::string& name, bool has_dry_friction) {
  Robot robot = read_robot_file(ARMDYN_ROBOTS "/" + name + ".yaml").robot;
  if (!has_dry_friction) {
    for (Joint& joint : robot.joints) {
      joint.friction = {};
      joint.motor.coulomb = {};
    }
  }
  return normalize(robot);
}

std::vector<BatchRun> runs_of(std::size_t count, std::size_t dof, double torque) {
  std::vector<BatchRun> runs(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto phase = static_cast<double>(k);
    runs[k].q0 = some_values(dof, phase);
    runs[k].qd0 = some_values(dof, 0.3 + phase);
    runs[k].tau = some_values(dof, 0.7 + phase);
    for (double& tau : runs[k].tau) tau *= torque;
  }
  return runs;
}

struct Case {
  std::string title;
  Arm arm;
  double torque;  // the largest, N·m
};

class Measurement {
 public:
  Measurement(const Case& what, bool quick) : case_(what), quick_(quick) {
    options_.duration = quick ? 0.01 : 0.5;
    options_.step = step;
    batch_.emplace_back(case_.arm, options_);
    batch_.push_back(batch_.front());
    const std::size_t count = quick ? 20 : 4 * batch_.front().lanes();
    runs_ = runs_of(count, case_.arm.dof(), case_.torque);
    results_.resize(count);
  }

  void print() {
    check();
    std::vector<double> single, one, two;
    for (int round = 0; round < (quick_ ? 1 : 5); ++round) {
      single.push_back(processor_seconds([&] { run_single(few()); }) / static_cast<double>(few()));
      one.push_back(processor_seconds([&] { batch_[0](runs_); }) /
                    static_cast<double>(runs_.size()));
      two.push_back(seconds([&] { run(2); }) / static_cast<double>(runs_.size()));
    }
    const double per_step = 1e9 * step / *options_.duration;
    const double alone = median(single), batch = median(one), threads = median(two);
    print_row({case_.title, figure(alone * per_step), figure(batch * per_step),
               figure(threads * per_step), figure(alone / batch)});
  }

 private:
  /// Single simulations in a round.
  [[nodiscard]] std::size_t few() const { return std::min<std::size_t>(runs_.size(), 32); }

  void run(std::size_t threads) {
    std::vector<std::thread> crew;
    const std::size_t share = (runs_.size() + threads - 1) / threads;
    for (std::size_t k = 0; k < threads; ++k) {
      crew.emplace_back([this, k, share] {
        const auto part =
            std::span(runs_).subspan(k * share).first(std::min(share, runs_.size() - k * share));
        std::vector<BatchResult> found = batch_[k](part);
        std::move(found.begin(), found.end(),
                  results_.begin() + static_cast<std::ptrdiff_t>(k * share));
      });
    }
    for (std::thread& thread : crew) thread.join();
  }

  void run_single(std::size_t count) {
    last_.clear();
    for (std::size_t k = 0; k < count; ++k) {
      ConstantTorque input(runs_[k].tau);
      std::vector<double> q;
      simulate(case_.arm, runs_[k].q0, runs_[k].qd0, input, options_,
               [&](const SimulationRow& row) { q.assign(row.q.begin(), row.q.end()); });
      last_.push_back(q);
    }
  }

  void check() {
    run(2);
    run_single(few());
    for (std::size_t k = 0; k < last_.size(); ++k) {
      if (results_[k].q == last_[k]) continue;
      throw std::logic_error(case_.title + ": a batch is not what its runs are");
    }
  }

  const Case& case_;
  bool quick_;
  SimulationOptions options_;
  std::vector<BatchSimulation> batch_;  // one per thread
  std::vector<BatchRun> runs_;
  std::vector<BatchResult> results_;
  std::vector<std::vector<double>> last_;
};

void run(bool quick) {
  const std::vector<Case> cases{
      {"PUMA 560 without friction", shipped_arm("puma560", false), 1.0},
      {"PUMA 560 as shipped, joints stick and slip", shipped_arm("puma560", true), 30.0},
      {"Franka Panda", shipped_arm("franka-panda", true), 5.0},
      {"chain of 6, viscous friction", general_arm(6, 0.5), 5.0}};
  print_head(
      {"arm", "ns per RK4 step: alone", "in a batch", "2 threads, by the clock", "alone : batch"});
  for (const Case& c : cases) Measurement(c, quick).print();
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char** argv) {
  try {
    armdyn::bench::run(argc > 1 && std::string(argv[1]) == "--quick");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_batch_simulation: {}\n", error.what());
    return 1;
  }
  return 0;
}
