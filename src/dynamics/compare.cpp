#include "dynamics/compare.hpp"

#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "dynamics/counts.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/states.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "math/statistics.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A difference as a magnitude; what is not a number is as far away as can be.
double magnitude(double difference) {
  return std::isnan(difference) ? infinity : std::abs(difference);
}

/// 0/0 is 0: no difference where there is nothing to differ in.
double ratio(double difference, double unit) {
  return difference == 0.0 ? 0.0 : difference / unit;
}

/// The distance from a double of that size to the next.
double unit_in_the_last_place(double size) {
  return std::nextafter(size, infinity) - size;
}

void raise(LargestAt& largest, double value, std::size_t row, std::optional<double> t) {
  if (value > largest.value) largest = {value, row, t};
}

double root_mean(double squares, std::size_t count) {
  return count == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(count));
}

/// The first joint with a number that is not finite, or so large that sums of its squares are not.
std::size_t first_too_large(const ComparedState& state) {
  std::size_t joint = 0;
  const auto is_too_large = [&](const std::vector<double>& values) {
    return joint < values.size() && !(std::abs(values[joint]) < SumOfSquares::large);
  };
  while (joint < state.scale.size() && !is_too_large(state.scale) &&
         std::ranges::none_of(state.tau, is_too_large) &&
         std::ranges::none_of(state.error, is_too_large)) {
    ++joint;
  }
  return joint;
}

}  // namespace

ComparedMethod compared_method(const Arm& arm, Method method) {
  return {std::string(name(method)),
          [arm, torque = formulation(arm, method)](const MotionState& state, const Wrench& wrench,
                                                   std::span<double> tau) mutable {
            require_one_per_joint(arm, state);
            require_one_per_joint(arm, tau);
            torque(arm, {state.q, state.qd, state.qdd}, present(wrench), tau);
          }};
}

StateComparer::StateComparer(const Arm& arm, std::vector<ComparedMethod> methods)
    : arm_(without_drives(arm)),
      methods_(std::move(methods)),
      terms_(arm_),
      inertia_(arm.dof()),
      velocity_(arm.dof()),
      gravity_(arm.dof()),
      wrench_(arm.dof()),
      unused_(arm.dof()) {}

void StateComparer::compare(const MotionState& state, const Wrench& wrench, ComparedState& out,
                            std::size_t row) {
  const std::size_t n = arm_.dof();
  out.scale.resize(n);
  measure(state, wrench, out.scale);
  out.tau.resize(methods_.size());
  out.error.resize(methods_.size());
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    out.tau[m].clear();
    out.error[m].clear();
    if (!is_computed(row, methods_[m].dense_rows)) continue;
    out.tau[m].resize(n);
    methods_[m].torque(state, wrench, out.tau[m]);
  }
  if (is_computed(row, dense_reference_rows)) {
    std::vector<TwoDoubles> exact(n);
    reference_torque(arm_, state, wrench, exact);
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      for (std::size_t i = 0; i < out.tau[m].size(); ++i) {
        out.error[m].push_back((out.tau[m][i] - exact[i].head) - exact[i].tail);
      }
    }
  }
  const std::size_t joint = first_too_large(out);
  if (joint < n) refuse_not_finite("the square of the torque of " + joint_name(arm_, joint));
}

/// (13.1)
void StateComparer::measure(const MotionState& state, const Wrench& wrench,
                            std::span<double> scale) {
  terms_.terms(state, wrench, {inertia_, velocity_, gravity_, unused_, unused_, wrench_});
  for (std::size_t i = 0; i < arm_.dof(); ++i) {
    scale[i] = std::abs(inertia_[i]) + std::abs(velocity_[i]) + std::abs(gravity_[i]) +
               std::abs(wrench_[i]);
  }
  const std::vector<double> loads = gross_loads(arm_, state, wrench);
  for (std::size_t i = 0; i < arm_.dof(); ++i) scale[i] = std::max(scale[i], 1e-3 * loads[i]);
}

