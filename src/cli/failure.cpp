#include "cli/failure.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <string_view>

#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

Failure current_failure() {
  try {
    throw;
  } catch (const ClosedPipe&) {
    return {};
  } catch (const Interrupted&) {
    return {Ending::interrupted, ""};
  } catch (const InputError& error) {
    return {Ending::wrong_input, error.what()};
  } catch (const FileError& error) {
    return {Ending::no_file, error.what()};
  } catch (const NumericsError& error) {
    return {Ending::failed, error.what()};
  } catch (const Error& error) {
    return {Ending::wrong_command, error.what()};
  } catch (const std::filesystem::filesystem_error& error) {
    return {Ending::no_file,
            fmt::format("cannot look at '{}': {}", error.path1().string(), error.code().message())};
  } catch (const std::bad_alloc&) {
    return {Ending::failed, "out of memory"};
  } catch (const std::exception& error) {
    return {Ending::failed, fmt::format("internal error: {}", error.what())};
  }
}

void complain(const Failure& failure, bool as_json) {
  const auto& [ending, message] = failure;
  if (message.empty()) return;
  if (as_json) {
    say("{}", json_of(Json{{"version", ARMDYN_VERSION},
                           {"error", {{"exit", exit_code(ending)}, {"message", message}}}}));
  } else {
    say("{}{}\n", ending == Ending::wrong_input ? "" : "armdyn: ", message);
  }
}

void on_terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    std::fputs("armdyn: out of memory\n", stderr);
    end_suddenly(exit_code(Ending::failed));
  } catch (...) {
  }
  std::abort();
}

bool asks_for_json(int argc, const char* const* argv) {
  for (const std::string_view argument : std::span(argv, static_cast<std::size_t>(argc))) {
    if (argument == "--") break;
    if (argument == "--json") return true;
  }
  return false;
}

}  // namespace armdyn
