#include "io/robot/shipped.hpp"

#include <armdyn/error.hpp>

#include <dirent.h>
#include <fmt/format.h>
#include <sys/auxv.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace armdyn {

namespace {

namespace fs = std::filesystem;

/// Read without libstdc++'s directory_iterator, which ends the program where memory runs out.
std::vector<ShippedFile> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<ShippedFile> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries && errno != ENOENT && errno != ENOTDIR) {
    throw FileError(fmt::format("the folder of shipped {} {} cannot be read: {}",
                                folder.filename().string(), folder.string(),
                                std::generic_category().message(errno)));
  }
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string name = entry->d_name;
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    files.push_back({name.substr(0, name.size() - ending.size()), (folder / name).string()});
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
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {  // where there is no /proc: as it was called
    const auto* const called = std::bit_cast<const char*>(::getauxval(AT_EXECFN));
    program = fs::weakly_canonical(called, error);
  }
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
