#include <armdyn/regressor.hpp>

#include <fmt/format.h>
#include <armdyn/inertia.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "dynamics/arm_program.hpp"
#include "dynamics/block_row.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_regressor.hpp"
#include "dynamics/program_runner.hpp"
#include "dynamics/sizes.hpp"

namespace armdyn {

namespace {

using Kind = ParameterKind;

constexpr std::array kind_names{"m",
                                "mx",
                                "my",
                                "mz",
                                "Ixx",
                                "Iyy",
                                "Izz",
                                "Ixy",
                                "Iyz",
                                "Ixz",
                                "rotor",
                                "viscous",
                                "coulomb",
                                "static",
                                "sigmoid",
                                "motor_viscous",
                                "motor_coulomb",
                                "offset"};

double mean(const TwoSided& level) {
  return (level.positive + level.negative) / 2;
}

/// Levels of mean 1, in the ratio that these have.
TwoSided unit_level(const TwoSided& level) {
  const double size = mean(level);
  return size == 0.0 ? TwoSided{1.0, 1.0} : TwoSided{level.positive / size, level.negative / size};
}

/// What the drive has of a parameter; nothing where its torque does not depend on it.
std::optional<double> value_of(const Drive& drive, Kind kind) {
  const auto& [friction, motor] = drive;
  const auto if_any = [](double value) {
    return value == 0.0 ? std::nullopt : std::optional(value);
  };
  switch (kind) {
    case Kind::rotor_inertia:
      return motor.rotor_inertia;
    case Kind::viscous:
      return friction.viscous;
    case Kind::coulomb:
      return mean(friction.coulomb);
    case Kind::breakaway:
      return friction.breakaway && friction.stribeck_velocity > 0.0
                 ? std::optional(mean(*friction.breakaway))
                 : std::nullopt;
    case Kind::sigmoid:
      return friction.sigmoid.slope == 0.0 ? std::nullopt
                                           : std::optional(friction.sigmoid.amplitude);
    case Kind::motor_viscous:
      return if_any(motor.viscous);
    case Kind::motor_coulomb:
      return if_any(mean(motor.coulomb));
    default:
      return 0.0;
  }
}

/// The drive with this parameter 1 and the others 0, so that its torque is a column of Y: that
/// torque is linear in them.
Drive unit_drive(const Drive& drive, Kind kind) {
  Drive unit = drive;
  auto& [friction, motor] = unit;
  friction.viscous = motor.viscous = motor.rotor_inertia = friction.sigmoid.amplitude = 0.0;
  friction.coulomb = motor.coulomb = {};
  if (friction.breakaway) friction.breakaway = TwoSided{};
  switch (kind) {
    case Kind::rotor_inertia:
      motor.rotor_inertia = 1.0;
      break;
    case Kind::viscous:
      friction.viscous = 1.0;
      break;
    case Kind::coulomb:
      friction.coulomb = unit_level(drive.friction.coulomb);
      break;
    case Kind::breakaway:
      friction.breakaway = unit_level(*drive.friction.breakaway);
      break;
    case Kind::sigmoid:
      friction.sigmoid.amplitude = 1.0;
      break;
    case Kind::motor_viscous:
      motor.viscous = 1.0;
      break;
    case Kind::motor_coulomb:
      motor.coulomb = unit_level(drive.motor.coulomb);
      break;
    default:
      break;
  }
  return unit;
}

Arm without_bodies(const Robot& robot) {
  Robot bare = robot;
  for (Joint& joint : bare.joints) joint.body = {};
  bare.payload = {};
  return normalise(bare);
}

}  // namespace

std::string name(const DynamicParameter& parameter) {
  const char* const kind = kind_names.at(static_cast<std::size_t>(parameter.kind));
  if (parameter.of_payload) return fmt::format("payload_{}", kind);
  return fmt::format("{}{}", kind, parameter.joint + 1);
}

std::string unit(const DynamicParameter& parameter, const Robot& robot) {
  const bool turns = robot.joints[parameter.joint].type == JointType::revolute;
  switch (parameter.kind) {
    case Kind::mass:
      return "kg";
    case Kind::mx:
    case Kind::my:
    case Kind::mz:
      return "kg·m";
    case Kind::viscous:
      return turns ? "N·m·s/rad" : "N·s/m";
    case Kind::motor_viscous:
      return "N·m·s/rad";
    case Kind::motor_coulomb:
      return "N·m";
    case Kind::coulomb:
    case Kind::breakaway:
    case Kind::sigmoid:
    case Kind::offset:
      return turns ? "N·m" : "N";
    default:
      return "kg·m²";
  }
}

std::vector<double> body_vector(const MassProperties& body) {
  const auto& [m, c, about_com] = body;
  const SymMat3 I = about_origin(body);
  return {m, m * c.x, m * c.y, m * c.z, I.xx, I.yy, I.zz, I.xy, I.yz, I.xz};
}

MassProperties body_of(std::span<const double> p) {
  const double m = p[0];
  const Vec3 com = m == 0.0 ? Vec3{} : Vec3{p[1] / m, p[2] / m, p[3] / m};
  return {m, com, about_com({p[4], p[5], p[6], p[7], p[8], p[9]}, m, com)};
}

Arm with_unit_body(const Arm& bare, const HeldBody& held, std::size_t parameter) {
  std::array<double, body_parameters> unit{};
  unit[parameter] = 1.0;
  if (parameter >= 1 && parameter <= 3) unit[0] = 1.0;
  const Body<double> body = moved(held.frame, body_of(unit));
  Arm arm = bare;
  arm.links[held.link].body = {body.mass, body.com, body.inertia};
  return arm;
}

struct Regressor::Workspace {
  Workspace(const Robot& robot, Payload payload) : bare(without_bodies(robot)) {
    const std::size_t n = bare.dof();
    const auto add_body = [&](const HeldBody& held, const MassProperties& body, bool of_payload) {
      bodies.push_back(held);
      const std::vector<double> values = body_vector(body);
      for (std::size_t k = 0; k < body_parameters; ++k) {
        parameters.push_back({static_cast<Kind>(k), held.link, of_payload, values[k]});
      }
    };
    for (std::size_t i = 0; i < n; ++i) {
      add_body({i, bare.user_frame[i]}, robot.joints[i].body, false);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (auto k = static_cast<std::size_t>(Kind::rotor_inertia); k < kind_names.size(); ++k) {
        const auto kind = static_cast<Kind>(k);
        const std::optional<double> value = value_of(bare.drives[i], kind);
        if (value) parameters.push_back({kind, i, false, *value});
      }
    }
    const MassProperties& load = robot.payload;
    if (payload == Payload::always || load.mass != 0.0 || load.inertia != SymMat3{}) {
      add_body({n - 1, bare.tool}, load, true);
    }
    program.emplace([arm = bare, held = bodies](HandInput /*none*/) {
      return link_regressor_program(arm, held);
    });
  }

