// How often two standard errors of `armdyn identify` cover the truth: simulated logs of shipped arms
// with noise, encoder steps, a late torque, offsets and friction.
//
//   build/test/bin/bench_coverage [RUNS [ARM...]] [exact] [window=SECONDS] [share=OF_THE_RANGES]
//                                 [speed=OF_THE_USUAL]
//
// exact: positions without encoder steps; small shares of ranges and slow motions excite poorly.

#include <fmt/format.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "identification/identify.hpp"
#include "log/motion_rows.hpp"

namespace {

using namespace armdyn;

constexpr double rate = 250.0, duration = 20.0;                     // Hz, s
constexpr double encoder_step = 2.0 * std::numbers::pi / 131072.0;  // rad, m
constexpr double noise = 0.01;                                      // of a joint's torque
constexpr double late = 0.004;                                      // s, torque after motion
constexpr double offset = 0.02;                                     // of a joint's torque

/// What is not as usual.
struct Conditions {
  bool is_exact = false;         ///< positions have no steps
  std::optional<double> window;  ///< s
  double share = 1.0;            ///< of the joints' ranges that the motion takes
  double speed = 1.0;            ///< over the usual velocity and acceleration
};

/// A shipped arm; dry and viscous friction where the file has none.
Robot robot_of(const std::string& name) {
  Robot robot = read_robot_file(std::string(ARMDYN_ROBOTS) + "/" + name + ".yaml").robot;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    Joint& joint = robot.joints[i];
    const bool has_friction = joint.friction.viscous > 0.0 || joint.motor.viscous > 0.0 ||
                              joint.friction.sigmoid.amplitude > 0.0;
    if (has_friction) continue;
    const double size = 4.0 / static_cast<double>(i + 1);
    joint.friction.viscous = size;
    joint.friction.coulomb = {size, size};
  }
  return robot;
}

Trajectory excitation(const Robot& robot, double share, double speed) {
  Excitation wanted;
  wanted.period = duration;
  for (const Joint& joint : robot.joints) {
    const Range range = joint.limits.position.value_or(Range{-3.0, 3.0});
    const bool turns = joint.type == JointType::revolute;
    const double middle = (range.lower + range.upper) / 2;
    const double half = share * (range.upper - range.lower) / 2;
    wanted.center.push_back(middle);
    wanted.position.push_back({middle - half, middle + half});
    wanted.limits.push_back(turns ? RateLimit{1.5 * speed, 4.0 * speed}
                                  : RateLimit{0.5 * speed, 1.5 * speed});
  }
  return excite(wanted);
}

/// Columns t, q, τ of the arm: τ is that of `late` before.
Table motion_of(const Robot& robot, const Trajectory& motion) {
  const std::size_t n = robot.dof();
  const auto rows = static_cast<std::size_t>(rate * duration);
  const Arm arm = normalize(robot);
  Table table;
  table.resize(1 + 2 * n, rows);
  std::vector<double> q(n), qd(n), qdd(n);
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = static_cast<double>(k) / rate;
    table.lines.push_back(k + 1);
    table.columns[0][k] = t;
    motion.at(t, q, qd, qdd);
    for (std::size_t i = 0; i < n; ++i) table.columns[1 + i][k] = q[i];
    motion.at(t - late, q, qd, qdd);
    const std::vector<double> tau = torque(arm, {q, qd, qdd});
    for (std::size_t i = 0; i < n; ++i) table.columns[1 + n + i][k] = tau[i];
  }
  return table;
}

double rms(const std::vector<double>& values) {
  double sum = 0.0, squares = 0.0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / count - (sum / count) * (sum / count));
}

/// The same as sensors would give it.
Table measured(Table table, std::size_t n, std::uint64_t seed, bool is_exact) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < n; ++i) {
    const double zero = std::uniform_real_distribution<double>()(random);  // between two steps
    for (double& q : table.columns[1 + i]) {
      if (!is_exact) q = encoder_step * (std::round(q / encoder_step + zero) - zero);
    }
    std::vector<double>& tau = table.columns[1 + n + i];
    const double size = rms(tau);
    for (double& value : tau) value += size * (offset + noise * normal(random));
  }
  return table;
}

