#include "cli/check/check.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "math/hypotenuse.hpp"
#include "math/rotation.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/proximal_form.hpp"
#include "model/robot_fields.hpp"
#include "model/serial_chain.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

const Snap same{};

/// Compares one joint in both descriptions.
class JointComparison {
 public:
  JointComparison(const Joint& joint, std::vector<Difference>& found)
      : joint_(joint), found_(found) {}

  void length(const std::string& quantity, double here, double there) {
    const auto shown = [](double x) { return std::abs(x) < 1e-6 * same.length ? 0.0 : x; };
    if (std::abs(here - there) > same.length) add(quantity + " [m]", shown(here), shown(there));
  }
  void angle(const std::string& quantity, double here, double there) {
    if (std::abs(here - there) > same.angle) {
      add(quantity + " [deg]", degrees(here), degrees(there));
    }
  }
  /// Less than a millionth, or than what rounding explains, is no difference.
  void number(const std::string& quantity, const std::string& unit,
              const std::optional<double>& here, const std::optional<double>& there,
              double rounding = 0.0) {
    constexpr double millionth = 1e-6;
    const auto allowed = [&] {
      return std::max(rounding, millionth * std::max(std::abs(*here), std::abs(*there)));
    };
    const bool is_near = here && there && std::abs(*here - *there) <= allowed();
    if (here != there && !is_near) add(fmt::format("{} [{}]", quantity, unit), here, there);
  }
  void word(const std::string& quantity, const std::string& here, const std::string& there) {
    const auto shown = [](const std::string& text) {
      return text.empty() ? Value::number(std::nullopt) : Value::word(text);
    };
    if (here != there) found_.push_back({joint_.name, quantity, shown(here), shown(there)});
  }

 private:
  void add(const std::string& quantity, const std::optional<double>& here,
           const std::optional<double>& there) {
    found_.push_back({joint_.name, quantity, Value::number(here), Value::number(there)});
  }

  const Joint& joint_;
  std::vector<Difference>& found_;
};

/// The place of a line relative to an axis, z of the frame in which a point of the line and its
/// direction are.
struct Seen {
  double distance = 0.0;           ///< of the lines
  double angle = 0.0;              ///< between them, 0 to π
  std::optional<double> height{};  ///< of their common normal on the axis; none of parallel lines
};

Seen seen_from_axis(const Vec3& point, const Vec3& direction) {
  const Vec3 normal = cross(Vec3{0.0, 0.0, 1.0}, direction);
  const double sine = length(normal);
  const double angle = std::atan2(sine, direction.z);
  if (sine < same.angle) return {hypotenuse(point.x, point.y), angle};
  const double height =
      point.z - direction.z * (dot(point, direction) - point.z * direction.z) / (sine * sine);
  return {std::abs(dot(point, normal)) / sine, angle, height};
}

/// The axis of joint i + 1 in the frame of joint i, and the other way round. Axes of a table are z.
Seen next_axis(const SerialChain& chain, std::size_t i) {
  const Transform& origin = chain.joints[i + 1].origin;
  return seen_from_axis(origin.p, origin.R * chain.joints[i + 1].axis);
}
Seen axis_before(const SerialChain& chain, std::size_t i) {
  const Transform& origin = chain.joints[i].origin;
  const Mat3 turned = transposed(origin.R);
  return seen_from_axis(-1.0 * (turned * origin.p), turned * chain.joints[i - 1].axis);
}

/// Heights on the axis of joint i: of the common normals with the axes before and behind it, and of
/// its center of mass.
struct Heights {
  std::optional<double> before, next;
  double com = 0.0;
};

Heights heights(const SerialChain& chain, std::size_t i) {
  Heights found{{}, {}, chain.joints[i].joint.body.com.z};
  if (i > 0) found.before = axis_before(chain, i).height;
  if (i + 1 < chain.joints.size()) found.next = next_axis(chain, i).height;
  return found;
}

