#include "dynamics/parallel.hpp"

#include <utility>

#include "dynamics/formulation_table.hpp"

namespace armdyn {

std::vector<Task> folded_operations(const Arm& arm, Method method) {
  using S = Expression;
  Graph graph;
  const std::size_t n = arm.dof();
  std::vector<S> q, qd, qdd, tau(n);
  std::size_t input = 0;
  for (std::vector<S>* const values : {&q, &qd, &qdd}) {
    for (std::size_t i = 0; i < n; ++i) values->push_back(graph.input(input++));
  }
  row_of<S>(method).read(arm)(arm, {q, qd, qdd}, nullptr, tau);
  return operations(graph, tau);
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

}  // namespace armdyn
