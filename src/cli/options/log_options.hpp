#pragma once

// The options of logs, which torque and compare share: their words, and how a summary repeats them.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/options/common_options.hpp"
#include "log/log_options.hpp"

namespace armdyn {

/// refuse, skip or bridge. Throws UsageError.
[[nodiscard]] Gaps parse_gaps(const std::string& text);
/// Of a rule that was said.
[[nodiscard]] std::string_view name(Gaps gaps);

/// Under the names of the options, times in s, rates in Hz; without those that were not given and
/// have no default.
[[nodiscard]] nlohmann::json options_json(const LogOptions& options);

}  // namespace armdyn
