#pragma once

#include <string>

namespace armdyn {

/// What is to be drawn, and where.
struct PlotOptions {
  std::string file;      ///< empty: no picture
  std::string joints;    ///< names or numbers; empty: those that do something
  bool degrees = false;  ///< for revolute joints, instead of rad

  [[nodiscard]] bool is_wanted() const { return !file.empty(); }
};

}  // namespace armdyn
