#pragma once

#include <armdyn/robot.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <optional>
#include <string_view>

// Mechanisms: arms whose links branch, whose joints follow others, or that have helical joints, as
// serial chains the positions of whose joints are A q + b (docs/derivation.md, section 38). Joints are
// numbered through: those with a position of their own, then the followers.

namespace armdyn {

/// Name of the base among parents.
inline constexpr std::string_view base_name = "base";

[[nodiscard]] inline std::size_t number_of_joints(const auto& robot) {
  return robot.joints.size() + robot.followers.size();
}

/// Joint k, its body, and the number of the joint of that name or number_of_joints.
[[nodiscard]] auto& joint_at(auto& robot, std::size_t k) {
  const std::size_t own = robot.joints.size();
  return k < own ? robot.joints[k] : robot.followers[k - own];
}
[[nodiscard]] std::size_t joint_of_name(const Robot& robot, const std::string& name);

/// Numbers of the joints by their names, of the first where a name is there twice.
using JointNumbers = std::map<std::string_view, std::size_t>;
[[nodiscard]] JointNumbers numbers_of_joints(const Robot& robot);

/// Number of the joint whose link carries joint k; nothing where that is the base. The robot must have
/// no error in `check`, here and below.
[[nodiscard]] std::optional<std::size_t> parent_of(const Robot& robot, std::size_t k);

/// Joints with a position of their own, ascending, that move the link of joint k.
[[nodiscard]] std::vector<std::size_t> joints_that_move(const Robot& robot, std::size_t k);
/// Those on which the torques of a spring act.
[[nodiscard]] std::vector<std::size_t> joints_of_spring(const Robot& robot, const Spring& spring);

/// Number of the joint in whose frame the tool frame is.
[[nodiscard]] std::size_t tool_joint(const Robot& robot);

/// Tests whether some joint stands by its row of a table, not by an axis.
[[nodiscard]] bool has_table(const Robot& robot);

/// Tests whether there is more than one chain of joints with a position of their own each.
[[nodiscard]] bool is_mechanism(const Robot& robot);

/// Throws Error, "WHAT cannot take a mechanism: …", unless the arm is one such chain.
void require_serial(const Arm& arm, const std::string& what);
void require_serial(const Robot& robot, const std::string& what);

/// Throws Error where the law of a spring is no formula of sums and products.
void require_polynomial_springs(const Robot& robot, const std::string& what);

/// Tests whether all forces between the links are known. They are not where joints follow others,
/// since the forces of what makes them follow are not, nor where springs act between other links than
/// those of one joint.
[[nodiscard]] bool has_reactions(const Arm& arm);
/// Throws Error where they are not.
void require_reactions(const Arm& arm);

/// Mass of all links, without the payload, kg.
[[nodiscard]] double mass_of_links(const Robot& robot);

/// Limits q by the limits of followers of one joint.
void limit_by_followers(Robot& robot);

/// Rate of a row by those of the arm's joints, Σ factors·x.
template <class S, class T, class V>
S row_rate(const JointRowOf<T>& row, const V& x) {
  S sum(0.0);
  for (std::size_t j = 0; j < row.joints.size(); ++j) {
    sum = sum + row.factors[j] * x[row.joints[j]];
  }
  return sum;
}
/// Gives the torques of the arm's joints by that of a row, factors · torque, to `add(joint, torque)`.
template <class S, class T>
void act_by_row(const JointRowOf<T>& row, const S& torque, const auto& add) {
  for (std::size_t j = 0; j < row.joints.size(); ++j) {
    add(row.joints[j], S(row.factors[j] * torque));
  }
}
/// The factor of joint i in a row; 0: it is not part of it.
template <class T>
T row_factor(const JointRowOf<T>& row, std::size_t i) {
  const auto at = std::ranges::find(row.joints, i);
  return at == row.joints.end() ? T{}
                                : row.factors[static_cast<std::size_t>(at - row.joints.begin())];
}

/// Joints from the base on.
struct JointChain {
  std::vector<std::size_t> joints;
  std::vector<bool> has_body;  ///< one per joint: the body is in this chain, and in no other
  bool has_tool = false;
};

/// A link of a mechanism's chain.
struct ChainLink {
  std::size_t chain = 0, link = 0;
};
/// The link of the chain that has the body of joint k.
template <class S>
ChainLink chain_link(const ArmOf<S>& arm, std::size_t k) {
  for (std::size_t c = 0;; ++c) {
    const std::vector<std::size_t>& joints = arm.chains[c].joints;
    const auto last = std::find(joints.rbegin(), joints.rend(), k);
    if (last != joints.rend()) return {c, static_cast<std::size_t>(joints.rend() - last) - 1};
  }
}

/// Frame {k} of the table in that of its link.
template <class S>
const Frame<S>& table_frame(const ArmOf<S>& arm, std::size_t k) {
  if (arm.is_serial()) return arm.user_frame[k];
  const auto [chain, link] = chain_link(arm, k);
  return arm.chains[chain].arm.user_frame[link];
}

/// The chain that ends at the tool, then those to the other ends.
[[nodiscard]] std::vector<JointChain> joint_chains(const Robot& robot);

template <class S>
JointRowOf<S> row_of_names(const Robot& robot, const RobotOf<S>& numbers,
                           const std::vector<FollowedOf<S>>& names, const S& offset);

/// The position of joint k as a row over q (38.2); of a follower of followers too.
template <class S>
JointRowOf<S> joint_row(const Robot& robot, const RobotOf<S>& numbers, std::size_t k) {
  if (k < robot.dof()) return {{k}, {S(1.0)}, S(0.0)};
  const FollowsOf<S>& follows = *joint_at(numbers, k).follows;
  return row_of_names(robot, numbers, follows.row, follows.offset);
}
template <class S>
JointRowOf<S> row_of_names(const Robot& robot, const RobotOf<S>& numbers,
                           const std::vector<FollowedOf<S>>& names, const S& offset) {
  JointRowOf<S> row;
  row.offset = offset;
  for (const FollowedOf<S>& followed : names) {
    const std::size_t other = joint_of_name(robot, followed.joint);
    const JointRowOf<S> of_other = joint_row(robot, numbers, other);
    for (std::size_t j = 0; j < of_other.joints.size(); ++j) {
      const S factor = followed.factor * of_other.factors[j];
      const auto known = std::ranges::find(row.joints, of_other.joints[j]);
      if (known == row.joints.end()) {
        row.joints.push_back(of_other.joints[j]);
        row.factors.push_back(factor);
      } else {
        S& sum = row.factors[static_cast<std::size_t>(known - row.joints.begin())];
        sum = sum + factor;
      }
    }
    row.offset = row.offset + followed.factor * of_other.offset;
  }
  return row;
}

/// Angles of the turn Rz(yaw) Rx(tilt) that takes z to the direction of a joint's axis, right ones exact
/// (38.10).
struct AxisAngles {
  double yaw = 0.0, tilt = 0.0;
};
[[nodiscard]] AxisAngles axis_angles(const Vec3& axis);

/// Frame of a joint's link in that of the link before, or in {0}, at position x.
[[nodiscard]] Transform link_frame_at(const Joint& joint, Convention convention, double x);
/// Joints, each behind the one that carries it, without those whose parents do not lead to the base;
/// for robots with errors, too.
[[nodiscard]] std::vector<std::size_t> joints_from_base(const Robot& robot);
/// Positions of all joints where q is zero, rad or m; likewise.
[[nodiscard]] std::vector<double> positions_at_zero(const Robot& robot);

/// A chain as a robot of its own, and the rows of its joints; a row of none is of a joint that does not
/// move.
template <class S>
struct SerialPart {
  RobotOf<S> robot;
  std::vector<JointRowOf<S>> rows;
  std::vector<std::size_t> joints;  ///< numbers of the rows' joints

