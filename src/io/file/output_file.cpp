#include "io/file/output_file.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"

namespace armdyn {
namespace {

namespace fs = std::filesystem;

// The second is a link to whatever the first is, and a regular file would be replaced behind its
// back.
bool is_standard_output(const std::string& path) {
  return path == "-" || path == "/dev/stdout";
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status = {};
  const int result =
      is_standard_output(path) ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status);
  if (result != 0) return std::nullopt;
  return status;
}

// Follows links by hand, because the last one may lead to a file that is yet to be made.
fs::path follow_links(fs::path path) {
  constexpr int most_links = 40;
  std::error_code ignored;
  for (int i = 0; i < most_links && fs::is_symlink(path, ignored); ++i) {
    const fs::path next = fs::read_symlink(path, ignored);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string random_letters(std::size_t count) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
  std::string text;
  while (text.size() < count) text += letters[any(random)];
  return text;
}

std::string name_beside(const fs::path& target) {
  constexpr std::size_t longest_name_kept = 200;  // of the 255 that a file system allows
  const std::string name = target.filename().string().substr(0, longest_name_kept);
  return (folder_of(target) / ("." + name + ".armdyn-" + random_letters(6))).string();
}

// Who may use a file stays as it was when its content is replaced.
void take_over_permissions(int descriptor, const struct stat& existing) {
  [[maybe_unused]] const int owner_kept =
      ::fchown(descriptor, existing.st_uid, existing.st_gid);  // only root can
  ::fchmod(descriptor, existing.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : name_(is_standard_output(path) ? "standard output" : path) {
  if (is_standard_output(path)) {
    descriptor_ = STDOUT_FILENO;
    const auto status = status_of(path);
    may_block_ = !status || !S_ISREG(status->st_mode);
    return;
  }
  if (path.empty()) throw FileError("the name of the output file is empty");
  const auto existing = status_of(path);
  if (existing && S_ISDIR(existing->st_mode)) {
    throw FileError("cannot write " + path + ": it is a folder; add the name of a file");
  }
  if (path.ends_with('/')) fail_without_folder(path);
  if (existing && !S_ISREG(existing->st_mode)) {
    open_directly(path);
  } else {
    open_beside(path);
  }
}

void OutputFile::open_directly(const std::string& path) {
  do {
    throw_if_interrupted();
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail(errno);
}

void OutputFile::open_beside(const std::string& path) {
  const fs::path target = follow_links(path);
  const fs::path folder = folder_of(target);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail_without_folder(folder);
  }
  const auto existing = status_of(target.string());
  // A rename would overrule a write protection without asking.
  if (existing && ::access(target.c_str(), W_OK) != 0) fail(errno);
  target_ = target.string();
  may_block_ = false;
  do {
    temporary_ = name_beside(target);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && (errno == EEXIST || errno == EINTR));
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    throw FileError("cannot write " + name_ + " into folder " + folder.string() + ": " +
                    std::system_category().message(error));
  }
  if (existing) take_over_permissions(descriptor_, *existing);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    // A pipe that is ready takes this much at once, so that a signal is never waited out in
    // write().
    const bool watches_signals = may_block_ && !patient_;
    const std::size_t most = watches_signals ? std::size_t{PIPE_BUF} : bytes.size();
    if (watches_signals) wait_until_ready(descriptor_, Ready::to_write);
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most));
    if (written >= 0) {
      written_ += static_cast<std::uintmax_t>(written);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno != EINTR && errno != EAGAIN) {
      fail(errno);
    } else if (!patient_) {
      throw_if_interrupted();
    } else if (errno == EAGAIN) {
      pollfd watched = {descriptor_, POLLOUT, 0};
      ::poll(&watched, 1, -1);
    }
  }
}

void OutputFile::replace_beginning(std::function<std::string(std::uintmax_t written)> make) {
  if (temporary_.empty()) {
    throw FileError("cannot write " + name_ +
                    ": what is a pipe or device cannot be written at its beginning again");
  }
  make_beginning_ = std::move(make);
}

void OutputFile::write_beginning() {
  if (!make_beginning_) return;
  const std::string bytes = make_beginning_(written_);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno != EINTR) fail(errno);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

void OutputFile::commit() {
  write_beginning();
  close_or_fail();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void OutputFile::close_or_fail() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // Some file systems tell only now that the disk is full. EINTR: closed all the same on Linux.
  if (descriptor >= 0 && descriptor != STDOUT_FILENO && ::close(descriptor) != 0 &&
      errno != EINTR) {
    fail(errno);
  }
}

void OutputFile::fail_without_folder(const std::string& folder) const {
  throw FileError("cannot write " + name_ + ": there is no folder " + folder + "; create it first");
}

void OutputFile::fail(int error) const {
  throw FileError("cannot write " + name_ + ": " + std::system_category().message(error));
}

void refuse_to_replace(const std::string& path) {
  const auto status = is_standard_output(path) ? std::nullopt : status_of(path);
  if (!status || !S_ISREG(status->st_mode)) return;
  throw FileError("there is a file '" + path +
                  "' already; name another one, or replace it with --force");
}

bool is_same_file(const InputFile& input, const std::string& output_path) {
  const auto output = status_of(output_path);
  return output && input.is_regular() && output->st_dev == input.device() &&
         output->st_ino == input.inode();
}

}  // namespace armdyn
