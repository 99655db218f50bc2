// The program: arguments to a verb, and errors to messages and exit codes.

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <cstdio>
#include <exception>
#include <new>

#include "cli/command_line.hpp"
#include "cli/verbs.hpp"
#include "io/interrupt.hpp"
#include "io/output_file.hpp"

namespace armdyn {

namespace {

int run(const TextToShow& shown) {
  OutputFile out("-");
  out.write(shown.text);
  out.commit();
  return 0;
}

int complain(int exit_code, const std::exception& error) {
  fmt::print(stderr, "armdyn: {}\n", error.what());
  return exit_code;
}

int run_command_line(int argc, const char* const* argv) {
  try {
    return std::visit([](const auto& options) { return run(options); },
                      parse_command_line(argc, argv));
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const Interrupted&) {
    return 130;
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());  // begins with the place: FILE:LINE
    return 3;
  } catch (const FileError& error) {
    return complain(4, error);
  } catch (const NumericsError& error) {
    return complain(5, error);
  } catch (const Error& error) {
    return complain(2, error);
  } catch (const std::bad_alloc&) {
    return complain(5, std::runtime_error("out of memory"));
  } catch (const std::exception& error) {
    return complain(5, std::runtime_error(fmt::format("internal error: {}", error.what())));
  }
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  armdyn::install_interrupt_handlers();
  return armdyn::run_command_line(argc, argv);
}
