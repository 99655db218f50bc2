#pragma once

namespace armdyn {

/// How the program ends, with its exit code.
enum class Ending {
  done = 0,
  no = 1,             ///< done, and the answer is no: a limit is exceeded, formulations disagree
  wrong_command = 2,  ///< the command line asks for what there is not
  wrong_input = 3,    ///< the content of an input file is wrong
  no_file = 4,        ///< a file cannot be opened, read or written
  failed = 5,         ///< the numerics: a singular M, a motion that diverges
  interrupted = 130,  ///< by a signal
};

[[nodiscard]] constexpr int exit_code(Ending ending) {
  return static_cast<int>(ending);
}

}  // namespace armdyn
