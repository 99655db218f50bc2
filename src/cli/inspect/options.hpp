#pragma once

// Options of `inspect`, the terms at one state, and their answer.

#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>

#include "cli/options/option_list.hpp"
#include "dynamics/link_frames.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

/// The lists stay texts until the robot is known: they may name its poses, and degrees are for its
/// revolute joints.
struct InspectOptions : VerbOptions {
  std::string motion;  ///< empty: one state
  LogOptions log{.finds_rest = true};
  std::string q, qd, qdd;     ///< empty: zero
  std::vector<TaskRow> rows;  ///< empty: all six, for an arm of six joints
  bool links = false;
  TaskAxes axes = TaskAxes::link;  ///< of the links' vectors; where `names_axes`, of Jacobians, too
  bool names_axes = false;
  LinkPoint point = LinkPoint::com;  ///< of Jacobians of links
  bool linearize = false;
  std::optional<double> sample_time;  ///< s
  bool equilibrium = false;
  bool stable = false;            ///< the equilibrium
  std::vector<std::string> what;  ///< keys of the answer; empty: all
};

void declare(OptionList& list, InspectOptions& options);
/// Axes of Jacobians and Cartesian terms.
[[nodiscard]] inline TaskAxes jacobian_axes(const InspectOptions& options) {
  return options.names_axes ? options.axes : TaskAxes::base;
}
/// The terms at a state, or those that `--what` names for each row of MOTION.
[[nodiscard]] Answer inspect_state(const InspectOptions& options, Run& run);

/// Derivatives of the torque at the state, and the linear models that follow.
struct Linearization {
  TorqueDerivatives torque;
  std::optional<LinearModel> continuous;  ///< absent where M is singular
  std::optional<LinearModel> sampled;     ///< only where a sample time was asked for
  double sample_time = 0.0;               ///< s
  std::string refusal;                    ///< reason why a model is absent
};

struct Inspection {
  std::vector<double> q, qd, qdd;
  ArmPose pose;
  bool has_base = false;  ///< {0} is not the world frame
  Matrix J, Jdot;
  Equations equations;
  Cartesian cartesian;
  std::vector<LinkMotion> links;  ///< those of followers behind the others
  bool has_reactions = true;      ///< of the joints
  // Only where they were asked for:
  std::vector<Matrix> link_jacobians;
  Matrix strobed_M;           ///< by unit accelerations
  Christoffel strobed_Ci{0};  ///< by unit velocities
  std::vector<double> u_ref;  ///< of each link, J (paper 000)
  std::vector<double> tau;    ///< of all drives at q, qd, qdd
  std::optional<Linearization> linear;
  std::optional<Equilibrium> equilibrium;
  std::vector<ArticulatedInertia> articulated;  ///< only where they were asked for
  std::vector<std::string> warnings;
};

/// Throws NumericsError where an equilibrium is asked for and not found.
[[nodiscard]] Inspection inspect(const Robot& robot, const InspectOptions& options);

/// A vector of a link, by its key.
struct NamedVector {
  const char *name, *unit;
  Vec3 value;
};
/// Vectors of a link's motion, and behind them the force and the moment at its joint.
[[nodiscard]] std::array<NamedVector, 11> vectors_of(const LinkMotion& link);
inline constexpr std::size_t motion_vectors = 9;

/// Keys that `--what` takes over a MOTION.
[[nodiscard]] std::vector<std::string> motion_part_keys();
[[nodiscard]] Answer inspect_motion(const InspectOptions& options, Run& run);

/// The answer with the keys of docs/commands/inspect.md; of its parts those that `--what` names.
[[nodiscard]] Document inspection_answer(const Inspection& found, const RobotFile& file,
                                         const InspectOptions& options);

}  // namespace armdyn
