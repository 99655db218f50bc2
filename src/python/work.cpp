#include "python/work.hpp"

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <armdyn/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <map>
#include <mutex>

#include "cli/options/value_text.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/threads.hpp"

namespace armdyn::python {

namespace py = pybind11;

namespace {

constexpr std::size_t few_blocks = 8;  // some milliseconds
constexpr auto between_looks = std::chrono::milliseconds(50);

/// Errors of blocks by their first rows.
class BlockErrors {
 public:
  void add(std::size_t begin, std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    errors_.emplace(begin, std::move(error));
  }
  [[nodiscard]] bool has_before(std::size_t begin) {
    const std::scoped_lock lock(mutex_);
    return !errors_.empty() && errors_.begin()->first < begin;
  }
  void rethrow_first() const {
    if (errors_.empty()) return;
    const auto& [begin, error] = *errors_.begin();
    try {
      std::rethrow_exception(error);
    } catch (const NotFinite& not_finite) {
      const std::size_t row = begin + not_finite.row();
      throw NotFinite(fmt::format("row {}: {}", row, not_finite.what()), row);
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::exception_ptr> errors_;
};

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

void in_blocks(std::size_t rows, int threads,
               const std::function<void(std::size_t begin, std::size_t count)>& work,
               std::size_t block_rows) {
  require_threads(threads);
  BlockErrors errors;
  const auto block = [&](std::size_t k) {
    const std::size_t begin = k * block_rows;
    if (errors.has_before(begin)) return;
    try {
      throw_if_interrupted();
      work(begin, std::min(block_rows, rows - begin));
    } catch (...) {
      errors.add(begin, std::current_exception());
    }
  };
  const std::size_t count = (rows + block_rows - 1) / block_rows;
  if (count <= few_blocks && block_rows == usual_block) {
    without_lock([&] {
      for (std::size_t k = 0; k < count; ++k) block(k);
    });
  } else {
    until_interrupted([&] {
      std::atomic<std::size_t> next = 0;
      in_threads(threads > 0 ? static_cast<unsigned>(threads) : usable_cores(), [&] {
        for (std::size_t k = next++; k < count; k = next++) block(k);
      });
    });
  }
  errors.rethrow_first();
}

}  // namespace armdyn::python
