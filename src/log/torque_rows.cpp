#include "log/torque_rows.hpp"

#include <armdyn/error.hpp>

#include "io/file/interrupt.hpp"
#include "log/side_by_side.hpp"
#include "math/coordinates.hpp"

namespace armdyn {

TorqueRows::TorqueRows(const std::string& path, const Robot& robot, ExtraColumns extra)
    : input_(open_log(path, robot)),
      reader_(input_, robot,
              {{Quantity::time, Need::required},
               {Quantity::torque, Need::required,
                "armdyn torque --keep-motion computes torques from a motion"},
               {Quantity::hand_wrench, Need::optional},
               {Quantity::position, Need::optional},
               {Quantity::velocity, Need::optional}},
              extra),
      dof_(robot.dof()) {}

std::vector<double> TorqueRows::values(Quantity quantity, std::size_t count) const {
  return reader_.at(*reader_.plan().first(quantity), count);
}

std::optional<std::vector<double>> TorqueRows::q() const {
  if (!has(Quantity::position)) return {};
  return values(Quantity::position, dof_);
}

bool TorqueRows::read_row() {
  try {
    return reader_.next();
  } catch (const Interrupted&) {
    if (!last_t_) throw;
    return false;
  }
}

bool TorqueRows::next(TorqueSample& sample) {
  if (!read_row()) {
    if (last_t_) return false;
    throw InputError(input_.name() + ": has a header but no row of torques");
  }
  if (!last_t_) {
    first_q_ = q();
    if (has(Quantity::velocity)) first_qd_ = values(Quantity::velocity, dof_);
  }
  sample.t = later_time(reader_, *reader_.plan().first(Quantity::time), last_t_);
  last_t_ = sample.t;
  sample.tau = values(Quantity::torque, dof_);
  if (has_wrench()) sample.hand = wrench_of(values(Quantity::hand_wrench, 6));
  return true;
}

}  // namespace armdyn
