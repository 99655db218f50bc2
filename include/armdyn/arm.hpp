#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace armdyn {

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

/// Coupled motors, whose joints' drives have none.
template <class S>
struct CoupledMotorsOf : CouplingOf<S> {
  std::vector<MotorOf<S>> motors;  ///< without gear; one per joint of the coupling
};

/// A serial arm made ready for computing: modified DH frames for both Denavit-Hartenberg
/// conventions.
template <class S>
struct ArmOf {
  std::vector<LinkOf<S>> links;
  std::vector<DriveOf<S>> drives;  ///< one per link
  std::vector<CoupledMotorsOf<S>> coupled_motors;
  Frame<S> tool;   ///< tool frame in the last link's frame
  Vec<S> v_dot_0;  ///< acceleration of {0} that stands for gravity: −g in {0}, m/s²

  Convention convention = Convention::modified;  ///< of the user's table, for results in its frames
  std::vector<Frame<S>> user_frame;      ///< per link: the user's frame {i} in the link's frame
  Frame<S> base;                         ///< {0} in the world
  std::vector<std::string> joint_names;  ///< for messages; one per link, or none

  [[nodiscard]] std::size_t dof() const { return links.size(); }
};

// Plain numbers.
using Link = LinkOf<double>;
using Drive = DriveOf<double>;
using CoupledMotors = CoupledMotorsOf<double>;
using Arm = ArmOf<double>;

/// Brings a robot into modified DH frames (docs/derivation.md, eq. 1.5-1.9). Joins the payload to
/// the last link. The robot must have no error in `check`; throws std::invalid_argument if it has
/// no joint.
[[nodiscard]] Arm normalise(const Robot& robot);

/// Name of joint i, which counts from 0, for messages: "joint 3" where it has none.
[[nodiscard]] std::string joint_name(const Arm& arm, std::size_t i);

/// Inertia tensor about the centre of mass, kg·m², from the one about the origin of the same axes
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

// Tensors of uniform bodies about their centre of mass, kg·m² (eq. 1.10-1.12).

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

/// Tells whether some body has this inertia about its centre of mass: no principal moment is above
/// the sum of the other two (the triangle inequality; then none is below 0 either, and no second
/// moment is). Less than 1e-9 of the largest moment counts as rounding.
[[nodiscard]] bool is_inertia_of_a_body(const SymMat3& inertia);

/// Tells whether some distribution of mass has this mass, centre and inertia, or there is none at
/// all: m > 0 and the inertia is that of a body, which is the same as a positive semidefinite
/// pseudo-inertia [Σ, m c; m cᵀ, m], Σ = ∫rrᵀdm (Wensing, Kim, Slotine, IEEE RA-L 3(1), 2018).
[[nodiscard]] bool is_possible(const MassProperties& body);

/// Edges of the uniform box of that mass and those second moments, along the principal axes,
/// longest first, m: √(12 ∫x²dm / m). Edges of a plate, a rod or a point are 0. The body must be
/// possible and have a mass.
[[nodiscard]] Vec3 equivalent_box(const MassProperties& body);

}  // namespace armdyn
