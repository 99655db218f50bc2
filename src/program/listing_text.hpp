#pragma once

#include <string>

#include "program/written_function.hpp"

namespace armdyn {

/// The function step by step for people, as paper 004 §3 lists it: a line for each quantity, with
/// the equations' names where they have one, and at the end what it takes.
[[nodiscard]] std::string listing_text(const WrittenFunction& function);

}  // namespace armdyn
