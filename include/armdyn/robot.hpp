#pragma once

#include <armdyn/vector.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace armdyn {

/// Denavit-Hartenberg convention of a robot's table (docs/derivation.md, Frames).
enum class Convention {
  standard,  ///< T = Rz(θ) Tz(d) Tx(a) Rx(α); joint i moves about z of {i−1}; {i} at the far end
  modified,  ///< T = Rx(α) Tx(a) Rz(θ) Tz(d); joint i moves about z of {i}, fixed in link i
};

enum class JointType { revolute, prismatic };

/// One row of the Denavit-Hartenberg table. Revolute: θ = q + theta; prismatic: d = q + d.
struct DhRow {
  double a = 0.0;      ///< m
  double alpha = 0.0;  ///< rad
  double d = 0.0;      ///< m
  double theta = 0.0;  ///< rad
};

/// Mass, centre of mass and inertia of one rigid body, in a frame fixed in it.
struct MassProperties {
  double mass = 0.0;  ///< kg
  Vec3 com;           ///< centre of mass in that frame, m
  SymMat3 inertia;    ///< tensor about the centre of mass in that frame's axes, kg·m²

  /// Whether there is neither mass nor inertia.
  [[nodiscard]] bool is_none() const { return mass == 0.0 && inertia == SymMat3{}; }
};

/// Magnitudes for motion in the positive and in the negative direction; N·m or N, both ≥ 0.
struct TwoSided {
  double positive = 0.0;
  double negative = 0.0;

  /// Whether both are 0.
  [[nodiscard]] bool is_none() const { return positive == 0.0 && negative == 0.0; }
  bool operator==(const TwoSided&) const = default;
};

/// Position-dependent friction: multiplies the dry part by 1 + amplitude·cos(harmonic·q + phase).
struct Ripple {
  double amplitude = 0.0;  ///< 0 to 1
  double harmonic = 0.0;   ///< periods per turn (rad⁻¹; m⁻¹ at a prismatic joint)
  double phase = 0.0;      ///< rad

  bool operator==(const Ripple&) const = default;
};

/// Friction that grows smoothly into dry friction (Gaz et al. 2019; docs/derivation.md, eq. 26.1).
struct SigmoidFriction {
  double amplitude = 0.0;  ///< φ1 ≥ 0: from one direction's level to the other's, N·m or N
  double slope = 0.0;      ///< φ2 ≥ 0: (rad/s)⁻¹ or (m/s)⁻¹
  double offset = 0.0;     ///< φ3: rad/s or m/s; what makes the directions differ

  bool operator==(const SigmoidFriction&) const = default;
};

/// Friction at the joint (docs/derivation.md, Joint losses).
struct Friction {
  double viscous = 0.0;  ///< b: N·m·s/rad or N·s/m
  TwoSided coulomb;      ///< c: level while moving fast; N·m or N
  std::optional<TwoSided>
      breakaway{};                 ///< s, key `static`: level at rest; absent: the Coulomb level
  double stribeck_velocity = 0.0;  ///< v_s: rad/s or m/s; 0: the level is c at any speed
  Ripple ripple{};
  SigmoidFriction sigmoid{};

  bool operator==(const Friction&) const = default;
};

/// Motor and gear, at the rotor; reflected to the joint by G², |G| (docs/derivation.md).
struct Motor {
  double rotor_inertia = 0.0;  ///< J_m, kg·m²
  double gear_ratio = 1.0;     ///< G, rotor speed over joint speed; may be negative
  double viscous = 0.0;        ///< B_m, N·m·s/rad at the rotor
  TwoSided coulomb;            ///< T_c at the rotor, N·m, by the sign of the joint velocity
  double efficiency = 1.0;     ///< of the gear; nothing uses it yet

  bool operator==(const Motor&) const = default;
};

struct Range {
  double lower = 0.0;
  double upper = 0.0;
};

struct Limits {
  std::optional<Range> position;   ///< rad or m
  std::optional<double> velocity;  ///< magnitude, rad/s or m/s
  std::optional<double> torque;    ///< magnitude, N·m or N
  /// Magnitudes, rad/s² or m/s², rad/s³ or m/s³.
  std::optional<double> acceleration{}, jerk{};
};

/// A joint and the link that it moves.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  DhRow dh;
  MassProperties body;  ///< in frame {i} of the robot's own table
  Friction friction;
  Motor motor;
  Limits limits;
};

/// A frame placed in another: R = Rz(rpy.z) Ry(rpy.y) Rx(rpy.x).
struct Placement {
  Vec3 xyz;  ///< m
  Vec3 rpy;  ///< rad
};

/// Motors each of which turns with several joints: motor speeds A q̇, joint torques Aᵀ τ_m
/// (docs/derivation.md, section 31).
struct Coupling {
  std::vector<std::size_t> joints;  ///< whose motors these are; they count from 0
  std::vector<double> matrix;       ///< A by rows, one per motor, in place of gear ratios
  std::vector<double> offsets;      ///< of the motors' positions, rad; one per motor
  /// Magnitudes at the motors, rad/s and N·m; one per motor, or none.
  std::vector<double> velocity_limits{}, torque_limits{};

  /// Speed of motor m over that of the j-th of the joints.
  [[nodiscard]] double ratio(std::size_t m, std::size_t j) const {
    return matrix[m * joints.size() + j];
  }

  /// Of a joint among these; their number if it is none of them.
  [[nodiscard]] std::size_t place(std::size_t joint) const;
};

struct NamedPose {
  std::string name;
  std::vector<double> q;  ///< dof entries, rad or m
};

/// How exactly a number is known that was read from a file.
struct NumberAsWritten {
  double half_unit = 0.0;    ///< of its last decimal, in SI units
  bool is_computed = false;  ///< from what stands there, and so a few roundings off
};

/// A serial arm as its user wrote it, in SI units and in the frames of its own table.
struct Robot {
  std::string name;
  std::string description;
  std::string source;
  Convention convention = Convention::standard;
  Vec3 gravity{0.0, 0.0, -9.81};  ///< the physical field in the world frame, m/s²
  Placement base;                 ///< {0} in the world
  std::vector<Joint> joints;      ///< base to hand
  std::vector<Coupling> couplings{};
  Placement tool;          ///< tool frame in the last frame of the table
  MassProperties payload;  ///< rigidly held, in the tool frame; joined to the last link
  std::vector<NamedPose> poses;
  /// Numbers of a file, by their values. One that is not here is its shortest decimal fraction.
  std::map<double, NumberAsWritten> as_written{};

  [[nodiscard]] std::size_t dof() const { return joints.size(); }
};

/// The limits of all joints, in their order.
[[nodiscard]] std::vector<Limits> joint_limits(const Robot& robot);

/// The coupling of which a joint's motor is one, or null.
const Coupling* find_coupling(const Robot& robot, std::size_t joint);

/// The pose of that name, or null.
const NamedPose* find_pose(const Robot& robot, const std::string& name);

}  // namespace armdyn
