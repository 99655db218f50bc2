#pragma once

// The folder with the parts of an output while a job makes them: OUT.parts beside OUT.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <boost/noncopyable.hpp>

#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/options/part_file.hpp"

namespace armdyn {

class PartsFolder : boost::noncopyable {
 public:
  /// Makes the folder; or, to resume, takes the one that is there, if any, and removes parts from it
  /// that are not as they were written. Throws FileError, and InputError for parts of another job.
  PartsFolder(const std::string& output, const Json& job, bool resumes)
      : path_(output + ".parts"),
        whole_(path_ + "/" + std::filesystem::path(output).filename().string()) {
    if (::mkdir(path_.c_str(), 0777) != 0 && !(errno == EEXIST && resumes)) {
      if (errno != EEXIST) fail("cannot write");
      throw FileError(fmt::format(
          "{} exists: a job for {} has not ended; continue it with --resume, or remove the folder",
          path_, output));
    }
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write");
    const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (!is_locked || !is_in_its_place()) {
      throw FileError(fmt::format("cannot write {}: another job is writing it", output));
    }
    count_ = count_of_parts(whole_);
    for (std::uintmax_t k = 1; k <= count_.value_or(0); ++k) find({whole_, {k, *count_}}, job);
  }
  ~PartsFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The name of the whole; names of parts begin with it.
  [[nodiscard]] const std::string& whole() const { return whole_; }
  /// The number of parts, where some were there.
  [[nodiscard]] std::optional<std::uintmax_t> count() const { return count_; }
  [[nodiscard]] std::uintmax_t found() const { return found_.size(); }
  [[nodiscard]] bool has(std::uintmax_t number) const { return found_.contains(number); }
  [[nodiscard]] std::uintmax_t resumed_rows() const { return resumed_rows_; }
  [[nodiscard]] std::size_t damaged() const { return damaged_; }

  /// Removes the parts, and the folder if nothing else is in it; what cannot be removed stays.
  void remove() const {
    remove_parts(whole_);
    ::rmdir(path_.c_str());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("{} {}: {}", what, path_, std::system_category().message(errno)));
  }

  /// Tests whether the folder that is open has its name still: a job that ended may have removed it.
  [[nodiscard]] bool is_in_its_place() const {
    struct stat opened = {}, named = {};
    return ::fstat(descriptor_, &opened) == 0 && ::lstat(path_.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
  }

  /// Notes a part that is whole.
  void find(const PartName& name, const Json& job) {
    const std::string path = text(name);
    const auto status = std::filesystem::symlink_status(path);
    if (!std::filesystem::exists(status)) return;
    std::optional<PartFile> part;
    try {
      if (std::filesystem::is_regular_file(status)) part = read_part(name);
      if (part && identity_difference(part->job, job).empty()) read_rows(*part, [](const auto&) {});
    } catch (const InputError&) {
      part.reset();
    }
    if (!part) {
      ++damaged_;
      std::filesystem::remove(path);
      return;
    }
    if (const std::string other = identity_difference(part->job, job); !other.empty()) {
      throw InputError(fmt::format(
          "{}: belongs to another job, which this command cannot resume: {}", path, other));
    }
    found_.insert(name.part.number);
    resumed_rows_ += part->rows;
  }

  std::string path_, whole_;
  int descriptor_ = -1;
  std::optional<std::uintmax_t> count_;
  std::set<std::uintmax_t> found_;
  std::uintmax_t resumed_rows_ = 0;
  std::size_t damaged_ = 0;
};

}  // namespace armdyn
