#pragma once

// Meaning of a table's columns for one robot: which is what, and in which unit.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/table/table.hpp"
#include "log/header_meaning.hpp"
#include "log/quantity.hpp"

namespace armdyn {

// Columns that a verb wants of a table, and their places.

enum class Need {
  required,  ///< all columns of the group
  optional,  ///< all or none
};

struct WantedGroup {
  Quantity quantity = Quantity::time;
  Need need = Need::required;
  std::string_view instead = {};         ///< for the message where all of it is missing
  std::optional<Quantity> or_else = {};  ///< a wanted group that a header may have in its place
};

/// A TablePlan whose columns are those of the wanted groups that are there, in the order of the
/// wanting.
struct ColumnPlan : TablePlan {
  /// The Table's column that holds the first of the group; nothing if the group is not there.
  [[nodiscard]] std::optional<std::size_t> first(Quantity quantity) const;
  [[nodiscard]] bool has(Quantity quantity) const { return first(quantity).has_value(); }
  /// None if the group is not there.
  [[nodiscard]] std::span<const Column> columns_of(Quantity quantity) const;
  /// True where all columns of the group are in SI units; also where the file has none.
  [[nodiscard]] bool is_si(Quantity quantity) const;

  std::vector<std::pair<Quantity, std::size_t>> groups;  ///< the wanted ones that are there
  std::string recognised;  ///< for the user: whose log, which columns became what; empty: as named
  bool has_motor_torques = false;  ///< torques are those of motors, of their currents
};

/// The name in --columns of the cell that holds a joint's quantity, with its unit if that is not
/// SI; empty: it cannot.
[[nodiscard]] std::string name_in_choices(const ColumnPlan& plan, const Robot& robot,
                                          Quantity quantity, std::size_t joint);
/// The value of --columns, in quotes: what was named, but where it is named anew.
[[nodiscard]] std::string choices_text(const std::vector<ColumnChoice>& named,
                                       const std::vector<ColumnChoice>& anew);

// Order of the columns of an array without names; no other place knows it.

/// Names for the columns of an array that has none, for a verb that wants these groups: t where it
/// is needed or there, the groups that are needed in the order of the wanting (as q, qd, qdd; the
/// last ones may be missing where they are not needed), the hand wrench if the verb takes one and
/// all before is there. Throws InputError where the number of columns is that of no such order.
[[nodiscard]] std::vector<std::string> plain_names(const Header& header, const Robot& robot,
                                                   const std::vector<WantedGroup>& wanted);

/// Tells whether these groups, side by side, are in an order that a reader knows without names:
/// [t] tau, or [t] q qd qdd [hand wrench].
[[nodiscard]] bool is_plain_order(const std::vector<Quantity>& groups);

struct ColumnOptions {
  bool ignore_extra = false;  ///< columns that are not known; else they are refused
  std::vector<ColumnChoice> choices{};
  std::string text_column{};        ///< one that holds words, not numbers; empty: none
  bool may_have_no_header = false;  ///< if the user says so
  bool may_be_empty = false;        ///< cells of text, but for times
  bool takes_currents = false;      ///< makes torques of them where none are measured
};

/// Finds the wanted columns. Throws InputError for what is missing, unknown, twice there, beyond
/// the robot's joints, or in a unit that does not fit.
[[nodiscard]] ColumnPlan plan_columns(const Header& header, const Robot& robot,
                                      const std::vector<WantedGroup>& wanted,
                                      const ColumnOptions& options = {});

}  // namespace armdyn
