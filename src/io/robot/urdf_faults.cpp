#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "io/robot/urdf.hpp"

namespace armdyn {

namespace {

constexpr double longest_link = 50.0;                     // m, of a link
constexpr double widest_limit = 4.04 * std::numbers::pi;  // rad: two turns, however rounded
constexpr double outside = 0.25;                          // of a link's length, behind its joint

/// The tensor that was meant where its numbers stand in the order xx, yy, zz, xy, xz, yz in the
/// attributes ixx, ixy, ixz, iyy, iyz, izz.
SymMat3 in_other_order(const SymMat3& I) {
  return {I.xx, I.xy, I.xz, I.yy, I.zz, I.yz};
}

std::string likely_slip(const SymMat3& I) {
  if (is_inertia_of_a_body(in_other_order(I))) {
    return "; in the order xx, yy, zz, xy, xz, yz some body has these numbers: URDF's order is "
           "ixx, "
           "ixy, ixz, iyy, iyz, izz";
  }
  if (is_inertia_of_a_body({I.xx, I.yy, I.zz, -I.xy, -I.yz, -I.xz})) {
    return "; with the other sign of ixy, iyz and ixz some body has it: URDF has those of the "
           "tensor, -∫xy dm";
  }
  return "";
}

/// What generators and tutorials write where nothing is known: 1 or 0.001 on the diagonal.
bool is_placeholder(const SymMat3& I) {
  constexpr std::array values{1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-6};
  return I == SymMat3{I.xx, I.xx, I.xx, 0.0, 0.0, 0.0} &&
         std::ranges::find(values, I.xx) != values.end();
}

/// "left_arm" for "right_arm" and the like.
std::string other_side(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> sides{
      {{"left", "right"}, {"Left", "Right"}, {"l_", "r_"}, {"L_", "R_"}}};
  for (const auto& [left, right] : sides) {
    const bool anywhere = left.size() > 2;
    const std::size_t at = name.find(left);
    if (at == 0 || (anywhere && at != name.npos)) {
      return name.substr(0, at).append(right).append(name.substr(at + left.size()));
    }
  }
  for (const auto& [left, right] : {std::pair{"_l", "_r"}, std::pair{"_L", "_R"}}) {
    if (name.ends_with(left)) return name.substr(0, name.size() - 2) + right;
  }
  return "";
}

class Faults {
 public:
  Faults(const Urdf& urdf, std::vector<Finding>& findings) : urdf_(urdf), findings_(findings) {
    for (const UrdfLink& link : urdf.links) links_.emplace(link.name, &link);
    for (const UrdfJoint& joint : urdf.joints) {
      above_.emplace(joint.child, &joint);
      ends_[joint.parent].push_back(joint.origin.xyz);
      size_ += length(joint.origin.xyz);
    }
  }

  void find() {
    for (const UrdfJoint& joint : urdf_.joints) judge(joint);
    for (const UrdfLink& link : urdf_.links) {
      if (link.inertial_line == 0) continue;
      judge_inertia(link);
      judge_com(link);
    }
  }

 private:
  void warn(const std::string& path, int line, std::string message) {
    findings_.push_back({Severity::warning, path, std::move(message), line, 0});
  }

  void judge(const UrdfJoint& joint) {
    if (length(joint.origin.xyz) >= longest_link) {
      warn(
          "joint " + joint.name, joint.line,
          fmt::format("its origin is {:.4g} m away, which looks like millimetres; lengths are in m",
                      length(joint.origin.xyz)));
    }
    if (joint.kind != UrdfJoint::Kind::revolute || !joint.limits.position) return;
    const auto& [lower, upper] = *joint.limits.position;
    const double widest = std::max(std::abs(lower), std::abs(upper));
    if (widest <= widest_limit || widest > 1000.0) return;  // far more stands for none
    warn("joint " + joint.name + ", limit", joint.limit_line,
         fmt::format("found {} to {}, which looks like degrees; URDF has radians", lower, upper));
  }

