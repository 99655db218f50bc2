#include <fmt/format.h>

#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "math/each.hpp"
#include "math/hypotenuse.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/check.hpp"
#include "model/file_accuracy.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"
#include "model/robot_numbers.hpp"
#include "model/serial_chain.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// A body, and the frame in which its inertia was written, if in another.
struct WrittenBody {
  const MassProperties& body;
  std::optional<Placement> frame{};
};

/// A slip that explains a physically inconsistent inertia, and the end of its message.
std::pair<std::optional<Slip>, const char*> likely_slip(const WrittenBody& written) {
  const MassProperties& body = written.body;
  if (!(body.mass > 0.0)) return {std::nullopt, ""};
  const Transform frame = placed(written.frame.value_or(Placement{}));
  const SymMat3 numbers = written.frame ? inertia_in(frame, body) : body.inertia;
  const auto& [xx, yy, zz, xy, yz, xz] = numbers;
  const auto is_possible_as = [&](const SymMat3& other) {
    return satisfies_triangle_inequality(
        written.frame ? inertia_from(frame, MassProperties{body.mass, body.com, other}) : other);
  };
  if (is_possible_as({xx, yy, zz, -xy, -yz, -xz})) {
    return {Slip::products,
            "; with the other sign of xy, yz and xz it is consistent: are they products of "
            "inertia, +∫xy dm?"};
  }
  // The rows' xx, xy, xz, yy, yz, zz under the keys xx, yy, zz, xy and then yz, xz or xz, yz.
  if (is_possible_as({xx, xy, xz, yy, yz, zz}) || is_possible_as({xx, xy, yz, yy, xz, zz})) {
    return {Slip::row_major,
            "; as the rows xx, xy, xz, yy, yz, zz of a tensor they are consistent; are the keys "
            "exchanged?"};
  }
  if (written.frame && satisfies_triangle_inequality(numbers)) {
    return {std::nullopt,
            "; about the center of mass it is consistent: is inertia_about: origin right, or xyz "
            "of inertia_frame?"};
  }
  return {std::nullopt, ""};
}

}  // namespace

void Report::count_slips() {
  for (const auto& [slip, shown] : slips) {
    if (shown.others == 0) continue;
    findings[shown.place].message +=
        fmt::format("; {} more {} from this", shown.others,
                    shown.others == 1 ? "warning follows" : "warnings follow");
  }
}

bool is_planar(const Robot& robot) {
  const bool standard = robot.convention == Convention::standard;
  for (std::size_t i = standard ? 0 : 1; i < robot.dof(); ++i) {
    if (constant_angle(robot.joints[i].dh.alpha).sin != 0.0) return false;
  }
  return true;
}

bool needs_zz_alone(const Robot& robot, const SymMat3& I) {
  return is_planar(robot) && I.zz >= 0.0 && I == SymMat3{.zz = I.zz};
}

namespace {

void inertia_is_that_of_a_body(const std::string& path, const WrittenBody& written,
                               Report& report) {
  if (satisfies_triangle_inequality(written.body.inertia)) return;
  const auto [small, middle, large] = principal_moments(written.body.inertia);
  const std::string fault =
      small < 0.0 ? fmt::format(
                        "not positive semidefinite: principal moments {:.6g}, {:.6g}, {:.6g} kg·m² "
                        "about the center of mass; none may be below 0",
                        small, middle, large)
                  : fmt::format(
                        "principal moments {0:.6g}, {1:.6g}, {2:.6g} kg·m² violate the triangle "
                        "inequality: {0:.6g} + {1:.6g} is less than {2:.6g}",
                        small, middle, large);
  const auto [slip, words] = likely_slip(written);
  report.slip(slip, path, "{}{}", fault, words);
}

void massless_body_has_no_inertia(const std::string& path, const MassProperties& body,
                                  Report& report) {
  if (body.mass != 0.0 || body.inertia == SymMat3{}) return;
  report.warning(path + ".mass", "found 0 with an inertia that is not 0");
}

/// Frame in which the inertia of that joint's link was written, if not about its center of mass.
std::optional<Placement> inertia_frame(const Notation& written, std::size_t joint) {
  const auto& frames = written.inertia_frames;
  return joint < frames.size() ? frames[joint] : std::nullopt;
}

}  // namespace

