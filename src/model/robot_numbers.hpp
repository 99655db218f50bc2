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

// The numbers of a robot as symbols, or as the formulas by which its file has them.

namespace armdyn {

/// The tensor about the centre of mass, in the axes of the body's frame, of one that was given
/// about the origin and in the axes of another there: R I Rᵀ − m S(r_c − p); inertia_in is its
/// inverse.
template <class S>
[[nodiscard]] SymMat<S> inertia_from(const Frame<S>& given_in, const MassPropertiesOf<S>& body) {
  return rotated(given_in.R, body.inertia) + point_inertia(-body.mass, body.com - given_in.p);
}

/// Tells if that number of a file is behind a body that formulas take as it is: of a shape, or of a
/// tensor in a frame of its own.
[[nodiscard]] inline bool is_of_fixed_body(const std::string& path) {
  return path.find(".shape.") != path.npos || path.find(".inertia_frame.") != path.npos;
}

/// A number of a robot: where, in words of its file, and as the papers call it.
struct NumberPlace {
  enum class Kind { mass, inertia, length, friction, gravity, angle };
  Kind kind;
  std::string path, name;
  double value = 0.0;
};

inline constexpr std::array<std::string_view, 6> tensor_keys{"xx", "yy", "zz", "xy", "yz", "xz"};

/// All numbers that the links' dynamics knows, in the order in which a product has them.
[[nodiscard]] std::vector<NumberPlace> number_places(const Robot& robot);

/// A robot whose numbers are S, those of its doubles until they are set.
template <class S>
class RobotNumbers {
 public:
  /// Hears of formulas that S has no form for, and why.
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
  /// The formula of a place of the file, unless the number has been replaced since.
  std::optional<S> formula_at(const NumberPlace& place) {
    const auto text = texts_.find(place.path);
    if (text == texts_.end() || text->second->value != place.value) return std::nullopt;
    return formula(text->second->text);
  }

  /// Value of that formula in the unit of the file.
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
