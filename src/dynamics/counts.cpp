#include "dynamics/counts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "dynamics/formulation.hpp"
#include "dynamics/lagrange.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/each.hpp"
#include "math/ltdl.hpp"

namespace armdyn {

namespace {

using S = Counted;

/// Counts of what the work does, on Counteds.
template <class Work>
Count tallied(Work work) {
  Counted::tally() = {};
  work();
  return Counted::tally();
}

/// An arm of the same joints without a zero anywhere but in its tensors, which are along principal
/// axes.
Arm with_principal_axes(Arm arm) {
  for (Link& link : arm.links) {
    link = {link.joint, 1.0, 0.8, 0.6, 1.0, 0.8, 0.6, {1.0, {1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}}};
  }
  arm.v_dot_0 = {1.0, 1.0, 1.0};
  return arm;
}

/// Inputs of one evaluation: known numbers, or any.
struct Inputs {
  explicit Inputs(std::size_t n) : q(n), qd(n), qdd(n) {}
  std::vector<S> q, qd, qdd;
};

MethodCount counted(const Arm& arm, Method method, const Inputs& in) {
  const FormulationRow<S>& formulation = row_of<S>(method);
  const Arm counted_arm = with_polynomial_springs(arm);
  const Formulation<S> torque = read_formulation(formulation, counted_arm);
  std::vector<S> tau(arm.dof());
  const Count all = tallied([&] { torque(counted_arm, {in.q, in.qd, in.qdd}, nullptr, tau); });
  const Count frames = tallied([&] {
    if (!arm.is_serial()) return;  // the frames of chains are a part of the recursion
    for (std::size_t i = 0; i < arm.dof(); ++i) formulation.form_frame(arm.links[i], in.q[i]);
  });
  return {all + -1 * frames, frames, all.as_written.sines};
}

MethodCount count(const Arm& arm, Method method, const Inputs& in) {
  MethodCount result = counted(arm, method, in);
  result.recursion.principal = counted(with_principal_axes(arm), method, in).recursion.principal;
  return result;
}

}  // namespace

MethodCount count(const Arm& arm, Method method) {
  return count(arm, method, Inputs(arm.dof()));
}

StrobingCount count_strobing(const Arm& arm, Method method) {
  const std::size_t n = arm.dof();
  const Arm without_gravity = gravity_removed(arm);
  Inputs at_rest(n);
  at_rest.qd.assign(n, S(0.0));
  at_rest.qdd.assign(n, S(0.0));

  StrobingCount result;
  for (std::size_t j = 0; j < n; ++j) {
    Inputs accelerating = at_rest;
    accelerating.qdd[j] = S(1.0);
    result.mass_matrix =
        result.mass_matrix + count(without_gravity, method, accelerating).recursion;
    for (std::size_t k = 0; k <= j; ++k) {
      Inputs moving = at_rest;
      moving.qd[j] = moving.qd[k] = S(1.0);
      result.velocity_matrices =
          result.velocity_matrices + count(without_gravity, method, moving).recursion;
    }
  }
  Inputs coasting(n);
  coasting.qdd = at_rest.qdd;
  const Count solution = tallied([n] {
    std::vector<S> M(n * n), x(n);
    for (S& torque : x) torque = torque - S();
    factor_ltdl<S>(n, M);
    solve_ltdl<S>(n, M, x);
  });
  const Count sums = tallied([] {
    const S y, g, step;
    const std::array h{step * g, step * g, step * g, step * g};
    const std::array points{y + 0.5 * h[0], y + 0.5 * h[1], y + h[2],
                            y + 1.0 / 6.0 * (h[0] + 2.0 * h[1] + 2.0 * h[2] + h[3])};
    static_cast<void>(points);
  });
  result.step = 4 * (count(arm, method, coasting).recursion + result.mass_matrix + solution) +
                2 * static_cast<std::int64_t>(n) * sums;
  return result;
}

// Costs of the terms of an algorithm.

namespace {

/// Books every recorded operation to the term whose value needed it first.
class TermBook {
 public:
  explicit TermBook(std::vector<Counted::Operation> record)
      : record_(std::move(record)), term_of_(record_.size()) {}

