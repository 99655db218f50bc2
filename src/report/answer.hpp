#pragma once

// What a verb says, as data: each value once, with its key for programs and its words for people.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace armdyn {

/// A value: exact for programs, brief for people. Default: there is none, "-" for people.
struct Value {
  std::optional<nlohmann::json> exact = {};
  std::string brief = "-";

  /// Four significant digits; 0 for -0.
  [[nodiscard]] static Value number(double value);
  [[nodiscard]] static Value number(const std::optional<double>& value);
  /// Six significant digits: a moment, s.
  [[nodiscard]] static Value moment(double t);
  /// "0 to 1.5": the first and the last moment, s.
  [[nodiscard]] static Value moments(double first, double last);
  /// "-2 to 3".
  [[nodiscard]] static Value range(double lower, double upper);
  /// "1.2e-07": the order of magnitude counts.
  [[nodiscard]] static Value magnitude(double value);
  /// "12 %", of the limit.
  [[nodiscard]] static Value share(double value, const std::optional<double>& limit);
  [[nodiscard]] static Value count(std::uint64_t count);
  /// "1 row", "2 rows".
  [[nodiscard]] static Value count(std::uint64_t count, const std::string& singular);
  [[nodiscard]] static Value word(const std::string& word);
  /// What people do not see.
  [[nodiscard]] static Value data(const nlohmann::json& exact);
};

/// One thing that an answer says.
struct Field {
  std::string key;                   ///< empty: for people alone
  std::optional<std::string> label;  ///< none: for programs alone
  Value value;
};
using Fields = std::vector<Field>;

inline constexpr const char* for_people = "";                 ///< as a key
inline constexpr std::nullopt_t for_programs = std::nullopt;  ///< as a label

/// A label that people see only if; programs have the field always.
[[nodiscard]] std::optional<std::string> label_if(bool is_shown, const std::string& label);

/// Words that have no key.
[[nodiscard]] Field words(const std::string& text);

/// For people: the labels one behind the other, in each the value in place of {}. Fields without a
/// value are left out.
[[nodiscard]] std::string sentence(const Fields& fields);

/// For people: aligned rows under the labels of the last one, which all rows have in common; a
/// shorter row is a heading. Empty without rows.
[[nodiscard]] std::string table(const std::vector<Fields>& rows);
/// The same with all columns to the left, not the first alone.
[[nodiscard]] std::string list(const std::vector<Fields>& rows);

/// For programs: an object, without the keys of values that are not there.
[[nodiscard]] nlohmann::json object(const Fields& fields);
/// For programs: a list of objects.
[[nodiscard]] nlohmann::json objects(const std::vector<Fields>& rows);

}  // namespace armdyn
