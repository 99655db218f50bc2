#pragma once

// Meaning of the columns of a log whose names are not those of the conventions.

#include <armdyn/identification.hpp>
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

// Matching of names; for the patterns see ColumnPattern.

/// Texts found at the places of a pattern.
struct PatternMatch {
  std::optional<std::size_t> number;  ///< at {#}
  std::string joint;                  ///< at {joint}
  std::string any;                    ///< at {*}
};

[[nodiscard]] std::optional<PatternMatch> match_pattern(std::string_view pattern,
                                                        std::string_view text);

/// Expands "q_{0..2}" to q_0, q_1, q_2, and "{a,c}" to a, c; nothing for other braces.
[[nodiscard]] std::optional<std::vector<std::string>> expand_braces(std::string_view text);

/// Names of a group's columns. In a text `{#}` is the number of a joint, from 0 or from 1,
/// `{joint}` the name of a joint (or that and `_joint`), `{*}` anything, the same in all of them.
struct ColumnPattern {
  Quantity quantity = Quantity::position;
  std::string_view texts;        ///< alternatives, with blanks between
  std::string_view unit = {};    ///< if the header names none; empty: SI
  std::string_view remark = {};  ///< true meaning, if another than the name suggests
};

/// Names of columns in one kind of log. Of the texts of a quantity the first with all columns counts.
struct Dialect {
  std::string_view name;  ///< for messages: "a UR RTDE log"
  std::span<const ColumnPattern> patterns;
  std::string_view joint_names = {};  ///< columns whose cells name the joints, by number or all
  bool refuses_unknown = false;       ///< else skips unknown columns
};

/// Name and unit of a header cell: of "q1 [deg]" and "q1_deg" "q1" and "deg"; behind an underscore
/// only deg, deg_s and deg_s2. A number in brackets is part of the name: "q[0]" of "q[0][deg]".
struct CellText {
  std::string name;
  std::optional<std::string> unit;
};
[[nodiscard]] CellText name_and_unit(std::string_view cell);
/// The same of a column whose quantity is known: "_ms" behind a time and "(deg)" are units, too.
[[nodiscard]] CellText name_and_unit(std::string_view cell, Quantity quantity);

/// Joint of that name, or of it with "_joint" behind.
[[nodiscard]] std::optional<std::size_t> joint_of_text(const Robot& robot, const std::string& text);

/// Another column whose numbers are added to a column's.
struct AddedColumn {
  std::size_t cell = 0;
  std::optional<std::string> unit{};
  double sign = 1.0;
};

/// Content of a column of a header, by the names of the conventions, a dialect or the user.
struct ColumnMeaning {
  Quantity quantity = Quantity::time;
  std::size_t index = 0;              ///< within the group
  std::optional<std::string> unit{};  ///< as written; nothing: SI
  double factor = 1.0, offset = 0.0;  ///< of the column's numbers; the offset in SI
  std::string computed{};             ///< the user's arithmetic, "-tau_0"; empty: none
  std::string_view remark{};          ///< as of ColumnPattern
  bool unwraps = false;               ///< it is an angle within a turn, which is to go on
  double later = 0.0;                 ///< s: the number of that much later
  std::optional<AddedColumn> added{};

  [[nodiscard]] bool is_computed() const { return !computed.empty(); }
};

/// Meaning of a header's cells.
struct HeaderMeaning {
  const Dialect* dialect = nullptr;
  std::map<std::size_t, ColumnMeaning> columns;                   ///< known ones, by cell
  std::map<std::pair<Quantity, std::size_t>, std::size_t> cells;  ///< of known columns
  std::optional<std::size_t> nanoseconds;  ///< cell that belongs to a stamp in whole seconds
  std::vector<ConstantText> constant_texts;
  std::string why_not;  ///< why the most likely dialect was not recognized

  /// Replaces the meaning of a cell, and the cell that had the new meaning before.
  void put(std::size_t cell, ColumnMeaning meaning);
  [[nodiscard]] std::optional<std::size_t> cell_of(Quantity quantity, std::size_t index) const;
  /// Tests whether it has any column of the group.
  [[nodiscard]] bool has(Quantity quantity) const;
  /// Forgets the group.
  void leave_out(Quantity quantity);
};

/// Cells of a header, but empty for those whose first row holds words, such as names of joints.
[[nodiscard]] std::vector<std::string> cells_of_numbers(const Header& header);

/// Recognizes the dialect of a header, or else columns for each joint that have plain names. By
/// default the dialect is the plain one, without entries.
[[nodiscard]] HeaderMeaning recognize(const Header& header, const Robot& robot);

/// Applies the user's choices, which overrule all else. Throws InputError for missing columns.
void apply_choices(HeaderMeaning& meaning, const std::vector<ColumnChoice>& choices,
                   const Header& header, const Robot& robot);

}  // namespace armdyn
