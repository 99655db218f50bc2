#pragma once

#include <string>

#include "report/say.hpp"

namespace armdyn {

/// Why a program ends; an empty message: there is nothing to say.
struct Failure {
  Ending ending = Ending::done;
  std::string message;
};

/// Of the exception that is being handled.
[[nodiscard]] Failure current_failure();

/// Says it on standard error; of wrong input the message begins with the place: FILE:LINE.
void complain(const Failure& failure, bool as_json);

/// For std::set_terminate: memory that runs out where no error can be thrown, in a destructor of a
/// library or before main(), ends the program as elsewhere.
[[noreturn]] void on_terminate();

/// Whether the user wants to hear of an error as of everything else, as JSON.
[[nodiscard]] bool asks_for_json(int argc, const char* const* argv);

}  // namespace armdyn
