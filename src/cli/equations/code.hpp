#pragma once

#include <armdyn/robot_file.hpp>

#include <string>

#include "cli/equations/options.hpp"

// The forms that are code.

namespace armdyn {

/// The function that was asked for. Throws UsageError where it has no such parameters, or is too
/// long.
[[nodiscard]] WrittenFunction code_function(const EquationsOptions& options, const RobotFile& file);

[[nodiscard]] std::string code_text(const EquationsOptions& options,
                                    const WrittenFunction& function);

/// A program that tests the code with what the library computes.
[[nodiscard]] std::string code_check_text(const EquationsOptions& options, const RobotFile& file,
                                          const WrittenFunction& function);

}  // namespace armdyn
