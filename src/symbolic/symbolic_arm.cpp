#include "symbolic/symbolic_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "model/formula.hpp"

namespace armdyn {

namespace {

/// A number of a robot: where, in words of its file, and as the papers call it.
struct Place {
  enum class Kind { mass, inertia, length, gravity, angle };
  Kind kind;
  std::string path, name;
  const double* number;
};

using Kind = Place::Kind;

void add_vector(std::vector<Place>& places, Kind kind, const std::string& path,
                const std::array<std::string, 3>& names, const Vec3& v) {
  places.push_back({kind, path + "[0]", names[0], &v.x});
  places.push_back({kind, path + "[1]", names[1], &v.y});
  places.push_back({kind, path + "[2]", names[2], &v.z});
}

constexpr std::array<std::string_view, 6> tensor_keys{"xx", "yy", "zz", "xy", "yz", "xz"};

std::array<const double*, 6> entries(const SymMat3& I) {
  return {&I.xx, &I.yy, &I.zz, &I.xy, &I.yz, &I.xz};
}

void add_body(std::vector<Place>& places, const std::string& path, const std::string& suffix,
              const MassProperties& body) {
  places.push_back({Kind::mass, path + ".mass", "m" + suffix, &body.mass});
  add_vector(places, Kind::length, path + ".com", {"cx" + suffix, "cy" + suffix, "cz" + suffix},
             body.com);
  for (std::size_t k = 0; k < tensor_keys.size(); ++k) {
    const std::string key(tensor_keys[k]);
    places.push_back({Kind::inertia, fmt::format("{}.inertia.{}", path, key),
                      fmt::format("I{}{}", key, suffix), entries(body.inertia)[k]});
  }
}

/// All numbers that the links' dynamics knows, in the order in which a product has them.
std::vector<Place> places_of(const Robot& robot) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const std::string path = fmt::format("joints[{}]", i), number = std::to_string(i + 1);
    const Joint& joint = robot.joints[i];
    add_body(places, path, number, joint.body);
    places.push_back({Kind::length, path + ".dh.a", "a" + number, &joint.dh.a});
    places.push_back({Kind::length, path + ".dh.d", "d" + number, &joint.dh.d});
    places.push_back({Kind::angle, path + ".dh.alpha", "α" + number, &joint.dh.alpha});
    places.push_back({Kind::angle, path + ".dh.theta", "δ" + number, &joint.dh.theta});
    places.push_back(
        {Kind::inertia, path + ".motor.rotor_inertia", "J" + number, &joint.motor.rotor_inertia});
    places.push_back(
        {Kind::inertia, path + ".motor.gear_ratio", "r" + number, &joint.motor.gear_ratio});
  }
  add_body(places, "payload", "p", robot.payload);
  add_vector(places, Kind::length, "tool.xyz", {"xt", "yt", "zt"}, robot.tool.xyz);
  add_vector(places, Kind::angle, "tool.rpy", {"φt", "θt", "ψt"}, robot.tool.rpy);
  add_vector(places, Kind::angle, "base.rpy", {"φ0", "θ0", "ψ0"}, robot.base.rpy);
  const Vec3& g = robot.gravity;
  const bool is_along_an_axis = (g.x != 0.0) + (g.y != 0.0) + (g.z != 0.0) == 1;
  add_vector(places, Kind::gravity, "gravity",
             is_along_an_axis ? std::array<std::string, 3>{"g", "g", "g"}
                              : std::array<std::string, 3>{"gx", "gy", "gz"},
             g);
  std::ranges::stable_sort(places, {}, &Place::kind);
  return places;
}

/// Takes a robot's numbers as polynomials, by their places.
class Reading {
 public:
  Reading(const Robot& robot, const Parametrisation& written, const Symbols& symbols,
          SymbolicArm& arm)
      : written_(written), symbols_(symbols), arm_(arm), outer_(current()) {
    current() = this;
    for (const WrittenNumber& number : written.numbers) texts_[number.path] = &number;
    for (const Parameter& parameter : written.parameters) {
      if (!is_asked_for(parameter.name, Symbols::Which::parameters)) continue;
      parameters_[parameter.name] = symbol(parameter.name, parameter.value);
    }
    const std::vector<Place> places = places_of(robot);
    for (const Place& place : places) read(place);
    for (std::size_t i = 0; i < written.inertia_about_origin.size() && i < robot.dof(); ++i) {
      if (written.inertia_about_origin[i]) read_about_origin(robot.joints[i].body, i);
    }
    for (const WrittenNumber& number : written.numbers) {
      if (number.path.find(".shape.") != number.path.npos && formula(number.text)) {
        arm.taken_as_numbers.push_back(number.path + ": what follows from a shape");
      }
    }
    refuse_unknown(places);
  }
  ~Reading() { current() = outer_; }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  static Reading*& current() {
    thread_local Reading* reading = nullptr;
    return reading;
  }

