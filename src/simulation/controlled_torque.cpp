#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>

#include "dynamics/friction.hpp"
#include "dynamics/states.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "model/motors.hpp"
#include "simulation/step.hpp"

namespace armdyn {

namespace {

void copy(std::span<const double> from, std::span<double> to) {
  require(from.size() == to.size(), "torques and desired motions need one entry per joint");
  std::ranges::copy(from, to.begin());
}

}  // namespace

ConstantTorque::ConstantTorque(std::vector<double> tau, const Wrench& wrench)
    : tau_(std::move(tau)), wrench_(wrench) {}

double ConstantTorque::begin_stretch(double /*t*/, std::span<const double> /*q*/,
                                     std::span<const double> /*qd*/) {
  return forever;
}

void ConstantTorque::evaluate(double /*t*/, std::span<const double> /*q*/,
                              std::span<const double> /*qd*/, std::span<double> tau,
                              Wrench& wrench) {
  copy(tau_, tau);
  wrench = wrench_;
}

SampledTorque::SampledTorque(Source source, Interpolation interpolation)
    : source_(std::move(source)), interpolation_(interpolation) {
  if (!source_(from_)) throw InputError("there are no torques: not one row");
  read_next();
}

void SampledTorque::read_next() {
  has_next_ = source_(to_);
  if (has_next_ && !(to_.t > from_.t)) {
    throw InputError(fmt::format("t must increase from row to row: {} follows {}", to_.t, from_.t));
  }
}

double SampledTorque::begin_stretch(double t, std::span<const double> /*q*/,
                                    std::span<const double> /*qd*/) {
  before_first_ = t < from_.t;
  if (before_first_) return from_.t;
  while (has_next_ && to_.t <= t) {
    std::swap(from_, to_);
    read_next();
  }
  return has_next_ ? to_.t : forever;
}

void SampledTorque::evaluate(double t, std::span<const double> /*q*/,
                             std::span<const double> /*qd*/, std::span<double> tau,
                             Wrench& wrench) {
  const bool is_held =
      interpolation_ == Interpolation::hold || before_first_ || !has_next_ || t <= from_.t;
  const TorqueSample& at = !is_held && t >= to_.t ? to_ : from_;
  copy(at.tau, tau);
  wrench = at.wrench;
  if (is_held || t >= to_.t) return;
  const double u = (t - from_.t) / (to_.t - from_.t);
  require(to_.tau.size() == tau.size(), "torques need one entry per joint");
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += u * (to_.tau[i] - tau[i]);
  wrench = {from_.wrench.force + u * (to_.wrench.force - from_.wrench.force),
            from_.wrench.moment + u * (to_.wrench.moment - from_.wrench.moment)};
}

namespace {

void require_sound(const Arm& model, const ControlOptions& options) {
  const std::size_t n = model.dof();
  for (const Matrix* gain : {&options.Kp, &options.Kv}) {
    require(gain->rows() == n && gain->columns() == n, "gains are matrices with a row per joint");
  }
  require(options.sample_time >= 0.0 && std::isfinite(options.sample_time),
          "the sample time must not be negative");
  require(options.Ki.rows() == 0 || (options.Ki.rows() == n && options.Ki.columns() == n),
          "gains are matrices with a row per joint");
  const bool sampled = options.sample_time > 0.0;
  require(sampled || options.Ki.rows() == 0, "errors are summed up at samples");
  require(sampled || options.delay == 0, "a delay counts samples, so there must be some");
  require(sampled || options.resolution.empty(), "an encoder is read at samples");
  require(options.resolution.empty() || options.resolution.size() == n,
          "encoder resolutions need one entry per joint");
  require(options.torque_limits.empty() || options.torque_limits.size() == n,
          "torque limits need one entry per joint");
  for (const std::vector<double>* magnitudes : {&options.resolution, &options.torque_limits}) {
    require(std::ranges::all_of(*magnitudes, [](double value) { return value >= 0.0; }),
            "resolutions and torque limits are not negative");
  }
  for (const Coupling& coupling : options.couplings) {
    const std::size_t motors = coupling.joints.size();
    require(std::ranges::all_of(coupling.joints, [n](std::size_t joint) { return joint < n; }),
            "couplings are of joints that the arm has");
    require(coupling.matrix.size() == motors * motors, "couplings need a row per motor");
    require(coupling.torque_limits.empty() || coupling.torque_limits.size() == motors,
            "torque limits of motors need one entry per motor");
  }
}

}  // namespace

/// Measurement of the joints at samples: positions in steps of the resolution, and velocities as
/// their differences.
class Encoder {
 public:
  Encoder(std::vector<double> resolution, double sample_time)
      : resolution_(std::move(resolution)), sample_time_(sample_time) {}

