#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/shown_text.hpp"
#include "report/document.hpp"

namespace armdyn {

namespace {

// --- data of a document

/// Adds members to those there, rows of a table to the rows there; appends texts.
void merge(const Json& more, Json& into) {
  if (into.is_null()) {
    into = more;
    return;
  }
  if (!more.entries().empty()) {
    Json::List rows = into.entries();
    for (std::size_t i = 0; i < more.entries().size(); ++i) {
      more[i].is_object() ? rows.at(i).update(more[i]) : rows.push_back(more[i]);
    }
    into = rows;
  }
  into.update(more);
}

Json data_of(const Sections& sections);

struct DataOf {
  Json operator()(const Json& data) const { return data; }
  Json operator()(const Fields& fields) const { return object(fields); }
  Json operator()(const FieldTable& table) const { return objects(table); }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(const Paragraphs& paragraphs) const { return paragraphs.texts; }
  Json operator()(const LabeledMatrix& matrix) const { return list_of_rows(matrix.values); }
  Json operator()(const auto& /*for_people*/) const { return {}; }
  Json operator()(const Sections& sections) const { return data_of(sections); }
};

Json data_of(const Sections& sections) {
  Json all = Json::object();
  for (const Section& section : sections) {
    if (section.audience == Audience::people || section.audience == Audience::terminal) continue;
    if (!section.key.empty()) {
      merge(std::visit(DataOf(), section.content), all[section.key]);
    } else if (std::holds_alternative<Json>(section.content) ||
               std::holds_alternative<Fields>(section.content)) {
      all.update(std::visit(DataOf(), section.content));
    }
  }
  return all;
}

// --- text of data

template <class AnyJson>
AnyJson json_from(const Json& data) {
  return std::visit(
      [](const auto& held) -> AnyJson {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, Json::List>) {
          AnyJson list = AnyJson::array();
          for (const Json& entry : held) list.push_back(json_from<AnyJson>(entry));
          return list;
        } else if constexpr (std::is_same_v<Held, Json::Members>) {
          AnyJson object = AnyJson::object();
          for (const auto& [key, value] : held) object[key] = json_from<AnyJson>(value);
          return object;
        } else {
          return held;
        }
      },
      data.held());
}

Json data_from(const nlohmann::json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_structured()) return {};
  Json data = json.is_array() ? Json::list() : Json::object();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) {
      data.push_back(data_from(value));
    } else {
      data[key] = data_from(value);
    }
  }
  return data;
}

using Ordered = nlohmann::ordered_json;

/// Escapes controls, which JSON has only in its strings, but for line ends.
std::string without_controls(const std::string& json) {
  std::string text;
  for_each_code_point(json, [&text](const CodePoint& point, std::string_view bytes) {
    if (point.code == '\n' || is_shown_as_itself(point.code)) {
      text += bytes;
    } else {
      const std::string quoted = Ordered(std::string(bytes)).dump(-1, ' ', true);
      text.append(quoted, 1, quoted.size() - 2);
    }
  });
  return text;
}

template <class AnyJson>
std::string dumped(const AnyJson& value, int indent = -1) {
  return without_controls(value.dump(indent, ' ', false, AnyJson::error_handler_t::replace));
}

bool fits_one_line(const Ordered& value) {
  return !value.is_structured() ||
         (value.is_array() && std::none_of(value.begin(), value.end(), [](const Ordered& entry) {
            return entry.is_structured();
          }));
}

std::string one_line(const Ordered& value) {
  if (!value.is_array()) return dumped(value);
  std::string line = "[";
  for (const Ordered& entry : value) line += (line.size() > 1 ? ", " : "") + dumped(entry);
  return line + "]";
}

/// Text with lists of plain values, as rows of a matrix, on one line each.
std::string indented(const Ordered& value, std::size_t depth) {
  if (fits_one_line(value) || value.empty()) return one_line(value);
  std::string text;
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    text += (text.empty() ? "\n" : ",\n") + std::string(2 * depth + 2, ' ');
    if (value.is_object()) text += dumped(Ordered(entry.key())) + ": ";
    text += indented(*entry, depth + 1);
  }
  text += "\n" + std::string(2 * depth, ' ');
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

Json data_of(const Document& document) {
  Json all = data_of(document.sections);
  if (document.model_warnings) all["model_warnings"] = *document.model_warnings;
  if (document.warnings) all["warnings"] = *document.warnings;
  return all;
}

std::string json_of(const Document& document) {
  return json_of(data_of(document), document.keeps_order);
}

std::string json_of(const Json& data, bool keeps_order) {
  return (keeps_order ? indented(json_from<Ordered>(data), 0)
                      : dumped(json_from<nlohmann::json>(data), 2)) +
         "\n";
}

std::string compact_json(const Json& data) {
  return dumped(json_from<nlohmann::json>(data));
}

Json parse_json(const std::string& text) {
  constexpr int most_levels = 100;
  bool is_too_deep = false;
  const auto look = [&](int level, auto /*event*/, auto& /*value*/) {
    is_too_deep = is_too_deep || level >= most_levels;
    return !is_too_deep;
  };
  const auto json = nlohmann::json::parse(text, look, false);
  return is_too_deep ? Json() : data_from(json);
}

}  // namespace armdyn
