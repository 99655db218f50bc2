#pragma once

namespace armdyn {

/// Ends the program here and now, and takes along what is `Unfinished`.
[[noreturn]] void end_suddenly(int exit_code);

}  // namespace armdyn