void check_bodies(const Robot& robot, const Notation& written, Report& report) {
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const MassProperties& body = robot.joints[i].body;
    if (!needs_zz_alone(robot, body.inertia)) {
      inertia_is_that_of_a_body(joint_path(i) + ".inertia", {body, inertia_frame(written, i)},
                                report);
    }
    massless_body_has_no_inertia(joint_path(i), body, report);
  }
  if (!needs_zz_alone(robot, robot.payload.inertia)) {
    inertia_is_that_of_a_body("payload.inertia", {robot.payload}, report);
  }
  massless_body_has_no_inertia("payload", robot.payload, report);
}

namespace {

// Distance of a center of mass in sizes of its link that is suspicious. Of 27 published arms only the
// Stanford arm exceeds it (5.9 to 8.4; the next is 2.5).
constexpr double far = 4.0;

// Least size of a link as a share of the arm: wrists have rows without lengths.
constexpr double smallest_share = 0.05;

// Links of at least the first share of the arm have their centers of mass between their ends, or
// beyond them by at most the second share of their length. Of 27 published arms link 2 of the iiwa
// has 0.40; the next is the PUMA's third link with 0.07.
constexpr double long_link = 0.1;
constexpr double outside = 0.25;

// Share of the way at which a center of mass counts as half-way. Of 27 published arms no link beyond
// it seems to have its inertia about the origin; the nearest has 0.42.
constexpr double half_way = 0.45;

// Length of no link and no arm in m, but of some link of every arm in mm, and of every arm in cm.
constexpr double longest_row = 50.0;
// Length, m, of no whole arm, but of every arm whose meters are taken for millimeters.
constexpr double shortest_arm = 0.02;
/// Of the table's lengths together: centers of mass whose distances together are less are in meters.
constexpr double nearest_coms = 0.005;

// Table's lengths over those from axis to axis from which on frames stand away from the arm. Of 40
// published arms all have 0.9 to 1.1, and those with calibrated tables 100 and more.
constexpr double spread = 3.0;

// Share of the links beside it that a link weighs less than by mistake. A last flange may be as light
// as 8 g in an arm of kilograms, unless its inertia is that of a body as wide as a quarter of the arm.
constexpr double light = 0.01;
constexpr double wide = 0.25;

double radius_of_gyration(const MassProperties& body) {
  return std::sqrt(std::max(0.0, principal_moments(body.inertia).z) / body.mass);
}

}  // namespace

std::optional<std::size_t> heavy_beside(const std::vector<MassProperties>& bodies, std::size_t i,
                                        double arm) {
  const bool is_last = i + 1 == bodies.size();
  if (is_last && radius_of_gyration(bodies[i]) <= wide * arm) return std::nullopt;
  std::optional<std::size_t> other;
  for (const std::size_t beside : {i - 1, i + 1}) {  // of the first, i - 1 is none
    if (beside >= bodies.size()) continue;
    if (bodies[i].mass >= light * bodies[beside].mass) return std::nullopt;
    if (!other) other = beside;
  }
  return other;
}

