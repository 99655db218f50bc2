#include "log/columns.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <tuple>
#include <unordered_map>

#include "log/suggested_columns.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/rotation.hpp"
#include "model/joint_kind.hpp"
#include "model/limits_of_input.hpp"
#include "model/shown_text.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

namespace armdyn {

std::optional<std::size_t> ColumnPlan::first(Quantity quantity) const {
  const auto group = std::ranges::find(groups, quantity, &std::pair<Quantity, std::size_t>::first);
  return group == groups.end() ? std::nullopt : std::optional(group->second);
}

std::span<const TablePlan::Column> ColumnPlan::columns_of(Quantity quantity) const {
  const auto group = std::ranges::find(groups, quantity, &std::pair<Quantity, std::size_t>::first);
  if (group == groups.end()) return {};
  const std::size_t end = group + 1 == groups.end() ? columns.size() : (group + 1)->second;
  return std::span(columns).subspan(group->second, end - group->second);
}

void ColumnPlan::leave_out(Quantity quantity) {
  std::erase_if(groups, [&](const auto& group) { return group.first == quantity; });
}

bool ColumnPlan::is_si(Quantity quantity) const {
  return std::ranges::all_of(columns_of(quantity),
                             [](const Column& column) { return column.unit.is_si(); });
}

double rounded(double number) {
  constexpr double but_for = 0.005;
  double found = 0.0;
  for (double digits = 1.0; digits <= 3.0; digits += 1.0) {
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(number))) + 1.0 - digits);
    found = unit >= 1.0 ? std::round(number / unit) * unit
                        : std::round(number / unit) / std::round(1.0 / unit);
    if (std::abs(found / number - 1.0) < but_for) break;
  }
  return found;
}

void ColumnReading::scale(double by) {
  factor *= by;
  offset *= by;
}

void ColumnReading::read_in(const std::string& unit, double unit_factor) {
  const bool has_unit = name_and_unit(cell).unit.has_value();
  if (factor == 1.0 && offset == 0.0 && !has_unit && !cell.empty()) {
    cell += "[" + unit + "]";
  } else {
    scale(unit_factor);
  }
}

std::string ColumnReading::text() const {
  if (cell.empty() || (!added.empty() && offset != 0.0)) return {};
  std::string text = factor == 1.0    ? cell
                     : factor == -1.0 ? "-" + cell
                                      : fmt::format("{:.6g}*{}", factor, cell);
  if (offset != 0.0) {
    text += is_angle ? fmt::format("{:+.6g}deg", degrees(offset)) : fmt::format("{:+.6g}", offset);
  }
  text += added;
  return later == 0.0 ? text : text + fmt::format("@{:.3g}ms", 1e3 * later);
}

ColumnReading column_reading(const ColumnPlan& plan, const Robot& robot, Quantity quantity,
                             std::size_t joint) {
  const std::optional<std::size_t> first = plan.first(quantity);
  if (!first || *first + joint >= plan.columns.size()) return {};  // not in the file
  const std::size_t place = *first + joint;
  const auto is_here = [&](const auto& step) { return step.column == place; };
  const auto& [unwrapped, sums, shifted] = plan.steps;
  const bool has_currents = quantity == Quantity::torque && plan.has_motor_torques;
  const TablePlan::Column& column = plan.columns[place];
  const auto [name, written] = name_and_unit(plan.header[column.cell]);
  if (has_currents || std::ranges::any_of(sums, is_here) || name.empty() ||
      name.find_first_of(",{}= \"") != name.npos)
    return {};
  const std::string_view dimension = *dimension_of(quantity, joint, robot);
  const Unit read{column.unit.multiply, column.unit.divide};
  std::optional<std::string_view> unit = unit_name(dimension, read);
  ColumnReading reading{.cell = name, .offset = column.unit.add, .is_angle = dimension == "rad"};
  if (!unit) {
    unit = dimension;
    Unit as_written;
    if (const auto known = find_unit(dimension, written.value_or(""))) {
      as_written = *known;
      unit = *unit_name(dimension, as_written);
    }
    reading.factor = read.to_si(1.0) / as_written.to_si(1.0);
  }
  if (*unit != dimension) reading.cell += fmt::format("[{}]", *unit);
  if (std::ranges::any_of(unwrapped, is_here)) reading.cell = "unwrap(" + reading.cell + ")";
  const auto shift = std::ranges::find_if(shifted, is_here);
  if (shift != shifted.end()) reading.later = shift->later;
  return reading;
}

namespace {

/// "q{1..6}[deg]" of q1[deg] to q6[deg]; nothing for texts that differ in more than a number.
std::optional<std::string> counted_text(const std::vector<std::string>& columns) {
  const std::string& first = columns.front();
  for (std::size_t at = 0; at < first.size(); ++at) {
    std::size_t end = at;
    while (end < first.size() && is_digit(first[end]) && end < at + 6) ++end;
    if (end == at || (at > 0 && is_digit(first[at - 1]))) continue;
    const std::size_t number = std::stoul(first.substr(at, end - at));
    const auto text = [&](const auto& middle) {
      return fmt::format("{}{}{}", first.substr(0, at), middle, first.substr(end));
    };
    const auto is_next = [&](std::size_t i) { return columns[i] == text(number + i); };
    if (std::ranges::all_of(in_order(columns.size()), is_next)) {
      return text(fmt::format("{{{}..{}}}", number, number + columns.size() - 1));
    }
  }
  return {};
}

}  // namespace

