#include "fmu/arm_unit.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "dynamics/friction.hpp"
#include "io/robot/robot_text.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// The robot file of the token's digest.
RobotFile robot_of(const std::string& resources, std::string_view digest) {
  const std::string path = resources + "/robot.yaml", bytes = read_robot_bytes(path);
  if (digest_of(bytes) != digest) {
    throw InputError(
        fmt::format("{} is not the robot file that this unit was made of: found {}, "
                    "expected {}; unpack the FMU again",
                    in_one_line(path), digest_of(bytes), in_one_line(digest)));
  }
  return parse_robot_file(bytes, path);
}

/// Reads step and controller from a token.
FmuKind kind_of(std::string_view token) {
  FmuKind kind;
  const std::vector<std::string> words = split_at(token, ' ');
  kind.step = words.size() > 1 ? parse_number(words[1]).value_or(0.0) : 0.0;
  kind.is_controlled = words.size() == 3 && words[2] == "controlled";
  if (!(kind.step > 0.0) || words.size() > (kind.is_controlled ? 3U : 2U)) {
    throw InputError(fmt::format("found the token \"{}\", expected that of modelDescription.xml",
                                 in_one_line(token)));
  }
  return kind;
}

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(why);
}

}  // namespace

std::size_t UnitValues::place(std::uint32_t reference) const {
  if (reference >= now.size()) {
    refuse(fmt::format("found value reference {}, expected less than {}", reference, now.size()));
  }
  return reference;
}

void UnitValues::set_vector(std::size_t first, const Vec3& v) {
  std::ranges::copy(std::array{v.x, v.y, v.z}, part(first, 3).begin());
}

Robot UnitValues::with_parameters(Robot robot) const {
  robot.gravity = vector(gravity);
  robot.payload.mass = now[payload_mass];
  robot.payload.com = vector(payload_com);
  const double scale = now[friction_scale];
  if (scale < 0.0) refuse(fmt::format("friction_scale: found {}, expected 0 or more", scale));
  for (std::size_t k = 0; k < number_of_joints(robot); ++k)
    scale_friction(joint_at(robot, k), scale);
  const std::vector<Finding> findings = check(robot);
  if (has_error(findings)) throw InputError(error_lines(findings, "parameters"));
  return robot;
}

ArmUnit::ArmUnit(const std::string& resources, std::string_view token, bool is_exchanged,
                 UnitLog warn)
    : warn_(std::move(warn)),
      file_(robot_of(resources, token.substr(0, token.find(' ')))),
      kind_(kind_of(token)),
      is_exchanged_(is_exchanged),
      values_(file_.robot, kind_.is_controlled) {
  if (is_exchanged && !has_smooth_law(file_.robot)) {
    refuse("this unit is for co-simulation: dry friction and limits of position are no smooth law");
  }
  start_ = values_.now = each(values_.all, &FmuVariable::start);
}

void ArmUnit::reset() {
  phase_ = Phase::initialization;
  values_.now = start_;
  start_time_ = advised_ = 0.0;
  simulation_.reset();
  has_outputs_ = false;
}

void ArmUnit::set_start_time(double t) {
  start_time_ = values_.now[values_.time] = t;
  simulation_.reset();
  has_outputs_ = false;
}

void ArmUnit::start() {
  if (phase_ != Phase::initialization) refuse("the unit is initialized already; reset it first");
  simulation();
  if (is_exchanged_) find_outputs();
  phase_ = Phase::running;
}

SteppedSimulation& ArmUnit::simulation() {
  if (simulation_) return *simulation_;
  const Robot robot = values_.with_parameters(file_.robot);
  arm_ = normalize(robot);
  const std::size_t n = robot.dof();
  SimulationOptions options;
  options.start = start_time_;
  options.step = kind_.step;
  options.limits = joint_limits(robot);
  std::optional<ControlOptions> control;
  if (kind_.is_controlled) {
    control.emplace();
    control->Kp = diagonal<double>(values_.part(values_.kp, n));
    control->Kv = diagonal<double>(values_.part(values_.kv, n));
    control->sample_time = 0.0;
  }
  simulation_.emplace(*arm_, values_.part(values_.q0, n), values_.part(values_.qd0, n), options,
                      control);
  hold_inputs();
  return *simulation_;
}

