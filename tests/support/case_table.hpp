#pragma once

#include <armdyn/vector.hpp>

#include <map>
#include <string>
#include <vector>

namespace armdyn::testing {

/// A CSV file of reference values, read without the program's own reader.
class CaseTable {
 public:
  /// `name` below tests/data/cases.
  explicit CaseTable(const std::string& name);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] double at(const std::string& column, std::size_t row) const;
  /// PREFIX1 .. PREFIXn of a row.
  [[nodiscard]] std::vector<double> joints(const std::string& prefix, std::size_t n,
                                           std::size_t row) const;
  /// fx..nz of a row; zero where the file has none.
  [[nodiscard]] Wrench wrench(std::size_t row) const;

 private:
  std::map<std::string, std::vector<double>> columns_;
  std::size_t rows_ = 0;
};

/// Largest magnitude, at least 1e-300.
[[nodiscard]] double scale_of(const std::vector<double>& values);

}  // namespace armdyn::testing
