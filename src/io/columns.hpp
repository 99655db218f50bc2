#pragma once

// The room where a header gets its meaning for one robot: which column is what, and in which unit.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <optional>
#include <string>
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
  motor_part,      ///< motor1..
  wrench_part,     ///< wrench1..
  reaction,        ///< f1x,f1y,f1z,n1x,n1y,n1z,f2x.., N and N·m
  tracking_error,  ///< e1..en, like position

  // What a method's torque has over another's, like torque: newton_euler_difference1.. and so on.
  newton_euler_difference,
  modified_newton_euler_difference,
  lagrange_difference,
};

/// The names of a group's columns in their order, for a robot of `dof` joints.
[[nodiscard]] std::vector<std::string> column_names(Quantity quantity, std::size_t dof);

/// A header line, split into cells without their quotes and surrounding blanks.
struct Header {
  std::string file;  ///< for messages
  std::size_t line = 1;
  std::vector<std::string> cells;
};

enum class Need {
  required,  ///< all columns of the group
  optional,  ///< all or none
};

struct WantedGroup {
  Quantity quantity = Quantity::time;
  Need need = Need::required;
};

enum class ExtraColumns { refuse, ignore };

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

  std::vector<std::pair<Quantity, std::size_t>> groups;  ///< the wanted ones that are there
};

/// Finds the wanted columns. Throws InputError for what is missing, unknown, twice there, beyond
/// the robot's joints, or in a unit that does not fit.
[[nodiscard]] ColumnPlan plan_columns(const Header& header, const Robot& robot,
                                      const std::vector<WantedGroup>& wanted,
                                      ExtraColumns extra = ExtraColumns::refuse);

}  // namespace armdyn
