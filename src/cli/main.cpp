// The program armdyn.

#include <exception>

#include "cli/command_line.hpp"

namespace armdyn {

namespace {

/// Runs before the static objects of libraries, which ask for memory.
[[gnu::constructor(101)]] void before_static_objects() {
  std::set_terminate(on_terminate);
}

}  // namespace

}  // namespace armdyn

int main(int argc, char** argv) {
  armdyn::begin_program();
  return armdyn::exit_code(armdyn::run_command_line(argc, argv));
}
