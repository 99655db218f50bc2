#include "program/written_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace armdyn {

namespace {

using Index = std::uint32_t;

bool is_binary(const Formula& f) {
  return f.operation == Operation::add || f.operation == Operation::subtract ||
         f.operation == Operation::multiply || f.operation == Operation::divide;
}

bool is_sum(const Formula& f) {
  return f.operation == Operation::add || f.operation == Operation::subtract;
}

bool is_leaf(const Formula& f) {
  return f.operation == Operation::constant || f.operation == Operation::input;
}

/// How often each formula is used by what these need.
std::vector<std::size_t> uses_of(const std::deque<Formula>& formulas,
                                 std::span<const Expression> values) {
  std::vector<std::size_t> uses(formulas.size());
  for (const Expression& value : values) {
    if (!value.is_known()) ++uses[value.index()];
  }
  for (Index i = static_cast<Index>(formulas.size()); i-- > 0;) {
    if (uses[i] == 0 || is_leaf(formulas[i])) continue;
    ++uses[formulas[i].left];
    if (is_binary(formulas[i])) ++uses[formulas[i].right];
  }
  return uses;
}

/// A formula as it is written within another one.
struct Written {
  enum class Kind { atom, product, sum };
  bool is_negative = false;
  std::string text;
  Kind kind = Kind::atom;
};

std::string signed_text(const Written& w) {
  if (!w.is_negative) return w.text;
  return w.kind == Written::Kind::sum ? "-(" + w.text + ")" : "-" + w.text;
}

class Writer {
 public:
  Writer(const WrittenFunction& function, const Notation& notation)
      : function_(function),
        notation_(notation),
        formulas_(function.graph->formulas()),
        uses_(uses_of(formulas_, function.values)),
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
      Written text = definition(i);
      text.is_negative = text.is_negative != name.is_negative;
      if (name.text.empty()) name.text = fmt::format("t{}", ++unnamed_);
      name.is_defined = true;
      result.assignments.push_back({name.text, signed_text(text)});
    }
    for (const Expression& value : function_.values) {
      if (value.is_known()) {
        const double k = value.known();
        result.results.push_back(k == 0.0  ? notation_.number(0.0)
                                 : k < 0.0 ? "-" + notation_.number(-k)
                                           : notation_.number(k));
      } else {
        Written text = written(value.index());
        text.is_negative = text.is_negative != value.is_negative();
        result.results.push_back(signed_text(text));
      }
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
    if (names_[i].is_defined) return {names_[i].is_negative, names_[i].text};
    if (f.operation == Operation::constant) return {false, notation_.number(f.value)};
    if (f.operation == Operation::input) return {false, notation_.input(f.left)};
    return definition(i);
  }

  [[nodiscard]] Written definition(Index i) const {
    const Formula& f = formulas_[i];
    using Kind = Written::Kind;
    const Written a = written(f.left);
    switch (f.operation) {
      case Operation::add:
      case Operation::subtract: {
        Written b = written(f.right);
        if (f.operation == Operation::subtract) b.is_negative = !b.is_negative;
        return b.kind == Kind::sum ? sum(b, a) : sum(a, b);
      }
      case Operation::multiply: {
        const Written b = written(f.right);
        const bool negative = a.is_negative != b.is_negative;
        const bool swapped = b.kind == Kind::product;
        return {negative,
                (swapped ? b.text : a.text) + notation_.times + (swapped ? a.text : b.text),
                Kind::product};
      }
      case Operation::divide: {
        const Written b = written(f.right);
        return {a.is_negative != b.is_negative, a.text + "/" + b.text, Kind::product};
      }
      case Operation::sine:
        return {a.is_negative, notation_.sine + "(" + a.text + ")"};
      case Operation::cosine:
        return {false, notation_.cosine + "(" + a.text + ")"};
      case Operation::exponential: {
        const bool negative = a.is_negative != (f.right == 1);
        return {false, notation_.exponential + (negative ? "(-" : "(") + a.text + ")"};
      }
      case Operation::sign:
        return {a.is_negative, notation_.sign(a.text)};
      default:
        return {};
    }
  }

  /// a + b, b no sum; a positive term is the first where there is one.
  static Written sum(const Written& a, const Written& b) {
    using Kind = Written::Kind;
    if (a.is_negative && b.is_negative) return {true, a.text + " + " + b.text, Kind::sum};
    if (a.kind == Kind::sum && a.is_negative)
      return {false, b.text + " - (" + a.text + ")", Kind::sum};
    if (a.is_negative) return {false, b.text + " - " + a.text, Kind::sum};
    return {false, a.text + (b.is_negative ? " - " : " + ") + b.text, Kind::sum};
  }

  static constexpr std::size_t most_terms = 8;
  const WrittenFunction& function_;
  const Notation& notation_;
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

FormulaCount count(const Graph& graph, std::span<const Expression> values) {
  const std::deque<Formula>& formulas = graph.formulas();
  const std::vector<std::size_t> uses = uses_of(formulas, values);
  FormulaCount result;
  std::set<Index> angles;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (uses[i] == 0) continue;
    switch (formulas[i].operation) {
      case Operation::add:
      case Operation::subtract:
        ++result.additions;
        break;
      case Operation::multiply:
        ++result.multiplications;
        break;
      case Operation::divide:
        ++result.divisions;
        break;
      case Operation::sine:
      case Operation::cosine:
        angles.insert(formulas[i].left);
        break;
      case Operation::exponential:
      case Operation::sign:
        ++result.others;
        break;
      default:
        break;
    }
  }
  result.sines = angles.size();
  return result;
}

std::string count_text(const FormulaCount& count) {
  std::string text =
      fmt::format("{} multiplications, {} additions", count.multiplications, count.additions);
  if (count.divisions > 0) text += fmt::format(", {} divisions", count.divisions);
  if (count.sines > 0) text += fmt::format(", {} sines with cosines", count.sines);
  if (count.others > 0) text += fmt::format(", {} exponentials or signs", count.others);
  return text;
}

StraightLine straight_line(const WrittenFunction& function, const Notation& notation) {
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
