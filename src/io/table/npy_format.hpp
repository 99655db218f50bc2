#pragma once

// The head of a file in NumPy's format (NEP 1, versions 1 to 3): what its array is.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armdyn {

// The few Python literals that the head of a NumPy file is made of.

struct NpyLiteral {
  enum class Kind { text, number, boolean, sequence, map };
  Kind kind = Kind::text;
  std::string text;
  std::uint64_t number = 0;
  bool boolean = false;
  std::vector<NpyLiteral> items;  ///< of a tuple or list; of a map: key, value, key, value..

  [[nodiscard]] const NpyLiteral* find(std::string_view key) const;
};

/// Reads one such literal; nothing if the text is anything else.
[[nodiscard]] std::optional<NpyLiteral> parse_npy_literal(std::string_view text);

inline constexpr std::string_view npy_magic = "\x93NUMPY";

enum class NpyNumber { f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, none };

/// A column: the numbers lie `stride` bytes apart, the first one `offset` bytes behind the head.
struct NpyColumn {
  std::string name;                    ///< of a field; "q1".. where the field q is a list
  std::string dtype;                   ///< as written: "<f8"
  NpyNumber number = NpyNumber::none;  ///< none: no number that can be read, e.g. a text
  std::size_t offset = 0;
  std::size_t stride = 0;
};

struct NpyHead {
  bool has_names = false;  ///< a structured dtype; else columns are named 1, 2, 3..
  std::vector<NpyColumn> columns;
  std::size_t rows = 0;
  std::size_t row_bytes = 0;
  bool by_columns = false;  ///< Fortran order
  std::size_t size = 0;     ///< of the head, bytes; there the array begins
};

/// Bytes of the head that are read at most, the columns that an array may have, and the bytes of
/// their names and types: what an array takes in memory before its first row.
inline constexpr std::size_t largest_npy_head = std::size_t{2} << 20U;
inline constexpr std::size_t most_npy_columns = 100'000;
inline constexpr std::size_t most_npy_names = std::size_t{4} << 20U;

/// The head of a file of that size, from as many of its bytes as a head may have. Throws
/// InputError, with what was found and what is expected, for what is not a table: one axis of rows
/// with fields, or two axes of rows and columns.
[[nodiscard]] NpyHead read_npy_head(std::string_view bytes, std::uintmax_t file_size,
                                    const std::string& file);

/// The head of an array of doubles, row after row: with a name for each column a structured dtype,
/// without names of so many columns. As long for every number of rows, so that it can be written
/// again when that is known.
[[nodiscard]] std::string npy_head(const std::vector<std::string>& names, std::size_t columns,
                                   std::uintmax_t rows);

}  // namespace armdyn
