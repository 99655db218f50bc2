#pragma once

#include <Eigen/Core>
#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/simulation.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/mobility.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/ltdl.hpp"
#include "math/require.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

/// Throws std::invalid_argument unless there are no limits, or one per joint, or also one per follower.
inline void require_limits(const Arm& arm, std::span<const Limits> limits) {
  std::size_t joints = arm.dof();
  for (const Chain& chain : arm.chains) {
    for (const std::size_t k : chain.joints) joints = std::max(joints, k + 1);
  }
  require(limits.empty() || limits.size() == arm.dof() || limits.size() == joints,
          "limits need one entry per joint, or none");
}

/// Position of follower k, of a helical one the angle (38.6).
inline JointRow follower_row(const Arm& arm, std::size_t k) {
  JointRow found;
  for (const Chain& chain : arm.chains) {
    for (std::size_t link = 0; link < chain.joints.size(); ++link) {
      if (chain.joints[link] != k || chain.rows[link].joints.empty()) continue;
      const bool turns = is_turning(chain.arm.links[link].joint);
      if (turns || found.joints.empty()) found = chain.rows[link];
    }
  }
  return found;
}

/// Arm of a simulation: M q̈ + h + losses = τ, dry friction, limits of the joints, and energy.
///
/// Dry friction acts at contacts (docs/derivation.md, section 31).
class Plant : boost::noncopyable {
 public:
  Plant(const Arm& arm, std::span<const Limits> limits, ForwardMethod method)
      : arm_(arm), forward_(arm, method), contacts_(friction_contacts(arm)), limits_(arm.dof()) {
    require_limits(arm, limits);
    limits_.resize(std::max(arm.dof(), limits.size()));
    for (std::size_t k = 0; k < limits.size(); ++k) {
      limits_[k] = limits[k].position;
      if (k >= arm.dof()) followers_.push_back(follower_row(arm, k));
    }
    for (const Drive& drive : arm_.drives) {
      loses_.push_back(has_friction(drive));
      stribeck_velocities_.push_back(armdyn::stribeck_velocity(drive));
      has_stribeck_curve_ = has_stribeck_curve_ || stribeck_velocities_.back();
    }
    for (const auto& [row, drive, motor_of] : arm_.row_drives) {
      for (const std::size_t j : row.joints) loses_[j] = loses_[j] || has_friction(drive);
    }
    for (const FrictionContact& contact : contacts_)
      can_stick_.push_back(has_dry_friction(contact.drive));
    if (std::ranges::all_of(contacts_, &FrictionContact::is_joint)) return;
    const Eigen::Index n = index(dof());
    Eigen::MatrixXd A(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      A.row(i) = eigen(contacts_[static_cast<std::size_t>(i)].weights(dof())).transpose();
    }
    joints_by_contacts_ = inverse(A);
  }

  [[nodiscard]] std::size_t dof() const { return arm_.dof(); }

  /// Dynamics M q̈ + h = force, h = V + G + Jᵀ·wrench.
  [[nodiscard]] ForwardDynamics& dynamics() { return forward_; }
  /// Throws NumericsError where M is not positive definite, even if friction holds all joints.
  void require_regular(std::span<const double> q) {
    const std::vector<double> zero(dof());
    std::vector<double> qdd(dof());
    forward_.lossless_acceleration(q, zero, zero, {}, qdd);
  }

