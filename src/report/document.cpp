#include "report/document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/shown_unit.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// 0 for -0.
constexpr double without_minus_zero(double value) {
  return value + 0.0;
}

}  // namespace

Json list_of_rows(const Matrix& A) {
  return each(in_order(A.rows()), [&A](std::size_t i) { return Json(A.row(i)); });
}

Json list_of_axes(const Mat3& R) {
  return Json::list(coordinates(R.row_x), coordinates(R.row_y), coordinates(R.row_z));
}

Json joint_values(const std::vector<double>& values) {
  return each(values, without_minus_zero);
}

// --- Value

Value Value::number(double value) {
  const double shown = without_minus_zero(value);
  return {shown, short_number(shown)};
}

Value Value::number(double value, std::string_view unit) {
  return {value + 0.0, short_number(shown_value(value, unit) + 0.0), std::string(unit)};
}

Value Value::unit_of(std::string_view unit) {
  return word(shown_unit(unit));
}

std::string with_unit(double value, std::string_view unit, int digits) {
  return fmt::format("{:.{}g} {}", shown_value(value, unit) + 0.0, digits, shown_unit(unit));
}

Value Value::moment(double t) {
  const double shown = without_minus_zero(t);
  return {shown, moment_text(shown)};
}

Value Value::moments(double first, double last) {
  return {joint_values({first, last}), moment(first).brief + " to " + moment(last).brief};
}

Value Value::moment(double t, Bound bound) {
  return {t, moment_text(outward(t, bound, 6))};
}

Value Value::number(double value, Bound bound) {
  return {value, short_number(outward(value, bound, 4))};
}

Value Value::bounds(double lower, double upper) {
  return {joint_values({lower, upper}),
          number(lower, Bound::lower).brief + " to " + number(upper, Bound::upper).brief};
}

Value Value::range(double lower, double upper) {
  return {joint_values({lower, upper}), number(lower).brief + " to " + number(upper).brief};
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

Value Value::count(std::uint64_t count, const std::string& singular) {
  return {count, counted(count, singular)};
}

// --- fields and sections

std::optional<std::string> label_if(bool is_shown, const std::string& label) {
  return is_shown ? std::optional(label) : std::nullopt;
}

Field words(const std::string& text) {
  return {for_people, "{}", Value::word(text)};
}

Json object(const Fields& fields) {
  Json object = Json::object();
  const bool names_unit = std::ranges::find(fields, "unit", &Field::key) != fields.end();
  for (const auto& [key, label, value] : fields) {
    if (key.empty() || !value.exact) continue;
    object[key] = names_unit && !value.unit.empty()
                      ? Json(shown_value(value.exact->as<double>(), value.unit))
                      : *value.exact;
  }
  return object;
}

Json objects(const FieldTable& table) {
  return each(table.rows, object);
}

Json& Document::data(const std::string& key) {
  return std::get<Json>(std::ranges::find(sections, key, &Section::key)->content);
}

Sections only_for(Audience audience, Sections sections) {
  for (Section& section : sections) section.audience = audience;
  return sections;
}

}  // namespace armdyn
