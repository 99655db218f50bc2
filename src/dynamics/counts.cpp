#include <armdyn/counts.hpp>

#include <vector>

#include "dynamics/count_of.hpp"
#include "dynamics/formulation_table.hpp"
#include "dynamics/weightless.hpp"
#include "math/counted.hpp"

namespace armdyn {

namespace {

using S = Counted;

/// Inputs of one evaluation: known numbers, or any.
struct Inputs {
  explicit Inputs(std::size_t n) : q(n), qd(n), qdd(n) {}
  std::vector<S> q, qd, qdd;
};

Count operator-(const Count& a, const Count& b) {
  return {a.as_written - b.as_written, a.principal - b.principal, a.needed - b.needed};
}

MethodCount counted(const Arm& arm, Method method, const Inputs& in) {
  const FormulationRow<S>& formulation = row_of<S>(method);
  const Formulation<S> torque = formulation.read(arm);
  std::vector<S> tau(arm.dof());
  const Counted::Tally all = tallied([&] { torque(arm, {in.q, in.qd, in.qdd}, nullptr, tau); });
  const Counted::Tally frames = tallied([&] {
    for (std::size_t i = 0; i < arm.dof(); ++i) formulation.form_frame(arm.links[i], in.q[i]);
  });
  return {count_of(all) - count_of(frames), count_of(frames), all.as_written.sines};
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
  const Arm without_gravity = weightless(arm);
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
  return result;
}

}  // namespace armdyn
