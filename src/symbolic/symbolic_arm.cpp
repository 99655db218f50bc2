#include "symbolic/symbolic_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dynamics/regressor_columns.hpp"
#include "math/each.hpp"
#include "model/mechanism.hpp"
#include "model/robot_numbers.hpp"

namespace armdyn {

namespace {

using Kind = NumberPlace::Kind;

/// Takes a robot's numbers as polynomials, by their places.
class Reading {
 public:
  Reading(const Robot& robot, const Parametrization& written, const Symbols& symbols,
          SymbolicArm& arm)
      : written_(written),
        symbols_(symbols),
        arm_(arm),
        numbers_(robot, written, [&arm](const std::string& text, const std::string& why) {
          arm.taken_as_numbers.push_back(fmt::format("{}: {}", text, why));
        }) {
    for (const Parameter& parameter : written.parameters) {
      if (!is_asked_for(parameter.name, Symbols::Which::parameters)) continue;
      refuse_name_of_state(parameter.name);
      numbers_.set_parameter(parameter.name, symbol(parameter.name, parameter.value));
    }
    follow_parameters();
    const std::vector<NumberPlace> places = number_places(robot);
    for (const NumberPlace& place : places) read(place);
    numbers_.read_inertias_about_origin();
    for (const WrittenNumber& number : written.numbers) {
      const bool is_moved = moves_fixed_tensor(number.path, written);
      if (!(is_moved || is_of_fixed_body(number.path)) || !numbers_.formula(number.text)) continue;
      arm.taken_as_numbers.push_back(
          number.path + (is_moved ? ": its part in a tensor in another frame"
                                  : ": what follows from axes of a shape or an inertia_frame"));
    }
    refuse_unknown(places);
  }

  [[nodiscard]] const RobotOf<SymbolicNumber>& robot() const { return numbers_.robot(); }

 private:
  [[nodiscard]] bool is_asked_for(const std::string& name, Symbols::Which since) const {
    if (symbols_.which != Symbols::Which::named) return symbols_.which >= since;
    return std::ranges::find(symbols_.names, name) != symbols_.names.end();
  }

  void follow_parameters() {
    std::size_t steps = 200'000;
    const TermBudget budget(steps);
    numbers_.follow_parameters();
    for (const Parameter& parameter : written_.parameters) {
      try {
        arm_.parameters.emplace(parameter.name, numbers_.parameter(parameter.name));
      } catch (const Error&) {  // of a number that needs it
      }
    }
  }

  SymbolicNumber symbol(const std::string& name, double value) {
    const Symbol symbol = arm_.table->add(name);
    arm_.values[symbol] = value;
    SymbolicNumber result(symbol);
    known_.insert(name);
    const std::size_t angle = arm_.table->add_angle(name);  // a formula may ask for its sine
    arm_.angles[angle] = value;
    arm_.table->set_angle(symbol, {SymbolicNumber(SymbolTable::sine(angle)),
                                   SymbolicNumber(SymbolTable::cosine(angle))});
    return result;
  }

  void read(const NumberPlace& place) {
    const double value = place.value;
    const bool is_gravity = place.kind == Kind::gravity;
    const bool is_parameter =
        symbols_.which == Symbols::Which::named && arm_.parameters.contains(place.name);
    const bool is_asked =
        !is_parameter &&
        is_asked_for(place.name, is_gravity ? Symbols::Which::parameters : Symbols::Which::all);
    const bool turns = place.kind == Kind::angle;
    if (auto found = numbers_.formula_at(place, !is_asked && !turns)) {
      if (!turns || is_angle(*found, value)) {
        numbers_.set(place.path, *std::move(found));
        return;
      }
      if (symbols_.which == Symbols::Which::named && right_angle(value)) {
        arm_.taken_as_numbers.push_back(place.path + ": a right angle");
      }
    }
    if (place.name.empty()) return;
    known_.insert(place.name);
    if (value == 0.0 || value == place.neutral) return;
    // An angle that is none of 90° has no other exact sine and cosine than by name.
    if (turns ? right_angle(value).has_value() : !is_asked) return;
    const bool is_turned = place.names_magnitude() && value < 0.0;
    numbers_.set_named(place.path,
                       is_turned ? -symbol(place.name, -value) : symbol(place.name, value));
  }

  /// Tests whether a formula is plus or minus a symbol of that value, rad.
  bool is_angle(const SymbolicNumber& x, double value) const {
    if (x.terms().size() != 1 || x.terms()[0].monomial.size() != 1) return false;
    const auto& [monomial, coefficient] = x.terms()[0];
    const auto known = arm_.values.find(monomial[0].symbol);
    return monomial[0].power == 1 && known != arm_.values.end() &&
           ((coefficient == 1 && known->second == value) ||
            (coefficient == -1 && known->second == -value));
  }

