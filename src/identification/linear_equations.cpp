#include "identification/linear_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

#include "dynamics/regressor_columns.hpp"
#include "math/each.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/statistics.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"

namespace armdyn {

Robot with_friction_of_followers(Robot robot) {
  const Arm arm = normalize(robot);
  for (std::size_t i = 0; i < robot.dof(); ++i) robot.joints[i].friction = arm.drives[i].friction;
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    if (joint_row(robot, robot, k).joints.size() == 1) joint_at(robot, k).friction = {};
  }
  return robot;
}

std::size_t joint_that_shows(const DynamicParameter& parameter, const Robot& robot) {
  const bool is_of_joint = parameter.kind < ParameterKind::stiffness;
  if (is_of_joint && parameter.joint < robot.dof()) return parameter.joint;
  const std::vector<std::size_t> loaded = joints_of(parameter, robot);
  return loaded.empty() ? 0 : loaded.front();
}

namespace {

using Kind = ParameterKind;

constexpr const char* delay = "delay";  // its name among parameters
constexpr double usual_slope = 10.0;    // of a sigmoid that the file does not have, s/rad or s/m

/// Robot with friction of that law alone.
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

/// Tests if a parameter of a drive is fitted. Of a joint's and its motor's friction, which torques
/// cannot separate unless motors are coupled, the motor's is, if the robot has it.
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
    case Kind::spring_load:
      return false;
    default:
      return true;
  }
}

std::vector<std::size_t> free_parameters(const Robot& robot, const IdentificationOptions& task,
                                         const std::vector<DynamicParameter>& parameters) {
  const auto covers = [&](const std::string& word, const DynamicParameter& p) {
    if (word == "payload") return p.of_payload;
    if (word == "rotors") return p.kind == Kind::rotor_inertia;
    if (word == "offsets") return p.kind == Kind::offset;
    if (word == "springs") return p.kind == Kind::stiffness;
    if (word == "friction") return p.kind > Kind::rotor_inertia && p.kind < Kind::offset;
    return !p.of_payload && is_of_body(p) && joint_at(robot, p.joint).name == word;
  };
  std::string known = "payload, rotors, friction, offsets, delay";
  if (std::ranges::count(parameters, Kind::stiffness, &DynamicParameter::kind) > 0) {
    known += ", springs";
  }
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) known += ", " + joint_at(robot, k).name;
  const auto check = [&](const char* option, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const auto is_meant = [&](const DynamicParameter& p) { return covers(word, p); };
      if (word == delay || std::ranges::any_of(parameters, is_meant)) continue;
      throw std::invalid_argument(
          fmt::format("{}: found \"{}\", expected names out of {}", option, word, known));
    }
  };
  check("--free", task.free);
  check("--fix", task.fix);
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const DynamicParameter& p = parameters[k];
    const auto is_named = [&](const std::string& word) { return covers(word, p); };
    const bool is_asked = task.free.empty()
                              ? !p.of_payload
                              : p.kind == Kind::offset || std::ranges::any_of(task.free, is_named);
    if (!is_asked || std::ranges::any_of(task.fix, is_named)) continue;
    const bool is_coupled = motor_row(robot, p.joint).has_value();
    if (!is_fitted(joint_at(robot, p.joint), is_coupled, p.kind, task.friction)) continue;
    free.push_back(k);
  }
  return free;
}

/// Dry friction of a contact that jumps.
DryFriction jumping_friction(const FrictionContact& contact, std::size_t joint, double dead_zone) {
  DryFriction friction{joint, {}, 0.0};
  act_by_row(contact.row, dead_zone, [&friction](std::size_t j, double of_joint) {
    friction.dead_zone += std::abs(of_joint);
    if (of_joint != 0.0) friction.affected.push_back(j);
  });
  return friction;
}

}  // namespace

