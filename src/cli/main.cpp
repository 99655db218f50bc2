// The program armdyn.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "cli/command_line.hpp"
#include "io/file/interrupt.hpp"

namespace armdyn {

namespace {

/// Opens standard streams that are closed, so that no file or pipe of the program's own takes their
/// numbers; reading there and writing there fail.
void hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int held =
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Runs before the static objects of libraries, which ask for memory.
[[gnu::constructor(101)]] void before_static_objects() {
  std::set_terminate(on_terminate);
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  armdyn::hold_standard_streams();
  armdyn::install_interrupt_handlers();
  return armdyn::exit_code(armdyn::run_command_line(argc, argv));
}
