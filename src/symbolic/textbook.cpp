#include "symbolic/closed_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "symbolic/verify.hpp"

namespace armdyn {

namespace {

// --- Sums of angles

/// Three products of sines and cosines whose sum, each with its sign, is zero.
using Relation = std::array<std::pair<Monomial, int>, 3>;

Monomial cosine(std::size_t angle) {
  return {{SymbolTable::cosine(angle), 1}};
}
Monomial sine(std::size_t angle) {
  return {{SymbolTable::sine(angle), 1}};
}

/// Adds the relations of sums and differences of angles of parallel joints (20.3).
void add_relations(const ParallelJoints& group, std::vector<Relation>& relations) {
  /// Adds those of x = a ± b, or of its negative.
  const auto add = [&](std::size_t x, std::size_t a, std::size_t b, int sign, int of_sine) {
    relations.push_back({{{cosine(x), 1}, {cosine(a) * cosine(b), -1}, {sine(a) * sine(b), sign}}});
    relations.push_back(
        {{{sine(x), 1}, {sine(a) * cosine(b), -of_sine}, {cosine(a) * sine(b), -of_sine * sign}}});
  };
  const auto& angle = group.angle;
  for (std::size_t j = 1; j < angle.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      add(angle[i + 1][j], angle[0][j], angle[0][i], -1, group.signs[i + 1]);
    }
  }
  for (std::size_t i = 0; i < angle.size(); ++i) {
    for (std::size_t j = i + 1; j < angle.size(); ++j) {
      for (std::size_t k = i; k < j; ++k) {
        add(angle[i][j], angle[i][k], angle[k + 1][j], group.sign(i, k + 1), 1);
      }
    }
  }
}

using Sparse = std::map<Monomial, Rational>;

/// Replaces `monomial` and another term by one; false: it cannot.
bool shortened(Sparse& sum, const Monomial& monomial, const Relation& relation) {
  const auto term = sum.find(monomial);
  if (term == sum.end()) return false;
  for (std::size_t x = 0; x < 3; ++x) {
    if (!divides(relation[x].first, monomial)) continue;
    const Monomial rest = monomial * inverse(relation[x].first);
    const Rational k = term->second * relation[x].second;
    for (const std::size_t y : {(x + 1) % 3, (x + 2) % 3}) {
      const auto partner = sum.find(rest * relation[y].first);
      if (partner == sum.end() || partner->second != k * relation[y].second) continue;
      const auto& [third, sign] = relation[3 - x - y];
      sum.erase(term);
      sum.erase(partner);
      Rational& value = sum[rest * third];
      value -= k * sign;
      if (value.is_zero()) sum.erase(rest * third);
      return true;
    }
  }
  return false;
}

bool shorten(Sparse& sum, const std::vector<Relation>& relations) {
  bool changed = false;
  for (const Monomial& monomial : each(sum, &Sparse::value_type::first)) {
    for (const Relation& relation : relations) {
      changed = shortened(sum, monomial, relation) || changed;
    }
  }
  return changed;
}

// --- Factors

struct Product;
/// A sum of products; the empty one is 0.
using Sum = std::vector<Product>;

struct Product {
  Rational coefficient = 1;
  Monomial monomial;
  std::vector<Sum> sums;  ///< in brackets
};

/// Most terms of the same sines and cosines whose pairs are compared; more are factored rate by rate.
constexpr std::size_t most_pairs = 300;

/// Place in a textbook's order: accelerations, products of velocities, squares, gravity.
int kind(const Monomial& monomial) {
  const Monomial of = only(monomial, is_rate);
  if (of.empty()) return 3;
  return of.size() > 1 ? 1 : of[0].power > 1 ? 2 : 0;
}

Monomial common(const Monomial& a, const Monomial& b) {
  Monomial found;
  for (const auto& [symbol, power] : a) {
    const int other = power_of(symbol, b);
    if (other == 0 || (power > 0) != (other > 0)) continue;
    found.push_back(
        {symbol, std::abs(other) < std::abs(power) ? static_cast<std::int16_t>(other) : power});
  }
  return found;
}

int total_degree(const Monomial& monomial) {
  int sum = 0;
  for (const Factor& f : monomial) sum += std::abs(f.power);
  return sum;
}

/// Tests whether its powers have the signs of the whole's, and are no higher.
bool is_part(const Monomial& factor, const Monomial& whole) {
  return common(factor, whole) == factor;
}

Sum factored_of_kind(std::vector<Term> terms);

/// Product of a factor that all terms have and of the sum that remains.
Product taken_out(const Monomial& factor, std::vector<Term> terms) {
  for (Term& term : terms) term.monomial = term.monomial * inverse(factor);
  Sum rest = factored_of_kind(std::move(terms));
  Product product{1, factor, {}};
  if (rest.size() == 1) {
    product = rest.front();
    product.monomial = product.monomial * factor;
    return product;
  }
  const Rational& first = rest.front().coefficient;
  const bool all_alike =
      std::ranges::all_of(rest, [&](const Product& p) { return abs(p.coefficient) == abs(first); });
  product.coefficient = all_alike ? first : first < 0 ? Rational(-1) : Rational(1);
  for (Product& one : rest) one.coefficient /= product.coefficient;
  product.sums.push_back(std::move(rest));
  return product;
}

/// A term with its place in the sum.
using Placed = std::pair<std::size_t, Term>;

/// Longest factor that two of the terms have in common.
Monomial longest_common(const std::vector<Placed>& terms) {
  Monomial longest;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Monomial factor = common(terms[i].second.monomial, terms[j].second.monomial);
      if (total_degree(factor) > total_degree(longest)) longest = std::move(factor);
    }
  }
  return longest;
}

