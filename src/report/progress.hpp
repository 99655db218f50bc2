#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace armdyn {

/// A line on a terminal that says how far a long run is: from one second on, a few times a second,
/// gone when it ends. Says nothing where standard error is not a terminal.
class ProgressLine {
 public:
  /// The `total` of what `show` counts as done (bytes of the input, say), if it is known; quiet:
  /// never a word; `counted`: what the second number of `show` counts.
  ProgressLine(std::optional<std::uintmax_t> total, bool quiet, const char* counted = "rows");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uintmax_t done, std::uintmax_t count);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::uintmax_t> total_;
  bool wanted_;
  const char* counted_;
  bool shown_ = false;
  Clock::time_point next_;
};

/// Progress through a span of time, for a progress line that counts.
class TimeShare {
 public:
  static constexpr std::uintmax_t whole = 1'000'000;

  TimeShare(double begin, double end) : begin_(begin), end_(end) {}
  [[nodiscard]] std::uintmax_t at(double t) const {
    if (!(t < end_)) return whole;  // a span without length, too
    return static_cast<std::uintmax_t>((t - begin_) / (end_ - begin_) * static_cast<double>(whole));
  }

 private:
  double begin_, end_;
};

}  // namespace armdyn
