#include "io/file/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

/// Nothing where there is no such file, or none that this user can look at.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status = {};
  if ((path == "-" ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status)) == 0)
    return status;
  if (errno != EIO && errno != ENOMEM) return std::nullopt;
  throw FileError("cannot look at " + in_one_line(path) + ": " +
                  std::system_category().message(errno));
}

bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Tests if a link is the kernel's, such as /proc/self/fd/1, which leads to an open file.
bool is_on_proc(const fs::path& path) {
  struct statfs system = {};
  return ::statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// Follows links, up to one of the kernel's, by hand: the last one may lead to a file that is yet to
// be made. Empty for a loop of links.
fs::path follow_links(fs::path path) {
  constexpr int most_links = 40;
  std::error_code ignored;
  for (int i = 0; i < most_links && fs::is_symlink(path, ignored); ++i) {
    if (is_on_proc(path)) return path;
    const fs::path next = fs::read_symlink(path, ignored);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  if (fs::is_symlink(path, ignored)) return {};
  return path;
}

// Descriptor of this program for a path, -1 if there is none; for one of another program the
// inherited one of the same number and file.
int own_descriptor(const std::string& path) {
  if (path == "-") return STDOUT_FILENO;
  const fs::path link = follow_links(path);
  std::error_code ignored;
  if (!fs::is_symlink(link, ignored)) return -1;
  const std::string number = link.filename().string();
  int descriptor = -1;
  std::from_chars(number.data(), number.data() + number.size(), descriptor);
  return is_file_named(descriptor, path) ? descriptor : -1;
}

std::string random_letters(std::size_t count) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
  std::string text;
  while (text.size() < count) text += letters[any(random)];
  return text;
}

// Prefix of the names of a target's temporaries; random letters follow.
std::string name_begins(const fs::path& target) {
  constexpr std::size_t longest_name_kept = 200;  // of the 255 that a file system allows
  return "." + target.filename().string().substr(0, longest_name_kept) + ".armdyn-";
}

constexpr std::size_t letters_of_a_temporary = 6;

// Removes a temporary unless a run still holds a lock on it.
void remove_if_abandoned(const std::string& temporary) {
  const int descriptor = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat status = {};
  const bool is_free = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                       ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  // While the lock is held here, a run that has just made the file takes another one.
  if (is_free) ::unlink(temporary.c_str());
  ::close(descriptor);
}

// Removes temporaries that killed runs have left beside the target.
void remove_abandoned(const fs::path& target) {
  const std::string begins = name_begins(target), folder = folder_of(target).string();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(begins) || name.size() != begins.size() + letters_of_a_temporary) {
      continue;
    }
    remove_if_abandoned(folder + "/" + std::string(name));
  }
}

