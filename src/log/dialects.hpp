#pragma once

// Names that others give their columns: data, no code.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "log/quantity.hpp"

namespace armdyn {

// Names with places: see ColumnPattern.

/// Texts found at the places of a pattern.
struct PatternMatch {
  std::optional<std::size_t> number;  ///< at {#}
  std::string joint;                  ///< at {joint}
  std::string any;                    ///< at {*}
};

[[nodiscard]] std::optional<PatternMatch> match_pattern(std::string_view pattern,
                                                        std::string_view text);

/// "q_{0..2}" as q_0, q_1, q_2 and "{a,c}" as a, c. Nothing if the braces are not of that kind.
[[nodiscard]] std::optional<std::vector<std::string>> expand_braces(std::string_view text);

/// Names of a group's columns. In the text `{#}` is the number of a joint, from 0 or from 1,
/// `{joint}` the name of a joint (or that and `_joint`), `{*}` anything, the same in all of them.
struct ColumnPattern {
  Quantity quantity = Quantity::position;
  std::string_view text;
  std::string_view unit = {};    ///< where the header names none; empty: SI
  std::string_view remark = {};  ///< what they are, where they are not what they seem
};

/// Names of columns in one kind of log. Of the patterns of one quantity the first counts whose
/// columns are all there.
struct Dialect {
  std::string_view name;  ///< for messages: "a UR RTDE log"
  std::span<const ColumnPattern> patterns;
  std::string_view joint_names = {};    ///< columns whose cells name the joints, by number
  std::string_view whole_seconds = {};  ///< a stamp in two columns: seconds
  std::string_view nanoseconds = {};    ///< and nanoseconds
  bool refuses_unknown = false;         ///< otherwise unknown columns are passed over
};

/// The first is plain, which conventions name.
[[nodiscard]] std::span<const Dialect> known_dialects();

}  // namespace armdyn
