#pragma once

#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/regressor.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "bench/peer.hpp"
#include "bench/samples.hpp"
#include "program/program.hpp"

// What is timed: tasks one state at a time, and four of them over blocks.

namespace armdyn::bench {

constexpr double step = 1e-3;  // s, of RK4

/// Our own dynamics, one state at a time.
class SingleCalls : public Peer {
 public:
  explicit SingleCalls(const Robot& robot) : SingleCalls(robot, normalize(robot)) {}
  [[nodiscard]] std::string name() const override { return "single call"; }
  void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
               std::span<double> tau) override {
    inverse_.torque({q, qd, qdd}, {}, tau);
  }
  void mass_matrix(std::span<const double> q, std::span<double> M) override {
    forward_.mass_matrix(q, M);
  }
  void forward(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
               std::span<double> qdd) override {
    forward_.lossless_acceleration(q, qd, tau, {}, qdd);
  }
  bool derivatives(const MotionState& x, std::span<double> out) override {
    const std::size_t entries = out.size() / 3;
    derivatives_.torque(x, {},
                        {out.first(entries), out.subspan(entries, entries), out.last(entries)});
    return true;
  }
  bool linearize(const MotionState& x, std::span<double> out) override {
    const std::size_t entries = out.size() / 3;
    derivatives_.acceleration(
        x, {}, {out.first(entries), out.subspan(entries, entries), out.last(entries)});
    return true;
  }
  bool regressor(const MotionState& x, std::span<double> out) override {
    regressor_.matrix(x, out);
    return true;
  }
  [[nodiscard]] std::vector<double> parameters() const override { return parameters_; }
  bool pose(std::span<const double> q, std::span<double> out) override {
    const auto [R, p] = tool_.pose(q);
    std::size_t k = 0;
    for (const Vec3& v : {R.row_x, R.row_y, R.row_z, p}) {
      for (const double entry : {v.x, v.y, v.z}) out[k++] = entry;
    }
    return true;
  }
  bool jacobian(std::span<const double> q, std::span<double> out) override {
    tool_.jacobian(q, out);
    return true;
  }

 private:
  SingleCalls(const Robot& robot, const Arm& arm)
      : inverse_(arm), forward_(arm), derivatives_(arm), tool_(arm), regressor_(robot) {
    for (const DynamicParameter& p : regressor_.parameters()) parameters_.push_back(p.value);
  }

  InverseDynamics inverse_;
  ForwardDynamics forward_;
  DynamicsDerivatives derivatives_;
  ToolKinematics tool_;
  Regressor regressor_;
  std::vector<double> parameters_;
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

enum class Task {
  inverse,
  mass_matrix,
  forward,
  rk4,
  derivatives,
  linearize,
  regressor,
  pose,
  jacobian
};
constexpr Task tasks[] = {Task::inverse,   Task::mass_matrix, Task::forward,
                          Task::rk4,       Task::derivatives, Task::linearize,
                          Task::regressor, Task::pose,        Task::jacobian};
constexpr const char* task_names[] = {"inverse",   "mass matrix", "forward",
                                      "RK4 step",  "derivatives", "linearize",
                                      "regressor", "pose",        "Jacobian"};
constexpr std::span<const Task> block_tasks = std::span(tasks).first<4>();

inline std::size_t result_size(Task task, std::size_t n, const Peer& peer) {
  switch (task) {
    case Task::mass_matrix:
      return n * n;
    case Task::rk4:
      return 2 * n;
    case Task::derivatives:
    case Task::linearize:
      return 3 * n * n;
    case Task::regressor:
      return n * peer.parameters().size();
    case Task::pose:
      return 12;
    case Task::jacobian:
      return 6 * n;
    default:
      return n;
  }
}

/// Runs a task on samples; `result` holds that of the last one. False: the library has no such task.
inline bool run_single(Peer& peer, Task task, const Samples& samples, std::span<double> result,
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
      case Task::derivatives:
        if (!peer.derivatives(x, result)) return false;
        break;
      case Task::linearize:
        if (!peer.linearize(x, result)) return false;
        break;
      case Task::regressor:
        if (!peer.regressor(x, result)) return false;
        break;
      case Task::pose:
        if (!peer.pose(x.q, result)) return false;
        break;
      case Task::jacobian:
        if (!peer.jacobian(x.q, result)) return false;
        break;
    }
  }
  return true;
}

/// Those of this machine, or the one that ARMDYN_SIMD names. Throws Error where that is none of them.
inline std::vector<InstructionSet> instruction_sets_to_measure() {
  const char* const named = std::getenv("ARMDYN_SIMD");
  if (named != nullptr && *named != '\0') return {chosen_instruction_set()};
  std::vector<InstructionSet> sets;
  std::ranges::copy_if(all_instruction_sets, std::back_inserter(sets), is_supported);
  return sets;
}

/// The same over blocks, on one instruction set.
class Blocks {
 public:
  /// Makes the programs of `prepared`; no other task may be run.
  Blocks(const Arm& arm, const Samples& samples, InstructionSet set,
         std::span<const Task> prepared = block_tasks)
      : n_(arm.dof()), samples_(samples), inverse_(arm), forward_(arm), set_(set) {
    const std::size_t columns = std::max(n_ * (n_ + 1) / 2, 11 * n_);
    memory_.assign(columns, std::vector<double>(samples.rows()));
    for (std::vector<double>& column : memory_) results_.push_back(column.data());
    const char* const named = std::getenv("ARMDYN_SIMD");
    const std::string before = named == nullptr ? "" : named;
    setenv("ARMDYN_SIMD", std::string(armdyn::name(set)).c_str(), 1);
    for (const Task task : prepared) run(task);
    setenv("ARMDYN_SIMD", before.c_str(), 1);
  }

  [[nodiscard]] std::string name() const { return std::string(armdyn::name(set_)); }

  void run(Task task) {
    const MotionBlock x = samples_.block();
    const std::span<const ResultColumn> out(results_);
    switch (task) {
      case Task::inverse:
        return inverse_.torque(x, out.first(n_));
      case Task::mass_matrix:
        return forward_.mass_matrix({x.rows, x.q, {}, {}, {}}, out.first(n_ * (n_ + 1) / 2));
      case Task::forward:
        return forward_.acceleration({x.rows, x.q, x.qd, x.qdd, {}}, out.first(n_));
      default:
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
      forward_.acceleration({start.rows, q, qd, start.qdd, {}}, qdd_of(s));
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

}  // namespace armdyn::bench