void compare_heights(const Heights& here, const Heights& there, JointComparison& joint) {
  const std::string along = ", along the joint's axis";
  if (here.before && here.next && there.before && there.next) {
    joint.length("from the axis before to the next" + along, *here.next - *here.before,
                 *there.next - *there.before);
  }
  if (here.next && there.next) {
    joint.length("center of mass from the next axis" + along, here.com - *here.next,
                 there.com - *there.next);
  } else if (here.before && there.before) {
    joint.length("center of mass from the axis before" + along, here.com - *here.before,
                 there.com - *there.before);
  }
}

void compare_bodies(const MassProperties& here, const MassProperties& there,
                    const std::string& axis, JointComparison& joint) {
  joint.number("mass", "kg", here.mass, there.mass);
  joint.length("center of mass from " + axis, hypotenuse(here.com.x, here.com.y),
               hypotenuse(there.com.x, there.com.y));
  const auto moments = [](const MassProperties& body) {
    return principal_inertia(body.inertia).moments;
  };
  const Vec3 a = moments(here), b = moments(there);
  const double rounding = 1e-13 * std::max(std::abs(a.z), std::abs(b.z));
  joint.number("smallest principal moment", "kg·m²", a.x, b.x, rounding);
  joint.number("middle principal moment", "kg·m²", a.y, b.y, rounding);
  joint.number("largest principal moment", "kg·m²", a.z, b.z, rounding);
}

/// The limit of a joint's motor, where it turns with several joints.
std::optional<double> motor_limit(const Robot& robot, std::size_t joint, RowLimit::Kind kind) {
  const std::vector<RowLimit> limits = row_limits(robot, kind);
  const auto found = std::ranges::find(limits, joint, &RowLimit::joint);
  return found == limits.end() ? std::nullopt : std::optional(found->most);
}

/// Records each field that differs between two parts. Bodies and frames, which depend on the
/// notation, are left to `placed`, called where a joint's row stands in the list.
class FieldComparison {
 public:
  FieldComparison(JointType type, JointComparison& joint, std::function<void()> placed = {},
                  std::string before = "")
      : type_(type), joint_(joint), placed_(std::move(placed)), before_(std::move(before)) {}

  void operator()(const RobotField& field, const double& here, const double& there) {
    if (!field.has(role::body | role::placed)) tell(field, "", here, there);
  }
  void operator()(const RobotField& /*com*/, const Vec3& /*here*/, const Vec3& /*there*/) {}
  void operator()(const RobotField& field, const std::string& here, const std::string& there) {
    if (!field.has(role::placed)) joint_.word(std::string(field.name), here, there);
  }
  template <RobotPart P>  // a follower's row, an origin
  void operator()(const RobotField& /*field*/, const std::optional<P>& /*here*/,
                  const std::optional<P>& /*there*/) {}
  void operator()(const RobotField& /*axis*/, const std::optional<Vec3>& /*here*/,
                  const std::optional<Vec3>& /*there*/) {}
  void operator()(const RobotField& field, JointType here, JointType there) {
    joint_.word(std::string(field.name), name(here), name(there));
  }
  void operator()(const RobotField& field, const std::optional<double>& here,
                  const std::optional<double>& there) {
    if (!field.has(role::placed)) tell(field, "", here, there);
  }
  void operator()(const RobotField& field, const TwoSided& here, const TwoSided& there) {
    (*this)(field, std::optional(here), std::optional(there));
  }
  void operator()(const RobotField& field, const std::optional<TwoSided>& here,
                  const std::optional<TwoSided>& there) {
    tell(field, ", positive", of(here, &TwoSided::positive), of(there, &TwoSided::positive));
    tell(field, ", negative", of(here, &TwoSided::negative), of(there, &TwoSided::negative));
  }
  void operator()(const RobotField& field, const std::optional<Range>& here,
                  const std::optional<Range>& there) {
    before_ = "lower ";
    tell(field, "", of(here, &Range::lower), of(there, &Range::lower));
    before_ = "upper ";
    tell(field, "", of(here, &Range::upper), of(there, &Range::upper));
    before_.clear();
  }
  void operator()(const RobotField& field, bool here, bool there) {
    joint_.word(std::string(field.name), here ? "yes" : "no", there ? "yes" : "no");
  }
  void operator()(const RobotField& field, Bearing here, Bearing there) {
    joint_.word(std::string(field.name), name(here), name(there));
  }
  void operator()(const RobotField& field, const std::vector<SpeedTorque>& here,
                  const std::vector<SpeedTorque>& there) {
    const auto text = [](const std::vector<SpeedTorque>& curve) {
      std::string points;
      for (const auto& [speed, torque] : curve) points += fmt::format("[{}, {}]", speed, torque);
      return points;
    };
    joint_.word(std::string(field.name), text(here), text(there));
  }
  template <RobotPart P>
  void operator()(const RobotField& field, const P& here, const P& there) {
    if (field.has(role::placed)) return placed_();
    if (field.has(role::body)) return;
    const std::string part(field.name);
    fields(FieldComparison(type_, joint_, {}, part.empty() ? "" : part + ", "), here, there);
  }

