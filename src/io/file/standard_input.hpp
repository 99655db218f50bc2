#pragma once

#include <cstddef>
#include <string>

namespace armdyn {

/// What waits on standard input, at most so many bytes of it, without taking them: they are still
/// there for whoever reads. Never waits; empty where standard input is neither a pipe nor a regular
/// file.
[[nodiscard]] std::string peek_standard_input(std::size_t most);

}  // namespace armdyn
