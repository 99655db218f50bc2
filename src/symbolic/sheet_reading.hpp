#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/arm_formulas.hpp"
#include "symbolic/sheet_text.hpp"

namespace armdyn {

/// Words of a formula, without parentheses.
inline std::vector<std::string> words_of(std::string formula) {
  std::ranges::replace_if(
      formula, [](char c) { return c == '(' || c == ')'; }, ' ');
  std::istringstream text(formula);
  return {std::istream_iterator<std::string>(text), {}};
}
/// Tests whether a right side has a matrix or column; M alone is none where it is a cart's mass.
inline bool has_matrices(const Sheet& sheet, const Sheet::Equation& equation,
                         const ArmFormulas& formulas) {
  try {
    const Names& names = formulas.names;
    return std::ranges::any_of(
        words_of(sheet.formula(equation, formulas.with_matrices(names)).text),
        [&](const std::string& word) {
          const bool is_number = names.contains(word);
          return formulas.matrices.contains(word)
                     ? !is_number || !formulas.is_fixed(word)
                     : !is_number &&
                           (word == gravity_vector || is_one_of(names_of_all_joints, word) ||
                            is_one_of(names_of_columns, word));
        });
  } catch (const SheetError&) {  // has its place where it is read
    return true;
  }
}

/// The equations of a sheet; where a right side makes a matrix, those of its entries.
struct EntryEquations {
  EntryEquations() = default;
  EntryEquations(const Sheet& sheet, ArmFormulas& formulas) {
    formulas.matrices = sheet.matrices();
    formulas.has_gravity_vector = sheet.has_gravity_vector();
    for (Sheet::Equation whole : sheet.equations()) {
      whole.is_of_matrices = whole.is_of_matrices && has_matrices(sheet, whole, formulas);
      if (whole.is_chain_end && formulas.value_of(whole.left)) continue;
      std::pair<std::size_t, std::size_t> size{1, 1};
      try {
        if (whole.is_of_matrices) size = formulas.size_of(sheet, whole);
      } catch (const SheetError& wrong) {
        unsized.emplace(all.size(), wrong);
      }
      if (!whole.is_of_matrices || size == std::pair<std::size_t, std::size_t>{1, 1}) {
        all.push_back(whole);
        continue;
      }
      auto& cells = formulas.matrices[Sheet::entry(whole, 0, 0, size.first, size.second).matrix];
      const bool is_first = cells.empty();
      for (std::size_t i = 0; i < size.first; ++i) {
        if (is_first) cells.emplace_back();
        for (std::size_t j = 0; j < size.second; ++j) {
          const Sheet::Equation entry = Sheet::entry(whole, i, j, size.first, size.second);
          if (is_first) cells.back().push_back(entry);
          if (!entry.is_of_last_row) all.push_back(entry);
        }
      }
    }
  }

  std::vector<Sheet::Equation> all;
  std::map<std::size_t, SheetError> unsized;  ///< of them, those whose matrices do not fit
};

/// Throws SheetError for a left side that is neither an entry of the arm nor used.
[[noreturn]] inline void refuse_left_side(const Sheet& sheet, const Sheet::Equation& equation,
                                          ArmFormulas& formulas) {
  const std::string entry = formulas.name_of(equation);
  std::vector<std::string> known = formulas.entries.beside(entry);
  constexpr std::size_t most = 12;
  if (known.size() > most) {
    known.resize(most);
    known.emplace_back("…");
  }
  std::string numbered = entry;  // tau1 for taui
  std::ranges::replace_if(
      numbered, [](char c) { return c >= 'i' && c <= 'l'; }, '1');
  if (numbered != entry && formulas.entries.entry_of(numbered) != nullptr) {
    sheet.fail(equation.begin(), "expected a formula of one joint, as " + numbered +
                                     "; one for each index is not read");
  }
  if (entry.empty() || known.empty()) {
    sheet.fail(equation.begin(),
               "found \"" + entry +
                   "\" as its left side, expected tau1, M11, V1, "
                   "G1, C11, Jvx1, K, U or T14 (x of the tool); --entry names a formula, --what "
                   "its quantity, --names E=K of another letter");
  }
  sheet.fail(equation.begin(),
             fmt::format("there is no entry {}; there are {}; % before a line leaves it out", entry,
                         fmt::join(known, ", ")));
}

/// The equations of a sheet with the meanings that the sheet gives to its own names.
class SheetReading {
 public:
  SheetReading(const RobotFile& file, const Sheet& sheet, const VerifyRequest& request)
      : file_(file), sheet_(sheet), request_(request) {}

