#pragma once

#include <armdyn/vector.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armdyn::testing {

/// The terms of one configuration in tests/data/cases/NAME_matrices.yaml, entries as in README.md
/// there.
struct CaseMatrices {
  std::vector<double> q, qd, V, G, Vx, Gx;
  Matrix T, J, Jdot, M, M_links, christoffel_C, craig_B, craig_C, Mx;
  bool cartesian = false;  ///< whether Mx, Vx, Gx are there
};

[[nodiscard]] std::vector<CaseMatrices> read_case_matrices(const std::string& name);

}  // namespace armdyn::testing
