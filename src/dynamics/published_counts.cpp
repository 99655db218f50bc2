#include "dynamics/published_counts.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>

namespace armdyn {

namespace {

// c + b n, and so on up; denominators last.
constexpr Polynomial linear(std::int64_t b, std::int64_t c) {
  return {{c, b}};
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
    {Method::newton_euler, "paper 001", "Table 1", {linear(108, -12), linear(100, -9)}},
    {Method::newton_euler,
     "paper 003",
     "Table 2, with its controller",
     {linear(119, -24), linear(107, -21)}},
    {Method::newton_euler, "paper 001", "corrected", {linear(124, -24), linear(101, -24)}},

    {Method::modified_newton_euler,
     "paper 001",
     "Table 1, principal axes",
     {linear(90, -27), linear(88, -24)}},
    {Method::modified_newton_euler,
     "paper 001",
     "corrected, principal axes",
     {linear(94, -33), linear(83, -33)}},
    {Method::modified_newton_euler,
     "paper 001",
     "corrected, full tensor",
     {linear(106, -33), linear(95, -33)}},

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
const PublishedTerm moment_of_inertia_force{"m(r_i + r̄_i) × ā_i", {linear(6, 0), linear(3, 0)}};
const PublishedTerm moment_of_next_force{"r_i × R f_i+1", {linear(6, 0), linear(3, 0)}};
const PublishedTerm next_moment{"R n_i+1", {linear(9, 0), linear(6, 0)}};
const PublishedTerm sum_of_moments{"add n", {none, linear(15, 0)}};

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

PublishedOperations published_simultaneous_steps() {
  return {linear(27, 42), linear(27, 41)};
}

std::span<const PublishedCount> published_counts() {
  return published;
}

const std::vector<PublishedTable>& published_tables() {
  static const std::vector<PublishedTable> tables{
      {Method::newton_euler,
       "paper 001",
       "Table 3",
       false,
       {{{{"ω_i", {linear(9, 0), linear(7, 0)}}}, {"ω_i"}},
        {{{"α_i", {linear(9, 0), linear(9, 0)}}}, {"α_i"}},
        {{{"A_i", {linear(6, 0), linear(9, 0)}},
          {"a_i", {linear(18, 0), linear(15, 0)}},
          {"ā_i", {linear(9, 0), linear(9, 0)}}},
         {"a_i", "ā_i"}},
        {{{"f_i", {linear(12, -12), linear(9, -9)}}}, {"F_i", "f_i"}},
        {{{"I_i α_i", {linear(9, 0), linear(6, 0)}},
          {"ω_i × (I_i ω_i)", {linear(15, 0), linear(9, 0)}},
          moment_of_inertia_force,
          moment_of_next_force,
          next_moment,
          sum_of_moments},
         {"N_i", "n_i"}}}},
      {Method::newton_euler,
       "paper 003",
       "Table 2",
       false,
       {{{{"ω_i", {linear(9, 0), linear(7, 0)}}}, {"ω_i"}},
        {{{"α_i", {linear(9, 0), linear(9, 0)}}}, {"α_i"}},
        {{{"a_i", {linear(27, 0), linear(22, 0)}}}, {"a_i"}},
        {{{"ā_i", {linear(15, 0), linear(14, 0)}}}, {"ā_i"}},
        {{{"F_i", {linear(3, 0), none}}}, {"F_i"}},
        {{{"f_i", {linear(9, -9), linear(9, -6)}}}, {"f_i"}},
        {{{"N_i", {linear(24, 0), linear(18, 0)}}}, {"N_i"}},
        {{{"n_i", {linear(21, -15), linear(24, -15)}}}, {"n_i"}},
        {{{"q̈ + K_v ė + K_p e", {linear(2, 0), linear(4, 0)}}}, {}}}},
      {Method::modified_newton_euler,
       "paper 001",
       "Table 4, principal axes",
       false,
       {{{{"ω_i", {linear(9, 0), linear(7, 0)}}}, {"ω_i"}},
        {{{"α_i", {linear(9, 0), linear(9, 0)}}}, {"α_i"}},
        {{{"A_i", {linear(6, 0), linear(9, 0)}}}, {"A_i"}},
        {{{"a_i", {linear(18, -18), linear(15, -15)}}}, {"a_i"}},
        {{{"m_i ā_i", {linear(12, 0), linear(9, 0)}}}, {"F_i"}},
        {{{"f_i", {linear(9, -9), linear(9, -9)}}}, {"f_i"}},
        {{{"Tr{A_i K_i σ}", {linear(6, 0), linear(3, 0)}},
          moment_of_inertia_force,
          moment_of_next_force,
          next_moment,
          sum_of_moments},
         {"N_i", "n_i"}}}},
      {Method::lagrange,
       "paper 001",
       "Table 2",
       false,
       {{{{"T_j^i", {quadratic(32, -32), quadratic(24, -24)}}}, {"T_r^s"}},
        {{{"∂T_0^i/∂q_j", {quadratic(32, -32), quadratic(24, -24)}}}, {"∂T"}},
        {{{"∂²T_0^i/∂q_j∂q_k", {cubic(32, 0, -32, 3), cubic(8, 0, -8, 1)}}}, {"∂²T"}},
        {{{"Σ{∂T q̈ + Σ ∂²T q̇q̇} J^a", {cubic(17, 51, 418, 6), cubic(16, 0, 80, 3)}}}, {"T̈ J"}},
        {{{"Tr{[…] ∂T/∂q_i}", {quadratic(8, 8), quadratic(8, 7)}}}, {"τ_i"}},
        {{{"gravity", {quadratic(2, 2), quadratic(2, 1)}}}, {}}}},
      {Method::lagrange,
       "paper 003",
       "Table 1",
       true,
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
        {{{"q̈ + K_v ė + K_p e", {linear(2, 0), linear(4, 0)}}}, {}},
        {{{"τ = D(…) + H + G", {cubic(1, 2, 0, 1), cubic(1, 1, 0, 1)}}}, {"τ_i"}}}}};
  return tables;
}

Operations published_strobing_of_mass_matrix(std::int64_t n) {
  return n * (n + 1) / 2 * (outward + inward);
}

Operations published_strobing_of_velocity_matrices(std::int64_t n) {
  return n * (n + 1) * (2 * n + 1) / 6 * outward + n * (n + 1) / 2 * inward;
}

}  // namespace armdyn
