#pragma once

// The room where a header gets its meaning for one robot: which column is what, and in which unit.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/column_units.hpp"

namespace armdyn {

/// What a group of columns holds. Every column that some verb reads or writes is in one of them.
enum class Quantity {
  time,            ///< t, s
  position,        ///< q1..qn, rad or m
  velocity,        ///< qd1..qdn
  acceleration,    ///< qdd1..qddn
  torque,          ///< tau1..taun, N·m or N
  hand_wrench,     ///< fx,fy,fz,nx,ny,nz, N and N·m
  inertia_part,    ///< inertia1..inertian, like torque; so all parts
  velocity_part,   ///< velocity1..
  gravity_part,    ///< gravity1..
  friction_part,   ///< friction1..
  rotor_part,      ///< rotor1..
  wrench_part,     ///< wrench1..
  reaction,        ///< f1x,f1y,f1z,n1x,n1y,n1z,f2x.., N and N·m
  tracking_error,  ///< e1..en, like position
  run,             ///< run: which simulation among many
  run_end,         ///< exit, joint: what it alone would exit with, and at whose limit it ended
  energy_audit,    ///< work, losses, imbalance, J

  // What a method's torque has over another's, like torque: newton_euler_difference1.. and so on.
  newton_euler_difference,
  modified_newton_euler_difference,
  lagrange_difference,
};

/// The names of a group's columns in their order, for a robot of `dof` joints.
[[nodiscard]] std::vector<std::string> column_names(Quantity quantity, std::size_t dof);

/// A whole group as one word: q1..q6.
[[nodiscard]] std::string range_text(const std::vector<std::string>& names);

/// A header line, split into cells without their quotes and surrounding blanks.
struct Header {
  std::string file;      ///< for messages
  std::size_t line = 1;  ///< 0: of a binary file, which has no lines
  std::vector<std::string> cells;
  std::vector<std::string> first_row{};  ///< the cells of the first row below, if there is one
  bool is_written = true;                ///< false: the file has none, and cells are 1, 2, 3..
};

/// "motion.csv:1", or the file alone where it has no lines.
[[nodiscard]] std::string place_text(const Header& header);

/// Where the user says what a column is, as in `q=actual_q_{0..5}`.
struct ColumnChoice {
  std::string name;     ///< t, q, qd, qdd, tau, or one column: q3, fx
  std::string columns;  ///< as the header says; `{0..5}` counts
};

enum class Need {
  required,  ///< all columns of the group
  optional,  ///< all or none
};

struct WantedGroup {
  Quantity quantity = Quantity::time;
  Need need = Need::required;
  std::string_view instead = {};  ///< for the message where all of it is missing
};

enum class ExtraColumns { refuse, ignore };

struct ColumnOptions {
  ExtraColumns extra = ExtraColumns::refuse;
  std::vector<ColumnChoice> choices{};
  std::string text_column{};  ///< one that holds words, not numbers; empty: none
};

/// A stamp that is read digit by digit, since a double cannot hold nanoseconds since 1970.
struct StampPlan {
  std::size_t column = 0;   ///< of the Table
  std::int64_t origin = 0;  ///< what counts as zero, ns
  struct Cell {
    std::size_t cell = 0;
    int decimals = 0;  ///< the unit is a power of ten: 0 for s, 9 for ns
  };
  std::vector<Cell> cells;  ///< one, or seconds and nanoseconds apart
};

/// What to do with a row that cannot be read.
enum class BadRows { refuse, leave_out };

/// A cell that must say in every row what it says in the first.
struct ConstantText {
  std::size_t cell = 0;
  std::string text;
};

/// How the lines below a header become a Table: whose columns are those of the wanted groups that
/// are there, in the order of the wanting.
struct ColumnPlan {
  struct Column {
    std::string name;      ///< canonical: q1, not q_shoulder[deg]
    std::size_t cell = 0;  ///< place in the line
    Unit unit;
  };
  std::vector<std::string> header;  ///< as written; one for each cell of a line
  std::vector<Column> columns;      ///< one for each column of the Table

  /// The Table's column that holds the first of the group; nothing if the group is not there.
  [[nodiscard]] std::optional<std::size_t> first(Quantity quantity) const;
  [[nodiscard]] bool has(Quantity quantity) const { return first(quantity).has_value(); }
  /// Whether the file has all columns of the group in SI units; also where it has none.
  [[nodiscard]] bool is_si(Quantity quantity) const;

  std::vector<std::pair<Quantity, std::size_t>> groups;  ///< the wanted ones that are there
  BadRows bad_rows = BadRows::refuse;
  std::optional<StampPlan> stamp;
  std::vector<ConstantText> constant_texts;
  std::optional<std::size_t> text_cell;  ///< goes to Table::texts
  std::string recognised;  ///< for the user: whose log, which columns became what; empty: as named
};

/// Finds the wanted columns. Throws InputError for what is missing, unknown, twice there, beyond
/// the robot's joints, or in a unit that does not fit.
[[nodiscard]] ColumnPlan plan_columns(const Header& header, const Robot& robot,
                                      const std::vector<WantedGroup>& wanted,
                                      const ColumnOptions& options = {});

}  // namespace armdyn