  void add(std::size_t k, JointOf<S> joint, JointRowOf<S> row) {
    robot.joints.push_back(std::move(joint));
    rows.push_back(std::move(row));
    joints.push_back(k);
  }
};

/// Frames that do not move as rows of a table, as many motions in a row as it has room for.
template <class S>
class FixedRows {
 public:
  explicit FixedRows(Convention convention) : standard_(convention == Convention::standard) {}

  /// Tx(x) Tz(z) · Rz(π/2) Tx(y) Rz(−π/2) (38.5).
  void move(const Vec3& known, const Vec<S>& by) {
    const auto& [x, y, z] = known;
    if (z != 0.0 && standard_) add(along_z().d, by.z);
    if (x != 0.0) add(along_x().a, by.x);
    if (z != 0.0 && !standard_) add(along_z().d, by.z);
    if (y == 0.0) return;
    turn(quarter_);
    add(along_x().a, by.y);
    turn(S(0.0) - quarter_);
  }
  /// The same behind it with Rz(yaw) · Rz(π/2) Rx(pitch) Rz(−π/2) · Rx(roll).
  void place(const Placement& known, const PlacementOf<S>& by) {
    const auto& [roll, pitch, yaw] = known.rpy;
    move(known.xyz, by.xyz);
    if (yaw != 0.0) turn(by.rpy.z);
    if (pitch != 0.0) {
      turn(quarter_);
      tilt(by.rpy.y);
      turn(S(0.0) - quarter_);
    }
    if (roll != 0.0) tilt(by.rpy.x);
  }
  /// Rz(angle).
  void turn(const S& angle) {
    if (has_turn_) next();
    along_z().theta = angle;
    has_turn_ = true;
  }
  /// Rx(angle).
  void tilt(const S& angle) {
    if (has_tilt_) next();
    along_x().alpha = angle;
    has_tilt_ = true;
  }

