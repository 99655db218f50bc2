#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace armdyn {

/// FNV-1a, 64 bits, of bytes that come one part after the other.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ ^= static_cast<unsigned char>(byte);
      hash_ *= 0x100000001b3U;
    }
  }
  /// "fnv1a64:" and 16 hexadecimal digits.
  [[nodiscard]] std::string text() const { return fmt::format("fnv1a64:{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace armdyn
