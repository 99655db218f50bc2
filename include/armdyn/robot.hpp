#pragma once

#include <armdyn/vector.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The numbers of a robot, and of its parts, are of a scalar S; a plain Robot's are doubles. Other
// scalars are the library's own: src/model/robot_fields.hpp converts.

namespace armdyn {

/// Denavit-Hartenberg convention of a robot's table (docs/derivation.md, Frames).
enum class Convention {
  standard,  ///< T = Rz(θ) Tz(d) Tx(a) Rx(α); joint i moves about z of {i−1}; {i} at the far end
  modified,  ///< T = Rx(α) Tx(a) Rz(θ) Tz(d); joint i moves about z of {i}, fixed in link i
};

enum class JointType { revolute, prismatic };

/// One row of the Denavit-Hartenberg table. Revolute: θ = q + theta; prismatic: d = q + d.
template <class S>
struct DhRowOf {
  S a{};      ///< m
  S alpha{};  ///< rad
  S d{};      ///< m
  S theta{};  ///< rad
};

/// Mass, center of mass and inertia of one rigid body, in a frame fixed in it.
template <class S>
struct MassPropertiesOf {
  S mass{};           ///< kg
  Vec<S> com;         ///< center of mass in that frame, m
  SymMat<S> inertia;  ///< tensor about the center of mass in that frame's axes, kg·m²

  /// True if there is neither mass nor inertia.
  [[nodiscard]] bool is_none() const { return mass == 0.0 && inertia == SymMat<S>{}; }
};

/// Magnitudes for motion in the positive and in the negative direction; N·m or N, both ≥ 0.
template <class S>
struct TwoSidedOf {
  S positive{};
  S negative{};

  /// True if both are 0.
  [[nodiscard]] bool is_none() const { return positive == 0.0 && negative == 0.0; }
  bool operator==(const TwoSidedOf&) const = default;
};

/// Position-dependent friction: multiplies the dry part by 1 + amplitude·cos(harmonic·q + phase).
template <class S>
struct RippleOf {
  S amplitude{};  ///< 0 to 1
  S harmonic{};   ///< periods per turn (rad⁻¹; m⁻¹ at a prismatic joint)
  S phase{};      ///< rad

  bool operator==(const RippleOf&) const = default;
};

/// Friction that grows smoothly into dry friction (Gaz et al. 2019; docs/derivation.md, eq. 26.1).
template <class S>
struct SigmoidFrictionOf {
  S amplitude{};  ///< φ1 ≥ 0: difference of the two directions' levels, N·m or N
  S slope{};      ///< φ2 ≥ 0: (rad/s)⁻¹ or (m/s)⁻¹
  S offset{};     ///< φ3: rad/s or m/s; by it the directions differ

  bool operator==(const SigmoidFrictionOf&) const = default;
};

/// Friction at the joint (docs/derivation.md, Joint losses).
template <class S>
struct FrictionOf {
  S viscous{};            ///< b: N·m·s/rad or N·s/m
  TwoSidedOf<S> coulomb;  ///< c: level while moving fast; N·m or N
  std::optional<TwoSidedOf<S>>
      breakaway{};        ///< s, key `static`: level at rest; absent: the Coulomb level
  S stribeck_velocity{};  ///< v_s: rad/s or m/s; 0: the level is c at any speed
  RippleOf<S> ripple{};
  SigmoidFrictionOf<S> sigmoid{};

  bool operator==(const FrictionOf&) const = default;
};

/// Efficiency of a gear, for sizing alone; 1 is without loss.
template <class S>
struct EfficiencyOf {
  S driving{1.0};       ///< from the rotor to the joint
  S back_driving{1.0};  ///< from the joint to the rotor

  bool operator==(const EfficiencyOf&) const = default;
};

/// A point of a motor's curve of torque by speed.
template <class S>
struct SpeedTorqueOf {
  S speed{};   ///< rad/s
  S torque{};  ///< N·m

  bool operator==(const SpeedTorqueOf&) const = default;
};

/// Winding and housing of a motor as two bodies. Counts where the first four numbers are there.
template <class S>
struct MotorThermalOf {
  std::optional<S> winding_to_housing{}, housing_to_ambient{};  ///< K/W
  std::optional<S> winding_capacity{}, housing_capacity{};      ///< J/K
  S ambient{25.0};                                              ///< °C
  std::optional<S> max_winding{};                               ///< °C
  S temperature_coefficient{0.0039};                            ///< of the resistance, 1/K
  S resistance_temperature{25.0};                               ///< at which it is as given, °C