/// Terms by the factors that belong to one kind of symbols.
std::map<Monomial, std::vector<Term>> by_factors(const std::vector<Term>& terms,
                                                 bool (*belongs)(Symbol)) {
  std::map<Monomial, std::vector<Term>> parts;
  for (const Term& term : terms) parts[only(term.monomial, belongs)].push_back(term);
  return parts;
}

Sum factored_of_kind(std::vector<Term> terms) {
  const auto place = [](const Term& term) {
    const auto ordered = [](const Monomial& monomial) {
      return each(monomial,
                  [](const Factor& f) { return std::pair<int, int>(f.symbol, -f.power); });
    };
    return std::pair(ordered(only(term.monomial, is_rate)), ordered(term.monomial));
  };
  std::ranges::stable_sort(terms, {}, place);
  if (terms.size() > most_pairs && kind(terms.front().monomial) < 3) {
    auto parts = by_factors(terms, is_rate);
    return each(parts, [](auto& part) { return taken_out(part.first, std::move(part.second)); });
  }
  std::vector<Placed> rest;
  rest.reserve(terms.size());
  for (Term& term : terms) rest.emplace_back(rest.size(), std::move(term));
  std::vector<std::pair<std::size_t, Product>> products;  // behind the place of the first term
  for (;;) {
    const Monomial factor = longest_common(rest);
    if (factor.empty()) break;
    const auto with = std::stable_partition(rest.begin(), rest.end(), [&](const Placed& term) {
      return !is_part(factor, term.second.monomial);
    });
    std::vector<Term> parts;
    std::transform(with, rest.end(), std::back_inserter(parts),
                   [](Placed& term) { return std::move(term.second); });
    products.emplace_back(with->first, taken_out(factor, std::move(parts)));
    rest.erase(with, rest.end());
  }
  for (const auto& [place_of_term, term] : rest) {
    products.emplace_back(place_of_term, Product{term.coefficient, term.monomial, {}});
  }
  std::ranges::sort(products, {}, &std::pair<std::size_t, Product>::first);
  return each(products, [](auto& placed) { return std::move(placed.second); });
}

/// Place of a symbol in a product, from left to right: rates come last.
int rank(Symbol symbol) {
  return is_rate(symbol) ? symbol + 0x10000 : symbol;
}

