#include "dynamics/thinned_comparison.hpp"

#include <armdyn/counts.hpp>

#include <algorithm>
#include <chrono>

namespace armdyn {

namespace {

/// About a minute's worth of arithmetic.
constexpr double affordable_operations = 5e10;

}  // namespace

ThinnedMethod thinned_method(const Arm& arm, Method method) {
  const Operations each = count(arm, method).recursion.as_written;
  const double affordable =
      affordable_operations / static_cast<double>(each.multiplications + each.additions);
  return {compared_method(arm, method), static_cast<std::size_t>(affordable)};
}

bool is_computed(std::size_t row, std::size_t dense_rows) {
  if (dense_rows == 0) return false;
  std::size_t stride = 1;
  for (std::size_t rows = dense_rows; rows != 0 && row >= rows; rows *= 2) stride *= 2;
  return row % stride == 0;
}

ThinnedComparer::ThinnedComparer(const Arm& arm, const std::vector<ThinnedMethod>& methods)
    : comparer_(arm, {methods.begin(), methods.end()}) {
  for (const ThinnedMethod& method : methods) dense_rows_.push_back(method.dense_rows);
}

void ThinnedComparer::compare(std::size_t row, const MotionState& state, const Wrench& hand,
                              ComparedState& out) {
  ComparedParts parts{{}, is_computed(row, dense_reference_rows)};
  for (const std::size_t dense : dense_rows_) parts.methods.push_back(is_computed(row, dense));
  comparer_.compare(state, hand, parts, out);
}

double seconds_per_state(const ComparedMethod& method, std::span<const TimedState> states) {
  using Clock = std::chrono::steady_clock;
  if (states.empty()) return 0.0;
  std::vector<double> tau(states.front().q.size());
  const auto run = [&] {
    const Clock::time_point start = Clock::now();
    for (const TimedState& s : states) method.torque({s.q, s.qd, s.qdd}, s.hand, tau);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // Long enough that the clock is no matter, often enough that another program's turn is not
  // either.
  constexpr double enough = 0.05;
  constexpr int least_runs = 3;
  double best = std::numeric_limits<double>::infinity(), spent = 0.0;
  for (int runs = 0; runs < least_runs || spent < enough; ++runs) {
    const double seconds = run();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best / static_cast<double>(states.size());
}

}  // namespace armdyn
