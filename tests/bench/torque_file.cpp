// Rows per second of `armdyn torque`, text to text and array to array (NPY), beside the floor
// measured in the same run: a single-threaded program that only parses the same 19 columns of text
// and prints 7 numbers of 17 digits. Times are the best of three.
//
//   build/test/bin/bench_torque_file [ROWS]

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "bench/markdown.hpp"
#include "bench/stopwatch.hpp"

namespace {

using armdyn::bench::seconds;

namespace fs = std::filesystem;
constexpr std::size_t columns_in = 19;
constexpr std::size_t columns_out = 7;

/// t, q, qd, qdd of six joints in smooth motion, in full precision; and the same as an array.
void write_motion(const fs::path& text, const fs::path& array, long rows) {
  std::FILE* file = std::fopen(text.c_str(), "w");
  std::FILE* numbers = std::fopen(array.c_str(), "w");
  if (file == nullptr || numbers == nullptr) std::exit(4);
  std::fputs("t", file);
  for (const char* quantity : {"q", "qd", "qdd"}) {
    for (int joint = 1; joint <= 6; ++joint) std::fprintf(file, ",%s%d", quantity, joint);
  }
  std::fwrite("\x93NUMPY\1\0\x76\0", 1, 10, numbers);
  std::fprintf(numbers, "{'descr': '<f8', 'fortran_order': False, 'shape': (%10ld, %zu), }%48s\n",
               rows, columns_in, "");
  const auto put = [&](const char* format, double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, format, value);
    std::fputs(digits, file);
    const double read = std::strtod(digits + 1, nullptr);
    std::fwrite(&read, sizeof read, 1, numbers);
  };
  for (long row = 0; row < rows; ++row) {
    const double t = 1e-3 * static_cast<double>(row);
    put("\n%.17g", t);
    for (int order = 0; order < 3; ++order) {
      for (int joint = 1; joint <= 6; ++joint) {
        const double w = 0.7 + 0.2 * joint;
        put(",%.17g", std::pow(w, order) * std::sin(w * t + 1.5708 * order));
      }
    }
  }
  std::fputs("\n", file);
  std::fclose(file);
  std::fclose(numbers);
}

template <class Work>
double best_of_three(const Work& work) {
  const double first = seconds(work), second = seconds(work), third = seconds(work);
  return std::min({first, second, third});
}

double seconds_of_armdyn(const fs::path& in, const fs::path& out, int threads) {
  const std::string command = "'" ARMDYN_PROGRAM "' torque puma560 '" + in.string() + "' -o '" +
                              out.string() + "' --quiet --threads " + std::to_string(threads) +
                              " 2>/dev/null";
  return best_of_three([&] {
    if (std::system(command.c_str()) != 0) std::exit(1);  // NOLINT: the program is what is measured
  });
}

/// The floor: what any program does that turns this text into torques of 17 digits, one thread,
/// blocks of megabytes, the standard library's conversions. Its sums stand for the torques.
void parse_and_print(const fs::path& in, const fs::path& out) {
  constexpr std::size_t block = std::size_t{4} << 20U;
  constexpr std::size_t longest_line = 4096;
  std::FILE* input = std::fopen(in.c_str(), "r");
  std::FILE* output = std::fopen(out.c_str(), "w");
  if (input == nullptr || output == nullptr) std::exit(4);
  std::vector<char> text(block + longest_line), printed(block + longest_line);
  std::size_t kept = 0;  // of a line that the last block cut
  char* to = printed.data();
  bool is_header = true;
  while (const std::size_t read = std::fread(text.data() + kept, 1, block, input)) {
    const char* at = text.data();
    const char* const end = at + kept + read;
    const char* const last =
        std::find(std::make_reverse_iterator(end), std::make_reverse_iterator(at), '\n').base();
    if (std::exchange(is_header, false)) at = std::find(at, last, '\n') + 1;
    while (at < last) {
      std::array<double, columns_in> values;
      for (double& value : values) at = std::from_chars(at, last, value).ptr + 1;
      for (std::size_t i = 0; i < columns_out; ++i) {
        const double sum = values[i] + values[i + 6] + values[i + 12];
        to = std::to_chars(to, to + 32, i == 0 ? values[0] : sum).ptr;
        *to++ = i + 1 < columns_out ? ',' : '\n';
      }
      if (to - printed.data() > static_cast<std::ptrdiff_t>(block)) {
        std::fwrite(printed.data(), 1, static_cast<std::size_t>(to - printed.data()), output);
        to = printed.data();
      }
    }
    kept = static_cast<std::size_t>(end - last);
    std::copy(last, end, text.data());
  }
  std::fwrite(printed.data(), 1, static_cast<std::size_t>(to - printed.data()), output);
  std::fclose(input);
  std::fclose(output);
}

}  // namespace

int main(int argc, char** argv) {
  const long rows = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const fs::path folder = fs::temp_directory_path() / ("armdyn-bench-" + std::to_string(getpid()));
  fs::create_directory(folder);
  const fs::path motion = folder / "motion.csv", torques = folder / "torques.csv";
  const fs::path motion_array = folder / "motion.npy", torques_array = folder / "torques.npy";
  write_motion(motion, motion_array, rows);

  // The program goes first: a child inherits the peak memory of its parent.
  const double text[] = {seconds_of_armdyn(motion, torques, 1),
                         seconds_of_armdyn(motion, torques, 2)};
  const double array[] = {seconds_of_armdyn(motion_array, torques_array, 1),
                          seconds_of_armdyn(motion_array, torques_array, 2)};
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const double floor = best_of_three([&] { parse_and_print(motion, torques); });

  using armdyn::bench::figure;
  armdyn::bench::print_head({"", "rows/s", "time"});
  const auto report = [&](const char* name, double taken) {
    armdyn::bench::print_row(
        {name, figure(static_cast<double>(rows) / taken), figure(taken / floor) + "×"});
  };
  report("parse and print only, 1 thread", floor);
  report("`armdyn torque --threads 1`", text[0]);
  report("`armdyn torque --threads 2`", text[1]);
  report("the same, NPY to NPY, 1 thread", array[0]);
  report("the same, NPY to NPY, 2 threads", array[1]);
  std::printf("\nPeak memory of armdyn: %.0f MB.\n", static_cast<double>(usage.ru_maxrss) / 1024.0);
  fs::remove_all(folder);
  return 0;
}
