// Time per sample of inverse dynamics, mass matrix, forward dynamics and RK4 steps: one state at a
// time, over blocks on each instruction set of this machine, and, where Orocos KDL or MuJoCo were
// found, theirs on the same arm and the same samples in the same run. Every number is checked
// against ours before it is timed. Medians of several rounds, in which all take turns.
//
//   build/test/bin/bench_dynamics [--quick]

#include <fmt/format.h>
#include <armdyn/block_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peer.hpp"
#include "program/evaluator.hpp"

namespace armdyn::bench {
namespace {

constexpr double step = 1e-3;  // s, of RK4

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

Arm shipped_arm(const std::string& name) {
  Arm arm = normalise(read_robot_file(ARMDYN_ROBOTS "/" + name + ".yaml").robot);
  for (Drive& drive : arm.drives) drive = {};
  return arm;
}

/// States by columns for the blocks and by rows for the single calls: q, qd, and qdd or torques.
class Samples {
 public:
  Samples(std::size_t dof, std::size_t rows) : dof_(dof), rows_(rows) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    columns_.assign(3 * dof, std::vector<double>(rows));
    by_row_.resize(3 * dof * rows);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < 3 * dof; ++i) {
        const double value = (i < dof ? 3.0 : 1.0) * number(random);
        columns_[i][row] = by_row_[row * 3 * dof + i] = value;
      }
    }
    for (const std::vector<double>& column : columns_) pointers_.push_back(column.data());
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] MotionBlock block() const {
    const std::span<const Column> all(pointers_);
    return {rows_, all.first(dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_), {}};
  }
  [[nodiscard]] MotionState state(std::size_t row) const {
    const std::span<const double> all = std::span(by_row_).subspan(row * 3 * dof_, 3 * dof_);
    return {all.first(dof_), all.subspan(dof_, dof_), all.subspan(2 * dof_, dof_)};
  }

 private:
  std::size_t dof_, rows_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> by_row_;
  std::vector<Column> pointers_;
};

/// Our own dynamics, one state at a time.
class SingleCalls : public Peer {
 public:
  explicit SingleCalls(const Arm& arm) : inverse_(arm), forward_(arm) {}
  [[nodiscard]] std::string name() const override { return "armdyn"; }
  void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
               std::span<double> tau) override {
    inverse_.torque({q, qd, qdd}, {}, tau);
  }
  void mass_matrix(std::span<const double> q, std::span<double> M) override {
    forward_.mass_matrix(q, M);
  }
  void forward(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
               std::span<double> qdd) override {
    forward_.lossless_accelerations(q, qd, tau, {}, qdd);
  }

 private:
  InverseDynamics inverse_;
  ForwardDynamics forward_;
};

/// One step of the classical Runge-Kutta method, torques held: the same for every library.
class Rk4 {
 public:
  Rk4(Peer& peer, std::size_t dof) : peer_(peer), n_(dof), k_(8 * dof), x_(2 * dof) {}

  /// `end` receives q and qd.
  void operator()(const MotionState& start, std::span<double> end) {
    const auto [q, qd, tau] = start;
    const auto stage = [&](std::size_t i) { return std::span(k_).subspan(2 * n_ * i, 2 * n_); };
    const double ahead[] = {0.0, step / 2, step / 2, step};
    for (std::size_t s = 0; s < 4; ++s) {
      for (std::size_t i = 0; i < n_; ++i) {
        x_[i] = s == 0 ? q[i] : q[i] + ahead[s] * stage(s - 1)[i];
        x_[n_ + i] = s == 0 ? qd[i] : qd[i] + ahead[s] * stage(s - 1)[n_ + i];
      }
      const std::span<const double> x(x_);
      std::copy(x.begin() + static_cast<std::ptrdiff_t>(n_), x.end(), stage(s).begin());
      peer_.forward(x.first(n_), x.last(n_), tau, stage(s).last(n_));
    }
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const double x = i < n_ ? q[i] : qd[i - n_];
      end[i] = x + step / 6 * (stage(0)[i] + 2 * stage(1)[i] + 2 * stage(2)[i] + stage(3)[i]);
    }
  }

 private:
  Peer& peer_;
  std::size_t n_;
  std::vector<double> k_, x_;
};

enum class Task { inverse, mass_matrix, forward, rk4 };
constexpr Task tasks[] = {Task::inverse, Task::mass_matrix, Task::forward, Task::rk4};
constexpr const char* task_names[] = {"inverse", "mass matrix", "forward", "RK4 step"};

std::size_t result_size(Task task, std::size_t n) {
  return task == Task::mass_matrix ? n * n : task == Task::rk4 ? 2 * n : n;
}

