#include "motion/path_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "dynamics/friction.hpp"
#include "model/motors.hpp"
#include "motion/joint_path.hpp"

namespace armdyn {

namespace {

double weighted(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Arm without_friction(Robot robot, bool is_weightless) {
  for (Joint& joint : robot.joints) remove_friction(joint);
  if (is_weightless) robot.gravity = {};
  return normalise(robot);
}

Arm with_plain_friction(Arm arm) {
  for (Drive& drive : arm.drives) {
    drive.friction.sigmoid = {};
    drive.friction.breakaway.reset();
  }
  return arm;
}

bool has_plain_friction(const Drive& drive) {
  return !stribeck_velocity(drive) && drive.friction.sigmoid.amplitude == 0.0;
}

}  // namespace

std::vector<PathLimit> path_limits(const Robot& robot, double torque_share) {
  std::vector<PathLimit> limits;
  const auto add = [&](PathLimit::Of of, std::size_t i, const std::optional<double>& most) {
    if (!most) return;
    limits.push_back({of, i, false, std::vector<double>(robot.dof()), *most});
    limits.back().of_joints[i] = 1.0;
  };
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Limits& own = robot.joints[i].limits;
    add(PathLimit::Of::torque, i, own.torque);
    add(PathLimit::Of::velocity, i, own.velocity);
    add(PathLimit::Of::acceleration, i, own.acceleration);
  }
  for (MotorLimit& motor : motor_limits(robot)) {
    const bool is_torque = motor.kind == MotorLimit::Kind::torque;
    limits.push_back({is_torque ? PathLimit::Of::torque : PathLimit::Of::velocity, motor.motor,
                      true, std::move(motor.of_joints), motor.most});
  }
  for (PathLimit& limit : limits) {
    if (limit.of == PathLimit::Of::torque) limit.most *= torque_share;
  }
  return limits;
}

PathDemands::PathDemands(const Robot& robot, std::vector<PathLimit> limits)
    : limits_(std::move(limits)),
      arm_(normalise(robot)),
      plain_(with_plain_friction(arm_)),
      is_plain_(std::ranges::all_of(arm_.drives, has_plain_friction)),
      moving_(without_friction(robot, true)),
      resting_(without_friction(robot, false)),
      demands_(limits_.size()),
      zero_(robot.dof()),
      first_(zero_),
      second_(zero_),
      load_(zero_),
      dry_(zero_),
      viscous_(zero_) {}

std::vector<double> PathDemands::contact_rates(std::span<const double> slope) const {
  std::vector<double> rates(slope.begin(), slope.end());
  for (const CoupledMotors& coupled : arm_.coupled_motors) {
    for (std::size_t m = 0; m < coupled.joints.size(); ++m) {
      rates[coupled.joints[m]] = motor_rate<double>(coupled, m, slope);
    }
  }
  return rates;
}

std::vector<double> PathDemands::contact_weights(std::size_t i) const {
  std::vector<double> weights;
  for (std::size_t j = 0; j < arm_.dof(); ++j) {
    std::vector<double> one(arm_.dof());
    one[j] = 1.0;
    weights.push_back(contact_rates(one)[i]);
  }
  return weights;
}

void PathDemands::go_to(const PathState& point, const Wrench& hand, std::span<const int> directions,
                        double resolution, bool sets_out) {
  q_.assign(point.q.begin(), point.q.end());
  slope_.assign(point.slope.begin(), point.slope.end());
  directions_.assign(directions.begin(), directions.end());
  moving_.torque({point.q, zero_, point.slope}, {}, first_);
  moving_.torque({point.q, point.slope, point.curvature}, {}, second_);
  resting_.torque({point.q, zero_, zero_}, hand, load_);
  const std::vector<double> rates = contact_rates(point.slope);
  const std::vector<double> accelerations = contact_rates(point.curvature);
  std::vector<std::size_t> at_rest;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (!sets_out && std::abs(rates[i]) > resolution * std::abs(accelerations[i])) continue;
    const double turns = directions_[i] * (sets_out ? rates[i] : accelerations[i]);
    if (turns < 0.0) continue;  // it comes to rest, and slides until then
    at_rest.push_back(i);
    if (turns == 0.0) directions_[i] = 0;
  }
  const std::vector<int> still(directions_.size());
  loss_torques(plain_, q_, zero_, directions_, dry_);
  loss_torques(plain_, q_, slope_, still, viscous_);
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const std::vector<double>& weights = limits_[k].of_joints;
    switch (limits_[k].of) {
      case PathLimit::Of::torque:
        demands_[k] = {weighted(weights, first_), weighted(weights, second_),
                       weighted(weights, viscous_), weighted(weights, load_),
                       weighted(weights, dry_)};
        break;
      case PathLimit::Of::velocity:
        demands_[k] = {.c = weighted(weights, point.slope)};
        break;
      case PathLimit::Of::acceleration:
        demands_[k] = {.a = weighted(weights, point.slope),
                       .b = weighted(weights, point.curvature)};
        break;
    }
  }
  for (const std::size_t i : at_rest) add_rest(i);
}

