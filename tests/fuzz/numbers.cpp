// Numbers against the standard libraries: what both read is the same double, what is written reads
// back, and a column of numbers is read and printed as std::from_chars and std::to_chars do.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "model/shown_text.hpp"
#include "text/decimal.hpp"
#include "text/number_text.hpp"

namespace {

void require_as_standard(const std::string& text) {
  using namespace armdyn;
  double own = 0.0, standard = 0.0;
  const std::vector<char> alone(text.begin(), text.end());  // nothing may be read behind it
  const char *const begin = alone.data(), *const end = begin + alone.size();
  const auto found = read_decimal(begin, end, own);
  const auto expected = std::from_chars(begin, end, standard);
  fuzz::require(found.ptr == expected.ptr && found.ec == expected.ec &&
                    std::memcmp(&own, &standard, sizeof own) == 0,
                "the standard library reads the same of " + text);
  if (text.size() >= sizeof own) std::memcpy(&own, begin, sizeof own);
  std::array<char, room_for_decimal> printed{}, by_standard{};
  const std::string_view of_own(printed.data(), print_decimal(printed.data(), own));
  const char* const stop = std::to_chars(by_standard.begin(), by_standard.end(), own).ptr;
  fuzz::require(of_own == std::string_view(by_standard.data(), stop),
                "the standard library prints the same of " + text);
}

}  // namespace

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
  require_as_standard(text);
  for (const char next : {',', '0'}) require_as_standard(text + std::string(64, next));
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
