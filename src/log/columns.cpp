#include "log/columns.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "io/text/nearest_name.hpp"
#include "io/text/number_text.hpp"
#include "io/text/stamp_text.hpp"
#include "log/dialects.hpp"
#include "math/characters.hpp"
#include "model/limits_of_input.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

std::optional<std::size_t> ColumnPlan::first(Quantity quantity) const {
  for (const auto& [group, column] : groups) {
    if (group == quantity) return column;
  }
  return std::nullopt;
}

bool ColumnPlan::is_si(Quantity quantity) const {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].first != quantity) continue;
    const std::size_t end = i + 1 < groups.size() ? groups[i + 1].second : columns.size();
    for (std::size_t column = groups[i].second; column < end; ++column) {
      if (!columns[column].unit.is_si()) return false;
    }
  }
  return true;
}

std::string name_in_choices(const ColumnPlan& plan, const Robot& robot, Quantity quantity,
                            std::size_t joint) {
  const std::optional<std::size_t> first = plan.first(quantity);
  if (!first || *first + joint >= plan.columns.size()) return {};  // not in the file
  const TablePlan::Column& column = plan.columns[*first + joint];
  const auto unit = unit_name(*dimension_of(quantity, joint, robot), column.unit);
  const std::string name = name_and_unit(plan.header[column.cell]).name;
  if (!unit || name.empty() || name.find_first_of("[],{}= \"") != name.npos) return {};
  return column.unit.is_si() ? name : fmt::format("{}[{}]", name, *unit);
}

std::string choices_text(const std::vector<ColumnChoice>& named,
                         const std::vector<ColumnChoice>& anew) {
  std::vector<std::string> parts;
  const auto add = [&](const ColumnChoice& choice) {
    parts.push_back(choice.name + "=" + choice.columns);
  };
  for (const ColumnChoice& old : named) {
    if (std::ranges::find(anew, old.name, &ColumnChoice::name) == anew.end()) add(old);
  }
  std::ranges::for_each(anew, add);
  return fmt::format("\"{}\"", fmt::join(parts, ","));
}

namespace {

using Groups = std::vector<Quantity>;

/// The groups that a plain array holds between t and the hand wrench, from the shortest to the
/// whole.
std::vector<Groups> bodies(const std::vector<WantedGroup>& wanted) {
  std::vector<Groups> bodies;
  Groups groups;
  for (const WantedGroup& group : wanted) {
    const bool is_derived =
        group.quantity == Quantity::velocity || group.quantity == Quantity::acceleration;
    const bool continues = is_derived && !groups.empty() && groups.front() == Quantity::position;
    const bool is_needed = group.need == Need::required && group.quantity != Quantity::time;
    if (!is_needed && !continues) continue;
    if (!is_needed) bodies.push_back(groups);
    groups.push_back(group.quantity);
  }
  bodies.push_back(groups);
  return bodies;
}

const WantedGroup* find(const std::vector<WantedGroup>& wanted, Quantity quantity) {
  const auto found = std::ranges::find(wanted, quantity, &WantedGroup::quantity);
  return found == wanted.end() ? nullptr : &*found;
}

std::vector<Groups> orders(const std::vector<WantedGroup>& wanted) {
  std::vector<Groups> orders, with_wrench;
  const std::vector<Groups> all = bodies(wanted);
  const WantedGroup* const time = find(wanted, Quantity::time);
  const bool takes_wrench = find(wanted, Quantity::hand_wrench) != nullptr;
  for (const Groups& body : all) {
    for (const bool timed : {false, true}) {
      if (timed ? time == nullptr : time != nullptr && time->need == Need::required) continue;
      Groups order = body;
      if (timed) order.insert(order.begin(), Quantity::time);
      orders.push_back(order);
      if (!takes_wrench || body != all.back()) continue;
      order.push_back(Quantity::hand_wrench);
      with_wrench.push_back(order);
    }
  }
  orders.insert(orders.end(), with_wrench.begin(), with_wrench.end());
  return orders;
}

std::vector<std::string> names_of(const Groups& order, std::size_t dof) {
  std::vector<std::string> names;
  for (const Quantity quantity : order) {
    const std::vector<std::string> group = column_names(quantity, dof);
    names.insert(names.end(), group.begin(), group.end());
  }
  return names;
}

std::string order_text(const Groups& order) {
  std::string text;
  for (const Quantity quantity : order) {
    const std::string first = column_names(quantity, 1).front();
    const bool is_wrench = quantity == Quantity::hand_wrench;
    text += text.empty() ? "" : ",";
    text += is_wrench ? "wrench" : first.substr(0, first.find('1'));
  }
  return text;
}

}  // namespace