  void judge_inertia(const UrdfLink& link) {
    const std::string path = "link " + link.name + ", inertial";
    const SymMat3& I = link.written;
    if (!is_inertia_of_a_body(I)) {
      const auto [small, middle, large] = principal_moments(I);
      warn(path, link.inertial_line,
           fmt::format(
               "no body has this inertia: principal moments {:.4g}, {:.4g}, {:.4g} kg·m², of "
               "which none may be below 0 or above the sum of the others{}",
               small, middle, large, likely_slip(I)));
    } else if (is_placeholder(I)) {
      warn(
          path, link.inertial_line,
          fmt::format("ixx = iyy = izz = {} looks like a placeholder, not like this link's inertia",
                      I.xx));
    }
    if (link.body.mass == 0.0) {
      warn(path, link.inertial_line, "mass 0; the link weighs nothing");
      return;
    }
    const double radius = std::sqrt(std::max(0.0, principal_moments(I).z) / link.body.mass);
    if (size_ > 0.0 && radius > size_ && !is_placeholder(I)) {
      warn(path, link.inertial_line,
           fmt::format(
               "radius of gyration {:.3g} m, more than all joints are apart together ({:.3g} "
               "m); is the unit kg·m²?",
               radius, size_));
    }
  }

  void judge_com(const UrdfLink& link) {
    const std::string path = "link " + link.name + ", inertial";
    const Vec3& com = link.body.com;
    if (length(com) >= longest_link) {
      warn(path, link.inertial_line,
           fmt::format("the centre of mass is {:.4g} m away, which looks like millimetres; lengths "
                       "are in m",
                       length(com)));
      return;
    }
    const auto ends = ends_.find(link.name);
    if (ends != ends_.end() && ends->second.size() == 1 && above_.contains(link.name)) {
      const Vec3& end = ends->second.front();
      if (length(end) >= 0.1 * size_ && dot(com, end) < -outside * dot(end, end)) {
        warn(path, link.inertial_line,
             fmt::format("the centre of mass [{:.4g}, {:.4g}, {:.4g}] is on the other side of the "
                         "joint than the link, whose end is at [{:.4g}, {:.4g}, {:.4g}]; is a sign "
                         "wrong?",
                         com.x, com.y, com.z, end.x, end.y, end.z));
        return;
      }
    }
    judge_mirrored(link, path);
  }

  /// Left and right are mirror images in y, so that their centres of mass differ in its sign.
  void judge_mirrored(const UrdfLink& link, const std::string& path) {
    const auto other = links_.find(other_side(link.name));
    if (other == links_.end() || other->second->inertial_line == 0) return;
    const auto own = above_.find(link.name), others = above_.find(other->first);
    if (own == above_.end() || others == above_.end()) return;
    const double here = own->second->origin.xyz.y, there = others->second->origin.xyz.y;
    const bool mirrored = std::abs(here) > 1e-3 && std::abs(here + there) < 1e-6;
    if (!mirrored || std::abs(link.body.com.y) < 1e-3) return;
    if (std::abs(link.body.com.y - other->second->body.com.y) > 1e-9) return;
    warn(path, link.inertial_line,
         fmt::format(
             "the centre of mass has y = {:.4g}, as that of {} in line {}, whose joint is on "
             "the other side; is it mirrored?",
             link.body.com.y, other->first, other->second->inertial_line));
  }

  const Urdf& urdf_;
  std::vector<Finding>& findings_;
  std::map<std::string, const UrdfLink*> links_;
  std::map<std::string, const UrdfJoint*> above_;
  std::map<std::string, std::vector<Vec3>> ends_;  // joints that a link carries
  double size_ = 0.0;
};

}  // namespace

void find_faults(const Urdf& urdf, std::vector<Finding>& findings) {
  Faults(urdf, findings).find();
}

}  // namespace armdyn
