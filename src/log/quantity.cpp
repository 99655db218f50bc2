#include "log/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numbers>
#include <sstream>

#include "math/each.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr double turn_per_minute = std::numbers::pi / 30.0;

struct NamedUnit {
  std::string_view dimension, text;
  Unit unit;
};

// Units other than of SI, in the spelling of `plain`.
constexpr std::array known_units{
    NamedUnit{"s", "ms", {1.0, 1e3}},
    NamedUnit{"s", "us", {1.0, 1e6}},
    NamedUnit{"s", "ns", {1.0, 1e9}},
    NamedUnit{"rad", "deg", {degree, 1.0}},
    NamedUnit{"m", "mm", {1.0, 1e3}},
    NamedUnit{"rad/s", "deg/s", {degree, 1.0}},
    NamedUnit{"rad/s", "rpm", {turn_per_minute, 1.0}},
    NamedUnit{"m/s", "mm/s", {1.0, 1e3}},
    NamedUnit{"rad/s^2", "deg/s^2", {degree, 1.0}},
    NamedUnit{"m/s^2", "mm/s^2", {1.0, 1e3}},
    NamedUnit{"N.m", "mN.m", {1.0, 1e3}},
    NamedUnit{"N.m", "kN.m", {1e3, 1.0}},
    NamedUnit{"N", "mN", {1.0, 1e3}},
    NamedUnit{"N", "kN", {1e3, 1.0}},
    NamedUnit{"A", "mA", {1.0, 1e3}},
};

// Gives one spelling to N·m, N*m, N m and Nm, for s², s2 and s^2, for ° and deg, for µs and us.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> spellings{{
      {"·", "."},
      {"⋅", "."},
      {"*", "."},
      {" ", "."},
      {"Nm", "N.m"},
      {"²", "^2"},
      {"s2", "s^2"},
      {"°", "deg"},
      {"µ", "u"},  // the micro sign
      {"μ", "u"},  // the Greek letter
  }};
  std::string result(text);
  for (const auto& [from, to] : spellings) replace_all(result, from, to);
  return result;
}

}  // namespace

std::optional<Unit> find_unit(std::string_view dimension, std::string_view text) {
  const std::string wanted = plain(text);
  if (wanted == dimension) return Unit{};
  for (const auto& [of, name, unit] : known_units) {
    if (of == dimension && name == wanted) return unit;
  }
  return std::nullopt;
}

std::optional<std::string_view> unit_name(std::string_view dimension, const Unit& unit) {
  if (unit.is_si()) return dimension;
  for (const auto& [of, name, known] : known_units) {
    if (of == dimension && known == unit) return name;
  }
  return std::nullopt;
}

bool is_unit(std::string_view text) {
  return std::ranges::any_of(known_units, [wanted = plain(text)](const NamedUnit& known) {
    return known.text == wanted || known.dimension == wanted;
  });
}

std::string units_that_fit(std::string_view dimension) {
  std::string text, last(dimension);
  for (const auto& [of, name, unit] : known_units) {
    if (of != dimension) continue;
    text += (text.empty() ? "" : ", ") + std::exchange(last, name);
  }
  return text + " or " + last;
}

namespace {

const ColumnGroup& group_of(Quantity quantity) {
  return *std::ranges::find(column_groups, quantity, &ColumnGroup::quantity);
}

MatrixSize size_of(const ColumnGroup& group, std::size_t dof) {
  const auto [rows, columns] = *group.matrix;
  return {rows == 0 ? dof : rows, columns == 0 ? dof : columns};
}

std::string entry_name(const ColumnGroup& group, std::size_t k, std::size_t columns) {
  return std::string(group.prefix) + std::to_string(k / columns + 1) + "_" +
         std::to_string(k % columns + 1);
}

}  // namespace

std::vector<Quantity> all_quantities() {
  return each(column_groups, &ColumnGroup::quantity);
}

std::optional<std::string_view> joint_prefix(Quantity quantity) {
  const ColumnGroup& group = group_of(quantity);
  if (group.prefix.empty() || group.matrix) return std::nullopt;
  return group.prefix;
}

std::optional<std::string_view> dimension_of(Quantity quantity, std::size_t index,
                                             const Robot& robot) {
  const ColumnGroup& group = group_of(quantity);
  if (!group.measure) return std::nullopt;
  const bool is_wrench = quantity == Quantity::hand_wrench || quantity == Quantity::reaction;
  const bool is_second =
      is_wrench ? index % 6 < 3
                : !group.prefix.empty() && robot.joints[index].type == JointType::prismatic;
  return is_second ? group.measure->prismatic : group.measure->revolute;
}

std::vector<std::string> column_names(Quantity quantity, std::size_t dof) {
  const ColumnGroup& group = group_of(quantity);
  std::istringstream words{std::string(group.names)};
  std::vector<std::string> listed(std::istream_iterator<std::string>(words), {});
  if (group.prefix.empty() && quantity != Quantity::reaction) return listed;
  std::vector<std::string> names;
  if (group.matrix) {
    const auto [rows, columns] = size_of(group, dof);
    names.reserve(rows * columns);
    for (std::size_t k = 0; k < rows * columns; ++k) names.push_back(entry_name(group, k, columns));
    return names;
  }
  for (std::size_t joint = 1; joint <= dof; ++joint) {
    const std::string number = std::to_string(joint);
    if (quantity == Quantity::reaction) {
      for (const std::string& axis : listed) names.push_back(axis[0] + number + axis[1]);
    } else {
      names.push_back(std::string(group.prefix) + number);
    }
  }
  return names;
}

bool is_matrix(Quantity quantity) {
  return group_of(quantity).matrix.has_value();
}

std::optional<std::pair<Quantity, std::size_t>> matrix_column(std::string_view name,
                                                              std::size_t dof) {
  for (const ColumnGroup& group : column_groups) {
    if (!group.matrix || !name.starts_with(group.prefix)) continue;
    const char* const end = name.data() + name.size();
    std::size_t row = 0, column = 0;
    const char* const bar = std::from_chars(name.data() + group.prefix.size(), end, row).ptr;
    if (bar == end) continue;
    std::from_chars(bar + 1, end, column);
    const auto [rows, columns] = size_of(group, dof);
    if (row - 1 >= rows || column - 1 >= columns) continue;  // 0 is too much, too
    const std::size_t k = (row - 1) * columns + column - 1;
    if (name == entry_name(group, k, columns)) return std::pair(group.quantity, k);
  }
  return std::nullopt;
}

std::string range_text(const std::vector<std::string>& names) {
  return names.size() == 1 ? names.front() : names.front() + ".." + names.back();
}

}  // namespace armdyn