std::vector<std::string> plain_names(const Header& header, const Robot& robot,
                                     const std::vector<WantedGroup>& wanted) {
  std::string expected;
  for (const Groups& order : orders(wanted)) {
    std::vector<std::string> names = names_of(order, robot.dof());
    if (names.size() == header.cells.size()) return names;
    expected += expected.empty() ? "" : ", ";
    expected += std::to_string(names.size()) + " (" + order_text(order) + ")";
  }
  throw InputError(header.file + ": found an array of " + std::to_string(header.cells.size()) +
                   (header.cells.size() == 1 ? " column" : " columns") + "; for the robot's " +
                   std::to_string(robot.dof()) +
                   (robot.dof() == 1 ? " joint expected " : " joints expected ") + expected +
                   ", or a structured dtype with the names of the columns");
}

bool is_plain_order(const std::vector<Quantity>& groups) {
  const Groups q_qd_qdd{Quantity::position, Quantity::velocity, Quantity::acceleration};
  Groups left = groups;
  if (!left.empty() && left.front() == Quantity::time) left.erase(left.begin());
  if (left == Groups{Quantity::torque}) return true;
  if (left.size() == 4 && left.back() == Quantity::hand_wrench) left.pop_back();
  return left == q_qd_qdd;
}

namespace {

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string letters_of(std::string name) {
  std::erase_if(name, [](unsigned char c) { return std::isalpha(c) == 0; });
  return in_lower_case(std::move(name));
}

bool has_word(const std::string& name, std::string_view word) {
  return in_lower_case(name).find(word) != std::string::npos;
}

/// The quantity that columns of that name may hold; nothing if no verb reads it. `position`: the
/// letters of a column that is taken for a position, of which theta_dot, xd and ddJ are rates.
std::string_view likely_quantity(const std::string& name, const std::string& position) {
  constexpr std::array words{
      std::pair{"cur", ""},     std::pair{"volt", ""},      std::pair{"temp", ""},
      std::pair{"acc", "qdd"},  std::pair{"ddq", "qdd"},    std::pair{"qdd", "qdd"},
      std::pair{"ddot", "qdd"}, std::pair{"per_s2", "qdd"}, std::pair{"vel", "qd"},
      std::pair{"speed", "qd"}, std::pair{"spd", "qd"},     std::pair{"dq", "qd"},
      std::pair{"qd", "qd"},    std::pair{"omega", "qd"},   std::pair{"dot", "qd"},
      std::pair{"per_s", "qd"}, std::pair{"pos", "q"},      std::pair{"ang", "q"},
      std::pair{"tor", "tau"},  std::pair{"tau", "tau"},    std::pair{"trq", "tau"},
      std::pair{"eff", "tau"},  std::pair{"force", "tau"},  std::pair{"moment", "tau"}};
  for (const auto& [word, quantity] : words) {
    if (has_word(name, word)) return quantity;
  }
  if (position.empty()) return "q";
  const std::string letters = letters_of(name);
  for (const char d : {'d', 'p'}) {
    const std::string once(1, d), twice(2, d);
    if (letters == once + position || letters == position + once) return "qd";
    if (letters == twice + position || letters == position + twice) return "qdd";
  }
  return letters == "v" ? "qd" : letters == "a" ? "qdd" : "q";
}

/// "Joint{1..6} Pos" where Joint1 Pos to Joint6 Pos are there, counted from 0 or 1.
std::optional<std::string> numbered(const std::string& name, const std::vector<std::string>& cells,
                                    std::size_t dof) {
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    if (!is_digit(name[begin])) continue;
    const std::size_t end = static_cast<std::size_t>(
        std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(begin), name.end(), is_digit) -
        name.begin());
    const std::string before = name.substr(0, begin), after = name.substr(end);
    for (const std::size_t first : {1U, 0U}) {
      std::size_t count = 0;
      while (std::ranges::count(cells, fmt::format("{}{}{}", before, first + count, after)) == 1) {
        ++count;
      }
      if (count == dof) return fmt::format("{}{{{}..{}}}{}", before, first, first + dof - 1, after);
    }
    begin = end;
  }
  return std::nullopt;
}

