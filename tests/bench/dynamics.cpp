// Time per sample of inverse dynamics, mass matrix, forward dynamics and RK4 steps: one state at a
// time, over blocks on each instruction set of this machine, and, where Orocos KDL or MuJoCo were
// found, theirs on the same arm and the same samples in the same run. Every number is checked
// against ours before it is timed. Medians of several rounds, in which all take turns.
//
//   build/test/bin/bench_dynamics [--quick]

#include <fmt/format.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/general_arm.hpp"
#include "bench/peer.hpp"
#include "bench/samples.hpp"
#include "bench/stopwatch.hpp"
#include "bench/tasks.hpp"
#include "program/program.hpp"

namespace armdyn::bench {
namespace {

Arm shipped_arm(const std::string& name) {
  Arm arm = normalise(read_robot_file(ARMDYN_ROBOTS "/" + name + ".yaml").robot);
  for (Drive& drive : arm.drives) drive = {};
  return arm;
}

/// Throws unless two results agree within `tolerance` of the largest entry.
void require_equal(std::span<const double> found, std::span<const double> ours, double tolerance,
                   const std::string& what) {
  double largest = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    largest = std::max(largest, std::abs(ours[i]));
    difference = std::max(difference, std::abs(found[i] - ours[i]));
  }
  if (difference <= tolerance * largest) return;
  throw std::logic_error(fmt::format("{} differs from armdyn by {:.2g} of the largest entry", what,
                                     difference / largest));
}

std::string machine() {
  std::ifstream cpu("/proc/cpuinfo");
  for (std::string line; std::getline(cpu, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown machine";
}

struct Contestant {
  std::string name;
  std::function<void(Task)> run;  ///< on `samples` of them
  std::size_t samples;
  std::vector<double> times[std::size(tasks)];  ///< s per sample
};

class Table {
 public:
  explicit Table(bool quick) : quick_(quick) {}

  void measure(const std::string& title, const Arm& arm) {
    const std::size_t n = arm.dof();
    const Samples samples(n, quick_ ? 70 : 512);
    SingleCalls single(arm);
    std::vector<std::unique_ptr<Peer>> peers = peers_of(title, arm);
    std::vector<std::unique_ptr<Blocks>> blocks;
    std::vector<double> result(n * n + 2 * n);

    // Few enough single calls for a round to be short, however long the chain.
    const std::size_t calls = std::min(samples.rows(), std::max<std::size_t>(16, 1024 / n));
    std::vector<Contestant> all;
    const auto add_single = [&](Peer& peer) {
      all.push_back({peer.name(),
                     [&, calls](Task task) {
                       run_single(peer, task, samples,
                                  std::span(result).first(result_size(task, n)), 0, calls);
                     },
                     calls,
                     {}});
    };
    add_single(single);
    for (const auto& peer : peers) {
      check(*peer, single, samples, n);
      add_single(*peer);
    }
    for (const InstructionSet set : instruction_sets_to_measure()) {
      blocks.push_back(std::make_unique<Blocks>(arm, samples, set));
      Blocks& b = *blocks.back();
      check(b, single, samples, n);
      all.push_back({b.name(), [&b](Task task) { b.run(task); }, samples.rows(), {}});
    }
    const int rounds = quick_ ? 1 : 9;
    for (int round = 0; round < rounds; ++round) {
      for (const Task task : tasks) {
        for (Contestant& c : all) {
          c.run(task);
          const double time = seconds([&] { c.run(task); });
          c.times[static_cast<std::size_t>(task)].push_back(time / static_cast<double>(c.samples));
        }
      }
    }
    print(title, n, all);
  }

 private:
  std::vector<std::unique_ptr<Peer>> peers_of(const std::string& title, const Arm& arm) {
    std::vector<std::unique_ptr<Peer>> peers;
    [[maybe_unused]] const auto add = [&](auto make) {
      try {
        peers.push_back(make(arm));
      } catch (const std::runtime_error& error) {
        fmt::print("{}: {}\n", title, error.what());
      }
    };
#ifdef ARMDYN_HAS_KDL
    add(kdl_peer);
#endif
#ifdef ARMDYN_HAS_MUJOCO
    add(mujoco_peer);
#endif
    return peers;
  }

  static void check(Peer& peer, Peer& ours, const Samples& samples, std::size_t n) {
    for (const Task task : tasks) {
      std::vector<double> expected(result_size(task, n)), found(expected);
      for (std::size_t row = 0; row < 16; ++row) {
        run_single(ours, task, samples, expected, row, 1);
        run_single(peer, task, samples, found, row, 1);
        // M of a long chain is ill-conditioned, and M⁻¹ makes much of a rounding.
        const bool is_touchy = n > 12 && (task == Task::forward || task == Task::rk4);
        require_equal(
            found, expected, is_touchy ? 1e-6 : 1e-9,
            fmt::format("{} of {}, {} joints", task_names[static_cast<int>(task)], peer.name(), n));
      }
    }
  }

  static void check(Blocks& blocks, Peer& ours, const Samples& samples, std::size_t n) {
    for (const Task task : tasks) {
      std::vector<double> expected(result_size(task, n)), found(expected);
      blocks.run(task);
      for (std::size_t row = 0; row < 16; ++row) {
        run_single(ours, task, samples, expected, row, 1);
        for (std::size_t k = 0; k < found.size(); ++k) found[k] = blocks.result(task, k, row);
        require_equal(found, expected, 1e-13,
                      fmt::format("{} on {}, {} joints", task_names[static_cast<int>(task)],
                                  blocks.name(), n));
      }
    }
  }

  void print(const std::string& title, std::size_t n, const std::vector<Contestant>& all) {
    std::string header = fmt::format("{:<14} {:>2}  {:<12}", "arm", "n", "ns per sample");
    for (const Contestant& c : all) header += fmt::format(" {:>9}", c.name);
    header += "   KDL : single, best block";
    if (header != header_) fmt::print("{}\n", header_ = header);
    for (const Task task : tasks) {
      const auto k = static_cast<std::size_t>(task);
      fmt::print("{:<14} {:>2}  {:<12}", title, n, task_names[k]);
      double best = all.back().name.empty() ? 0.0 : 1.0, kdl = 0.0;
      for (const Contestant& c : all) {
        const double time = median(c.times[k]);
        fmt::print(" {:>9.1f}", 1e9 * time);
        if (c.name == "KDL") kdl = time;
        if (c.samples == all.back().samples && c.name.find_first_of("MK") != 0) {
          best = std::min(best, time);
        }
      }
      if (kdl > 0.0)
        fmt::print("   {:>5.1f} {:>6.1f}", kdl / median(all.front().times[k]), kdl / best);
      fmt::print("\n");
    }
    std::fflush(stdout);
  }

  bool quick_;
  std::string header_;
};

int run(bool quick) {
  fmt::print("{}; {} {}\n", machine(),
#ifdef __clang__
             "clang++", __clang_version__);
#else
             "g++", __VERSION__);
#endif
#ifndef ARMDYN_HAS_KDL
  fmt::print("Orocos KDL was not found (liborocos-kdl-dev): no comparison with it\n");
#endif
#ifndef ARMDYN_HAS_MUJOCO
  fmt::print("MuJoCo was not found (libmujoco-dev): no comparison with it\n");
#endif
  Table table(quick);
  table.measure("PUMA 560", shipped_arm("puma560"));
  table.measure("Franka Panda", shipped_arm("franka-panda"));
  for (const std::size_t n : {2U, 6U, 7U, 12U, 24U, 48U}) table.measure("chain", general_arm(n));
  return 0;
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char** argv) {
  try {
    return armdyn::bench::run(argc > 1 && std::string(argv[1]) == "--quick");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_dynamics: {}\n", error.what());
    return 1;
  }
}
