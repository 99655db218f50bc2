#pragma once

// Robots and motions that come with the program.

#include <optional>
#include <string>
#include <vector>

namespace armdyn {

struct ShippedFile {
  std::string name;  ///< bare, as in `armdyn torque NAME`
  std::string path;
};

/// PREFIX/share/armdyn for PREFIX/bin/armdyn.
[[nodiscard]] std::string shared_folder();

// By name.
[[nodiscard]] std::vector<ShippedFile> shipped_robots();
[[nodiscard]] std::vector<ShippedFile> shipped_motions();

[[nodiscard]] std::vector<std::string> names(const std::vector<ShippedFile>& files);
[[nodiscard]] std::optional<ShippedFile> find(const std::vector<ShippedFile>& files,
                                              const std::string& name);

}  // namespace armdyn
