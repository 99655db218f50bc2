#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "math/characters.hpp"
#include "model/formula.hpp"
#include "model/joint_kind.hpp"
#include "model/robot_numbers.hpp"
#include "symbolic/arm_entries.hpp"
#include "symbolic/matrix_number.hpp"

// The numbers of an arm by the names that they have in a sheet, and the values of right sides.

namespace armdyn {

/// Names of the arm's symbols, its other numbers and its state; theta1 or d1 name positions where
/// they name nothing else.
inline Names names_of(const SymbolicArm& arm, const RobotFile& file) {
  Names names;
  std::vector<std::string> written;
  for (const auto& [symbol, value] : arm.values) {
    written.push_back(arm.table->name(symbol));
    names.emplace(plain_name(written.back()), SymbolicNumber(symbol));
  }
  for (const Parameter& parameter : file.written.parameters) {
    written.push_back(parameter.name);
    const auto known = arm.parameters.find(parameter.name);
    if (known != arm.parameters.end()) names.emplace(plain_name(parameter.name), known->second);
  }
  refuse_names_alike(written);
  for (const bool is_zero : {false, true}) {  // of "g", the component that is not
    for (const NumberPlace& place : number_places(file.robot)) {
      if (place.name.empty() || (place.value == 0.0) != is_zero) continue;
      if (is_zero && place.name[0] == 'd') continue;
      const double value = place.names_magnitude() ? std::abs(place.value) : place.value;
      names.emplace(plain_name(place.name), value);
    }
  }
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    const bool turns = is_turning(file.robot.joints[i].type);
    for (const std::string letters : {"q", turns ? "theta" : "d", turns ? "th" : "q"}) {
      names.emplace(fmt::format("{}{}", letters, i + 1), arm.q[i]);
      for (const char* form :
           {"{0}{1}{2}", "{1}{0}{2}", "{0}{2}{1}", "{0}{1}ot{2}", "{0}{2}{1}ot"}) {
        names.emplace(fmt::format(fmt::runtime(form), letters, "d", i + 1), arm.qd[i]);
        names.emplace(fmt::format(fmt::runtime(form), letters, "dd", i + 1), arm.qdd[i]);
      }
    }
  }
  std::erase_if(names, [&](const auto& one) { return !joints_of(one.first, names).empty(); });
  return names;
}

/// The name with its indices so much higher, in its first characters; empty where one is not from
/// 0 to 9 then.
inline std::string with_indices(std::string name, int more, std::size_t own = std::string::npos) {
  for (char& c : std::span(name).first(std::min(own, name.size()))) {
    if (!is_digit(c)) continue;
    c = static_cast<char>(c + more);
    if (!is_digit(c)) return "";
  }
  return name;
}

/// Puts dots into a name: qd1.
inline std::string dotted(std::string name, const char* dots) {
  return name.insert(letters_of(name), dots);
}

/// What names mean in a sheet.
class ArmNames {
 protected:
  const VerifyRequest& request_;

 public:
  ArmNames(const RobotFile& file, const VerifyRequest& request, bool has_cartesian)
      : request_(request) {
    const bool divides = request_.what == ClosedEquation::cartesian || has_cartesian;
    arm = symbolic_arm(file.robot, file.written, request_.symbols,
                       divides ? Angles::of_joints : Angles::of_sums);
    names = names_of(arm, file);
    add_sines_of_slides(file.robot);
    for (const Parameter& one : file.written.parameters) parameters_.insert(plain_name(one.name));
  }

  /// Value of a name, or the sine or cosine of a sum of joints; nothing for an unknown name.
  [[nodiscard]] std::optional<SymbolicNumber> value_of(std::string_view name) const {
    if (const auto known = names.find(name); known != names.end()) return known->second;
    const std::vector<std::string> joints = joints_of(name, names),
                                   parts = summands_of(name, names);
    if (!parts.empty()) return sum_of(parts);
    if (joints.empty()) return std::nullopt;
    const auto [s, c] = sin_cos(sum_of(joints));
    return name[0] == 's' ? s : c;
  }

