#include <armdyn/certified.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/sizes.hpp"
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

/// Reads a robot's numbers as Encloseds; numbers at the same place share their error.
class RobotReading {
 public:
  RobotReading(const Robot& robot, InputAccuracy input)
      : as_written_(robot.as_written), input_(input), outer_(current()) {
    current() = this;
  }
  ~RobotReading() { current() = outer_; }
  RobotReading(const RobotReading&) = delete;
  RobotReading& operator=(const RobotReading&) = delete;

  static RobotReading*& current() {
    thread_local RobotReading* reading = nullptr;
    return reading;
  }

  /// A number that was computed from others on the way from the file is off by at most `computed`.
  Enclosed number(const double& x, double computed) {
    if (input_ == InputAccuracy::none || x == 0.0) return Enclosed(x);
    const auto written = as_written_.find(x);
    const bool is_known = written != as_written_.end();
    const std::optional<Decimal> decimal =
        is_known && written->second.is_computed ? std::nullopt : decimal_of(x);
    double radius = decimal ? 0.0 : computed;
    if (input_ == InputAccuracy::decimal) {
      const double shortest = decimal ? decimal->half_unit : 0.0;
      radius += (is_known ? written->second.half_unit : shortest) * (1.0 + 0x1p-50);
    }
    const Digits50 middle = decimal ? decimal->value : Digits50(x);
    return radius == 0.0 ? Enclosed(middle) : with_error(x, middle, radius);
  }

  static constexpr double few_roundings = 0x1p-50;

 private:
  Enclosed with_error(const double& place, const Digits50& middle, double radius) {
    const auto [at, is_new] = indices_.try_emplace(&place, indices_.size());
    return Enclosed::measured(middle, radius, at->second);
  }

  const std::map<double, NumberAsWritten>& as_written_;
  InputAccuracy input_;
  RobotReading* outer_;
  std::map<const double*, std::size_t> indices_;
};

}  // namespace

template <>
struct Data<Enclosed> {
  static Enclosed number(const double& x) {
    return RobotReading::current()->number(x, RobotReading::few_roundings * std::abs(x));
  }
  static Enclosed angle(const double& radians) { return number(radians); }

  /// It may have been written about another point.
  static SymMat<Enclosed> inertia(const MassProperties& body) {
    const double shift = body.mass * dot(body.com, body.com);
    const auto entry = [shift](const double& x) {
      const double computed = RobotReading::few_roundings * (std::abs(x) + 2.0 * shift);
      return RobotReading::current()->number(x, computed);
    };
    const SymMat3& I = body.inertia;
    return {entry(I.xx), entry(I.yy), entry(I.zz), entry(I.xy), entry(I.yz), entry(I.xz)};
  }
};

namespace {

struct EnclosedArm : ArmConstants<Enclosed> {
  std::vector<DriveConstants<Enclosed>> drives;
  std::vector<CoupledMotorConstants<Enclosed>> coupled_motors;
};

EnclosedArm enclosed_arm(const Robot& robot, InputAccuracy input) {
  const RobotReading reading(robot, input);
  EnclosedArm arm{proximal_form<Enclosed>(robot), {}, {}};
  const Arm plain = normalise(robot);
  for (const auto& [friction, motor] : plain.drives) {
    arm.drives.push_back(drive_constants<Enclosed>(friction, motor));
  }
  for (const CoupledMotors& motors : plain.coupled_motors) {
    arm.coupled_motors.push_back(coupled_motor_constants<Enclosed>(motors));
  }
  return arm;
}

std::vector<Enclosed> exact(std::span<const double> values) {
  return {values.begin(), values.end()};
}

}  // namespace

struct CertifiedTorque::Workspace {
  Workspace(const Robot& robot, InputAccuracy input, Of what)
      : arm(enclosed_arm(robot, input)), of(what), links(arm.dof()), tau(arm.dof()) {}

  EnclosedArm arm;
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
