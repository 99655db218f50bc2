#pragma once

// Small tables of words and numbers, such as catalogs.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// The cells of a row by the names of their columns; numbers have decimal points.
using NamedRow = std::map<std::string, std::string>;

/// Reads a text file of a header with these columns, in any order, and perhaps others, and of rows
/// beneath, with the separators of logs. What `add` throws as InputError gets the file and the line.
/// Throws InputError, FileError.
void read_named_rows(const std::string& path, const char* what,
                     const std::vector<std::string>& columns,
                     const std::function<void(NamedRow)>& add);

/// End of a message about a cell: advice on its decimal comma, if it has one where commas part the
/// columns; else `otherwise`.
[[nodiscard]] std::string_view comma_advice(std::string_view cell, std::string_view otherwise = "");

}  // namespace armdyn
