#include "identification/identify.hpp"

#include <fmt/format.h>
#include <armdyn/inertia.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "dynamics/friction.hpp"
#include "identification/consistent_fit.hpp"

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

std::vector<double> values(const std::vector<DynamicParameter>& parameters) {
  std::vector<double> all;
  all.reserve(parameters.size());
  for (const DynamicParameter& p : parameters) all.push_back(p.value);
  return all;
}

/// β: base parameters, then the delay if it is looked for.
Eigen::VectorXd beta_of(const IdentificationModel& model, std::span<const double> parameters,
                        double delay_found = 0.0) {
  std::vector<double> values = model.base().values(parameters);
  if (model.finds_delay()) values.push_back(delay_found);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// What is known of the base parameters where the delay is not known.
Eigen::MatrixXd without_delay(const IdentificationModel& model,
                              const Eigen::MatrixXd& information) {
  if (!model.finds_delay()) return information;
  const Eigen::Index size = information.rows() - 1;
  const Eigen::VectorXd shared = information.col(size).head(size);
  const double own = information(size, size);
  const Eigen::MatrixXd all = information.topLeftCorner(size, size);
  return own > 0.0 ? Eigen::MatrixXd(all - shared * shared.transpose() / own) : all;
}

}  // namespace

// --- IdentificationModel

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

// --- LogEquations

namespace {

/// Of base parameters, and of the delay if it is looked for.
TorqueFitRows::UsedColumns used_columns(const IdentificationModel& model) {
  TorqueFitRows::UsedColumns used = model.used();
  const auto last = static_cast<Eigen::Index>(model.base().combinations.size());
  for (auto& of_joint : used) {
    if (model.finds_delay()) of_joint.push_back(last);
  }
  return used;
}

}  // namespace

LogEquations::LogEquations(std::string name, const IdentificationModel& model)
    : name_(std::move(name)),
      model_(model),
      rows_(used_columns(model)),
      ends_(rows_),
      speed_squares_(model.used().size()),
      column_squares_(model.regressor().parameters().size()),
      tau_(model.used().size()),
      tau_squares_(model.used().size()),
      predicted_(model.used().size()),
      predicted_squares_(model.used().size()),
      products_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(model.used().size()),
                                      static_cast<Eigen::Index>(model.used().size()))) {}

void LogEquations::add(const Block& block, const Rows& rows) {
  const std::size_t n = model_.used().size();
  const std::vector<DynamicParameter>& parameters = model_.regressor().parameters();
  std::vector<std::vector<std::pair<const double*, double>>> fixed(n);  // column, value
  std::vector<std::vector<const double*>> columns(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto column = [&](std::size_t k) { return block.Y[j * parameters.size() + k].data(); };
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const bool counts = !model_.is_free(k) && parameters[k].value != 0.0;
      if (counts) fixed[j].emplace_back(column(k), parameters[k].value);
    }
    for (const Eigen::Index b : model_.used()[j]) {
      columns[j].push_back(column(model_.base().combinations[static_cast<std::size_t>(b)].first));
    }
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].kind < Kind::rotor_inertia) continue;
    const std::vector<double>& column = block.Y[parameters[k].joint * parameters.size() + k];
    column_squares_[k] +=
        std::inner_product(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(rows.count),
                           column.begin(), 0.0);
  }
  Eigen::VectorXd measured(static_cast<Eigen::Index>(n)), predicted(static_cast<Eigen::Index>(n));
  std::vector<double> equation, qd(n), qdd(n);
  for (std::size_t row = 0; row < rows.count; ++row) {
    TorqueFitRows& place = rows.is_at_end[row] == 0.0 ? rows_ : ends_;
    for (std::size_t j = 0; j < n; ++j) {
      qd[j] = rows.qd[j][row];
      qdd[j] = rows.qdd[j][row];
    }
    for (std::size_t j = 0; j < n; ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      const double torque = rows.tau[j][row];
      const double measured_torque = rows.measured_tau[j][row];
      const double before = block.predicted[j][row];
      if (row_count_ == 0) {
        first_tau_.push_back(torque);
        first_predicted_.push_back(before);
      }
      speed_squares_[j] += qd[j] * qd[j];
      measured[at] = torque - first_tau_[j];
      predicted[at] = before - first_predicted_[j];
      tau_[j] += measured[at];
      tau_squares_[j] += measured[at] * measured[at];
      predicted_[j] += predicted[at];
      predicted_squares_[j] += predicted[at] * predicted[at];
      if (model_.is_slow(j, qd, qdd, rows.window)) continue;
      equation.assign({measured_torque - torque});
      for (const double* const column : columns[j]) equation.push_back(column[row]);
      if (model_.finds_delay()) equation.push_back(-rows.tau_rate[j][row]);
      double right = torque;
      for (const auto& [column, value] : fixed[j]) right -= column[row] * value;
      equation.push_back(right);
      place.add(j, equation, {torque, measured_torque, torque - before});
    }
    products_ += measured * predicted.transpose();
    place.end_moment();
    ++row_count_;
  }
}

