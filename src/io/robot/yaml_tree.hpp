#pragma once

// YAML as a plain tree: every value knows where it stands, and what robot files have no use for
// (tags, second documents, maps as keys) is refused.

#include <armdyn/error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The value of a map's key, or null.
[[nodiscard]] const YamlNode* find(const YamlNode& map, std::string_view key);

struct YamlTree {
  std::optional<YamlNode> root;   ///< absent where the text is no YAML, or says nothing
  std::vector<Finding> problems;  ///< errors, each with its place
};

// yaml-cpp needs up to 250 times the memory that a file of nothing but brackets has.
constexpr std::size_t largest_yaml = std::size_t{1} << 20U;    ///< bytes
constexpr std::size_t most_yaml_values = 100'000;              ///< aliases expanded
constexpr std::size_t most_yaml_text = std::size_t{4} << 20U;  ///< bytes, aliases expanded
constexpr std::size_t deepest_yaml = 32;                       ///< lists and maps in one another

/// Never throws but for want of memory. Aliases are replaced by what they stand for.
[[nodiscard]] YamlTree parse_yaml(std::string_view text);

/// Why this is no text that a robot could be in: empty, binary, another encoding, too large.
[[nodiscard]] std::optional<Finding> why_not_text(std::string_view bytes,
                                                  std::size_t largest = largest_yaml);

/// An error at a place.
[[nodiscard]] Finding yaml_error(YamlMark mark, std::string message, std::string path = {});

/// The path of a map's entry: "joints[2].dh"; keys that are no plain words or long
/// are in quotes, shortened.
[[nodiscard]] std::string path_of_key(const std::string& path, const std::string& key);

}  // namespace armdyn
