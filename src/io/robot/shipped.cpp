#include "io/robot/shipped.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace armdyn {

namespace {

namespace fs = std::filesystem;

std::vector<ShippedFile> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<ShippedFile> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ending) continue;
    files.push_back({entry.path().stem().string(), entry.path().string()});
  }
  std::ranges::sort(files, {}, &ShippedFile::name);
  return files;
}

std::string& chosen_folder() {
  static std::string folder;
  return folder;
}

}  // namespace

void set_shared_folder(std::string folder) {
  chosen_folder() = std::move(folder);
}

std::string shared_folder() {
  if (!chosen_folder().empty()) return chosen_folder();
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "share" / "armdyn").string();
}

std::vector<ShippedFile> shipped_robots() {
  return files_in(fs::path(shared_folder()) / "robots", ".yaml");
}

std::vector<ShippedFile> shipped_motions() {
  return files_in(fs::path(shared_folder()) / "robots" / "motions", ".csv");
}

std::vector<std::string> names(const std::vector<ShippedFile>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const ShippedFile& file : files) names.push_back(file.name);
  return names;
}

std::optional<ShippedFile> find(const std::vector<ShippedFile>& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &ShippedFile::name);
  if (found == files.end()) return std::nullopt;
  return *found;
}

}  // namespace armdyn