  [[nodiscard]] const Drive& drive(std::size_t i) const { return arm_.drives[i]; }
  [[nodiscard]] const Arm& arm() const { return arm_; }
  /// Tests whether joint i has losses.
  [[nodiscard]] bool loses(std::size_t i) const { return loses_[i]; }
  /// Tests whether contact i has dry friction and therefore can stick.
  [[nodiscard]] bool can_stick(std::size_t i) const { return can_stick_[i]; }
  /// Torques at which contact i breaks away from rest.
  [[nodiscard]] TwoSided breakaway(std::size_t i, double q) const {
    return breakaway_torque(contacts_[i].drive, q);
  }
  /// Torques that brake contact i just after it broke away.
  [[nodiscard]] TwoSided sliding_levels(std::size_t i, double q) const {
    const Drive& drive = contacts_[i].drive;
    return {loss_torque(drive, q, 0.0, 1), -loss_torque(drive, q, 0.0, -1)};
  }
  /// Speed of contact i, 0 if it is rounding; or its acceleration.
  [[nodiscard]] double contact_rate(std::size_t i, std::span<const double> joints) const {
    constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();  // finds events
    return contacts_[i].rate(joints, rounding);
  }
  /// Stops contact i by the speeds of the joints; the other contacts keep theirs.
  void stop_contact(std::size_t i, std::span<double> qd) const {
    if (joints_by_contacts_.size() == 0) {
      qd[i] = 0.0;
      return;
    }
    Eigen::VectorXd speeds(index(dof()));
    for (std::size_t c = 0; c < dof(); ++c) {
      speeds[index(c)] = c == i ? 0.0 : row_rate<double>(contacts_[c].row, qd);
    }
    in_place(qd) = joints_by_contacts_ * speeds;
  }

  /// B of (31.5), joint rates by those of the contacts; empty where these are the joints.
  [[nodiscard]] const Eigen::MatrixXd& joints_by_contacts() const { return joints_by_contacts_; }
  /// |∂G_i/∂q_i| (eq. 8.11): N·m/rad, N/m.
  void stiffness(std::span<const double> q, std::span<double> result) const {
    if (!arm_.is_serial()) {
      const std::vector<double> zero(dof());
      const Matrix slopes = torque_derivatives(without_drives(arm_), {q, zero, zero}).dq;
      for (std::size_t i = 0; i < dof(); ++i) result[i] = std::abs(slopes(i, i));
      return;
    }
    const std::vector<Transform> frames = link_frames<double>(arm_, q);
    double mass = 0.0;
    Vec3 moment;  // of all masses beyond
    for (std::size_t i = dof(); i-- > 0;) {
      const Link& link = arm_.links[i];
      mass += link.body.mass;
      moment = moment + link.body.mass * (frames[i] * link.body.com);
      const Vec3 z = column_z(frames[i].R), lever = moment - mass * frames[i].p;
      const double of_turn = std::abs(dot(cross(z, lever), cross(arm_.v_dot_0, z)));
      result[i] = by_kind(link.joint, of_turn, 0.0);
    }
  }

  /// Largest slope of joint i's losses over its speed, near the speed qd: N·m·s/rad, N·s/m.
  [[nodiscard]] double damping(std::size_t i, double qd) const {
    double damping = steepest_friction(arm_.drives[i], qd);
    for (const auto& [row, drive, motor_of] : arm_.row_drives) {
      damping += square(row_factor(row, i)) * viscous_friction(drive);
    }
    return damping;
  }

  /// Rate of joint i through a turn at this speed, rad/s; 0 of a prismatic joint.
  [[nodiscard]] double turning(std::size_t i, double qd) const {
    return by_kind(kind(i), std::abs(qd), 0.0);
  }

  /// Tests whether some joint has static friction that falls off with speed.
  [[nodiscard]] bool has_stribeck_curve() const { return has_stribeck_curve_; }
  /// v_s where joint i has static friction that falls off with speed: rad/s, m/s.
  [[nodiscard]] const std::optional<double>& stribeck_velocity(std::size_t i) const {
    return stribeck_velocities_[i];
  }

  /// Time, s, in which joint i, at this speed and acceleration, goes through about a radian of its
  /// turn or of the ripple of its friction, or over curve_time.
  [[nodiscard]] double time_scale(std::size_t i, double qd, double qdd) const {
    return std::min(1.0 / std::max(turning(i, qd), rippling(arm_.drives[i], qd)),
                    curve_time(arm_.drives[i], qd, qdd));
  }

