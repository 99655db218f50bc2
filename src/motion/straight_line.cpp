#include <armdyn/error.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <stdexcept>

#include "motion/hand_line.hpp"
#include "motion/kept_within.hpp"
#include "motion/law.hpp"
#include "motion/timing.hpp"

namespace armdyn {

namespace {

/// A way and a time law for it (eq. 10.8).
class HandLineLaw final : public TrajectoryLaw {
 public:
  HandLineLaw(std::shared_ptr<const HandLine> line, const Trajectory& share)
      : TrajectoryLaw(share.knots()), line_(std::move(line)), share_(share) {
    probes += 4 * static_cast<int>(line_->steps());
  }

  [[nodiscard]] std::size_t dof() const override { return line_->dof(); }

  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override {
    double s = 0.0, s_dot = 0.0, s_ddot = 0.0;
    share_.at(t, {&s, 1}, {&s_dot, 1}, {&s_ddot, 1});
    const HandLine::Posture posture = line_->at(s);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto joint = static_cast<Eigen::Index>(i);
      q[i] = posture.q(joint);
      qd[i] = posture.dq(joint) * s_dot;
      qdd[i] = posture.ddq(joint) * s_dot * s_dot + posture.dq(joint) * s_ddot;
    }
  }

 private:
  std::shared_ptr<const HandLine> line_;
  Trajectory share_;
};

Trajectory timed(const std::shared_ptr<const HandLine>& line, Profile profile, double duration) {
  const Trajectory share =
      point_to_point(std::vector{0.0}, std::vector{1.0}, profile, {duration, {}});
  return TrajectoryLaw::make<HandLineLaw>(line, share);
}

}  // namespace

Trajectory straight_line(const Arm& arm, std::span<const double> from, std::span<const double> to,
                         Profile profile, const Timing& timing, HandOrientation orientation) {
  if (from.size() != arm.dof() || to.size() != arm.dof()) {
    throw std::invalid_argument("both ends of a motion need one entry per joint");
  }
  require_sound(timing, arm.dof());
  const auto line = std::make_shared<const HandLine>(arm, from, to, orientation);
  double shortest = 0.0;
  if (!timing.limits.empty()) {
    shortest = stretch_to(timing.limits, peak_rates(timed(line, profile, 1.0)));
    if (shortest == 0.0 && !timing.duration) {
      throw InputError("no limit says how long the motion takes; give a duration");
    }
  }
  return kept_within(timed(line, profile, chosen_duration(timing, shortest)), timing.limits);
}

}  // namespace armdyn
