// Time per sample of inverse dynamics of the links: the library's single call beside the C code that
// is written for the arm (armdyn equations), compiled by this machine's C compiler and called from
// here. Every number is checked before it is timed. Medians of several rounds, taking turns.
//
//   build/test/bin/bench_generated_code [--quick]

#include <dlfcn.h>
#include <fmt/format.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/markdown.hpp"
#include "bench/samples.hpp"
#include "bench/stopwatch.hpp"
#include "dynamics/arm_program.hpp"
#include "dynamics/friction.hpp"
#include "program/written_function.hpp"

namespace armdyn::bench {
namespace {

namespace fs = std::filesystem;
using Torque = void (*)(const double* q, const double* qd, const double* qdd, double* tau);

/// The compiled torque of a robot.
class Compiled {
 public:
  Compiled(const Robot& robot, const std::string& flags) {
    std::string pattern = (fs::temp_directory_path() / "armdyn-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = pattern;
    WrittenFunction function =
        written_equation(robot, {}, Equation::torque, Recursion::fewest_operations, {});
    function.name = "written_torque";
    std::ofstream(folder_ + "/torque.c") << code_text(function, Language::c, false);
    const std::string command = fmt::format(
        "{0} -std=c99 {1} -shared -fPIC -o {2}/torque.so "
        "{2}/torque.c -lm",
        compiler(), flags, folder_);
    // NOLINTNEXTLINE(cert-env33-c): a compiler is a program
    if (std::system(command.c_str()) != 0) throw std::runtime_error("no C compiler: " + command);
    library_ = dlopen((folder_ + "/torque.so").c_str(), RTLD_NOW);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    torque_ = reinterpret_cast<Torque>(dlsym(library_, "written_torque"));
  }
  ~Compiled() {
    if (library_ != nullptr) dlclose(library_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  void operator()(const MotionState& x, std::span<double> tau) const {
    torque_(x.q.data(), x.qd.data(), x.qdd.data(), tau.data());
  }

 private:
  static std::string compiler() {
    const char* const named = std::getenv("CC");
    return named == nullptr ? "cc" : named;
  }

  std::string folder_;
  void* library_ = nullptr;
  Torque torque_ = nullptr;
};

void run(const std::string& name, bool quick) {
  Robot robot = read_robot_file(ARMDYN_ROBOTS "/" + name + ".yaml").robot;
  for (Joint& joint : robot.joints) {
    remove_friction(joint);
    remove_rotor(joint);
  }
  const Arm arm = normalize(robot);
  const Samples samples(arm.dof(), quick ? 100 : 20'000);
  InverseDynamics single(arm);
  const Compiled code(robot, "-O2");
  std::vector<double> tau(arm.dof()), written(arm.dof());
  for (std::size_t row = 0; row < samples.rows(); ++row) {
    single.torque(samples.state(row), {}, tau);
    code(samples.state(row), written);
    for (std::size_t i = 0; i < tau.size(); ++i) {
      const double largest =
          std::abs(*std::ranges::max_element(tau, {}, [](double x) { return std::abs(x); }));
      if (!(std::abs(tau[i] - written[i]) <= 1e-13 * largest)) {
        throw std::logic_error(name + ": the written code is wrong");
      }
    }
  }

  std::vector<double> of_single, of_code;
  double sum = 0.0;
  for (int round = 0; round < (quick ? 1 : 15); ++round) {
    of_single.push_back(processor_seconds([&] {
      for (std::size_t row = 0; row < samples.rows(); ++row) {
        single.torque(samples.state(row), {}, tau);
        sum += tau[0];
      }
    }));
    of_code.push_back(processor_seconds([&] {
      for (std::size_t row = 0; row < samples.rows(); ++row) {
        code(samples.state(row), tau);
        sum -= tau[0];
      }
    }));
  }
  const double per_sample = 1e9 / static_cast<double>(samples.rows());
  print_row({fmt::format("{}, {}", name, arm.dof()), figure(per_sample * median(of_single)),
             figure(per_sample * median(of_code)), figure(median(of_code) / median(of_single))});
  if (!std::isfinite(sum)) throw std::logic_error("not finite");
}

}  // namespace
}  // namespace armdyn::bench

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  armdyn::bench::print_head({"arm, joints", "single call, ns", "written C, ns", "ratio"});
  for (const char* const name : {"puma560", "stanford", "ur5e", "franka-panda"}) {
    armdyn::bench::run(name, quick);
  }
}