  bool operator==(const MotorThermalOf&) const = default;
};

/// Ratings of a motor, at the rotor; for sizing alone.
template <class S>
struct MotorRatingsOf {
  std::optional<S> peak_torque{}, continuous_torque{};  ///< N·m
  std::optional<S> max_speed{};                         ///< rad/s
  std::vector<SpeedTorqueOf<S>> torque_speed{};         ///< peak torque by speed, which increases
  std::optional<S> torque_constant{};                   ///< N·m per A of RMS current
  std::optional<S> resistance{};                        ///< of one phase, Ω
  bool dc = false;                                      ///< one winding instead of three phases
  MotorThermalOf<S> thermal{};

  bool operator==(const MotorRatingsOf&) const = default;
};

/// Motor and gear, at the rotor; reflected to the joint by G², |G| (docs/derivation.md).
template <class S>
struct MotorOf {
  S rotor_inertia{};             ///< J_m, kg·m²
  S gear_ratio{1.0};             ///< G, rotor speed over joint speed; may be negative
  S viscous{};                   ///< B_m, N·m·s/rad at the rotor
  TwoSidedOf<S> coulomb;         ///< T_c at the rotor, N·m, by the sign of the joint velocity
  EfficiencyOf<S> efficiency{};  ///< of the gear
  MotorRatingsOf<S> ratings{};

  bool operator==(const MotorOf&) const = default;
};

enum class Bearing { ball, roller };

/// Ratings of a gear, torques at its output, N·m or N, speeds at its input, rad/s; for sizing
/// alone.
template <class S>
struct GearOf {
  std::optional<S> repeated_peak_torque{}, momentary_peak_torque{}, average_torque{};
  std::optional<S> rated_torque{}, rated_speed{}, life{};  ///< life at that torque and speed, h
  std::optional<S> max_input_speed{};
  Bearing bearing = Bearing::ball;

  bool operator==(const GearOf&) const = default;
};

/// Supply of all motors; for sizing alone.
template <class S>
struct SupplyOf {
  std::optional<S> peak_power{}, continuous_power{};  ///< W
  std::optional<S> capacitor{};                       ///< returned energy that it takes, J
  std::optional<S> brake_resistor{};                  ///< W

  bool operator==(const SupplyOf&) const = default;
};

/// A range from `lower` to `upper`.
template <class S>
struct RangeOf {
  S lower{};
  S upper{};
};

/// Limits of a joint.
template <class S>
struct LimitsOf {
  std::optional<RangeOf<S>> position;  ///< rad or m
  std::optional<S> velocity;           ///< magnitude, rad/s or m/s
  std::optional<S> torque;             ///< magnitude, N·m or N
  /// Magnitudes, rad/s² or m/s², rad/s³ or m/s³.
  std::optional<S> acceleration{}, jerk{};
};

/// A frame placed in another: R = Rz(rpy.z) Ry(rpy.y) Rx(rpy.x).
template <class S>
struct PlacementOf {
  Vec<S> xyz;  ///< m
  Vec<S> rpy;  ///< rad

  bool operator==(const PlacementOf&) const = default;
};

/// A part of a follower's position: that of the joint of this name, times the factor.
template <class S>
struct FollowedOf {
  std::string joint;
  S factor{1.0};

  bool operator==(const FollowedOf&) const = default;
};

/// Position of a joint that follows others: a sum of theirs, and an offset in rad or m
/// (docs/derivation.md, eq. 38.1).
template <class S>
struct FollowsOf {
  std::vector<FollowedOf<S>> row;
  S offset{};

