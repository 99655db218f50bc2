#include <armdyn/regressor.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "dynamics/arm_program.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/packed_arm.hpp"
#include "dynamics/regressor_columns.hpp"
#include "dynamics/states.hpp"
#include "math/each.hpp"
#include "math/require.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/spring_law.hpp"

namespace armdyn {

namespace {

using Kind = ParameterKind;

/// The sign of each kind of parameter in names, and its unit.
struct KindWords {
  const char* name;
  RobotUnit unit;  ///< none for first moments, kg·m
};
constexpr std::array kinds{KindWords{"m", RobotUnit::mass},
                           KindWords{"mx", RobotUnit::none},
                           KindWords{"my", RobotUnit::none},
                           KindWords{"mz", RobotUnit::none},
                           KindWords{"Ixx", RobotUnit::inertia},
                           KindWords{"Iyy", RobotUnit::inertia},
                           KindWords{"Izz", RobotUnit::inertia},
                           KindWords{"Ixy", RobotUnit::inertia},
                           KindWords{"Iyz", RobotUnit::inertia},
                           KindWords{"Ixz", RobotUnit::inertia},
                           KindWords{"rotor", RobotUnit::inertia},
                           KindWords{"viscous", RobotUnit::damping},
                           KindWords{"coulomb", RobotUnit::effort},
                           KindWords{"static", RobotUnit::effort},
                           KindWords{"sigmoid", RobotUnit::effort},
                           KindWords{"motor_viscous", RobotUnit::motor_damping},
                           KindWords{"motor_coulomb", RobotUnit::motor_effort},
                           KindWords{"offset", RobotUnit::effort},
                           KindWords{"stiffness", RobotUnit::stiffness},
                           KindWords{"spring_load", RobotUnit::none}};

const KindWords& words(Kind kind) {
  return kinds.at(static_cast<std::size_t>(kind));
}

constexpr std::size_t first_of_drive = body_parameters;
constexpr auto end_of_drive = static_cast<std::size_t>(Kind::stiffness);

/// Tests whether a drive's torque depends on the parameter.
bool has(const Drive& drive, Kind kind) {
  const Friction& friction = drive.friction;
  switch (kind) {
    case Kind::breakaway:
      return friction.breakaway && friction.stribeck_velocity > 0.0;
    case Kind::sigmoid:
      return friction.sigmoid.slope != 0.0;
    case Kind::motor_viscous:
    case Kind::motor_coulomb:
      return drive_parameter(drive, kind) != 0.0;
    default:
      return true;
  }
}

/// The drive with this parameter 1 and the others 0, so that its torque is a column of Y: that
/// torque is linear in them.
Drive unit_drive(const Drive& drive, Kind kind) {
  Drive unit = drive;
  for (std::size_t k = first_of_drive; k < end_of_drive; ++k) {
    const auto other = static_cast<Kind>(k);
    set_drive_parameter(unit.friction, unit.motor, other, other == kind ? 1.0 : 0.0);
  }
  return unit;
}

bool is_of_motor(Kind kind) {
  return kind == Kind::rotor_inertia || kind == Kind::motor_viscous || kind == Kind::motor_coulomb;
}

/// The arm with that spring alone: of stiffness 1, or as it is where it has no stiffness times a
/// deflection.
Arm with_unit_spring(const Arm& arm, std::size_t s, Kind kind) {
  Arm sprung = arm;
  sprung.springs = {arm.springs[s]};
  auto& pieces = sprung.springs.front().pieces;
  if (kind == Kind::stiffness) pieces = {{pieces.front().from, 0.0, 1.0, 0.0}};
  return sprung;
}

bool is_of_spring(const DynamicParameter& parameter) {
  return parameter.kind >= Kind::stiffness;
}

}  // namespace

std::string name(const DynamicParameter& parameter) {
  const char* const kind = words(parameter.kind).name;
  if (parameter.of_payload) return fmt::format("payload_{}", kind);
  const std::size_t number = is_of_spring(parameter) ? parameter.spring : parameter.joint;
  return fmt::format("{}{}", kind, number + 1);
}

std::string unit(const DynamicParameter& parameter, const Robot& robot) {
  const RobotUnit unit = words(parameter.kind).unit;
  if (parameter.kind == Kind::spring_load) return "1";
  if (unit == RobotUnit::none) return "kg·m";
  const bool is_between_points =
      parameter.kind == Kind::stiffness && robot.springs[parameter.spring].row.empty();
  return unit_text(
      unit, is_between_points ? JointType::prismatic : joint_at(robot, parameter.joint).type);
}

std::vector<std::size_t> joints_of(const DynamicParameter& parameter, const Robot& robot) {
  if (is_of_body(parameter)) return joints_that_move(robot, parameter.joint);
  if (is_of_spring(parameter)) {
    return joints_of_spring(robot, robot.springs[parameter.spring]);
  }
  if (parameter.joint >= robot.dof()) return joint_row(robot, robot, parameter.joint).joints;
  const auto row = motor_row(robot, parameter.joint);
  if (row && is_of_motor(parameter.kind)) return row->joints;
  return {parameter.joint};
}

std::vector<double> body_vector(const MassProperties& body) {
  const auto& [m, c, about_com] = body;
  const SymMat3 I = about_origin(body);
  return {m, m * c.x, m * c.y, m * c.z, I.xx, I.yy, I.zz, I.xy, I.yz, I.xz};
}

MassProperties body_of(std::span<const double> p) {
  require(p.size() == body_parameters, "a body needs ten parameters");
  const double m = p[0];
  const Vec3 com = m == 0.0 ? Vec3{} : Vec3{p[1] / m, p[2] / m, p[3] / m};
  return {m, com, about_com({p[4], p[5], p[6], p[7], p[8], p[9]}, m, com)};
}

RegressorColumns regressor_columns(const Robot& robot, const Arm& arm, Regressor::Payload payload) {
  RegressorColumns columns;
  const auto add_body = [&](std::size_t link, const MassProperties& body, bool of_payload) {
    const std::vector<double> values = body_vector(body);
    for (std::size_t k = 0; k < body_parameters; ++k) {
      columns.parameters.push_back({static_cast<Kind>(k), link, of_payload, values[k]});
    }
  };
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    add_body(k, joint_at(robot, k).body, false);
  }
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Drive drive{arm.drives[i].friction, robot.joints[i].motor};
    const std::optional<JointRow> row = motor_row(robot, i);
    for (std::size_t k = first_of_drive; k < end_of_drive; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (!has(drive, kind)) continue;
      columns.parameters.push_back({kind, i, false, drive_parameter(drive, kind)});
      DriveColumn& column =
          columns.drives.emplace_back(DriveColumn{kind, i, unit_drive(drive, kind)});
      if (row && is_of_motor(kind)) column.on_row = RowDrive{*row, {{}, column.unit.motor}, i};
    }
  }
  for (std::size_t k = robot.dof(); k < number_of_joints(robot); ++k) {
    const double viscous = joint_at(robot, k).friction.viscous;
    const JointRow row = joint_row(robot, robot, k);
    if (row.joints.size() == 1 || viscous == 0.0) continue;  // of one, it is that joint's
    columns.parameters.push_back({Kind::viscous, k, false, viscous});
    DriveColumn& column = columns.drives.emplace_back(DriveColumn{Kind::viscous, k, {}});
    column.on_row = RowDrive{row, {}, {}};
    column.on_row->drive.friction.viscous = 1.0;
  }
  for (std::size_t s = 0; s < robot.springs.size(); ++s) {
    const std::vector<std::size_t> joints = joints_of_spring(robot, robot.springs[s]);
    const std::size_t joint = joints.empty() ? 0 : joints.back();
    const bool is_linear = is_linear_in_stiffness(robot.springs[s]);
    const Kind kind = is_linear ? Kind::stiffness : Kind::spring_load;
    columns.parameters.push_back(
        {kind, joint, false, is_linear ? robot.springs[s].stiffness : 1.0, s});
    DriveColumn& column = columns.drives.emplace_back(DriveColumn{kind, joint, {}});
    column.sprung = with_unit_spring(arm, s, kind);
  }
  columns.has_payload = payload == Regressor::Payload::always || !robot.payload.is_none();
  if (columns.has_payload) add_body(tool_joint(robot), robot.payload, true);
  return columns;
}

