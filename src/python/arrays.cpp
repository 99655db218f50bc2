#include "python/arrays.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <future>
#include <mutex>

#include "cli/options/value_text.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/block_pipeline.hpp"

namespace armdyn::python {

namespace {

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape"));
}

/// An array of real numbers, or none. Throws TypeError for moments and durations, which NumPy would
/// count in their own units, for complex numbers, whose imaginary parts it would leave out, and for
/// masked entries, which it would take for numbers.
Array real_numbers(const py::object& values) {
  if (std::string_view(Py_TYPE(values.ptr())->tp_name) == "MaskedArray" &&
      values.attr("mask").attr("any")().cast<bool>()) {
    throw py::type_error("found masked entries; leave their rows out");
  }
  const auto any = py::array::ensure(values);
  if (any && std::string_view("cmM").find(any.dtype().kind()) != std::string_view::npos) {
    throw py::type_error(
        fmt::format("found {}; expected real numbers", std::string(py::str(any.dtype()))));
  }
  return any ? Array::ensure(any) : py::reinterpret_steal<Array>(py::handle());
}

}  // namespace

Rows::Rows(const py::object& values, std::size_t width, const std::string& name)
    : array_(real_numbers(values)), name_(name), width_(width) {
  if (!array_ || values.is_none()) {
    PyErr_Clear();
    if (values.is_none()) {
      throw py::type_error(name + " is missing" +
                           (name.starts_with("qd") ? "; read_log(table, robot, derive=True) "
                                                     "computes velocities and accelerations"
                                                   : ""));
    }
    throw py::type_error(
        fmt::format("{} is {}; expected an array of numbers of shape ({},) or (N, {})", name,
                    std::string(py::str(py::type::of(values))), width, width));
  }
  const py::ssize_t dimensions = array_.ndim();
  if ((dimensions != 1 && dimensions != 2) ||
      array_.shape(dimensions - 1) != static_cast<py::ssize_t>(width)) {
    throw py::value_error(fmt::format("{} has shape {}; expected ({},) or (N, {})", name,
                                      shape_text(array_), width, width));
  }
  if (dimensions == 2) {
    size_ = static_cast<std::size_t>(array_.shape(0));
    row_stride_ = array_.strides(0);
  }
  column_stride_ = array_.strides(dimensions - 1);
  data_ = static_cast<const char*>(static_cast<const void*>(array_.data()));
}

std::string Rows::shape() const {
  return shape_text(array_);
}

void Rows::columns(std::size_t begin, std::size_t count, std::vector<double>& copies,
                   std::vector<Column>& columns) const {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(double) == 0 &&
                          column_stride_ % py::ssize_t{alignof(double)} == 0;
  const bool stands = row_stride_ == sizeof(double) && is_aligned;
  if (!stands) copies.resize(width_ * count);
  for (std::size_t k = 0; k < width_; ++k) {
    columns.push_back(stands ? static_cast<Column>(static_cast<const void*>(place(begin, k)))
                             : copies.data() + k * count);
  }
  if (!stands) {
    const char* first = place(begin, 0);
    for (std::size_t row = 0; row < count; ++row, first += row_stride_) {
      const char* value = first;
      for (std::size_t k = 0; k < width_; ++k, value += column_stride_) {
        std::memcpy(copies.data() + k * count + row, value, sizeof(double));
      }
    }
  }
  for (const Column column : std::span(columns).last(width_)) {
    require_within_limits(begin, std::span(column, count));
  }
}

void Rows::require_within_limits(std::size_t begin, std::span<const double> column) const {
  const bool is_position = name_ == "q" || name_.starts_with("q0");
  const double most = is_position ? limits_of_input::position : limits_of_input::rate;
  const auto bad =
      std::ranges::find_if_not(column, [most](double x) { return std::abs(x) <= most; });
  if (bad == column.end()) return;
  throw py::value_error(fmt::format("{}: row {} has {}, expected {}", name_,
                                    begin + static_cast<std::size_t>(bad - column.begin()), *bad,
                                    limits_of_input::expected(most)));
}