namespace {

std::string shown(const Vec3& v) {
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

/// Length from one joint to the next, m.
double row_length(const DhRow& dh) {
  return hypotenuse(dh.a, dh.d);
}

/// Lengths that sizes are compared with, m.
struct Lengths {
  std::vector<double> rows;  ///< from each joint to the next, the last to the tool
  std::vector<double> coms;  ///< of centers of mass from their links
  double arm = 0.0;          ///< of all rows of the table
  bool is_spread = false;    ///< frames stand far from the arm, e.g. with nearly parallel axes

  /// Size of link i by lengths and its inertia. Its length is in its own row or in the next,
  /// depending on the convention; the last link reaches to the tool.
  [[nodiscard]] double of_link(const Robot& robot, std::size_t i) const {
    return std::max(
        {rows[i], rows[i + 1], radius_of_gyration(robot.joints[i].body), smallest_share * arm});
  }
};

/// Lengths by the shortest way at q = 0 from axis to axis and to the tool, whatever the frames.
Lengths lengths_by_axes(const Robot& robot) {
  Lengths found;
  found.is_spread = true;
  const SerialChain chain = chain_of(robot);
  std::vector<Vec3> way{{}}, centers;
  Transform T;
  for (const ChainJoint& joint : chain.joints) {
    T = T * joint.origin;
    const Vec3 z = T.R * joint.axis;
    way.push_back(T.p + dot(way.back() - T.p, z) * z);
    centers.push_back(T * joint.joint.body.com);
  }
  way.push_back((T * chain.tip).p);
  for (std::size_t k = 1; k < way.size(); ++k) {
    found.rows.push_back(length(way[k] - way[k - 1]));
    found.arm += found.rows.back();
  }
  for (std::size_t i = 0; i < centers.size(); ++i) {
    found.coms.push_back(
        std::min(length(centers[i] - way[i + 1]), length(centers[i] - way[i + 2])));
  }
  return found;
}

/// Lengths by the table, or by its axes where it is spread.
Lengths lengths_of(const Robot& robot) {
  Lengths found;
  for (const Joint& joint : robot.joints) {
    found.rows.push_back(row_length(joint.dh));
    found.coms.push_back(length(joint.body.com));
    found.arm += found.rows.back();
  }
  found.rows.push_back(length(robot.tool.xyz));
  if (found.arm == 0.0) return found;
  Lengths by_axes = lengths_by_axes(robot);
  return by_axes.arm > 0.0 && found.arm > spread * by_axes.arm ? by_axes : found;
}

bool com_is_far_away(const Robot& robot, std::size_t i, const Lengths& lengths, Report& report) {
  const double distance = lengths.coms[i], size = lengths.of_link(robot, i);
  if (distance <= far * size) return false;
  if (lengths.is_spread) {
    report.slip(Slip::unit, joint_path(i) + ".com",
                "found {}, {:.4g} m away from the link, in an arm of {:.3g} m: by nearly parallel "
                "axes the table's frames stand far away; is com expressed in frame {{{}}} there?",
                shown(robot.joints[i].body.com), distance, lengths.arm, i + 1);
    return true;
  }
  report.slip(
      Slip::unit, joint_path(i) + ".com",
      "{:.4g} m from the origin of the link's frame, {:.2g} times the link's size of {:.3g} m (the "
      "largest of its row, {}, its radius of gyration and 5 % of all rows); is the unit right?",
      distance, distance / size, size,
      i + 1 == robot.dof() ? "the way to the tool" : "the next row");
  return true;
}

/// End of link i away from its frame {i}, in that frame, unless q moves it: its own joint in a
/// standard table, the next joint in a modified one (eq. 1.3).
std::optional<Vec3> other_end(const Robot& robot, const Arm& arm, std::size_t i) {
  const bool standard = robot.convention == Convention::standard;
  const std::size_t row = standard ? i : i + 1;
  if (row >= arm.dof() || !is_turning(arm.links[row].joint)) return std::nullopt;
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
      "found {}, on the other side of frame {{{}}} than the link: in a {} table that frame is at "
      "the link's {}, and its {} is at {}; is a sign wrong, or com expressed in another frame?",
      shown(com), i + 1, standard ? "standard" : "modified", standard ? "far end" : "joint",
      standard ? "joint" : "far end", shown(*end));
}

/// Length between a link's ends along which its center of mass is about half-way or farther from
/// {i}: the whole way or, as d may belong to a column or a pin, the part along x. Else 0.
double half_way_to(const Vec3& end, const Vec3& com, double arm) {
  for (const Vec3& way : {end, Vec3{end.x, 0, 0}}) {
    const double square = dot(way, way);
    if (length(way) >= long_link * arm && dot(com, way) >= half_way * square) return length(way);
  }
  return 0.0;
}

/// Warns of a tensor that seems to be about the origin. Mass between the ends of a link, L apart, has
/// k² ≤ c (L − c), with its center c from one end and radius of gyration k; a tensor about the origin
/// has k ≥ c, which is impossible about the center of mass from c = L/2 on.
void inertia_is_about_the_com(const Robot& robot, std::size_t i, const std::optional<Vec3>& end,
                              double arm, Report& report) {
  const MassProperties& body = robot.joints[i].body;
  if (!end || !satisfies_triangle_inequality(body.inertia) ||
      !satisfies_triangle_inequality(about_com(body.inertia, body.mass, body.com))) {
    return;
  }
  const double way = half_way_to(*end, body.com, arm);
  if (way == 0.0) return;
  report.warning(joint_path(i) + ".inertia",
                 "radius of gyration {:.3g} m about a center of mass that is {:.3g} m from the "
                 "origin of frame {{{}}}, of a link of {:.3g} m: mass must lie far beyond its "
                 "ends; if the tensor is about the origin, write inertia_about: origin",
                 radius_of_gyration(body), length(body.com), i + 1, way);
}

void lengths_are_in_their_unit(const Robot& robot, const Notation& written, const Lengths& lengths,
                               Report& report) {
  bool is_long = false;
  const auto look = [&](const std::string& path, double meters) {
    if (std::abs(meters) < longest_row) return;
    is_long = true;
    report.slip(Slip::unit, path, "found {} m, which looks like millimeters; {}", meters,
                written.lengths == LengthUnit::m ? "for millimeters write length_unit: mm"
                                                 : "is the number right?");
  };
  const bool is_table_short = lengths.is_spread && lengths.arm < longest_row;
  look("base.xyz", length(robot.base.xyz));
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (!is_table_short) {
      look(joint_path(i) + ".dh.a", robot.joints[i].dh.a);
      look(joint_path(i) + ".dh.d", robot.joints[i].dh.d);
    }
    const std::optional<Range>& range = robot.joints[i].limits.position;
    if (range && !is_turning(robot.joints[i].type)) {
      const bool lower_is_farther = std::abs(range->lower) > std::abs(range->upper);
      look(joint_path(i) + ".limits.position", lower_is_farther ? range->lower : range->upper);
    }
  }
  look("tool.xyz", length(robot.tool.xyz));
  if (!is_long && lengths.arm >= longest_row) {
    report.slip(Slip::unit, "joints",
                "the table's lengths are {:.4g} m together, longer than any arm; are they in cm or "
                "mm, where {} is expected?",
                lengths.arm, written.lengths == LengthUnit::m ? "m" : "mm");
  }
  if (written.lengths != LengthUnit::mm) return;
  const auto look_like_meters = [&](const std::string& of, double size) {
    report.slip(Slip::unit, "length_unit",
                "found mm, with {} that are {:.4g} mm together: they look like meters", of,
                1000.0 * size);
  };
  if (lengths.arm > 0.0 && lengths.arm < shortest_arm) {
    look_like_meters("lengths of the table", lengths.arm);
  }
  double com = 0.0;
  for (const Joint& joint : robot.joints) com += length(joint.body.com);
  if (lengths.arm >= shortest_arm && com > 0.0 && com < nearest_coms * lengths.arm) {
    look_like_meters("distances of the centers of mass from their frames", com);
  }
}

