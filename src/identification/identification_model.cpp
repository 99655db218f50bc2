#include "identification/identification_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "dynamics/friction.hpp"

namespace armdyn {

namespace {

using Kind = ParameterKind;

constexpr const char* delay = "delay";  // as a name of what is fitted
constexpr double usual_slope = 10.0;    // of a sigmoid that the file does not have, s/rad or s/m

/// The robot whose friction follows that law alone.
Robot with_law(Robot robot, FrictionLaw law) {
  if (law == FrictionLaw::as_the_robot) return robot;
  for (Joint& joint : robot.joints) {
    Friction& friction = joint.friction;
    if (law != FrictionLaw::coulomb) {
      friction.coulomb = joint.motor.coulomb = {};
      friction.breakaway.reset();
    }
    if (law != FrictionLaw::sigmoid) friction.sigmoid = {};
    if (law == FrictionLaw::sigmoid && friction.sigmoid.slope == 0.0) {
      friction.sigmoid.slope = usual_slope;
    }
  }
  return robot;
}

/// Whether a parameter of a drive's friction is fitted; a motor's rather than the joint's where the
/// robot has the motor's, since torques cannot tell them, unless motors are coupled.
bool is_fitted(const Joint& joint, bool is_coupled, Kind kind, FrictionLaw law) {
  const auto& [friction, motor] = std::pair{joint.friction, joint.motor};
  switch (kind) {
    case Kind::viscous:
      return is_coupled || motor.viscous == 0.0;
    case Kind::motor_viscous:
      return true;
    case Kind::coulomb:
      if (is_coupled || !motor.coulomb.is_none() || law == FrictionLaw::viscous ||
          law == FrictionLaw::sigmoid) {
        return false;
      }
      return law == FrictionLaw::coulomb || !friction.coulomb.is_none() ||
             friction.sigmoid.slope == 0.0;
    case Kind::motor_coulomb:
    case Kind::breakaway:
      return law == FrictionLaw::coulomb || law == FrictionLaw::as_the_robot;
    default:
      return true;
  }
}

std::vector<std::size_t> free_parameters(const Robot& robot, const IdentifyTask& task,
                                         const std::vector<DynamicParameter>& parameters) {
  const auto covers = [&](const std::string& word, const DynamicParameter& p) {
    if (word == "payload") return p.of_payload;
    if (word == "rotors") return p.kind == Kind::rotor_inertia;
    if (word == "offsets") return p.kind == Kind::offset;
    if (word == "friction") return p.kind > Kind::rotor_inertia && p.kind < Kind::offset;
    return !p.of_payload && p.kind < Kind::rotor_inertia && robot.joints[p.joint].name == word;
  };
  std::string known = "payload, rotors, friction, offsets, delay";
  for (const Joint& joint : robot.joints) known += ", " + joint.name;
  const auto check = [&](const char* option, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (word == delay || std::ranges::any_of(parameters, [&](const DynamicParameter& p) {
            return covers(word, p);
          })) {
        continue;
      }
      throw std::invalid_argument(
          fmt::format("{}: found \"{}\", expected names out of {}", option, word, known));
    }
  };
  check("--free", task.free);
  check("--fix", task.fixed);
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const DynamicParameter& p = parameters[k];
    const auto is_named = [&](const std::string& word) { return covers(word, p); };
    const bool is_asked = task.free.empty()
                              ? !p.of_payload
                              : p.kind == Kind::offset || std::ranges::any_of(task.free, is_named);
    if (!is_asked || std::ranges::any_of(task.fixed, is_named)) continue;
    const bool is_coupled = find_coupling(robot, p.joint) != nullptr;
    if (!is_fitted(robot.joints[p.joint], is_coupled, p.kind, task.law)) continue;
    free.push_back(k);
  }
  return free;
}

}  // namespace

IdentificationModel::IdentificationModel(const Robot& robot, IdentifyTask task)
    : task_(std::move(task)),
      robot_(with_law(robot, task_.law)),
      regressor_(robot_, std::ranges::find(task_.free, "payload") != task_.free.end()
                             ? Regressor::Payload::always
                             : Regressor::Payload::as_the_robot),
      free_(free_parameters(robot_, task_, regressor_.parameters())) {
  const std::vector<DynamicParameter>& parameters = regressor_.parameters();
  if (free_.empty()) throw std::invalid_argument("--fix leaves nothing to identify");
  is_free_.assign(parameters.size(), false);
  for (const std::size_t k : free_) is_free_[k] = true;
  base_ = base_parameters(robot_, regressor_, free_);
  finds_delay_ = std::ranges::find(task_.fixed, delay) == task_.fixed.end();
  used_.resize(robot_.dof());
  for (std::size_t b = 0; b < base_.combinations.size(); ++b) {
    for (const std::size_t j : joints_of(parameters[base_.combinations[b].first], robot_)) {
      used_[j].push_back(static_cast<Eigen::Index>(b));
    }
  }
  jumps_.assign(robot_.dof(), false);
  for (const DynamicParameter& p : parameters) {
    const bool is_dry =
        p.kind == Kind::coulomb || p.kind == Kind::breakaway || p.kind == Kind::motor_coulomb;
    const auto k = static_cast<std::size_t>(&p - parameters.data());
    if (is_dry && (is_free_[k] || p.value > 0.0)) jumps_[p.joint] = true;
  }
}

bool IdentificationModel::is_slow(std::size_t joint, std::span<const double> qd,
                                  std::span<const double> qdd, double window) const {
  constexpr double turns_within = 2.0 / 3.0;  // of the window, on either side (29.1)
  const auto is_near_rest = [&](double gear, auto&& rate) {
    const double change = window > 0.0 ? turns_within * window * std::abs(rate(qdd)) : 0.0;
    return std::abs(rate(qd)) < gear * task_.dead_zone + change;
  };
  const Coupling* const coupling = find_coupling(robot_, joint);
  if (coupling == nullptr) {
    return jumps_[joint] &&
           is_near_rest(1.0, [joint](std::span<const double> rates) { return rates[joint]; });
  }
  const std::size_t j = coupling->place(joint);
  for (std::size_t m = 0; m < coupling->joints.size(); ++m) {
    if (!jumps_[coupling->joints[m]] || coupling->ratio(m, j) == 0.0) continue;
    double gear = 0.0;
    for (std::size_t k = 0; k < coupling->joints.size(); ++k) {
      gear += std::abs(coupling->ratio(m, k));
    }
    const auto of_motor = [&](std::span<const double> rates) {
      return motor_rate<double>(*coupling, m, rates);
    };
    if (is_near_rest(gear, of_motor)) return true;
  }
  return false;
}

}  // namespace armdyn
