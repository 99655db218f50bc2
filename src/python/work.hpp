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

/// Does rows in blocks, by so many threads (0: one per core), as one of the two above. Of several
/// blocks' errors the first is thrown, with the row where it is NotFinite. `work(begin, count)` is
/// called by several threads at once.
void in_blocks(std::size_t rows, int threads,
               const std::function<void(std::size_t begin, std::size_t count)>& work);

}  // namespace armdyn::python
