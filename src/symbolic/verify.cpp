#include "symbolic/verify.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/formula.hpp"
#include "model/robot_numbers.hpp"
#include "model/shown_text.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {

namespace {

/// Families of entries, by the first letters of their names.
constexpr std::pair<std::string_view, ClosedEquation> families[] = {
    {"ddtL", ClosedEquation::lagrangian}, {"omega", ClosedEquation::recursion},
    {"vd", ClosedEquation::recursion},    {"F", ClosedEquation::recursion},
    {"N", ClosedEquation::recursion},     {"f", ClosedEquation::recursion},
    {"n", ClosedEquation::recursion},     {"L", ClosedEquation::lagrangian},
    {"Y", ClosedEquation::regressor},     {"tau", ClosedEquation::torque},
    {"M", ClosedEquation::mass_matrix},   {"V", ClosedEquation::velocity},
    {"G", ClosedEquation::gravity},       {"C", ClosedEquation::christoffel},
    {"J", ClosedEquation::jacobian},      {"K", ClosedEquation::kinetic},
    {"k", ClosedEquation::kinetic},       {"U", ClosedEquation::potential},
    {"u", ClosedEquation::potential},     {"P", ClosedEquation::potential},
    {"c", ClosedEquation::christoffel},   {"D", ClosedEquation::mass_matrix},
    {"d", ClosedEquation::mass_matrix},   {"B", ClosedEquation::mass_matrix},
    {"b", ClosedEquation::mass_matrix},   {"H", ClosedEquation::mass_matrix},
    {"m", ClosedEquation::mass_matrix},   {"g", ClosedEquation::gravity},
    {"T", ClosedEquation::kinetic}};

std::vector<std::string> keys_of(const auto& map) {
  return each(map, [](const auto& one) { return one.first; });
}

/// Names of the arm's symbols, its other numbers and its state; theta1 or d1 name positions where
/// they name nothing else.
Names names_of(const SymbolicArm& arm, const RobotFile& file) {
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
    const bool turns = file.robot.joints[i].type == JointType::revolute;
    for (const std::string letters : {"q", turns ? "theta" : "d"}) {
      names.emplace(fmt::format("{}{}", letters, i + 1), arm.q[i]);
      names.emplace(fmt::format("{}d{}", letters, i + 1), arm.qd[i]);
      names.emplace(fmt::format("{}dd{}", letters, i + 1), arm.qdd[i]);
    }
  }
  std::erase_if(names, [&](const auto& one) { return !joints_of(one.first, names).empty(); });
  return names;
}

/// Puts dots into a name: qd1.
std::string dotted(std::string name, const char* dots) {
  return name.insert(letters_of(name), dots);
}

