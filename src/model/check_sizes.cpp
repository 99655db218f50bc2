#include <fmt/format.h>
#include <armdyn/arm.hpp>
#include <armdyn/inertia.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "math/rigid.hpp"
#include "model/rules.hpp"

namespace armdyn {

namespace {

// A centre of mass farther out than this many sizes of its link is suspicious. Of 27 published arms
// only the Stanford arm has such ones (5.9 to 8.4; the next is 2.5).
constexpr double far = 4.0;

// No link counts as smaller than this share of the arm: wrists have rows without lengths.
constexpr double smallest_share = 0.05;

// A link of at least this share of the arm has its centre of mass between its ends, or beside them
// by at most that share of its length. Among the links so long of 27 published arms the PUMA's
// third is the next with 0.07, but for one: link 2 of the iiwa with 0.40.
constexpr double long_link = 0.1;
constexpr double outside = 0.25;

double length(const Vec3& v) {
  return std::hypot(v.x, v.y, v.z);
}

std::string shown(const Vec3& v) {
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

double row_length(const DhRow& dh) {
  return std::hypot(dh.a, dh.d);
}

double radius_of_gyration(const MassProperties& body) {
  return std::sqrt(std::max(0.0, principal_moments(body.inertia).z) / body.mass);
}

double arm_size(const Robot& robot) {
  double size = 0.0;
  for (const Joint& joint : robot.joints) size += row_length(joint.dh);
  return size;
}

/// How large link i is as far as the table and its inertia tell. Its length is in its own row or in
/// the next, depending on the convention; the last link reaches to the tool.
double link_size(const Robot& robot, std::size_t i, double arm) {
  const bool is_last = i + 1 == robot.dof();
  const double beyond = is_last ? length(robot.tool.xyz) : row_length(robot.joints[i + 1].dh);
  return std::max({row_length(robot.joints[i].dh), beyond, radius_of_gyration(robot.joints[i].body),
                   smallest_share * arm});
}

bool com_is_far_away(const Robot& robot, std::size_t i, double arm, Report& report) {
  const MassProperties& body = robot.joints[i].body;
  const double distance = length(body.com);
  const double size = link_size(robot, i, arm);
  if (distance <= far * size) return false;
  report.warning(
      joint_path(i) + ".com",
      fmt::format("{:.4g} m from the origin of the link's frame, {:.2g} times the link's "
                  "size of {:.3g} m (the largest of its row, the next row and its radius "
                  "of gyration); is the unit right?",
                  distance, distance / size, size));
  return true;
}

/// The end of link i where its frame {i} is not, seen from there, if q does not move it: its own
/// joint in a standard table, the next joint in a modified one (eq. 1.3).
std::optional<Vec3> other_end(const Robot& robot, const Arm& arm, std::size_t i) {
  const bool standard = robot.convention == Convention::standard;
  const std::size_t row = standard ? i : i + 1;
  if (row >= arm.dof() || arm.links[row].joint == JointType::prismatic) return std::nullopt;
  const Link& link = arm.links[row];
  if (standard) return inverse(arm.user_frame[i]) * Vec3{0, 0, -link.d};
  return Vec3{link.a, -link.sin_alpha * link.d, link.cos_alpha * link.d};
}

void com_is_on_the_side_of_the_link(const Robot& robot, std::size_t i,
                                    const std::optional<Vec3>& end, double arm, Report& report) {
  if (!end || length(*end) < long_link * arm) return;
  const Vec3& com = robot.joints[i].body.com;
  if (dot(com, *end) >= -outside * dot(*end, *end)) return;
  const bool standard = robot.convention == Convention::standard;
  report.warning(
      joint_path(i) + ".com",
      fmt::format("found {}, on the other side of frame {{{}}} than the link: in a {} table that "
                  "frame is at the link's {}, and its {} is at {}; is a sign wrong, or com seen "
                  "from another frame?",
                  shown(com), i + 1, standard ? "standard" : "modified",
                  standard ? "far end" : "joint", standard ? "joint" : "far end", shown(*end)));
}

void mass_is_not_wider_than_the_arm(const Robot& robot, std::size_t i, double arm, Report& report) {
  const double radius = radius_of_gyration(robot.joints[i].body);
  if (radius <= arm) return;
  report.warning(joint_path(i) + ".inertia",
                 fmt::format("radius of gyration {:.3g} m, more than all lengths of the table "
                             "together ({:.3g} m); is the unit kg·m²?",
                             radius, arm));
}

}  // namespace

void check_sizes(const Robot& robot, Report& report) {
  const double size = arm_size(robot);
  if (!(size > 0.0)) return;
  const Arm arm = normalise(robot);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (!(robot.joints[i].body.mass > 0.0)) continue;
    if (!com_is_far_away(robot, i, size, report)) {
      com_is_on_the_side_of_the_link(robot, i, other_end(robot, arm, i), size, report);
    }
    mass_is_not_wider_than_the_arm(robot, i, size, report);
  }
}

}  // namespace armdyn