Comparison::Comparison(std::vector<std::string> methods, std::size_t dof, double tolerance)
    : methods_(std::move(methods)),
      dof_(dof),
      tolerance_(tolerance),
      errors_(methods_.size(), {std::vector<LargestAt>(dof), std::vector<double>(dof)}),
      error_rows_(methods_.size()),
      scale_squares_(dof),
      bounds_(methods_.size(), std::vector<double>(dof)),
      peaks_(dof) {
  for (std::size_t a = 0; a < methods_.size(); ++a) {
    for (std::size_t b = a + 1; b < methods_.size(); ++b) {
      pairs_.push_back({a, b, std::vector<JointDifference>(dof)});
    }
  }
}

void Comparison::add(const ComparedState& state, std::optional<double> t) {
  require_fitting(state);
  const double row_scale = all_finite(state.scale)
                               ? *std::max_element(state.scale.begin(), state.scale.end())
                               : infinity;
  for (PairDifference& pair : pairs_) {
    const std::vector<double>& a = state.tau[pair.first];
    const std::vector<double>& b = state.tau[pair.second];
    if (a.empty() || b.empty()) continue;
    ++pair.rows;
    for (std::size_t i = 0; i < dof_; ++i) {
      const double difference = magnitude(b[i] - a[i]);
      JointDifference& joint = pair.joints[i];
      const double relative =
          std::isfinite(row_scale) ? magnitude(ratio(difference, row_scale)) : infinity;
      if (relative > joint.relative.value) joint.there = difference;
      raise(joint.absolute, difference, rows_, t);
      raise(joint.relative, relative, rows_, t);
      joint.rms += difference * difference;
    }
  }
  for (std::size_t m = 0; m < state.bound.size(); ++m) {
    for (std::size_t i = 0; i < state.bound[m].size(); ++i) {
      const double bound = state.bound[m][i];
      bounds_[m][i] = std::max(bounds_[m][i], bound);
      peaks_[i] = std::max(peaks_[i], std::abs(state.tau[m][i]) - bound);
    }
  }
  bool referred = false;
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    if (!state.tau[m].empty()) ++errors_[m].rows;
    if (state.error[m].empty()) continue;
    referred = true;
    ++error_rows_[m];
    for (std::size_t i = 0; i < dof_; ++i) {
      const double error = magnitude(state.error[m][i]);
      raise(errors_[m].largest[i], error, rows_, t);
      errors_[m].rms[i] += error * error;
    }
  }
  if (referred) {
    ++reference_rows_;
    for (std::size_t i = 0; i < dof_; ++i) scale_squares_[i] += state.scale[i] * state.scale[i];
  }
  ++rows_;
}

void Comparison::require_fitting(const ComparedState& state) const {
  const auto is_of_each = [this](const std::vector<std::vector<double>>& values) {
    return values.size() == methods_.size() &&
           std::all_of(values.begin(), values.end(), [this](const std::vector<double>& row) {
             return row.empty() || row.size() == dof_;
           });
  };
  require(state.scale.size() == dof_ && is_of_each(state.tau) && is_of_each(state.error),
          "a compared state needs one entry per joint and method");
}

std::vector<PairDifference> Comparison::differences() const {
  std::vector<PairDifference> result = pairs_;
  for (PairDifference& pair : result) {
    for (JointDifference& joint : pair.joints) joint.rms = root_mean(joint.rms, pair.rows);
  }
  return result;
}

std::vector<MethodError> Comparison::errors() const {
  std::vector<MethodError> result = errors_;
  for (std::size_t m = 0; m < result.size(); ++m) {
    MethodError& error = result[m];
    double squares = 0.0;
    for (std::size_t i = 0; i < dof_; ++i) {
      const double ulp = unit_in_the_last_place(root_mean(scale_squares_[i], reference_rows_));
      error.largest[i].value = ratio(error.largest[i].value, ulp);
      error.rms[i] = ratio(root_mean(error.rms[i], error_rows_[m]), ulp);
      squares += error.rms[i] * error.rms[i];
    }
    error.overall_rms = root_mean(squares, dof_);
  }
  return result;
}

std::optional<Comparison::Worst> Comparison::worst() const {
  std::optional<Worst> worst;
  for (const PairDifference& pair : differences()) {
    if (pair.rows == 0) continue;
    for (std::size_t i = 0; i < dof_; ++i) {
      const JointDifference& joint = pair.joints[i];
      if (!worst || joint.relative.value > worst->difference.relative.value) {
        worst = {pair.first, pair.second, i, joint};
      }
    }
  }
  return worst;
}