  /// Books what makes these values to the term. Terms without a name are set-up.
  void book(std::string_view term, const S& value) {
    Count& cost = tally(term);
    std::vector<std::size_t> open{value.made_by()};
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (i == Counted::not_recorded || term_of_[i]) continue;
      term_of_[i] = term;
      record_[i].add_to(cost);
      append(open, record_[i].operands);
    }
  }
  void book(std::string_view term, const Vec<S>& v) {
    for (const S& entry : {v.x, v.y, v.z}) book(term, entry);
  }
  void book(std::string_view term, const Mat<S>& A) {
    for (const Vec<S>& row : {A.row_x, A.row_y, A.row_z}) book(term, row);
  }
  void book(std::string_view term, const Frame<S>& T) {
    book(term, T.R);
    book(term, T.p);
  }
  void book(std::string_view term, const Matrix4<S>& A) {
    for (const Row4<S>& row : {A.x, A.y, A.z, A.w}) {
      for (const S& entry : {row.x, row.y, row.z, row.w}) book(term, entry);
    }
  }

  [[nodiscard]] std::vector<TermCount> counts() const {
    std::vector<TermCount> counts;
    for (const auto& [term, tally] : tallies_) {
      if (!term.empty()) counts.push_back({term, tally});
    }
    return counts;
  }

