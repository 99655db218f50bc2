#include "io/table/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace armdyn {

unsigned usable_cores() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) {
    return static_cast<unsigned>(CPU_COUNT(&cores));
  }
  return std::max(std::thread::hardware_concurrency(), 1U);
}

void in_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  try {
    others.reserve(threads - 1);
    while (others.size() + 1 < threads) others.emplace_back(std::cref(work));
  } catch (const std::exception&) {  // no thread, or no memory for one: those that are there do it
  }
  work();
}

}  // namespace armdyn
