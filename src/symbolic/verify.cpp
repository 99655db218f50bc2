#include "symbolic/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "symbolic/sheet_reading.hpp"

namespace armdyn {

namespace {

/// A right side of the sheet, of a verdict, and the arm's.
struct Written {
  std::size_t verdict;
  std::string entry;
  ClosedEquation what;
  const SymbolicNumber* right;
  SymbolicNumber value;
};

/// Differences of potential energies at the first point, by verdict.
using Shifts = std::map<std::size_t, Fraction>;

/// Verdicts whether right sides are those of the arm, and in which terms they differ.
class Judgment {
 public:
  Judgment(ArmFormulas& of, Shifts& shifts) : of_(of), shifts_(shifts) {}

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

  /// The sheet's Y a − τ, of as many base parameters as it has; none where it is incomplete.
  std::vector<SymbolicNumber> surplus_torques(const std::vector<Written>& written) {
    std::vector<SymbolicNumber> rest(of_.arm.q.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] = -torque(i);
    }
    for (const Written& one : written) {
      if (!of_.entries.is_of_regressor(one.entry) || one.entry[0] != 'Y') continue;
      const auto parameter = std::ranges::find_if(written, [&](const Written& other) {
        return of_.entries.is_of_regressor(other.entry) && other.entry[0] != 'Y' &&
               std::string_view(other.entry).substr(letters_of(other.entry)) ==
                   std::string_view(one.entry).substr(2);
      });
      const auto row = static_cast<std::size_t>(one.entry[1] - '1');
      if (parameter == written.end() || row >= rest.size()) return {};
      rest[row] = rest[row] + one.value * parameter->value;
    }
    return rest;
  }

  /// Judges an entry of Y and a by its rows of Y a = τ: it is wrong where none of them holds. Terms
  /// of a row are named once.
  void judge_by_rows(const Written& one, const std::vector<Written>& written,
                     const std::vector<SymbolicNumber>& surplus, std::set<std::size_t>& named,
                     FormulaVerdict& verdict) {
    verdict = {verdict.entry, verdict.place, Agreement::other_parameters};
    const std::string_view number = std::string_view(one.entry).substr(letters_of(one.entry));
    std::optional<std::size_t> wrong;
    for (const Written& other : written) {
      const bool is_in_row =
          other.entry[0] == 'Y' && of_.entries.is_of_regressor(other.entry) &&
          (one.entry == other.entry || (one.entry[0] != 'Y' && number == other.entry.substr(2)));
      if (!is_in_row || is_zero(numerator_of(other.value))) continue;
      const auto row = static_cast<std::size_t>(other.entry[1] - '1');
      if (is_zero(numerator_of(surplus[row]))) return;
      if (!wrong) wrong = row;
    }
    if (!wrong) return;
    verdict.agreement = Agreement::different;
    verdict.note = fmt::format("a part of Y a = tau{}", *wrong + 1);
    if (named.insert(*wrong).second) name_terms(torque(*wrong), surplus[*wrong], verdict);
  }

  /// Tests whether this entry of C and the others of its row, each with one value on the
  /// sheet, make V where they are multiplied by q̇.
  bool is_in_row_of_velocities(const Written& one, const std::vector<Written>& written) {
    const auto entry = [this](std::size_t i, std::size_t j) {
      return &of_.entries.of(ClosedEquation::christoffel).at(fmt::format("C{}{}", i + 1, j + 1));
    };
    const std::size_t n = of_.arm.q.size();
    std::size_t row = 0;
    for (std::size_t k = 0; k < n * n; ++k) row = entry(k / n, k % n) == one.right ? k / n : row;
    SymbolicNumber rest = -of_.entries.of(ClosedEquation::velocity).at(fmt::format("V{}", row + 1));
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
  const SymbolicNumber& torque(std::size_t joint) {
    return of_.entries.of(ClosedEquation::torque).at(fmt::format("tau{}", joint + 1));
  }
  [[nodiscard]] bool moves(const SymbolicNumber& x) const {
    const auto is_moved = [this](const Factor& f) {
      if (f.symbol >= first_reciprocal) return moves(of_.arm.table->divisor(f.symbol));
      return is_of_state(of_.arm, f.symbol);
    };
    return std::ranges::any_of(
        x.terms(), [&](const Term& term) { return std::ranges::any_of(term.monomial, is_moved); });
  }
  /// Tests whether a difference is the same in all states, and as at the points before.
  bool is_constant(const SymbolicNumber& rest, std::size_t of_verdict) {
    const Fraction here = fraction(rest);
    const Fraction& first = shifts_.try_emplace(of_verdict, here).first->second;
    return !moves(rest) && is_zero(here.above * first.below - first.above * here.below);
  }

  /// Tests whether each coefficient can vanish with epsilons between −1 and 1, or is no more than
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
      : sheet_(sheet), reading_(file, sheet, request) {}

  SheetVerdicts exactly() {
    reading_.set_arm();
    std::vector<FormulaVerdict> verdicts = compare(nullptr);
    try {
      take_equal_within_digits(verdicts);
    } catch (const std::length_error&) {  // too many digits
      const std::vector<FormulaVerdict> undecided = at_points();
      for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (differs(verdicts[i])) verdicts[i].agreement = undecided[i].agreement;
      }
    }
    return answer(std::move(verdicts));
  }

