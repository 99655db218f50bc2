#include "cli/torque_rows.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include "cli/robot_argument.hpp"
#include "io/number_text.hpp"

namespace armdyn {

TorqueRows::TorqueRows(const std::string& path, const Robot& robot, ExtraColumns extra)
    : input_(find_motion(path)),
      reader_(input_),
      plan_(plan_columns(reader_.header(), robot,
                         {{Quantity::time, Need::required},
                          {Quantity::torque, Need::required},
                          {Quantity::hand_wrench, Need::optional},
                          {Quantity::position, Need::optional},
                          {Quantity::velocity, Need::optional}},
                         {extra})),
      dof_(robot.dof()) {}

bool TorqueRows::next_block() {
  row_ = 0;
  do {
    if (!reader_.next(text_)) return false;
    bytes_read_ += text_.text().size();
    reader_.parse(text_, plan_, table_);
  } while (table_.rows == 0);
  return true;
}

std::vector<double> TorqueRows::values(Quantity quantity, std::size_t count) const {
  std::vector<double> found;
  const std::size_t first = *plan_.first(quantity);
  for (std::size_t i = 0; i < count; ++i) found.push_back(table_.columns[first + i][row_]);
  return found;
}

bool TorqueRows::next(TorqueSample& sample) {
  if (row_ >= table_.rows && !next_block()) {
    if (last_t_) return false;
    throw InputError(input_.name() + ": has a header but no row of torques");
  }
  if (!last_t_) {
    if (plan_.has(Quantity::position)) first_q_ = values(Quantity::position, dof_);
    if (plan_.has(Quantity::velocity)) first_qd_ = values(Quantity::velocity, dof_);
  }
  sample.t = table_.columns[*plan_.first(Quantity::time)][row_];
  if (last_t_ && !(sample.t > *last_t_)) {
    throw InputError(fmt::format("{}:{}: t is {} after {}; expected times that increase",
                                 input_.name(), table_.lines[row_], number_text(sample.t),
                                 number_text(*last_t_)));
  }
  last_t_ = sample.t;
  sample.tau = values(Quantity::torque, dof_);
  if (has_wrench()) {
    const std::vector<double> w = values(Quantity::hand_wrench, 6);
    sample.hand = {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
  }
  ++row_;
  return true;
}

}  // namespace armdyn
