#pragma once

#include <stdexcept>
#include <string>

namespace armdyn::testing {

/// The message of the Refusal that a call throws; empty where it throws none. Another message than
/// the expected one is of another check, that came to it first.
template <class Refusal, class Call>
std::string refused_as(const Call& call) {
  try {
    call();
  } catch (const Refusal& error) {
    return error.what();
  }
  return "";
}

/// The same of std::invalid_argument.
template <class Call>
std::string refused_argument(const Call& call) {
  return refused_as<std::invalid_argument>(call);
}

}  // namespace armdyn::testing