  /// Number of the joints and the followers that may have limits of position.
  [[nodiscard]] std::size_t limited() const { return limits_.size(); }
  [[nodiscard]] const std::optional<Range>& limit(std::size_t k) const { return limits_[k]; }
  /// Position of one of them; or its rate, by the joints' rates.
  [[nodiscard]] double position(std::size_t k, std::span<const double> q) const {
    return k < dof() ? q[k] : rate(k, q) + followers_[k - dof()].offset;
  }
  [[nodiscard]] double rate(std::size_t k, std::span<const double> joints) const {
    return k < dof() ? joints[k] : row_rate<double>(followers_[k - dof()], joints);
  }
  /// Pieces of the springs' laws that hold at q, of laws with several.
  [[nodiscard]] std::vector<std::size_t> spring_pieces_at(std::span<const double> q) const {
    std::vector<std::size_t> numbers;
    for (const auto& [pieces, row, from, to] : arm_.springs) {
      if (pieces.size() == 1) continue;
      const auto place = [&](const auto& point) {
        return moved_point<double>(arm_, point, q).place;
      };
      const double x = row.joints.empty() ? length(place(to) - place(from))
                                          : row_rate<double>(row, q) + row.offset;
      numbers.push_back(piece_at(pieces, x));
    }
    return numbers;
  }
  /// Name for messages.
  [[nodiscard]] std::string name(std::size_t i) const { return joint_name(arm_, i); }
  [[nodiscard]] JointType kind(std::size_t i) const { return arm_.links[i].joint; }

  /// Kinetic energy, rotors included, and potential energy, J (eq. 9.6, 9.7).
  [[nodiscard]] double energy(std::span<const double> q, std::span<const double> qd) {
    const std::size_t n = dof();
    std::vector<double> M(n * n);
    forward_.mass_matrix(q, M);
    double kinetic = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) kinetic += 0.5 * qd[i] * M[i * n + j] * qd[j];  // (9.6)
    }
    return kinetic + potential_energy(arm_, q);
  }

 private:
  Arm arm_;
  ForwardDynamics forward_;
  std::vector<FrictionContact> contacts_;
  Eigen::MatrixXd joints_by_contacts_;
  std::vector<bool> can_stick_, loses_;
  std::vector<std::optional<double>> stribeck_velocities_;
  bool has_stribeck_curve_ = false;
  std::vector<std::optional<Range>> limits_;
  std::vector<JointRow> followers_;  ///< where they have limits
};

/// Check of a fixed step by the fastest processes of an arm (docs/derivation.md, section 8.4).
class StepCheck {
 public:
  /// Checks an integrator with a fixed step.
  StepCheck(Plant& plant, Integrator integrator)
      : plant_(plant),
        longest_(integrator == Integrator::euler ? longest_of_euler : longest),
        longest_through_stribeck_(integrator == Integrator::euler ? longest_of_euler
                                                                  : longest_through_stribeck),
        articulates_(serving_method(plant.arm(), fastest_method(plant.dof())) ==
                     ForwardMethod::articulated),
        rotors_(rotor_inertias(plant.arm())),
        joints_(plant.dof()),
        M_(articulates_ ? 0 : plant.dof() * plant.dof()) {
    for (auto* const of_joints : {&column_, &mobilities_, &stiffness_}) {
      of_joints->resize(plant.dof());
    }
  }

