// Repeats one task on one arm, so that instruction_counts.py can count its instructions; with
// `versions`, says what the counts depend on.
//
//   build/test/bin/bench_instructions TASK ARM REPETITIONS
//   build/test/bin/bench_instructions versions

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <armdyn/robot_file.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/general_arm.hpp"
#include "bench/samples.hpp"
#include "bench/tasks.hpp"
#include "program/program.hpp"

namespace armdyn::bench {
namespace {

constexpr const char* words[] = {
    "inverse",   "mass-matrix", "forward", "rk4",     "derivatives",
    "linearize", "regressor",   "pose",    "jacobian"};  // as in `tasks`
const std::string of_blocks = "block-";

void print_versions() {
#ifdef __clang__
  fmt::print("compiler: clang++ {}\n", __clang_version__);
#else
  fmt::print("compiler: g++ {}\n", __VERSION__);
#endif
  fmt::print("libc: {}\n", gnu_get_libc_version());
}

Task task_of(const std::string& word) {
  for (const Task task : tasks) {
    if (word == words[static_cast<std::size_t>(task)]) return task;
  }
  throw std::invalid_argument("there is no task '" + word + "'");
}

/// A shipped arm without friction, or "chain-48".
Robot robot_of(const std::string& name) {
  if (name == "chain-48") return general_robot(48);
  return links_of(read_robot_file(ARMDYN_ROBOTS "/" + name + ".yaml").robot);
}

/// `repetitions` single calls, each on another state, or blocks of 512 rows.
void repeat(const std::string& word, const std::string& name, std::size_t repetitions) {
  const Robot robot = robot_of(name);
  const std::size_t n = robot.dof();
  if (word.starts_with(of_blocks)) {
    const Task task = task_of(word.substr(of_blocks.size()));
    const Samples samples(n, 512);
    Blocks blocks(normalize(robot), samples, chosen_instruction_set(), std::span(&task, 1));
    for (std::size_t i = 0; i < repetitions; ++i) blocks.run(task);
    return;
  }
  const Task task = task_of(word);
  const Samples samples(n, 512);
  SingleCalls single(robot);
  std::vector<double> result(result_size(task, n, single));
  for (std::size_t i = 0; i < repetitions; ++i) {
    run_single(single, task, samples, result, i % samples.rows(), 1);
  }
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 1 && arguments[0] == "versions") {
      armdyn::bench::print_versions();
      return 0;
    }
    if (arguments.size() != 3) throw std::invalid_argument("give TASK ARM REPETITIONS");
    armdyn::bench::repeat(arguments[0], arguments[1], std::stoul(arguments[2]));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_instructions: {}\n", error.what());
    return 1;
  }
}