  bool operator==(const FollowsOf&) const = default;
};

/// A joint and the link that it moves.
template <class S>
struct JointOf {
  std::string name;
  JointType type = JointType::revolute;
  std::optional<S> pitch{};  ///< of a helical joint, which is revolute and slides: m per turn
  std::string parent{};  ///< joint whose link carries this one, or "base"; empty: the joint before
  std::optional<FollowsOf<S>> follows{};   ///< of Robot::followers
  std::optional<PlacementOf<S>> origin{};  ///< of its row of the table, in the parent's frame
  /// Direction, of any length, along or about which it acts in place of a row: in the link's frame,
  /// which at position 0 is its origin (docs/derivation.md, eq. 38.10).
  std::optional<Vec<S>> axis{};
  Vec<S> axis_point{};  ///< a point of that axis, likewise, m
  DhRowOf<S> dh;
  MassPropertiesOf<S> body;  ///< in frame {i} of the robot's own table
  FrictionOf<S> friction;
  MotorOf<S> motor;
  GearOf<S> gear{};
  LimitsOf<S> limits;
};

/// Motors that each turn with several joints: motor speeds A q̇, joint torques Aᵀ τ_m
/// (docs/derivation.md, section 31).
template <class S>
struct CouplingOf {
  std::vector<std::size_t> joints;  ///< joints of the motors; they count from 0
  std::vector<S> matrix;            ///< A by rows, one per motor, in place of gear ratios
  std::vector<S> offsets;           ///< of the motors' positions, rad; one per motor
  /// Magnitudes at the motors, rad/s and N·m; one per motor, or none.
  std::vector<S> velocity_limits{}, torque_limits{};

  /// Speed of motor m over that of the j-th of the joints.
  [[nodiscard]] const S& ratio(std::size_t m, std::size_t j) const {
    return matrix[m * joints.size() + j];
  }

  /// Place of a joint among these; their number if it is none of them.
  [[nodiscard]] std::size_t place(std::size_t joint) const {
    std::size_t at = 0;
    while (at < joints.size() && joints[at] != joint) ++at;
    return at;
  }
};

/// A point of a link.
template <class S>
struct LinkPointOf {
  std::string link;  ///< its joint, or "base"
  Vec<S> at;         ///< in the link's frame {i} of the table, of the base in {0}; m
};

/// A number at a position x of a spring, the sum of its row, rad or m, or its length, m.
template <class S>
struct SpringPointOf {
  S at{};
  S value{};

  bool operator==(const SpringPointOf&) const = default;
};

/// A spring, which pulls a sum x of joint positions, or, where there is no row, two points of the
/// distance x, to where it rests. Its load, N·m or N, is that of one of three laws (docs/derivation.md,
/// eq. 38.11): preload + stiffness (x − rest); likewise, piece by piece; or a table.
template <class S>
struct SpringOf {
  std::string name;
  std::vector<FollowedOf<S>> row{};
  S rest{};         ///< of the row: rad or m
  S free_length{};  ///< between two points, in place of it: m
  S preload{};      ///< load at rest
  S stiffness{};    ///< N·m/rad, N/m
  /// In place of it: stiffness from a deflection x − rest on, which increases; that of the first holds
  /// before it, too.
  std::vector<SpringPointOf<S>> piecewise{};
  /// In place of all these: load at x, which increases, with straight lines between and beyond.
  std::vector<SpringPointOf<S>> table{};
  LinkPointOf<S> from{}, to{};
};

/// A position with a name.
struct NamedPose {
  std::string name;
  std::vector<double> q;  ///< dof entries, rad or m
};

struct FileAccuracy;

/// An arm as its file has it, in SI units and in the frames of its own table.
template <class S>
struct RobotOf {
  std::string name;
  std::string description;
  std::string source;
  Convention convention = Convention::standard;
  Vec<S> gravity{S(0.0), S(0.0), S(-9.81)};  ///< the physical field in the world frame, m/s²
  PlacementOf<S> base;                       ///< {0} in the world
  std::vector<JointOf<S>> joints;            ///< base to end effector; their positions are q
  std::vector<JointOf<S>> followers{};       ///< joints whose positions follow from q
  std::vector<CouplingOf<S>> couplings{};
  std::vector<SpringOf<S>> springs{};
  PlacementOf<S> tool;          ///< tool frame in the last frame of the table
  std::string tool_link{};      ///< joint in whose frame it is instead, where links branch
  MassPropertiesOf<S> payload;  ///< rigidly held, in the tool frame; joined to the last link
  SupplyOf<S> supply{};
  std::vector<NamedPose> poses;
  /// Decimals of the file, for error bounds of them; null: the numbers are exactly their doubles.
  std::shared_ptr<const FileAccuracy> file_accuracy{};