  /// Tasks of all operations but the set-up.
  [[nodiscard]] std::vector<Task> tasks() const {
    std::vector<std::size_t> task_of(record_.size(), Counted::not_recorded);
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < record_.size(); ++i) {
      if (is_set_up(i)) continue;
      const auto kind = record_[i].kind;
      Task task{.does = kind == &Operations::additions         ? '+'
                        : kind == &Operations::multiplications ? '*'
                                                               : '/',
                .term = term_of_[i].value_or("")};
      for (const std::size_t operand : record_[i].operands) {
        if (operand == Counted::not_recorded || is_set_up(operand)) continue;
        task.needs.push_back(task_of[operand]);
      }
      task_of[i] = tasks.size();
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

 private:
  [[nodiscard]] bool is_set_up(std::size_t i) const { return term_of_[i] && term_of_[i]->empty(); }

  Count& tally(std::string_view term) {
    for (auto& [name, tally] : tallies_) {
      if (name == term) return tally;
    }
    return tallies_.emplace_back(term, Count{}).second;
  }

  std::vector<Counted::Operation> record_;
  std::vector<std::optional<std::string_view>> term_of_;
  std::vector<std::pair<std::string_view, Count>> tallies_;
};

/// Records the operations of the work.
template <class Work>
std::vector<Counted::Operation> recorded(Work work) {
  std::vector<Counted::Operation> record;
  Counted::record() = &record;
  work();
  Counted::record() = nullptr;
  return record;
}

constexpr std::string_view set_up = "";

/// Terms of a recursion; recursions differ in one of a link's terms.
template <class Link>
TermBook recursion_terms(const Arm& arm, const char* name, auto term, const auto& algorithm) {
  constexpr bool is_seen_from_base = std::is_same_v<Link, BaseLinkState<S>>;
  const std::vector<S> any(arm.dof());
  std::vector<S> tau(arm.dof());
  std::vector<Link> links(arm.dof());
  TermBook terms(recorded([&] { algorithm(arm, any, any, any, nullptr, links, tau); }));
  for (const Link& x : links) {
    terms.book(set_up, x.frame);
    if constexpr (is_seen_from_base) terms.book("R_i", x.R);
    terms.book("ω_i", x.omega);
    terms.book("α_i", x.omega_dot);
    terms.book("a_i", x.v_dot);
    terms.book(name, x.*term);
    terms.book("F_i", x.F);
    terms.book("N_i", x.N);
  }
  for (const Link& x : links) terms.book("f_i", x.force);
  for (const Link& x : links) terms.book("n_i", x.moment);
  if constexpr (is_seen_from_base) {
    for (const S& torque : tau) terms.book("τ_i", torque);
  }
  return terms;
}

TermBook lagrange_terms(const Arm& arm) {
  const std::size_t n = arm.dof();
  const std::vector<S> any(n);
  std::vector<S> tau(n);
  LagrangeMatrices<S> m(arm);
  TermBook terms(recorded([&] { lagrange<S>(arm, m, any, any, any, nullptr, tau); }));
  for (std::size_t s = 1; s <= n; ++s) terms.book(set_up, m.T(s - 1, s));
  for (std::size_t s = 1; s <= n; ++s) {
    for (std::size_t r = 0; r < s; ++r) terms.book("T_r^s", m.T(r, s));
    for (std::size_t j = 1; j <= s; ++j) terms.book("∂T", m.dT(s, j));
    for (std::size_t k = 1; k <= s; ++k) {
      for (std::size_t j = 1; j <= k; ++j) terms.book("∂²T", m.d2T(s, k, j));
    }
    terms.book("T̈ J", m.P(s));
  }
  for (const S& torque : tau) terms.book("τ_i", torque);
  return terms;
}

TermBook terms(const Arm& arm, Method method) {
  require_serial(arm, "a count of terms");
  switch (method) {
    case Method::newton_euler:
      return recursion_terms<LinkState<S>>(arm, "ā_i", &LinkState<S>::v_dot_com,
                                           newton_euler<S, Arm>);
    case Method::modified_newton_euler:
      return recursion_terms<ModifiedLinkState<S>>(
          arm, "A_i", &ModifiedLinkState<S>::A,
          [K = mass_spreads(arm)](const Arm& of, auto&&... rest) {
            modified_newton_euler<S>(of, K, rest...);
          });
    case Method::lagrange:
      return lagrange_terms(arm);
    case Method::newton_euler_in_base:
      return recursion_terms<BaseLinkState<S>>(arm, "ā_i", &LinkState<S>::v_dot_com,
                                               newton_euler_in_base<S>);
  }
  throw std::invalid_argument("no such formulation");
}

}  // namespace

std::vector<Task> written_operations(const Arm& arm, Method method) {
  return terms(arm, method).tasks();
}

std::vector<TermCount> count_terms(const Arm& arm, Method method) {
  std::vector<TermCount> result = terms(arm, method).counts();
  const std::vector<TermCount> principal = terms(with_principal_axes(arm), method).counts();
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].count.principal = principal[i].count.principal;
  }
  return result;
}

std::vector<TermCount> count_printed_lagrange_terms(const Arm& arm) {
  require_serial(arm, "a count of terms");
  const std::vector<S> any(arm.dof());
  std::vector<S> tau(arm.dof());
  LagrangeAsPrinted<S> printed(arm);
  printed.joint_transforms(any);
  return {{"T_r^s", tallied([&] { printed.transforms(); })},
          {"G", tallied([&] { printed.gravity_torques(); })},
          {"D", tallied([&] { printed.inertias(); })},
          {"H", tallied([&] { printed.velocity_coefficients(); })},
          {"τ_i", tallied([&] { printed.torques(any, any, tau); })}};
}