  /// Replaces positions and velocities by measured ones.
  void read(std::span<double> q, std::span<double> qd) {
    if (resolution_.empty()) return;
    if (last_.empty()) {
      for (std::size_t i = 0; i < q.size(); ++i) {
        last_.push_back(reading(i, q[i] - sample_time_ * qd[i]));
      }
    }
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (resolution_[i] == 0.0) continue;
      q[i] = reading(i, q[i]);
      qd[i] = (q[i] - last_[i]) / sample_time_;
      last_[i] = q[i];
    }
  }

 private:
  [[nodiscard]] double reading(std::size_t i, double q) const {
    const double steps = q / resolution_[i];  // from 2^53 on q itself is no finer
    return std::abs(steps) < 0x1p53 ? resolution_[i] * std::nearbyint(steps) : q;
  }

  std::vector<double> resolution_, last_;
  double sample_time_;
};

struct ControlledTorque::State {
  State(const Arm& known, std::optional<Trajectory> motion, double first_sample,
        const ControlOptions& wanted)
      : options(wanted),
        model(known),
        is_dry(has_dry_friction(known)),
        dynamics(known, wanted.method),
        desired(std::move(motion)),
        sample_times(first_sample, wanted.sample_time),
        encoder(wanted.resolution, wanted.sample_time),
        sum(Eigen::VectorXd::Zero(index(known.dof()))),
        saturated(known.dof()) {
    for (auto* const values :
         {&q, &qd, &q_desired, &qd_desired, &qdd_desired, &zero, &tau, &asked}) {
      values->resize(known.dof());
    }
    require(!desired || desired->dof() == known.dof(),
            "the controller's model and the motion need the same joints");
    require_sound(known, options);
  }

  [[nodiscard]] bool is_sampled() const { return options.sample_time > 0.0; }

  /// Computes τ of the controller's law at the measured state, cut to the limits.
  void compute(double t, std::span<const double> at_q, std::span<const double> at_qd,
               std::span<double> out) {
    if (desired) desired->at(t, q_desired, qd_desired, qdd_desired);
    e = eigen(q_desired) - eigen(at_q);
    e_dot = eigen(qd_desired) - eigen(at_qd);
    feedback = eigen(options.Kp) * e + eigen(options.Kv) * e_dot;
    if (has_integral()) feedback += eigen(options.Ki) * (sum + options.sample_time * e);  // (11.8)
    switch (options.controller) {
      case Controller::computed_torque: {  // (11.1)
        feedback += eigen(qdd_desired);
        const std::span<const double> u(feedback.data(), out.size());
        dynamics.torque({at_q, at_qd, u}, {}, out);
        if (is_dry && options.friction_by == FrictionBy::desired) turn_friction(at_q, at_qd, out);
        break;
      }
      case Controller::pd:  // (11.2)
        std::copy_n(feedback.data(), out.size(), out.begin());
        break;
      case Controller::pd_gravity:  // (11.3)
        dynamics.torque({at_q, zero, zero}, {}, out);
        add_feedback(out);
        break;
      case Controller::feedforward:  // (11.4)
        dynamics.torque({q_desired, qd_desired, qdd_desired}, {}, out);
        add_feedback(out);
        break;
    }
    if (!all_finite(out)) {
      throw NotFinite(
          fmt::format("the controller's torque of {} is not a finite number: the gains are too "
                      "large, or the error {:.6g}",
                      joint_name(model, first_not_finite(out)), e.lpNorm<Eigen::Infinity>()));
    }
    cut_to_limits(out);
  }

  [[nodiscard]] bool has_integral() const { return options.Ki.rows() > 0; }

  /// Sums up a sample's errors, but not of joints whose torque is cut and would grow still more.
  void sum_up() {
    for (Eigen::Index i = 0; has_integral() && i < e.size(); ++i) {
      const auto joint = static_cast<std::size_t>(i);
      if (!is_saturated(joint, tau) || tau[joint] * e(i) < 0.0)
        sum(i) += options.sample_time * e(i);
    }
  }