bool Comparison::agree() const {
  const std::optional<Worst> found = worst();
  return !found || found->difference.relative.value <= tolerance_;
}

std::optional<std::size_t> Comparison::verified_digits(std::size_t method,
                                                       std::size_t joint) const {
  if (!(peaks_[joint] > 0.0)) return std::nullopt;
  const double relative = bounds_[method][joint] / peaks_[joint] * (1.0 + 1e-15);
  std::size_t digits = 0;
  while (digits < std::numeric_limits<double>::max_digits10 &&  // a double has no more
         relative <= std::pow(10.0, -static_cast<double>(digits + 1))) {
    ++digits;
  }
  return digits;
}

ComparedMethod thinned_method(const Arm& arm, Method method) {
  const Operations each = count(arm, method).recursion.as_written;
  constexpr double operations = 5e10;  // about a minute's worth
  const double affordable = operations / static_cast<double>(each.multiplications + each.additions);
  ComparedMethod thinned = compared_method(arm, method);
  thinned.dense_rows = static_cast<std::size_t>(affordable);
  return thinned;
}

bool is_computed(std::size_t row, std::size_t dense_rows) {
  if (dense_rows == 0) return false;
  std::size_t stride = 1;
  for (std::size_t rows = dense_rows; rows != 0 && row >= rows; rows *= 2) stride *= 2;
  return row % stride == 0;
}