 private:
  template <class T>
  static std::optional<double> of(const std::optional<T>& value, double T::*member) {
    return value ? std::optional((*value).*member) : std::nullopt;
  }
  void tell(const RobotField& field, const char* after, const std::optional<double>& here,
            const std::optional<double>& there) {
    joint_.number(before_ + std::string(field.name) + after, unit_of(field), here, there);
  }
  [[nodiscard]] std::string unit_of(const RobotField& field) const {
    if (field.unit == RobotUnit::damping) {
      return fmt::format("{} per {}", unit_text(RobotUnit::effort, type_),
                         unit_text(RobotUnit::speed, type_));
    }
    return field.unit == RobotUnit::motor_damping ? "N·m per rad/s" : unit_text(field.unit, type_);
  }

  JointType type_;
  JointComparison& joint_;
  std::function<void()> placed_;
  std::string before_;
};

/// Compares the joint in poses that both have.
void compare_poses(const Robot& here, const Robot& there, std::size_t i, JointComparison& joint) {
  for (const NamedPose& pose : here.poses) {
    const NamedPose* const other = find_pose(there, pose.name);
    if (other == nullptr) continue;
    joint.number("pose " + pose.name, position_unit(here.joints[i]), pose.q[i], other->q[i]);
  }
}

/// Compares how joint i lies to its neighbors, and its body.
void compare_places(const SerialChain& here, const SerialChain& there, std::size_t i,
                    JointComparison& joint) {
  if (i + 1 < here.joints.size()) {
    const Seen next = next_axis(here, i), other = next_axis(there, i);
    joint.length("distance to the next axis", next.distance, other.distance);
    joint.angle("angle to the next axis", next.angle, other.angle);
  }
  compare_heights(heights(here, i), heights(there, i), joint);
  compare_bodies(here.joints[i].joint.body, there.joints[i].joint.body, "the joint's axis", joint);
}

/// Compares the motor of joint i, where it turns with several joints.
void compare_motor_rows(const Robot& here, const Robot& there, std::size_t i,
                        JointComparison& joint) {
  if (!motor_row(here, i) && !motor_row(there, i)) return;
  joint.word("position of the motor", motor_position(here, i), motor_position(there, i));
  for (const auto kind : {RowLimit::Kind::velocity, RowLimit::Kind::torque}) {
    const bool is_torque = kind == RowLimit::Kind::torque;
    joint.number(is_torque ? "torque limit of the motor" : "velocity limit of the motor",
                 is_torque ? "N·m" : "rad/s", motor_limit(here, i, kind),
                 motor_limit(there, i, kind));
  }
}

