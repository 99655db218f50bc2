#include "cli/options/named_files.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>

#include "cli/options/value_text.hpp"
#include "io/file/input_file.hpp"
#include "log/side_by_side.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

std::vector<ShippedFile> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<ShippedFile> files;
  try {
    for (const std::string& name : names_in(folder.string())) {
      if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
      files.push_back({name.substr(0, name.size() - ending.size()), (folder / name).string()});
    }
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::no_such_file_or_directory ||
        error.code() == std::errc::not_a_directory) {
      return {};
    }
    throw FileError(fmt::format("the folder of shipped {} {} cannot be read: {}",
                                folder.filename().string(), folder.string(),
                                error.code().message()));
  }
  std::ranges::sort(files, {}, &ShippedFile::name);
  return files;
}

}  // namespace

std::vector<ShippedFile> shipped_robots() {
  const fs::path folder = fs::path(shared_folder()) / "robots";
  std::vector<ShippedFile> files = files_in(folder, ".yaml");
  append(files, files_in(folder / "mechanisms", ".yaml"));
  std::ranges::sort(files, {}, &ShippedFile::name);
  return files;
}

std::vector<ShippedFile> shipped_motions() {
  return files_in(fs::path(shared_folder()) / "robots" / "motions", ".csv");
}

std::vector<std::string> names(const std::vector<ShippedFile>& files) {
  return each(files, &ShippedFile::name);
}

std::optional<ShippedFile> find(const std::vector<ShippedFile>& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &ShippedFile::name);
  if (found == files.end()) return std::nullopt;
  return *found;
}

std::string content_of(const ShippedFile& file) {
  return InputFile(file.path).read();
}

std::string schema_of_robots() {
  return shared_folder() + "/robot-file.schema.json";
}

namespace {

std::vector<ShippedFile> shipped_catalogs() {
  return files_in(fs::path(shared_folder()) / "robots" / "catalogs", ".csv");
}

bool is_bare_name(const std::string& argument) {
  return argument.find_first_of("/.") == argument.npos;
}

[[noreturn]] void refuse_as_robot(const std::string& argument) {
  throw UsageError("ROBOT comes first, and '{}' is a motion or another table",
                   in_one_line(argument));
}

/// Finds a file of that name, before a shipped one. Calls `where_none`, which may throw, for a name
/// that is neither.
std::string find_file(
    const std::string& argument, std::vector<ShippedFile> (*find_shipped)(),
    const std::string& kind, const std::string& ending,
    const std::function<void()>& where_none = [] {}) {
  std::error_code error;
  if (!is_bare_name(argument) || argument == "-" || fs::is_regular_file(argument, error) ||
      fs::is_fifo(argument, error)) {
    return argument;
  }
  const std::vector<ShippedFile> shipped = find_shipped();
  if (const auto file = find(shipped, argument)) return file->path;
  if (fs::is_directory(argument, error)) {
    throw FileError(fmt::format("{}: is a folder; expected a file", in_one_line(argument)));
  }
  where_none();
  if (shipped.empty()) {
    throw FileError(
        fmt::format("there is no file '{}', and {}", in_one_line(argument), none_shipped(kind)));
  }
  const std::string here = argument + ending;
  throw FileError(fmt::format(
      "there is no file '{0}', and no shipped {1} of that name{2}", in_one_line(argument), kind,
      fs::is_regular_file(here, error)
          ? fmt::format("; there is a file '{0}' here: write {0}", in_one_line(here))
          : did_you_mean(argument, names(shipped))));
}

}  // namespace

std::string none_shipped(const std::string& kind) {
  return fmt::format("no shipped {}s are in {}/robots", kind, shared_folder());
}

std::string find_robot(const std::string& argument) {
  for (const char* const ending : {".csv", ".npy", ".db3", ".mcap"}) {
    if (argument.ends_with(ending)) refuse_as_robot(argument);
  }
  return find_file(argument, shipped_robots, "robot", ".yaml", [&argument] {
    if (find(shipped_motions(), argument)) refuse_as_robot(argument);
  });
}

std::pair<std::string, std::string> named_text(const std::string& argument, std::size_t most,
                                               const char* what) {
  return read_text(argument, most, what);
}

std::optional<std::string> unread_file_warning(const std::string& argument) {
  const std::string taken = find_robot(argument), here = argument + ".yaml";
  std::error_code none;
  if (taken == argument && is_bare_name(argument)) {
    const auto shipped = find(shipped_robots(), argument);
    if (!shipped) return {};
    return fmt::format(
        "{0} is read from this folder; for the shipped robot of that name, write {1}", argument,
        shipped->path);
  }
  if (taken == argument || !fs::is_regular_file(here, none) || fs::equivalent(here, taken, none)) {
    return {};
  }
  return fmt::format("{0} is the shipped robot, the file {1} here is not read; write {1} to use it",
                     argument, here);
}

std::string find_motion(const std::string& argument) {
  std::error_code none;
  const bool is_folder_of_bag = fs::exists(argument + "/metadata.yaml", none);
  if (is_folder_of_bag || !files_side_by_side(argument).empty()) return argument;
  return find_file(argument, shipped_motions, "motion", ".csv");
}

std::string find_catalog(const std::string& argument) {
  return find_file(argument, shipped_catalogs, "catalog", ".csv");
}

}  // namespace armdyn
