#include "symbolic/symbolic_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "model/formula.hpp"

namespace armdyn {

namespace {

int degree(const Monomial& monomial) {
  return std::accumulate(monomial.begin(), monomial.end(), 0,
                         [](int sum, const Factor& f) { return sum + f.power; });
}

/// Leading term of a divisor: of those of the highest degree the one with most of the last symbol in
/// which they differ, an order that products keep, so that what is replaced by lower ones ends.
const Term& leading(const SymbolicNumber& divisor) {
  return *std::ranges::max_element(divisor.terms(), [](const Term& x, const Term& y) {
    const Monomial &a = x.monomial, &b = y.monomial;
    const int of_a = degree(a), of_b = degree(b);
    return of_a == of_b ? std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend())
                        : of_a < of_b;
  });
}

struct Hash {
  std::size_t operator()(const Monomial& monomial) const {
    std::uint64_t hash = 0;
    for (const auto& [symbol, power] : monomial) {
      const auto both = (std::uint64_t{symbol} << 16U) | static_cast<std::uint16_t>(power);
      hash = (std::rotl(hash, 23) ^ both) * 0x9e3779b97f4a7c15U;
    }
    return hash ^ (hash >> 32U);
  }
};
using Unsorted = std::unordered_map<Monomial, Rational, Hash>;

void add_normal(Term term, Unsorted& sum);

/// Adds the term by s² = 1 − c², beside negative powers of s by c² = 1 − s²; false: it has neither.
bool replaced_square(const Term& term, Unsorted& sum) {
  for (const auto& [symbol, power] : term.monomial) {
    if (!is_sine(symbol)) continue;
    const auto cosine = static_cast<Symbol>(symbol - 1);
    const bool by_cosines = power >= 2;
    if (!by_cosines && (power > 0 || power_of(cosine, term.monomial) < 2)) continue;
    Term first = term, second = term;
    first.monomial = first.monomial * Monomial{{by_cosines ? symbol : cosine, -2}};
    second.monomial = first.monomial * Monomial{{by_cosines ? cosine : symbol, 2}};
    second.coefficient = -second.coefficient;
    add_normal(std::move(first), sum);
    add_normal(std::move(second), sum);
    return true;
  }
  return false;
}

/// Adds the term by L u = 1 − (D − L) u for u = 1/D with leading term L; false: it has no L u.
bool replaced_reciprocal(const Term& term, Unsorted& sum) {
  for (const auto& [symbol, power] : term.monomial) {
    if (symbol < first_reciprocal) continue;
    const SymbolicNumber& D = SymbolTable::current()->divisor(symbol);
    const Term& L = leading(D);
    if (!divides(L.monomial, term.monomial)) continue;
    Term without = term;
    without.monomial = without.monomial * inverse(L.monomial);
    without.coefficient /= L.coefficient;
    for (const Term& other : D.terms()) {
      if (other == L) continue;
      add_normal({without.monomial * other.monomial, -without.coefficient * other.coefficient},
                 sum);
    }
    without.monomial = without.monomial * Monomial{{symbol, -1}};
    add_normal(std::move(without), sum);
    return true;
  }
  return false;
}

/// Adds a term in the normal form.
void add_normal(Term term, Unsorted& sum) {
  if (replaced_square(term, sum) || replaced_reciprocal(term, sum)) return;
  const auto [known, is_new] = sum.try_emplace(std::move(term.monomial), term.coefficient);
  if (!is_new) known->second += term.coefficient;
  if (sum.size() > most_terms) throw std::length_error("too many terms");
}

std::vector<Term> sorted(Unsorted sum) {
  std::vector<Term> terms;
  terms.reserve(sum.size());
  while (!sum.empty()) {
    auto entry = sum.extract(sum.begin());
    if (!entry.mapped().is_zero()) {
      terms.push_back({std::move(entry.key()), std::move(entry.mapped())});
    }
  }
  std::ranges::sort(terms, {}, &Term::monomial);
  return terms;
}

thread_local std::size_t steps_left = std::numeric_limits<std::size_t>::max();
thread_local bool has_budget = false;

void spend(std::size_t steps) {
  if (steps > steps_left) throw std::length_error("too many terms");
  steps_left -= steps;  // without a budget, for longer than anybody waits
}

/// Machine words of a coefficient; the cost of a product grows with them.
std::size_t words_of(const Term& term) {
  return std::max(numerator(term.coefficient).backend().size(),
                  denominator(term.coefficient).backend().size());
}

/// Merges two sequences sorted by their keys; entries with one key become what `joined` makes of
/// them, or vanish.
template <class Entry, class Key, class Joined>
std::vector<Entry> merged(const std::vector<Entry>& a, const std::vector<Entry>& b, Key key,
                          Joined joined) {
  std::vector<Entry> all;
  all.reserve(a.size() + b.size());
  auto i = a.begin(), j = b.begin();
  while (i != a.end() && j != b.end()) {
    const auto order = key(*i) <=> key(*j);
    if (std::is_lt(order)) {
      all.push_back(*i++);
    } else if (std::is_gt(order)) {
      all.push_back(*j++);
    } else if (std::optional<Entry> both = joined(*i++, *j++)) {
      all.push_back(*std::move(both));
    }
  }
  all.insert(all.end(), i, a.end());
  all.insert(all.end(), j, b.end());
  return all;
}

/// Tests whether a formula is longer than any real robot needs.
bool is_unwieldy(const SymbolicNumber& x) {
  return x.terms().size() > 10'000 || std::ranges::any_of(x.terms(), [](const Term& term) {
           const auto is_high = [](const Factor& f) { return std::abs(f.power) > 100; };
           return numerator(term.coefficient).backend().size() > 50 ||
                  denominator(term.coefficient).backend().size() > 50 ||
                  std::ranges::any_of(term.monomial, is_high);
         });
}