double seconds_per_state(const ComparedMethod& method, std::span<const TimedState> states) {
  using Clock = std::chrono::steady_clock;
  if (states.empty()) return 0.0;
  std::vector<double> tau(states.front().q.size());
  const auto run = [&] {
    const Clock::time_point start = Clock::now();
    for (const TimedState& s : states) method.torque({s.q, s.qd, s.qdd}, s.wrench, tau);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // Long enough that the clock is no matter, often enough that another program's turn is not
  // either.
  constexpr double enough = 0.05;
  constexpr int least_runs = 3;
  double best = infinity, spent = 0.0;
  for (int runs = 0; runs < least_runs || spent < enough; ++runs) {
    const double seconds = run();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best / static_cast<double>(states.size());
}

// Two descriptions of an arm.

namespace {

/// A joint's axis and the frame of the link that it moves, in the world.
struct PlacedJoint {
  bool turns = true;
  Vec3 axis, origin;
  Transform link;
};

std::vector<PlacedJoint> placed_joints(const SerialChain& chain, std::span<const double> q) {
  std::vector<PlacedJoint> placed;
  placed.reserve(q.size());
  Transform T = chain.base;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const ChainJoint& joint = chain.joints[i];
    const bool turns = is_turning(joint.joint.type);
    T = T * joint.origin;
    T = T * (turns ? Transform{rotation_about(q[i] * joint.axis), {}}
                   : Transform{{}, q[i] * joint.axis});
    placed.push_back({turns, T.R * joint.axis, T.p, T});
  }
  return placed;
}

/// Motion of a link: angular velocity and acceleration, acceleration of its frame's origin.
struct MovingLink {
  Vec3 omega, omega_dot, a;
};

/// The motion beyond a joint, whose link's origin stands at r from that of the link before.
MovingLink moved_on(const MovingLink& before, const PlacedJoint& joint, const Vec3& r, double qd,
                    double qdd) {
  const auto& [omega, omega_dot, a] = before;
  const Vec3 carried = a + cross(omega_dot, r) + cross(omega, cross(omega, r));
  if (joint.turns) {
    return {omega + qd * joint.axis, omega_dot + qdd * joint.axis + cross(omega, qd * joint.axis),
            carried};
  }
  return {omega, omega_dot, carried + qdd * joint.axis + 2.0 * cross(omega, qd * joint.axis)};
}

/// Adds the torques that a force at a point of a link and a moment on it take (eq. 1.21).
void add_work(const std::vector<PlacedJoint>& joints, std::size_t link, const Vec3& point,
              const Vec3& force, const Vec3& moment, std::vector<double>& torque) {
  for (std::size_t j = 0; j <= link; ++j) {
    const auto& [turns, axis, origin, frame] = joints[j];
    torque[j] += turns ? dot(axis, cross(point - origin, force) + moment) : dot(axis, force);
  }
}

double difference(std::span<const double> a, std::span<const double> b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

double share(double part, double whole) {
  return whole > 0.0 ? part / whole : part;
}

/// A Jacobian in axes of {0} in those of the world.
Matrix in_world(const Arm& arm, Matrix J) {
  for (std::size_t j = 0; j < J.columns(); ++j) {
    for (const std::size_t first : {0U, 3U}) {
      const Vec3 turned = arm.base.R * Vec3{J(first, j), J(first + 1, j), J(first + 2, j)};
      J(first, j) = turned.x;
      J(first + 1, j) = turned.y;
      J(first + 2, j) = turned.z;
    }
  }
  return J;
}

}  // namespace

ArmState state_of(const Arm& arm, const MotionState& motion) {
  ArmState state;
  state.tcp = pose(arm, motion.q).tcp_in_world;
  const std::size_t n = arm.dof();
  state.jacobian = in_world(arm, tool_jacobian<double>(arm, motion.q));

  InverseDynamics inverse(without_drives(arm));
  const std::vector<double> still(n);
  state.gravity.resize(n);
  state.torque.resize(n);
  inverse.torque({motion.q, still, still}, {}, state.gravity);
  inverse.torque(motion, {}, state.torque);
  return state;
}

ArmState state_of(const SerialChain& chain, const MotionState& motion) {
  const std::vector<PlacedJoint> joints = placed_joints(chain, motion.q);
  auto bodies = each(chain.joints, [](const ChainJoint& joint) { return joint.joint.body; });
  bodies.back() = joined(bodies.back(), chain.tip, chain.payload);
  const std::size_t n = joints.size();
  const double size = size_of(chain);
  ArmState state;
  state.tcp = joints.back().link * chain.tip;
  state.gravity.resize(n);
  state.torque.resize(n);

  std::vector<Twist<double>> columns;
  columns.reserve(n);
  MovingLink link;
  Vec3 origin = chain.base.p;
  for (std::size_t i = 0; i < n; ++i) {
    const auto& [turns, axis, at, frame] = joints[i];
    columns.push_back(turns ? Twist<double>{cross(axis, state.tcp.p - at), axis}
                            : Twist<double>{axis, {}});
    link = moved_on(link, joints[i], at - origin, motion.qd[i], motion.qdd[i]);
    origin = at;
    const auto& [mass, com, inertia] = bodies[i];
    const Vec3 r = frame.R * com;
    const SymMat3 I = rotated(frame.R, inertia);
    const auto& [omega, omega_dot, a] = link;
    const Vec3 a_com = a + cross(omega_dot, r) + cross(omega, cross(omega, r));
    const Vec3 weight = -mass * chain.gravity;
    const Vec3 force = mass * a_com + weight;
    const Vec3 moment = I * omega_dot + cross(omega, I * omega);
    add_work(joints, i, at + r, weight, {}, state.gravity);
    add_work(joints, i, at + r, force, moment, state.torque);
    state.effort += length(force) * size + length(moment);
  }
  state.jacobian = matrix_of(columns);
  return state;
}

RandomMotion::RandomMotion(const std::vector<Joint>& joints) : joints_(joints) {}

std::vector<double> RandomMotion::numbers(double largest) {
  return each(joints_, [&](const Joint&) { return uniform(random_, -largest, largest); });
}

std::vector<double> RandomMotion::position() {
  return each(joints_, [this](const Joint& joint) {
    const auto [lower, upper] = telling_range(joint);
    return uniform(random_, lower, upper);
  });
}

void Deviation::add(const ArmState& a, const ArmState& b, double size) {
  tcp = std::max(tcp, share(length(a.tcp.p - b.tcp.p), size));
  turn = std::max(turn, length(rotation_vector(transposed(a.tcp.R) * b.tcp.R)));
  jacobian = std::max(jacobian, share(difference(a.jacobian.entries(), b.jacobian.entries()),
                                      largest_magnitude(a.jacobian.entries())));
  gravity = std::max(gravity, difference(a.gravity, b.gravity));
  torque = std::max(torque, difference(a.torque, b.torque));
  gravity_scale = std::max(gravity_scale, largest_magnitude(a.gravity));
  torque_scale = std::max(torque_scale, largest_magnitude(a.torque));
  effort = std::max({effort, a.effort, b.effort});
}

}  // namespace armdyn
