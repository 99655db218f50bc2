#include "cli/mpi/manifest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <armdyn/error.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/options/part_file.hpp"

namespace armdyn {

namespace {

namespace fs = std::filesystem;

/// Also of what is already on its way; on failure errno says why.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fdatasync(descriptor) == 0;
}

/// So that a rename or a new file is on the disk.
void sync_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Manifest::Manifest(const std::string& output, const Json& job, const std::string& head, bool resume)
    : output_(output), part_(output + ".part"), path_(output + ".manifest") {
  if (fs::is_directory(output)) {
    throw FileError(fmt::format("cannot write {}: it is a folder; add the name of a file", output));
  }
  const bool is_there = fs::exists(path_);
  if (is_there && !resume) {
    throw FileError(fmt::format(
        "{0} is there: a job for {1} has not ended; go on with --resume, or remove it and {2}",
        path_, output, part_));
  }
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot write", path_);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw FileError(fmt::format("cannot write {}: another job is writing it", output));
  }
  if (is_there && fs::exists(part_) && fs::file_size(path_) > 0) {
    this->resume(job);
  } else {
    start(job, head);
  }
}

Manifest::~Manifest() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Manifest::start(const Json& job, const std::string& head) {
  const int part = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (part < 0) fail("cannot write", part_);
  const bool is_written = write_all(part, head);
  const int error = errno;
  ::close(part);
  errno = error;
  if (!is_written || ::ftruncate(descriptor_, 0) != 0) fail("cannot write", part_);
  sync_folder(part_);
  append(job);
}

void Manifest::resume(const Json& job) {
  std::ostringstream text;
  text << std::ifstream(path_, std::ios::binary).rdbuf();
  const std::string lines = text.str();
  std::size_t whole = 0;  // bytes of lines that were written to their ends
  for (std::size_t end = 0; (end = lines.find('\n', whole)) != std::string::npos; whole = end + 1) {
    const Json line = parse_json(lines.substr(whole, end - whole));
    if (whole == 0) {
      const std::string other = line.is_object() ? identity_difference(line, job) : "no JSON";
      if (!other.empty()) {
        throw InputError(fmt::format(
            "{}: it is of another job, and cannot be resumed with this one: {}", path_, other));
      }
    } else if (line.is_object()) {
      finished_.push_back(
          {line["first"].as<std::uintmax_t>(), line["rows"].as<std::uintmax_t>(), line["summary"]});
    }
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) fail("cannot write", path_);
  if (whole == 0) append(job);
}

void Manifest::append(const Json& line) const {
  if (!write_all(descriptor_, compact_json(line) + "\n")) fail("cannot write", path_);
}

void Manifest::record(FinishedChunk chunk) {
  append({{"first", chunk.first}, {"rows", chunk.rows}, {"summary", chunk.summary}});
  finished_.push_back(std::move(chunk));
}

void Manifest::complete() {
  if (::rename(part_.c_str(), output_.c_str()) != 0) fail("cannot write", output_);
  if (::unlink(path_.c_str()) != 0) fail("cannot remove", path_);
  sync_folder(output_);
}

void Manifest::fail(const std::string& what, const std::string& path) {
  throw FileError(fmt::format("{} {}: {}", what, path, std::system_category().message(errno)));
}

}  // namespace armdyn
