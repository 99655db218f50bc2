#pragma once

// Meaning of a table's columns for one robot: quantities and units.

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

/// End of messages about rows of a log that --gaps can leave out.
inline constexpr std::string_view rows_remedy = " (--gaps skip leaves such rows out)";

// Columns of a table for a verb, and their places.

enum class Need {
  required,   ///< all columns of the group
  optional,   ///< all or none
  looked_at,  ///< all, or they are left out; with NaN for cells that have no number within limits
};

struct WantedGroup {
  Quantity quantity = Quantity::time;
  Need need = Need::required;
  std::string_view instead = {};         ///< advice of the message where all of it is missing
  std::optional<Quantity> or_else = {};  ///< a wanted group that a header may have in its place
};

/// Operations on a table's columns once they are read, in this order.
struct ColumnSteps {
  struct Unwrapping {
    std::size_t column = 0;
    double turn = 0.0;  ///< height of the column's jumps
  };
  struct Sum {
    std::size_t column = 0, other = 0;
    double factor = 1.0, offset = 0.0;  ///< of the other, which is added
  };
  struct Shift {
    std::size_t column = 0;
    double later = 0.0;  ///< s
  };
  std::vector<Unwrapping> unwrapped;
  std::vector<Sum> sums;
  std::vector<Shift> shifted;

  [[nodiscard]] bool empty() const { return unwrapped.empty() && sums.empty() && shifted.empty(); }
};

/// A TablePlan with the columns of the wanted groups in a table, in the order of the wanted groups.
struct ColumnPlan : TablePlan {
  /// The Table's first column of a group; nothing if the table lacks the group.
  [[nodiscard]] std::optional<std::size_t> first(Quantity quantity) const;
  [[nodiscard]] bool has(Quantity quantity) const { return first(quantity).has_value(); }
  /// Columns of a group; none if the table lacks the group.
  [[nodiscard]] std::span<const Column> columns_of(Quantity quantity) const;
  /// Tests whether all columns of the group, if any, are in SI units.
  [[nodiscard]] bool is_si(Quantity quantity) const;
  /// Forgets a group; its columns stay.
  void leave_out(Quantity quantity);

  std::vector<std::pair<Quantity, std::size_t>> groups;  ///< the wanted ones in the table
  std::string recognized;  ///< note for the user on dialect and columns; empty: all as named
  bool has_motor_torques = false;  ///< torques are those of motors, by their currents
  ColumnSteps steps;
};

/// Expression in --columns that a joint's quantity is read from: factor*cell+offset@later. What is
/// found wrong of a column changes it, whatever the user's own arithmetic is.
struct ColumnReading {
  std::string cell{};  ///< name, with a unit that is not SI; empty where --columns cannot name it
  double factor = 1.0;
  double offset = 0.0, later = 0.0;  ///< SI; s
  std::string added{};               ///< another column, with its sign: "+q2"
  bool is_angle = false;

  /// Takes the numbers so many times, with the offset.
  void scale(double by);
  /// Writes a unit behind the name, if it has none yet and no arithmetic, else its factor.
  void read_in(const std::string& unit, double unit_factor);
  [[nodiscard]] std::string text() const;  ///< empty where nothing can be written
};
/// Reading of a column in the log so far.
[[nodiscard]] ColumnReading column_reading(const ColumnPlan& plan, const Robot& robot,
                                           Quantity quantity, std::size_t joint);
/// Number of the fewest digits, three at most, that is this one but for 0.5 %.
[[nodiscard]] double rounded(double number);
/// Value of --columns, in quotes: earlier choices, but those that are named anew, and new ones; of all
/// `dof` joints as one, "q=q{1..6}[deg]".
[[nodiscard]] std::string choices_text(const std::vector<ColumnChoice>& named,
                                       const std::vector<ColumnChoice>& anew, std::size_t dof);

/// Sentences on columns of a log.
struct Doubts {
  std::vector<std::string> sentences;
  /// Columns seem to be others, or in other units: warnings on results follow from this.
  bool are_misread = false;
};

// Order of the columns of an array without names.

/// Names for the columns of an array without names, for a verb with these wanted groups: t, which may
/// be missing where it is optional; the required groups in their order, and rates behind q (of q, qd,
/// qdd the last optional ones may be missing); the wrench if the verb takes one and all before
/// is there. Throws InputError where the number of columns is that of no such order.
[[nodiscard]] std::vector<std::string> plain_names(const Header& header, const Robot& robot,
                                                   const std::vector<WantedGroup>& wanted);

/// Tests whether these groups, side by side, need no names for a reader: [t] tau, or [t] q qd qdd
/// [contact wrench].
[[nodiscard]] bool is_plain_order(const std::vector<Quantity>& groups);

struct ColumnOptions {
  bool ignore_extra = false;  ///< skips unknown columns, which are refused otherwise
  std::vector<ColumnChoice> choices{};
  std::string text_column{};           ///< a column of words, not numbers; empty: none
  bool may_have_no_header = false;     ///< names --no-header in messages
  bool may_be_empty = false;           ///< takes empty cells of text, but for times
  bool takes_currents = false;         ///< makes torques of them where none are measured
  bool leaves_out_unmeasured = false;  ///< optional groups that are NaN or empty in the first row
};

/// Finds the wanted columns. Throws InputError for missing, unknown or repeated columns, those beyond
/// the robot's joints, or in a unit of another dimension.
[[nodiscard]] ColumnPlan plan_columns(const Header& header, const Robot& robot,
                                      const std::vector<WantedGroup>& wanted,
                                      const ColumnOptions& options = {});

}  // namespace armdyn
