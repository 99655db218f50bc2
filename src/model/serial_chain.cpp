#include "model/serial_chain.hpp"
#include "model/file_accuracy.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/each.hpp"
#include "math/hypotenuse.hpp"
#include "math/rotation.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

Placement placement_of(const Transform& T, double right_angle_within) {
  const auto angle = [right_angle_within](double sine, double cosine) {
    return nearly_right(angle_of_turn(sine, cosine), right_angle_within);
  };
  const auto& [R, p] = T;
  const double cos_pitch = hypotenuse(R.row_x.x, R.row_y.x);
  Placement place{p, {}};
  place.rpy.y = angle(-R.row_z.x, cos_pitch);
  const bool points_up = constant_angle(place.rpy.y).cos == 0.0;
  if (!points_up) place.rpy.z = angle(R.row_y.x, R.row_x.x);
  // Rx(roll) is the rest, also where yaw and roll are nearly one turn.
  const Mat3 Rx = transposed(rotation_z(place.rpy.z) * rotation_y(place.rpy.y)) * R;
  place.rpy.x = angle(Rx.row_z.y, Rx.row_y.y);
  return place;
}

namespace {

/// The link's frame at q = 0 in that of the one before (1.4).
Transform frame_at_zero(const Link& link) {
  const auto& [ca, sa, ct, st] =
      std::array{link.cos_alpha, link.sin_alpha, link.cos_theta, link.sin_theta};
  return {{{ct, -st, 0.0}, {ca * st, ca * ct, -sa}, {sa * st, sa * ct, ca}},
          {link.a, -sa * link.d, ca * link.d}};
}

/// The robot without its joints.
SerialChain without_joints(const Robot& robot, const Arm& arm) {
  SerialChain chain;
  chain.name = robot.name;
  chain.description = robot.description;
  chain.source = robot.source;
  chain.gravity = robot.gravity;
  chain.base = arm.base;
  chain.tip = arm.tool;
  chain.payload = robot.payload;
  return chain;
}

/// Joint k and its link, whose frame of the table is there.
ChainJoint placed_joint(const Robot& robot, std::size_t k, const Transform& table_frame,
                        const SerialChain& chain) {
  const Joint& joint = joint_at(robot, k);
  ChainJoint placed{joint, joint.name + "_link"};
  if (placed.link == chain.base_link) placed.link += "_";
  placed.joint.dh = {};
  placed.joint.origin.reset();
  placed.joint.axis.reset();
  placed.joint.axis_point = {};
  placed.joint.body = moved(table_frame, joint.body);
  return placed;
}

}  // namespace

JointPlace joint_place(const Arm& arm, std::size_t k) {
  if (arm.is_serial()) return {frame_at_zero(arm.links[k]), {}, arm.user_frame[k]};
  const auto [c, last] = chain_link(arm, k);
  const auto& [chain, rows, joints] = arm.chains[c];
  std::size_t first = last;  // behind the parent's last
  while (first > 0 && joints[first - 1] == k) --first;
  std::size_t moving = last;
  while (moving > first && rows[moving].joints.empty()) --moving;
  JointPlace place;
  for (std::size_t i = first; i <= last; ++i) {
    Transform& T = i <= moving ? place.axis : place.link_end;
    T = T * frame_at_zero(chain.links[i]);
  }
  place.table_frame = place.link_end * chain.user_frame[last];
  return place;
}

SerialChain chain_of(const Robot& robot) {
  require_serial(robot, "a table of one chain");
  const Arm arm = proximal_form(robot, robot);
  SerialChain chain = without_joints(robot, arm);
  chain.joints.reserve(robot.dof());
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    ChainJoint joint = placed_joint(robot, i, arm.user_frame[i], chain);
    joint.origin = frame_at_zero(arm.links[i]);
    chain.joints.push_back(std::move(joint));
  }
  return chain;
}

