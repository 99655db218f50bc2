#pragma once

#include <fmt/format.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "math/rigid.hpp"
#include "model/formula.hpp"
#include "model/mechanism.hpp"
#include "model/robot_fields.hpp"

// Numbers of a robot as symbols, or as the formulas that its file has for them.

namespace armdyn {

/// Inertia about the center of mass in the axes of the body's frame, of a tensor given about the
/// origin and in the axes of another frame: R I Rᵀ − m S(r_c − p), the inverse of inertia_in.
template <class S>
[[nodiscard]] SymMat<S> inertia_from(const Frame<S>& given_in, const MassPropertiesOf<S>& body) {
  return rotated(given_in.R, body.inertia) + point_inertia(-body.mass, body.com - given_in.p);
}

// Tensors of uniform bodies about their center of mass (1.10)-(1.12).

template <class S>
[[nodiscard]] SymMat<S> box_inertia(const S& mass, const Vec<S>& edges) {
  const auto& [x, y, z] = edges;
  const S k = mass / S(12.0), zero(0.0);
  return {k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y), zero, zero, zero};
}
template <class S>
[[nodiscard]] SymMat<S> cylinder_inertia(const S& mass, const S& radius, const S& length) {
  const S across = mass * (S(3.0) * radius * radius + length * length) / S(12.0), zero(0.0);
  return {across, across, S(0.5) * mass * radius * radius, zero, zero, zero};
}
template <class S>
[[nodiscard]] SymMat<S> sphere_inertia(const S& mass, const S& radius) {
  const S moment = S(0.4) * mass * radius * radius, zero(0.0);
  return {moment, moment, moment, zero, zero, zero};
}

/// Tests whether a number of a file is no field: of axes of a shape or of an inertia_frame, which formulas
/// take as doubles.
[[nodiscard]] inline bool is_of_fixed_body(const std::string& path) {
  return !field_at(path);
}

/// Tests whether a number of a file is a mass or center on which a tensor depends that is taken as doubles,
/// since it stands in an inertia_frame elsewhere, or is of a payload about its origin.
[[nodiscard]] bool moves_fixed_tensor(const std::string& path, const Parametrization& written);

/// A number of a robot: its path in a file, and its name in the papers, if it has one.
struct NumberPlace {
  enum class Kind { mass, inertia, length, friction, stiffness, gravity, angle };
  Kind kind;
  std::string path, name;
  double value = 0.0;
  double neutral = 0.0;  ///< a value with which it is in no formula

  /// Tests whether the name is of the magnitude: g of the gravity along an axis, while gx has a sign.
  [[nodiscard]] bool names_magnitude() const { return name == "g"; }
};

/// All numbers in the links' dynamics, in the order of factors in a product.
[[nodiscard]] std::vector<NumberPlace> number_places(const Robot& robot);

/// A robot with numbers of S: its doubles until others are set.
template <class S>
class RobotNumbers {
 public:
  /// Called for formulas that S has no form for, with the reason.
  using Refused = std::function<void(const std::string& text, const std::string& why)>;

  RobotNumbers(const Robot& robot, const Parametrization& written, Refused refused)
      : written_(written), refused_(std::move(refused)), robot_(converted<S>(robot)) {
    for_each_number([this](const std::string& path, const RobotField& /*field*/,
                           S& number) { numbers_[path] = &number; },
                    robot_);
    for (const WrittenNumber& number : written.numbers) texts_[number.path] = &number;
  }
  RobotNumbers(const RobotNumbers&) = delete;
  RobotNumbers& operator=(const RobotNumbers&) = delete;

  [[nodiscard]] const RobotOf<S>& robot() const { return robot_; }

  void set_parameter(const std::string& name, S value) { parameters_.emplace(name, value); }
  /// Sets the parameters that follow from those that are set by formulas of the file.
  void follow_parameters() {
    for (const Parameter& parameter : written_.parameters) {
      if (parameter.formula.empty() || parameters_.contains(parameter.name)) continue;
      std::string from;
      read_names(parameter.formula, [&](std::string_view name) {
        const auto before = origins_.find(name);
        if (before != origins_.end()) from = before->second;
        if (before == origins_.end() && parameters_.contains(name)) from = name;
      });
      if (from.empty()) continue;
      origins_[parameter.name] = from;
      const auto refuse = [&](const char* why) {
        without_form_[parameter.name] = fmt::format(
            "--symbols: {0} follows from {1} by {2}, which has no form in symbols: {3}; leave {1} "
            "a number, or name {0} as well",
            parameter.name, from, parameter.formula, why);
      };
      try {
        parameters_.emplace(parameter.name,
                            FormulaReader<S>(parameter.formula, [&](std::string_view name) {
                              return this->parameter(name);
                            }).read());
      } catch (const FormulaError& why) {
        refuse(why.what());
      } catch (const Error& before) {  // of a parameter in it
        without_form_[parameter.name] = before.what();
      } catch (const std::length_error& why) {
        refuse(why.what());
      }
    }
  }
  /// The parameter that was set from which one in this formula follows; "" for those set themselves.
  [[nodiscard]] std::string origin(const std::string& formula) const {
    std::string from;
    read_names(formula, [&](std::string_view name) {
      if (const auto found = origins_.find(name); found != origins_.end()) from = found->second;
    });
    return from;
  }
  /// Value of a parameter. Throws Error where it follows from one that is set, but has no form.
  [[nodiscard]] S parameter(std::string_view name) const {
    if (const auto found = parameters_.find(name); found != parameters_.end()) return found->second;
    if (const auto wrong = without_form_.find(name); wrong != without_form_.end()) {
      throw Error(wrong->second);
    }
    return S(parameter_of_file(name).value);
  }
  void set(const std::string& path, S value) { *numbers_.at(path) = std::move(value); }
  /// Sets a number that has a name of its own: of a tensor, about the center of mass.
  void set_named(const std::string& path, S value) {
    set(path, std::move(value));
    named_.insert(path);
  }