bool link_is_light(const Robot& robot, std::size_t i, double arm, Report& report) {
  const auto bodies = each(robot.joints, &Joint::body);
  const std::optional<std::size_t> other = heavy_beside(bodies, i, arm);
  if (!other) return false;
  report.slip(Slip::unit, joint_path(i) + ".mass", light_beside, bodies[i].mass,
              robot.joints[*other].name, bodies[*other].mass);
  return true;
}

/// A link that only moves straight has an inertia of any size, as a cart has. A last link without a tool is
/// longer than the table: it reaches to its center of mass at least.
bool mass_is_wider_than_the_arm(const Robot& robot, std::size_t i, double arm, Report& report) {
  const auto before = std::span(robot.joints).first(i + 1);
  if (std::ranges::none_of(before, [](const Joint& joint) { return is_turning(joint.type); })) {
    return false;
  }
  const MassProperties& body = robot.joints[i].body;
  const bool is_open = i + 1 == robot.dof() && robot.tool.xyz == Vec3{};
  const double radius = radius_of_gyration(body), reach = arm + (is_open ? length(body.com) : 0.0);
  if (radius <= reach) return false;
  report.slip(Slip::unit, joint_path(i) + ".inertia",
              "radius of gyration {:.3g} m, more than all lengths of the table together ({:.3g} "
              "m); are the units kg and kg·m²?",
              radius, arm);
  return true;
}

}  // namespace

