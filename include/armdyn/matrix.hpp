#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace armdyn {

/// A dense matrix, stored by rows; rows and columns count from 0. What its entries mean, in which
/// units and frame, is said where it is used.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), entries_(rows * columns) {}
  /// From its entries, row after row. Throws std::invalid_argument for another number of them.
  Matrix(std::size_t rows, std::size_t columns, std::vector<double> entries)
      : rows_(rows), columns_(columns), entries_(std::move(entries)) {
    if (entries_.size() != rows * columns) {
      throw std::invalid_argument("a matrix needs rows times columns entries");
    }
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  double& operator()(std::size_t row, std::size_t column) {
    return entries_[row * columns_ + column];
  }
  double operator()(std::size_t row, std::size_t column) const {
    return entries_[row * columns_ + column];
  }

  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(entries_).subspan(i * columns_, columns_);
  }
  [[nodiscard]] std::span<const double> entries() const { return entries_; }  ///< row after row

  bool operator==(const Matrix&) const = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> entries_;
};

}  // namespace armdyn
