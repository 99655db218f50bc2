#pragma once

#include <armdyn/error.hpp>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "log/log_reader.hpp"
#include "math/motion_tally.hpp"

namespace armdyn {

/// A motion block by block, in bounded memory: of a long one only the first blocks are in memory,
/// the others in a temporary file, if there can be one. May be read by several threads.
class StoredMotion {
 public:
  MotionColumns places;
  std::optional<std::size_t> time;  ///< its column
  MotionTally tally;
  std::vector<std::size_t> breaks;

  /// Throws InputError without a row, and what the reader throws.
  StoredMotion(LogReader& log, unsigned threads);

  /// Calls for each block, with its columns, behind which its weights come, and with the weights:
  /// none where the motion is not over time.
  void for_each_block(const std::function<void(std::size_t first, const Columns& columns,
                                               std::span<const double> weights)>& visit) const;

  /// The digest of the numbers, column by column.
  [[nodiscard]] std::string digest() const;

  /// The whole motion in memory.
  [[nodiscard]] Table held() const;

 private:
  void add(const Table& block);
  void put_away();
  [[nodiscard]] std::uintmax_t place(std::size_t block, std::size_t column) const;
  void read(std::size_t block, std::size_t k, std::vector<double>& column) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::size_t width_ = 0;        // columns, and their weights
  std::vector<Columns> blocks_;  // none: in the file
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace armdyn
