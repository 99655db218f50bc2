// What each term of a text costs.

#include <armdyn/counts.hpp>

#include <stdexcept>
#include <utility>

#include "dynamics/count_of.hpp"
#include "dynamics/lagrange.hpp"
#include "dynamics/lagrange_as_printed.hpp"
#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/parallel.hpp"
#include "math/counted.hpp"

namespace armdyn {

namespace {

using S = Counted;

/// Books every recorded operation to the term whose value needed it first.
class TermBook {
 public:
  explicit TermBook(std::vector<Counted::Operation> record)
      : record_(std::move(record)), is_booked_(record_.size()), is_set_up_(record_.size()) {}

  /// Books what makes these values to the term. Terms without a name are set-up.
  void book(std::string_view term, const S& value) {
    Counted::Tally& cost = tally(term);
    std::vector<std::size_t> open{value.made_by()};
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (i == Counted::not_recorded || is_booked_[i]) continue;
      is_booked_[i] = true;
      is_set_up_[i] = term.empty();
      record_[i].add_to(cost);
      open.insert(open.end(), record_[i].operands.begin(), record_[i].operands.end());
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
      if (!term.empty()) counts.push_back({term, count_of(tally)});
    }
    return counts;
  }

  /// All operations but the set-up.
  [[nodiscard]] std::vector<Task> tasks() const {
    std::vector<std::size_t> task_of(record_.size(), Counted::not_recorded);
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < record_.size(); ++i) {
      if (is_set_up_[i]) continue;
      Task task;
      for (const std::size_t operand : record_[i].operands) {
        if (operand == Counted::not_recorded || is_set_up_[operand]) continue;
        task.needs.push_back(task_of[operand]);
      }
      task_of[i] = tasks.size();
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

 private:
  Counted::Tally& tally(std::string_view term) {
    for (auto& [name, tally] : tallies_) {
      if (name == term) return tally;
    }
    return tallies_.emplace_back(term, Counted::Tally{}).second;
  }

  std::vector<Counted::Operation> record_;
  std::vector<bool> is_booked_, is_set_up_;
  std::vector<std::pair<std::string_view, Counted::Tally>> tallies_;
};

/// What the work does.
template <class Work>
std::vector<Counted::Operation> recorded(Work work) {
  std::vector<Counted::Operation> record;
  Counted::record() = &record;
  work();
  Counted::record() = nullptr;
  return record;
}

constexpr std::string_view set_up = "";

/// Of both recursions, which differ in one of a link's terms.
template <class Link, class Term>
TermBook recursion_terms(TermBook terms, const std::vector<Link>& links, const char* name,
                         Term Link::*term) {
  for (const Link& x : links) {
    terms.book(set_up, x.frame);
    terms.book("ω_i", x.omega);
    terms.book("α_i", x.omega_dot);
    terms.book("a_i", x.v_dot);
    terms.book(name, x.*term);
    terms.book("F_i", x.F);
    terms.book("N_i", x.N);
  }
  for (const Link& x : links) terms.book("f_i", x.force);
  for (const Link& x : links) terms.book("n_i", x.moment);
  return terms;
}

TermBook newton_euler_terms(const Arm& arm) {
  const std::size_t n = arm.dof();
  const std::vector<S> any(n);
  std::vector<S> tau(n);
  std::vector<LinkState<S>> links(n);
  const auto record = recorded([&] { newton_euler<S>(arm, any, any, any, nullptr, links, tau); });
  return recursion_terms(TermBook(record), links, "ā_i", &LinkState<S>::v_dot_com);
}

TermBook modified_newton_euler_terms(const Arm& arm) {
  const std::size_t n = arm.dof();
  const std::vector<S> any(n);
  std::vector<S> tau(n);
  std::vector<ModifiedLinkState<S>> links(n);
  const std::vector<SymMat3> K = mass_spreads(arm);
  const auto record =
      recorded([&] { modified_newton_euler<S>(arm, K, any, any, any, nullptr, links, tau); });
  return recursion_terms(TermBook(record), links, "A_i", &ModifiedLinkState<S>::A);
}

TermBook lagrange_terms(const Arm& arm) {
  const std::size_t n = arm.dof();
  const std::vector<S> any(n);
  std::vector<S> tau(n);
  LagrangeMatrices<S> m(arm);
  const auto record = recorded([&] { lagrange<S>(arm, m, any, any, any, nullptr, tau); });
  TermBook terms(record);
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
  switch (method) {
    case Method::newton_euler:
      return newton_euler_terms(arm);
    case Method::modified_newton_euler:
      return modified_newton_euler_terms(arm);
    case Method::lagrange:
      return lagrange_terms(arm);
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
  const std::vector<S> any(arm.dof());
  std::vector<S> tau(arm.dof());
  LagrangeAsPrinted<S> text(arm);
  text.joint_transforms(any);
  const auto counted = [](auto work) { return count_of(tallied(work)); };
  return {{"T_r^s", counted([&] { text.transforms(); })},
          {"G", counted([&] { text.gravity_torques(); })},
          {"D", counted([&] { text.inertias(); })},
          {"H", counted([&] { text.velocity_coefficients(); })},
          {"τ_i", counted([&] { text.torques(any, any, tau); })}};
}

}  // namespace armdyn