void check_sizes(const Robot& robot, const Notation& written, Report& report) {
  const Lengths lengths = lengths_of(robot);
  lengths_are_in_their_unit(robot, written, lengths, report);
  const double size = lengths.arm;
  if (!(size > 0.0)) return;
  const Arm arm = normalize(robot);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (!(robot.joints[i].body.mass > 0.0)) continue;
    const std::optional<Vec3> end = lengths.is_spread ? std::nullopt : other_end(robot, arm, i);
    if (!com_is_far_away(robot, i, lengths, report)) {
      com_is_on_the_side_of_the_link(robot, i, end, size, report);
    }
    if (link_is_light(robot, i, size, report)) continue;
    if (!mass_is_wider_than_the_arm(robot, i, size, report) && !inertia_frame(written, i)) {
      inertia_is_about_the_com(robot, i, end, size, report);
    }
  }
}

namespace {

using std::numbers::pi;
constexpr double whole_turn = 2.0 * pi * 1.01;  // a whole turn, however it was rounded

// Relative error of a rounded right angle: published tables have 1.57, 1.571 or 1.5708.
constexpr double rounded_right_angle = 1e-3;

/// Whole number that a number of quarter turns was rounded from, or 0.
double rounded_from(double quarters) {
  const double nearest = std::nearbyint(quarters);
  return std::abs(quarters - nearest) <= rounded_right_angle * std::abs(nearest) ? nearest : 0.0;
}

/// Tests whether a number is the exact one by its decimals, or has no finer ones than `coarse`. One of
/// more decimals, as in a calibrated table, is meant.
bool is_rounding(double number, double exact, double coarse) {
  const std::string text = fmt::format("{:.9g}", number);
  const std::size_t point = std::min(text.find('.'), text.size() - 1);
  const double unit = std::pow(10.0, -static_cast<double>(text.size() - point - 1));
  return std::abs(number - exact) <= 1.01 * unit || (coarse > 0.0 && unit > 0.99 * coarse);
}

class AngleCheck {
 public:
  AngleCheck(AngleUnit unit, Report& report) : unit_(unit), report_(report) {}

  /// Warns of an angle in the other unit; angles beyond `most` rad are suspicious.
  bool unit_is_plausible(const std::string& path, double angle, double most = whole_turn) {
    const double in_degrees = degrees(angle);
    if (unit_ == AngleUnit::rad && std::abs(angle) > most) {
      report_.slip(Slip::angle_unit, path,
                   "found {} rad, which looks like degrees; for degrees write angle_unit: deg, "
                   "or a text such as pi/2",
                   angle);
      return false;
    }
    const double quarters = rounded_from(in_degrees / (pi / 2));
    if (unit_ == AngleUnit::deg && std::abs(in_degrees) < whole_turn && quarters != 0.0) {
      report_.slip(Slip::angle_unit, path,
                   "found {:.6g} deg, which looks like radians; if so, write {}", in_degrees,
                   quarter_turns_text(quarters));
      return false;
    }
    return true;
  }

