#include <armdyn/counts.hpp>

#include <vector>

#include "dynamics/lagrange.hpp"
#include "dynamics/modified_newton_euler.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/counted.hpp"

namespace armdyn {

namespace {

using S = Counted;

/// Inputs of one evaluation: known numbers, or any.
struct Inputs {
  explicit Inputs(std::size_t n) : q(n), qd(n), qdd(n) {}
  std::vector<S> q, qd, qdd;
};

void run(const Arm& arm, Method method, const Inputs& in) {
  const std::size_t n = arm.dof();
  const std::span<const S> q = in.q, qd = in.qd, qdd = in.qdd;
  std::vector<S> tau(n);
  switch (method) {
    case Method::newton_euler: {
      std::vector<LinkState<S>> links(n);
      return newton_euler<S>(arm, q, qd, qdd, nullptr, links, tau);
    }
    case Method::modified_newton_euler: {
      const std::vector<SymMat3> K = mass_spreads(arm);
      std::vector<ModifiedLinkState<S>> links(n);
      return modified_newton_euler<S>(arm, K, q, qd, qdd, nullptr, links, tau);
    }
    case Method::lagrange: {
      LagrangeMatrices<S> matrices(arm);
      return lagrange<S>(arm, matrices, q, qd, qdd, nullptr, tau);
    }
  }
}

void form_frames(const Arm& arm, Method method, const Inputs& in) {
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    if (method == Method::lagrange) {
      joint_transform(arm.links[i], in.q[i]);
    } else {
      joint_frame(arm.links[i], in.q[i]);
    }
  }
}

template <class Work>
Counted::Tally tallied(Work work) {
  Counted::tally() = {};
  work();
  return Counted::tally();
}

Operations operations(const OperationTally& t) {
  return {t.multiplications, t.additions};
}
Count count_of(const Counted::Tally& t) {
  return {operations(t.as_written), operations(t.principal), operations(t.needed)};
}
Count operator-(const Count& a, const Count& b) {
  return {a.as_written - b.as_written, a.principal - b.principal, a.needed - b.needed};
}
Count operator+(const Count& a, const Count& b) {
  return {a.as_written + b.as_written, a.principal + b.principal, a.needed + b.needed};
}

MethodCount count(const Arm& arm, Method method, const Inputs& in) {
  const Counted::Tally all = tallied([&] { run(arm, method, in); });
  const Counted::Tally frames = tallied([&] { form_frames(arm, method, in); });
  return {count_of(all) - count_of(frames), count_of(frames), all.as_written.sines};
}

}  // namespace

MethodCount count(const Arm& arm, Method method) {
  return count(arm, method, Inputs(arm.dof()));
}

StrobingCount count_strobing(const Arm& arm, Method method) {
  const std::size_t n = arm.dof();
  Arm weightless = arm;
  weightless.v_dot_0 = {};
  Inputs at_rest(n);
  at_rest.qd.assign(n, S(0.0));
  at_rest.qdd.assign(n, S(0.0));

  StrobingCount result;
  for (std::size_t j = 0; j < n; ++j) {
    Inputs accelerating = at_rest;
    accelerating.qdd[j] = S(1.0);
    result.mass_matrix = result.mass_matrix + count(weightless, method, accelerating).recursion;
    for (std::size_t k = 0; k <= j; ++k) {
      Inputs moving = at_rest;
      moving.qd[j] = moving.qd[k] = S(1.0);
      result.velocity_matrices =
          result.velocity_matrices + count(weightless, method, moving).recursion;
    }
  }
  return result;
}

}  // namespace armdyn