std::string choices_text(const std::vector<ColumnChoice>& named,
                         const std::vector<ColumnChoice>& anew, std::size_t dof) {
  std::vector<std::string> parts;
  const auto add = [&](const ColumnChoice& choice) {
    parts.push_back(choice.name + "=" + choice.columns);
  };
  const auto find = [&anew](const std::string& name) {
    return std::ranges::find(anew, name, &ColumnChoice::name);
  };
  std::set<std::string> joined;
  std::vector<ColumnChoice> all;
  for (const auto& [group, quantity] : group_names) {
    if (dof < 2 || !joint_prefix(quantity)) continue;
    std::vector<std::string> columns;
    for (std::size_t joint = 1; joint <= dof; ++joint) {
      const auto of_joint = find(fmt::format("{}{}", group, joint));
      if (of_joint != anew.end()) columns.push_back(of_joint->columns);
    }
    const auto text = columns.size() == dof ? counted_text(columns) : std::nullopt;
    if (!text) continue;
    all.push_back({std::string(group), *text});
    for (std::size_t joint = 1; joint <= dof; ++joint) {
      joined.insert(fmt::format("{}{}", group, joint));
    }
  }
  for (const ColumnChoice& old : named) {
    const bool is_again = std::ranges::find(all, old.name, &ColumnChoice::name) != all.end();
    if (find(old.name) == anew.end() && !is_again) add(old);
  }
  std::ranges::for_each(all, add);
  for (const ColumnChoice& choice : anew) {
    if (!joined.contains(choice.name)) add(choice);
  }
  return quoted_word(fmt::format("{}", fmt::join(parts, ",")));
}

namespace {

using Groups = std::vector<Quantity>;

bool wants(const std::vector<WantedGroup>& wanted, Quantity quantity) {
  return std::ranges::find(wanted, quantity, &WantedGroup::quantity) != wanted.end();
}

/// Possible orders of groups in columns without names, the shortest first, those with a wrench
/// last.
std::vector<Groups> orders(const std::vector<WantedGroup>& wanted) {
  std::vector<Groups> bodies(1);  // without t
  bool has_time = false, needs_time = false;
  for (const auto& [quantity, need, instead, or_else] : wanted) {
    if (quantity == Quantity::time) {
      has_time = true;
      needs_time = need == Need::required;
      continue;
    }
    const bool is_rate = quantity == Quantity::velocity || quantity == Quantity::acceleration;
    const bool is_needed = need == Need::required;
    const bool continues =
        is_rate && !bodies.back().empty() && bodies.back().front() == Quantity::position;
    if (need == Need::looked_at || (!is_needed && !continues)) continue;
    if (!is_needed) bodies.push_back(bodies.back());
    bodies.back().push_back(quantity);
  }
  if (wants(wanted, Quantity::contact_wrench)) {
    bodies.push_back(bodies.back());
    bodies.back().push_back(Quantity::contact_wrench);
  }
  std::vector<Groups> orders;
  for (const Groups& body : bodies) {
    if (!needs_time) orders.push_back(body);
    if (!has_time) continue;
    orders.push_back(body);
    orders.back().insert(orders.back().begin(), Quantity::time);
  }
  return orders;
}

std::string order_text(const Groups& order) {
  const auto names = each(order, [](Quantity quantity) {
    const std::string first = column_names(quantity, 1).front();
    return quantity == Quantity::contact_wrench ? "wrench" : first.substr(0, first.find('1'));
  });
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

std::vector<std::string> plain_names(const Header& header, const Robot& robot,
                                     const std::vector<WantedGroup>& wanted) {
  std::string expected;
  for (const Groups& order : orders(wanted)) {
    std::vector<std::string> names;
    for (const Quantity quantity : order) append(names, column_names(quantity, robot.dof()));
    if (names.size() == header.cells.size()) return names;
    expected += fmt::format("{} ({}), ", names.size(), order_text(order));
  }
  const bool is_array = header.line == 0;
  throw InputError(
      fmt::format("{}: found {} of {}; for the robot's {} expected {}or {}", place_text(header),
                  is_array ? "an array" : "a file without a header",
                  counted(header.cells.size(), "column"), counted(robot.dof(), "joint"), expected,
                  is_array ? "a structured dtype with the names of the columns"
                           : "--columns, which names them"));
}

bool is_plain_order(const std::vector<Quantity>& groups) {
  const std::vector<WantedGroup> torques{{Quantity::time, Need::optional}, {Quantity::torque}};
  const std::vector<WantedGroup> motion{{Quantity::time, Need::optional},
                                        {Quantity::position},
                                        {Quantity::velocity},
                                        {Quantity::acceleration},
                                        {Quantity::contact_wrench, Need::optional}};
  const auto is_of = [&](const std::vector<WantedGroup>& wanted) {
    const std::vector<Groups> known = orders(wanted);
    return std::ranges::find(known, groups) != known.end();
  };
  return is_of(torques) || is_of(motion);
}

namespace {

std::string shown_column(const std::string& cell) {
  if (cell.empty()) return "(no name)";
  const std::string shown = shown_text(cell);
  return shown.substr(1, shown.size() - 2);
}

/// Quantities, and places within them, of columns with conventional names, but for matrices, which
/// have too many.
using Dictionary = std::unordered_map<std::string, std::pair<Quantity, std::size_t>>;

Dictionary dictionary_for(const Robot& robot) {
  Dictionary meanings;
  for (const Quantity quantity : all_quantities()) {
    if (is_matrix(quantity)) continue;
    const std::vector<std::string> names = column_names(quantity, robot.dof());
    for (std::size_t i = 0; i < names.size(); ++i) meanings.try_emplace(names[i], quantity, i);
    const std::optional<std::string_view> prefix = joint_prefix(quantity);
    for (std::size_t i = 0; prefix && i < robot.dof(); ++i) {
      const std::string& joint = robot.joints[i].name;
      if (joint.empty()) continue;
      for (const char* const end : {"", "_joint"}) {
        meanings.try_emplace(fmt::format("{}_{}{}", *prefix, joint, end), quantity, i);
      }
    }
  }
  return meanings;
}

/// Finds terms of the equations of motion, which verbs write; in other logs "x" means other things.
bool is_term(Quantity quantity) {
  return quantity >= Quantity::tcp_position && quantity <= Quantity::condition;
}

/// A header, the groups that a verb requests, and the known meanings of its columns.
struct KnownHeader {
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(place_text(header) + ": " + message);
  }

  [[nodiscard]] std::string shown(std::size_t cell) const { return shown_text(header.cells[cell]); }

  [[nodiscard]] std::optional<std::pair<Quantity, std::size_t>> meaning_of_name(
      const std::string& name) const {
    const auto found = dictionary.find(name);
    return found != dictionary.end() ? found->second : matrix_column(name, robot.dof());
  }

  [[nodiscard]] bool is_foreign() const { return !meaning.dialect->refuses_unknown; }
  [[nodiscard]] bool ignores_unknown() const {
    return options.ignore_extra || is_foreign() || !options.choices.empty() || is_renamed();
  }
  /// Tests whether columns of joints have other names than those of the conventions.
  [[nodiscard]] bool is_renamed() const {
    return std::ranges::any_of(meaning.columns, [&](const auto& column) {
      const ColumnMeaning& known = column.second;
      return joint_prefix(known.quantity) &&
             meaning_of_name(name_and_unit(header.cells[column.first], known.quantity).name) !=
                 std::pair(known.quantity, known.index);
    });
  }

  [[nodiscard]] std::vector<std::string> missing_names(Quantity quantity) const {
    const std::vector<std::string> names = column_names(quantity, robot.dof());
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!meaning.cell_of(quantity, i)) missing.push_back(names[i]);
    }
    return missing;
  }