  std::vector<DhRowOf<S>> rows{1};

 private:
  static void add(S& length, const S& by) { length = length + by; }
  DhRowOf<S>& along_x() {
    if (!standard_ && has_z_) next();
    has_x_ = true;
    return rows.back();
  }
  DhRowOf<S>& along_z() {
    if (standard_ && has_x_) next();
    has_z_ = true;
    return rows.back();
  }
  void next() {
    rows.emplace_back();
    has_x_ = has_z_ = has_turn_ = has_tilt_ = false;
  }

  S quarter_{0.5 * std::numbers::pi};
  bool standard_, has_x_ = false, has_z_ = false, has_turn_ = false, has_tilt_ = false;
};

/// The chain of a robot, in whose numbers it is. An origin becomes joints that do not move, a helical
/// joint a revolute and a prismatic one, and an axis a turn of z to it before and back behind. The
/// last of all these has the body.
template <class S>
SerialPart<S> serial_part(const Robot& robot, const RobotOf<S>& numbers, const JointChain& chain) {
  SerialPart<S> part;
  part.robot.convention = robot.convention;
  part.robot.gravity = numbers.gravity;
  part.robot.base = numbers.base;
  if (chain.has_tool) {
    part.robot.tool = numbers.tool;
    part.robot.payload = numbers.payload;
  }
  const bool standard = robot.convention == Convention::standard;
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const std::size_t k = chain.joints[i];
    const JointOf<S>& joint = joint_at(numbers, k);
    const Joint& known = joint_at(robot, k);
    const auto add = [&](JointType type, const DhRowOf<S>& row, const JointRowOf<S>& position) {
      JointOf<S> of_part;
      of_part.name = joint.name;
      of_part.type = type;
      of_part.dh = row;
      part.add(k, std::move(of_part), position);
    };
    const auto add_fixed = [&](const FixedRows<S>& fixed) {
      for (const DhRowOf<S>& row : fixed.rows) add(JointType::prismatic, row, {});
    };
    FixedRows<S> before(robot.convention);
    const AxisAngles to_axis = known.axis ? axis_angles(*known.axis) : AxisAngles{};
    if (known.origin) before.place(*known.origin, *joint.origin);
    if (known.axis) {
      before.move(known.axis_point, joint.axis_point);
      if (to_axis.yaw != 0.0) before.turn(S(to_axis.yaw));
      if (to_axis.tilt != 0.0) before.tilt(S(to_axis.tilt));
    }
    if (known.origin || known.axis) add_fixed(before);

    const JointRowOf<S> position = joint_row(robot, numbers, k);
    if (!known.pitch) {
      add(joint.type, joint.dh, position);
    } else {
      // Along the axis about which it turns: before a standard row, whose a and α are behind the joint,
      // and behind a modified one (38.6).
      const S per_radian = *joint.pitch * S(0.5 * std::numbers::inv_pi);
      JointRowOf<S> slide{position.joints, position.factors, position.offset * per_radian};
      for (S& factor : slide.factors) factor = factor * per_radian;
      if (standard) add(JointType::prismatic, {}, slide);
      add(joint.type, joint.dh, position);
      if (!standard) add(JointType::prismatic, {}, slide);
    }

    if (known.axis) {
      FixedRows<S> behind(robot.convention);
      if (to_axis.tilt != 0.0) behind.tilt(S(-to_axis.tilt));
      if (to_axis.yaw != 0.0) behind.turn(S(-to_axis.yaw));
      const Vec3& point = known.axis_point;
      if (point != Vec3{}) behind.move(-point, -joint.axis_point);
      if (to_axis.tilt != 0.0 || to_axis.yaw != 0.0 || point != Vec3{}) add_fixed(behind);
    }
    if (chain.has_body[i]) part.robot.joints.back().body = joint.body;
  }
  return part;
}

}  // namespace armdyn