std::vector<Task> terms_of_table_4(std::size_t n, TermDuration duration) {
  std::vector<Task> tasks;
  const auto add = [&](std::size_t multiplications, std::size_t additions,
                       std::vector<std::size_t> needs) {
    const bool multiplies = duration == TermDuration::multiplications;
    tasks.push_back({multiplies ? multiplications : additions, std::move(needs)});
    return tasks.size() - 1;
  };
  struct Terms {
    std::size_t omega, alpha, A, a, force, axial, moment_of_force;
  };
  std::vector<Terms> links(n);
  for (std::size_t i = 0; i < n; ++i) {
    Terms& x = links[i];
    const bool moves = i > 0;  // the link before
    const Terms& before = links[moves ? i - 1 : 0];
    using Needs = std::vector<std::size_t>;
    x.omega = add(9, 7, moves ? Needs{before.omega} : Needs{});
    x.alpha = add(9, 9, moves ? Needs{before.alpha, before.omega} : Needs{});
    x.A = add(6, 9, {x.omega, x.alpha});
    x.a = moves ? add(18, 15, {before.a, before.A}) : add(0, 0, {});
    x.force = add(12, 9, {x.a, x.A});
    x.axial = add(6, 3, {x.A});
    x.moment_of_force = add(6, 3, {x.force});
  }
  std::size_t force = 0, moment = 0;  // of the link beyond
  for (std::size_t i = n; i-- > 0;) {
    const Terms& x = links[i];
    std::vector<std::size_t> parts{x.axial, x.moment_of_force};
    if (i + 1 < n) {
      force = add(9, 9, {x.force, force});
      parts.push_back(add(9, 6, {moment}));
    } else {
      force = x.force;
    }
    parts.push_back(add(6, 3, {force}));
    moment = add(0, 15, parts);
  }
  return tasks;
}

namespace {

// c + b n, and so on up; denominators last.
constexpr PublishedOperations linear(std::int64_t b, std::int64_t c, std::int64_t of_additions_b,
                                     std::int64_t of_additions_c) {
  return {{{c, b}}, {{of_additions_c, of_additions_b}}};
}
constexpr Polynomial quadratic(std::int64_t a, std::int64_t b, std::int64_t denominator = 1) {
  return {{0, b, a}, denominator};
}
constexpr Polynomial cubic(std::int64_t n3, std::int64_t n2, std::int64_t n,
                           std::int64_t denominator) {
  return {{0, n, n2, n3}, denominator};
}
constexpr Polynomial quartic(std::int64_t n4, std::int64_t n3, std::int64_t n2, std::int64_t n,
                             std::int64_t denominator) {
  return {{0, n, n2, n3, n4}, denominator};
}
constexpr Polynomial none{};

// Derived and explained in docs/derivation.md, section 12.
constexpr PublishedCount published[] = {
    {Method::newton_euler, "paper 001", "Table 1", linear(108, -12, 100, -9)},
    {Method::newton_euler, "paper 003", "Table 2, with its controller", linear(119, -24, 107, -21)},
    {Method::newton_euler, "paper 001", "corrected", linear(124, -24, 101, -24)},

    {Method::modified_newton_euler, "paper 001", "Table 1, principal axes",
     linear(90, -27, 88, -24)},
    {Method::modified_newton_euler, "paper 001", "corrected, principal axes",
     linear(94, -33, 83, -33)},
    {Method::modified_newton_euler, "paper 001", "corrected, full tensor",
     linear(106, -33, 95, -33)},

    {Method::lagrange, "paper 001", "Table 1", {cubic(27, 165, 10, 2), cubic(40, 174, -64, 3)}},
    {Method::lagrange,
     "paper 003",
     "Table 1, with its controller",
     {quartic(128, 515, 850, 82, 3), quartic(196, 787, 1280, 131, 6)}},
    {Method::lagrange,
     "paper 001",
     "appendix, corrected",
     {cubic(27, 181, 26, 2), cubic(40, 222, -16, 3)}},
};

// Table 3 of paper 001, per link: outward (ω, α, A, a, ā) and inward (f, n).
constexpr Operations outward{9 + 9 + 6 + 18 + 9, 7 + 9 + 9 + 15 + 9};
constexpr Operations inward{12 + 9 + 15 + 6 + 6 + 9, 9 + 6 + 9 + 3 + 3 + 6 + 15};

// The terms of n_i that two tables have.
const PublishedTerm moment_of_inertia_force{"m(r_i + r̄_i) × ā_i", linear(6, 0, 3, 0)};
const PublishedTerm moment_of_next_force{"r_i × R f_i+1", linear(6, 0, 3, 0)};
const PublishedTerm next_moment{"R n_i+1", linear(9, 0, 6, 0)};
const PublishedTerm sum_of_moments{"add n", linear(0, 0, 15, 0)};

}  // namespace

