// The program: arguments to a verb, and errors to messages and exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <armdyn/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "io/file/sudden_end.hpp"
#include "report/ending.hpp"
#include "report/json_text.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

/// Whether the user wants to hear of an error as of everything else, as JSON.
bool asks_for_json(int argc, const char* const* argv) {
  for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc))) {
    if (argument == "--") break;
    if (argument == "--json") return true;
  }
  return false;
}

/// The message that belongs to an ending; of wrong input it begins with the place: FILE:LINE.
Ending complain(Ending ending, const std::string& message, bool as_json) {
  if (as_json) {
    const nlohmann::json error{{"exit", exit_code(ending)}, {"message", message}};
    say("{}", json_text(nlohmann::json{{"version", ARMDYN_VERSION}, {"error", error}}));
  } else {
    say("{}{}\n", ending == Ending::wrong_input ? "" : "armdyn: ", message);
  }
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

/// Memory that runs out where no error can be thrown: in a destructor of a library.
[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    std::fputs("armdyn: out of memory\n", stderr);
    end_suddenly(exit_code(Ending::failed));
  } catch (...) {
  }
  std::abort();
}

Ending run_command_line(int argc, const char* const* argv) {
  const auto complain = [as_json = asks_for_json(argc, argv)](Ending ending,
                                                              const std::string& message) {
    return armdyn::complain(ending, message, as_json);
  };
  try {
    return parse_command_line(argc, argv)();
  } catch (const ClosedPipe&) {
    return Ending::done;
  } catch (const Interrupted&) {
    return Ending::interrupted;
  } catch (const InputError& error) {
    return complain(Ending::wrong_input, error.what());
  } catch (const FileError& error) {
    return complain(Ending::no_file, error.what());
  } catch (const NumericsError& error) {
    return complain(Ending::failed, error.what());
  } catch (const Error& error) {
    return complain(Ending::wrong_command, error.what());
  } catch (const std::bad_alloc&) {
    return complain(Ending::failed, "out of memory");
  } catch (const std::exception& error) {
    return complain(Ending::failed, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  std::set_terminate(armdyn::on_terminate);
  armdyn::hold_standard_streams();
  armdyn::install_interrupt_handlers();
  return armdyn::exit_code(armdyn::run_command_line(argc, argv));
}
