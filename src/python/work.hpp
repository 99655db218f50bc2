#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <functional>

namespace armdyn::python {

/// Does short work without the interpreter's lock.
template <class Work>
void without_lock(const Work& work) {
  const pybind11::gil_scoped_release released;
  work();
}

/// Does work that may take long, in another thread: a KeyboardInterrupt (or another signal's
/// exception) makes interrupted() true, and is raised when the work has ended.
void until_interrupted(const std::function<void()>& work);

/// Rows that are done at a time where each takes microseconds.
inline constexpr std::size_t usual_block = 2048;

/// Throws UsageError for numbers of threads that the command line refuses (0: one per core).
void require_threads(int threads);

/// Does rows in blocks, by so many threads (0: one per core), as one of the two above. Of several
/// blocks' errors the first is thrown, with the row where it is NotFinite. `work(begin, count)` is
/// called by several threads at once. Throws UsageError for numbers of threads that the command
/// line refuses. Where a block is another than the usual one, each row may take long.
void in_blocks(std::size_t rows, int threads,
               const std::function<void(std::size_t begin, std::size_t count)>& work,
               std::size_t block_rows = usual_block);

}  // namespace armdyn::python