bool is_time_name(const std::string& cell) {
  return has_word(cell, "time") || has_word(cell, "stamp") || has_word(cell, "clock") ||
         in_lower_case(cell) == "t";
}

/// Suggests the value of --columns that would name the columns of a header, as far as their names
/// tell, "t=time,q=Joint{1..6} Pos,qd=Joint{1..6} Vel", but for the groups that are `taken`. Empty
/// without `dof` columns that differ by their number alone, and for a single joint.
std::string columns_hint(const std::vector<std::string>& cells, std::size_t dof,
                         std::set<std::string_view> taken) {
  if (dof < 2) return "";
  std::string groups, time, position = taken.contains("q") ? "q" : "";
  for (const std::string& cell : cells) {
    const bool can_be_written = cell.find_first_of(",=\"{}") == std::string::npos;
    if (cell.empty() || !can_be_written) continue;
    if (time.empty() && is_time_name(cell) && !taken.contains("t")) time = "t=" + cell + ",";
    const std::optional<std::string> pattern = numbered(cell, cells, dof);
    const std::string_view quantity = likely_quantity(cell, position);
    if (!pattern || quantity.empty() || !taken.insert(quantity).second) continue;
    if (quantity == "q") position = letters_of(cell);
    groups += fmt::format("{}{}={}", groups.empty() ? "" : ",", quantity, *pattern);
  }
  return groups.empty() ? groups : time + groups;
}

std::string shown_column(const std::string& cell) {
  const std::string shown = shown_text(cell);
  return shown.substr(1, shown.size() - 2);
}

bool is_foreign(const HeaderMeaning& meaning) {
  return meaning.dialect != nullptr && !meaning.dialect->refuses_unknown;
}

// "q1..q6 = A1..A6 in deg"; nothing if the columns have the names of the conventions.
std::string renaming(const HeaderMeaning& meaning, const Header& header, const ColumnPlan& plan,
                     std::size_t first, std::size_t count) {
  std::vector<std::string> names, found;
  bool is_same = true, is_in_order = true;
  for (std::size_t i = first; i < first + count; ++i) {
    const ColumnPlan::Column& column = plan.columns[i];
    const std::string& cell = header.cells[column.cell];
    const HeaderMeaning::Entry* const entry = meaning.find(column.cell);
    if (entry != nullptr && entry->is_computed()) {
      names.push_back(column.name);
      found.push_back(entry->computed);
      is_same = is_in_order = false;
      continue;
    }
    is_in_order = is_in_order && (i == first || column.cell > plan.columns[i - 1].cell);
    names.push_back(column.name);
    found.push_back(shown_column(cell));
    is_same = is_same && name_and_unit(cell).name == column.name;
  }
  if (is_same) return {};
  std::string text = range_text(names) + " = ";
  for (std::size_t i = 0; !is_in_order && i < found.size(); ++i) {
    text += (i == 0 ? "" : ", ") + found[i];
  }
  if (is_in_order) text += range_text(found);
  const HeaderMeaning::Entry* const entry = meaning.find(plan.columns[first].cell);
  const bool has_unit = entry != nullptr && entry->unit.has_value() && !entry->is_computed();
  if (has_unit && !name_and_unit(header.cells[entry->cell]).unit) text += " in " + *entry->unit;
  return text;
}

