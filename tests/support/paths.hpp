#pragma once

// Where the tests find what they read. One file knows it, so that the others compile to the same
// objects in every checkout.

#include <string>

namespace armdyn {

[[nodiscard]] std::string test_data();
[[nodiscard]] std::string bad_input_folder();
[[nodiscard]] std::string shipped_robots_folder();
[[nodiscard]] std::string docs_folder();
[[nodiscard]] std::string program_path();        ///< the built program
[[nodiscard]] std::string experiments_folder();  ///< of the build, for what the experiments write

}  // namespace armdyn