std::optional<long> whole_number(const SymbolicNumber& x) {
  if (is_zero(x)) return 0;
  const Term& term = x.terms().front();
  if (x.terms().size() > 1 || !term.monomial.empty() || denominator(term.coefficient) != 1 ||
      abs(term.coefficient) > 16) {
    return std::nullopt;
  }
  return numerator(term.coefficient).convert_to<long>();
}

}  // namespace

Monomial operator*(const Monomial& a, const Monomial& b) {
  return merged(a, b, std::mem_fn(&Factor::symbol),
                [](const Factor& f, const Factor& g) -> std::optional<Factor> {
                  const auto power = static_cast<std::int16_t>(f.power + g.power);
                  return power == 0 ? std::nullopt : std::optional(Factor{f.symbol, power});
                });
}

Monomial inverse(Monomial a) {
  for (Factor& factor : a) factor.power = static_cast<std::int16_t>(-factor.power);
  return a;
}

Monomial only(const Monomial& of, bool (*belongs)(Symbol)) {
  Monomial found = of;
  std::erase_if(found, [belongs](const Factor& f) { return !belongs(f.symbol); });
  return found;
}

int power_of(Symbol symbol, const Monomial& in) {
  const auto place = std::ranges::find(in, symbol, &Factor::symbol);
  return place == in.end() ? 0 : place->power;
}

bool divides(const Monomial& part, const Monomial& whole) {
  return std::ranges::all_of(part,
                             [&](const Factor& f) { return power_of(f.symbol, whole) >= f.power; });
}

Rational decimal(double x) {
  if (x == 0.0) return 0;
  std::array<char, 32> shortest{};
  std::to_chars(shortest.begin(), shortest.end(), x, std::chars_format::scientific);
  std::string digits(shortest.data());
  const std::size_t e = digits.find('e'), point = digits.find('.');
  int exponent = std::stoi(digits.substr(e + 1));
  digits.resize(e);
  if (point < e) {
    exponent -= static_cast<int>(e - point - 1);
    digits.erase(point, 1);
  }
  using Integer = boost::multiprecision::cpp_int;
  const Integer whole(digits);
  const Integer scale =
      boost::multiprecision::pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(whole, scale) : Rational(Integer(whole * scale));
}

SymbolicNumber::SymbolicNumber(double known) {
  if (known != 0.0) terms_.push_back({{}, decimal(known)});
}