  /// Y_ik of what is no body's, at one state.
  [[nodiscard]] static double drive_entry(const DynamicParameter& parameter, const Drive& unit,
                                          double q, double qd, double qdd) {
    if (parameter.kind == Kind::offset) return 1.0;
    return drive_torque<double>(unit, q, qd, qdd, direction_of(qd));
  }
  [[nodiscard]] static bool is_of_body(const DynamicParameter& parameter) {
    return parameter.kind < Kind::rotor_inertia;
  }

  Arm bare;
  std::vector<HeldBody> bodies;
  std::vector<DynamicParameter> parameters;
  std::optional<ProgramRunner> program;
};

Regressor::Regressor(const Robot& robot, Payload payload)
    : workspace_(std::make_unique<Workspace>(robot, payload)) {}
Regressor::Regressor(const Regressor& other)
    : workspace_(std::make_unique<Workspace>(*other.workspace_)) {}
Regressor& Regressor::operator=(const Regressor& other) {
  workspace_ = std::make_unique<Workspace>(*other.workspace_);
  return *this;
}
Regressor::Regressor(Regressor&&) noexcept = default;
Regressor& Regressor::operator=(Regressor&&) noexcept = default;
Regressor::~Regressor() = default;

const std::vector<DynamicParameter>& Regressor::parameters() const {
  return workspace_->parameters;
}
std::size_t Regressor::dof() const {
  return workspace_->bare.dof();
}

Matrix Regressor::matrix(const MotionState& state) const {
  const Workspace& w = *workspace_;
  require_one_per_joint(w.bare, state);
  const std::size_t n = w.bare.dof();
  Matrix Y(n, w.parameters.size());
  const std::vector<double> columns =
      link_columns<double>(w.bare, w.bodies, {state.q, state.qd, state.qdd});
  std::size_t next = 0;
  for (std::size_t k = 0; k < w.parameters.size(); ++k) {
    const DynamicParameter& p = w.parameters[k];
    if (w.is_of_body(p)) {
      for (std::size_t i = 0; i < n; ++i) Y(i, k) = columns[next++];
    } else {
      const std::size_t i = p.joint;
      Y(i, k) = w.drive_entry(p, unit_drive(w.bare.drives[i], p.kind), state.q[i], state.qd[i],
                              state.qdd[i]);
    }
  }
  return Y;
}

void Regressor::block(const MotionBlock& motion, std::span<const ResultColumn> columns) {
  Workspace& w = *workspace_;
  const std::size_t n = w.bare.dof();
  const std::size_t count = w.parameters.size();
  require_columns(n, {motion.q, motion.qd, motion.qdd}, motion.hand);
  if (columns.size() != n * count || !motion.hand.empty()) {
    throw std::invalid_argument("a block of regressors needs dof·parameters columns and no wrench");
  }
  std::vector<ResultColumn> of_bodies;
  of_bodies.reserve(n * body_parameters * w.bodies.size());
  for (std::size_t k = 0; k < count; ++k) {
    const DynamicParameter& p = w.parameters[k];
    for (std::size_t i = 0; i < n; ++i) {
      const ResultColumn column = columns[i * count + k];
      if (w.is_of_body(p)) {
        of_bodies.push_back(column);
      } else {
        std::fill_n(column, motion.rows, 0.0);
      }
    }
    if (w.is_of_body(p)) continue;
    const std::size_t i = p.joint;
    const Drive unit = unit_drive(w.bare.drives[i], p.kind);
    const ResultColumn column = columns[i * count + k];
    for (std::size_t row = 0; row < motion.rows; ++row) {
      column[row] = w.drive_entry(p, unit, motion.q[i][row], motion.qd[i][row], motion.qdd[i][row]);
    }
  }
  if (w.program->run(motion.rows, {motion.q, motion.qd, motion.qdd}, {}, of_bodies)) return;
  BlockRow row(n);
  for (std::size_t r = 0; r < motion.rows; ++r) {
    row.read(motion, r);
    const MotionState state = row.state();
    const std::vector<double> values =
        link_columns<double>(w.bare, w.bodies, {state.q, state.qd, state.qdd});
    for (std::size_t k = 0; k < values.size(); ++k) of_bodies[k][r] = values[k];
  }
}

}  // namespace armdyn