  /// Names of the joints whose currents make no torques.
  [[nodiscard]] std::vector<std::string> without_constant() const {
    std::vector<std::string> without;
    for (const Joint& joint : robot.joints) {
      if (!joint.motor.ratings.torque_constant) without.push_back(joint.name);
    }
    return without;
  }

  /// Sentence on torques in per cent in these cells of the joints, with the --columns that read them
  /// beside other choices.
  [[nodiscard]] std::string per_cent_text(const std::vector<std::size_t>& cells,
                                          std::vector<ColumnChoice> others) const {
    constexpr double example = 150.0;  // where the robot file has no limit
    std::vector<ColumnChoice> line;
    std::vector<std::string> rated, in_parts;
    bool are_limits = true, is_per_mille = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& cell = header.cells[cells[i]];
      const std::optional<double> parts = parts_of_rated(cell);
      if (!parts) continue;
      const std::optional<double>& limit = robot.joints[i].limits.torque;
      are_limits = are_limits && limit;
      is_per_mille = parts == 1000.0;
      const double most = limit.value_or(example);
      in_parts.push_back(shown_text(cell));
      line.push_back(
          {fmt::format("tau{}", i + 1), fmt::format("{}*{}", number_text(most / *parts), cell)});
      rated.push_back(fmt::format("{} {}", number_text(most),
                                  unit_text(RobotUnit::effort, robot.joints[i].type)));
    }
    if (line.size() == robot.dof()) {
      std::erase_if(others, [](const ColumnChoice& of) { return of.name == "tau"; });
    }
    const bool is_one = in_parts.size() == 1;
    const bool are_alike = std::ranges::count(rated, rated.front()) == std::ssize(rated);
    const char* const per = is_per_mille ? "per mille" : "per cent";
    return fmt::format(
        "{} {} in {}, and no {}: --columns {} takes {} for {} of {}{}", range_text(in_parts),
        is_one ? "is" : "are", per, is_one ? "torque" : "torques", choices_text(others, line, 0),
        is_one ? "it" : "them", per,
        are_alike ? "a rated torque of " + rated.front() : "rated torques of " + listed(rated),
        are_limits ? " (limits of the robot file)" : "");
  }

  /// The same of the first ones by their names, where no torques are known; else empty.
  [[nodiscard]] std::string per_cent_hint(const std::vector<ColumnChoice>& others) const {
    if (!wants(wanted, Quantity::torque) || missing_names(Quantity::torque).empty()) return {};
    const std::vector<std::size_t> cells = torques_in_parts(cells_of_numbers(header), robot);
    return cells.empty() ? std::string() : per_cent_text(cells, others);
  }

  /// Suggests moments of other names for a contact wrench; empty without any.
  [[nodiscard]] std::string wrench_hint() const {
    for (const std::string moments : {"tx,ty,tz", "mx,my,mz"}) {
      const auto is_there = [&](const std::string& name) {
        return std::ranges::find(header.cells, name) != header.cells.end();
      };
      if (!std::ranges::all_of(split_at("fx,fy,fz," + moments, ','), is_there)) continue;
      return "; perhaps --columns " +
             choices_text(options.choices, {{"wrench", "{fx,fy,fz," + moments + "}"}}, 0);
    }
    return {};
  }

  /// Names of groups in --columns that are known, or that no verb requests if only `wanted` count.
  [[nodiscard]] std::set<std::string_view> known_groups(bool only_wanted) const {
    std::set<std::string_view> known;
    for (const auto& [group, quantity] : group_names) {
      const bool counts = !only_wanted || wants(wanted, quantity);
      if (meaning.has(quantity) || left_out.contains(quantity) || !counts) known.insert(group);
    }
    return known;
  }

  const Header& header;
  const Robot& robot;
  const std::vector<WantedGroup>& wanted;
  const ColumnOptions& options;
  Dictionary dictionary = dictionary_for(robot);
  HeaderMeaning meaning = recognize(header, robot);
  std::optional<std::size_t> text_cell{};
  std::map<Quantity, std::string> left_out{};  ///< notes on groups
  std::vector<std::string>
      torque_parts{};  ///< of torques, by their names; not read, beside plain names
};

/// Errors for unknown and missing columns, with advice.
class HeaderAdvice {
 public:
  explicit HeaderAdvice(const KnownHeader& known) : known_(known) {}