  SymbolicNumber number(const double& x) const {
    const auto found = numbers_.find(&x);
    return found == numbers_.end() ? SymbolicNumber(x) : found->second;
  }
  SymMat<SymbolicNumber> inertia(const MassProperties& body) const {
    const auto found = inertias_.find(&body);
    if (found != inertias_.end()) return found->second;
    const SymMat3& I = body.inertia;
    return {number(I.xx), number(I.yy), number(I.zz), number(I.xy), number(I.yz), number(I.xz)};
  }

 private:
  [[nodiscard]] bool is_asked_for(const std::string& name, Symbols::Which since) const {
    if (symbols_.which != Symbols::Which::named) return symbols_.which >= since;
    return std::ranges::find(symbols_.names, name) != symbols_.names.end();
  }

  SymbolicNumber symbol(const std::string& name, double value) {
    const Symbol symbol = arm_.table->add(name);
    arm_.values[symbol] = value;
    SymbolicNumber result(symbol);
    known_.insert(name);
    set_angle(symbol, name, value);
    return result;
  }
  /// Its sine and cosine, which a formula may ask for.
  void set_angle(Symbol symbol, const std::string& name, double value) {
    const std::size_t angle = arm_.table->add_angle(name);
    arm_.angles[angle] = value;
    arm_.table->set_angle(symbol, {SymbolicNumber(SymbolTable::sine(angle)),
                                   SymbolicNumber(SymbolTable::cosine(angle))});
  }

  /// A formula of symbols; nothing where it has none, or is no polynomial.
  std::optional<SymbolicNumber> formula(const std::string& text) {
    bool has_symbols = false;
    try {
      FormulaReader<SymbolicNumber> reader(text, [&](std::string_view name) -> SymbolicNumber {
        if (const auto found = parameters_.find(name); found != parameters_.end()) {
          has_symbols = true;
          return found->second;
        }
        return std::ranges::find(written_.parameters, name, &Parameter::name)->value;
      });
      const SymbolicNumber value = reader.read();
      if (has_symbols) return value;
    } catch (const FormulaError& why) {
      arm_.taken_as_numbers.push_back(fmt::format("{}: {}", text, why.what()));
    }
    return std::nullopt;
  }

  void read(const Place& place) {
    const double value = *place.number;
    const auto text = texts_.find(place.path);
    const bool is_as_written = text != texts_.end() && text->second->value == value;
    if (is_as_written) {
      if (auto found = formula(text->second->text)) {
        if (place.kind != Kind::angle || is_angle(*found, value)) {
          numbers_.emplace(place.number, *std::move(found));
          return;
        }
      }
    }
    const bool is_gravity = place.kind == Kind::gravity;
    const bool is_asked =
        is_asked_for(place.name, is_gravity ? Symbols::Which::parameters : Symbols::Which::all);
    known_.insert(place.name);
    if (value == 0.0 || (place.path.ends_with("gear_ratio") && value == 1.0)) return;
    // An angle that is none of 90° has no other exact sine and cosine than by name.
    if (place.kind == Kind::angle ? right_angle(value).has_value() : !is_asked) return;
    if (is_gravity && value < 0.0) {
      numbers_.emplace(place.number, -symbol(place.name, -value));
    } else {
      numbers_.emplace(place.number, symbol(place.name, value));
    }
  }

  /// Whether a formula is plus or minus a symbol of that value, rad.
  bool is_angle(const SymbolicNumber& x, double value) const {
    if (x.terms().size() != 1 || x.terms()[0].monomial.size() != 1) return false;
    const auto& [monomial, coefficient] = x.terms()[0];
    const auto known = arm_.values.find(monomial[0].symbol);
    return monomial[0].power == 1 && known != arm_.values.end() &&
           ((coefficient == 1 && known->second == value) ||
            (coefficient == -1 && known->second == -value));
  }

  /// A tensor that was written about the origin of its frame, as formulas or not, less m S(r_c).
  void read_about_origin(const MassProperties& body, std::size_t joint) {
    std::array<SymbolicNumber, 6> I;
    for (std::size_t k = 0; k < I.size(); ++k) {
      const auto text = texts_.find(fmt::format("joints[{}].inertia.{}", joint, tensor_keys[k]));
      if (text == texts_.end()) continue;
      const auto found = formula(text->second->text);
      I[k] = found ? *found : SymbolicNumber(text->second->value);
    }
    const Vec<SymbolicNumber> com{number(body.com.x), number(body.com.y), number(body.com.z)};
    const SymMat<SymbolicNumber> shift = point_inertia(-number(body.mass), com);
    inertias_[&body] = SymMat<SymbolicNumber>{I[0], I[1], I[2], I[3], I[4], I[5]} + shift;
  }