double LogEquations::speed(std::size_t joint) const {
  return std::sqrt(speed_squares_[joint] / static_cast<double>(row_count_));
}
double LogEquations::column_rms(std::size_t parameter) const {
  return std::sqrt(column_squares_[parameter] / static_cast<double>(row_count_));
}

LogEquations::Likeness LogEquations::likeness(std::size_t measured, std::size_t predicted) const {
  const auto count = static_cast<double>(row_count_);
  const double aa = tau_squares_[measured] - tau_[measured] * tau_[measured] / count;
  const double bb =
      predicted_squares_[predicted] - predicted_[predicted] * predicted_[predicted] / count;
  const double ab =
      products_(static_cast<Eigen::Index>(measured), static_cast<Eigen::Index>(predicted)) -
      tau_[measured] * predicted_[predicted] / count;
  if (!(aa > 0.0) || !(bb > 0.0)) return {};
  return {ab / std::sqrt(aa * bb), ab / bb};
}

void EquationWorker::operator()(const MotionBlock& motion, LogEquations::Block& block) {
  const auto run = [&](std::vector<std::vector<double>>& columns, std::size_t count, auto&& call) {
    columns.resize(count);
    std::vector<ResultColumn> results;
    results.reserve(count);
    for (std::vector<double>& column : columns) {
      column.resize(motion.rows);
      results.push_back(column.data());
    }
    call(results);
  };
  run(block.Y, regressor_.dof() * regressor_.parameters().size(),
      [&](std::span<const ResultColumn> results) { regressor_.block(motion, results); });
  run(block.predicted, regressor_.dof(),
      [&](std::span<const ResultColumn> results) { as_it_was_.torque(motion, results); });
}

// --- contradictions

std::vector<std::string> contradictions(const LogEquations& log, const Robot& robot) {
  constexpr double alike = 0.9;       // correlation of what is the same but for a factor
  constexpr double clearly = 0.1;     // better by so much
  constexpr double at_rest = 1e-4;    // rad/s, m/s
  constexpr double far_from_1 = 2.5;  // a factor between measured and predicted torque
  const std::size_t n = robot.dof();
  std::vector<std::string> found;
  std::size_t moving = 0;
  for (std::size_t j = 0; j < n; ++j) moving += log.speed(j) > at_rest ? 1U : 0U;
  if (moving == 0) return {"no joint moves; identification needs motion"};

  std::string turned, swapped, scaled;
  std::size_t scaled_count = 0, judged = 0;
  const auto add = [](std::string& list, const std::string& text) {
    list += (list.empty() ? "" : ", ") + text;
  };
  for (std::size_t j = 0; j < n; ++j) {
    const LogEquations::Likeness own = log.likeness(j, j);
    const std::string& joint = robot.joints[j].name;
    if (std::abs(own.correlation) > alike) {
      ++judged;
      if (own.slope < 0.0)
        add(turned, fmt::format("{} (correlation {:.2f})", joint, own.correlation));
      const double size = std::abs(own.slope);
      if (size > far_from_1 || size < 1.0 / far_from_1) {
        add(scaled, fmt::format("{} {:.3g}", joint, size));
        ++scaled_count;
      }
      continue;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const LogEquations::Likeness other = log.likeness(j, k);
      const bool is_that = other.correlation > alike &&
                           other.correlation - own.correlation > clearly &&
                           other.correlation - log.likeness(k, k).correlation > clearly;
      if (k == j || !is_that) continue;
      add(swapped, fmt::format("the torque of {} is like that predicted for {}", joint,
                               robot.joints[k].name));
      break;
    }
  }
  if (!turned.empty()) {
    found.push_back("the measured torque has the opposite sign of the predicted one: " + turned +
                    "; turn it in the log, or the direction of the joint");
  }
  if (!swapped.empty()) {
    found.push_back("joints seem to stand in another order: " + swapped +
                    "; put the columns in the robot's order, or name them with --columns");
  }
  if (scaled_count > 0 && 2 * scaled_count > judged) {
    found.push_back(
        "the measured torque follows the predicted one, but is so many times as large: " + scaled +
        "; is it a current, or the motor's? It must be the torque of the joint, N·m or N");
  }
  return found;
}

// --- identify

