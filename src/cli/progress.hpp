#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace armdyn {

/// A line on a terminal that says how far a long run is: from one second on, a few times a second,
/// gone when it ends. Says nothing where standard error is not a terminal.
class ProgressLine {
 public:
  /// `total_bytes` of the input, if it is known; quiet: never a word.
  ProgressLine(std::optional<std::uintmax_t> total_bytes, bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uintmax_t bytes, std::uintmax_t rows);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::uintmax_t> total_;
  bool wanted_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace armdyn
