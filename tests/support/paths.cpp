#include "support/paths.hpp"

namespace armdyn {

std::string test_data() {
  return ARMDYN_TEST_DATA;
}

std::string bad_input_folder() {
  return ARMDYN_BAD_INPUT_DIR;
}

std::string shipped_robots_folder() {
  return ARMDYN_ROBOTS;
}

std::string docs_folder() {
  return ARMDYN_DOCS;
}

std::string program_path() {
  return ARMDYN_PROGRAM;
}

std::string experiments_folder() {
  return ARMDYN_EXPERIMENTS;
}

}  // namespace armdyn
