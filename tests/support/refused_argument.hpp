#pragma once

#include <stdexcept>
#include <string>

namespace armdyn::testing {

/// The message of the std::invalid_argument that a call throws; empty where it throws none. Another
/// message than the expected one is of another check, that came to it first.
template <class Call>
std::string refused_argument(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace armdyn::testing
