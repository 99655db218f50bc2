#include "symbolic/symbolic_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "math/each.hpp"
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
/// Multiplies by a power of a symbol.
void multiply(Monomial& monomial, Symbol symbol, int power) {
  const auto at = std::ranges::lower_bound(monomial, symbol, {}, &Factor::symbol);
  if (at == monomial.end() || at->symbol != symbol) {
    monomial.insert(at, {symbol, static_cast<std::int16_t>(power)});
  } else if (at->power + power == 0) {
    monomial.erase(at);
  } else {
    at->power = static_cast<std::int16_t>(at->power + power);
  }
}

/// Merges two sequences sorted by their keys into `all`; entries with one key become what `joined`
/// makes of them, or vanish.
template <class Entry, class Key, class Joined>
void merge(const std::vector<Entry>& a, const std::vector<Entry>& b, Key key, Joined joined,
           std::vector<Entry>& all) {
  all.clear();
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
}

/// Writes a·b to `product`, in whose memory many products find room.
void multiply(const Monomial& a, const Monomial& b, Monomial& product) {
  merge(
      a, b, std::mem_fn(&Factor::symbol),
      [](const Factor& f, const Factor& g) -> std::optional<Factor> {
        const auto power = static_cast<std::int16_t>(f.power + g.power);
        return power == 0 ? std::nullopt : std::optional(Factor{f.symbol, power});
      },
      product);
}

using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;

/// A sum while it grows: terms in the order in which they came, and a table of their places by the
/// hashes of their monomials, with linear probing. Coefficients are Rationals, or Integers, whose
/// products need no common divisors.
template <class K>
class GrowingSum {
 public:
  /// Adds a term as it is.
  void add(const Monomial& monomial, const K& k) {
    if (2 * terms_.size() >= table_.size()) grow();
    const std::size_t hash = Hash()(monomial);
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
      std::uint32_t& place = table_[at];
      if (place == 0) {
        terms_.push_back({monomial, k, hash});
        place = static_cast<std::uint32_t>(terms_.size());
        if (terms_.size() > most_terms) throw std::length_error("too many terms");
        return;
      }
      Entry& known = terms_[place - 1];
      if (known.hash != hash || known.monomial != monomial) continue;
      known.k += k;
      return;
    }
  }

  /// Terms by their monomials, their coefficients by `rational`.
  template <class ToRational>
  std::vector<Term> sorted(const ToRational& rational) && {
    std::vector<std::size_t> order =
        where(terms_.size(), [this](std::size_t i) { return !terms_[i].k.is_zero(); });
    std::ranges::sort(order, {},
                      [this](std::size_t i) -> const Monomial& { return terms_[i].monomial; });
    return each(order, [&](std::size_t i) {
      return Term{std::move(terms_[i].monomial), rational(std::move(terms_[i].k))};
    });
  }

 private:
  struct Entry {
    Monomial monomial;
    K k;
    std::size_t hash;
  };

  void grow() {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), 0);
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      std::size_t at = terms_[i].hash & (table_.size() - 1);
      while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Entry> terms_;
  std::vector<std::uint32_t> table_;  ///< numbers of terms from 1 on; 0: none
};

template <class K>
void add_normal(const Monomial& monomial, const K& k, GrowingSum<K>& sum);

/// Adds the term by s² = 1 − c², beside negative powers of s by c² = 1 − s²; false: it has neither.
template <class K>
bool replaced_square(const Monomial& monomial, const K& k, GrowingSum<K>& sum) {
  for (const auto& [symbol, power] : monomial) {
    if (!is_sine(symbol)) continue;
    const auto cosine = static_cast<Symbol>(symbol - 1);
    const bool by_cosines = power >= 2;
    if (!by_cosines && (power > 0 || power_of(cosine, monomial) < 2)) continue;
    Monomial other = monomial;
    multiply(other, by_cosines ? symbol : cosine, -2);
    add_normal(other, k, sum);
    multiply(other, by_cosines ? cosine : symbol, 2);
    add_normal(other, K(-k), sum);
    return true;
  }
  return false;
}

/// Adds the term by L u = 1 − (D − L) u for u = 1/D with leading term L; false: it has no L u.
bool replaced_reciprocal(const Monomial& monomial, const Rational& k, GrowingSum<Rational>& sum) {
  for (const auto& [symbol, power] : monomial) {
    if (symbol < first_reciprocal) continue;
    const SymbolicNumber& D = SymbolTable::current()->divisor(symbol);
    const Term& L = leading(D);
    if (!divides(L.monomial, monomial)) continue;
    Monomial without = monomial * inverse(L.monomial);
    const Rational of_L = k / L.coefficient;
    for (const Term& other : D.terms()) {
      if (other == L) continue;
      add_normal(without * other.monomial, Rational(-of_L * other.coefficient), sum);
    }
    multiply(without, symbol, -1);
    add_normal(without, of_L, sum);
    return true;
  }
  return false;
}