/// Tells the user whose log it is and which columns became what. Empty: all are as named.
std::string recognised_text(const HeaderMeaning& meaning, const Header& header,
                            const ColumnPlan& plan, std::size_t ignored_columns) {
  std::string renamed;
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    const std::size_t first = plan.groups[group].second;
    const bool is_last = group + 1 == plan.groups.size();
    const std::size_t end = is_last ? plan.columns.size() : plan.groups[group + 1].second;
    const std::string text = renaming(meaning, header, plan, first, end - first);
    if (!text.empty()) renamed += (renamed.empty() ? "" : ", ") + text;
  }
  std::optional<std::size_t> current = meaning.first_cell(Quantity::current);
  const bool has_torque = !current || plan.has(Quantity::torque);
  if (renamed.empty() && !plan.stamp && has_torque) return {};
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  std::string whose;
  if (!header.is_written) {
    whose = "no header";
  } else if (is_foreign(meaning)) {
    whose = meaning.dialect->name;
  } else if (!renamed.empty()) {
    whose = "columns";
  }
  if (!whose.empty()) add(renamed.empty() ? whose : whose + ": " + renamed);
  if (ignored_columns > 0) {
    add(std::to_string(ignored_columns) +
        (ignored_columns == 1 ? " other column is ignored" : " other columns are ignored"));
  }
  if (plan.stamp && plan.stamp->origin != 0) add("t counts from the first stamp");
  for (const auto& [quantity, first] : plan.groups) {
    const std::size_t cell = plan.columns[first].cell;
    const HeaderMeaning::Entry* const entry = meaning.find(cell);
    if (current == cell) current.reset();
    if (entry != nullptr && !entry->remark.empty()) {
      add(fmt::format("{} is {}", header.cells[cell], entry->remark));
    }
  }
  if (current) add(header.cells[*current] + " is a current, not a torque");
  if (plan.has_motor_torques) add("currents, by motor.torque_constant and the gears torques");
  return text;
}

struct Meaning {
  Quantity quantity;
  std::size_t index;                  // within the group
  std::optional<std::string> unit{};  // as written
};

/// Columns of conventional names but those of matrices, which are too many.
using Dictionary = std::unordered_map<std::string, Meaning>;

Dictionary dictionary_for(const Robot& robot) {
  Dictionary meanings;
  for (const Quantity quantity : all_quantities()) {
    if (is_matrix(quantity)) continue;
    const std::vector<std::string> names = column_names(quantity, robot.dof());
    for (std::size_t i = 0; i < names.size(); ++i) meanings.emplace(names[i], Meaning{quantity, i});
    const std::optional<std::string_view> prefix = joint_prefix(quantity);
    for (std::size_t i = 0; prefix && i < robot.dof(); ++i) {
      const std::string& joint = robot.joints[i].name;
      if (!joint.empty())
        meanings.emplace(std::string(*prefix) + "_" + joint, Meaning{quantity, i});
    }
  }
  return meanings;
}

/// Numbers without a unit, whatever the robot.
bool is_unitless(Quantity quantity, const Robot& robot) {
  return !dimension_of(quantity, 0, robot);
}

/// Terms of the equations of motion, which verbs write: in logs of others an "x" is something else.
bool is_term(Quantity quantity) {
  return quantity >= Quantity::hand_place && quantity <= Quantity::condition;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

int decimals_of(const Unit& unit) {
  int decimals = 0;
  for (double divide = unit.divide; divide > 1.0; divide /= 10.0) ++decimals;
  return decimals;
}

// Reads one header for one robot.
class HeaderReading {
 public:
  HeaderReading(const Header& header, const Robot& robot, const ColumnOptions& options)
      : header_(header),
        robot_(robot),
        options_(options),
        dictionary_(dictionary_for(robot)),
        header_meaning_(meaning_of_header(header, robot, options)) {}

  void refuse_what_is_no_header() const;
  void find_meanings(const std::vector<WantedGroup>& wanted);
  [[nodiscard]] ColumnPlan plan(const std::vector<WantedGroup>& wanted) const;

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(place_text(header_) + ": " + message);
  }
  static HeaderMeaning meaning_of_header(const Header& header, const Robot& robot,
                                         const ColumnOptions& options);
  [[nodiscard]] std::optional<Meaning> meaning_of_name(const std::string& name) const;
  [[nodiscard]] std::optional<Meaning> meaning_of(std::size_t cell,
                                                  const std::vector<WantedGroup>& wanted) const;
  [[nodiscard]] bool ignores_unknown() const;
  [[nodiscard]] bool is_text(std::size_t cell) const;
  [[noreturn]] void refuse_unknown(const std::string& name,
                                   const std::vector<WantedGroup>& wanted) const;
  [[nodiscard]] std::string beyond_the_joints(const std::string& name) const;
  [[nodiscard]] std::string suggested_choices() const;
  [[nodiscard]] std::optional<std::size_t> cell_of(Quantity quantity, std::size_t index) const;
  [[nodiscard]] bool uses_currents() const;
  [[nodiscard]] std::vector<std::string> missing_names(Quantity quantity) const;
  void refuse_incomplete(const std::vector<WantedGroup>& wanted) const;
  [[nodiscard]] Unit unit_of(std::size_t cell) const;
  [[nodiscard]] Unit named_unit_of(std::size_t cell) const;
  [[nodiscard]] bool is_computed(std::size_t cell) const;
  [[nodiscard]] Unit time_unit(std::size_t cell) const;
  [[nodiscard]] std::optional<StampPlan> stamp_of(std::size_t column, std::size_t cell) const;
  [[nodiscard]] std::string what_the_file_has() const;
  [[nodiscard]] std::size_t ignored_cells() const;
  [[nodiscard]] std::string lost_time(const std::vector<WantedGroup>& wanted) const;

  const Header& header_;
  const Robot& robot_;
  const ColumnOptions& options_;
  Dictionary dictionary_;
  HeaderMeaning header_meaning_;
  std::vector<std::optional<Meaning>> meanings_;  // one per cell; nothing: to be ignored
  std::map<std::pair<Quantity, std::size_t>, std::size_t> cells_;  // of what has a meaning
  std::optional<std::size_t> text_cell_;
};