  [[noreturn]] void refuse_unknown(const std::string& name) const {
    const std::string hint = suggested_choices();
    if (!known_.meaning.why_not.empty()) {
      known_.fail(known_.meaning.why_not + (hint.empty() ? "" : ", perhaps " + hint));
    }
    std::string why;
    if (name.empty()) {
      why = "a column has no name";
    } else if (const std::string beyond = beyond_the_joints(name); !beyond.empty()) {
      why = fmt::format("column {}: {}", shown_text(name), beyond);
    } else if (!hint.empty()) {
      why = fmt::format("unknown column {}; name the columns, perhaps {}", shown_text(name), hint);
    } else {
      const std::string per_cent = known_.per_cent_hint(known_.options.choices);
      why = fmt::format("unknown column {}{}", shown_text(name),
                        per_cent.empty() ? known_names(name) : "; " + per_cent);
    }
    known_.fail(why + " (--ignore-extra skips unknown columns)");
  }

  void refuse_incomplete() const {
    constexpr std::size_t most = 8;
    std::vector<std::string> missing;
    std::string notes, instead;
    for (const WantedGroup& group : known_.wanted) {
      const std::vector<std::string> all = column_names(group.quantity, known_.robot.dof());
      const bool is_wrench = group.quantity == Quantity::contact_wrench;
      std::vector<std::string> absent = known_.missing_names(group.quantity);
      if (absent.empty()) continue;
      const bool wholly = absent.size() == all.size();
      const bool is_replaced = group.or_else && known_.meaning.cell_of(*group.or_else, 0);
      if (group.need == Need::looked_at) continue;
      if (wholly && (group.need == Need::optional || is_replaced)) continue;
      if (wholly && !is_wrench) absent = {range_text(all)};
      if (absent.size() > most) {
        absent[most - 1] = fmt::format("{} more of {}", absent.size() - most + 1, range_text(all));
        absent.resize(most);
      }
      append(missing, absent);
      if (wholly && !group.instead.empty()) instead = fmt::format("; {}", group.instead);
      if (group.need == Need::required) continue;
      notes += is_wrench ? fmt::format("; a contact wrench needs all of {} or none", listed(all))
                         : fmt::format("; {} must all be there or none", range_text(all));
      notes += fmt::format(" (--ignore-extra leaves the others out){}",
                           is_wrench ? known_.wrench_hint() : "");
    }
    if (missing.empty()) return;
    const bool is_one = missing.size() == 1 && missing.front().find("..") == std::string::npos;
    if (!known_.meaning.why_not.empty()) notes += "; " + known_.meaning.why_not;
    const bool has_others = known_.meaning.cells.size() < known_.header.cells.size();
    const std::string hint = has_others ? suggested_choices() : "";
    if (const std::string per_cent = known_.per_cent_hint(known_.options.choices); !hint.empty()) {
      notes += "; perhaps " + hint;
    } else if (!per_cent.empty()) {
      notes += "; " + per_cent;
    } else if (missing.front() == "t" && known_.options.choices.empty() && has_others) {
      notes += has_nameless_stamps()
                   ? "; the first column has no name; if it is the time, --columns \"t=1\" reads it"
                   : "; a column of times with another name is --columns \"t=NAME\"";
    }
    known_.fail(fmt::format("missing column{} {}; the file has {}{}{}", is_one ? "" : "s",
                            listed(missing), listed(each(known_.header.cells, shown_column), 24),
                            notes, instead));
  }

 private:
  /// Hint at the nearest known name, or at all that are read.
  [[nodiscard]] std::string known_names(const std::string& name) const {
    if (const auto joint = joint_of_text(known_.robot, name)) {
      return fmt::format("; the position of joint {0} is q_{0}, or what --columns {1} names",
                         known_.robot.joints[*joint].name,
                         quoted_word(fmt::format("q{}={}", *joint + 1, name)));
    }
    const bool is_rotation_vector = name == "rx" || name == "ry" || name == "rz";
    if (is_rotation_vector && wants(known_.wanted, Quantity::tcp_angles)) {
      return "; rotation vectors are not read, but roll,pitch,yaw or qx,qy,qz,qw";
    }
    std::vector<std::string_view> candidates{known_.options.text_column};
    for (const auto& [known, meaning] : known_.dictionary) {
      if (wants(known_.wanted, meaning.first)) candidates.push_back(known);
    }
    std::ranges::sort(candidates);
    if (std::string nearest = did_you_mean(name, candidates); !nearest.empty()) return nearest;
    std::vector<std::string> known = each(known_.wanted, [&](const WantedGroup& group) {
      const std::vector<std::string> names = column_names(group.quantity, known_.robot.dof());
      return joint_prefix(group.quantity) ? range_text(names) : listed(names);
    });
    if (!known_.options.text_column.empty()) known.push_back(known_.options.text_column);
    return fmt::format("; known are {} and what armdyn writes", listed(known));
  }

  /// Reason why a name like those of joints is none, as q7 of six.
  [[nodiscard]] std::string beyond_the_joints(const std::string& name) const {
    const auto digit = std::ranges::find_if(name, is_digit);
    const auto after = std::find_if_not(digit, name.end(), is_digit);
    const std::string prefix(name.begin(), digit), number(digit, after), suffix(after, name.end());
    const std::string first = prefix + "1" + suffix;
    if (number.empty() || !known_.meaning_of_name(first)) return {};
    if (number.find_first_not_of('0') == number.npos) return "joints are counted from 1";
    if (number.front() == '0') return {};  // q07 is a misspelling
    return fmt::format("the robot has {}, so {}", counted(known_.robot.dof(), "joint"),
                       known_.robot.dof() == 1
                           ? "there is only " + first
                           : fmt::format("the last is {}{}{}", prefix, known_.robot.dof(), suffix));
  }