void ArmUnit::hold_inputs() {
  simulation_->hold(values_.part(values_.inputs, values_.force - values_.inputs),
                    {values_.vector(values_.force), values_.vector(values_.moment)});
  has_outputs_ = false;
}

void ArmUnit::find_outputs() {
  SteppedSimulation& simulation = this->simulation();
  if (has_outputs_) return;
  const std::size_t n = file_.robot.dof();
  const std::span<double> q = values_.part(values_.q, n), qd = values_.part(values_.qd, n),
                          qdd = values_.part(values_.qdd, n);
  if (!is_exchanged_) {
    const SimulationRow row = simulation.row();
    values_.now[values_.time] = row.t;
    std::ranges::copy(row.q, q.begin());
    std::ranges::copy(row.qd, qd.begin());
    std::ranges::copy(row.qdd, qdd.begin());
  } else {
    if (phase_ == Phase::initialization) set_states(values_.part(values_.q0, 2 * n));
    simulation.acceleration(values_.now[values_.time], q, qd, qdd);
  }
  const Transform tcp = pose(*arm_, q).tcp_in_world;
  values_.set_vector(values_.tcp_position, tcp.p);
  values_.set_vector(values_.tcp_rotation, tcp.R.row_x);
  values_.set_vector(values_.tcp_rotation + 3, tcp.R.row_y);
  values_.set_vector(values_.tcp_rotation + 6, tcp.R.row_z);
  values_.now[values_.energy] = simulation.energy(q, qd);
  has_outputs_ = true;
}

double ArmUnit::time() {
  return is_exchanged_ ? values_.now[values_.time] : simulation().t();
}

void ArmUnit::require_exchange(std::size_t count) const {
  if (!is_exchanged_) refuse("this instance is for co-simulation");
  if (count != number_of_states()) {
    refuse(fmt::format("found {} states, expected {}", count, number_of_states()));
  }
}
void ArmUnit::set_time(double t) {
  require_exchange(number_of_states());
  values_.now[values_.time] = t;
  has_outputs_ = false;
}
void ArmUnit::set_states(std::span<const double> states) {
  require_exchange(states.size());
  std::ranges::copy(states, values_.part(values_.q, states.size()).begin());
  has_outputs_ = false;
}
void ArmUnit::get_states(std::span<double> states) {
  require_exchange(states.size());
  find_outputs();
  std::ranges::copy(values_.part(values_.q, states.size()), states.begin());
}
void ArmUnit::get_state_derivatives(std::span<double> derivatives) {
  require_exchange(derivatives.size());
  find_outputs();
  std::ranges::copy(values_.part(values_.qd, derivatives.size()), derivatives.begin());
}

void ArmUnit::get(std::span<const std::uint32_t> references, std::span<double> values) {
  const auto is_found = [this](std::uint32_t reference) {
    const Causality causality = values_.all[values_.place(reference)].causality;
    return causality == Causality::output || causality == Causality::independent;
  };
  if (std::ranges::any_of(references, is_found)) find_outputs();
  std::ranges::transform(references, values.begin(), [this](std::uint32_t reference) {
    return values_.now[values_.place(reference)];
  });
}

void ArmUnit::set(std::span<const std::uint32_t> references, std::span<const double> values) {
  bool are_parameters = false;
  for (std::size_t k = 0; k < references.size(); ++k) {
    const FmuVariable& variable = values_.all[values_.place(references[k])];
    const bool is_parameter = variable.causality == Causality::parameter;
    if (!is_parameter && variable.causality != Causality::input) {
      refuse(variable.name + " is no input and no parameter; it cannot be set");
    }
    if (is_parameter && phase_ != Phase::initialization) {
      refuse(variable.name + " is a fixed parameter; set it before the initialization ends");
    }
    if (!std::isfinite(values[k])) {
      refuse(fmt::format("{}: found {}, expected a finite number", variable.name, values[k]));
    }
    are_parameters = are_parameters || is_parameter;
  }
  for (std::size_t k = 0; k < references.size(); ++k) values_.now[references[k]] = values[k];
  if (are_parameters) simulation_.reset();
  if (simulation_) hold_inputs();
  has_outputs_ = false;
}