namespace {

/// The first blocks of each log, or the last ones.
std::vector<LogPart> parts_of(const std::vector<LogEquations>& logs, double from, double to) {
  std::vector<LogPart> parts;
  parts.reserve(logs.size());
  for (const LogEquations& log : logs) {
    const auto blocks = static_cast<double>(log.rows().blocks());
    parts.push_back({&log.rows(), static_cast<std::size_t>(std::lround(from * blocks)),
                     static_cast<std::size_t>(std::lround(to * blocks))});
  }
  return parts;
}

std::vector<LogPart> ends_of(const std::vector<LogEquations>& logs) {
  std::vector<LogPart> parts;
  parts.reserve(logs.size());
  for (const LogEquations& log : logs) parts.push_back({&log.ends(), 0, log.ends().blocks()});
  return parts;
}

/// The factor that makes all predicted torques the measured ones, if there is one beside 1.
std::optional<double> common_gain(const std::vector<LogEquations>& logs, std::size_t joints) {
  constexpr double alike = 0.995;  // correlation
  constexpr double same = 0.03, beside_1 = 0.05;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const LogEquations& log : logs) {
    for (std::size_t j = 0; j < joints; ++j) {
      const LogEquations::Likeness own = log.likeness(j, j);
      if (own.correlation < alike) return std::nullopt;
      least = std::min(least, own.slope);
      most = std::max(most, own.slope);
    }
  }
  const double gain = (least + most) / 2.0;
  const bool is_common = most - least < same * gain && std::abs(gain - 1.0) > beside_1;
  return is_common ? std::optional(gain) : std::nullopt;
}

void put(Robot& robot, const DynamicParameter& p, double value) {
  Joint& joint = robot.joints[p.joint];
  const auto level = [value](TwoSided& sides) {
    const double before = (sides.positive + sides.negative) / 2;
    sides = before == 0.0
                ? TwoSided{value, value}
                : TwoSided{sides.positive / before * value, sides.negative / before * value};
  };
  switch (p.kind) {
    case Kind::rotor_inertia:
      joint.motor.rotor_inertia = value;
      break;
    case Kind::viscous:
      joint.friction.viscous = value;
      break;
    case Kind::coulomb:
      level(joint.friction.coulomb);
      break;
    case Kind::breakaway:
      level(*joint.friction.breakaway);
      break;
    case Kind::sigmoid:
      joint.friction.sigmoid.amplitude = value;
      break;
    case Kind::motor_viscous:
      joint.motor.viscous = value;
      break;
    case Kind::motor_coulomb:
      level(joint.motor.coulomb);
      break;
    default:
      break;
  }
}

}  // namespace