  // Suggests choices beside those of the user for groups that nobody named yet.
  [[nodiscard]] std::string suggested_choices() const {
    std::set<std::string_view> known = known_.known_groups(false);
    std::vector<ColumnChoice> choices = known_.options.choices;
    if (std::ranges::find(choices, "t", &ColumnChoice::name) != choices.end()) known.insert("t");
    const bool q_is_enough = !known.contains("q") && !known_.without_constant().empty();
    if (!known_.options.takes_currents || known.contains("tau") || q_is_enough) known.insert("i");
    const auto hint = columns_hint(cells_of_numbers(known_.header), known_.robot, known);
    append(choices, hint);
    const std::string per_cent = known_.per_cent_hint(choices);
    if (hint.empty()) return {};
    return fmt::format("--columns {}; a unit that is not SI goes behind, as in q=...[deg]{}{}",
                       choices_text(choices, {}, 0), per_cent.empty() ? "" : "; ", per_cent);
  }

  /// Tests whether the first column has no name and is not of row numbers, as an index of pandas.
  [[nodiscard]] bool has_nameless_stamps() const {
    return known_.header.cells.front().empty() && !known_.header.first_row.empty() &&
           !std::ranges::all_of(known_.header.first_row.front(), is_digit);
  }

  const KnownHeader& known_;
};

/// Units of known columns, by their names, a dialect or the user; those of times by the first stamp.
class ColumnUnits {
 public:
  explicit ColumnUnits(const KnownHeader& known) : known_(known) {}

  /// Tests whether all columns are there, in units that fit.
  [[nodiscard]] bool can_be_looked_at(Quantity quantity, std::size_t count) const {
    return known_.missing_names(quantity).empty() &&
           std::ranges::all_of(in_order(count), [&](std::size_t i) {
             const ColumnMeaning& meaning =
                 known_.meaning.columns.at(known_.meaning.cell_of(quantity, i).value());
             const auto dimension = dimension_of(meaning.quantity, meaning.index, known_.robot);
             return !meaning.unit || (dimension && find_unit(*dimension, *meaning.unit));
           });
  }

  [[nodiscard]] Unit unit_of(std::size_t cell) const {
    const ColumnMeaning& meaning = known_.meaning.columns.at(cell);
    Unit unit = named_unit_of(cell, meaning);
    unit.multiply *= meaning.factor;
    unit.add = meaning.offset;
    return unit;
  }

  /// Adds what is done to a column of the plan, whose columns are all there.
  void add_steps(const ColumnPlan& plan, std::size_t column, ColumnSteps& steps) const {
    const std::size_t cell = plan.columns[column].cell;
    const ColumnMeaning& meaning = known_.meaning.columns.at(cell);
    if (meaning.unwraps) {
      const auto dimension = dimension_of(meaning.quantity, meaning.index, known_.robot);
      if (dimension != "rad") {
        known_.fail(
            fmt::format("--columns: unwrap is for angles, and {} is none", meaning.computed));
      }
      steps.unwrapped.push_back({column, 2.0 * std::numbers::pi * std::abs(meaning.factor)});
    }
    if (meaning.added) steps.sums.push_back(sum(plan, column, meaning));
    if (meaning.later != 0.0) {
      if (!plan.has(Quantity::time))
        known_.fail("--columns: NAME@TIME needs the times t of the rows");
      steps.shifted.push_back({column, meaning.later});
    }
  }

  [[nodiscard]] std::optional<StampPlan> stamp_of(std::size_t column, std::size_t cell) const {
    const std::string* const text = first_stamp(cell);
    if (text == nullptr) return std::nullopt;
    const int decimals = static_cast<int>(std::lround(std::log10(unit_of(cell).divide)));
    const auto first = stamp_nanoseconds(*text, decimals);
    StampPlan stamp{column, first && is_epoch(*first) ? *first : 0, {{cell, decimals}}};
    if (known_.meaning.nanoseconds) stamp.cells.push_back({*known_.meaning.nanoseconds, 9});
    const bool is_duration = first && text->find_first_of(": ") != text->npos;
    const bool is_needed = stamp.origin != 0 || known_.meaning.nanoseconds || is_duration;
    return is_needed ? std::optional(stamp) : std::nullopt;
  }

 private:
  /// Takes the numbers of the added cell back from what its own column makes of them.
  [[nodiscard]] ColumnSteps::Sum sum(const ColumnPlan& plan, std::size_t column,
                                     const ColumnMeaning& meaning) const {
    const auto& [cell, unit, sign] = *meaning.added;
    const auto other = std::ranges::find(plan.columns, cell, &TablePlan::Column::cell);
    if (other == plan.columns.end() || cell == plan.columns[column].cell) {
      known_.fail(fmt::format("--columns: {} adds {}, which is not read as another joint's",
                              meaning.computed, known_.shown(cell)));
    }
    const std::optional<std::string>& own = known_.meaning.columns.at(cell).unit;
    ColumnMeaning as_written{meaning.quantity, meaning.index, unit ? unit : own};
    const Unit wanted = named_unit_of(cell, as_written), &read = other->unit;
    const double factor = sign * wanted.multiply / wanted.divide * (read.divide / read.multiply);
    return {column, static_cast<std::size_t>(other - plan.columns.begin()), factor,
            -factor * read.add};
  }