  /// Refuses c12, which is the cosine of q1 + q2, and its like.
  static void refuse_name_of_state(const std::string& name) {
    const bool is_of_state = name.size() > 1 &&
                             std::string_view("scq").find(name[0]) != name.npos &&
                             name.find_first_not_of("0123456789", 1) == name.npos;
    if (!is_of_state) return;
    throw Error(fmt::format(
        "--symbols: the parameter {} has the name of what equations write of joint positions; give "
        "it another name in the file, or leave it a number",
        name));
  }

  void refuse_unknown(const std::vector<NumberPlace>& places) const {
    for (const std::string& name : symbols_.names) {
      if (known_.contains(name)) continue;
      const auto parameters = each(written_.parameters, &Parameter::name);
      throw Error(fmt::format(
          "--symbols: there is no number {}; expected {}names as {}, {}, {}, {} or g", name,
          parameters.empty()
              ? ""
              : fmt::format("parameters of the file ({}) or ", fmt::join(parameters, ", ")),
          places.front().name, "Ixx1", "cx1", "a1"));
    }
  }

  const Parametrization& written_;
  const Symbols& symbols_;
  SymbolicArm& arm_;
  RobotNumbers<SymbolicNumber> numbers_;
  std::set<std::string, std::less<>> known_;
};

/// Joints about parallel axes with nothing between that turns them (docs/derivation.md, 20.2).
std::vector<ParallelJoints> parallel_joints(const ArmOf<SymbolicNumber>& arm) {
  const auto& links = arm.links;
  std::vector<ParallelJoints> parallel;
  int sign = 1;
  bool is_first = true;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool is_opposite = links[i].cos_alpha == -1.0;
    if (i > 0 && !is_opposite && links[i].cos_alpha != 1.0) is_first = true;
    if (is_opposite) sign = -sign;
    if (!is_turning(links[i].joint)) continue;
    if (is_first) {
      parallel.emplace_back();
      sign = 1;
      is_first = false;
    }
    parallel.back().joints.push_back(i);
    parallel.back().signs.push_back(sign);
  }
  return parallel;
}

/// Refuses followers by other factors than whole ones: their sines are no polynomials.
void refuse_fractions(const Arm& arm) {
  for (const Chain& chain : arm.chains) {
    for (std::size_t i = 0; i < chain.rows.size(); ++i) {
      if (!is_turning(chain.arm.links[i].joint)) continue;
      for (const double factor : chain.rows[i].factors) {
        if (factor == std::nearbyint(factor) && std::abs(factor) <= 4.0) continue;
        throw Error(fmt::format(
            "closed forms: {} follows by the factor {}; formulas need whole factors of at most 4",
            chain.arm.joint_names[i], factor));
      }
    }
  }
}

/// Joints of a mechanism about parallel axes: those in whose sums the angles of a chain's parallel links
/// are. The angle of a joint on the link of the one before adds to that one's; else their difference
/// counts.
std::vector<ParallelJoints> parallel_joints_of_chains(const Arm& arm) {
  const std::size_t n = arm.dof();
  std::vector<std::size_t> group = in_order(n);          // by its first joint
  std::vector<std::map<std::size_t, double>> angles(n);  // of the joints' links
  std::vector<bool> turns(n);                            // a link by its position
  for (const auto& [chain, rows, joints] : arm.chains) {
    std::map<std::size_t, double> angle;
    double sign = 1.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double cosine = chain.links[i].cos_alpha;
      if (i > 0 && std::abs(cosine) != 1.0) angle.clear();
      if (cosine == -1.0) sign = -sign;
      if (!is_turning(chain.links[i].joint)) continue;
      for (std::size_t k = 0; k < rows[i].joints.size(); ++k) {
        angle[rows[i].joints[k]] += sign * rows[i].factors[k];
      }
      if (joints[i] < n) angles[joints[i]] = angle;
      for (const auto& [joint, factor] : angle) {
        turns[joint] = true;
        const std::size_t a = group[joint], b = group[angle.begin()->first];
        std::ranges::replace(group, std::max(a, b), std::min(a, b));
      }
    }
  }
  std::vector<ParallelJoints> parallel;
  for (std::size_t first = 0; first < n; ++first) {
    ParallelJoints joints;
    for (std::size_t i = first; i < n; ++i) {
      if (group[i] != first || !turns[i]) continue;
      int sign = 1;
      if (!joints.joints.empty()) {
        const double of_before = angles[i][joints.joints.back()];
        sign = joints.signs.back() * (of_before * angles[i][i] > 0.0 ? 1 : -1);
      }
      joints.joints.push_back(i);
      joints.signs.push_back(sign);
    }
    if (!joints.joints.empty()) parallel.push_back(std::move(joints));
  }
  return parallel;
}

