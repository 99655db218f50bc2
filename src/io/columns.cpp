#include "io/columns.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "io/nearest_name.hpp"
#include "io/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {
namespace {

constexpr std::array<std::string_view, 6> wrench_axes{"fx", "fy", "fz", "nx", "ny", "nz"};

struct PerJoint {
  Quantity quantity;
  std::string_view prefix;
};

constexpr std::array per_joint{
    PerJoint{Quantity::position, "q"},
    PerJoint{Quantity::velocity, "qd"},
    PerJoint{Quantity::acceleration, "qdd"},
    PerJoint{Quantity::torque, "tau"},
    PerJoint{Quantity::inertia_part, "inertia"},
    PerJoint{Quantity::velocity_part, "velocity"},
    PerJoint{Quantity::gravity_part, "gravity"},
    PerJoint{Quantity::friction_part, "friction"},
    PerJoint{Quantity::motor_part, "motor"},
    PerJoint{Quantity::wrench_part, "wrench"},
    PerJoint{Quantity::tracking_error, "e"},
    PerJoint{Quantity::newton_euler_difference, "newton_euler_difference"},
    PerJoint{Quantity::modified_newton_euler_difference, "modified_newton_euler_difference"},
    PerJoint{Quantity::lagrange_difference, "lagrange_difference"},
};

std::string_view prefix_of(Quantity quantity) {
  const auto* const found = std::find_if(per_joint.begin(), per_joint.end(),
                                         [&](const PerJoint& p) { return p.quantity == quantity; });
  return found == per_joint.end() ? std::string_view{} : found->prefix;
}

Dimension by_joint(JointType type, Dimension revolute, Dimension prismatic) {
  return type == JointType::revolute ? revolute : prismatic;
}

Dimension dimension_of(Quantity quantity, std::size_t index, const Robot& robot) {
  constexpr std::size_t axes = wrench_axes.size();
  if (quantity == Quantity::time) return Dimension::time;
  if (quantity == Quantity::hand_wrench || quantity == Quantity::reaction) {
    return index % axes < 3 ? Dimension::force : Dimension::moment;
  }
  const JointType type = robot.joints[index].type;
  switch (quantity) {
    case Quantity::position:
    case Quantity::tracking_error:
      return by_joint(type, Dimension::angle, Dimension::length);
    case Quantity::velocity:
      return by_joint(type, Dimension::angular_velocity, Dimension::linear_velocity);
    case Quantity::acceleration:
      return by_joint(type, Dimension::angular_acceleration, Dimension::linear_acceleration);
    default:
      return by_joint(type, Dimension::moment, Dimension::force);
  }
}

struct Meaning {
  Quantity quantity;
  std::size_t index;  // within the group
};

using Dictionary = std::unordered_map<std::string, Meaning>;

Dictionary dictionary_for(const Robot& robot) {
  Dictionary meanings;
  const auto add_group = [&](Quantity quantity) {
    const std::vector<std::string> names = column_names(quantity, robot.dof());
    for (std::size_t i = 0; i < names.size(); ++i) meanings.emplace(names[i], Meaning{quantity, i});
  };
  for (const Quantity quantity : {Quantity::time, Quantity::hand_wrench, Quantity::reaction}) {
    add_group(quantity);
  }
  for (const PerJoint& group : per_joint) {
    add_group(group.quantity);
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      const std::string& joint = robot.joints[i].name;
      if (joint.empty()) continue;
      meanings.emplace(std::string(group.prefix) + "_" + joint, Meaning{group.quantity, i});
    }
  }
  return meanings;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// A whole group as one word: q1..q6.
std::string range_text(const std::vector<std::string>& names) {
  return names.size() == 1 ? names.front() : names.front() + ".." + names.back();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

struct CellText {
  std::string name;
  std::optional<std::string> unit;
};

CellText name_and_unit(std::string_view cell) {
  const std::size_t bracket = cell.find('[');
  if (bracket == std::string_view::npos || !cell.ends_with(']')) return {std::string(cell), {}};
  const std::string_view unit = cell.substr(bracket + 1, cell.size() - bracket - 2);
  return {std::string(trimmed(cell.substr(0, bracket))), std::string(trimmed(unit))};
}

// One header being read for one robot.
class HeaderReading {
 public:
  HeaderReading(const Header& header, const Robot& robot)
      : header_(header), robot_(robot), dictionary_(dictionary_for(robot)) {}

  void refuse_what_is_no_header() const;
  void find_meanings(ExtraColumns extra);
  [[nodiscard]] ColumnPlan plan(const std::vector<WantedGroup>& wanted) const;

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(header_.file + ":" + std::to_string(header_.line) + ": " + message);
  }
  [[noreturn]] void refuse_unknown(const std::string& name) const;
  [[nodiscard]] std::string beyond_the_joints(const std::string& name) const;
  [[nodiscard]] std::optional<std::size_t> cell_of(Quantity quantity, std::size_t index) const;
  [[nodiscard]] std::vector<std::string> missing_names(Quantity quantity) const;
  void refuse_incomplete(const std::vector<WantedGroup>& wanted) const;
  [[nodiscard]] Unit unit_of(std::size_t cell) const;
  [[nodiscard]] std::string what_the_file_has() const;

  const Header& header_;
  const Robot& robot_;
  Dictionary dictionary_;
  std::vector<std::optional<Meaning>> meanings_;  // one per cell; nothing: to be ignored
};

void HeaderReading::refuse_what_is_no_header() const {
  const std::vector<std::string>& cells = header_.cells;
  for (const std::string& cell : cells) {
    const std::size_t at = cell.find_first_of(";\t");
    if (at == std::string::npos) continue;
    fail(std::string("columns must be separated by commas; found a ") +
         (cell[at] == ';' ? "semicolon" : "tab") + " in " + shown_text(cell));
  }
  const auto is_number = [](const std::string& cell) { return parse_number(cell).has_value(); };
  if (std::all_of(cells.begin(), cells.end(), is_number)) {
    fail(
        "the first line must be a header with the names of the columns, such as t,q1,qd1,qdd1; "
        "found the number " +
        shown_text(cells.front()) + " (lines that start with # are comments)");
  }
}

std::string HeaderReading::beyond_the_joints(const std::string& name) const {
  constexpr std::string_view digits = "0123456789";
  const std::size_t first_digit = name.find_first_of(digits);
  if (first_digit == std::string::npos) return {};
  const std::size_t after = std::min(name.find_first_not_of(digits, first_digit), name.size());
  const std::string prefix = name.substr(0, first_digit);
  const std::string suffix = name.substr(after);
  const std::string number = name.substr(first_digit, after - first_digit);
  if (!dictionary_.contains(prefix + "1" + suffix)) return {};
  if (number.find_first_not_of('0') == std::string::npos) return "joints are counted from 1";
  if (number.front() == '0') return {};  // q07 is a misspelling
  const std::string first = prefix + "1" + suffix;
  const std::string last = prefix + std::to_string(robot_.dof()) + suffix;
  return robot_.dof() == 1
             ? "the robot has 1 joint, so there is only " + first
             : "the robot has " + std::to_string(robot_.dof()) + " joints, so the last is " + last;
}

void HeaderReading::refuse_unknown(const std::string& name) const {
  const std::string skips = " (--ignore-extra skips unknown columns)";
  if (name.empty()) fail("a column has no name" + skips);
  const std::string beyond = beyond_the_joints(name);
  if (!beyond.empty()) fail("column " + shown_text(name) + ": " + beyond + skips);
  std::vector<std::string_view> candidates;
  for (const auto& [known, meaning] : dictionary_) candidates.push_back(known);
  std::sort(candidates.begin(), candidates.end());
  const auto nearest = nearest_name(name, candidates);
  std::string help = "; did you mean \"";
  if (nearest) {
    help += *nearest + "\"?";
  } else {
    help = "; known are t";
    for (const PerJoint& group : per_joint) {
      help += ", " + range_text(column_names(group.quantity, robot_.dof()));
    }
    help += ", " + joined(column_names(Quantity::hand_wrench, robot_.dof()));
  }
  fail("unknown column " + shown_text(name) + help + skips);
}

void HeaderReading::find_meanings(ExtraColumns extra) {
  for (std::size_t cell = 0; cell < header_.cells.size(); ++cell) {
    const std::string name = name_and_unit(header_.cells[cell]).name;
    const auto found = dictionary_.find(name);
    if (found == dictionary_.end()) {
      if (extra == ExtraColumns::refuse) refuse_unknown(name);
      meanings_.emplace_back();
      continue;
    }
    const Meaning meaning = found->second;
    if (const auto earlier = cell_of(meaning.quantity, meaning.index)) {
      fail("column " + shown_text(header_.cells[cell]) + " is there twice, first as " +
           shown_text(header_.cells[*earlier]));
    }
    meanings_.emplace_back(meaning);
  }
}

std::optional<std::size_t> HeaderReading::cell_of(Quantity quantity, std::size_t index) const {
  for (std::size_t cell = 0; cell < meanings_.size(); ++cell) {
    const auto& meaning = meanings_[cell];
    if (meaning && meaning->quantity == quantity && meaning->index == index) return cell;
  }
  return std::nullopt;
}

std::vector<std::string> HeaderReading::missing_names(Quantity quantity) const {
  const std::vector<std::string> names = column_names(quantity, robot_.dof());
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!cell_of(quantity, i)) missing.push_back(names[i]);
  }
  return missing;
}