  /// Value of a formula; nothing where it has no parameter that is set, unless it may be a number,
  /// or is refused.
  std::optional<S> formula(const std::string& text, bool may_be_number = false) {
    bool has_symbols = may_be_number;
    try {
      FormulaReader<S> reader(text, [&](std::string_view name) -> S {
        has_symbols = has_symbols || parameters_.contains(name);
        return parameter(name);
      });
      S value = reader.read();
      if (has_symbols) return value;
    } catch (const FormulaError& why) {
      refused_(text, why.what());
    }
    return std::nullopt;
  }
  /// Value of a number's formula in the file, unless the number has been replaced since.
  std::optional<S> formula_at(const NumberPlace& place, bool may_be_number = false) {
    const auto text = texts_.find(place.path);
    if (text == texts_.end() || text->second->value != place.value) return std::nullopt;
    return formula(text->second->text, may_be_number);
  }

  /// Value of a number's formula in the unit of the file.
  [[nodiscard]] double value_at(const NumberPlace& place) const {
    FormulaReader<double> reader(texts_.find(place.path)->second->text, [&](std::string_view name) {
      return parameter_of_file(name).value;
    });
    return reader.read();
  }

  /// Takes tensors written about the origin of their frame to the center of mass: less m S(r_c). One
  /// of a body with named numbers stays as it is there, unless the body follows from parameters.
  void read_inertias_about_origin() {
    const std::vector<bool>& about_origin = written_.inertia_about_origin;
    for (std::size_t i = 0; i < about_origin.size() && i < number_of_joints(robot_); ++i) {
      const auto is_of_body = [link = fmt::format("joints[{}].", i)](const std::string& path) {
        return path.starts_with(link) && has_role(path, role::body);
      };
      const bool follows = std::ranges::any_of(written_.numbers, [&](const WrittenNumber& number) {
        return is_of_body(number.path) && has_symbols(number.text);
      });
      const bool stays = !follows && std::ranges::any_of(named_, is_of_body);
      if (about_origin[i] && !stays) read_about_origin(joint_at(robot_, i).body, i, follows);
    }
  }

 private:
  void read_names(const std::string& formula,
                  const std::function<void(std::string_view)>& seen) const {
    FormulaReader<double>(formula, [&](std::string_view name) {
      seen(name);
      return parameter_of_file(name).value;
    }).read();
  }
  [[nodiscard]] const Parameter& parameter_of_file(std::string_view name) const {
    return *std::ranges::find(written_.parameters, name, &Parameter::name);
  }

  [[nodiscard]] bool has_symbols(const std::string& text) const {
    bool found = false;
    read_names(text, [&](std::string_view name) { found = found || parameters_.contains(name); });
    return found;
  }

  void read_about_origin(MassPropertiesOf<S>& body, std::size_t joint, bool follows) {
    std::vector<std::pair<S*, S>> kept;  // named ones, and zeros of numbers
    fields(
        [&](const RobotField& field, S& entry) {
          const std::string path = fmt::format("joints[{}].inertia.{}", joint, field.key);
          const bool is_kept = named_.contains(path) || (!follows && is_zero(entry));
          if (is_kept) kept.emplace_back(&entry, entry);
          entry = S();
          const auto text = texts_.find(path);
          if (text == texts_.end()) return;
          const auto found = formula(text->second->text);
          entry = found ? *found : S(text->second->value);
        },
        body.inertia);
    body.inertia = body.inertia + point_inertia(-body.mass, body.com);
    for (auto& [entry, value] : kept) *entry = std::move(value);
  }

  const Parametrization& written_;
  Refused refused_;
  RobotOf<S> robot_;
  std::map<std::string, const WrittenNumber*, std::less<>> texts_;
  std::map<std::string, S, std::less<>> parameters_;
  std::map<std::string, std::string, std::less<>> origins_;       ///< of those that follow
  std::map<std::string, std::string, std::less<>> without_form_;  ///< parameters, and messages
  std::map<std::string, S*, std::less<>> numbers_;
  std::set<std::string> named_;  ///< paths
};

}  // namespace armdyn