/// Records what differs beside joints, by the name of the part. Frames and gravity show in the
/// states, motors joint by joint; texts do not count.
void compare_beside_joints(const Robot& here, const Robot& there, std::vector<Difference>& found) {
  const auto compare = [&](const RobotField& field, const auto& one, const auto& other) {
    using T = std::remove_cvref_t<decltype(one)>;
    Joint part;
    part.name = field.key;
    JointComparison of_part(part, found);
    if constexpr (std::is_same_v<T, MassProperties>) {
      compare_bodies(one, other, "z of the tool", of_part);
      of_part.length("center of mass along z of the tool", one.com.z, other.com.z);
    } else if constexpr (std::is_same_v<T, std::vector<NamedPose>>) {
      for (const NamedPose& pose : one) {
        if (find_pose(there, pose.name) == nullptr) of_part.word(pose.name, "given", "");
      }
      for (const NamedPose& pose : other) {
        if (find_pose(here, pose.name) == nullptr) of_part.word(pose.name, "", "given");
      }
    } else if constexpr (RobotPart<T>) {
      if (!field.has(role::placed)) fields(FieldComparison(part.type, of_part), one, other);
    } else if constexpr (!std::is_same_v<T, std::string> &&
                         requires(FieldComparison both) { both(field, one, other); }) {
      if (!field.has(role::placed)) FieldComparison(part.type, of_part)(field, one, other);
    }
  };
  fields(compare, here, there);
}

/// The body of joint k in the frame whose z is the joint's axis.
MassProperties body_on_axis(const Robot& robot, const Arm& arm, std::size_t k) {
  return moved(joint_place(arm, k).table_frame, joint_at(robot, k).body);
}

/// Compares joint for joint, and at random states by `a` and `b`; `placed(k, joint)` compares how joint
/// k lies, and its body.
template <class Form>
ArmDifference difference_by(const Form& a, const Form& b, double size, const Robot& here,
                            const Robot& there, const auto& placed) {
  ArmDifference result;
  for (std::size_t k = 0; k < number_of_joints(here); ++k) {
    const Joint& own = joint_at(here, k);
    JointComparison joint(own, result.numbers);
    fields(FieldComparison(own.type, joint, [&] { placed(k, joint); }), own, joint_at(there, k));
    if (k >= here.dof()) continue;
    compare_motor_rows(here, there, k, joint);
    compare_poses(here, there, k, joint);
  }
  compare_beside_joints(here, there, result.numbers);
  result.states = deviation(a, b, here.joints, size, 200);
  result.states.tcp *= size;
  return result;
}

/// Compares two arms where one or both are mechanisms. Joints that move alike may be placed by
/// different chains, so that places show in the states alone.
ArmDifference mechanism_difference(const Robot& here, const Robot& there) {
  if (number_of_joints(there) != number_of_joints(here)) {
    throw InputError(fmt::format(
        "--against: {} has {}, {} has {}; arms are compared joint for joint", here.name,
        counted(here.followers.size(), "follower"), there.name, there.followers.size()));
  }
  const Arm a = normalize(here), b = normalize(there);
  return difference_by(a, b, size_of(here), here, there, [&](std::size_t k, auto& joint) {
    compare_bodies(body_on_axis(here, a, k), body_on_axis(there, b, k), "the joint's axis", joint);
  });
}

}  // namespace

ArmDifference difference(const Robot& here, const Robot& there) {
  if (there.dof() != here.dof()) {
    throw InputError(
        fmt::format("--against: {} has {}, {} has {}; arms are compared joint for joint", here.name,
                    counted(here.dof(), "joint"), there.name, there.dof()));
  }
  if (is_mechanism(here) || is_mechanism(there)) return mechanism_difference(here, there);
  const SerialChain a = chain_of(here), b = chain_of(there);
  return difference_by(a, b, size_of(a), here, there,
                       [&](std::size_t i, auto& joint) { compare_places(a, b, i, joint); });
}

}  // namespace armdyn
