#include "program/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace armdyn {

std::size_t Graph::Hash::operator()(const Formula& formula) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = std::bit_cast<std::uint64_t>(formula.value);
  for (const std::uint64_t part : {std::uint64_t{formula.left}, std::uint64_t{formula.right},
                                   static_cast<std::uint64_t>(formula.operation)}) {
    hash = (std::rotl(hash, 23) ^ part) * odd;
  }
  return hash ^ (hash >> 32);
}

Expression Graph::input(std::size_t k) {
  return formula({Operation::input, static_cast<std::uint32_t>(k), 0, 0.0});
}

Expression Graph::formula(const Formula& formula) {
  const auto [entry, is_new] =
      known_.try_emplace(formula, static_cast<std::uint32_t>(formulas_.size()));
  if (is_new) {
    if (formulas_.size() >= most_formulas_) throw std::length_error("too many formulas");
    formulas_.push_back(formula);
  }
  return {*this, entry->second};
}

std::uint32_t Graph::operand(const Expression& a) {
  return a.is_known() ? formula({Operation::constant, 0, 0, a.known()}).index() : a.index();
}

Expression Graph::formula(Operation operation, const Expression& a, const Expression& b) {
  std::uint32_t left = operand(a), right = operand(b);
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && left > right) std::swap(left, right);
  return formula({operation, left, right, 0.0});
}

Graph& Expression::graph_of(const Expression& a, const Expression& b) {
  return a.is_known() ? *b.graph_ : *a.graph_;
}

Expression Expression::magnitude() const {
  if (is_known()) return std::abs(known_);
  Expression result = *this;
  result.is_negative_ = false;
  return result;
}

Expression Expression::with_sign(bool negative) const {
  return negative ? -*this : *this;
}

Expression operator-(Expression a) {
  if (a.is_known()) return -a.known_;
  a.is_negative_ = !a.is_negative_;
  return a;
}

Expression operator+(const Expression& a, const Expression& b) {
  if (a.is_known() && b.is_known()) return a.known_ + b.known_;
  if (a.is(0.0)) return b;
  if (b.is(0.0)) return a;
  const bool a_negative = a.is_below_zero(), b_negative = b.is_below_zero();
  const Expression x = a.magnitude(), y = b.magnitude();
  const bool same = !x.is_known() && !y.is_known() && x.index() == y.index();
  if (same) return a_negative == b_negative ? 2.0 * a : Expression(0.0);
  Graph& graph = Expression::graph_of(a, b);
  if (a_negative == b_negative) {
    return graph.formula(Operation::add, x, y).with_sign(a_negative);
  }
  // x − y and y − x are one formula and its negative.
  const bool in_order = graph.operand(x) < graph.operand(y);
  const Expression difference =
      graph.formula(Operation::subtract, in_order ? x : y, in_order ? y : x);
  return difference.with_sign(a_negative == in_order);
}

Expression operator-(const Expression& a, const Expression& b) {
  return a + -b;
}

Expression operator*(const Expression& a, const Expression& b) {
  if (a.is_known() && b.is_known()) return a.known_ * b.known_;
  if (a.is(0.0) || b.is(0.0)) return 0.0;
  const Expression x = a.magnitude(), y = b.magnitude();
  const bool negative = a.is_below_zero() != b.is_below_zero();
  if (x.is(1.0)) return y.with_sign(negative);
  if (y.is(1.0)) return x.with_sign(negative);
  return Expression::graph_of(a, b).formula(Operation::multiply, x, y).with_sign(negative);
}

Expression operator/(const Expression& a, const Expression& b) {
  if (a.is_known() && b.is_known()) return a.known_ / b.known_;
  if (a.is(0.0)) return 0.0;
  const Expression x = a.magnitude(), y = b.magnitude();
  const bool negative = a.is_below_zero() != b.is_below_zero();
  if (y.is(1.0)) return x.with_sign(negative);
  return Expression::graph_of(a, b).formula(Operation::divide, x, y).with_sign(negative);
}

SinCosOf<Expression> sin_cos(const Expression& angle) {
  if (angle.is_known()) {
    const SinCos known = sin_cos(angle.known_);
    return {known.sin, known.cos};
  }
  Graph& graph = *angle.graph_;
  const Expression x = angle.magnitude();
  return {graph.formula(Operation::sine, x, x).with_sign(angle.is_negative_),
          graph.formula(Operation::cosine, x, x)};
}

Expression exp(const Expression& a) {
  if (a.is_known()) return std::exp(a.known_);
  return a.graph_->formula({Operation::exponential, a.index(), a.is_negative_ ? 1U : 0U, 0.0});
}

Expression sign(const Expression& a) {
  if (a.is_known()) return a.known_ > 0.0 ? 1.0 : a.known_ < 0.0 ? -1.0 : 0.0;
  return a.graph_->formula(Operation::sign, a.magnitude(), a.magnitude()).with_sign(a.is_negative_);
}

std::vector<std::size_t> uses_of(const Graph& graph, std::span<const Expression> values) {
  const std::deque<Formula>& formulas = graph.formulas();
  std::vector<std::size_t> uses(formulas.size());
  for (const Expression& value : values) {
    if (!value.is_known()) ++uses[value.index()];
  }
  for (std::size_t i = formulas.size(); i-- > 0;) {
    if (uses[i] == 0 || is_leaf(formulas[i])) continue;
    ++uses[formulas[i].left];
    if (is_binary(formulas[i])) ++uses[formulas[i].right];
  }
  return uses;
}

FormulaCount count(const Graph& graph, std::span<const Expression> values) {
  const std::deque<Formula>& formulas = graph.formulas();
  const std::vector<std::size_t> uses = uses_of(graph, values);
  std::array<std::size_t, 10> times{};  // by operations
  const auto of = [&](Operation operation) -> std::size_t& {
    return times[static_cast<std::size_t>(operation)];
  };
  std::set<std::uint32_t> angles;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (uses[i] == 0) continue;
    const Operation operation = formulas[i].operation;
    ++of(operation);
    if (operation == Operation::sine || operation == Operation::cosine) {
      angles.insert(formulas[i].left);
    }
  }
  return {of(Operation::multiply), of(Operation::add) + of(Operation::subtract),
          of(Operation::divide), angles.size(), of(Operation::exponential) + of(Operation::sign)};
}

std::string count_text(const FormulaCount& count) {
  std::string text =
      fmt::format("{} multiplications, {} additions", count.multiplications, count.additions);
  if (count.divisions > 0) text += fmt::format(", {} divisions", count.divisions);
  if (count.sines > 0) text += fmt::format(", {} sines with cosines", count.sines);
  if (count.others > 0) text += fmt::format(", {} exponentials or signs", count.others);
  return text;
}

}  // namespace armdyn
