#include "report/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace armdyn {

namespace {

using Json = nlohmann::ordered_json;

bool fits_one_line(const Json& value) {
  return !value.is_structured() ||
         (value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& entry) {
            return entry.is_structured();
          }));
}

std::string one_line(const Json& value) {
  if (!value.is_array()) return value.dump();
  std::string line = "[";
  for (const Json& entry : value) line += (line.size() > 1 ? ", " : "") + entry.dump();
  return line + "]";
}

std::string indented(const Json& value, std::size_t depth) {
  if (fits_one_line(value) || value.empty()) return one_line(value);
  std::string text;
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    text += (text.empty() ? "\n" : ",\n") + std::string(2 * depth + 2, ' ');
    if (value.is_object()) text += Json(entry.key()).dump() + ": ";
    text += indented(*entry, depth + 1);
  }
  text += "\n" + std::string(2 * depth, ' ');
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& value) {
  return indented(value, 0) + "\n";
}

}  // namespace armdyn
