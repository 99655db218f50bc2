#include "cli/mpi/manifest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <armdyn/error.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/options/part_file.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"

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

std::string digest_of(const FinishedChunk& chunk, std::string_view bytes) {
  Digest digest;
  digest.add(
      compact_json({{"first", chunk.first}, {"rows", chunk.rows}, {"summary", chunk.summary}}));
  digest.add(bytes);
  return digest.text();
}

Manifest::Manifest(const std::string& output, const Json& job, const std::string& head,
                   std::size_t row_bytes, bool resume)
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
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) fail("cannot write", path_);
  if ((::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
      !is_file_named(descriptor_, path_)) {
    throw FileError(fmt::format("cannot write {}: another job is writing it", output));
  }
  if (is_there && fs::is_regular_file(fs::symlink_status(part_)) && fs::file_size(path_) > 0) {
    this->resume(job, head, row_bytes);
  } else {
    start(job, head);
  }
}

Manifest::~Manifest() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Manifest::start(const Json& job, const std::string& head) {
  ::unlink(part_.c_str());
  const int part = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (part < 0) fail("cannot write", part_);
  const bool is_written = write_all(part, head);
  const int error = errno;
  ::close(part);
  errno = error;
  if (!is_written || ::ftruncate(descriptor_, 0) != 0) fail("cannot write", part_);
  sync_folder(part_);
  append(job);
}

void Manifest::resume(const Json& job, const std::string& head, std::size_t row_bytes) {
  std::ostringstream text;
  text << std::ifstream(path_, std::ios::binary).rdbuf();
  const std::string lines = text.str();
  std::vector<FinishedChunk> recorded;
  std::size_t whole = 0;  // bytes of lines that were written to their ends
  for (std::size_t end = 0; (end = lines.find('\n', whole)) != std::string::npos; whole = end + 1) {
    const Json line = parse_json(lines.substr(whole, end - whole));
    if (whole == 0) {
      const std::string other = line.is_object() ? identity_difference(line, job) : "no JSON";
      if (!other.empty()) {
        throw InputError(fmt::format(
            "{}: it is of another job, and cannot be resumed with this one: {}", path_, other));
      }
    } else {
      recorded.push_back({line["first"].as<std::uintmax_t>(), line["rows"].as<std::uintmax_t>(),
                          line["summary"], line["digest"].as_text()});
    }
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) fail("cannot write", path_);
  if (whole == 0) append(job);
  take(recorded, job, head, row_bytes);
}

/// Takes chunks whose rows lie in OUT.part as they were written, each row once: a chunk that was
/// computed again is recorded twice. Where OUT.part is no such array, all begins anew.
void Manifest::take(const std::vector<FinishedChunk>& recorded, const Json& job,
                    const std::string& head, std::size_t row_bytes) {
  const InputFile part(part_);
  const std::uintmax_t behind_head = part.size().value_or(0) - head.size();
  const auto read = [&](std::uintmax_t place, std::uintmax_t size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    part.read_at(place, bytes.data(), bytes.size());
    return bytes;
  };
  const bool is_array = part.size().value_or(0) >= head.size() &&
                        behind_head <= job["rows"].as<std::uintmax_t>() * row_bytes &&
                        read(0, head.size()) == head;
  const std::uintmax_t rows = is_array ? behind_head / row_bytes : 0;
  for (const FinishedChunk& chunk : recorded) {
    if (chunk.rows == 0 || chunk.first > rows || chunk.rows > rows - chunk.first ||
        digest_of(chunk, read(head.size() + chunk.first * row_bytes, chunk.rows * row_bytes)) !=
            chunk.digest) {
      ++damaged_;
    } else if (!has_row_of(chunk)) {
      finished_.emplace(chunk.first, chunk);
    }
  }
  if (!is_array) start(job, head);
}

bool Manifest::has_row_of(const FinishedChunk& chunk) const {
  const auto next = finished_.upper_bound(chunk.first);
  if (next != finished_.end() && next->first - chunk.first < chunk.rows) return true;
  if (next == finished_.begin()) return false;
  const FinishedChunk& before = std::prev(next)->second;
  return chunk.first - before.first < before.rows;
}

void Manifest::append(const Json& line) const {
  if (!write_all(descriptor_, compact_json(line) + "\n")) fail("cannot write", path_);
}

void Manifest::record(FinishedChunk chunk) {
  append({{"first", chunk.first},
          {"rows", chunk.rows},
          {"summary", chunk.summary},
          {"digest", chunk.digest}});
  finished_.emplace(chunk.first, std::move(chunk));
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
