#pragma once

#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/rigid.hpp"
#include "model/datum.hpp"
#include "model/formula.hpp"

// The numbers of a robot as symbols, or as the formulas by which its file has them.

namespace armdyn {

/// A number of a robot: where, in words of its file, and as the papers call it.
struct NumberPlace {
  enum class Kind { mass, inertia, length, gravity, angle };
  Kind kind;
  std::string path, name;
  const double* number;
};

inline constexpr std::array<std::string_view, 6> tensor_keys{"xx", "yy", "zz", "xy", "yz", "xz"};

/// All numbers that the links' dynamics knows, in the order in which a product has them.
[[nodiscard]] std::vector<NumberPlace> number_places(const Robot& robot);

/// The numbers of a robot as S. While it lives, Data<S> takes them from it.
template <class S>
class RobotNumbers {
 public:
  /// Is told of formulas that S has no form for, and why.
  using Refused = std::function<void(const std::string& text, const std::string& why)>;

  RobotNumbers(const Robot& robot, const Parametrisation& written, Refused refused)
      : robot_(robot), written_(written), refused_(std::move(refused)), outer_(current()) {
    current() = this;
    for (const WrittenNumber& number : written.numbers) texts_[number.path] = &number;
  }
  ~RobotNumbers() { current() = outer_; }
  RobotNumbers(const RobotNumbers&) = delete;
  RobotNumbers& operator=(const RobotNumbers&) = delete;

  static RobotNumbers*& current() {
    thread_local RobotNumbers* numbers = nullptr;
    return numbers;
  }

  [[nodiscard]] S number(const double& x) const {
    const auto found = numbers_.find(&x);
    return found == numbers_.end() ? S(x) : found->second;
  }
  [[nodiscard]] SymMat<S> inertia(const MassProperties& body) const {
    const auto found = inertias_.find(&body);
    if (found != inertias_.end()) return found->second;
    const SymMat3& I = body.inertia;
    return {number(I.xx), number(I.yy), number(I.zz), number(I.xy), number(I.yz), number(I.xz)};
  }

  void set_parameter(const std::string& name, S value) { parameters_.emplace(name, value); }
  void set(const double* number, S value) { numbers_.emplace(number, std::move(value)); }

  /// A formula of parameters that are set; nothing where it has none, or is refused.
  std::optional<S> formula(const std::string& text) {
    bool has_symbols = false;
    try {
      FormulaReader<S> reader(text, [&](std::string_view name) -> S {
        if (const auto found = parameters_.find(name); found != parameters_.end()) {
          has_symbols = true;
          return found->second;
        }
        return S(std::ranges::find(written_.parameters, name, &Parameter::name)->value);
      });
      S value = reader.read();
      if (has_symbols) return value;
    } catch (const FormulaError& why) {
      refused_(text, why.what());
    }
    return std::nullopt;
  }
  /// That of a place of the file, unless the number has been replaced since.
  std::optional<S> formula_at(const NumberPlace& place) {
    const auto text = texts_.find(place.path);
    if (text == texts_.end() || text->second->value != *place.number) return std::nullopt;
    return formula(text->second->text);
  }

  /// What that formula gives in the unit of the file.
  [[nodiscard]] double value_at(const NumberPlace& place) const {
    FormulaReader<double> reader(texts_.find(place.path)->second->text, [&](std::string_view name) {
      return std::ranges::find(written_.parameters, name, &Parameter::name)->value;
    });
    return reader.read();
  }

  /// Tensors that were written about the origin of their frame, as formulas or not, less m S(r_c).
  void read_inertias_about_origin() {
    const std::vector<bool>& about_origin = written_.inertia_about_origin;
    for (std::size_t i = 0; i < about_origin.size() && i < robot_.dof(); ++i) {
      if (about_origin[i]) read_about_origin(robot_.joints[i].body, i);
    }
  }

 private:
  void read_about_origin(const MassProperties& body, std::size_t joint) {
    std::array<S, tensor_keys.size()> I;
    for (std::size_t k = 0; k < I.size(); ++k) {
      const auto text = texts_.find("joints[" + std::to_string(joint) + "].inertia." +
                                    std::string(tensor_keys[k]));
      if (text == texts_.end()) continue;
      const auto found = formula(text->second->text);
      I[k] = found ? *found : S(text->second->value);
    }
    const Vec<S> com{number(body.com.x), number(body.com.y), number(body.com.z)};
    const SymMat<S> shift = point_inertia(-number(body.mass), com);
    inertias_[&body] = SymMat<S>{I[0], I[1], I[2], I[3], I[4], I[5]} + shift;
  }

  const Robot& robot_;
  const Parametrisation& written_;
  Refused refused_;
  RobotNumbers* outer_;
  std::map<std::string, const WrittenNumber*, std::less<>> texts_;
  std::map<std::string, S, std::less<>> parameters_;
  std::map<const double*, S> numbers_;
  std::map<const MassProperties*, SymMat<S>> inertias_;
};

/// What Data<S> is where S takes numbers as they are written.
template <class S>
struct RobotData {
  static S number(const double& x) {
    const RobotNumbers<S>* const numbers = RobotNumbers<S>::current();
    return numbers != nullptr ? numbers->number(x) : S(x);
  }
  static S angle(const double& radians) { return number(radians); }
  static SymMat<S> inertia(const MassProperties& body) {
    const RobotNumbers<S>* const numbers = RobotNumbers<S>::current();
    return numbers != nullptr ? numbers->inertia(body) : constant<S>(body.inertia);
  }
};

}  // namespace armdyn