// Gives a file the owner and permissions of the one that it replaces.
void take_over_permissions(int descriptor, const struct stat& existing) {
  [[maybe_unused]] const int owner_kept =
      ::fchown(descriptor, existing.st_uid, existing.st_gid);  // only root can
  ::fchmod(descriptor, existing.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
}

// Renames; an existing file of the new name is an error, and stays. File systems without such a
// rename may have links; others have only the check when the output was opened.
int rename_to_free_name(const char* from, const char* to) {
  const int result = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  if (result == 0 || errno != EINVAL) return result;
  if (::link(from, to) != 0) return errno == EEXIST ? -1 : ::rename(from, to);
  ::unlink(from);
  return 0;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, Existing existing)
    : name_(path == "-" ? "standard output" : in_one_line(path)), existing_(existing) {
  if (path.empty()) throw FileError("the name of the output file is empty");
  const auto status = status_of(path);
  if (status && S_ISDIR(status->st_mode)) {
    throw FileError("cannot write " + name_ + ": it is a folder; add the name of a file");
  }
  if (path.ends_with('/')) fail_without_folder(path);
  if (is_stream(path)) {
    may_block_ = !status || !S_ISREG(status->st_mode);
    open_directly(path);
  } else {
    open_beside(path);
  }
}

void OutputFile::open_directly(const std::string& path) {
  const int own = own_descriptor(path);
  if (own < 0 && !may_block_) {
    throw FileError("cannot write " + name_ + ": it is open in another program; name the file");
  }
  do {
    if (own < 0) throw_if_interrupted();
    descriptor_ = own >= 0 ? ::fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                           : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail(errno);
}

void OutputFile::open_beside(const std::string& path) {
  const fs::path target = follow_links(path);
  if (target.empty()) fail(ELOOP);
  const fs::path folder = folder_of(target);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) fail_without_folder(folder);
  const auto existing = status_of(target.string());
  if (existing && existing_ == Existing::kept) fail(EEXIST);
  // A rename would ignore a write protection.
  if (existing && ::access(target.c_str(), W_OK) != 0) fail(errno);
  remove_abandoned(target);
  constexpr int most_tries = 100;  // against other runs; some file systems change their inodes
  for (int tries = 1; !make_temporary(
           (folder / (name_begins(target) + random_letters(letters_of_a_temporary))).string());
       ++tries) {
    const bool is_taken = errno == EEXIST || errno == EINTR || errno == EWOULDBLOCK;
    if (is_taken && tries < most_tries) continue;
    throw FileError("cannot write " + name_ + " into folder " + in_one_line(folder.string()) +
                    ": " +
                    (is_taken ? "its file system or other runs take every temporary file away"
                              : std::system_category().message(errno)));
  }
  target_ = target.string();
  if (existing) take_over_permissions(descriptor_, *existing);
}

// Makes a temporary with a lock, which marks it as in use to other runs of the same target; without
// locks, no run removes one. On failure errno has the reason.
bool OutputFile::make_temporary(const std::string& name) {
  unfinished_.emplace(name);
  descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = errno;
  if (descriptor_ >= 0) {
    temporary_ = name;
    const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat own = {}, named = {};
    const bool is_seen = ::fstat(descriptor_, &own) == 0 && ::stat(name.c_str(), &named) == 0;
    error = is_seen || errno == ENOENT ? EWOULDBLOCK : errno;
    // Else another run has locked it first, or has locked and removed it.
    if (is_locked && is_seen && is_same(own, named)) return true;
    ::close(descriptor_);
    ::unlink(name.c_str());
    descriptor_ = -1;
    temporary_.clear();
  }
  unfinished_.reset();
  errno = error;
  return false;
}

OutputFile::~OutputFile() {
  for (const int descriptor : {descriptor_, lock_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    // A ready pipe takes this much at once, so that write() never blocks when a signal comes.
    const std::size_t most = may_block_ ? std::size_t{PIPE_BUF} : bytes.size();
    if (may_block_) wait_until_ready(descriptor_, Ready::to_write, patient_);
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
    }
  }
}

void OutputFile::finish_lines_when_interrupted() {
  patient_ = true;
  end_by_oneself_when_interrupted();
}

void OutputFile::replace_beginning(std::function<std::string(std::uintmax_t written)> make) {
  if (temporary_.empty()) {
    throw FileError("cannot write " + name_ +
                    ": what is no regular file cannot be written at its beginning again");
  }
  make_beginning_ = std::move(make);
}

void OutputFile::put_on_disk(std::string_view after_content) {
  if (make_beginning_ && !write_at(descriptor_, make_beginning_(written_))) fail(errno);
  write(after_content);
  // Else a rename could reach the disk before the content does.
  while (!temporary_.empty() && ::fsync(descriptor_) != 0) {
    if (errno != EINTR) fail(errno);
    if (!patient_) throw_if_interrupted();
  }
  if (!temporary_.empty()) lock_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int descriptor = std::exchange(descriptor_, -1);
  // Some file systems report a full disk only here. With EINTR it is closed all the same on Linux.
  if (::close(descriptor) != 0 && errno != EINTR) fail(errno);
}

void OutputFile::commit(const std::vector<OutputFile*>& outputs, std::string_view after_last) {
  const bool is_patient = std::ranges::any_of(
      outputs, [](const OutputFile* output) { return output != nullptr && output->patient_; });
  for (OutputFile* const output : outputs) {
    if (output == nullptr) continue;
    output->patient_ = is_patient;
    output->put_on_disk(output == outputs.back() ? after_last : std::string_view());
  }
  std::string done;
  for (OutputFile* const output : outputs) {
    if (output == nullptr || output->temporary_.empty()) continue;
    output->take_place(done);
    done += "; " + output->name_ + " is new";
  }
}

void OutputFile::take_place(const std::string& done) {
  const auto put = existing_ == Existing::kept ? rename_to_free_name : ::rename;
  if (put(temporary_.c_str(), target_.c_str()) != 0) fail(errno, done);
  temporary_.clear();
  unfinished_.reset();
}

void OutputFile::fail_without_folder(const std::string& folder) const {
  throw FileError("cannot write " + name_ + ": there is no folder " + in_one_line(folder) +
                  "; create it first");
}

void OutputFile::fail(int error, const std::string& done) const {
  if (error == EEXIST) {
    throw FileError("there is a file '" + name_ +
                    "' already; name another one, or replace it with --force");
  }
  throw FileError("cannot write " + name_ + ": " + std::system_category().message(error) + done);
}

void write_file(const std::string& path, std::string_view content, Existing existing) {
  OutputFile file(path, existing);
  file.write(content);
  file.commit();
}

bool is_stream(const std::string& path) {
  const auto status = status_of(path);
  std::error_code ignored;
  return path == "-" || (status && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode)) ||
         fs::is_symlink(follow_links(path), ignored);
}

bool is_standard_output(const std::string& path) {
  return path == "-" || (own_descriptor(path) >= 0 && is_file_named(STDOUT_FILENO, path));
}

bool are_one_file(const std::string& a, const std::string& b) {
  const auto one = status_of(a), other = status_of(b);
  if (one && !S_ISREG(one->st_mode)) return a == "-" && b == a;
  if (one || other) return one && other && is_same(*one, *other);
  std::error_code none;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(follow_links(path), none), none);
  };
  return !place(a).empty() && place(a) == place(b);
}

namespace {

std::vector<std::pair<std::string, struct stat>>& outputs_of_this_run() {
  static std::vector<std::pair<std::string, struct stat>> outputs;
  return outputs;
}

}  // namespace

void refuse_to_read(const std::vector<std::string>& outputs) {
  outputs_of_this_run().clear();
  for (const std::string& path : outputs) {
    const auto status = status_of(path);
    if (status && S_ISREG(status->st_mode)) outputs_of_this_run().emplace_back(path, *status);
  }
}

std::optional<std::string> output_that_is(const struct stat& input) {
  for (const auto& [path, output] : outputs_of_this_run()) {
    if (is_same(output, input)) return path;
  }
  return {};
}

bool write_at(int descriptor, std::string_view bytes, std::uintmax_t place) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno != EINTR) return false;
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::uintmax_t>(count);
  }
  return true;
}

bool is_file_named(int descriptor, const std::string& path) {
  struct stat status = {};
  const auto named = status_of(path);
  return named && ::fstat(descriptor, &status) == 0 && is_same(status, *named);
}

}  // namespace armdyn
