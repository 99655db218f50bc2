#pragma once

// What the columns of an array without names are: the one place that knows their order.

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "log/column_plan.hpp"

namespace armdyn {

/// Names for the columns of an array that has none, for a verb that wants these groups: t where it
/// is needed or there, the groups that are needed in the order of the wanting (as q, qd, qdd; the
/// last ones may be missing where they are not needed), the hand wrench if the verb takes one and
/// all before is there. Throws InputError where the number of columns is that of no such order.
[[nodiscard]] std::vector<std::string> plain_names(const Header& header, const Robot& robot,
                                                   const std::vector<WantedGroup>& wanted);

/// Whether these groups, side by side, are in an order that a reader knows without names:
/// [t] tau, or [t] q qd qdd [hand wrench].
[[nodiscard]] bool is_plain_order(const std::vector<Quantity>& groups);

}  // namespace armdyn