SymbolicNumber::SymbolicNumber(Symbol symbol) : terms_{{Monomial{{symbol, 1}}, 1}} {}

SymbolicNumber::SymbolicNumber(std::vector<Term> unsorted) {
  Unsorted sum;
  for (Term& term : unsorted) add_normal(std::move(term), sum);
  terms_ = sorted(std::move(sum));
}

SymbolicNumber operator-(SymbolicNumber a) {
  for (Term& term : a.terms_) term.coefficient = -term.coefficient;
  return a;
}

SymbolicNumber operator+(const SymbolicNumber& a, const SymbolicNumber& b) {
  spend((a.terms_.size() + b.terms_.size()) / 16);
  SymbolicNumber sum;
  sum.terms_ = merged(a.terms_, b.terms_, std::mem_fn(&Term::monomial),
                      [](const Term& x, const Term& y) -> std::optional<Term> {
                        Rational coefficient = x.coefficient + y.coefficient;
                        if (coefficient.is_zero()) return std::nullopt;
                        return Term{x.monomial, std::move(coefficient)};
                      });
  return sum;
}

SymbolicNumber operator-(const SymbolicNumber& a, const SymbolicNumber& b) {
  return a + -b;
}

SymbolicNumber operator*(const SymbolicNumber& a, const SymbolicNumber& b) {
  Unsorted sum;
  for (const Term& i : a.terms_) {
    for (const Term& j : b.terms_) {
      spend(std::max(words_of(i) * words_of(i), words_of(j) * words_of(j)));
      add_normal({i.monomial * j.monomial, i.coefficient * j.coefficient}, sum);
    }
  }
  SymbolicNumber product;
  product.terms_ = sorted(std::move(sum));
  return product;
}

SymbolicNumber operator/(const SymbolicNumber& a, const SymbolicNumber& b) {
  if (is_zero(b)) throw FormulaError("it divides by zero");
  if (is_zero(a)) return {};
  const Monomial& first = b.terms_[0].monomial;
  if (b.terms_.size() > 1 || (!first.empty() && first.back().symbol >= first_reciprocal)) {
    const Fraction by = fraction(b);
    return by.above == b ? a * SymbolicNumber(SymbolTable::current()->reciprocal(b))
                         : a * by.below / by.above;
  }
  SymbolicNumber reciprocal;
  reciprocal.terms_.push_back({inverse(b.terms_[0].monomial), 1 / b.terms_[0].coefficient});
  return a * reciprocal;
}

bool is_zero(const SymbolicNumber& x) {
  return x.terms().empty();
}

SymbolicNumber root(const SymbolicNumber& x) {
  if (is_zero(x)) return x;
  const Term& term = x.terms().front();
  const Rational& k = term.coefficient;
  const bool is_square =
      x.terms().size() == 1 && k > 0 &&
      std::ranges::all_of(term.monomial, [](const Factor& f) { return f.power % 2 == 0; });
  if (!is_square) throw FormulaError("its root is no polynomial");
  Term half = term;
  for (Factor& f : half.monomial) f.power = static_cast<std::int16_t>(f.power / 2);
  half.coefficient = Rational(sqrt(numerator(k)), sqrt(denominator(k)));
  if (half.coefficient * half.coefficient != k) throw FormulaError("its root is no fraction");
  return SymbolicNumber(std::vector<Term>{half});
}

SymbolicNumber power(const SymbolicNumber& base, const SymbolicNumber& exponent) {
  const auto times = whole_number(exponent);
  if (!times) throw FormulaError("its power is not a whole number of at most 16");
  SymbolicNumber product = 1.0;
  for (long k = std::abs(*times); k > 0; --k) {
    product = product * base;
    if (is_unwieldy(product)) throw FormulaError("its powers are too high");
  }
  return *times < 0 ? SymbolicNumber(1.0) / product : product;
}

SinCosOf<SymbolicNumber> sine_and_cosine(const SymbolicNumber& angle) {
  return sin_cos(angle);
}

