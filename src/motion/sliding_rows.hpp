#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace armdyn {

/// Rows of numbers by column, that come at the back and go at the front.
class SlidingRows {
 public:
  explicit SlidingRows(std::size_t columns) : columns_(columns) {}

  void append(std::span<const double> row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(row[i]);
    ++size_;
  }
  void drop_front(std::size_t rows) {
    head_ += rows;
    size_ -= rows;
    if (head_ < size_ + 1024) return;
    for (std::vector<double>& column : columns_) {
      column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(head_));
    }
    head_ = 0;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return columns_.size(); }
  [[nodiscard]] std::span<const double> column(std::size_t i) const {
    return std::span(columns_[i]).subspan(head_, size_);
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace armdyn
