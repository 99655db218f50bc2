#include "io/file/mapped_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <armdyn/error.hpp>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "io/file/input_file.hpp"

namespace armdyn {

MappedFile::MappedFile(const InputFile& input) {
  if (!input.is_regular()) {
    throw InputError(input.name() +
                     ": is a pipe or device; NumPy arrays are read from regular files, and text "
                     "from a name that does not end in .npy");
  }
  size_ = static_cast<std::size_t>(*input.size());
  if (size_ == 0) return;
  void* const address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, input.descriptor(), 0);
  if (address == MAP_FAILED) {
    throw FileError("cannot map " + input.name() +
                    " into memory: " + std::system_category().message(errno));
  }
  data_ = static_cast<char*>(address);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

// Whole pages; one that another block looks at comes back when it does. Advice may be refused.
void MappedFile::release(std::size_t begin, std::size_t size) const {
  if (size == 0 || begin >= size_) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t first = begin / page * page;
  [[maybe_unused]] const int refused =
      ::madvise(data_ + first, std::min(begin + size, size_) - first, MADV_DONTNEED);
}

}  // namespace armdyn
