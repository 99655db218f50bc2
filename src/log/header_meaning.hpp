#pragma once

// Meaning of the columns of a log, where their names are not those of the conventions.

#include <armdyn/log.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/table/table.hpp"
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

/// Names of a group's columns. In a text `{#}` is the number of a joint, from 0 or from 1,
/// `{joint}` the name of a joint (or that and `_joint`), `{*}` anything, the same in all of them.
struct ColumnPattern {
  Quantity quantity = Quantity::position;
  std::string_view texts;        ///< alternatives, with blanks between
  std::string_view unit = {};    ///< where the header names none; empty: SI
  std::string_view remark = {};  ///< what they are, where they are not what they seem
};

/// Names of columns in one kind of log. Of the texts of one quantity the first counts whose columns
/// are all there.
struct Dialect {
  std::string_view name;  ///< for messages: "a UR RTDE log"
  std::span<const ColumnPattern> patterns;
  std::string_view joint_names = {};    ///< columns whose cells name the joints, by number
  std::string_view whole_seconds = {};  ///< a stamp in two columns: seconds
  std::string_view nanoseconds = {};    ///< and nanoseconds
  bool refuses_unknown = false;         ///< otherwise unknown columns are passed over
};

/// A header cell as name and unit, "q1 [deg]" and "q1_deg" as "q1" and "deg"; behind an underscore
/// only deg, deg_s and deg_s2.
struct CellText {
  std::string name;
  std::optional<std::string> unit;
};
[[nodiscard]] CellText name_and_unit(std::string_view cell);

/// Content of a column of a header, by the names of the conventions, a dialect or the user.
struct ColumnMeaning {
  Quantity quantity = Quantity::time;
  std::size_t index = 0;              ///< within the group
  std::optional<std::string> unit{};  ///< as written; nothing: SI
  double factor = 1.0, offset = 0.0;  ///< of what the column says; the offset in SI
  std::string computed{};             ///< "-tau_0" as the user wrote it; empty: as it is
  std::string_view remark{};          ///< what it is, where it is not what it seems

  [[nodiscard]] bool is_computed() const { return !computed.empty(); }
};

/// Meaning of a header's cells.
struct HeaderMeaning {
  const Dialect* dialect = nullptr;
  std::map<std::size_t, ColumnMeaning> columns;                   ///< by cell, of what is known
  std::map<std::pair<Quantity, std::size_t>, std::size_t> cells;  ///< of what is known
  std::optional<std::size_t> nanoseconds;  ///< cell that belongs to a stamp in whole seconds
  std::vector<ConstantText> constant_texts;
  std::string why_not;  ///< what kept the most likely dialect from being recognised

  /// Replaces what the cell meant, and where that was before.
  void put(std::size_t cell, ColumnMeaning meaning);
  [[nodiscard]] std::optional<std::size_t> cell_of(Quantity quantity, std::size_t index) const;
  /// Tells whether it has any column of the group.
  [[nodiscard]] bool has(Quantity quantity) const;
};

/// Recognises the dialect of a header. Where none is, the dialect is plain and has no entries.
[[nodiscard]] HeaderMeaning recognise(const Header& header, const Robot& robot);

/// Lets what the user says overrule the rest. Throws InputError for columns that are not there.
void apply_choices(HeaderMeaning& meaning, const std::vector<ColumnChoice>& choices,
                   const Header& header, const Robot& robot);

}  // namespace armdyn