std::string HeaderReading::what_the_file_has() const {
  constexpr std::size_t most = 24;
  std::string text;
  for (std::size_t i = 0; i < header_.cells.size() && i < most; ++i) {
    const std::string shown = shown_text(header_.cells[i]);
    text += (i == 0 ? "" : ", ") + shown.substr(1, shown.size() - 2);
  }
  if (header_.cells.size() <= most) return text;
  return text + " and " + std::to_string(header_.cells.size() - most) + " more";
}

void HeaderReading::refuse_incomplete(const std::vector<WantedGroup>& wanted) const {
  std::vector<std::string> missing;
  std::string notes;
  for (const WantedGroup& group : wanted) {
    const std::vector<std::string> all = column_names(group.quantity, robot_.dof());
    std::vector<std::string> absent = missing_names(group.quantity);
    if (absent.empty()) continue;
    const bool wholly = absent.size() == all.size();
    if (wholly && group.need == Need::optional) continue;
    if (wholly && group.quantity != Quantity::hand_wrench) absent = {range_text(all)};
    missing.insert(missing.end(), absent.begin(), absent.end());
    if (group.need == Need::required) continue;
    notes += group.quantity == Quantity::hand_wrench
                 ? "; a hand wrench needs all of " + joined(all) + " or none"
                 : "; " + range_text(all) + " must all be there or none";
  }
  if (missing.empty()) return;
  const bool is_one = missing.size() == 1 && missing.front().find("..") == std::string::npos;
  fail(std::string(is_one ? "missing column " : "missing columns ") + joined(missing) +
       "; the file has " + what_the_file_has() + notes);
}