/// Adds the angles of the joints and of their sums.
void add_angles(SymbolicArm& arm) {
  for (ParallelJoints& group : arm.parallel) {
    const std::size_t count = group.joints.size();
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::size_t>& from_i = group.angle.emplace_back(count);
      std::string name;  // 12, or where signs differ q1 - q2
      bool has_signs = false;
      for (std::size_t j = i; j < count; ++j) {
        name +=
            fmt::format("{}{}", arm.constants.dof() > 9 && j > i ? "," : "", group.joints[j] + 1);
        has_signs = has_signs || group.sign(i, j) < 0;
        from_i[j] = arm.table->add_angle(has_signs ? group.sum_text(i, j) : name);
      }
    }
  }
}

/// Sine and cosine of joint i, by those of the sums to it and to the joint before (20.2), or as its
/// own.
SinCosOf<SymbolicNumber> sine_and_cosine_of_joint(const ParallelJoints& group, std::size_t i,
                                                  Angles angles) {
  const auto of = [](std::size_t angle) {
    return std::pair(SymbolicNumber(SymbolTable::sine(angle)),
                     SymbolicNumber(SymbolTable::cosine(angle)));
  };
  const auto [s, c] = of(group.angle[angles == Angles::of_sums ? 0 : i][i]);
  if (i == 0 || angles == Angles::of_joints) return {s, c};
  const auto [s_before, c_before] = of(group.angle[0][i - 1]);
  return {group.signs[i] * (s * c_before - c * s_before), c * c_before + s * s_before};
}

/// Derivative along these rates of positions, velocities and accelerations.
SymbolicNumber slope_along(const SymbolicArm& arm, const SymbolicNumber& x,
                           const std::map<Symbol, SymbolicNumber>& rates) {
  std::map<Symbol, SymbolicNumber> slopes = rates;
  for (const ParallelJoints& group : arm.parallel) {
    for (std::size_t i = 0; i < group.angle.size(); ++i) {
      SymbolicNumber rate;  // of the angle
      for (std::size_t j = i; j < group.angle.size(); ++j) {
        const auto joint = rates.find(symbol_of(arm.q[group.joints[j]]));
        if (joint != rates.end()) rate = rate + group.sign(i, j) * joint->second;
        const Symbol s = SymbolTable::sine(group.angle[i][j]),
                     c = SymbolTable::cosine(group.angle[i][j]);
        slopes[s] = rate * SymbolicNumber(c);
        slopes[c] = -rate * SymbolicNumber(s);
      }
    }
  }
  const auto slope_of = [&](const auto& self, const SymbolicNumber& sum) -> SymbolicNumber {
    SymbolicNumber slope;
    for (const auto& [monomial, coefficient] : sum.terms()) {
      for (const auto& [symbol, power] : monomial) {
        const SymbolicNumber own(symbol);
        if (symbol >= first_reciprocal) {
          slopes[symbol] = -own * own * self(self, arm.table->divisor(symbol));
        }
        const auto found = slopes.find(symbol);
        if (found == slopes.end()) continue;
        const Monomial others = monomial * armdyn::inverse(Monomial{{symbol, 1}});
        slope = slope + SymbolicNumber({Term{others, coefficient * power}}) * found->second;
      }
    }
    return slope;
  };
  return slope_of(slope_of, x);
}

}  // namespace

std::string ParallelJoints::sum_text(std::size_t i, std::size_t j) const {
  std::string text;
  for (std::size_t k = i; k <= j; ++k) {
    text += fmt::format("{}q{}", k == i ? "" : sign(i, k) < 0 ? " - " : " + ", joints[k] + 1);
  }
  return text;
}