  /// Value of an entry that the sheet has by another name, or by those of all links.
  [[nodiscard]] std::optional<SymbolicNumber> value_beside(std::string_view name) {
    if (const auto own = alike_.find(name); own != alike_.end()) {
      if (const auto known = names.find(own->second); known != names.end()) return known->second;
    }
    const std::vector<std::string> of_links = links_of(name);
    const auto is_read = [this](const std::string& part) { return names.contains(part); };
    if (of_links.empty() || !std::ranges::all_of(of_links, is_read)) return std::nullopt;
    return sum_of(of_links);
  }

  /// Adds the words of right sides with matrices, whose values are not among those of names.
  [[nodiscard]] Names with_matrices(Names all) const {
    for (const auto& [name, cells] : matrices) all[name] = 0.0;
    for (const std::string_view name : names_of_all_joints) all.emplace(name, 0.0);
    for (const std::string_view name : names_of_columns) all.emplace(name, 0.0);
    all.emplace("transposition", 0.0);
    if (has_gravity_vector) all.emplace(gravity_vector, 0.0);
    return all;
  }

  [[nodiscard]] std::string name_of(const Sheet::Equation& equation) const {
    const std::string name = equation.left.empty() ? plain_name(request_.entry)
                             : entries_from_zero   ? with_indices(equation.left, 1, equation.own)
                                                   : equation.left;
    const auto renamed = letters_.find(name.substr(0, letters_of(name)));
    return renamed == letters_.end() ? name : renamed->second + name.substr(letters_of(name));
  }

  /// Lets entries that no line defines have the value of another name that the sheet has for them,
  /// m11 that of M11, which is used then.
  void name_alike(std::set<std::string>& used) {
    alike_.clear();
    for (const std::string& name : std::set<std::string>(used)) {
      const std::vector<std::string> of_links = links_of(name);  // U = U_1 + U_2, which no line has
      used.insert(of_links.begin(), of_links.end());
      const bool is_known = letters_of(name) == name.size() || own_names.contains(name) ||
                            value_of(name) || matrices.contains(name);
      const SymbolicNumber* const entry = is_known ? nullptr : entries.entry_of(name);
      if (entry == nullptr) continue;
      for (const std::string& own : own_names) {
        if (entries.entry_of(own) == entry) used.insert(alike_[name] = own);
      }
    }
  }
  /// Tests whether a name is an entry that no line defines, since it is zero.
  [[nodiscard]] bool is_zero_of_arm(const std::string& name) {
    const SymbolicNumber* const entry = own_names.contains(name) ? nullptr : entries.entry_of(name);
    return entry != nullptr && letters_of(name) < name.size() && is_zero(*entry);
  }

  /// Tests whether a name is one of the file's parameters or of the state.
  [[nodiscard]] bool is_fixed(const std::string& name) const {
    const SymbolicNumber& value = names.find(name)->second;
    const auto has = [&](const std::vector<SymbolicNumber>& state) {
      return std::ranges::find(state, value) != state.end();
    };
    return parameters_.contains(name) || has(arm.q) || has(arm.qd) || has(arm.qdd);
  }
  /// Takes 1 from the indices of all names: q0 is what q1 was. Letters that the sheet has with the
  /// number of the last joint, as m2, count from 1.
  void count_from_zero(const std::set<std::string>& used) {
    const std::string last = std::to_string(arm.q.size());
    const auto lowered = [&](const std::string& name) {
      return used.contains(name.substr(0, letters_of(name)) + last) ? name : with_indices(name, -1);
    };
    Names lower;
    for (const auto& [name, value] : names) {
      const std::string other = lowered(name);
      if (!other.empty()) lower.emplace(other, value);
    }
    names = std::move(lower);
    std::set<std::string> parameters;
    for (const std::string& name : parameters_) parameters.insert(lowered(name));
    parameters_ = std::move(parameters);
  }

