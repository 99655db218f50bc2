#include "support/case_matrices.hpp"

#include <yaml-cpp/yaml.h>

#include "support/near.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {

namespace {

using Rows = std::vector<std::vector<double>>;

CaseMatrices read(const YAML::Node& node) {
  const auto vector = [&node](const char* key) { return node[key].as<std::vector<double>>(); };
  const auto rows = [&node](const char* key) { return matrix(node[key].as<Rows>()); };
  CaseMatrices entry{.q = vector("q"),
                     .qd = vector("qd"),
                     .V = vector("V"),
                     .G = vector("G"),
                     .Vx = {},
                     .Gx = {},
                     .T = rows("T_0n"),
                     .J = rows("J"),
                     .Jdot = rows("Jdot"),
                     .M = rows("M"),
                     .M_links = rows("M_links"),
                     .christoffel_C = rows("christoffel_C"),
                     .craig_B = rows("craig_B"),
                     .craig_C = rows("craig_C"),
                     .Mx = {},
                     .cartesian = node["Mx"].IsDefined()};
  if (entry.cartesian) {
    entry.Mx = rows("Mx");
    entry.Vx = vector("Vx");
    entry.Gx = vector("Gx");
  }
  return entry;
}

}  // namespace

std::vector<CaseMatrices> read_case_matrices(const std::string& name) {
  std::vector<CaseMatrices> entries;
  const YAML::Node file = YAML::LoadFile(test_data() + "/cases/" + name + "_matrices.yaml");
  for (const YAML::Node& node : file["configurations"]) entries.push_back(read(node));
  return entries;
}

}  // namespace armdyn::testing