SymbolicArm symbolic_arm(const Robot& robot, const Parametrization& written, const Symbols& symbols,
                         Angles angles) {
  require_polynomial_springs(robot, "closed forms");
  SymbolicArm arm;
  arm.table = std::make_shared<SymbolTable>();
  const Reading reading(robot, written, symbols, arm);
  arm.constants = proximal_form(robot, reading.robot());
  arm.has_payload = !robot.payload.is_none();
  if (arm.constants.is_serial()) {
    arm.parallel = parallel_joints(arm.constants);
  } else {
    const Arm numbers = normalize(robot);
    refuse_fractions(numbers);
    arm.parallel = parallel_joints_of_chains(numbers);
    angles = Angles::of_joints;  // those of followers are their sums
  }
  add_angles(arm);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const MotorOf<SymbolicNumber>& motor = arm.constants.drives[i].motor;
    arm.rotors.push_back(motor.gear_ratio * motor.gear_ratio * motor.rotor_inertia);
    const Symbol q = arm.table->add(fmt::format("q{}", i + 1));
    arm.q.emplace_back(q);
    arm.qd_symbols.push_back(arm.table->add_rate(fmt::format("q̇{}", i + 1)));
    arm.qd.emplace_back(arm.qd_symbols.back());
  }
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    arm.qdd_symbols.push_back(arm.table->add_rate(fmt::format("q̈{}", i + 1)));
    arm.qdd.emplace_back(arm.qdd_symbols.back());
  }
  for (const ParallelJoints& group : arm.parallel) {
    for (std::size_t i = 0; i < group.angle.size(); ++i) {
      arm.table->set_angle(symbol_of(arm.q[group.joints[i]]),
                           sine_and_cosine_of_joint(group, i, angles));
    }
  }
  return arm;
}

bool is_of_state(const SymbolicArm& arm, Symbol symbol) {
  return is_rate(symbol) ||
         (is_trigonometric(symbol) && !arm.angles.contains((symbol - first_angle) / 2U)) ||
         std::ranges::find(arm.q, SymbolicNumber(symbol)) != arm.q.end();
}

double evaluate(const SymbolicArm& arm, const SymbolicNumber& x, std::span<const double> q,
                std::span<const double> qd, std::span<const double> qdd) {
  std::map<Symbol, double> values = arm.values;
  const auto add_angle = [&](std::size_t angle, double value) {
    values[SymbolTable::sine(angle)] = std::sin(value);
    values[SymbolTable::cosine(angle)] = std::cos(value);
  };
  for (const auto& [angle, value] : arm.angles) add_angle(angle, value);
  for (const ParallelJoints& group : arm.parallel) {
    for (std::size_t i = 0; i < group.angle.size(); ++i) {
      double sum = 0.0;
      for (std::size_t j = i; j < group.angle.size(); ++j) {
        sum += group.sign(i, j) * q[group.joints[j]];
        add_angle(group.angle[i][j], sum);
      }
    }
  }
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    values[symbol_of(arm.q[i])] = q[i];
    values[arm.qd_symbols[i]] = qd[i];
    values[arm.qdd_symbols[i]] = qdd[i];
  }
  constexpr double rounding = 1e-13;
  /// Returns the sum, and its largest product.
  const auto value_of = [&](const auto& self,
                            const SymbolicNumber& sum) -> std::pair<double, double> {
    double total = 0.0, largest = 0.0;
    for (const Term& term : sum.terms()) {
      auto product = term.coefficient.convert_to<double>();
      for (const auto& [symbol, power] : term.monomial) {
        const auto [base, scale] = symbol >= first_reciprocal
                                       ? self(self, arm.table->divisor(symbol))
                                       : std::pair(values.at(symbol), 1.0);
        const bool is_below = symbol >= first_reciprocal || power < 0;
        if (is_below && std::abs(base) <= rounding * scale) product = std::nan("");
        product *= std::pow(base, symbol >= first_reciprocal ? -power : power);
      }
      total += product;
      largest = std::max(largest, std::abs(product));
    }
    return {total, largest};
  };
  return value_of(value_of, x).first;
}

bool is_at_point(const SymbolicArm& arm) {
  return std::ranges::any_of(arm.q, [&](const SymbolicNumber& q) {
    const auto* const angle = arm.table->angle(symbol_of(q));
    return angle != nullptr && std::ranges::all_of(angle->sin.terms(), [](const Term& term) {
             return term.monomial.empty();
           });
  });
}

SymbolicNumber derivative(const SymbolicArm& arm, const SymbolicNumber& x,
                          const SymbolicNumber* by) {
  if (is_at_point(arm)) throw FormulaError("derivatives of formulas of this length are not read");
  std::map<Symbol, SymbolicNumber> rates;
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    for (const auto& [symbol, rate] :
         {std::pair(symbol_of(arm.q[i]), arm.qd[i]), std::pair(arm.qd_symbols[i], arm.qdd[i]),
          std::pair(arm.qdd_symbols[i], SymbolicNumber())}) {
      if (by == nullptr) rates[symbol] = rate;
      if (by != nullptr && *by == SymbolicNumber(symbol)) rates[symbol] = 1.0;
    }
  }
  if (rates.empty()) throw FormulaError("a derivative is read by one position or velocity alone");
  return slope_along(arm, x, rates);
}

}  // namespace armdyn
