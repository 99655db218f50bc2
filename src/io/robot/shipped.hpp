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

/// PREFIX/share/armdyn for PREFIX/bin/armdyn, or what was set.
[[nodiscard]] std::string shared_folder();
/// For other programs than PREFIX/bin/armdyn; before shared_folder is used.
void set_shared_folder(std::string folder);

// By name.
[[nodiscard]] std::vector<ShippedFile> shipped_robots();
[[nodiscard]] std::vector<ShippedFile> shipped_motions();

[[nodiscard]] std::vector<std::string> names(const std::vector<ShippedFile>& files);
[[nodiscard]] std::optional<ShippedFile> find(const std::vector<ShippedFile>& files,
                                              const std::string& name);

}  // namespace armdyn
