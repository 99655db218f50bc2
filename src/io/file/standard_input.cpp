#include "io/file/standard_input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armdyn {

namespace {

/// tee() copies from one pipe to another and leaves the bytes where they were.
ssize_t peek_pipe(std::string& bytes) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  ssize_t count = ::tee(STDIN_FILENO, ends[1], bytes.size(), SPLICE_F_NONBLOCK);
  if (count > 0) count = ::read(ends[0], bytes.data(), bytes.size());
  ::close(ends[0]);
  ::close(ends[1]);
  return count;
}

}  // namespace

std::string peek_standard_input(std::size_t most) {
  struct stat status = {};
  if (::fstat(STDIN_FILENO, &status) != 0) return "";
  std::string bytes(most, '\0');
  ssize_t count = 0;
  if (S_ISFIFO(status.st_mode)) {
    count = peek_pipe(bytes);
  } else if (S_ISREG(status.st_mode)) {
    count = ::pread(STDIN_FILENO, bytes.data(), bytes.size(), ::lseek(STDIN_FILENO, 0, SEEK_CUR));
  }
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

}  // namespace armdyn