  SymbolicArm arm;
  Names names;
  ArmEntries entries{arm, names, request_};
  std::set<std::string> own_names;  ///< of the sheet
  bool has_gravity_vector = false;  ///< the sheet has the field in {0}, which no line defines
  bool entries_from_zero = false;   ///< of left sides, as M00
  Sheet::Matrices matrices;         ///< of the sheet

 protected:
  [[noreturn]] void refuse_unknown(const Sheet& sheet, std::size_t at,
                                   const std::set<std::string>& unknown, bool may_be_matrices) {
    std::vector<std::string> known = keys_of(names);
    std::erase_if(known, [this](const std::string& name) {  // dq1 and q1dot beside qd1
      return name.find("dot") != name.npos || name.starts_with("dq") || name.starts_with("ddq") ||
             name.starts_with("dth") || name.starts_with("ddth") || name.ends_with('d') ||
             (name.starts_with("th") && !name.starts_with("theta")) ||
             (!parameters_.empty() && name != "g" && !is_fixed(name));
    });
    std::vector<std::string> words;
    for (const std::string& name : unknown) {
      const bool has_index = letters_of(name) < name.size();
      if (entries.entry_of(name) != nullptr ||
          (!has_index && may_be_matrices && !entries.beside(name).empty())) {
        sheet.fail(at, "no line defines " + name);
      }
      words.push_back(name + request_.did_you_mean(name, known));
    }
    sheet.fail(at, fmt::format("there is no {}; known are {}; --names NAME=FORMULA adds one",
                               fmt::join(words, ", "), fmt::join(known, ", ")));
  }

  std::map<std::string, std::string> letters_;  // of left sides

 private:
  /// Lets sheets take the sine of a prismatic joint, which is wrong, but not unreadable.
  void add_sines_of_slides(const Robot& robot) {
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      if (is_turning(robot.joints[i].type)) continue;
      const std::size_t angle =
          arm.table->add_angle(fmt::format("q{} ", i + 1));  // sin(q2), not s2
      arm.parallel.push_back({{i}, {1}, {{angle}}});
      arm.table->set_angle(
          arm.q[i].terms()[0].monomial[0].symbol,
          {SymbolicNumber(SymbolTable::sine(angle)), SymbolicNumber(SymbolTable::cosine(angle))});
    }
  }
  /// The sheet's energies of all links, U1 and U2 of U; none where one is missing.
  [[nodiscard]] std::vector<std::string> links_of(std::string_view energy) {
    std::vector<std::string> parts;
    if (energy.size() != 1 || entries.entry_of(std::string(energy)) == nullptr) return {};
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      parts.push_back(fmt::format("{}{}", energy, i + (entries_from_zero ? 0 : 1)));
      if (!own_names.contains(parts.back())) return {};
    }
    return parts;
  }
  [[nodiscard]] SymbolicNumber sum_of(const std::vector<std::string>& parts) const {
    SymbolicNumber sum;
    for (const std::string& part : parts) sum = sum + names.find(part)->second;
    return sum;
  }

  std::set<std::string> parameters_;                       // names of the file's
  std::map<std::string, std::string, std::less<>> alike_;  // names of the sheet's, by others
};