SinCosOf<SymbolicNumber> sin_cos(const SymbolicNumber& angle) {
  SinCosOf<SymbolicNumber> sum{0.0, 1.0};
  for (const auto& [monomial, k] : angle.terms()) {
    SinCosOf<SymbolicNumber> one;
    int times = 1;
    if (monomial.empty()) {
      const auto [s, c] = constant_angle(k.convert_to<double>());
      one = {s, c};
    } else {
      const bool is_symbol = monomial.size() == 1 && monomial[0].power == 1;
      const SinCosOf<SymbolicNumber>* const known =
          is_symbol ? SymbolTable::current()->angle(monomial[0].symbol) : nullptr;
      if (known == nullptr || denominator(k) != 1 || abs(k) > 16 || angle.terms().size() > 8) {
        throw FormulaError("its angle is no sum of a few multiples of angles");
      }
      one = {k < 0 ? -known->sin : known->sin, known->cos};
      times = std::abs(k.convert_to<int>());
    }
    for (; times > 0; --times) {
      sum = {sum.sin * one.cos + sum.cos * one.sin, sum.cos * one.cos - sum.sin * one.sin};
    }
  }
  return sum;
}

namespace {

SymbolicNumber product(Monomial monomial) {
  return SymbolicNumber({Term{std::move(monomial), 1}});
}

/// The last symbol of x, among those that count, that divides it.
std::optional<Symbol> last_divisor(const SymbolicNumber& x, bool (*counts)(Symbol)) {
  std::optional<Symbol> last;
  for (const Term& term : x.terms()) {
    for (const Factor& f : term.monomial) {
      const bool is_below = f.power < 0 || f.symbol >= first_reciprocal;
      if (is_below && counts(f.symbol)) last = std::max(last, {f.symbol});
    }
  }
  return last;
}

/// Value of a symbol that divides numbers; of a reciprocal its divisor.
SymbolicNumber divisor_of(Symbol symbol) {
  return symbol < first_reciprocal ? SymbolicNumber(symbol)
                                   : SymbolTable::current()->divisor(symbol);
}

/// Multiplies x by that divisor until it is in no denominator. Returns how many times.
int clear(Symbol symbol, SymbolicNumber& x) {
  // D times u is 1: what has u^k below is multiplied by the powers of D that are left.
  const SymbolicNumber D = divisor_of(symbol);
  const int sign = symbol < first_reciprocal ? -1 : 1;
  std::map<int, std::vector<Term>> by_power;
  for (Term term : x.terms()) {
    const int power = std::max(sign * power_of(symbol, term.monomial), 0);
    if (power > 0)
      std::erase_if(term.monomial, [&](const Factor& f) { return f.symbol == symbol; });
    by_power[power].push_back(std::move(term));
  }
  const int most = by_power.rbegin()->first;
  x = SymbolicNumber(std::move(by_power[0]));
  for (int power = 1; power <= most; ++power)
    x = x * D + SymbolicNumber(std::move(by_power[power]));
  return most;
}

/// Tests whether a product comes first by its powers, symbol by symbol.
bool comes_first(const Monomial& a, const Monomial& b) {
  const auto [i, j] = std::ranges::mismatch(a, b);
  if (i == a.end()) return j != b.end() && j->power < 0;
  if (j == b.end()) return i->power > 0;
  if (i->symbol == j->symbol) return i->power > j->power;
  return i->symbol < j->symbol ? i->power > 0 : j->power < 0;
}
Term first_of(const SymbolicNumber& x) {
  return *std::ranges::min_element(x.terms(), comes_first, &Term::monomial);
}

/// Multiplies both by a factor that leaves b without the first of its sines; false: it has none.
bool removed_sine(SymbolicNumber& a, SymbolicNumber& b) {
  std::optional<Symbol> sine;
  std::vector<Term> other(b.terms().begin(), b.terms().end());
  for (Term& term : other) {
    for (const Factor& f : term.monomial) {
      if (is_sine(f.symbol) && !sine) sine = f.symbol;
      if (f.symbol == sine) term.coefficient = -term.coefficient;
    }
  }
  const SymbolicNumber conjugate(std::move(other));
  if (!sine) return false;
  a = a * conjugate;
  b = b * conjugate;
  return true;
}

}  // namespace