IdentificationModel::IdentificationModel(const Robot& robot, IdentificationOptions task)
    : task_(std::move(task)),
      robot_(with_law(with_friction_of_followers(robot), task_.friction)),
      regressor_(robot_, std::ranges::find(task_.free, "payload") != task_.free.end()
                             ? Regressor::Payload::always
                             : Regressor::Payload::as_the_robot),
      contacts_(friction_contacts(normalize(robot_))),
      free_(free_parameters(robot_, task_, regressor_.parameters())) {
  const auto is_finite_from_0 = [](double x) { return x >= 0.0 && std::isfinite(x); };
  require(task_.prior != 0.0 && is_finite_from_0(task_.prior) && is_finite_from_0(task_.min_speed),
          "a prior's weight is a finite number above 0, a least speed one of 0 or more");
  const std::vector<DynamicParameter>& parameters = regressor_.parameters();
  require(!free_.empty(), "--fix leaves nothing to identify");
  is_free_.assign(parameters.size(), false);
  for (const std::size_t k : free_) is_free_[k] = true;
  base_ = base_parameters(robot_, regressor_, free_);
  finds_delay_ = std::ranges::find(task_.fix, delay) == task_.fix.end();
  used_.resize(robot_.dof());
  for (std::size_t b = 0; b < base_.combinations.size(); ++b) {
    for (const std::size_t j : joints_of(parameters[base_.combinations[b].first], robot_)) {
      used_[j].push_back(index(b));
    }
  }
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    bool jumps = false, bends = false;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const auto& [kind, joint, of_payload, value, spring] = parameters[k];
      if (joint != i || (!is_free_[k] && value == 0.0)) continue;
      jumps =
          jumps || kind == Kind::coulomb || kind == Kind::breakaway || kind == Kind::motor_coulomb;
      bends = bends || kind == Kind::sigmoid;
    }
    if (jumps) dry_frictions_.push_back(jumping_friction(contacts_[i], i, task_.min_speed));
    const auto& [amplitude, slope, offset] = robot_.joints[i].friction.sigmoid;
    if (bends) dry_frictions_.push_back({i, {i}, 0.0, offset, slope});
  }
}

bool IdentificationModel::fits_whole_arm() const {
  const auto is_of_logs = [](const std::string& word) {
    return word == delay || word == "offsets";
  };
  return task_.free.empty() && std::ranges::all_of(task_.fix, is_of_logs);
}

double IdentificationModel::speed(const DryFriction& of, std::span<const double> rates) const {
  return of.slope > 0.0 ? rates[of.joint] : row_rate<double>(contacts_[of.joint].row, rates);
}

bool IdentificationModel::is_slow(std::size_t joint, std::span<const double> qd) const {
  return std::ranges::any_of(dry_frictions_, [&](const DryFriction& of) {
    return std::ranges::count(of.affected, joint) > 0 && of.direction(speed(of, qd)) == 0;
  });
}

namespace {

/// Share of a column's norm below which its part beside the columns before is rounding.
constexpr double rounding = 1e-9;

/// Order in which kinds of parameters are chosen as first ones of combinations.
std::size_t place(Kind kind) {
  using enum ParameterKind;
  constexpr std::array order{rotor_inertia,
                             coulomb,
                             sigmoid,
                             breakaway,
                             viscous,
                             motor_coulomb,
                             motor_viscous,
                             Izz,
                             Ixx,
                             Ixy,
                             Ixz,
                             Iyz,
                             mx,
                             my,
                             mass,
                             mz,
                             Iyy,
                             offset};
  return static_cast<std::size_t>(std::ranges::find(order, kind) - order.begin());
}

/// Chosen columns of the regressor at random states of the robot, row over row.
Eigen::MatrixXd random_regressor(const Robot& robot, const Regressor& regressor,
                                 std::span<const std::size_t> chosen, std::uint64_t seed) {
  const std::size_t n = robot.dof();
  const std::size_t states = 4 * chosen.size() / n + 8;
  std::mt19937_64 random(seed);
  Eigen::MatrixXd Y(index(states * n), index(chosen.size()));
  std::vector<double> q(n), qd(n), qdd(n);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto [lower, upper] = position_range(robot.joints[i]);
      q[i] = uniform(random, lower, upper);
      const double x = uniform(random, -1.0, 1.0);
      qd[i] = 3.0 * x * x * x;  // at times slow enough for a sigmoid, which is steep at rest
      qdd[i] = uniform(random, -10.0, 10.0);
    }
    const Matrix at = regressor.matrix({q, qd, qdd});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        Y(index(s * n + i), index(k)) = at(i, chosen[k]);
      }
    }
  }
  return Y;
}

}  // namespace

std::vector<double> BaseParameters::values(std::span<const double> parameters) const {
  const auto at = [&](std::size_t k) {
    require(k < parameters.size(),
            "base parameters are of as many parameters as the regressor has");
    return parameters[k];
  };
  return each(combinations, [&](const BaseParameter& combination) {
    double value = at(combination.first);
    for (const auto& [k, factor] : combination.others) value += factor * at(k);
    return value;
  });
}

