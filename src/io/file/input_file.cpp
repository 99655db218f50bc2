#include "io/file/input_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#include <armdyn/error.hpp>

#include <atomic>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "io/file/output_file.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

[[noreturn]] void fail_to_read(const std::string& name, int error) {
  throw FileError("cannot read " + name + ": " + std::system_category().message(error));
}

[[noreturn]] void fail_as_shorter(const std::string& name) {
  throw FileError(name + " has become shorter while it was read");
}

int open_to_read(const std::string& path) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) return descriptor;
    if (errno != EINTR) fail_to_read(in_one_line(path), errno);
    throw_if_interrupted();
  }
}

/// Throws Error where this run has read standard input before: of a pipe nothing is left then, of a
/// file the rest.
void refuse_second_reading(const struct stat& status, bool is_at_begin) {
  static std::atomic<ino_t> last{0};
  if (last.exchange(status.st_ino) == status.st_ino && !S_ISCHR(status.st_mode) && !is_at_begin) {
    throw Error("two inputs cannot both be standard input; name a file for one of them");
  }
}

}  // namespace

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "standard input" : in_one_line(path)) {
  const int descriptor = path == "-" ? STDIN_FILENO : open_to_read(path);
  struct stat status = {};
  const int error = ::fstat(descriptor, &status) != 0 ? errno
                    : S_ISDIR(status.st_mode)         ? EISDIR
                                                      : 0;
  const std::optional<std::string> output = output_that_is(status);
  if (error != 0 || output) {
    if (descriptor != STDIN_FILENO) ::close(descriptor);
    if (output) {
      throw Error("the output '" + in_one_line(*output) + "' is an input; name another file");
    }
    fail_to_read(name_, error);
  }
  descriptor_ = descriptor;
  is_regular_ = S_ISREG(status.st_mode);
  size_ = static_cast<std::uintmax_t>(status.st_size);
  const off_t place = is_regular_ ? ::lseek(descriptor, 0, SEEK_CUR) : 0;
  place_ = place > 0 ? static_cast<std::uintmax_t>(place) : 0;
  if (path == "-") refuse_second_reading(status, is_regular_ && place_ == 0);
}

InputFile::InputFile(std::string name, std::string_view bytes)
    : name_(std::move(name)),
      descriptor_(::memfd_create("armdyn", MFD_CLOEXEC)),
      is_regular_(true),
      size_(bytes.size()) {
  if (descriptor_ < 0 || !write_at(descriptor_, bytes)) {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    fail_to_read(name_, error);
  }
}

InputFile::~InputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t InputFile::read(char* data, std::size_t size) {
  size = static_cast<std::size_t>(std::min<std::uintmax_t>(size, end_ - place_));
  for (;;) {
    if (!is_regular_) wait_until_ready(descriptor_, Ready::to_read);
    const ssize_t count = ::read(descriptor_, data, size);
    if (count >= 0) {
      place_ += static_cast<std::uintmax_t>(count);
      if (count == 0 && size > 0) refuse_if_shorter();
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) fail_to_read(name_, errno);
    throw_if_interrupted();
  }
}

std::string InputFile::read(std::size_t most) {
  constexpr std::size_t at_a_time = 65536;
  std::string bytes;
  for (std::size_t count = 1; count > 0 && bytes.size() < most;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(at_a_time, most - before));
    count = read(&bytes[before], bytes.size() - before);
    bytes.resize(before + count);
  }
  return bytes;
}

