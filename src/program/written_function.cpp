#include "program/written_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "math/each.hpp"

namespace armdyn {

namespace {

using Index = std::uint32_t;

bool is_sum(const Formula& f) {
  return f.operation == Operation::add || f.operation == Operation::subtract;
}

/// A formula as it is written within another one.
struct Written {
  enum class Kind { atom, product, sum };
  struct Term {
    bool is_negative;
    std::string text;
  };
  Kind kind = Kind::atom;
  std::vector<Term> terms;  ///< of a sum; else one

  [[nodiscard]] bool is_negative() const { return terms.front().is_negative; }
  [[nodiscard]] const std::string& magnitude() const { return terms.front().text; }
  [[nodiscard]] Written negated_if(bool negative) const {
    Written result = *this;
    for (Term& term : result.terms) term.is_negative = term.is_negative != negative;
    return result;
  }
  /// A positive term is the first where there is one.
  [[nodiscard]] std::string text() const {
    const auto positive = std::ranges::find(terms, false, &Term::is_negative);
    const auto first = positive == terms.end() ? terms.begin() : positive;
    std::string result = (first->is_negative ? "-" : "") + first->text;
    for (auto term = terms.begin(); term != terms.end(); ++term) {
      if (term != first) result += (term->is_negative ? " - " : " + ") + term->text;
    }
    return result;
  }
};

Written atom(bool is_negative, const std::string& text) {
  return {Written::Kind::atom, {{is_negative, text}}};
}

class Writer {
 public:
  Writer(const WrittenFunction& function, const CodeNotation& notation)
      : function_(function),
        notation_(notation),
        formulas_(function.graph->formulas()),
        uses_(uses_of(*function.graph, function.values)),
        names_(formulas_.size()),
        terms_(formulas_.size(), 1) {}

  StraightLine run() {
    name_quantities();
    for (Index i = 0; i < formulas_.size(); ++i) {
      if (uses_[i] > 0) choose(i);
    }
    StraightLine result;
    result.reads_input.resize(function_.input_count() + function_.parameters.size());
    for (Index i = 0; i < formulas_.size(); ++i) {
      if (uses_[i] == 0) continue;
      if (formulas_[i].operation == Operation::input) result.reads_input[formulas_[i].left] = true;
      Name& name = names_[i];
      if (!name.is_wanted) continue;
      const Written value = definition(i).negated_if(name.is_negative);
      if (name.text.empty()) name.text = fmt::format("t{}", ++unnamed_);
      name.is_defined = true;
      result.assignments.push_back({name.text, value.text()});
    }
    for (std::size_t i = 0; i < function_.values.size(); ++i) {
      const Expression& value = function_.values[i];
      const double k = value.is_known() ? value.known() : 0.0;
      const Written text =
          value.is_known() ? atom(k < 0.0, notation_.number(std::abs(k))) : written(value.index());
      result.results.push_back(
          {notation_.place(i), text.negated_if(!value.is_known() && value.is_negative()).text()});
    }
    return result;
  }

 private:
  struct Name {
    std::string text;
    bool is_wanted = false;    ///< it gets an assignment
    bool is_negative = false;  ///< it names the formula's negative
    bool is_defined = false;
  };

  void name_quantities() {
    std::set<std::string> taken;
    for (const NamedQuantity& quantity : function_.quantities) {
      if (quantity.value.is_known()) continue;
      const Index i = quantity.value.index();
      const std::string& text = notation_.names_in_unicode ? quantity.name : quantity.identifier;
      if (is_leaf(formulas_[i]) || !names_[i].text.empty() || !taken.insert(text).second) continue;
      names_[i] = {text, true, quantity.value.is_negative()};
    }
  }

  [[nodiscard]] bool is_inlined(Index i) const {
    return !is_leaf(formulas_[i]) && !names_[i].is_wanted;
  }

  /// Names what no sum of products can hold: what is used again, factors that are sums, and all but
  /// the first part of a long sum. Its operands have been chosen.
  void choose(Index i) {
    const Formula& f = formulas_[i];
    if (is_leaf(f)) return;
    const auto name = [&](Index operand) {
      if (is_leaf(formulas_[operand])) return;
      names_[operand].is_wanted = true;
      terms_[operand] = 1;
    };
    switch (f.operation) {
      case Operation::add:
      case Operation::subtract:
        if (is_inlined(f.left) && is_inlined(f.right) && is_sum(formulas_[f.left]) &&
            is_sum(formulas_[f.right])) {
          name(f.right);
        }
        if (terms_[f.left] + terms_[f.right] > most_terms) {
          name(terms_[f.left] > terms_[f.right] ? f.left : f.right);
        }
        terms_[i] = terms_[f.left] + terms_[f.right];
        break;
      case Operation::multiply:
      case Operation::divide:
        for (const Index operand : {f.left, f.right}) {
          if (is_inlined(operand) && is_sum(formulas_[operand])) name(operand);
        }
        if (is_inlined(f.right) && (is_inlined(f.left) || f.operation == Operation::divide)) {
          name(f.right);
        }
        break;
      default:
        if (is_inlined(f.left)) name(f.left);
        names_[i].is_wanted = true;
        break;
    }
    if (uses_[i] > 1) name(i);
  }