Unit HeaderReading::unit_of(std::size_t cell) const {
  const std::optional<std::string> unit = name_and_unit(header_.cells[cell]).unit;
  if (!unit) return {};
  const Meaning meaning = *meanings_[cell];
  const Dimension dimension = dimension_of(meaning.quantity, meaning.index, robot_);
  if (const auto known = find_unit(dimension, *unit)) return *known;
  std::string where;
  if (!prefix_of(meaning.quantity).empty()) {
    const bool revolute = robot_.joints[meaning.index].type == JointType::revolute;
    where = std::string(revolute ? " of a revolute" : " of a prismatic") + " joint";
  }
  fail("column " + shown_text(header_.cells[cell]) + where + " cannot have the unit " +
       shown_text(*unit) + "; expected " + units_that_fit(dimension));
}

ColumnPlan HeaderReading::plan(const std::vector<WantedGroup>& wanted) const {
  refuse_incomplete(wanted);
  ColumnPlan plan;
  plan.header = header_.cells;
  for (const WantedGroup& group : wanted) {
    const std::vector<std::string> names = column_names(group.quantity, robot_.dof());
    if (!cell_of(group.quantity, 0)) continue;
    plan.groups.emplace_back(group.quantity, plan.columns.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t cell = cell_of(group.quantity, i).value();
      plan.columns.push_back({names[i], cell, unit_of(cell)});
    }
  }
  return plan;
}

}  // namespace

std::vector<std::string> column_names(Quantity quantity, std::size_t dof) {
  if (quantity == Quantity::time) return {"t"};
  if (quantity == Quantity::hand_wrench) return {wrench_axes.begin(), wrench_axes.end()};
  std::vector<std::string> names;
  for (std::size_t joint = 1; joint <= dof; ++joint) {
    const std::string number = std::to_string(joint);
    if (quantity == Quantity::reaction) {
      for (const std::string_view axis : wrench_axes) names.push_back(axis[0] + number + axis[1]);
    } else {
      names.push_back(std::string(prefix_of(quantity)) + number);
    }
  }
  return names;
}

std::optional<std::size_t> ColumnPlan::first(Quantity quantity) const {
  for (const auto& [group, column] : groups) {
    if (group == quantity) return column;
  }
  return std::nullopt;
}

ColumnPlan plan_columns(const Header& header, const Robot& robot,
                        const std::vector<WantedGroup>& wanted, ExtraColumns extra) {
  HeaderReading reading(header, robot);
  reading.refuse_what_is_no_header();
  reading.find_meanings(extra);
  return reading.plan(wanted);
}

}  // namespace armdyn
