#pragma once

#include <cstddef>
#include <vector>

namespace armdyn {

/// Keeps the first, third, fifth entry and so on, for rows of any number in bounded memory.
inline void keep_every_second(std::vector<double>& column) {
  for (std::size_t k = 0; 2 * k < column.size(); ++k) column[k] = column[2 * k];
  column.resize((column.size() + 1) / 2);
}

}  // namespace armdyn