  /// Warns of a constant angle of the arm; right ones must be exact.
  void constant(const std::string& path, double angle) {
    if (!unit_is_plausible(path, angle)) return;
    const double quarters = rounded_from(angle / (pi / 2));
    const auto [sin, cos] = constant_angle(angle);
    if (quarters == 0.0 || sin == 0.0 || cos == 0.0) return;
    const bool in_degrees = unit_ == AngleUnit::deg;
    const double number = in_degrees ? degrees(angle) : angle;
    const double coarse = in_degrees ? 0.01 : 0.0;  // decimals of no calibration
    if (!is_rounding(number, number * quarters * (pi / 2) / angle, coarse)) return;
    report_.warning(path,
                    "found {}, which is not taken as a right angle; if one is meant, write {}",
                    shown_angle(angle, unit_),
                    in_degrees ? fmt::format("{}", 90.0 * quarters) : quarter_turns_text(quarters));
  }

  void rpy(const std::string& path, const Vec3& rpy) {
    constant(path + "[0]", rpy.x);
    constant(path + "[1]", rpy.y);
    constant(path + "[2]", rpy.z);
  }

  /// Warns of limits in the other unit, which may be two turns wide.
  void limits(const std::string& path, const Range& range) {
    const double widest = std::max(std::abs(range.lower), std::abs(range.upper));
    if (unit_ == AngleUnit::deg && degrees(widest) < whole_turn) {
      report_.slip(Slip::angle_unit, path,
                   "found {:.6g} to {:.6g} deg, a tiny range, which looks like radians",
                   degrees(range.lower), degrees(range.upper));
      return;
    }
    if (unit_is_plausible(path, range.lower, 2.0 * whole_turn)) {
      unit_is_plausible(path, range.upper, 2.0 * whole_turn);
    }
  }

 private:
  AngleUnit unit_;
  Report& report_;
};

}  // namespace

bool looks_like_degrees(const Robot& robot, std::size_t joint, double q) {
  const Joint& of = joint_at(robot, joint);
  if (!is_turning(of.type) || of.pitch || !looks_like_degrees(q)) return false;
  if (const auto& range = of.limits.position) {
    return std::abs(q) > std::max(std::abs(range->lower), std::abs(range->upper));
  }
  return std::ranges::none_of(robot.joints,
                              [](const Joint& other) { return other.limits.position.has_value(); });
}

void check_angles(const Robot& robot, AngleUnit written_in, Report& report) {
  AngleCheck check(written_in, report);
  check.rpy("base.rpy", robot.base.rpy);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const Joint& joint = robot.joints[i];
    check.constant(joint_path(i) + ".dh.alpha", joint.dh.alpha);
    check.constant(joint_path(i) + ".dh.theta", joint.dh.theta);
    if (is_turning(joint.type) && !joint.pitch && joint.limits.position) {
      check.limits(joint_path(i) + ".limits.position", *joint.limits.position);
    }
  }
  check.rpy("tool.rpy", robot.tool.rpy);
  for (const NamedPose& pose : robot.poses) {
    for (std::size_t k = 0; k < std::min(pose.q.size(), robot.dof()); ++k) {
      const Joint& joint = robot.joints[k];
      if (!is_turning(joint.type) || joint.pitch) continue;
      check.unit_is_plausible(fmt::format("{}[{}]", pose_path(pose), k), pose.q[k]);
    }
  }
}

