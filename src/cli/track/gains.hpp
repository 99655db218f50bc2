#pragma once

#include <armdyn/vector.hpp>

#include <cstddef>
#include <string>

#include "cli/options/common_options.hpp"

namespace armdyn {

/// Whether the text of an option names a file and not numbers.
[[nodiscard]] bool is_gain_file(const std::string& text);

/// A dof×dof gain matrix from the text of an option: one number for all joints, a list with one for
/// each, or a CSV file with a row of numbers per joint. Throws UsageError, InputError, FileError.
[[nodiscard]] Matrix parse_gains(const std::string& option, const std::string& text,
                                 std::size_t dof);

/// 2 √K_p, joint by joint: critical damping. Throws UsageError where K_p is not diagonal, or
/// negative.
[[nodiscard]] Matrix critical_damping(const Matrix& Kp);

}  // namespace armdyn
