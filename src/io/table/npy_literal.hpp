#pragma once

// The few Python literals that the head of a NumPy file is made of.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armdyn {

struct NpyLiteral {
  enum class Kind { text, number, boolean, sequence, map };
  Kind kind = Kind::text;
  std::string text;
  std::uint64_t number = 0;
  bool boolean = false;
  std::vector<NpyLiteral> items;  ///< of a tuple or list; of a map: key, value, key, value..

  [[nodiscard]] const NpyLiteral* find(std::string_view key) const;
};

/// Nothing if the text is anything but one such literal.
[[nodiscard]] std::optional<NpyLiteral> parse_npy_literal(std::string_view text);

}  // namespace armdyn
