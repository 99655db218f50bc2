#pragma once

// NumPy arrays as rows and columns of numbers, read where they lie.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <armdyn/inverse_dynamics.hpp>

namespace armdyn::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::forcecast>;

/// An array of shape (N, width), or (width,) for one row. Any strides; of other types than float64
/// a copy is made.
class Rows {
 public:
  /// Throws ValueError, with `name`, for other shapes.
  Rows(const py::object& values, std::size_t width, const std::string& name);

  [[nodiscard]] bool is_one() const { return array_.ndim() == 1; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    double value = 0.0;
    std::memcpy(&value, place(row, column), sizeof value);
    return value;
  }
  void read(std::size_t row, std::span<double> values) const {
    for (std::size_t k = 0; k < width_; ++k) {
      values[k] = at(row, k);
      require_within_limits(row, values.subspan(k, 1));
    }
  }

  /// Appends the columns from a row on: where they lie, if their numbers stand one after the other;
  /// else copied to `copies`, `count` for each column. Throws ValueError for a number beyond the
  /// limits of input.
  void columns(std::size_t begin, std::size_t count, std::vector<double>& copies,
               std::vector<Column>& columns) const;

 private:
  void require_within_limits(std::size_t begin, std::span<const double> column) const;
  [[nodiscard]] const char* place(std::size_t row, std::size_t column) const {
    return data_ + static_cast<std::ptrdiff_t>(row) * row_stride_ +
           static_cast<std::ptrdiff_t>(column) * column_stride_;
  }

  Array array_;
  std::string name_;
  std::size_t width_, size_ = 1;
  const char* data_ = nullptr;
  std::ptrdiff_t row_stride_ = 0, column_stride_ = 0;
};

/// The numbers of an array of shape (N,), of any strides; nothing for other shapes.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(const py::object& values);

/// Throws ValueError unless all have as many rows as the first, and as many dimensions.
void require_same_size(std::initializer_list<const Rows*> all);

/// The rows of an argument that may be None.
[[nodiscard]] std::optional<Rows> optional_rows(const py::object& values, std::size_t width,
                                                const std::string& name);

/// An array of shape (N, width) whose columns stand one after the other, to be filled.
class ColumnsOut {
 public:
  ColumnsOut(std::size_t rows, std::size_t width)
      : rows_(rows), width_(width), values_(new double[rows * width]) {}

  [[nodiscard]] ResultColumn column(std::size_t k) { return values_.get() + k * rows_; }
  /// The columns from `first` on as an array that owns nothing but a share of all.
  [[nodiscard]] static std::vector<py::array> split(ColumnsOut&& columns, std::size_t width);

 private:
  std::size_t rows_, width_;
  std::unique_ptr<double[]> values_;
};

/// A vector as an array of the given shape, without a copy.
[[nodiscard]] py::array owned(std::vector<double> values, std::vector<py::ssize_t> shape);

// Work on rows, while the interpreter goes on.

/// Does work that may take long, in another thread: a KeyboardInterrupt (or another signal's
/// exception) makes interrupted() true, and is raised when the work has ended.
void until_interrupted(const std::function<void()>& work);

/// Rows that are done at a time where each takes microseconds.
inline constexpr std::size_t usual_block = 2048;

/// Throws UsageError for numbers of threads that the command line refuses (0: one per core).
void require_threads(int threads);

/// Does some rows, with memory of its own.
using RowsWork = std::function<void(std::size_t begin, std::size_t count)>;

/// Does rows in blocks, by so many threads (0: one per core), in another thread if they are many.
/// Each thread makes its own work, once. Of several blocks' errors the first is thrown, with the row
/// where it is NotFinite. Throws UsageError for numbers of threads that the command line refuses.
/// Where a block is another than the usual one, each row may take long.
void in_blocks(std::size_t rows, int threads, const std::function<RowsWork()>& make_work,
               std::size_t block_rows = usual_block);

}  // namespace armdyn::python
