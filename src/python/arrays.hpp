#pragma once

// NumPy arrays as rows and columns of numbers, read without a copy.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstring>
#include <functional>

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
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string shape() const;

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

  /// Appends columns of `count` rows from a row on: in place, if the numbers of each stand one
  /// after the other; else as copies in `copies`. Throws ValueError for a number beyond the limits
  /// of input.
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
  /// Arrays of `width` columns each, which share the ownership of the memory.
  [[nodiscard]] static std::vector<py::array> split(ColumnsOut&& columns, std::size_t width);

 private:
  std::size_t rows_, width_;
  std::unique_ptr<double[]> values_;
};

/// A vector as an array of the given shape, without a copy.
[[nodiscard]] py::array owned(std::vector<double> values, std::vector<py::ssize_t> shape);

// Work on rows without the interpreter's lock.

/// Does long work in another thread: a KeyboardInterrupt (or another signal's exception) makes
/// interrupted() true, and is raised when the work has ended.
void until_interrupted(const std::function<void()>& work);

/// Rows of a block where each row takes microseconds.
inline constexpr std::size_t usual_block = 2048;

/// Throws UsageError for numbers of threads that the command line refuses (0: one per core).
void require_threads(int threads);

/// Function that computes some rows, with memory of its own.
using RowsWork = std::function<void(std::size_t begin, std::size_t count)>;

/// Computes rows in blocks, by so many threads (0: one per core), in other threads if they are many
/// or blocks are not the usual ones, whose rows may take long. Each thread makes its own work,
/// once. Throws the error of the first block that has one, with the row where it is NotFinite;
/// UsageError for numbers of threads that the command line refuses.
void in_blocks(std::size_t rows, int threads, const std::function<RowsWork()>& make_work,
               std::size_t block_rows = usual_block);

}  // namespace armdyn::python
