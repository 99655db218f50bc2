#pragma once

#include <string>

#include "program/program.hpp"

namespace armdyn::testing {

/// "ARMDYN_SIMD=sse2 ", or what else every machine of this kind has.
inline std::string with_fewest_lanes() {
  return "ARMDYN_SIMD=" + std::string(name(InstructionSet::baseline)) + " ";
}

}  // namespace armdyn::testing
