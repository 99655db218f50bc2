// The program: arguments to a verb, and errors to messages and exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/error.hpp>

#include <cerrno>
#include <exception>
#include <new>

#include "cli/command_line.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "report/ending.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

Ending complain(Ending ending, const std::exception& error) {
  say("armdyn: {}\n", error.what());
  return ending;
}

/// Holds the numbers of standard streams that are closed, so that no file or pipe of the program's
/// own takes their place. What holds them can be neither read nor written, whichever it is not.
void hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int held =
        ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Ending run_command_line(int argc, const char* const* argv) {
  try {
    return parse_command_line(argc, argv)();
  } catch (const ClosedPipe&) {
    return Ending::done;
  } catch (const Interrupted&) {
    return Ending::interrupted;
  } catch (const InputError& error) {
    say("{}\n", error.what());  // begins with the place: FILE:LINE
    return Ending::wrong_input;
  } catch (const FileError& error) {
    return complain(Ending::no_file, error);
  } catch (const NumericsError& error) {
    return complain(Ending::failed, error);
  } catch (const Error& error) {
    return complain(Ending::wrong_command, error);
  } catch (const std::bad_alloc&) {
    return complain(Ending::failed, std::runtime_error("out of memory"));
  } catch (const std::exception& error) {
    return complain(Ending::failed,
                    std::runtime_error(fmt::format("internal error: {}", error.what())));
  }
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  armdyn::hold_standard_streams();
  armdyn::install_interrupt_handlers();
  return armdyn::exit_code(armdyn::run_command_line(argc, argv));
}
