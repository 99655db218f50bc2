#pragma once

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace armdyn::testing {

/// What the program printed, by column.
using CsvColumns = std::map<std::string, std::vector<double>>;

inline CsvColumns csv_columns(const std::string& csv) {
  std::istringstream in(csv);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  for (std::istringstream row(line); std::getline(row, cell, ',');) names.push_back(cell);
  CsvColumns columns;
  for (const std::string& name : names) columns[name] = {};
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (const std::string& name : names) {
      std::getline(row, cell, ',');
      columns[name].push_back(std::stod(cell));
    }
  }
  return columns;
}

}  // namespace armdyn::testing
