#include <armdyn/robot_file.hpp>

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>

#include "dynamics/friction.hpp"
#include "math/each.hpp"
#include "math/enclosed.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"
#include "math/statistics.hpp"
#include "model/file_accuracy.hpp"
#include "model/mechanism.hpp"
#include "model/robot_fields.hpp"

namespace armdyn {

namespace {

/// Places in a sample's stream: so many per joint, then the payload and the parameters.
enum Place : std::uint32_t {
  of_mass,
  of_com,
  of_inertia = of_com + 3,
  of_friction = of_inertia + 3,
  per_joint
};

/// The most of the largest moment over the sum of the others: 1, or what it is in a file with an
/// physically inconsistent inertia (eq. 24.3).
double largest_over_others(const Vec3& of_file) {
  const auto& [x, y, z] = of_file;  // smallest first
  return satisfies_triangle_inequality({x, y, z}) ? 1.0 : z / (x + y);
}

/// Reduces the largest moment to what it may be where it is more.
bool move_to(double largest_over_others, Vec3& moments) {
  double& first = moments.x >= moments.y ? moments.x : moments.y;
  double& largest = first >= moments.z ? first : moments.z;
  const double others = largest_over_others * (moments.x + moments.y + moments.z - largest);
  if (!(largest > others)) return false;
  largest = others;
  return true;
}

/// The corners of what three moments may be within the bound, by their ε: where edges of the box meet
/// what a body has.
std::vector<Vec3> corners(const Vec3& of_file, double bound) {
  constexpr double rounding = 1e-12;
  const std::array<double, 3> J{of_file.x, of_file.y, of_file.z};
  const double over = largest_over_others(of_file);
  std::vector<Vec3> found;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
    for (const auto& [at_l, at_m] : {std::pair(-1.0, -1.0), {-1.0, 1.0}, {1.0, -1.0}, {1.0, 1.0}}) {
      const double L = J[l] * (1 + bound * at_l), M = J[m] * (1 + bound * at_m);
      const double least = std::max({J[k] * (1 - bound), L / over - M, M / over - L});
      const double most = std::min(J[k] * (1 + bound), over * (L + M));
      if (least > most + rounding * (L + M)) continue;
      for (const double here : {std::min(least, most), most}) {
        std::array<double, 3> at{};
        at[k] = J[k] > 0.0 ? std::clamp((here / J[k] - 1) / bound, -1.0, 1.0) : 0.0;
        at[l] = at_l;
        at[m] = at_m;
        found.push_back({at[0], at[1], at[2]});
      }
    }
  }
  return found;
}

/// A double may be off by less than this times it, after a few roundings.
constexpr double roundings_of_draws = 0x1p-48;

Enclosed around_0(double radius, std::size_t place) {
  return Enclosed::measured(Digits50(0.0), radius, place);
}

/// Throws std::invalid_argument for bounds that no arms lie within.
void require_possible(const Uncertainty& uncertainty) {
  for (const double share :
       {uncertainty.mass, uncertainty.inertia, uncertainty.friction, uncertainty.payload}) {
    require(share >= 0.0 && share < 1.0, "a share that is uncertain is 0 or more and below 1");
  }
  std::vector<double> others = each(uncertainty.parameters, &UncertainParameter::bound);
  others.push_back(uncertainty.com);
  for (const double bound : others) {
    require(bound >= 0.0 && std::isfinite(bound),
            "a bound of what is uncertain is a finite number of 0 or more");
  }
}

}  // namespace

RobotSampler::RobotSampler(Robot robot, const Uncertainty& uncertainty, std::uint64_t seed,
                           RobotOfParameters of_parameters)
    : robot_(std::move(robot)),
      uncertainty_(uncertainty),
      seed_(seed),
      of_parameters_(std::move(of_parameters)) {
  require_possible(uncertainty_);
  require(uncertainty_.parameters.empty() || of_parameters_,
          "uncertain parameters need the arm that follows from them");
  robot_.file_accuracy.reset();  // of other numbers
  principal_.reserve(number_of_joints(robot_));
  for (std::size_t k = 0; k < number_of_joints(robot_); ++k) {
    const Joint& joint = joint_at(robot_, k);
    principal_.push_back(principal_inertia(joint.body.inertia));
    const bool varies = uncertainty.inertia > 0.0 && joint.body.mass > 0.0;
    corners_.push_back(varies ? corners(principal_.back().moments, uncertainty.inertia)
                              : std::vector<Vec3>{});
  }
}

RobotSampler::Sample RobotSampler::operator()(std::uint64_t sample,
                                              std::optional<std::uint32_t> as_in_file) const {
  return sampled([&](std::uint32_t place) {  // −1..1
    if (place == as_in_file) return 0.0;
    const double u = uniform_variate(seed_, sample, place);
    return uncertainty_.distribution == Distribution::uniform ? 2 * u - 1 : cut_normal(u);
  });
}

RobotSampler::Sample RobotSampler::at(std::span<const double> places) const {
  return sampled([&](std::uint32_t place) { return place < places.size() ? places[place] : 0.0; });
}

