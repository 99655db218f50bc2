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
#include "model/formula.hpp"
#include "model/robot_fields.hpp"

// Numbers of a robot as symbols, or as the formulas by which its file has them.

namespace armdyn {

/// Inertia about the centre of mass in the axes of the body's frame, of a tensor given about the
/// origin and in the axes of another frame: R I Rᵀ − m S(r_c − p), the inverse of inertia_in.
template <class S>
[[nodiscard]] SymMat<S> inertia_from(const Frame<S>& given_in, const MassPropertiesOf<S>& body) {
  return rotated(given_in.R, body.inertia) + point_inertia(-body.mass, body.com - given_in.p);
}

/// Tells if a number of a file is of a shape or of an inertia_frame, which formulas take as doubles.
[[nodiscard]] inline bool is_of_fixed_body(const std::string& path) {
  return path.find(".shape.") != path.npos || path.find(".inertia_frame.") != path.npos;
}

/// A number of a robot: its path in a file, and its name in the papers, which a coupling's have not.
struct NumberPlace {
  enum class Kind { mass, inertia, length, friction, gravity, angle };
  Kind kind;
  std::string path, name;
  double value = 0.0;
};

inline constexpr std::array<std::string_view, 6> tensor_keys{"xx", "yy", "zz", "xy", "yz", "xz"};

/// All numbers in the links' dynamics, in the order of factors in a product.
[[nodiscard]] std::vector<NumberPlace> number_places(const Robot& robot);

/// A robot with numbers of S: its doubles until others are set.
template <class S>
class RobotNumbers {
 public:
  /// Called for formulas that S has no form for, with the reason.
  using Refused = std::function<void(const std::string& text, const std::string& why)>;

  RobotNumbers(const Robot& robot, const Parametrisation& written, Refused refused)
      : written_(written),
        refused_(std::move(refused)),
        robot_(converted<S>(robot, [](const std::string& /*path*/, const RobotField& /*field*/,
                                      double x) { return S(x); })) {
    for_each_number([this](const std::string& path, const RobotField& /*field*/,
                           S& number) { numbers_[path] = &number; },
                    robot_);
    for (const WrittenNumber& number : written.numbers) texts_[number.path] = &number;
  }
  RobotNumbers(const RobotNumbers&) = delete;
  RobotNumbers& operator=(const RobotNumbers&) = delete;

  [[nodiscard]] const RobotOf<S>& robot() const { return robot_; }

  void set_parameter(const std::string& name, S value) { parameters_.emplace(name, value); }
  void set(const std::string& path, S value) { *numbers_.at(path) = std::move(value); }

  /// Value of a formula of parameters that are set; nothing where it has none, or is refused.
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
  /// Value of a number's formula in the file, unless the number has been replaced since.
  std::optional<S> formula_at(const NumberPlace& place) {
    const auto text = texts_.find(place.path);
    if (text == texts_.end() || text->second->value != place.value) return std::nullopt;
    return formula(text->second->text);
  }

  /// Value of a number's formula in the unit of the file.
  [[nodiscard]] double value_at(const NumberPlace& place) const {
    FormulaReader<double> reader(texts_.find(place.path)->second->text, [&](std::string_view name) {
      return std::ranges::find(written_.parameters, name, &Parameter::name)->value;
    });
    return reader.read();
  }

  /// Takes tensors written about the origin of their frame to the centre of mass: less m S(r_c).
  void read_inertias_about_origin() {
    const std::vector<bool>& about_origin = written_.inertia_about_origin;
    for (std::size_t i = 0; i < about_origin.size() && i < robot_.dof(); ++i) {
      if (about_origin[i]) read_about_origin(robot_.joints[i].body, i);
    }
  }

 private:
  void read_about_origin(MassPropertiesOf<S>& body, std::size_t joint) {
    fields(
        [&](const RobotField& field, S& entry) {
          entry = S();
          const auto text = texts_.find("joints[" + std::to_string(joint) + "].inertia." +
                                        std::string(field.key));
          if (text == texts_.end()) return;
          const auto found = formula(text->second->text);
          entry = found ? *found : S(text->second->value);
        },
        body.inertia);
    body.inertia = body.inertia + point_inertia(-body.mass, body.com);
  }

  const Parametrisation& written_;
  Refused refused_;
  RobotOf<S> robot_;
  std::map<std::string, const WrittenNumber*, std::less<>> texts_;
  std::map<std::string, S, std::less<>> parameters_;
  std::map<std::string, S*, std::less<>> numbers_;
};

}  // namespace armdyn
