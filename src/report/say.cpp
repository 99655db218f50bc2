#include "report/say.hpp"

#include <unistd.h>

#include <algorithm>

namespace armdyn {

std::string warnings_text(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += "armdyn: warning: " + warning + "\n";
  return text;
}

void print_warnings(const std::vector<std::string>& warnings) {
  say("{}", warnings_text(warnings));
}

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string recognized_line(const std::string& file, const std::string& recognized) {
  return recognized.empty() ? "" : fmt::format("{}: {}\n", file, recognized);
}

namespace {

constexpr const char* to_line_start = "\r\033[K";  // with the line cleared

}  // namespace

ProgressLine::ProgressLine(std::optional<std::uintmax_t> total, bool quiet, const char* counted)
    : total_(total),
      wanted_(!quiet && isatty(STDERR_FILENO) != 0),
      counted_(counted),
      next_(Clock::now() + std::chrono::seconds(1)) {}

void ProgressLine::clear() {
  if (shown_) std::fputs(to_line_start, stderr);
  shown_ = false;
}

void ProgressLine::show(std::uintmax_t done, std::uintmax_t count) {
  if (!wanted_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  std::fputs(to_line_start, stderr);
  if (total_ && *total_ > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(*total_);
    say("{} {}, {:.0f} %", count, counted_, 100.0 * std::min(share, 1.0));
  } else {
    say("{} {}", count, counted_);
  }
  std::fflush(stderr);
}

}  // namespace armdyn