std::int64_t Polynomial::at(std::int64_t n) const {
  std::int64_t sum = 0;
  for (std::size_t k = coefficients.size(); k-- > 0;) sum = sum * n + coefficients[k];
  return sum / denominator;
}

std::string Polynomial::text() const {
  static constexpr std::array powers{"", "n", "n²", "n³", "n⁴"};
  std::string text;
  for (std::size_t k = coefficients.size(); k-- > 0;) {
    const std::int64_t c = coefficients[k];
    if (c == 0) continue;
    const std::int64_t divisor = std::gcd(c, denominator);
    const std::int64_t above = std::abs(c) / divisor, below = denominator / divisor;
    text += text.empty() ? (c < 0 ? "−" : "") : (c < 0 ? " − " : " + ");
    text += below > 1             ? fmt::format("{}/{} ", above, below)
            : above == 1 && k > 0 ? ""
                                  : fmt::format("{}", above);
    text += powers[k];
  }
  return text.empty() ? "0" : text;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial sum{{}, std::lcm(a.denominator, b.denominator)};
  for (std::size_t k = 0; k < sum.coefficients.size(); ++k) {
    sum.coefficients[k] = a.coefficients[k] * (sum.denominator / a.denominator) +
                          b.coefficients[k] * (sum.denominator / b.denominator);
  }
  return sum;
}

PublishedOperations PublishedGroup::sum() const {
  PublishedOperations sum;
  for (const PublishedTerm& row : rows) sum = sum + row.operations;
  return sum;
}

const PublishedGroup& published_simultaneous_steps() {
  static const PublishedGroup steps{
      {{"ω_1", linear(0, 9, 0, 7)},
       {"α_1", linear(0, 9, 0, 9)},
       {"A_1", linear(0, 6, 0, 9)},
       {"ω_2", linear(0, 9, 0, 7)},
       {"α_2", linear(0, 9, 0, 9)},
       {"ω_i+2, α_i+2, A_i+1, a_i, m_i ā_i, Tr{A_i K_i σ}, m_i r̄_i-1 × ā_i", linear(18, 0, 15, 0)},
       {"f_i, n_i, r_i × R f_i+1, R n_i+1", linear(9, 0, 12, 0)}},
      {}};
  return steps;
}

std::span<const PublishedCount> published_counts() {
  return published;
}

