#pragma once

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace armdyn {

/// One link and its joint in the proximal form that every algorithm works on: joint i moves along
/// or about z of {i}, which is fixed in link i. All constants; exact at right angles.
struct Link {
  JointType joint = JointType::revolute;

  // {i−1} to {i}: Rx(α) Tx(a) Rz(θ) Tz(d).
  double a = 0.0;  ///< m
  double cos_alpha = 1.0;
  double sin_alpha = 0.0;
  double d = 0.0;          ///< m; the offset of a prismatic joint
  double cos_theta = 1.0;  ///< of the fixed angle; of the offset of a revolute joint
  double sin_theta = 0.0;

  MassProperties body;  ///< in {i}; a payload is part of the last link
};

/// Friction and motor of one joint: everything between the rotor and the link.
struct Drive {
  Friction friction;
  Motor motor;

  bool operator==(const Drive&) const = default;
};

/// Coupled motors, whose joints' drives have none.
struct CoupledMotors : Coupling {
  std::vector<Motor> motors;  ///< without gear; one per joint of the coupling
};

/// A serial arm made ready for computing: one proximal form for both Denavit-Hartenberg
/// conventions.
struct Arm {
  std::vector<Link> links;
  std::vector<Drive> drives;  ///< one per link
  std::vector<CoupledMotors> coupled_motors;
  Transform tool;  ///< tool frame in the last link's frame
  Vec3 v_dot_0;    ///< acceleration of {0} that stands for gravity: −g in {0}, m/s²

  Convention convention = Convention::modified;  ///< of the user's table, for what is shown
  std::vector<Transform> user_frame;     ///< per link: the user's frame {i} in the link's frame
  Transform base;                        ///< {0} in the world
  std::vector<std::string> joint_names;  ///< for messages; one per link, or none

  [[nodiscard]] std::size_t dof() const { return links.size(); }
};

/// Brings a robot into the proximal form (docs/derivation.md, eq. 1.5-1.9). Joins the payload to the
/// last link. The robot must have no error in `check`; throws std::invalid_argument if it has no
/// joint.
[[nodiscard]] Arm normalise(const Robot& robot);

/// What messages call joint i, which counts from 0: its name, or "joint 3" where it has none.
[[nodiscard]] std::string joint_name(const Arm& arm, std::size_t i);

}  // namespace armdyn