/// The values of a sheet's right sides, by what its names mean.
class ArmFormulas : public ArmNames {
 public:
  ArmFormulas(const RobotFile& file, const VerifyRequest& request, bool has_cartesian)
      : ArmNames(file, request, has_cartesian) {
    for (const auto& [name, formula] : request_.names) {
      const std::string plain = plain_name(name), meaning = plain_name(formula);
      const bool is_family =
          std::ranges::any_of(families, [&](const Family& one) { return one.letters == meaning; });
      const bool is_entry = letters_of(plain) == plain.size() &&
                            letters_of(meaning) < meaning.size() &&
                            entries.entry_of(meaning) != nullptr;  // F=tau1
      if ((is_family || is_entry) && !value_of(meaning)) {
        letters_[plain] = meaning;
        continue;
      }
      const Sheet right("--names", formula);
      if (entries.entry_of(meaning) != nullptr && !value_of(meaning)) {
        right.fail(0, fmt::format("{}={}: left sides have no index here; write {}={}", plain,
                                  meaning, plain.substr(0, letters_of(plain)),
                                  meaning.substr(0, letters_of(meaning))));
      }
      names[plain] = read(right, right.equations()[0], nullptr);
      for (const char* dots : {"d", "dd"}) {  // theta1=q1 is of their rates, too
        const auto rate = names.find(dotted(meaning, dots));
        if (rate != names.end()) names[dotted(plain, dots)] = SymbolicNumber(rate->second);
      }
    }
  }

  bool are_equal(const SymbolicNumber& a, const SymbolicNumber& b) {
    const TermBudget budget(steps_left);
    return is_zero(numerator_of(a - b));
  }

  SymbolicNumber read(const Sheet& sheet, const Sheet::Equation& equation, std::size_t* digits) {
    if (!equation.is_of_matrices) {
      return read_as<SymbolicNumber>(sheet, equation, names, digits,
                                     [](std::string_view name) -> std::optional<SymbolicNumber> {
                                       if (name == "transposition")
                                         throw FormulaError(MatrixNumber::transposes_number);
                                       return std::nullopt;
                                     });
    }
    return matrix(sheet, equation, digits).rows()(equation.row, equation.column);
  }

  /// Size of the matrix that a right side makes, from those in it.
  std::pair<std::size_t, std::size_t> size_of(const Sheet& sheet, const Sheet::Equation& equation) {
    const MatrixNumber::Rows rows =
        read_matrix(
            sheet, equation, nullptr,
            [](const auto& cells) {
              return rows_of(cells, [](const Sheet::Equation&) { return SymbolicNumber(1.0); });
            },
            true)
            .rows();
    return {rows.rows(), rows.columns()};
  }

  void forget_matrices() { matrices_read_.clear(); }

  std::set<Symbol> epsilons;                          ///< of rounded decimals
  static constexpr std::size_t most_steps = 200'000;  ///< of the sheet's formulas
  std::size_t steps_left = most_steps;

 private:
  /// A right side that matrices make.
  const MatrixNumber& matrix(const Sheet& sheet, const Sheet::Equation& equation,
                             std::size_t* digits) {
    const std::size_t place = equation.begin();
    const auto [found, is_new] = matrices_read_.try_emplace(place);
    if (!is_new) {
      if (!found->second) sheet.fail(place, "this matrix is defined by itself");
      return *found->second;
    }
    try {
      found->second = read_matrix(sheet, equation, digits, [&](const auto& cells) {
        return rows_of(cells,
                       [&](const Sheet::Equation& cell) { return read(sheet, cell, digits); });
      });
      return *found->second;
    } catch (const Error&) {  // with other names it may be read
      matrices_read_.erase(place);
      throw;
    }
  }

