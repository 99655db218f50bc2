#include "log/stored_motion.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "io/file/output_file.hpp"

namespace armdyn {

namespace {

constexpr std::size_t stored_rows = 8192, blocks_in_memory = 8;

/// A column as it lies in memory.
std::string_view bytes_of(const std::vector<double>& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(double)};
}

/// Opens a file without a name in the folder that TMPDIR names, or where the C library has such
/// files; null where there can be none.
std::FILE* temporary_file() {
  const char* const folder = std::getenv("TMPDIR");
  if (!folder || *folder == '\0') return std::tmpfile();
  std::string name = std::string(folder) + "/armdyn-XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return std::tmpfile();
  ::unlink(name.c_str());
  return ::fdopen(file, "w+");
}

}  // namespace

StoredMotion::StoredMotion(LogReader& log, unsigned threads)
    : places(motion_columns(log.plan())), time(log.plan().first(Quantity::time)) {
  BlockJob<> job;
  std::exception_ptr wrong;  // with time; thrown when all has been read
  job.threads = threads;
  job.in_order = [&](const Table& block, const Nothing&) {
    try {
      if (!wrong) add(block);
    } catch (const NotFinite&) {
      wrong = std::current_exception();
    }
  };
  log.run(job);
  if (wrong) std::rethrow_exception(wrong);
  if (tally.rows() == 0)
    throw InputError(log.input().name() + ": the motion has a header but no rows");
}

void StoredMotion::for_each_block(
    const std::function<void(std::size_t first, const Columns& columns,
                             std::span<const double> weights)>& visit) const {
  Columns buffer(width_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const bool is_in_file = blocks_[b].empty();
    for (std::size_t k = 0; is_in_file && k < width_; ++k) read(b, k, buffer[k]);
    const Columns& block = is_in_file ? buffer : blocks_[b];
    visit(b * stored_rows, block,
          tally.is_over_time() ? std::span(block.back()) : std::span<const double>());
  }
}

std::string StoredMotion::digest() const {
  Digest digest;
  std::vector<double> buffer;
  for (std::size_t k = 0; k + 1 < width_; ++k) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b].empty()) read(b, k, buffer);
      digest.add(bytes_of(blocks_[b].empty() ? buffer : blocks_[b][k]));
    }
  }
  return digest.text();
}

Table StoredMotion::held() const {
  Table all;
  all.breaks = breaks;
  all.resize(width_ - 1, tally.rows());
  for_each_block([&](std::size_t first, const Columns& block, std::span<const double>) {
    for (std::size_t k = 0; k < all.columns.size(); ++k) {
      std::ranges::copy(block[k], all.columns[k].begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return all;
}

void StoredMotion::add(const Table& block) {
  std::size_t rows = tally.rows();
  tally.next(block.rows, time ? block.column(*time) : std::span<const double>(), block.breaks);
  const TimeWeights& weights = tally.weights();
  width_ = block.columns.size() + 1;
  if (rows > 0) blocks_.back().back().back() += weights.of_last;
  for (const std::size_t row : block.breaks) breaks.push_back(rows + row);
  for (std::size_t row = 0, count = 0; row < block.rows; row += count) {
    if (rows % stored_rows == 0) {
      if (rows > 0) put_away();
      blocks_.emplace_back(width_);
    }
    count = std::min(block.rows - row, stored_rows - rows % stored_rows);
    for (std::size_t k = 0; k + 1 < width_; ++k) {
      const double* const from = block.columns[k].data() + row;
      blocks_.back()[k].insert(blocks_.back()[k].end(), from, from + count);
    }
    for (std::size_t k = row; k < row + count; ++k) {
      blocks_.back().back().push_back(time ? weights.of_rows[k] : 0.0);
    }
    rows += count;
  }
}

std::uintmax_t StoredMotion::place(std::size_t block, std::size_t column) const {
  return (block * width_ + column) * stored_rows * sizeof(double);
}

/// Brings the last block into the file; it stays in memory where it cannot.
void StoredMotion::put_away() {
  const std::size_t last = blocks_.size() - 1;
  if (last < blocks_in_memory) return;
  if (!file_) file_.reset(temporary_file());
  if (!file_) return;
  for (std::size_t k = 0; k < width_; ++k) {
    if (!write_at(fileno(file_.get()), bytes_of(blocks_.back()[k]), place(last, k))) return;
  }
  blocks_.back() = {};
}

void StoredMotion::read(std::size_t block, std::size_t k, std::vector<double>& column) const {
  column.resize(std::min(stored_rows, tally.rows() - block * stored_rows));
  const std::size_t bytes = column.size() * sizeof(double);
  const ssize_t found =
      pread(fileno(file_.get()), column.data(), bytes, static_cast<off_t>(place(block, k)));
  if (found == static_cast<ssize_t>(bytes)) return;
  throw FileError(std::string("cannot read a temporary file: ") +
                  (found < 0 ? std::strerror(errno) : "it is cut off"));
}

}  // namespace armdyn
