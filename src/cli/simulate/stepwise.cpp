#include "cli/simulate/stepwise.hpp"

#include <algorithm>

#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/interrupt.hpp"

namespace armdyn {

namespace {

/// With the time between states for its step.
SimulationOptions state_to_state(SimulationOptions options) {
  options.step *= static_cast<double>(options.every);
  return options;
}

}  // namespace

StepwiseTorque::StepwiseTorque(const SimulateOptions& options, const Robot& robot)
    : options_(options), robot_(robot), ends_(state_to_state(options.simulation)) {
  held_.tau.resize(robot.dof());
}

bool StepwiseTorque::read(double t) {
  try {
    if (!rows_) {
      rows_.emplace(find_motion(options_.torques), robot_,
                    options_.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse,
                    options_.topics, Need::optional);
      print_recognised(rows_->file().name(), rows_->plan(), options_.output);
    }
    return rows_->next(held_, t);
  } catch (const Interrupted&) {
    return false;  // the simulation finds out
  }
}

double StepwiseTorque::begin_stretch(double t, std::span<const double> q,
                                     std::span<const double> qd) {
  send_(t, q, qd);
  return read(t) && t < ends_.end() ? ends_.next(t, forever) : forever;
}

void StepwiseTorque::evaluate(double /*t*/, std::span<const double> /*q*/,
                              std::span<const double> /*qd*/, std::span<double> tau, Wrench& hand) {
  std::ranges::copy(held_.tau, tau.begin());
  hand = held_.hand;
}

}  // namespace armdyn