  [[nodiscard]] Unit named_unit_of(std::size_t cell, const ColumnMeaning& meaning) const {
    const auto& [quantity, index, unit] = std::tie(meaning.quantity, meaning.index, meaning.unit);
    const std::string& name = known_.header.cells[cell];
    if (quantity == Quantity::torque && parts_of_rated(name) && (!unit || parts_of_rated(*unit))) {
      if (meaning.computed.find('*') != std::string::npos) return {};
      const auto torque = [&](std::size_t i) {
        return *known_.meaning.cell_of(Quantity::torque, i);
      };
      known_.fail(
          known_.per_cent_text(each(in_order(known_.robot.dof()), torque), known_.options.choices));
    }
    if (!unit) return quantity == Quantity::time ? time_unit(cell) : Unit{};
    const std::optional<std::string_view> dimension = dimension_of(quantity, index, known_.robot);
    if (!dimension) known_.fail(fmt::format("column {} cannot have a unit", known_.shown(cell)));
    if (const auto known = find_unit(*dimension, *unit)) return *known;
    std::string where;
    if (joint_prefix(quantity)) {
      where = fmt::format(" of a {} joint", armdyn::name(known_.robot.joints[index].type));
    }
    known_.fail(fmt::format("column {}{} cannot have the unit {}; expected {}", known_.shown(cell),
                            where, shown_text(*unit), units_that_fit(*dimension)));
  }

  /// Text of the first row in that cell, if it is read without arithmetic.
  [[nodiscard]] const std::string* first_stamp(std::size_t cell) const {
    const bool is_plain = !known_.meaning.columns.at(cell).is_computed();
    return is_plain && cell < known_.header.first_row.size() ? &known_.header.first_row[cell]
                                                             : nullptr;
  }

  [[nodiscard]] Unit time_unit(std::size_t cell) const {
    constexpr std::array powers{1.0, 1e3, 1e6, 1e9};
    const std::string* const text = first_stamp(cell);
    const double stamp = text != nullptr ? parse_number(*text).value_or(0.0) : 0.0;
    return {1.0, powers.at(static_cast<std::size_t>(likely_decimals(stamp)) / 3)};
  }

  const KnownHeader& known_;
};

/// Note for the user on the dialect, the meaning of columns, and columns that are not read but might
/// be.
class RecognizedText {
 public:
  explicit RecognizedText(const KnownHeader& known) : known_(known) {}

  /// The note; empty if all columns are as named.
  [[nodiscard]] std::string text(const ColumnPlan& plan) const {
    std::vector<std::string> said, renamed;
    for (const auto& [quantity, first] : plan.groups) {
      const std::string text = renaming(plan.columns_of(quantity));
      const bool is_looked_at = plan.columns[first].may_be_unknown;
      if (!text.empty() && !is_looked_at) renamed.push_back(text);
    }
    const std::optional<std::size_t> current = known_.meaning.cell_of(Quantity::current, 0);
    const bool is_read = current && plan.has_motor_torques;
    if (!renamed.empty() || plan.stamp || (current && !plan.has(Quantity::torque))) {
      const std::string_view whose = !known_.header.is_written ? "no header"
                                     : known_.is_foreign()     ? known_.meaning.dialect->name
                                     : renamed.empty()         ? ""
                                                               : "columns";
      if (renamed.empty() && !whose.empty()) said.emplace_back(whose);
      if (!renamed.empty()) said.push_back(fmt::format("{}: {}", whose, listed(renamed)));
      const std::size_t known = known_.meaning.cells.size() + (known_.meaning.nanoseconds ? 1 : 0) +
                                (known_.text_cell ? 1 : 0);
      if (const std::size_t ignored = known_.header.cells.size() - known; ignored > 0) {
        said.push_back(fmt::format("{} {} ignored", counted(ignored, "other column"),
                                   ignored == 1 ? "is" : "are"));
      }
      if (plan.stamp && plan.stamp->origin != 0) said.emplace_back("t counts from the first stamp");
      for (const auto& [quantity, first] : plan.groups) {
        const std::size_t cell = plan.columns[first].cell;
        const std::string_view remark = known_.meaning.columns.at(cell).remark;
        if (!remark.empty())
          said.push_back(fmt::format("{} is {}", known_.header.cells[cell], remark));
      }
      if (current && !is_read) {
        said.push_back(known_.header.cells[*current] + " is a current, not a torque");
      }
      if (is_read) said.emplace_back("currents, by motor.torque_constant and the gears torques");
    }
    for (const auto& group : known_.left_out) said.push_back(group.second);
    if (!known_.torque_parts.empty()) {
      said.push_back(fmt::format("{} {} not read", range_text(known_.torque_parts),
                                 known_.torque_parts.size() == 1 ? "is" : "are"));
    }
    if (std::string hint = known_.per_cent_hint(known_.options.choices); !hint.empty())
      said.push_back(std::move(hint));
    const std::vector<std::string> elsewhere = names_elsewhere(plan);
    if (!elsewhere.empty()) said.push_back(listed(elsewhere));
    for (const std::string& choice : lost_choices()) {
      const std::size_t sign = choice.find('=');
      said.push_back(fmt::format(
          "{} is not read; if it is {}, --columns {} reads it", shown_text(choice.substr(sign + 1)),
          choice.starts_with("t=") ? "the time" : choice.substr(0, sign), quoted_word(choice)));
    }
    return fmt::format("{}", fmt::join(said, "; "));
  }

 private:
  // Text "q1..q6 = A1..A6 in deg"; empty if the columns have the names of the conventions.
  [[nodiscard]] std::string renaming(std::span<const TablePlan::Column> columns) const {
    std::vector<std::string> names, found;
    bool is_in_order = true;
    std::size_t kept = 0;  // names
    for (const auto& [name, cell, unit, most, may_be_empty, may_be_unknown] : columns) {
      const ColumnMeaning& meaning = known_.meaning.columns.at(cell);
      const std::string& text = known_.header.cells[cell];
      names.push_back(name);
      found.push_back(meaning.is_computed() ? meaning.computed : shown_column(text));
      if (!meaning.is_computed() && name_and_unit(text).name == name) ++kept;
      is_in_order = is_in_order && !meaning.is_computed();
    }
    if (kept == columns.size()) return {};
    is_in_order =
        is_in_order && kept == 0 && std::ranges::is_sorted(columns, {}, &TablePlan::Column::cell);
    const ColumnMeaning& first = known_.meaning.columns.at(columns.front().cell);
    const bool is_split = first.quantity == Quantity::time && known_.meaning.nanoseconds;
    if (is_split)
      found.front() += " and " + shown_column(known_.header.cells[*known_.meaning.nanoseconds]);
    const std::string& cell = known_.header.cells[columns.front().cell];
    const bool tells_unit = first.unit && !first.is_computed() && !is_split &&
                            !name_and_unit(cell, first.quantity).unit;
    return fmt::format("{} = {}{}", range_text(names),
                       is_in_order ? range_text(found) : listed(found),
                       tells_unit ? " in " + *first.unit : "");
  }