/// An arm's formulas for entries, and what names mean in a sheet.
class ArmFormulas {
 public:
  ArmFormulas(const RobotFile& file, const VerifyRequest& request) : request_(request) {
    const bool divides = request_.what == ClosedEquation::cartesian;
    arm = symbolic_arm(file.robot, file.written, request_.symbols,
                       divides ? Angles::of_joints : Angles::of_sums);
    names = names_of(arm, file);
    for (const auto& [name, formula] : request_.names) {
      const std::string plain = plain_name(name), meaning = plain_name(formula);
      const bool is_family =
          std::ranges::any_of(families, [&](const auto& one) { return one.first == meaning; });
      if (is_family && !value_of(meaning)) {
        letters_[plain] = meaning;
        continue;
      }
      const Sheet right("--names", formula);
      if (entry_of(meaning) != nullptr && !value_of(meaning)) {
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

  /// Value of a name, or the sine or cosine of a sum of joints; nothing for an unknown name.
  [[nodiscard]] std::optional<SymbolicNumber> value_of(std::string_view name) const {
    if (const auto known = names.find(name); known != names.end()) return known->second;
    SymbolicNumber angle;
    const std::vector<std::string> joints = joints_of(name, names);
    if (joints.empty()) return std::nullopt;
    for (const std::string& joint : joints) angle = angle + names.find(joint)->second;
    const auto [s, c] = sin_cos(angle);
    return name[0] == 's' ? s : c;
  }

  bool are_equal(const SymbolicNumber& a, const SymbolicNumber& b) {
    const TermBudget budget(steps_left);
    return is_zero(numerator_of(a - b));
  }

  SymbolicNumber read(const Sheet& sheet, const Sheet::Equation& equation, std::size_t* digits) {
    const std::string formula = sheet.formula(equation, names, digits);
    std::set<std::string> unknown;
    const auto value = [&](std::string_view name) -> SymbolicNumber {
      if (const auto known = value_of(name)) return *known;
      if (name.starts_with("epsilon") && digits != nullptr) {
        const Symbol epsilon = arm.table->add(std::string(name));
        epsilons.insert(epsilon);
        return SymbolicNumber(epsilon);
      }
      unknown.emplace(name);
      return 1.0;
    };
    try {
      const TermBudget budget(steps_left);
      const auto products = FormulaReader<SymbolicNumber>::Products::may_be_implied;
      SymbolicNumber result = FormulaReader<SymbolicNumber>(formula, value, products).read();
      if (!unknown.empty()) refuse_unknown(sheet, equation, unknown);
      return result;
    } catch (const FormulaError& wrong) {
      sheet.fail(equation.begin(), wrong.what());
    }
  }

  const std::map<std::string, SymbolicNumber>& entries(ClosedEquation what) {
    std::map<std::string, SymbolicNumber>& known = entries_[what];
    if (known.empty()) {
      for (const ClosedForm& form : closed_forms(arm, what, request_.view)) {
        known[plain_name(form.symbol + form.index)] = form.value;
      }
      if (what == ClosedEquation::lagrangian) known["L"] = known["K"] - known["U"];
    }
    return known;
  }

  [[nodiscard]] std::string name_of(const Sheet::Equation& equation) const {
    const std::string name = equation.left.empty() ? plain_name(request_.entry) : equation.left;
    const auto renamed = letters_.find(name.substr(0, letters_of(name)));
    return renamed == letters_.end() ? name : renamed->second + name.substr(letters_of(name));
  }
  [[nodiscard]] std::optional<ClosedEquation> family_of(const std::string& entry) const {
    if (request_.what) return request_.what;
    for (const auto& [letters, family] : families) {
      if (entry.starts_with(letters)) return family;
    }
    return std::nullopt;
  }

  /// The arm's entry of that name, or with another letter, as D12, the only one with its digits.
  const SymbolicNumber* entry_of(std::string name) {
    const std::optional<ClosedEquation> what = family_of(name);
    if (name.empty() || !what || factors.contains(name)) return nullptr;
    const std::map<std::string, SymbolicNumber>& known = entries(*what);
    replace_all(name, "theta", "q");
    const std::size_t of = name.find("Ld");  // \partial L / \partial d_2
    if (of != name.npos && names.contains("dd" + name.substr(letters_of(name)))) name[of + 1] = 'q';
    if (const auto found = known.find(name); found != known.end()) return &found->second;
    if (letters_of(name) != 1 && !request_.what) return nullptr;
    const std::string digits = name.substr(letters_of(name));
    std::string mirrored = digits;  // M21 is M12
    if (*what == ClosedEquation::mass_matrix && digits.size() > 1) {
      std::swap(mirrored.back(), mirrored[mirrored.size() - 2]);
    }
    const SymbolicNumber* found = nullptr;
    for (const auto& [other, value] : known) {
      const std::string_view own = std::string_view(other).substr(letters_of(other));
      const bool is_pair = *what == ClosedEquation::craig && other.starts_with(name);  // B1,12
      if (own != digits && own != mirrored && !is_pair) continue;
      if (found != nullptr) return nullptr;
      found = &value;
    }
    return found;
  }

  SymbolicArm arm;
  Names names;
  std::set<std::string> factors;                      ///< letters of the sheet that are no entries
  std::set<Symbol> epsilons;                          ///< of rounded decimals
  static constexpr std::size_t most_steps = 200'000;  ///< of the sheet's formulas
  std::size_t steps_left = most_steps;

 private:
  [[noreturn]] void refuse_unknown(const Sheet& sheet, const Sheet::Equation& equation,
                                   const std::set<std::string>& unknown) {
    const std::vector<std::string> known = keys_of(names);
    std::vector<std::string> words;
    for (const std::string& name : unknown) {
      if (letters_of(name) < name.size() && entry_of(name) != nullptr) {
        sheet.fail(equation.begin(), "no line says what " + name + " is");
      }
      words.push_back(name + request_.did_you_mean(name, known));
    }
    sheet.fail(equation.begin(),
               fmt::format("there is no {}\nknown are {}; --names NAME=FORMULA adds one",
                           fmt::join(words, ", "), fmt::join(known, ", ")));
  }

  const VerifyRequest& request_;
  std::map<std::string, std::string> letters_;  // of left sides
  std::map<ClosedEquation, std::map<std::string, SymbolicNumber>> entries_;
};

/// A right side of the sheet, of a verdict, and the arm's.
struct Written {
  std::size_t verdict;
  ClosedEquation what;
  const SymbolicNumber* right;
  SymbolicNumber value;
};

/// Differences of potential energies at the first point, by verdict.
using Shifts = std::map<std::size_t, Fraction>;

/// Whether right sides are those of the arm, and in which terms they differ.
class Judgement {
 public:
  Judgement(ArmFormulas& of, Shifts& shifts) : of_(of), shifts_(shifts) {}

  void judge(const Written& one, bool by_digits, FormulaVerdict& verdict) {
    const SymbolicNumber &right = *one.right, rest = one.value - right, above = numerator_of(rest);
    if (is_zero(above)) return;
    verdict.agreement = Agreement::different;
    if (by_digits) {
      const bool has_denominators = above != rest;
      if (is_within_digits(above, has_denominators ? SymbolicNumber() : right))
        verdict.agreement = Agreement::within_digits;
    } else if (one.what == ClosedEquation::potential && is_constant(rest, one.verdict)) {
      verdict.agreement = Agreement::up_to_a_constant;
    } else {
      name_terms(right, rest, verdict);
    }
  }

  /// Names the differing terms as a textbook writes them.
  void name_terms(const SymbolicNumber& right, const SymbolicNumber& rest,
                  FormulaVerdict& verdict) const {
    std::map<Monomial, Rational> known;
    for (const Term& term : collected(of_.arm, right)) known[term.monomial] = term.coefficient;
    std::vector<Term> missing, surplus;
    for (const Term& term : collected(of_.arm, rest)) {
      const Term before{term.monomial, known[term.monomial]};
      const Term written{term.monomial, before.coefficient + term.coefficient};
      if (before.coefficient == 0) {
        surplus.push_back(written);
      } else if (written.coefficient == 0) {
        missing.push_back(before);
      } else {
        verdict.factors.push_back(text(of_.arm, {written}) + " for " + text(of_.arm, {before}));
      }
    }
    if (!missing.empty()) verdict.missing = text(of_.arm, missing);
    if (!surplus.empty()) verdict.surplus = text(of_.arm, surplus);
  }

  /// Tells whether this entry of C and the others of its row, each of which has one value on the
  /// sheet, make V where they are multiplied by q̇.
  bool is_in_row_of_velocities(const Written& one, const std::vector<Written>& written) {
    const auto entry = [this](std::size_t i, std::size_t j) {
      return &of_.entries(ClosedEquation::christoffel).at(fmt::format("C{}{}", i + 1, j + 1));
    };
    const std::size_t n = of_.arm.q.size();
    std::size_t row = 0;
    for (std::size_t k = 0; k < n * n; ++k) row = entry(k / n, k % n) == one.right ? k / n : row;
    SymbolicNumber rest = -of_.entries(ClosedEquation::velocity).at(fmt::format("V{}", row + 1));
    for (std::size_t j = 0; j < n; ++j) {
      const SymbolicNumber* value = entry(row, j) == one.right ? &one.value : nullptr;
      for (const Written& other : written) {
        if (other.right != entry(row, j) || other.right == one.right) continue;
        if (value != nullptr && !of_.are_equal(*value, other.value)) return false;
        value = &other.value;
      }
      if (value == nullptr) return false;
      rest = rest + *value * of_.arm.qd[j];
    }
    return is_zero(numerator_of(rest));
  }

 private:
  [[nodiscard]] bool moves(const SymbolicNumber& x) const {
    const auto is_moved = [this](const Factor& f) {
      if (f.symbol >= first_reciprocal) return moves(of_.arm.table->divisor(f.symbol));
      return std::ranges::find(of_.arm.q, SymbolicNumber(f.symbol)) != of_.arm.q.end() ||
             is_rate(f.symbol) ||
             (is_trigonometric(f.symbol) &&
              !of_.arm.angles.contains((f.symbol - first_angle) / 2U));
    };
    return std::ranges::any_of(
        x.terms(), [&](const Term& term) { return std::ranges::any_of(term.monomial, is_moved); });
  }
  /// Tells whether a difference is the same in all states, and as at the points before.
  bool is_constant(const SymbolicNumber& rest, std::size_t of_verdict) {
    const Fraction here = fraction(rest);
    const Fraction& first = shifts_.try_emplace(of_verdict, here).first->second;
    return !moves(rest) && is_zero(here.above * first.below - first.above * here.below);
  }

  /// Tells whether each coefficient can vanish with epsilons between −1 and 1, or is no more than
  /// printing rounds of that of `printed`.
  [[nodiscard]] bool is_within_digits(const SymbolicNumber& rest,
                                      const SymbolicNumber& printed) const {
    std::map<Monomial, Rational> off, by_epsilons, by_printing;
    for (const auto& [monomial, coefficient] : rest.terms()) {
      Monomial own = monomial;
      std::erase_if(own, [&](const Factor& f) { return of_.epsilons.contains(f.symbol); });
      (own == monomial ? off : by_epsilons)[own] += abs(coefficient);
    }
    for (const auto& [monomial, coefficient] : printed.terms()) {
      by_printing[monomial] = abs(coefficient) * decimal(rounding_of_printing);
    }
    return std::ranges::all_of(off, [&](const auto& one) {
      return one.second <= std::max(by_epsilons[one.first], by_printing[one.first]);
    });
  }

  ArmFormulas& of_;
  Shifts& shifts_;
};

/// Comparison of a sheet's formulas with those of an arm.
class Verification {
 public:
  Verification(const RobotFile& file, const Sheet& sheet, const VerifyRequest& request)
      : file_(file), sheet_(sheet), request_(request) {}

  std::vector<FormulaVerdict> exactly() {
    set_arm();
    std::vector<FormulaVerdict> verdicts = compare(nullptr);
    try {
      take_equal_within_digits(verdicts);
    } catch (const std::length_error&) {  // too many digits
      const std::vector<FormulaVerdict> undecided = at_points();
      for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (differs(verdicts[i])) verdicts[i].agreement = undecided[i].agreement;
      }
    }
    return verdicts;
  }

  /// Verdicts by three states with random rational sines and cosines of the joints.
  std::vector<FormulaVerdict> at_points() {
    std::vector<FormulaVerdict> verdicts;
    std::mt19937 random(1);
    shifts_.clear();
    for (int point = 0; point < 3; ++point) {
      set_arm();
      for (const SymbolicNumber& q : formulas_->arm.q) {
        const Rational t(1 + random() % 97, 64), below = 1 + t * t;
        const auto number = [](const Rational& x) { return SymbolicNumber({Term{{}, x}}); };
        formulas_->arm.table->set_angle(q.terms()[0].monomial[0].symbol,
                                        {number(2 * t / below), number((1 - t * t) / below)});
      }
      std::vector<FormulaVerdict> here = compare(nullptr);
      take_equal_within_digits(here);
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (here[i].agreement == Agreement::own_name) continue;
        const bool is_different = differs(here[i]) || (point > 0 && differs(verdicts[i]));
        here[i] = {here[i].entry, here[i].place,
                   is_different ? Agreement::different : Agreement::undecided};
      }
      verdicts = std::move(here);
    }
    return verdicts;
  }

 private:
  static bool differs(const FormulaVerdict& verdict) {
    return verdict.agreement == Agreement::different;
  }

  void set_arm() {
    formulas_.emplace(file_, request_);
    own_names_.clear();
  }

  /// Compares once more with rounded decimals where a formula differs.
  void take_equal_within_digits(std::vector<FormulaVerdict>& verdicts) {
    if (std::ranges::none_of(verdicts, differs)) return;
    std::size_t digits = 0;
    const std::vector<FormulaVerdict> rounded = compare(&digits);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const bool is_rounded = rounded[i].agreement == Agreement::within_digits;
      if (is_rounded && differs(verdicts[i])) verdicts[i] = rounded[i];
    }
  }

