#include "log/header_meaning.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <system_error>
#include <utility>

#include "log/dialects.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using Entries = std::vector<HeaderMeaning::Entry>;

[[noreturn]] void fail(const Header& header, const std::string& message) {
  throw InputError(place_text(header) + ": " + message);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool is_name_of(const std::string& text, const std::string& joint) {
  return !joint.empty() && (text == joint || text == joint + "_joint");
}

std::optional<std::size_t> joint_of_name(const Robot& robot, const std::string& text) {
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (is_name_of(text, robot.joints[i].name)) return i;
  }
  return std::nullopt;
}

std::string joint_list(const Robot& robot) {
  std::string text;
  for (const Joint& joint : robot.joints) text += (text.empty() ? "" : ", ") + joint.name;
  return text;
}

std::optional<std::string> some(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

// Reads a header as if it were of one dialect.
class DialectReading {
 public:
  DialectReading(const Header& header, const Robot& robot, const Dialect& dialect)
      : header_(header), robot_(robot), dialect_(dialect) {
    result_.dialect = &dialect;
    read_joint_names();
    for (const ColumnPattern& pattern : dialect.patterns) {
      if (!result_.has(pattern.quantity)) read(pattern);
    }
    read_split_stamp();
  }

  [[nodiscard]] std::size_t groups() const { return groups_; }
  [[nodiscard]] std::size_t likely_columns() const { return likely_columns_; }
  HeaderMeaning take() { return std::move(result_); }

 private:
  struct Candidate {
    std::size_t cell;
    std::optional<std::string> unit;
    PatternMatch places;
  };

  [[nodiscard]] std::vector<Candidate> candidates(std::string_view pattern,
                                                  std::string_view unit) const {
    std::vector<Candidate> found;
    for (std::size_t cell = 0; cell < header_.cells.size(); ++cell) {
      if (const auto whole = match_pattern(pattern, header_.cells[cell])) {
        found.push_back({cell, some(unit), *whole});
        continue;
      }
      const CellText text = name_and_unit(header_.cells[cell]);
      if (!text.unit) continue;
      if (const auto named = match_pattern(pattern, text.name)) {
        found.push_back({cell, text.unit, *named});
      }
    }
    return found;
  }

  void read_joint_names() {
    if (dialect_.joint_names.empty()) return;
    for (const Candidate& c : candidates(dialect_.joint_names, "")) {
      if (c.cell >= header_.first_row.size()) continue;
      const std::string& name = header_.first_row[c.cell];
      names_[*c.places.number] = name;
      result_.constant_texts.push_back({c.cell, name});
    }
  }

  void read(const ColumnPattern& pattern) {
    std::map<std::string, std::vector<Candidate>> sets;  // by what stands at {*}
    for (const Candidate& c : candidates(pattern.text, pattern.unit)) {
      sets[c.places.any].push_back(c);
    }
    if (sets.empty()) return;
    if (pattern.quantity == Quantity::time) {
      const Candidate& first = sets.begin()->second.front();
      result_.add({first.cell, Quantity::time, 0, first.unit});
      return;
    }
    std::vector<Entries> complete;
    for (const auto& [any, columns] : sets) {
      likely_columns_ = std::max(likely_columns_, columns.size());
      if (const auto entries = entries_of(pattern, columns)) complete.push_back(*entries);
    }
    if (complete.size() > 1) {
      why_not("several columns match " + shown_text(std::string(pattern.text)) +
              "; --columns says which to take");
    }
    if (complete.size() != 1) return;
    ++groups_;
    for (const HeaderMeaning::Entry& entry : complete[0]) result_.add(entry);
  }

  std::optional<Entries> entries_of(const ColumnPattern& pattern,
                                    const std::vector<Candidate>& columns) {
    std::vector<std::optional<HeaderMeaning::Entry>> by_joint(robot_.dof());
    const std::size_t base = first_number(columns);
    for (const Candidate& column : columns) {
      const auto joint = joint_of(column, base);
      if (!joint) continue;
      if (*joint >= by_joint.size() || by_joint[*joint]) {
        why_not(count_text(columns));
        return std::nullopt;
      }
      by_joint[*joint] = HeaderMeaning::Entry{column.cell, pattern.quantity, *joint, column.unit};
      by_joint[*joint]->remark = pattern.remark;
    }
    Entries entries;
    for (const auto& entry : by_joint) {
      if (entry) entries.push_back(*entry);
    }
    if (entries.size() == robot_.dof() && base <= 1) return entries;
    why_not(count_text(columns));
    return std::nullopt;
  }

  static std::size_t first_number(const std::vector<Candidate>& columns) {
    std::size_t least = columns.front().places.number.value_or(0);
    for (const Candidate& c : columns) least = std::min(least, c.places.number.value_or(0));
    return least;
  }

  [[nodiscard]] std::optional<std::size_t> joint_of(const Candidate& column,
                                                    std::size_t base) const {
    if (!column.places.joint.empty()) return joint_of_name(robot_, column.places.joint);
    const std::size_t number = *column.places.number;
    if (names_.empty()) return number - base;
    const auto named = names_.find(number);
    return named == names_.end() ? std::nullopt : joint_of_name(robot_, named->second);
  }

  [[nodiscard]] std::string count_text(const std::vector<Candidate>& columns) const {
    const std::string like = "of " + std::to_string(columns.size()) + " columns like " +
                             shown_text(header_.cells[columns.front().cell]);
    const bool by_name = !names_.empty() || !columns.front().places.joint.empty();
    if (by_name) {
      return like + " not each of the robot's joints (" + joint_list(robot_) +
             ") names one; --columns says which to take";
    }
    return like + " the robot with its " + std::to_string(robot_.dof()) +
           " joints cannot take one each; --columns says which to take";
  }

  void why_not(std::string reason) {
    if (result_.why_not.empty()) result_.why_not = std::move(reason);
  }

  void read_split_stamp() {
    if (dialect_.whole_seconds.empty()) return;
    const auto seconds = candidates(dialect_.whole_seconds, "s");
    const auto rest = candidates(dialect_.nanoseconds, "ns");
    if (seconds.empty() || rest.empty()) return;
    result_.add({seconds[0].cell, Quantity::time, 0, "s"});
    result_.nanoseconds = rest[0].cell;
  }

  const Header& header_;
  const Robot& robot_;
  const Dialect& dialect_;
  std::map<std::size_t, std::string> names_;  // of joints, by their number in the log
  std::size_t groups_ = 0;
  std::size_t likely_columns_ = 0;
  HeaderMeaning result_;
};

// The columns of the conventions that the user's name stands for: one, or those of a group.
std::vector<HeaderMeaning::Entry> columns_meant(const std::string& name, const Robot& robot) {
  std::vector<HeaderMeaning::Entry> meant;
  for (const auto& [group, quantity] : group_names) {
    const std::vector<std::string> names = column_names(quantity, robot.dof());
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (name == group || name == names[i]) meant.push_back({0, quantity, i, {}});
    }
  }
  return meant;
}

