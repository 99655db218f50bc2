#pragma once

// Messages of the program to its user, and its exit codes.

#include <fmt/format.h>
#include <boost/noncopyable.hpp>

#include <chrono>
#include <cstdio>
#include <initializer_list>
#include <new>

#include "model/shown_text.hpp"

namespace armdyn {

/// Writes to standard error, with controls of terminals escaped; false where not all could be
/// written.
inline bool write_to_standard_error(const std::string& text) {
  const std::string shown = in_lines(text);
  return std::fwrite(shown.data(), 1, shown.size(), stderr) == shown.size();
}

/// Writes a message to standard error. Errors are ignored: the work goes on without it.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  try {
    (void)write_to_standard_error(fmt::format(format, std::forward<Values>(values)...));
  } catch (const std::bad_alloc&) {
    std::fputs("armdyn: out of memory for a message\n", stderr);
  }
}

/// End of the program, by its exit code.
enum class Ending {
  done = 0,
  no = 1,             ///< done, and the answer is no: a limit is exceeded, formulations disagree
  wrong_command = 2,  ///< the command line is wrong
  wrong_input = 3,    ///< the content of an input file is wrong
  no_file = 4,        ///< a file cannot be opened, read or written
  failed = 5,         ///< the numerics: a singular M, a motion that diverges
  interrupted = 130,  ///< by a signal
};

[[nodiscard]] constexpr int exit_code(Ending ending) {
  return static_cast<int>(ending);
}

/// Lines "armdyn: warning: ...".
[[nodiscard]] std::string warnings_text(const std::vector<std::string>& warnings);
void print_warnings(const std::vector<std::string>& warnings);

/// Joins lists one behind the other.
[[nodiscard]] std::vector<std::string> joined(
    std::initializer_list<std::vector<std::string>> lists);

/// Line on the kind of log as which a file was recognized; or nothing.
[[nodiscard]] std::string recognized_line(const std::string& file, const std::string& recognized);

/// Line of progress on a terminal: from one second on, a few times a second, removed at the end.
/// Shows nothing where standard error is not a terminal.
class ProgressLine : boost::noncopyable {
 public:
  /// `total` is that of the first number of `show` (such as input bytes), if known; quiet
  /// shows nothing; `counted` names the second number of `show`.
  ProgressLine(std::optional<std::uintmax_t> total, bool quiet, const char* counted = "rows");
  ~ProgressLine() { clear(); }

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

/// Progress through a span of time, as a number for a progress line.
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