void require_same_size(std::initializer_list<const Rows*> all) {
  const Rows& first = **all.begin();
  for (const Rows* const other : all) {
    if (other->size() == first.size() && other->is_one() == first.is_one()) continue;
    throw py::value_error(
        fmt::format("{} has shape {}, {} has shape {}; expected as many rows of both",
                    other->name(), other->shape(), first.name(), first.shape()));
  }
}

std::optional<Rows> optional_rows(const py::object& values, std::size_t width,
                                  const std::string& name) {
  if (values.is_none()) return std::nullopt;
  return Rows(values, width, name);
}

std::vector<py::array> ColumnsOut::split(ColumnsOut&& columns, std::size_t width) {
  const auto rows = static_cast<py::ssize_t>(columns.rows_);
  const std::size_t count = columns.width_ / width;
  double* const values = columns.values_.release();
  const py::capsule owner(values, [](void* memory) { delete[] static_cast<double*>(memory); });
  constexpr auto step = static_cast<py::ssize_t>(sizeof(double));
  return each(in_order(count), [&](std::size_t part) -> py::array {
    return py::array_t<double>({rows, static_cast<py::ssize_t>(width)}, {step, rows * step},
                               values + part * width * columns.rows_, owner);
  });
}

py::array owned(std::vector<double> values, std::vector<py::ssize_t> shape) {
  auto* const kept = new std::vector<double>(std::move(values));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<double>*>(p); });
  return py::array_t<double>(std::move(shape), kept->data(), owner);
}

namespace {

constexpr std::size_t few_blocks = 8;  // some milliseconds
constexpr auto between_looks = std::chrono::milliseconds(50);

}  // namespace

void until_interrupted(const std::function<void()>& work) {
  const py::gil_scoped_release released;
  std::future<void> done = std::async(std::launch::async, work);
  while (done.wait_for(between_looks) == std::future_status::timeout) {
    const py::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() == 0) continue;
    request_interrupt();
    {
      const py::gil_scoped_release waiting;
      done.wait();
    }
    withdraw_interrupt();
    throw py::error_already_set();
  }
  done.get();
}

void require_threads(int threads) {
  if (threads != 0) (void)parse_threads("threads", std::to_string(threads));
}

void in_blocks(std::size_t rows, int threads, const std::function<RowsWork()>& make_work,
               std::size_t block_rows) {
  require_threads(threads);
  std::mutex mutex;
  std::map<std::size_t, std::exception_ptr> errors;  // of blocks by their first rows
  const auto block = [&](std::size_t k, RowsWork& work) {
    const std::size_t begin = k * block_rows;
    {
      const std::scoped_lock lock(mutex);
      if (!errors.empty() && errors.begin()->first < begin) return;
    }
    try {
      throw_if_interrupted();
      if (!work) work = make_work();
      work(begin, std::min(block_rows, rows - begin));
    } catch (...) {
      const std::scoped_lock lock(mutex);
      errors.emplace(begin, std::current_exception());
    }
  };
  const std::size_t count = (rows + block_rows - 1) / block_rows;
  std::atomic<std::size_t> next = 0;
  const auto blocks = [&] {
    RowsWork work;
    for (std::size_t k = next++; k < count; k = next++) block(k, work);
  };
  if (count <= few_blocks && block_rows == usual_block) {
    const py::gil_scoped_release released;
    blocks();
  } else {
    until_interrupted([&] { in_threads(or_all_cores(static_cast<unsigned>(threads)), blocks); });
  }
  if (errors.empty()) return;
  try {
    std::rethrow_exception(errors.begin()->second);
  } catch (const NotFinite& not_finite) {
    const std::size_t row = errors.begin()->first + not_finite.row();
    throw NotFinite(fmt::format("row {}: {}", row, not_finite.what()), row);
  }
}

}  // namespace armdyn::python
