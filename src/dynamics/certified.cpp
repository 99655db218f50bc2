#include <armdyn/certified.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/states.hpp"
#include "math/enclosed.hpp"
#include "model/proximal_form.hpp"

namespace armdyn {

namespace {

/// A decimal fraction, exact to 50 digits, and half a unit of its last decimal.
struct Decimal {
  Digits50 value;
  double half_unit = 0.0;
};

/// The decimal fraction that was read as this double: the shortest one, if it is short enough (15
/// digits) to be the only such.
std::optional<Decimal> decimal_of(double x) {
  std::array<char, 32> text{};
  const char* const end =
      std::to_chars(text.begin(), text.end(), x, std::chars_format::scientific).ptr;
  const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = digits.find('e');
  const std::size_t point = digits.find('.');
  const int decimals = point == std::string_view::npos ? 0 : static_cast<int>(e - point) - 1;
  if (decimals > 14) return std::nullopt;
  int exponent = 0;
  const char* const sign = digits.data() + e + 1;
  std::from_chars(*sign == '+' ? sign + 1 : sign, end, exponent);
  const std::string half = "0.5e" + std::to_string(exponent - decimals);
  double half_unit = 0.0;
  std::from_chars(half.data(), half.data() + half.size(), half_unit);
  return Decimal{Digits50(Digits50::Number(std::string(digits))), half_unit};
}

/// Takes a robot's numbers as Encloseds; the error of each counts once, wherever it acts.
class RobotReading {
 public:
  RobotReading(const Robot& robot, InputAccuracy input) : robot_(robot), input_(input) {}

  RobotOf<Enclosed> numbers() {
    RobotOf<Enclosed> read = converted<Enclosed>(
        robot_, [this](const std::string& /*path*/, const RobotField& field, double x) {
          const bool is_of_tensor = field.unit == RobotUnit::inertia && !field.has(role::rotor);
          if (is_of_tensor || field.has(role::limit)) return Enclosed();
          return number(x, few_roundings * std::abs(x));
        });
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      read_inertia(robot_.joints[i].body, read.joints[i].body);
    }
    read_inertia(robot_.payload, read.payload);
    return read;
  }

 private:
  static constexpr double few_roundings = 0x1p-50;

  /// It may have been written about another point.
  void read_inertia(const MassProperties& body, MassPropertiesOf<Enclosed>& read) {
    const double shift = body.mass * dot(body.com, body.com);
    fields([&](const RobotField& /*field*/, const double& x,
               Enclosed& entry) { entry = number(x, few_roundings * (std::abs(x) + 2.0 * shift)); },
           body.inertia, read.inertia);
  }

  /// A number that was computed from others on the way from the file is off by at most `computed`.
  Enclosed number(double x, double computed) {
    if (input_ == InputAccuracy::none || x == 0.0) return Enclosed(x);
    const auto written = robot_.as_written.find(x);
    const bool is_known = written != robot_.as_written.end();
    const std::optional<Decimal> decimal =
        is_known && written->second.is_computed ? std::nullopt : decimal_of(x);
    double radius = decimal ? 0.0 : computed;
    if (input_ == InputAccuracy::decimal) {
      const double shortest = decimal ? decimal->half_unit : 0.0;
      radius += (is_known ? written->second.half_unit : shortest) * (1.0 + 0x1p-50);
    }
    const Digits50 middle = decimal ? decimal->value : Digits50(x);
    return radius == 0.0 ? Enclosed(middle) : Enclosed::measured(middle, radius, measured_++);
  }

  const Robot& robot_;
  InputAccuracy input_;
  std::size_t measured_ = 0;
};

ArmOf<Enclosed> enclosed_arm(const Robot& robot, InputAccuracy input) {
  return proximal_form(robot, RobotReading(robot, input).numbers());
}

std::vector<Enclosed> exact(std::span<const double> values) {
  return {values.begin(), values.end()};
}

}  // namespace

struct CertifiedTorque::Workspace {
  Workspace(const Robot& robot, InputAccuracy input, Of what)
      : arm(enclosed_arm(robot, input)), of(what), links(arm.dof()), tau(arm.dof()) {}

  ArmOf<Enclosed> arm;
  Of of;
  std::vector<LinkState<Enclosed>> links;
  std::vector<Enclosed> tau;
};

CertifiedTorque::CertifiedTorque(const Robot& robot, InputAccuracy input, Of of)
    : workspace_(std::make_unique<Workspace>(robot, input, of)) {}
CertifiedTorque::~CertifiedTorque() = default;
CertifiedTorque::CertifiedTorque(CertifiedTorque&&) noexcept = default;
CertifiedTorque& CertifiedTorque::operator=(CertifiedTorque&&) noexcept = default;

void CertifiedTorque::set(const MotionState& state, const Wrench& hand) {
  Workspace& w = *workspace_;
  require_one_per_joint(w.arm, state);
  const std::vector<Enclosed> q = exact(state.q), qd = exact(state.qd), qdd = exact(state.qdd);
  const ForceAndMoment<Enclosed> outer = constant<Enclosed>(hand);
  newton_euler<Enclosed>(w.arm, q, qd, qdd, &outer, w.links, w.tau);
  for (std::size_t i = 0; w.of == Of::arm && i < w.tau.size(); ++i) {
    w.tau[i] =
        w.tau[i] + drive_torque(w.arm.drives[i], q[i], qd[i], qdd[i], direction_of(state.qd[i]));
  }
  if (w.of == Of::arm) {
    coupled_motor_torques<Enclosed>(
        w.arm.coupled_motors, qd, qdd,
        [](std::size_t /*joint*/, const Enclosed& speed) { return sign(speed); }, adding_to(w.tau));
  }
}

void CertifiedTorque::errors(std::span<const double> tau, std::span<double> errors) const {
  require_one_per_joint(workspace_->arm, tau, errors);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = workspace_->tau[i].distance(tau[i]);
  }
}

}  // namespace armdyn