Fraction fraction(SymbolicNumber x) {
  Fraction found{std::move(x)};
  const auto all = [](Symbol) { return true; };
  while (const auto last = last_divisor(found.above, all)) {
    const SymbolicNumber D = divisor_of(*last);
    for (int times = clear(*last, found.above); times > 0; --times) found.below = found.below * D;
  }
  return found;
}

std::optional<SymbolicNumber> exact_quotient(SymbolicNumber a, SymbolicNumber b) {
  Monomial lowest;  // powers of symbols below
  for (const Term& term : a.terms()) {
    for (const auto& [symbol, power] : term.monomial) {
      const int more = std::min<int>(power, 0) - power_of(symbol, lowest);
      if (more < 0) lowest = lowest * Monomial{{symbol, static_cast<std::int16_t>(more)}};
    }
  }
  try {
    a = a * product(inverse(lowest));
    while (removed_sine(a, b)) {
    }
    SymbolicNumber quotient;
    const Term divisor = first_of(b);
    while (!is_zero(a)) {
      const auto [monomial, k] = first_of(a);
      if (!divides(divisor.monomial, monomial)) return std::nullopt;
      const SymbolicNumber one(
          {Term{monomial * inverse(divisor.monomial), k / divisor.coefficient}});
      quotient = quotient + one;
      a = a - one * b;
    }
    return quotient * product(lowest);
  } catch (const std::length_error&) {
    return std::nullopt;
  }
}

Reduced reduced(SymbolicNumber x) {
  Reduced found{std::move(x), {}};
  std::map<Symbol, int> divisors;
  const auto counts = [](Symbol symbol) { return symbol >= first_angle; };
  while (const auto last = last_divisor(found.above, counts)) {
    divisors[*last] += clear(*last, found.above);
  }
  for (auto [symbol, times] : divisors) {
    for (; times > 0; --times) {
      auto quotient = exact_quotient(found.above, divisor_of(symbol));
      if (!quotient) break;
      found.above = *std::move(quotient);
    }
    if (times == 0) continue;
    const int power = symbol < first_reciprocal ? -times : times;
    found.below = found.below * Monomial{{symbol, static_cast<std::int16_t>(power)}};
  }
  return found;
}

SymbolicNumber numerator_of(SymbolicNumber x) {
  return fraction(std::move(x)).above;
}

TermBudget::TermBudget(std::size_t& steps)
    : steps_(steps), is_within_(std::exchange(has_budget, true)) {
  if (!is_within_) steps_left = steps;
}
TermBudget::~TermBudget() {
  if (is_within_) return;
  has_budget = false;
  steps_ = std::exchange(steps_left, std::numeric_limits<std::size_t>::max());
}

// --- SymbolTable

Symbol SymbolTable::add(std::string name) {
  if (names_.size() == first_rate) throw std::length_error("too many symbols");
  names_.push_back(std::move(name));
  return static_cast<Symbol>(names_.size() - 1);
}

Symbol SymbolTable::add_rate(std::string name) {
  rate_names_.push_back(std::move(name));
  return static_cast<Symbol>(first_rate + rate_names_.size() - 1);
}

std::size_t SymbolTable::add_angle(std::string name) {
  angle_names_.push_back(std::move(name));
  return angle_names_.size() - 1;
}

Symbol SymbolTable::reciprocal(const SymbolicNumber& divisor) {
  auto known = std::ranges::find(divisors_, divisor);
  if (known == divisors_.end()) known = divisors_.insert(known, divisor);
  return static_cast<Symbol>(first_reciprocal + (known - divisors_.begin()));
}

const SinCosOf<SymbolicNumber>* SymbolTable::angle(Symbol symbol) const {
  const auto found = angles_.find(symbol);
  return found == angles_.end() ? nullptr : &found->second;
}

const std::string& SymbolTable::name(Symbol symbol) const {
  if (is_trigonometric(symbol)) return angle_names_[(symbol - first_angle) / 2U];
  return is_rate(symbol) ? rate_names_[symbol - first_rate] : names_[symbol];
}

}  // namespace armdyn