  [[nodiscard]] std::size_t dof() const { return joints.size(); }
};

// Plain numbers.
using DhRow = DhRowOf<double>;
using MassProperties = MassPropertiesOf<double>;
using TwoSided = TwoSidedOf<double>;
using Ripple = RippleOf<double>;
using SigmoidFriction = SigmoidFrictionOf<double>;
using Friction = FrictionOf<double>;
using Efficiency = EfficiencyOf<double>;
using SpeedTorque = SpeedTorqueOf<double>;
using MotorThermal = MotorThermalOf<double>;
using MotorRatings = MotorRatingsOf<double>;
using Motor = MotorOf<double>;
using Gear = GearOf<double>;
using Supply = SupplyOf<double>;
using Range = RangeOf<double>;
using Limits = LimitsOf<double>;
using Followed = FollowedOf<double>;
using Follows = FollowsOf<double>;
using Joint = JointOf<double>;
using Placement = PlacementOf<double>;
using Spring = SpringOf<double>;
using SpringPoint = SpringPointOf<double>;
using Coupling = CouplingOf<double>;
using Robot = RobotOf<double>;

/// The limits of all joints, in their order; then those of followers of several joints, empty for the
/// other ones.
[[nodiscard]] std::vector<Limits> joint_limits(const Robot& robot);

/// The pose of that name, or null.
const NamedPose* find_pose(const Robot& robot, const std::string& name);

/// One link and its joint in modified DH frames, on which every algorithm works: joint i moves
/// along or about z of {i}, which is fixed in link i. Constants alone, exact at right angles.
template <class S>
struct LinkOf {
  JointType joint = JointType::revolute;

  // {i−1} to {i}: Rx(α) Tx(a) Rz(θ) Tz(d).
  S a{};  ///< m
  S cos_alpha{1.0};
  S sin_alpha{};
  S d{};             ///< m; the offset of a prismatic joint
  S cos_theta{1.0};  ///< of the fixed angle; of the offset of a revolute joint
  S sin_theta{};

  MassPropertiesOf<S> body;  ///< in {i}; a payload is part of the last link
};

/// Friction and motor of one joint: everything between the rotor and the link.
template <class S>
struct DriveOf {
  FrictionOf<S> friction;
  MotorOf<S> motor;

  bool operator==(const DriveOf&) const = default;
};

/// A position that follows from those of the arm's joints, of a motor, a follower, a spring, or a joint
/// in a chain of a mechanism: Σ factors·q + offset, rad or m.
template <class S>
struct JointRowOf {
  std::vector<std::size_t> joints;  ///< of the arm, from 0
  std::vector<S> factors;           ///< one each
  S offset{};
};

/// Friction and motor that move by a row, and act on its joints by their torque times the factors
/// (docs/derivation.md, eq. 31.2).
template <class S>
struct RowDriveOf {
  JointRowOf<S> row;
  DriveOf<S> drive;                       ///< without gear
  std::optional<std::size_t> motor_of{};  ///< joint whose motor it is; none: friction of a follower
};

/// A point of a link of a chain of a mechanism.
template <class S>
struct ChainPointOf {
  std::size_t chain = 0;
  std::optional<std::size_t> link{};  ///< of the chain; none: of the base
  Vec<S> at;                          ///< in the link's frame, or in {0}; m
};

/// A straight piece of a spring's law, from a position on: load and energy there, and its stiffness.
template <class S>
struct SpringPieceOf {
  S from{}, load{}, stiffness{}, energy{};
};

/// A spring of an arm: on a row where that has joints, else between two points.
template <class S>
struct ArmSpringOf {
  std::vector<SpringPieceOf<S>> pieces{};  ///< the first also holds before it
  JointRowOf<S> row{};
  ChainPointOf<S> from{}, to{};
};

template <class S>
struct ChainOf;

/// An arm made ready for computing: modified DH frames for both Denavit-Hartenberg conventions. Of a
/// mechanism, whose links branch, whose joints follow others, or that has springs, `chains` have the links, and
/// `links` those of the joints that follow none, for their kinds alone.
template <class S>
struct ArmOf {
  std::vector<LinkOf<S>> links;
  std::vector<ChainOf<S>> chains{};  ///< of a mechanism; the first ends at the tool
  std::vector<ArmSpringOf<S>> springs{};
  std::vector<DriveOf<S>> drives;         ///< one per link
  std::vector<RowDriveOf<S>> row_drives;  ///< motors that turn with several joints, as others
  Frame<S> tool;                          ///< tool frame in the last link's frame
  Vec<S> v_dot_0;  ///< acceleration of {0} that stands for gravity: −g in {0}, m/s²

  Convention convention = Convention::modified;  ///< of the user's table, for results in its frames
  std::vector<Frame<S>> user_frame;      ///< per link: the user's frame {i} in the link's frame
  Frame<S> base;                         ///< {0} in the world
  std::vector<std::string> joint_names;  ///< for messages; one per link, or none