  /// Columns that have the name of another joint, as in "q1 is elbow_pos, named like elbow".
  [[nodiscard]] std::vector<std::string> names_elsewhere(const ColumnPlan& plan) const {
    std::vector<std::string> found;
    for (const TablePlan::Column& column : plan.columns) {
      const ColumnMeaning& meaning = known_.meaning.columns.at(column.cell);
      const std::string name = name_and_unit(known_.header.cells[column.cell]).name;
      if (!joint_prefix(meaning.quantity) || name == column.name) continue;
      if (has_joint(name, meaning.index)) continue;
      for (std::size_t i = 0; i < known_.robot.dof(); ++i) {
        if (!has_joint(name, i)) continue;
        found.push_back(fmt::format("{} is {}, named like {}", column.name, shown_text(name),
                                    known_.robot.joints[i].name));
        break;
      }
    }
    return found;
  }

  /// Tests whether a name has that of a joint in it, between other characters than letters and digits.
  [[nodiscard]] bool has_joint(const std::string& name, std::size_t joint) const {
    const std::string& wanted = known_.robot.joints[joint].name;
    const auto is_open = [&](std::size_t at) {
      return at >= name.size() || !is_letter_or_digit(name[at]);
    };
    for (std::size_t at = wanted.empty() ? name.npos : name.find(wanted); at != name.npos;
         at = name.find(wanted, at + 1)) {
      if (is_open(at - 1) && is_open(at + wanted.size())) return true;
    }
    return false;
  }

  /// Choices for ignored columns that by their names are measured, and that the verb would take.
  [[nodiscard]] std::vector<std::string> lost_choices() const {
    std::vector<std::string> choices;
    if (known_.meaning.columns.size() == known_.header.cells.size()) return choices;
    std::vector<std::string> cells = cells_of_numbers(known_.header);
    for (const auto& column : known_.meaning.columns) cells[column.first].clear();
    std::set<std::string_view> known = known_.known_groups(true);
    const auto time = std::ranges::find_if(cells, is_time_name);
    if (time != cells.end() && known.insert("t").second) choices.push_back("t=" + *time);
    for (const auto& [name, columns] : likely_columns(cells, known_.robot, known).groups) {
      if (columns.is_measured) choices.push_back(fmt::format("{}={}", name, columns.columns));
    }
    return choices;
  }

  const KnownHeader& known_;
};

/// Reading of a header for a robot.
class HeaderReading {
 public:
  HeaderReading(const Header& header, const Robot& robot, const std::vector<WantedGroup>& wanted,
                const ColumnOptions& options)
      : known_{header, robot, wanted, options} {
    refuse_what_is_no_header();
    if (!header.is_written && options.choices.empty()) number_columns();
    apply_choices(known_.meaning, options.choices, header, robot);
    find_conventional_names();
    if (options.leaves_out_unmeasured) leave_out_unmeasured();
    if (options.ignore_extra) leave_out_incomplete();
  }