std::optional<HeaderMeaning::Entry> find_column(const Header& header, const std::string& text) {
  for (const bool with_unit : {false, true}) {
    const CellText wanted = with_unit ? name_and_unit(text) : CellText{text, {}};
    for (std::size_t cell = 0; cell < header.cells.size(); ++cell) {
      const CellText named = name_and_unit(header.cells[cell]);
      if (header.cells[cell] != wanted.name && named.name != wanted.name) continue;
      return HeaderMeaning::Entry{cell, Quantity::time, 0, wanted.unit ? wanted.unit : named.unit};
    }
  }
  return std::nullopt;
}

/// A number and what stands behind it: "90deg".
std::optional<std::pair<double, std::string>> measure(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  return std::pair(number,
                   std::string(trimmed(text.substr(static_cast<std::size_t>(end - text.data())))));
}

/// A column by its name, or one by arithmetic: -NAME, 14.87*NAME, NAME[deg]-90deg. Names go first.
HeaderMeaning::Entry find_chosen(const Header& header, const std::string& text,
                                 const std::optional<Dimension>& dimension) {
  if (const auto plain = find_column(header, text)) return *plain;
  std::string_view rest = trimmed(text);
  const double sign = rest.starts_with('-') ? -1.0 : 1.0;
  if (sign < 0.0) rest = trimmed(rest.substr(1));
  double factor = sign;
  if (const auto number = measure(rest.substr(0, rest.find('*')));
      number && rest.find('*') != rest.npos) {
    if (number->second.empty()) {
      factor = sign * number->first;
      rest = trimmed(rest.substr(rest.find('*') + 1));
    }
  }
  const auto computed = [&](std::string_view name, double offset) {
    auto entry = find_column(header, std::string(trimmed(name)));
    if (entry) {
      entry->factor = factor;
      entry->offset = offset;
      entry->computed = text;
    }
    return entry;
  };
  if (const auto entry = computed(rest, 0.0)) return *entry;
  for (std::size_t at = rest.size(); at > 1 && at != rest.npos;) {
    at = rest.find_last_of("+-", at - 1);
    if (at == rest.npos || at == 0) break;
    const auto number = measure(trimmed(rest.substr(at + 1)));
    if (!number || !dimension) continue;
    const auto unit = number->second.empty() ? Unit{} : find_unit(*dimension, number->second);
    const auto entry = computed(rest.substr(0, at), (rest[at] == '-' ? -1.0 : 1.0) * number->first);
    if (!entry) continue;
    if (!unit) {
      fail(header, "--columns: found " + shown_text(text) + ", expected behind the number " +
                       units_that_fit(*dimension));
    }
    auto found = *entry;
    found.offset = unit->to_si(found.offset);
    return found;
  }
  fail(header, "--columns: there is no column " + shown_text(text) +
                   "; arithmetic is -NAME, 2*NAME, NAME-90deg");
}

