#include "report/answer.hpp"

#include <fmt/format.h>

#include "io/text/number_text.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

/// 0 for -0.
constexpr double without_minus_zero(double value) {
  return value + 0.0;
}

std::vector<std::vector<std::string>> cells(const std::vector<Fields>& rows) {
  if (rows.empty()) return {};
  std::vector<std::vector<std::string>> cells(1);
  for (const Field& field : rows.back()) {
    if (field.label) cells.front().push_back(*field.label);
  }
  for (const Fields& row : rows) {
    cells.emplace_back();
    for (const Field& field : row) {
      if (field.label) cells.back().push_back(field.value.brief);
    }
  }
  return cells;
}

}  // namespace

// --- Value

Value Value::number(double value) {
  const double shown = without_minus_zero(value);
  return {shown, short_number(shown)};
}

Value Value::number(const std::optional<double>& value) {
  return value ? number(*value) : Value{};
}

Value Value::moment(double t) {
  const double shown = without_minus_zero(t);
  return {shown, fmt::format("{:.6g}", shown)};
}

Value Value::moments(double first, double last) {
  return {nlohmann::json{without_minus_zero(first), without_minus_zero(last)},
          moment(first).brief + " to " + moment(last).brief};
}

Value Value::range(double lower, double upper) {
  const Value from = number(lower), to = number(upper);
  return {nlohmann::json{*from.exact, *to.exact}, from.brief + " to " + to.brief};
}

Value Value::magnitude(double value) {
  const double shown = without_minus_zero(value);
  return {shown, fmt::format("{:.1e}", shown)};
}

Value Value::share(double value, const std::optional<double>& limit) {
  if (!limit) return {};
  const double share = value / *limit;
  return {share, fmt::format("{:.0f} %", 100.0 * share)};
}

Value Value::count(std::uint64_t count) {
  return {count, std::to_string(count)};
}

Value Value::count(std::uint64_t count, const std::string& singular) {
  return {count, counted(count, singular)};
}

Value Value::word(const std::string& word) {
  return {word, word};
}

Value Value::data(const nlohmann::json& exact) {
  return {exact, ""};
}

// --- fields

std::optional<std::string> label_if(bool is_shown, const std::string& label) {
  return is_shown ? std::optional(label) : std::nullopt;
}

Field words(const std::string& text) {
  return {for_people, "{}", Value::word(text)};
}

std::string sentence(const Fields& fields) {
  std::string text;
  for (const auto& [key, label, value] : fields) {
    if (label && value.exact) text += fmt::format(fmt::runtime(*label), value.brief);
  }
  return text;
}

std::string table(const std::vector<Fields>& rows) {
  return text_table(cells(rows));
}

std::string list(const std::vector<Fields>& rows) {
  return text_list(cells(rows));
}

nlohmann::json object(const Fields& fields) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, label, value] : fields) {
    if (!key.empty() && value.exact) object[key] = *value.exact;
  }
  return object;
}

nlohmann::json objects(const std::vector<Fields>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Fields& row : rows) list.push_back(object(row));
  return list;
}

}  // namespace armdyn
