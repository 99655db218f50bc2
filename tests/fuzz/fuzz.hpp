#pragma once

// What every fuzz target has: a function that is given any bytes at all. Built with ARMDYN_FUZZ it
// is driven by libFuzzer; else by standalone.cpp, which gives it the seeds and simple changes of
// them.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "io/table/table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace armdyn::fuzz {

inline std::string_view bytes_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT: as libFuzzer hands them over
}

/// Ends the program as a crash, which is a finding.
inline void require(bool holds, const std::string& fact) {
  if (holds) return;
  std::cerr << "fuzz: it does not hold that " << fact << "\n";
  std::abort();
}

/// Bytes in a file of its own, in memory where the system has such a place.
std::string file_of(std::string_view bytes, const std::string& ending);

/// An arm to read tables for.
inline const Robot& two_joints() {
  static const Robot robot = [] {
    Robot two;
    for (const char* name : {"shoulder", "elbow"}) two.joints.emplace_back().name = name;
    return two;
  }();
  return robot;
}

/// Calls `numbers(limits)`, which gives what a table has, or nothing where it is refused: blocks of
/// any size read the same.
template <class Numbers>
void require_same_in_blocks(const Numbers& numbers) {
  const auto whole = numbers(BlockLimits{});
  // Where rows are refused, blocks before it may have been read; what is read is the same.
  const auto small = numbers(BlockLimits{.block_size = 64});
  require(!whole || !small || *whole == *small, "blocks of any size read the same");
}

}  // namespace armdyn::fuzz