SerialChain tree_of(const Robot& robot, const std::string& what) {
  if (!is_mechanism(robot)) return chain_of(robot);
  const Arm arm = proximal_form(robot, robot);
  SerialChain tree = without_joints(robot, arm);
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    const Joint& own = joint_at(robot, k);
    if (own.follows && own.follows->row.size() > 1) {
      throw Error(fmt::format("{} cannot have {}, a joint that follows several", what, own.name));
    }
  }
  const std::vector<JointPlace> places = each(
      in_order(number_of_joints(robot)), [&arm](std::size_t k) { return joint_place(arm, k); });
  for (std::size_t k = 0; k < places.size(); ++k) {
    tree.joints.push_back(placed_joint(robot, k, places[k].table_frame, tree));
  }
  for (std::size_t k = 0; k < tree.joints.size(); ++k) {
    const std::optional<std::size_t> parent = parent_of(robot, k);
    tree.joints[k].parent = parent ? tree.joints[*parent].link : tree.base_link;
    tree.joints[k].origin = parent ? places[*parent].link_end * places[k].axis : places[k].axis;
  }
  for (Spring spring : robot.springs) {
    for (LinkPointOf<double>* const end : {&spring.from, &spring.to}) {
      if (!spring.row.empty()) continue;
      if (end->link == base_name) {
        end->link = tree.base_link;
        continue;
      }
      const std::size_t k = joint_of_name(robot, end->link);
      *end = {tree.joints[k].link, places[k].table_frame * end->at};
    }
    tree.springs.push_back(std::move(spring));
  }
  tree.tip = places[tool_joint(robot)].link_end * tree.tip;
  tree.tip_parent = tree.joints[tool_joint(robot)].link;
  return tree;
}

Robot in_convention(const Robot& robot, Convention convention) {
  if (robot.convention == convention) return robot;
  require_serial(robot, "the other convention");
  Robot other = robot;
  other.file_accuracy.reset();  // of other numbers
  other.convention = convention;
  const std::size_t last = robot.dof() - 1;
  if (convention == Convention::modified) {
    other.joints.front().dh.a = other.joints.front().dh.alpha = 0.0;
    for (std::size_t i = 0; i <= last; ++i) {
      const DhRow& dh = robot.joints[i].dh;
      other.joints[i].body = moved(distal_part(dh), robot.joints[i].body);
      if (i < last) {
        other.joints[i + 1].dh.a = dh.a;
        other.joints[i + 1].dh.alpha = dh.alpha;
      }
    }
    other.tool = placement_of(distal_part(robot.joints[last].dh) * placed(robot.tool));
    return other;
  }
  other.base = placement_of(placed(robot.base) * distal_part(robot.joints.front().dh));
  for (std::size_t i = 0; i <= last; ++i) {
    const DhRow next = i < last ? robot.joints[i + 1].dh : DhRow{};
    other.joints[i].dh.a = next.a;
    other.joints[i].dh.alpha = next.alpha;
    other.joints[i].body = moved(inverse(distal_part(next)), robot.joints[i].body);
  }
  return other;
}

Range telling_range(const Joint& joint) {
  const bool turns = is_turning(joint.type);
  const double widest = turns ? 8.0 * std::numbers::pi : 100.0;
  const Range range = position_range(joint);
  return range.upper - range.lower <= widest ? range : unlimited_range(joint.type);
}

namespace {

/// Largest extension of a prismatic joint, m.
double slide_of(const Joint& joint) {
  if (is_turning(joint.type)) return 0.0;
  const auto [lower, upper] = telling_range(joint);
  return std::max(std::abs(lower), std::abs(upper));
}

/// Distance from the joint before, fully extended.
double distance_of(const ChainJoint& joint) {
  return length(joint.origin.p) + slide_of(joint.joint);
}

}  // namespace

double size_of(const SerialChain& chain) {
  double size = length(chain.tip.p);
  for (const ChainJoint& joint : chain.joints) size += distance_of(joint);
  return size;
}

double size_of(const Robot& robot) {
  if (!is_mechanism(robot)) return size_of(chain_of(robot));
  return size_of(chain_of(serial_part(robot, robot, joint_chains(robot).front()).robot));
}

namespace {

using std::numbers::pi;

// Remainder of zero that products of rotations leave.
constexpr double rounding = 1e-14;

// Angle, rad, below which axes count as parallel: files have no more digits.
constexpr double parallel = 1e-8;

// Distance, in sizes of the arm, beyond which the common normal of two axes is no place for a frame.
constexpr double farthest_normal = 10.0;

struct Line {
  Vec3 point, direction;
};

/// Component of a vector across a unit vector.
Vec3 across(const Vec3& v, const Vec3& unit) {
  return v - dot(v, unit) * unit;
}

Vec3 column(const Mat3& R, int k) {
  const Mat3 columns = transposed(R);
  return k == 0 ? columns.row_x : k == 1 ? columns.row_y : columns.row_z;
}

/// First axis of the reference frame that is well across z, projected to be normal to it.
Vec3 sideways(const Mat3& reference, const Vec3& z) {
  for (const int k : {0, 1}) {
    const Vec3 side = across(column(reference, k), z);
    if (length(side) > 0.5) return (1.0 / length(side)) * side;
  }
  return {};  // z cannot be along both
}

class TableMaker {
 public:
  TableMaker(const SerialChain& chain, const Snap& snap)
      : chain_(chain),
        snap_{std::max(snap.angle, rounding), std::max(snap.length, rounding)},
        size_(size_of(chain)) {}