  /// Fastest process at this state, if the step is too long for one.
  [[nodiscard]] std::optional<CoarseStep> operator()(std::span<const double> q,
                                                     std::span<const double> qd, double step) {
    using Process = CoarseStep::Process;
    const std::size_t n = plant_.dof();
    std::optional<CoarseStep> worst;
    const auto is_coarse = [&](double rate) { return rate * step > longest_; };
    const auto consider = [&](std::size_t joint, Process process, double rate) {
      if (!is_coarse(rate) || (worst && rate <= worst->rate)) return;
      worst = {.joint = joint,
               .process = process,
               .rate = rate,
               .step = step,
               .advised = longest_ / rate};
    };

    if (!find_mobilities(q)) return worst;
    plant_.stiffness(q, stiffness_);
    for (std::size_t i = 0; i < n; ++i) {
      const double mobility = mobilities_[i];
      consider(i, Process::damping, plant_.damping(i, qd[i]) * mobility);  // (8.10)
      consider(i, Process::swing, std::sqrt(stiffness_[i] * mobility));    // (8.11)
      consider(i, Process::turning, plant_.turning(i, qd[i]));             // (8.12)
      consider(i, Process::ripple, rippling(plant_.drive(i), qd[i]));
    }
    return worst;
  }

  /// Likewise of static friction that fell off, or came up, while a step took joints from one speed
  /// to the other.
  [[nodiscard]] std::optional<CoarseStep> passage(std::span<const double> qd_before,
                                                  std::span<const double> qd, double step) const {
    std::optional<CoarseStep> worst;
    for (std::size_t i = 0; plant_.has_stribeck_curve() && i < qd.size(); ++i) {
      const std::optional<double>& v_s = plant_.stribeck_velocity(i);
      if (!v_s || slowest_between(qd_before[i], qd[i]) > 3.0 * *v_s) continue;
      const double rate = std::abs(qd[i] - qd_before[i]) / (*v_s * step);  // (8.13)
      if (rate * step <= longest_through_stribeck_ || (worst && rate <= worst->rate)) continue;
      worst = {.joint = i,
               .process = CoarseStep::Process::stribeck,
               .rate = rate,
               .step = step,
               .advised = longest_through_stribeck_ / rate};
    }
    return worst;
  }

 private:
  // The relative error of a step of RK4 is (rate·h)⁵/120; it is unstable above rate·h = 2.8.
  static constexpr double longest = 0.25;

  // RK4 samples friction half a step apart: nearly exact for exp(−(q̇/v_s)²) while q̇ changes by v_s
  // in a step, wrong by 6 % of its integral for a change by 2 v_s.
  static constexpr double longest_through_stribeck = 1.0;

  // The relative error of all steps of Euler together is rate·h/2.
  static constexpr double longest_of_euler = 0.02;

  /// Smallest |q̇| on the way from one speed to the other.
  static double slowest_between(double a, double b) {
    return a * b <= 0.0 ? 0.0 : std::min(std::abs(a), std::abs(b));
  }

  /// Puts the diagonal of M⁻¹ into `mobilities_`; false where M is singular.
  bool find_mobilities(std::span<const double> q) {
    const std::size_t n = plant_.dof();
    const Arm& arm = plant_.arm();
    if (articulates_) {
      const std::vector<Transform> frames = joint_frames<double>(arm, q);
      articulate<double>(arm, frames, rotors_.diagonal, joints_);
      const auto is_positive = [](const auto& joint) { return joint.pivot > 0.0; };
      if (!std::ranges::all_of(joints_, is_positive)) return false;
      mobilities(arm, frames, joints_, mobilities_);
      return true;
    }
    plant_.dynamics().mass_matrix(q, M_);
    factor_ltdl<double>(n, M_);
    for (std::size_t i = 0; i < n; ++i) {
      if (!(M_[i * n + i] > 0.0)) return false;
    }
    for (std::size_t i = 0; i < n; ++i) {
      std::fill(column_.begin(), column_.end(), 0.0);
      column_[i] = 1.0;
      solve_ltdl<double>(n, M_, column_);
      mobilities_[i] = column_[i];
    }
    return true;
  }

  Plant& plant_;
  double longest_, longest_through_stribeck_;  ///< rate times step
  bool articulates_;                           ///< whether this is faster, as for long chains
  RotorInertias rotors_;
  std::vector<ArticulatedJoint<double>> joints_;
  std::vector<double> M_, column_, mobilities_, stiffness_;
};

}  // namespace armdyn