namespace {

/// Four unit bodies of a body at a time, the last two with two that are nothing.
std::vector<CompositeBody<Quad, Quad>> side_by_side(std::span<const CompositeBody<double>> bodies) {
  std::vector<CompositeBody<Quad, Quad>> groups;
  for (; !bodies.empty(); bodies = bodies.subspan(body_parameters)) {
    for (std::size_t first = 0; first < body_parameters; first += 4) {
      CompositeBody<Quad, Quad> group{};
      for (std::size_t k = 0; k < std::min<std::size_t>(4, body_parameters - first); ++k) {
        const auto& [mass, h, J] = bodies[first + k];
        group.mass.values[k] = mass;
        for (const auto& [to, from] :
             {std::pair(&group.moment.x, h.x), std::pair(&group.moment.y, h.y),
              std::pair(&group.moment.z, h.z), std::pair(&group.inertia.xx, J.xx),
              std::pair(&group.inertia.yy, J.yy), std::pair(&group.inertia.zz, J.zz),
              std::pair(&group.inertia.xy, J.xy), std::pair(&group.inertia.yz, J.yz),
              std::pair(&group.inertia.xz, J.xz)}) {
          to->values[k] = from;
        }
      }
      groups.push_back(group);
    }
  }
  return groups;
}

}  // namespace

