#include "io/robot/yaml_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "io/robot/yaml_tree.hpp"
#include "io/text/nearest_name.hpp"
#include "io/text/number_text.hpp"
#include "math/characters.hpp"
#include "model/formula.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using Kind = YamlNode::Kind;

std::string shown(const YamlNode& node) {
  switch (node.kind) {
    case Kind::null:
      return "nothing";
    case Kind::sequence:
      return "a list";
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  return shown_text(node.text);
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

bool has_leading_zero(std::string_view text) {
  text = without_sign(text);
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

/// Whether a person may take a text for a number: 1,5 or 0x10, with a dash for its sign, or infinite.
bool looks_like_number(std::string_view text) {
  for (const std::string_view sign : {"+", "-", "−", "–", "."}) {
    if (text.starts_with(sign)) text.remove_prefix(sign.size());
  }
  std::string word(text.substr(0, 3));
  for (char& c : word) c = static_cast<char>(c | 0x20);  // small letters
  return word == "nan" || word == "inf" ||
         (!text.empty() && is_digit(text[0]) &&
          text.find_first_not_of("0123456789.,_+-eExX") == text.npos);
}

/// Of the text of a number. One of more than 15 digits, without zeros before them, may not be the
/// shortest decimal fraction of its double.
NumberAsWritten decimal_as_written(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto decimals = static_cast<double>(digits.size() - std::min(point + 1, digits.size()));
  const double exponent = e < text.size() ? parse_number(text.substr(e + 1)).value_or(0.0) : 0.0;
  const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  const double half =
      parse_number(fmt::format("5e{:.0f}", exponent - decimals - 1.0)).value_or(0.0);
  return {.half_unit = half,
          .is_computed = std::ranges::count_if(digits.substr(first), is_digit) > 15};
}

}  // namespace

void YamlValue::error(std::string message) const {
  findings_->push_back(yaml_error(node_->mark, std::move(message), path_));
}

void YamlValue::not_expected(std::string_view how) const {
  error(fmt::format("found {}; expected {}{}", shown(*node_), expected_, how));
}

std::optional<std::string> YamlValue::text() const {
  if (node_->kind == Kind::scalar) return node_->text;
  not_expected();
  return std::nullopt;
}

double YamlValue::noted(double value, NumberAsWritten as, const FileUnit& unit) const {
  if (written_->formulas) {
    const bool is_si = unit.is_angle || unit.over == 1.0;
    written_->formulas->numbers.push_back(
        {path_, is_si ? node_->text : fmt::format("({})/{}", node_->text, unit.over), value});
  }
  as.value = value;
  if (value == 0.0) as.half_unit = 0.0;  // however it is written
  note(path_, as);
  return value;
}

void YamlValue::note(const std::string& path, const NumberAsWritten& as) const {
  written_->by_path[path] = as;
}

NumberAsWritten YamlValue::noted(const std::string& path) const {
  const auto found = written_->by_path.find(path);
  return found == written_->by_path.end() ? NumberAsWritten{} : found->second;
}

bool YamlValue::is_formula() const {
  return written_->formulas && node_->kind == Kind::scalar && !parse_number(node_->text);
}

std::optional<Parameter> YamlValue::parameter() const {
  if (!is_formula()) {
    const auto number = plain_number();
    if (!number) return std::nullopt;
    const double half_unit = *number == 0.0 ? 0.0 : decimal_as_written(node_->text).half_unit;
    return Parameter{{}, *number, false, half_unit};
  }
  try {
    return evaluate(node_->text, written_->formulas->parameters);
  } catch (const FormulaError& wrong) {
    error(fmt::format("found {}: {}", shown(*node_), wrong.what()));
    return std::nullopt;
  }
}

std::optional<double> YamlValue::number(const FileUnit& unit) const {
  const bool is_scalar = node_->kind == Kind::scalar;
  if (const auto angle = unit.is_angle && is_scalar ? parse_pi(node_->text) : std::nullopt) {
    return noted(*angle, {.is_computed = true}, unit);
  }
  const auto found = parameter();
  if (!found) return std::nullopt;
  const FileUnit of = unit.is_angle && found->has_pi ? radian : unit;
  const bool is_as_read = !is_formula() && unit.over == 1.0;
  return noted(of.in_si(found->value),
               {.half_unit = of.in_si(found->half_unit),
                .is_computed = !is_as_read || decimal_as_written(node_->text).is_computed},
               unit);
}

void YamlValue::move_formulas(const std::string& from, const std::string& to) const {
  if (!written_->formulas) return;
  for (WrittenNumber& number : written_->formulas->numbers) {
    if (number.path.starts_with(from)) number.path.replace(0, from.size(), to);
  }
}

std::optional<double> YamlValue::plain_number() const {
  if (node_->kind != Kind::scalar) {
    not_expected();
    return std::nullopt;
  }
  const auto number = parse_number(node_->text);
  if (number && node_->quoted) {
    not_expected(", without quotes");
  } else if (number && has_leading_zero(node_->text)) {
    not_expected(", without the leading 0, which some programs take for octal");
  } else if (!number) {
    not_expected(looks_like_number(node_->text)
                     ? ", finite, in digits with a decimal point and a plain \"-\""
                     : "");
  } else {
    return number;
  }
  return std::nullopt;
}

std::optional<std::size_t> YamlValue::one_of(std::span<const std::string_view> words) const {
  if (node_->kind != Kind::scalar) {
    not_expected();
    return std::nullopt;
  }
  const auto word = std::find(words.begin(), words.end(), node_->text);
  if (word != words.end()) return static_cast<std::size_t>(word - words.begin());
  not_expected(did_you_mean(node_->text, words));
  return std::nullopt;
}

std::optional<std::vector<YamlValue>> YamlValue::list(std::string_view expected_entry,
                                                      std::optional<std::size_t> size) const {
  if (node_->kind != Kind::sequence) {
    not_expected();
    return std::nullopt;
  }
  std::vector<YamlValue> entries;
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    entries.emplace_back(node_->items[i], fmt::format("{}[{}]", path_, i), expected_entry,
                         *findings_, *written_);
  }
  if (!size || entries.size() == *size) return entries;
  error(fmt::format("found {} {}; expected {}", entries.size(),
                    entries.size() == 1 ? "entry" : "entries", expected_));
  return std::nullopt;
}

bool YamlValue::is_map() const {
  if (node_->kind == Kind::map) return true;
  not_expected();
  return false;
}

YamlValue YamlValue::entry(const YamlEntry& entry, std::string_view expected) const {
  return {entry.value, path_of_key(path_, entry.key), expected, *findings_, *written_};
}

std::optional<std::string> YamlValue::unknown_key(const YamlEntry& entry,
                                                  std::span<const YamlKey> known) const {
  std::vector<std::string_view> names;
  for (const YamlKey& key : known) names.push_back(key.name);
  std::sort(names.begin(), names.end());
  const bool is_digits =
      std::ranges::all_of(entry.key, [](char c) { return '0' <= c && c <= '9'; });
  const std::string hint = entry.key == "<<" ? "; merge keys are not supported, write the keys out"
                           : is_digits ? "; if this is what follows a decimal comma, write a point"
                                       : did_you_mean(entry.key, names);
  findings_->push_back(yaml_error(
      entry.key_mark, fmt::format("unknown key{} (known: {})", hint, fmt::join(names, ", ")),
      path_of_key(path_, entry.key)));
  return nearest_name(entry.key, names);
}

void YamlValue::missing_key(const YamlKey& key) const {
  findings_->push_back(yaml_error(node_->mark, fmt::format("missing; expected {}", key.expected),
                                  path_of_key(path_, std::string(key.name))));
}

YamlMap::YamlMap(const YamlValue& value, std::span<const YamlKey> keys)
    : value_(value), keys_(keys) {
  if (!value.is_map()) return;
  std::set<std::string, std::less<>> misspelt;
  for (const YamlEntry& entry : value.node().entries) {
    const bool is_known = std::any_of(keys.begin(), keys.end(),
                                      [&](const YamlKey& key) { return key.name == entry.key; });
    if (is_known) continue;
    if (auto meant = value.unknown_key(entry, keys)) misspelt.insert(*std::move(meant));
  }
  for (const YamlKey& key : keys) {
    const bool is_there =
        armdyn::find(value.node(), key.name) != nullptr || misspelt.count(key.name) != 0;
    if (key.required && !is_there) value.missing_key(key);
  }
}

std::optional<YamlValue> YamlMap::find(std::string_view name) const {
  const auto key =
      std::find_if(keys_.begin(), keys_.end(), [name](const YamlKey& k) { return k.name == name; });
  for (const YamlEntry& entry : value_.node().entries) {
    if (entry.key == name) return value_.entry(entry, key->expected);
  }
  return std::nullopt;
}

void YamlMap::read(std::string_view key, std::string& target) const {
  if (const auto value = find(key)) target = value->text().value_or(target);
}

void YamlMap::read(std::string_view key, Vec3& target, const FileUnit& unit) const {
  const auto value = find(key);
  const auto entries =
      value ? value->list(unit.is_angle ? "an angle such as 0.5, -pi/2 or 3*pi/4" : "a number", 3)
            : std::nullopt;
  if (!entries) return;
  const auto entry = [&](std::size_t i) { return (*entries)[i].number(unit).value_or(0.0); };
  target = {entry(0), entry(1), entry(2)};
}

namespace {

std::string unknown(std::string_view name, const std::vector<Parameter>& known) {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const Parameter& parameter : known) names.push_back(parameter.name);
  return fmt::format("there is no parameter {}{} (known: {})", name, did_you_mean(name, names),
                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

constexpr std::size_t most_parameters = 1000;
constexpr std::size_t most_characters = 4000;  // of formulas that follow from each other

/// Until a parameter's turn has come, it is no number.
constexpr double not_yet = std::numeric_limits<double>::quiet_NaN();

std::string too_long(std::size_t length) {
  return fmt::format(
      "it and the formulas that it follows from have {} characters; at most {} are read", length,
      most_characters);
}

/// Whether a parameter may have that name; else an error.
bool has_sound_name(const YamlValue& value, const std::string& name) {
  if (name.empty() || name_length(name) < name.size()) {
    value.error(fmt::format("found the name {}; expected a letter, then letters, digits or \"_\"",
                            shown_text(name)));
  } else if (std::ranges::find(formula_words, name) != std::end(formula_words)) {
    value.error(fmt::format("{} is a word of formulas; expected another name", name));
  } else {
    return true;
  }
  return false;
}

}  // namespace

Parameter evaluate(std::string_view formula, const std::vector<Parameter>& known) {
  Parameter result;
  const auto parameter = [&](std::string_view name) -> const Parameter& {
    const auto found = std::ranges::find(known, name, &Parameter::name);
    if (found == known.end()) throw FormulaError(unknown(name, known));
    if (std::isnan(found->value)) {
      throw FormulaError(
          fmt::format("{} does not stand before it; expected a formula of "
                      "parameters that do",
                      name));
    }
    return *found;
  };
  FormulaReader<double> reader(formula, [&](std::string_view name) {
    const Parameter& used = parameter(name);
    result.has_pi = result.has_pi || used.has_pi;
    result.length = std::max(result.length, used.length);
    return used.value;
  });
  result.value = reader.read();
  result.has_pi = result.has_pi || reader.had_pi();
  result.length += formula.size();
  if (result.length > most_characters) throw FormulaError(too_long(result.length));
  if (!std::isfinite(result.value)) throw FormulaError("its value is no finite number");
  FormulaReader<Ranged> decimals(formula, [&](std::string_view name) {
    return Ranged(parameter(name).value, parameter(name).half_unit);
  });
  const double radius = decimals.read().radius;
  result.half_unit = std::isfinite(radius) ? radius : std::abs(result.value);
  return result;
}

void read_parameters(const YamlValue& value, const ParameterValues& set, WrittenNumbers& written) {
  written.formulas.emplace();
  if (!value.is_map()) return;
  if (value.node().entries.size() > most_parameters) {
    value.error(fmt::format("found {} parameters; expected at most {}", value.node().entries.size(),
                            most_parameters));
    return;
  }
  std::vector<Parameter>& parameters = written.formulas->parameters;
  parameters.reserve(value.node().entries.size());
  for (const YamlEntry& entry : value.node().entries) {
    parameters.push_back({entry.key, not_yet, false});
  }
  std::size_t next = 0;
  for (const YamlEntry& entry : value.node().entries) {
    const YamlValue one = value.entry(entry, "a number, or a formula of the parameters before it");
    const auto found = has_sound_name(one, entry.key) ? one.parameter() : std::nullopt;
    const auto replaced = set.find(entry.key);
    // An error is enough, without those that would follow from it.
    Parameter parameter = found.value_or(Parameter{{}, 1.0});
    if (replaced != set.end()) parameter = replaced->second;
    parameter.name = entry.key;
    parameters[next++] = parameter;
  }
}

}  // namespace armdyn
