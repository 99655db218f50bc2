#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

namespace armdyn::bench {

/// Wall time that `work` takes.
template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// This thread's processor time for `work`, s: once to know how long it takes and to have all at
/// hand, then as often as makes the clock's own call small.
template <class Work>
double processor_seconds(const Work& work) {
  const auto of_runs = [&](std::size_t runs) {
    timespec begin{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (std::size_t run = 0; run < runs; ++run) work();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return static_cast<double>(end.tv_sec - begin.tv_sec) +
           1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
  };
  constexpr double enough = 2e-4;  // s
  const double runs = std::clamp(enough / std::max(of_runs(1), 1e-9), 1.0, 1e6);
  return of_runs(static_cast<std::size_t>(runs)) / std::floor(runs);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace armdyn::bench