/// Takes factors out of terms, the longest first (20.4), but before what divides all of them.
Sum factored(std::vector<Term> terms) {
  Monomial below = terms.empty() ? Monomial() : terms.front().monomial;
  for (const Term& term : terms) below = common(below, term.monomial);
  std::erase_if(below, [](const Factor& f) {
    return f.symbol < first_reciprocal && (f.power > 0 || !is_trigonometric(f.symbol));
  });
  if (terms.size() > 1 && !below.empty()) {
    for (Term& term : terms) term.monomial = term.monomial * inverse(below);
    return {{1, below, {factored(std::move(terms))}}};
  }
  std::array<std::vector<Term>, 4> kinds;
  for (Term& term : terms) {
    kinds[static_cast<std::size_t>(kind(term.monomial))].push_back(std::move(term));
  }
  Sum sum;
  for (std::vector<Term>& one : kinds) {
    if (one.empty()) continue;
    for (auto& [angles, part] : by_factors(one, is_trigonometric)) {
      for (Product& product : factored_of_kind(std::move(part))) sum.push_back(std::move(product));
    }
  }
  return sum;
}

std::string with_index(const std::string& base, std::string_view index) {
  std::string below(index);
  std::erase(below, '_');
  return below.empty() ? base : base + "_{" + below + "}";
}

/// "Ixx1" as I_{xx1}, "q̇1" as \dot{q}_{1}, "beta2" as \beta_{2}.
std::string latex_name(const std::string& name) {
  for (std::size_t k = 0; k < greek_words.size(); ++k) {
    if (name.starts_with(greek_letters.substr(2 * k, 2))) {
      return with_index("\\" + std::string(greek_words[k]), std::string_view(name).substr(2));
    }
  }
  if (name.starts_with("q̇")) return with_index("\\dot{q}", name.substr(3));
  if (name.starts_with("q̈")) return with_index("\\ddot{q}", name.substr(3));
  const std::size_t letters = std::min(name.find_first_of("0123456789_"), name.size());
  const std::string_view word = std::string_view(name).substr(0, letters);
  if (std::ranges::find(greek_words, word) != greek_words.end()) {
    return with_index("\\" + std::string(word), std::string_view(name).substr(letters));
  }
  if (letters > 2 && name[0] >= 'a') {
    return with_index("\\mathit{" + std::string(word) + "}",
                      std::string_view(name).substr(letters));
  }
  return with_index(name.substr(0, 1), std::string_view(name).substr(1));
}

/// Writer of sums in one of the notations.
class Writer {
 public:
  Writer(const SymbolicArm& arm, Markup notation)
      : arm_(arm), is_latex_(notation == Markup::latex) {}

  /// Products of a sum, each behind its sign: "- m2 l1"; the first without "+".
  [[nodiscard]] std::vector<std::string> parts(const Sum& sum) const {
    if (sum.empty()) return {"0"};
    std::vector<std::string> texts;
    texts.reserve(sum.size());
    for (const Product& product : sum) {
      const bool is_negative = product.coefficient < 0;
      const std::string sign = is_negative ? "- " : "+ ";
      texts.push_back((texts.empty() && !is_negative ? "" : sign) + text(product));
    }
    if (texts.front().starts_with("- ")) texts.front().erase(1, 1);
    return texts;
  }
  [[nodiscard]] std::string text(const Sum& sum) const {
    return fmt::format("{}", fmt::join(parts(sum), " "));
  }

  [[nodiscard]] std::string left_side(const ClosedForm& form) const {
    if (is_latex_ && !form.latex.empty()) return fmt::format(fmt::runtime(form.latex), form.index);
    if (is_latex_) {
      std::size_t letter = 1;
      while (letter < form.symbol.size() && continues_character(form.symbol[letter])) ++letter;
      std::string index = form.symbol.substr(letter);
      if (!index.empty()) index += ",";
      index += form.index;
      replace_all(index, "ω", "\\omega ");
      return with_index(latex_name(form.symbol.substr(0, letter)), index);
    }
    const bool is_number = form.index.find_first_not_of("0123456789") == form.index.npos;
    return form.symbol + (is_number ? form.index : "[" + form.index + "]");
  }