/// "_ms" of a time, "(deg)" of anything.
std::optional<std::string> unit_at_end(std::string_view cell, Quantity quantity) {
  for (const std::string_view unit : {"ms", "us", "ns"}) {
    if (quantity == Quantity::time && cell.ends_with("_" + std::string(unit))) {
      return std::string(unit);
    }
  }
  const std::size_t open = cell.rfind('(');
  if (open == std::string_view::npos || !cell.ends_with(')')) return std::nullopt;
  std::string unit(trimmed(cell.substr(open + 1, cell.size() - open - 2)));
  return is_unit(unit) ? std::optional(std::move(unit)) : std::nullopt;
}

void apply(HeaderMeaning& meaning, const ColumnChoice& choice, const Header& header,
           const Robot& robot) {
  Entries meant = columns_meant(choice.name, robot);
  if (meant.empty()) {
    fail(header, "--columns: " + shown_text(choice.name) +
                     " is none of t, q, qd, qdd, tau, i, wrench, q1, qd1, qdd1, tau1, i1, fx..");
  }
  const auto columns = expand_braces(choice.columns);
  if (!columns) {
    fail(header, "--columns: found " + shown_text(choice.columns) +
                     ", expected braces such as {0..5} or {a,b,c}");
  }
  if (columns->size() != meant.size()) {
    fail(header, "--columns: " + choice.name + " needs " + std::to_string(meant.size()) +
                     (meant.size() == 1 ? " column, " : " columns, ") + shown_text(choice.columns) +
                     " stands for " + std::to_string(columns->size()));
  }
  for (std::size_t i = 0; i < meant.size(); ++i) {
    HeaderMeaning::Entry entry =
        find_chosen(header, (*columns)[i], dimension_of(meant[i].quantity, meant[i].index, robot));
    entry.quantity = meant[i].quantity;
    entry.index = meant[i].index;
    if (!entry.unit) entry.unit = unit_at_end(header.cells[entry.cell], entry.quantity);
    std::erase_if(meaning.entries, [&](const auto& other) {
      return other.first == entry.cell ||
             (other.second.quantity == entry.quantity && other.second.index == entry.index);
    });
    meaning.add(entry);
    if (entry.quantity == Quantity::time) meaning.nanoseconds.reset();
  }
}

}  // namespace

