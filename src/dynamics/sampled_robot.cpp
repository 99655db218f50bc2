#include "dynamics/sampled_robot.hpp"

#include <utility>

#include "dynamics/friction.hpp"
#include "math/rigid.hpp"
#include "math/statistics.hpp"

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

/// What the largest moment may be of the sum of the others: all of it, or what it is in a file with
/// an inertia that no body has (eq. 24.3).
double largest_over_others(const Vec3& of_file) {
  const auto& [x, y, z] = of_file;  // smallest first
  return is_inertia_of_a_body({x, y, z}) ? 1.0 : z / (x + y);
}

/// The largest moment becomes what it may be where it is more.
bool move_to(double largest_over_others, Vec3& moments) {
  double& first = moments.x >= moments.y ? moments.x : moments.y;
  double& largest = first >= moments.z ? first : moments.z;
  const double others = largest_over_others * (moments.x + moments.y + moments.z - largest);
  if (!(largest > others)) return false;
  largest = others;
  return true;
}

}  // namespace

RobotSampler::RobotSampler(Robot robot, const Uncertainty& uncertainty, std::uint64_t seed,
                           RobotOfParameters of_parameters)
    : robot_(std::move(robot)),
      uncertainty_(uncertainty),
      seed_(seed),
      of_parameters_(std::move(of_parameters)) {
  robot_.as_written.clear();  // of other numbers
  robot_.as_placed.reset();
  principal_.reserve(robot_.dof());
  for (const Joint& joint : robot_.joints) {
    principal_.push_back(principal_inertia(joint.body.inertia));
  }
}

RobotSampler::Sample RobotSampler::operator()(std::uint64_t sample,
                                              std::optional<std::uint32_t> as_in_file) const {
  const auto between_bounds = [&](std::uint32_t place) {  // −1..1
    if (place == as_in_file) return 0.0;
    const double u = uniform_variate(seed_, sample, place);
    return uncertainty_.distribution == Distribution::uniform ? 2 * u - 1 : cut_normal(u);
  };
  const auto factor = [&](double bound, std::uint32_t place) {
    return 1 + bound * between_bounds(place);
  };
  const auto of_payload = static_cast<std::uint32_t>(robot_.dof()) * per_joint;
  ParameterValues values;
  for (const auto& [parameter, bound] : uncertainty_.parameters) {
    const auto place = of_payload + 1 + static_cast<std::uint32_t>(values.size());
    Parameter& value = values[parameter.name] = parameter;
    value.value += bound * between_bounds(place);
  }
  Sample sampled{values.empty() ? robot_ : of_parameters_(values)};
  for (std::size_t i = 0; i < robot_.dof(); ++i) {
    Joint& joint = sampled.robot.joints[i];
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
      if (move_to(largest_over_others(principal.moments), moments)) ++sampled.moved;
      const auto& [x, y, z] = moments;
      body.inertia = rotated(transposed(principal.axes), SymMat3{x, y, z});
    }
  }
  if (uncertainty_.payload > 0.0) {
    const double f = factor(uncertainty_.payload, of_payload);
    sampled.robot.payload.mass *= f;
    SymMat3& inertia = sampled.robot.payload.inertia;
    for (double* entry :
         {&inertia.xx, &inertia.yy, &inertia.zz, &inertia.xy, &inertia.yz, &inertia.xz}) {
      *entry *= f;
    }
  }
  return sampled;
}

std::vector<RobotSampler::Drawn> RobotSampler::drawn() const {
  std::vector<Drawn> numbers;
  std::uint32_t place = 0;
  const auto add = [&](double bound, const std::string& name) {
    if (bound > 0.0) numbers.push_back({place, name});
    ++place;
  };
  for (const Joint& joint : robot_.joints) {  // in the order of Place
    const std::string of = " of " + joint.name;
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