 private:
  [[nodiscard]] std::string power_text(int power) const {
    return power == 1 ? "" : is_latex_ ? fmt::format("^{{{}}}", power) : superscript(power);
  }

  [[nodiscard]] std::string factor_text(Symbol symbol, int power) const {
    if (symbol >= first_reciprocal) {
      return "(" + text(factored(collected(arm_, arm_.table->divisor(symbol)))) + ")" +
             power_text(power);
    }
    const std::string& name = arm_.table->name(symbol);
    if (!is_trigonometric(symbol)) return shown(name) + power_text(power);
    if (arm_.angles.contains((symbol - first_angle) / 2U) || name.find(' ') != name.npos) {
      return fmt::format("{}{}{}{}", is_latex_ ? "\\" : "", is_sine(symbol) ? "sin" : "cos",
                         power_text(power), argument(name));
    }
    const char letter = is_sine(symbol) ? 's' : 'c';
    return fmt::format(fmt::runtime(is_latex_ ? "{}_{{{}}}{}" : "{}{}{}"), letter, name,
                       power_text(power));
  }
  [[nodiscard]] std::string shown(const std::string& name) const {
    return is_latex_ ? latex_name(name) : name;
  }

  /// Argument of sine and cosine: a constant angle, or a sum of joints with different signs.
  [[nodiscard]] std::string argument(const std::string& name) const {
    if (name.find(' ') == name.npos) return " " + shown(name);
    std::vector<std::string> words = split_at(armdyn::trimmed(name, " "), ' ');
    for (std::string& word : words) {
      if (word.size() > 1) word = shown(word);
    }
    return fmt::format("({})", fmt::join(words, " "));
  }

  /// Least rank of a sum's symbols.
  static int rank_of(const Sum& sum) {
    int least = 0x20000;
    for (const Product& product : sum) {
      for (const Factor& f : product.monomial) least = std::min(least, rank(f.symbol));
      for (const Sum& inner : product.sums) least = std::min(least, rank_of(inner));
    }
    return least;
  }

  /// A magnitude as a whole number, else as a decimal.
  [[nodiscard]] std::string number(const Rational& k) const {
    if (denominator(k) == 1 && numerator(k) < 1'000'000'000) return numerator(k).str();
    const auto value = k.convert_to<double>();
    std::string text = fmt::format("{}", value);
    const std::string rounded = fmt::format("{:.15g}", value);  // 0.0326 of 0.03259999999999999
    if (rounded.size() + 2 < text.size()) text = rounded;
    const std::size_t e = text.find('e');
    if (e == text.npos || !is_latex_) return text;
    return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
  }
  static bool is_decimal(const Rational& k) {
    auto rest = denominator(k);
    for (const unsigned prime : {2U, 5U}) {
      while (rest % prime == 0) rest /= prime;
    }
    return rest == 1;
  }

  /// The product without its sign.
  [[nodiscard]] std::string text(const Product& product) const {
    std::vector<std::pair<int, std::string>> above;
    std::vector<std::string> below;
    for (const auto& [symbol, power] : product.monomial) {
      if (power > 0 && symbol < first_reciprocal) {
        above.emplace_back(rank(symbol), factor_text(symbol, power));
      } else {
        below.push_back(factor_text(symbol, std::abs(power)));
      }
    }
    const bool is_apart = is_latex_ && !below.empty();  // a long sum, from its denominator
    std::string behind;
    for (const Sum& sum : product.sums) {
      if (is_apart) behind += " (" + text(sum) + ")";
      if (!is_apart) above.emplace_back(rank_of(sum), "(" + text(sum) + ")");
    }
    std::ranges::stable_sort(above, {}, &std::pair<int, std::string>::first);

    const Rational k = abs(product.coefficient);
    const bool is_simple = denominator(k) == 2 || denominator(k) == 4 || denominator(k) == 8;
    const bool is_fraction = denominator(k) > 1 && denominator(k) < 1000 && numerator(k) < 1000 &&
                             (!is_decimal(k) || (is_simple && !arm_.values.empty()));
    std::string factors;
    for (const auto& [place, one] : above) factors += (factors.empty() ? "" : " ") + one;
    std::string first;
    if (is_fraction) {
      first = fmt::format(fmt::runtime(is_latex_ ? "\\tfrac{{{}}}{{{}}}" : "{}/{}"),
                          numerator(k).str(), denominator(k).str());
    } else if (k != 1) {
      first = number(k);
    }
    if (!below.empty()) {
      const std::string denominators = fmt::format("{}", fmt::join(below, " "));
      const std::string top = factors.empty() ? "1" : factors;
      const bool is_one = below.size() == 1 && denominators.find(' ') == denominators.npos;
      factors = is_latex_ ? fmt::format("\\frac{{{}}}{{{}}}{}", top, denominators, behind)
                : is_one || (below.size() == 1 && denominators.starts_with('('))
                    ? top + "/" + denominators
                    : top + "/(" + denominators + ")";
    }
    if (first.empty() && factors.empty()) return "1";
    return first + (first.empty() || factors.empty() ? "" : " ") + factors;
  }

  const SymbolicArm& arm_;
  bool is_latex_;
};

/// Columns on a screen, on which combining characters take none.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
    return !continues_character(c) && c != '\xCC';  // U+0300 to U+033F combine
  }));
}

