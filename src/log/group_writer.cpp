#include "log/group_writer.hpp"

#include "log/plain_order.hpp"

namespace armdyn {

void GroupWriter::add(Quantity quantity, std::size_t dof) {
  TableWriter::add(column_names(quantity, dof));
  groups_.push_back(quantity);
  name_columns_of_array(!is_plain_order(groups_));
}

}  // namespace armdyn
