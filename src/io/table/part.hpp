#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/table/row_range.hpp"

namespace armdyn {

class TableReader;

/// The K-th of N contiguous parts of a table's rows.
struct Part {
  std::uintmax_t number = 1;  ///< K, from 1
  std::uintmax_t of = 1;      ///< N
};

/// A file with a part of what belongs into another one: OUT.part-K-of-N.
struct PartName {
  std::string whole;  ///< OUT
  Part part;
};
[[nodiscard]] std::string text(const PartName& name);
/// Nothing for the name of any other file.
[[nodiscard]] std::optional<PartName> parse_part_name(std::string_view path);

/// The rows of a part, in ranges that are equally long but for the last ones; without a row where
/// there are fewer rows than parts. Throws FileError where the input is no regular file.
[[nodiscard]] RowRange rows_of_part(const TableReader& reader, const Part& part);

}  // namespace armdyn