constexpr std::size_t columns = 100;

/// Breaks an equation into lines, before signs where it can.
std::string wrapped(const std::string& equation) {
  const std::vector<std::string> words = split_at(equation, ' ');
  std::string text, line;
  const std::string indent(5, ' ');
  const auto is_sign = [](const std::string& word) { return word == "+" || word == "-"; };
  for (std::size_t i = 0; i < words.size();) {
    std::string piece = words[i++];  // up to the next sign
    while (i < words.size() && !is_sign(words[i])) piece += " " + words[i++];
    if (!line.empty() && width(line) + 1 + width(piece) > columns) {
      text += line + "\n";
      line = indent + piece;
    } else {
      line += (line.empty() ? "" : " ") + piece;
    }
    while (width(line) > columns) {
      std::size_t cut = line.size();
      do {
        cut = line.rfind(' ', cut - 1);
      } while (cut != line.npos && width(line.substr(0, cut)) > columns);
      if (cut == line.npos || cut <= indent.size()) break;
      text += line.substr(0, cut) + "\n";
      line.replace(0, cut + 1, indent);
    }
  }
  return text + line + "\n";
}

/// A part, or the pieces of one that is longer than a line, each behind its sign. What is in braces
/// stays whole.
std::vector<std::string> pieces_of(const std::string& part, bool is_long) {
  std::vector<std::string> pieces;
  int depth = 0;
  for (std::size_t begin = 0, end = 0; begin < part.size(); ++end) {
    const std::string_view rest = std::string_view(part).substr(end);
    if (rest.starts_with('{')) ++depth;
    if (rest.starts_with('}')) --depth;
    const bool is_sign = rest.starts_with(" + ") || rest.starts_with(" - ");
    if (!rest.empty() && !(is_sign && is_long && depth == 0 && end > begin)) continue;
    pieces.push_back(part.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

std::string latex_equation(const Writer& latex, const Writer& plain, const ClosedForm& form,
                           const Sum& sum) {
  constexpr std::size_t longest_line = 90;
  const std::vector<std::string> parts = latex.parts(sum), seen = plain.parts(sum);
  std::string text = "  " + latex.left_side(form) + " ={}& ";
  std::size_t filled = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_long = width(seen[i]) > longest_line;
    const std::vector<std::string> written = pieces_of(parts[i], is_long);
    const std::vector<std::string> shown = pieces_of(seen[i], is_long);
    for (std::size_t k = 0; k < written.size(); ++k) {
      const std::size_t size =  // a fraction has other pieces in text
          shown.size() == written.size() ? width(shown[k]) : width(written[k]) / 2;
      if (filled > 0 && filled + size > longest_line) {
        text += " \\\\\n  & ";
        filled = 0;
      } else if (filled > 0) {
        text += " ";
      }
      filled += size + 1;
      text += written[k];
    }
  }
  return text;
}

/// The entries at the beginning of the forms that are of one matrix.
std::span<const ClosedForm> matrix_at(std::span<const ClosedForm> forms) {
  const auto end = std::ranges::find_if(forms, [&](const ClosedForm& form) {
    return !form.place || form.symbol != forms[0].symbol ||
           form.place->index != forms[0].place->index;
  });
  return forms.first(static_cast<std::size_t>(end - forms.begin()));
}

/// Texts of all entries of a matrix.
MatrixOf<std::string> texts_of(const SymbolicArm& arm, std::span<const ClosedForm> entries,
                               Markup notation) {
  const MatrixPlace& size = *entries[0].place;
  MatrixOf<std::string> texts(size.rows, size.columns,
                              std::vector<std::string>(size.rows * size.columns, "0"));
  for (const ClosedForm& form : entries) {
    const auto [row, column] = std::pair(form.place->row, form.place->column);
    texts(row, column) = Writer(arm, notation).text(factored(printed_terms(arm, form.value)));
    if (form.symbol == "M") texts(column, row) = texts(row, column);
  }
  if (entries[0].symbol == "T") texts(3, 3) = "1";
  return texts;
}

/// A matrix in lines; empty where one is too long.
std::string matrix_text(const SymbolicArm& arm, std::span<const ClosedForm> entries,
                        Markup notation) {
  const ClosedForm named{entries[0].symbol, entries[0].place->index, {}};
  const MatrixOf<std::string> shown = texts_of(arm, entries, Markup::text);
  std::string text = left_side(arm, named) + " = [";
  const std::size_t indent = width(text);
  std::vector<std::size_t> widths;
  std::size_t line = indent;
  for (std::size_t j = 0; j < shown.columns(); ++j) {
    std::size_t& widest = widths.emplace_back(0);
    for (std::size_t i = 0; i < shown.rows(); ++i) widest = std::max(widest, width(shown(i, j)));
    line += widest + 2;
  }
  if (shown.entries().size() == 1 || line > columns) return "";
  if (notation == Markup::latex) {
    const MatrixOf<std::string> latex = texts_of(arm, entries, notation);
    const auto row = [&](std::size_t i) {
      return fmt::format("    {}", fmt::join(latex.row(i), " & "));
    };
    return fmt::format("  {} ={{}}& \\begin{{bmatrix}}\n{}\n  \\end{{bmatrix}}",
                       Writer(arm, notation).left_side(named),
                       fmt::join(each(in_order(latex.rows()), row), " \\\\\n"));
  }
  for (std::size_t i = 0; i < shown.rows(); ++i) {
    if (i > 0) text += ";\n" + std::string(indent, ' ');
    for (std::size_t j = 0; j < shown.columns(); ++j) {
      const bool is_last = j + 1 == shown.columns();
      text += shown(i, j) + (is_last ? "" : ", ");
      if (!is_last) text.append(widths[j] - width(shown(i, j)), ' ');
    }
  }
  return text + "]\n";
}

}  // namespace

std::vector<Term> collected(const SymbolicArm& arm, const SymbolicNumber& x) {
  std::vector<Relation> relations;
  for (const ParallelJoints& group : arm.parallel) add_relations(group, relations);
  std::set<std::size_t> angles;
  Sparse sum;
  for (const Term& term : x.terms()) {
    sum.emplace(term.monomial, term.coefficient);
    for (const Factor& f : term.monomial) {
      if (is_trigonometric(f.symbol)) angles.insert((f.symbol - first_angle) / 2U);
    }
  }
  const auto squares = each(angles, [](std::size_t angle) -> Relation {
    return {{{{}, 1}, {cosine(angle) * cosine(angle), -1}, {sine(angle) * sine(angle), -1}}};
  });
  while (shorten(sum, relations) || shorten(sum, squares)) {
  }
  return each(sum, [](const auto& term) { return Term{term.first, term.second}; });
}

std::vector<Term> printed_terms(const SymbolicArm& arm, const SymbolicNumber& x) {
  std::vector<Term> terms = collected(arm, x);
  const auto [above, below] = reduced(x);
  if (below.empty()) return terms;
  std::vector<Term> over = collected(arm, above);
  for (Term& term : over) term.monomial = term.monomial * below;
  return over.size() < terms.size() ? over : terms;
}

std::string textbook(const SymbolicArm& arm, const std::vector<ClosedForm>& forms, Markup notation,
                     Layout layout) {
  const Writer writer(arm, notation), plain(arm, Markup::text);
  std::vector<std::string> names;
  for (const auto& [symbol, value] : arm.values) names.push_back(arm.table->name(symbol));
  if (notation == Markup::latex) refuse_names_alike(names);
  std::string text;
  const auto add = [&](const std::string& equation) {
    text += (notation == Markup::latex && !text.empty() ? " \\\\\n" : "") + equation;
  };
  for (std::span<const ClosedForm> rest = forms; !rest.empty();) {
    const bool is_matrix = layout == Layout::matrices && rest[0].place;
    const auto entries = is_matrix ? matrix_at(rest) : rest.first(1);
    const std::string matrix = is_matrix ? matrix_text(arm, entries, notation) : "";
    if (!matrix.empty()) add(matrix);
    for (const ClosedForm& form : matrix.empty() ? entries : entries.first(0)) {
      const Sum sum = factored(printed_terms(arm, form.value));
      add(notation == Markup::latex ? latex_equation(writer, plain, form, sum)
                                    : wrapped(writer.left_side(form) + " = " + writer.text(sum)));
    }
    rest = rest.subspan(entries.size());
  }
  if (notation == Markup::latex) return "\\begin{align*}\n" + text + "\n\\end{align*}\n";
  return text;
}

std::string text(const SymbolicArm& arm, std::vector<Term> terms) {
  return Writer(arm, Markup::text).text(factored(std::move(terms)));
}

std::string left_side(const SymbolicArm& arm, const ClosedForm& form) {
  return Writer(arm, Markup::text).left_side(form);
}

std::string legend(const SymbolicArm& arm, const std::vector<ClosedForm>& forms) {
  std::set<Symbol> symbols;
  const auto add = [&](const auto& self, const SymbolicNumber& x) -> void {
    for (const Term& term : printed_terms(arm, x)) {
      for (const Factor& f : term.monomial) {
        symbols.insert(f.symbol);
        if (f.symbol >= first_reciprocal) self(self, arm.table->divisor(f.symbol));
      }
    }
  };
  for (const ClosedForm& form : forms) add(add, form.value);
  std::vector<std::string> words;
  const auto explain = [&](Symbol symbol, const std::string& name, const std::string& meaning) {
    if (!symbols.contains(symbol)) return;
    const std::string word = name + " = " + meaning;
    if (words.empty() || words.back() != word) words.push_back(word);  // of sine and cosine one
  };
  for (const auto& [symbol, value] : arm.values) {
    explain(symbol, arm.table->name(symbol), fmt::format("{}", value));
  }
  for (const auto& [angle, value] : arm.angles) {
    for (const Symbol symbol : {SymbolTable::cosine(angle), SymbolTable::sine(angle)}) {
      explain(symbol, arm.table->name(symbol), fmt::format("{}", value));
    }
  }
  for (const ParallelJoints& group : arm.parallel) {
    for (std::size_t i = 0; i < group.angle.size(); ++i) {
      for (std::size_t j = i + 1; j < group.angle.size(); ++j) {
        const std::string& name = arm.table->name(SymbolTable::cosine(group.angle[i][j]));
        if (name.find(' ') != std::string::npos) continue;
        const std::string sum = "(" + group.sum_text(i, j) + ")";
        explain(SymbolTable::cosine(group.angle[i][j]), "c" + name, "cos" + sum);
        explain(SymbolTable::sine(group.angle[i][j]), "s" + name, "sin" + sum);
      }
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace armdyn