  [[nodiscard]] std::size_t dof() const { return links.size(); }
  [[nodiscard]] bool is_serial() const { return chains.empty(); }
};

/// A serial part of a mechanism, from {0} on: an arm by itself, without drives, the positions of whose
/// joints are A q + b. A body is in one chain alone (docs/derivation.md, section 38).
template <class S>
struct ChainOf {
  ArmOf<S> arm;
  std::vector<JointRowOf<S>> rows;  ///< A and b, one per link
  std::vector<std::size_t> joints;  ///< of the links: the robot's, then its followers, from 0
};

// Plain numbers.
using Link = LinkOf<double>;
using Drive = DriveOf<double>;
using JointRow = JointRowOf<double>;
using RowDrive = RowDriveOf<double>;
using Chain = ChainOf<double>;
using Arm = ArmOf<double>;

/// Brings a robot into modified DH frames (docs/derivation.md, eq. 1.5-1.9). Joins the payload to
/// the last link. The robot must have no error in `check`; throws std::invalid_argument if it has
/// no joint.
[[nodiscard]] Arm normalize(const Robot& robot);

/// Name of joint i, which counts from 0, for messages: "joint 3" where it has none.
[[nodiscard]] std::string joint_name(const Arm& arm, std::size_t i);

/// Inertia tensor about the center of mass, kg·m², from the one about the origin of the same axes
/// (parallel-axis theorem).
[[nodiscard]] SymMat3 about_com(const SymMat3& about_origin, double mass, const Vec3& com);

/// Inertia tensor about the origin of a body's frame, kg·m².
[[nodiscard]] SymMat3 about_origin(const MassProperties& body);

/// Tensor of a body about the origin of a frame that stands in the body's own, in that frame's
/// axes, kg·m² (eq. 1.14).
[[nodiscard]] SymMat3 inertia_in(const Transform& frame, const MassProperties& body);

/// Moment of inertia of a body about a line through a point, along a direction of any length but 0,
/// both in the body's frame, kg·m² (eq. 1.15).
[[nodiscard]] double moment_about(const Vec3& point, const Vec3& direction,
                                  const MassProperties& body);

// Tensors of uniform bodies about their center of mass, kg·m² (eq. 1.10-1.12).

/// Tensor of a box with these edges along its axes, m.
[[nodiscard]] SymMat3 box_inertia(double mass, const Vec3& edges);
/// Tensor of a cylinder whose axis is z, m; of radius 0, of a thin rod.
[[nodiscard]] SymMat3 cylinder_inertia(double mass, double radius, double length);
/// Tensor of a sphere; radius in m.
[[nodiscard]] SymMat3 sphere_inertia(double mass, double radius);

/// Principal moments of inertia, kg·m², smallest first.
[[nodiscard]] Vec3 principal_moments(const SymMat3& inertia);

/// A tensor in its principal axes.
struct PrincipalInertia {
  Vec3 moments;  ///< kg·m², smallest first
  Mat3 axes;     ///< rows: the unit vectors of these moments, in the tensor's axes; right-handed
};

/// The tensor in its principal axes. The largest component of each axis but the last is positive.
[[nodiscard]] PrincipalInertia principal_inertia(const SymMat3& inertia);

/// Second moments of the mass along the principal axes, ∫x²dm, kg·m², from the principal moments:
/// half of (the sum of the other two moments, less this one), so the largest first.
[[nodiscard]] Vec3 second_moments(const Vec3& principal_moments);

/// True if some body has this inertia about its center of mass: no principal moment is above
/// the sum of the other two (the triangle inequality; then none is below 0 either, and no second
/// moment is). Less than 1e-9 of the largest moment counts as rounding.
[[nodiscard]] bool satisfies_triangle_inequality(const SymMat3& inertia);

/// True if some distribution of mass has this mass, center and inertia, or there is none at
/// all: m > 0 and the inertia is that of a body, which is the same as a positive semidefinite
/// pseudo-inertia [Σ, m c; m cᵀ, m], Σ = ∫rrᵀdm (Wensing, Kim, Slotine, IEEE RA-L 3(1), 2018).
[[nodiscard]] bool is_physically_consistent(const MassProperties& body);

/// Edges of the uniform box of that mass and those second moments, along the principal axes,
/// longest first, m: √(12 ∫x²dm / m). Edges of a plate, a rod or a point are 0. The body must be
/// possible and have a mass.
[[nodiscard]] Vec3 equivalent_box(const MassProperties& body);

}  // namespace armdyn
