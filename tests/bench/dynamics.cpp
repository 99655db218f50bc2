// Time per sample of inverse dynamics, mass matrix, forward dynamics and RK4 steps: one state at a
// time, over blocks on each instruction set of this machine, and, where Orocos KDL, MuJoCo,
// Pinocchio or RBDL were found, theirs on the same arm and the same samples in the same run. Every
// number is checked against ours before it is timed. Medians of several rounds, in which all take
// turns.
//
//   build/test/bin/bench_dynamics [--quick | --peers | ARM]

#include <fmt/format.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/general_arm.hpp"
#include "bench/markdown.hpp"
#include "bench/peer.hpp"
#include "bench/samples.hpp"
#include "bench/stopwatch.hpp"
#include "bench/tasks.hpp"
#include "program/program.hpp"

namespace armdyn::bench {
namespace {

Robot shipped_robot(const std::string& name) {
  return links_of(read_robot_file(ARMDYN_ROBOTS "/" + name + ".yaml").robot);
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

/// Other libraries that were found when this was built.
const std::vector<std::pair<std::string, std::unique_ptr<Peer> (*)(const Arm&)>> found_peers{
#ifdef ARMDYN_HAS_KDL
    {"KDL", kdl_peer},
#endif
#ifdef ARMDYN_HAS_MUJOCO
    {"MuJoCo", mujoco_peer},
#endif
#ifdef ARMDYN_HAS_PINOCCHIO
    {"Pinocchio", pinocchio_peer},
#endif
#ifdef ARMDYN_HAS_RBDL
    {"RBDL", rbdl_peer},
#endif
};

struct Contestant {
  std::string name;
  std::function<bool(Task)> run;  ///< on `samples` of them; none: it refuses the arm
  std::size_t samples;
  std::vector<double> times[std::size(tasks)];  ///< s per sample
};

class Table {
 public:
  explicit Table(bool quick) : quick_(quick) {}

  void measure(const std::string& title, const Robot& robot) {
    const Arm arm = normalize(robot);
    const std::size_t n = arm.dof();
    const Samples samples(n, quick_ ? 70 : 512);
    SingleCalls single(robot);
    std::vector<std::unique_ptr<Peer>> peers;
    std::vector<std::unique_ptr<Blocks>> blocks;
    std::vector<double> result(n * (3 * n + 12 + single.parameters().size()));

    // Few enough single calls for a round to be short, however long the chain.
    const std::size_t calls = std::min(samples.rows(), std::max<std::size_t>(16, 1024 / n));
    std::vector<Contestant> all;
    const auto add_single = [&](Peer& peer) {
      all.push_back({peer.name(),
                     [&, calls](Task task) {
                       return run_single(peer, task, samples,
                                         std::span(result).first(result_size(task, n, peer)), 0,
                                         calls);
                     },
                     calls,
                     {}});
    };
    add_single(single);
    for (const auto& [name, make] : found_peers) {
      try {
        peers.push_back(make(arm));
      } catch (const std::runtime_error& error) {
        fmt::print(stderr, "{}: {}\n", title, error.what());
        all.push_back({name, {}, calls, {}});
        continue;
      }
      check(*peers.back(), single, samples, n);
      add_single(*peers.back());
    }
    for (const InstructionSet set : instruction_sets_to_measure()) {
      blocks.push_back(std::make_unique<Blocks>(arm, samples, set));
      Blocks& b = *blocks.back();
      check(b, single, samples, n);
      const auto run = [&b](Task task) {
        if (std::ranges::find(block_tasks, task) == block_tasks.end()) return false;
        b.run(task);
        return true;
      };
      all.push_back({b.name(), run, samples.rows(), {}});
    }
    const int rounds = quick_ ? 1 : 9;
    for (int round = 0; round < rounds; ++round) {
      for (const Task task : tasks) {
        for (Contestant& c : all) {
          if (!c.run) continue;
          bool has_it = true;
          const double time = processor_seconds([&] { has_it = c.run(task); });
          if (!has_it) continue;
          c.times[static_cast<std::size_t>(task)].push_back(time / static_cast<double>(c.samples));
        }
      }
    }
    print(title, n, all);
  }

  void print_faster() const {
    fmt::print("\nFaster than armdyn's single call: {}.\n",
               faster_.empty() ? "none of them" : fmt::format("{}", fmt::join(faster_, ", ")));
  }

 private:
  /// Y π.
  static std::vector<double> torques(std::span<const double> Y, const std::vector<double>& pi) {
    std::vector<double> tau;
    for (; !Y.empty(); Y = Y.subspan(pi.size())) {
      tau.push_back(std::inner_product(pi.begin(), pi.end(), Y.begin(), 0.0));
    }
    return tau;
  }

  static void check(Peer& peer, Peer& ours, const Samples& samples, std::size_t n) {
    for (const Task task : tasks) {
      const bool is_regressor = task == Task::regressor;  // of parameters of its own
      std::vector<double> expected(is_regressor ? n : result_size(task, n, ours));
      std::vector<double> memory(result_size(task, n, peer));
      for (std::size_t row = 0; row < 16; ++row) {
        if (!run_single(peer, task, samples, memory, row, 1)) break;
        run_single(ours, is_regressor ? Task::inverse : task, samples, expected, row, 1);
        const std::vector<double> found =
            is_regressor ? torques(memory, peer.parameters()) : memory;
        // M of a long chain is ill-conditioned, and M⁻¹ makes much of a rounding.
        const bool is_touchy =
            n > 12 && (task == Task::forward || task == Task::rk4 || task == Task::linearize);
        require_equal(
            found, expected, is_touchy ? 1e-6 : 1e-9,
            fmt::format("{} of {}, {} joints", task_names[static_cast<int>(task)], peer.name(), n));
      }
    }
  }

  static void check(Blocks& blocks, Peer& ours, const Samples& samples, std::size_t n) {
    for (const Task task : block_tasks) {
      std::vector<double> expected(result_size(task, n, ours)), found(expected);
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
    const bool has_peers = !std::ranges::all_of(all, is_ours);
    if (!std::exchange(has_head_, true)) {
      std::vector<std::string> head{"arm, joints", "ns per sample"};
      for (const Contestant& c : all) {
        head.push_back(c.name + (c.samples == all.front().samples ? "" : " blocks"));
      }
      for (const Contestant& c : all) {
        if (has_peers && is_ours(c)) head.push_back("fastest peer : " + c.name);
      }
      print_head(head);
    }
    for (const Task task : tasks) {
      const auto k = static_cast<std::size_t>(task);
      const double single = median(all.front().times[k]);
      std::vector<std::string> row{fmt::format("{}, {}", title, n), task_names[k]};
      double fastest = std::numeric_limits<double>::infinity();
      for (const Contestant& c : all) {
        const bool has_it = !c.times[k].empty();
        const double time = has_it ? median(c.times[k]) : 0.0;
        row.push_back(has_it ? figure(1e9 * time) : "–");
        if (is_ours(c) || !has_it) continue;
        fastest = std::min(fastest, time);
        if (time >= single) continue;
        row.back() = "**" + row.back() + "**";
        faster_.push_back(fmt::format("{} ({}, {}: {} of the time)", c.name, row[0], row[1],
                                      figure(time / single)));
      }
      for (const Contestant& c : all) {
        if (!has_peers || !is_ours(c)) continue;
        const bool both = std::isfinite(fastest) && !c.times[k].empty();
        row.push_back(both ? figure(fastest / median(c.times[k])) : "–");
      }
      print_row(row);
    }
  }

  static bool is_ours(const Contestant& c) {
    return std::ranges::none_of(found_peers,
                                [&](const auto& peer) { return peer.first == c.name; });
  }

  bool quick_, has_head_ = false;
  std::vector<std::string> faster_;
};

/// What each peer says of its version and of how it was compiled.
int print_peers() {
  const Arm arm = normalize(general_robot(2));
  for (const auto& [name, make] : found_peers) {
    if (const std::string how = make(arm)->compiled(); !how.empty())
      fmt::print("{}: {}\n", name, how);
  }
  return 0;
}

/// All arms, or those whose titles begin so.
int run(bool quick, const std::string& wanted) {
  Table table(quick);
  const auto measure = [&](const std::string& title, const Robot& robot) {
    if (title.starts_with(wanted)) table.measure(title, robot);
  };
  measure("PUMA 560", shipped_robot("puma560"));
  measure("Panda", shipped_robot("franka-panda"));
  for (const std::size_t n : {6U, 12U, 24U, 48U}) measure("chain", general_robot(n));
  table.print_faster();
  return 0;
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char** argv) {
  try {
    const std::string argument = argc > 1 ? argv[1] : "";
    if (argument == "--peers") return armdyn::bench::print_peers();
    const bool quick = argument == "--quick";
    return armdyn::bench::run(quick, quick ? "" : argument);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_dynamics: {}\n", error.what());
    return 1;
  }
}