  [[nodiscard]] Written written(Index i) const {
    const Formula& f = formulas_[i];
    if (names_[i].is_defined) return atom(names_[i].is_negative, names_[i].text);
    if (f.operation == Operation::constant) return atom(false, notation_.number(f.value));
    if (f.operation == Operation::input) return atom(false, notation_.input(f.left));
    return definition(i);
  }

  [[nodiscard]] Written definition(Index i) const {
    const Formula& f = formulas_[i];
    Written a = written(f.left);
    const auto call = [&](const std::string& function, bool is_odd) {
      return atom(is_odd && a.is_negative(), function + "(" + a.magnitude() + ")");
    };
    switch (f.operation) {
      case Operation::add:
      case Operation::subtract: {
        Written b = written(f.right).negated_if(f.operation == Operation::subtract);
        if (b.kind == Written::Kind::sum) std::swap(a, b);
        a.kind = Written::Kind::sum;
        append(a.terms, b.terms);
        return a;
      }
      case Operation::multiply: {
        Written b = written(f.right);
        const bool number_is_last =
            a.kind == Written::Kind::atom && formulas_[f.right].operation == Operation::constant;
        if (number_is_last || b.kind == Written::Kind::product) std::swap(a, b);
        return {Written::Kind::product,
                {{a.is_negative() != b.is_negative(),
                  a.magnitude() + notation_.times + b.magnitude()}}};
      }
      case Operation::divide: {
        const Written b = written(f.right);
        return {Written::Kind::product,
                {{a.is_negative() != b.is_negative(), a.magnitude() + "/" + b.magnitude()}}};
      }
      case Operation::sine:
        return call(notation_.sine, true);
      case Operation::cosine:
        return call(notation_.cosine, false);
      case Operation::exponential: {
        const bool negative = a.is_negative() != (f.right == 1);
        return atom(false, notation_.exponential + (negative ? "(-" : "(") + a.magnitude() + ")");
      }
      case Operation::sign:
        return atom(a.is_negative(), notation_.sign(a.magnitude()));
      default:
        return {};
    }
  }

  static constexpr std::size_t most_terms = 8;
  const WrittenFunction& function_;
  const CodeNotation& notation_;
  const std::deque<Formula>& formulas_;
  std::vector<std::size_t> uses_;
  std::vector<Name> names_;
  std::vector<std::size_t> terms_;  ///< of the sum that is written in its place
  std::size_t unnamed_ = 0;
};

}  // namespace

std::size_t WrittenFunction::input_count() const {
  std::size_t count = 0;
  for (const InputGroup& group : inputs) count += group.count;
  return count;
}

WrittenFunction::Input WrittenFunction::input(std::size_t input) const {
  for (const InputGroup& group : inputs) {
    if (input < group.count) return {&group, input};
    input -= group.count;
  }
  return {nullptr, input};
}

std::string FunctionTest::description(const WrittenFunction& function) const {
  return fmt::format(
      "Calls {} for {} states, whose results armdyn computed: none may be off by more than {} of "
      "{}.",
      function.name, samples.size(), tolerance, scale);
}

StraightLine straight_line(const WrittenFunction& function, const CodeNotation& notation) {
  return Writer(function, notation).run();
}

std::string constant_text(double value, bool as_float) {
  std::string text =
      as_float ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string broken_lines(const std::string& line, const std::string& ending, std::size_t indent) {
  constexpr std::size_t width = 100;
  std::string text, rest = line;
  while (rest.size() + ending.size() > width) {
    std::size_t at = std::string::npos;
    for (const char* const sign : {" + ", " - "}) {
      const std::size_t found = rest.rfind(sign, width - ending.size());
      if (found != std::string::npos && found > indent && (at == std::string::npos || found > at)) {
        at = found;
      }
    }
    if (at == std::string::npos) break;
    text += rest.substr(0, at) + ending + "\n";
    rest = std::string(indent, ' ') + rest.substr(at + 1);
  }
  return text + rest;
}

}  // namespace armdyn