RobotSampler::Sample RobotSampler::sampled(
    const std::function<double(std::uint32_t place)>& between_bounds) const {
  const auto factor = [&](double bound, std::uint32_t place) {
    return 1 + bound * between_bounds(place);
  };
  const auto of_payload = static_cast<std::uint32_t>(number_of_joints(robot_)) * per_joint;
  ParameterValues values;
  for (const auto& [parameter, bound] : uncertainty_.parameters) {
    const auto place = of_payload + 1 + static_cast<std::uint32_t>(values.size());
    Parameter& value = values[parameter.name] = parameter;
    value.value += bound * between_bounds(place);
  }
  Sample sampled{values.empty() ? robot_ : of_parameters_(values)};
  for (std::size_t i = 0; i < number_of_joints(robot_); ++i) {
    Joint& joint = joint_at(sampled.robot, i);
    const auto place = static_cast<std::uint32_t>(i) * per_joint;
    MassProperties& body = joint.body;
    if (uncertainty_.friction > 0.0) {
      scale_friction(joint, factor(uncertainty_.friction, place + of_friction));
    }
    if (body.mass == 0.0) continue;
    if (uncertainty_.mass > 0.0) body.mass *= factor(uncertainty_.mass, place + of_mass);
    if (uncertainty_.com > 0.0) {
      body.com.x += uncertainty_.com * between_bounds(place + of_com);
      body.com.y += uncertainty_.com * between_bounds(place + of_com + 1);
      body.com.z += uncertainty_.com * between_bounds(place + of_com + 2);
    }
    if (uncertainty_.inertia > 0.0) {
      const PrincipalInertia principal =
          values.empty() ? principal_[i] : principal_inertia(body.inertia);
      Vec3 moments = principal.moments;
      moments.x *= factor(uncertainty_.inertia, place + of_inertia);
      moments.y *= factor(uncertainty_.inertia, place + of_inertia + 1);
      moments.z *= factor(uncertainty_.inertia, place + of_inertia + 2);
      if (move_to(largest_over_others(principal.moments), moments)) ++sampled.clipped;
      const auto& [x, y, z] = moments;
      body.inertia = rotated(transposed(principal.axes), SymMat3{x, y, z});
    }
  }
  if (uncertainty_.payload > 0.0) {
    const double f = factor(uncertainty_.payload, of_payload);
    sampled.robot.payload.mass *= f;
    fields([f](const RobotField& /*field*/, double& entry) { entry *= f; },
           sampled.robot.payload.inertia);
  }
  return sampled;
}

/// Adds to numbers what they gain by parameters: linearly.
void RobotSampler::add_parameters(RobotOf<Enclosed>& all) const {
  const std::vector<UncertainParameter>& parameters = uncertainty_.parameters;
  const auto arm_with = [&](std::size_t from, std::size_t end, double share) {
    ParameterValues values;
    for (std::size_t k = from; k < end; ++k) {
      Parameter& value = values[parameters[k].parameter.name] = parameters[k].parameter;
      value.value += share * parameters[k].bound;
    }
    return of_parameters_(values);
  };
  constexpr unsigned without_effect = role::limit | role::rating;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    Robot above = arm_with(k, k + 1, 1.0), below = arm_with(k, k + 1, -1.0);
    for_each_number(
        [&](const std::string& path, const RobotField& field, double& high, double low) {
          high = field.has(without_effect) ? 0.0 : (high - low) / 2;
          if (high == 0.0 || field.parameter || field.unit == RobotUnit::mass ||
              field.unit == RobotUnit::inertia) {
            return;
          }
          throw Error(fmt::format(
              "--uncertainty: {0} changes {1}; guaranteed bounds cover masses, inertias and "
              "friction alone; leave {0} out, or sample such arms with armdyn vary",
              parameters[k].parameter.name, path));
        },
        above, below);
    for_each_number(
        [&](const std::string& /*path*/, const RobotField& /*field*/, double slope, Enclosed& x) {
          if (slope == 0.0) return;
          const double rest = roundings_of_draws * (std::abs(slope) + x.distance(0.0));
          x = x + around_0(slope, number_of_joints(robot_) * per_joint + 1 + k) +
              Enclosed(Digits50(0.0), rest);
        },
        above, all);
  }
  constexpr double somewhere = 0.5;
  Robot there = arm_with(0, parameters.size(), somewhere);
  for_each_number(
      [&](const std::string& path, const RobotField& field, double x, const Enclosed& number) {
        double expected = number.near();
        for (const double slope : number.slopes()) expected += somewhere * slope;
        const double rounding = roundings_of_draws * (std::abs(x) + number.distance(0.0));
        if (std::abs(x - expected) <= rounding || field.has(without_effect)) return;
        throw Error(fmt::format(
            "--uncertainty: {} depends on parameters otherwise than linearly; leave some of them "
            "out, or draw such arms with armdyn vary",
            path));
      },
      there, all);
}