/// Adds a term in the normal form; one with an Integer has no reciprocals.
template <class K>
void add_normal(const Monomial& monomial, const K& k, GrowingSum<K>& sum) {
  if (replaced_square(monomial, k, sum)) return;
  if constexpr (std::is_same_v<K, Rational>) {
    if (replaced_reciprocal(monomial, k, sum)) return;
  }
  sum.add(monomial, k);
}

/// The terms times `denominator`, the least number that makes their coefficients whole.
struct WholeTerms {
  std::vector<Integer> coefficients;
  Integer denominator = 1;

  explicit WholeTerms(std::span<const Term> terms) {
    for (const Term& term : terms) denominator = lcm(denominator, denominator_of(term));
    coefficients = each(terms, [this](const Term& term) {
      return Integer(numerator(term.coefficient) * (denominator / denominator_of(term)));
    });
  }

 private:
  static Integer denominator_of(const Term& term) {
    return Integer(boost::multiprecision::denominator(term.coefficient));
  }
};

bool has_reciprocals(std::span<const Term> terms) {
  return std::ranges::any_of(terms, [](const Term& term) {
    return !term.monomial.empty() && term.monomial.back().symbol >= first_reciprocal;
  });
}

thread_local std::size_t steps_left = std::numeric_limits<std::size_t>::max();
thread_local bool has_budget = false;

void spend(std::size_t steps) {
  if (steps > steps_left) throw std::length_error("too many terms");
  steps_left -= steps;  // without a budget, for longer than anybody waits
}

/// Cost of a product, which grows with the machine words of a coefficient.
std::size_t cost_of(const Term& term) {
  const std::size_t words = std::max(numerator(term.coefficient).backend().size(),
                                     denominator(term.coefficient).backend().size());
  return words * words;
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
  Monomial product;
  multiply(a, b, product);
  return product;
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

SymbolicNumber::SymbolicNumber(const std::vector<Term>& unsorted) {
  GrowingSum<Rational> sum;
  for (const auto& [monomial, k] : unsorted) add_normal(monomial, k, sum);
  terms_ = std::move(sum).sorted(std::identity());
}

SymbolicNumber operator-(SymbolicNumber a) {
  for (Term& term : a.terms_) term.coefficient = -term.coefficient;
  return a;
}

SymbolicNumber operator+(const SymbolicNumber& a, const SymbolicNumber& b) {
  spend((a.terms_.size() + b.terms_.size()) / 16);
  SymbolicNumber sum;
  merge(
      a.terms_, b.terms_, std::mem_fn(&Term::monomial),
      [](const Term& x, const Term& y) -> std::optional<Term> {
        Rational coefficient = x.coefficient + y.coefficient;
        if (coefficient.is_zero()) return std::nullopt;
        return Term{x.monomial, std::move(coefficient)};
      },
      sum.terms_);
  return sum;
}

SymbolicNumber operator-(const SymbolicNumber& a, const SymbolicNumber& b) {
  return a + -b;
}

namespace {

/// The products of all pairs of terms, with these coefficients.
template <class K>
GrowingSum<K> products(std::span<const Term> a, std::span<const K> of_a, std::span<const Term> b,
                       std::span<const K> of_b) {
  const std::vector<std::size_t> costs = each(b, cost_of);
  GrowingSum<K> sum;
  Monomial product;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t cost = cost_of(a[i]);
    for (std::size_t j = 0; j < b.size(); ++j) {
      spend(std::max(cost, costs[j]));
      multiply(a[i].monomial, b[j].monomial, product);
      add_normal(product, K(of_a[i] * of_b[j]), sum);
    }
  }
  return sum;
}

}  // namespace

SymbolicNumber operator*(const SymbolicNumber& a, const SymbolicNumber& b) {
  SymbolicNumber product;
  if (has_reciprocals(a.terms_) || has_reciprocals(b.terms_)) {
    const auto of_a = each(a.terms_, &Term::coefficient), of_b = each(b.terms_, &Term::coefficient);
    product.terms_ = products<Rational>(a.terms_, of_a, b.terms_, of_b).sorted(std::identity());
  } else {
    const WholeTerms of_a(a.terms_), of_b(b.terms_);
    const Integer below = of_a.denominator * of_b.denominator;
    product.terms_ = products<Integer>(a.terms_, of_a.coefficients, b.terms_, of_b.coefficients)
                         .sorted([&below](const Integer& above) { return Rational(above, below); });
  }
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
  x = SymbolicNumber(by_power[0]);
  for (int power = 1; power <= most; ++power) x = x * D + SymbolicNumber(by_power[power]);
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
  const SymbolicNumber conjugate(other);
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