  void set_arm() {
    const auto is_cartesian = [](const Sheet::Equation& one) {
      const std::string_view of = std::string_view(one.left).substr(0, 2);
      return of == "Mx" || of == "Vx" || of == "Gx";
    };
    formulas_.emplace(
        file_, request_,
        file_.robot.joints.size() <= 3 && std::ranges::any_of(sheet_.equations(), is_cartesian));
    replaced_.clear();
    set_equations();
  }

  /// Reads a formula; one that cannot be read costs itself.
  template <class Reading>
  void attempt(const Sheet::Equation& equation, const Reading& reading) {
    try {
      reading();
    } catch (const SheetError& wrong) {
      unread_.emplace(&equation, wrong);
      if (!first_fault_) first_fault_ = wrong;
    }
  }

  /// Takes left sides that are no entries, and those that other formulas have, for names.
  void read_own_names(std::size_t* digits) {
    for (const std::string& name : formulas_->own_names) formulas_->names.erase(name);
    formulas_->names.merge(replaced_);
    formulas_->own_names.clear();
    replaced_.clear();
    const Words words = words_of_formulas();
    std::set<std::string> used;
    for (const auto& [equation, own] : words) {
      if (own != std::vector{equation->left}) used.insert(own.begin(), own.end());
    }
    set_base_parameters(used);
    if (counts_from_zero(used)) return read_own_names(digits);
    free_names(words, used);
    formulas_->name_alike(used);
    std::set<std::string> has_two_values;
    std::vector<const Sheet::Equation*> left = equations_, failed;  // some name what stands below
    std::erase_if(left, [&](const auto* equation) { return unread_.contains(equation); });
    for (bool goes_on = true; goes_on; std::swap(left, failed)) {
      failed.clear();
      for (const Sheet::Equation* const equation : left) unread_.erase(equation);
      for (const Sheet::Equation* const equation : left) {
        attempt(*equation, [&] { read_own_name(*equation, used, digits, has_two_values); });
        if (unread_.contains(equation)) failed.push_back(equation);
      }
      goes_on = failed.size() < left.size() && !failed.empty();
    }
  }
  /// Equations that are no mere names.
  [[nodiscard]] const std::vector<const Sheet::Equation*>& equations() const { return equations_; }
  /// The fault of an equation that cannot be read; null: it can.
  [[nodiscard]] const SheetError* fault_of(const Sheet::Equation* equation) const {
    const auto found = unread_.find(equation);
    return found == unread_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::optional<SheetError>& first_fault() const { return first_fault_; }
  /// Tests whether an equation is of a matrix of the sheet's own.
  [[nodiscard]] bool is_of_own_matrix(const Sheet::Equation& equation) const {
    return own_matrices_.contains(equation.matrix) || unknown_matrices_.contains(equation.matrix);
  }
  ArmFormulas& formulas() { return *formulas_; }
  /// Gives formulas further down an entry's value from here.
  void define(const std::string& entry, const SymbolicNumber& value) {
    if (!formulas_->own_names.contains(entry)) return;
    if (const auto known = formulas_->names.find(entry); known != formulas_->names.end()) {
      known->second = value;
    }
  }

 private:
  void set_equations() {
    of_sheet_ = {sheet_, *formulas_};
    const auto is_of_regressor = [](const Sheet::Equation& one) {
      return one.left.size() > 2 && one.left[0] == 'Y' &&
             std::ranges::all_of(one.left.substr(1), is_digit);
    };
    formulas_->entries.has_base_parameters =
        !request_.what && std::ranges::any_of(of_sheet_.all, is_of_regressor);
    formulas_->entries.has_C = std::ranges::any_of(of_sheet_.all, [](const Sheet::Equation& one) {
      return one.matrix == "C" || one.left == "C11";
    });
  }
  /// Adds letters that are no summands, as in h \dot q_1; T of L = T - U is one.
  void add_factors(std::string_view formula) {
    constexpr std::string_view around("+-()");
    for (std::size_t at = 0; at < formula.size() && !request_.what; ++at) {
      const auto belongs = [&](std::size_t k) {
        return k < formula.size() && is_letter_or_digit(formula[k]);
      };
      if (!is_letter(formula[at]) || belongs(at - 1) || belongs(at + 1)) continue;
      const std::size_t before = formula.find_last_not_of(' ', at - std::min<std::size_t>(at, 1)),
                        behind = formula.find_first_not_of(' ', at + 1);
      const auto is_summand = [&](std::size_t k) {
        return k >= formula.size() || k == at || around.find(formula[k]) != around.npos;
      };
      if (!is_summand(before) || !is_summand(behind))
        formulas_->entries.factors.emplace(formula.substr(at, 1));
    }
  }

  using Words = std::map<const Sheet::Equation*, std::vector<std::string>>;

  /// Adds the words in the matrices that are written out within a right side.
  void add_words_of_literals(const Names& all, std::vector<std::string>& words) {
    for (std::size_t k = words.size(); k-- > 0;) {
      const auto literal = words[k].starts_with("matrix") ? formulas_->matrices.find(words[k])
                                                          : formulas_->matrices.end();
      if (literal == formulas_->matrices.end()) continue;
      for (const std::vector<Sheet::Equation>& row : literal->second) {
        for (const Sheet::Equation& cell : row) {
          const std::vector<std::string> own = words_of(sheet_.formula(cell, all).text);
          words.insert(words.end(), own.begin(), own.end());
        }
      }
    }
  }

  /// Words of the right sides, in which left sides are names; lists the equations that are not mere
  /// names of entries.
  Words words_of_formulas() {
    equations_.clear();
    unread_.clear();
    for (const auto& [k, wrong] : of_sheet_.unsized) unread_.emplace(&of_sheet_.all[k], wrong);
    if (!first_fault_ && !unread_.empty()) first_fault_ = unread_.begin()->second;
    formulas_->entries.factors.clear();
    Names all = formulas_->names;
    for (const Sheet::Equation& equation : of_sheet_.all) {
      const std::string& name = equation.left;
      if (!name.empty() && !formulas_->value_of(name))
        all[*formulas_->own_names.insert(name).first] = 0.0;
    }
    Words found;
    std::set<std::string> said;
    const Names with_matrices = formulas_->with_matrices(all);
    for (const Sheet::Equation& equation : of_sheet_.all) {
      attempt(equation, [&] {
        std::string formula =
            sheet_.formula(equation, equation.is_of_matrices ? with_matrices : all).text;
        add_factors(formula);
        found[&equation] = words_of(std::move(formula));
      });
      if (found[&equation] == std::vector{equation.left}) continue;  // M11 in a matrix M
      equations_.push_back(&equation);
      said.insert(equation.left);
      attempt(equation, [&] { add_words_of_literals(all, found[&equation]); });
    }
    for (const Sheet::Equation& equation : of_sheet_.all) {
      const bool is_known =
          formulas_->value_of(equation.left).has_value();  // as dq1 in a vector dq
      if (is_known || !said.insert(equation.left).second) continue;
      equations_.push_back(&equation);
      attempt(equation, [&] { sheet_.fail(equation.begin(), "no line defines " + equation.left); });
    }
    find_own_matrices(found);
    return found;
  }

  /// Takes matrices without entries of the arm, which other formulas contain, for names: of each
  /// one equation remains, and so of those that no formula contains.
  void find_own_matrices(const Words& words) {
    std::set<std::string> used{std::string(gravity_vector)}, of_the_arm;
    for (const auto& [equation, own] : words) {
      if (equation->is_of_matrices) used.insert(own.begin(), own.end());
    }
    const auto is_entry = [this](const Sheet::Equation* one) {
      return formulas_->entries.entry_of(formulas_->name_of(*one)) != nullptr;
    };
    for (const Sheet::Equation* one : equations_) {
      if (is_entry(one)) of_the_arm.insert(one->matrix);
    }
    own_matrices_.clear();
    unknown_matrices_.clear();
    std::erase_if(equations_, [&](const Sheet::Equation* one) {
      if (one->matrix.empty()) return false;
      if (of_the_arm.contains(one->matrix)) return false;
      std::set<std::string>& found = used.contains(one->matrix) ? own_matrices_ : unknown_matrices_;
      return !found.insert(one->matrix).second;
    });
  }

  /// Tests whether names or left sides count joints from 0, as q0 or M00; the arm's do then, too.
  bool counts_from_zero(const std::set<std::string>& used) {
    if (formulas_->entries_from_zero) return false;
    const auto has_zero = [&](const std::string& name) {
      const std::size_t letters = letters_of(name);
      return letters < name.size() && is_letter(name[0]) && name[letters] == '0' &&
             !formulas_->value_of(name) && !formulas_->matrices.contains(name);
    };
    const bool names_do = std::ranges::any_of(used, [&](const std::string& name) {
      return has_zero(name) && !formulas_->own_names.contains(name) &&
             formulas_->value_of(with_indices(name, 1)).has_value();
    });
    const bool entries_do = std::ranges::any_of(of_sheet_.all, [&](const Sheet::Equation& one) {
      return has_zero(one.left) && !used.contains(one.left) &&    // but g_0 in other formulas
             formulas_->entries.entry_of(one.left) == nullptr &&  // and T02
             formulas_->entries.entry_of(with_indices(one.left, 1, one.own)) != nullptr;
    });
    if (names_do) formulas_->count_from_zero(used);
    formulas_->entries_from_zero = names_do || entries_do;
    return formulas_->entries_from_zero;
  }

  /// Lets the sheet define names that are numbers of the arm, as a_1, but its parameters and joints.
  void free_names(const Words& words, const std::set<std::string>& used) {
    for (const Sheet::Equation* const equation : equations_) {
      const std::string& name = equation->left;
      const auto known = formulas_->names.find(name);
      const bool is_free = known != formulas_->names.end() && used.contains(name) &&
                           formulas_->entries.entry_of(formulas_->name_of(*equation)) == nullptr &&
                           !formulas_->is_fixed(name) &&
                           (words.at(equation).size() > 1 ||
                            known->second == SymbolicNumber(name[0] == 'r' ? 1.0 : 0.0));
      if (!is_free) continue;
      formulas_->own_names.insert(name);
      replaced_.insert(*known);
      formulas_->names.erase(known);
    }
  }

  /// Takes a1 for a base parameter where Y11 is on the sheet and no other formula has a1.
  void set_base_parameters(const std::set<std::string>& used) {
    const auto is_parameter = [this](const std::string& name) {
      return name[0] != 'Y' && formulas_->entries.is_of_regressor(name);
    };
    std::ranges::copy_if(
        used, std::inserter(formulas_->entries.factors, formulas_->entries.factors.end()),
        is_parameter);
  }

  void read_own_name(const Sheet::Equation& equation, const std::set<std::string>& used,
                     std::size_t* digits, std::set<std::string>& has_two_values) {
    if (own_matrices_.contains(equation.matrix)) return;
    const std::string& name = equation.left;
    const bool is_own = formulas_->own_names.contains(name),
               is_used = is_own && used.contains(name),
               is_entry = formulas_->entries.entry_of(formulas_->name_of(equation)) != nullptr;
    const bool is_of_regressor = formulas_->entries.is_of_regressor(name);
    if ((is_entry || is_of_regressor) && !is_used) return;
    if (!is_entry && !is_used && (is_own || name.empty())) {
      if (unknown_matrices_.contains(equation.matrix)) {
        sheet_.fail(
            equation.begin(),
            fmt::format("the arm has no such matrix {}, and no formula contains it; % before "
                        "its lines leaves it out",
                        equation.matrix));
      }
      refuse_left_side(sheet_, equation, *formulas_);
    }
    const SymbolicNumber value = formulas_->read(sheet_, equation, digits);
    const std::optional<SymbolicNumber> known = formulas_->value_of(name);
    const bool is_known = known && !is_entry && digits == nullptr;
    if (has_two_values.contains(name) || (is_known && !formulas_->are_equal(value, *known))) {
      if (is_own) {
        has_two_values.insert(name);
        formulas_->names.erase(name);
      }
      const bool is_cosine = !joints_of(name, formulas_->names).empty();
      sheet_.fail(equation.begin(),
                  name +
                      (is_cosine ? " is already the sine or cosine of a sum of joints; "
                                 : " is already another number of the arm or the sheet; ") +
                      "leave this line out, or name it otherwise");
    }
    if (is_entry) {
      formulas_->names.emplace(name, value);  // an entry given twice: see `define`
    } else {
      formulas_->names[name] = value;
    }
  }

  const RobotFile& file_;
  const Sheet& sheet_;
  const VerifyRequest& request_;
  std::optional<ArmFormulas> formulas_;
  Names replaced_;  // numbers of the arm whose names the sheet has
  std::map<const Sheet::Equation*, SheetError> unread_;
  std::optional<SheetError> first_fault_;
  EntryEquations of_sheet_;
  std::set<std::string> own_matrices_, unknown_matrices_;
  std::vector<const Sheet::Equation*> equations_;
};

}  // namespace armdyn
