#include <fmt/format.h>

#include <algorithm>

#include "cli/compare/options.hpp"
#include "cli/options/shared_options.hpp"
#include "log/log_options.hpp"

namespace armdyn {

namespace {

bool asks_for_a_log(const LogOptions& log) {
  return !log.columns.empty() || log.no_header || log.ignore_extra || log.gaps != Gaps::unsaid ||
         log.derive || log.from_time || log.to_time || log.resample;
}

struct CompareTexts {
  CommonTexts common;
  LogTexts log;
  std::string random, seed, tolerance;
  std::string methods = fmt::format("{}", fmt::join(method_names(), ","));
};

void add(VerbSyntax& verb, CompareOptions& options, CompareTexts& texts) {
  add_robot(verb, options.robot, texts.common);
  verb.argument(
      "MOTION", options.motion,
      "CSV or .npy file with q1..,qd1..,qdd1.., or the bare name of a shipped motion; - is "
      "standard input (default: random states)");
  verb.option("--random", "N", texts.random,
              "without MOTION: number of random states within the position limits (default: "
              "1000)");
  verb.option("--seed", "S", texts.seed, "of the random states (default: 1)");
  verb.option("--methods", "LIST", texts.methods,
              fmt::format("any of {} (default: all)", fmt::join(method_names(), ",")));
  verb.option("--tolerance", "X", texts.tolerance,
              "largest relative difference that counts as agreement (default: 1e-9)");
  verb.option("--differences", "FILE", options.differences,
              "write, row by row, each method's torque less the first one's");
  add_log(verb, options.log, texts.log);
  verb.option("--plot", "FILE", options.plot,
              "draw the differences (.svg, .png or .pdf; needs gnuplot)");
  add_output(verb, options.output, texts.common);
}

void finish(CompareOptions& options, const CompareTexts& texts) {
  finish(options.robot, texts.common);
  finish(options.output, texts.common);
  finish(options.log, texts.log);
  if (options.motion.empty() && asks_for_a_log(options.log)) {
    throw UsageError(
        "compare: without MOTION there is no log to read; name one, or leave out "
        "--columns, --derive and the other options of logs");
  }
  if (!options.motion.empty() && !(texts.random.empty() && texts.seed.empty())) {
    throw UsageError(fmt::format("compare: {} makes states of its own; leave out MOTION '{}'",
                                 texts.random.empty() ? "--seed" : "--random", options.motion));
  }
  if (!texts.random.empty()) options.random = parse_count("--random", texts.random);
  if (!texts.seed.empty()) options.seed = parse_seed("--seed", texts.seed);
  if (!texts.tolerance.empty()) options.tolerance = parse_tolerance("--tolerance", texts.tolerance);
  for (const std::string& text : split_list(texts.methods)) {
    const Method method = parse_method("--methods", text);
    if (std::find(options.methods.begin(), options.methods.end(), method) !=
        options.methods.end()) {
      throw UsageError(fmt::format("--methods: {} is there twice", text));
    }
    options.methods.push_back(method);
  }
  const bool needs_two = !options.differences.empty() || !options.plot.empty();
  if (options.methods.empty() || (needs_two && options.methods.size() < 2)) {
    throw UsageError(fmt::format("--methods: found \"{}\", expected at least {} of {}",
                                 texts.methods, needs_two ? "two" : "one",
                                 fmt::join(method_names(), ", ")));
  }
}

}  // namespace

VerbSyntax compare_syntax() {
  return verb_syntax<CompareOptions, CompareTexts>(
      "compare", "Do the formulations agree, and what does each cost?",
      "  armdyn compare puma560 puma560-pick-and-place\n"
      "  armdyn compare ur10e --random 10000 --seed 7 --tolerance 1e-12\n"
      "  armdyn compare puma560 puma560-pick-and-place --methods newton-euler,lagrange "
      "--differences d.csv --json\n",
      add, finish);
}

}  // namespace armdyn