RobotOf<Enclosed> RobotSampler::enclosed() const {
  RobotOf<Enclosed> all = converted<Enclosed>(robot_);
  if (!uncertainty_.parameters.empty()) add_parameters(all);
  const auto factor = [](double bound, std::size_t place) {
    return Enclosed::measured(Digits50(1.0), bound + roundings_of_draws, place);
  };
  for (std::size_t i = 0; i < number_of_joints(robot_); ++i) {
    const std::size_t place = i * per_joint;
    JointOf<Enclosed>& joint = joint_at(all, i);
    if (uncertainty_.friction > 0.0) {
      for_each_number(
          [f = factor(uncertainty_.friction, place + of_friction)](
              const std::string& /*path*/, const RobotField& field, Enclosed& x) {
            if (field.has(role::friction)) x = x * f;
          },
          joint);
    }
    MassPropertiesOf<Enclosed>& body = joint.body;
    if (joint_at(robot_, i).body.mass == 0.0) continue;
    body.mass = body.mass * factor(uncertainty_.mass, place + of_mass);
    std::size_t axis = 0;
    for (Enclosed* x : {&body.com.x, &body.com.y, &body.com.z}) {
      if (uncertainty_.com == 0.0) break;
      *x = *x + around_0(uncertainty_.com + roundings_of_draws * x->distance(0.0),
                         place + of_com + axis++);
    }
    if (uncertainty_.inertia > 0.0) add_inertia(i, body.inertia);
  }
  if (uncertainty_.payload > 0.0) {
    for_each_number(
        [f = factor(uncertainty_.payload, number_of_joints(robot_) * per_joint)](
            const std::string& /*path*/, const RobotField& field, Enclosed& x) {
          if (field.unit != RobotUnit::length) x = x * f;
        },
        all.payload);
  }
  return all;
}

RobotOf<Enclosed> enclosed(const RobotSampler& draws) {
  return draws.enclosed();
}

/// Adds to a link's tensor what its principal moments make uncertain; where it depends on
/// parameters, by the most that they can be.
void RobotSampler::add_inertia(std::size_t link, SymMat<Enclosed>& inertia) const {
  const auto& [moments, axes] = principal_[link];
  const bool is_fixed =
      inertia.xx.slopes().empty() && inertia.yy.slopes().empty() && inertia.zz.slopes().empty();
  const double trace =
      inertia.xx.distance(0.0) + inertia.yy.distance(0.0) + inertia.zz.distance(0.0);
  const double rest =
      trace * (is_fixed ? roundings_of_draws : uncertainty_.inertia + roundings_of_draws);
  for (std::size_t k = 0; k < 3; ++k) {
    const SymMat3 alone = rotated(
        transposed(axes),
        SymMat3{k == 0 ? moments.x : 0.0, k == 1 ? moments.y : 0.0, k == 2 ? moments.z : 0.0});
    const std::size_t place = link * per_joint + of_inertia + k;
    fields(
        [&](const RobotField& /*field*/, Enclosed& entry, double part) {
          if (k == 0) entry = entry + Enclosed(Digits50(0.0), rest);
          if (is_fixed) entry = entry + around_0(uncertainty_.inertia * part, place);
        },
        inertia, alone);
  }
}

RobotSampler::Extreme RobotSampler::largest(std::span<const double> slopes) const {
  constexpr double rounding = 1e-9;  // of how much the arms differ
  Extreme found;
  std::vector<double> all(slopes.begin(), slopes.end());
  all.resize(number_of_joints(robot_) * per_joint + 1 + uncertainty_.parameters.size());
  for (const double slope : all) {
    found.places.push_back(slope > 0.0 ? 1.0 : slope < 0.0 ? -1.0 : 0.0);
    found.value += rounding * std::abs(slope);
  }
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const std::size_t place = i * per_joint + of_inertia;
    const Vec3 of_link{all[place], all[place + 1], all[place + 2]};
    if (corners_[i].empty() || dot(of_link, of_link) == 0.0) continue;
    const Vec3& corner = *std::ranges::max_element(
        corners_[i], {}, [&](const Vec3& at) { return dot(of_link, at); });
    found.places[place] = corner.x;
    found.places[place + 1] = corner.y;
    found.places[place + 2] = corner.z;
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    found.value += found.parts.emplace_back(all[k] * found.places[k]);
  }
  return found;
}

std::vector<RobotSampler::SampledNumber> RobotSampler::sampled_numbers() const {
  std::vector<SampledNumber> numbers;
  std::uint32_t place = 0;
  const auto add = [&](double bound, const std::string& name) {
    if (bound > 0.0) numbers.push_back({place, name});
    ++place;
  };
  for (std::size_t k = 0; k < number_of_joints(robot_); ++k) {  // in the order of Place
    const std::string of = " of " + joint_at(robot_, k).name;
    add(uncertainty_.mass, "mass" + of);
    for (const char* axis : {"x", "y", "z"}) add(uncertainty_.com, std::string("com ") + axis + of);
    for (const char* which : {"smallest", "middle", "largest"}) {
      add(uncertainty_.inertia, std::string(which) + " principal moment" + of);
    }
    add(uncertainty_.friction, "friction" + of);
  }
  add(uncertainty_.payload, "payload");
  for (const auto& [parameter, bound] : uncertainty_.parameters) add(bound, parameter.name);
  return numbers;
}

}  // namespace armdyn