  ChainTable table() {
    place_links();
    Robot& robot = result_.robot;
    robot.name = chain_.name;
    robot.description = chain_.description;
    robot.source = chain_.source;
    robot.gravity = chain_.gravity;
    robot.convention = Convention::modified;

    Transform frame = first_frame();
    double reach = size_;
    robot.base = rounded(chain_.base * frame, "base", reach);
    robot.joints = each(chain_.joints, &ChainJoint::joint);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      Joint& joint = robot.joints[i];
      DhRow& row = joint.dh;  // with θ and d still 0
      const Transform before = frame * link_frame_at(joint, robot.convention, 0.0);
      if (i + 1 == robot.joints.size()) {
        // x and origin as near to the tool frame as the axis allows.
        const Transform tip = inverse(before) * tip_;
        const Vec3 x = sideways(tip.R, {0.0, 0.0, 1.0});
        row.theta = nearly_right(angle_of_turn(x.y, x.x), snap_.angle);
        if (std::abs(tip.p.z) > snap_.length) row.d = tip.p.z;
      } else {
        place_next(inverse(before), i, row, robot.joints[i + 1]);
      }
      frame = before * Transform{rotation_z(row.theta), {0.0, 0.0, row.d}};
      const Transform seen = inverse(frame);
      joint.body = joined({}, seen * links_[i], joint.body);
      reach -= distance_of(chain_.joints[i]);
      add_to_tcp({seen * axes_[i].point, seen.R * axes_[i].direction}, joint, reach);
    }
    robot.tool = rounded(inverse(frame) * tip_, "tool", 0.0);
    robot.payload = chain_.payload;
    return std::move(result_);
  }

 private:
  void place_links() {
    Transform T;
    links_.reserve(chain_.joints.size());
    axes_.reserve(chain_.joints.size());
    for (const ChainJoint& joint : chain_.joints) {
      T = T * joint.origin;
      links_.push_back(T);
      axes_.push_back({T.p, T.R * joint.axis});
    }
    tip_ = T * chain_.tip;
  }

  /// Adds the TCP's motion by the deviation of an axis from the table's frame (eq. 1.23).
  void add_to_tcp(const Line& axis, const Joint& joint, double reach) {
    const auto& [p, u] = axis;
    const double angle = angle_of_turn(hypotenuse(u.x, u.y), u.z), apart = hypotenuse(p.x, p.y);
    const bool turns = is_turning(joint.type);
    result_.tcp_displacement +=
        turns ? 2.0 * (angle * (reach + apart) + apart) : angle * slide_of(joint);
    result_.tcp_rotation += turns ? 2.0 * angle : 0.0;
  }

  /// Frame {0}: z along the first axis, as near to the base link's frame as that allows.
  Transform first_frame() {
    left_ = snap_;
    const auto& [point, direction] = axes_.front();
    Vec3 z = direction;
    for (const double sign : {1.0, -1.0}) {
      for (const int k : {0, 1, 2}) {
        const Vec3 axis = sign * column({}, k);
        const double off = length(across(z, axis));
        if (dot(z, axis) < 0.5 || off > snap_.angle) continue;
        note("the first axis along one of the base link's", off, 0.0);
        z = axis;
      }
    }
    const Vec3 x = sideways({}, z);
    Vec3 origin = across(point, z);
    for (double* part : {&origin.x, &origin.y, &origin.z}) {
      *part = small(*part, "the first axis through the base link's origin");
    }
    return {transposed(Mat3{x, cross(z, x), z}), origin};
  }