  void refuse_unknown(const std::vector<Place>& places) const {
    for (const std::string& name : symbols_.names) {
      if (known_.contains(name)) continue;
      std::vector<std::string> parameters;
      parameters.reserve(written_.parameters.size());
      for (const Parameter& parameter : written_.parameters) parameters.push_back(parameter.name);
      throw Error(fmt::format(
          "--symbols: there is no number {}; expected {}names as {}, {}, {}, {} or g", name,
          parameters.empty()
              ? ""
              : fmt::format("parameters of the file ({}) or ", fmt::join(parameters, ", ")),
          places.front().name, "Ixx1", "cx1", "a1"));
    }
  }

  const Parametrisation& written_;
  const Symbols& symbols_;
  SymbolicArm& arm_;
  Reading* outer_;
  std::map<std::string, const WrittenNumber*, std::less<>> texts_;
  std::map<std::string, SymbolicNumber, std::less<>> parameters_;
  std::map<const double*, SymbolicNumber> numbers_;
  std::map<const MassProperties*, SymMat<SymbolicNumber>> inertias_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace

template <>
struct Data<SymbolicNumber> {
  static SymbolicNumber number(const double& x) { return Reading::current()->number(x); }
  static SymbolicNumber angle(const double& x) { return Reading::current()->number(x); }
  static SymMat<SymbolicNumber> inertia(const MassProperties& body) {
    return Reading::current()->inertia(body);
  }
};

namespace {

/// The angles of the joints and of their sums (docs/derivation.md, 20.2).
void add_parallel_joints(SymbolicArm& arm) {
  const auto& links = arm.constants.links;
  const std::size_t n = links.size();
  const auto is_revolute = [&](std::size_t i) { return links[i].joint == JointType::revolute; };
  for (std::size_t first = 0; first < n;) {
    std::size_t end = first + 1;
    const auto follows = [&](std::size_t i) {
      return is_revolute(i) && is_zero(links[i].sin_alpha) && links[i].cos_alpha == 1.0;
    };
    while (is_revolute(first) && end < n && follows(end)) ++end;
    if (is_revolute(first)) {
      ParallelJoints group{first, {}};
      for (std::size_t i = first; i < end; ++i) {
        std::vector<std::size_t>& from_i = group.angle.emplace_back(end - first);
        std::string name;
        for (std::size_t j = i; j < end; ++j) {
          name += fmt::format("{}{}", n > 9 && j > i ? "," : "", j + 1);
          from_i[j - first] = arm.table->add_angle(name);
        }
      }
      arm.parallel.push_back(std::move(group));
    }
    first = end;
  }
}

/// Of joint i, by those of the sums to it and to the joint before (20.2), or as its own.
SinCosOf<SymbolicNumber> sine_and_cosine_of_joint(const ParallelJoints& group, std::size_t i,
                                                  Angles angles) {
  const auto of = [](std::size_t angle) {
    return std::pair(SymbolicNumber(SymbolTable::sine(angle)),
                     SymbolicNumber(SymbolTable::cosine(angle)));
  };
  const auto [s, c] = of(group.angle[angles == Angles::of_sums ? 0 : i][i]);
  if (i == 0 || angles == Angles::of_joints) return {s, c};
  const auto [s_before, c_before] = of(group.angle[0][i - 1]);
  return {s * c_before - c * s_before, c * c_before + s * s_before};
}

}  // namespace

SymbolicArm symbolic_arm(const Robot& robot, const Parametrisation& written, const Symbols& symbols,
                         Angles angles) {
  SymbolicArm arm;
  arm.table = std::make_shared<SymbolTable>();
  const Reading reading(robot, written, symbols, arm);
  arm.constants = proximal_form<SymbolicNumber>(robot);
  add_parallel_joints(arm);
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Motor& motor = robot.joints[i].motor;
    const SymbolicNumber r = reading.number(motor.gear_ratio);
    arm.rotors.push_back(r * r * reading.number(motor.rotor_inertia));
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
      arm.table->set_angle(arm.q[group.first + i].terms()[0].monomial[0].symbol,
                           sine_and_cosine_of_joint(group, i, angles));
    }
  }
  return arm;
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
        sum += q[group.first + j];
        add_angle(group.angle[i][j], sum);
      }
    }
  }
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    values[arm.q[i].terms()[0].monomial[0].symbol] = q[i];
    values[arm.qd_symbols[i]] = qd[i];
    values[arm.qdd_symbols[i]] = qdd[i];
  }
  const auto value_of = [&](const auto& self, const SymbolicNumber& sum) -> double {
    double total = 0.0;
    for (const Term& term : sum.terms()) {
      auto product = term.coefficient.convert_to<double>();
      for (const auto& [symbol, power] : term.monomial) {
        const double base = symbol >= first_reciprocal
                                ? 1.0 / self(self, arm.table->divisor(symbol))
                                : values.at(symbol);
        product *= std::pow(base, power);
      }
      total += product;
    }
    return total;
  };
  return value_of(value_of, x);
}

}  // namespace armdyn
