#include "report/limit_words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/text/brief_text.hpp"
#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

bool looks_like_degrees(const Joint& joint, double q) {
  return turns(joint) && std::abs(q) > 4.0 * std::numbers::pi;
}

std::string exceeds_limit(const Joint& joint, const std::string& what, double value, double limit,
                          const std::string& unit, const std::string& place) {
  const bool differ = short_number(value) != short_number(limit);
  const auto text = [differ](double x) { return differ ? short_number(x) : number_text(x); };
  return fmt::format("{}: {} reaches {} {} at {}, its limit is {} {}", joint.name, what,
                     text(value), unit, place, text(limit), unit);
}

std::string leaves_range(const Joint& joint, double outside, const Range& range,
                         const std::string& place) {
  const char* unit = position_unit(joint);
  return fmt::format("{}: q is {} {} outside its limits {} to {} {} at {}", joint.name,
                     short_number(outside), unit, short_number(range.lower),
                     short_number(range.upper), unit, place);
}

}  // namespace armdyn
