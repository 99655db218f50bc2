#include "support/case_table.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace armdyn::testing {

CaseTable::CaseTable(const std::string& name) {
  std::ifstream in(std::string(test_data() + "/cases/") + name);
  if (!in) throw std::runtime_error("test data are missing: " + name);
  std::string line;
  std::getline(in, line);
  std::vector<std::string> names;
  std::istringstream header(line);
  for (std::string cell; std::getline(header, cell, ',');) names.push_back(cell);
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (const std::string& column : names) {
      std::string cell;
      if (!std::getline(row, cell, ',')) throw std::runtime_error("short row in " + name);
      columns_[column].push_back(std::stod(cell));
    }
    ++rows_;
  }
}

double CaseTable::at(const std::string& column, std::size_t row) const {
  return columns_.at(column).at(row);
}

std::vector<double> CaseTable::joints(const std::string& prefix, std::size_t n,
                                      std::size_t row) const {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = at(prefix + std::to_string(i + 1), row);
  return values;
}

Wrench CaseTable::wrench(std::size_t row) const {
  if (!columns_.contains("fx")) return {};
  return {{at("fx", row), at("fy", row), at("fz", row)},
          {at("nx", row), at("ny", row), at("nz", row)}};
}

double scale_of(const std::vector<double>& values) {
  double scale = 1e-300;
  for (const double value : values) scale = std::max(scale, std::abs(value));
  return scale;
}

}  // namespace armdyn::testing
