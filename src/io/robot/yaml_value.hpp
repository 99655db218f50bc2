#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/vector.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/ranged.hpp"
#include "io/robot/yaml_tree.hpp"
#include "model/check.hpp"

// Values of a YAML tree read into C++ ones. What does not fit becomes a finding, and reading goes
// on, so that a user sees all errors at once.

namespace armdyn {

/// A key that a map may have, and what stands there, for messages.
struct YamlKey {
  std::string_view name;
  std::string_view expected;
  bool required = false;
};

/// What is kept of how numbers were written.
struct WrittenNumbers {
  std::map<std::string, NumberAsWritten> by_path;
  std::optional<Parametrisation> formulas;  ///< of a file with parameters
};

/// A value at its place.
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
  /// "found X; expected Y", and how.
  void not_expected(std::string_view how = {}) const;

  // Each reports an error and gives nothing where the value is of another kind.
  [[nodiscard]] std::optional<std::string> text() const;
  [[nodiscard]] std::optional<double> number() const;
  /// Under no name: a number, or a formula of the parameters before it. It is none of the robot's.
  [[nodiscard]] std::optional<Parameter> parameter() const;
  /// Radians: of a number in that unit, or of a text such as -3*pi/4 that has pi in it.
  [[nodiscard]] std::optional<double> angle(AngleUnit unit) const;
  /// How the robot's number of that path came to be what it is.
  void note(const std::string& path, const NumberAsWritten& as) const;
  /// What is noted of that path; nothing is 0, and exact.
  [[nodiscard]] NumberAsWritten noted(const std::string& path) const;
  /// Which of the words, by its index.
  [[nodiscard]] std::optional<std::size_t> one_of(std::span<const std::string_view> words) const;
  [[nodiscard]] std::optional<std::vector<YamlValue>> list(std::string_view expected_entry) const;
  [[nodiscard]] std::optional<std::vector<YamlValue>> list(std::string_view expected_entry,
                                                           std::size_t size) const;
  [[nodiscard]] bool is_map() const;

  /// The value of a map's entry.
  [[nodiscard]] YamlValue entry(const YamlEntry& entry, std::string_view expected) const;
  /// Gives the key that was probably meant.
  std::optional<std::string> unknown_key(const YamlEntry& entry,
                                         std::span<const YamlKey> known) const;
  void missing_key(const YamlKey& key) const;

 private:
  [[nodiscard]] std::optional<double> plain_number() const;
  [[nodiscard]] bool is_formula() const;
  [[nodiscard]] std::optional<Ranged> formula(AngleUnit unit) const;
  [[nodiscard]] std::optional<double> noted(std::optional<double> value, NumberAsWritten as) const;
  [[nodiscard]] std::optional<double> noted(const std::optional<Ranged>& computed) const;

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

  // Each leaves `target` as it is where the key is absent or its value wrong.
  void read(std::string_view key, double& target) const;
  void read(std::string_view key, std::string& target) const;
  void read(std::string_view key, Vec3& target) const;
  void read_angle(std::string_view key, AngleUnit unit, double& target) const;
  void read_angles(std::string_view key, AngleUnit unit, Vec3& target) const;

 private:
  YamlValue value_;
  std::span<const YamlKey> keys_;
};

}  // namespace armdyn
