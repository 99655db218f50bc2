#pragma once

#include <armdyn/eigen.hpp>

#include <cstddef>
#include <span>
#include <vector>

// What solving and decomposing needs of Eigen beyond the public conversions.

namespace armdyn {

inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// The same memory: valid as long as that of `entries`, which lie row after row.
inline Eigen::Map<const RowMajorMatrix> eigen(std::span<const double> entries,
                                              std::size_t columns) {
  return {entries.data(), index(entries.size() / columns), index(columns)};
}

/// The same memory: valid as long as v.
inline std::span<const double> span(const Eigen::VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
inline std::vector<double> plain_vector(const Eigen::VectorXd& v) {
  return {v.data(), v.data() + v.size()};
}

}  // namespace armdyn
