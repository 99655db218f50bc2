#include "model/position_text.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "math/rotation.hpp"

namespace armdyn {

namespace {

std::string rounded(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

std::string position_text(const Robot& robot, std::span<const double> q, int decimals) {
  std::string text;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool turns = robot.joints[i].type == JointType::revolute;
    text += i == 0 ? "" : ",";
    text += turns ? rounded(degrees(q[i]), decimals) : rounded(q[i], decimals + 2);
  }
  return text + " deg";
}

}  // namespace armdyn