struct Regressor::Workspace {
  Workspace(const Robot& robot, Payload payload)
      : arm(normalize(robot)),
        columns(regressor_columns(robot, arm, payload)),
        bodies(unit_bodies<double>(arm, columns.has_payload)),
        packed(PackedArm::of(arm)),
        links(arm.dof()),
        bodies_of_four(packed ? side_by_side(bodies) : std::vector<CompositeBody<Quad, Quad>>{}),
        program([links = arm, load = columns.has_payload](WrenchInput /*none*/) {
          return link_regressor_program(links, load);
        }) {}

  Arm arm;
  RegressorColumns columns;
  std::vector<CompositeBody<double>> bodies;
  std::optional<PackedArm> packed;
  std::vector<ModifiedLinkState<double>> links;
  std::vector<CompositeBody<Quad, Quad>> bodies_of_four;
  ProgramRunner program;
};

Regressor::Regressor(const Robot& robot, Payload payload)
    : workspace_(std::in_place, robot, payload) {}

const std::vector<DynamicParameter>& Regressor::parameters() const {
  return workspace_->columns.parameters;
}
std::size_t Regressor::dof() const {
  return workspace_->arm.dof();
}

Matrix Regressor::matrix(const MotionState& state) const {
  std::vector<double> Y(dof() * parameters().size());
  matrix(state, Y);
  return {dof(), parameters().size(), std::move(Y)};
}

void Regressor::matrix(const MotionState& state, std::span<double> Y) const {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  const std::size_t n = dof(), count = parameters().size(), links = number_of_bodies(w.arm);
  require(Y.size() == n * count, "a regressor needs dof rows and a column per parameter");
  std::ranges::fill(Y, 0.0);
  const std::size_t to_payload = count - w.bodies.size();  // columns of drives
  const auto first = [&](std::size_t body) {
    return body_parameters * body + (body < links ? 0 : to_payload);
  };
  const MotionOf<double> motion{state.q, state.qd, state.qdd};
  if (w.packed) {
    w.packed->link_columns({as_packed(motion.q), as_packed(motion.qd), as_packed(motion.qdd)},
                           w.bodies_of_four, count, Y);
  } else {
    link_columns<double, double>(w.arm, w.bodies, motion, w.links,
                                 [&](std::size_t k, std::size_t i, double torque) {
                                   const std::size_t body = k / body_parameters;
                                   Y[i * count + first(body) + k % body_parameters] = torque;
                                 });
  }
  for (std::size_t k = 0; k < w.columns.drives.size(); ++k) {
    w.columns.drives[k].torques<double>(motion.q, motion.qd, motion.qdd, by_speed,
                                        [&](std::size_t i, double torque) {
                                          Y[i * count + body_parameters * links + k] += torque;
                                        });
  }
}

void Regressor::block(const MotionBlock& motion, std::span<const ResultColumn> columns) {
  Workspace& w = *workspace_;
  const std::size_t n = dof();
  const std::size_t count = parameters().size();
  require_columns(n, {motion.q, motion.qd, motion.qdd}, motion.wrench);
  require(columns.size() == n * count && motion.wrench.empty(),
          "a block of regressors needs dof·parameters columns and no wrench");
  std::vector<ResultColumn> of_bodies;
  of_bodies.reserve(columns.size());
  auto drive = w.columns.drives.begin();
  for (std::size_t k = 0; k < count; ++k) {
    const bool of_body = is_of_body(parameters()[k]);
    for (std::size_t i = 0; i < n; ++i) {
      const ResultColumn column = columns[i * count + k];
      if (of_body) {
        of_bodies.push_back(column);
      } else {
        std::fill_n(column, motion.rows, 0.0);
      }
    }
    if (of_body) continue;
    for (std::size_t row = 0; row < motion.rows; ++row) {
      drive->torques<double>(
          InRow{motion.q, row}, InRow{motion.qd, row}, InRow{motion.qdd, row}, by_speed,
          [&](std::size_t i, double torque) { columns[i * count + k][row] += torque; });
    }
    ++drive;
  }
  if (w.program.run(motion.rows, {motion.q, motion.qd, motion.qdd}, {}, of_bodies)) return;
  compute_rows({motion.q, motion.qd, motion.qdd}, {}, in_order(motion.rows), of_bodies,
               [&](const MotionState& x, const Wrench& /*wrench*/, std::span<double> values) {
                 std::ranges::copy(link_columns<double, double>(w.arm, w.columns.has_payload,
                                                                {x.q, x.qd, x.qdd}, w.links),
                                   values.begin());
               });
}

}  // namespace armdyn