void InputFile::read_at(std::uintmax_t offset, char* data, std::size_t size) const {
  while (size > 0) {
    const ssize_t count = ::pread(descriptor_, data, size, static_cast<off_t>(offset));
    if (count == 0) fail_as_shorter(name_);
    if (count < 0) {
      if (errno != EINTR) fail_to_read(name_, errno);
      throw_if_interrupted();
      continue;
    }
    data += count;
    offset += static_cast<std::uintmax_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

std::string InputFile::read_at(std::uintmax_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  read_at(offset, bytes.data(), size);
  return bytes;
}

void InputFile::read_range(std::uintmax_t begin, std::uintmax_t end,
                           const std::function<void(const std::string&)>& take) const {
  constexpr std::uintmax_t at_a_time = std::uintmax_t{1} << 20U;
  for (; begin < end; begin += at_a_time) {
    take(read_at(begin, static_cast<std::size_t>(std::min(at_a_time, end - begin))));
  }
}

void InputFile::refuse_if_shorter() const {
  struct stat status = {};
  if (!is_regular_ || ::fstat(descriptor_, &status) != 0) return;
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (size < size_ || size < place_) fail_as_shorter(name_);
}

std::optional<std::uintmax_t> InputFile::size() const {
  if (!is_regular_) return std::nullopt;
  return size_;
}

namespace {

/// Copies bytes of a pipe by tee(), which leaves them there.
ssize_t peek_pipe(std::string& bytes) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  ssize_t count = ::tee(STDIN_FILENO, ends[1], bytes.size(), SPLICE_F_NONBLOCK);
  if (count > 0) count = ::read(ends[0], bytes.data(), bytes.size());
  ::close(ends[0]);
  ::close(ends[1]);
  return count;
}

}  // namespace

std::string_view wide_encoding(std::string_view bytes) {
  using namespace std::string_view_literals;
  std::string zeros;
  for (const char byte : bytes.substr(0, 8)) zeros += byte == '\0' ? '0' : 'x';
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv) ||
      zeros == "x000x000" || zeros == "000x000x") {
    return "UTF-32";
  }
  const bool is_marked = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  return is_marked || zeros.starts_with("x0x0") || zeros.starts_with("0x0x") ? "UTF-16" : "";
}

void refuse_wide_text(std::string_view bytes, const std::string& name) {
  const std::string encoding(wide_encoding(bytes));
  if (encoding.empty()) return;
  throw InputError(name + ": the text is encoded as " + encoding + "; save it as UTF-8");
}

std::pair<std::string, std::string> read_text(const std::string& path, std::size_t most,
                                              const char* what) {
  InputFile file(path);
  const std::string text = file.read(most + 1);
  refuse_wide_text(text, file.name());
  if (text.size() <= most) return {file.name(), text};
  throw InputError(fmt::format("{}: more than {} kB are no {}", file.name(), most / 1000, what));
}

std::string digest_of(const InputFile& input, std::uintmax_t most) {
  if (!input.is_regular()) {
    throw FileError(input.name() +
                    ": is a pipe, which cannot be read twice; write it into a file "
                    "first");
  }
  Digest digest;
  input.read_range(0, std::min(*input.size(), most),
                   [&](const std::string& bytes) { digest.add(bytes); });
  return digest.text();
}

std::vector<std::string> names_in(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  const auto next = [&entries] {
    errno = 0;
    return ::readdir(entries.get());
  };
  std::vector<std::string> names;
  if (entries) {
    while (const dirent* const entry = next()) names.emplace_back(entry->d_name);
  }
  if (!entries || errno != 0) throw std::system_error(errno, std::generic_category());
  return names;
}

namespace {

std::string chosen_folder;  // by set_shared_folder

}  // namespace

void set_shared_folder(std::string folder) {
  chosen_folder = std::move(folder);
}

std::string shared_folder() {
  namespace fs = std::filesystem;
  if (!chosen_folder.empty()) return chosen_folder;
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {  // where there is no /proc: as it was called
    const auto* const called = std::bit_cast<const char*>(::getauxval(AT_EXECFN));
    program = fs::weakly_canonical(called, error);
  }
  return (program.parent_path().parent_path() / "share" / "armdyn").string();
}

std::string peek_standard_input(std::size_t most) {
  struct stat status = {};
  if (::fstat(STDIN_FILENO, &status) != 0) return "";
  std::string bytes(most, '\0');
  ssize_t count = 0;
  if (S_ISFIFO(status.st_mode)) {
    count = peek_pipe(bytes);
  } else if (S_ISREG(status.st_mode)) {
    count = ::pread(STDIN_FILENO, bytes.data(), bytes.size(), ::lseek(STDIN_FILENO, 0, SEEK_CUR));
  }
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

}  // namespace armdyn
