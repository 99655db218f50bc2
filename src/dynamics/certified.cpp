#include <armdyn/certified.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/enclosed.hpp"
#include "model/proximal_form.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

namespace {

/// The decimal fraction of at most 15 digits that was read as this double, the shortest that is.
Digits50 decimal_of(double x) {
  std::array<char, 32> text{};
  char* const end = std::to_chars(text.begin(), text.end(), x, std::chars_format::scientific).ptr;
  return Digits50(Digits50::Number(std::string(text.begin(), end)));
}

/// Takes a robot's numbers as Encloseds; the error of each counts once, wherever it acts.
class RobotReading {
 public:
  RobotReading(const Robot& robot, InputAccuracy input) : robot_(robot), input_(input) {}

  RobotOf<Enclosed> numbers() {
    RobotOf<Enclosed> read = converted<Enclosed>(
        robot_, [this](const std::string& path, const RobotField& field, double x) {
          if (is_of_tensor(field) || field.has(role::limit)) return Enclosed();
          return number(path, x, few_roundings * std::abs(x));
        });
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      read_inertia("joints[" + std::to_string(i) + "].", robot_.joints[i].body,
                   read.joints[i].body);
    }
    read_inertia("payload.", robot_.payload, read.payload);
    return read;
  }

 private:
  static constexpr double few_roundings = 0x1p-50;

  static bool is_of_tensor(const RobotField& field) {
    return field.unit == RobotUnit::inertia && !field.has(role::rotor);
  }

  /// It may have been written about another point.
  void read_inertia(const std::string& at, const MassProperties& body,
                    MassPropertiesOf<Enclosed>& read) {
    const double shift = body.mass * dot(body.com, body.com);
    for_each_number(
        [&](const std::string& path, const RobotField& field, double x, Enclosed& entry) {
          if (!is_of_tensor(field)) return;
          entry = number(at + path, x, few_roundings * (std::abs(x) + 2.0 * shift));
        },
        body, read);
  }

  /// A number that was computed from others on the way from the file is off by at most `computed`.
  Enclosed number(const std::string& path, double x, double computed) {
    auto written = robot_.as_written.find(path);
    const auto none = robot_.as_written.end();
    // One level may stand for both directions.
    if (written == none) written = robot_.as_written.find(path.substr(0, path.rfind('[')));
    if (input_ == InputAccuracy::none || x == 0.0 || written == none ||
        written->second.value != x) {
      return Enclosed(x);
    }
    const auto& [value, half_unit, is_computed] = written->second;
    double radius = is_computed ? computed : 0.0;
    if (input_ == InputAccuracy::decimal) radius += half_unit * (1.0 + 0x1p-50);
    const Digits50 middle = is_computed ? Digits50(x) : decimal_of(x);
    return radius == 0.0 ? Enclosed(middle) : Enclosed::measured(middle, radius, measured_++);
  }

  const Robot& robot_;
  InputAccuracy input_;
  std::size_t measured_ = 0;
};

// Rows of a joint in AsPlaced; its own is in the middle.
constexpr std::size_t rows_on_way = 5;

/// The arm as its file has it, with fixed links where axes are not quite those of the table.
Robot as_placed(const Robot& robot) {
  if (!robot.as_placed) return robot;
  Robot placed = robot;
  std::tie(placed.base, placed.tool) = std::tie(robot.as_placed->base, robot.as_placed->tool);
  placed.joints.clear();
  for (const DhRow& row : robot.as_placed->rows) {
    const Joint& own = robot.joints[placed.joints.size() / rows_on_way];
    const std::size_t place = placed.joints.size() % rows_on_way;
    Joint& joint = placed.joints.emplace_back(place == rows_on_way / 2 ? own : Joint{});
    joint.dh = row;
    joint.body = place + 1 == rows_on_way ? own.body : MassProperties{};
  }
  note_computed(placed);
  return placed;
}

ArmOf<Enclosed> enclosed_arm(const Robot& robot, InputAccuracy input) {
  return proximal_form(robot, RobotReading(robot, input).numbers());
}

}  // namespace

struct CertifiedTorque::Workspace {
  Workspace(const Robot& robot, InputAccuracy input, Of what)
      : arm(enclosed_arm(as_placed(robot), input)),
        of(what),
        rows(robot.as_placed ? rows_on_way : 1),
        links(arm.dof()),
        tau(arm.dof()) {}

  ArmOf<Enclosed> arm;
  Of of;
  std::size_t rows;  ///< per joint
  std::vector<LinkState<Enclosed>> links;
  std::vector<Enclosed> tau;

  [[nodiscard]] std::size_t dof() const { return arm.dof() / rows; }
  [[nodiscard]] std::size_t row(std::size_t joint) const { return joint * rows + rows / 2; }
  /// By row; fixed links rest.
  [[nodiscard]] std::vector<Enclosed> exact(std::span<const double> values) const {
    std::vector<Enclosed> all(arm.dof());
    for (std::size_t i = 0; i < values.size(); ++i) all[row(i)] = Enclosed(values[i]);
    return all;
  }
};

CertifiedTorque::CertifiedTorque(const Robot& robot, InputAccuracy input, Of of)
    : workspace_(std::in_place, robot, input, of) {}

void CertifiedTorque::set(const MotionState& state, const Wrench& hand) {
  Workspace& w = *workspace_;
  require_one_per_joint(w, state);
  const std::vector<Enclosed> q = w.exact(state.q), qd = w.exact(state.qd),
                              qdd = w.exact(state.qdd);
  const ForceAndMoment<Enclosed> outer = constant<Enclosed>(hand);
  newton_euler<Enclosed>(w.arm, q, qd, qdd, &outer, w.links, w.tau);
  for (std::size_t joint = 0; w.of == Of::arm && joint < w.dof(); ++joint) {
    const std::size_t i = w.row(joint);
    w.tau[i] = w.tau[i] +
               drive_torque(w.arm.drives[i], q[i], qd[i], qdd[i], direction_of(state.qd[joint]));
  }
  if (w.of == Of::arm) {
    coupled_motor_torques<Enclosed>(
        w.arm.coupled_motors, qd, qdd,
        [](std::size_t /*joint*/, const Enclosed& speed) { return sign(speed); }, adding_to(w.tau));
  }
}

void CertifiedTorque::errors(std::span<const double> tau, std::span<double> errors) const {
  require_one_per_joint(*workspace_, tau, errors);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = workspace_->tau[workspace_->row(i)].distance(tau[i]);
  }
}

}  // namespace armdyn
