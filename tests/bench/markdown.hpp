#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

// What benchmarks print is Markdown, and stands as it is in docs/performance.md (tables.py).

namespace armdyn::bench {

inline void print_row(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) std::printf("| %s ", cell.c_str());
  std::printf("|\n");
  std::fflush(stdout);
}

inline void print_head(const std::vector<std::string>& cells) {
  print_row(cells);
  print_row(std::vector<std::string>(cells.size(), "---"));
}

/// A whole number with its thousands apart: "1 364 600".
inline std::string whole(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.0f", value);
  std::string digits = text;
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ' ');
  return digits;
}

/// A positive number with three significant digits: "1 420 000", "142", "33.1", "0.0920".
inline std::string figure(double value) {
  const double last = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
  if (value >= 99.95) return whole(std::round(value / last) * last);
  char text[64];
  std::snprintf(text, sizeof text, "%#.3g", value);
  return text;
}

}  // namespace armdyn::bench