  [[nodiscard]] ColumnPlan plan() const {
    HeaderAdvice(known_).refuse_incomplete();
    const ColumnUnits units(known_);
    ColumnPlan plan;
    plan.header = known_.header.cells;
    for (const WantedGroup& group : known_.wanted) {
      const std::vector<std::string> names = column_names(group.quantity, known_.robot.dof());
      const bool is_current = group.quantity == Quantity::torque && uses_currents();
      const Quantity source = is_current ? Quantity::current : group.quantity;
      plan.has_motor_torques = plan.has_motor_torques || is_current;
      if (group.quantity == Quantity::current && uses_currents()) continue;  // a cell is read once
      if (!known_.meaning.cell_of(source, 0)) continue;
      const bool is_looked_at = group.need == Need::looked_at;
      if (is_looked_at && !units.can_be_looked_at(source, names.size())) continue;
      plan.groups.emplace_back(group.quantity, plan.columns.size());
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t cell = known_.meaning.cell_of(source, i).value();
        TablePlan::Column& column = plan.columns.emplace_back();
        column = {names[i], cell, units.unit_of(cell)};
        if (is_current)
          column.unit.multiply *= *known_.robot.joints[i].motor.ratings.torque_constant;
        if (group.quantity == Quantity::time) continue;
        column.may_be_empty = known_.options.may_be_empty;
        column.may_be_unknown = is_looked_at;
        column.most = group.quantity == Quantity::position ? limits_of_input::position
                                                           : limits_of_input::rate;
      }
    }
    if (const auto time = plan.first(Quantity::time)) {
      plan.stamp = units.stamp_of(*time, plan.columns[*time].cell);
    }
    for (std::size_t i = 0; i < plan.columns.size(); ++i) units.add_steps(plan, i, plan.steps);
    plan.constant_texts = known_.meaning.constant_texts;
    plan.text_cell = known_.text_cell;
    plan.recognized = RecognizedText(known_).text(plan);
    return plan;
  }

 private:
  void refuse_what_is_no_header() const {
    const auto is_number = [](const std::string& cell) { return parse_number(cell).has_value(); };
    if (!known_.header.is_written || !std::ranges::all_of(known_.header.cells, is_number)) return;
    known_.fail(fmt::format(
        "the first line must be a header with the names of the columns, such as "
        "t,q1,qd1,qdd1; found the number {}{} (lines that start with # are comments)",
        known_.shown(0),
        known_.options.may_have_no_header ? "; --no-header reads a file without one" : ""));
  }

  /// Gives unnamed columns the meaning t, q or t, q, qd or t, q, qd, qdd.
  void number_columns() {
    const std::vector<std::string> names = plain_names(known_.header, known_.robot,
                                                       {{Quantity::time},
                                                        {Quantity::position},
                                                        {Quantity::velocity, Need::optional},
                                                        {Quantity::acceleration, Need::optional}});
    for (std::size_t cell = 0; cell < names.size(); ++cell) {
      const auto [quantity, index] = known_.dictionary.at(names[cell]);
      known_.meaning.put(cell, {quantity, index});
    }
  }

  /// Looks at the cells that neither the dialect nor the user names.
  void find_conventional_names() {
    const auto settled = known_.meaning.cells;
    std::optional<std::size_t> unknown;
    for (std::size_t cell = 0; cell < known_.header.cells.size(); ++cell) {
      const std::string& whole = known_.header.cells[cell];
      if (!whole.empty() && whole == known_.options.text_column) {
        if (known_.text_cell)
          known_.fail(fmt::format("column {} is there twice", known_.shown(cell)));
        known_.text_cell = cell;
        continue;
      }
      if (known_.meaning.columns.contains(cell) || cell == known_.meaning.nanoseconds) continue;
      const auto [name, unit] = name_and_unit(whole);
      const auto found = known_.meaning_of_name(name);
      const bool is_other = found && known_.ignores_unknown() &&
                            (settled.contains(*found) ||
                             (is_term(found->first) && !wants(known_.wanted, found->first)));
      if (!found || is_other) {
        const bool is_row_number = cell == 0 && whole.empty();  // as pandas writes it
        const bool is_part = !known_.ignores_unknown() && is_part_of_torque(whole);
        if (is_part) known_.torque_parts.push_back(whole);
        if (!is_row_number && !is_part && !unknown) unknown = cell;
        continue;
      }
      if (const auto other = known_.meaning.cell_of(found->first, found->second)) {
        known_.fail(fmt::format("column {} is there twice, first as {}",
                                known_.shown(std::max(cell, *other)),
                                known_.shown(std::min(cell, *other))));
      }
      known_.meaning.put(cell, {found->first, found->second, unit});
    }
    if (unknown && !known_.ignores_unknown())
      HeaderAdvice(known_).refuse_unknown(name_and_unit(known_.header.cells[*unknown]).name);
  }

  /// Leaves out optional groups that have no numbers in the first row, where q has some.
  void leave_out_unmeasured() {
    std::set<Quantity> kept{Quantity::time};
    for (const auto& [cell, meaning] : known_.meaning.columns) {
      if (cell >= known_.header.first_row.size()) continue;
      if (!is_no_measurement(known_.header.first_row[cell])) kept.insert(meaning.quantity);
    }
    if (!kept.contains(Quantity::position)) return;
    for (const WantedGroup& group : known_.wanted) {
      const Quantity of = group.quantity;
      if (group.need != Need::optional || kept.contains(of) || !known_.meaning.has(of)) continue;
      known_.left_out[of] = range_text(column_names(of, known_.robot.dof())) +
                            " are not read, since they have no numbers in the first row";
      known_.meaning.leave_out(of);
    }
  }

  /// Leaves out optional groups with missing columns.
  void leave_out_incomplete() {
    for (const WantedGroup& group : known_.wanted) {
      const std::vector<std::string> missing = known_.missing_names(group.quantity);
      if (group.need != Need::optional || missing.empty() || !known_.meaning.has(group.quantity))
        continue;
      std::vector<std::string> found = column_names(group.quantity, known_.robot.dof());
      std::erase_if(found, [&](const std::string& name) {
        return std::ranges::find(missing, name) != missing.end();
      });
      known_.left_out[group.quantity] =
          fmt::format("{} {} not read, since the log has no {}{}", listed(found),
                      found.size() == 1 ? "is" : "are", listed(missing),
                      group.quantity == Quantity::contact_wrench ? known_.wrench_hint() : "");
      known_.meaning.leave_out(group.quantity);
    }
  }

  /// Tests if torques are made of currents: if the user names these, or no torque is measured.
  [[nodiscard]] bool uses_currents() const {
    if (!known_.options.takes_currents || !known_.missing_names(Quantity::current).empty())
      return false;
    const auto is_chosen = [&](Quantity quantity) {
      const std::string prefix(*joint_prefix(quantity));
      return std::ranges::any_of(known_.options.choices, [&](const ColumnChoice& choice) {
        return choice.name == prefix || choice.name == prefix + "1" ||
               choice.name == prefix + "_" + known_.robot.joints.front().name;
      });
    };
    const std::optional<std::size_t> torque = known_.meaning.cell_of(Quantity::torque, 0);
    const bool is_measured = torque && known_.meaning.columns.at(*torque).remark.empty();
    if (is_chosen(Quantity::torque) || (is_measured && !is_chosen(Quantity::current))) return false;
    const std::vector<std::string> without = known_.without_constant();
    if (!without.empty() && is_chosen(Quantity::current) &&
        !wants(known_.wanted, Quantity::current)) {
      known_.fail(
          "currents become torques by motor.torque_constant of the robot file, which has none of " +
          listed(without));
    }
    return without.empty();
  }

  KnownHeader known_;
};

}  // namespace

ColumnPlan plan_columns(const Header& header, const Robot& robot,
                        const std::vector<WantedGroup>& wanted, const ColumnOptions& options) {
  if (header.line == 0 && !header.is_written && options.choices.empty()) {
    Header named = header;
    named.cells = plain_names(header, robot, wanted);
    named.is_written = true;
    return plan_columns(named, robot, wanted, options);
  }
  return HeaderReading(header, robot, wanted, options).plan();
}

}  // namespace armdyn
