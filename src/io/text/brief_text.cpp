#include "io/text/brief_text.hpp"

#include <fmt/format.h>

namespace armdyn {

std::string noun(std::uint64_t count, const std::string& singular) {
  return count == 1 ? singular : singular + "s";
}

std::string counted(std::uint64_t count, const std::string& singular) {
  return fmt::format("{} {}", count, noun(count, singular));
}

std::string short_number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string time_text(double t) {
  return fmt::format("t = {:.6g} s", t);
}

}  // namespace armdyn