bool ArmUnit::step(double t, double h) {
  if (is_exchanged_) refuse("this instance is for model exchange");
  if (phase_ != Phase::running)
    refuse("a step needs a unit that is initialized and not yet terminated");
  SteppedSimulation& simulation = this->simulation();
  const double now = time();
  if (!(h >= 0.0) || std::abs(t - now) > 1e-6 * kind_.step + 1e-12 * std::abs(now)) {
    refuse(fmt::format("found a step from {} s by {} s, expected one from {} s on", t, h, now));
  }
  has_outputs_ = false;
  simulation.advance(t + h);
  const std::optional<CoarseStep>& coarse = simulation.coarse_step();
  if (coarse && (advised_ == 0.0 || coarse->advised < advised_)) {
    advised_ = coarse->advised;
    warn_(
        fmt::format("at t = {:.6g} s: a step of {:.3g} s is too long for {}; make the FMU with "
                    "--step {:.1g}",
                    coarse->t, coarse->step, file_.robot.joints[coarse->joint].name, advised_));
  }
  if (const auto& limit = simulation.limit()) {
    warn_(fmt::format("at t = {:.6g} s {} reached its limit {:.6g}; the motion has ended", limit->t,
                      joint_at(file_.robot, limit->joint).name, limit->limit));
  }
  return !has_ended();
}

void ArmUnit::derivative(std::span<const std::uint32_t> unknowns,
                         std::span<const std::uint32_t> knowns, std::span<const double> seed,
                         std::span<double> result) {
  if (is_exchanged_) refuse("directional derivatives are of co-simulation");
  std::vector<double> change(values_.now.size());
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    const FmuVariable& variable = values_.all[values_.place(knowns[k])];
    if (variable.causality != Causality::input) {
      refuse("derivatives are with respect to inputs; " + variable.name + " is none");
    }
    change[knowns[k]] = seed[k];
  }
  const auto vector_at = [&change](std::size_t first) {
    return Vec3{change[first], change[first + 1], change[first + 2]};
  };
  const std::vector<double> qdd = simulation().qdd_change(
      std::span(change).subspan(values_.inputs, values_.force - values_.inputs),
      {vector_at(values_.force), vector_at(values_.moment)});
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const FmuVariable& variable = values_.all[values_.place(unknowns[k])];
    if (variable.causality != Causality::output) {
      refuse("derivatives are of outputs; " + variable.name + " is none");
    }
    result[k] = variable.follows_inputs ? qdd[unknowns[k] - values_.qdd] : 0.0;
  }
}

std::vector<double> ArmUnit::settings() const {
  std::vector<double> numbers{static_cast<double>(phase_), start_time_};
  const std::span<const double> set(values_.now);
  append(numbers, set.first(values_.q).subspan(values_.q0));
  return numbers;
}

std::vector<double> ArmUnit::state() {
  std::vector<double> numbers = settings();
  if (is_exchanged_) {
    find_outputs();
    numbers.push_back(time());
    append(numbers, values_.part(values_.q, number_of_states()));
  } else {
    append(numbers, simulation().state());
  }
  return numbers;
}

void ArmUnit::set_state(std::span<const double> state) {
  const std::vector<double> present = settings();
  const auto last = static_cast<double>(Phase::terminated);
  if (state.size() < present.size() || !(state[0] >= 0.0 && state[0] <= last)) {
    refuse("the state is of another unit");
  }
  phase_ = static_cast<Phase>(state[0]);
  start_time_ = state[1];
  std::ranges::copy(state.first(present.size()).subspan(2), values_.now.begin() + 1);
  // Another plant only for other parameters: a master may go back at each step.
  const std::size_t others = 1 + values_.inputs - values_.q0;
  if (!std::ranges::equal(std::span(present).subspan(1, others), state.subspan(1, others))) {
    simulation_.reset();
  }
  const std::span<const double> moving = state.subspan(present.size());
  if (is_exchanged_) {
    if (moving.empty()) refuse("the state is of another unit");
    require_exchange(moving.size() - 1);
    set_time(moving[0]);
    set_states(moving.subspan(1));
    if (simulation_) hold_inputs();
  } else {
    simulation().set_state(moving);
  }
  has_outputs_ = false;
}

}  // namespace armdyn
