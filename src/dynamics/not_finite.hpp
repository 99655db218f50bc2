#pragma once

#include <armdyn/error.hpp>

#include <string>

namespace armdyn {

/// Throws NotFinite for a result: "the torque of elbow is not a finite number: …". Inputs within
/// the limits of model/limits_of_input.hpp do not lead here (docs/derivation.md, section 34).
[[noreturn]] inline void refuse_not_finite(const std::string& result) {
  throw NotFinite(result + " is not a finite number: an input is too large");
}

}  // namespace armdyn