CellText name_and_unit(std::string_view cell) {
  const std::size_t bracket = cell.find('[');
  if (bracket == std::string_view::npos || !cell.ends_with(']')) {
    constexpr std::array<std::pair<std::string_view, const char*>, 3> endings{
        {{"_deg", "deg"}, {"_deg_s", "deg/s"}, {"_deg_s2", "deg/s^2"}}};
    for (const auto& [ending, unit] : endings) {
      if (cell.ends_with(ending) && cell.size() > ending.size()) {
        return {std::string(cell.substr(0, cell.size() - ending.size())), unit};
      }
    }
    return {std::string(cell), {}};
  }
  const std::string_view unit = cell.substr(bracket + 1, cell.size() - bracket - 2);
  return {std::string(trimmed(cell.substr(0, bracket))), std::string(trimmed(unit))};
}

const HeaderMeaning::Entry* HeaderMeaning::find(std::size_t cell) const {
  const auto found = entries.find(cell);
  return found == entries.end() ? nullptr : &found->second;
}

std::optional<std::size_t> HeaderMeaning::first_cell(Quantity quantity) const {
  for (const auto& [cell, entry] : entries) {
    if (entry.quantity == quantity && entry.index == 0) return cell;
  }
  return std::nullopt;
}

bool HeaderMeaning::has(Quantity quantity) const {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto& entry) { return entry.second.quantity == quantity; });
}

HeaderMeaning recognise(const Header& header, const Robot& robot) {
  HeaderMeaning best;
  std::size_t most_groups = 0;
  std::size_t most_likely = 0;
  std::string why_not;
  for (const Dialect& dialect : known_dialects()) {
    DialectReading reading(header, robot, dialect);
    const std::size_t groups = reading.groups();
    const std::size_t likely = reading.likely_columns();
    HeaderMeaning meaning = reading.take();
    if (likely > most_likely && !meaning.why_not.empty() && !dialect.refuses_unknown) {
      most_likely = likely;
      why_not = "this looks like " + std::string(dialect.name) + ", but " + meaning.why_not;
    }
    if (best.dialect != nullptr && groups <= most_groups) continue;
    most_groups = groups;
    best = std::move(meaning);
  }
  best.why_not = most_groups == 0 ? why_not : "";
  return best;
}

HeaderMeaning number_columns(const Header& header, std::size_t dof) {
  const std::size_t columns = header.cells.size();
  if (columns != dof + 1 && columns != 2 * dof + 1 && columns != 3 * dof + 1) {
    fail(header, "a file without a header has, for the robot's " + std::to_string(dof) +
                     " joints, " + std::to_string(dof + 1) + " columns (t, q), " +
                     std::to_string(2 * dof + 1) + " (t, q, qd) or " + std::to_string(3 * dof + 1) +
                     " (t, q, qd, qdd); found " + std::to_string(columns) +
                     "; --columns says which is what");
  }
  HeaderMeaning meaning;
  meaning.dialect = &known_dialects().front();
  meaning.add({0, Quantity::time, 0, {}});
  constexpr std::array order{Quantity::position, Quantity::velocity, Quantity::acceleration};
  for (std::size_t cell = 1; cell < columns; ++cell) {
    meaning.add({cell, order.at((cell - 1) / dof), (cell - 1) % dof, {}});
  }
  return meaning;
}

void apply_choices(HeaderMeaning& meaning, const std::vector<ColumnChoice>& choices,
                   const Header& header, const Robot& robot) {
  for (const ColumnChoice& choice : choices) apply(meaning, choice, header, robot);
}

}  // namespace armdyn