const CoupledMotors* PathDemands::coupled_motors_of(std::size_t joint) const {
  for (const CoupledMotors& coupled : arm_.coupled_motors) {
    if (coupled.place(joint) < coupled.joints.size()) return &coupled;
  }
  return nullptr;
}

/// Static friction of a joint, or of the coupled motor in its place, that is at rest: that of the
/// direction in which it sets out, or where it stays, what holds it.
void PathDemands::add_rest(std::size_t contact) {
  const int direction = directions_[contact];
  slope_[contact] = 0.0;  // no other friction
  std::vector<double> of_joints(q_.size());
  TwoSided level;
  if (const CoupledMotors* const coupled = coupled_motors_of(contact)) {
    const std::size_t m = coupled->place(contact);
    if (direction != 0) return;  // whose static level is Coulomb's
    level = coupled->motors[m].coulomb;
    for (std::size_t j = 0; j < coupled->joints.size(); ++j) {
      of_joints[coupled->joints[j]] = coupled->ratio(m, j);
    }
  } else {
    level = breakaway_torque(arm_.drives[contact], q_[contact]);
    of_joints[contact] = 1.0;
  }
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    if (limits_[k].of != PathLimit::Of::torque) continue;
    PathDemand& demand = demands_[k];
    const double weight = weighted(limits_[k].of_joints, of_joints);
    if (direction == 0) {
      demand.above += std::abs(weight) * (weight > 0.0 ? level.positive : level.negative);
      demand.below += std::abs(weight) * (weight > 0.0 ? level.negative : level.positive);
    } else {
      const double sliding = loss_torque(plain_.drives[contact], q_[contact], 0.0, direction);
      demand.friction += weight * (signed_level(level, direction) - sliding);
    }
  }
}

void PathDemands::go_to(const JointPath& path, std::size_t piece, double s,
                        std::span<const int> directions, bool sets_out) {
  std::vector<double> q, slope, curvature;
  for (std::size_t i = 0; i < path.dof(); ++i) {
    const PathSample at = path.at(piece, i, s);
    q.push_back(at.q);
    slope.push_back(at.d1);
    curvature.push_back(at.d2);
  }
  go_to({q, slope, curvature}, {}, directions, 0.0, sets_out);
}

PathDemands::Share PathDemands::largest_share(double speed, double acceleration) const {
  Share most;
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const PathDemand& demand = demands_[k];
    const double value = demand.a * acceleration + demand.at(speed) + other_friction(k, speed);
    const double share = std::max(value - demand.below, -value - demand.above) / limits_[k].most;
    if (share > most.share) most = {k, share};
  }
  return most;
}

double PathDemands::other_friction(std::size_t limit, double speed) const {
  if (is_plain_ || limits_[limit].of != PathLimit::Of::torque) return 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double weight = limits_[limit].of_joints[i];
    if (weight == 0.0 || has_plain_friction(arm_.drives[i]) || slope_[i] == 0.0) continue;
    const double rate = slope_[i] * speed;
    sum += weight * (loss_torque(arm_.drives[i], q_[i], rate, directions_[i]) -
                     loss_torque(plain_.drives[i], q_[i], rate, directions_[i]));
  }
  return sum;
}

}  // namespace armdyn