const std::vector<PublishedTable>& published_tables() {
  static const std::vector<PublishedTable> tables{
      {Method::newton_euler,
       "paper 001",
       "Table 3",
       {{{{"ω_i", linear(9, 0, 7, 0)}}, {"ω_i"}},
        {{{"α_i", linear(9, 0, 9, 0)}}, {"α_i"}},
        {{{"A_i", linear(6, 0, 9, 0)}, {"a_i", linear(18, 0, 15, 0)}, {"ā_i", linear(9, 0, 9, 0)}},
         {"a_i", "ā_i"}},
        {{{"f_i", linear(12, -12, 9, -9)}}, {"F_i", "f_i"}},
        {{{"I_i α_i", linear(9, 0, 6, 0)},
          {"ω_i × (I_i ω_i)", linear(15, 0, 9, 0)},
          moment_of_inertia_force,
          moment_of_next_force,
          next_moment,
          sum_of_moments},
         {"N_i", "n_i"}}}},
      {Method::newton_euler,
       "paper 003",
       "Table 2",
       {{{{"ω_i", linear(9, 0, 7, 0)}}, {"ω_i"}},
        {{{"α_i", linear(9, 0, 9, 0)}}, {"α_i"}},
        {{{"a_i", linear(27, 0, 22, 0)}}, {"a_i"}},
        {{{"ā_i", linear(15, 0, 14, 0)}}, {"ā_i"}},
        {{{"F_i", linear(3, 0, 0, 0)}}, {"F_i"}},
        {{{"f_i", linear(9, -9, 9, -6)}}, {"f_i"}},
        {{{"N_i", linear(24, 0, 18, 0)}}, {"N_i"}},
        {{{"n_i", linear(21, -15, 24, -15)}}, {"n_i"}},
        {{{"q̈ + K_v ė + K_p e", linear(2, 0, 4, 0)}}, {}}}},
      {Method::modified_newton_euler,
       "paper 001",
       "Table 4, principal axes",
       {{{{"ω_i", linear(9, 0, 7, 0)}}, {"ω_i"}},
        {{{"α_i", linear(9, 0, 9, 0)}}, {"α_i"}},
        {{{"A_i", linear(6, 0, 9, 0)}}, {"A_i"}},
        {{{"a_i", linear(18, -18, 15, -15)}}, {"a_i"}},
        {{{"m_i ā_i", linear(12, 0, 9, 0)}}, {"F_i"}},
        {{{"f_i", linear(9, -9, 9, -9)}}, {"f_i"}},
        {{{"Tr{A_i K_i σ}", linear(6, 0, 3, 0)},
          moment_of_inertia_force,
          moment_of_next_force,
          next_moment,
          sum_of_moments},
         {"N_i", "n_i"}}}},
      {Method::lagrange,
       "paper 001",
       "Table 2",
       {{{{"T_j^i", {quadratic(32, -32), quadratic(24, -24)}}}, {"T_r^s"}},
        {{{"∂T_0^i/∂q_j", {quadratic(32, -32), quadratic(24, -24)}}}, {"∂T"}},
        {{{"∂²T_0^i/∂q_j∂q_k", {cubic(32, 0, -32, 3), cubic(8, 0, -8, 1)}}}, {"∂²T"}},
        {{{"Σ{∂T q̈ + Σ ∂²T q̇q̇} J^a", {cubic(17, 51, 418, 6), cubic(16, 0, 80, 3)}}}, {"T̈ J"}},
        {{{"Tr{[…] ∂T/∂q_i}", {quadratic(8, 8), quadratic(8, 7)}}}, {"τ_i"}},
        {{{"gravity", {quadratic(2, 2), quadratic(2, 1)}}}, {}}}},
      {Method::lagrange,
       "paper 003",
       "Table 1",
       {{{{"T_i^j", {quadratic(32, -32), quadratic(24, -24)}}}, {"T_r^s"}},
        {{{"−m_j g ∂T_0^j/∂q_i r̄_j", {quadratic(36, -28), quadratic(51, -45, 2)}},
          {"its sum over j", {none, quadratic(1, -1, 2)}}},
         {"G"}},
        {{{"Tr{∂T/∂q_j J ∂T/∂q_i}", {cubic(128, 384, 256, 3), cubic(65, 195, 130, 2)}},
          {"its sum over k", {none, cubic(1, 0, -1, 6)}}},
         {"D"}},
        {{{"Tr{∂²T/∂q_j∂q_k J ∂T/∂q_i}",
           {quartic(128, 384, 256, 0, 3), quartic(65, 195, 130, 0, 2)}},
          {"its sum over m", {none, quartic(1, 0, -1, 0, 6)}}},
         {"H"}},
        {{{"q̈ + K_v ė + K_p e", linear(2, 0, 4, 0)}}, {}},
        {{{"τ = D(…) + H + G", {cubic(1, 2, 0, 1), cubic(1, 1, 0, 1)}}}, {"τ_i"}}},
       true}};
  return tables;
}

Operations published_strobing_of_mass_matrix(std::int64_t n) {
  return n * (n + 1) / 2 * (outward + inward);
}

Operations published_strobing_of_velocity_matrices(std::int64_t n) {
  return n * (n + 1) * (2 * n + 1) / 6 * outward + n * (n + 1) / 2 * inward;
}

}  // namespace armdyn
