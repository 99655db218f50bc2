#include "cli/compare/options.hpp"

#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

std::vector<Method> parse_methods(const std::string& option, const std::string& text) {
  return method_choices().several(option, text);
}

/// 0 for "all".
std::size_t parse_processors(const std::string& option, const std::string& text) {
  if (text == "all") return 0;
  try {
    return static_cast<std::size_t>(parse_threads(option, text));
  } catch (const UsageError& error) {
    throw UsageError(std::string(error.what()) + ", or all");
  }
}

void refuse_too_few(const CompareOptions& options) {
  const bool draws_differences = options.plot.is_wanted() && !options.processors;
  const bool needs_two = !options.differences.empty() || draws_differences;
  if (options.methods.size() >= (needs_two ? 2U : 1U)) return;
  throw UsageError("--method: found \"{}\", expected at least {} of {}",
                   options.methods.empty() ? "" : name(options.methods.front()),
                   needs_two ? "two" : "one", fmt::join(method_choices().names(), ", "));
}

}  // namespace

void declare(OptionList& list, CompareOptions& options) {
  const auto reads_log = [&options] { return !options.motion.empty(); };
  const auto makes_states = [&options] { return options.motion.empty(); };
  const std::string all_names = fmt::format("{}", fmt::join(method_choices().names(), ","));
  declare_robot(list, options.robot);
  list.argument(
      "MOTION", options.motion, as_written,
      "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion; - is "
      "standard input (default: random states)");
  list.option("--samples", "N", options.samples, parse_count,
              "number of random states, without MOTION (default: 1000)")
      .echoed_if(makes_states);
  list.option("--seed", "S", options.seed, parse_seed, "seed of the random states (default: 1)")
      .echoed_if(makes_states);
  list.option("--method", "LIST", options.methods, parse_methods,
              "formulations (default: newton-euler,modified-newton-euler,lagrange)");
  list.option("--max-error", "X", options.tolerance, parse_tolerance,
              "exit 1 if a relative difference is larger (default: 1e-9)");
  declare_input_error(list, options.input_error);
  list.flag("--costs", options.costs, "count operations, beside the counts of the papers")
      .unechoed();
  list.option("--processors", "N|all", options.processors, parse_processors,
              "schedule the operations on 1 to 1024 processors, or on the fewest")
      .special()
      .unechoed();
  list.file("--differences", "FILE", options.differences,
            "write each method's torque minus the first one's, row by row");
  declare_log(list, options.log, reads_log);
  declare_plot(list, options.plot, "the differences");
  declare_output(list, options.output);
  declare_all(list, options.output.all);
  list.check([&list, &options] {
    if (options.motion.empty()) refuse_options_of_no_log("compare", options.log);
    for (const char* const option : {"--samples", "--seed"}) {
      refuse_if(!options.motion.empty() && list.is_given(option),
                "compare: {} generates random states; leave out MOTION '{}'", option,
                options.motion);
    }
    refuse_too_few(options);
  });
}

Verb compare_verb() {
  return verb<CompareOptions>(
      "compare", "Compare Newton-Euler and Lagrange: agreement, accuracy, cost",
      "  armdyn compare puma560 puma560-pick-and-place\n"
      "  armdyn compare ur10e --samples 10000 --seed 7 --max-error 1e-12\n"
      "  armdyn compare puma560 puma560-pick-and-place --method newton-euler,lagrange "
      "--differences d.csv --json\n",
      declare, compare_methods);
}

}  // namespace armdyn