  /// The verdicts, with what could not be read. Throws where that is all.
  SheetVerdicts answer(std::vector<FormulaVerdict> verdicts) {
    const auto is_judged = [](const FormulaVerdict& one) {
      return one.agreement != Agreement::unread && one.agreement != Agreement::own_name;
    };
    if (std::ranges::none_of(verdicts, is_judged)) {
      for (const Sheet::Fault& fault : sheet_.faults()) sheet_.fail(fault.at, fault.message);
      if (reading_.first_fault()) throw SheetError(*reading_.first_fault());
    }
    for (const Sheet::Fault& fault : sheet_.faults()) {
      verdicts.push_back({fault.left, sheet_.place(fault.at), Agreement::unread});
      verdicts.back().note = fault.message;
    }
    return {std::move(verdicts), reading_.formulas().entries_from_zero};
  }

  /// Verdicts by three states with random rational sines and cosines of the joints.
  std::vector<FormulaVerdict> at_points() {
    std::vector<FormulaVerdict> verdicts;
    std::mt19937 random(1);
    shifts_.clear();
    for (int point = 0; point < 3; ++point) {
      reading_.set_arm();
      for (const SymbolicNumber& q : reading_.formulas().arm.q) {
        const Rational t(1 + random() % 97, 64), below = 1 + t * t;
        const auto number = [](const Rational& x) { return SymbolicNumber({Term{{}, x}}); };
        reading_.formulas().arm.table->set_angle(
            q.terms()[0].monomial[0].symbol, {number(2 * t / below), number((1 - t * t) / below)});
      }
      std::vector<FormulaVerdict> here = compare(nullptr);
      take_equal_within_digits(here);
      for (std::size_t i = 0; i < here.size(); ++i) {
        const bool is_judged =
            here[i].agreement != Agreement::own_name && here[i].agreement != Agreement::unread;
        if (!is_judged) continue;
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

  /// Takes each kind of names, as C12 and C21, for what most of its formulas are.
  void choose_readings(const std::vector<Written>& written, bool by_digits) {
    Judgment judgment(reading_.formulas(), shifts_);
    std::map<std::string, std::vector<const Written*>> kinds;
    for (const Written& one : written) kinds[ArmEntries::kind_of(one.entry)].push_back(&one);
    reading_.formulas().entries.readings.clear();
    for (const auto& [kind, all] : kinds) {
      std::map<const Family*, std::size_t> agreeing;
      std::size_t most = 0;
      const Family* best = nullptr;
      for (const ArmEntries::Meaning& likeliest :
           reading_.formulas().entries.meanings(all.front()->entry)) {
        std::size_t count = 0;
        for (const Written* const one : all) {
          for (const ArmEntries::Meaning& meaning :
               reading_.formulas().entries.meanings(one->entry)) {
            if (meaning.family != likeliest.family || is_zero(*meaning.value)) continue;
            FormulaVerdict verdict;
            judgment.judge(
                {one->verdict, one->entry, meaning.family->what, meaning.value, one->value},
                by_digits, verdict);
            if (!differs(verdict)) ++count;
          }
        }
        if (best == nullptr || count > most) best = likeliest.family;
        most = std::max(most, count);
        if (most == all.size()) break;
      }
      if (best != nullptr) reading_.formulas().entries.readings[kind] = best;
    }
  }

  std::vector<FormulaVerdict> compare(std::size_t* digits) {
    std::vector<FormulaVerdict> verdicts;
    std::vector<Written> written;
    Judgment judgment(reading_.formulas(), shifts_);
    reading_.formulas().epsilons.clear();
    reading_.formulas().entries.readings.clear();
    reading_.formulas().forget_matrices();
    reading_.formulas().steps_left =
        digits == nullptr ? ArmFormulas::most_steps : 5 * ArmFormulas::most_steps;
    reading_.read_own_names(digits);
    for (const Sheet::Equation* const equation : reading_.equations()) {
      const bool is_own_matrix = reading_.is_of_own_matrix(*equation);
      const std::string entry =
          is_own_matrix ? equation->matrix : reading_.formulas().name_of(*equation);
      verdicts.push_back({entry, sheet_.place(equation->begin()), Agreement::own_name});
      const bool has_value = reading_.formulas().entries.entry_of(entry) != nullptr ||
                             reading_.formulas().entries.is_of_regressor(entry);
      if (is_own_matrix || !has_value || reading_.fault_of(equation) != nullptr) continue;
      reading_.attempt(*equation, [&] {
        const SymbolicNumber value = reading_.formulas().read(sheet_, *equation, digits);
        reading_.define(equation->left, value);
        std::string sine = entry;  // c12, and C_{12} = \cos(q_1 + q_2)
        if (sine.starts_with('C') || sine.starts_with('S'))
          sine[0] = static_cast<char>(sine[0] | 0x20);
        const bool is_sine = !joints_of(sine, reading_.formulas().names).empty();
        if (is_sine && reading_.formulas().are_equal(value, *reading_.formulas().value_of(sine))) {
          verdicts.back().agreement = Agreement::equal;
        } else {
          written.push_back({verdicts.size() - 1, entry, {}, nullptr, value});
        }
      });
    }
    choose_readings(written, digits != nullptr);
    for (Written& one : written) {
      const auto [family, right] = reading_.formulas().entries.meaning_of(one.entry);
      FormulaVerdict& verdict = verdicts[one.verdict];
      if (right == nullptr) {  // more base parameters than the arm has
        one.what = ClosedEquation::base_parameters;
        verdict.agreement = Agreement::different;
        verdict.note = "the arm has fewer base parameters";
        continue;
      }
      one.what = family->what;
      one.right = right;
      verdict.agreement = Agreement::equal;
      verdict.note = family->note;
      const TermBudget budget(reading_.formulas().steps_left);
      judgment.judge(one, digits != nullptr, verdict);
    }
    compare_with_one_another(judgment, written, verdicts);
    for (std::size_t k = 0; k < verdicts.size(); ++k) {
      const SheetError* const fault = reading_.fault_of(reading_.equations()[k]);
      if (fault == nullptr) continue;
      verdicts[k] = {verdicts[k].entry, sheet_.place(fault->at), Agreement::unread};
      verdicts[k].note = fault->message;
    }
    return verdicts;
  }

  /// Looks at constants of potential energies, and at rows of C.
  void compare_with_one_another(Judgment& judgment, const std::vector<Written>& written,
                                std::vector<FormulaVerdict>& verdicts) {
    const std::vector<FormulaVerdict> alone = verdicts;
    const auto is_of_base = [](const Written& one) {
      return one.what == ClosedEquation::base_parameters;
    };
    const auto differing = std::ranges::count_if(written, [&](const Written& one) {
      return is_of_base(one) && differs(alone[one.verdict]);
    });
    const bool has_other_parameters = 2 * differing > std::ranges::count_if(written, is_of_base);
    const std::vector<SymbolicNumber> surplus =
        differing > 0 ? judgment.surplus_torques(written) : std::vector<SymbolicNumber>();
    const bool makes_torques =
        std::ranges::all_of(surplus, [](const auto& x) { return is_zero(numerator_of(x)); });
    std::set<std::size_t> named;
    for (const Written& one : written) {
      FormulaVerdict& verdict = verdicts[one.verdict];
      const auto contradicts = [&](const Written& other) {
        return other.right == one.right && !differs(alone[other.verdict]) &&
               !reading_.formulas().are_equal(other.value, one.value);
      };
      if (verdict.agreement == Agreement::up_to_a_constant &&
          std::ranges::any_of(written, contradicts)) {
        verdict.agreement = Agreement::different;
        judgment.name_terms(*one.right, one.value - *one.right, verdict);
      } else if (one.what == ClosedEquation::christoffel && differs(verdict) &&
                 judgment.is_in_row_of_velocities(one, written)) {
        verdict.agreement = Agreement::other_factorization;
      } else if (is_of_base(one) && differs(verdict) && !surplus.empty() &&
                 (has_other_parameters || makes_torques)) {
        judgment.judge_by_rows(one, written, surplus, named, verdict);
      }
    }
  }

  const Sheet& sheet_;
  SheetReading reading_;
  Shifts shifts_;
};

}  // namespace

SheetVerdicts verify(const RobotFile& file, const Sheet& sheet, const VerifyRequest& request) {
  Verification verification(file, sheet, request);
  try {
    return verification.exactly();
  } catch (const std::length_error&) {  // too many terms
  }
  try {
    return verification.answer(verification.at_points());
  } catch (const std::length_error&) {
    throw InputError(sheet.file() +
                     ": too long even where joints have numbers; --symbols with fewer names "
                     "makes formulas shorter");
  }
}

}  // namespace armdyn