  [[noreturn]] void refuse_left_side(const Sheet::Equation& equation) {
    const std::string entry = formulas_->name_of(equation);
    const std::optional<ClosedEquation> what = formulas_->family_of(entry);
    if (entry.empty() || !what) {
      sheet_.fail(equation.begin(),
                  "found \"" + entry +
                      "\" as its left side, expected tau1, M11, V1, "
                      "G1, C11, Jvx1, K or U; --entry says it of a formula, --what of what entries "
                      "are, --names E=K of another letter");
    }
    sheet_.fail(equation.begin(),
                fmt::format("there is no entry {}; there are {}; % before a line leaves it out",
                            entry, fmt::join(keys_of(formulas_->entries(*what)), ", ")));
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
        formulas_->factors.emplace(formula.substr(at, 1));
    }
  }

  /// Takes left sides that are no entries, and those that other formulas have, for names.
  void read_own_names(std::size_t* digits) {
    for (const std::string& name : own_names_) formulas_->names.erase(name);
    own_names_.clear();
    equations_.clear();
    Names all = formulas_->names;
    for (const Sheet::Equation& equation : sheet_.equations()) {
      const std::string& name = equation.left;
      if (!name.empty() && !formulas_->value_of(name)) all[*own_names_.insert(name).first] = 0.0;
    }
    std::set<std::string> used, said;
    formulas_->factors.clear();
    for (const Sheet::Equation& equation : sheet_.equations()) {
      std::string formula = sheet_.formula(equation, all);
      add_factors(formula);
      std::ranges::replace_if(
          formula, [](char c) { return c == '(' || c == ')'; }, ' ');
      std::istringstream text(formula);
      const std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
      if (words == std::vector{equation.left}) continue;  // M11 in a matrix M
      equations_.push_back(&equation);
      used.insert(words.begin(), words.end());
      said.insert(equation.left);
    }
    for (const Sheet::Equation& equation : sheet_.equations()) {
      if (said.contains(equation.left)) continue;
      sheet_.fail(equation.begin(), "no line says what " + equation.left + " is");
    }
    for (const Sheet::Equation* equation : equations_) {
      const std::string& name = equation->left;
      const bool is_own = own_names_.contains(name),
                 is_entry = formulas_->entry_of(formulas_->name_of(*equation)) != nullptr;
      const bool is_used = is_own && used.contains(name);
      if (is_entry && !is_used) continue;
      if (!is_entry && !is_used && (is_own || name.empty())) refuse_left_side(*equation);
      const SymbolicNumber value = formulas_->read(sheet_, *equation, digits);
      const std::optional<SymbolicNumber> known = formulas_->value_of(name);
      // Names of rotors and gears that the arm does not have are free, once.
      const bool is_free = used.contains(name) &&
                           known == SymbolicNumber(name[0] == 'r' ? 1.0 : 0.0) &&
                           own_names_.insert(name).second;
      const bool is_known = known && !is_entry && !is_free && digits == nullptr;
      if (is_known && !formulas_->are_equal(value, *known)) {
        const bool is_cosine = !joints_of(name, formulas_->names).empty();
        sheet_.fail(equation->begin(),
                    name +
                        (is_cosine ? " is already the sine or cosine of a sum of joints; "
                                   : " is already another number of the arm or the sheet; ") +
                        "leave this line out, or name it otherwise");
      }
      formulas_->names[name] = value;
    }
  }

  std::vector<FormulaVerdict> compare(std::size_t* digits) {
    std::vector<FormulaVerdict> verdicts;
    std::vector<Written> written;
    Judgement judgement(*formulas_, shifts_);
    formulas_->epsilons.clear();
    formulas_->steps_left =
        digits == nullptr ? ArmFormulas::most_steps : 5 * ArmFormulas::most_steps;
    read_own_names(digits);
    for (const Sheet::Equation* const equation : equations_) {
      const std::string entry = formulas_->name_of(*equation);
      const SymbolicNumber* const right = formulas_->entry_of(entry);
      verdicts.push_back({entry, sheet_.place(equation->begin()),
                          right == nullptr ? Agreement::own_name : Agreement::equal});
      if (right == nullptr) continue;
      const SymbolicNumber value = formulas_->read(sheet_, *equation, digits);
      const bool is_cosine = !joints_of(entry, formulas_->names).empty();  // c12, too
      if (is_cosine && formulas_->are_equal(value, *formulas_->value_of(entry))) continue;
      written.push_back({verdicts.size() - 1, *formulas_->family_of(entry), right, value});
      const TermBudget budget(formulas_->steps_left);
      judgement.judge(written.back(), digits != nullptr, verdicts.back());
    }
    const std::vector<FormulaVerdict> alone = verdicts;
    for (const Written& one : written) {
      FormulaVerdict& verdict = verdicts[one.verdict];
      const auto contradicts = [&](const Written& other) {
        return other.right == one.right && !differs(alone[other.verdict]) &&
               !formulas_->are_equal(other.value, one.value);
      };
      if (verdict.agreement == Agreement::up_to_a_constant &&
          std::ranges::any_of(written, contradicts)) {
        verdict.agreement = Agreement::different;
        judgement.name_terms(*one.right, one.value - *one.right, verdict);
      } else if (one.what == ClosedEquation::christoffel && differs(verdict) &&
                 judgement.is_in_row_of_velocities(one, written)) {
        verdict.agreement = Agreement::other_factorisation;
      }
    }
    return verdicts;
  }

  const RobotFile& file_;
  const Sheet& sheet_;
  const VerifyRequest& request_;
  std::optional<ArmFormulas> formulas_;
  std::set<std::string> own_names_;                // of the sheet
  std::vector<const Sheet::Equation*> equations_;  // that are no mere names
  Shifts shifts_;
};

}  // namespace

std::vector<FormulaVerdict> verify(const RobotFile& file, const Sheet& sheet,
                                   const VerifyRequest& request) {
  Verification verification(file, sheet, request);
  try {
    return verification.exactly();
  } catch (const std::length_error&) {  // too many terms
  }
  try {
    return verification.at_points();
  } catch (const std::length_error&) {
    throw InputError(sheet.file() +
                     ": too long even where joints have numbers; --symbols with fewer names "
                     "makes formulas shorter");
  }
}

}  // namespace armdyn