/// Runs a task on samples; `result` holds that of the last one.
void run_single(Peer& peer, Task task, const Samples& samples, std::span<double> result,
                std::size_t first, std::size_t count) {
  Rk4 rk4(peer, samples.state(0).q.size());
  for (std::size_t row = first; row < first + count; ++row) {
    const MotionState x = samples.state(row);
    switch (task) {
      case Task::inverse:
        peer.inverse(x.q, x.qd, x.qdd, result);
        break;
      case Task::mass_matrix:
        peer.mass_matrix(x.q, result);
        break;
      case Task::forward:
        peer.forward(x.q, x.qd, x.qdd, result);
        break;
      case Task::rk4:
        rk4(x, result);
        break;
    }
  }
}

/// The same over blocks, on one instruction set.
class Blocks {
 public:
  Blocks(const Arm& arm, const Samples& samples, InstructionSet set)
      : n_(arm.dof()), samples_(samples), inverse_(arm), forward_(arm), set_(set) {
    const std::size_t columns = std::max(n_ * (n_ + 1) / 2, 11 * n_);
    memory_.assign(columns, std::vector<double>(samples.rows()));
    for (std::vector<double>& column : memory_) results_.push_back(column.data());
    setenv("ARMDYN_SIMD", std::string(armdyn::name(set)).c_str(), 1);
    for (const Task task : tasks) run(task);  // makes the programs
    unsetenv("ARMDYN_SIMD");
  }

  [[nodiscard]] std::string name() const { return std::string(armdyn::name(set_)); }

  void run(Task task) {
    const MotionBlock x = samples_.block();
    const std::span<const ResultColumn> out(results_);
    switch (task) {
      case Task::inverse:
        return inverse_.torque(x, out.first(n_));
      case Task::mass_matrix:
        return forward_.mass_matrix(x, out.first(n_ * (n_ + 1) / 2));
      case Task::forward:
        return forward_.accelerations(x, out.first(n_));
      case Task::rk4:
        return rk4(x);
    }
  }

  /// One entry of what `run` found, laid out as by run_single.
  [[nodiscard]] double result(Task task, std::size_t entry, std::size_t row) const {
    if (task != Task::mass_matrix) return memory_[entry][row];
    const std::size_t i = std::max(entry / n_, entry % n_), j = std::min(entry / n_, entry % n_);
    return memory_[i * (i + 1) / 2 + j][row];
  }

 private:
  /// Groups of columns: the end's q and qd, a stage's q, the stages' qd, their qdd.
  void rk4(const MotionBlock& start) {
    const auto group = [&](std::size_t k) {
      return std::span<const ResultColumn>(results_).subspan(k * n_, n_);
    };
    const auto qd_of = [&](std::size_t stage) { return group(3 + stage); };
    const auto qdd_of = [&](std::size_t stage) { return group(7 + stage); };
    const double ahead[] = {0.0, step / 2, step / 2, step};
    std::vector<Column> q(n_), qd(n_);
    for (std::size_t s = 0; s < 4; ++s) {
      for (std::size_t i = 0; i < n_; ++i) {
        double* const stage_q = group(2)[i];
        double* const stage_qd = qd_of(s)[i];
        q[i] = stage_q;
        qd[i] = stage_qd;
        for (std::size_t row = 0; row < start.rows; ++row) {
          stage_q[row] = start.q[i][row];
          stage_qd[row] = start.qd[i][row];
          if (s == 0) continue;
          stage_q[row] += ahead[s] * qd_of(s - 1)[i][row];
          stage_qd[row] += ahead[s] * qdd_of(s - 1)[i][row];
        }
      }
      forward_.accelerations({start.rows, q, qd, start.qdd, {}}, qdd_of(s));
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const auto end = [&](double* x, const double* x0, auto rate) {
        const double *const a = rate(0)[i], *const b = rate(1)[i], *const c = rate(2)[i],
                            *const d = rate(3)[i];
        for (std::size_t row = 0; row < start.rows; ++row) {
          x[row] = x0[row] + step / 6 * (a[row] + 2 * b[row] + 2 * c[row] + d[row]);
        }
      };
      end(group(0)[i], start.q[i], qd_of);
      end(group(1)[i], start.qd[i], qdd_of);
    }
  }

  std::size_t n_;
  const Samples& samples_;
  BlockInverseDynamics inverse_;
  BlockForwardDynamics forward_;
  InstructionSet set_;
  std::vector<std::vector<double>> memory_;
  std::vector<ResultColumn> results_;
};

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
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
    for (const InstructionSet set : all_instruction_sets) {
      if (!is_supported(set)) continue;
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
