#pragma once

// YAML as a plain tree with the place of every value. Tags, second documents and maps as keys, for
// which robot files have no use, are refused.

#include <armdyn/error.hpp>

#include <algorithm>
#include <armdyn/robot_file.hpp>
#include <armdyn/vector.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "model/check.hpp"
#include "model/file_accuracy.hpp"
#include "text/formula_value.hpp"

namespace armdyn {

/// Line and column in a file, both from 1; columns count characters.
struct YamlMark {
  int line = 0;
  int column = 0;
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  YamlMark mark;
  std::string text;                ///< of a scalar
  bool quoted = false;             ///< scalar in quotes, or a block of text
  std::vector<YamlNode> items;     ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a map, in the order of the file; no key twice
};

struct YamlEntry {
  std::string key;
  YamlMark key_mark;
  YamlNode value;
};

/// Value of a map's key, or null.
[[nodiscard]] const YamlNode* find(const YamlNode& map, std::string_view key);

struct YamlTree {
  std::optional<YamlNode> root;   ///< absent where the text is no YAML, or is empty
  std::vector<Finding> problems;  ///< errors, each with its place
};

// yaml-cpp needs up to 250 times the memory of a file of brackets.
constexpr std::size_t largest_yaml = std::size_t{1} << 20U;  ///< bytes

/// Parses a text, aliases replaced by their values; throws only std::bad_alloc.
[[nodiscard]] YamlTree parse_yaml(std::string_view text);

/// Error of a text that is no robot file: binary, of another encoding, too large.
[[nodiscard]] std::optional<Finding> why_not_text(std::string_view bytes,
                                                  std::size_t largest = largest_yaml);

// Conversion of the tree's values to C++ ones. Errors become findings, and reading goes on, so that a
// user sees all of them at once.

/// Factors from a number of a file to one of SI units.
struct FileUnit {
  double over = 1.0, times = 1.0;
  bool is_angle = false;  ///< a text with pi in it, such as -3*pi/4, is in radians
  [[nodiscard]] double in_si(double number) const { return number / over * times; }
};
inline constexpr FileUnit radian{1.0, 1.0, true}, degree{180.0, std::numbers::pi, true};

/// Description of an angle in messages.
inline constexpr std::string_view an_angle = "an angle such as 0.5, -pi/2 or 3*pi/4";

/// A key of a map, with the expectation of messages.
struct YamlKey {
  std::string_view name;
  std::string_view expected;
  bool required = false;
};

/// Notation of a file's numbers.
struct WrittenNumbers {
  std::map<std::string, NumberAsWritten> by_path;
  Parametrization formulas;
  std::set<std::string> blanks;  ///< paths of values still to be filled in
  bool has_parameters = false;
};

/// A value with its place.
class YamlValue {
 public:
  /// `expected` completes the sentence "expected ..."; it must outlive the value, as must the rest.
  /// Numbers may be formulas of the parameters that are `written`, and are added to it.
  YamlValue(const YamlNode& node, std::string path, std::string_view expected,
            std::vector<Finding>& findings, WrittenNumbers& written)
      : node_(&node),
        path_(std::move(path)),
        expected_(expected),
        findings_(&findings),
        written_(&written) {}

  [[nodiscard]] const YamlNode& node() const { return *node_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  void error(std::string message) const;
  /// Reports "found X; expected Y", and how.
  void not_expected(std::string_view how = {}) const;

  // Each reports an error and gives nothing where the value is of another kind.
  [[nodiscard]] std::optional<std::string> text() const;
  /// A number in SI units, of one in that unit or of a formula.
  [[nodiscard]] std::optional<double> number(const FileUnit& unit = {}) const;
  /// A list of three numbers in that unit; other entries become 0.
  [[nodiscard]] std::optional<Vec3> vector(const FileUnit& unit) const;
  /// A number, or a formula of the parameters before it, without a name; it is not a robot's number.
  [[nodiscard]] std::optional<Parameter> parameter() const;
  /// Notes the notation of the robot's number at a path.
  void note(const std::string& path, const NumberAsWritten& as) const;
  /// Notation noted for a path; by default of an exact 0.
  [[nodiscard]] NumberAsWritten noted(const std::string& path) const;
  /// Gives the formulas of a part's numbers another path.
  void move_formulas(const std::string& from, const std::string& to) const;
  /// Formula of the number at a path; "0" where there is none.
  [[nodiscard]] std::string formula(const std::string& path) const;
  /// Writes numbers by their formulas, in place of those of the paths that begin so.
  void write_formulas(const std::vector<std::string>& in_place_of,
                      const std::vector<WrittenNumber>& numbers) const;
  /// Index of the value among words.
  [[nodiscard]] std::optional<std::size_t> one_of(std::span<const std::string_view> words) const;
  [[nodiscard]] std::optional<std::vector<YamlValue>> list(
      std::string_view expected_entry, std::optional<std::size_t> size = {}) const;
  [[nodiscard]] bool is_map() const { return is(YamlNode::Kind::map); }

  /// Value of a map's entry.
  [[nodiscard]] YamlValue entry(const YamlEntry& entry, std::string_view expected) const;
  /// Reports an unknown key, and returns the one that was probably meant.
  std::optional<std::string> unknown_key(const YamlEntry& entry,
                                         std::span<const YamlKey> known) const;
  void missing_key(const YamlKey& key) const;

 private:
  /// Tests whether it is of that kind; reports an error if it is not.
  [[nodiscard]] bool is(YamlNode::Kind kind) const;
  [[nodiscard]] std::optional<double> plain_number() const;
  [[nodiscard]] bool is_formula() const;
  [[nodiscard]] double noted(double value, NumberAsWritten as, const FileUnit& unit) const;

  const YamlNode* node_;
  std::string path_;
  std::string_view expected_;
  std::vector<Finding>* findings_;
  WrittenNumbers* written_;
};

/// A map with known keys. Unknown and missing ones are reported when it is made; one that is only
/// misspelt does not count as missing too.
class YamlMap {
 public:
  YamlMap(const YamlValue& value, std::span<const YamlKey> keys);

  [[nodiscard]] std::optional<YamlValue> find(std::string_view key) const;

 private:
  YamlValue value_;
  std::span<const YamlKey> keys_;
};

/// Sets the parameters of `written` to those of a file; `set` replaces some.
void read_parameters(const YamlValue& value, const ParameterValues& set, WrittenNumbers& written);

}  // namespace armdyn