Identification identify(const Robot& as_it_was, const IdentificationModel& model,
                        const std::vector<LogEquations>& logs,
                        const std::vector<LogEquations>& held_out) {
  constexpr double least_mass_share = 1e-3;  // of the arm's
  constexpr double least_gain = 1e-3;        // in the mean over joints; less is chance
  Identification found;
  found.held_out_is_tail = held_out.empty();
  found.gain = common_gain(logs, model.robot().dof());
  const double until = held_out.empty() ? fitted_share : 1.0;
  const std::vector<LogPart> fitted = parts_of(logs, 0.0, until);
  std::vector<LogPart> all_fitted = fitted;
  if (!held_out.empty()) {
    const std::vector<LogPart> ends = ends_of(logs);
    all_fitted.insert(all_fitted.end(), ends.begin(), ends.end());
  }
  const std::vector<LogPart> judged =
      held_out.empty() ? parts_of(logs, until, 1.0) : parts_of(held_out, 0.0, 1.0);

  const std::size_t n = model.robot().dof();
  std::vector<DynamicParameter> parameters = model.regressor().parameters();
  const BaseParameters& base = model.base();
  const std::vector<double> file_values = values(parameters);
  const Eigen::VectorXd file_beta = beta_of(model, file_values);
  found.fit = fit_torques(all_fitted, file_beta);
  found.unconstrained = misfits(judged, found.fit.beta);
  const std::vector<Misfit> measured = misfits(fitted, found.fit.beta);

  // The prior: bodies that are some.
  found.robot = model.robot();
  for (std::size_t j = 0; j < n; ++j) {
    const bool moves = std::ranges::any_of(
        logs, [&](const LogEquations& log) { return log.speed(j) > model.task().dead_zone; });
    if (!moves) found.still.push_back(found.robot.joints[j].name);
  }
  double mass = 0.0;
  for (const Joint& joint : found.robot.joints) mass += joint.body.mass;
  const double least_mass = std::max(1e-6, least_mass_share * mass);
  const auto take_prior = [&](std::size_t first, const std::string& name, MassProperties& body) {
    if (!model.is_free(first)) return;
    const MassProperties possible = possible_body(body, least_mass);
    const bool is_none = body.is_none() && name == "payload";
    if (!is_none && (!is_possible(body) || body.mass == 0.0)) found.moved.push_back(name);
    body = possible;
    const std::vector<double> prior = body_vector(body);
    for (std::size_t k = 0; k < body_parameters; ++k) parameters[first + k].value = prior[k];
  };
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].kind != Kind::mass) continue;
    if (parameters[k].of_payload) {
      take_prior(k, "payload", found.robot.payload);
    } else {
      Joint& joint = found.robot.joints[parameters[k].joint];
      take_prior(k, joint.name, joint.body);
    }
  }

  ConsistentFitTask task;
  task.prior_weight = model.task().prior_weight;
  const auto base_count = static_cast<Eigen::Index>(base.combinations.size());
  task.beta = found.fit.beta.head(base_count);
  task.information = without_delay(model, found.fit.information);
  if (model.finds_delay()) {
    found.delay = {found.fit.beta[base_count], found.fit.errors[base_count]};
  }
  task.combinations =
      Eigen::MatrixXd::Zero(task.beta.size(), static_cast<Eigen::Index>(model.free().size()));
  std::vector<Eigen::Index> place(parameters.size(), -1);
  for (const std::size_t k : model.free()) {
    const DynamicParameter& p = parameters[k];
    place[k] = static_cast<Eigen::Index>(task.parameters.size());
    task.parameters.push_back(p);
    // What would explain the whole torque by itself.
    double column = 0.0;
    for (const LogEquations& log : logs) column = std::max(column, log.column_rms(k));
    const double torque = std::max(measured[p.joint].torque_rms, 1e-6);
    task.prior_scale.push_back(std::max(p.value, torque / std::max(column, 1e-6)));
  }
  for (std::size_t b = 0; b < base.combinations.size(); ++b) {
    const auto row = static_cast<Eigen::Index>(b);
    task.combinations(row, place[base.combinations[b].first]) = 1.0;
    for (const auto& [k, factor] : base.combinations[b].others) {
      task.combinations(row, place[k]) = factor;
    }
  }
  const ConsistentFit full = fit_consistent(task);

  std::vector<double> of_robot = values(parameters), with_offsets = of_robot;
  found.offsets.resize(n);
  for (std::size_t i = 0; i < model.free().size(); ++i) {
    const std::size_t k = model.free()[i];
    const DynamicParameter& p = parameters[k];
    found.full.push_back({p, full.parameters[i], full.errors[i], full.from_data[i]});
    of_robot[k] = with_offsets[k] = full.parameters[i];
    if (p.kind == Kind::offset) {
      found.offsets[p.joint] = std::exchange(of_robot[k], 0.0);
    } else if (p.kind == Kind::mass) {
      const MassProperties body = body_of(std::span(full.parameters).subspan(i, body_parameters));
      (p.of_payload ? found.robot.payload : found.robot.joints[p.joint].body) = body;
    } else {
      put(found.robot, p, full.parameters[i]);
    }
  }
  for (Joint& joint : found.robot.joints) {
    const TwoSided& coulomb = joint.friction.coulomb;
    std::optional<TwoSided>& breakaway = joint.friction.breakaway;
    if (!breakaway) continue;
    *breakaway = {std::max(breakaway->positive, coulomb.positive),
                  std::max(breakaway->negative, coulomb.negative)};
  }
  const Eigen::VectorXd beta = beta_of(model, of_robot);
  found.fitted = misfits(fitted, beta);
  found.held_out = misfits(judged, beta);
  found.held_out_ends = misfits(ends_of(held_out.empty() ? logs : held_out), beta);
  found.held_out_offset = misfits(
      judged, beta_of(model, with_offsets, found.delay.value_or(Identification::Delay{}).value));
  for (std::size_t b = 0; b < base.combinations.size(); ++b) {
    const auto row = static_cast<Eigen::Index>(b);
    found.base.push_back({words(base.combinations[b], parameters),
                          unit(parameters[base.combinations[b].first], as_it_was), file_beta[row],
                          found.fit.beta[row], found.fit.errors[row], beta[row]});
  }
  double gain = 0.0;  // of the logarithm of what is left, over joints
  for (const Misfit& joint : found.held_out) {
    if (joint.before > 0.0) gain += std::log(joint.before / std::max(joint.rms, 1e-300));
  }
  found.is_better = gain > least_gain * static_cast<double>(n);
  return found;
}

}  // namespace armdyn