BaseParameters base_parameters(const Robot& robot, const Regressor& regressor,
                               std::span<const std::size_t> chosen, std::uint64_t seed) {
  const std::vector<DynamicParameter>& all = regressor.parameters();
  require(regressor.dof() == robot.dof(), "the regressor is of another robot");
  require(std::ranges::all_of(chosen, [&](std::size_t k) { return k < all.size(); }),
          "the regressor has no such parameter");
  std::vector<std::size_t> order(chosen.begin(), chosen.end());
  if (order.empty()) order = in_order(all.size());
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const bool is_left[] = {place(all[a].kind) >= place(Kind::mass),
                            place(all[b].kind) >= place(Kind::mass)};
    if (is_left[0] != is_left[1]) return is_left[1];
    // Parameters left to combinations come link after link from the base.
    if (is_left[0] && all[a].joint != all[b].joint) return all[a].joint < all[b].joint;
    return place(all[a].kind) < place(all[b].kind);
  });

  const Eigen::MatrixXd Y = random_regressor(robot, regressor, order, seed);
  BaseParameters base;
  Eigen::MatrixXd Q(Y.rows(), 0), first(Y.rows(), 0);
  std::vector<std::size_t> dependent;
  double largest = 0.0;  // of links: columns of motors grow with the square of the gear
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (all[order[k]].kind >= Kind::rotor_inertia) continue;
    largest = std::max(largest, Y.col(index(k)).norm());
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Eigen::VectorXd column = Y.col(index(k));
    if (!(column.norm() > rounding * largest)) {
      base.without_effect.push_back(order[k]);
      continue;
    }
    Eigen::VectorXd rest = column;
    for (int pass = 0; pass < 2; ++pass) rest -= Q * (Q.transpose() * rest);
    if (!(rest.norm() > rounding * column.norm())) {
      dependent.push_back(k);
      continue;
    }
    Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
    Q.rightCols<1>() = rest.normalized();
    first.conservativeResize(Eigen::NoChange, first.cols() + 1);
    first.rightCols<1>() = column;
    base.combinations.push_back({order[k], {}});
  }
  const Eigen::VectorXd scale = first.colwise().norm();
  const Eigen::MatrixXd units = first * scale.cwiseInverse().asDiagonal();
  for (const std::size_t k : dependent) {
    const Eigen::VectorXd column = Y.col(index(k));
    const Eigen::VectorXd shares = least_squares(units, column / column.norm());
    for (Eigen::Index b = 0; b < shares.size(); ++b) {
      if (std::abs(shares[b]) < 10.0 * rounding) continue;
      double factor = shares[b] * column.norm() / scale[b];
      const double whole = std::round(factor);
      if (whole != 0.0 && std::abs(factor - whole) < 1e-9) factor = whole;
      base.combinations[static_cast<std::size_t>(b)].others.emplace_back(order[k], factor);
    }
  }
  std::ranges::sort(base.combinations, {}, &BaseParameter::first);
  std::ranges::sort(base.without_effect);
  return base;
}

std::string to_text(const BaseParameter& combination,
                    std::span<const DynamicParameter> parameters) {
  std::string text = name(parameters[combination.first]);
  for (const auto& [k, factor] : combination.others) {
    const double size = std::abs(factor);
    text += factor < 0.0 ? " - " : " + ";
    if (size != 1.0) text += fmt::format("{:.6g} ", size);
    text += name(parameters[k]);
  }
  return text;
}

namespace {

/// Columns of base parameters, and of the delay if it is fitted.
TorqueFitRows::UsedColumns used_columns(const IdentificationModel& model) {
  TorqueFitRows::UsedColumns used = model.used();
  const auto last = index(model.base().combinations.size());
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
      reversals_(each(model.dry_frictions(), [](const DryFriction& f) { return Reversal{&f}; })),
      speed_squares_(model.used().size()),
      column_squares_(model.regressor().parameters().size()),
      torques_(model.used().size()),
      constant_torques_(model.used().size()) {}

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
    if (!block.of_wrench.empty()) fixed[j].emplace_back(block.of_wrench[j].data(), 1.0);
    for (const Eigen::Index b : model_.used()[j]) {
      columns[j].push_back(column(model_.base().combinations[static_cast<std::size_t>(b)].first));
    }
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (is_of_body(parameters[k])) continue;
    const std::size_t joint = joint_that_shows(parameters[k], model_.robot());
    const std::vector<double>& column = block.Y[joint * parameters.size() + k];
    column_squares_[k] =  // row after row, however they come in blocks
        std::inner_product(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(rows.count),
                           column.begin(), column_squares_[k]);
  }
  for (std::size_t row = 0; row < rows.count; ++row) {
    const auto at = [row](std::span<const double> column) { return column[row]; };
    Waiting& now = await(rows.t[row], each(rows.qd, at), each(rows.qdd, at), rows.window);
    now.is_at_end = rows.is_at_end[row] != 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double torque = rows.tau[j][row];
      const double measured_torque = rows.measured_tau[j][row];
      const double before = block.predicted[j][row];
      Torques& of = torques_[j];
      if (row_count_ == 0) {
        of = {{torque, before}};
        constant_torques_[j] = measured_torque;
      } else if (constant_torques_[j] != measured_torque) {
        constant_torques_[j].reset();
      }
      speed_squares_[j] += square(rows.qd[j][row]);
      acceleration_squares_ += square(rows.qdd[j][row]);
      const double away[] = {torque - of.first[0], before - of.first[1]};
      for (const std::size_t k : {0U, 1U}) {
        of.sums[k] += away[k];
        of.squares[k] += away[k] * away[k];
      }
      of.products += away[0] * away[1];
      std::vector<double>& equation = now.equations.emplace_back();
      equation.push_back(measured_torque - torque);
      for (const double* const column : columns[j]) equation.push_back(column[row]);
      if (model_.finds_delay()) equation.push_back(-rows.tau_rate[j][row]);
      double right = torque;
      for (const auto& [column, value] : fixed[j]) right -= column[row] * value;
      equation.push_back(right);
      now.torques.push_back({torque, measured_torque, torque - before,
                             model_.finds_delay() ? rows.rate_variance[j][row] : 0.0});
    }
    ++row_count_;
  }
}

