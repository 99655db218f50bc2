#include "symbolic/factored.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

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

/// Of sums and differences of angles of parallel joints (20.3).
void add_relations(const ParallelJoints& group, std::vector<Relation>& relations) {
  for (std::size_t j = 1; j < group.angle.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const std::size_t a = group.angle[0][j], b = group.angle[0][i], x = group.angle[i + 1][j];
      relations.push_back({{{cosine(x), 1}, {cosine(a) * cosine(b), -1}, {sine(a) * sine(b), -1}}});
      relations.push_back({{{sine(x), 1}, {sine(a) * cosine(b), -1}, {cosine(a) * sine(b), 1}}});
    }
  }
  for (std::size_t i = 0; i < group.angle.size(); ++i) {
    for (std::size_t j = i + 1; j < group.angle.size(); ++j) {
      for (std::size_t k = i; k < j; ++k) {
        const std::size_t x = group.angle[i][j], a = group.angle[i][k], b = group.angle[k + 1][j];
        relations.push_back(
            {{{cosine(x), 1}, {cosine(a) * cosine(b), -1}, {sine(a) * sine(b), 1}}});
        relations.push_back({{{sine(x), 1}, {sine(a) * cosine(b), -1}, {cosine(a) * sine(b), -1}}});
      }
    }
  }
}

using Sparse = std::map<Monomial, Rational>;

/// Replaces two terms, of which one is `monomial`, by one. Whether it could.
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
  std::vector<Monomial> monomials;
  monomials.reserve(sum.size());
  for (const auto& [monomial, coefficient] : sum) monomials.push_back(monomial);
  bool changed = false;
  for (const Monomial& monomial : monomials) {
    for (const Relation& relation : relations) {
      changed = shortened(sum, monomial, relation) || changed;
    }
  }
  return changed;
}

// --- Factors

/// More terms of the same sines and cosines than these are factored rate by rate.
constexpr std::size_t most_pairs = 300;

Monomial rates(const Monomial& of) {
  Monomial found;
  for (const Factor& f : of) {
    if (is_rate(f.symbol)) found.push_back(f);
  }
  return found;
}

/// Accelerations, products of velocities, squares, gravity.
int kind(const Monomial& monomial) {
  const Monomial of = rates(monomial);
  if (of.empty()) return 3;
  return of.size() > 1 ? 1 : of[0].power > 1 ? 2 : 0;
}

Monomial common(const Monomial& a, const Monomial& b) {
  Monomial found;
  for (const auto& [symbol, power] : a) {
    const int other = power_of(symbol, b);
    if (power > 0 && other > 0) {
      found.push_back({symbol, static_cast<std::int16_t>(std::min<int>(power, other))});
    } else if (power < 0 && other < 0) {
      found.push_back({symbol, static_cast<std::int16_t>(std::max<int>(power, other))});
    }
  }
  return found;
}

int total_degree(const Monomial& monomial) {
  int sum = 0;
  for (const Factor& f : monomial) sum += std::abs(f.power);
  return sum;
}

/// Of one sign with the whole's, and no higher.
bool is_part(const Monomial& factor, const Monomial& whole) {
  return common(factor, whole) == factor;
}

Sum factored_of_kind(std::vector<Term> terms);

/// The terms less the factor that they have in common, and it.
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

/// The longest factor that two of the terms have in common.
Monomial longest_common(const std::vector<Term>& terms) {
  Monomial longest;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Monomial factor = common(terms[i].monomial, terms[j].monomial);
      if (total_degree(factor) > total_degree(longest)) longest = std::move(factor);
    }
  }
  return longest;
}

/// Terms by the factors that belong to one kind of symbols.
template <class Predicate>
std::map<Monomial, std::vector<Term>> by_factors(const std::vector<Term>& terms,
                                                 const Predicate& belongs) {
  std::map<Monomial, std::vector<Term>> parts;
  for (const Term& term : terms) {
    Monomial own;
    for (const Factor& f : term.monomial) {
      if (belongs(f.symbol)) own.push_back(f);
    }
    parts[own].push_back(term);
  }
  return parts;
}

Sum factored_by_rates(const std::vector<Term>& terms) {
  auto parts = by_factors(terms, is_rate);
  Sum sum;
  sum.reserve(parts.size());
  for (auto& [rate, part] : parts) sum.push_back(taken_out(rate, std::move(part)));
  return sum;
}

Sum factored_of_kind(std::vector<Term> terms) {
  const auto place = [](const Term& term) {
    const auto ordered = [](const Monomial& monomial) {
      std::vector<std::pair<int, int>> order;
      order.reserve(monomial.size());
      for (const auto& [symbol, power] : monomial) order.emplace_back(symbol, -power);
      return order;
    };
    return std::pair(ordered(rates(term.monomial)), ordered(term.monomial));
  };
  std::ranges::stable_sort(terms, {}, place);
  if (terms.size() > most_pairs && kind(terms.front().monomial) < 3) {
    return factored_by_rates(terms);
  }
  std::vector<std::pair<std::size_t, Product>> products;  // behind the place of the first term
  std::vector<std::size_t> places(terms.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  for (;;) {
    const Monomial factor = longest_common(terms);
    if (factor.empty()) break;
    std::vector<Term> with, without;
    std::vector<std::size_t> others;
    std::size_t first = terms.size();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (is_part(factor, terms[i].monomial)) {
        if (with.empty()) first = places[i];
        with.push_back(terms[i]);
      } else {
        without.push_back(terms[i]);
        others.push_back(places[i]);
      }
    }
    products.emplace_back(first, taken_out(factor, std::move(with)));
    terms = std::move(without);
    places = std::move(others);
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    products.emplace_back(places[i], Product{terms[i].coefficient, terms[i].monomial, {}});
  }
  std::ranges::sort(products, {}, &std::pair<std::size_t, Product>::first);
  Sum sum;
  sum.reserve(products.size());
  for (auto& [position, product] : products) sum.push_back(std::move(product));
  return sum;
}

}  // namespace

int rank(Symbol symbol) {
  return is_rate(symbol) ? symbol + 0x10000 : symbol;
}

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
  std::vector<Relation> squares;
  squares.reserve(angles.size());
  for (const std::size_t angle : angles) {
    squares.push_back(
        {{{{}, 1}, {cosine(angle) * cosine(angle), -1}, {sine(angle) * sine(angle), -1}}});
  }
  while (shorten(sum, relations) || shorten(sum, squares)) {
  }
  std::vector<Term> terms;
  terms.reserve(sum.size());
  for (const auto& [monomial, coefficient] : sum) terms.push_back({monomial, coefficient});
  return terms;
}

Sum factored(std::vector<Term> terms) {
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

}  // namespace armdyn
