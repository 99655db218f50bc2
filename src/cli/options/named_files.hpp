#pragma once

// Files that arguments name: those here, and robots, motions and catalogs that come with the program.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armdyn {

struct ShippedFile {
  std::string name;  ///< bare, as in `armdyn torque NAME`
  std::string path;
};

// Sorted by name.
[[nodiscard]] std::vector<ShippedFile> shipped_robots();
[[nodiscard]] std::vector<ShippedFile> shipped_motions();

[[nodiscard]] std::vector<std::string> names(const std::vector<ShippedFile>& files);
[[nodiscard]] std::optional<ShippedFile> find(const std::vector<ShippedFile>& files,
                                              const std::string& name);

/// The bytes of a shipped file.
[[nodiscard]] std::string content_of(const ShippedFile& file);
/// Path of the schema of robot files, which is there where the program is installed.
[[nodiscard]] std::string schema_of_robots();

/// "no shipped robots are in FOLDER/robots".
[[nodiscard]] std::string none_shipped(const std::string& kind);

/// Path of the robot that an argument names: a file, "-", or the bare name of a shipped robot.
[[nodiscard]] std::string find_robot(const std::string& argument);
/// Path of the motion that an argument names: a file, "-", or the bare name of a shipped motion;
/// names of files side by side stay as they are.
[[nodiscard]] std::string find_motion(const std::string& argument);
/// Likewise of a catalog of drives.
[[nodiscard]] std::string find_catalog(const std::string& argument);

/// The name, for messages, and the text of a file that an argument names, or "-". Throws InputError where
/// it has more bytes than a `what`, "sheet of formulas".
[[nodiscard]] std::pair<std::string, std::string> named_text(const std::string& argument,
                                                             std::size_t most, const char* what);

/// Warning that the bare name of a shipped robot is also that of a file here, and which of both is
/// read; or nothing.
[[nodiscard]] std::optional<std::string> unread_file_warning(const std::string& argument);

}  // namespace armdyn