// Rows off the middle of their window are not there: at the ends of a stretch, the acceleration shows
// whether friction reverses beyond.
LogEquations::Waiting& LogEquations::await(double t, const std::vector<double>& qd,
                                           const std::vector<double>& qdd, double window) {
  constexpr double turns_within = 2.0 / 3.0;  // of the window, on either side
  constexpr double followed = 8.0;            // change of a sigmoid's argument within the window
  const double reach = turns_within * window;
  const bool begins = waiting_.empty() || t - waiting_.back().t > reach;
  if (begins) end_stretch();
  while (!waiting_.empty() && waiting_.front().t < t - reach) pass_on();
  Waiting now{t, std::vector<bool>(qd.size())};
  for (Reversal& last : reversals_) {
    const DryFriction& friction = *last.friction;
    const double speed = model_.speed(friction, qd), change = model_.speed(friction, qdd) * reach;
    const int direction = friction.direction(speed);
    const int before = begins ? friction.direction(speed - change) : last.direction;
    const bool is_sharp =
        friction.slope == 0.0 || friction.slope * std::abs(change) > turns_within * followed;
    if (begins) last.at = -std::numeric_limits<double>::infinity();
    if (direction != before && is_sharp) {
      for (Waiting& row : waiting_) row.leave_out(friction);
      last.at = t;
    }
    if (direction == 0 || t - last.at < reach) now.leave_out(friction);
    last.direction = direction;
    last.comes_next = is_sharp && friction.direction(speed + change) != direction;
  }
  return waiting_.emplace_back(std::move(now));
}

void LogEquations::pass_on() {
  const Waiting row = std::move(waiting_.front());
  waiting_.pop_front();
  TorqueFitRows& place = row.is_at_end ? ends_ : rows_;
  for (std::size_t j = 0; j < row.equations.size(); ++j) {
    if (!row.reverses[j]) place.add(j, row.equations[j], row.torques[j]);
  }
  place.end_moment();
}

void LogEquations::end_stretch() {
  for (const Reversal& last : reversals_) {
    for (Waiting& row : waiting_) {
      if (last.comes_next) row.leave_out(*last.friction);
    }
  }
  while (!waiting_.empty()) pass_on();
}

void LogEquations::finish() {
  end_stretch();
  rows_.finish();
  ends_.finish();
}

double LogEquations::speed(std::size_t joint) const {
  return std::sqrt(speed_squares_[joint] / static_cast<double>(row_count_));
}
double LogEquations::column_rms(std::size_t parameter) const {
  return std::sqrt(column_squares_[parameter] / static_cast<double>(row_count_));
}

std::optional<double> LogEquations::constant_torque(std::size_t joint) const {
  return constant_torques_[joint];
}

LogEquations::Likeness LogEquations::likeness(std::size_t joint) const {
  const auto count = static_cast<double>(row_count_);
  const auto& [first, sums, squares, products] = torques_[joint];
  const double aa = squares[0] - sums[0] * sums[0] / count;
  const double bb = squares[1] - sums[1] * sums[1] / count;
  const double ab = products - sums[0] * sums[1] / count;
  if (!(aa > 0.0) || !(bb > 0.0)) return {};
  return {ab / std::sqrt(aa * bb), ab / bb};
}

void EquationWorker::operator()(const MotionBlock& motion, LogEquations::Block& block) {
  const std::size_t n = regressor_.dof();
  MotionBlock free = motion;
  free.wrench = {};
  resize(block.Y, n * regressor_.parameters().size(), motion.rows);
  regressor_.block(free, places(block.Y));
  resize(block.predicted, n, motion.rows);
  as_it_was_.torque(motion, places(block.predicted));
  if (motion.wrench.empty()) return;
  resize(block.of_wrench, n, motion.rows);
  as_it_was_.torque(free, places(block.of_wrench));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t row = 0; row < motion.rows; ++row) {
      block.of_wrench[j][row] = block.predicted[j][row] - block.of_wrench[j][row];
    }
  }
}

}  // namespace armdyn