  /// Replaces dry friction in the directions of `at_qd` by that in the desired ones.
  void turn_friction(std::span<const double> at_q, std::span<const double> at_qd,
                     std::span<double> out) const {
    const std::vector<int> measured = directions(model, at_qd);
    std::vector<int> wanted = directions(model, qd_desired);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == 0) wanted[i] = measured[i];
    }
    if (wanted == measured) return;
    std::vector<double> with(wanted.size()), without(wanted.size());
    loss_torques(model, at_q, at_qd, wanted, with);
    loss_torques(model, at_q, at_qd, measured, without);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += with[i] - without[i];
  }

  void add_feedback(std::span<double> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += feedback(static_cast<Eigen::Index>(i));
  }

  void cut_to_limits(std::span<double> out) {
    std::ranges::copy(out, asked.begin());
    cut_to_joint_limits(out);
    for (const Coupling& coupling : options.couplings) {
      cut_to_motor_limits(coupling, out);
      if (options.torque_limits.empty()) continue;
      // Less torque of one motor may bring another joint beyond its limit. Scaling all torques down
      // keeps the motors within theirs.
      double share = 1.0;
      for (const std::size_t i : coupling.joints) {
        share = std::min(share, options.torque_limits[i] / std::abs(out[i]));
      }
      for (const std::size_t i : coupling.joints) out[i] *= share;
      cut_to_joint_limits(out);  // by rounding
    }
    for (std::size_t i = 0; i < saturated.size(); ++i)
      saturated[i] += is_saturated(i, out) ? 1U : 0U;
  }

  void cut_to_joint_limits(std::span<double> out) const {
    for (std::size_t i = 0; i < options.torque_limits.size(); ++i) {
      const double limit = options.torque_limits[i];
      if (std::abs(out[i]) > limit) out[i] = std::copysign(limit, out[i]);
    }
  }

  /// Tests whether a given torque is not that of the law.
  [[nodiscard]] bool is_saturated(std::size_t joint, std::span<const double> given) const {
    return given[joint] != asked[joint];
  }

  ControlOptions options;
  Arm model;
  bool is_dry;
  InverseDynamics dynamics;
  std::optional<Trajectory> desired;
  TimeGrid sample_times;
  std::uint64_t samples = 0;
  Encoder encoder;
  std::deque<std::vector<double>> line;  // torques of the last samples; the first acts
  std::vector<double> q, qd;             // measured
  std::vector<double> qd_desired, q_desired, qdd_desired, zero;
  Eigen::VectorXd feedback, e, e_dot;
  Eigen::VectorXd sum;  // of e over time, without the current sample
  std::vector<double> tau;
  std::vector<double> asked;  // by the law, at the last call
  std::vector<std::uint64_t> saturated;
};

ControlledTorque::ControlledTorque(const Arm& model, const Trajectory& desired, double start,
                                   const ControlOptions& options)
    : state_(std::in_place, model, desired, start, options) {}
ControlledTorque::ControlledTorque(const Arm& model, double start, const ControlOptions& options)
    : state_(std::in_place, model, std::nullopt, start, options) {}

void ControlledTorque::follow(std::span<const double> q, std::span<const double> qd,
                              std::span<const double> qdd) {
  State& s = *state_;
  s.desired.reset();
  copy(q, s.q_desired);
  copy(qd, s.qd_desired);
  copy(qdd, s.qdd_desired);
}

double ControlledTorque::begin_stretch(double t, std::span<const double> q,
                                       std::span<const double> qd) {
  State& s = *state_;
  require_one_per_joint(s.model, q, qd);
  if (!s.is_sampled()) {
    if (!s.desired) return forever;
    const std::vector<double>& knots = s.desired->knots();
    const auto next = std::upper_bound(knots.begin(), knots.end(), t);
    return next == knots.end() ? std::numeric_limits<double>::infinity() : *next;
  }
  std::copy(q.begin(), q.end(), s.q.begin());
  std::copy(qd.begin(), qd.end(), s.qd.begin());
  s.encoder.read(s.q, s.qd);
  s.compute(t, s.q, s.qd, s.tau);
  s.sum_up();
  s.line.push_back(s.tau);  // the first also acts in place of earlier ones
  if (s.line.size() > s.options.delay + 1) s.line.pop_front();
  ++s.samples;
  return s.sample_times(s.samples);
}

void ControlledTorque::evaluate(double t, std::span<const double> q, std::span<const double> qd,
                                std::span<double> tau, Wrench& wrench) {
  State& s = *state_;
  wrench = {};
  if (s.is_sampled()) {
    std::ranges::copy(s.line.front(), tau.begin());
  } else {
    s.compute(t, q, qd, tau);
  }
}

const std::vector<std::uint64_t>& ControlledTorque::saturated() const {
  return state_->saturated;
}

}  // namespace armdyn
