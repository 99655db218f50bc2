// Numbers against the C library: what both read is the same double, and what is written reads back.

#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstring>

#include "fuzz/fuzz.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armdyn;
  const std::string text(fuzz::bytes_of(data, size));
  const auto number = parse_number(text);
  if (number) {
    char* end = nullptr;
    const double other = std::strtod(text.c_str(), &end);
    fuzz::require(end == text.c_str() + text.size(), "the C library reads " + text);
    const bool is_tiny = std::abs(other) < 2.3e-308;  // below normal numbers both may round to zero
    fuzz::require(other == *number || is_tiny, "the C library reads the same of " + text);
    const auto again = parse_number(number_text(*number));
    fuzz::require(again && std::memcmp(&*again, &*number, sizeof(double)) == 0,
                  "what is written reads back: " + text);
  }
  (void)parse_pi(text);
  for (const int decimals : {0, 3, 6, 9}) {
    const auto stamp = stamp_nanoseconds(text, decimals);
    StampSum sum(stamp && is_epoch(*stamp) ? *stamp : 0);
    if (sum.add(stamp)) fuzz::require(std::isfinite(sum.seconds()), "stamps are finite");
  }
  const std::string shown = in_one_line(text);
  fuzz::require(!first_not_utf8(shown) && in_one_line(shown) == shown, "what is shown is plain");
  return 0;
}