Identification identified(const Robot& robot, const IdentificationModel& model, Table table,
                          std::optional<double> window) {
  const std::size_t n = robot.dof();
  LogOptions options;
  options.window = window;
  options.derive = options.smooth = true;
  ColumnPlan plan;
  plan.columns.resize(table.columns.size());
  plan.groups = {{Quantity::time, 0}, {Quantity::position, 1}, {Quantity::torque, 1 + n}};
  MotionRows motion(options, plan, robot, "log", "log");
  Table rows;
  motion.pass(table, true, rows);
  const auto group = [&](std::size_t first) {
    std::vector<std::span<const double>> columns;
    columns.reserve(n);
    for (std::size_t i = 0; i < n; ++i) columns.push_back(rows.column(first + i));
    return columns;
  };
  const auto spans = [&](Quantity quantity) { return group(*motion.plan().first(quantity)); };
  const auto pointers = [&](Quantity quantity) {
    std::vector<Column> columns;
    for (const auto& column : spans(quantity)) columns.push_back(column.data());
    return columns;
  };
  const std::vector<Column> q = pointers(Quantity::position), qd = pointers(Quantity::velocity),
                            qdd = pointers(Quantity::acceleration);
  EquationWorker worker(model, BlockInverseDynamics(normalize(robot)));
  LogEquations::Block block;
  worker({rows.rows, q, qd, qdd, {}}, block);
  std::vector<LogEquations> logs;
  logs.emplace_back("log", model);
  const std::size_t beside = motion.beside_smoothed();
  logs.front().add(
      block, {rows.rows, rows.column(0), spans(Quantity::velocity), spans(Quantity::acceleration),
              spans(Quantity::torque), group(beside), group(beside + n), group(beside + 2 * n),
              rows.column(beside + 3 * n).front(), rows.column(beside + 3 * n + 1)});
  logs.front().finish();
  return identify(robot, model, logs, {});
}

void report(const std::string& name, int runs, const Conditions& conditions) {
  const Robot robot = robot_of(name);
  const IdentificationModel model(robot, {});
  const std::vector<DynamicParameter>& parameters = model.regressor().parameters();
  const Table motion = motion_of(robot, excitation(robot, conditions.share, conditions.speed));
  std::vector<double> truth;
  truth.reserve(parameters.size());
  for (const DynamicParameter& p : parameters) {
    const bool is_offset = p.kind == ParameterKind::offset;
    truth.push_back(is_offset ? offset * rms(motion.columns[1 + robot.dof() + p.joint]) : p.value);
  }
  const std::vector<double> expected = model.base().values(truth);
  std::vector<int> covered(expected.size());
  double delay = 0.0, delay_error = 0.0, condition = 0.0;
  int delays_covered = 0, not_told = 0;
  for (int run = 0; run < runs; ++run) {
    const auto seed = 1000 + static_cast<std::uint64_t>(run);
    const Identification found = identified(
        robot, model, measured(motion, robot.dof(), seed, conditions.is_exact), conditions.window);
    for (std::size_t b = 0; b < expected.size(); ++b) {
      if (!found.errors_cover || std::isinf(found.base_parameters[b].error)) ++not_told;
      const double away = std::abs(found.base_parameters[b].value - expected[b]);
      covered[b] += away <= 2.0 * found.base_parameters[b].error ? 1 : 0;
    }
    delay += found.delay->value / runs;
    delay_error += found.delay->error / runs;
    delays_covered += std::abs(found.delay->value - late) <= 2.0 * found.delay->error ? 1 : 0;
    condition += found.fit.condition / runs;
  }
  const auto percent = [runs](int count) { return 100.0 * count / runs; };
  const auto within = std::ranges::count_if(
      covered, [&](int count) { return percent(count) >= 90.0 && percent(count) <= 99.0; });
  std::vector<int> sorted = covered;
  std::ranges::sort(sorted);
  fmt::print(
      "{:<14} {:>4} {:>8} {:>7.1f} {:>7.1f} {:>7.1f}   {:.2f} ± {:.2f} ms {:>7.1f} {:>9.3g} "
      "{:>9.1f}\n",
      name, covered.size(), within, percent(sorted.front()), percent(sorted[sorted.size() / 2]),
      percent(sorted.back()), 1e3 * delay, 1e3 * delay_error, percent(delays_covered), condition,
      static_cast<double>(not_told) / runs);
  for (std::size_t b = 0; b < covered.size(); ++b) {
    if (percent(covered[b]) >= 90.0 && percent(covered[b]) <= 99.0) continue;
    fmt::print("  {} {:.1f} %\n", armdyn::name(parameters[model.base().combinations[b].first]),
               percent(covered[b]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::stoi(argv[1]) : 200;
  Conditions conditions;
  std::vector<std::string> arms;
  for (const std::string word : std::span(argv + std::min(argc, 2), argv + argc)) {
    const std::string number = word.substr(word.find('=') + 1);
    if (word == "exact") {
      conditions.is_exact = true;
    } else if (word.starts_with("window=")) {
      conditions.window = std::stod(number);
    } else if (word.starts_with("speed=")) {
      conditions.speed = std::stod(number);
    } else if (word.starts_with("share=")) {
      conditions.share = std::stod(number);
    } else {
      arms.push_back(word);
    }
  }
  if (arms.empty()) arms = {"puma560", "stanford", "ur10e", "franka-panda", "kuka-iiwa14"};
  fmt::print(
      "{} runs: how often 2 standard errors cover the truth, %; those beyond 90 to 99 are named\n",
      runs);
  fmt::print(
      "arm            base  90 to 99  least  median    most   delay, truth {} ms   covered "
      "condition  not told\n",
      1e3 * late);
  for (const std::string& arm : arms) report(arm, runs, conditions);
}