  /// Sets θ and d of joint i, and places joint i + 1 by a and α; `seen` is the base link in a frame with
  /// z along the axis of joint i and the x of {i−1} (eq. 1.16-1.18). Where the common normal is far away,
  /// an origin goes to that axis across this one, and turns x on to the normal (1.19).
  void place_next(const Transform& seen, std::size_t i, DhRow& row, Joint& joint) {
    left_ = snap_;
    const Vec3 z = seen.R * axes_[i + 1].direction;
    const Vec3 p = seen * axes_[i + 1].point;
    const double sine = hypotenuse(z.x, z.y);
    const std::string axes =
        "axes of " + chain_.joints[i].joint.name + " and " + chain_.joints[i + 1].joint.name;
    DhRow& next = joint.dh;
    if (sine <= std::max(snap_.angle, parallel)) {
      note(axes + " parallel", sine, 0.0);
      next.alpha = z.z > 0.0 ? 0.0 : pi;
      const double distance = hypotenuse(p.x, p.y);
      if (distance <= snap_.length) {
        note(axes + " in one line", 0.0, distance);
        return;
      }
      const double side = side_of(p.y, p.x);
      row.theta = right(angle_of_turn(side * p.y, side * p.x), distance, turn_of(i));
      next.a = side * distance;
      return;
    }
    const double side = side_of(z.x, -z.y);
    const double theta = angle_of_turn(side * z.x, side * -z.y);
    next.alpha = right(angle_of_turn(side * sine, z.z), 0.0, axes + " at right angles");
    const SinCos alpha = constant_angle(next.alpha);
    const auto foot = [&](double angle) {  // coordinates along the normal, this axis and the next
      const auto [s, c] = constant_angle(angle);
      const double t = (c * p.y - s * p.x) / alpha.sin;
      return std::array{c * p.x + s * p.y, p.z + t * alpha.cos, t};
    };
    const double lever = std::max(std::abs(foot(theta)[0]), std::abs(foot(theta)[2]));
    if (lever > farthest_normal * size_ + rounding) {
      const Vec3 across_here = p - (p.z / z.z) * z;
      row.theta = angle_of_turn(across_here.y, across_here.x);
      joint.origin = {{hypotenuse(across_here.x, across_here.y), 0.0, 0.0},
                      {0.0, 0.0, theta - row.theta}};
      return;
    }
    row.theta = right(theta, lever, turn_of(i));
    const auto [a, d, t] = foot(row.theta);
    next.a = small(a, axes + " intersecting");
    row.d = small(d, "d of " + chain_.joints[i].joint.name + " zero");
  }

  /// Sign of the direction of a normal for which θ is from −90° to 90°.
  static double side_of(double sine, double cosine) {
    return (std::abs(cosine) > rounding * std::abs(sine) ? cosine : sine) < 0.0 ? -1.0 : 1.0;
  }

  [[nodiscard]] std::string turn_of(std::size_t i) const {
    return "theta of " + chain_.joints[i].joint.name + " a right angle";
  }

  /// Rounds an angle to the right angle that it nearly is, except where frames are far away.
  double right(double angle, double lever, const std::string& what) {
    const double exact =
        nearly_right(angle, lever <= size_ ? std::max(left_.angle, rounding) : rounding);
    note(what, std::abs(exact - angle), 0.0);
    return exact;
  }

  double small(double length, const std::string& what) {
    if (std::abs(length) > std::max(left_.length, rounding)) return length;
    note(what, 0.0, std::abs(length));
    return 0.0;
  }

  /// Placement with nearly right angles taken as right, if they turn it by no more than asked in all.
  Placement rounded(Transform T, const std::string& what, double reach) {
    left_ = snap_;
    for (double* part : {&T.p.x, &T.p.y, &T.p.z}) {
      if (std::abs(*part) <= rounding) *part = 0.0;
    }
    const Placement place = placement_of(T, snap_.angle);
    const double off = length(rotation_vector(transposed(T.R) * placed(place).R));
    if (off > snap_.angle) return placement_of(T);
    note("rpy of " + what + " right angles", off, 0.0);
    result_.tcp_displacement += off * reach;
    result_.tcp_rotation += off;
    return place;
  }

  void note(const std::string& what, double angle, double length) {
    left_ = {left_.angle - angle, left_.length - length};
    if (angle <= rounding && length <= rounding) return;
    result_.snapped.push_back({what, angle, length});
  }

  const SerialChain& chain_;
  Snap snap_;
  Snap left_;  // deviations still allowed for the current axis or frame
  double size_;
  std::vector<Transform> links_;  // at q = 0, in the base link's frame
  std::vector<Line> axes_;        // likewise
  Transform tip_;
  ChainTable result_;
};

}  // namespace

ChainTable table_of(const SerialChain& chain, const Snap& snap) {
  return TableMaker(chain, snap).table();
}

}  // namespace armdyn