void HeaderReading::refuse_what_is_no_header() const {
  if (!header_.is_written) return;
  const std::vector<std::string>& cells = header_.cells;
  const auto is_number = [](const std::string& cell) { return parse_number(cell).has_value(); };
  if (std::all_of(cells.begin(), cells.end(), is_number)) {
    fail(
        "the first line must be a header with the names of the columns, such as t,q1,qd1,qdd1; "
        "found the number " +
        shown_text(cells.front()) +
        (options_.may_have_no_header ? "; --no-header reads a file without one" : "") +
        " (lines that start with # are comments)");
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
  if (!meaning_of_name(prefix + "1" + suffix)) return {};
  if (number.find_first_not_of('0') == std::string::npos) return "joints are counted from 1";
  if (number.front() == '0') return {};  // q07 is a misspelling
  const std::string first = prefix + "1" + suffix;
  const std::string last = prefix + std::to_string(robot_.dof()) + suffix;
  return robot_.dof() == 1
             ? "the robot has 1 joint, so there is only " + first
             : "the robot has " + std::to_string(robot_.dof()) + " joints, so the last is " + last;
}

// Names what neither the header nor the user says yet, behind what the user does.
std::string HeaderReading::suggested_choices() const {
  std::set<std::string_view> known;
  std::string named;
  for (const ColumnChoice& choice : options_.choices) {
    named += choice.name + "=" + choice.columns + ",";
    if (choice.name == "t") known.insert("t");
  }
  for (const auto& [group, quantity] : group_names) {
    const std::string first = column_names(quantity, 1).front();
    const bool is_named = std::ranges::any_of(
        header_.cells, [&](const std::string& cell) { return name_and_unit(cell).name == first; });
    if (is_named || (quantity != Quantity::time && header_meaning_.has(quantity)))
      known.insert(group);
  }
  const std::string hint = columns_hint(header_.cells, robot_.dof(), known);
  if (hint.empty()) return {};
  return "--columns \"" + named + hint + "\"; a unit that is not SI goes behind, as in q=...[deg]";
}

void HeaderReading::refuse_unknown(const std::string& name,
                                   const std::vector<WantedGroup>& wanted) const {
  const std::string skips = " (--ignore-extra skips unknown columns)";
  if (!header_meaning_.why_not.empty()) fail(header_meaning_.why_not);
  if (name.empty()) fail("a column has no name" + skips);
  const std::string beyond = beyond_the_joints(name);
  if (!beyond.empty()) fail("column " + shown_text(name) + ": " + beyond + skips);
  if (const std::string hint = suggested_choices(); !hint.empty()) {
    fail("unknown column " + shown_text(name) + "; name the columns, perhaps " + hint + skips);
  }
  std::vector<std::string_view> candidates;
  for (const auto& [known, meaning] : dictionary_) candidates.push_back(known);
  if (!options_.text_column.empty()) candidates.push_back(options_.text_column);
  std::sort(candidates.begin(), candidates.end());
  const auto nearest = nearest_name(name, candidates);
  std::string help = "; did you mean \"";
  if (nearest) {
    help += *nearest + "\"?";
  } else {
    help = "; known are t";
    for (const Quantity read :
         {Quantity::position, Quantity::velocity, Quantity::acceleration, Quantity::torque}) {
      help += ", " + range_text(column_names(read, robot_.dof()));
    }
    help += ", " + joined(column_names(Quantity::hand_wrench, robot_.dof()));
    for (const WantedGroup& group : wanted) {
      if (!is_unitless(group.quantity, robot_)) continue;
      help += ", " + joined(column_names(group.quantity, robot_.dof()));
    }
    if (!options_.text_column.empty()) help += ", " + options_.text_column;
    help += " and what armdyn writes";
  }
  fail("unknown column " + shown_text(name) + help + skips);
}

HeaderMeaning HeaderReading::meaning_of_header(const Header& header, const Robot& robot,
                                               const ColumnOptions& options) {
  HeaderMeaning meaning;
  if (header.is_written) {
    meaning = recognise(header, robot);
  } else if (options.choices.empty()) {
    meaning = number_columns(header, robot.dof());
  }
  apply_choices(meaning, options.choices, header, robot);
  return meaning;
}

bool HeaderReading::ignores_unknown() const {
  const bool is_foreign =
      header_meaning_.dialect != nullptr && !header_meaning_.dialect->refuses_unknown;
  return options_.extra == ExtraColumns::ignore || is_foreign || !options_.choices.empty();
}

std::optional<Meaning> HeaderReading::meaning_of_name(const std::string& name) const {
  const auto found = dictionary_.find(name);
  if (found != dictionary_.end()) return found->second;
  const auto entry = matrix_column(name, robot_.dof());
  return entry ? std::optional(Meaning{entry->first, entry->second}) : std::nullopt;
}

std::optional<Meaning> HeaderReading::meaning_of(std::size_t cell,
                                                 const std::vector<WantedGroup>& wanted) const {
  if (const HeaderMeaning::Entry* const entry = header_meaning_.find(cell)) {
    return Meaning{entry->quantity, entry->index, entry->unit};
  }
  const CellText text = name_and_unit(header_.cells[cell]);
  std::optional<Meaning> found = meaning_of_name(text.name);
  if (!found) return std::nullopt;
  const Quantity quantity = found->quantity;
  const bool is_wanted =
      std::ranges::find(wanted, quantity, &WantedGroup::quantity) != wanted.end();
  if (ignores_unknown() && (header_meaning_.has(quantity) || (is_term(quantity) && !is_wanted))) {
    return std::nullopt;
  }
  found->unit = text.unit;
  return found;
}

void HeaderReading::find_meanings(const std::vector<WantedGroup>& wanted) {
  for (std::size_t cell = 0; cell < header_.cells.size(); ++cell) {
    if (is_text(cell)) {
      text_cell_ = cell;
      meanings_.emplace_back();
      continue;
    }
    const std::optional<Meaning> meaning = meaning_of(cell, wanted);
    if (!meaning) {
      const bool is_row_number = cell == 0 && header_.cells[cell].empty();  // as pandas writes it
      if (!is_row_number && !ignores_unknown())
        refuse_unknown(name_and_unit(header_.cells[cell]).name, wanted);
      meanings_.emplace_back();
      continue;
    }
    if (const auto earlier = cell_of(meaning->quantity, meaning->index)) {
      fail("column " + shown_text(header_.cells[cell]) + " is there twice, first as " +
           shown_text(header_.cells[*earlier]));
    }
    meanings_.emplace_back(meaning);
    cells_[{meaning->quantity, meaning->index}] = cell;
  }
}

bool HeaderReading::is_text(std::size_t cell) const {
  const std::string& name = header_.cells[cell];
  if (name.empty() || name != options_.text_column) return false;
  if (text_cell_) fail("column " + shown_text(name) + " is there twice");
  return true;
}

std::optional<std::size_t> HeaderReading::cell_of(Quantity quantity, std::size_t index) const {
  const auto found = cells_.find({quantity, index});
  return found == cells_.end() ? std::nullopt : std::optional(found->second);
}

/// Whether torques are to be made of currents: where the user names these, or no torque is measured.
bool HeaderReading::uses_currents() const {
  if (!options_.takes_currents || !missing_names(Quantity::current).empty()) return false;
  const auto is_chosen = [&](Quantity quantity) {
    const std::string prefix(*joint_prefix(quantity));
    return std::ranges::any_of(options_.choices, [&](const ColumnChoice& choice) {
      return choice.name == prefix || choice.name == prefix + "1";
    });
  };
  const std::optional<std::size_t> torque = cell_of(Quantity::torque, 0);
  const HeaderMeaning::Entry* const entry = torque ? header_meaning_.find(*torque) : nullptr;
  const bool is_measured = torque && (entry == nullptr || entry->remark.empty());
  if (is_chosen(Quantity::torque) || (is_measured && !is_chosen(Quantity::current))) return false;
  std::string without;
  for (const Joint& joint : robot_.joints) {
    if (!joint.motor.ratings.torque_constant) without += (without.empty() ? "" : ", ") + joint.name;
  }
  if (!without.empty() && is_chosen(Quantity::current)) {
    fail("currents become torques by motor.torque_constant of the robot file, which has none of " +
         without);
  }
  return without.empty();
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
  std::string notes, instead;
  for (const WantedGroup& group : wanted) {
    const std::vector<std::string> all = column_names(group.quantity, robot_.dof());
    std::vector<std::string> absent = missing_names(group.quantity);
    if (absent.empty()) continue;
    const bool wholly = absent.size() == all.size();
    const bool is_replaced = group.or_else && cell_of(*group.or_else, 0);
    if (wholly && (group.need == Need::optional || is_replaced)) continue;
    constexpr std::size_t most = 8;
    if (wholly && group.quantity != Quantity::hand_wrench) absent = {range_text(all)};
    if (absent.size() > most) {
      absent[most - 1] = fmt::format("{} more of {}", absent.size() - most + 1, range_text(all));
      absent.resize(most);
    }
    missing.insert(missing.end(), absent.begin(), absent.end());
    if (wholly && !group.instead.empty()) instead = "; " + std::string(group.instead);
    if (group.need == Need::required) continue;
    notes += group.quantity == Quantity::hand_wrench
                 ? "; a hand wrench needs all of " + joined(all) + " or none"
                 : "; " + range_text(all) + " must all be there or none";
  }
  if (missing.empty()) return;
  const bool is_one = missing.size() == 1 && missing.front().find("..") == std::string::npos;
  if (!header_meaning_.why_not.empty()) notes += "; " + header_meaning_.why_not;
  const bool has_others = std::ranges::any_of(meanings_, [](const auto& m) { return !m; });
  if (missing.front() == "t" && options_.choices.empty() && has_others) {
    notes += "; a column of times with another name is --columns \"t=NAME\"";
  }
  if (const std::string hint = suggested_choices(); !hint.empty() && has_others) {
    notes += "; perhaps " + hint;
  }
  fail(std::string(is_one ? "missing column " : "missing columns ") + joined(missing) +
       "; the file has " + what_the_file_has() + notes + instead);
}

Unit HeaderReading::unit_of(std::size_t cell) const {
  Unit unit = named_unit_of(cell);
  if (const HeaderMeaning::Entry* const entry = header_meaning_.find(cell)) {
    unit.multiply *= entry->factor;
    unit.add = entry->offset;
  }
  return unit;
}

Unit HeaderReading::named_unit_of(std::size_t cell) const {
  const Meaning& meaning = *meanings_[cell];
  const std::optional<std::string>& unit = meaning.unit;
  if (!unit) return meaning.quantity == Quantity::time ? time_unit(cell) : Unit{};
  const std::optional<Dimension> dimension = dimension_of(meaning.quantity, meaning.index, robot_);
  if (!dimension) fail("column " + shown_text(header_.cells[cell]) + " cannot have a unit");
  if (const auto known = find_unit(*dimension, *unit)) return *known;
  std::string where;
  if (joint_prefix(meaning.quantity)) {
    const bool revolute = robot_.joints[meaning.index].type == JointType::revolute;
    where = std::string(revolute ? " of a revolute" : " of a prismatic") + " joint";
  }
  fail("column " + shown_text(header_.cells[cell]) + where + " cannot have the unit " +
       shown_text(*unit) + "; expected " + units_that_fit(*dimension));
}

bool HeaderReading::is_computed(std::size_t cell) const {
  const HeaderMeaning::Entry* const entry = header_meaning_.find(cell);
  return entry != nullptr && entry->is_computed();
}

Unit HeaderReading::time_unit(std::size_t cell) const {
  if (is_computed(cell) || cell >= header_.first_row.size()) return {};
  constexpr std::array powers{1.0, 1e3, 1e6, 1e9};
  const double stamp = parse_number(header_.first_row[cell]).value_or(0.0);
  return {1.0, powers.at(static_cast<std::size_t>(likely_decimals(stamp)) / 3)};
}

std::optional<StampPlan> HeaderReading::stamp_of(std::size_t column, std::size_t cell) const {
  if (is_computed(cell) || cell >= header_.first_row.size()) return std::nullopt;
  const int decimals = decimals_of(unit_of(cell));
  const auto first = stamp_nanoseconds(header_.first_row[cell], decimals);
  if (!first && !header_meaning_.nanoseconds) return std::nullopt;
  StampPlan stamp{column, 0, {{cell, decimals}}};
  if (header_meaning_.nanoseconds) stamp.cells.push_back({*header_meaning_.nanoseconds, 9});
  if (first && is_epoch(*first)) stamp.origin = *first;
  if (stamp.origin == 0 && !header_meaning_.nanoseconds) return std::nullopt;
  return stamp;
}

std::size_t HeaderReading::ignored_cells() const {
  const auto ignored = std::count_if(meanings_.begin(), meanings_.end(),
                                     [](const auto& meaning) { return !meaning; });
  return static_cast<std::size_t>(ignored) - (header_meaning_.nanoseconds ? 1 : 0) -
         (text_cell_ ? 1 : 0);
}

// A column that is ignored, and by its name is the t that the verb would take.
std::string HeaderReading::lost_time(const std::vector<WantedGroup>& wanted) const {
  if (find(wanted, Quantity::time) == nullptr || cell_of(Quantity::time, 0)) return {};
  for (std::size_t cell = 0; cell < meanings_.size(); ++cell) {
    if (!meanings_[cell] && is_time_name(header_.cells[cell])) return header_.cells[cell];
  }
  return {};
}

ColumnPlan HeaderReading::plan(const std::vector<WantedGroup>& wanted) const {
  refuse_incomplete(wanted);
  ColumnPlan plan;
  plan.header = header_.cells;
  for (const WantedGroup& group : wanted) {
    const std::vector<std::string> names = column_names(group.quantity, robot_.dof());
    const bool is_current = group.quantity == Quantity::torque && uses_currents();
    const Quantity source = is_current ? Quantity::current : group.quantity;
    plan.has_motor_torques = plan.has_motor_torques || is_current;
    if (!cell_of(source, 0)) continue;
    plan.groups.emplace_back(group.quantity, plan.columns.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t cell = cell_of(source, i).value();
      plan.columns.push_back({names[i], cell, unit_of(cell)});
      if (is_current) {
        plan.columns.back().unit.multiply *= *robot_.joints[i].motor.ratings.torque_constant;
      }
      if (group.quantity == Quantity::time) continue;
      plan.columns.back().may_be_empty = options_.may_be_empty;
      plan.columns.back().most =
          group.quantity == Quantity::position ? limits_of_input::position : limits_of_input::rate;
    }
  }
  if (const auto time = plan.first(Quantity::time)) {
    plan.stamp = stamp_of(*time, plan.columns[*time].cell);
  }
  plan.constant_texts = header_meaning_.constant_texts;
  plan.text_cell = text_cell_;
  plan.recognised = recognised_text(header_meaning_, header_, plan, ignored_cells());
  if (const std::string cell = lost_time(wanted); !cell.empty()) {
    plan.recognised +=
        fmt::format("{}{} is not read; if it is the time, --columns \"t={}\" reads it",
                    plan.recognised.empty() ? "" : "; ", shown_text(cell), cell);
  }
  return plan;
}

}  // namespace

ColumnPlan plan_columns(const Header& header, const Robot& robot,
                        const std::vector<WantedGroup>& wanted, const ColumnOptions& options) {
  if (header.line == 0 && !header.is_written && options.choices.empty()) {
    Header named = header;
    named.cells = plain_names(header, robot, wanted);
    named.is_written = true;
    return plan_columns(named, robot, wanted, options);
  }
  HeaderReading reading(header, robot, options);
  reading.refuse_what_is_no_header();
  reading.find_meanings(wanted);
  return reading.plan(wanted);
}

}  // namespace armdyn
