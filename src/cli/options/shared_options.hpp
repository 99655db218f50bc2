#pragma once

// The options that several verbs have, and how their texts become values.

#include <armdyn/dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/named_choice.hpp"
#include "cli/options/value_text.hpp"
#include "cli/options/verb_syntax.hpp"
#include "log/log_options.hpp"

namespace armdyn {

/// Texts of the options that all verbs share, before they become values.
struct CommonTexts {
  std::string gravity;
  std::string payload;
  std::string without;
  std::string threads;
};

/// Texts of the options that say how a log is to be read.
struct LogTexts {
  std::string columns;
  std::string gaps;
  std::string window;
  std::string from_time;
  std::string to_time;
  std::string resample;
};

/// Texts of the options that say how a simulation goes on in time.
struct IntegrationTexts {
  std::string integrator = "rk4";
  std::string tolerance;
};

void add_robot(VerbSyntax& verb, RobotOptions& options, CommonTexts& texts);
void add_output(VerbSyntax& verb, OutputOptions& options, CommonTexts& texts,
                std::string_view json = "summary as JSON");
void add_log(VerbSyntax& verb, LogOptions& options, LogTexts& texts);
void add_integration(VerbSyntax& verb, IntegrationTexts& texts);
void add_limits(VerbSyntax& verb, std::string& text);

// From texts to values; each throws UsageError, which says what was found and what is expected.
void finish(RobotOptions& options, const CommonTexts& texts);
/// "friction,motor": parts of the robot that are left out.
void finish_without(RobotOptions& options, const std::string& option, const std::string& text);
void finish(OutputOptions& options, const CommonTexts& texts);
void finish(LogOptions& options, const LogTexts& texts);
void finish(Integrator& integrator, double& tolerance, const IntegrationTexts& texts);
/// Whether a simulation stops at a position limit.
[[nodiscard]] bool parse_limits(const std::string& text);

[[nodiscard]] std::vector<std::string> method_names();
[[nodiscard]] Method parse_method(const std::string& option, const std::string& text);

/// The value that belongs to the text, which must be one of the choices.
template <class Value>
[[nodiscard]] Value parse_named(const std::string& option, const std::string& text,
                                const std::vector<std::pair<std::string, Value>>& choices) {
  return choose(option, text, choices);
}

}  // namespace armdyn