namespace {

constexpr double steel = 7850.0;  // kg/m³

// Suspicious density of a box, as a multiple of steel's. Identified links are seldom bodies: of 27
// published arms the iiwa's have boxes of up to 68.
constexpr double dense_box = 100.0;

// Speeds of no joint, but of every arm's joints in deg/s and mm/s.
constexpr double fastest_turn = 60.0;   // rad/s
constexpr double fastest_slide = 50.0;  // m/s

void link_is_not_denser_than_steel(const Robot& robot, std::size_t i, const Lengths& lengths,
                                   Report& report) {
  const MassProperties& body = robot.joints[i].body;
  if (!(body.mass > 0.0)) return;
  const Vec3 box = satisfies_triangle_inequality(body.inertia) ? equivalent_box(body) : Vec3{};
  const double edge = std::max({lengths.rows[i], lengths.rows[i + 1], box.x});
  const double volume = box.x * box.y * box.z;
  const std::string path = joint_path(i) + ".mass";
  if (edge > 0.0 && body.mass > steel * edge * edge * edge) {
    report.slip(Slip::unit, path,
                "found {} kg, more than a cube of steel of {:.3g} m, the longest edge of the "
                "link, would have; is the unit kg?",
                body.mass, edge);
  } else if (box.z > 1e-6 * box.x && body.mass > dense_box * steel * volume) {
    report.slip(Slip::unit, path,
                "found {} kg, which with its inertia makes a box of {:.3g} x {:.3g} x {:.3g} m, "
                "{:.2g} times as dense as steel; are the units kg and kg·m²?",
                body.mass, box.x, box.y, box.z, body.mass / volume / steel);
  }
}

void velocity_is_that_of_an_arm(const Joint& joint, std::size_t i, AngleUnit unit, Report& report) {
  const double velocity = joint.limits.velocity.value_or(0.0);
  if (velocity <= by_kind(joint.type, fastest_turn, fastest_slide)) return;
  const bool in_degrees = is_turning(joint.type) && unit == AngleUnit::deg;
  report.slip(is_turning(joint.type) ? Slip::angle_unit : Slip::unit,
              joint_path(i) + ".limits.velocity",
              "found {:.6g} {}, faster than any joint; angle_unit: deg and length_unit: mm are "
              "for degrees and mm",
              in_degrees ? degrees(velocity) : velocity,
              in_degrees ? "deg/s" : unit_text(RobotUnit::speed, joint.type));
}

/// angle_unit and length_unit do not count for friction.
void stribeck_velocity_is_within_limits(const Joint& joint, std::size_t i, Report& report) {
  const double stribeck = joint.friction.stribeck_velocity;
  if (!joint.limits.velocity || stribeck <= std::max(0.0, *joint.limits.velocity)) return;
  report.warning(joint_path(i) + ".friction.stribeck_velocity",
                 "found {0:.6g} {2}, beyond the joint's limit of {1:.6g} {2}; friction is in SI "
                 "units, whatever angle_unit and length_unit are",
                 stribeck, *joint.limits.velocity, unit_text(RobotUnit::speed, joint.type));
}

constexpr double most_gravity = 10.0;  // times that of the earth

void gravity_is_in_its_unit_and_points_down(const Robot& robot, Report& report) {
  const auto& [x, y, z] = robot.gravity;
  const double earths = length(robot.gravity) / 9.81;
  if (earths > most_gravity) {
    report.warning("gravity",
                   "found [{}, {}, {}], {:.4g} times gravity on earth; is the unit m/s²?", x, y, z,
                   earths);
  }
  if (!(z > hypotenuse(x, y))) return;
  report.warning("gravity",
                 "found [{}, {}, {}], a field that pulls upward; z of the world points up, so "
                 "write {} for z, and base for an arm that hangs",
                 x, y, z, -z);
}

std::string shown_position(double q, JointType type, AngleUnit unit) {
  return is_turning(type) ? shown_angle(q, unit) : fmt::format("{} m", q);
}

/// End of a message: a position a whole turn away that is within the limits.
std::string within_by_a_turn(double q, const Range& range, AngleUnit unit) {
  for (const double other : {q - 2.0 * pi, q + 2.0 * pi}) {
    if (other < range.lower || other > range.upper) continue;
    return fmt::format("; {} is the same posture within them", shown_angle(other, unit));
  }
  return "";
}

void pose_is_within_limits(const Robot& robot, const NamedPose& pose, AngleUnit unit,
                           Report& report) {
  for (std::size_t i = 0; i < std::min(pose.q.size(), robot.dof()); ++i) {
    const Joint& joint = robot.joints[i];
    if (!joint.limits.position) continue;
    const double q = pose.q[i];
    const auto& [lower, upper] = *joint.limits.position;
    const double tolerance = 1e-9 * (1.0 + std::abs(q));
    if (!(lower < upper)) continue;  // an error of its own
    if (q >= lower - tolerance && q <= upper + tolerance) continue;
    report.warning(fmt::format("{}[{}]", pose_path(pose), i),
                   "found {}, outside the limits of {}, {} to {}{}",
                   shown_position(q, joint.type, unit), joint.name,
                   shown_position(lower, joint.type, unit), shown_position(upper, joint.type, unit),
                   is_turning(joint.type) ? within_by_a_turn(q, *joint.limits.position, unit) : "");
  }
}

/// Warns of a table that makes sense in the other convention alone: where two joints turn about one
/// axis (by the first row of a standard table, by the last of a modified one), and where an arm of a
/// revolute and a prismatic joint keeps its tool and last center of mass on their common axis.
void table_is_of_its_convention(const Robot& robot, Report& report) {
  const std::size_t n = robot.dof();
  const bool standard = robot.convention == Convention::standard;
  const std::size_t last = standard ? 1 : n - 1;  // of the two joints
  if (n < 2) return;
  const int turning = is_turning(robot.joints[last].type) + is_turning(robot.joints[last - 1].type);
  const std::size_t row = standard ? 0 : n - 1, other = standard ? n - 1 : 0;
  const auto keeps_axis = [&robot](std::size_t i) {
    const DhRow& dh = robot.joints[i].dh;
    return dh.a == 0.0 && constant_angle(dh.alpha).sin == 0.0;
  };
  const Vec3& center = robot.joints.back().body.com;
  const bool stays_on_it = n == 2 && turning == 1 && !keeps_axis(other) &&
                           robot.joints[other].dh.a == 0.0 && robot.tool.xyz == Vec3{} &&
                           center.x == 0.0 && center.y == 0.0;
  if (!keeps_axis(row) || !(turning == 2 || stays_on_it)) return;
  report.warning(joint_path(row) + ".dh",
                 "in a {} table this row makes {} and {} {}; are the numbers those of a {} table?",
                 standard ? "standard" : "modified", robot.joints[last - 1].name,
                 robot.joints[last].name,
                 turning == 2 ? "turn about one axis"
                              : "rotate about and move along one axis, which the tool never leaves",
                 standard ? "modified" : "standard");
}

}  // namespace

void check_plausible(const Robot& robot, AngleUnit written_in, Report& report) {
  gravity_is_in_its_unit_and_points_down(robot, report);
  table_is_of_its_convention(robot, report);
  const Lengths lengths = lengths_of(robot);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    link_is_not_denser_than_steel(robot, i, lengths, report);
    velocity_is_that_of_an_arm(robot.joints[i], i, written_in, report);
    stribeck_velocity_is_within_limits(robot.joints[i], i, report);
  }
  for (const NamedPose& pose : robot.poses) pose_is_within_limits(robot, pose, written_in, report);
}

bool has_doubtful_units(const Robot& robot) {
  if (is_mechanism(robot)) return false;  // not looked at
  // Warnings about a URDF are about its own numbers.
  const bool is_made = robot.file_accuracy && robot.file_accuracy->as_placed;
  if (is_made) return lengths_of(robot).arm >= longest_row;
  Report report;
  check_sizes(robot, {}, report);
  check_plausible(robot, AngleUnit::rad, report);
  return report.slips.contains(Slip::unit);
}

}  // namespace armdyn
