#include "report/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using Json = nlohmann::ordered_json;

/// Outside of its strings, JSON has only what is shown as itself, and line ends.
std::string without_controls(const std::string& json) {
  std::string text;
  for (std::string_view rest = json; !rest.empty();) {
    const CodePoint point = first_code_point(rest);
    const std::string bytes(rest.substr(0, point.length));
    if (point.code == '\n' || is_shown_as_itself(point.code)) {
      text += bytes;
    } else {
      const std::string quoted = Json(bytes).dump(-1, ' ', true);
      text.append(quoted, 1, quoted.size() - 2);
    }
    rest.remove_prefix(point.length);
  }
  return text;
}

template <class AnyJson>
std::string dumped(const AnyJson& value, int indent = -1) {
  return without_controls(value.dump(indent, ' ', false, AnyJson::error_handler_t::replace));
}

bool fits_one_line(const Json& value) {
  return !value.is_structured() ||
         (value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& entry) {
            return entry.is_structured();
          }));
}

std::string one_line(const Json& value) {
  if (!value.is_array()) return dumped(value);
  std::string line = "[";
  for (const Json& entry : value) line += (line.size() > 1 ? ", " : "") + dumped(entry);
  return line + "]";
}

std::string indented(const Json& value, std::size_t depth) {
  if (fits_one_line(value) || value.empty()) return one_line(value);
  std::string text;
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    text += (text.empty() ? "\n" : ",\n") + std::string(2 * depth + 2, ' ');
    if (value.is_object()) text += dumped(Json(entry.key())) + ": ";
    text += indented(*entry, depth + 1);
  }
  text += "\n" + std::string(2 * depth, ' ');
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string json_text(const nlohmann::json& value) {
  return dumped(value, 2) + "\n";
}

std::string json_text(const nlohmann::ordered_json& value) {
  return indented(value, 0) + "\n";
}

}  // namespace armdyn