  static MatrixNumber::Rows rows_of(const std::vector<std::vector<Sheet::Equation>>& cells,
                                    const auto& value_of_cell) {
    MatrixNumber::Rows rows(cells.size(), cells.front().size());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (cells[i].size() != rows.columns()) throw FormulaError("a matrix has rows of two lengths");
      for (std::size_t j = 0; j < rows.columns(); ++j) rows(i, j) = value_of_cell(cells[i][j]);
    }
    return rows;
  }

  /// Reads a sum or product of matrices, whose rows `rows_in` makes; for the size
  /// alone, unknown names stand for 1.
  MatrixNumber read_matrix(const Sheet& sheet, const Sheet::Equation& equation, std::size_t* digits,
                           const auto& rows_in, bool is_size_alone = false) {
    const auto value = [&](std::string_view name) -> std::optional<MatrixNumber> {
      if (name == "transposition") return MatrixNumber::transposition();
      const auto found = matrices.find(std::string(name));
      if (found != matrices.end() && !found->second.empty()) {
        return MatrixNumber(rows_in(found->second));
      }
      if (std::ranges::find(names_of_columns, name) != names_of_columns.end()) {
        return MatrixNumber(column(entries_of_column(name)));
      }
      if (has_gravity_vector && name == gravity_vector) {
        const auto& [x, y, z] = arm.constants.v_dot_0;
        return MatrixNumber(column(std::vector<SymbolicNumber>{-x, -y, -z}));
      }
      if (names.contains(name) ||  // theta of --names
          std::ranges::find(names_of_all_joints, name) == names_of_all_joints.end()) {
        return std::nullopt;
      }
      const bool is_rate = name.starts_with('d') || name.ends_with('d');
      const bool is_acceleration = name.starts_with("dd") || name.ends_with("dd");
      return MatrixNumber(column(is_acceleration ? arm.qdd : is_rate ? arm.qd : arm.q));
    };
    return read_as<MatrixNumber>(sheet, equation, with_matrices(names), digits, value,
                                 is_size_alone);
  }

  /// Entries of a unit vector, or of Craig's [q̇q̇] and [q̇²].
  [[nodiscard]] std::vector<SymbolicNumber> entries_of_column(std::string_view name) const {
    std::vector<SymbolicNumber> cells;
    for (const char axis : std::string_view(name.starts_with("unit") ? "xyz" : "")) {
      cells.emplace_back(name.back() == axis ? 1.0 : 0.0);
    }
    for (std::size_t i = 0; i < arm.qd.size() && !name.starts_with("unit"); ++i) {
      for (std::size_t j = i; j < arm.qd.size(); ++j) {
        if ((i == j) == (name == "squares")) cells.push_back(arm.qd[i] * arm.qd[j]);
      }
    }
    return cells;
  }

  /// Reads a right side of these names, some with another meaning.
  template <class S>
  S read_as(const Sheet& sheet, const Sheet::Equation& equation, const Names& all,
            std::size_t* digits, const std::function<std::optional<S>(std::string_view)>& meaning,
            bool is_size_alone = false) {
    const Sheet::Formula formula = sheet.formula(equation, all, digits);
    std::set<std::string> unknown;
    std::size_t place = equation.begin(), first_unknown = 0;  // of the last name
    const auto value = [&](std::string_view name) -> S {
      const auto at = static_cast<std::size_t>(name.data() - formula.text.data());
      if (at < formula.places.size()) place = formula.places[at];
      if (const auto other = meaning(name)) return *other;
      if (const auto known = value_of(name)) return *known;
      if (name.starts_with("epsilon") && digits != nullptr) {
        const Symbol epsilon = arm.table->add(std::string(name));
        epsilons.insert(epsilon);
        return S(SymbolicNumber(epsilon));
      }
      if (const auto other = value_beside(name)) return *other;
      if (!is_size_alone && is_zero_of_arm(std::string(name))) return 0.0;
      if (unknown.empty()) first_unknown = place;
      unknown.emplace(name);
      return 1.0;
    };
    try {
      const TermBudget budget(steps_left);
      const auto products = FormulaReader<S>::Products::may_be_implied;
      S result = FormulaReader<S>(formula.text, value, products, [this](const S& x, const S* by) {
                   return derivative(arm, x, by);
                 }).read();
      if (!unknown.empty() && !is_size_alone)
        refuse_unknown(sheet, first_unknown, unknown, equation.is_of_matrices);
      return result;
    } catch (const FormulaError& wrong) {
      if (!unknown.empty()) refuse_unknown(sheet, first_unknown, unknown, equation.is_of_matrices);
      sheet.fail(place, wrong.what());
    }
  }

  std::map<std::size_t, std::optional<MatrixNumber>> matrices_read_;  // by place
};

}  // namespace armdyn
